//! A story and where in it we are: a step forward, a step truly back, jumps. Knows no screen.

mod outline;
mod squares;

pub use outline::{Outline, OutlineLine};
pub use squares::Square;

use std::collections::BTreeSet;

use crate::{Board, CellChange, CellState, Incomplete, Kind, Rule, Step, Story};

/// A place in a [`Story`], with the boards as they are there.
///
/// Forward applies a step's changes, backward takes them back, so the boards depend on the place alone
/// and not on the way to it. A move costs what the steps between changed.
///
/// ```
/// use csp_trace::{Board, CellChange, CellState, Kind, Look, Player, Row, Status, Step, Story, TreeNode};
/// let queen = CellChange::new(0, 0, CellState::Free, CellState::Chosen);
/// let mut player = Player::new(Story {
///     boards: vec![Board { look: Look::Queens, rows: vec![Row::numbered("row 0", 1)], ..Board::default() }],
///     steps: vec![
///         Step::new(Kind::Start, "The board is empty."),
///         Step { changes: vec![queen], ..Step::new(Kind::Choice, "A queen on row 0, column 0.") },
///     ],
///     nodes: vec![TreeNode { parent: None, label: "start".into(), status: Status::Open }],
///     ..Story::default()
/// })?;
/// assert!(player.next(Kind::Choice));
/// assert_eq!(player.state(0, 0, 0), CellState::Chosen);
/// player.go(0);
/// assert_eq!(player.state(0, 0, 0), CellState::Free);
/// # Ok::<(), csp_trace::Incomplete>(())
/// ```
#[derive(Debug)]
pub struct Player {
    story: Story,
    at: usize,
    boards: Vec<Vec<Vec<CellState>>>,
    /// What has happened on its board up to each step.
    counts: Vec<Counts>,
    /// The row each step is about: one it changes, or the last one of its board.
    focus: Vec<usize>,
    outline: Outline,
    /// The states that squares are in at some step, by their numbers.
    states: Vec<CellState>,
}

/// What has happened on a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The steps told of it.
    pub steps: usize,
    /// The nodes reached.
    pub nodes: usize,
    /// The dead ends.
    pub dead_ends: usize,
    /// The solutions.
    pub solutions: usize,
}

impl Player {
    /// At the first step of a story.
    ///
    /// # Errors
    /// If the story has no step, or one that speaks of what is not there or does not fit the steps before it.
    pub fn new(story: Story) -> Result<Player, Incomplete> {
        story.check_places()?;
        if story.steps.is_empty() {
            return Err(Incomplete::Missing("the first step".to_owned()));
        }
        let untouched: Vec<_> = story.boards.iter().map(Board::untouched).collect();
        let mut boards = untouched.clone();
        let mut running = vec![Counts::default(); boards.len()];
        let mut reached = vec![false; story.nodes.len()];
        let mut row = vec![0; boards.len()];
        let (mut counts, mut focus) = (Vec::new(), Vec::new());
        for (number, step) in story.steps.iter().enumerate() {
            for change in &step.changes {
                let square = &mut boards[step.board][change.row][change.cell];
                if std::mem::replace(square, change.to) != change.from {
                    return Err(Incomplete::Broken(number));
                }
            }
            let count = &mut running[step.board];
            count.steps += 1;
            count.nodes += usize::from(!std::mem::replace(&mut reached[step.node], true));
            count.dead_ends += usize::from(step.kind == Kind::DeadEnd);
            count.solutions += usize::from(step.kind == Kind::Solution);
            counts.push(*count);
            row[step.board] = row_of(step).unwrap_or(row[step.board]);
            focus.push(row[step.board]);
        }
        let outline = Outline::new(&story);
        let states: BTreeSet<u16> =
            story.steps.iter().flat_map(|step| &step.changes).map(|change| change.to.into()).collect();
        let states = states.into_iter().filter_map(|number| number.try_into().ok()).collect();
        let mut player = Player { story, at: 0, boards: untouched, counts, focus, outline, states };
        player.apply(0);
        Ok(player)
    }

    /// The story.
    pub fn story(&self) -> &Story {
        &self.story
    }

    /// The number of the step we are at, from 0.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The number of the last step.
    pub fn last(&self) -> usize {
        self.story.steps.len() - 1
    }

    /// The step we are at.
    pub fn step(&self) -> &Step {
        &self.story.steps[self.at]
    }

    /// The state of a square after this step.
    ///
    /// # Panics
    /// If there is no such square.
    pub fn state(&self, board: usize, row: usize, cell: usize) -> CellState {
        self.boards[board][row][cell]
    }

    /// The states of a row's squares after this step.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, board: usize, row: usize) -> &[CellState] {
        &self.boards[board][row]
    }

    /// Who ruled a square in this state out, if anybody did and the story names them.
    pub fn rule(&self, state: CellState) -> Option<&Rule> {
        match state {
            CellState::Out { rule } => self.story.constraints.get(usize::from(rule)),
            _ => None,
        }
    }

    /// The states that steps of the story put squares in: what there is to explain. Taken ones come first,
    /// then the rules in their order.
    pub fn states(&self) -> &[CellState] {
        &self.states
    }

    /// The row of its board that this step is about, or the last one that was.
    pub fn focus(&self) -> usize {
        self.focus[self.at]
    }

    /// What has happened on a board up to this step.
    pub fn counts(&self, board: usize) -> Counts {
        self.counts_at(board, self.at)
    }

    /// What happens on a board in the whole story.
    pub fn totals(&self, board: usize) -> Counts {
        self.counts_at(board, self.last())
    }

    fn counts_at(&self, board: usize, at: usize) -> Counts {
        let before = (0..=at).rev().find(|&number| self.story.steps[number].board == board);
        before.map_or_else(Counts::default, |number| self.counts[number])
    }

    /// The search tree.
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// To a step, or to the last if there are not so many.
    pub fn go(&mut self, target: usize) {
        let target = target.min(self.last());
        while self.at < target {
            self.at += 1;
            self.apply(self.at);
        }
        while self.at > target {
            self.take_back(self.at);
            self.at -= 1;
        }
    }

    /// To the first step at or below a node of the tree; whether there is one.
    pub fn go_to_node(&mut self, node: usize) -> bool {
        let reached = self.outline.reached(node);
        self.go(reached.unwrap_or(self.at));
        reached.is_some()
    }

    /// One step forward; whether there was one.
    pub fn forward(&mut self) -> bool {
        let moves = self.at < self.last();
        self.go(self.at + usize::from(moves));
        moves
    }

    /// One step back; whether there was one.
    pub fn back(&mut self) -> bool {
        let moves = self.at > 0;
        self.go(self.at - usize::from(moves));
        moves
    }

    /// To the next step of a kind; whether there was one.
    pub fn next(&mut self, kind: Kind) -> bool {
        self.next_where(|player, number| player.story.steps[number].kind == kind)
    }

    /// To the step of a kind before this one; whether there was one.
    pub fn previous(&mut self, kind: Kind) -> bool {
        let found = (0..self.at).rev().find(|&number| self.story.steps[number].kind == kind);
        self.go(found.unwrap_or(self.at));
        found.is_some()
    }

    /// To the next step that goes back; whether there was one. Where no step of its own tells of the
    /// return from a dead end, the dead end is meant.
    pub fn next_backtrack(&mut self) -> bool {
        self.next_where(|player, number| {
            let step = &player.story.steps[number];
            let mut after = player.story.steps[number + 1..].iter().filter(|after| after.board == step.board);
            match step.kind {
                Kind::Undo => true,
                Kind::DeadEnd => after.next().is_none_or(|after| after.kind != Kind::Undo),
                _ => false,
            }
        })
    }

    fn next_where(&mut self, wanted: impl Fn(&Player, usize) -> bool) -> bool {
        let found = (self.at + 1..=self.last()).find(|&number| wanted(self, number));
        self.go(found.unwrap_or(self.at));
        found.is_some()
    }

    fn apply(&mut self, number: usize) {
        let step = &self.story.steps[number];
        for change in &step.changes {
            self.boards[step.board][change.row][change.cell] = change.to;
        }
    }

    fn take_back(&mut self, number: usize) {
        let step = &self.story.steps[number];
        for change in step.changes.iter().rev() {
            self.boards[step.board][change.row][change.cell] = change.from;
        }
    }
}

/// The row a step is about, if it changes any.
fn row_of(step: &Step) -> Option<usize> {
    let taken = |change: &&CellChange| matches!(change.to, CellState::Chosen | CellState::Forced);
    step.changes.iter().find(taken).or(step.changes.first()).map(|change| change.row)
}

#[cfg(test)]
mod tests;
