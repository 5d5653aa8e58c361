//! The one mechanism under *first*, *some*, *all*, *count* and *stop*.
//!
//! Every method is a function of a puzzle and a [`Monitor`]. It calls [`Monitor::node`] for each
//! node of its search and [`Monitor::solution`] for each solution, and returns at once when
//! either answers `Break`. What is done with the solutions, and when to stop, is decided outside.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use csp_core::{Progress, Statistics, StopHandle};

use crate::QueensError;

/// How a search can be watched and stopped from outside.
///
/// Clones share one state, so a clone can go to another thread or to a signal handler.
#[derive(Debug, Clone, Default)]
pub struct Control {
    stop: StopHandle,
    progress: Progress,
    deadline: Option<Instant>,
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

    /// Roughly how many solutions the search has found so far.
    pub fn solutions(&self) -> u64 {
        self.progress.solutions()
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
    /// The receiver of the solutions wanted no more.
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
    pub solutions: u64,
    /// The nodes visited: candidates tested, or partial placements including the empty one.
    pub nodes: u64,
    /// The time taken.
    pub time: Duration,
    /// What the generic engine did, if it was the method.
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

/// What a method reports to, and what tells it to stop.
pub(crate) struct Monitor<'a> {
    control: &'a Control,
    visit: &'a mut dyn FnMut(&[usize]) -> ControlFlow<()>,
    nodes: u64,
    solutions: u64,
    engine: Option<Statistics>,
}

impl Monitor<'_> {
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

    /// Takes over what the engine counted.
    pub(crate) fn finish(&mut self, statistics: Statistics) {
        self.nodes = statistics.nodes;
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
    let mut monitor = Monitor { control, visit, nodes: 0, solutions: 0, engine: None };
    let outcome = match search(&mut monitor) {
        ControlFlow::Continue(()) => Outcome::Complete,
        ControlFlow::Break(Stop::Enough) => Outcome::Enough,
        ControlFlow::Break(Stop::Interrupted) => Outcome::Interrupted,
        ControlFlow::Break(Stop::TimeLimit) => Outcome::TimeLimit,
        ControlFlow::Break(Stop::Failed(error)) => return Err(error),
    };
    Ok(Report {
        outcome,
        solutions: monitor.solutions,
        nodes: monitor.nodes,
        time: start.elapsed(),
        engine: monitor.engine,
    })
}
