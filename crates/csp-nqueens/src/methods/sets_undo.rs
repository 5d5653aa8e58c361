//! Row by row with sets of taken columns, diagonals and anti-diagonals, changed and undone.
//!
//! On a diagonal `column − row` is the same for all squares, on an anti-diagonal `column + row`.
//! Three look-ups replace the scan. There is one state: it is changed on the way down and put
//! back on the way up, which is what the engine's trail does for any model.

use std::{collections::BTreeSet, ops::ControlFlow};

use crate::{
    Queens,
    problem::AllowedSquares,
    search::{Monitor, Stop},
};

pub(super) fn search(puzzle: &Queens, monitor: &mut Monitor<'_>) -> ControlFlow<Stop> {
    fill_row(&mut State::default(), &puzzle.allowed_squares(), monitor)
}

#[derive(Default)]
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

    fn place(&mut self, row: usize, column: usize) {
        self.queens.push(column);
        self.columns.insert(column);
        self.diagonals.insert(diagonal(row, column));
        self.anti_diagonals.insert(column + row);
    }

    fn undo(&mut self, row: usize, column: usize) {
        self.queens.pop();
        self.columns.remove(&column);
        self.diagonals.remove(&diagonal(row, column));
        self.anti_diagonals.remove(&(column + row));
    }
}

fn diagonal(row: usize, column: usize) -> isize {
    column as isize - row as isize
}

fn fill_row(state: &mut State, allowed: &AllowedSquares, monitor: &mut Monitor<'_>) -> ControlFlow<Stop> {
    monitor.node()?;
    let row = state.queens.len();
    if row == allowed.size() {
        return monitor.solution(&state.queens);
    }
    for column in 0..allowed.size() {
        if allowed.contains(row, column) && state.is_free(row, column) {
            state.place(row, column);
            fill_row(state, allowed, monitor)?;
            state.undo(row, column);
        }
    }
    ControlFlow::Continue(())
}
