//! Replays a trace, and asks for each of its claims whether it is true.

use std::collections::BTreeSet;

use csp_core::observe::{Cause, Literal, Range, TracedDomains, TracedVariable};
use csp_core::prelude::*;

use super::told::check_story;

pub(crate) type Values = BTreeSet<i64>;

/// What a test knows of the traced search.
pub(crate) trait Meaning {
    /// Whether some values of these domains satisfy a cause, which is none of the search's own.
    fn is_possible(&self, cause: Cause, domains: &[Values], found: &BTreeSet<Vec<i64>>) -> bool;

    /// Whether some values of these domains are what the search is still to find, after it found these.
    fn is_wanted(&self, domains: &[Values], found: &BTreeSet<Vec<i64>>) -> bool;

    /// Whether a cause may speak of a variable.
    fn is_in_scope(&self, trace: &Trace, cause: Cause, variable: usize) -> bool {
        match cause {
            Cause::Constraint(number) => trace.constraints[number].scope.contains(&variable),
            _ => true,
        }
    }
}

/// What was checked, so that a trivial test shows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) changes: usize,
    pub(crate) blamed: usize,
    pub(crate) refutations: usize,
    pub(crate) failures: usize,
    pub(crate) undone: usize,
    pub(crate) solutions: usize,
    pub(crate) restarts: usize,
    /// Claims that blame a decision on a hidden variable, which are not checked.
    pub(crate) hidden: usize,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Tally) {
        self.changes += other.changes;
        self.blamed += other.blamed;
        self.refutations += other.refutations;
        self.failures += other.failures;
        self.undone += other.undone;
        self.solutions += other.solutions;
        self.restarts += other.restarts;
        self.hidden += other.hidden;
    }
}

fn values(ranges: &[Range]) -> Values {
    ranges.iter().flat_map(|&(low, high)| low..=high).collect()
}

struct Replay<'a, M> {
    trace: &'a Trace,
    meaning: &'a M,
    /// The values known to be possible when the search began.
    initial: Vec<Values>,
    domains: Vec<Values>,
    changes: Vec<(usize, Values)>,
    /// For each decision in force, its node, the decision, and the domains before it.
    levels: Vec<(u64, Literal, Vec<Values>)>,
    /// The variables decided on so far.
    decided: BTreeSet<usize>,
    /// The domains at the fixpoint of the last root.
    root: Vec<Values>,
    node: u64,
    alternative: u8,
    /// The node whose decision was undone last, until the next node.
    undone: Option<u64>,
    /// The present node was told to be at its fixpoint or failed.
    is_done: bool,
    found: BTreeSet<Vec<i64>>,
    tally: Tally,
}

/// Checks every event of a complete trace of a search with these statistics.
pub(crate) fn check(trace: &Trace, statistics: &Statistics, meaning: &impl Meaning) -> Result<Tally, String> {
    if trace.unrecorded() > 0 {
        return Err("it is not complete".into());
    }
    // Hidden variables may have very many values, and no change of theirs is told.
    let shown = |x: &&TracedVariable| !x.is_hidden;
    let initial: Vec<Values> = trace.variables.iter().filter(shown).map(|x| values(&x.initial)).collect();
    let mut replay = Replay {
        trace,
        meaning,
        domains: initial.clone(),
        initial,
        changes: Vec::new(),
        levels: Vec::new(),
        decided: BTreeSet::new(),
        root: Vec::new(),
        node: 0,
        alternative: 0,
        undone: None,
        is_done: true,
        found: BTreeSet::new(),
        tally: Tally::default(),
    };
    let mut theirs = TracedDomains::new(trace);
    for (number, event) in trace.events.iter().enumerate() {
        replay.step(event).map_err(|e| format!("event {number}, {event:?}: {e}"))?;
        theirs.apply(event);
        let is_same = (0..replay.domains.len()).all(|x| values(theirs.of(x)) == replay.domains[x]);
        ensure(is_same, || format!("event {number}: the library's own replay differs"))?;
    }
    ensure(replay.is_done, || "the last node has no end".into())?;
    let Tally { failures, restarts, .. } = replay.tally;
    let counted = [replay.node, failures as u64, replay.found.len() as u64, restarts as u64];
    let Statistics { nodes, failures, solutions, restarts, .. } = *statistics;
    ensure(counted == [nodes, failures, solutions, restarts], || {
        format!("{counted:?} are not {statistics}")
    })?;
    check_story(trace).map_err(|e| format!("the story: {e}"))?;
    Ok(replay.tally)
}

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

impl<M: Meaning> Replay<'_, M> {
    fn step(&mut self, event: &TraceEvent) -> Result<(), String> {
        match event {
            &TraceEvent::Node { node, parent, depth, alternative } => {
                self.node(node, parent, depth, alternative)
            }
            &TraceEvent::Decision { node, literal } => {
                ensure(node == self.node && self.is_done, || format!("the node is {}", self.node))?;
                self.levels.push((node, literal, self.domains.clone()));
                self.decided.insert(literal.variable);
                Ok(())
            }
            TraceEvent::Change { variable, removed, cause, blame } => {
                self.change(*variable, values(removed), *cause, blame)
            }
            TraceEvent::Fixpoint => {
                if self.node == 1 || self.levels.is_empty() && self.root.is_empty() {
                    self.root = self.domains.clone();
                }
                ensure(!std::mem::replace(&mut self.is_done, true), || "it was told twice".into())
            }
            TraceEvent::Failure { cause, blame } => {
                self.tally.failures += 1;
                if let Some(blamed) = self.blamed(*cause, blame)? {
                    ensure(!self.meaning.is_possible(*cause, &blamed, &self.found), || "it is none".into())?;
                }
                ensure(!std::mem::replace(&mut self.is_done, true), || "it was told twice".into())
            }
            TraceEvent::Solution { values } => {
                self.tally.solutions += 1;
                let own: Vec<i64> = self.domains.iter().filter_map(|d| d.first().copied()).collect();
                let is_fixed = self.domains.iter().all(|domain| domain.len() == 1);
                ensure(is_fixed && own == *values, || format!("the values are {own:?}"))?;
                ensure(self.meaning.is_wanted(&self.domains, &self.found), || "it is none".into())?;
                let is_new = self.found.insert(values.clone());
                ensure(is_new, || "it was found before".into())
            }
            &TraceEvent::Undo { to_depth, changes } => {
                ensure(changes <= self.changes.len(), || "there are fewer changes".into())?;
                for (variable, removed) in self.changes.drain(self.changes.len() - changes..).rev() {
                    self.tally.undone += 1;
                    self.domains[variable].extend(removed);
                }
                if to_depth < self.levels.len() {
                    self.undone = Some(self.levels[to_depth].0);
                    let before = &self.levels[to_depth].2;
                    let is_same = self.domains == *before || to_depth == 0 && self.domains == self.root;
                    ensure(is_same, || format!("the domains were {before:?}, not {:?}", self.domains))?;
                    self.levels.truncate(to_depth);
                } else {
                    let is_root = changes == 0 || self.domains == self.root;
                    ensure(to_depth == 0 && is_root, || "no decision is taken back".into())?;
                }
                Ok(())
            }
            TraceEvent::Restart => {
                self.tally.restarts += 1;
                ensure(self.levels.is_empty(), || "it is not at the root".into())?;
                self.undone = None;
                self.root.clear();
                Ok(())
            }
        }
    }

    fn node(&mut self, node: u64, parent: u64, depth: usize, alternative: u8) -> Result<(), String> {
        ensure(self.is_done, || "the last node has no end".into())?;
        self.is_done = false;
        ensure(node == self.node + 1, || format!("after node {}", self.node))?;
        ensure(depth == self.levels.len(), || format!("{} decisions are in force", self.levels.len()))?;
        let is_root = node == 1 || self.root.is_empty();
        let from = match (is_root, self.undone.take()) {
            (true, _) => (0, 0),
            (false, Some(undone)) => (undone, 1),
            (false, None) => (self.node, u8::from(self.levels.last().is_none_or(|last| last.0 != self.node))),
        };
        ensure((parent, alternative) == from, || format!("it comes from {from:?}"))?;
        (self.node, self.alternative) = (node, alternative);
        Ok(())
    }

    fn change(
        &mut self,
        variable: usize,
        removed: Values,
        cause: Cause,
        blame: &[Literal],
    ) -> Result<(), String> {
        self.tally.changes += 1;
        let domain = &self.domains[variable];
        ensure(!removed.is_empty() && removed.is_subset(domain), || format!("the values were {domain:?}"))?;
        match cause {
            Cause::Decision => {
                let (_, decision, _) = *self.levels.last().ok_or("there is no decision")?;
                let kept = decision.variable != variable || removed.iter().all(|&v| !decision.holds(v));
                ensure(kept && self.alternative == 0 && blame.is_empty(), || {
                    "it is not what was decided".into()
                })?;
            }
            Cause::Refutation | Cause::Domain => {
                self.tally.refutations += 1;
                ensure(blame.is_empty(), || "it blames".into())?;
                let mut left = self.initial.clone();
                for (_, decision, _) in &self.levels {
                    if let Some(left) = left.get_mut(decision.variable) {
                        left.retain(|&v| decision.holds(v));
                    }
                }
                left[variable].retain(|v| removed.contains(v));
                ensure(!self.meaning.is_wanted(&left, &self.found), || "it excludes what is wanted".into())?;
            }
            _ => {
                self.tally.blamed += usize::from(!blame.is_empty());
                if let Some(mut blamed) = self.blamed(cause, blame)? {
                    blamed[variable].retain(|v| removed.contains(v));
                    let is_possible = self.meaning.is_possible(cause, &blamed, &self.found);
                    ensure(!is_possible, || "a value has support".into())?;
                }
            }
        }
        if cause == Cause::Domain {
            ensure(self.node == 0, || "the search has begun".into())?;
            self.initial[variable].retain(|v| !removed.contains(v));
        }
        self.domains[variable].retain(|v| !removed.contains(v));
        self.changes.push((variable, removed));
        Ok(())
    }

    /// The values known to be possible as far as what is blamed leaves them, where it holds now; none if what a decision on a
    /// hidden variable means is not known here.
    fn blamed(&mut self, cause: Cause, blame: &[Literal]) -> Result<Option<Vec<Values>>, String> {
        let mut left = self.initial.clone();
        for literal in blame {
            let x = literal.variable;
            if self.trace.variables[x].is_hidden {
                // Or it was, and that was refuted.
                let is_decided = self.decided.contains(&x);
                ensure(is_decided, || format!("{} is not decided on", self.trace.words(*literal)))?;
                self.tally.hidden += 1;
                return Ok(None);
            }
            let holds = self.domains[x].iter().all(|&v| literal.holds(v));
            ensure(holds, || format!("{} does not hold", self.trace.words(*literal)))?;
            let is_known = self.meaning.is_in_scope(self.trace, cause, x);
            ensure(is_known, || format!("{} is out of scope", self.trace.words(*literal)))?;
            left[x].retain(|&v| literal.holds(v));
        }
        Ok(Some(left))
    }
}
