//! A best solution, as far as a search came.

use std::ops::ControlFlow;

use csp_core::{Optimum, Outcome as EngineOutcome, Statistics, Stop as EngineStop, prelude::*};

use crate::{
    QueensError,
    search::{Control, Outcome},
};

/// What a search for a best solution came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Best<T> {
    /// The best solution found and its value, if one was found.
    pub solution: Option<(T, usize)>,
    /// No solution has a better value; none if there is no solution.
    pub bound: Option<usize>,
    /// How the search ended. If this is [`Outcome::Complete`], nothing is better than what was found.
    pub outcome: Outcome,
    /// What the engine did.
    pub engine: Statistics,
}

impl<T> Best<T> {
    /// The value of the best solution found.
    pub fn value(&self) -> Option<usize> {
        self.solution.as_ref().map(|&(_, value)| value)
    }
}

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sense {
    Minimise,
    Maximise,
}

/// Runs a solver until the best solution is known or `control` ends it; hands each better one to `visit`.
pub(super) fn optimise<T>(
    mut solver: Solver,
    sense: Sense,
    objective: IntVar,
    control: &Control,
    read: impl Fn(&Assignment) -> T,
    visit: &mut dyn FnMut(&T, usize),
) -> Result<Best<T>, QueensError> {
    if let Some(time) = control.time_left() {
        solver.set_limits(Limits::new().time(time));
    }
    let (stop, progress) = control.handles();
    solver.set_stop_handle(stop);
    solver.set_progress(progress);
    let mut solution = None;
    let better = |assignment: &Assignment, value: i64| {
        let found = read(assignment);
        visit(&found, count(value));
        solution = Some((found, count(value)));
        ControlFlow::Continue(())
    };
    let optimum: Optimum = match sense {
        Sense::Minimise => solver.minimise_with(objective, better)?,
        Sense::Maximise => solver.maximise_with(objective, better)?,
    };
    let outcome = match solver.outcome() {
        Some(EngineOutcome::Stopped(EngineStop::Handle)) => Outcome::Interrupted,
        Some(EngineOutcome::Stopped(EngineStop::Time)) => Outcome::TimeLimit,
        Some(EngineOutcome::Stopped(fault)) => {
            return Err(QueensError::Engine { fault: fault.to_string() });
        }
        _ => Outcome::Complete,
    };
    Ok(Best { solution, bound: optimum.bound().map(count), outcome, engine: solver.statistics() })
}

/// A number of squares.
fn count(value: i64) -> usize {
    usize::try_from(value).unwrap_or(0)
}
