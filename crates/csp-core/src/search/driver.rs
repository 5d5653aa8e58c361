//! The one loop: decide, propagate, and on a conflict undo and go the other way.
//!
//! A conflict is answered by undoing the last decision and making its negation true one level up, so the
//! right branch needs no level of its own. The root is propagated once and for all; the search stands on a
//! level above it, its *base*, for the right branches of its first decision must be undone too.
//!
//! Branch and bound: once a solution is known, each undo is followed by the demand for a better one, so that
//! nothing but better ones is found from there on.
//!
//! Restarts: the right branches on the path tell what was searched so far. They become nogoods, on a root
//! level pushed for them, and so a restart forgets nothing: neither completeness nor exact counts are lost.
//!
//! A search that learns answers a conflict by what the engine learns from it: it undoes as many
//! decisions as that takes, and what was learnt is true there. A solution is left as a conflict too: with the demand for
//! a better one, or with a clause that excludes its values. Restarts undo the decisions and forget nothing.

use crate::engine::{Atom, Engine, Fixpoint, Lesson, Store, View};
use crate::observe::{Progress, Recorder, Statistics};

use super::branching::Domains;
use super::guide::Guide;
use super::limits::{Limits, Stop};
use super::restarts::{Restarts, Schedule};

/// Progress is published once in so many nodes.
const NODES_PER_REPORT: u64 = 256;
/// More variables than this are very many.
const MANY: usize = 2000;

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
    /// -1 where the opposite of it is to be as large as possible.
    pub(crate) sign: i64,
}

impl Objective {
    /// Demands a better solution than the best so far, here and below; `false` if there can be none.
    fn demand(&self, engine: &mut Engine) -> bool {
        self.best.is_none_or(|best| engine.demand(self.view.le(best - 1)).is_ok())
    }
}

/// An assumption is false.
struct Unmet;

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
    /// What is to hold in this search.
    assumptions: Vec<Atom>,
    /// Where all assumptions hold, so many decisions made them; [`usize::MAX`] where not all do.
    firm: usize,
    /// The numbers of assumptions that cannot hold together, if the search found that out.
    core: Vec<usize>,
    /// What was learnt contradicts a known solution.
    is_wrong: bool,
    /// The present node is a solution that was handed out.
    at_solution: bool,
    limits: Limits,
    /// The numbers of nodes and of failures at which there is something to look after.
    nodes_to_check: u64,
    failures_to_check: u64,
    /// The right branches on the path: how many decisions were in force, and the one that was refuted.
    refuted: Vec<(usize, Atom)>,
    keeps_refuted: bool,
    /// Some right branches were left out.
    is_cut: bool,
    restarts: Option<Schedule>,
    failures_to_restart: u64,
    /// A root level was pushed for nogoods.
    has_nogoods: bool,
    pub(crate) objective: Option<Objective>,
    pub(crate) statistics: Statistics,
    pub(crate) progress: Progress,
    /// Whoever traces the search.
    pub(crate) recorder: Option<Box<Recorder>>,
}

impl Driver {
    /// A search from the engine's root, with room for `depth` decisions.
    pub(crate) fn begin(
        &mut self,
        limits: Limits,
        restarts: Restarts,
        objective: Option<Objective>,
        assumptions: Vec<Atom>,
        depth: usize,
    ) {
        self.firm = if assumptions.is_empty() { 0 } else { usize::MAX };
        self.core.clear();
        self.core.extend(0..assumptions.len());
        self.assumptions = assumptions;
        self.decisions.clear();
        self.decisions.reserve(depth);
        self.path.clear();
        self.path.reserve(depth + 1);
        self.floor = usize::MAX;
        self.at_solution = false;
        self.limits = limits;
        self.objective = objective;
        self.statistics = Statistics::default();
        self.refuted.clear();
        self.is_cut = false;
        self.is_wrong = false;
        let mut schedule = Schedule::new(restarts);
        self.failures_to_restart = schedule.next();
        self.restarts = (!schedule.is_never()).then_some(schedule);
        self.keeps_refuted = self.restarts.is_some() || limits.discrepancies.is_some();
        self.nodes_to_check = 0;
        self.failures_to_check = self.failures_to_restart.min(limits.failures.unwrap_or(u64::MAX));
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
            let goes_on = if engine.learns() {
                self.leave_solution(engine, guide, map)
            } else {
                // One completion is enough.
                while self.decisions.len() > self.floor {
                    self.drop_decision(engine);
                }
                self.backtrack(engine)
            };
            if !goes_on {
                return self.exhausted();
            }
            if self.limits.solutions.is_some() {
                self.nodes_to_check = 0;
            }
        }
        loop {
            if self.statistics.nodes >= self.nodes_to_check {
                if let Some(stop) = self.check(map.len()) {
                    return Event::Stopped(stop);
                }
                engine.look_soon();
            }
            self.statistics.nodes += 1;
            let reached = engine.propagate();
            if self.recorder.is_some() {
                self.record(engine, reached);
            }
            if engine.reports_changes() {
                guide.changed(engine, tags);
            }
            let failed = match reached {
                Fixpoint::Reached => {
                    if engine.level() == engine.root_level() {
                        engine.push_level();
                        self.path.push(self.statistics.nodes);
                    }
                    let assumption = match self.next_assumption(engine) {
                        Ok(assumption) => assumption,
                        Err(Unmet) => return self.exhausted(),
                    };
                    if self.decisions.len() == self.firm
                        && !self.is_cut
                        && let Some(objective) = &mut self.objective
                    {
                        objective.bound = objective.bound.max(engine.store.min(objective.view));
                    }
                    let domains = Domains {
                        store: &engine.store,
                        watches: engine.watches(),
                        map,
                        tags,
                        path: &self.path,
                    };
                    let choice = match assumption.or_else(|| self.probe(engine, guide)) {
                        Some(atom) => Ok(Some(atom)),
                        None => guide.choose(&domains, &mut self.floor, self.decisions.len()),
                    };
                    match choice {
                        Err(stop) => return Event::Stopped(stop),
                        Ok(None) => {
                            self.statistics.solutions += 1;
                            self.at_solution = true;
                            if let Some(recorder) = &mut self.recorder {
                                recorder.solution(&engine.store, map);
                            }
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
                    return Event::Stopped(match engine.is_over_memory() {
                        _ if by_handle => Stop::Handle,
                        true => Stop::Memory,
                        false => Stop::Time,
                    });
                }
            };
            if failed {
                self.statistics.failures += 1;
                guide.failed(engine, tags);
                let goes_on =
                    if engine.learns() { self.learn(engine, guide) } else { self.backtrack(engine) };
                if !goes_on
                    || self.statistics.failures >= self.failures_to_check
                        && !self.look_after_failures(engine, guide)
                {
                    return self.exhausted();
                }
            }
        }
    }

    /// Tells whoever traces the search what a node came to.
    #[cold]
    fn record(&mut self, engine: &Engine, reached: Fixpoint) {
        if let (Some(recorder), true) = (&mut self.recorder, reached != Fixpoint::Interrupted) {
            recorder.node(engine, self.statistics.nodes, &self.decisions, reached == Fixpoint::Failed);
        }
    }

    /// The whole tree was searched, as far as nothing was left out.
    fn exhausted(&mut self) -> Event {
        if let Some(recorder) = &mut self.recorder {
            recorder.end();
        }
        if self.is_wrong {
            return Event::Stopped(Stop::WrongLesson);
        }
        if self.is_cut {
            return Event::Stopped(Stop::Discrepancies);
        }
        if let Some(objective) = &mut self.objective {
            objective.bound = objective.best.unwrap_or(objective.bound);
        }
        Event::Exhausted
    }

    /// A solution with this value of the objective was found, and is in the store.
    pub(crate) fn improve(&mut self, value: i64, store: &Store, guide: &mut Guide) {
        guide.improved(store);
        if let Some(objective) = &mut self.objective {
            objective.best = Some(objective.best.map_or(value, |best| best.min(value)));
        }
        self.publish();
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
        let best = self.objective.and_then(|o| Some(o.sign * o.best?));
        let bound = self.objective.map(|o| o.sign * self.bound());
        self.progress.publish_objective(best, bound);
    }

    /// With so few decisions left, assumptions that took more of them are to be looked at again.
    fn unsettle(&mut self, decisions: usize) {
        if decisions < self.firm {
            self.firm = usize::MAX;
        }
    }

    /// An assumption to decide on, if any is left.
    #[inline]
    fn next_assumption(&mut self, engine: &mut Engine) -> Result<Option<Atom>, Unmet> {
        if self.firm != usize::MAX {
            return Ok(None);
        }
        for (number, &atom) in self.assumptions.iter().enumerate() {
            match engine.store.truth(atom) {
                Some(true) => {}
                None => return Ok(Some(atom)),
                Some(false) => {
                    if engine.learns() {
                        self.core.clear();
                        self.core.push(number);
                        for decision in engine.decisions_behind(atom.negated()) {
                            let atom = self.decisions[decision];
                            self.core.extend(self.assumptions.iter().position(|&other| other == atom));
                        }
                        self.core.sort_unstable();
                        self.core.dedup();
                    }
                    return Err(Unmet);
                }
            }
        }
        self.firm = self.decisions.len();
        Ok(None)
    }

    /// After a search that found that there is no solution: the numbers of assumptions that cannot hold together.
    pub(crate) fn core(&self) -> &[usize] {
        &self.core
    }

    /// Learns from the failure that has just happened, undoes what it takes to use it, and uses it; `false` if
    /// there is nothing left to search.
    fn learn(&mut self, engine: &mut Engine, guide: &mut Guide) -> bool {
        while let Some(lesson) = engine.learn() {
            if let Some(activity) = &mut guide.activity {
                activity.learnt(engine.literals(lesson));
                activity.blame(engine.blamed());
            }
            self.statistics.learnt += 1;
            if engine.is_wrong(lesson) {
                self.is_wrong = true;
                return false;
            }
            self.statistics.minimised = engine.dropped_atoms();
            self.statistics.jumped += u64::from(self.decisions.len() - lesson.depth > 1);
            let is_time = self.restarts.as_mut().is_some_and(|schedule| schedule.learnt(lesson.lbd));
            if is_time || engine.is_full() {
                self.failures_to_restart = self.statistics.failures;
                self.failures_to_check = self.failures_to_check.min(self.failures_to_restart);
            }
            if self.apply(lesson, engine, guide) {
                return true;
            }
        }
        // It follows from no assumption.
        self.core.clear();
        self.is_wrong = engine.is_wrong_to_end();
        false
    }

    /// Undoes what it takes to use a lesson, and uses it; `false` if that fails at once.
    fn apply(&mut self, lesson: Lesson, engine: &mut Engine, guide: &mut Guide) -> bool {
        self.undo_to(lesson.depth, engine, guide);
        // The demand comes first, since the lesson may owe something to it.
        let goes_on =
            self.objective.is_none_or(|objective| objective.demand(engine)) && engine.apply(lesson).is_ok();
        if !goes_on {
            engine.clear_queue();
        }
        goes_on
    }

    /// In a search that learns and decides for itself, a first decision that halves what the objective may still be: a better solution
    /// comes in large steps, and a refutation raises the bound. Not in every other run between restarts, since a
    /// refutation may be out of reach.
    #[inline]
    fn probe(&self, engine: &Engine, guide: &Guide) -> Option<Atom> {
        let objective = self.objective.filter(|objective| objective.best.is_some())?;
        if self.decisions.len() != self.firm || guide.activity.is_none() || self.statistics.restarts % 2 == 1
        {
            return None;
        }
        let (low, high) = engine.store.bounds(objective.view);
        (low < high).then(|| objective.view.le(low + (high - low) / 2))
    }

    /// Leaves a solution that was handed out for what is not like it.
    fn leave_solution(&mut self, engine: &mut Engine, guide: &mut Guide, map: &[View]) -> bool {
        match self.objective {
            Some(objective) => {
                if objective.demand(engine) {
                    return true;
                }
            }
            None => {
                let mut atoms: Vec<Atom> = guide.shown(map).map(|x| x.eq(engine.store.min(x))).collect();
                atoms.sort_unstable();
                atoms.dedup();
                if let Some(lesson) = engine.exclude(&atoms)
                    && self.apply(lesson, engine, guide)
                {
                    return true;
                }
            }
        }
        engine.clear_queue();
        self.learn(engine, guide)
    }

    /// Undoes decisions until so many are left.
    fn undo_to(&mut self, depth: usize, engine: &mut Engine, guide: &mut Guide) {
        if depth == self.decisions.len() {
            return;
        }
        if let Some(activity) = &mut guide.activity {
            let store = &engine.store;
            for entry in store.log.from(store.log.start_of(depth + 2)) {
                activity.undone(entry.var, store.value(View::of(entry.var)));
            }
        }
        while self.decisions.len() > depth {
            self.drop_decision(engine);
        }
        if depth < self.floor {
            self.floor = usize::MAX;
        }
        self.unsettle(depth);
    }

    /// Leaves the present node for the next one; `false` if there is none.
    fn backtrack(&mut self, engine: &mut Engine) -> bool {
        while let Some(decision) = self.drop_decision(engine) {
            if self.decisions.len() < self.floor {
                self.floor = usize::MAX;
            }
            if self.decisions.len() < self.firm {
                // An assumption is not gone against.
                continue;
            }
            if self.keeps_refuted && !self.note_refuted(decision) {
                continue;
            }
            let better = match &self.objective {
                None => true,
                Some(objective) => objective.demand(engine),
            };
            if better && engine.decide(decision.negated()).is_ok() {
                return true;
            }
            // No better solution is there, which took no propagation to see: it does not count as a node.
            engine.clear_queue();
        }
        false
    }

    /// Undoes the last decision.
    #[inline(always)]
    fn drop_decision(&mut self, engine: &mut Engine) -> Option<Atom> {
        let keep = self.decisions.len().checked_sub(1)?;
        let decision = self.decisions[keep];
        self.decisions.truncate(keep);
        self.path.truncate(keep + 1);
        engine.pop_level();
        Some(decision)
    }

    /// Notes that a decision is being refuted; `false` if there are too many of them on the path.
    fn note_refuted(&mut self, decision: Atom) -> bool {
        let decisions = self.decisions.len();
        while self.refuted.last().is_some_and(|&(before, _)| before > decisions) {
            self.refuted.pop();
        }
        if self.limits.discrepancies.is_some_and(|n| self.refuted.len() as u64 >= n) {
            self.is_cut = true;
            return false;
        }
        self.refuted.push((decisions, decision));
        true
    }

    /// After so many failures as were to be waited for; `false` if there is nothing left to search.
    #[cold]
    fn look_after_failures(&mut self, engine: &mut Engine, guide: &mut Guide) -> bool {
        let failures = self.statistics.failures;
        let limit = self.limits.failures.unwrap_or(u64::MAX);
        if failures >= limit {
            self.nodes_to_check = 0;
        }
        if failures >= self.failures_to_restart {
            let length = self.restarts.as_mut().map_or(u64::MAX, Schedule::next);
            self.failures_to_restart = failures.saturating_add(length);
            self.failures_to_check = self.failures_to_restart.min(limit);
            return self.restart(engine, guide);
        }
        true
    }

    /// Begins anew at the root, where what was searched is excluded; `false` if nothing is left.
    fn restart(&mut self, engine: &mut Engine, guide: &mut Guide) -> bool {
        self.statistics.restarts += 1;
        guide.restarted();
        if engine.learns() {
            if !self.decisions.is_empty() {
                // What was learnt last is not propagated yet, and is undone.
                engine.clear_queue();
                self.undo_to(0, engine, guide);
            }
            self.record_restart(engine);
            let forgotten = engine.reduce();
            self.statistics.forgotten += forgotten.unwrap_or(0);
            if forgotten.is_err() {
                self.core.clear();
            }
            return forgotten.is_ok() && self.objective.is_none_or(|objective| objective.demand(engine));
        }
        engine.undo_search();
        self.record_restart(engine);
        if !self.has_nogoods {
            engine.push_root();
            self.has_nogoods = true;
        }
        engine.add_nogoods(&self.decisions, &self.refuted);
        self.decisions.clear();
        self.path.clear();
        self.refuted.clear();
        self.floor = usize::MAX;
        self.unsettle(0);
        self.objective.is_none_or(|objective| objective.demand(engine))
    }

    fn record_restart(&mut self, engine: &Engine) {
        if let Some(recorder) = &mut self.recorder {
            recorder.restart(engine);
        }
    }

    /// The first decision of a search, unless it but completes a solution.
    pub(crate) fn first_decision(&self) -> Option<Atom> {
        self.decisions.first().copied().filter(|_| self.floor > 0)
    }

    /// Whether a root level was pushed for nogoods, which the caller pops.
    pub(crate) fn take_nogoods(&mut self) -> bool {
        std::mem::take(&mut self.has_nogoods)
    }

    /// Publishes where the search is, and tells which limit was reached.
    #[cold]
    fn check(&mut self, variables: usize) -> Option<Stop> {
        self.publish();
        let Limits { nodes, failures, solutions, .. } = self.limits;
        let s = &self.statistics;
        // With very many variables a choice alone takes long.
        let interval = if variables > MANY { 1 } else { NODES_PER_REPORT };
        self.nodes_to_check = (s.nodes + interval).min(nodes.unwrap_or(u64::MAX));
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
