//! Counting by joining halves: no whole board is ever searched.
//!
//! A board of 18 rows has 666,090,624 solutions, and a search that goes row by row visits dozens of
//! nodes for each. But where the queens of the upper rows stand matters to the lower rows only by
//! the columns and the diagonals they occupy. So list the placements of the upper rows and those of
//! the lower rows, and count the pairs that go together:
//!
//! 1. **Cut.** The board is cut into a *strip* of middle rows (none or one, and more from 18 rows on) and two
//!    halves of equal height above and below it ([`Board`]). For each placement of queens in the
//!    strip the rest is a problem of its own; symmetry leaves about an eighth of them, see
//!    [`strip`]. What the strip attacks makes the lists of both halves shorter, and their pairs fewer
//!    by the square of that.
//! 2. **List.** For either half all placements beside the strip are listed, for each set of columns in
//!    a list of its own ([`lists`]). All that is kept of a placement is its *footprint*: a bit for each
//!    diagonal that crosses from one half to the other and is not taken by the strip ([`squares`]).
//! 3. **Join.** If the upper half has the columns *C*, the lower half has those that *C* and the strip
//!    leave. For each *C* the pairs of footprints with no diagonal in common are counted, some hundreds
//!    at once, by a few *and*s of rows of bits ([`pairs`]).
//!
//! The cost: a few instructions for each placement that is listed, which are fewer than the solutions at
//! *n* = 18, and for each 512 pairs of placements on columns that complete each other. Memory: the lists of
//! one strip for each thread, which were 70 MB at *n* = 18 and 350 MB at most, at *n* = 21, or
//! 500 MB if the board is not symmetric.
//!
//! The idea of joining halves by their footprints is folklore of counters of N-Queens; lists built set by
//! set, strips, and what symmetry makes of them are described where they are done.

mod board;
mod kernel;
mod lists;
mod pairs;
mod squares;
mod strip;
mod subsets;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use self::{
    board::{Board, Side},
    kernel::{Footprint, Kernel, Portable},
    lists::{List, Lists},
    pairs::Joiner,
    squares::{Shared, Squares},
    strip::{Strip, strips},
    subsets::Binomials,
};
use super::{Part, Parts, Worker};
use crate::{
    Queens,
    search::{Control, Stop},
};

/// The largest board: all diagonals of a half beside its strip have a bit in one word.
pub(crate) const MAX_SIZE: usize = 23;

/// A count by joining halves; a part is a strip.
#[derive(Debug)]
pub(crate) struct Join {
    board: Board,
    strips: Vec<Strip>,
    vectors: Vectors,
}

/// The control is looked at once in so many sets of columns: some milliseconds.
const INTERVAL: usize = 1024;

/// The instructions that the inner loops use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vectors {
    /// Whatever the compiler makes of plain Rust.
    Portable,
    /// AVX2, if the processor has it.
    Avx2,
    /// AVX-512, if the processor has it.
    Avx512,
}

impl Join {
    /// The puzzle, in at most [`MAX_SIZE`] rows, with the best instructions there are.
    pub(crate) fn new(puzzle: &Queens) -> Self {
        Self::with_vectors(puzzle, Vectors::best())
    }

    /// The same with these instructions, or with plain ones where there are none.
    pub(crate) fn with_vectors(puzzle: &Queens, vectors: Vectors) -> Self {
        Self::with_board(Board::new(puzzle), vectors)
    }

    fn with_board(board: Board, vectors: Vectors) -> Self {
        Self { strips: strips(&board), board, vectors }
    }
}

impl Vectors {
    /// The widest that the processor has.
    pub(crate) fn best() -> Self {
        let all = [Vectors::Avx512, Vectors::Avx2, Vectors::Portable];
        all.into_iter().find(|vectors| vectors.is_available()).unwrap_or(Vectors::Portable)
    }

    /// Whether the processor has the instructions.
    pub(crate) fn is_available(self) -> bool {
        match self {
            Vectors::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2 => kernel::Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 => kernel::Avx512::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

impl Parts for Join {
    fn len(&self) -> usize {
        self.strips.len()
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        match self.vectors {
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 => {
                if let Some(kernel) = kernel::Avx512::detect() {
                    return Box::new(JoinWorker::new(self, kernel));
                }
            }
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2 => {
                if let Some(kernel) = kernel::Avx2::detect() {
                    return Box::new(JoinWorker::new(self, kernel));
                }
            }
            _ => {}
        }
        Box::new(JoinWorker::new(self, Portable))
    }
}

/// Counts strips; its memory is kept from strip to strip.
#[derive(Debug)]
struct JoinWorker<'a, K> {
    join: &'a Join,
    kernel: K,
    binomials: Binomials,
    above: Lists,
    below: Lists,
    narrow: Lines<u32>,
    wide: Lines<u64>,
    joiner: Joiner,
}

/// Two lists that are joined.
#[derive(Debug, Default)]
struct Lines<F> {
    above: List<F>,
    below: List<F>,
}

impl<'a, K: Kernel> JoinWorker<'a, K> {
    fn new(join: &'a Join, kernel: K) -> Self {
        Self {
            join,
            kernel,
            binomials: Binomials::new(),
            above: Lists::default(),
            below: Lists::default(),
            narrow: Lines::default(),
            wide: Lines::default(),
            joiner: Joiner::new(),
        }
    }
}

impl<K: Kernel> Worker for JoinWorker<'_, K> {
    fn count(&mut self, part: usize, control: &Control) -> ControlFlow<Stop, Part> {
        control.check()?;
        let (board, strip) = (&self.join.board, &self.join.strips[part]);
        let shared = Shared::new(board, strip);
        let halves = Halves {
            kernel: self.kernel,
            control,
            binomials: &self.binomials,
            above: Squares::new(board, strip, &shared, Side::Above),
            below: Squares::new(board, strip, &shared, Side::Below),
            flipped: strip.symmetry.flip.then_some(shared.bits / 2),
            strip,
        };
        let nodes = halves.fill(&mut self.above, &mut self.below)?;
        if self.above.is_empty() || self.below.is_empty() {
            return ControlFlow::Continue(Part { solutions: 0, nodes });
        }
        let lists = (&self.above, &self.below);
        let joined = match shared.bits {
            0..=20 => halves.join::<_, 4>(lists, &mut self.narrow, &mut self.joiner),
            21..=25 => halves.join::<_, 5>(lists, &mut self.narrow, &mut self.joiner),
            26..=30 => halves.join::<_, 6>(lists, &mut self.narrow, &mut self.joiner),
            31..=32 => halves.join::<_, 7>(lists, &mut self.narrow, &mut self.joiner),
            _ => halves.join::<_, 7>(lists, &mut self.wide, &mut self.joiner),
        }?;
        ControlFlow::Continue(Part {
            solutions: joined.solutions * u128::from(strip.weight),
            nodes: nodes + joined.nodes,
        })
    }
}

/// The two halves beside a strip.
struct Halves<'a, K> {
    kernel: K,
    control: &'a Control,
    binomials: &'a Binomials,
    above: Squares,
    below: Squares,
    strip: &'a Strip,
    /// If the lower half is the image of the upper one, the number of shared diagonals of one kind,
    /// which become those of the other kind.
    flipped: Option<u32>,
}

impl<K: Kernel> Halves<'_, K> {
    fn fill(&self, above: &mut Lists, below: &mut Lists) -> ControlFlow<Stop, u64> {
        let mut nodes = above.fill(self.kernel, &self.above, self.binomials, self.control)?;
        if self.flipped.is_none() && !above.is_empty() {
            nodes += below.fill(self.kernel, &self.below, self.binomials, self.control)?;
        }
        ControlFlow::Continue(nodes)
    }

    /// Joins the lists for every set of columns of the upper half.
    fn join<F: Footprint, const CHUNKS: usize>(
        &self,
        (above, below): (&Lists, &Lists),
        lines: &mut Lines<F>,
        joiner: &mut Joiner,
    ) -> ControlFlow<Stop, Part> {
        let half = self.above.rows.len();
        let columns = subsets::first(2 * half);
        let mut joined = Part::default();
        let mut set = subsets::first(half);
        for number in 0..self.binomials.sets(2 * half, half) {
            if number.is_multiple_of(INTERVAL) {
                self.control.check()?;
            }
            if let Some(weight) = self.strip.symmetry.weight(set, 2 * half) {
                let Lines { above: one, below: other } = lines;
                above.list(self.kernel, &self.above, self.binomials, set, one);
                match self.flipped {
                    None => below.list(self.kernel, &self.below, self.binomials, columns ^ set, other),
                    Some(bits) => {
                        above.list(self.kernel, &self.above, self.binomials, columns ^ set, other);
                        other.map(|footprint| flip(footprint, bits));
                    }
                }
                let pairs = joiner.join::<F, K, CHUNKS>(self.kernel, one, other, self.strip.doubles);
                joined.solutions += u128::from(pairs) * u128::from(weight);
                joined.nodes += (one.len() + other.len()) as u64;
            }
            set = subsets::next(set);
        }
        ControlFlow::Continue(joined)
    }
}

/// A footprint when top and bottom are swapped: diagonals become anti-diagonals.
#[inline(always)]
fn flip<F: Footprint>(footprint: F, bits: u32) -> F {
    let footprint: u64 = footprint.into();
    let low = (1 << bits) - 1;
    F::from_bits((footprint & low) << bits | footprint >> bits & low)
}
