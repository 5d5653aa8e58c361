//! The one loop: decide, propagate, and on a conflict undo and go the other way.
//!
//! A conflict is answered by undoing the last decision and making its negation true one level up, so the
//! right branch needs no level of its own. The root is propagated once and for all; the search stands on a
//! level above it, its *base*, for the right branches of its first decision must be undone too.
//!
//! Branch and bound: once a solution is known, each undo is followed by the demand for a better one, so that
//! nothing but better ones is found from there on.

use crate::engine::{Atom, Engine, Fixpoint, View};
use crate::observe::{Progress, Statistics};

use super::branching::Domains;
use super::guide::Guide;
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

/// What is to be as small as possible.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Objective {
    pub(crate) view: View,
    /// The smallest value of a solution so far.
    pub(crate) best: Option<i64>,
    /// No solution that is still to be found has a smaller value.
    pub(crate) bound: i64,
}

impl Objective {
    /// Demands a better solution than the best so far, here and below; `false` if there can be none.
    fn demand(&self, engine: &mut Engine) -> bool {
        self.best.is_none_or(|best| engine.decide(self.view.le(best - 1)).is_ok())
    }
}

/// Where one search stands.
#[derive(Debug, Default)]
pub(crate) struct Driver {
    /// The decisions in force: the left branches on the path.
    decisions: Vec<Atom>,
    /// For each open level the number of the node that opened it: the first was opened by the root, the
    /// others by the decisions.
    path: Vec<u64>,
    /// Decisions from this number on do but complete a solution; see [`Guide`].
    floor: usize,
    /// The present node is a solution that was handed out.
    at_solution: bool,
    limits: Limits,
    pub(crate) objective: Option<Objective>,
    pub(crate) statistics: Statistics,
    pub(crate) progress: Progress,
}

impl Driver {
    /// A search from the engine's present level, with room for `depth` decisions.
    pub(crate) fn begin(&mut self, limits: Limits, objective: Option<Objective>, depth: usize) {
        self.decisions.clear();
        self.decisions.reserve(depth);
        self.path.clear();
        self.path.reserve(depth + 1);
        self.floor = usize::MAX;
        self.at_solution = false;
        self.limits = limits;
        self.objective = objective;
        self.statistics = Statistics::default();
    }

    /// Searches on to the next solution.
    pub(crate) fn next(
        &mut self,
        engine: &mut Engine,
        guide: &mut Guide,
        map: &[View],
        tags: &[u32],
    ) -> Event {
        if self.at_solution {
            self.at_solution = false;
            // One completion is enough.
            while self.decisions.len() > self.floor {
                self.drop_decision(engine);
            }
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
                        self.path.push(self.statistics.nodes);
                    }
                    if self.decisions.is_empty()
                        && let Some(objective) = &mut self.objective
                    {
                        objective.bound = objective.bound.max(engine.store.min(objective.view));
                    }
                    let domains = Domains { store: &engine.store, map, tags, path: &self.path };
                    match guide.choose(&domains, &mut self.floor, self.decisions.len()) {
                        Err(stop) => return Event::Stopped(stop),
                        Ok(None) => {
                            self.statistics.solutions += 1;
                            self.at_solution = true;
                            return Event::Solution;
                        }
                        Ok(Some(atom)) => {
                            self.decisions.push(atom);
                            self.path.push(self.statistics.nodes);
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

    /// A solution with this value of the objective was found.
    pub(crate) fn improve(&mut self, value: i64) {
        if let Some(objective) = &mut self.objective {
            objective.best = Some(objective.best.map_or(value, |best| best.min(value)));
        }
    }

    /// No solution has a smaller value of the objective.
    pub(crate) fn bound(&self) -> i64 {
        let bound = |o: Objective| o.best.map_or(o.bound, |best| best.min(o.bound));
        self.objective.map_or(i64::MIN, bound)
    }

    #[cold]
    pub(crate) fn publish(&self) {
        let s = &self.statistics;
        self.progress.publish(s.nodes, s.failures, s.solutions);
    }

    /// Leaves the present node for the next one; `false` if there is none.
    fn backtrack(&mut self, engine: &mut Engine) -> bool {
        while let Some(decision) = self.drop_decision(engine) {
            if self.decisions.len() < self.floor {
                self.floor = usize::MAX;
            }
            if engine.decide(decision.negated()).is_ok()
                && self.objective.is_none_or(|objective| objective.demand(engine))
            {
                return true;
            }
            // No better solution is here.
            engine.clear_queue();
            self.statistics.nodes += 1;
            self.statistics.failures += 1;
        }
        false
    }

    /// Undoes the last decision.
    #[inline(always)]
    fn drop_decision(&mut self, engine: &mut Engine) -> Option<Atom> {
        let decision = self.decisions.pop()?;
        self.path.pop();
        engine.pop_level();
        Some(decision)
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
