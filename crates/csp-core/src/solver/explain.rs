//! Why a model has no solution, in terms of its named constraints.
//!
//! Each name becomes a condition of the constraints that bear it, and the model is solved under the assumption of them
//! all. The core of that is made smaller by leaving out one name after the other: if there is still no solution, the
//! name is not needed, nor is any other outside the new core (Liffiton, Sakallah 2008; Marques-Silva 2010). What was learnt
//! serves all of these searches. Cost: a search for each name in the first core.

use std::time::Instant;

use super::{First, Solver};
use crate::error::ModelError;
use crate::model::{Assignment, BoolVar, ConstraintId, Solution};
use crate::search::{Limits, Mode, Stop};

/// What [`Solver::explain_infeasibility`] came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Infeasibility {
    /// There is no solution, because the constraints of these names cannot hold together.
    Conflict {
        /// The constraints, in the order of the model.
        constraints: Vec<ConstraintId>,
        /// Whether it was shown that without the constraints of any one of the names the others can hold. Otherwise a limit or
        /// the stop handle came first.
        is_minimal: bool,
    },
    /// There is a solution.
    Feasible(Solution),
    /// The search ended before it was known.
    Stopped(Stop),
}

/// The constraints of one name, and the condition of them.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) constraints: Vec<ConstraintId>,
    pub(crate) condition: BoolVar,
}

impl Solver {
    /// Finds out why there is no solution: a set of [named](crate::Model::post_named) constraints that cannot hold together, and of
    /// which none can be left out: without any one of the names, there is a solution to the rest. (Elsewhere in the model there may be
    /// another such set, and a smaller one.) Constraints of the same name stand and fall
    /// together. Domains and constraints without a name are never in doubt; if these alone cannot be met, the set is empty.
    ///
    /// The limit of time is for all of it, other limits are for each of the searches it takes. Assumptions, strategies
    /// and hints play no part.
    ///
    /// # Errors
    /// If the conditions, one for each name, are too many variables.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let (saw, paint) = (model.int(0..=20), model.int(0..=20));
    /// model.post_named("paint after sawing", rule!(saw + 3 <= paint));
    /// model.post_named("the saw comes at 4", saw.ge(4));
    /// model.post_named("the painter leaves at 6", paint.le(6));
    /// model.post_named("no work before 1", paint.ge(1));
    /// let mut solver = model.solver()?;
    /// let Infeasibility::Conflict { constraints, is_minimal } = solver.explain_infeasibility()? else { panic!() };
    /// let names: Vec<_> = constraints.iter().filter_map(|&c| solver.model().constraint_name(c)).collect();
    /// assert_eq!(names, ["paint after sawing", "the saw comes at 4", "the painter leaves at 6"]);
    /// assert!(is_minimal);
    /// let words = solver.model().describe(constraints[0]);
    /// assert_eq!(words.as_deref(), Some("constraint 0 `paint after sawing`: v0 + 3 <= v1"));
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn explain_infeasibility(&mut self) -> Result<Infeasibility, ModelError> {
        self.leave_search();
        let end = self.limits.time.and_then(|time| Instant::now().checked_add(time));
        let (model, groups) = self.model.guarded();
        let mut inner = Solver::new(&model)?;
        inner.set_mode(Mode::Learning);
        inner.set_seed(self.seed);
        inner.set_stop_handle(&self.stop_handle());
        inner.set_progress(&self.progress());
        let mut search = |names: &[usize]| -> Result<(First, Vec<usize>), ModelError> {
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            inner.set_limits(Limits { time: left, ..self.limits });
            inner.set_assumptions(names.iter().map(|&i| groups[i].condition))?;
            let answer = inner.first();
            let core = inner.core().unwrap_or_default().iter().map(|&i| names[i]).collect();
            Ok((answer, core))
        };
        let all: Vec<usize> = (0..groups.len()).collect();
        let (answer, mut core) = search(&all)?;
        match answer {
            First::Found(solution) => return Ok(Infeasibility::Feasible(self.without_conditions(&solution))),
            First::Stopped(why) => return Ok(Infeasibility::Stopped(why)),
            First::Infeasible => {}
        }
        // The names before this place in the core are needed.
        let (mut needed, mut is_minimal) = (0, true);
        while needed < core.len() {
            let name = core.remove(needed);
            match search(&core)? {
                (First::Infeasible, smaller) => {
                    // All that are known to be needed are in it.
                    core.retain(|i| smaller.contains(i));
                }
                (answer, _) => {
                    is_minimal &= matches!(answer, First::Found(_));
                    core.insert(needed, name);
                    needed += 1;
                }
            }
        }
        let mut constraints: Vec<ConstraintId> =
            core.iter().flat_map(|&i| groups[i].constraints.iter().copied()).collect();
        constraints.sort_unstable();
        Ok(Infeasibility::Conflict { constraints, is_minimal })
    }

    /// A solution of the model out of one with the conditions.
    fn without_conditions(&self, solution: &Assignment) -> Solution {
        let tags = self.model.tags();
        let values = solution.values[..tags.len()].to_vec();
        Assignment { tags, values }
    }
}
