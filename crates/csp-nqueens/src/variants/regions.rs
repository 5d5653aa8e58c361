//! The puzzle with coloured regions that newspapers print.
//!
//! The board of *n* rows and columns is cut into *n* regions. Put one queen into each row, column and region so that no
//! two touch, not even diagonally; further away they do not see each other along diagonals. A good puzzle
//! has exactly one solution.
//!
//! Each row has a variable, the column of its queen, as in the [puzzle](crate::QueensModel); neighbouring rows keep
//! their distance; and the region of the queen is the entry of its row at its column, all different. As
//! there are as many regions as rows, that is one queen in each.
//!
//! A puzzle is text: a line for each row, a letter or other sign for each square, blanks between them or not; the same sign, the
//! same region. Regions need not be connected, but those that are [made](Regions::generate) are.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    ops::ControlFlow,
    str::FromStr,
};

use csp_core::prelude::*;

use super::kings::{are_apart, keep_distance};
use crate::{
    QueensError, QueensModel, Square,
    methods::enumerate,
    search::{Control, Report, run},
};

/// A board cut into regions.
///
/// ```
/// use csp_nqueens::Regions;
///
/// let puzzle: Regions = "AABB
///                        BBBB
///                        CCCD
///                        CCDD".parse()?;
/// let solutions = puzzle.solutions(2)?;
/// assert_eq!(solutions, [[1, 3, 0, 2]]);
/// assert!(puzzle.is_solution(&solutions[0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regions {
    /// The region of each square, row by row; they are numbered from 0 as they first appear.
    regions: Vec<Vec<usize>>,
    signs: Vec<char>,
}

/// What is wrong with the text of a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegionsError {
    /// A row is too short or too long.
    #[error("row {row} has {squares} squares, but there are {rows} rows: a board is square")]
    NotSquare {
        /// The row, from 0.
        row: usize,
        /// Its squares.
        squares: usize,
        /// The rows of the board.
        rows: usize,
    },
    /// There are too few or too many regions.
    #[error("there are {regions} regions and {rows} rows: there must be as many")]
    Number {
        /// The regions found.
        regions: usize,
        /// The rows of the board.
        rows: usize,
    },
    /// The board is too large.
    #[error("a board of {rows} rows is too large: they go up to {most}")]
    TooLarge {
        /// The rows of the board.
        rows: usize,
        /// The most there may be.
        most: usize,
    },
}

/// The signs of the regions of a board that is made.
pub(super) const SIGNS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// The largest board that is read.
const MAX_SIZE: usize = 100;

impl Regions {
    /// The number of rows, columns and regions.
    pub fn size(&self) -> usize {
        self.regions.len()
    }

    /// The region of a square, from 0; `None` off the board.
    pub fn region(&self, (row, column): Square) -> Option<usize> {
        self.regions.get(row)?.get(column).copied()
    }

    /// Whether these columns, one for each row, solve the puzzle. Straight from the definition.
    pub fn is_solution(&self, columns: &[usize]) -> bool {
        are_apart(self.size(), columns) && {
            let taken: BTreeSet<_> = columns.iter().zip(&self.regions).map(|(&c, row)| row[c]).collect();
            taken.len() == self.size()
        }
    }

    /// The model for the engine.
    pub fn model(&self) -> QueensModel {
        let mut model = Model::new();
        let queens = model.ints_named("row", self.size(), 0..self.size() as i64);
        model.post_named("columns", all_different(&queens));
        keep_distance(&mut model, &queens);
        let regions = queens
            .iter()
            .zip(&self.regions)
            .map(|(&queen, row)| element(row.iter().map(|&region| region as i64), queen));
        model.post_named("regions", all_different(regions));
        QueensModel { model, queens }
    }

    /// Searches for solutions and hands each to `visit`, as [`Method::search`](crate::Method::search) does.
    ///
    /// # Errors
    /// If there is a fault in the engine.
    pub fn search(
        &self,
        control: &Control,
        mut visit: impl FnMut(&[usize]) -> ControlFlow<()>,
    ) -> Result<Report, QueensError> {
        run(control, &mut visit, |monitor| {
            enumerate(|| Ok(self.model()), Limits::new(), monitor)?;
            ControlFlow::Continue(())
        })
    }

    /// The first solutions, at most so many; with two, whether the puzzle has exactly one.
    ///
    /// # Errors
    /// If there is a fault in the engine.
    pub fn solutions(&self, most: usize) -> Result<Vec<Vec<usize>>, QueensError> {
        let mut solutions = Vec::new();
        if most > 0 {
            self.search(&Control::new(), |columns| {
                solutions.push(columns.to_vec());
                if solutions.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
        }
        Ok(solutions)
    }

    /// The boards of the generator.
    pub(super) fn from_regions(regions: Vec<Vec<usize>>) -> Self {
        Self { regions, signs: SIGNS.chars().collect() }
    }
}

impl FromStr for Regions {
    type Err = RegionsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lines = text.lines().map(|line| line.chars().filter(|sign| !sign.is_whitespace()).collect());
        let rows: Vec<Vec<char>> = lines.filter(|line: &Vec<char>| !line.is_empty()).collect();
        let size = rows.len();
        if size > MAX_SIZE {
            return Err(RegionsError::TooLarge { rows: size, most: MAX_SIZE });
        }
        if let Some(row) = rows.iter().position(|row| row.len() != size) {
            return Err(RegionsError::NotSquare { row, squares: rows[row].len(), rows: size });
        }
        let mut numbers = BTreeMap::new();
        let mut signs = Vec::new();
        let mut number = |sign: char| {
            *numbers.entry(sign).or_insert_with(|| {
                signs.push(sign);
                signs.len() - 1
            })
        };
        let regions = rows.into_iter().map(|row| row.into_iter().map(&mut number).collect()).collect();
        match signs.len() == size {
            true => Ok(Self { regions, signs }),
            false => Err(RegionsError::Number { regions: signs.len(), rows: size }),
        }
    }
}

impl fmt::Display for Regions {
    /// The text that is read; no line break at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, row) in self.regions.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            row.iter().try_for_each(|&region| write!(f, "{}", self.signs[region]))?;
        }
        Ok(())
    }
}
