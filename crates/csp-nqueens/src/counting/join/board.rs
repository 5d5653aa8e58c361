//! How a board is cut: some rows above, a strip of middle rows, as many rows below.

use crate::Queens;

/// A board of `half + strip + half` rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Board {
    /// The number of rows and columns.
    pub(super) size: usize,
    /// The rows above the strip, and as many below it.
    pub(super) half: usize,
    /// The middle rows.
    pub(super) strip: usize,
    /// For each row a bit for each column that may have a queen; nothing if the board is empty.
    allowed: Option<Vec<u64>>,
}

impl Board {
    /// Cuts the board of a puzzle.
    ///
    /// Wide strips make many short lists, narrow ones few long lists. What balances the making of
    /// lists and their joining was measured: halves of eight rows, or of as many as there are, and
    /// of nine on the largest boards.
    pub(super) fn new(puzzle: &Queens) -> Self {
        let size = puzzle.size();
        let strip = match size {
            0..=16 => size % 2,
            17..=20 => size - 16,
            _ => size - 18,
        };
        Self::with_strip(puzzle, strip)
    }

    /// Cuts the board with so many middle rows.
    pub(super) fn with_strip(puzzle: &Queens, strip: usize) -> Self {
        let size = puzzle.size();
        let allowed = (!puzzle.is_empty()).then(|| {
            let squares = puzzle.allowed_squares();
            let bit = |row, column| u64::from(squares.contains(row, column)) << column;
            (0..size).map(|row| (0..size).map(|column| bit(row, column)).sum()).collect()
        });
        Self { size, half: (size - strip) / 2, strip, allowed }
    }

    /// Whether a queen may stand there, as far as this square alone decides it.
    pub(super) fn allows(&self, row: usize, column: usize) -> bool {
        self.allowed.as_ref().is_none_or(|rows| rows[row] >> column & 1 == 1)
    }

    /// Whether every row and every column has a square that may have a queen.
    pub(super) fn is_open(&self) -> bool {
        let Some(rows) = &self.allowed else { return true };
        let columns = rows.iter().fold(0, |columns, row| columns | row);
        rows.iter().all(|&row| row != 0) && columns.count_ones() as usize == self.size
    }

    /// Whether the puzzle looks the same from all sides.
    pub(super) fn is_symmetric(&self) -> bool {
        self.allowed.is_none()
    }

    /// Twice the distance of a row or column from the centre.
    pub(super) fn distance(&self, line: usize) -> usize {
        (2 * line + 1).abs_diff(self.size)
    }

    /// Whether this is a middle row or column: there is one, or there are two.
    pub(super) fn is_middle(&self, line: usize) -> bool {
        self.distance(line) <= 1
    }

    /// The rows of a half, from the strip outwards.
    pub(super) fn half_rows(&self, side: Side) -> Vec<usize> {
        let above = (0..self.half).rev();
        match side {
            Side::Above => above.collect(),
            Side::Below => above.map(|row| self.size - 1 - row).collect(),
        }
    }
}

/// One of the two halves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Above,
    Below,
}
