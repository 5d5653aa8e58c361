//! What can be wrong with a solution's text, in words.

use super::Format;

/// A text that is not a solution in the format it was read as.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The text is not JSON, or not of the expected shape.
    #[error("this is not JSON like {example}: {reason}")]
    Json {
        /// What is expected.
        example: &'static str,
        /// What is wrong and where.
        reason: String,
    },
    /// A row is longer or shorter than the board is high.
    #[error("row {row} has {squares} squares, but there are {rows} rows: a board is square")]
    NotSquare {
        /// The row.
        row: usize,
        /// Its squares.
        squares: usize,
        /// The rows of the board.
        rows: usize,
    },
    /// A row has no queen, or several.
    #[error("row {row} has {queens} queens: each row has exactly one")]
    QueensInRow {
        /// The row.
        row: usize,
        /// Its queens.
        queens: usize,
    },
    /// A queen stands outside the board.
    #[error("the queen on {row},{column} is off the board, which has {size} rows and columns")]
    OffBoard {
        /// The queen's row.
        row: usize,
        /// The queen's column.
        column: usize,
        /// The size of the board.
        size: usize,
    },
    /// A square holds something else than a queen or nothing.
    #[error("square {row},{column} holds {found:?}: a square is {queen} or {empty}")]
    Square {
        /// The square's row.
        row: usize,
        /// The square's column.
        column: usize,
        /// What it holds.
        found: String,
        /// A queen in this format.
        queen: char,
        /// An empty square in this format.
        empty: char,
    },
    /// A line of a drawn board is not what it must be.
    #[error("line {line} of the drawing should be {expected}")]
    Drawing {
        /// The line, from 1.
        line: usize,
        /// What is expected there.
        expected: &'static str,
    },
    /// No format has this name.
    #[error("there is no format `{}`: the formats are {}", name.escape_debug(), Format::ALL.map(Format::name).join(", "))]
    UnknownFormat {
        /// The name that was given.
        name: String,
    },
}
