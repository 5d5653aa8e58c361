//! From a conflict to a nogood: the first unique implication point.
//!
//! What is to be explained is a set of entries of the log, each with the weakest atom that is needed of it.
//! The newest is replaced by its reason until only one of the conflict's level is left (Marques-Silva, Sakallah
//! 1996; Zhang et al. 2001). Then atoms that follow from the others are dropped, by their reasons (Sörensson,
//! Biere 2009), and of each variable and side the strongest stays.
//!
//! That a variable has a certain value is true from the entry on that fixed it. Needed as such it stands for both bounds, so it can
//! be the unique implication point where each of the bounds alone could not.

use std::collections::BinaryHeap;

use crate::engine::kernel::Engine;
use crate::engine::log::{Log, Position, Side};
use crate::engine::reason::{Atom, CLAUSES, Cause, Explanation, NO_CLAUSE, Reason, Relation};
use crate::engine::view::VarId;

/// Atoms whose reasons are looked into to see that an atom follows from others.
const STEPS: u32 = 40;
/// How deep.
const DEPTH: u32 = 12;

/// What is known of an entry.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    /// The number of the conflict, if the mark is of this one.
    conflict: u32,
    /// The bound that is needed of it.
    need: i64,
    /// Not this bound is needed, but that both bounds meet in it.
    is_value: bool,
    /// Of the last atom found to follow from the others, or not to.
    verdict: Option<(Atom, bool)>,
    is_needed: bool,
}

#[derive(Debug, Default)]
pub(super) struct Analysis {
    /// The clause: the opposites of the nogood's atoms; the first one becomes true, the second was the last to
    /// become false of the others.
    pub(super) literals: Vec<Atom>,
    pub(super) lbd: u32,
    /// Decisions that stay in force.
    pub(super) depth: usize,
    /// Whether the demand on the objective had a part in it.
    pub(super) is_demanded: bool,
    /// Variables met on the way, each once.
    pub(super) blamed: Vec<VarId>,
    /// Clauses met on the way.
    pub(super) used: Vec<u32>,
    /// Atoms that were dropped because they follow from others.
    pub(super) dropped: u64,
    is_blamed: Vec<bool>,
    marks: Vec<Mark>,
    conflict: u32,
    /// Entries to be explained.
    open: BinaryHeap<Position>,
    /// Entries before this one are facts.
    facts: Position,
    /// Facts from this one on may follow from the demand on the objective.
    demanded: Position,
    /// The first entry of the conflict's level, and how many entries from there on are open.
    start: Position,
    count: usize,
    explanation: Explanation,
    nogood: Vec<(Atom, Position)>,
    steps: u32,
}

impl Analysis {
    /// Analyses the failure that has just happened; `false` if it follows from facts alone.
    pub(super) fn run(&mut self, engine: &Engine) -> bool {
        self.begin(engine);
        let log = &engine.store.log;
        let reason = engine.store.failure.map(|failure| failure.reason);
        self.is_demanded = reason == Some(Reason::FACT);
        self.note_use(reason);
        let Some(failure) = engine.explain_failure() else { return false };
        failure.atoms().iter().for_each(|&atom| self.need(log, atom, log.now()));
        let Some(&newest) = self.open.peek() else { return false };
        self.start = log.start_of(log.level_of(newest));
        self.count = self.open.iter().filter(|&&p| p >= self.start).count();
        let mut explanation = std::mem::take(&mut self.explanation);
        let first = loop {
            let Some(position) = self.open.pop() else { return false };
            let entry = log.entry(position);
            if self.count == 1 {
                break (self.atom(log, position), position);
            }
            if entry.reason.cause() == Cause::Decision {
                // The other one is the opposite bound of the same decision.
                while self.open.peek().is_some_and(|&p| p >= self.start) {
                    self.open.pop();
                }
                break (Atom::eq(entry.var, entry.new), position);
            }
            self.count -= 1;
            self.note_use(Some(entry.reason));
            explanation.atoms.clear();
            self.explain(engine, position, self.atom(log, position), &mut explanation);
            explanation.atoms().iter().for_each(|&atom| self.need(log, atom, position));
        };
        self.explanation = explanation;
        self.minimise(engine);
        self.conclude(log, first);
        true
    }

    /// The decisions, by number, that an atom which holds follows from.
    pub(super) fn decisions_behind(&mut self, engine: &Engine, atom: Atom) -> Vec<usize> {
        self.begin(engine);
        let log = &engine.store.log;
        let mut found = Vec::new();
        let mut explanation = std::mem::take(&mut self.explanation);
        self.need(log, atom, log.now());
        while let Some(position) = self.open.pop() {
            if log.entry(position).reason.cause() == Cause::Decision {
                found.push(log.level_of(position) - 2);
            }
            // A decision may be but one of the two bounds that make a value.
            explanation.atoms.clear();
            self.explain(engine, position, self.atom(log, position), &mut explanation);
            explanation.atoms().iter().for_each(|&atom| self.need(log, atom, position));
        }
        self.explanation = explanation;
        found
    }

    fn begin(&mut self, engine: &Engine) {
        let log = &engine.store.log;
        self.conflict += 1;
        self.marks.resize(self.marks.len().max(log.now() as usize), Mark::default());
        // Before the next line, since there may be fewer variables now.
        self.blamed.drain(..).for_each(|x| self.is_blamed[x.index()] = false);
        self.is_blamed.resize(engine.store.variables.len(), false);
        self.open.clear();
        self.used.clear();
        self.demanded = engine.learning.as_ref().map_or(Position::MAX, |learning| learning.demanded);
        // Levels are those of the log: below the base, the base, and one for each decision.
        self.facts = log.start_of(2);
        self.start = 0;
    }

    /// What is needed of a marked entry.
    fn atom(&self, log: &Log, position: Position) -> Atom {
        let (entry, mark) = (log.entry(position), &self.marks[position as usize]);
        if mark.is_value { Atom::eq(entry.var, mark.need) } else { entry.atom_of(mark.need) }
    }

    /// Adds why an atom became true with an entry.
    fn explain(&self, engine: &Engine, position: Position, atom: Atom, out: &mut Explanation) {
        let entry = engine.store.log.entry(position);
        let bound = if atom.relation == Relation::Eq { entry.atom_of(atom.value) } else { atom };
        engine.explain_into(position, bound, out);
        if atom.relation == Relation::Eq {
            out.push(match entry.side {
                Side::Min => Atom::le(atom.var, atom.value),
                _ => Atom::ge(atom.var, atom.value),
            });
        }
    }

    /// The entry before `before` that made an atom true, what is needed of it, and whether that is a value; none if
    /// it is a fact.
    fn origin(&mut self, log: &Log, atom: Atom, before: Position) -> Option<(Position, i64, bool)> {
        let from = self.facts.min(self.demanded);
        let mut origin =
            |atom| log.origin(atom, from, before).filter(|&(position, _)| !self.is_fact(log, position));
        if atom.relation != Relation::Eq {
            return origin(atom).map(|(position, value)| (position, value, false));
        }
        let (low, high) = (origin(Atom::ge(atom.var, atom.value)), origin(Atom::le(atom.var, atom.value)));
        let is_value = low.is_some() && high.is_some();
        low.max(high).map(|(position, value)| (position, value, is_value))
    }

    /// Notes that an atom, true before `before`, is needed.
    fn need(&mut self, log: &Log, atom: Atom, before: Position) {
        let Some((position, value, is_value)) = self.origin(log, atom, before) else { return };
        if !self.is_blamed[atom.var.index()] {
            self.is_blamed[atom.var.index()] = true;
            self.blamed.push(atom.var);
        }
        let mark = &mut self.marks[position as usize];
        if mark.conflict == self.conflict {
            mark.need = match log.entry(position).side {
                Side::Min => mark.need.max(value),
                Side::Max => mark.need.min(value),
                Side::Hole => value,
            };
            mark.is_value |= is_value;
            return;
        }
        *mark = Mark { conflict: self.conflict, need: value, is_value, verdict: None, is_needed: true };
        self.open.push(position);
        self.count += usize::from(position >= self.start);
    }

    /// Notes the clause that a reason is, if it is one.
    fn note_use(&mut self, reason: Option<Reason>) {
        if let Some(Cause::Lazy { propagator: CLAUSES, data }) = reason.map(Reason::cause)
            && data != NO_CLAUSE
        {
            self.used.push(data);
        }
    }

    /// Whether an entry holds in all that is still to be searched. Notes if the demand on the objective may be why.
    fn is_fact(&mut self, log: &Log, position: Position) -> bool {
        let is_demand = log.entry(position).reason == Reason::FACT;
        let is_fact = is_demand || position < self.facts;
        self.is_demanded |= is_fact && (is_demand || position >= self.demanded);
        is_fact
    }

    /// Drops what follows from the rest.
    fn minimise(&mut self, engine: &Engine) {
        let log = &engine.store.log;
        self.nogood.clear();
        let positions = std::mem::take(&mut self.open).into_sorted_vec();
        for &position in positions.iter().rev() {
            self.steps = STEPS;
            let atom = self.atom(log, position);
            let reason = log.entry(position).reason.cause();
            let follows = reason != Cause::Decision && self.reason_follows(engine, position, atom, 0);
            if follows {
                self.dropped += 1;
            } else {
                self.nogood.push((atom, position));
            }
        }
    }

    /// Whether the reason of an atom follows from what is needed.
    fn reason_follows(&mut self, engine: &Engine, position: Position, atom: Atom, depth: u32) -> bool {
        if depth == DEPTH || self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        let mut reason = Explanation::default();
        self.explain(engine, position, atom, &mut reason);
        reason.atoms.iter().all(|&atom| self.follows(engine, atom, position, depth + 1))
    }

    fn follows(&mut self, engine: &Engine, atom: Atom, before: Position, depth: u32) -> bool {
        let log = &engine.store.log;
        let Some((position, value, is_value)) = self.origin(log, atom, before) else { return true };
        let entry = log.entry(position);
        let what = if is_value { Atom::eq(entry.var, value) } else { entry.atom_of(value) };
        let mark = self.marks[position as usize];
        let is_as_strong = |other: i64| match entry.side {
            Side::Min => other >= value,
            Side::Max => other <= value,
            Side::Hole => true,
        };
        if mark.conflict == self.conflict {
            if mark.is_needed && is_as_strong(mark.need) && (mark.is_value || !is_value) {
                return true;
            }
            if let Some((of, verdict)) = mark.verdict
                && of == what
            {
                return verdict;
            }
        }
        if entry.reason.cause() == Cause::Decision {
            return false;
        }
        let verdict = self.reason_follows(engine, position, what, depth);
        let mark = &mut self.marks[position as usize];
        if mark.conflict != self.conflict {
            *mark = Mark { conflict: self.conflict, ..Mark::default() };
        }
        mark.verdict = Some((what, verdict));
        verdict
    }

    /// Puts the clause together.
    fn conclude(&mut self, log: &Log, (first, at): (Atom, Position)) {
        // Of each variable and side only the strongest, which is the newest, as they come.
        let mut kept: Vec<(Atom, Position)> = Vec::with_capacity(self.nogood.len());
        for &(atom, position) in &self.nogood {
            let implies = |other: Atom| {
                other.var == atom.var
                    && (other.relation == Relation::Eq
                        || other.relation == atom.relation && atom.relation != Relation::Ne)
            };
            let implied = implies(first) || kept.iter().any(|&(other, _)| implies(other));
            if implied {
                continue;
            }
            // Two bounds that meet are a value.
            let opposite = kept.iter_mut().find(|(other, _)| {
                other.var == atom.var
                    && other.value == atom.value
                    && matches!(
                        (other.relation, atom.relation),
                        (Relation::Ge, Relation::Le) | (Relation::Le, Relation::Ge)
                    )
            });
            match opposite {
                Some((other, _)) => *other = Atom::eq(atom.var, atom.value),
                None => kept.push((atom, position)),
            }
        }
        kept.sort_by_key(|&(_, position)| std::cmp::Reverse(position));
        self.literals.clear();
        self.literals.push(first.negated());
        self.literals.extend(kept.iter().map(|(atom, _)| atom.negated()));
        let mut levels: Vec<usize> = kept.iter().map(|&(_, position)| log.level_of(position)).collect();
        self.depth = levels.first().map_or(0, |&level| level - 1);
        levels.push(log.level_of(at));
        levels.sort_unstable();
        levels.dedup();
        self.lbd = levels.len() as u32;
        self.nogood.clear();
    }
}
