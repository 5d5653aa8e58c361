//! When to stop early, and how a search says why it ended.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::model::ConstraintId;
use crate::observe::Statistics;

/// Limits of one search; none by default.
///
/// ```
/// use csp_core::prelude::*;
/// use std::time::Duration;
/// let limits = Limits::new().time(Duration::from_secs(10)).failures(1_000_000);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    pub(crate) time: Option<Duration>,
    pub(crate) nodes: Option<u64>,
    pub(crate) failures: Option<u64>,
    pub(crate) solutions: Option<u64>,
    pub(crate) memory: Option<u64>,
    pub(crate) discrepancies: Option<u64>,
}

impl Limits {
    /// No limits.
    pub fn new() -> Limits {
        Limits::default()
    }

    /// Stop after this wall-clock time.
    pub fn time(self, time: Duration) -> Limits {
        Limits { time: Some(time), ..self }
    }

    /// Stop after this many nodes.
    pub fn nodes(self, nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..self }
    }

    /// Stop after this many failures.
    pub fn failures(self, failures: u64) -> Limits {
        Limits { failures: Some(failures), ..self }
    }

    /// Stop after this many solutions.
    pub fn solutions(self, solutions: u64) -> Limits {
        Limits { solutions: Some(solutions), ..self }
    }

    /// Stop when the process holds more than so many bytes of memory (resident), whoever uses them. The look
    /// at it is seldom, once in some ten thousand calls of propagators, so leave some room. Where the platform
    /// does not tell, there is no limit.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// model.ints(3, 0..=9);
    /// let mut solver = model.solver()?;
    /// solver.set_limits(Limits::new().memory(4 << 30));
    /// assert_eq!(solver.count().solutions, 1000);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn memory(self, bytes: u64) -> Limits {
        Limits { memory: Some(bytes), ..self }
    }

    /// Search only where at most this many decisions were gone against on the path: limited discrepancy search
    /// (Harvey and Ginsberg, 1995), for a strategy that is seldom wrong. If anything was left out, the search
    /// ends with [`Stop::Discrepancies`].
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// model.bools(4);
    /// let mut solver = model.solver()?;
    /// solver.set_limits(Limits::new().discrepancies(1));
    /// let count = solver.count();
    /// assert_eq!(count.solutions, 1 + 4);
    /// assert_eq!(count.outcome, Outcome::Stopped(Stop::Discrepancies));
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn discrepancies(self, discrepancies: u64) -> Limits {
        Limits { discrepancies: Some(discrepancies), ..self }
    }

    /// Stop at this time.
    pub(crate) fn until(self, deadline: Option<Instant>) -> Limits {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Limits { time: left, ..self }
    }

    /// Which limit of nodes or failures a search went beyond that did this.
    pub(crate) fn exceeded(&self, done: &Statistics) -> Option<Stop> {
        if self.nodes.is_some_and(|most| done.nodes > most) {
            Some(Stop::Nodes)
        } else if self.failures.is_some_and(|most| done.failures > most) {
            Some(Stop::Failures)
        } else {
            None
        }
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The whole tree was searched: all solutions were found, and there is at least one.
    AllFound,
    /// The whole tree was searched: the last solution found is a best one.
    Optimal,
    /// The whole tree was searched: there is no solution.
    Infeasible,
    /// The search ended early; there may be more solutions than were found.
    Stopped(Stop),
}

impl Outcome {
    /// Whether the whole tree was searched.
    pub fn is_complete(self) -> bool {
        !matches!(self, Outcome::Stopped(_))
    }
}

/// Why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The time was up.
    Time,
    /// The limit of nodes was reached.
    Nodes,
    /// The limit of failures was reached.
    Failures,
    /// As many solutions as asked for were found.
    Solutions,
    /// The process holds more memory than allowed.
    Memory,
    /// All was searched but what goes against more decisions than allowed.
    Discrepancies,
    /// A [`StopHandle`] was used.
    Handle,
    /// The caller wanted no more.
    Caller,
    /// A brancher made a decision that was already true or false where it was made, so that the search
    /// could not advance. Mend the brancher.
    UselessDecision,
    /// A brancher chose a variable that the solver does not have, or one is in the projection or in an assumption: one of
    /// another model, or one made or taken back elsewhere. Give the solver's own variables to them.
    ForeignVariable,
    /// Propagation accepted an assignment that this constraint's own definition rejects. The
    /// assignment was not handed out. Mend the constraint's propagator (or report it, if it is ours).
    WrongAnswer(ConstraintId),
    /// What was learnt contradicts a solution that was [given to check it](crate::Solver::set_known_solution): the
    /// reason that a propagator gave for a change is wrong. Mend the propagator's explanations.
    WrongLesson,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Time => f.write_str("the time limit was reached"),
            Stop::Nodes => f.write_str("the node limit was reached"),
            Stop::Failures => f.write_str("the failure limit was reached"),
            Stop::Solutions => f.write_str("the solution limit was reached"),
            Stop::Memory => f.write_str("the memory limit was reached"),
            Stop::Discrepancies => f.write_str("all within the limit of discrepancies was searched"),
            Stop::Handle => f.write_str("it was told to stop"),
            Stop::Caller => f.write_str("the caller wanted no more"),
            Stop::UselessDecision => f.write_str("a brancher made a decision that was already true or false"),
            Stop::ForeignVariable => {
                f.write_str("a brancher, the projection or an assumption has a variable of another model")
            }
            Stop::WrongLesson => f.write_str("what was learnt contradicts the known solution"),
            Stop::WrongAnswer(c) => {
                write!(f, "propagation accepted an assignment that constraint {} rejects", c.index())
            }
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::AllFound => f.write_str("all solutions found"),
            Outcome::Optimal => f.write_str("best solution found"),
            Outcome::Infeasible => f.write_str("no solution exists"),
            Outcome::Stopped(why) => write!(f, "stopped early: {why}"),
        }
    }
}

/// Stops a running search from another thread or a signal handler. The search ends within
/// milliseconds, with [`Stop::Handle`].
///
/// The flag stays up until [`reset`](Self::reset): a search started meanwhile ends at once.
///
/// Take it [from a solver](crate::Solver::stop_handle), or make one first and give it to
/// [several](crate::Solver::set_stop_handle).
#[derive(Clone, Debug, Default)]
pub struct StopHandle {
    pub(crate) flag: Arc<AtomicBool>,
}

impl StopHandle {
    /// A handle that stops no solver yet.
    pub fn new() -> StopHandle {
        StopHandle::default()
    }

    /// Stops the search.
    pub fn stop(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Lets searches run again.
    pub fn reset(&self) {
        self.flag.store(false, Ordering::Relaxed);
    }

    /// Whether the flag is up.
    pub fn is_stopped(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
}
