//! Adding to a model between searches, and taking back.

use super::Solver;
use crate::error::ModelError;
use crate::model::{BoolVar, Constraint, ConstraintId, Domain, IntVar};

impl Solver {
    /// Adds an integer variable.
    ///
    /// # Errors
    /// If its values are out of range; the solver is then as it was before.
    #[track_caller]
    pub fn int(&mut self, domain: impl Into<Domain>) -> Result<IntVar, ModelError> {
        self.leave_search();
        let constraints = self.model.constraint_count();
        let x = self.model.int(domain);
        self.take_over(constraints)?;
        Ok(x)
    }

    /// Adds a Boolean variable.
    #[track_caller]
    pub fn bool(&mut self) -> BoolVar {
        self.leave_search();
        let b = self.model.bool();
        self.compile(self.map.len(), self.model.constraint_count(), None);
        b
    }

    /// Adds a constraint.
    ///
    /// # Errors
    /// If there is a mistake in it; the solver is then as it was before.
    #[track_caller]
    pub fn post(&mut self, constraint: impl Constraint) -> Result<ConstraintId, ModelError> {
        self.leave_search();
        let constraints = self.model.constraint_count();
        let id = self.model.post(constraint);
        self.take_over(constraints)?;
        Ok(id)
    }

    /// Adds a constraint with a name, as [`Model::post_named`](crate::Model::post_named): what is added to a solver may be what
    /// is [to blame](Self::explain_infeasibility).
    ///
    /// # Errors
    /// If there is a mistake in it; the solver is then as it was before.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let (saw, paint) = (model.int(0..=20), model.int(0..=20));
    /// model.post_named("paint after sawing", rule!(saw + 3 <= paint));
    /// let mut solver = model.solver()?;
    /// solver.push();
    /// solver.post_named("the painter leaves at 2", paint.le(2))?;
    /// let Infeasibility::Conflict { constraints, .. } = solver.explain_infeasibility()? else { panic!() };
    /// let names: Vec<_> = constraints.iter().filter_map(|&c| solver.model().constraint_name(c)).collect();
    /// assert_eq!(names, ["paint after sawing", "the painter leaves at 2"]);
    /// solver.pop();
    /// assert!(solver.first().solution().is_some());
    /// # Ok::<(), ModelError>(())
    /// ```
    #[track_caller]
    pub fn post_named(
        &mut self,
        name: impl AsRef<str>,
        constraint: impl Constraint,
    ) -> Result<ConstraintId, ModelError> {
        self.leave_search();
        let constraints = self.model.constraint_count();
        let id = self.model.post_named(name, constraint);
        self.take_over(constraints)?;
        Ok(id)
    }

    /// Hands the engine what was added to the model, whose constraints were so many before, or takes it
    /// back if there is a mistake in it.
    fn take_over(&mut self, constraints: usize) -> Result<(), ModelError> {
        let variables = self.map.len();
        if let Err(mistake) = self.model.validate() {
            self.model.truncate(variables, constraints);
            return Err(mistake);
        }
        self.compile(variables, constraints, None);
        Ok(())
    }

    /// Opens a level: what is added from here on is forgotten by [`pop`](Self::pop).
    pub fn push(&mut self) {
        self.propagate();
        self.engine.push_root();
        self.marks.push((self.model.variable_count(), self.model.constraint_count()));
    }

    /// Forgets what was added since the last [`push`](Self::push). Returns `false`, doing nothing, if no
    /// level is open.
    pub fn pop(&mut self) -> bool {
        self.leave_search();
        let Some((variables, constraints)) = self.marks.pop() else { return false };
        self.engine.pop_root();
        self.map.truncate(variables);
        self.model.truncate(variables, constraints);
        true
    }
}
