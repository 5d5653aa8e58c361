//! Handles: integer variables, Booleans and affine views of them.
//!
//! A handle is a small number with the tag of its model. Operators make views, `2 * x - 1`; they cannot
//! return an error, so a view whose numbers overflow is *poisoned*, and the constraint it is used in
//! is reported as an error.

use std::ops::{Add, Mul, Neg, Not, Sub};

/// An integer variable of a [`Model`](crate::Model).
///
/// The methods `eq`, `ne`, `le`, `lt`, `ge`, `gt` make constraints, and `==` compares handles. On a
/// *reference* to a handle write `(*x).eq(5)`: there Rust takes `x.eq(…)` for `==`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntVar {
    /// [`NO_VARIABLE`] stands for the constant 0.
    pub(crate) id: u32,
    /// The tag of its model.
    pub(crate) tag: u32,
}

const NO_VARIABLE: u32 = u32::MAX;

impl IntVar {
    /// The "variable" of a constant view.
    pub(crate) const ZERO: IntVar = IntVar { id: NO_VARIABLE, tag: 0 };

    /// Its number in its model, counted from 0 in order of making; none for a constant.
    pub fn index(self) -> Option<usize> {
        (self.id != NO_VARIABLE).then_some(self.id as usize)
    }

    /// Its number, if it is one of the variables with these tags.
    #[inline]
    pub(crate) fn index_in(self, tags: &[u32]) -> Option<usize> {
        self.index().filter(|&i| tags.get(i) == Some(&self.tag))
    }
}

/// A Boolean variable, or the negation of one (`!b`), or a constant (`true.into()`). As a number it
/// is 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoolVar {
    pub(crate) var: IntVar,
    pub(crate) negated: bool,
}

impl Not for BoolVar {
    type Output = BoolVar;

    fn not(self) -> BoolVar {
        BoolVar { negated: !self.negated, ..self }
    }
}

impl From<bool> for BoolVar {
    fn from(value: bool) -> BoolVar {
        BoolVar { var: IntVar::ZERO, negated: value }
    }
}

impl From<&BoolVar> for BoolVar {
    fn from(b: &BoolVar) -> BoolVar {
        *b
    }
}

/// A view `scale · x + offset` of a variable; every constraint takes views.
///
/// Variables, Booleans and `i64` constants are views too, by `Into<Affine>`.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let x = model.int(0..=3);
/// model.post((2 * x - 1).eq(5));
/// assert_eq!(model.solver()?.first().solution().unwrap()[x], 3);
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Affine {
    pub(crate) var: IntVar,
    /// 1 for a constant; 0 for a poisoned view.
    pub(crate) scale: i64,
    pub(crate) offset: i64,
}

impl Affine {
    fn constant(value: i64) -> Affine {
        Affine { var: IntVar::ZERO, scale: 1, offset: value }
    }

    /// A view in whose making a number overflowed.
    fn poisoned(self) -> Affine {
        Affine { scale: 0, ..self }
    }

    /// Whether a number overflowed while the view was made.
    pub fn is_poisoned(self) -> bool {
        self.scale == 0
    }

    /// The variable viewed; none for a constant.
    pub fn var(self) -> Option<IntVar> {
        self.var.index().map(|_| self.var)
    }

    /// The value of the view where its variable is `x`; none if it is poisoned or overflows.
    pub(crate) fn apply(self, x: i64) -> Option<i64> {
        if self.is_poisoned() {
            return None;
        }
        self.scale.checked_mul(x)?.checked_add(self.offset)
    }

    fn plus(self, c: i64) -> Affine {
        match self.offset.checked_add(c) {
            Some(offset) => Affine { offset, ..self },
            None => self.poisoned(),
        }
    }

    fn times(self, c: i64) -> Affine {
        if c == 0 && !self.is_poisoned() {
            return Affine::constant(0);
        }
        let scale = if self.var.index().is_some() { self.scale.checked_mul(c) } else { Some(self.scale) };
        match (scale, self.offset.checked_mul(c)) {
            (Some(scale), Some(offset)) => Affine { scale, offset, ..self },
            _ => self.poisoned(),
        }
    }
}

impl From<IntVar> for Affine {
    fn from(var: IntVar) -> Affine {
        Affine { var, scale: 1, offset: 0 }
    }
}

impl From<BoolVar> for Affine {
    fn from(b: BoolVar) -> Affine {
        if b.negated { Affine::from(b.var).times(-1).plus(1) } else { b.var.into() }
    }
}

impl From<i64> for Affine {
    fn from(value: i64) -> Affine {
        Affine::constant(value)
    }
}

/// By reference, so that slices and iterators over them can be passed as they are.
impl<T: Copy + Into<Affine>> From<&T> for Affine {
    fn from(x: &T) -> Affine {
        (*x).into()
    }
}

macro_rules! operators {
    ($($t:ty),*) => {$(
        impl Add<i64> for $t {
            type Output = Affine;
            fn add(self, c: i64) -> Affine {
                Affine::from(self).plus(c)
            }
        }

        impl Add<$t> for i64 {
            type Output = Affine;
            fn add(self, x: $t) -> Affine {
                x + self
            }
        }

        impl Sub<i64> for $t {
            type Output = Affine;
            fn sub(self, c: i64) -> Affine {
                let x = Affine::from(self);
                c.checked_neg().map_or(x.poisoned(), |c| x.plus(c))
            }
        }

        impl Sub<$t> for i64 {
            type Output = Affine;
            fn sub(self, x: $t) -> Affine {
                -x + self
            }
        }

        impl Mul<i64> for $t {
            type Output = Affine;
            fn mul(self, c: i64) -> Affine {
                Affine::from(self).times(c)
            }
        }

        impl Mul<$t> for i64 {
            type Output = Affine;
            fn mul(self, x: $t) -> Affine {
                x * self
            }
        }

        impl Neg for $t {
            type Output = Affine;
            fn neg(self) -> Affine {
                Affine::from(self).times(-1)
            }
        }
    )*};
}

operators!(IntVar, BoolVar, Affine, &IntVar, &BoolVar, &Affine);

#[cfg(test)]
mod tests {
    use super::*;

    const X: IntVar = IntVar { id: 0, tag: 1 };

    #[test]
    fn operators_build_the_view_they_read_as() {
        for x in -3..=3 {
            assert_eq!((2 * X - 1).apply(x), Some(2 * x - 1));
            assert_eq!((-(X + 3) * 2).apply(x), Some(-(x + 3) * 2));
            assert_eq!((5 - X).apply(x), Some(5 - x));
        }
        let b = BoolVar { var: X, negated: false };
        assert_eq!(Affine::from(!b).apply(1), Some(0));
        let nothing = 0;
        assert_eq!(X * nothing + 4, Affine::constant(4));
    }

    #[test]
    fn overflow_poisons() {
        assert!((X * i64::MAX * 2).is_poisoned());
        assert!((X + i64::MAX + 1).is_poisoned());
        assert!((X - i64::MIN).is_poisoned());
        assert!((Affine::from(i64::MIN) * -1).is_poisoned());
        let nothing = 0;
        assert!((X * i64::MAX * 2 * nothing).is_poisoned());
        assert!(!(X * 2 * nothing).is_poisoned());
        assert_eq!((X * i64::MAX).apply(2), None);
    }
}
