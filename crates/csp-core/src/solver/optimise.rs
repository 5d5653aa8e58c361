//! Searching for a best solution.

use std::ops::ControlFlow;
use std::panic::Location;
use std::sync::Arc;

use super::{Solver, Task};
use crate::engine::{Poster, View};
use crate::error::ModelError;
use crate::model::{Assignment, IntExpr, Solution};
use crate::observe::Owner;
use crate::search::{Optimum, Outcome, Stop};

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sense {
    Minimise,
    Maximise,
}

impl Solver {
    /// Searches for a solution with the smallest value of a variable, view or expression, by branch and bound.
    ///
    /// Each solution found is better than the one before; [`Limits::solutions`](crate::Limits::solutions) limits how many. Limits and the
    /// stop handle end the search early, with the best solution so far and a bound. A
    /// [projection](Self::set_projection) plays no part.
    ///
    /// # Errors
    /// If the objective is not of this model or out of range.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let xs = model.ints(3, 0..=9);
    /// model.post(all_different(&xs));
    /// let mut solver = model.solver()?;
    /// assert_eq!(solver.minimise(sum(&xs))?.value(), Some(3));
    /// assert_eq!(solver.maximise((xs[0] - xs[1]).abs() + xs[2])?.value(), Some(17));
    /// assert_eq!(solver.outcome(), Some(Outcome::Optimal));
    /// # Ok::<(), ModelError>(())
    /// ```
    #[track_caller]
    pub fn minimise(&mut self, objective: impl Into<IntExpr>) -> Result<Optimum, ModelError> {
        self.minimise_with(objective, |_, _| ControlFlow::Continue(()))
    }

    /// Searches for a solution with the largest value of a variable, view or expression; as [`minimise`](Self::minimise).
    ///
    /// # Errors
    /// If the objective is not of this model or out of range.
    #[track_caller]
    pub fn maximise(&mut self, objective: impl Into<IntExpr>) -> Result<Optimum, ModelError> {
        self.maximise_with(objective, |_, _| ControlFlow::Continue(()))
    }

    /// As [`minimise`](Self::minimise), and calls `visit` with each better solution and its value as soon as it
    /// is found. If it says break, the search ends with [`Stop::Caller`].
    ///
    /// # Errors
    /// If the objective is not of this model or out of range.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// use std::ops::ControlFlow;
    /// let mut model = Model::new();
    /// let x = model.int(0..=9);
    /// let mut solver = model.solver()?;
    /// solver.set_search(branch([x]).max_value());
    /// let good_enough = solver.minimise_with(x, |_, value| {
    ///     println!("found {value}");
    ///     if value <= 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    /// })?;
    /// assert_eq!((good_enough.value(), good_enough.is_proved()), (Some(5), false));
    /// # Ok::<(), ModelError>(())
    /// ```
    #[track_caller]
    pub fn minimise_with(
        &mut self,
        objective: impl Into<IntExpr>,
        visit: impl FnMut(&Assignment, i64) -> ControlFlow<()>,
    ) -> Result<Optimum, ModelError> {
        self.optimise(Sense::Minimise, objective, visit, Location::caller())
    }

    /// As [`maximise`](Self::maximise), and calls `visit` with each better solution and its value as soon as it
    /// is found. If it says break, the search ends with [`Stop::Caller`].
    ///
    /// # Errors
    /// If the objective is not of this model or out of range.
    #[track_caller]
    pub fn maximise_with(
        &mut self,
        objective: impl Into<IntExpr>,
        visit: impl FnMut(&Assignment, i64) -> ControlFlow<()>,
    ) -> Result<Optimum, ModelError> {
        self.optimise(Sense::Maximise, objective, visit, Location::caller())
    }

    pub(super) fn optimise(
        &mut self,
        sense: Sense,
        objective: impl Into<IntExpr>,
        mut visit: impl FnMut(&Assignment, i64) -> ControlFlow<()>,
        location: &'static Location<'static>,
    ) -> Result<Optimum, ModelError> {
        let objective = objective.into();
        let view = self.objective(&objective, location)?;
        // The driver minimises; values lie within ±2^62, so they can be negated.
        let (view, sign) = match sense {
            Sense::Minimise => (view, 1),
            Sense::Maximise => (view.negated(), -1),
        };
        self.begin_here(Task::Best(view, sign));
        let mut best: Option<(Solution, i64)> = None;
        let outcome = loop {
            if let Some(outcome) = self.advance(true) {
                break outcome;
            }
            let value = objective.value(&self.buffer).unwrap_or(sign * self.engine.store.min(view));
            self.driver.improve(sign * value, &self.engine.store, &mut self.guide);
            match &mut best {
                Some((solution, old)) => {
                    solution.clone_from(&self.buffer);
                    *old = value;
                }
                None => best = Some((self.buffer.clone(), value)),
            }
            if visit(&self.buffer, value).is_break() {
                break self.end(Outcome::Stopped(Stop::Caller));
            }
        };
        if outcome == Outcome::Optimal && self.assumptions.is_empty() {
            self.engine.keep_fact(view.ge(self.driver.bound()));
        }
        let bound = sign * self.driver.bound();
        Ok(match (outcome, best) {
            (Outcome::Stopped(why), Some((solution, value))) => {
                Optimum::BestSoFar { solution, value, bound, why }
            }
            (Outcome::Stopped(why), None) => Optimum::Stopped { bound, why },
            (_, Some((solution, value))) => Optimum::Best { solution, value },
            (_, None) => Optimum::Infeasible,
        })
    }

    /// The engine's view of an objective. If that takes hidden variables, they stand on a root level of their
    /// own, until the next call.
    fn objective(
        &mut self,
        objective: &IntExpr,
        location: &'static Location<'static>,
    ) -> Result<View, ModelError> {
        self.leave_search();
        self.model.check_expression("the objective", objective, location)?;
        self.start_clock();
        if objective.as_view().is_none() {
            self.propagate_root();
            self.push_search_root();
        }
        Arc::make_mut(&mut self.owners).begin(&self.engine, Owner::Objective);
        let mut poster = Poster { engine: &mut self.engine, map: &self.map, condition: None };
        Ok(poster.view(objective))
    }
}
