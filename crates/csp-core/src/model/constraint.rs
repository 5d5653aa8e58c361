//! What a constraint is.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use super::{Affine, Assignment, BoolExpr, Names};
use crate::engine::Poster;
use crate::error::ModelErrorKind;

/// How much a propagator promises to remove; the test harness holds it to its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consistency {
    /// With all variables fixed, the constraint is decided; nothing is promised before.
    Check,
    /// As [`Check`](Self::Check), and with all variables but one fixed, that one keeps only the values
    /// that complete a solution.
    Value,
    /// Each bound of each variable belongs to a solution in which the others take integers between
    /// their bounds (bounds(Z) consistency).
    Bounds,
    /// Each bound of each variable belongs to a solution in which the others take *real* numbers between
    /// their bounds (bounds(R) consistency), and [`Value`](Self::Value).
    RealBounds,
    /// Every value left belongs to a solution within the domains.
    Domain,
}

/// A relation between views, as plain data.
///
/// A constraint says what it means ([`is_satisfied`](Self::is_satisfied)) and, separately, how it is
/// enforced ([`post`](Self::post)). The two share no code: every solution found by the one is checked
/// by the other.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a constraint",
    note = "`x == y` compares handles; the constraint is `x.eq(y)`, and on a reference `(*x).eq(y)`"
)]
pub trait Constraint: Any + Debug + Send + Sync {
    /// The views it relates, in a fixed order.
    fn scope(&self) -> Vec<Affine>;

    /// Whether a full assignment satisfies it, straight from the definition. Must not allocate where
    /// that is easily avoided: it runs for every solution.
    fn is_satisfied(&self, assignment: &Assignment) -> bool;

    /// What it demands, in words, with the names of the model.
    fn describe(&self, names: &Names<'_>) -> String;

    /// Hands its propagators to the engine.
    fn post(&self, poster: &mut Poster<'_>);

    /// What its propagators promise to remove, provided no variable stands twice in the scope.
    fn consistency(&self) -> Consistency {
        Consistency::Check
    }

    /// The constraint that holds exactly where this one does not, if it has one to offer: what full
    /// reification ([`iff`](crate::iff), `!`, `^`, a constraint as a number) needs.
    ///
    /// Of ours these have one:
    ///
    /// - Booleans and comparisons, sums included: `b`, `x.le(y)`, `sum(&xs).eq(5)`;
    /// - what [`clause`](crate::clause), [`conjunction`](crate::conjunction), [`xor`](crate::xor),
    ///   [`when`](crate::when), [`iff`](crate::iff), `&`, `|`, `^` and `!` make of constraints that have one;
    /// - [`at_least`](crate::at_least), [`at_most`](crate::at_most), [`exactly`](crate::exactly);
    /// - [`table`](crate::table) and [`forbidden`](crate::forbidden), unless an operand may be undefined, as an
    ///   [`element`](crate::element) is outside its array.
    ///
    /// [`all_different`](crate::all_different) and [`no_overlap`](crate::no_overlap) have none. In their stead, say that some two are equal:
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let (b, xs) = (model.bool(), model.ints(3, 0..=3));
    /// assert!(all_different(&xs).negation().is_none());
    /// let pairs = (0..3).flat_map(|i| (0..i).map(move |j| (i, j)));
    /// model.post(iff(b, clause(pairs.map(|(i, j)| xs[i].eq(xs[j])))));
    /// model.post(!b);
    /// assert_eq!(model.solver()?.count().solutions, 4 * 3 * 2);
    /// # Ok::<(), ModelError>(())
    /// ```
    fn negation(&self) -> Option<Arc<dyn Constraint>> {
        None
    }

    /// What is wrong with it beyond what can be wrong with any view (a foreign variable, an overflow).
    ///
    /// # Errors
    /// The mistake. `range` tells the smallest and largest value of a view.
    fn validate(&self, range: &dyn Fn(Affine) -> (i64, i64)) -> Result<(), ModelErrorKind> {
        let _ = range;
        Ok(())
    }

    /// The constraint as a Boolean, to be part of an expression: `b | all_different(&xs).holds()`.
    fn holds(self) -> BoolExpr
    where
        Self: Sized,
    {
        BoolExpr::of(self)
    }
}
