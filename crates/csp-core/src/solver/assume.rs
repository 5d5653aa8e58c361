//! Solving under assumptions, and what cannot hold together.

use std::panic::Location;
use std::sync::Arc;

use super::Solver;
use crate::engine::{Atom, Poster};
use crate::error::ModelError;
use crate::model::{BoolExpr, IntExpr};
use crate::observe::Owner;
use crate::search::{Outcome, Stop};

impl Solver {
    /// Makes searches look for solutions only where all of these hold, from now on, until others are given. Nothing is
    /// added to the model: what is learnt under assumptions holds without them and is kept for later searches.
    ///
    /// If a search then finds that there is no solution, [`core`](Self::core) tells which assumptions are to blame.
    /// Searches with assumptions learn, if the [mode](crate::Mode) is not plain.
    ///
    /// # Errors
    /// If one of them is not of this model, out of range, or a constraint without a negation; the assumptions are then as
    /// they were before.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let (x, y, late) = (model.int(0..=9), model.int(0..=9), model.bool());
    /// model.post(rule!(x + 3 <= y));
    /// model.post(rule!(!late -> y <= 5));
    /// let mut solver = model.solver()?;
    /// solver.set_assumptions([x.ge(1), x.ge(4), (!late).into()])?;
    /// assert_eq!(solver.first(), First::Infeasible);
    /// assert_eq!(solver.core(), Some(&[1, 2][..]));
    /// solver.set_assumptions([x.ge(4)])?;
    /// assert!(solver.first().solution().is_some());
    /// # Ok::<(), ModelError>(())
    /// ```
    #[track_caller]
    pub fn set_assumptions<T: Into<BoolExpr>>(
        &mut self,
        assumptions: impl IntoIterator<Item = T>,
    ) -> Result<(), ModelError> {
        let assumptions: Vec<BoolExpr> = assumptions.into_iter().map(Into::into).collect();
        let location = Location::caller();
        for assumption in &assumptions {
            self.model.check_expression("the assumption", &IntExpr::from(assumption.clone()), location)?;
        }
        self.assumptions = assumptions;
        Ok(())
    }

    /// Lifts all assumptions.
    pub fn clear_assumptions(&mut self) {
        self.assumptions.clear();
    }

    /// After a search that showed that there is no solution, the numbers of [assumptions](Self::set_assumptions) that cannot hold
    /// together, ascending, as they were given; none of them if there is no solution without assumptions either. It need
    /// not be as few as possible; in plain mode it is all of them. `None` after any other search.
    pub fn core(&self) -> Option<&[usize]> {
        (self.outcome == Some(Outcome::Infeasible)).then(|| self.driver.core())
    }

    /// The assumptions as atoms, which may take a root level with hidden variables.
    pub(super) fn assume(&mut self) -> Result<Vec<Atom>, Stop> {
        if self.assumptions.is_empty() {
            return Ok(Vec::new());
        }
        let here = Location::caller();
        for assumption in &self.assumptions {
            // Variables may have been taken back since.
            let known = self.model.check_expression("", &IntExpr::from(assumption.clone()), here);
            known.map_err(|_| Stop::ForeignVariable)?;
        }
        if !self.propagate_root() {
            return Ok(Vec::new());
        }
        let size = self.engine.size();
        self.push_search_root();
        Arc::make_mut(&mut self.owners).begin(&self.engine, Owner::Assumption);
        let mut poster = Poster { engine: &mut self.engine, map: &self.map, condition: None };
        let atoms = self.assumptions.iter().map(|b| poster.literal(b.clone())).collect();
        if self.engine.size() == size {
            self.pop_search_root();
        }
        Ok(atoms)
    }
}
