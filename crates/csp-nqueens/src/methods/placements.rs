//! Every placement tested at the end: generate and test, with nothing known about chess.
//!
//! The columns count like an odometer, from all queens in the first column to all in the last;
//! each of the *nⁿ* placements is tested as a whole. Its one virtue is that there is nothing to
//! get wrong, so it is the judge of all the others on small boards. Queens that already stand are
//! left standing, and only the other rows are counted through.

use std::ops::ControlFlow;

use crate::{
    Queens,
    problem::{AllowedSquares, attacks},
    search::{Monitor, Stop},
};

pub(super) fn search(puzzle: &Queens, monitor: &mut Monitor<'_>) -> ControlFlow<Stop> {
    let allowed = puzzle.allowed_squares();
    let mut columns = vec![0; puzzle.size()];
    let mut is_open = vec![true; puzzle.size()];
    for (row, column) in puzzle.placed() {
        (columns[row], is_open[row]) = (column, false);
    }
    loop {
        monitor.node()?;
        if is_solution(&columns, &allowed) {
            monitor.solution(&columns)?;
        }
        if !advance(&mut columns, &is_open) {
            return ControlFlow::Continue(());
        }
    }
}

/// Whether every queen stands on an allowed square and none attacks another.
pub(super) fn is_solution(columns: &[usize], allowed: &AllowedSquares) -> bool {
    columns.iter().enumerate().all(|(row, &column)| {
        let earlier = columns[..row].iter().copied().enumerate();
        allowed.contains(row, column) && !earlier.into_iter().any(|e| attacks(e, (row, column)))
    })
}

/// The next placement in lexicographic order with other columns in open rows; false after the last.
fn advance(columns: &mut [usize], is_open: &[bool]) -> bool {
    let size = columns.len();
    for (column, _) in columns.iter_mut().zip(is_open).rev().filter(|&(_, &is_open)| is_open) {
        *column += 1;
        if *column < size {
            return true;
        }
        *column = 0;
    }
    false
}
