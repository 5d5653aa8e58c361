//! One queen in each row and column, no two next to each other: permutations with kings' distance.
//!
//! Queens in the same row or column attack each other at any distance, but diagonally only next to
//! each other. As rows have one queen, that is a condition on neighbouring rows: columns differ by
//! two or more. Counting these permutations is Hertzsprung's problem (1887).

use csp_core::prelude::*;

use crate::{Method, Queens, QueensError, QueensModel};

pub(super) fn model(puzzle: &Queens) -> Result<QueensModel, QueensError> {
    Method::Engine.check_size(puzzle)?;
    let mut model = Model::new();
    let queens = model.ints_named("row", puzzle.size(), 0..puzzle.size() as i64);
    model.post_named("columns", all_different(&queens).value());
    keep_distance(&mut model, &queens);
    puzzle.post_squares(&mut model, &queens);
    Ok(QueensModel { model, queens })
}

/// Queens in neighbouring rows are two or more columns apart.
pub(super) fn keep_distance(model: &mut Model, queens: &[IntVar]) {
    for pair in queens.windows(2) {
        model.post((pair[0] - pair[1]).abs().ge(2));
    }
}

/// Whether there is one queen in each row and column, and none next to another.
pub(super) fn are_apart(size: usize, columns: &[usize]) -> bool {
    let mut taken = vec![false; size];
    columns.len() == size
        && columns.iter().all(|&column| column < size && !std::mem::replace(&mut taken[column], true))
        && columns.windows(2).all(|pair| pair[0].abs_diff(pair[1]) >= 2)
}

pub(super) fn is_solution(puzzle: &Queens, columns: &[usize]) -> bool {
    are_apart(puzzle.size(), columns)
        && puzzle.placed().all(|(row, column)| columns[row] == column)
        && puzzle.blocked().all(|(row, column)| columns[row] != column)
}

/// The number of permutations with kings' distance, by a recurrence (Riordan, 1965; A002464); `None` if it
/// exceeds 128 bits, from size 35 on.
///
/// ```
/// use csp_nqueens::count_kings;
///
/// assert_eq!(count_kings(8), Some(5242));
/// assert_eq!(count_kings(1000), None);
/// ```
pub fn count_kings(size: usize) -> Option<u128> {
    // a(n) = (n + 1) a(n − 1) − (n − 2) a(n − 2) − (n − 5) a(n − 3) + (n − 3) a(n − 4)
    let mut counts: Vec<i128> = vec![1, 1, 0, 0];
    for n in 4..=size {
        let place = n as i128;
        let factors = [place + 1, 2 - place, 5 - place, place - 3];
        let terms = factors.iter().zip(counts.iter().rev());
        let sum = terms
            .map(|(factor, count)| count.checked_mul(*factor))
            .try_fold(0i128, |sum, term| sum.checked_add(term?))?;
        counts.push(sum);
    }
    counts.get(size).and_then(|&count| u128::try_from(count).ok())
}
