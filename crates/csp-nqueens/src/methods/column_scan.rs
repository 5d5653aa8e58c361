//! Row by row with a scan of the earlier queens.
//!
//! The board is gone: the columns of the queens so far say everything. A square is tested against
//! each of them, O(row) for a square.

use std::ops::ControlFlow;

use crate::{
    Queens,
    problem::{AllowedSquares, attacks},
    search::{Monitor, Stop},
};

pub(super) fn search(puzzle: &Queens, monitor: &mut Monitor<'_>) -> ControlFlow<Stop> {
    fill_row(&mut Vec::new(), &puzzle.allowed_squares(), monitor)
}

/// Places a queen in the first row that has none; `queens` holds the columns of those above.
fn fill_row(
    queens: &mut Vec<usize>,
    allowed: &AllowedSquares,
    monitor: &mut Monitor<'_>,
) -> ControlFlow<Stop> {
    monitor.node()?;
    let row = queens.len();
    if row == allowed.size() {
        return monitor.solution(queens);
    }
    for column in 0..allowed.size() {
        if allowed.contains(row, column) && is_safe(row, column, queens) {
            queens.push(column);
            fill_row(queens, allowed, monitor)?;
            queens.pop();
        }
    }
    ControlFlow::Continue(())
}

fn is_safe(row: usize, column: usize, queens: &[usize]) -> bool {
    let mut earlier = queens.iter().copied().enumerate();
    !earlier.any(|queen| attacks(queen, (row, column)))
}
