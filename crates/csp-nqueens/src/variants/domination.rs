//! The fewest queens that attack or occupy every square of the board.
//!
//! Each line of the board has a Boolean that tells whether a queen stands on it ([`lines`](super::lines)). A
//! square is dominated if one of its four lines is occupied: a clause of four. What follows from
//! that and helps the search:
//!
//! - There are no more occupied rows than queens; the same with columns and both kinds of diagonals.
//! - Let two columns at distance *d* be empty, and look at their squares in any *d* rows that are
//!   neighbours. No diagonal passes through two of these 2*d* squares, so *k* queens reach at most 2*k* of them along diagonals, and
//!   the others lie in occupied rows: at least *d − k* of these rows are occupied. The same with
//!   rows and columns exchanged. It is the heart of Spencer's proof that *k ≥ (n − 1)/2* (in Weakley, *Domination in the
//!   queen's graph*, 1995), which is posted as well.
//! - Of boards that are turned or reflected images of each other one is enough.
//!
//! The search learns; it decides on rows and columns from the edges inwards, which is where these
//! conditions bite.

use csp_core::prelude::*;

use super::{
    best::{Best, Sense, optimise},
    check_size,
    lines::Lines,
};
use crate::{Control, QueensError, Square, attacks};

/// The largest board; the model grows with its third power.
const MAX_SIZE: usize = 60;

/// Minimum dominating sets of queens: every square is occupied or attacked.
///
/// ```
/// use csp_nqueens::{Control, Domination};
///
/// let board = Domination::new(6);
/// let best = board.solve(&Control::new())?;
/// let (queens, number) = best.solution.expect("a queen on every square dominates");
/// assert_eq!(number, 3);
/// assert!(board.is_dominated_by(&queens));
/// # Ok::<(), csp_nqueens::QueensError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Domination {
    size: usize,
}

/// A model of a dominating set, and its variables.
#[derive(Debug, Clone)]
pub struct DominationModel {
    /// The model. More constraints may be posted to it, if turning and reflecting the board does not change them.
    pub model: Model,
    /// Whether a queen stands on a square, row by row.
    pub squares: Vec<Vec<BoolVar>>,
    /// The number of queens.
    pub number: IntVar,
    lines: Lines,
}

impl Domination {
    /// A board of `size` rows and columns.
    pub fn new(size: usize) -> Self {
        Self { size }
    }

    /// Whether these queens dominate the board. Straight from the definition.
    pub fn is_dominated_by(&self, queens: &[Square]) -> bool {
        let size = self.size;
        let mut squares = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
        queens.iter().all(|&(row, column)| row < size && column < size)
            && squares.all(|square| queens.iter().any(|&queen| queen == square || attacks(queen, square)))
    }

    /// The model for the engine.
    ///
    /// # Errors
    /// If the board is larger than 60.
    pub fn model(&self) -> Result<DominationModel, QueensError> {
        check_size("dominate", self.size, MAX_SIZE)?;
        let size = self.size;
        let mut model = Model::new();
        let lines = Lines::new(&mut model, size);
        let squares: Vec<Vec<BoolVar>> = (0..size).map(|_| model.bools(size)).collect();
        // A line is occupied exactly where a queen stands on it. (Queens may attack each other.)
        let mut on: Vec<(BoolVar, Vec<BoolVar>)> = Vec::new();
        let families = [&lines.rows, &lines.columns, &lines.diagonals, &lines.anti_diagonals];
        families.iter().for_each(|family| on.extend(family.iter().map(|&line| (line, vec![]))));
        for (row, squares) in squares.iter().enumerate() {
            for (column, &square) in squares.iter().enumerate() {
                let through = lines.through((row, column));
                for line in through {
                    model.post(clause([!square, line]));
                }
                model.post(clause(through));
                let places = [row, size + column, 3 * size - 1 + row - column, 4 * size - 1 + row + column];
                places.into_iter().for_each(|place| on[place].1.push(square));
            }
        }
        for (line, squares) in on {
            model.post(clause(squares.into_iter().chain([!line])));
        }

        let number = model.int_named("queens", 0..=size as i64);
        model.post(sum(squares.iter().flatten()).eq(number));
        for family in families {
            model.post(sum(family).le(number));
        }
        model.post(rule!(2 * number >= (size as i64 - 1)));
        empty_pairs(&mut model, number, &lines.columns, &lines.rows);
        empty_pairs(&mut model, number, &lines.rows, &lines.columns);
        lines.break_symmetry(&mut model, false);
        Ok(DominationModel { model, squares, number, lines })
    }

    /// Searches for a smallest dominating set until it is known or `control` ends the search.
    ///
    /// # Errors
    /// If the board is larger than 60.
    pub fn solve(&self, control: &Control) -> Result<Best<Vec<Square>>, QueensError> {
        self.solve_with(control, |_, _| {})
    }

    /// As [`solve`](Self::solve), and hands each better set and its size to `visit` as soon as it is found.
    ///
    /// # Errors
    /// If the board is larger than 60.
    pub fn solve_with(
        &self,
        control: &Control,
        mut visit: impl FnMut(&Vec<Square>, usize),
    ) -> Result<Best<Vec<Square>>, QueensError> {
        let DominationModel { model, squares, number, lines } = self.model()?;
        let mut solver = model.solver()?;
        solver.set_mode(Mode::Learning);
        let diagonals = branch(lines.longest_first()).dom_wdeg();
        let queens = branch(squares.iter().flatten()).max_value();
        solver.set_search(branch(lines.outside_in()).then(diagonals).then(queens));
        let read = |assignment: &Assignment| occupied(assignment, &squares);
        optimise(solver, Sense::Minimise, number, control, read, &mut visit)
    }
}

/// Of any neighbouring rows, as many as two empty columns are apart, at least so many less the number of
/// queens are occupied.
fn empty_pairs(model: &mut Model, number: IntVar, columns: &[BoolVar], rows: &[BoolVar]) {
    let size = rows.len();
    // With a smaller distance it says nothing, as there are at least so many queens.
    for distance in size.div_ceil(2)..size {
        let far = distance as i64;
        for pair in columns.windows(distance + 1) {
            let (left, right) = (pair[0], pair[distance]);
            for rows in rows.windows(distance) {
                model.post((sum(rows) + number + far * left + far * right).ge(far));
            }
        }
    }
}

/// The squares whose Boolean is true.
pub(super) fn occupied(assignment: &Assignment, squares: &[Vec<BoolVar>]) -> Vec<Square> {
    let all = squares.iter().zip(0..).flat_map(|(squares, row)| {
        squares.iter().zip(0..).map(move |(&square, column)| (square, (row, column)))
    });
    all.filter(|&(square, _)| assignment.is_true(square)).map(|(_, place)| place).collect()
}
