//! Solutions that differ by more than a turn or a reflection of the board.
//!
//! The square has eight symmetries: four turns, of which one leaves everything as it is, and four
//! reflections. Two solutions are the same *fundamental* solution if one is an image of the other.
//! Their number follows from how many solutions each symmetry leaves unchanged (the
//! Cauchy–Frobenius lemma, known as Burnside's): it is the mean over the eight. The whole turn leaves
//! all of them, half a turn and the two quarter turns those that [`symmetric`](super::symmetric)
//! finds, both quarter turns the same ones.
//!
//! **No reflection leaves any,** on more than one row. Reflected left to right, a queen stays in its
//! row, so the one that stands there must be its own image: all queens are in the middle column, and
//! attack each other. Top to bottom is the same for columns. Reflected in a long diagonal, a queen
//! beside it and its image are on one diagonal of the other kind and attack each other; so all
//! queens are on the long diagonal itself, and do too.

use super::Symmetry;
use crate::QueensError;

/// The number of fundamental solutions on an empty board, from the number of `all` solutions.
///
/// For the latter any counter will do; what is added here takes seconds up to 26 rows.
///
/// ```
/// use csp_nqueens::{Method, Queens, unique_count};
///
/// let all = Method::BitMasks.count(&Queens::new(8))?;
/// assert_eq!((all, unique_count(8, all.into())?), (92, 12));
/// # Ok::<(), csp_nqueens::QueensError>(())
/// ```
///
/// # Errors
/// If the board is larger than [`Symmetry::MAX_SIZE`], or `all` cannot be right because the images of
/// the solutions do not come out even.
pub fn unique_count(size: usize, all: u128) -> Result<u128, QueensError> {
    let half_turn = Symmetry::HalfTurn.count(size)?;
    let quarter_turn = Symmetry::QuarterTurn.count(size)?;
    classes(size, all, half_turn, quarter_turn).ok_or(QueensError::Miscounted { size, all })
}

/// The number of fundamental solutions, from the numbers of those that are left unchanged.
///
/// None if there are no such numbers.
pub(crate) fn classes(size: usize, all: u128, half_turn: u128, quarter_turn: u128) -> Option<u128> {
    if size <= 1 {
        // No queen or one: a single solution, and the reflections leave it too.
        return (all == 1 && half_turn == 1 && quarter_turn == 1).then_some(1);
    }
    let sum = all.checked_add(half_turn)?.checked_add(quarter_turn.checked_mul(2)?)?;
    (half_turn <= all && sum.is_multiple_of(8)).then_some(sum / 8)
}

/// Whether a solution is the lexicographically least of its eight images.
///
/// One of each class is, so this picks the fundamental solutions out of a stream of all of them. It
/// takes O(*n*) time. A list that holds a column beyond the board is no solution: false.
///
/// ```
/// use csp_nqueens::{Queens, is_fundamental};
///
/// let mut solver = Queens::new(6).solver()?;
/// let fundamental: Vec<_> = solver.all().filter(|columns| is_fundamental(columns)).collect();
/// assert_eq!(fundamental, [[1, 3, 5, 0, 2, 4]]);
/// # Ok::<(), csp_nqueens::QueensError>(())
/// ```
pub fn is_fundamental(columns: &[usize]) -> bool {
    let last = columns.len().saturating_sub(1);
    // The reflection in the long diagonal: rows for columns.
    let mut rows = vec![0; columns.len()];
    for (row, &column) in columns.iter().enumerate() {
        match rows.get_mut(column) {
            Some(entry) => *entry = row,
            None => return false,
        }
    }
    let opposite = |column: &usize| last - column;
    [columns, &rows].into_iter().all(|image| {
        columns.iter().le(image)
            && columns.iter().le(image.iter().rev())
            && columns.iter().copied().le(image.iter().map(opposite))
            && columns.iter().copied().le(image.iter().rev().map(opposite))
    })
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, ops::ControlFlow};

    use super::*;
    use crate::{
        Control, Method, Queens,
        counting::{known_counts, look_ahead, total},
    };

    type Board = BTreeSet<(usize, usize)>;

    /// The images of a board, each made from the one before by a turn or a reflection.
    fn images(columns: &[usize]) -> Vec<Board> {
        let mut board: Board = columns.iter().copied().enumerate().collect();
        let mut images = Vec::new();
        for _ in 0..4 {
            board = board.iter().map(|&(row, column)| (column, columns.len() - 1 - row)).collect();
            images.push(board.clone());
            images.push(board.iter().map(|&(row, column)| (column, row)).collect());
        }
        images
    }

    fn all(size: usize) -> Vec<Vec<usize>> {
        let mut all = Vec::new();
        let collect = |columns: &[usize]| {
            all.push(columns.to_vec());
            ControlFlow::Continue(())
        };
        Method::BitMasks.search(&Queens::new(size), &Control::new(), collect).unwrap();
        all
    }

    #[test]
    fn one_solution_of_each_class_is_fundamental() {
        for size in 0..=9 {
            let all = all(size);
            // Of each class the least board: row by row, so in lexicographic order of the columns.
            let classes: BTreeSet<Option<Board>> =
                all.iter().map(|columns| images(columns).into_iter().min()).collect();
            let fundamental: BTreeSet<Option<Board>> = all
                .iter()
                .filter(|columns| is_fundamental(columns))
                .map(|columns| Some(columns.iter().copied().enumerate().collect()))
                .collect();
            assert_eq!(fundamental, classes, "{size}");
            assert_eq!(unique_count(size, all.len() as u128), Ok(classes.len() as u128), "{size}");
        }
    }

    #[test]
    fn no_reflection_leaves_a_solution_unchanged() {
        for columns in (2..=9).flat_map(all) {
            let board: Board = columns.iter().copied().enumerate().collect();
            // Every second image is a reflection.
            assert!(images(&columns).iter().skip(1).step_by(2).all(|image| *image != board), "{columns:?}");
        }
    }

    fn counts_are_the_published_ones(sizes: impl Fn(usize) -> bool) {
        for known in known_counts().into_iter().filter(|known| sizes(known.size)) {
            let all = total(&look_ahead::LookAhead::new(known.size).unwrap()).solutions;
            assert_eq!(unique_count(known.size, all), Ok(known.fundamental), "{}", known.size);
        }
    }

    #[test]
    fn unique_counts_are_the_published_ones() {
        counts_are_the_published_ones(|size| size <= 12);
    }

    #[test]
    #[ignore = "takes seconds, in a release build"]
    fn large_unique_counts_are_the_published_ones() {
        counts_are_the_published_ones(|size| (13..=16).contains(&size));
    }

    #[test]
    fn published_counts_fit_together() {
        for known in known_counts() {
            let classes = classes(known.size, known.all, known.half_turn, known.quarter_turn);
            assert_eq!(classes, Some(known.fundamental), "{}", known.size);
        }
    }

    #[test]
    fn a_count_that_cannot_be_right_is_an_error_in_words() {
        for (size, all) in [(0, 0), (1, 2), (8, 91), (8, 0), (5, u128::MAX), (6, u128::MAX)] {
            assert_eq!(unique_count(size, all), Err(QueensError::Miscounted { size, all }));
        }
        assert_eq!(
            unique_count(8, 91).unwrap_err().to_string(),
            "there cannot be 91 solutions of size 8: their images under turns and reflections do not come out even"
        );
        assert_eq!(unique_count(65, 0), Err(QueensError::TooLargeForSymmetry { size: 65 }));
    }

    #[test]
    fn what_is_no_solution_does_no_harm() {
        assert!(!is_fundamental(&[3, 0, 1]));
        assert!(!is_fundamental(&[usize::MAX]));
        let _ = is_fundamental(&[0, 0, 0]);
    }
}
