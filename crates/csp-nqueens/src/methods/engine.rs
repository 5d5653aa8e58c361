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
    Queens, QueensError, QueensModel,
    search::{Monitor, Stop},
    solver::{columns, strategy},
};

/// The largest board. Memory grows with the square of the size, to some 700 MB here; a first solution
/// takes seconds.
pub(super) const MAX_SIZE: usize = 5000;

pub(super) fn search(puzzle: &Queens, monitor: &mut Monitor<'_>) -> ControlFlow<Stop> {
    attempt(puzzle, Limits::new(), monitor)?;
    ControlFlow::Continue(())
}

/// Searches within these limits. The answer is whether that was all.
pub(super) fn attempt(puzzle: &Queens, limits: Limits, monitor: &mut Monitor<'_>) -> ControlFlow<Stop, bool> {
    enumerate(|| puzzle.model(), limits, monitor)
}

/// Hands the solutions of a model with one queen in each row to the monitor. The answer is whether that was all.
pub(crate) fn enumerate(
    model: impl FnOnce() -> Result<QueensModel, QueensError>,
    limits: Limits,
    monitor: &mut Monitor<'_>,
) -> ControlFlow<Stop, bool> {
    monitor.control().check()?;
    let end = model().and_then(|model| solve(model, limits, monitor));
    end.unwrap_or_else(|error| ControlFlow::Break(Stop::Failed(error)))
}

fn solve(
    model: QueensModel,
    limits: Limits,
    monitor: &mut Monitor<'_>,
) -> Result<ControlFlow<Stop, bool>, QueensError> {
    let QueensModel { model, queens } = model;
    let mut solver = model.solver()?;
    solver.set_limits(match monitor.control().time_left() {
        Some(time) => limits.time(time),
        None => limits,
    });
    let (stop, progress) = monitor.control().handles();
    solver.set_stop_handle(stop);
    solver.set_progress(progress);
    solver.set_search(strategy(&queens));

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
        Outcome::Stopped(EngineStop::Caller) => Ok(stop.map_continue(|()| false)),
        Outcome::Stopped(EngineStop::Failures) => Ok(ControlFlow::Continue(false)),
        Outcome::Stopped(EngineStop::Handle) => Ok(ControlFlow::Break(Stop::Interrupted)),
        Outcome::Stopped(EngineStop::Time) => Ok(ControlFlow::Break(Stop::TimeLimit)),
        Outcome::Stopped(fault) => Err(QueensError::Engine { fault: fault.to_string() }),
        _ => Ok(ControlFlow::Continue(true)),
    }
}
