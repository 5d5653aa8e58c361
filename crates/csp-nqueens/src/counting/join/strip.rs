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

use smallvec::SmallVec;

use super::{board::Board, subsets};
use crate::attacks;

/// Queens in the middle rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Strip {
    /// The column of each middle row's queen, from the top.
    queens: SmallVec<[u8; 8]>,
    /// How many strips this one stands for.
    pub(super) weight: u8,
    reach: u8,
    /// Whether solutions count twice unless a queen in a middle column is just `reach` from the centre.
    pub(super) doubles: bool,
    /// The reflections that leave the strip as it is.
    pub(super) symmetry: StripSymmetry,
}

impl Strip {
    /// The squares of its queens.
    pub(super) fn squares(&self, board: &Board) -> impl Iterator<Item = (usize, usize)> {
        (board.half..).zip(self.queens.iter().map(|&column| column.into()))
    }

    /// Whether one of its queens is in this column.
    pub(super) fn has(&self, column: usize) -> bool {
        self.queens.iter().any(|&queen| usize::from(queen) == column)
    }

    /// Queens in middle columns are at least this far from the centre.
    pub(super) fn reach(&self) -> usize {
        self.reach.into()
    }
}

/// What leaves a strip as it is. If two of these do, so does the third.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct StripSymmetry {
    /// Left and right swapped.
    mirror: bool,
    /// Top and bottom swapped.
    pub(super) flip: bool,
    /// The half turn.
    turn: bool,
}

impl StripSymmetry {
    /// How many sets of columns of the upper half, out of so many columns, stand for images of this one,
    /// which all have as many solutions; nothing if another one is to be taken for them.
    pub(super) fn weight(self, set: u32, columns: usize) -> Option<u64> {
        let mirrored = set.reverse_bits().unbounded_shr(u32::BITS - columns as u32);
        let below = |set: u32| subsets::first(columns) ^ set;
        let images = [(self.mirror, mirrored), (self.flip, below(set)), (self.turn, below(mirrored))];
        let mut class = images.map(|(is_image, image)| if is_image { image } else { set });
        class.sort_unstable();
        if class[0] < set {
            return None;
        }
        let is_new = |at: &usize| class[*at] != set && (*at == 0 || class[*at] != class[*at - 1]);
        Some(1 + (0..class.len()).filter(is_new).count() as u64)
    }
}

/// All strips, one of each class, in lexicographic order; none if a row or column has no square left.
pub(super) fn strips(board: &Board) -> Vec<Strip> {
    let mut strips = Vec::new();
    if board.is_open() {
        fill_row(board, &mut Vec::new(), &mut strips);
    }
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
        let attacked = queens.iter().copied().enumerate().any(|queen| attacks(queen, (row, column)));
        if !attacked && board.allows(board.half + row, column) {
            queens.push(column);
            fill_row(board, queens, strips);
            queens.pop();
        }
    }
}

/// The strip with these queens, if it stands for its class and has solutions that count.
fn representative(board: &Board, queens: &[usize]) -> Option<Strip> {
    let symmetry = StripSymmetry::default();
    // A board has at most some two dozen rows and columns, and there can be millions of strips.
    let narrow = |number: usize| number as u8;
    let columns = queens.iter().map(|&column| narrow(column)).collect();
    let plain = Strip { queens: columns, weight: 1, reach: 0, doubles: false, symmetry };
    if !board.is_symmetric() {
        return Some(plain);
    }
    let mirrored: Vec<usize> = queens.iter().map(|column| board.size - 1 - column).collect();
    let flipped: Vec<usize> = queens.iter().rev().copied().collect();
    let turned: Vec<usize> = mirrored.iter().rev().copied().collect();
    let symmetry =
        StripSymmetry { mirror: mirrored == queens, flip: flipped == queens, turn: turned == queens };
    let mut class = [queens, &mirrored, &flipped, &turned];
    class.sort_unstable();
    if class[0] != queens {
        return None;
    }
    let weight = narrow(1 + class.windows(2).filter(|pair| pair[0] != pair[1]).count());

    let in_middle_rows = plain.squares(board).filter(|&(row, _)| board.is_middle(row));
    let in_middle_columns = plain.squares(board).filter(|&(_, column)| board.is_middle(column));
    let reach = in_middle_rows.map(|(_, column)| board.distance(column)).min();
    let own = in_middle_columns.map(|(row, _)| board.distance(row)).min();
    match (reach, own) {
        (None, _) => Some(Strip { weight, symmetry, ..plain }),
        (Some(reach), Some(own)) if own < reach => None,
        (Some(reach), own) => {
            Some(Strip { weight, reach: narrow(reach), doubles: own != Some(reach), symmetry, ..plain })
        }
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
            assert_eq!(strips.iter().map(|strip| u64::from(strip.weight)).sum::<u64>(), all, "{size}");
        }
    }

    #[test]
    fn a_strip_of_no_rows_is_one() {
        let board = Board::with_strip(&Queens::new(6), 0);
        let symmetry = StripSymmetry { mirror: true, flip: true, turn: true };
        let strip = Strip { queens: SmallVec::new(), weight: 1, reach: 0, doubles: false, symmetry };
        assert_eq!(strips(&board), [strip]);
    }

    #[test]
    fn sets_of_columns_stand_for_their_images() {
        let all = [false, true];
        for (mirror, flip) in all.into_iter().flat_map(|mirror| all.map(|flip| (mirror, flip))) {
            let symmetry = StripSymmetry { mirror, flip, turn: mirror && flip };
            for half in 0..5 {
                let mut set = subsets::first(half);
                let mut total = 0;
                let sets = subsets::Binomials::new().sets(2 * half, half);
                for _ in 0..sets {
                    total += symmetry.weight(set, 2 * half).unwrap_or(0);
                    set = subsets::next(set);
                }
                assert_eq!(total, sets as u64, "{symmetry:?} {half}");
            }
        }
    }

    #[test]
    fn without_symmetry_all_count_once() {
        let board = Board::with_strip(&Queens::new(5).block(0, 0).unwrap(), 1);
        let weights: Vec<u8> = strips(&board).iter().map(|strip| strip.weight).collect();
        assert_eq!(weights, [1; 5]);
    }
}
