//! At least, at most or exactly `k` of several Booleans are true.
//!
//! Domain consistency, if no variable stands twice. With `k` atoms true the open ones become false; with
//! no more than `k` atoms not false the open ones become true. Cost: constant per change, and linear in the
//! open atoms when they are decided.
//!
//! Explanation: `k` true atoms (one more for a failure), or all false ones but those that are not needed.

use std::sync::Arc;

use crate::engine::{
    Atom, Conflict, Context, Explanation, History, Lazy, Poster, Priority, Propagator, Status, Store,
};
use crate::error::ModelErrorKind;
use crate::model::{Affine, Assignment, BoolExpr, Consistency, Constraint, Names};

use super::tally::Tally;
use super::{Operator, clause, sum};

/// A bound on how many Booleans are true; made by [`at_least`], [`at_most`] and [`exactly`].
#[must_use = "a constraint does nothing until it is posted"]
#[derive(Clone, Debug)]
pub struct Cardinality {
    /// `≥`, `≤` or `=`.
    operator: Operator,
    count: i64,
    parts: Arc<[BoolExpr]>,
}

fn cardinality<T: Into<BoolExpr>>(
    operator: Operator,
    count: i64,
    parts: impl IntoIterator<Item = T>,
) -> Cardinality {
    Cardinality { operator, count, parts: parts.into_iter().map(Into::into).collect() }
}

/// At least `k` of the Booleans (variables, comparisons, any Boolean expressions) are true: always so if `k` is not positive, never if it exceeds their
/// number. One that is listed twice counts twice.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let b = model.bools(3);
/// model.post(at_least(2, &b));
/// assert_eq!(model.solver()?.count().solutions, 3 + 1);
/// # Ok::<(), ModelError>(())
/// ```
pub fn at_least<T: Into<BoolExpr>>(k: i64, parts: impl IntoIterator<Item = T>) -> Cardinality {
    cardinality(Operator::Ge, k, parts)
}

/// At most `k` of the Booleans are true: never so if `k` is negative. One that is listed twice counts
/// twice.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let xs = model.ints(3, 0..=9);
/// model.post(at_most(1, xs.iter().map(|x| x.ge(5))));
/// assert_eq!(model.solver()?.count().solutions, 125 + 3 * 125);
/// # Ok::<(), ModelError>(())
/// ```
pub fn at_most<T: Into<BoolExpr>>(k: i64, parts: impl IntoIterator<Item = T>) -> Cardinality {
    cardinality(Operator::Le, k, parts)
}

/// Exactly `k` of the Booleans are true: never so if `k` is negative or exceeds their number. One that is
/// listed twice counts twice.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let b = model.bools(4);
/// model.post(exactly(2, &b));
/// assert_eq!(model.solver()?.count().solutions, 6);
/// # Ok::<(), ModelError>(())
/// ```
pub fn exactly<T: Into<BoolExpr>>(k: i64, parts: impl IntoIterator<Item = T>) -> Cardinality {
    cardinality(Operator::Eq, k, parts)
}

impl Constraint for Cardinality {
    fn scope(&self) -> Vec<Affine> {
        self.parts.iter().flat_map(BoolExpr::views).collect()
    }

    fn is_satisfied(&self, a: &Assignment) -> bool {
        let trues = self.parts.iter().filter(|b| b.is_true(a)).count();
        self.operator.holds(trues as i64, self.count)
    }

    fn describe(&self, names: &Names<'_>) -> String {
        let name = match self.operator {
            Operator::Ge => "at_least",
            Operator::Le => "at_most",
            _ => "exactly",
        };
        let words: Vec<String> = self.parts.iter().map(|b| b.describe(names)).collect();
        format!("{name}({}, {{{}}})", self.count, words.join(", "))
    }

    fn consistency(&self) -> Consistency {
        let plain = self.parts.iter().all(|b| b.as_literal().is_some());
        if plain { Consistency::Domain } else { Consistency::Check }
    }

    fn validate(&self, range: &dyn Fn(Affine) -> (i64, i64)) -> Result<(), ModelErrorKind> {
        self.parts.iter().try_for_each(|b| b.validate(range))
    }

    fn negation(&self) -> Option<Arc<dyn Constraint>> {
        // Beyond these numbers nothing changes, and arithmetic would end.
        let k = self.count.clamp(-1, self.parts.len() as i64 + 1);
        let negated = match self.operator {
            Operator::Ge => at_most(k - 1, &*self.parts),
            Operator::Le => at_least(k + 1, &*self.parts),
            _ => return Some(Arc::new(sum(self.parts.iter()).ne(k))),
        };
        Some(Arc::new(negated))
    }

    fn post(&self, poster: &mut Poster<'_>) {
        let atoms: Vec<Atom> = self.parts.iter().map(|b| poster.literal(b)).collect();
        let (least, most) = match self.operator {
            Operator::Ge => (self.count, i64::MAX),
            Operator::Le => (0, self.count),
            _ => (self.count, self.count),
        };
        match usize::try_from(most) {
            Ok(most) => post_cardinality(poster, atoms, usize::try_from(least).unwrap_or(0), most),
            Err(_) => clause::post_atoms(poster, &[]),
        }
    }
}

/// Posts that at least `min` and at most `max` of any atoms are true.
pub(crate) fn post_cardinality(poster: &mut Poster<'_>, atoms: Vec<Atom>, min: usize, max: usize) {
    if min > max || min > atoms.len() {
        return clause::post_atoms(poster, &[]);
    }
    let max = max.min(atoms.len());
    if min == 0 && max == atoms.len() {
        return;
    }
    if min == 1 && max == atoms.len() {
        return clause::post_atoms(poster, &atoms);
    }
    let subscriptions: Vec<_> = atoms.iter().map(|a| a.subscription()).collect();
    let tally = Tally::new(poster, atoms);
    poster.add_indexed(Count { tally, min, max }, Priority::Linear, subscriptions);
}

/// Between `min` and `max` atoms are true.
#[derive(Debug)]
struct Count {
    tally: Tally,
    min: usize,
    max: usize,
}

/// Too many are true, or just as many as may be.
const MOST: u32 = 0;
/// Too many are false, or just as many as may be.
const LEAST: u32 = 1;

impl Count {
    /// The atoms that speak against one side, which are the true ones or the negations of the false ones;
    /// and how many of them must hold for the others to be decided.
    fn against(&self, side: u32) -> (impl Iterator<Item = Atom> + '_, usize) {
        let atoms = self.tally.atoms();
        let enough = if side == MOST { self.max } else { atoms.len() - self.min };
        (atoms.iter().map(move |&a| if side == MOST { a } else { a.negated() }), enough)
    }
}

impl Propagator for Count {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let (trues, possible) = self.tally.update(ctx);
        if trues > self.max {
            return Err(ctx.fail(Lazy(MOST)));
        }
        if possible < self.min {
            return Err(ctx.fail(Lazy(LEAST)));
        }
        if trues == self.max {
            for atom in self.tally.at(trues..possible) {
                ctx.assert(atom.negated(), Lazy(MOST))?;
            }
            return Ok(Status::Entailed);
        }
        if possible == self.min {
            for atom in self.tally.at(trues..possible) {
                ctx.assert(atom, Lazy(LEAST))?;
            }
            return Ok(Status::Entailed);
        }
        let entailed = trues >= self.min && possible <= self.max;
        Ok(if entailed { Status::Entailed } else { Status::AtFixpoint })
    }

    fn explain(&self, data: u32, atom: Atom, history: &History<'_>, out: &mut Explanation) {
        let (against, enough) = self.against(data);
        let needed = enough + usize::from(atom == Atom::FALSE);
        // Where a variable stands twice, the opposite of what is explained may have come from here as well.
        let held = against.filter(|&a| a != atom.negated() && history.holds(a));
        held.take(needed).for_each(|a| out.push(a));
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        for side in [MOST, LEAST] {
            let (against, enough) = self.against(side);
            let held = against.filter(|&a| store.truth(a) == Some(true));
            if held.take(enough + 1).count() > enough {
                let held = self.against(side).0.filter(|&a| store.truth(a) == Some(true));
                held.take(enough + 1).for_each(|a| why.push(a));
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::BoolVar;
    use crate::testing::{Scope, check, literals};

    #[test]
    fn harness() {
        for (name, make) in [
            ("at_least", at_least as fn(i64, Vec<BoolVar>) -> Cardinality),
            ("at_most", at_most),
            ("exactly", exactly),
        ] {
            let report = check(name, Scope::bools(0..=7), move |xs, p| {
                let trues: i64 = (0..xs.len()).map(|i| p.witness(i)).sum();
                let other = p.pick(&[0, -1, 8, i64::MIN, i64::MAX]);
                make(p.pick(&[trues, trues, trues, trues - 1, trues + 1, other]), literals(xs))
            });
            assert!(report.pruned > 20 && report.infeasible > 5, "{report}");
        }
    }
}
