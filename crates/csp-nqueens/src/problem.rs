//! The puzzle: a size, queens that already stand, squares where none may stand.
//!
//! Put `size` queens on a board of `size` rows and columns so that no two share a row, a column
//! or a diagonal. Rows and columns are numbered from 0. A solution is written as a slice that
//! holds, for each row, the column of its queen.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;

use crate::QueensError;

/// A square of the board: its row and its column, both from 0.
pub type Square = (usize, usize);

/// The largest board of which diagonals can be excluded: each of their squares is written down.
const MAX_EXCLUDED: usize = 10_000_000;

/// Whether queens on these two squares attack each other.
///
/// A square does not attack itself.
pub fn attacks(one: Square, other: Square) -> bool {
    let (rows, columns) = (one.0.abs_diff(other.0), one.1.abs_diff(other.1));
    one != other && (rows == 0 || columns == 0 || rows == columns)
}

/// An N-Queens puzzle, built step by step.
///
/// Only squares on the board are accepted. Queens that attack each other, or stand on a blocked
/// square, are no error: such a puzzle has no solution.
///
/// ```
/// use csp_nqueens::Queens;
///
/// let puzzle = Queens::new(8).place(3, 1)?.place(4, 3)?.block(0, 0)?;
/// assert_eq!(puzzle.solver()?.count(), 2);
/// # Ok::<(), csp_nqueens::QueensError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Queens {
    size: usize,
    placed: BTreeSet<Square>,
    blocked: BTreeSet<Square>,
}

impl Queens {
    /// An empty board of `size` rows and columns.
    ///
    /// Any size can be stated; each [method](crate::Method) says how far it goes.
    pub fn new(size: usize) -> Self {
        Self { size, placed: BTreeSet::new(), blocked: BTreeSet::new() }
    }

    /// A queen already stands on this square.
    ///
    /// # Errors
    /// If the square is off the board.
    pub fn place(mut self, row: usize, column: usize) -> Result<Self, QueensError> {
        self.placed.insert(self.on_board(row, column)?);
        Ok(self)
    }

    /// No queen may stand on this square. It does not hinder attacks across it.
    ///
    /// # Errors
    /// If the square is off the board.
    pub fn block(mut self, row: usize, column: usize) -> Result<Self, QueensError> {
        self.blocked.insert(self.on_board(row, column)?);
        Ok(self)
    }

    /// No queen may stand on this diagonal: the squares where `row − column + size − 1` is `number`. It does
    /// not hinder attacks across it.
    ///
    /// The *excluded diagonals problem* (Gent, Jefferson and Nightingale, 2017) numbers them like this: from 0 for
    /// the corner on the upper right to `2 * size − 2` for the one on the lower left.
    ///
    /// ```
    /// use csp_nqueens::Queens;
    ///
    /// let puzzle = Queens::new(8).exclude_diagonal(7)?.exclude_anti_diagonal(7)?;
    /// assert_eq!(puzzle.solver()?.count(), 12); // both long diagonals stay empty
    /// # Ok::<(), csp_nqueens::QueensError>(())
    /// ```
    ///
    /// # Errors
    /// If the board has no such diagonal, or more than ten million rows.
    pub fn exclude_diagonal(self, number: usize) -> Result<Self, QueensError> {
        let length = self.has_diagonal(number)?;
        let first = (number + 1).saturating_sub(self.size);
        // Row − column is number + 1 − size; one of the two begins at 0.
        let shift = self.size - 1 - number.min(self.size - 1);
        (0..length).try_fold(self, |puzzle, i| puzzle.block(first + i, shift + i))
    }

    /// No queen may stand on this anti-diagonal: the squares where `row + column` is `number`. It does not
    /// hinder attacks across it.
    ///
    /// # Errors
    /// If the board has no such anti-diagonal, or more than ten million rows.
    pub fn exclude_anti_diagonal(self, number: usize) -> Result<Self, QueensError> {
        let length = self.has_diagonal(number)?;
        let first = (number + 1).saturating_sub(self.size);
        (0..length).try_fold(self, |puzzle, i| puzzle.block(first + i, number - first - i))
    }

    /// The number of rows, of columns and of queens.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The squares where a queen already stands, row by row.
    pub fn placed(&self) -> impl Iterator<Item = Square> {
        self.placed.iter().copied()
    }

    /// The blocked squares, row by row.
    pub fn blocked(&self) -> impl Iterator<Item = Square> {
        self.blocked.iter().copied()
    }

    /// Whether no queen stands and no square is blocked.
    pub(crate) fn is_empty(&self) -> bool {
        self.placed.is_empty() && self.blocked.is_empty()
    }

    /// Whether these columns, one for each row, solve the puzzle.
    ///
    /// Straight from the definition: no column, diagonal or anti-diagonal is taken twice. O(n),
    /// and a bit for each of those lines.
    pub fn is_solution(&self, columns: &[usize]) -> bool {
        let size = self.size;
        // Looked at first: a size is only a number, and a solution of that length is there.
        if columns.len() != size || columns.iter().any(|&column| column >= size) {
            return false;
        }
        let mut taken = FixedBitSet::with_capacity(size);
        let mut diagonals = FixedBitSet::with_capacity(2 * size);
        let mut anti_diagonals = FixedBitSet::with_capacity(2 * size);
        columns.iter().enumerate().all(|(row, &column)| {
            !taken.put(column) && !diagonals.put(size + column - row) && !anti_diagonals.put(column + row)
        }) && self.placed.iter().all(|&(row, column)| columns[row] == column)
            && self.blocked.iter().all(|&(row, column)| columns[row] != column)
    }

    /// Whether the square is blocked.
    pub(crate) fn is_blocked(&self, row: usize, column: usize) -> bool {
        // Most boards have no blocked square, and the question comes often.
        !self.blocked.is_empty() && self.blocked.contains(&(row, column))
    }

    /// The squares of each row that are left by the queens placed in it and by the blocked ones.
    ///
    /// Takes a bit for every square, so ask only once the size is known to be sane.
    pub(crate) fn allowed_squares(&self) -> AllowedSquares {
        let size = self.size;
        let mut allowed = FixedBitSet::with_capacity(size * size);
        allowed.insert_range(..);
        for &(row, queen) in &self.placed {
            for column in (0..size).filter(|&column| column != queen) {
                allowed.remove(row * size + column);
            }
        }
        for &(row, column) in &self.blocked {
            allowed.remove(row * size + column);
        }
        AllowedSquares { size, allowed }
    }

    /// The length of the diagonal and of the anti-diagonal with this number.
    fn has_diagonal(&self, number: usize) -> Result<usize, QueensError> {
        let size = self.size;
        // Nothing overflows: the second is asked for a number of at least the size.
        match number {
            _ if size > MAX_EXCLUDED => {
                Err(QueensError::LargeVariant { size, variant: "excluded diagonals", most: MAX_EXCLUDED })
            }
            _ if number < size => Ok(number + 1),
            _ if number - size < size.saturating_sub(1) => Ok(size - 1 - (number - size)),
            _ => Err(QueensError::NoDiagonal { number, size }),
        }
    }

    fn on_board(&self, row: usize, column: usize) -> Result<Square, QueensError> {
        if row < self.size && column < self.size {
            Ok((row, column))
        } else {
            Err(QueensError::OffBoard { row, column, size: self.size })
        }
    }
}

/// A table of the squares where a queen may stand: all that most methods need to know.
#[derive(Debug)]
pub(crate) struct AllowedSquares {
    size: usize,
    allowed: FixedBitSet,
}

impl AllowedSquares {
    /// The number of rows and of columns.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Whether a queen may stand there, as far as this square alone decides it.
    pub(crate) fn contains(&self, row: usize, column: usize) -> bool {
        self.allowed.contains(row * self.size + column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_attack_along_rows_columns_and_diagonals() {
        for other in [(3, 7), (0, 3), (5, 5), (1, 5)] {
            assert!(attacks((3, 3), other) && attacks(other, (3, 3)));
        }
        assert!(!attacks((3, 3), (5, 4)));
        assert!(!attacks((3, 3), (3, 3)));
    }

    #[test]
    fn a_square_off_the_board_is_an_error_in_words() {
        let error = Queens::new(8).place(9, 9).unwrap_err();
        assert_eq!(error.to_string(), "square 9,9 is off the board: rows and columns run from 0 to 7");
        let error = Queens::new(0).block(0, 0).unwrap_err();
        assert_eq!(error.to_string(), "square 0,0 is off the board: a board of size 0 has no squares");
    }

    #[test]
    fn excluded_diagonals_are_those_of_the_definition() {
        for size in 1..=6 {
            for number in 0..2 * size - 1 {
                let squares = || (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
                let diagonal = Queens::new(size).exclude_diagonal(number).unwrap();
                let expected = squares().filter(|(row, column)| row + size - 1 - column == number);
                assert!(diagonal.blocked().eq(expected), "d{number} of {size}");
                let diagonal = Queens::new(size).exclude_anti_diagonal(number).unwrap();
                assert!(diagonal.blocked().eq(squares().filter(|(row, column)| row + column == number)));
            }
            assert!(Queens::new(size).exclude_diagonal(2 * size - 1).is_err());
        }
        let error = Queens::new(8).exclude_anti_diagonal(15).unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no diagonal 15 on a board of size 8: they are numbered from 0 to 14"
        );
        let error = Queens::new(0).exclude_diagonal(0).unwrap_err();
        assert_eq!(error.to_string(), "there is no diagonal 0 on a board of size 0: it has none");
        let error = Queens::new(usize::MAX).exclude_diagonal(usize::MAX - 1).unwrap_err();
        assert!(error.to_string().contains("too large: `excluded diagonals` goes up to 10000000"), "{error}");
    }

    #[test]
    fn any_size_can_be_stated() {
        let size = 1_000_000_000_000;
        assert_eq!(Queens::new(size).size(), size);
    }

    #[test]
    fn allowed_squares_follow_placed_and_blocked_ones() {
        let puzzle = Queens::new(3).place(1, 2).unwrap().block(0, 1).unwrap();
        let allowed = puzzle.allowed_squares();
        let row = |row| -> Vec<usize> { (0..3).filter(|&c| allowed.contains(row, c)).collect() };
        assert_eq!([row(0), row(1), row(2)], [vec![0, 2], vec![2], vec![0, 1, 2]]);
    }

    #[test]
    fn a_solution_is_what_the_definition_says() {
        let puzzle = Queens::new(4);
        assert!(puzzle.is_solution(&[1, 3, 0, 2]));
        assert!(!puzzle.is_solution(&[1, 3, 0]));
        assert!(!puzzle.is_solution(&[0, 1, 2, 3]));
        assert!(!puzzle.is_solution(&[1, 3, 0, 9]));
        assert!(!puzzle.clone().block(1, 3).unwrap().is_solution(&[1, 3, 0, 2]));
        assert!(!puzzle.place(1, 0).unwrap().is_solution(&[1, 3, 0, 2]));
        assert!(Queens::new(0).is_solution(&[]));
        assert!(!Queens::new(usize::MAX).is_solution(&[]));
    }

    /// The definition, word for word: no two queens attack each other.
    fn no_two_attack(size: usize, columns: &[usize]) -> bool {
        let queens: Vec<Square> = columns.iter().copied().enumerate().collect();
        queens.len() == size
            && queens.iter().all(|&(_, column)| column < size)
            && !queens.iter().any(|&one| queens.iter().any(|&other| attacks(one, other)))
    }

    #[test]
    fn flags_of_lines_tell_what_pairs_tell() {
        let mut solutions = 0;
        for size in 0..=6_usize {
            let puzzle = Queens::new(size);
            // Every board, with columns off the board too.
            for number in 0..(size + 1).pow(size as u32) {
                let digit = |row: usize| number / (size + 1).pow(row as u32) % (size + 1);
                let columns: Vec<usize> = (0..size).map(digit).collect();
                let expected = no_two_attack(size, &columns);
                assert_eq!(puzzle.is_solution(&columns), expected, "{columns:?}");
                solutions += usize::from(expected);
            }
        }
        assert_eq!(solutions, 1 + 1 + 2 + 10 + 4);
    }
}
