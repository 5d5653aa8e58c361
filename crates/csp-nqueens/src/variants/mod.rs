//! Relatives of the puzzle, each a model for the engine.
//!
//! [`Variant`] has those with one queen in each row, which are solved, listed and counted like the
//! puzzle itself. [`Domination`], [`Peaceable`] and [`Largest`] ask for a best set of squares, and
//! [`Regions`] is the puzzle with coloured regions that newspapers print.

mod best;
mod domination;
mod drawn;
mod kings;
mod largest;
mod lines;
mod peaceable;
mod regions;
mod symmetric;
mod toroidal;
mod wheel;

#[cfg(test)]
mod tests;

pub use best::Best;
pub use domination::{Domination, DominationModel};
pub use kings::count_kings;
pub use largest::{Largest, LargestModel};
pub use peaceable::{Armies, Peaceable, PeaceableModel};
pub use regions::{Regions, RegionsError};
pub use wheel::count_toroidal;

use std::{fmt, ops::ControlFlow, str::FromStr};

use csp_core::Limits;

use crate::{
    Queens, QueensError, QueensModel,
    methods::enumerate,
    search::{Control, Report, run},
};

/// A variant with one queen in each row and each column.
///
/// Queens that already stand, blocked squares and excluded diagonals count as in the puzzle.
///
/// ```
/// use csp_nqueens::{Queens, Variant};
///
/// assert_eq!(Variant::Toroidal.count(&Queens::new(7))?, 28);
/// assert_eq!(Variant::PointSymmetric.count(&Queens::new(8))?, 4);
/// assert_eq!(Variant::QuarterTurn.count(&Queens::new(5))?, 2);
/// assert_eq!(Variant::Kings.count(&Queens::new(5))?, 14);
/// # Ok::<(), csp_nqueens::QueensError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variant {
    /// The diagonals wrap round the edges of the board.
    Toroidal,
    /// Solutions of the puzzle that stay the same when the board is turned by half.
    PointSymmetric,
    /// Solutions of the puzzle that stay the same when the board is turned by a quarter.
    QuarterTurn,
    /// Instead of along diagonals, queens attack the squares next to them.
    Kings,
}

impl Variant {
    /// All of them.
    pub const ALL: [Variant; 4] =
        [Variant::Toroidal, Variant::PointSymmetric, Variant::QuarterTurn, Variant::Kings];

    /// The largest board. There is far less memory to it than to the puzzle's, but nobody asks.
    const MAX_SIZE: usize = 1000;

    /// The name by which a user calls it.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Toroidal => "toroidal",
            Variant::PointSymmetric => "point-symmetric",
            Variant::QuarterTurn => "quarter-turn",
            Variant::Kings => "kings",
        }
    }

    /// What it means, in a line.
    pub fn summary(self) -> &'static str {
        match self {
            Variant::Toroidal => "diagonals wrap round the edges",
            Variant::PointSymmetric => "only solutions that a half turn does not change",
            Variant::QuarterTurn => "only solutions that a quarter turn does not change",
            Variant::Kings => "no two next to each other, not even diagonally, instead of the diagonals",
        }
    }

    /// The variant as a model for the engine.
    ///
    /// # Errors
    /// If the board is larger than 1000.
    pub fn model(self, puzzle: &Queens) -> Result<QueensModel, QueensError> {
        check_size(self.name(), puzzle.size(), Self::MAX_SIZE)?;
        match self {
            Variant::Toroidal => toroidal::model(puzzle),
            Variant::PointSymmetric => symmetric::half_turn(puzzle),
            Variant::QuarterTurn => symmetric::quarter_turn(puzzle),
            Variant::Kings => kings::model(puzzle),
        }
    }

    /// Whether these columns, one for each row, solve the variant. Straight from the definition.
    pub fn is_solution(self, puzzle: &Queens, columns: &[usize]) -> bool {
        match self {
            Variant::Toroidal => toroidal::is_solution(puzzle, columns),
            Variant::PointSymmetric => symmetric::is_half_turn(puzzle, columns),
            Variant::QuarterTurn => symmetric::is_quarter_turn(puzzle, columns),
            Variant::Kings => kings::is_solution(puzzle, columns),
        }
    }

    /// Searches for solutions and hands each to `visit`, as [`Method::search`](crate::Method::search) does.
    ///
    /// # Errors
    /// If the board is larger than 1000.
    pub fn search(
        self,
        puzzle: &Queens,
        control: &Control,
        mut visit: impl FnMut(&[usize]) -> ControlFlow<()>,
    ) -> Result<Report, QueensError> {
        run(control, &mut visit, |monitor| {
            enumerate(|| self.model(puzzle), Limits::new(), monitor)?;
            ControlFlow::Continue(())
        })
    }

    /// The number of solutions.
    ///
    /// # Errors
    /// If the board is larger than 1000.
    pub fn count(self, puzzle: &Queens) -> Result<u128, QueensError> {
        Ok(self.search(puzzle, &Control::new(), |_| ControlFlow::Continue(()))?.solutions)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Variant {
    type Err = QueensError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Variant::ALL.into_iter().find(|variant| variant.name() == name);
        found.ok_or_else(|| QueensError::UnknownVariant { name: name.to_owned() })
    }
}

fn check_size(variant: &'static str, size: usize, most: usize) -> Result<(), QueensError> {
    match size <= most {
        true => Ok(()),
        false => Err(QueensError::LargeVariant { size, variant, most }),
    }
}
