//! Row by row with bit masks: the flags of a row in one machine word.
//!
//! Three words hold the columns that are attacked in the current row: along the columns, along
//! the diagonals and along the anti-diagonals. Going down one row shifts the last two by one
//! square. The free columns fall out of one expression and are taken from the lowest bit up, so a
//! node costs O(1) and a word for each of its children (Richards, *Backtracking algorithms in
//! MCPL using bit patterns and recursion*, 1997). The fastest way to count on small boards.

use std::ops::ControlFlow;

use crate::{
    Queens,
    search::{Monitor, Stop},
};

/// The widest board: a row must fit a word.
pub(super) const MAX_SIZE: usize = u64::BITS as usize;

pub(super) fn search(puzzle: &Queens, monitor: &mut Monitor<'_>) -> ControlFlow<Stop> {
    let size = puzzle.size();
    let allowed = puzzle.allowed_squares();
    let word = |row| {
        let columns = (0..size).filter(|&column| allowed.contains(row, column));
        columns.fold(0, |word, column| word | 1 << column)
    };
    let rows: Vec<u64> = (0..size).map(word).collect();
    fill_row(0, Attacks::default(), &mut vec![0; size], &rows, monitor)
}

/// The columns attacked in one row; bit *c* stands for column *c*.
#[derive(Clone, Copy, Default)]
struct Attacks {
    columns: u64,
    diagonals: u64,
    anti_diagonals: u64,
}

impl Attacks {
    /// With one more queen, and seen from the row below it.
    fn below(self, queen: u64) -> Self {
        Self {
            columns: self.columns | queen,
            diagonals: (self.diagonals | queen) << 1,
            anti_diagonals: (self.anti_diagonals | queen) >> 1,
        }
    }
}

fn fill_row(
    row: usize,
    attacks: Attacks,
    queens: &mut [usize],
    allowed: &[u64],
    monitor: &mut Monitor<'_>,
) -> ControlFlow<Stop> {
    monitor.node()?;
    let Some(&columns) = allowed.get(row) else {
        return monitor.solution(queens);
    };
    let mut free = columns & !(attacks.columns | attacks.diagonals | attacks.anti_diagonals);
    while free != 0 {
        let lowest = free & free.wrapping_neg();
        free ^= lowest;
        queens[row] = lowest.trailing_zeros() as usize;
        fill_row(row + 1, attacks.below(lowest), queens, allowed, monitor)?;
    }
    ControlFlow::Continue(())
}
