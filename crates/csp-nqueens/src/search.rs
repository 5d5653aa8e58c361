//! The one mechanism under *first*, *some*, *all*, *count* and *stop*.
//!
//! Every method is a function of a puzzle and a [`Monitor`]. It calls [`Monitor::node`] for each
//! node of its search and [`Monitor::solution`] for each solution, and returns at once when
//! either answers `Break`. What is done with the solutions, and when to stop, is decided outside.

use std::{
    ops::ControlFlow,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use csp_core::{Progress, Statistics, StopHandle};

use crate::{QueensError, counting::Part};

/// How a search can be watched and stopped from outside.
///
/// Clones share one state, so a clone can go to another thread or to a signal handler.
#[derive(Debug, Clone, Default)]
pub struct Control {
    stop: StopHandle,
    progress: Progress,
    parts: Arc<Mutex<Option<PartsDone>>>,
    deadline: Option<Instant>,
}

/// How far a count that is cut into parts has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartsDone {
    /// The parts that are finished.
    pub done: usize,
    /// Those of them that an earlier run had finished.
    pub resumed: usize,
    /// All parts.
    pub total: usize,
    /// How long this run has been counting.
    pub time: Duration,
}

impl PartsDone {
    /// The time left, from the pace of this run; nothing before its first part is finished.
    ///
    /// ```
    /// use std::time::Duration;
    /// use csp_nqueens::PartsDone;
    ///
    /// let parts = PartsDone { done: 50, resumed: 40, total: 100, time: Duration::from_secs(60) };
    /// assert_eq!(parts.time_left(), Some(Duration::from_secs(300)));
    /// ```
    pub fn time_left(&self) -> Option<Duration> {
        let pace = self.time.as_secs_f64() / self.done.checked_sub(self.resumed)? as f64;
        Duration::try_from_secs_f64(pace * self.total.checked_sub(self.done)? as f64).ok()
    }
}

impl Control {
    /// No limit, until [`stop`](Self::stop) is called.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, to be stopped after this time, counted from now.
    ///
    /// A time beyond what the clock can tell is no limit.
    pub fn with_time_limit(mut self, limit: Duration) -> Self {
        self.deadline = Instant::now().checked_add(limit);
        self
    }

    /// Asks the search to stop; it does so within a moment.
    pub fn stop(&self) {
        self.stop.stop();
    }

    /// Roughly how many nodes the search has visited so far.
    pub fn nodes(&self) -> u64 {
        self.progress.nodes()
    }

    /// Roughly how many solutions the search has found so far, as far as 64 bits go.
    pub fn solutions(&self) -> u64 {
        self.progress.solutions()
    }

    /// Why a search would stop now; none if it would go on.
    pub fn stopped(&self) -> Option<Outcome> {
        match self.check() {
            ControlFlow::Continue(()) => None,
            ControlFlow::Break(Stop::TimeLimit) => Some(Outcome::TimeLimit),
            ControlFlow::Break(_) => Some(Outcome::Interrupted),
        }
    }

    /// How far a count in parts has come; nothing for a search that is not cut into parts.
    pub fn parts(&self) -> Option<PartsDone> {
        *self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same stop and the same clock, with figures of its own: for one worker among several.
    pub(crate) fn for_worker(&self) -> Self {
        Self { stop: self.stop.clone(), deadline: self.deadline, ..Self::default() }
    }

    /// Sets the figures back: for another search, or when those of a worker are in the sum.
    pub(crate) fn clear(&self) {
        self.publish(0, 0, None);
    }

    /// Sets the figures, those of parts too if there are parts.
    pub(crate) fn publish(&self, nodes: u64, solutions: u128, parts: Option<PartsDone>) {
        self.progress.publish(nodes, 0, u64::try_from(solutions).unwrap_or(u64::MAX));
        *self.parts.lock().unwrap_or_else(PoisonError::into_inner) = parts;
    }

    /// The time left, if there is a limit.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// What the engine is to be stopped by, and what it is to report to.
    pub(crate) fn handles(&self) -> (&StopHandle, &Progress) {
        (&self.stop, &self.progress)
    }

    /// Whether and why to stop now.
    pub(crate) fn check(&self) -> ControlFlow<Stop> {
        if self.stop.is_stopped() {
            ControlFlow::Break(Stop::Interrupted)
        } else if self.time_left().is_some_and(|left| left.is_zero()) {
            ControlFlow::Break(Stop::TimeLimit)
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Everything was searched: there are no more solutions.
    Complete,
    /// The receiver of the solutions wanted no more, or the method finds only one.
    Enough,
    /// [`Control::stop`] was called.
    Interrupted,
    /// The time was up.
    TimeLimit,
}

/// What a search did.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// How it ended. Unless this is [`Outcome::Complete`] there may be more solutions.
    pub outcome: Outcome,
    /// The solutions found.
    pub solutions: u128,
    /// The nodes visited: candidates tested, or partial placements including the empty one.
    pub nodes: u64,
    /// The time taken.
    pub time: Duration,
    /// What the generic engine did, if it was the method; in local search, in its last turn.
    pub engine: Option<Statistics>,
}

/// Why a method breaks off.
#[derive(Debug)]
pub(crate) enum Stop {
    Enough,
    Interrupted,
    TimeLimit,
    Failed(QueensError),
}

impl Stop {
    /// What there is to report: how the search ended, or what went wrong.
    pub(crate) fn outcome(self) -> Result<Outcome, QueensError> {
        match self {
            Stop::Enough => Ok(Outcome::Enough),
            Stop::Interrupted => Ok(Outcome::Interrupted),
            Stop::TimeLimit => Ok(Outcome::TimeLimit),
            Stop::Failed(error) => Err(error),
        }
    }
}

/// What a method reports to, and what tells it to stop.
pub(crate) struct Monitor<'a> {
    control: &'a Control,
    visit: &'a mut dyn FnMut(&[usize]) -> ControlFlow<()>,
    nodes: u64,
    solutions: u64,
    engine: Option<Statistics>,
}

impl<'a> Monitor<'a> {
    fn new(control: &'a Control, visit: &'a mut dyn FnMut(&[usize]) -> ControlFlow<()>) -> Self {
        Self { control, visit, nodes: 0, solutions: 0, engine: None }
    }

    /// The clock is read and the nodes are published once in so many nodes.
    const INTERVAL: u64 = 256;

    /// Counts a node of the search.
    #[inline]
    pub(crate) fn node(&mut self) -> ControlFlow<Stop> {
        let due = self.nodes.is_multiple_of(Self::INTERVAL);
        self.nodes += 1;
        if due { self.look_up() } else { ControlFlow::Continue(()) }
    }

    /// Hands out a solution: the column of each row's queen.
    pub(crate) fn solution(&mut self, columns: &[usize]) -> ControlFlow<Stop> {
        self.solutions += 1;
        (self.visit)(columns).map_break(|()| Stop::Enough)
    }

    /// What watches and stops this search, for a method that looks up in its own way.
    pub(crate) fn control(&self) -> &Control {
        self.control
    }

    /// Takes over what the engine counted, besides what was counted before.
    pub(crate) fn finish(&mut self, statistics: Statistics) {
        self.nodes += statistics.nodes;
        self.engine = Some(statistics);
    }

    #[cold]
    fn look_up(&self) -> ControlFlow<Stop> {
        self.control.progress.publish(self.nodes, 0, self.solutions);
        self.control.check()
    }
}

/// Runs a method to its end, or until `visit` or `control` ends it.
pub(crate) fn run(
    control: &Control,
    visit: &mut dyn FnMut(&[usize]) -> ControlFlow<()>,
    search: impl FnOnce(&mut Monitor<'_>) -> ControlFlow<Stop>,
) -> Result<Report, QueensError> {
    let start = Instant::now();
    control.clear();
    let mut monitor = Monitor::new(control, visit);
    let outcome = match search(&mut monitor) {
        ControlFlow::Continue(()) => Outcome::Complete,
        ControlFlow::Break(stop) => stop.outcome()?,
    };
    Ok(Report {
        outcome,
        solutions: monitor.solutions.into(),
        nodes: monitor.nodes,
        time: start.elapsed(),
        engine: monitor.engine,
    })
}

/// Runs a method to its end, or until `control` ends it, as a part of a count.
pub(crate) fn count(
    control: &Control,
    search: impl FnOnce(&mut Monitor<'_>) -> ControlFlow<Stop>,
) -> ControlFlow<Stop, Part> {
    let mut keep_on = |_: &[usize]| ControlFlow::Continue(());
    let mut monitor = Monitor::new(control, &mut keep_on);
    search(&mut monitor)?;
    ControlFlow::Continue(Part { solutions: monitor.solutions.into(), nodes: monitor.nodes })
}
