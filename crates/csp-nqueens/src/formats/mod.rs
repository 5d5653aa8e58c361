//! Solutions as text, each form both written and read.
//!
//! The forms are stable: scripts may rely on them. Reading checks the form — one queen in each
//! row of a square board — and leaves to [`Queens::is_solution`](crate::Queens::is_solution)
//! whether the queens attack each other.

mod columns;
mod drawing;
mod error;
mod json;
mod listing;
mod pairs;
mod strings;

use std::{fmt, str::FromStr};

pub use error::FormatError;
pub use listing::Listing;

/// A way to write a solution.
///
/// ```
/// use csp_nqueens::Format;
///
/// let solution = [1, 3, 0, 2];
/// let json = r#"[".Q..","...Q","Q...","..Q."]"#;
/// assert_eq!(Format::Json.show(&solution).to_string(), json);
/// assert_eq!(Format::Json.parse(json)?, solution);
/// assert_eq!(Format::Columns.parse("[1, 3, 0, 2]")?, solution);
/// # Ok::<(), csp_nqueens::FormatError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// A board drawn for a terminal.
    Board,
    /// The column of each row's queen: `[1, 3, 0, 2]`.
    Columns,
    /// The row and column of each queen: `[[0, 1], [1, 3], [2, 0], [3, 2]]`.
    Pairs,
    /// A line for each row, `Q` for a queen and `.` for an empty square.
    Strings,
    /// The lines of [`Strings`](Self::Strings) as a JSON array: the LeetCode form.
    Json,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 5] =
        [Format::Board, Format::Columns, Format::Pairs, Format::Strings, Format::Json];

    /// The name by which a user calls it.
    pub fn name(self) -> &'static str {
        match self {
            Format::Board => "board",
            Format::Columns => "columns",
            Format::Pairs => "pairs",
            Format::Strings => "strings",
            Format::Json => "json",
        }
    }

    /// What it looks like, in a line.
    pub fn summary(self) -> &'static str {
        match self {
            Format::Board => "a board drawn for a terminal",
            Format::Columns => "the column of each row's queen: [1, 3, 0, 2]",
            Format::Pairs => "row and column of each queen: [[0, 1], [1, 3], [2, 0], [3, 2]]",
            Format::Strings => "a line for each row, with Q and .",
            Format::Json => "those lines as JSON, an array for each solution (the LeetCode form)",
        }
    }

    /// Whether it has a place for each square, *n²* of them, and not only one for each queen.
    pub fn has_every_square(self) -> bool {
        match self {
            Format::Board | Format::Strings | Format::Json => true,
            Format::Columns | Format::Pairs => false,
        }
    }

    /// The solution in this format, without a line end after the last line.
    pub fn show(self, columns: &[usize]) -> impl fmt::Display {
        Shown { format: self, columns }
    }

    /// Reads a solution back: the column of each row's queen.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn parse(self, text: &str) -> Result<Vec<usize>, FormatError> {
        match self {
            Format::Board => drawing::parse(text),
            Format::Columns => columns::parse(text),
            Format::Pairs => pairs::parse(text),
            Format::Strings => strings::parse(text),
            Format::Json => json::parse(text),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Format::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| FormatError::UnknownFormat { name: name.to_owned() })
    }
}

struct Shown<'a> {
    format: Format,
    columns: &'a [usize],
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.format {
            Format::Board => drawing::write(self.columns, f),
            Format::Columns => columns::write(self.columns, f),
            Format::Pairs => pairs::write(self.columns, f),
            Format::Strings => strings::write(self.columns, f),
            Format::Json => json::write(self.columns, f),
        }
    }
}

/// Checks that each row's queen is on the board.
fn on_board(columns: Vec<usize>) -> Result<Vec<usize>, FormatError> {
    let size = columns.len();
    match columns.iter().position(|&column| column >= size) {
        None => Ok(columns),
        Some(row) => Err(FormatError::OffBoard { row, column: columns[row], size }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_reads_what_it_writes() {
        let boards: [&[usize]; 5] =
            [&[], &[0], &[1, 3, 0, 2], &[0, 4, 7, 5, 2, 6, 1, 3], &[0, 2, 5, 7, 9, 4, 8, 1, 3, 6, 10]];
        for format in Format::ALL {
            for columns in boards {
                let text = format.show(columns).to_string();
                assert_eq!(format.parse(&text).as_deref(), Ok(columns), "{text}");
                let line_end = format!("{text}\n");
                assert_eq!(format.parse(&line_end).as_deref(), Ok(columns), "{text}");
            }
        }
    }

    #[test]
    fn names_are_read_back() {
        for format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(format));
        }
        let error = "svg".parse::<Format>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no format `svg`: the formats are board, columns, pairs, strings, json"
        );
    }

    #[test]
    fn no_format_panics_on_noise() {
        let noise = ["", "\0", "[", "[[", "│", "┌┐\n│", "Q", "[-1]", "♛♛", "[[0,0],[0,0]]", "{}"];
        for format in Format::ALL {
            for text in noise {
                let _ = format.parse(text);
                let _ = format.parse(&text.repeat(1000));
            }
        }
    }
}
