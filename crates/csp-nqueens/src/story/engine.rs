//! The engine's search, made of its trace: a step for each choice, and one for all squares that a
//! constraint rules out because of one queen.

use std::{collections::BTreeMap, iter::Peekable, ops::ControlFlow, slice};

use csp_core::{
    engine::Relation,
    observe::{Cause, Literal, Trace, TraceEvent},
    prelude::*,
};
use csp_trace::{CellState, Kind, Status, Story};

use super::{
    Telling,
    stage::{Cue, Stage},
    words::Reason,
};
use crate::{Queens, QueensError, QueensModel, Square, solver::strategy};

const PSEUDOCODE: [&str; 6] = [
    "search:",
    "    propagate: a queen rules out what it attacks, a row with one square left has its queen there",
    "    if a row has no square left: back",
    "    if each row has its queen: a solution, back",
    "    choose a row with the fewest squares left, and its square nearest the middle: search",
    "    rule that square out: search",
];
const PROPAGATE: usize = 1;
const DEAD: usize = 2;
const FOUND: usize = 3;
const CHOOSE: usize = 4;
const REFUTE: usize = 5;

pub(super) fn story(puzzle: &Queens, telling: Telling) -> Result<Story, QueensError> {
    let (trace, is_whole) = trace(puzzle, telling)?;
    let size = puzzle.size();
    let stage = Stage::new(puzzle, telling, "propagation", &PSEUDOCODE);
    let squares = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
    let standing = squares.map(|square| stage.standing(square)).collect();
    let mut teller = Teller {
        stage,
        trace: &trace,
        events: trace.events.iter().peekable(),
        reasons: standing,
        changes: Vec::new(),
        choices: Vec::new(),
        lost: None,
        nodes: BTreeMap::new(),
        second: BTreeMap::new(),
        node: 0,
        fault: None,
    };
    // A story ends in any case.
    let _: ControlFlow<()> = teller.run(is_whole);
    match teller.fault {
        Some(fault) => Err(QueensError::Engine { fault }),
        None => Ok(teller.stage.finish()),
    }
}

/// Searches with the engine, and says whether the trace has all it did.
fn trace(puzzle: &Queens, telling: Telling) -> Result<(Trace, bool), QueensError> {
    let QueensModel { model, queens } = puzzle.model()?;
    let mut solver = model.solver()?;
    solver.set_search(strategy(&queens));
    // Each node is a step at least, and a step tells of a change for each row at most.
    solver.set_limits(Limits::new().nodes(u64::try_from(telling.limit).unwrap_or(u64::MAX)));
    let events_per_step = puzzle.size() + 4;
    solver.set_trace(Tracing::new().events(telling.limit.saturating_mul(events_per_step)));
    let outcome = solver.for_each(|_| match telling.all {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    });
    let trace = solver.take_trace().unwrap_or_default();
    let is_whole = trace.unrecorded() == 0 && !matches!(outcome, Outcome::Stopped(_));
    Ok((trace, is_whole))
}

/// A node that the trace spoke of.
#[derive(Debug)]
struct Node {
    /// Its index in the story.
    index: usize,
    /// What was chosen there, and the solutions told before.
    choice: Option<(Square, u64)>,
}

/// Tells the events one by one.
#[derive(Debug)]
struct Teller<'a> {
    stage: Stage<'a>,
    trace: &'a Trace,
    events: Peekable<slice::Iter<'a, TraceEvent>>,
    /// Why each square is out, row by row.
    reasons: Vec<Option<Reason>>,
    /// The squares that each change in force ruled out.
    changes: Vec<Vec<Square>>,
    /// The choices in force, and the nodes in the story where they were made.
    choices: Vec<(Square, usize)>,
    /// The last square of a row, from a failure until that is taken back.
    lost: Option<Square>,
    /// By their numbers in the trace.
    nodes: BTreeMap<u64, Node>,
    /// Nodes where a choice was refuted, and where it was made: by their index in the story.
    second: BTreeMap<usize, usize>,
    /// The index of the present node in the story.
    node: usize,
    /// What the engine did and cannot be told.
    fault: Option<String>,
}

impl<'a> Teller<'a> {
    fn run(&mut self, is_whole: bool) -> ControlFlow<()> {
        self.stage.start()?;
        self.before()?;
        while let Some(event) = self.events.next() {
            self.event(event)?;
        }
        if !is_whole {
            return self.stage.cut(self.node);
        }
        self.stage.over()
    }

    fn event(&mut self, event: &'a TraceEvent) -> ControlFlow<()> {
        match event {
            TraceEvent::Node { node, parent, alternative, .. } => self.node(*node, *parent, *alternative),
            TraceEvent::Decision { node, literal } => {
                let solutions = self.stage.solutions();
                if let Some(node) = self.nodes.get_mut(node) {
                    // The strategy decides on squares.
                    node.choice = square(literal).map(|square| (square, solutions));
                }
                ControlFlow::Continue(())
            }
            TraceEvent::Change { .. } => self.propagation(event),
            TraceEvent::Fixpoint => match self.events.peek() {
                Some(TraceEvent::Solution { .. }) => ControlFlow::Continue(()),
                _ => self.tell(Kind::Fixpoint, PROPAGATE, "nothing more follows".to_owned()),
            },
            TraceEvent::Failure { blame, .. } => self.failure(blame),
            TraceEvent::Solution { values } => {
                let columns: Vec<usize> = values.iter().map(|&column| column as usize).collect();
                self.stage.solution(&columns, FOUND, self.node)?;
                self.close_above();
                ControlFlow::Continue(())
            }
            TraceEvent::Undo { to_depth, changes } => self.undo(*to_depth, *changes),
            _ => ControlFlow::Continue(()),
        }
    }

    /// A node is reached by a choice or its refutation; the root by neither.
    fn node(&mut self, number: u64, parent: u64, alternative: u8) -> ControlFlow<()> {
        let above = self.nodes.get(&parent).and_then(|node| Some((node.index, node.choice?)));
        let Some((parent, (square, before))) = above else {
            self.nodes.insert(number, Node { index: self.node, choice: None });
            return ControlFlow::Continue(());
        };
        let (row, column) = square;
        let label = if alternative == 0 { format!("{row},{column}") } else { format!("not {row},{column}") };
        self.node = self.stage.add_node(Some(parent), label);
        self.nodes.insert(number, Node { index: self.node, choice: None });
        if alternative == 0 {
            self.choices.push((square, parent));
            self.take_changes(Cause::Decision, |other| Reason::attack(square, other));
            self.stage.put_queen(square);
            let words = format!("row {row}: choose column {column} for its queen");
            return self.tell(Kind::Choice, CHOOSE, words);
        }
        self.second.insert(self.node, parent);
        let solutions = self.stage.solutions() - before;
        let words = self.take_changes(Cause::Refutation, |_| Some(Reason::Tried { solutions }));
        self.tell(Kind::Removal, REFUTE, words)
    }

    /// Changes by one constraint because of one queen.
    fn propagation(&mut self, first: &'a TraceEvent) -> ControlFlow<()> {
        let TraceEvent::Change { cause, blame, .. } = first else {
            return ControlFlow::Continue(());
        };
        // The constraint is named after the line that its queens attack along.
        let (trace, cause) = (self.trace, *cause);
        let attack = |attacked: Square| {
            let Cause::Constraint(number) = cause else { return None };
            let reason = Reason::attack(square(blame.first()?)?, attacked)?;
            reason.is_by(trace.constraints.get(number)?.name.as_deref()?).then_some(reason)
        };
        let mut words = self.change(first, &attack);
        while let Some(next) = self.events.next_if(|next| {
            matches!(next, TraceEvent::Change { cause: also, blame: same, .. } if (*also, same) == (cause, blame))
        }) {
            words.extend(self.change(next, &attack));
        }
        match words.is_empty() {
            // What the puzzle itself rules out is there from the start.
            true => ControlFlow::Continue(()),
            false => self.tell(Kind::Removal, PROPAGATE, words.join("\n")),
        }
    }

    /// Takes up the changes by the search itself that come next.
    fn take_changes(&mut self, by: Cause, reason: impl Fn(Square) -> Option<Reason>) -> String {
        let mut words = Vec::new();
        let is_next = |next: &&TraceEvent| matches!(next, TraceEvent::Change { cause, .. } if *cause == by);
        while let Some(change) = self.events.next_if(is_next) {
            words.extend(self.change(change, &reason));
        }
        words.join("\n")
    }

    /// Rules out the squares of one change, and says so.
    fn change(&mut self, event: &TraceEvent, reason: &dyn Fn(Square) -> Option<Reason>) -> Vec<String> {
        let TraceEvent::Change { variable: row, removed, .. } = event else {
            return Vec::new();
        };
        let mut squares = Vec::new();
        let mut words = Vec::new();
        for column in removed.iter().flat_map(|&(first, last)| first..=last) {
            let square = (*row, column as usize);
            if self.stage.standing(square).is_some() {
                continue;
            }
            let Some(reason) = reason(square) else {
                self.fault =
                    Some(format!("row {row}, column {column} is out, and no queen is blamed for it"));
                continue;
            };
            self.stage.rule_out(square, reason);
            *self.reason(square) = Some(reason);
            words.push(reason.words(square));
            squares.push(square);
        }
        if let (false, Some(column)) = (squares.is_empty(), self.only_square(*row)) {
            self.stage.put_queen((*row, column));
            words.push(one_left(*row, column));
        }
        self.changes.push(squares);
        words
    }

    /// What is out and what is taken by the puzzle alone, before anything propagates.
    fn before(&mut self) -> ControlFlow<()> {
        let rows = 0..self.stage.size();
        if let Some(row) = rows.clone().find(|&row| self.is_dead(row)) {
            return self.dead_end(row);
        }
        let mut words = Vec::new();
        for row in rows {
            let lone = self.only_square(row).filter(|&column| !self.stage.is_given((row, column)));
            if let Some(column) = lone {
                self.stage.put_queen((row, column));
                words.push(one_left(row, column));
            }
        }
        match words.is_empty() {
            true => ControlFlow::Continue(()),
            false => self.tell(Kind::Removal, PROPAGATE, words.join("\n")),
        }
    }

    /// A row lost its last square to a queen, and both are blamed.
    fn failure(&mut self, blame: &[Literal]) -> ControlFlow<()> {
        // Two queens as a rule, or more on one line.
        let queens: Vec<Square> = blame.iter().filter_map(square).collect();
        let attacked = queens.split_last().and_then(|(&last, others)| {
            let reason = others.iter().find_map(|&queen| Reason::attack(queen, last))?;
            Some((last, reason))
        });
        let Some((last, reason)) = attacked else {
            // A row without a square from the start was told of before.
            if !(0..self.stage.size()).any(|row| self.is_dead(row)) {
                self.fault = Some("a failure that no two queens are blamed for".to_owned());
            }
            return ControlFlow::Continue(());
        };
        self.stage.rule_out(last, reason);
        *self.reason(last) = Some(reason);
        self.lost = Some(last);
        let row = last.0;
        self.dead_end(row)
    }

    fn dead_end(&mut self, row: usize) -> ControlFlow<()> {
        let words = format!("row {row} has no square left{}", self.reasons_of(row));
        self.tell(Kind::DeadEnd, DEAD, words)?;
        self.stage.close(self.node, Status::Failed);
        self.close_above();
        ControlFlow::Continue(())
    }

    fn undo(&mut self, depth: usize, changes: usize) -> ControlFlow<()> {
        if let Some(lost) = self.lost.take() {
            *self.reason(lost) = None;
            match self.stage.is_given(lost) {
                true => self.stage.clear(lost),
                false => self.stage.put_queen(lost),
            }
        }
        let undone = self.changes.split_off(self.changes.len().saturating_sub(changes));
        let size = self.stage.size();
        for &square in undone.iter().flatten() {
            *self.reason(square) = None;
            self.stage.clear(square);
            // With a second square the row's queen is not fixed any more.
            for other in (0..size).map(|column| (square.0, column)) {
                if self.stage.state(other) == CellState::Chosen {
                    self.stage.clear(other);
                }
            }
        }
        let choices = self.choices.split_off(depth.min(self.choices.len()));
        let Some(&(_, node)) = choices.first() else {
            return ControlFlow::Continue(());
        };
        self.node = node;
        let sentence = |&((row, column), _): &(Square, usize)| {
            format!("row {row}: the choice of column {column} is taken back, and what followed from it")
        };
        let words: Vec<String> = choices.iter().map(sentence).collect();
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

    /// Why a square is out.
    fn reason(&mut self, (row, column): Square) -> &mut Option<Reason> {
        &mut self.reasons[row * self.stage.size() + column]
    }

    /// Why the squares of a row are out, a line each.
    fn reasons_of(&self, row: usize) -> String {
        let start = row * self.stage.size();
        let reasons = self.reasons[start..].iter().zip(0..self.stage.size());
        reasons
            .filter_map(|(reason, column)| Some(format!("\n{}", (*reason)?.words((row, column)))))
            .collect()
    }

    /// The column of the only square that is left to a row.
    fn only_square(&self, row: usize) -> Option<usize> {
        let mut left = (0..self.stage.size()).filter(|&column| !self.is_out((row, column)));
        left.next().filter(|_| left.next().is_none())
    }

    fn is_dead(&self, row: usize) -> bool {
        (0..self.stage.size()).all(|column| self.is_out((row, column)))
    }

    fn is_out(&self, square: Square) -> bool {
        matches!(self.stage.state(square), CellState::Out { .. })
    }
}

/// The square whose queen a statement is about.
fn square(literal: &Literal) -> Option<Square> {
    match literal.relation {
        Relation::Eq => Some((literal.variable, usize::try_from(literal.value).ok()?)),
        _ => None,
    }
}

fn one_left(row: usize, column: usize) -> String {
    format!("row {row} has one square left: its queen stands on column {column}")
}
