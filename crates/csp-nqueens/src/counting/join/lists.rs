//! The placements of a half, listed by the set of their columns.
//!
//! Rows are added one at a time. With `r` rows filled there is a list of states for each set of `r`
//! columns, and all lists lie end to end in one vector. The list of a set with one row more is made
//! from those of the set without each of its columns: every state in which the new queen's square
//! is free, with the new queen. No placement is searched for, nothing is sorted and every list is
//! written once, from front to back; the inner loop is a test, an *or* and a compressing store for a
//! whole vector of states. The lists of all rows are by far the longest, so they are not kept: each
//! is made when it is joined, and is still in cache then.

use std::ops::ControlFlow;

use super::{
    INTERVAL,
    kernel::{Footprint, Kernel, LANE},
    squares::Squares,
    subsets::{Binomials, first, next},
};
use crate::search::{Control, Stop};

/// The longest half a list is made for.
const MAX_HALF: usize = 10;

/// The placements of all rows of a half but the last.
#[derive(Debug, Default)]
pub(super) struct Lists {
    states: Level,
    /// The level before, as long as a level is made; what it holds between calls does not matter.
    spare: Level,
}

/// A list of states for each set of columns of one size.
#[derive(Debug, Default)]
struct Level {
    states: Vec<u64>,
    /// Where the list of each set begins, and where the last one ends.
    starts: Vec<u32>,
}

impl Level {
    #[inline(always)]
    fn list(&self, rank: usize) -> &[u64] {
        &self.states[self.starts[rank] as usize..self.starts[rank + 1] as usize]
    }
}

impl Lists {
    /// Lists the placements of all rows but the last; returns their number, for all numbers of rows.
    /// Gives up when `control` says so.
    pub(super) fn fill<K: Kernel>(
        &mut self,
        kernel: K,
        squares: &Squares,
        binomials: &Binomials,
        control: &Control,
    ) -> ControlFlow<Stop, u64> {
        let half = squares.rows.len();
        self.states.states.resize(self.states.states.len().max(1), 0);
        self.states.states[0] = 0;
        self.states.starts.clear();
        self.states.starts.extend([0, 1]);
        let mut nodes = 1;
        for (level, row) in squares.rows.iter().enumerate().take(half.saturating_sub(1)) {
            nodes += self.add_row(kernel, row, level + 1, binomials, control)?;
            if self.is_empty() {
                break;
            }
        }
        ControlFlow::Continue(nodes)
    }

    fn add_row<K: Kernel>(
        &mut self,
        kernel: K,
        row: &[Option<u64>],
        level: usize,
        binomials: &Binomials,
        control: &Control,
    ) -> ControlFlow<Stop, u64> {
        let Self { states: from, spare: to } = self;
        to.starts.clear();
        to.starts.push(0);
        let mut end = 0;
        let mut set = first(level);
        for number in 0..binomials.sets(row.len(), level) {
            if number.is_multiple_of(INTERVAL) {
                control.check()?;
            }
            binomials.each_without(set, |column, rank| {
                let Some(square) = row[column] else { return };
                let list = from.list(rank);
                let room = end + list.len() + K::SLACK;
                if to.states.len() < room {
                    to.states.resize(room + room / 4, 0);
                }
                end += kernel.extend(list, square, &mut to.states[end..]);
            });
            // A half has at most a few hundred million placements.
            to.starts.push(end as u32);
            set = next(set);
        }
        std::mem::swap(&mut self.states, &mut self.spare);
        ControlFlow::Continue(end as u64)
    }

    /// Whether it was found that the rows but the last cannot be filled.
    pub(super) fn is_empty(&self) -> bool {
        self.states.starts.last() == Some(&0)
    }

    /// Lists the placements of all rows whose columns are this set.
    #[inline(always)]
    pub(super) fn list<F: Footprint, K: Kernel>(
        &self,
        kernel: K,
        squares: &Squares,
        binomials: &Binomials,
        set: u32,
        list: &mut List<F>,
    ) {
        list.clear();
        let Some(row) = squares.rows.last() else {
            list.extend(kernel, &[0], 0);
            return list.begin_ties();
        };
        let mut parts = [(0, [].as_slice()); MAX_HALF];
        let (mut strict, mut ties) = (0, 0);
        binomials.each_without(set, |column, rank| {
            let Some(square) = row[column] else { return };
            let part = self.states.list(rank);
            kernel.prefetch(part);
            if squares.ties >> column & 1 == 0 {
                parts[strict] = (square, part);
                strict += 1;
            } else {
                ties += 1;
                parts[MAX_HALF - ties] = (square, part);
            }
        });
        for &(square, part) in &parts[..strict] {
            list.extend(kernel, part, square);
        }
        list.begin_ties();
        for &(square, part) in &parts[MAX_HALF - ties..] {
            list.extend(kernel, part, square);
        }
    }
}

/// The footprints of the placements with one set of columns, ties apart.
///
/// Ties begin at a whole lane, so that a lane has either ties or none.
#[derive(Debug, Default)]
pub(super) struct List<F> {
    footprints: Vec<F>,
    /// Where those that are no ties end.
    strict: usize,
    /// Where ties begin.
    ties: usize,
    end: usize,
}

impl<F: Footprint> List<F> {
    fn clear(&mut self) {
        self.end = 0;
    }

    /// Adds those of these states in which the square is free, with a queen there.
    #[inline(always)]
    fn extend<K: Kernel>(&mut self, kernel: K, states: &[u64], square: u64) {
        let room = (self.end + states.len() + K::SLACK).next_multiple_of(LANE);
        if self.footprints.len() < room {
            self.footprints.resize(room.next_power_of_two(), F::default());
        }
        self.end += F::finish(kernel, states, square, &mut self.footprints[self.end..]);
    }

    /// What was added is no tie; what is added from now on is.
    fn begin_ties(&mut self) {
        self.strict = self.end;
        self.ties = self.strict.next_multiple_of(LANE);
        self.end = self.ties;
    }

    /// The number of footprints.
    pub(super) fn len(&self) -> usize {
        self.strict + self.ties().len()
    }

    /// Those that are no ties.
    pub(super) fn strict(&self) -> &[F] {
        &self.footprints[..self.strict]
    }

    /// Those that are ties.
    pub(super) fn ties(&self) -> &[F] {
        &self.footprints[self.ties..self.end]
    }

    /// The lanes without ties.
    pub(super) fn strict_lanes(&self) -> usize {
        self.strict.div_ceil(LANE)
    }

    /// All lanes, those with ties last.
    pub(super) fn lanes(&self) -> usize {
        self.strict_lanes() + self.ties().len().div_ceil(LANE)
    }

    /// A lane, and how many of its first footprints count.
    pub(super) fn lane(&self, lane: usize) -> (&[F; LANE], usize) {
        let (lanes, _) = self.footprints.as_chunks();
        let end = if lane < self.strict_lanes() { self.strict } else { self.end };
        (&lanes[lane], (end - lane * LANE).min(LANE))
    }

    /// Changes every footprint.
    pub(super) fn map(&mut self, change: impl Fn(F) -> F) {
        for footprint in &mut self.footprints[..self.end] {
            *footprint = change(*footprint);
        }
    }
}
