//! All solutions, by several threads.
//!
//! The tree is [cut](prefixes) into many more parts than there are threads, once. Each thread has a solver of its own,
//! with the model posted anew, and takes one part after the other from a common list, the largest first: what is posted at
//! its root is the prefix of the part, and the rest is an ordinary search. Nothing is shared in the inner loop, so
//! that threads cost each other nothing, and many parts keep all of them busy until nearly the end (Régin, Rezgui,
//! Malapert: Embarrassingly parallel search, 2013).
//!
//! The calling thread watches: now and then it adds up what the others did, for progress and limits, and passes on the
//! stop flag. A strategy begins anew in each part, so that the nodes of a part do not depend on who searches it when.

mod prefixes;
#[cfg(test)]
mod tests;
mod workers;

use std::ops::ControlFlow;
use std::thread;
use std::time::Instant;

use super::{Count, Solver, Task};
use crate::error::ModelError;
use crate::model::{Assignment, IntVar, Model};
use crate::presolve::Presolve;
use crate::search::{Brancher, Limits, Mode, Outcome, Restarts, Stop};
use workers::{Visit, search};

/// So many parts for each thread.
const PARTS_PER_THREAD: usize = 64;
/// No more threads than this.
const MOST_THREADS: usize = 1024;

impl Solver {
    /// Counts the solutions as [`count`](Self::count) does, with so many threads at once (at most 1024; 0: as many as the
    /// machine has processors).
    ///
    /// The search tree is cut into parts, some 64 for each thread. Each thread has a copy of the model and of the strategy;
    /// a brancher of your own must be [`forkable`](Brancher::forkable) for that, or else all is done by one thread.
    /// The search is plain unless the [mode](Mode) is `Learning` or `Free`, under assumptions too.
    ///
    /// The count does not depend on the number of threads. Where the strategy looks at domains only, nor do the nodes, which are
    /// those of `count`. A strategy that learns or draws lots begins anew in each part, so its nodes depend on the parts. The [statistics](Self::statistics) are of all threads together. Limits are for
    /// all of them together too: that of solutions exactly; those of nodes and failures are looked at every few
    /// milliseconds, so that there may be some more, but a search that went beyond is never called complete.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let queens = model.ints(8, 0..8);
    /// model.post(all_different(&queens));
    /// model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q + row)));
    /// model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q - row)));
    /// let mut solver = model.solver()?;
    /// solver.set_search(branch(&queens).smallest_domain());
    /// let count = solver.count_parallel(2);
    /// assert_eq!((count.solutions, count.outcome), (92, Outcome::AllFound));
    /// # let nodes = solver.statistics().nodes;
    /// # assert_eq!(solver.count(), count);
    /// # assert_eq!(solver.statistics().nodes, nodes);
    /// # Ok::<(), ModelError>(())
    /// ```
    ///
    /// # Panics
    /// If a brancher or a constraint of yours panics in one of the threads, with its panic, after the others have stopped.
    pub fn count_parallel(&mut self, threads: usize) -> Count {
        match self.forks(threads).and_then(|forks| self.in_parallel(forks, Visit::Count)) {
            Some(outcome) => Count { solutions: self.driver.statistics.solutions, outcome },
            None => self.count(),
        }
    }

    /// Calls `visit` for each solution, in no particular order, with so many threads at once, as
    /// [`count_parallel`](Self::count_parallel) counts them. Each solution is checked against every constraint. When a call
    /// says break, the search ends, but other threads may be in a call or begin another one meanwhile.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// use std::ops::ControlFlow;
    /// use std::sync::atomic::{AtomicI64, Ordering};
    /// let mut model = Model::new();
    /// let xs = model.ints(4, 1..=6);
    /// model.post(all_different(&xs));
    /// let mut solver = model.solver()?;
    /// let largest = AtomicI64::new(0);
    /// let outcome = solver.for_each_parallel(2, |solution| {
    ///     largest.fetch_max(solution.value(xs[0] * 2 - xs[1]), Ordering::Relaxed);
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!((largest.into_inner(), outcome), (11, Outcome::AllFound));
    /// # Ok::<(), ModelError>(())
    /// ```
    ///
    /// # Panics
    /// If `visit`, a brancher or a constraint of yours panics in one of the threads, with its panic, after the others have
    /// stopped.
    pub fn for_each_parallel(
        &mut self,
        threads: usize,
        visit: impl Fn(&Assignment) -> ControlFlow<()> + Sync,
    ) -> Outcome {
        let outcome = self.forks(threads).and_then(|forks| self.in_parallel(forks, Visit::Each(&visit)));
        outcome.unwrap_or_else(|| self.for_each(visit))
    }

    /// A strategy for each thread; `None` if there is to be but one thread.
    fn forks(&self, threads: usize) -> Option<Vec<Option<Box<dyn Brancher>>>> {
        let threads = match threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            _ => threads.min(MOST_THREADS),
        };
        if threads == 1 {
            return None;
        }
        let fork = || match &self.guide.brancher {
            Some(brancher) => brancher.fork().map(Some),
            None => Some(None),
        };
        (0..threads).map(|_| fork()).collect()
    }

    /// Searches with a thread for each strategy; `None` if there can be no threads.
    fn in_parallel(
        &mut self,
        mut forks: Vec<Option<Box<dyn Brancher>>>,
        visit: Visit<'_>,
    ) -> Option<Outcome> {
        // Tells what is amiss or known already, and starts the clock.
        self.begin(Task::All);
        if self.outcome.is_some() || self.engine.has_failed() {
            return self.advance(false);
        }
        self.driver.publish();
        let plan = Plan::of(self);
        let parts = forks.len() * PARTS_PER_THREAD;
        let Ok(mut first) = plan.solver(forks.pop().flatten()) else {
            // The model was right without the assumptions.
            return Some(self.end(Outcome::Stopped(Stop::ForeignVariable)));
        };
        first.set_stop_handle(&self.stop_handle());
        let (outcome, done) = match first.cut(parts, plan.limits, plan.deadline) {
            Ok(parts) => search(&plan, first, forks, &parts, visit, self)?,
            Err((stop, done)) => (Outcome::Stopped(stop), done),
        };
        self.driver.statistics = done;
        self.end(outcome);
        // It looked at its own engine for these.
        self.driver.statistics.propagations = done.propagations;
        Some(outcome)
    }
}

/// What the solvers of all threads have in common.
struct Plan {
    /// With the assumptions among the constraints.
    model: Model,
    presolve: Presolve,
    projection: Option<Vec<IntVar>>,
    /// In which the parts are searched.
    mode: Mode,
    restarts: Option<Restarts>,
    clause_limit: usize,
    seed: u64,
    /// Of all threads together.
    limits: Limits,
    deadline: Option<Instant>,
}

impl Plan {
    fn of(solver: &Solver) -> Plan {
        let mut model = solver.model.clone();
        for assumption in &solver.assumptions {
            model.post(assumption.clone());
        }
        Plan {
            model,
            presolve: solver.presolve,
            projection: solver.guide.projection().map(<[IntVar]>::to_vec),
            mode: solver.mode,
            restarts: solver.restarts,
            clause_limit: solver.clause_limit,
            seed: solver.seed,
            limits: solver.limits,
            deadline: solver.engine.deadline,
        }
    }

    /// One of them. They number their variables alike, so that they can exchange prefixes.
    fn solver(&self, brancher: Option<Box<dyn Brancher>>) -> Result<Solver, ModelError> {
        let mut solver = Solver::with(&self.model, self.presolve)?;
        solver.guide.brancher = brancher;
        solver.guide.project(self.projection.clone());
        solver.restarts = self.restarts;
        solver.clause_limit = self.clause_limit;
        solver.seed = self.seed;
        solver.mode = Mode::Plain;
        Ok(solver)
    }
}
