//! Copies of branchers, one for each thread.

use super::{Brancher, Changes, Decision, Domains, Failure};
use crate::model::IntVar;

/// A brancher of which copies can be made; made by [`Brancher::forkable`].
#[derive(Clone, Debug)]
pub struct Forkable<B> {
    inner: B,
}

impl<B: Brancher + Clone + 'static> Forkable<B> {
    pub(crate) fn new(inner: B) -> Forkable<B> {
        Forkable { inner }
    }
}

impl<B: Brancher + Clone + 'static> Brancher for Forkable<B> {
    fn choose(&mut self, domains: &Domains<'_>) -> Option<Decision> {
        self.inner.choose(domains)
    }

    fn start(&mut self, domains: &Domains<'_>, seed: u64) {
        self.inner.start(domains, seed);
    }

    fn choose_on(&mut self, domains: &Domains<'_>, x: IntVar) -> Option<Decision> {
        self.inner.choose_on(domains, x)
    }

    fn failed(&mut self, failure: &Failure<'_>) {
        self.inner.failed(failure);
    }

    fn wants_changes(&self) -> bool {
        self.inner.wants_changes()
    }

    fn changed(&mut self, changes: &Changes<'_>) {
        self.inner.changed(changes);
    }

    fn fork(&self) -> Option<Box<dyn Brancher>> {
        Some(Box::new(self.clone()))
    }
}

/// So that what wraps a brancher can wrap a copy.
impl Brancher for Box<dyn Brancher> {
    fn choose(&mut self, domains: &Domains<'_>) -> Option<Decision> {
        (**self).choose(domains)
    }

    fn start(&mut self, domains: &Domains<'_>, seed: u64) {
        (**self).start(domains, seed);
    }

    fn choose_on(&mut self, domains: &Domains<'_>, x: IntVar) -> Option<Decision> {
        (**self).choose_on(domains, x)
    }

    fn failed(&mut self, failure: &Failure<'_>) {
        (**self).failed(failure);
    }

    fn wants_changes(&self) -> bool {
        (**self).wants_changes()
    }

    fn changed(&mut self, changes: &Changes<'_>) {
        (**self).changed(changes);
    }

    fn fork(&self) -> Option<Box<dyn Brancher>> {
        (**self).fork()
    }
}
