//! The absolute value: `|x| = z`, and the distance of two views, `|x − y| = z`. The first is the second
//! with the constant 0.
//!
//! Domain consistency while domains are small, bounds consistency and what follows from two fixed views
//! beyond.
//!
//! - Views of scale ±1 held in one word each, the common case: a domain is a `u64`, and for one value of
//!   one view the supports among the other two are that word shifted. A call goes once over the values of
//!   the view that has fewest, so it costs next to nothing where one is fixed.
//! - Otherwise bounds first, then each value looks for a support, while that takes at most [`CHECKS`] looks.
//!
//! Values that have no support are in no solution, so taking them away takes no support from others: one
//! pass is the fixpoint.
//!
//! Explanations: of a bound, the bounds it was worked out from; of a value lost, the fixed one of the other
//! two views and the values the third lost, or the domains of both.

use super::ROUNDS;
use super::word::{Word, moved, places};
use crate::engine::{
    Atom, Conflict, Context, Events, Explanation, History, Lazy, Poster, Priority, Propagator, Pruned,
    Status, Store, View,
};

/// Posts `|x − y| = z`.
pub(crate) fn post_difference(poster: &mut Poster<'_>, x: View, y: View, z: View) {
    let any = [x, y, z].map(|view| (view, Events::ANY));
    let distance = Distance { x, y, z, distinct: !Poster::repeats(&[x, y, z]) };
    let word = |view| Word::new(poster.store(), view);
    if let (Some(a), Some(b), Some(c)) = (word(x), word(y), word(z)) {
        poster.add(WordDistance { distance, x: a, y: b, z: c }, Priority::Unary, any);
    } else {
        poster.add(distance, Priority::Quadratic, any);
    }
}

/// Posts `|x − y| ≠ z`.
pub(crate) fn post_other_difference(poster: &mut Poster<'_>, x: View, y: View, z: View) {
    let fixed = [x, y, z].map(|view| (view, Events::FIXED));
    poster.add(OtherDistance { x, y, z }, Priority::Unary, fixed);
}

/// Looks at domains that a pass over the values may take.
const CHECKS: u64 = 1 << 12;

/// For reasons: which of the views lost a value.
const X: Lazy = Lazy(0);
const Y: Lazy = Lazy(1);
const Z: Lazy = Lazy(2);

/// `|x − y| = z` for domains of any form.
#[derive(Debug)]
struct Distance {
    x: View,
    y: View,
    z: View,
    /// No variable stands twice.
    distinct: bool,
}

impl Distance {
    /// Makes the bounds consistent. Says whether they are at a fixpoint.
    fn prune_bounds(&self, ctx: &mut Context<'_>) -> Result<bool, Conflict> {
        let Distance { x, y, z, .. } = *self;
        ctx.set_min(z, 0, |_: &mut Explanation| {})?;
        for _ in 0..ROUNDS {
            let before = (ctx.bounds(x), ctx.bounds(y), ctx.bounds(z));
            Distance::prune_side(ctx, x, y, z)?;
            Distance::prune_side(ctx, y, x, z)?;
            let ((a, b), (c, d)) = (ctx.bounds(x), ctx.bounds(y));
            let farthest = (b - c).max(d - a);
            ctx.set_max(z, farthest, |out: &mut Explanation| {
                out.extend([x.ge(a), x.le(b), y.ge(c), y.le(d)]);
            })?;
            if (ctx.bounds(x), ctx.bounds(y), ctx.bounds(z)) == before {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The bounds of `x`, and the lower bound of `z` by `x − y`.
    fn prune_side(ctx: &mut Context<'_>, x: View, y: View, z: View) -> Pruned {
        let (low, high) = ctx.bounds(y);
        let near = ctx.max(z);
        ctx.set_max(x, high + near, |out: &mut Explanation| out.extend([y.le(high), z.le(near)]))?;
        ctx.set_min(x, low - near, |out: &mut Explanation| out.extend([y.ge(low), z.le(near)]))?;
        let x_low = ctx.min(x);
        ctx.set_min(z, x_low - high, |out: &mut Explanation| out.extend([x.ge(x_low), y.le(high)]))?;
        // x is at most y − far or at least y + far.
        let far = ctx.min(z);
        let why = |beyond: Atom| {
            move |out: &mut Explanation| out.extend([beyond, y.ge(low), y.le(high), z.ge(far)])
        };
        if ctx.min(x) > high - far {
            ctx.set_min(x, low + far, why(x.ge(high - far + 1)))?;
        }
        if ctx.max(x) < low + far {
            ctx.set_max(x, high - far, why(x.le(low + far - 1)))?;
        }
        Ok(())
    }

    /// Removes values without a support, if that does not take too long. Says whether it did.
    fn prune_values(&self, ctx: &mut Context<'_>) -> Result<bool, Conflict> {
        let Distance { x, y, z, .. } = *self;
        let [a, b, c] = [x, y, z].map(|view| ctx.size(view));
        let looks = [a.saturating_mul(b.min(c)), b.saturating_mul(a.min(c)), c.saturating_mul(a.min(b))];
        if looks.into_iter().fold(0, u64::saturating_add) > CHECKS {
            return Ok(false);
        }
        for (x, y, which) in [(x, y, X), (y, x, Y)] {
            let over_z = ctx.size(z) < ctx.size(y);
            Distance::keep(ctx, x, which, |ctx, v| {
                if over_z {
                    ctx.values(z).any(|w| ctx.contains(y, v + w) || ctx.contains(y, v - w))
                } else {
                    ctx.values(y).any(|u| ctx.contains(z, (v - u).abs()))
                }
            })?;
        }
        let (few, many) = if a <= b { (x, y) } else { (y, x) };
        Distance::keep(ctx, z, Z, |ctx, w| {
            ctx.values(few).any(|v| ctx.contains(many, v + w) || ctx.contains(many, v - w))
        })?;
        Ok(true)
    }

    /// Keeps the values of a view that have a support.
    fn keep(
        ctx: &mut Context<'_>,
        x: View,
        which: Lazy,
        has_support: impl Fn(&Store, i64) -> bool,
    ) -> Result<(), Conflict> {
        let mut next = Some(ctx.min(x));
        while let Some(v) = next {
            next = ctx.above(x, v);
            if !has_support(ctx, v) {
                ctx.remove(x, v, which)?;
            }
        }
        Ok(())
    }

    /// Why a view lost the value of an atom `[… ≠ v]`.
    fn explain_value(&self, which: u32, atom: Atom, history: &History<'_>, out: &mut Explanation) {
        let Distance { x, y, z, .. } = *self;
        let (view, p, q) = match which {
            0 => (x, y, z),
            1 => (y, x, z),
            _ => (z, x, y),
        };
        let v = view.apply(atom.value());
        // No distance is negative.
        if which == 2 && v < 0 {
            return;
        }
        if history.max(z) < 0 {
            return out.push(z.le(-1));
        }
        // What goes with v where p is m, and where q is n.
        let (m, n) = (history.min(p), history.min(q));
        let (with_m, with_n) =
            if which == 2 { ([m - v, m + v], [n - v, n + v]) } else { ([(v - m).abs(); 2], [v - n, v + n]) };
        for (p, value, q, [first, second]) in [(p, m, q, with_m), (q, n, p, with_n)] {
            if history.is_fixed(p) {
                out.extend([p.eq(value), q.ne(first)]);
                if second != first {
                    out.push(q.ne(second));
                }
                return;
            }
        }
        history.explain_domain(p, out);
        history.explain_domain(q, out);
    }

    fn is_violated(&self, store: &Store, why: &mut Explanation) -> bool {
        let Distance { x, y, z, .. } = *self;
        let ((a, b), (c, d), (near, far)) = (store.bounds(x), store.bounds(y), store.bounds(z));
        if far < 0 {
            why.push(z.le(far));
        } else if a - d > far {
            why.extend([x.ge(a), y.le(d), z.le(far)]);
        } else if c - b > far {
            why.extend([y.ge(c), x.le(b), z.le(far)]);
        } else if (b - c).max(d - a) < near {
            why.extend([x.ge(a), x.le(b), y.ge(c), y.le(d), z.ge(near)]);
        } else {
            return false;
        }
        true
    }
}

impl Propagator for Distance {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        if !self.prune_bounds(ctx)? {
            return Ok(Status::MayChange);
        }
        let exact = self.prune_values(ctx)?;
        let fixed = [self.x, self.y, self.z].iter().filter(|&&view| ctx.is_fixed(view)).count();
        // With two views fixed, each value left of the third goes with them; but a variable that stands twice
        // may have changed after it was looked at.
        let entailed = self.distinct && (fixed == 3 || exact && fixed == 2);
        Ok(if entailed { Status::Entailed } else { Status::AtFixpoint })
    }

    fn explain(&self, which: u32, atom: Atom, history: &History<'_>, out: &mut Explanation) {
        self.explain_value(which, atom, history, out);
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        self.is_violated(store, why)
    }
}

/// `|x − y| = z`, each domain one word.
#[derive(Debug)]
struct WordDistance {
    distance: Distance,
    x: Word,
    y: Word,
    z: Word,
}

impl WordDistance {
    /// The values of each that have a support, by going over those of `z`. Distances between bases that
    /// saturate are far beyond a word either way.
    #[inline]
    fn over_z(&self, x: u64, y: u64, z: u64) -> (u64, u64, u64) {
        let (up, down) = (self.y.base.saturating_sub(self.x.base), self.x.base.saturating_sub(self.y.base));
        let (mut x_kept, mut y_kept, mut z_kept) = (0, 0, 0);
        for place in places(z) {
            let w = self.z.base + place;
            let found = x & (moved(y, up.saturating_add(w)) | moved(y, up.saturating_sub(w)));
            if found != 0 {
                x_kept |= found;
                y_kept |= y & (moved(x, down.saturating_add(w)) | moved(x, down.saturating_sub(w)));
                z_kept |= 1 << place;
            }
        }
        (x_kept, y_kept, z_kept)
    }

    /// The same by going over the values of the first of two views whose distance is `z`.
    #[inline]
    fn over_first(&self, first: (Word, u64), second: (Word, u64), z: u64) -> (u64, u64, u64) {
        let ((first, x), (second, y)) = (first, second);
        let (y_mirror, z_mirror) = (y.reverse_bits(), z.reverse_bits());
        let (y_base, z_base) = (second.base, self.z.base);
        let (mut x_kept, mut y_kept, mut z_kept) = (0, 0, 0);
        for place in places(x) {
            let v = first.base + place;
            // Bit 0 of a mirrored word stands for v − base − 63.
            let above = moved(y, y_base.saturating_sub(z_base).saturating_sub(v));
            let below = moved(y_mirror, v.saturating_sub(y_base).saturating_sub(z_base).saturating_sub(63));
            let found = z & (above | below);
            if found != 0 {
                let above = moved(z, v.saturating_sub(y_base).saturating_add(z_base));
                let below =
                    moved(z_mirror, v.saturating_sub(y_base).saturating_sub(z_base).saturating_sub(63));
                x_kept |= 1 << place;
                y_kept |= y & (above | below);
                z_kept |= found;
            }
        }
        (x_kept, y_kept, z_kept)
    }
}

impl Propagator for WordDistance {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let (x, y) = (self.x.bits(ctx), self.y.bits(ctx));
        // No distance is negative.
        let z = self.z.bits(ctx) & if self.z.base < 0 { moved(u64::MAX, -self.z.base) } else { u64::MAX };
        let (a, b, c) = (x.count_ones(), y.count_ones(), z.count_ones());
        let (x_kept, y_kept, z_kept) = if c <= a.min(b) {
            self.over_z(x, y, z)
        } else if a <= b {
            self.over_first((self.x, x), (self.y, y), z)
        } else {
            let (y_kept, x_kept, z_kept) = self.over_first((self.y, y), (self.x, x), z);
            (x_kept, y_kept, z_kept)
        };
        self.x.keep(ctx, x_kept, X)?;
        self.y.keep(ctx, y_kept, Y)?;
        self.z.keep(ctx, z_kept, Z)?;
        let fixed = [x_kept, y_kept, z_kept].iter().filter(|word| word.is_power_of_two()).count();
        Ok(if fixed >= 2 { Status::Entailed } else { Status::AtFixpoint })
    }

    fn explain(&self, which: u32, atom: Atom, history: &History<'_>, out: &mut Explanation) {
        self.distance.explain_value(which, atom, history, out);
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        self.distance.is_violated(store, why)
    }
}

/// `|x − y| ≠ z`: waits for two fixed views.
#[derive(Debug)]
struct OtherDistance {
    x: View,
    y: View,
    z: View,
}

impl Propagator for OtherDistance {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let OtherDistance { x, y, z } = *self;
        if let (Some(a), Some(b)) = (ctx.value(x), ctx.value(y)) {
            ctx.remove(z, (a - b).abs(), |out: &mut Explanation| out.extend([x.eq(a), y.eq(b)]))?;
            return Ok(Status::Entailed);
        }
        for (x, y) in [(x, y), (y, x)] {
            if let (Some(a), Some(w)) = (ctx.value(x), ctx.value(z)) {
                let why = |out: &mut Explanation| out.extend([x.eq(a), z.eq(w)]);
                if w >= 0 {
                    ctx.remove(y, a - w, why)?;
                    ctx.remove(y, a + w, why)?;
                }
                return Ok(Status::Entailed);
            }
        }
        Ok(Status::AtFixpoint)
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        let OtherDistance { x, y, z } = *self;
        let (Some(a), Some(b), Some(w)) = (store.value(x), store.value(y), store.value(z)) else {
            return false;
        };
        if (a - b).abs() != w {
            return false;
        }
        why.extend([x.eq(a), y.eq(b), z.eq(w)]);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Fixpoint, MAX_VALUE};
    use crate::testing::check;

    #[test]
    fn harness() {
        let report = check("absolute difference", 3, |xs, _| (xs[0] - xs[1]).abs().eq(xs[2]));
        assert!(report.pruned > 60 && report.infeasible > 20, "{report}");
        let report = check("fixed difference", 2, |xs, p| {
            (xs[0] - xs[1]).abs().eq(p.witness(0).saturating_sub(p.witness(1)).saturating_abs())
        });
        assert!(report.pruned > 40 && report.infeasible < report.cases / 4, "{report}");
        let report = check("absolute", 2, |xs, _| xs[0].abs().eq(xs[1]));
        assert!(report.pruned > 20 && report.infeasible > 5, "{report}");
        let report = check("other difference", 3, |xs, _| (xs[0] - xs[1]).abs().ne(xs[2]));
        assert!(report.pruned > 20, "{report}");
    }

    #[test]
    fn differences_beyond_the_range_are_ruled_out() {
        let mut engine = Engine::new();
        let mut poster = Poster { engine: &mut engine, map: &[], condition: None };
        let [x, y] =
            [(); 2].map(|()| poster.hidden(&[(-MAX_VALUE, -MAX_VALUE), (0, 0), (MAX_VALUE, MAX_VALUE)]));
        let z = poster.hidden(&[(-MAX_VALUE, MAX_VALUE)]);
        post_difference(&mut poster, x, y, z);
        assert_eq!(engine.decide(x.eq(-MAX_VALUE)), Ok(()));
        assert_eq!(engine.propagate(), Fixpoint::Reached);
        assert_eq!((engine.store.max(y), engine.store.max(z)), (0, MAX_VALUE));
    }
}
