//! Peaceable armies: as many white queens as black ones, none attacking one of the other colour.
//!
//! Queens of one colour may attack each other, so a line of the board can be given to one army, whether it is
//! used or not: a Boolean for each line ([`lines`](super::lines)) tells whether it is white. A white queen may stand where
//! all four lines are white, a black one where none is. (The problem and models of it: Smith, Petrie and Gent,
//! *Models and symmetry breaking for peaceable armies of queens*, 2004.)
//!
//! What follows and helps: as a line is of one colour, it has at most the larger of the white and the black
//! squares that are still possible on it; summed over the diagonals, or the anti-diagonals, that bounds both
//! armies together. And of the sixteen boards made by turning, reflecting and exchanging colours one is enough.
//!
//! The search is plain, rows and columns first from the edges inwards, then the diagonals: bounds are what ends
//! its branches, and explanations of sums do not make good clauses.

use csp_core::prelude::*;

use super::{
    best::{Best, Sense, optimise},
    check_size,
    domination::occupied,
    lines::Lines,
};
use crate::{Control, QueensError, Square, attacks};

/// The largest board.
const MAX_SIZE: usize = 60;

/// Largest equal armies of white and black queens that do not attack each other.
///
/// ```
/// use csp_nqueens::{Control, Peaceable};
///
/// let board = Peaceable::new(5);
/// let best = board.solve(&Control::new())?;
/// let (armies, number) = best.solution.expect("no queens at all are peaceable");
/// assert_eq!((number, armies.white.len(), armies.black.len()), (4, 4, 4));
/// assert!(board.is_peaceable(&armies));
/// # Ok::<(), csp_nqueens::QueensError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peaceable {
    size: usize,
}

/// Two armies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Armies {
    /// Where the white queens stand.
    pub white: Vec<Square>,
    /// Where the black queens stand.
    pub black: Vec<Square>,
}

/// A model of two armies, and its variables.
#[derive(Debug, Clone)]
pub struct PeaceableModel {
    /// The model.
    pub model: Model,
    /// Whether a white queen stands on a square, row by row.
    pub white: Vec<Vec<BoolVar>>,
    /// Whether a black queen stands on a square, row by row.
    pub black: Vec<Vec<BoolVar>>,
    /// Each army has at least so many queens.
    pub number: IntVar,
    lines: Lines,
}

impl Peaceable {
    /// A board of `size` rows and columns.
    pub fn new(size: usize) -> Self {
        Self { size }
    }

    /// Whether the armies are equally large and on the board, and no queen attacks one of the other army or stands in its place.
    /// Straight from the definition.
    pub fn is_peaceable(&self, armies: &Armies) -> bool {
        let Armies { white, black } = armies;
        let apart = |&one: &Square, &other: &Square| one != other && !attacks(one, other);
        let mut all = white.iter().chain(black);
        let are_sets = [white, black]
            .into_iter()
            .all(|army| army.iter().collect::<std::collections::BTreeSet<_>>().len() == army.len());
        are_sets
            && white.len() == black.len()
            && all.all(|&(row, column)| row < self.size && column < self.size)
            && white.iter().all(|one| black.iter().all(|other| apart(one, other)))
    }

    /// The model for the engine.
    ///
    /// # Errors
    /// If the board is larger than 60.
    pub fn model(&self) -> Result<PeaceableModel, QueensError> {
        check_size("peaceable", self.size, MAX_SIZE)?;
        let size = self.size;
        let mut model = Model::new();
        let lines = Lines::new(&mut model, size);
        let white: Vec<Vec<BoolVar>> = (0..size).map(|_| model.bools(size)).collect();
        let black: Vec<Vec<BoolVar>> = (0..size).map(|_| model.bools(size)).collect();
        let diagonals = lines.diagonals.len();
        // The white and the black squares of each diagonal, then of each anti-diagonal.
        let mut on = vec![(Vec::new(), Vec::new()); 2 * diagonals];
        for row in 0..size {
            for column in 0..size {
                let (light, dark) = (white[row][column], black[row][column]);
                for line in lines.through((row, column)) {
                    model.post(clause([!light, line]));
                    model.post(clause([!dark, !line]));
                }
                for place in [row + size - 1 - column, diagonals + row + column] {
                    on[place].0.push(light);
                    on[place].1.push(dark);
                }
            }
        }
        let number = model.int_named("army", 0..=(size * size / 2) as i64);
        for army in [&white, &black] {
            model.post(sum(army.iter().flatten()).ge(number));
        }
        for family in on.chunks(diagonals.max(1)) {
            let most = family.iter().map(|(light, dark)| maximum([sum(light), sum(dark)]));
            model.post(sum(most).ge(2 * number));
        }
        lines.break_symmetry(&mut model, true);
        Ok(PeaceableModel { model, white, black, number, lines })
    }

    /// Searches for largest armies until they are known or `control` ends the search.
    ///
    /// # Errors
    /// If the board is larger than 60.
    pub fn solve(&self, control: &Control) -> Result<Best<Armies>, QueensError> {
        self.solve_with(control, |_, _| {})
    }

    /// As [`solve`](Self::solve), and hands each larger pair of armies and their size to `visit` as soon as it is found.
    ///
    /// # Errors
    /// If the board is larger than 60.
    pub fn solve_with(
        &self,
        control: &Control,
        mut visit: impl FnMut(&Armies, usize),
    ) -> Result<Best<Armies>, QueensError> {
        let PeaceableModel { model, white, black, number, lines } = self.model()?;
        let mut solver = model.solver()?;
        solver.set_mode(Mode::Plain);
        let squares = branch(white.iter().chain(&black).flatten()).max_value();
        let diagonals = branch(lines.longest_first()).max_value();
        solver.set_search(branch(lines.outside_in()).max_value().then(diagonals).then(squares));
        let read = |assignment: &Assignment| {
            let mut armies =
                Armies { white: occupied(assignment, &white), black: occupied(assignment, &black) };
            // The larger army sends some home.
            let number = armies.white.len().min(armies.black.len());
            armies.white.truncate(number);
            armies.black.truncate(number);
            armies
        };
        optimise(solver, Sense::Maximise, number, control, read, &mut visit)
    }
}
