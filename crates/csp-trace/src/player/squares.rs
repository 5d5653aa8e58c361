//! Squares of the boards: what they are called, why they are as they are, and which is taken next.

use super::Player;
use crate::{CellState, Kind, Look, Step};

/// A square of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Square {
    /// The index of the board.
    pub board: usize,
    /// The row of that board.
    pub row: usize,
    /// The square of that row.
    pub cell: usize,
}

impl Player {
    /// What a square is called.
    ///
    /// # Panics
    /// If there is no such square.
    pub fn name(&self, square: Square) -> String {
        let board = &self.story.boards[square.board];
        let row = &board.rows[square.row];
        match board.look {
            Look::Queens => format!("{}, column {}", row.label, row.cells[square.cell]),
            Look::Plain | Look::Digits => format!("{} = {}", row.label, row.cells[square.cell]),
        }
    }

    /// Why a square is as it is after this step, in a sentence that names it: what the last step that left it
    /// so said of it, or else its state in words.
    ///
    /// # Panics
    /// If there is no such square.
    pub fn why(&self, square: Square) -> String {
        let name = self.name(square);
        match self.said(square) {
            // Some sentences name the square or its row themselves.
            Some(words)
                if words.starts_with(&name) || words.starts_with(&format!("{} ", self.label(square))) =>
            {
                words.to_owned()
            }
            Some(words) => format!("{name}: {words}"),
            None => format!("{name}: {}", self.describe(self.state(square.board, square.row, square.cell))),
        }
    }

    fn label(&self, square: Square) -> &str {
        &self.story.boards[square.board].rows[square.row].label
    }

    /// Why each square of a row is as it is; those that are still possible are named together.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn why_row(&self, board: usize, row: usize) -> Vec<String> {
        let (free, decided): (Vec<usize>, Vec<usize>) = (0..self.row(board, row).len())
            .partition(|&cell| self.state(board, row, cell) == CellState::Free);
        let names = &self.story.boards[board].rows[row];
        let list: Vec<&str> = free.iter().map(|&cell| names.cells[cell].as_str()).collect();
        let summary = match list.as_slice() {
            [] => None,
            list => Some(format!("{}: may still be {}.", names.label, list.join(", "))),
        };
        let others = decided.into_iter().map(|cell| self.why(Square { board, row, cell }));
        summary.into_iter().chain(others).collect()
    }

    /// The square that the next step chooses, if it is a choice that takes one: what a viewer may be asked
    /// to predict.
    ///
    /// ```
    /// use csp_trace::{Board, CellChange, CellState, Kind, Player, Row, Square, Status, Step, Story, TreeNode};
    /// let queen = CellChange::new(0, 1, CellState::Free, CellState::Chosen);
    /// let mut player = Player::new(Story {
    ///     boards: vec![Board { rows: vec![Row::numbered("row 0", 2)], ..Board::default() }],
    ///     steps: vec![
    ///         Step::new(Kind::Start, "The board is empty."),
    ///         Step { changes: vec![queen], ..Step::new(Kind::Choice, "Row 0 is 1.") },
    ///     ],
    ///     nodes: vec![TreeNode { parent: None, label: "start".into(), status: Status::Open }],
    ///     ..Story::default()
    /// })?;
    /// assert_eq!(player.next_choice(), Some(Square { board: 0, row: 0, cell: 1 }));
    /// player.forward();
    /// assert_eq!(player.next_choice(), None);
    /// # Ok::<(), csp_trace::Incomplete>(())
    /// ```
    pub fn next_choice(&self) -> Option<Square> {
        self.choice(self.at + 1)
    }

    /// The square that a step chooses, if it is a choice that takes one.
    pub fn choice(&self, number: usize) -> Option<Square> {
        let step = self.story.steps.get(number).filter(|step| step.kind == Kind::Choice)?;
        let change = step.changes.iter().find(|change| change.to == CellState::Chosen)?;
        Some(Square { board: step.board, row: change.row, cell: change.cell })
    }

    /// The words of the last step that spoke of a square and left it as it is now.
    fn said(&self, square: Square) -> Option<&str> {
        let now = self.state(square.board, square.row, square.cell);
        let is_it = |row, cell| (row, cell) == (square.row, square.cell);
        let mut state = now;
        for step in self.story.steps[..=self.at].iter().rev().filter(|step| step.board == square.board) {
            let Step { why, changes, .. } = step;
            let said = why.iter().rev().find(|why| state == now && is_it(why.row, why.cell));
            if let Some(why) = said {
                return Some(&why.words);
            }
            let change = changes.iter().find(|change| is_it(change.row, change.cell));
            state = change.map_or(state, |change| change.from);
        }
        None
    }

    fn describe(&self, state: CellState) -> String {
        match (state, self.rule(state)) {
            (CellState::Free, _) => "nothing rules it out so far.".to_owned(),
            (CellState::Chosen, _) => "it is taken.".to_owned(),
            (CellState::Given, _) => "it was given.".to_owned(),
            (CellState::Forced, _) => "it is taken: nothing else was left.".to_owned(),
            (CellState::Out { .. }, Some(rule)) => format!("it is out because of {}.", rule.name),
            (CellState::Out { .. }, None) => "it is out.".to_owned(),
        }
    }
}
