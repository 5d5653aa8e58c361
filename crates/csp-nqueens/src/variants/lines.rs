//! The lines of a board as Booleans: rows, columns, diagonals and anti-diagonals.
//!
//! What a queen attacks is told by the four lines through its square. A model that says of each
//! line what stands on it needs 6n − 2 Booleans, and each square a clause of four, where one that speaks of pairs of squares
//! needs n³ of them; and what a search learns about lines holds for all their squares.

use csp_core::prelude::*;

use crate::Square;

/// A Boolean for each line of the board.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    pub(super) rows: Vec<BoolVar>,
    pub(super) columns: Vec<BoolVar>,
    /// By row − column + size − 1.
    pub(super) diagonals: Vec<BoolVar>,
    /// By row + column.
    pub(super) anti_diagonals: Vec<BoolVar>,
}

impl Lines {
    pub(super) fn new(model: &mut Model, size: usize) -> Self {
        let diagonals = (2 * size).saturating_sub(1);
        Self {
            rows: model.bools_named("row", size),
            columns: model.bools_named("column", size),
            diagonals: model.bools_named("diagonal", diagonals),
            anti_diagonals: model.bools_named("anti-diagonal", diagonals),
        }
    }

    /// The four lines through a square.
    pub(super) fn through(&self, (row, column): Square) -> [BoolVar; 4] {
        let diagonal = row + self.rows.len() - 1 - column;
        [self.rows[row], self.columns[column], self.diagonals[diagonal], self.anti_diagonals[row + column]]
    }

    /// Rows and columns in turn, the outermost first.
    pub(super) fn outside_in(&self) -> Vec<BoolVar> {
        let last = self.rows.len().saturating_sub(1);
        let places = (0..self.rows.len().div_ceil(2)).flat_map(|place| [place, last - place]);
        places.flat_map(|place| [self.rows[place], self.columns[place]]).collect()
    }

    /// Diagonals and anti-diagonals in turn, the longest first.
    pub(super) fn longest_first(&self) -> Vec<BoolVar> {
        let middle = self.rows.len().saturating_sub(1);
        let places = (0..self.rows.len()).flat_map(|place| [middle + place, middle - place]);
        places.flat_map(|place| [self.diagonals[place], self.anti_diagonals[place]]).collect()
    }

    /// Of the up to eight boards that turning and reflecting makes of one, keeps those on which rows
    /// and columns, read as one word, come last in the order of words; with `colours`, of the sixteen that
    /// exchanging true and false makes of these.
    ///
    /// That is sound: one of the boards has the last word.
    pub(super) fn break_symmetry(&self, model: &mut Model, colours: bool) {
        let rows = || self.rows.iter().copied();
        let columns = || self.columns.iter().copied();
        let word: Vec<BoolVar> = rows().chain(columns()).collect();
        let images: [Vec<BoolVar>; 8] = [
            word.clone(),
            rows().chain(columns().rev()).collect(),
            rows().rev().chain(columns()).collect(),
            rows().rev().chain(columns().rev()).collect(),
            columns().chain(rows()).collect(),
            columns().chain(rows().rev()).collect(),
            columns().rev().chain(rows()).collect(),
            columns().rev().chain(rows().rev()).collect(),
        ];
        for image in &images {
            comes_no_earlier(model, &word, image);
            if colours {
                let exchanged: Vec<BoolVar> = image.iter().map(|&line| !line).collect();
                comes_no_earlier(model, &word, &exchanged);
            }
        }
    }
}

/// `word` is equal to `other` or comes after it in the order of words, false before true.
fn comes_no_earlier(model: &mut Model, word: &[BoolVar], other: &[BoolVar]) {
    let mut equal_so_far = BoolVar::from(true);
    for (&here, &there) in word.iter().zip(other).filter(|(here, there)| here != there) {
        model.post(clause([!equal_so_far, here, !there]));
        let equal = model.bool();
        model.post(clause([!equal_so_far, equal, here, there]));
        model.post(clause([!equal_so_far, equal, !here, !there]));
        equal_so_far = equal;
    }
}
