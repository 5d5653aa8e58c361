//! Comparisons of two views: `=`, `≠`, `≤`, `<`, `≥`, `>`.
//!
//! Domain consistency for all of them (for `=` up to [`EQUAL_BY_VALUE`] values in each domain, bounds
//! consistency beyond). Cost: constant for the inequalities; for `=` linear in the larger domain. With
//! a constant on one side a comparison is a fact about one variable and needs no propagator. Inequalities of views of
//! the same scale are arcs of the engine's difference network.
//!
//! Explanations: the opposite bound of the other side, or the one value it lost or is fixed to.

use crate::engine::{
    Atom, Conflict, Context, Events, Explanation, History, Lazy, MAX_VALUE, Poster, Priority, Propagator,
    Status, Store, VarId, View, gcd,
};

use super::word::places;
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

/// Posts the comparison of two views.
pub(crate) fn post(poster: &mut Poster<'_>, x: View, operator: Operator, y: View) {
    match operator {
        Operator::Le => return post_at_most(poster, x, 0, y),
        Operator::Lt => return post_at_most(poster, x, 1, y),
        Operator::Ge => return post_at_most(poster, y, 0, x),
        Operator::Gt => return post_at_most(poster, y, 1, x),
        Operator::Eq | Operator::Ne => {}
    }
    if x.var() == VarId::ZERO {
        return poster.assert(fact(y, operator, x.offset()));
    }
    if y.var() == VarId::ZERO {
        return poster.assert(fact(x, operator, y.offset()));
    }
    if x.var() == y.var() && x.scale() == y.scale() {
        if !operator.holds(x.offset(), y.offset()) {
            clause::post_atoms(poster, &[]);
        }
        return;
    }
    if operator == Operator::Ne {
        poster.add(Unequal { x, y }, Priority::Unary, [(x, Events::FIXED), (y, Events::FIXED)]);
    } else if off_grid(x, y) {
        clause::post_atoms(poster, &[]);
    } else {
        poster.add(Equal { x, y }, Priority::Unary, [(x, Events::ANY), (y, Events::ANY)]);
    }
}

/// Posts `x + gap ≤ y`: as an arc of the difference network, if it is one. The gap may be as large as a value.
pub(super) fn post_at_most(poster: &mut Poster<'_>, x: View, gap: i64, y: View) {
    if x.var() == VarId::ZERO {
        return poster.assert(y.ge(x.offset() + gap));
    }
    if y.var() == VarId::ZERO {
        return poster.assert(x.le(y.offset() - gap));
    }
    if x.var() == y.var() && x.scale() == y.scale() {
        if i128::from(x.offset()) + i128::from(gap) > i128::from(y.offset()) {
            clause::post_atoms(poster, &[]);
        }
        return;
    }
    if !poster.difference(x, gap, y) {
        poster.add(AtMost { x, y, gap }, Priority::Unary, [(x, Events::MIN), (y, Events::MAX)]);
    }
}

/// The atom that a view compares so with a number.
pub(crate) fn fact(x: View, operator: Operator, value: i64) -> Atom {
    match operator {
        Operator::Eq => x.eq(value),
        Operator::Ne => x.ne(value),
        Operator::Le => x.le(value),
        Operator::Lt => x.le(value - 1),
        Operator::Ge => x.ge(value),
        Operator::Gt => x.ge(value + 1),
    }
}

/// What a reason of [`AtMost`] explains.
const MAX_OF_X: u32 = 0;
const MIN_OF_Y: u32 = 1;

/// `x + gap ≤ y` of views that the difference network does not take.
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
        ctx.set_max(x, high - gap, Lazy(MAX_OF_X))?;
        ctx.set_min(y, low + gap, Lazy(MIN_OF_Y))?;
        Ok(if ctx.max(x) + gap <= ctx.min(y) { Status::Entailed } else { Status::AtFixpoint })
    }

    fn explain(&self, data: u32, atom: Atom, _: &History<'_>, out: &mut Explanation) {
        let AtMost { x, y, gap } = *self;
        // The first value that the view may no longer have.
        let excluded = |view: View| {
            let value =
                i128::from(atom.negated().value()) * i128::from(view.scale()) + i128::from(view.offset());
            value.clamp(i128::from(-MAX_VALUE - 2), i128::from(MAX_VALUE + 2)) as i64
        };
        match data {
            MAX_OF_X => out.push(y.le(excluded(x) - 1 + gap)),
            _ => out.push(x.ge(excluded(y) + 1 - gap)),
        }
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
pub(super) const EQUAL_BY_VALUE: u64 = 1 << 14;

/// Removes from `y` what `x` does not have. Says whether that was done value by value.
fn prune_equal(ctx: &mut Context<'_>, x: View, y: View, because: impl Because) -> Result<bool, Conflict> {
    let why = |atom: Atom| {
        move |out: &mut Explanation| {
            because(out);
            out.push(atom);
        }
    };
    let (low, high) = ctx.bounds(x);
    ctx.set_min(y, low, why(x.ge(low)))?;
    ctx.set_max(y, high, why(x.le(high)))?;
    if ctx.has_windows(x) && ctx.has_windows(y) {
        let (low, high) = ctx.bounds(y);
        for from in (low..=high).step_by(64) {
            for place in places(ctx.window(y, from) & !ctx.window(x, from)) {
                ctx.remove(y, from + place, why(x.ne(from + place)))?;
            }
        }
        return Ok(true);
    }
    if ctx.size(x) > EQUAL_BY_VALUE || ctx.size(y) > EQUAL_BY_VALUE {
        return Ok(false);
    }
    let mut next = Some(ctx.min(y));
    while let Some(v) = next {
        next = ctx.above(y, v);
        if !ctx.contains(x, v) {
            ctx.remove(y, v, why(x.ne(v)))?;
        }
    }
    Ok(true)
}

/// Writes down what, beside the two domains, a step of [`make_equal`] rests on.
pub(super) trait Because: Fn(&mut Explanation) + Copy {}
impl<F: Fn(&mut Explanation) + Copy> Because for F {}

/// Whether two views have no value in common by their grids alone.
pub(super) fn off_grid(x: View, y: View) -> bool {
    x.scale().abs() != 1 && y.scale().abs() != 1 && (y.offset() - x.offset()) % gcd(x.scale(), y.scale()) != 0
}

/// Keeps in two views only what both have, where `because` holds. The status is that of a propagator that
/// does nothing else.
pub(super) fn make_equal(
    ctx: &mut Context<'_>,
    x: View,
    y: View,
    because: impl Because,
) -> Result<Status, Conflict> {
    for (x, y) in [(x, y), (y, x)] {
        if let Some(v) = ctx.value(x) {
            let why = |out: &mut Explanation| {
                because(out);
                out.push(x.eq(v));
            };
            ctx.fix(y, v, why)?;
            return Ok(Status::Entailed);
        }
    }
    // Bounds alone would creep towards each other.
    if off_grid(x, y) {
        return Err(ctx.fail(because));
    }
    for _ in 0..ROUNDS {
        let first = prune_equal(ctx, x, y, because)?;
        let before = ctx.size(x);
        let second = prune_equal(ctx, y, x, because)?;
        // What x lost now was missing in y, so y is done; only sliding bounds ask for another round, and a domain
        // that has become small enough for its values to be looked at.
        if ctx.size(x) == before || first == second && ctx.bounds(x) == ctx.bounds(y) {
            let fixed = ctx.is_fixed(x) && ctx.is_fixed(y);
            return Ok(if fixed { Status::Entailed } else { Status::AtFixpoint });
        }
    }
    Ok(Status::MayChange)
}

/// `x = y`
#[derive(Debug)]
struct Equal {
    x: View,
    y: View,
}

impl Propagator for Equal {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        make_equal(ctx, self.x, self.y, |_: &mut Explanation| {})
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
    use crate::model::{IntExpr, Model};
    use crate::testing::check;

    const ALL: [Operator; 6] =
        [Operator::Eq, Operator::Ne, Operator::Le, Operator::Lt, Operator::Ge, Operator::Gt];

    #[test]
    fn harness() {
        for op in ALL {
            let report = check(op.sign(), 2, move |xs, _| IntExpr::from(xs[0]).compare(op, xs[1]));
            assert!(report.pruned > 5 && report.infeasible > 5, "{report}");
            check(op.sign(), 1, move |xs, p| IntExpr::from(xs[0]).compare(op, p.witness(0)));
        }
    }

    #[test]
    fn a_domain_that_becomes_small_is_made_equal_by_value() {
        let mut model = Model::new();
        let (x, y) = (model.int(-70_000..=70_000), model.int(2..=4));
        model.post((2 * x).eq(y));
        let mut solver = model.solver().unwrap();
        assert!(solver.propagate());
        assert_eq!(solver.domain(y).unwrap().to_string(), "{2, 4}");
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
