//! Row by row on a full two-dimensional board that is scanned.
//!
//! The first method that backtracks: a queen is placed only where none of those above attacks it,
//! so a dead end is left at once. It keeps the board as one sees it and looks along the lines of
//! the square, O(n) for each square and O(n²) for each node.

use std::ops::ControlFlow;

use crate::{
    Queens,
    problem::AllowedSquares,
    search::{Monitor, Stop},
};

pub(super) fn search(puzzle: &Queens, monitor: &mut Monitor<'_>) -> ControlFlow<Stop> {
    let size = puzzle.size();
    let mut board = vec![vec![false; size]; size];
    fill_row(0, &mut board, &puzzle.allowed_squares(), monitor)
}

fn fill_row(
    row: usize,
    board: &mut [Vec<bool>],
    allowed: &AllowedSquares,
    monitor: &mut Monitor<'_>,
) -> ControlFlow<Stop> {
    monitor.node()?;
    if row == board.len() {
        return monitor.solution(&columns(board));
    }
    for column in 0..board.len() {
        if allowed.contains(row, column) && is_safe(row, column, board) {
            board[row][column] = true;
            fill_row(row + 1, board, allowed, monitor)?;
            board[row][column] = false;
        }
    }
    ControlFlow::Continue(())
}

/// Looks up the column and up both diagonals; below and in the row there is no queen yet.
fn is_safe(row: usize, column: usize, board: &[Vec<bool>]) -> bool {
    let above = || (0..row).rev();
    let up = above().map(|r| (r, column));
    let up_left = above().zip((0..column).rev());
    let up_right = above().zip(column + 1..board.len());
    !up.chain(up_left).chain(up_right).any(|(r, c)| board[r][c])
}

/// The column of each row's queen, read off the board.
fn columns(board: &[Vec<bool>]) -> Vec<usize> {
    board.iter().flat_map(|row| row.iter().position(|&queen| queen)).collect()
}
