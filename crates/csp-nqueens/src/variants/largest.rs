//! As many queens as can stand without an attack on a board with holes.
//!
//! Each square has a Boolean, and of the squares of each line at most one holds a queen. Blocked
//! squares are holes where no queen may stand. As in the puzzle, attacks pass over them; with
//! [`holes_stop_attacks`](Largest::holes_stop_attacks) they end there, which cuts a line into pieces, each with room for a queen, so that more
//! than *n* queens may fit.
//!
//! Rows bound the number: no row, or piece of it, holds two. The search learns, by its own strategy.

use csp_core::prelude::*;

use super::{
    best::{Best, Sense, optimise},
    check_size,
    domination::occupied,
};
use crate::{Control, Queens, QueensError, Square, attacks};

/// The largest board.
const MAX_SIZE: usize = 100;

/// Largest sets of queens that do not attack each other, on a board with blocked squares.
///
/// ```
/// use csp_nqueens::{Control, Largest, Queens};
///
/// let cross = Queens::new(3).block(1, 0)?.block(1, 1)?.block(1, 2)?.block(0, 1)?.block(2, 1)?;
/// let number = |board: &Largest| Ok::<_, csp_nqueens::QueensError>(board.solve(&Control::new())?.value());
/// // The four corners are left.
/// assert_eq!(number(&Largest::new(cross.clone()))?, Some(1));
/// assert_eq!(number(&Largest::new(cross.clone()).holes_stop_attacks())?, Some(4));
/// assert_eq!(number(&Largest::new(cross).holes_stop_attacks().at_most(3))?, Some(3));
/// # Ok::<(), csp_nqueens::QueensError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Largest {
    board: Queens,
    holes_stop_attacks: bool,
    at_most: Option<usize>,
}

/// A model of queens on a board with holes, and its variables.
#[derive(Debug, Clone)]
pub struct LargestModel {
    /// The model. More constraints may be posted to it.
    pub model: Model,
    /// Whether a queen stands on a square, row by row.
    pub squares: Vec<Vec<BoolVar>>,
    /// The number of queens.
    pub number: IntVar,
}

impl Largest {
    /// The board of a puzzle: its size, the queens that already stand, and its blocked squares as holes.
    pub fn new(board: Queens) -> Self {
        Self { board, holes_stop_attacks: false, at_most: None }
    }

    /// Queens do not attack across holes.
    pub fn holes_stop_attacks(self) -> Self {
        Self { holes_stop_attacks: true, ..self }
    }

    /// No more queens than this.
    pub fn at_most(self, number: usize) -> Self {
        Self { at_most: Some(number), ..self }
    }

    /// Whether these queens may stand like this. Straight from the definition.
    pub fn is_solution(&self, queens: &[Square]) -> bool {
        let board = &self.board;
        let attack =
            |one, other| attacks(one, other) && !(self.holes_stop_attacks && self.is_cut(one, other));
        queens.iter().all(|&(row, column)| row < board.size() && column < board.size())
            && queens.windows(2).all(|pair| pair[0] < pair[1])
            && self.at_most.is_none_or(|most| queens.len() <= most)
            && board.placed().all(|queen| queens.contains(&queen))
            && board.blocked().all(|hole| !queens.contains(&hole))
            && !queens.iter().any(|&one| queens.iter().any(|&other| attack(one, other)))
    }

    /// Whether there is a hole between two squares of a line.
    fn is_cut(&self, one: Square, other: Square) -> bool {
        let steps = one.0.abs_diff(other.0).max(one.1.abs_diff(other.1));
        let between = |from: usize, to: usize, step| match from <= to {
            true => from + (to - from) / steps * step,
            false => from - (from - to) / steps * step,
        };
        let mut inner = (1..steps).map(|step| (between(one.0, other.0, step), between(one.1, other.1, step)));
        inner.any(|square| self.board.blocked().any(|hole| hole == square))
    }

    /// The model for the engine.
    ///
    /// # Errors
    /// If the board is larger than 100.
    pub fn model(&self) -> Result<LargestModel, QueensError> {
        let size = self.board.size();
        check_size("largest", size, MAX_SIZE)?;
        let mut model = Model::new();
        let squares: Vec<Vec<BoolVar>> = (0..size).map(|_| model.bools(size)).collect();
        let mut is_hole = vec![vec![false; size]; size];
        for (row, column) in self.board.blocked() {
            is_hole[row][column] = true;
            model.post(clause([!squares[row][column]]));
        }
        for (row, column) in self.board.placed() {
            model.post(clause([squares[row][column]]));
        }
        for line in lines(size) {
            let pieces = line.split(|&(row, column)| self.holes_stop_attacks && is_hole[row][column]);
            for piece in pieces.filter(|piece| piece.len() > 1) {
                model.post(at_most(1, piece.iter().map(|&(row, column)| squares[row][column])));
            }
        }
        let free = (size * size).saturating_sub(self.board.blocked().count());
        let most = self.at_most.map_or(free, |most| most.min(free));
        let number = model.int_named("queens", 0..=most as i64);
        model.post(sum(squares.iter().flatten()).eq(number));
        if !self.holes_stop_attacks {
            model.post(number.le(size as i64));
        }
        Ok(LargestModel { model, squares, number })
    }

    /// Searches for a largest set until it is known or `control` ends the search. There is none if queens that
    /// stand attack each other or stand on holes, or are too many.
    ///
    /// # Errors
    /// If the board is larger than 100.
    pub fn solve(&self, control: &Control) -> Result<Best<Vec<Square>>, QueensError> {
        self.solve_with(control, |_, _| {})
    }

    /// As [`solve`](Self::solve), and hands each larger set and its size to `visit` as soon as it is found.
    ///
    /// # Errors
    /// If the board is larger than 100.
    pub fn solve_with(
        &self,
        control: &Control,
        mut visit: impl FnMut(&Vec<Square>, usize),
    ) -> Result<Best<Vec<Square>>, QueensError> {
        let LargestModel { model, squares, number } = self.model()?;
        let solver = model.solver()?;
        let read = |assignment: &Assignment| occupied(assignment, &squares);
        optimise(solver, Sense::Maximise, number, control, read, &mut visit)
    }
}

/// The squares of each row, column, diagonal and anti-diagonal, in order.
fn lines(size: usize) -> Vec<Vec<Square>> {
    let mut lines = vec![Vec::new(); 6 * size];
    for row in 0..size {
        for column in 0..size {
            let places = [row, size + column, 3 * size + row - column, 4 * size + row + column];
            places.into_iter().for_each(|place| lines[place].push((row, column)));
        }
    }
    lines
}
