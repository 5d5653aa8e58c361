//! Weighted sums compared with a constant: `Σ aᵢ·xᵢ (=, ≠, ≤, …) c`.
//!
//! Views are folded into coefficients and equal variables into one term before the constraint is posted,
//! so no variable stands twice.
//!
//! - `≤` and `=`: bounds(R) consistency. With `s` the sum of the terms' minima, a term may exceed its
//!   minimum by at most `c − s`; equality does that on both sides. One round is the fixpoint, unless a bound
//!   slides over a hole or to the grid of a coefficient: if a term's minimum rises, its width exceeds what the
//!   maxima may still give up, so the widths of all others together are less than what the minima may take,
//!   and stay so. Cost: linear in the terms per round. (Harvey, Schimpf 2002: bounds consistency techniques for long linear
//!   constraints.)
//! - `≠`: value consistency. Waits for one open term; two open ones are kept in front (*advice*), so
//!   most calls look at two terms.
//!
//! All sums fit an `i64`: an expression whose terms could add up to more than 2^62 is refused when it is
//! added to a model.
//!
//! Explanation: the bounds of the other terms at that time, as far as they are needed.

mod ternary;

use ternary::{Ternary, WordTernary};

use crate::engine::{
    Atom, Conflict, Context, Events, Explanation, History, Lazy, Poster, Priority, Propagator, Relation,
    Slot, Status, Store, View, gcd,
};

use super::{Operator, ROUNDS, clause};

/// Posts the comparison of a sum of terms, each of a variable of its own, with a number.
pub(crate) fn post(poster: &mut Poster<'_>, terms: Vec<View>, operator: Operator, value: i64) {
    match operator {
        Operator::Eq => {
            // Off the grid of the coefficients the bounds would only creep towards each other.
            let step = terms.iter().fold(0, |g, t| gcd(g, t.scale()));
            if step != 0 && value % step != 0 {
                return clause::post_atoms(poster, &[]);
            }
            post_sum(poster, terms, value, true);
        }
        Operator::Le => post_sum(poster, terms, value, false),
        Operator::Lt => post_sum(poster, terms, value - 1, false),
        Operator::Ge => post_sum(poster, negate(terms), -value, false),
        Operator::Gt => post_sum(poster, negate(terms), -value - 1, false),
        Operator::Ne => {
            let subscriptions: Vec<_> = terms.iter().map(|&t| (t, Events::FIXED)).collect();
            poster.add(NotEqual { terms, value }, Priority::Linear, subscriptions);
        }
    }
}

fn negate(terms: Vec<View>) -> Vec<View> {
    terms.into_iter().map(View::negated).collect()
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
    if let (true, &[x, y, z]) = (equal, &terms[..]) {
        let terms = [x, y, z];
        return match WordTernary::new(poster.store(), terms, value) {
            Some(words) => poster.add(words, Priority::Unary, terms.map(|t| (t, Events::ANY))),
            None => match Ternary::in_words(poster.store(), terms, value) {
                Some(words) => poster.add(words, Priority::Unary, subscriptions),
                None => poster.add(Ternary::new(terms, value), Priority::Unary, subscriptions),
            },
        };
    }
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

/// Pushes the bounds, on the given side at that time, of as many terms as it takes for `atom`. Those that
/// always held are left out, and what the others add up to beyond need is used to leave out more.
fn explain_bounds(
    terms: &[View],
    value: i64,
    side: u32,
    atom: Atom,
    history: &History<'_>,
    out: &mut Explanation,
) {
    // The maxima are the minima of the negated terms.
    let sign = if side == MINIMA { 1 } else { -1 };
    let low = |t: View| i128::from(if side == MINIMA { history.min(t) } else { -history.max(t) });
    let lowest = |t: View| {
        let (min, max) = history.initial_bounds(t);
        i128::from(if side == MINIMA { min } else { -max })
    };
    let others = || terms.iter().copied().filter(|t| t.var() != atom.var());
    // The atom's term is at most this, or any other value that leaves the same values of its variable.
    let most = match (terms.iter().find(|t| t.var() == atom.var()), atom.relation()) {
        (None, _) => Some(-1),
        (Some(t), Relation::Ge | Relation::Le) => {
            let (scale, offset) = (i128::from(t.scale()), i128::from(t.offset()));
            Some(sign * (scale * i128::from(atom.value()) + offset) + scale.abs() - 1)
        }
        _ => None,
    };
    let needed = most.map(|most| sign * i128::from(value) - most);
    let mut spare = needed.map_or(0, |needed| others().map(low).sum::<i128>() - needed);
    for t in others() {
        let gain = low(t) - lowest(t);
        if gain <= spare {
            spare -= gain;
        } else if gain > 0 {
            out.push(if side == MINIMA { t.ge(history.min(t)) } else { t.le(history.max(t)) });
        }
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
        explain_bounds(&self.terms.terms, self.value, data, atom, history, out);
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
            let mut slid = false;
            for &t in &self.terms.terms[fixed..] {
                let (min, max) = ctx.bounds(t);
                if max - min > slack {
                    if max - min > slack_low {
                        ctx.set_max(t, min + slack_low, Lazy(MINIMA))?;
                        slid |= ctx.max(t) != min + slack_low;
                    }
                    if max - min > slack_high {
                        ctx.set_min(t, max - slack_high, Lazy(MAXIMA))?;
                        slid |= ctx.min(t) != max - slack_high;
                    }
                }
            }
            if !slid {
                return Ok(Status::AtFixpoint);
            }
        }
        Ok(Status::MayChange)
    }

    fn explain(&self, data: u32, atom: Atom, history: &History<'_>, out: &mut Explanation) {
        explain_bounds(&self.terms.terms, self.value, data, atom, history, out);
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        sum_is_ruled_out(&self.terms.terms, self.value, store, why)
    }
}

/// Whether the terms can no longer add up to the value, and why.
fn sum_is_ruled_out(terms: &[View], value: i64, store: &Store, why: &mut Explanation) -> bool {
    let low: i64 = terms.iter().map(|&t| store.min(t)).sum();
    if low > value {
        terms.iter().for_each(|&t| why.push(t.ge(store.min(t))));
        return true;
    }
    let high: i64 = terms.iter().map(|&t| store.max(t)).sum();
    if high < value {
        terms.iter().for_each(|&t| why.push(t.le(store.max(t))));
        return true;
    }
    // One term open, and the value it would have to take is a hole or off its grid.
    let terms = terms.iter().copied();
    let mut open = terms.clone().filter(|&t| !store.is_fixed(t));
    if let (Some(t), None) = (open.next(), open.next()) {
        let rest = value - (low - store.min(t));
        if !store.contains(t, rest) {
            terms.filter(|&other| other != t).for_each(|other| why.push(other.eq(store.min(other))));
            why.push(t.ne(rest));
            return true;
        }
    }
    false
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
    use crate::model::{Affine, weighted_sum};
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
            let report = Harness::new(op.sign(), 0..=5, make).relaxed(relaxed).check();
            assert!(report.pruned > 20 && report.infeasible > 5, "{report}");
        }
    }
}
