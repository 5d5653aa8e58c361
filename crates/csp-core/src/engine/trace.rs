//! What the log tells a trace: who made a change, and why, without hidden variables.

use std::collections::BTreeSet;

use super::differences;
use super::kernel::Engine;
use super::log::{Entry, Position};
use super::reason::{Atom, CLAUSES, Cause, Explanation, Reason, Relation};
use super::store::hooks;
use super::view::VarId;

/// Whose a reason is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A decision, or the opposite of one.
    Decision,
    /// A demand on all that is still to be searched.
    Fact,
    /// A bound that slid over holes: no value goes.
    Slide,
    /// A clause that was learnt, or a nogood.
    Clause,
    /// The propagator of this number.
    Propagator(u32),
    /// An arc of the difference network, or several of them.
    Difference(Option<u32>),
}

/// Why something happened, in atoms of variables that are not hidden.
#[derive(Debug, Default)]
pub(crate) struct Blame {
    pub(crate) atoms: Vec<Atom>,
    /// Who had a part in what happened to hidden variables, each once.
    pub(crate) helpers: Vec<Source>,
}

impl Engine {
    /// Begins to log changes, from the domains as they are; a search that learns has begun already.
    pub(crate) fn start_trace(&mut self) {
        if !self.learns() {
            self.store.start_log();
            self.store.hooks |= hooks::ALIKE;
        }
    }

    /// Stops to log changes.
    pub(crate) fn stop_trace(&mut self) {
        if self.store.hooks & hooks::ALIKE != 0 {
            self.store.stop_log();
        }
    }

    /// How many changes are in the log.
    pub(crate) fn log_end(&self) -> Position {
        self.store.log.now()
    }

    /// A change of the log.
    pub(crate) fn log_entry(&self, position: Position) -> &Entry {
        self.store.log.entry(position)
    }

    /// The values of a variable when the log was begun; none if it is off.
    pub(crate) fn logged_initial(&self, x: VarId) -> Vec<(i64, i64)> {
        let Some(initial) = self.store.log.initial(x) else { return Vec::new() };
        let mut low = initial.min;
        let mut intervals = Vec::with_capacity(initial.gaps.len() + 1);
        for &(from, to) in &initial.gaps {
            intervals.push((low, from - 1));
            low = to + 1;
        }
        intervals.push((low, initial.max));
        intervals
    }

    /// Whose a reason is.
    pub(crate) fn source(&self, reason: Reason) -> Source {
        match reason.cause() {
            _ if reason == Reason::FACT => Source::Fact,
            Cause::Decision => Source::Decision,
            Cause::Domain => Source::Slide,
            Cause::Lazy { propagator, data } if Some(propagator) == self.differences => {
                Source::Difference(Some(differences::arc_of(data)))
            }
            Cause::Lazy { propagator, .. } => self.source_of(propagator),
            Cause::Eager { place, .. } => self.source_of(self.store.log.owner(place)),
        }
    }

    /// Who failed last, and whether the log knows why.
    pub(crate) fn failed_source(&self) -> Source {
        let reason = self.store.failure.filter(|_| self.store.is_logged()).map(|failure| failure.reason);
        reason.map_or_else(|| self.source_of(self.store.running), |reason| self.source(reason))
    }

    fn source_of(&self, propagator: u32) -> Source {
        match propagator {
            _ if propagator == CLAUSES || Some(propagator) == self.nogoods => Source::Clause,
            _ if Some(propagator) == self.differences => Source::Difference(None),
            _ => Source::Propagator(propagator),
        }
    }

    /// Why a change of the log was made.
    pub(crate) fn blame(&self, position: Position, is_hidden: impl Fn(VarId) -> bool) -> Blame {
        let mut why = Explanation::default();
        self.explain_into(position, self.store.log.entry(position).atom(), &mut why);
        self.without_hidden(why, position, is_hidden)
    }

    /// Why propagation failed, in the same way.
    pub(crate) fn blame_failure(&self, is_hidden: impl Fn(VarId) -> bool) -> Blame {
        let why = self.explain_failure().unwrap_or_default();
        self.without_hidden(why, self.store.log.now(), is_hidden)
    }

    /// Puts in the place of an atom of a hidden variable why it became true, unless it was decided on.
    fn without_hidden(
        &self,
        why: Explanation,
        position: Position,
        is_hidden: impl Fn(VarId) -> bool,
    ) -> Blame {
        let log = &self.store.log;
        let (mut blame, mut done) = (Blame::default(), BTreeSet::new());
        let mut open: Vec<(Atom, Position)> =
            why.atoms.into_iter().rev().map(|atom| (atom, position)).collect();
        while let Some((atom, before)) = open.pop() {
            if !is_hidden(atom.var) {
                blame.atoms.push(atom);
                continue;
            }
            let parts = match atom.relation {
                Relation::Eq => [Some(Atom::le(atom.var, atom.value)), Some(Atom::ge(atom.var, atom.value))],
                _ => [Some(atom), None],
            };
            for part in parts.into_iter().flatten() {
                // What always held needs no reason.
                let Some((at, value)) = log.origin(part, 0, before) else { continue };
                let entry = log.entry(at);
                if !done.insert((at, value)) {
                    continue;
                }
                if entry.reason == Reason::DECISION {
                    blame.atoms.push(entry.atom_of(value));
                    continue;
                }
                let helper = self.source(entry.reason);
                if !blame.helpers.contains(&helper) {
                    blame.helpers.push(helper);
                }
                let mut why = Explanation::default();
                self.explain_into(at, entry.atom_of(value), &mut why);
                open.extend(why.atoms.into_iter().rev().map(|atom| (atom, at)));
            }
        }
        blame
    }
}
