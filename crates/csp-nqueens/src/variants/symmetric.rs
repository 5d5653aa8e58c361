//! Solutions of the puzzle that stay the same when the board is turned.
//!
//! A half turn moves the square *(r, c)* to *(n−1−r, n−1−c)*, a quarter turn to *(c, n−1−r)*. A set of
//! queens stays the same if each is moved to another one's place, which is an equation for each row:
//! `queens[n−1−r] = n−1−queens[r]`, and `queens[queens[r]] = n−1−r`. (No solution of more than one queen
//! stays the same when reflected, as a queen and its image would attack each other.)
//!
//! It follows that no queen but one in the middle stands on a long diagonal, as its image by
//! the half turn would stand there too.

use csp_core::prelude::*;

use crate::{Queens, QueensError, QueensModel};

pub(super) fn half_turn(puzzle: &Queens) -> Result<QueensModel, QueensError> {
    let QueensModel { mut model, queens } = puzzle.model()?;
    let last = queens.len() as i64 - 1;
    for ((&queen, &image), row) in queens.iter().zip(queens.iter().rev()).zip(0..) {
        model.post(rule!(image = last - queen));
        if 2 * row != last {
            model.post(queen.ne(row));
            model.post(queen.ne(last - row));
        }
    }
    Ok(QueensModel { model, queens })
}

pub(super) fn quarter_turn(puzzle: &Queens) -> Result<QueensModel, QueensError> {
    // A quarter turn twice is a half turn.
    let QueensModel { mut model, queens } = half_turn(puzzle)?;
    let last = queens.len() as i64 - 1;
    for (&queen, row) in queens.iter().zip(0..) {
        model.post(element(&queens, queen).eq(last - row));
    }
    Ok(QueensModel { model, queens })
}

pub(super) fn is_half_turn(puzzle: &Queens, columns: &[usize]) -> bool {
    let last = columns.len().saturating_sub(1);
    let mut queens = columns.iter().enumerate();
    puzzle.is_solution(columns) && queens.all(|(row, column)| columns[last - row] == last - column)
}

pub(super) fn is_quarter_turn(puzzle: &Queens, columns: &[usize]) -> bool {
    let last = columns.len().saturating_sub(1);
    let mut queens = columns.iter().enumerate();
    puzzle.is_solution(columns) && queens.all(|(row, &column)| columns[column] == last - row)
}
