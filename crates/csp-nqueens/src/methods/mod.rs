//! The ladder of approaches: one file each, one interface, so that they can be compared.
//!
//! Each is a function `search(puzzle, monitor)`, see [`search`](crate::search). All of them honour
//! placed queens and blocked squares, and so each is an oracle for the others. Those that go row
//! by row visit the same nodes and differ in what a node costs. They call themselves once for
//! each row, which [`Method::max_size`] bounds.

mod bit_masks;
mod board_scan;
mod bool_arrays;
mod column_scan;
mod cost;
mod engine;
mod permutations;
mod placements;
mod sets_copy;
mod sets_undo;

#[cfg(test)]
mod tests;

pub use cost::Cost;

use std::{fmt, ops::ControlFlow, str::FromStr};

use crate::{
    Queens, QueensError,
    search::{Control, Monitor, Report, Stop, run},
};

/// An approach to the puzzle. They are ordered from the plainest to the most general.
///
/// ```
/// use csp_nqueens::{Method, Queens};
///
/// for method in Method::ALL {
///     assert_eq!(method.count(&Queens::new(6))?, 4);
/// }
/// # Ok::<(), csp_nqueens::QueensError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// Every placement of one queen in each row, tested at the end.
    Placements,
    /// Every permutation of the columns, filtered.
    Permutations,
    /// Row by row on a full two-dimensional board that is scanned.
    BoardScan,
    /// Row by row with a scan of the earlier queens.
    ColumnScan,
    /// Row by row with sets of columns and diagonals, changed in place and undone.
    SetsUndo,
    /// Row by row with sets of columns and diagonals, copied at each step.
    SetsCopy,
    /// Row by row with arrays of flags for columns and diagonals.
    BoolArrays,
    /// Row by row with bit masks of columns and diagonals.
    BitMasks,
    /// The generic engine on the model.
    Engine,
}

/// What there is to know about a method.
struct Entry {
    name: &'static str,
    summary: &'static str,
    max_size: usize,
    search: fn(&Queens, &mut Monitor<'_>) -> ControlFlow<Stop>,
}

impl Method {
    /// All methods, from the plainest to the most general.
    pub const ALL: [Method; 9] = [
        Method::Placements,
        Method::Permutations,
        Method::BoardScan,
        Method::ColumnScan,
        Method::SetsUndo,
        Method::SetsCopy,
        Method::BoolArrays,
        Method::BitMasks,
        Method::Engine,
    ];

    fn entry(self) -> Entry {
        match self {
            Method::Placements => Entry {
                name: "placements",
                summary: "every placement of a queen in each row, tested at the end",
                max_size: 16,
                search: placements::search,
            },
            Method::Permutations => Entry {
                name: "permutations",
                summary: "every permutation of the columns, diagonals tested at the end",
                max_size: 20,
                search: permutations::search,
            },
            Method::BoardScan => Entry {
                name: "board-scan",
                summary: "row by row, scanning a two-dimensional board",
                max_size: 1000,
                search: board_scan::search,
            },
            Method::ColumnScan => Entry {
                name: "column-scan",
                summary: "row by row, scanning the earlier queens",
                max_size: 1000,
                search: column_scan::search,
            },
            Method::SetsUndo => Entry {
                name: "sets-undo",
                summary: "row by row, sets of columns and diagonals, changed and undone",
                max_size: 1000,
                search: sets_undo::search,
            },
            Method::SetsCopy => Entry {
                name: "sets-copy",
                summary: "row by row, sets of columns and diagonals, copied at each step",
                max_size: 1000,
                search: sets_copy::search,
            },
            Method::BoolArrays => Entry {
                name: "bool-arrays",
                summary: "row by row, an array of flags for columns and diagonals",
                max_size: 1000,
                search: bool_arrays::search,
            },
            Method::BitMasks => Entry {
                name: "bit-masks",
                summary: "row by row, a row's columns and diagonals in machine words",
                max_size: bit_masks::MAX_SIZE,
                search: bit_masks::search,
            },
            Method::Engine => Entry {
                name: "engine",
                summary: "the declarative model on the generic constraint engine",
                max_size: engine::MAX_SIZE,
                search: engine::search,
            },
        }
    }

    /// The name by which a user calls it.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// What it does, in a line.
    pub fn summary(self) -> &'static str {
        self.entry().summary
    }

    /// The largest board it takes.
    pub fn max_size(self) -> usize {
        self.entry().max_size
    }

    /// Whether its solutions come in lexicographic order.
    pub fn is_lexicographic(self) -> bool {
        self != Method::Engine
    }

    /// Searches for solutions and hands each to `visit`: the column of each row's queen.
    ///
    /// Ends when there are no more, when `visit` wants no more, or when `control` says so; the
    /// [`Report`] says which. Memory does not grow with the number of solutions.
    ///
    /// # Errors
    /// If the board is larger than this method [goes](Self::max_size).
    pub fn search(
        self,
        puzzle: &Queens,
        control: &Control,
        mut visit: impl FnMut(&[usize]) -> ControlFlow<()>,
    ) -> Result<Report, QueensError> {
        self.check_size(puzzle)?;
        let search = self.entry().search;
        run(control, &mut visit, |monitor| search(puzzle, monitor))
    }

    /// The first solution in this method's order, if there is one.
    ///
    /// # Errors
    /// If the board is larger than this method [goes](Self::max_size).
    pub fn first(self, puzzle: &Queens) -> Result<Option<Vec<usize>>, QueensError> {
        let mut first = None;
        self.search(puzzle, &Control::new(), |columns| {
            first = Some(columns.to_vec());
            ControlFlow::Break(())
        })?;
        Ok(first)
    }

    /// The number of solutions.
    ///
    /// # Errors
    /// If the board is larger than this method [goes](Self::max_size).
    pub fn count(self, puzzle: &Queens) -> Result<u64, QueensError> {
        let report = self.search(puzzle, &Control::new(), |_| ControlFlow::Continue(()))?;
        Ok(report.solutions)
    }

    /// An error if the board is larger than this method goes.
    pub(crate) fn check_size(self, puzzle: &Queens) -> Result<(), QueensError> {
        let size = puzzle.size();
        match size <= self.max_size() {
            true => Ok(()),
            false => Err(QueensError::TooLarge { size, method: self }),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Method {
    type Err = QueensError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Method::ALL.into_iter().find(|method| method.name() == name);
        found.ok_or_else(|| QueensError::UnknownMethod { name: name.to_owned() })
    }
}
