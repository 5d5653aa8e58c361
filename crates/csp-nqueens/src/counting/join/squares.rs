//! The squares of a half board, as bits of a state.
//!
//! A state is the set of diagonals that queens of a half occupy, a bit for each, in one word. The
//! *shared* diagonals, which reach the other half too, have the low bits, the same for both halves:
//! they are the footprint. Those on which a queen of the strip stands are in neither half.

use super::{
    board::{Board, Side},
    kernel::CHUNK,
    strip::Strip,
};
use crate::attacks;

/// The bits for diagonals of one half alone start after those that are looked up for a footprint of
/// 32 bits, or for a wider one.
const fn first_own_bit(shared: u32) -> u32 {
    if shared <= u32::BITS { u32::BITS } else { shared.next_multiple_of(CHUNK as u32) }
}

/// Numbers for the diagonals that both halves share.
#[derive(Debug)]
pub(super) struct Shared {
    diagonals: Numbers,
    anti_diagonals: Numbers,
    /// The bits of a footprint.
    pub(super) bits: u32,
}

/// The bit of each diagonal, if it has one.
type Numbers = Vec<Option<u32>>;

impl Shared {
    /// Diagonals come first, then anti-diagonals in the order of their images in a reflection that
    /// swaps top and bottom.
    pub(super) fn new(board: &Board, strip: &Strip) -> Self {
        let mut bits = 0;
        let mut number = |line: fn(&Board, usize, usize) -> usize| -> Numbers {
            let touches = |rows: &[usize]| {
                let mut touched = vec![false; 2 * board.size];
                for &row in rows {
                    (0..board.size).for_each(|column| touched[line(board, row, column)] = true);
                }
                touched
            };
            let above = touches(&board.half_rows(Side::Above));
            let below = touches(&board.half_rows(Side::Below));
            let mut shared: Vec<bool> =
                above.iter().zip(below).map(|(&above, below)| above && below).collect();
            for (row, column) in strip.squares(board) {
                shared[line(board, row, column)] = false;
            }
            let mut next = || {
                bits += 1;
                bits - 1
            };
            shared.into_iter().map(|shared| shared.then(&mut next)).collect()
        };
        let (diagonals, anti_diagonals) = (number(diagonal), number(anti_diagonal));
        Self { diagonals, anti_diagonals, bits }
    }
}

fn diagonal(board: &Board, row: usize, column: usize) -> usize {
    column + board.size - 1 - row
}

fn anti_diagonal(_: &Board, row: usize, column: usize) -> usize {
    column + row
}

/// Where queens of a half may stand beside a strip, and what they occupy there.
///
/// Columns are numbered without those of the strip's queens.
#[derive(Debug)]
pub(super) struct Squares {
    /// For each row in the order in which rows are filled, and each column, the occupied diagonals.
    pub(super) rows: Vec<Vec<Option<u64>>>,
    /// The columns in which a queen of the last row makes a tie, a bit for each.
    pub(super) ties: u32,
}

impl Squares {
    /// If a row can make ties, it is filled last, so that ties come apart from the others.
    pub(super) fn new(board: &Board, strip: &Strip, shared: &Shared, side: Side) -> Self {
        let mut rows = board.half_rows(side);
        let tie = rows.iter().position(|&row| strip.doubles && board.distance(row) == strip.reach());
        if let Some(tie) = tie {
            let row = rows.remove(tie);
            rows.push(row);
        }
        let columns: Vec<usize> = (0..board.size).filter(|column| !strip.has(*column)).collect();

        let mut own = first_own_bit(shared.bits);
        let (mut diagonals, mut anti_diagonals) = (shared.diagonals.clone(), shared.anti_diagonals.clone());
        let mut bit = |number: &mut Option<u32>| {
            let number = *number.get_or_insert_with(|| {
                own += 1;
                own - 1
            });
            1_u64 << number
        };
        let mut square = |row: usize, column: usize| {
            let attacked = strip.squares(board).any(|queen| attacks(queen, (row, column)));
            let too_near = board.is_middle(column) && board.distance(row) < strip.reach();
            (board.allows(row, column) && !attacked && !too_near).then(|| {
                bit(&mut diagonals[diagonal(board, row, column)])
                    | bit(&mut anti_diagonals[anti_diagonal(board, row, column)])
            })
        };
        let rows =
            rows.iter().map(|&row| columns.iter().map(|&column| square(row, column)).collect()).collect();

        let makes_tie = |&(_, &column): &(usize, &usize)| tie.is_some() && board.is_middle(column);
        let ties =
            columns.iter().enumerate().filter(makes_tie).fold(0, |ties, (number, _)| ties | 1 << number);
        Self { rows, ties }
    }
}
