//! Weighted sums compared with a constant: `Σ aᵢ·xᵢ (=, ≠, ≤, …) c`.
//!
//! Views are folded into coefficients and equal variables into one term when the constraint is posted,
//! so no variable stands twice.
//!
//! - `≤` and `=`: bounds(R) consistency. With `s` the sum of the terms' minima, a term may exceed its
//!   minimum by at most `c − s`; equality does that on both sides until nothing changes. Cost: linear
//!   in the terms per round. (Harvey, Schimpf 2002: bounds consistency techniques for long linear
//!   constraints.)
//! - `≠`: value consistency. Waits for one open term; two open ones are kept in front (*advice*), so
//!   most calls look at two terms.
//!
//! All sums fit an `i64`: a constraint whose terms could add up to more than 2^62 is refused when it is
//! added to a model.
//!
//! Explanation: the bounds of the other terms at that time.

use std::sync::Arc;

use crate::engine::{
    Atom, Conflict, Context, Events, Explanation, History, Lazy, MAX_VALUE, Poster, Priority, Propagator,
    Slot, Status, Store, VarId, View, gcd,
};
use crate::error::ModelErrorKind;
use crate::model::{Affine, Assignment, Consistency, Constraint, Names};

use super::{Operator, ROUNDS, clause};

/// A weighted sum of views, to be compared with a number; made by [`sum`] and [`weighted_sum`].
#[derive(Clone, Debug)]
pub struct Sum {
    terms: Arc<[(i64, Affine)]>,
}

/// The sum of views.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let xs = model.ints(3, 0..=2);
/// model.post(sum(&xs).eq(5));
/// assert_eq!(model.solver()?.count().solutions, 3);
/// # Ok::<(), ModelError>(())
/// ```
pub fn sum<T: Into<Affine>>(views: impl IntoIterator<Item = T>) -> Sum {
    weighted_sum(views.into_iter().map(|x| (1, x)))
}

/// The sum of views, each times its coefficient.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let (x, y) = (model.int(0..=10), model.int(0..=10));
/// model.post(weighted_sum([(3, x), (5, y)]).eq(19));
/// let solution = model.solver()?.first().solution().unwrap();
/// assert_eq!((solution[x], solution[y]), (3, 2));
/// # Ok::<(), ModelError>(())
/// ```
pub fn weighted_sum<T: Into<Affine>>(terms: impl IntoIterator<Item = (i64, T)>) -> Sum {
    Sum { terms: terms.into_iter().map(|(a, x)| (a, x.into())).collect() }
}

impl Sum {
    /// The constraint `self = value`.
    #[allow(clippy::should_implement_trait)]
    pub fn eq(self, value: i64) -> Linear {
        self.compare(Operator::Eq, value)
    }

    /// The constraint `self ≠ value`.
    #[allow(clippy::should_implement_trait)]
    pub fn ne(self, value: i64) -> Linear {
        self.compare(Operator::Ne, value)
    }

    /// The constraint `self ≤ value`.
    pub fn le(self, value: i64) -> Linear {
        self.compare(Operator::Le, value)
    }

    /// The constraint `self < value`.
    pub fn lt(self, value: i64) -> Linear {
        self.compare(Operator::Lt, value)
    }

    /// The constraint `self ≥ value`.
    pub fn ge(self, value: i64) -> Linear {
        self.compare(Operator::Ge, value)
    }

    /// The constraint `self > value`.
    pub fn gt(self, value: i64) -> Linear {
        self.compare(Operator::Gt, value)
    }

    /// The comparison with a number.
    pub fn compare(self, operator: Operator, value: i64) -> Linear {
        Linear { sum: self, operator, value }
    }
}

/// A weighted sum compared with a number; made by the methods of [`Sum`].
#[derive(Clone, Debug)]
pub struct Linear {
    sum: Sum,
    operator: Operator,
    value: i64,
}

impl Constraint for Linear {
    fn scope(&self) -> Vec<Affine> {
        self.sum.terms.iter().map(|t| t.1).collect()
    }

    fn is_satisfied(&self, a: &Assignment) -> bool {
        let sum: i128 = self.sum.terms.iter().map(|&(c, x)| i128::from(c) * i128::from(a.value(x))).sum();
        self.operator.holds(sum, i128::from(self.value))
    }

    fn describe(&self, names: &Names<'_>) -> String {
        let mut words = String::new();
        for &(c, x) in &*self.sum.terms {
            let name = names.of(x);
            let name = if x.var().is_some() && name.contains(' ') { format!("({name})") } else { name };
            words += match (words.is_empty(), c < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            words += &if c.unsigned_abs() == 1 { name } else { format!("{} * {name}", c.unsigned_abs()) };
        }
        let left = if words.is_empty() { "0" } else { &words };
        format!("{left} {} {}", self.operator.sign(), self.value)
    }

    fn consistency(&self) -> Consistency {
        if self.operator == Operator::Ne { Consistency::Value } else { Consistency::RealBounds }
    }

    fn negation(&self) -> Option<Arc<dyn Constraint>> {
        Some(Arc::new(Linear { operator: self.operator.negated(), ..self.clone() }))
    }

    fn validate(&self, range: &dyn Fn(Affine) -> (i64, i64)) -> Result<(), ModelErrorKind> {
        // Everything that is ever added up at solving time, views folded in, stays below this sum.
        let mut total = i128::from(self.value.unsigned_abs());
        for &(c, x) in &*self.sum.terms {
            let (lo, hi) = range(x);
            let reach =
                i128::from(lo.unsigned_abs().max(hi.unsigned_abs())) + i128::from(x.offset.unsigned_abs());
            total = total.saturating_add(i128::from(c.unsigned_abs()) * reach);
            let folded = i128::from(c) * i128::from(x.scale);
            if folded.abs() > i128::from(MAX_VALUE) {
                return Err(ModelErrorKind::SumTooLarge);
            }
        }
        if total > i128::from(MAX_VALUE) { Err(ModelErrorKind::SumTooLarge) } else { Ok(()) }
    }

    fn post(&self, poster: &mut Poster<'_>) {
        let (terms, constant) = fold(poster, &self.sum.terms);
        let rest = self.value - constant;
        match self.operator {
            Operator::Eq => {
                // Off the grid of the coefficients the bounds would only creep towards each other.
                let step = terms.iter().fold(0, |g, t| gcd(g, t.scale()));
                if step != 0 && rest % step != 0 {
                    return clause::post_atoms(poster, &[]);
                }
                post_sum(poster, terms, rest, true);
            }
            Operator::Le => post_sum(poster, terms, rest, false),
            Operator::Lt => post_sum(poster, terms, rest - 1, false),
            Operator::Ge => post_sum(poster, negate(terms), -rest, false),
            Operator::Gt => post_sum(poster, negate(terms), -rest - 1, false),
            Operator::Ne => {
                let subscriptions: Vec<_> = terms.iter().map(|&t| (t, Events::FIXED)).collect();
                poster.add(NotEqual { terms, value: rest }, Priority::Linear, subscriptions);
            }
        }
    }
}

/// One term per variable, as a view `coefficient · x`, and the sum of what is constant.
fn fold(poster: &Poster<'_>, terms: &[(i64, Affine)]) -> (Vec<View>, i64) {
    let mut constant = 0;
    let mut folded: Vec<(VarId, i128)> = Vec::with_capacity(terms.len());
    for &(c, x) in terms {
        let view = poster.view(x);
        constant += c * view.offset();
        folded.push((view.var(), i128::from(c) * i128::from(view.scale())));
    }
    folded.sort_by_key(|t| t.0);
    folded.dedup_by(|next, term| {
        let same = next.0 == term.0;
        if same {
            term.1 += next.1;
        }
        same
    });
    folded.retain(|t| t.1 != 0 && t.0 != VarId::ZERO);
    // A merged coefficient beyond the range belongs to a variable that can only be 0.
    let term = |(var, c): (VarId, i128)| {
        let coefficient = i64::try_from(c).ok().filter(|c| c.unsigned_abs() <= MAX_VALUE as u64)?;
        Some(View::scaled(var, coefficient))
    };
    (folded.into_iter().filter_map(term).collect(), constant)
}

fn negate(terms: Vec<View>) -> Vec<View> {
    terms.into_iter().map(|t| View::scaled(t.var(), -t.scale())).collect()
}

fn post_sum(poster: &mut Poster<'_>, terms: Vec<View>, value: i64, equal: bool) {
    let subscriptions: Vec<(View, Events)> = terms
        .iter()
        .map(|&t| {
            // Under a condition, a hole in the last open term may rule the equation out.
            let either = if poster.condition.is_some() { Events::ANY } else { Events::BOUNDS };
            (t, if equal { either } else { Events::MIN })
        })
        .collect();
    // Long sums prune little for their price, so they come after what is linear in the changes only.
    let priority = if terms.len() <= 3 { Priority::Unary } else { Priority::Quadratic };
    let terms = Terms::new(poster, terms);
    if equal {
        poster.add(Equation { terms, value }, priority, subscriptions);
    } else {
        poster.add(Inequality { terms, value }, priority, subscriptions);
    }
}

/// The sum of the terms' minima, or of their maxima.
const MINIMA: u32 = 0;
const MAXIMA: u32 = 1;

/// Pushes the bound of each term on the given side at that time, but for the term of `atom`.
fn explain_bounds(terms: &[View], side: u32, atom: Atom, history: &History<'_>, out: &mut Explanation) {
    for &t in terms.iter().filter(|t| t.var() != atom.var()) {
        out.push(if side == MINIMA { t.ge(history.min(t)) } else { t.le(history.max(t)) });
    }
}

/// Lowers each term to what `value` leaves of the others' minima, whose sum is `low`.
#[inline]
fn prune_above(ctx: &mut Context<'_>, terms: &[View], low: i64, value: i64) -> Result<(), Conflict> {
    let slack = value - low;
    if slack < 0 {
        return Err(ctx.fail(Lazy(MINIMA)));
    }
    for &t in terms {
        let (min, max) = ctx.bounds(t);
        if max - min > slack {
            ctx.set_max(t, min + slack, Lazy(MINIMA))?;
        }
    }
    Ok(())
}

/// Terms of which the fixed ones stand in front, with their number and sum trailed, so that a pass goes
/// over the open ones only. The order is advice.
#[derive(Debug)]
struct Terms {
    terms: Vec<View>,
    fixed: Slot,
    fixed_sum: Slot,
}

/// What one pass over the open terms tells.
struct Totals {
    /// The sum of all minima.
    low: i64,
    /// The sum of all maxima.
    high: i64,
    /// The largest distance between the bounds of a term.
    widest: i64,
    /// How many terms in front are fixed.
    fixed: usize,
}

impl Terms {
    fn new(poster: &mut Poster<'_>, terms: Vec<View>) -> Terms {
        Terms { terms, fixed: poster.state(0), fixed_sum: poster.state(0) }
    }

    #[inline]
    fn pass(&mut self, ctx: &mut Context<'_>) -> Totals {
        let before = ctx.get(self.fixed) as usize;
        let mut sum = ctx.get(self.fixed_sum) as i64;
        let (mut low, mut high, mut widest, mut fixed) = (0, 0, 0, before);
        for i in before..self.terms.len() {
            let (min, max) = ctx.bounds(self.terms[i]);
            low += min;
            high += max;
            widest = widest.max(max - min);
            if min == max {
                sum += min;
                low -= min;
                high -= min;
                self.terms.swap(fixed, i);
                fixed += 1;
            }
        }
        if fixed > before {
            ctx.set(self.fixed, fixed as u64);
            ctx.set(self.fixed_sum, sum as u64);
        }
        Totals { low: low + sum, high: high + sum, widest, fixed }
    }
}

/// `Σ terms ≤ value`
#[derive(Debug)]
struct Inequality {
    terms: Terms,
    value: i64,
}

impl Propagator for Inequality {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let Totals { low, high, widest, fixed } = self.terms.pass(ctx);
        if high <= self.value {
            return Ok(Status::Entailed);
        }
        // Maxima are lowered and minima stay, so one round is the fixpoint.
        if widest > self.value - low {
            prune_above(ctx, &self.terms.terms[fixed..], low, self.value)?;
        }
        Ok(Status::AtFixpoint)
    }

    fn explain(&self, data: u32, atom: Atom, history: &History<'_>, out: &mut Explanation) {
        explain_bounds(&self.terms.terms, data, atom, history, out);
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        let low: i64 = self.terms.terms.iter().map(|&t| store.min(t)).sum();
        let disentailed = low > self.value;
        if disentailed {
            self.terms.terms.iter().for_each(|&t| why.push(t.ge(store.min(t))));
        }
        disentailed
    }
}

/// `Σ terms = value`
#[derive(Debug)]
struct Equation {
    terms: Terms,
    value: i64,
}

impl Propagator for Equation {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        for _ in 0..ROUNDS {
            let Totals { low, high, widest, fixed } = self.terms.pass(ctx);
            let (slack_low, slack_high) = (self.value - low, high - self.value);
            if slack_low < 0 {
                return Err(ctx.fail(Lazy(MINIMA)));
            }
            if slack_high < 0 {
                return Err(ctx.fail(Lazy(MAXIMA)));
            }
            if slack_low == 0 && slack_high == 0 {
                return Ok(Status::Entailed);
            }
            let slack = slack_low.min(slack_high);
            if widest <= slack {
                return Ok(Status::AtFixpoint);
            }
            let mut pruned = false;
            for &t in &self.terms.terms[fixed..] {
                let (min, max) = ctx.bounds(t);
                if max - min > slack {
                    if max - min > slack_low {
                        ctx.set_max(t, min + slack_low, Lazy(MINIMA))?;
                        pruned = true;
                    }
                    if max - min > slack_high {
                        ctx.set_min(t, max - slack_high, Lazy(MAXIMA))?;
                        pruned = true;
                    }
                }
            }
            if !pruned {
                return Ok(Status::AtFixpoint);
            }
        }
        Ok(Status::MayChange)
    }

    fn explain(&self, data: u32, atom: Atom, history: &History<'_>, out: &mut Explanation) {
        explain_bounds(&self.terms.terms, data, atom, history, out);
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        let low: i64 = self.terms.terms.iter().map(|&t| store.min(t)).sum();
        if low > self.value {
            self.terms.terms.iter().for_each(|&t| why.push(t.ge(store.min(t))));
            return true;
        }
        let high: i64 = self.terms.terms.iter().map(|&t| store.max(t)).sum();
        if high < self.value {
            self.terms.terms.iter().for_each(|&t| why.push(t.le(store.max(t))));
            return true;
        }
        // One term open, and the value it would have to take is a hole or off its grid.
        let terms = self.terms.terms.iter().copied();
        let mut open = terms.clone().filter(|&t| !store.is_fixed(t));
        if let (Some(t), None) = (open.next(), open.next()) {
            let rest = self.value - (low - store.min(t));
            if !store.contains(t, rest) {
                terms.filter(|&other| other != t).for_each(|other| why.push(other.eq(store.min(other))));
                why.push(t.ne(rest));
                return true;
            }
        }
        false
    }
}

/// `Σ terms ≠ value`
#[derive(Debug)]
struct NotEqual {
    /// Open ones first, as far as known.
    terms: Vec<View>,
    value: i64,
}

impl Propagator for NotEqual {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        for place in 0..2 {
            match (place..self.terms.len()).find(|&i| !ctx.is_fixed(self.terms[i])) {
                Some(i) => self.terms.swap(place, i),
                None => {
                    let Some((&first, others)) = self.terms.split_first() else {
                        return if self.value == 0 { Err(ctx.fail(Lazy(0))) } else { Ok(Status::Entailed) };
                    };
                    // All others are fixed, so this is what the first one must not be.
                    let rest = self.value - others.iter().map(|&t| ctx.min(t)).sum::<i64>();
                    ctx.remove(first, rest, Lazy(0))?;
                    return Ok(Status::Entailed);
                }
            }
        }
        Ok(Status::AtFixpoint)
    }

    fn explain(&self, _: u32, atom: Atom, history: &History<'_>, out: &mut Explanation) {
        for &t in self.terms.iter().filter(|t| t.var() != atom.var()) {
            out.push(t.eq(history.min(t)));
        }
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        let fixed = self.terms.iter().all(|&t| store.is_fixed(t));
        let disentailed = fixed && self.terms.iter().map(|&t| store.min(t)).sum::<i64>() == self.value;
        if disentailed {
            self.terms.iter().for_each(|&t| why.push(t.eq(store.min(t))));
        }
        disentailed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraints::Operator;
    use crate::testing::{Harness, Params};

    /// Coefficients of so many views, and a number that the sum may well be.
    fn draw(count: usize, p: &mut Params<'_>) -> (Vec<i64>, i64) {
        let coefficients: Vec<i64> = (0..count).map(|_| p.int(-3..=3)).collect();
        let terms = coefficients.iter().enumerate();
        let sum: i128 = terms.map(|(i, &c)| i128::from(c) * i128::from(p.witness(i))).sum();
        (coefficients, i64::try_from(sum + i128::from(p.pick(&[0, 0, 0, 0, 1, -1]))).unwrap_or(i64::MAX))
    }

    #[test]
    fn harness() {
        let operators = [Operator::Eq, Operator::Ne, Operator::Le, Operator::Lt, Operator::Ge, Operator::Gt];
        for op in operators {
            let make = move |xs: &[Affine], p: &mut Params<'_>| {
                let (coefficients, value) = draw(xs.len(), p);
                weighted_sum(coefficients.into_iter().zip(xs.iter().copied())).compare(op, value)
            };
            let relaxed = move |bounds: &[(i64, i64)], p: &mut Params<'_>| {
                let (coefficients, value) = draw(bounds.len(), p);
                let (mut low, mut high) = (0, 0);
                for (&c, &(lo, hi)) in coefficients.iter().zip(bounds) {
                    let (a, b) = (i128::from(c) * i128::from(lo), i128::from(c) * i128::from(hi));
                    low += a.min(b);
                    high += a.max(b);
                }
                let value = i128::from(value);
                match op {
                    Operator::Eq => low <= value && value <= high,
                    Operator::Ne => low != value || high != value,
                    Operator::Le | Operator::Lt => op.holds(low, value),
                    Operator::Ge | Operator::Gt => op.holds(high, value),
                }
            };
            Harness::new(op.sign(), 0..=5, make).relaxed(relaxed).check();
        }
    }
}
