//! The generic engine: the [model](crate::QueensModel), propagation and search.
//!
//! A queen removes the squares it attacks from the rows that are still open; a row without a
//! square is a dead end at once, and one with a single square is filled. Rows are not taken in
//! order and solutions do not come in lexicographic order: see [`strategy`]. A node costs more
//! than in the methods made for queens, there are fewer of them, and only the model knows what a
//! queen is.

use std::ops::ControlFlow;

use csp_core::{Outcome, Stop as EngineStop, prelude::*};

use crate::{
    Control, Queens, QueensError, QueensModel,
    search::{Monitor, Stop},
    solver::{columns, strategy},
};

/// The largest board. Memory grows with the square of the size, to some 300 MB here; a first
/// solution takes a second.
pub(super) const MAX_SIZE: usize = 3000;

pub(super) fn search(puzzle: &Queens, monitor: &mut Monitor<'_>) -> ControlFlow<Stop> {
    monitor.control().check()?;
    solve(puzzle, monitor).unwrap_or_else(|error| ControlFlow::Break(Stop::Failed(error)))
}

fn solve(puzzle: &Queens, monitor: &mut Monitor<'_>) -> Result<ControlFlow<Stop>, QueensError> {
    let QueensModel { model, queens } = puzzle.model()?;
    let mut solver = model.solver()?;
    if let Some(time) = monitor.control().time_left() {
        solver.set_limits(Limits::new().time(time));
    }
    solver.set_search(Watched {
        strategy: strategy(&queens),
        control: monitor.control().clone(),
        handle: solver.stop_handle(),
        nodes: 0,
    });

    let mut stop = ControlFlow::Continue(());
    let outcome = solver.for_each(|solution| {
        stop = monitor.solution(&columns(solution, &queens));
        match stop {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(_) => ControlFlow::Break(()),
        }
    });
    monitor.finish(solver.statistics());
    match outcome {
        Outcome::Stopped(EngineStop::Caller) => Ok(stop),
        Outcome::Stopped(EngineStop::Handle) => Ok(ControlFlow::Break(Stop::Interrupted)),
        Outcome::Stopped(EngineStop::Time) => Ok(ControlFlow::Break(Stop::TimeLimit)),
        Outcome::Stopped(fault) => Err(QueensError::Engine { fault: fault.to_string() }),
        _ => Ok(ControlFlow::Continue(())),
    }
}

/// A strategy that looks up at each decision: it tells how far the search is, and stops it.
struct Watched {
    strategy: Branching,
    control: Control,
    handle: StopHandle,
    nodes: u64,
}

impl Brancher for Watched {
    fn start(&mut self, domains: &Domains<'_>, seed: u64) {
        self.strategy.start(domains, seed);
    }

    fn choose(&mut self, domains: &Domains<'_>) -> Option<Decision> {
        self.nodes += 1;
        self.control.publish_nodes(self.nodes);
        if self.control.is_stopped() {
            self.handle.stop();
        }
        self.strategy.choose(domains)
    }
}
