//! Queens on a torus: the diagonals wrap round the edges of the board.
//!
//! The squares of a wrapped diagonal have the same `column − row` modulo *n*, those of a wrapped
//! anti-diagonal the same `column + row`. So there are *n* of each, each with exactly one queen: three
//! permutations. As a view cannot wrap, a variable stands for each remainder, tied to its
//! queen by a table of *n* pairs.
//!
//! There are solutions exactly where 2 and 3 do not divide *n* (Pólya, 1918): the remainders would
//! add up to the wrong number otherwise. The model does not say so, and the engine has to search.

use csp_core::prelude::*;

use crate::{Queens, QueensError, QueensModel};

pub(super) fn model(puzzle: &Queens) -> Result<QueensModel, QueensError> {
    let size = puzzle.size() as i64;
    let QueensModel { mut model, queens } = puzzle.model()?;
    for sign in [-1, 1] {
        let remainders = model.ints(queens.len(), 0..size);
        for ((&queen, &remainder), row) in queens.iter().zip(&remainders).zip(0..) {
            let pairs = (0..size).map(|column| [column, (column + sign * row).rem_euclid(size)]);
            model.post(table([queen, remainder], pairs));
        }
        model.post(all_different(remainders).value());
    }
    Ok(QueensModel { model, queens })
}

pub(super) fn is_solution(puzzle: &Queens, columns: &[usize]) -> bool {
    let size = puzzle.size();
    let mut queens = columns.iter().enumerate();
    puzzle.is_solution(columns)
        && queens.all(|(row, column)| {
            columns[..row].iter().enumerate().all(|(other, place)| {
                let down = row - other;
                (column + down) % size != *place && (place + down) % size != *column
            })
        })
}
