//! The board a story is played on: squares are changed one by one, and a step takes up all changes
//! since the last.

use std::{collections::BTreeMap, ops::ControlFlow};

use csp_trace::{Board, CellChange, CellState, Kind, Look, Row, Status, Step, Story, TreeNode, Why};

use super::{
    Telling,
    words::{self, Reason},
};
use crate::{Format, Queens, Square};

/// A step to be told.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cue {
    pub(super) kind: Kind,
    /// The line of the pseudocode.
    pub(super) line: usize,
    /// The node of the tree.
    pub(super) node: usize,
}

/// A board and the story so far.
#[derive(Debug)]
pub(super) struct Stage<'a> {
    puzzle: &'a Queens,
    telling: Telling,
    story: Story,
    solutions: u64,
    /// What is out by the puzzle itself, before any search; row by row.
    standing: Vec<Option<Reason>>,
    /// The state of each square now; row by row.
    states: Vec<CellState>,
    /// The squares touched since the last step, and their states at its end.
    touched: BTreeMap<Square, CellState>,
    /// What is to be said of squares with the next step.
    why: Vec<Why>,
}

impl<'a> Stage<'a> {
    /// The board of the puzzle, and a tree with its root.
    pub(super) fn new(puzzle: &'a Queens, telling: Telling, name: &str, pseudocode: &[&str]) -> Self {
        let size = puzzle.size();
        let rows = (0..size).map(|row| Row::numbered(format!("row {row}"), size)).collect();
        let board = Board { title: name.to_owned(), look: Look::Queens, rows };
        let mut stage = Self {
            puzzle,
            telling,
            story: Story {
                title: format!("{} by {name}", words::count(size as u64, "queen")),
                boards: vec![board],
                pseudocode: pseudocode.iter().map(|&line| line.to_owned()).collect(),
                constraints: words::rules(),
                nodes: Vec::new(),
                steps: Vec::new(),
            },
            solutions: 0,
            standing: standing(puzzle),
            states: vec![CellState::Free; size * size],
            touched: BTreeMap::new(),
            why: Vec::new(),
        };
        stage.add_node(None, "start".to_owned());
        stage
    }

    pub(super) fn puzzle(&self) -> &'a Queens {
        self.puzzle
    }

    pub(super) fn size(&self) -> usize {
        self.puzzle.size()
    }

    /// How many solutions were told.
    pub(super) fn solutions(&self) -> u64 {
        self.solutions
    }

    /// Whether the last step told of a solution.
    pub(super) fn is_solved(&self) -> bool {
        self.story.steps.last().is_some_and(|step| step.kind == Kind::Solution)
    }

    /// Adds a node to the tree, below one that is there.
    pub(super) fn add_node(&mut self, parent: Option<usize>, label: String) -> usize {
        self.story.nodes.push(TreeNode { parent, label, status: Status::Open });
        self.story.nodes.len() - 1
    }

    /// The search is done with a node. It was a solution, or had some below it, or none.
    pub(super) fn close(&mut self, node: usize, status: Status) {
        self.story.nodes[node].status = status;
    }

    /// Why the puzzle itself rules a square out, if it does.
    pub(super) fn standing(&self, (row, column): Square) -> Option<Reason> {
        self.standing[row * self.size() + column]
    }

    pub(super) fn state(&self, (row, column): Square) -> CellState {
        self.states[row * self.size() + column]
    }

    /// Whether the puzzle has a queen there.
    pub(super) fn is_given(&self, square: Square) -> bool {
        self.puzzle.placed().any(|given| given == square)
    }

    /// Whether nothing rules the square out, and no queen was put there by the search.
    pub(super) fn is_open(&self, square: Square) -> bool {
        matches!(self.state(square), CellState::Free | CellState::Given)
    }

    /// A queen on the square.
    pub(super) fn put_queen(&mut self, square: Square) {
        self.set(square, CellState::Chosen);
    }

    /// The square is out.
    pub(super) fn rule_out(&mut self, square: Square, reason: Reason) {
        self.set(square, CellState::Out { rule: reason.rule() });
        self.why.push(Why::new(square.0, square.1, reason.words(square)));
    }

    /// The square is as the puzzle has it.
    pub(super) fn clear(&mut self, square: Square) {
        let state = match self.standing(square) {
            Some(reason) => CellState::Out { rule: reason.rule() },
            None if self.is_given(square) => CellState::Given,
            None => CellState::Free,
        };
        self.set(square, state);
    }

    fn set(&mut self, square: Square, state: CellState) {
        let index = square.0 * self.size() + square.1;
        self.touched.entry(square).or_insert(self.states[index]);
        self.states[index] = state;
    }

    /// The first step: the board as the puzzle has it.
    pub(super) fn start(&mut self) -> ControlFlow<()> {
        let size = self.size();
        for square in (0..size).flat_map(|row| (0..size).map(move |column| (row, column))) {
            match self.standing(square) {
                Some(reason) => self.rule_out(square, reason),
                None => self.clear(square),
            }
        }
        let mut words =
            format!("start: {} of {}", words::count(size as u64, "row"), words::count(size as u64, "square"));
        for (row, column) in self.puzzle.placed() {
            words.push_str(&format!("\nrow {row}, column {column} has a queen from the start"));
        }
        for square in self.puzzle.blocked() {
            words.push_str(&format!("\n{}", Reason::Blocked.words(square)));
        }
        self.tell(Cue { kind: Kind::Start, line: 0, node: 0 }, words)
    }

    /// A solution, after which the story may be over.
    pub(super) fn solution(&mut self, columns: &[usize], line: usize, node: usize) -> ControlFlow<()> {
        self.solutions += 1;
        let words = format!("solution {}: {}", self.solutions, Format::Columns.show(columns));
        self.tell(Cue { kind: Kind::Solution, line, node }, words)?;
        self.close(node, Status::Solved);
        match self.telling.all {
            true => ControlFlow::Continue(()),
            false => self.end(node, "the story ends here, with the first solution".to_owned()),
        }
    }

    /// The search is over.
    pub(super) fn over(&mut self) -> ControlFlow<()> {
        let words = match self.solutions {
            0 => "the search is over: there is no solution".to_owned(),
            solutions => format!("the search is over, with {}", words::count(solutions, "solution")),
        };
        self.end(0, words)
    }

    /// A step that is not the last.
    pub(super) fn tell(&mut self, cue: Cue, words: String) -> ControlFlow<()> {
        if self.story.steps.len() + 1 >= self.telling.limit {
            return self.cut(cue.node);
        }
        self.push(cue, words);
        ControlFlow::Continue(())
    }

    /// The story ends here, and the search does not.
    pub(super) fn cut(&mut self, node: usize) -> ControlFlow<()> {
        let words =
            format!("the story ends here, after {} steps: the search goes on", self.story.steps.len());
        // A node that no step tells of is not shown.
        let told = self.story.steps.iter().map(|step| step.node).max().unwrap_or(0);
        self.story.nodes.truncate(told + 1);
        self.end(node.min(told), words)
    }

    /// The last step. What was to be done with the next is not.
    fn end(&mut self, node: usize, words: String) -> ControlFlow<()> {
        self.touched.clear();
        self.why.clear();
        self.push(Cue { kind: Kind::End, line: 0, node }, words);
        ControlFlow::Break(())
    }

    fn push(&mut self, cue: Cue, words: String) {
        let size = self.size();
        let mut changes = Vec::new();
        for ((row, column), from) in std::mem::take(&mut self.touched) {
            let to = self.states[row * size + column];
            if from != to {
                changes.push(CellChange::new(row, column, from, to));
            }
        }
        let Cue { kind, line, node } = cue;
        let why = std::mem::take(&mut self.why);
        self.story.steps.push(Step { line, node, changes, why, ..Step::new(kind, words) });
    }

    /// The story. Nodes that the search was not done with have a solution below them or are open.
    pub(super) fn finish(mut self) -> Story {
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

/// Why the puzzle itself rules squares out: they are blocked, or a queen stands in their row.
fn standing(puzzle: &Queens) -> Vec<Option<Reason>> {
    let size = puzzle.size();
    let mut standing = vec![None; size * size];
    for (row, column) in puzzle.blocked() {
        standing[row * size + column] = Some(Reason::Blocked);
    }
    for queen in puzzle.placed() {
        for column in 0..size {
            let square = (queen.0, column);
            let reason = &mut standing[queen.0 * size + column];
            *reason = reason.or(Reason::attack(queen, square));
        }
    }
    standing
}
