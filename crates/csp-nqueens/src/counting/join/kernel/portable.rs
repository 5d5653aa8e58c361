//! The loops in plain Rust, which the compiler may make vectors of.
//!
//! They are inlined into whoever calls them, so that a caller compiled for wider vectors gets them
//! for those.

use std::array;

use super::{CHUNK, Footprint, Kernel, LANE, Tables};

/// Runs everywhere.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Portable;

impl Kernel for Portable {
    const SLACK: usize = 1;

    fn extend(self, states: &[u64], square: u64, out: &mut [u64]) -> usize {
        compress(states, square, out, |state| state)
    }

    fn finish(self, states: &[u64], square: u64, out: &mut [u32]) -> usize {
        compress(states, square, out, |state| state as u32)
    }

    fn tabulate<F: Footprint, const WIDTH: usize, const CHUNKS: usize>(
        self,
        lanes: &[&[F; LANE]],
        valid: [u64; WIDTH],
        tables: &mut Tables<WIDTH>,
    ) {
        turn(lanes, &mut tables.rows, transpose);
        combine::<WIDTH, CHUNKS>(valid, tables, without);
    }

    fn count<F: Footprint, const WIDTH: usize, const CHUNKS: usize>(
        self,
        tables: &Tables<WIDTH>,
        queries: &[F],
    ) -> [u64; WIDTH] {
        count::<F, WIDTH, CHUNKS>(tables, queries)
    }
}

/// Without a branch: each state is written, and overwritten by the next unless it counts.
#[inline(always)]
fn compress<T>(states: &[u64], square: u64, out: &mut [T], narrow: impl Fn(u64) -> T) -> usize {
    let out = &mut out[..states.len() + Portable::SLACK];
    let mut len = 0;
    for &state in states {
        out[len] = narrow(state | square);
        len += usize::from(state & square == 0);
    }
    len
}

/// For each diagonal, the footprints of each lane that occupy it, by a function that turns a lane on
/// its side.
#[inline(always)]
pub(super) fn turn<F: Footprint, const WIDTH: usize>(
    lanes: &[&[F; LANE]],
    rows: &mut [[u64; WIDTH]; LANE],
    transpose: impl Fn(&[u32; LANE]) -> [u64; 32],
) {
    for (slot, lane) in lanes.iter().enumerate() {
        let mut halves = rows.chunks_exact_mut(32);
        F::halves(lane, |half| {
            let words = transpose(half);
            if let Some(rows) = halves.next() {
                for (row, word) in rows.iter_mut().zip(words) {
                    row[slot] = word;
                }
            }
        });
    }
}

/// The tables of a block whose rows are there, by a function that leaves those of a row out of another.
#[inline(always)]
pub(super) fn combine<const WIDTH: usize, const CHUNKS: usize>(
    valid: [u64; WIDTH],
    tables: &mut Tables<WIDTH>,
    without: impl Fn(&[u64; WIDTH], &[u64; WIDTH]) -> [u64; WIDTH],
) {
    let Tables { tables, rows } = tables;
    // Slots without a lane hold anything: they have no valid footprint, and one table is enough to say so.
    for (chunk, table) in tables.iter_mut().enumerate().take(CHUNKS) {
        table[0] = if chunk == 0 { valid } else { [u64::MAX; WIDTH] };
        for bit in 0..CHUNK {
            let row = rows[chunk * CHUNK + bit];
            let (done, new) = table.split_at_mut(1 << bit);
            for (new, done) in new.iter_mut().zip(done) {
                *new = without(done, &row);
            }
        }
    }
}

/// The bits of a row that another has not.
#[inline(always)]
pub(super) fn without<const WIDTH: usize>(row: &[u64; WIDTH], other: &[u64; WIDTH]) -> [u64; WIDTH] {
    array::from_fn(|slot| row[slot] & !other[slot])
}

/// [`Kernel::count`].
#[inline(always)]
pub(super) fn count<F: Footprint, const WIDTH: usize, const CHUNKS: usize>(
    tables: &Tables<WIDTH>,
    queries: &[F],
) -> [u64; WIDTH] {
    let mut sums = [0; WIDTH];
    for &query in queries {
        let mut left = tables.tables[0][subset(query, 0)];
        for (chunk, table) in tables.tables.iter().enumerate().take(CHUNKS).skip(1) {
            let row = &table[subset(query, chunk)];
            for slot in 0..WIDTH {
                left[slot] &= row[slot];
            }
        }
        for slot in 0..WIDTH {
            sums[slot] += u64::from(left[slot].count_ones());
        }
    }
    sums
}

/// The part of a footprint that is looked up in this table.
#[inline(always)]
pub(super) fn subset<F: Footprint>(footprint: F, chunk: usize) -> usize {
    let bits: u64 = footprint.into();
    bits as usize >> (chunk * CHUNK) & ((1 << CHUNK) - 1)
}

/// Bit *i* of word *b* is bit *b* of footprint *i*: by swapping ever smaller squares of bits, in both
/// halves of the words at once (Warren, *Hacker's Delight*, 2012, §7-3).
#[inline(always)]
pub(super) fn transpose(lane: &[u32; LANE]) -> [u64; 32] {
    let mut words = [0; 32];
    for (bit, word) in words.iter_mut().enumerate() {
        *word = u64::from(lane[bit]) | u64::from(lane[bit + 32]) << 32;
    }
    let mut mask = 0x0000_ffff_0000_ffff_u64;
    let mut distance = 16;
    while distance > 0 {
        for pair in words.chunks_exact_mut(2 * distance) {
            let (low, high) = pair.split_at_mut(distance);
            for (low, high) in low.iter_mut().zip(high) {
                let swapped = (*low >> distance ^ *high) & mask;
                *high ^= swapped;
                *low ^= swapped << distance;
            }
        }
        distance /= 2;
        mask ^= mask << distance;
    }
    words
}
