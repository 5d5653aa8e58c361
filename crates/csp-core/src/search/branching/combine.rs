//! Branchers made of others.

use std::fmt;

use super::{Brancher, Changes, Decision, Domains, Failure};
use crate::model::IntVar;

/// Branchers one after the other: each is asked only where the ones before it have nothing to decide.
#[derive(Default)]
pub struct Sequence {
    parts: Vec<Box<dyn Brancher>>,
}

impl Sequence {
    /// These, in this order.
    pub fn new(parts: Vec<Box<dyn Brancher>>) -> Sequence {
        Sequence { parts }
    }
}

impl fmt::Debug for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sequence").field("parts", &self.parts.len()).finish()
    }
}

impl Brancher for Sequence {
    fn start(&mut self, domains: &Domains<'_>, seed: u64) {
        self.parts.iter_mut().for_each(|part| part.start(domains, seed));
    }

    fn choose(&mut self, domains: &Domains<'_>) -> Option<Decision> {
        self.parts.iter_mut().find_map(|part| part.choose(domains))
    }

    fn choose_on(&mut self, domains: &Domains<'_>, x: IntVar) -> Option<Decision> {
        self.parts.iter_mut().find_map(|part| part.choose_on(domains, x))
    }

    fn failed(&mut self, failure: &Failure<'_>) {
        self.parts.iter_mut().for_each(|part| part.failed(failure));
    }

    fn wants_changes(&self) -> bool {
        self.parts.iter().any(|part| part.wants_changes())
    }

    fn fork(&self) -> Option<Box<dyn Brancher>> {
        let parts: Option<_> = self.parts.iter().map(|part| part.fork()).collect();
        Some(Box::new(Sequence::new(parts?)))
    }

    fn changed(&mut self, changes: &Changes<'_>) {
        self.parts.iter_mut().for_each(|part| part.changed(changes));
    }
}

/// Whether there is something to decide about a variable.
fn is_open(domains: &Domains<'_>, x: IntVar) -> bool {
    domains.has(x) && !domains.is_fixed(x)
}

/// A decision of a brancher on a given variable, or on whichever it likes if none is given.
fn choose_first(inner: &mut impl Brancher, domains: &Domains<'_>, first: Option<IntVar>) -> Option<Decision> {
    match first {
        Some(x) => inner.choose_on(domains, x).or(Some(Decision::Equal(x, domains.min(x)))),
        None => inner.choose(domains),
    }
}

/// Last-conflict reasoning on top of a brancher; made by [`Brancher::last_conflict`].
#[derive(Debug)]
pub struct LastConflict<B> {
    inner: B,
    /// The variable of the last decision.
    last: Option<IntVar>,
    /// The one that was decided last when propagation failed, until it is fixed.
    suspect: Option<IntVar>,
}

impl<B: Brancher> LastConflict<B> {
    pub(crate) fn new(inner: B) -> LastConflict<B> {
        LastConflict { inner, last: None, suspect: None }
    }
}

impl<B: Brancher> Brancher for LastConflict<B> {
    fn start(&mut self, domains: &Domains<'_>, seed: u64) {
        (self.last, self.suspect) = (None, None);
        self.inner.start(domains, seed);
    }

    fn choose(&mut self, domains: &Domains<'_>) -> Option<Decision> {
        self.suspect = self.suspect.filter(|&x| is_open(domains, x));
        let decision = choose_first(&mut self.inner, domains, self.suspect);
        self.last = decision.map(Decision::variable).or(self.last);
        decision
    }

    fn choose_on(&mut self, domains: &Domains<'_>, x: IntVar) -> Option<Decision> {
        self.inner.choose_on(domains, x)
    }

    fn failed(&mut self, failure: &Failure<'_>) {
        self.suspect = self.suspect.or(self.last);
        self.inner.failed(failure);
    }

    fn fork(&self) -> Option<Box<dyn Brancher>> {
        Some(Box::new(LastConflict::new(self.inner.fork()?)))
    }

    fn wants_changes(&self) -> bool {
        self.inner.wants_changes()
    }

    fn changed(&mut self, changes: &Changes<'_>) {
        self.inner.changed(changes);
    }
}

/// Conflict-ordering search on top of a brancher; made by [`Brancher::conflict_ordering`].
#[derive(Debug)]
pub struct ConflictOrdering<B> {
    inner: B,
    /// The variable of the last decision.
    last: Option<IntVar>,
    /// The variables whose decisions failed, the one that failed last at the end.
    order: Vec<IntVar>,
}

impl<B: Brancher> ConflictOrdering<B> {
    pub(crate) fn new(inner: B) -> ConflictOrdering<B> {
        ConflictOrdering { inner, last: None, order: Vec::new() }
    }
}

impl<B: Brancher> Brancher for ConflictOrdering<B> {
    fn start(&mut self, domains: &Domains<'_>, seed: u64) {
        self.last = None;
        self.order.clear();
        self.inner.start(domains, seed);
    }

    fn choose(&mut self, domains: &Domains<'_>) -> Option<Decision> {
        let first = self.order.iter().copied().rev().find(|&x| is_open(domains, x));
        let decision = choose_first(&mut self.inner, domains, first);
        self.last = decision.map(Decision::variable).or(self.last);
        decision
    }

    fn choose_on(&mut self, domains: &Domains<'_>, x: IntVar) -> Option<Decision> {
        self.inner.choose_on(domains, x)
    }

    fn failed(&mut self, failure: &Failure<'_>) {
        if let Some(x) = self.last {
            // Most of the time it is the one at the end, or near it.
            if let Some(place) = self.order.iter().rposition(|&y| y == x) {
                self.order.remove(place);
            }
            self.order.push(x);
        }
        self.inner.failed(failure);
    }

    fn fork(&self) -> Option<Box<dyn Brancher>> {
        Some(Box::new(ConflictOrdering::new(self.inner.fork()?)))
    }

    fn wants_changes(&self) -> bool {
        self.inner.wants_changes()
    }

    fn changed(&mut self, changes: &Changes<'_>) {
        self.inner.changed(changes);
    }
}
