//! Constraints in force under a condition: `b → c` and `b ↔ c`.
//!
//! The engine does it: the propagators of `c` run only where `b` is true, and `b` belongs to every
//! reason they give; while `b` is open they are asked whether `c` can still hold, and `b` becomes false
//! where not. Full reification posts `b → c` and `¬b → ¬c`, so `c` must offer a negation.

use std::any::Any;
use std::sync::Arc;

use crate::engine::{Atom, Poster};
use crate::error::ModelErrorKind;
use crate::model::{Affine, Assignment, BoolVar, Constraint, Names};

use super::clause;

/// The constraint `condition → constraint`; made by [`when`].
#[derive(Clone, Debug)]
pub struct When {
    condition: BoolVar,
    constraint: Arc<dyn Constraint>,
}

/// The constraint `condition ↔ constraint`; made by [`iff`].
#[derive(Clone, Debug)]
pub struct Iff {
    condition: BoolVar,
    constraint: Arc<dyn Constraint>,
    negation: Option<Arc<dyn Constraint>>,
}

/// Where `condition` is true, `constraint` holds (half-reification).
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let (b, x) = (model.bool(), model.int(0..=3));
/// model.post(when(b, x.ge(2)));
/// assert_eq!(model.solver()?.count().solutions, 2 + 4);
/// # Ok::<(), ModelError>(())
/// ```
pub fn when(condition: impl Into<BoolVar>, constraint: impl Constraint) -> When {
    When { condition: condition.into(), constraint: Arc::new(constraint) }
}

/// `condition` is true if and only if `constraint` holds (full reification). The constraint must have a
/// negation, as comparisons and linear constraints do; otherwise the model is reported as mistaken.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let (b, x) = (model.bool(), model.int(0..=3));
/// model.post(iff(b, x.ge(2)));
/// assert_eq!(model.solver()?.count().solutions, 4);
/// # Ok::<(), ModelError>(())
/// ```
pub fn iff(condition: impl Into<BoolVar>, constraint: impl Constraint) -> Iff {
    let negation = constraint.negation();
    Iff { condition: condition.into(), constraint: Arc::new(constraint), negation }
}

impl Constraint for When {
    fn scope(&self) -> Vec<Affine> {
        let mut scope = vec![self.condition.into()];
        scope.extend(self.constraint.scope());
        scope
    }

    fn is_satisfied(&self, a: &Assignment) -> bool {
        !a.is_true(self.condition) || self.constraint.is_satisfied(a)
    }

    fn describe(&self, names: &Names<'_>) -> String {
        format!("{} -> ({})", names.of_bool(self.condition), self.constraint.describe(names))
    }

    fn post(&self, poster: &mut Poster<'_>) {
        let condition = poster.literal(self.condition);
        poster.under(condition, |poster| self.constraint.post(poster));
    }

    fn validate(&self, range: &dyn Fn(Affine) -> (i64, i64)) -> Result<(), ModelErrorKind> {
        self.constraint.validate(range)
    }
}

impl Iff {
    /// Makes the atom true exactly where the constraint holds.
    fn post_as(&self, b: Atom, poster: &mut Poster<'_>) {
        let constraint: &dyn Any = &*self.constraint;
        if let Some(inner) = constraint.downcast_ref::<Iff>() {
            // b ↔ (c ↔ k): k is posted once, as t ↔ k, for both sides would double at each level.
            let (c, t) = (poster.literal(inner.condition), poster.auxiliary());
            let around = poster.condition.take();
            inner.post_as(t, poster);
            poster.condition = around;
            for (b, c, t) in
                [(false, false, true), (false, true, false), (true, true, true), (true, false, false)]
                    .map(|(x, y, z)| (signed(b, x), signed(c, y), signed(t, z)))
            {
                clause::post_atoms(poster, &[b, c, t]);
            }
            return;
        }
        poster.under(b, |poster| self.constraint.post(poster));
        if let Some(negation) = &self.negation {
            poster.under(b.negated(), |poster| negation.post(poster));
        }
    }
}

fn signed(atom: Atom, positive: bool) -> Atom {
    if positive { atom } else { atom.negated() }
}

impl Constraint for Iff {
    fn scope(&self) -> Vec<Affine> {
        let mut scope = vec![self.condition.into()];
        scope.extend(self.constraint.scope());
        scope
    }

    fn is_satisfied(&self, a: &Assignment) -> bool {
        a.is_true(self.condition) == self.constraint.is_satisfied(a)
    }

    fn describe(&self, names: &Names<'_>) -> String {
        format!("{} <-> ({})", names.of_bool(self.condition), self.constraint.describe(names))
    }

    fn post(&self, poster: &mut Poster<'_>) {
        let condition = poster.literal(self.condition);
        self.post_as(condition, poster);
    }

    fn negation(&self) -> Option<Arc<dyn Constraint>> {
        Some(Arc::new(Iff { condition: !self.condition, ..self.clone() }))
    }

    fn validate(&self, range: &dyn Fn(Affine) -> (i64, i64)) -> Result<(), ModelErrorKind> {
        if self.negation.is_none() {
            return Err(ModelErrorKind::NoNegation);
        }
        self.constraint.validate(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraints::{clause, sum};
    use crate::testing::{Scope, check, literals};

    #[test]
    fn harness() {
        let two = || Scope::bools(2..=2).then_ints(2..=2);
        check("when when", two(), |xs, _| {
            let b = literals(&xs[..2]);
            when(b[0], when(b[1], xs[2].lt(xs[3])))
        });
        check("when iff", two(), |xs, _| {
            let b = literals(&xs[..2]);
            when(b[0], iff(b[1], xs[2].eq(xs[3])))
        });
        check("iff iff", two(), |xs, _| {
            let b = literals(&xs[..2]);
            iff(b[0], iff(b[1], xs[2].ne(xs[3])))
        });
        check("iff sum", Scope::bools(1..=1).then_ints(0..=3), |xs, p| {
            let value = (1..xs.len()).map(|i| p.witness(i)).fold(0, i64::saturating_add);
            iff(literals(xs)[0], sum(&xs[1..]).le(value))
        });
        check("when clause", Scope::bools(1..=5), |xs, _| {
            let b = literals(xs);
            when(b[0], clause(b[1..].iter().copied()))
        });
    }
}
