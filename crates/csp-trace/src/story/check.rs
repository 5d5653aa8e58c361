//! Whether a story is whole: each step fits the ones before it, and nothing that was said to happen is
//! missing.

use super::{Board, CellState, Kind, Status, Step, Story};

/// What is wrong with a story.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Incomplete {
    /// A step or node speaks of something that is not there.
    #[error("{0} speaks of something that is not there")]
    Missing(String),
    /// A change starts from a state its square is not in.
    #[error("step {0} does not fit the steps before it")]
    Broken(usize),
    /// A board's steps do not begin with a start, or do not close with an end.
    #[error("the steps of board {0} are cut off")]
    CutOff(usize),
    /// A node's end, as its status tells it, is not among the steps.
    #[error("what became of node {0} is not told")]
    Untold(usize),
    /// At a solution some row has not exactly one square taken.
    #[error("step {step}: row {row} has not one square taken, though this is a solution")]
    Unsettled {
        /// The step of the solution.
        step: usize,
        /// The row.
        row: usize,
    },
}

impl Story {
    /// Checks that the story is whole, as far as its parts tell of each other.
    ///
    /// Every change must start from the state its square is in; each board's steps run from a start to an
    /// end; every failed leaf has its dead end, every solved node its solution, and at a solution each row
    /// has one square taken. So a step that was lost shows, unless it did nothing (a fixpoint), or only
    /// removed squares that were never touched again.
    ///
    /// ```
    /// use csp_trace::{CellChange, CellState, Incomplete, Kind, Step, Story};
    /// assert_eq!(Story::default().check(), Ok(()));
    /// let story = Story { steps: vec![Step::new(Kind::Start, "…")], ..Story::default() };
    /// assert_eq!(story.check(), Err(Incomplete::Missing("step 0".into())));
    /// ```
    ///
    /// # Errors
    /// The first fault found.
    pub fn check(&self) -> Result<(), Incomplete> {
        self.check_places()?;
        self.check_ends()?;
        self.check_nodes()?;
        self.check_changes()
    }

    /// Checks that every part speaks only of what is there.
    pub(crate) fn check_places(&self) -> Result<(), Incomplete> {
        let missing = |what: &str, number: usize| Err(Incomplete::Missing(format!("{what} {number}")));
        for (number, node) in self.nodes.iter().enumerate() {
            if node.parent.is_some_and(|parent| parent >= number) {
                return missing("node", number);
            }
        }
        for (number, step) in self.steps.iter().enumerate() {
            let Some(board) = self.boards.get(step.board) else { return missing("step", number) };
            let there =
                |row: usize, cell: usize| board.rows.get(row).is_some_and(|row| cell < row.cells.len());
            let known = |state| match state {
                CellState::Out { rule } => usize::from(rule) < self.constraints.len(),
                _ => true,
            };
            let fits = step.node < self.nodes.len()
                && (step.line < self.pseudocode.len() || step.line == 0)
                && step.changes.iter().all(|change| there(change.row, change.cell))
                && step.changes.iter().all(|change| known(change.from) && known(change.to))
                && step.why.iter().all(|why| there(why.row, why.cell));
            if !fits {
                return missing("step", number);
            }
        }
        Ok(())
    }

    fn check_ends(&self) -> Result<(), Incomplete> {
        for board in 0..self.boards.len() {
            let kinds = || self.steps.iter().filter(move |step| step.board == board).map(|step| step.kind);
            if kinds().next() != Some(Kind::Start) || kinds().next_back() != Some(Kind::End) {
                return Err(Incomplete::CutOff(board));
            }
        }
        Ok(())
    }

    fn check_nodes(&self) -> Result<(), Incomplete> {
        let mut is_leaf = vec![true; self.nodes.len()];
        let mut told = vec![(false, false, false); self.nodes.len()];
        for parent in self.nodes.iter().filter_map(|node| node.parent) {
            is_leaf[parent] = false;
        }
        for Step { node, kind, .. } in &self.steps {
            told[*node].0 = true;
            told[*node].1 |= *kind == Kind::DeadEnd;
            told[*node].2 |= *kind == Kind::Solution;
        }
        for (number, node) in self.nodes.iter().enumerate() {
            let (reached, dead_end, solution) = told[number];
            let whole = match node.status {
                Status::Open => true,
                Status::Branch => reached,
                Status::Failed => reached && (dead_end || !is_leaf[number]),
                Status::Solved => solution,
            };
            if !whole {
                return Err(Incomplete::Untold(number));
            }
        }
        Ok(())
    }

    fn check_changes(&self) -> Result<(), Incomplete> {
        let mut boards: Vec<_> = self.boards.iter().map(Board::untouched).collect();
        for (number, step) in self.steps.iter().enumerate() {
            let board = &mut boards[step.board];
            for change in &step.changes {
                let square = &mut board[change.row][change.cell];
                if *square != change.from {
                    return Err(Incomplete::Broken(number));
                }
                *square = change.to;
            }
            if step.kind == Kind::Solution
                && let Some(row) = board.iter().position(|row| !is_settled(row))
            {
                return Err(Incomplete::Unsettled { step: number, row });
            }
        }
        Ok(())
    }
}

fn is_settled(row: &[CellState]) -> bool {
    row.iter().filter(|state| state.is_taken()).count() == 1
}
