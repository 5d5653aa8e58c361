//! The one loop: decide, propagate, and on a conflict undo and go the other way.
//!
//! A conflict is answered by an atom and a level: undo to that level and make the atom true there.
//! Plain search answers with the negation of the last decision, one level up, so the right branch
//! needs no level of its own. The root is propagated once and for all; the search stands on a level
//! above it, for the right branches of its first decision must be undone too.

use crate::engine::{Atom, Engine, Fixpoint, View};
use crate::observe::{Progress, Statistics};

use super::branching::{Brancher, Domains};
use super::limits::{Limits, Stop};

/// Progress is published once in so many nodes.
const NODES_PER_REPORT: u64 = 256;

/// What the driver came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// All variables are fixed; call again to go on.
    Solution,
    /// There are no more solutions.
    Exhausted,
    Stopped(Stop),
}

/// Where one search stands.
#[derive(Debug, Default)]
pub(crate) struct Driver {
    decisions: Vec<Atom>,
    /// The present node is a solution that was handed out.
    at_solution: bool,
    limits: Limits,
    pub(crate) statistics: Statistics,
    pub(crate) progress: Progress,
}

impl Driver {
    /// A search from the engine's present level, with room for `depth` decisions.
    pub(crate) fn restart(&mut self, limits: Limits, depth: usize) {
        self.decisions.clear();
        self.decisions.reserve(depth);
        self.at_solution = false;
        self.limits = limits;
        self.statistics = Statistics::default();
    }

    /// Searches on to the next solution.
    pub(crate) fn next(
        &mut self,
        engine: &mut Engine,
        brancher: &mut dyn Brancher,
        map: &[View],
        tags: &[u32],
    ) -> Event {
        if self.at_solution {
            self.at_solution = false;
            if !self.backtrack(engine) {
                return Event::Exhausted;
            }
        }
        loop {
            if let Some(stop) = self.limit_reached() {
                return Event::Stopped(stop);
            }
            self.statistics.nodes += 1;
            if self.statistics.nodes.is_multiple_of(NODES_PER_REPORT) {
                self.publish();
            }
            let failed = match engine.propagate() {
                Fixpoint::Reached => {
                    if engine.level() == engine.root_level() {
                        engine.push_level();
                    }
                    let domains = Domains { store: &engine.store, map, tags };
                    let decision = brancher.choose(&domains);
                    if decision.is_some_and(|decision| !domains.has(decision.variable())) {
                        return Event::Stopped(Stop::ForeignVariable);
                    }
                    match decision.map(|decision| decision.atom(&domains)) {
                        None => {
                            self.statistics.solutions += 1;
                            self.at_solution = true;
                            return Event::Solution;
                        }
                        Some(atom) => {
                            self.decisions.push(atom);
                            self.statistics.max_depth =
                                self.statistics.max_depth.max(self.decisions.len() as u64);
                            engine.push_level();
                            let before = engine.store.saved();
                            if engine.decide(atom).is_err() || engine.store.saved() == before {
                                return Event::Stopped(Stop::UselessDecision);
                            }
                            false
                        }
                    }
                }
                Fixpoint::Failed => true,
                Fixpoint::Interrupted => {
                    self.statistics.nodes -= 1;
                    let by_handle = engine.stop.load(std::sync::atomic::Ordering::Relaxed);
                    return Event::Stopped(if by_handle { Stop::Handle } else { Stop::Time });
                }
            };
            if failed {
                self.statistics.failures += 1;
                if !self.backtrack(engine) {
                    return Event::Exhausted;
                }
            }
        }
    }

    #[cold]
    pub(crate) fn publish(&self) {
        let s = &self.statistics;
        self.progress.publish(s.nodes, s.failures, s.solutions);
    }

    /// Leaves the present node for the next one; `false` if there is none.
    fn backtrack(&mut self, engine: &mut Engine) -> bool {
        while let Some((atom, level)) = self.answer(engine) {
            while engine.level() > level {
                engine.pop_level();
            }
            self.decisions.truncate((level - engine.root_level() - 1) as usize);
            if engine.decide(atom).is_ok() {
                return true;
            }
            // Cannot happen after an undecided decision, but a wrong answer must not follow from it.
            self.statistics.nodes += 1;
            self.statistics.failures += 1;
        }
        false
    }

    /// What to make true, and on which level, after a conflict or a solution.
    fn answer(&self, engine: &Engine) -> Option<(Atom, u32)> {
        self.decisions.last().map(|decision| (decision.negated(), engine.level() - 1))
    }

    fn limit_reached(&self) -> Option<Stop> {
        let Limits { nodes, failures, solutions, .. } = self.limits;
        let s = &self.statistics;
        if nodes.is_some_and(|n| s.nodes >= n) {
            Some(Stop::Nodes)
        } else if failures.is_some_and(|n| s.failures >= n) {
            Some(Stop::Failures)
        } else if solutions.is_some_and(|n| s.solutions >= n) {
            Some(Stop::Solutions)
        } else {
            None
        }
    }
}
