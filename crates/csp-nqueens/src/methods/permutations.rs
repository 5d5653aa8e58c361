//! Permutations filtered: one queen in each row *and* each column, diagonals tested at the end.
//!
//! The first step up the ladder: of *nⁿ* placements only *n!* are left. They are stepped through
//! in lexicographic order with Narayana Pandita's successor (14th century; Knuth, *The Art of
//! Computer Programming* 4A, §7.2.1.2, Algorithm L). Queens that already stand keep their row and
//! column, and only the columns that are left are permuted.

use std::ops::ControlFlow;

use super::placements::is_solution;
use crate::{
    Queens,
    search::{Monitor, Stop},
};

pub(super) fn search(puzzle: &Queens, monitor: &mut Monitor<'_>) -> ControlFlow<Stop> {
    let allowed = puzzle.allowed_squares();
    let mut columns = vec![0; puzzle.size()];
    let mut open_rows: Vec<usize> = (0..puzzle.size()).collect();
    let mut open_columns = open_rows.clone();
    for (row, column) in puzzle.placed() {
        columns[row] = column;
        open_rows.retain(|&open| open != row);
        open_columns.retain(|&open| open != column);
    }
    if open_rows.len() != open_columns.len() {
        // Two queens that already stand share a row or a column.
        return ControlFlow::Continue(());
    }
    loop {
        monitor.node()?;
        for (&row, &column) in open_rows.iter().zip(&open_columns) {
            columns[row] = column;
        }
        if is_solution(&columns, &allowed) {
            monitor.solution(&columns)?;
        }
        if !advance(&mut open_columns) {
            return ControlFlow::Continue(());
        }
    }
}

/// The next permutation in lexicographic order; false after the last.
fn advance(columns: &mut [usize]) -> bool {
    let Some(ascent) = columns.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        return false;
    };
    let pivot = columns[ascent];
    if let Some(larger) = columns.iter().rposition(|&column| column > pivot) {
        columns.swap(ascent, larger);
    }
    columns[ascent + 1..].reverse();
    true
}
