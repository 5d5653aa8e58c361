//! Searching for a best solution on a thread of its own.

use std::ops::ControlFlow;
use std::panic::{Location, resume_unwind};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};

use super::Solver;
use super::optimise::Sense;
use crate::error::ModelError;
use crate::model::{IntExpr, Solution};
use crate::observe::Progress;
use crate::search::{Optimum, StopHandle};

/// A search on a thread of its own, made by [`Solver::minimise_in_background`]. Dropping it stops the search, if it has not
/// ended, by the solver's [stop handle](Solver::stop_handle).
///
/// As an iterator it gives each better solution with its value as soon as it is found, and waits for the next one; it ends
/// with the search.
#[derive(Debug)]
pub struct Background {
    thread: Option<JoinHandle<(Solver, Result<Optimum, ModelError>)>>,
    found: Receiver<(Solution, i64)>,
    handle: StopHandle,
    was_stopped: bool,
    progress: Progress,
}

impl Solver {
    /// As [`minimise`](Self::minimise), on a thread of its own, which takes the solver along;
    /// [`Background::join`] gives it back.
    ///
    /// # Errors
    /// If the objective is not of this model or out of range.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let xs = model.ints(4, 0..=9);
    /// model.post(all_different(&xs));
    /// let mut search = model.solver()?.minimise_in_background(sum(&xs))?;
    /// let progress = search.progress().clone();
    /// // Work may go on here, with a look at `search.try_next()` now and then; or wait for each:
    /// for (solution, value) in &mut search {
    ///     println!("{value}: {:?}, gap {:?}", solution.values(&xs), progress.gap());
    /// }
    /// let (mut solver, optimum) = search.join();
    /// assert_eq!(optimum.value(), Some(6));
    /// assert!(solver.first().solution().is_some());
    /// # Ok::<(), ModelError>(())
    /// ```
    #[track_caller]
    pub fn minimise_in_background(self, objective: impl Into<IntExpr>) -> Result<Background, ModelError> {
        self.in_background(Sense::Minimise, objective.into(), Location::caller())
    }

    /// As [`maximise`](Self::maximise), on a thread of its own; as
    /// [`minimise_in_background`](Self::minimise_in_background).
    ///
    /// # Errors
    /// If the objective is not of this model or out of range.
    #[track_caller]
    pub fn maximise_in_background(self, objective: impl Into<IntExpr>) -> Result<Background, ModelError> {
        self.in_background(Sense::Maximise, objective.into(), Location::caller())
    }

    fn in_background(
        mut self,
        sense: Sense,
        objective: IntExpr,
        location: &'static Location<'static>,
    ) -> Result<Background, ModelError> {
        self.model.check_expression("the objective", &objective, location)?;
        let (send, found) = channel();
        let (handle, progress) = (self.stop_handle(), self.progress());
        let thread = thread::spawn(move || {
            let optimum = self.optimise(
                sense,
                objective,
                |solution, value| {
                    // If nobody listens any more, the best one is still told in the end.
                    let _ = send.send((solution.clone(), value));
                    ControlFlow::Continue(())
                },
                location,
            );
            (self, optimum)
        });
        Ok(Background { thread: Some(thread), found, handle, was_stopped: false, progress })
    }
}

impl Background {
    /// A better solution that was found since the last time, without waiting.
    pub fn try_next(&mut self) -> Option<(Solution, i64)> {
        self.found.try_recv().ok()
    }

    /// Counters of the search, with its best value and bound.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Whether the search has ended, so that [`join`](Self::join) does not wait.
    pub fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(|thread| thread.is_finished())
    }

    /// Makes the search end within milliseconds with the best solution so far.
    pub fn stop(&mut self) {
        self.was_stopped = true;
        self.handle.stop();
    }

    /// Waits for the end of the search, and gives the solver back, with what was found. The solver's
    /// [stop handle](Solver::stop_handle) is reset if [`stop`](Self::stop) was used, whoever else raised it meanwhile.
    ///
    /// # Panics
    /// If a brancher or a constraint of yours panicked in the search, with its panic.
    pub fn join(mut self) -> (Solver, Optimum) {
        let result = self.thread.take().map(JoinHandle::join);
        if self.was_stopped {
            self.handle.reset();
        }
        match result {
            Some(Ok((solver, Ok(optimum)))) => (solver, optimum),
            Some(Err(panic)) => resume_unwind(panic),
            Some(Ok((_, Err(_)))) | None => {
                unreachable!("the objective was checked, and joining takes the search")
            }
        }
    }
}

impl Iterator for Background {
    type Item = (Solution, i64);

    fn next(&mut self) -> Option<(Solution, i64)> {
        self.found.recv().ok()
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // Other solvers may have the same handle.
        if !self.is_finished() {
            self.handle.stop();
        }
    }
}
