//! The operators `+ - *` of integers and `& | ^ !` of Booleans, and the comparisons.

use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Neg, Not, Sub};

use super::{BoolExpr, IntExpr};
use crate::constraints::Operator;
use crate::model::{Affine, BoolVar, Constraint, IntVar};

macro_rules! sums {
    ($($left:ty: $($right:ty),*;)*) => {$($(
        impl Add<$right> for $left {
            type Output = IntExpr;
            fn add(self, other: $right) -> IntExpr {
                IntExpr::from(self).plus(other.into())
            }
        }

        impl Sub<$right> for $left {
            type Output = IntExpr;
            fn sub(self, other: $right) -> IntExpr {
                IntExpr::from(self).plus(IntExpr::from(other).times(-1))
            }
        }
    )*)*};
}

macro_rules! sums_of_all {
    ($($left:ty),*) => {
        sums! { $($left: IntVar, &IntVar, BoolVar, &BoolVar, Affine, &Affine, IntExpr, BoolExpr;)* }
    };
}

sums_of_all!(IntVar, &IntVar, BoolVar, &BoolVar, Affine, &Affine, IntExpr, BoolExpr);
sums! { IntExpr: i64; BoolExpr: i64; i64: IntExpr, BoolExpr; }

macro_rules! products {
    ($($t:ty),*) => {$(
        impl Mul<i64> for $t {
            type Output = IntExpr;
            fn mul(self, c: i64) -> IntExpr {
                IntExpr::from(self).times(c)
            }
        }

        impl Mul<$t> for i64 {
            type Output = IntExpr;
            fn mul(self, x: $t) -> IntExpr {
                x * self
            }
        }

        impl Neg for $t {
            type Output = IntExpr;
            fn neg(self) -> IntExpr {
                self * -1
            }
        }
    )*};
}

products!(IntExpr, BoolExpr);

macro_rules! comparisons {
    ($($t:ty),*) => {$(
        impl $t {
            /// The constraint `self = other`.
            #[allow(clippy::should_implement_trait)]
            pub fn eq(self, other: impl Into<IntExpr>) -> BoolExpr {
                IntExpr::from(self).compare(Operator::Eq, other)
            }

            /// The constraint `self ≠ other`.
            #[allow(clippy::should_implement_trait)]
            pub fn ne(self, other: impl Into<IntExpr>) -> BoolExpr {
                IntExpr::from(self).compare(Operator::Ne, other)
            }

            /// The constraint `self ≤ other`.
            #[allow(clippy::should_implement_trait)]
            pub fn le(self, other: impl Into<IntExpr>) -> BoolExpr {
                IntExpr::from(self).compare(Operator::Le, other)
            }

            /// The constraint `self < other`.
            #[allow(clippy::should_implement_trait)]
            pub fn lt(self, other: impl Into<IntExpr>) -> BoolExpr {
                IntExpr::from(self).compare(Operator::Lt, other)
            }

            /// The constraint `self ≥ other`.
            #[allow(clippy::should_implement_trait)]
            pub fn ge(self, other: impl Into<IntExpr>) -> BoolExpr {
                IntExpr::from(self).compare(Operator::Ge, other)
            }

            /// The constraint `self > other`.
            #[allow(clippy::should_implement_trait)]
            pub fn gt(self, other: impl Into<IntExpr>) -> BoolExpr {
                IntExpr::from(self).compare(Operator::Gt, other)
            }
        }
    )*};
}

comparisons!(IntVar, BoolVar, Affine, IntExpr);

macro_rules! connectives {
    ($($t:ty),*) => {$(
        impl<C: Constraint> BitAnd<C> for $t {
            type Output = BoolExpr;
            fn bitand(self, other: C) -> BoolExpr {
                BoolExpr::from(self).and(other)
            }
        }

        impl<C: Constraint> BitOr<C> for $t {
            type Output = BoolExpr;
            fn bitor(self, other: C) -> BoolExpr {
                BoolExpr::from(self).or(other)
            }
        }

        impl<C: Constraint> BitXor<C> for $t {
            type Output = BoolExpr;
            fn bitxor(self, other: C) -> BoolExpr {
                BoolExpr::from(self).xor(other)
            }
        }
    )*};
}

connectives!(BoolVar, BoolExpr);

impl Not for BoolExpr {
    type Output = BoolExpr;

    fn not(self) -> BoolExpr {
        self.negated()
    }
}

impl IntVar {
    /// The absolute value.
    pub fn abs(self) -> IntExpr {
        IntExpr::from(self).abs()
    }
}

impl Affine {
    /// The absolute value.
    pub fn abs(self) -> IntExpr {
        IntExpr::from(self).abs()
    }
}

impl BoolVar {
    /// True if this is false or `other` is true.
    pub fn implies(self, other: impl Constraint) -> BoolExpr {
        BoolExpr::from(self).implies(other)
    }

    /// True if both are true or both are false.
    pub fn iff(self, other: impl Constraint) -> BoolExpr {
        BoolExpr::from(self).iff(other)
    }
}
