//! The middle rows: where their queens may stand, one strip for each class of symmetric ones.
//!
//! Every solution shows one strip. Reflections and the half turn map strips to strips, so of each class
//! under these four only one is searched, with the size of its class as weight.
//!
//! What the quarter turns add: let *r* be the smallest distance from the centre of a column with a
//! queen in a middle row, and *c* that of a row with a queen in a middle column. A quarter turn swaps
//! the two and the other four symmetries keep them. So there are as many solutions with *r < c* as
//! with *r > c*, and those with *r ≤ c* will do: twice those with *r < c* and once the *ties*, those
//! with *r = c*. The strip fixes *r*, and with it the squares of the middle columns that are too near
//! to the centre.

use super::board::Board;

/// Queens in the middle rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Strip {
    /// The column of each middle row's queen, from the top.
    pub(super) queens: Box<[usize]>,
    /// How many strips this one stands for.
    pub(super) weight: u64,
    /// Queens in middle columns are at least this far from the centre.
    pub(super) reach: usize,
    /// Whether solutions count twice unless a queen in a middle column is just `reach` from the centre.
    pub(super) doubles: bool,
}

/// All strips, one of each class, in lexicographic order.
pub(super) fn strips(board: &Board) -> Vec<Strip> {
    let mut strips = Vec::new();
    fill_row(board, &mut Vec::new(), &mut strips);
    strips
}

/// Places a queen in the next middle row. It calls itself once for each.
fn fill_row(board: &Board, queens: &mut Vec<usize>, strips: &mut Vec<Strip>) {
    let row = queens.len();
    if row == board.strip {
        strips.extend(representative(board, queens));
        return;
    }
    for column in 0..board.size {
        let attacked = queens.iter().enumerate().any(|(above, queen)| {
            let distance = queen.abs_diff(column);
            distance == 0 || distance == row - above
        });
        if !attacked && board.allows(board.half + row, column) {
            queens.push(column);
            fill_row(board, queens, strips);
            queens.pop();
        }
    }
}

/// The strip with these queens, if it stands for its class and has solutions that count.
fn representative(board: &Board, queens: &[usize]) -> Option<Strip> {
    let plain = Strip { queens: queens.into(), weight: 1, reach: 0, doubles: false };
    if !board.is_symmetric() {
        return Some(plain);
    }
    let mirrored: Vec<usize> = queens.iter().map(|column| board.size - 1 - column).collect();
    let flipped: Vec<usize> = queens.iter().rev().copied().collect();
    let turned: Vec<usize> = mirrored.iter().rev().copied().collect();
    let mut class = [queens, &mirrored, &flipped, &turned];
    class.sort_unstable();
    if class[0] != queens {
        return None;
    }
    let weight = 1 + class.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;

    let squares = board.strip_squares(queens);
    let in_middle_rows = squares.clone().filter(|&(row, _)| board.is_middle(row));
    let in_middle_columns = squares.filter(|&(_, column)| board.is_middle(column));
    let reach = in_middle_rows.map(|(_, column)| board.distance(column)).min();
    let own = in_middle_columns.map(|(row, _)| board.distance(row)).min();
    match (reach, own) {
        (None, _) => Some(Strip { weight, ..plain }),
        (Some(reach), Some(own)) if own < reach => None,
        (Some(reach), own) => Some(Strip { weight, reach, doubles: own != Some(reach), ..plain }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Queens;

    #[test]
    fn classes_have_all_strips() {
        for (size, strip, all) in [(5, 1, 5), (6, 2, 20), (7, 1, 7), (8, 2, 42)] {
            let board = Board::with_strip(&Queens::new(size), strip);
            let strips = strips(&board);
            assert_eq!(strips.iter().map(|strip| strip.weight).sum::<u64>(), all, "{size}");
        }
    }

    #[test]
    fn a_strip_of_no_rows_is_one() {
        let board = Board::with_strip(&Queens::new(6), 0);
        let strip = Strip { queens: Box::new([]), weight: 1, reach: 0, doubles: false };
        assert_eq!(strips(&board), [strip]);
    }

    #[test]
    fn without_symmetry_all_count_once() {
        let board = Board::with_strip(&Queens::new(5).block(0, 0).unwrap(), 1);
        let weights: Vec<u64> = strips(&board).iter().map(|strip| strip.weight).collect();
        assert_eq!(weights, [1; 5]);
    }
}
