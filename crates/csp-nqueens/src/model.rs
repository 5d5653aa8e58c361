//! The puzzle as a model: what is wanted, and nothing of how it is found.
//!
//! Each row has one variable, the column of its queen. On a diagonal `column − row` is the same
//! for all squares, on an anti-diagonal `column + row`; so three times *all different* says it
//! all, with no variable but the columns.

use csp_core::prelude::*;

use crate::{Method, Queens, QueensError};

/// A model of an N-Queens puzzle, and its variables.
#[derive(Debug, Clone)]
pub struct QueensModel {
    /// The model. More constraints may be posted to it.
    pub model: Model,
    /// The column of each row's queen.
    pub queens: Vec<IntVar>,
}

impl Queens {
    /// The puzzle as a model for the engine.
    ///
    /// # Errors
    /// If the board is larger than the engine's [largest](Method::max_size).
    pub fn model(&self) -> Result<QueensModel, QueensError> {
        Method::Engine.check_size(self)?;
        let mut model = Model::new();
        let queens = model.ints_named("row", self.size(), 0..self.size() as i64);

        model.post_named("columns", all_different(&queens).value());
        let rows = || queens.iter().zip(0..);
        model.post_named("diagonals", all_different(rows().map(|(&queen, row)| queen - row)).value());
        model.post_named("anti-diagonals", all_different(rows().map(|(&queen, row)| queen + row)).value());

        self.post_squares(&mut model, &queens);
        Ok(QueensModel { model, queens })
    }

    /// Posts what is known of single squares: the queens placed and the blocked squares.
    pub(crate) fn post_squares(&self, model: &mut Model, queens: &[IntVar]) {
        for (row, column) in self.placed() {
            model.post(queens[row].eq(column as i64));
        }
        for (row, column) in self.blocked() {
            model.post(queens[row].ne(column as i64));
        }
    }
}
