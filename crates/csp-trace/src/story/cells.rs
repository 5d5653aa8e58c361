//! Squares: their states, how a step changes them, and what is said of them. As JSON a state is a
//! number, a change `[row, cell, from, to]` and a reason `[row, cell, words]`.

use serde::{Deserialize, Serialize};

/// The state of a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
pub enum CellState {
    /// Still possible.
    #[default]
    Free,
    /// Ruled out.
    Out {
        /// By whom: an index into [`Story::constraints`](super::Story::constraints).
        rule: u8,
    },
    /// Taken by a choice.
    Chosen,
    /// Taken from the start: part of the problem.
    Given,
    /// Taken because nothing else is left to its row.
    Forced,
}

impl CellState {
    /// Whether the square is the one of its row that is taken, for whatever reason.
    pub fn is_taken(self) -> bool {
        matches!(self, CellState::Chosen | CellState::Given | CellState::Forced)
    }

    /// Whether the square is ruled out, by whomever.
    pub fn is_out(self) -> bool {
        matches!(self, CellState::Out { .. })
    }
}

/// As JSON: 0 free, 1 chosen, 2 given, 3 forced, and from 4 on out, by rule 0, 1, ….
const FIRST_RULE: u16 = 4;

impl From<CellState> for u16 {
    fn from(state: CellState) -> u16 {
        match state {
            CellState::Free => 0,
            CellState::Chosen => 1,
            CellState::Given => 2,
            CellState::Forced => 3,
            CellState::Out { rule } => FIRST_RULE + u16::from(rule),
        }
    }
}

impl TryFrom<u16> for CellState {
    type Error = String;

    fn try_from(number: u16) -> Result<CellState, String> {
        match number {
            0 => Ok(CellState::Free),
            1 => Ok(CellState::Chosen),
            2 => Ok(CellState::Given),
            3 => Ok(CellState::Forced),
            _ => match u8::try_from(number - FIRST_RULE) {
                Ok(rule) => Ok(CellState::Out { rule }),
                Err(_) => Err(format!("{number} is no state of a square")),
            },
        }
    }
}

/// What a step does to one square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(usize, usize, CellState, CellState)", into = "(usize, usize, CellState, CellState)")]
pub struct CellChange {
    /// The row of the step's board.
    pub row: usize,
    /// The square of that row.
    pub cell: usize,
    /// Its state before the step.
    pub from: CellState,
    /// Its state after it.
    pub to: CellState,
}

impl CellChange {
    /// The square at `row` and `cell` goes `from` one state `to` another.
    pub fn new(row: usize, cell: usize, from: CellState, to: CellState) -> CellChange {
        CellChange { row, cell, from, to }
    }
}

impl From<(usize, usize, CellState, CellState)> for CellChange {
    fn from((row, cell, from, to): (usize, usize, CellState, CellState)) -> CellChange {
        CellChange { row, cell, from, to }
    }
}

impl From<CellChange> for (usize, usize, CellState, CellState) {
    fn from(change: CellChange) -> Self {
        (change.row, change.cell, change.from, change.to)
    }
}

/// What to say of a square, such as why it is out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(usize, usize, String)", into = "(usize, usize, String)")]
pub struct Why {
    /// The row of the step's board.
    pub row: usize,
    /// The square of that row.
    pub cell: usize,
    /// A sentence.
    pub words: String,
}

impl Why {
    /// The square at `row` and `cell`, and what to say of it.
    pub fn new(row: usize, cell: usize, words: impl Into<String>) -> Why {
        Why { row, cell, words: words.into() }
    }
}

impl From<(usize, usize, String)> for Why {
    fn from((row, cell, words): (usize, usize, String)) -> Why {
        Why { row, cell, words }
    }
}

impl From<Why> for (usize, usize, String) {
    fn from(why: Why) -> Self {
        (why.row, why.cell, why.words)
    }
}
