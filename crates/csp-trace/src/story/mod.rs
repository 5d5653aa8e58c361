//! The story of a search: boards, rules, a tree, and the steps that change them.

mod beside;
mod cells;
mod check;

pub use cells::{CellChange, CellState, Why};
pub use check::Incomplete;

use serde::{Deserialize, Serialize};

/// A search as it is shown: the boards before it began, and every step it took.
///
/// All squares start [`Free`](CellState::Free); a step's changes say what each square was and what it
/// becomes, so that going forward applies the one and going back the other, and neither needs a copy
/// of the board.
///
/// As JSON the keys of steps are one letter long and changes are arrays, since a page carries thousands.
///
/// ```
/// use csp_trace::{Board, CellChange, CellState, Kind, Look, Row, Status, Step, Story, TreeNode};
/// let story = Story {
///     title: "One queen".into(),
///     boards: vec![Board { title: String::new(), look: Look::Queens, rows: vec![Row::numbered("row 0", 1)] }],
///     pseudocode: vec!["place a queen".into()],
///     constraints: vec![],
///     nodes: vec![TreeNode { parent: None, label: "start".into(), status: Status::Solved }],
///     steps: vec![
///         Step::new(Kind::Start, "The board is empty."),
///         Step {
///             changes: vec![CellChange::new(0, 0, CellState::Free, CellState::Chosen)],
///             ..Step::new(Kind::Choice, "A queen on row 0, column 0.")
///         },
///         Step::new(Kind::Solution, "A solution."),
///         Step::new(Kind::End, "That was all."),
///     ],
/// };
/// let json = serde_json::to_string(&story)?;
/// assert_eq!(serde_json::from_str::<Story>(&json)?, story);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Story {
    /// What is being solved, and how.
    pub title: String,
    /// One board, or two for methods told side by side.
    pub boards: Vec<Board>,
    /// The lines of the algorithm.
    pub pseudocode: Vec<String>,
    /// Who may rule out a square.
    pub constraints: Vec<Rule>,
    /// The search tree, parents before their children.
    pub nodes: Vec<TreeNode>,
    /// What happened, in order.
    pub steps: Vec<Step>,
}

/// Rows of labelled squares: a row is a variable, a square one of its values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Board {
    /// The board's name; needed only where a story has two.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// How the rows are laid out.
    pub look: Look,
    /// The rows, from the top.
    pub rows: Vec<Row>,
}

impl Board {
    /// The states of its squares before anything happened.
    pub(crate) fn untouched(&self) -> Vec<Vec<CellState>> {
        self.rows.iter().map(|row| vec![CellState::Free; row.cells.len()]).collect()
    }
}

/// A row of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The name of the row, usually that of its variable.
    pub label: String,
    /// The label of each square, usually its value.
    pub cells: Vec<String>,
}

impl Row {
    /// A row of `size` squares labelled from 0.
    pub fn numbered(label: impl Into<String>, size: usize) -> Row {
        Row { label: label.into(), cells: (0..size).map(|cell| cell.to_string()).collect() }
    }
}

/// How a board is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Look {
    /// A table of rows, each square with its label.
    #[default]
    Plain,
    /// A chessboard, with a queen on each chosen square.
    Queens,
    /// A square of boxes, a box for each row of the board, filled line by line: candidates as small
    /// digits, the chosen one large, a given one bold. Wants as many rows as a square number has, 81
    /// for a Sudoku; boards with another number of rows are shown plain.
    Digits,
}

/// Something that may rule out squares: a constraint, or a family of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// Shown on the squares it rules out.
    pub letter: char,
    /// Its name in words.
    pub name: String,
    /// Which of the page's eight colours it has; counted modulo eight.
    pub colour: u8,
}

/// A node of the search tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeNode {
    /// The index of the node above; none for a root. With two boards each has a root of its own.
    #[serde(rename = "p", default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// The choice that leads here, in a few letters.
    #[serde(rename = "l")]
    pub label: String,
    /// What became of it in the end.
    #[serde(rename = "s")]
    pub status: Status,
}

/// What became of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The search stopped before it was done with this node.
    #[default]
    Open,
    /// There is no solution under it.
    Failed,
    /// It is a solution.
    Solved,
    /// A solution lies under it.
    Branch,
}

/// One step of the search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What kind of step it is.
    #[serde(rename = "k")]
    pub kind: Kind,
    /// What happened, in a sentence.
    #[serde(rename = "w")]
    pub words: String,
    /// The index of the active line of the pseudocode.
    #[serde(rename = "l", default, skip_serializing_if = "is_zero")]
    pub line: usize,
    /// The index of the node the search is at.
    #[serde(rename = "n", default, skip_serializing_if = "is_zero")]
    pub node: usize,
    /// The index of the board the step is about.
    #[serde(rename = "b", default, skip_serializing_if = "is_zero")]
    pub board: usize,
    /// What the step does to the squares of its board.
    #[serde(rename = "c", default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<CellChange>,
    /// What to say when somebody asks about a square; the last step that speaks of a square and left
    /// it as it is now wins.
    #[serde(rename = "y", default, skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<Why>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Step {
    /// A step that changes nothing yet, at the first line, node and board.
    pub fn new(kind: Kind, words: impl Into<String>) -> Step {
        Step { kind, words: words.into(), ..Step::default() }
    }
}

/// The kinds of step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Before anything was chosen.
    #[default]
    Start,
    /// The search decides something.
    Choice,
    /// Squares are ruled out.
    Removal,
    /// Nothing is left under this node.
    DeadEnd,
    /// Choices are taken back.
    Undo,
    /// A solution.
    Solution,
    /// Nothing more follows from the choices so far.
    Fixpoint,
    /// The search is over, or the story is.
    End,
}
