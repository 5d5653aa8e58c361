//! The inner loops, for the vectors that the processor has.
//!
//! A [`Kernel`] is the same few loops in plain Rust ([`Portable`]) or with vector instructions. The
//! others can only be had where the processor was found to have the instructions.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
#[cfg(test)]
mod tests;

use std::fmt;

pub(super) use portable::Portable;
#[cfg(target_arch = "x86_64")]
pub(super) use {avx2::Avx2, avx512::Avx512};

/// The footprints in a lane: one for each bit of a word.
pub(super) const LANE: usize = 64;

/// Most tables that a footprint is looked up in.
const MOST_CHUNKS: usize = 7;

/// The diagonals of a table.
pub(super) const CHUNK: usize = 5;

/// The inner loops.
pub(super) trait Kernel: Copy + fmt::Debug {
    /// What [`extend`](Self::extend) and [`finish`](Self::finish) may overwrite beyond what they add.
    const SLACK: usize;

    /// Announces that these states will be read soon.
    fn prefetch(self, _states: &[u64]) {}

    /// Writes `state | square` for each state disjoint from `square`, and returns how many they are.
    ///
    /// # Panics
    /// If `out` is not longer by `SLACK` than `states`.
    fn extend(self, states: &[u64], square: u64, out: &mut [u64]) -> usize;

    /// The same, with the lower half of each word only.
    fn finish(self, states: &[u64], square: u64, out: &mut [u32]) -> usize;

    /// Fills the tables of a block of lanes; in each lane only the footprints that are `valid` count.
    fn tabulate<F: Footprint, const WIDTH: usize, const CHUNKS: usize>(
        self,
        lanes: &[&[F; LANE]],
        valid: [u64; WIDTH],
        tables: &mut Tables<WIDTH>,
    );

    /// How many pairs of one of these footprints and one of the block's are disjoint, for each lane.
    fn count<F: Footprint, const WIDTH: usize, const CHUNKS: usize>(
        self,
        tables: &Tables<WIDTH>,
        queries: &[F],
    ) -> [u64; WIDTH];
}

/// The shared diagonals that a placement occupies: the low bits of a state.
pub(super) trait Footprint: Copy + Default + Into<u64> + fmt::Debug {
    /// [`Kernel::finish`] for footprints of this width.
    fn finish<K: Kernel>(kernel: K, states: &[u64], square: u64, out: &mut [Self]) -> usize;

    /// Hands out the lower 32 bits of a lane's footprints, and the upper ones if there are any.
    fn halves(lane: &[Self; LANE], visit: impl FnMut(&[u32; LANE]));

    /// A footprint of these bits.
    fn from_bits(bits: u64) -> Self;
}

impl Footprint for u32 {
    #[inline(always)]
    fn finish<K: Kernel>(kernel: K, states: &[u64], square: u64, out: &mut [u32]) -> usize {
        kernel.finish(states, square, out)
    }

    #[inline(always)]
    fn halves(lane: &[u32; LANE], mut visit: impl FnMut(&[u32; LANE])) {
        visit(lane);
    }

    #[inline(always)]
    fn from_bits(bits: u64) -> u32 {
        bits as u32
    }
}

impl Footprint for u64 {
    #[inline(always)]
    fn finish<K: Kernel>(kernel: K, states: &[u64], square: u64, out: &mut [u64]) -> usize {
        kernel.extend(states, square, out)
    }

    #[inline(always)]
    fn halves(lane: &[u64; LANE], mut visit: impl FnMut(&[u32; LANE])) {
        visit(&lane.map(|footprint| footprint as u32));
        visit(&lane.map(|footprint| (footprint >> 32) as u32));
    }

    #[inline(always)]
    fn from_bits(bits: u64) -> u64 {
        bits
    }
}

/// A bit for each footprint of a block.
type Row<const WIDTH: usize> = [u64; WIDTH];

/// A block of footprints, to be looked up in. No row of it lies across two cache lines.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct Tables<const WIDTH: usize> {
    /// For each chunk of diagonals and each subset of it, the footprints that occupy none of them.
    tables: [[Row<WIDTH>; 1 << CHUNK]; MOST_CHUNKS],
    /// For each diagonal, the footprints that occupy it. Scratch of [`Kernel::tabulate`].
    rows: [Row<WIDTH>; LANE],
}

impl<const WIDTH: usize> Default for Tables<WIDTH> {
    fn default() -> Self {
        let none = [0; WIDTH];
        Self { tables: [[none; 1 << CHUNK]; MOST_CHUNKS], rows: [none; LANE] }
    }
}
