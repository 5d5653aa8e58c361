//! Many solutions, written one by one as they are found.

use std::io::{self, Write};

use super::{Format, FormatError, json};

/// A list of solutions, written as they come and with no memory of them.
///
/// Formats of a line have a line for each solution; boards are set apart by an empty line; JSON
/// is one array of boards, a line for each. Each solution is handed on at once, in whole lines.
///
/// ```
/// use csp_nqueens::{Format, Listing};
///
/// let mut listing = Listing::new(Format::Columns, Vec::new());
/// listing.write(&[1, 3, 0, 2])?;
/// listing.write(&[2, 0, 3, 1])?;
/// let text = listing.finish()?;
/// assert_eq!(text, b"[1, 3, 0, 2]\n[2, 0, 3, 1]\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Listing<W> {
    format: Format,
    out: W,
    is_empty: bool,
}

impl<W: Write> Listing<W> {
    /// An empty list. Nothing is written yet.
    pub fn new(format: Format, out: W) -> Self {
        Self { format, out, is_empty: true }
    }

    /// Writes one more solution.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&mut self, columns: &[usize]) -> io::Result<()> {
        let solution = self.format.show(columns);
        match (self.format, self.is_empty) {
            (Format::Json, true) => writeln!(self.out, "[{solution}")?,
            (Format::Json, false) => writeln!(self.out, ",{solution}")?,
            (Format::Board | Format::Strings, false) => writeln!(self.out, "\n{solution}")?,
            _ => writeln!(self.out, "{solution}")?,
        }
        self.is_empty = false;
        self.out.flush()
    }

    /// Ends the list and gives the writer back.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        match (self.format, self.is_empty) {
            (Format::Json, true) => writeln!(self.out, "[]")?,
            (Format::Json, false) => writeln!(self.out, "]")?,
            _ => {}
        }
        self.out.flush()?;
        Ok(self.out)
    }
}

impl Format {
    /// Reads back a whole [`Listing`].
    ///
    /// One thing it cannot tell: as strings, the one solution of the empty board is no text at
    /// all, and is read as no solution.
    ///
    /// # Errors
    /// What is wrong with the text, and where in its solution.
    pub fn parse_all(self, text: &str) -> Result<Vec<Vec<usize>>, FormatError> {
        let parse = |text: &str| self.parse(text);
        match self {
            Format::Json => json::parse_all(text),
            Format::Columns | Format::Pairs => text.lines().map(parse).collect(),
            Format::Board | Format::Strings => {
                let boards = text.split("\n\n").filter(|board| !board.trim().is_empty());
                boards.map(parse).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_is_read_back() {
        let four = [vec![1, 3, 0, 2], vec![2, 0, 3, 1]];
        for format in Format::ALL {
            for count in 0..=2 {
                let mut listing = Listing::new(format, Vec::new());
                for solution in &four[..count] {
                    listing.write(solution).unwrap();
                }
                let text = String::from_utf8(listing.finish().unwrap()).unwrap();
                assert_eq!(format.parse_all(&text).unwrap(), four[..count], "{text}");
            }
        }
    }

    #[test]
    fn json_is_one_array() {
        let mut listing = Listing::new(Format::Json, Vec::new());
        listing.write(&[0]).unwrap();
        listing.write(&[0]).unwrap();
        assert_eq!(listing.finish().unwrap(), b"[[\"Q\"]\n,[\"Q\"]\n]\n");
    }
}
