//! Permutations filtered: one queen in each row *and* each column, diagonals tested at the end.
//!
//! The first step up the ladder: of *nⁿ* placements only *n!* are left. They are stepped through
//! in lexicographic order with Narayana Pandita's successor (14th century; Knuth, *The Art of
//! Computer Programming* 4A, §7.2.1.2, Algorithm L).

use std::ops::ControlFlow;

use super::placements::is_solution;
use crate::{
    Queens,
    search::{Monitor, Stop},
};

pub(super) fn search(puzzle: &Queens, monitor: &mut Monitor<'_>) -> ControlFlow<Stop> {
    let allowed = puzzle.allowed_squares();
    let mut columns: Vec<usize> = (0..puzzle.size()).collect();
    loop {
        monitor.node()?;
        if is_solution(&columns, &allowed) {
            monitor.solution(&columns)?;
        }
        if !advance(&mut columns) {
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
