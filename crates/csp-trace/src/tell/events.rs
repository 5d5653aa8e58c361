//! Tells the events of a trace one by one: a step for each choice, and one for all that a constraint
//! rules out for one reason.

use std::{collections::BTreeMap, iter::Peekable, mem, ops::ControlFlow, slice};

use csp_core::observe::{Cause, Literal, Range, Trace, TraceEvent};

use super::{Cue, Failure, Place, PlainWords, Reason, Removal, Stage, Untold, Voice, rows::Rows};
use crate::{CellState, Kind, Status, Story};

// The lines of the pseudocode.
const PROPAGATE: usize = 1;
const DEAD: usize = 2;
const FOUND: usize = 3;
const CHOOSE: usize = 4;
const REFUTE: usize = 5;

/// Tells a trace on a stage with these rows.
pub(super) fn tell(
    trace: &Trace,
    rows: &Rows,
    voice: &dyn Voice,
    plain: &PlainWords<'_>,
    stage: Stage,
) -> Result<Story, Untold> {
    let reasons = rows.iter().map(|(_, values)| vec![None; values.len()]).collect();
    let mut events = Events {
        stage,
        events: trace.events.iter().peekable(),
        rows,
        voice,
        plain,
        reasons,
        changes: Vec::new(),
        choices: Vec::new(),
        refuted: None,
        lost: None,
        is_dead: false,
        nodes: BTreeMap::new(),
        second: BTreeMap::new(),
        node: 0,
        untold: None,
    };
    // A story ends in any case.
    let _: ControlFlow<()> = events.run(trace);
    match events.untold {
        Some(untold) => Err(untold),
        None => Ok(events.stage.finish()),
    }
}

/// A node that the trace spoke of.
struct Node {
    /// Its index in the story.
    index: usize,
    /// What was chosen there, and the solutions told before.
    choice: Option<(Literal, u64)>,
}

/// A variable, and the values it lost.
type Change<'a> = (usize, &'a [Range]);

struct Events<'a> {
    stage: Stage,
    events: Peekable<slice::Iter<'a, TraceEvent>>,
    rows: &'a Rows,
    voice: &'a dyn Voice,
    plain: &'a PlainWords<'a>,
    /// Why each square is out, row by row.
    reasons: Vec<Vec<Option<Reason>>>,
    /// The squares that each change in force ruled out.
    changes: Vec<Vec<Place>>,
    /// The choices in force, and the nodes in the story where they were made.
    choices: Vec<(Literal, usize)>,
    /// What the present node refutes, with the solutions told of it, until that changes something.
    refuted: Option<(Literal, u64)>,
    /// The last square of a row and what it was, from a failure until that is taken back.
    lost: Option<(Place, CellState)>,
    /// Whether a row has no square before anything is searched, which is told already.
    is_dead: bool,
    /// By their numbers in the trace.
    nodes: BTreeMap<u64, Node>,
    /// Nodes where a choice was refuted, and where it was made: by their index in the story.
    second: BTreeMap<usize, usize>,
    /// The index of the present node in the story.
    node: usize,
    /// What cannot be told.
    untold: Option<Untold>,
}

impl<'a> Events<'a> {
    fn run(&mut self, trace: &Trace) -> ControlFlow<()> {
        self.start()?;
        self.before()?;
        while let Some(event) = self.events.next() {
            self.event(event)?;
        }
        match trace.unrecorded() {
            0 if !trace.is_complete => self.stage.stop(self.node),
            0 if trace.counts.nodes == 0 && !self.is_dead => {
                let words = "the search is over before it begins: what is known has no solution";
                self.stage.end(0, words)
            }
            0 if trace.is_assuming && self.stage.solutions() == 0 => {
                self.stage.end(0, "the search is over: there is no solution under the assumptions")
            }
            0 if trace.is_optimising => self.stage.best(),
            0 => self.stage.over(),
            rest => {
                let words = format!("the story ends here: {rest} more events were not recorded");
                self.stage.end(self.node, words)
            }
        }
    }

    /// The board as the model has it.
    fn start(&mut self) -> ControlFlow<()> {
        for row in 0..self.stage.rows() {
            for square in self.squares(row) {
                let (variable, value) = self.rows.of(square);
                if let Some(reason) = self.voice.standing(self.plain, variable, value) {
                    self.rule_out(square, reason);
                }
            }
            if let Some(square) = self.only_square(row) {
                let (variable, value) = self.rows.of(square);
                if self.voice.is_given(self.plain, variable, value) {
                    self.stage.set(square, CellState::Given);
                }
            }
        }
        self.stage.start(self.voice.start(self.plain))
    }

    /// What follows from it at once.
    fn before(&mut self) -> ControlFlow<()> {
        let rows = 0..self.stage.rows();
        if let Some(row) = rows.clone().find(|&row| self.stage.row(row).iter().all(|state| state.is_out())) {
            self.is_dead = true;
            return self.dead_end(None, Some(row));
        }
        let mut words = Vec::new();
        for row in rows {
            let lone = self.only_square(row).filter(|&square| self.stage.state(square) != CellState::Given);
            if let Some(square) = lone {
                self.stage.set(square, CellState::Forced);
                words.push(self.only_value(square));
            }
        }
        match words.is_empty() {
            true => ControlFlow::Continue(()),
            false => self.tell(Kind::Removal, PROPAGATE, words.join("\n")),
        }
    }

    fn event(&mut self, event: &'a TraceEvent) -> ControlFlow<()> {
        match event {
            TraceEvent::Node { node, parent, alternative, .. } => self.node(*node, *parent, *alternative),
            TraceEvent::Decision { node, literal } => {
                let solutions = self.stage.solutions();
                if let Some(node) = self.nodes.get_mut(node) {
                    node.choice = Some((*literal, solutions));
                }
                ControlFlow::Continue(())
            }
            TraceEvent::Change { cause: cause @ Cause::Refutation, .. } if self.refuted.is_some() => {
                let words = self.changes_at_once(event, *cause, self.refuted);
                self.refuted = None;
                self.tell(Kind::Removal, REFUTE, words)
            }
            TraceEvent::Change { cause, .. } => {
                for (blame, changes) in self.run_of(event, *cause) {
                    let words = self.changes(&changes, *cause, blame, None);
                    // What the model itself rules out is there from the start.
                    if !words.is_empty() {
                        self.tell(Kind::Removal, PROPAGATE, words)?;
                    }
                }
                ControlFlow::Continue(())
            }
            TraceEvent::Fixpoint => match self.events.peek() {
                Some(TraceEvent::Solution { .. }) => ControlFlow::Continue(()),
                _ => self.tell(Kind::Fixpoint, PROPAGATE, "nothing more follows".to_owned()),
            },
            TraceEvent::Failure { cause, blame } => self.failure(Failure { cause: *cause, blame }),
            TraceEvent::Solution { values } => {
                let differs = |row: &usize| {
                    let variable = self.rows.variable(*row);
                    let value = values.get(variable).and_then(|&value| self.rows.place(variable, value));
                    value.is_none() || self.only_square(*row) != value
                };
                if let Some(row) = (0..self.stage.rows()).find(differs) {
                    let variable = self.plain.variable(self.rows.variable(row));
                    self.untold = Some(Untold::Solution { variable });
                    return ControlFlow::Break(());
                }
                let cue = Cue { kind: Kind::Solution, line: FOUND, node: self.node };
                self.stage.solution(cue, self.voice.solution(self.plain, values))?;
                self.close_above();
                ControlFlow::Continue(())
            }
            TraceEvent::Undo { to_depth, changes } => self.undo(*to_depth, *changes),
            TraceEvent::Restart => self.tell(Kind::Undo, CHOOSE, "the search begins anew".to_owned()),
        }
    }

    /// A node is reached by a choice or its refutation; a root by neither.
    fn node(&mut self, number: u64, parent: u64, alternative: u8) -> ControlFlow<()> {
        self.refuted = None;
        let above = self.nodes.get(&parent).and_then(|node| Some((node.index, node.choice?)));
        let Some((parent, (choice, before))) = above else {
            self.nodes.insert(number, Node { index: self.node, choice: None });
            return ControlFlow::Continue(());
        };
        let label = self.voice.branch(self.plain, choice);
        if alternative == 0 {
            self.add_node(number, parent, label);
            self.choices.push((choice, parent));
            self.next_changes(Cause::Decision, (choice, 0));
            return self.tell(Kind::Choice, CHOOSE, self.voice.choice(self.plain, choice));
        }
        // The demand for a better solution may come first.
        let changes = self.events.clone().map_while(|event| match event {
            TraceEvent::Change { cause, .. } => Some(*cause),
            _ => None,
        });
        let by = changes.into_iter().find(|cause| matches!(cause, Cause::Refutation | Cause::Clause));
        if by == Some(Cause::Refutation) {
            self.add_node(number, parent, format!("not {label}"));
            self.second.insert(self.node, parent);
            self.refuted = Some((choice, self.stage.solutions() - before));
        } else {
            // A search that learns goes on with what it learnt, which is not the opposite of a choice. Without
            // a change that is shown nobody knows.
            self.add_node(number, parent, if by.is_some() { "learnt" } else { "otherwise" }.to_owned());
        }
        ControlFlow::Continue(())
    }

    fn add_node(&mut self, number: u64, parent: usize, label: String) {
        self.node = self.stage.add_node(parent, label);
        self.nodes.insert(number, Node { index: self.node, choice: None });
    }

    /// Takes up the changes by the search itself that come next.
    fn next_changes(&mut self, by: Cause, choice: (Literal, u64)) -> String {
        let is_next = |next: &&TraceEvent| matches!(next, TraceEvent::Change { cause, .. } if *cause == by);
        let Some(first) = self.events.next_if(is_next) else { return String::new() };
        self.changes_at_once(first, by, Some(choice))
    }

    /// Does a change by the search itself and those that follow.
    fn changes_at_once(
        &mut self,
        first: &'a TraceEvent,
        by: Cause,
        choice: Option<(Literal, u64)>,
    ) -> String {
        let changes: Vec<Change> = self.run_of(first, by).into_iter().flat_map(|run| run.1).collect();
        self.changes(&changes, by, &[], choice)
    }

    /// A change and those that follow by the same cause, gathered by what they blame. What is blamed for
    /// the first of them holds from there on, so the others may come with it.
    fn run_of(&mut self, first: &'a TraceEvent, by: Cause) -> Vec<(&'a [Literal], Vec<Change<'a>>)> {
        let mut run: Vec<(&[Literal], Vec<Change>)> = Vec::new();
        let mut next = Some(first);
        while let Some(TraceEvent::Change { variable, removed, blame, .. }) = next {
            let change = (*variable, &removed[..]);
            match run.iter_mut().find(|group| group.0 == blame) {
                Some(group) => group.1.push(change),
                None => run.push((blame, vec![change])),
            }
            next = self
                .events
                .next_if(|event| matches!(event, TraceEvent::Change { cause, .. } if *cause == by));
        }
        run
    }

    /// Does what changes by one cause and blame do, and says so.
    fn changes(
        &mut self,
        changes: &[Change<'a>],
        cause: Cause,
        blame: &'a [Literal],
        choice: Option<(Literal, u64)>,
    ) -> String {
        let (mut removals, mut reasons, mut fixed) = (Vec::new(), Vec::new(), Vec::new());
        for &(variable, removed) in changes {
            let removal = Removal { variable, removed, cause, blame, choice };
            let squares = self.change(removal, &mut reasons);
            // What is out from the start is not told again.
            if !squares.is_empty() || self.rows.squares(variable, removed).is_empty() {
                removals.push(removal);
            }
            if let Some(&(row, _)) = squares.first()
                && let Some(square) = self.only_square(row)
            {
                let is_chosen = cause == Cause::Decision;
                self.stage.set(square, if is_chosen { CellState::Chosen } else { CellState::Forced });
                if !is_chosen {
                    fixed.push(self.only_value(square));
                }
            }
            self.changes.push(squares);
        }
        if removals.is_empty() {
            return String::new();
        }
        fixed.insert(0, self.voice.removals(self.plain, &removals, &reasons));
        fixed.join("\n")
    }

    /// Rules out the squares of one change.
    fn change(&mut self, removal: Removal<'_>, reasons: &mut Vec<Reason>) -> Vec<Place> {
        let mut squares = self.rows.squares(removal.variable, removal.removed);
        squares.retain(|&square| !self.stage.standing(square).is_out());
        for &square in &squares {
            let (variable, value) = self.rows.of(square);
            match self.voice.reason(self.plain, removal, value) {
                Some(reason) => {
                    reasons.push(reason.clone());
                    self.rule_out(square, reason);
                }
                None => {
                    let (variable, value) =
                        (self.plain.variable(variable), self.plain.value(variable, value));
                    self.untold = Some(Untold::Removal { variable, value });
                }
            }
        }
        squares
    }

    fn failure(&mut self, failure: Failure<'_>) -> ControlFlow<()> {
        let last = self.voice.last_value(self.plain, failure);
        let last =
            last.and_then(|(variable, value, reason)| Some((self.rows.place(variable, value)?, reason)));
        if last.is_none() && mem::take(&mut self.is_dead) {
            return ControlFlow::Continue(());
        }
        let row = last.map(|(square, reason)| {
            self.lost = Some((square, self.stage.state(square)));
            self.rule_out(square, reason);
            square.0
        });
        self.dead_end(Some(failure), row)
    }

    fn dead_end(&mut self, failure: Option<Failure<'_>>, row: Option<usize>) -> ControlFlow<()> {
        let reasons: Vec<Reason> =
            row.map_or(Vec::new(), |row| self.reasons[row].iter().flatten().cloned().collect());
        let variable = row.map(|row| (self.rows.variable(row), &reasons[..]));
        let Some(words) = self.voice.dead_end(self.plain, failure, variable) else {
            self.untold = Some(Untold::Failure);
            return ControlFlow::Break(());
        };
        self.tell(Kind::DeadEnd, DEAD, words)?;
        self.stage.close(self.node, Status::Failed);
        self.close_above();
        ControlFlow::Continue(())
    }

    fn undo(&mut self, depth: usize, changes: usize) -> ControlFlow<()> {
        if let Some((lost, state)) = self.lost.take() {
            self.reasons[lost.0][lost.1] = None;
            self.stage.set(lost, state);
        }
        let undone = self.changes.split_off(self.changes.len().saturating_sub(changes));
        for &square in undone.iter().flatten() {
            self.reasons[square.0][square.1] = None;
            self.stage.clear(square);
            // With a second square the row's only one is not fixed any more.
            for other in self.squares(square.0) {
                if matches!(self.stage.state(other), CellState::Chosen | CellState::Forced) {
                    self.stage.clear(other);
                }
            }
        }
        let choices = self.choices.split_off(depth.min(self.choices.len()));
        let Some(&(_, node)) = choices.first() else {
            return ControlFlow::Continue(());
        };
        self.node = node;
        let words: Vec<String> =
            choices.iter().map(|&(choice, _)| self.voice.taken_back(self.plain, choice)).collect();
        self.tell(Kind::Undo, if self.stage.is_solved() { FOUND } else { DEAD }, words.join("\n"))
    }

    fn tell(&mut self, kind: Kind, line: usize, words: String) -> ControlFlow<()> {
        self.stage.tell(Cue { kind, line, node: self.node }, words)
    }

    /// The search is done with the present node, and so with those above that had only their second
    /// way left.
    fn close_above(&mut self) {
        let mut node = self.node;
        while let Some(&parent) = self.second.get(&node) {
            // Those with a solution below are found out at the end.
            self.stage.close(parent, Status::Failed);
            node = parent;
        }
    }

    fn rule_out(&mut self, square: Place, reason: Reason) {
        self.stage.rule_out(square, reason.rule, &reason.words);
        self.reasons[square.0][square.1] = Some(reason);
    }

    /// That a square is the only one left to its row.
    fn only_value(&self, square: Place) -> String {
        let (variable, value) = self.rows.of(square);
        self.voice.only_value(self.plain, variable, value)
    }

    fn squares(&self, row: usize) -> impl Iterator<Item = Place> + use<> {
        (0..self.stage.row(row).len()).map(move |cell| (row, cell))
    }

    /// The only square that is left to a row.
    fn only_square(&self, row: usize) -> Option<Place> {
        let mut left = self.squares(row).filter(|&square| !self.stage.state(square).is_out());
        left.next().filter(|_| left.next().is_none())
    }
}
