//! The board a story is played on: squares are changed one by one, and a step takes up all changes
//! since the last.

use std::{collections::BTreeMap, fmt::Display, ops::ControlFlow};

use super::list::count;
use crate::{Board, CellChange, CellState, Kind, Status, Step, Story, TreeNode, Why};

/// A row of a board and a square of that row.
pub type Place = (usize, usize);

/// Of which kind a step is and where it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cue {
    /// Its kind.
    pub kind: Kind,
    /// The index of the line of the pseudocode.
    pub line: usize,
    /// The index of the node of the tree.
    pub node: usize,
}

/// A board and the story so far, for whoever tells of a search of its own.
///
/// What tells a step breaks when the story is at its end, because the search is or because the story may
/// become no longer; nothing may be told then but the [whole](Self::finish).
///
/// ```
/// use csp_trace::{Board, CellState, Cue, Kind, Look, Row, Stage, Story};
/// use std::ops::ControlFlow;
///
/// fn tell(stage: &mut Stage) -> ControlFlow<()> {
///     stage.start("start: one row of two squares")?;
///     let node = stage.add_node(0, "0,1");
///     stage.set((0, 1), CellState::Chosen);
///     stage.tell(Cue { kind: Kind::Choice, line: 0, node }, "a queen on column 1")?;
///     stage.solution(Cue { kind: Kind::Solution, line: 0, node }, "[1]")?;
///     stage.over()
/// }
///
/// let board = Board { title: String::new(), look: Look::Queens, rows: vec![Row::numbered("row 0", 2)] };
/// let mut stage = Stage::new(Story { boards: vec![board], ..Story::default() }, 100);
/// let _ = tell(&mut stage);
/// let story = stage.finish();
/// assert_eq!(story.steps.last().unwrap().words, "the search is over, with 1 solution");
/// assert_eq!(story.check(), Ok(()));
/// ```
#[derive(Clone, Debug)]
pub struct Stage {
    story: Story,
    limit: usize,
    solutions: u64,
    /// The state of each square of each row now.
    states: Vec<Vec<CellState>>,
    /// And at the end of the first step.
    standing: Vec<Vec<CellState>>,
    /// The squares touched since the last step, and their states at its end.
    touched: BTreeMap<Place, CellState>,
    /// What is to be said of squares with the next step.
    why: Vec<Why>,
}

impl Stage {
    /// The first board of a story without steps, all of it free, and a tree with its root. The story has at
    /// most `limit` steps, two or more; one that is cut says so in its last step.
    pub fn new(story: Story, limit: usize) -> Stage {
        let states = story.boards.first().map_or(Vec::new(), Board::untouched);
        let mut stage = Stage {
            limit: limit.max(2),
            solutions: 0,
            standing: states.clone(),
            states,
            touched: BTreeMap::new(),
            why: Vec::new(),
            story,
        };
        stage.push_node(None, "start".to_owned());
        stage
    }

    /// How many rows the board has.
    pub fn rows(&self) -> usize {
        self.states.len()
    }

    /// The states of the squares of a row.
    pub fn row(&self, row: usize) -> &[CellState] {
        &self.states[row]
    }

    /// The state of a square.
    pub fn state(&self, (row, cell): Place) -> CellState {
        self.states[row][cell]
    }

    /// The state of a square after the first step.
    pub fn standing(&self, (row, cell): Place) -> CellState {
        self.standing[row][cell]
    }

    /// How many solutions were told.
    pub fn solutions(&self) -> u64 {
        self.solutions
    }

    /// Whether the last step told of a solution.
    pub fn is_solved(&self) -> bool {
        self.story.steps.last().is_some_and(|step| step.kind == Kind::Solution)
    }

    /// Adds a node to the tree, below one that is there.
    pub fn add_node(&mut self, parent: usize, label: impl Into<String>) -> usize {
        self.push_node(Some(parent), label.into())
    }

    fn push_node(&mut self, parent: Option<usize>, label: String) -> usize {
        self.story.nodes.push(TreeNode { parent, label, status: Status::Open });
        self.story.nodes.len() - 1
    }

    /// The search is done with a node. It was a solution, or had some below it, or none.
    pub fn close(&mut self, node: usize, status: Status) {
        self.story.nodes[node].status = status;
    }

    /// Changes a square.
    pub fn set(&mut self, (row, cell): Place, state: CellState) {
        self.touched.entry((row, cell)).or_insert(self.states[row][cell]);
        self.states[row][cell] = state;
    }

    /// The square is out by a rule, and why.
    pub fn rule_out(&mut self, square: Place, rule: u8, words: impl Into<String>) {
        self.set(square, CellState::Out { rule });
        self.why.push(Why::new(square.0, square.1, words));
    }

    /// The square is as it was after the first step.
    pub fn clear(&mut self, square: Place) {
        self.set(square, self.standing(square));
    }

    /// The first step: the board as it stands before the search.
    pub fn start(&mut self, words: impl Into<String>) -> ControlFlow<()> {
        self.standing = self.states.clone();
        self.tell(Cue { kind: Kind::Start, line: 0, node: 0 }, words)
    }

    /// A step that is not the last.
    pub fn tell(&mut self, cue: Cue, words: impl Into<String>) -> ControlFlow<()> {
        if self.story.steps.len() + 1 >= self.limit {
            return self.cut(cue.node);
        }
        self.push(cue, words.into());
        ControlFlow::Continue(())
    }

    /// The next solution, at its node, with its values in words.
    pub fn solution(&mut self, cue: Cue, values: impl Display) -> ControlFlow<()> {
        self.solutions += 1;
        self.tell(cue, format!("solution {}: {values}", self.solutions))?;
        self.close(cue.node, Status::Solved);
        ControlFlow::Continue(())
    }

    /// The last step: the search is over.
    pub fn over(&mut self) -> ControlFlow<()> {
        let words = match self.solutions {
            0 => "the search is over: there is no solution".to_owned(),
            solutions => format!("the search is over, with {}", count(solutions, "solution")),
        };
        self.end(0, words)
    }

    /// The last step: the search is over, and each solution was better than those before.
    pub fn best(&mut self) -> ControlFlow<()> {
        let words = match self.solutions {
            0 => return self.over(),
            solutions => format!("the search is over: none is better than solution {solutions}"),
        };
        self.end(0, words)
    }

    /// The last step, at a node: the search was stopped, if not for a solution that was just told.
    pub fn stop(&mut self, node: usize) -> ControlFlow<()> {
        let words = match self.solutions {
            _ if !self.is_solved() => return self.cut(node),
            1 => "the story ends here, with the first solution".to_owned(),
            solutions => format!("the story ends here, with solution {solutions}"),
        };
        self.end(node, words)
    }

    /// The last step, at a node: the story is long enough, and the search goes on.
    pub fn cut(&mut self, node: usize) -> ControlFlow<()> {
        let words =
            format!("the story ends here, after {} steps: the search goes on", self.story.steps.len());
        self.end(node, words)
    }

    /// The last step, at a node. What was to be done with the next is not, and a node that no step tells of is not shown.
    pub fn end(&mut self, node: usize, words: impl Into<String>) -> ControlFlow<()> {
        self.touched.clear();
        self.why.clear();
        let told = self.story.steps.iter().map(|step| step.node).max().unwrap_or(0);
        self.story.nodes.truncate(told + 1);
        self.push(Cue { kind: Kind::End, line: 0, node: node.min(told) }, words.into());
        ControlFlow::Break(())
    }

    fn push(&mut self, cue: Cue, words: String) {
        let mut changes = Vec::new();
        for ((row, cell), from) in std::mem::take(&mut self.touched) {
            let to = self.states[row][cell];
            if from != to {
                changes.push(CellChange::new(row, cell, from, to));
            }
        }
        let Cue { kind, line, node } = cue;
        let why = std::mem::take(&mut self.why);
        self.story.steps.push(Step { line, node, changes, why, ..Step::new(kind, words) });
    }

    /// The story. Nodes that the search was not done with have a solution below them or are open.
    #[must_use]
    pub fn finish(mut self) -> Story {
        let nodes = &mut self.story.nodes;
        for index in (1..nodes.len()).rev() {
            let is_solved = matches!(nodes[index].status, Status::Solved | Status::Branch);
            if let (true, Some(parent)) = (is_solved, nodes[index].parent) {
                nodes[parent].status = Status::Branch;
            }
        }
        self.story
    }
}
