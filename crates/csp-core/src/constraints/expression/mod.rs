//! Expressions as constraints: what an expression demands is handed to the propagators of its parts.
//!
//! What is posted for an expression is worked out from the whole of it:
//!
//! - A sum compared with a sum is one linear constraint, two variables compared are one comparison, and a
//!   variable compared with a number is a fact about its domain.
//! - Conjunctions are posted part by part, disjunctions as clauses. A disjunction of one part and one
//!   fact is that part under a condition; every other part of a disjunction gets a hidden Boolean that implies
//!   it (half reification: Feydy, Somogyi, Stuckey 2011), and only where the truth of a part matters both ways
//!   (in `^`, `iff`, or as a number) is the hidden Boolean equivalent to it.
//! - `y = f(…)` gives `y` itself as the result to the propagator of `f`; other uses of `f` get a hidden
//!   variable with the range of the function. `|e| ≤ c`, `max(…) ≤ c` and `min(…) ≥ c` need none.
//!
//! Hidden variables are not part of solutions and never make two solutions of one.
//!
//! Cost: linear in the size of the expression.

mod lower;
mod shape;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::{Operator, comparison};
use crate::engine::{Atom, Poster, View};
use crate::error::ModelErrorKind;
use crate::model::{Affine, Assignment, BoolExpr, BoolVar, Consistency, Constraint, IntExpr, Names, Node};

use lower::Lowering;

impl Constraint for BoolExpr {
    fn scope(&self) -> Vec<Affine> {
        match self.as_fact() {
            Some((x, _, _)) => vec![x.into()],
            None => self.views().collect(),
        }
    }

    fn is_satisfied(&self, assignment: &Assignment) -> bool {
        self.is_true(assignment)
    }

    fn describe(&self, names: &Names<'_>) -> String {
        self.words(names)
    }

    /// That of the constraint for which the expression stands, if it is a single one; nothing beyond
    /// [`Check`](Consistency::Check) is promised of several together.
    fn consistency(&self) -> Consistency {
        consistency(&self.nodes)
    }

    fn post(&self, poster: &mut Poster<'_>) {
        match self.as_fact() {
            Some((x, operator, value)) => {
                poster.assert(comparison::fact(poster.affine(x.into()), operator, value));
            }
            None => Lowering::new(poster, &self.nodes).post(),
        }
    }

    fn negation(&self) -> Option<Arc<dyn Constraint>> {
        let negated = !self.clone();
        negated.has_negations().then(|| Arc::new(negated) as Arc<dyn Constraint>)
    }

    fn validate(&self, range: &dyn Fn(Affine) -> (i64, i64)) -> Result<(), ModelErrorKind> {
        self.validate_posted(range)
    }

    fn holds(self) -> BoolExpr {
        self
    }
}

impl Constraint for BoolVar {
    fn scope(&self) -> Vec<Affine> {
        vec![(*self).into()]
    }

    fn is_satisfied(&self, assignment: &Assignment) -> bool {
        assignment.is_true(*self)
    }

    fn describe(&self, names: &Names<'_>) -> String {
        names.of_bool(*self)
    }

    fn consistency(&self) -> Consistency {
        Consistency::Domain
    }

    fn post(&self, poster: &mut Poster<'_>) {
        let literal = poster.literal(*self);
        poster.assert(literal);
    }

    fn negation(&self) -> Option<Arc<dyn Constraint>> {
        Some(Arc::new(!*self))
    }

    fn holds(self) -> BoolExpr {
        self.into()
    }
}

/// The engine's view of an expression.
pub(crate) fn view(poster: &mut Poster<'_>, expression: &IntExpr) -> View {
    Lowering::new(poster, &expression.nodes).view()
}

/// The engine's atom that a Boolean expression is true.
pub(crate) fn literal(poster: &mut Poster<'_>, expression: &BoolExpr) -> Atom {
    Lowering::new(poster, &expression.nodes).literal()
}

fn consistency(nodes: &[Node]) -> Consistency {
    let Some((last, operands)) = nodes.split_last() else { return Consistency::Check };
    let literals = operands.iter().all(|node| matches!(node, Node::Literal(_)));
    match (last, operands) {
        (Node::Literal(_) | Node::And(_) | Node::Or(_) | Node::Xor(_), _) if literals => Consistency::Domain,
        (Node::Fact(..), []) => Consistency::Domain,
        (Node::Compare(_), [Node::View(_), Node::View(_)]) => Consistency::Domain,
        (Node::Compare(operator), _)
            if operands.iter().all(|node| matches!(node, Node::View(_) | Node::Sum(_) | Node::Times(_))) =>
        {
            if *operator == Operator::Ne {
                Consistency::Value
            } else {
                Consistency::RealBounds
            }
        }
        (Node::Compare(operator), [inner @ .., function, Node::View(_)])
        | (Node::Compare(operator), [Node::View(_), inner @ .., function])
            if function.is_function() && inner.iter().all(|node| matches!(node, Node::View(_)))
                || matches!((inner, function), ([Node::View(_), Node::View(_), Node::Sum(2)], Node::Abs)) =>
        {
            match (operator, function) {
                (Operator::Eq, Node::Abs | Node::Element(_) | Node::ElementOf(_)) => Consistency::Domain,
                (Operator::Eq, Node::Min(_) | Node::Max(_)) => Consistency::Bounds,
                (Operator::Ne, _) => Consistency::Value,
                _ => Consistency::Check,
            }
        }
        (Node::Holds(constraint), []) => constraint.consistency(),
        _ => Consistency::Check,
    }
}
