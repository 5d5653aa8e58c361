//! The largest or the smallest of several views: `max(xs) = y`, `min(xs) = y`. A minimum is the maximum of
//! the views with the opposite sign.
//!
//! Bounds consistency: `y` lies between the largest minimum and the largest maximum, and no view exceeds
//! `y`. Where only one view can still be as large as `y`, the two are made equal value by value. Cost:
//! linear in the views.
//!
//! Explanations: one view for a lower bound of `y`, the bounds of all for an upper one, one bound of `y` for
//! all else; and for the only candidate that all others stay below.

use super::comparison::make_equal;
use super::{ROUNDS, clause};
use crate::engine::{
    Conflict, Context, Events, Explanation, Poster, Priority, Propagator, Status, Store, View,
};

/// Posts `max(xs) = y`; false without any view.
pub(crate) fn post_maximum(poster: &mut Poster<'_>, xs: Vec<View>, y: View) {
    if xs.is_empty() {
        return clause::post_atoms(poster, &[]);
    }
    let subscriptions: Vec<_> = xs.iter().chain([&y]).map(|&x| (x, Events::ANY)).collect();
    poster.add(Maximum { xs: xs.into(), y }, Priority::Linear, subscriptions);
}

/// Posts `max(xs) ≠ y`; true without any view.
pub(crate) fn post_other_maximum(poster: &mut Poster<'_>, xs: Vec<View>, y: View) {
    let bounds = xs.iter().map(|&x| (x, Events::BOUNDS));
    let subscriptions: Vec<_> = bounds.chain([(y, Events::FIXED)]).collect();
    poster.add(OtherMaximum { xs: xs.into(), y }, Priority::Linear, subscriptions);
}

/// What one pass over views tells.
#[derive(Clone, Copy)]
struct Reach {
    /// The largest minimum, and which view has it.
    low: i64,
    lowest: View,
    /// The largest maximum.
    high: i64,
}

impl Reach {
    /// Nothing if there are no views.
    fn of(store: &Store, xs: &[View]) -> Option<Reach> {
        let mut reach: Option<Reach> = None;
        for &x in xs {
            let (low, high) = store.bounds(x);
            let so_far = reach.get_or_insert(Reach { low, lowest: x, high });
            so_far.high = so_far.high.max(high);
            if low > so_far.low {
                (so_far.low, so_far.lowest) = (low, x);
            }
        }
        reach
    }
}

/// `max(xs) = y`
#[derive(Debug)]
struct Maximum {
    /// At least one.
    xs: Box<[View]>,
    y: View,
}

impl Maximum {
    /// The only view that can be as large as `y`, if there is only one.
    fn only_candidate(&self, ctx: &Context<'_>, least: i64) -> Option<usize> {
        let mut candidates = (0..self.xs.len()).filter(|&i| ctx.max(self.xs[i]) >= least);
        candidates.next().filter(|_| candidates.next().is_none())
    }
}

impl Propagator for Maximum {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let (xs, y) = (&*self.xs, self.y);
        for _ in 0..ROUNDS {
            let Some(Reach { low, lowest, high }) = Reach::of(ctx, xs) else { break };
            ctx.set_min(y, low, |out: &mut Explanation| out.push(lowest.ge(low)))?;
            ctx.set_max(y, high, |out: &mut Explanation| out.extend(xs.iter().map(|x| x.le(high))))?;
            let (least, most) = ctx.bounds(y);
            let mut again = false;
            if high > most {
                for &x in xs {
                    ctx.set_max(x, most, |out: &mut Explanation| out.push(y.le(most)))?;
                    // Over a hole it goes further down than y.
                    again |= ctx.max(x) < most;
                }
            }
            if let Some(i) = self.only_candidate(ctx, least) {
                let x = xs[i];
                let others = || xs[..i].iter().chain(&xs[i + 1..]);
                let before = (ctx.bounds(x), ctx.bounds(y));
                let status = make_equal(ctx, x, y, |out: &mut Explanation| {
                    out.push(y.ge(least));
                    out.extend(others().map(|x| x.le(least - 1)));
                })?;
                if status == Status::MayChange {
                    return Ok(status);
                }
                again |= (ctx.bounds(x), ctx.bounds(y)) != before;
            }
            if !again {
                let entailed = ctx.value(y).is_some_and(|v| {
                    Reach::of(ctx, xs).is_some_and(|reach| (reach.low, reach.high) == (v, v))
                });
                return Ok(if entailed { Status::Entailed } else { Status::AtFixpoint });
            }
        }
        Ok(Status::MayChange)
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        let Some(Reach { low, lowest, high }) = Reach::of(store, &self.xs) else { return false };
        let (least, most) = store.bounds(self.y);
        if low > most {
            why.extend([lowest.ge(low), self.y.le(low - 1)]);
            return true;
        }
        if high < least {
            why.extend(self.xs.iter().map(|x| x.le(high)));
            why.push(self.y.ge(high + 1));
            return true;
        }
        false
    }
}

/// `max(xs) ≠ y`: waits for the maximum, or for `y` and all but one view that could exceed it.
#[derive(Debug)]
struct OtherMaximum {
    xs: Box<[View]>,
    y: View,
}

impl Propagator for OtherMaximum {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let (xs, y) = (&*self.xs, self.y);
        let Some(Reach { low, lowest, high }) = Reach::of(ctx, xs) else { return Ok(Status::Entailed) };
        let (least, most) = ctx.bounds(y);
        if low > most || high < least {
            return Ok(Status::Entailed);
        }
        if low == high {
            ctx.remove(y, low, |out: &mut Explanation| {
                out.push(lowest.ge(low));
                out.extend(xs.iter().map(|x| x.le(low)));
            })?;
            return Ok(Status::Entailed);
        }
        if least < most {
            return Ok(Status::AtFixpoint);
        }
        let mut above = (0..xs.len()).filter(|&i| ctx.max(xs[i]) > least);
        let (first, second) = (above.next(), above.next());
        if second.is_some() {
            return Ok(Status::AtFixpoint);
        }
        // Where all others stay within y, a view that is y makes the maximum y.
        for i in first.map_or(0..xs.len(), |i| i..i + 1) {
            let others = || xs[..i].iter().chain(&xs[i + 1..]);
            ctx.remove(xs[i], least, |out: &mut Explanation| {
                out.push(y.eq(least));
                out.extend(others().map(|x| x.le(least)));
            })?;
        }
        let Some(i) = first else { return Ok(Status::Entailed) };
        let others = || xs[..i].iter().chain(&xs[i + 1..]);
        if let Some(reached) = others().find(|&&x| ctx.min(x) == least) {
            ctx.set_min(xs[i], least + 1, |out: &mut Explanation| {
                out.extend([y.eq(least), reached.ge(least)]);
                out.extend(others().map(|x| x.le(least)));
            })?;
        } else if others().any(|&x| ctx.max(x) == least) {
            return Ok(Status::AtFixpoint);
        }
        Ok(Status::Entailed)
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        let Some(Reach { low, lowest, high }) = Reach::of(store, &self.xs) else { return false };
        if low != high || store.value(self.y) != Some(low) {
            return false;
        }
        why.extend([self.y.eq(low), lowest.ge(low)]);
        why.extend(self.xs.iter().map(|x| x.le(low)));
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{Affine, IntExpr, maximum, minimum};
    use crate::testing::check;

    #[test]
    fn harness() {
        type Function = fn(&[Affine]) -> IntExpr;
        for function in [(|xs| maximum(xs)) as Function, |xs| minimum(xs)] {
            let split = |xs: &[Affine]| (xs[1..].to_vec(), xs[0]);
            let report = check("extremum", 1..=5, move |xs, _| {
                let (xs, y) = split(xs);
                function(&xs).eq(y)
            });
            assert!(report.pruned > 60 && report.infeasible > 20, "{report}");
            let report = check("other extremum", 1..=5, move |xs, _| {
                let (xs, y) = split(xs);
                y.ne(function(&xs))
            });
            assert!(report.pruned > 20, "{report}");
        }
        let report = check("maximum of constants", 1..=3, |xs, p| maximum(xs).eq(p.witness(0)));
        assert!(report.pruned > 10 && report.infeasible > 5, "{report}");
    }

    #[test]
    fn no_views_have_no_maximum() {
        let report = check("maximum of nothing", 1, |xs, _| maximum(&xs[1..]).eq(xs[0]));
        assert_eq!(report.infeasible, report.cases);
    }
}
