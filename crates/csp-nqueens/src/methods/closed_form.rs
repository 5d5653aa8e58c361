//! The closed form: for every *n* a solution that is written down, not searched for.
//!
//! For *n* ≥ 4 (and 1), Pauls gave one in 1874 (*Deutsche Schachzeitung* 29), and Hoffman, Loessi
//! and Moore again in 1969 ("Constructions for the solution of the m queens problem",
//! *Mathematics Magazine* 42). With rows and columns from 0:
//!
//! - *n* even and *n* mod 6 ≠ 2: two lines of knight's moves. Row *i* of the upper half has its
//!   queen in column *2i + 1*, row *i* of the lower half, counted from its top, in column *2i*.
//! - *n* even and *n* mod 6 ≠ 0: the same two lines, shifted. Row *i* of the upper half has it in
//!   column *(2i + n/2 − 1)* mod *n*, and the lower half is the upper one turned by 180°.
//! - *n* odd: the solution for *n − 1*, which leaves the long diagonal free, and a queen in the
//!   last corner.
//!
//! O(n). Placed queens and blocked squares are out of its reach.

use std::ops::ControlFlow;

use crate::{
    Method, Queens, QueensError,
    search::{Monitor, Stop},
};

/// The largest board. At a hundred million queens the board itself takes 800 MB.
pub(super) const MAX_SIZE: usize = 100_000_000;

pub(super) fn search(puzzle: &Queens, monitor: &mut Monitor<'_>) -> ControlFlow<Stop> {
    monitor.node()?;
    if !puzzle.is_empty() {
        let error = QueensError::OnlyEmptyBoard { method: Method::ClosedForm };
        return ControlFlow::Break(Stop::Failed(error));
    }
    match solution(puzzle.size()) {
        Some(columns) => monitor.solution(&columns),
        None => ControlFlow::Continue(()),
    }
}

/// The column of each row's queen.
fn solution(size: usize) -> Option<Vec<usize>> {
    let even = size - size % 2;
    let half = even / 2;
    let mut columns: Vec<usize> = match size {
        2 | 3 => return None,
        _ if even % 6 != 2 => (0..half).map(|i| 2 * i + 1).chain((0..half).map(|i| 2 * i)).collect(),
        _ => {
            let upper = |i: usize| (2 * i + half - 1) % even;
            (0..half).map(upper).chain((0..half).rev().map(|i| even - 1 - upper(i))).collect()
        }
    };
    if size > even {
        columns.push(even);
    }
    Some(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_solution_at_every_size() {
        for size in (0..=300).chain(10_000..10_024) {
            let found = Method::ClosedForm.first(&Queens::new(size)).unwrap();
            assert_eq!(found.is_none(), matches!(size, 2 | 3), "{size}");
            assert!(found.is_none_or(|columns| Queens::new(size).is_solution(&columns)), "{size}");
        }
    }

    #[test]
    fn it_is_for_the_empty_board() {
        let error = QueensError::OnlyEmptyBoard { method: Method::ClosedForm };
        for puzzle in [Queens::new(8).place(0, 0).unwrap(), Queens::new(8).block(0, 0).unwrap()] {
            assert_eq!(Method::ClosedForm.first(&puzzle), Err(error.clone()));
            assert_eq!(
                Method::ClosedForm.count(&Queens::new(8)),
                Err(QueensError::FindsOne { method: Method::ClosedForm })
            );
        }
    }
}
