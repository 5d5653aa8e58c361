//! The ladder of approaches: one file each, one interface, so that they can be compared.
//!
//! Each is a function `search(puzzle, monitor)`, see [`search`](crate::search). Those that visit all
//! solutions honour placed queens and blocked squares, and so each is an oracle for the others. Those
//! that go row by row visit the same nodes and differ in what a node costs. They call themselves once
//! for each row, which [`Method::max_size`] bounds.
//!
//! Beside the ladder stand those that find one solution, at any size: [`local_search`] and
//! [`closed_form`]. What they find is checked before it is handed out.

mod bit_masks;
mod board_scan;
mod bool_arrays;
mod closed_form;
mod column_scan;
mod cost;
mod engine;
pub(crate) mod local_search;
mod permutations;
mod placements;
mod sets_copy;
mod sets_undo;

#[cfg(test)]
mod tests;

pub use cost::Cost;
pub(crate) use engine::enumerate;

use std::{fmt, num::NonZeroUsize, ops::ControlFlow, str::FromStr};

use crate::{
    Counting, Queens, QueensError,
    counting::{
        Parts,
        join::{self, Join},
        look_ahead::{self, LookAhead},
    },
    search::{Control, Monitor, Report, Stop, run},
};

/// An approach to the puzzle. They are ordered from the slowest to the fastest, as counting goes, and
/// last come those that find one solution only.
///
/// ```
/// use csp_nqueens::{Method, Queens};
///
/// let puzzle = Queens::new(6);
/// for method in Method::ALL {
///     if method.finds_one() {
///         assert!(method.first(&puzzle)?.is_some_and(|columns| puzzle.is_solution(&columns)));
///     } else {
///         assert_eq!(method.count(&puzzle)?, 4);
///     }
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
    /// The generic engine on the model.
    Engine,
    /// Row by row with bit masks of columns and diagonals.
    BitMasks,
    /// Bit masks with symmetry and look-ahead, many boards at a time. Counts on an empty board.
    LookAhead,
    /// The halves of the board listed and joined. Counts.
    Join,
    /// A random board mended by swaps: one solution, at any size.
    LocalSearch,
    /// A formula for the empty board: one solution, at any size.
    ClosedForm,
}

/// What there is to know about a method.
struct Entry {
    name: &'static str,
    summary: &'static str,
    max_size: usize,
    run: Run,
}

/// What a method can do. Only those that visit solutions can list them.
pub(crate) enum Run {
    /// Visits the solutions one by one.
    Visit(fn(&Queens, &mut Monitor<'_>) -> ControlFlow<Stop>),
    /// Finds one solution if there is one, and then ends with [`Stop::Enough`].
    FindOne(fn(&Queens, &mut Monitor<'_>) -> ControlFlow<Stop>),
    /// Counts the solutions without visiting each: the puzzle is cut into parts.
    Count(for<'a> fn(&'a Queens) -> Result<Box<dyn Parts + 'a>, QueensError>),
}

impl Method {
    /// All methods, from the slowest to the fastest, then those that find one solution.
    pub const ALL: [Method; 13] = [
        Method::Placements,
        Method::Permutations,
        Method::BoardScan,
        Method::ColumnScan,
        Method::SetsUndo,
        Method::SetsCopy,
        Method::BoolArrays,
        Method::Engine,
        Method::BitMasks,
        Method::LookAhead,
        Method::Join,
        Method::LocalSearch,
        Method::ClosedForm,
    ];

    fn entry(self) -> Entry {
        match self {
            Method::Placements => Entry {
                name: "placements",
                summary: "every placement of a queen in each row, tested at the end",
                max_size: 16,
                run: Run::Visit(placements::search),
            },
            Method::Permutations => Entry {
                name: "permutations",
                summary: "every permutation of the columns, diagonals tested at the end",
                max_size: 20,
                run: Run::Visit(permutations::search),
            },
            Method::BoardScan => Entry {
                name: "board-scan",
                summary: "row by row, scanning a two-dimensional board",
                max_size: 1000,
                run: Run::Visit(board_scan::search),
            },
            Method::ColumnScan => Entry {
                name: "column-scan",
                summary: "row by row, scanning the earlier queens",
                max_size: 1000,
                run: Run::Visit(column_scan::search),
            },
            Method::SetsUndo => Entry {
                name: "sets-undo",
                summary: "row by row, sets of columns and diagonals, changed and undone",
                max_size: 1000,
                run: Run::Visit(sets_undo::search),
            },
            Method::SetsCopy => Entry {
                name: "sets-copy",
                summary: "row by row, sets of columns and diagonals, copied at each step",
                max_size: 1000,
                run: Run::Visit(sets_copy::search),
            },
            Method::BoolArrays => Entry {
                name: "bool-arrays",
                summary: "row by row, an array of flags for columns and diagonals",
                max_size: 1000,
                run: Run::Visit(bool_arrays::search),
            },
            Method::Engine => Entry {
                name: "engine",
                summary: "the declarative model on the generic constraint engine",
                max_size: engine::MAX_SIZE,
                run: Run::Visit(engine::search),
            },
            Method::BitMasks => Entry {
                name: "bit-masks",
                summary: "row by row, a row's columns and diagonals in machine words",
                max_size: bit_masks::MAX_SIZE,
                run: Run::Visit(bit_masks::search),
            },
            Method::LookAhead => Entry {
                name: "look-ahead",
                summary: "bit masks with symmetry and look-ahead, many boards at a time",
                max_size: look_ahead::MAX_SIZE,
                run: Run::Count(|puzzle| match LookAhead::new(puzzle.size()) {
                    Some(parts) if puzzle.is_empty() => Ok(Box::new(parts)),
                    _ => Err(QueensError::OnlyEmptyBoard { method: Method::LookAhead }),
                }),
            },
            Method::Join => Entry {
                name: "join",
                summary: "the placements of both halves of the board, listed and joined",
                max_size: join::MAX_SIZE,
                run: Run::Count(|puzzle| Ok(Box::new(Join::new(puzzle)))),
            },
            Method::LocalSearch => Entry {
                name: "local-search",
                summary: "one solution: a random board mended by swaps",
                max_size: local_search::MAX_SIZE,
                run: Run::FindOne(|puzzle, monitor| local_search::search(puzzle, 0, monitor)),
            },
            Method::ClosedForm => Entry {
                name: "closed-form",
                summary: "one solution: a formula, for the empty board",
                max_size: closed_form::MAX_SIZE,
                run: Run::FindOne(closed_form::search),
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
        self != Method::Engine && !self.finds_one()
    }

    /// The method to find one solution of this puzzle with.
    ///
    /// The engine where it is quick, which is up to its largest board when that is empty; beyond that
    /// the closed form. With placed queens or blocked squares the engine can lose its way on boards
    /// of a hundred rows, so beyond a few dozen it is local search, which gives the engine its turns.
    ///
    /// ```
    /// use csp_nqueens::{Method, Queens};
    ///
    /// assert_eq!(Method::for_first(&Queens::new(8)), Method::Engine);
    /// assert_eq!(Method::for_first(&Queens::new(1_000_000)), Method::ClosedForm);
    /// assert_eq!(Method::for_first(&Queens::new(1000).place(0, 0)?), Method::LocalSearch);
    /// # Ok::<(), csp_nqueens::QueensError>(())
    /// ```
    pub fn for_first(puzzle: &Queens) -> Method {
        const FEW_ROWS: usize = 30;
        match (puzzle.is_empty(), puzzle.size()) {
            (true, size) if size <= Method::Engine.max_size() => Method::Engine,
            (true, _) => Method::ClosedForm,
            (false, size) if size <= FEW_ROWS => Method::Engine,
            (false, _) => Method::LocalSearch,
        }
    }

    /// Whether it finds one solution only, and neither lists nor counts them.
    pub fn finds_one(self) -> bool {
        matches!(self.entry().run, Run::FindOne(_))
    }

    /// Whether it visits all solutions, so that they can be listed.
    pub fn lists(self) -> bool {
        matches!(self.entry().run, Run::Visit(_))
    }

    /// Searches for solutions and hands each to `visit`: the column of each row's queen.
    ///
    /// Ends when there are no more, when `visit` wants no more or the method [has no
    /// more](Self::finds_one), or when `control` says so; the [`Report`] says which.
    /// Memory does not grow with the number of solutions.
    ///
    /// # Errors
    /// If the board is larger than this method [goes](Self::max_size), is not one that it
    /// takes, or if it only counts.
    pub fn search(
        self,
        puzzle: &Queens,
        control: &Control,
        mut visit: impl FnMut(&[usize]) -> ControlFlow<()>,
    ) -> Result<Report, QueensError> {
        match self.way(puzzle)? {
            Run::Visit(search) => run(control, &mut visit, |monitor| search(puzzle, monitor)),
            Run::FindOne(search) => {
                search_one(self, puzzle, control, visit, |monitor| search(puzzle, monitor))
            }
            Run::Count(_) => Err(QueensError::OnlyCounts { method: self }),
        }
    }

    /// The first solution in this method's order, if there is one.
    ///
    /// # Errors
    /// If the board is larger than this method [goes](Self::max_size), is not one that it
    /// takes, or if it only counts.
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
    /// If the board is larger than this method [goes](Self::max_size), or if it [finds
    /// one](Self::finds_one) only.
    pub fn count(self, puzzle: &Queens) -> Result<u128, QueensError> {
        Ok(Counting::new(self, puzzle).run(&Control::new())?.solutions)
    }

    /// The number of solutions, counted on so many threads until `control` ends it.
    ///
    /// The same as [`Counting`] with these threads.
    ///
    /// # Errors
    /// If the board is larger than this method [goes](Self::max_size), or if it [finds
    /// one](Self::finds_one) only.
    pub fn count_with(
        self,
        puzzle: &Queens,
        control: &Control,
        threads: NonZeroUsize,
    ) -> Result<Report, QueensError> {
        Counting::new(self, puzzle).threads(threads).run(control)
    }

    /// The method that is likely to count the solutions of this puzzle fastest.
    ///
    /// On a board without queens, and with most squares free, it is [`Method::Join`] as far as it goes,
    /// unless the board is so small that nothing matters. Where conditions leave little to search it is
    /// the engine, which sees that. It does not depend on the processor, so that shards fit together.
    pub fn fastest_counter(puzzle: &Queens) -> Method {
        const SMALL: usize = 10;
        let size = puzzle.size();
        let is_open = || puzzle.placed().next().is_none() && puzzle.blocked().count() <= size * size / 4;
        match size {
            0..SMALL => Method::BitMasks,
            _ if size <= Method::Join.max_size() && is_open() => Method::Join,
            _ if puzzle.is_empty() && size <= Method::LookAhead.max_size() => Method::LookAhead,
            _ => Method::Engine,
        }
    }

    /// How this method goes about a puzzle that is not too large for it.
    pub(crate) fn way(self, puzzle: &Queens) -> Result<Run, QueensError> {
        self.check_size(puzzle)?;
        Ok(self.entry().run)
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

/// Runs a search for one solution, and checks that before it is handed out.
pub(crate) fn search_one(
    method: Method,
    puzzle: &Queens,
    control: &Control,
    mut visit: impl FnMut(&[usize]) -> ControlFlow<()>,
    search: impl FnOnce(&mut Monitor<'_>) -> ControlFlow<Stop>,
) -> Result<Report, QueensError> {
    method.check_size(puzzle)?;
    let mut is_right = true;
    let mut checked = |columns: &[usize]| {
        is_right = puzzle.is_solution(columns);
        if is_right {
            // One is all there is, whether the receiver wants more or not.
            let _ = visit(columns);
        }
        ControlFlow::Break(())
    };
    let report = run(control, &mut checked, search)?;
    match is_right {
        true => Ok(report),
        false => Err(QueensError::WrongSolution { method }),
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
