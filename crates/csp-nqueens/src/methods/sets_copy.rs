//! Row by row with sets of taken columns, diagonals and anti-diagonals, copied at each step.
//!
//! As [`sets_undo`](super::sets_undo), but a step makes a new state and leaves the old one alone.
//! There is no undo to forget, and the price is a copy of O(row) for each node.

use std::{collections::BTreeSet, ops::ControlFlow};

use crate::{
    Queens,
    problem::AllowedSquares,
    search::{Monitor, Stop},
};

pub(super) fn search(puzzle: &Queens, monitor: &mut Monitor<'_>) -> ControlFlow<Stop> {
    fill_row(&State::default(), &puzzle.allowed_squares(), monitor)
}

#[derive(Clone, Default)]
struct State {
    queens: Vec<usize>,
    columns: BTreeSet<usize>,
    diagonals: BTreeSet<isize>,
    anti_diagonals: BTreeSet<usize>,
}

impl State {
    fn is_free(&self, row: usize, column: usize) -> bool {
        !self.columns.contains(&column)
            && !self.diagonals.contains(&diagonal(row, column))
            && !self.anti_diagonals.contains(&(column + row))
    }

    fn with_queen(&self, row: usize, column: usize) -> State {
        let mut next = self.clone();
        next.queens.push(column);
        next.columns.insert(column);
        next.diagonals.insert(diagonal(row, column));
        next.anti_diagonals.insert(column + row);
        next
    }
}

fn diagonal(row: usize, column: usize) -> isize {
    column as isize - row as isize
}

fn fill_row(state: &State, allowed: &AllowedSquares, monitor: &mut Monitor<'_>) -> ControlFlow<Stop> {
    monitor.node()?;
    let row = state.queens.len();
    if row == allowed.size() {
        return monitor.solution(&state.queens);
    }
    for column in 0..allowed.size() {
        if allowed.contains(row, column) && state.is_free(row, column) {
            fill_row(&state.with_queen(row, column), allowed, monitor)?;
        }
    }
    ControlFlow::Continue(())
}
