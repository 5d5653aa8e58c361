//! How a propagator sees a variable: as `scale · x + offset`.

use super::events::Events;
use super::reason::Atom;

/// The largest absolute value of any variable or view: 2^62 − 1. Sums and differences of two values
/// then always fit an `i64`.
pub const MAX_VALUE: i64 = (1 << 62) - 1;

/// A variable of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub(crate) u32);

impl VarId {
    /// The variable that is always 0; constants are views of it.
    pub(crate) const ZERO: VarId = VarId(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// An affine view `scale · x + offset` of an engine variable, with `scale ≠ 0`.
///
/// Propagators read and prune views; the engine translates to the variable, rounding a bound to the
/// grid of values the view can take. A constant `c` is the view `0 + c` of a variable fixed to 0, so
/// no propagator needs a special case for constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    pub(crate) var: VarId,
    pub(crate) scale: i64,
    pub(crate) offset: i64,
}

impl View {
    /// A view that is always `value`.
    pub fn constant(value: i64) -> View {
        View { var: VarId::ZERO, scale: 1, offset: value }
    }

    pub(crate) fn of(var: VarId) -> View {
        View::scaled(var, 1)
    }

    /// The view `scale · var`, with `scale ≠ 0`.
    pub(crate) fn scaled(var: VarId, scale: i64) -> View {
        View { var, scale, offset: 0 }
    }

    /// The variable behind the view.
    pub fn var(self) -> VarId {
        self.var
    }

    /// The factor of the variable; never 0.
    pub fn scale(self) -> i64 {
        self.scale
    }

    /// What is added to the scaled variable.
    pub fn offset(self) -> i64 {
        self.offset
    }

    /// The view with the opposite sign.
    pub(crate) fn negated(self) -> View {
        View { var: self.var, scale: -self.scale, offset: -self.offset }
    }

    /// What the view is when its variable is `x`.
    #[inline]
    pub(crate) fn apply(self, x: i64) -> i64 {
        if self.scale == 1 { x + self.offset } else { self.scale * x + self.offset }
    }

    /// The variable's value for which the view is `v`, if there is one.
    #[inline]
    pub(crate) fn solve(self, v: i64) -> Option<i64> {
        match self.scale {
            1 => v.checked_sub(self.offset),
            -1 => self.offset.checked_sub(v),
            _ => {
                let d = beyond(v) - self.offset;
                (d % self.scale == 0).then(|| d / self.scale)
            }
        }
    }

    /// The smallest `x` (scale > 0) or largest `x` (scale < 0) for which the view is at least `v`.
    #[inline]
    pub(crate) fn solve_ge(self, v: i64) -> i64 {
        match self.scale {
            1 => v.saturating_sub(self.offset),
            -1 => self.offset.saturating_sub(v),
            s if s > 0 => div_ceil(beyond(v) - self.offset, s),
            s => div_floor(beyond(v) - self.offset, s),
        }
    }

    /// The largest `x` (scale > 0) or smallest `x` (scale < 0) for which the view is at most `v`.
    #[inline]
    pub(crate) fn solve_le(self, v: i64) -> i64 {
        match self.scale {
            1 => v.saturating_sub(self.offset),
            -1 => self.offset.saturating_sub(v),
            s if s > 0 => div_floor(beyond(v) - self.offset, s),
            s => div_ceil(beyond(v) - self.offset, s),
        }
    }

    /// The atom `[view ≥ v]`, over the variable.
    pub fn ge(self, v: i64) -> Atom {
        let x = self.solve_ge(v);
        if self.scale > 0 { Atom::ge(self.var, x) } else { Atom::le(self.var, x) }
    }

    /// The atom `[view ≤ v]`, over the variable.
    pub fn le(self, v: i64) -> Atom {
        let x = self.solve_le(v);
        if self.scale > 0 { Atom::le(self.var, x) } else { Atom::ge(self.var, x) }
    }

    /// The atom `[view = v]`, over the variable.
    pub fn eq(self, v: i64) -> Atom {
        self.solve(v).map_or(Atom::FALSE, |x| Atom::eq(self.var, x))
    }

    /// The atom `[view ≠ v]`, over the variable.
    pub fn ne(self, v: i64) -> Atom {
        self.eq(v).negated()
    }

    /// Events of the variable that raise `events` of the view.
    pub(crate) fn events(self, events: Events) -> Events {
        if self.scale > 0 { events } else { events.mirrored() }
    }
}

/// Brings a requested bound, which may be any `i64`, to just beyond the values that exist: nothing a
/// domain can hold is cut off, and differences to offsets cannot overflow any more.
#[inline]
fn beyond(v: i64) -> i64 {
    v.clamp(-MAX_VALUE - 1, MAX_VALUE + 1)
}

/// `a / b` rounded towards −∞.
#[inline]
fn div_floor(a: i64, b: i64) -> i64 {
    let q = a / b;
    if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q }
}

/// `a / b` rounded towards +∞.
#[inline]
fn div_ceil(a: i64, b: i64) -> i64 {
    let q = a / b;
    if a % b != 0 && (a < 0) == (b < 0) { q + 1 } else { q }
}

/// The greatest common divisor; 0 only of zeros.
pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_rounded_to_the_grid_of_the_view() {
        for scale in [-3, -2, -1, 1, 2, 3] {
            for offset in -3..=3 {
                let view = View { var: VarId(1), scale, offset };
                for v in -20..=20 {
                    for x in -30..=30 {
                        let value = scale * x + offset;
                        assert_eq!(view.ge(v).holds(x), value >= v, "{view:?} ≥ {v} at {x}");
                        assert_eq!(view.le(v).holds(x), value <= v, "{view:?} ≤ {v} at {x}");
                        assert_eq!(view.eq(v).holds_for(VarId(1), x), value == v, "{view:?} = {v} at {x}");
                        assert_eq!(view.ne(v).holds_for(VarId(1), x), value != v, "{view:?} ≠ {v} at {x}");
                    }
                }
            }
        }
    }

    #[test]
    fn extreme_bounds_do_not_wrap() {
        for scale in [-2, -1, 1, 2] {
            for offset in [-MAX_VALUE, 0, MAX_VALUE] {
                let view = View { var: VarId(1), scale, offset };
                assert!(!view.ge(i64::MAX).holds(0), "{view:?}");
                assert!(!view.le(i64::MIN).holds(0), "{view:?}");
                assert!(view.ge(i64::MIN).holds(0), "{view:?}");
                assert!(view.le(i64::MAX).holds(0), "{view:?}");
            }
        }
    }
}
