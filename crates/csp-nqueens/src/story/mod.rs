//! A search for queens, told as a story: what was tried, which squares are out and why, and where
//! it had to go back.
//!
//! Two searches are told. The classic one goes row by row with sets of taken columns, diagonals and
//! anti-diagonals, and is told coarsely: a step for each queen placed, each row that has no square
//! left, each solution. The engine's is made from its own [trace](csp_core::observe::Trace): a step for
//! each choice and each propagation. Side by side they show what propagation saves.
//!
//! A step's words are its sentence, and on further lines why squares are out, a line each.

mod engine;
mod plain;
#[cfg(test)]
mod tests;
mod words;

use csp_core::Trace;
use csp_trace::Story;

use crate::{Queens, QueensError};

/// How a story is told: whole or up to its first solution, and how long it may become.
///
/// ```
/// use csp_nqueens::{Queens, Telling};
///
/// let story = Telling::new().plain(&Queens::new(4))?;
/// assert_eq!(story.steps[13].words, "solution 1: [1, 3, 0, 2]");
/// # Ok::<(), csp_nqueens::QueensError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Telling {
    all: bool,
    limit: usize,
}

impl Default for Telling {
    fn default() -> Self {
        Self { all: false, limit: 10_000 }
    }
}

impl Telling {
    /// The largest board that is told of.
    pub const MAX_SIZE: usize = 32;

    /// Up to the first solution, in 10,000 steps at most.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the search goes on after a solution until it has all.
    #[must_use]
    pub fn all(self, all: bool) -> Self {
        Self { all, ..self }
    }

    /// The steps a story has at most, which are two or more: its start and its end. One that is cut says
    /// so in its last step.
    #[must_use]
    pub fn limit(self, limit: usize) -> Self {
        Self { limit: limit.max(2), ..self }
    }

    /// The classic search, row by row from the left.
    ///
    /// # Errors
    /// If the board is larger than is [told of](Self::MAX_SIZE).
    pub fn plain(self, puzzle: &Queens) -> Result<Story, QueensError> {
        check_size(puzzle)?;
        Ok(plain::story(puzzle, self))
    }

    /// The engine's search: the [model](Queens::model), propagation and first fail.
    ///
    /// # Errors
    /// If the board is larger than is [told of](Self::MAX_SIZE).
    pub fn engine(self, puzzle: &Queens) -> Result<Story, QueensError> {
        check_size(puzzle)?;
        engine::story(puzzle, self)
    }

    /// What the engine's search did, as it is: up to the [limit](Self::limit) so many events are recorded and
    /// others counted, and as many nodes are searched.
    ///
    /// ```
    /// use csp_nqueens::{Queens, Telling};
    ///
    /// let trace = Telling::new().all(true).events(&Queens::new(6))?;
    /// assert_eq!(trace.counts.solutions, 4);
    /// # Ok::<(), csp_nqueens::QueensError>(())
    /// ```
    ///
    /// # Errors
    /// If the board is larger than is [told of](Self::MAX_SIZE).
    pub fn events(self, puzzle: &Queens) -> Result<Trace, QueensError> {
        check_size(puzzle)?;
        engine::trace(puzzle, self, self.limit)
    }

    /// Both as one story with two boards, a step of the one and a step of the other.
    ///
    /// # Errors
    /// If the board is larger than is [told of](Self::MAX_SIZE).
    pub fn both(self, puzzle: &Queens) -> Result<Story, QueensError> {
        Ok(Story::beside(title(puzzle, "two methods"), self.plain(puzzle)?, self.engine(puzzle)?))
    }
}

/// What is told of, and by which method.
fn title(puzzle: &Queens, method: &str) -> String {
    format!("{} by {method}", words::count(puzzle.size() as u64, "queen"))
}

fn check_size(puzzle: &Queens) -> Result<(), QueensError> {
    let size = puzzle.size();
    match size <= Telling::MAX_SIZE {
        true => Ok(()),
        false => Err(QueensError::TooLargeToTell { size }),
    }
}
