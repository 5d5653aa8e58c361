//! Comparisons of two views: `=`, `≠`, `≤`, `<`, `≥`, `>`.
//!
//! Domain consistency for all of them (for `=` up to [`EQUAL_BY_VALUE`] values in each domain, bounds
//! consistency beyond). Cost: constant for the inequalities; for `=` linear in the larger domain. With
//! a constant on one side a comparison is a fact about one variable and needs no propagator.
//!
//! Explanations: the opposite bound of the other side, or the one value it lost or is fixed to.

use std::sync::Arc;

use crate::engine::{
    Conflict, Context, Events, Explanation, Poster, Priority, Propagator, Status, Store, View, gcd,
};
use crate::model::{Affine, Assignment, Consistency, Constraint, Names};

use super::{ROUNDS, clause};

/// How two sides are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `=`
    Eq,
    /// `≠`
    Ne,
    /// `≤`
    Le,
    /// `<`
    Lt,
    /// `≥`
    Ge,
    /// `>`
    Gt,
}

impl Operator {
    /// The operator that holds exactly where this one does not.
    pub fn negated(self) -> Operator {
        match self {
            Operator::Eq => Operator::Ne,
            Operator::Ne => Operator::Eq,
            Operator::Le => Operator::Gt,
            Operator::Lt => Operator::Ge,
            Operator::Ge => Operator::Lt,
            Operator::Gt => Operator::Le,
        }
    }

    /// The operator that holds with the sides exchanged.
    pub fn mirrored(self) -> Operator {
        match self {
            Operator::Le => Operator::Ge,
            Operator::Lt => Operator::Gt,
            Operator::Ge => Operator::Le,
            Operator::Gt => Operator::Lt,
            same => same,
        }
    }

    /// Whether `a` and `b` compare so.
    pub fn holds<T: Ord>(self, a: T, b: T) -> bool {
        match self {
            Operator::Eq => a == b,
            Operator::Ne => a != b,
            Operator::Le => a <= b,
            Operator::Lt => a < b,
            Operator::Ge => a >= b,
            Operator::Gt => a > b,
        }
    }

    /// The sign, as text.
    pub fn sign(self) -> &'static str {
        match self {
            Operator::Eq => "=",
            Operator::Ne => "!=",
            Operator::Le => "<=",
            Operator::Lt => "<",
            Operator::Ge => ">=",
            Operator::Gt => ">",
        }
    }
}

/// A comparison of two views; made by the methods `eq`, `ne`, `le`, `lt`, `ge`, `gt` of variables and
/// views.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    left: Affine,
    operator: Operator,
    right: Affine,
}

impl Comparison {
    /// The comparison of two views.
    pub fn new(left: impl Into<Affine>, operator: Operator, right: impl Into<Affine>) -> Comparison {
        Comparison { left: left.into(), operator, right: right.into() }
    }
}

impl Constraint for Comparison {
    fn scope(&self) -> Vec<Affine> {
        vec![self.left, self.right]
    }

    fn is_satisfied(&self, a: &Assignment) -> bool {
        self.operator.holds(a.value(self.left), a.value(self.right))
    }

    fn describe(&self, names: &Names<'_>) -> String {
        format!("{} {} {}", names.of(self.left), self.operator.sign(), names.of(self.right))
    }

    fn consistency(&self) -> Consistency {
        Consistency::Domain
    }

    fn negation(&self) -> Option<Arc<dyn Constraint>> {
        Some(Arc::new(Comparison { operator: self.operator.negated(), ..*self }))
    }

    fn post(&self, poster: &mut Poster<'_>) {
        let (x, y) = (poster.view(self.left), poster.view(self.right));
        if self.left.var().is_none() || self.right.var().is_none() {
            let (x, operator, c) = if self.right.var().is_none() {
                (x, self.operator, y.offset())
            } else {
                (y, self.operator.mirrored(), x.offset())
            };
            return poster.assert(match operator {
                Operator::Eq => x.eq(c),
                Operator::Ne => x.ne(c),
                Operator::Le => x.le(c),
                Operator::Lt => x.le(c - 1),
                Operator::Ge => x.ge(c),
                Operator::Gt => x.ge(c + 1),
            });
        }
        if x.var() == y.var() && x.scale() == y.scale() {
            if !self.operator.holds(x.offset(), y.offset()) {
                clause::post_atoms(poster, &[]);
            }
            return;
        }
        if self.operator == Operator::Eq && (y.offset() - x.offset()) % gcd(x.scale(), y.scale()) != 0 {
            return clause::post_atoms(poster, &[]);
        }
        let mut at_most = |x: View, y: View, gap: i64| {
            poster.add(AtMost { x, y, gap }, Priority::Unary, [(x, Events::MIN), (y, Events::MAX)]);
        };
        match self.operator {
            Operator::Le => at_most(x, y, 0),
            Operator::Lt => at_most(x, y, 1),
            Operator::Ge => at_most(y, x, 0),
            Operator::Gt => at_most(y, x, 1),
            Operator::Eq => poster.add(Equal { x, y }, Priority::Unary, [(x, Events::ANY), (y, Events::ANY)]),
            Operator::Ne => {
                poster.add(Unequal { x, y }, Priority::Unary, [(x, Events::FIXED), (y, Events::FIXED)])
            }
        }
    }
}

/// `x + gap ≤ y`
#[derive(Debug)]
struct AtMost {
    x: View,
    y: View,
    gap: i64,
}

impl Propagator for AtMost {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let AtMost { x, y, gap } = *self;
        let (low, high) = (ctx.min(x), ctx.max(y));
        ctx.set_max(x, high - gap, |out: &mut Explanation| out.push(y.le(high)))?;
        ctx.set_min(y, low + gap, |out: &mut Explanation| out.push(x.ge(low)))?;
        Ok(if ctx.max(x) + gap <= ctx.min(y) { Status::Entailed } else { Status::AtFixpoint })
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        let low = store.min(self.x);
        let disentailed = low + self.gap > store.max(self.y);
        if disentailed {
            why.push(self.x.ge(low));
            why.push(self.y.le(low + self.gap - 1));
        }
        disentailed
    }
}

/// `x ≠ y`
#[derive(Debug)]
struct Unequal {
    x: View,
    y: View,
}

impl Propagator for Unequal {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        for (x, y) in [(self.x, self.y), (self.y, self.x)] {
            if let Some(v) = ctx.value(x) {
                ctx.remove(y, v, |out: &mut Explanation| out.push(x.eq(v)))?;
                return Ok(Status::Entailed);
            }
        }
        let apart = ctx.max(self.x) < ctx.min(self.y) || ctx.max(self.y) < ctx.min(self.x);
        Ok(if apart { Status::Entailed } else { Status::AtFixpoint })
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        match (store.value(self.x), store.value(self.y)) {
            (Some(v), Some(w)) if v == w => {
                why.push(self.x.eq(v));
                why.push(self.y.eq(v));
                true
            }
            _ => false,
        }
    }
}

/// Domains up to this size are made equal value by value.
const EQUAL_BY_VALUE: u64 = 1 << 14;

/// `x = y`
#[derive(Debug)]
struct Equal {
    x: View,
    y: View,
}

impl Equal {
    /// Removes from `y` what `x` does not have.
    fn prune(ctx: &mut Context<'_>, x: View, y: View) -> Result<(), Conflict> {
        let (low, high) = (ctx.min(x), ctx.max(x));
        ctx.set_min(y, low, |out: &mut Explanation| out.push(x.ge(low)))?;
        ctx.set_max(y, high, |out: &mut Explanation| out.push(x.le(high)))?;
        if ctx.size(x) > EQUAL_BY_VALUE || ctx.size(y) > EQUAL_BY_VALUE {
            return Ok(());
        }
        let mut next = Some(ctx.min(y));
        while let Some(v) = next {
            next = ctx.above(y, v);
            if !ctx.contains(x, v) {
                ctx.remove(y, v, |out: &mut Explanation| out.push(x.ne(v)))?;
            }
        }
        Ok(())
    }
}

impl Propagator for Equal {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let Equal { x, y } = *self;
        for (x, y) in [(x, y), (y, x)] {
            if let Some(v) = ctx.value(x) {
                ctx.fix(y, v, |out: &mut Explanation| out.push(x.eq(v)))?;
                return Ok(Status::Entailed);
            }
        }
        for _ in 0..ROUNDS {
            Equal::prune(ctx, x, y)?;
            let before = ctx.size(x);
            Equal::prune(ctx, y, x)?;
            // What x lost now was missing in y, so y is done; only sliding bounds ask for another round.
            if ctx.size(x) == before || (ctx.min(x), ctx.max(x)) == (ctx.min(y), ctx.max(y)) {
                let fixed = ctx.is_fixed(x) && ctx.is_fixed(y);
                return Ok(if fixed { Status::Entailed } else { Status::AtFixpoint });
            }
        }
        Ok(Status::MayChange)
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        for (x, y) in [(self.x, self.y), (self.y, self.x)] {
            let low = store.min(x);
            if low > store.max(y) {
                why.push(x.ge(low));
                why.push(y.le(low - 1));
                return true;
            }
        }
        if let (Some(v), w) | (w, Some(v)) = (store.value(self.x), store.value(self.y))
            && w.is_none()
        {
            let (fixed, open) = if store.is_fixed(self.x) { (self.x, self.y) } else { (self.y, self.x) };
            if !store.contains(open, v) {
                why.push(fixed.eq(v));
                why.push(open.ne(v));
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    const ALL: [Operator; 6] =
        [Operator::Eq, Operator::Ne, Operator::Le, Operator::Lt, Operator::Ge, Operator::Gt];

    #[test]
    fn harness() {
        for op in ALL {
            check(op.sign(), 2, move |xs, _| Comparison::new(xs[0], op, xs[1]));
            check(op.sign(), 1, move |xs, p| Comparison::new(xs[0], op, p.witness(0)));
        }
    }

    #[test]
    fn negated_and_mirrored_operators_mean_what_they_say() {
        for op in ALL {
            for (a, b) in [(1, 2), (2, 2), (3, 2)] {
                assert_eq!(op.holds(a, b), !op.negated().holds(a, b));
                assert_eq!(op.holds(a, b), op.mirrored().holds(b, a));
            }
        }
    }
}
