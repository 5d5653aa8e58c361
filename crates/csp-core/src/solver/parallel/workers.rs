//! The threads that search the parts of a tree, and the one that watches them.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

use super::Plan;
use super::prefixes::{Parts, Prefix};
use crate::model::Assignment;
use crate::observe::{Progress, Statistics};
use crate::search::{Brancher, Limits, Outcome, Stop, StopHandle};
use crate::solver::Solver;

/// The time between two looks at the threads.
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

/// What to do with a solution.
#[derive(Clone, Copy)]
pub(super) enum Visit<'a> {
    /// Nothing.
    Count,
    /// Check it and hand it out.
    Each(&'a (dyn Fn(&Assignment) -> ControlFlow<()> + Sync)),
}

/// What the threads have in common.
struct Shared<'a> {
    plan: &'a Plan,
    parts: &'a Parts,
    visit: Visit<'a>,
    /// The part that is searched next.
    next: AtomicUsize,
    /// Solutions so far, where there is a limit of them.
    solutions: AtomicU64,
    /// Stops all threads.
    halt: StopHandle,
    /// How many threads ended.
    ended: AtomicUsize,
    watcher: Thread,
    tally: Mutex<Tally>,
}

/// What was done so far.
struct Tally {
    /// Above the parts, and in those that are not being searched any more.
    done: Statistics,
    /// How many parts were searched to the end.
    searched: usize,
    /// Something was left out for the limit of discrepancies.
    is_cut: bool,
    /// Why not all is searched: what came first.
    why: Option<Stop>,
}

/// Searches all parts, with a thread for the first solver and one for each further strategy. Counters and the stop flag
/// are those of `whole`. `None` if there can be no threads.
pub(super) fn search(
    plan: &Plan,
    first: Solver,
    forks: Vec<Option<Box<dyn Brancher>>>,
    parts: &Parts,
    visit: Visit<'_>,
    whole: &Solver,
) -> Option<(Outcome, Statistics)> {
    let shared = &Shared {
        plan,
        parts,
        visit,
        next: AtomicUsize::new(0),
        solutions: AtomicU64::new(0),
        halt: StopHandle::new(),
        ended: AtomicUsize::new(0),
        watcher: thread::current(),
        tally: Mutex::new(Tally { done: parts.above, searched: 0, is_cut: parts.is_cut, why: None }),
    };
    let counters: Vec<Progress> = (0..=forks.len()).map(|_| Progress::default()).collect();
    let made = thread::scope(|scope| {
        let mut threads = Vec::new();
        let mut solver = Some(first);
        let more = parts.prefixes.len().saturating_sub(1);
        for (fork, progress) in [None].into_iter().chain(forks.into_iter().take(more)).zip(&counters) {
            let solver = solver.take();
            let worker = thread::Builder::new().spawn_scoped(scope, move || {
                let _end = End(shared);
                // The model was right for the first of them.
                if let Ok(mut solver) = solver.map_or_else(|| shared.plan.solver(fork), Ok) {
                    shared.work(&mut solver, progress);
                }
            });
            threads.extend(worker.ok());
        }
        while shared.ended.load(Ordering::Acquire) < threads.len() {
            thread::park_timeout(BETWEEN_LOOKS);
            shared.look(&counters, whole);
        }
        let made = threads.len();
        for thread in threads {
            if let Err(panic) = thread.join() {
                resume_unwind(panic);
            }
        }
        made
    });
    (made > 0).then(|| shared.outcome())
}

/// The end of a thread, in whatever way.
struct End<'a>(&'a Shared<'a>);

impl Drop for End<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.halt.stop();
        }
        self.0.ended.fetch_add(1, Ordering::Release);
        self.0.watcher.unpark();
    }
}

impl Shared<'_> {
    /// Searches parts until there are no more.
    fn work(&self, solver: &mut Solver, progress: &Progress) {
        solver.set_mode(self.plan.mode);
        solver.set_stop_handle(&self.halt);
        solver.set_progress(progress);
        let checks = matches!(self.visit, Visit::Each(_));
        while !self.halt.is_stopped()
            && let Some(part) = self.parts.prefixes.get(self.next.fetch_add(1, Ordering::Relaxed))
        {
            solver.set_limits(self.limits(part));
            solver.enter(part);
            let outcome = loop {
                if let Some(outcome) = solver.advance(checks) {
                    break outcome;
                }
                if let Some(stop) = self.found(solver) {
                    break solver.end(Outcome::Stopped(stop));
                }
            };
            self.note(solver, part, progress, outcome);
        }
    }

    /// What is left of the limits, for a part that is searched now.
    fn limits(&self, part: &Prefix) -> Limits {
        let Limits { nodes, failures, memory, discrepancies, .. } = self.plan.limits;
        let done = self.tally().done;
        Limits {
            nodes: nodes.map(|most| most.saturating_sub(done.nodes)),
            failures: failures.map(|most| most.saturating_sub(done.failures)),
            discrepancies: discrepancies.map(|most| most.saturating_sub(part.refuted)),
            memory,
            ..Limits::new()
        }
        .until(self.plan.deadline)
    }

    /// Deals with a solution; tells why to stop, if so.
    #[inline]
    fn found(&self, solver: &mut Solver) -> Option<Stop> {
        let mut is_last = false;
        if let Some(most) = self.plan.limits.solutions {
            let before = self.solutions.fetch_add(1, Ordering::Relaxed);
            if before >= most {
                solver.driver.statistics.solutions -= 1;
                return Some(Stop::Solutions);
            }
            is_last = before + 1 == most;
        }
        if let Visit::Each(visit) = self.visit
            && visit(&solver.buffer).is_break()
        {
            return Some(Stop::Caller);
        }
        is_last.then_some(Stop::Solutions)
    }

    /// Adds what was done in a part.
    fn note(&self, solver: &Solver, part: &Prefix, progress: &Progress, outcome: Outcome) {
        let mut tally = self.tally();
        tally.done.add_part(&solver.statistics(), part.depth());
        progress.publish(0, 0, 0);
        match outcome {
            Outcome::Stopped(Stop::Discrepancies) => tally.is_cut = true,
            Outcome::Stopped(why) => return self.stop(&mut tally, why),
            _ => {}
        }
        tally.searched += 1;
    }

    /// Stops all threads.
    fn stop(&self, tally: &mut Tally, why: Stop) {
        tally.why.get_or_insert(why);
        self.halt.stop();
    }

    /// Publishes how far the threads are, and sees whether they are to stop.
    fn look(&self, counters: &[Progress], whole: &Solver) {
        // A thread resets its counters under this lock.
        let mut tally = self.tally();
        let mut sum = tally.done;
        for counter in counters {
            sum.nodes += counter.nodes();
            sum.failures += counter.failures();
            sum.solutions += counter.solutions();
        }
        whole.progress().publish(sum.nodes, sum.failures, sum.solutions);
        if whole.stop_handle().is_stopped() {
            self.stop(&mut tally, Stop::Handle);
        } else if let Some(stop) = self.plan.limits.exceeded(&sum) {
            self.stop(&mut tally, stop);
        }
    }

    fn tally(&self) -> MutexGuard<'_, Tally> {
        // Nobody panics while holding it.
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What it all came to, once all threads have ended.
    fn outcome(&self) -> (Outcome, Statistics) {
        let tally = self.tally();
        let is_complete = tally.searched == self.parts.prefixes.len();
        let stop = match self.plan.limits.exceeded(&tally.done) {
            _ if !is_complete => Some(tally.why.unwrap_or(Stop::Handle)),
            None if tally.is_cut => Some(Stop::Discrepancies),
            beyond => beyond,
        };
        let outcome = match stop {
            Some(why) => Outcome::Stopped(why),
            None if tally.done.solutions == 0 => Outcome::Infeasible,
            None => Outcome::AllFound,
        };
        (outcome, tally.done)
    }
}
