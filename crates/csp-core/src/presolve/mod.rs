//! What is worked out of a model before the engine gets it: variables that are the [same](aliases), and
//! [cliques] of disequalities. The set of answers stays what it is, and so does the model, by whose
//! constraints answers are checked. What stands under a condition is left alone, and so are the named constraints of a
//! model whose infeasibility is to be explained: there each stands under a condition.
//!
//! Cost: linear in the size of the model, and for cliques what their module says.

mod aliases;
mod cliques;
#[cfg(test)]
mod tests;

use smallvec::{SmallVec, smallvec};

use crate::constraints::Operator;
use crate::engine::{VarId, View};
use crate::model::{BoolExpr, Constraint, ConstraintId, Domain, IntVar, Model, Node};

use aliases::Aliases;
pub(crate) use cliques::Cliques;

/// Whether a model is simplified before it is solved: for [`Solver::with`](crate::Solver::with).
///
/// Presolve never changes the answers. It makes one variable of two that are equal or opposite (`x = y`,
/// `x = −y`), and one `all_different` of three and more views that are pairwise different by constraints
/// `x + a ≠ y + b`, which then finds out sooner that there are too few values for them.
///
/// ```
/// use csp_core::prelude::*;
/// // Eight pigeons in seven holes.
/// let mut model = Model::new();
/// let pigeons = model.ints(8, 0..7);
/// for (i, &a) in pigeons.iter().enumerate() {
///     for &b in &pigeons[..i] {
///         model.post(a.ne(b));
///     }
/// }
/// assert!(!Solver::with(&model, Presolve::On)?.propagate());
/// assert!(Solver::with(&model, Presolve::Off)?.propagate(), "only search can tell");
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Presolve {
    /// It is. The default.
    #[default]
    On,
    /// Every variable and every constraint goes to the engine as it was posted: to measure or compare what
    /// propagators and searches do.
    Off,
}

/// What was found.
#[derive(Debug)]
pub(crate) struct Findings {
    pub(crate) aliases: Aliases,
    pub(crate) cliques: Cliques,
}

impl Findings {
    pub(crate) fn new(model: &Model) -> Findings {
        let pairs = pairs(model);
        let aliases = Aliases::new(model, &pairs);
        let cliques = Cliques::new(model, &aliases, &pairs);
        Findings { aliases, cliques }
    }
}

/// A constraint that says no more than `x = y` or `x ≠ y`, of a variable and a view of another with scale ±1. The
/// variables are numbers in the model, and the offset can be negated.
#[derive(Clone, Copy, Debug)]
struct Pair {
    constraint: ConstraintId,
    operator: Operator,
    x: VarId,
    y: View,
}

/// The pairs of a model.
fn pairs(model: &Model) -> Vec<Pair> {
    let pair = |(i, constraint)| {
        let (operator, x, y) = pair(model, constraint)?;
        Some(Pair { constraint: ConstraintId(i), operator, x, y })
    };
    (0..).zip(model.constraints()).filter_map(pair).collect()
}

fn domain(model: &Model, x: usize) -> Option<&Domain> {
    model.domain(IntVar { id: x as u32, tag: *model.tags().get(x)? })
}

/// At most so many terms of a sum are looked at.
const TERMS: usize = 8;

/// The variable and view of which a constraint says that they are equal or not. Fixed variables are constants.
fn pair(model: &Model, constraint: &dyn Constraint) -> Option<(Operator, VarId, View)> {
    let expression = (constraint as &dyn std::any::Any).downcast_ref::<BoolExpr>()?;
    let (&Node::Compare(operator @ (Operator::Eq | Operator::Ne)), operands) =
        expression.nodes.split_last()?
    else {
        return None;
    };
    // Backwards, each node comes before its operands.
    let mut factors: SmallVec<[i128; TERMS]> = smallvec![1, -1];
    let (mut terms, mut constant) = (SmallVec::<[(usize, i128); TERMS]>::new(), 0i128);
    for node in operands.iter().rev() {
        let factor = factors.pop()?;
        match node {
            Node::View(x) => {
                constant = constant.checked_add(factor.checked_mul(x.offset.into())?)?;
                let factor = factor.checked_mul(x.scale.into())?;
                let Some(i) = x.var.index() else { continue };
                match &domain(model, i)?.intervals[..] {
                    &[(low, high)] if low == high => {
                        constant = constant.checked_add(factor.checked_mul(low.into())?)?;
                    }
                    _ => match terms.iter().position(|t| t.0 == i) {
                        Some(place) => terms[place].1 = terms[place].1.checked_add(factor)?,
                        None if terms.len() == TERMS => return None,
                        None => terms.push((i, factor)),
                    },
                }
            }
            Node::Sum(n) if *n as usize <= TERMS => factors.extend((0..*n).map(|_| factor)),
            Node::Times(c) => factors.push(factor.checked_mul((*c).into())?),
            _ => return None,
        }
    }
    terms.retain(|t| t.1 != 0);
    // a·x + b·y + c is compared with 0.
    let [(x, a), (y, b)] = terms[..] else { return None };
    if a.checked_abs()? != b.checked_abs()? || constant.checked_rem(a)? != 0 {
        return None;
    }
    let scale = if a == b { -1 } else { 1 };
    let offset = i64::try_from(constant.checked_div(a)?).ok()?.checked_neg()?;
    Some((operator, VarId(x as u32), View { var: VarId(y as u32), scale, offset }))
}
