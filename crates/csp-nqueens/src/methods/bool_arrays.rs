//! Row by row with one array of flags each for columns, diagonals and anti-diagonals.
//!
//! As [`sets_undo`](super::sets_undo), with the sets as arrays: a board has *n* columns and
//! *2n − 1* diagonals of each kind, so a flag for each will do (Wirth, *Algorithms + Data
//! Structures = Programs*, 1976, §3.5). O(n) for a node.

use std::ops::ControlFlow;

use crate::{
    Queens,
    problem::AllowedSquares,
    search::{Monitor, Stop},
};

pub(super) fn search(puzzle: &Queens, monitor: &mut Monitor<'_>) -> ControlFlow<Stop> {
    let size = puzzle.size();
    let mut state = State {
        queens: vec![0; size],
        columns: vec![false; size],
        diagonals: vec![false; 2 * size],
        anti_diagonals: vec![false; 2 * size],
    };
    fill_row(0, &mut state, &puzzle.allowed_squares(), monitor)
}

struct State {
    queens: Vec<usize>,
    columns: Vec<bool>,
    diagonals: Vec<bool>,
    anti_diagonals: Vec<bool>,
}

impl State {
    fn is_free(&self, row: usize, column: usize) -> bool {
        !self.columns[column]
            && !self.diagonals[self.queens.len() + column - row]
            && !self.anti_diagonals[column + row]
    }

    fn mark(&mut self, row: usize, column: usize, taken: bool) {
        self.columns[column] = taken;
        self.diagonals[self.queens.len() + column - row] = taken;
        self.anti_diagonals[column + row] = taken;
    }
}

fn fill_row(
    row: usize,
    state: &mut State,
    allowed: &AllowedSquares,
    monitor: &mut Monitor<'_>,
) -> ControlFlow<Stop> {
    monitor.node()?;
    if row == allowed.size() {
        return monitor.solution(&state.queens);
    }
    for column in 0..allowed.size() {
        if allowed.contains(row, column) && state.is_free(row, column) {
            state.queens[row] = column;
            state.mark(row, column, true);
            fill_row(row + 1, state, allowed, monitor)?;
            state.mark(row, column, false);
        }
    }
    ControlFlow::Continue(())
}
