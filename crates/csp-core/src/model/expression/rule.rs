//! `rule!`: constraints written as in mathematics.
//!
//! Rust's own comparison operators cannot make an expression, so the macro replaces each of them by a pair of
//! shifts around the operator's name: `x + 1 <= y` becomes `x + 1 << Le >> y`. Shifts bind less than sums and
//! more than `&`, `^` and `|`, just as comparisons do in mathematics. The tokens are looked at once, so the
//! depth of expansion is the length of the rule.

use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use super::{BoolExpr, IntExpr};
use crate::constraints::Operator;
use crate::model::{Affine, BoolVar, Constraint, IntVar};

/// A constraint, written as in mathematics.
///
/// - Comparisons `<`, `<=`, `=` (or `==`), `!=`, `>=`, `>` of integer expressions; they may be chained, as in
///   `rule!(0 <= x < y)`.
/// - Booleans by `!`, `&` (or `&&`), `^` (exclusive or), `|` (or `||`), `->` (implies) and `<->` (if and only
///   if), from what binds most to what binds least; `->` groups to the right.
/// - Everything else is a Rust expression: variables, numbers, calls, method calls. What stands in the
///   parentheses of a call is plain Rust. A cast needs parentheses: `rule!(x + (i as i64) <= 3)`.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let (b, x, y, z) = (model.bool(), model.int(0..=9), model.int(0..=9), model.int(0..=9));
/// model.post(rule!(x + 2 * y <= z));
/// model.post(rule!(b -> x != y));
/// model.post(rule!(!b <-> (1 <= x < z | y = 0)));
/// model.post(rule!(sum([x, y, z]) = 9));
/// let solution = model.solver()?.first().solution().unwrap();
/// assert!(solution[x] + 2 * solution[y] <= solution[z]);
/// # Ok::<(), ModelError>(())
/// ```
#[macro_export]
macro_rules! rule {
    // @operand [what was read] what follows: a variable, number or parenthesis comes next.
    (@operand [$($read:tt)*] ! $($rest:tt)*) => { $crate::rule!(@operand [$($read)* !] $($rest)*) };
    (@operand [$($read:tt)*] - $($rest:tt)*) => { $crate::rule!(@operand [$($read)* -] $($rest)*) };
    (@operand [$($read:tt)*] * $($rest:tt)*) => { $crate::rule!(@operand [$($read)* *] $($rest)*) };
    (@operand [$($read:tt)*] & $($rest:tt)*) => { $crate::rule!(@operand [$($read)* &] $($rest)*) };
    (@operand [$($read:tt)*] ($($inner:tt)*) $($rest:tt)*) => {
        $crate::rule!(@operator [$($read)* ({
            #[allow(unused_imports)]
            use $crate::model::rule::Other as _;
            $crate::model::rule::Group($crate::rule!(@operand [] $($inner)*)).close()
        })] $($rest)*)
    };
    (@operand [$($read:tt)*] $next:tt $($rest:tt)*) => {
        $crate::rule!(@operator [$($read)* $next] $($rest)*)
    };
    (@operand [$($read:tt)*]) => { compile_error!("this rule ends where a variable or number is expected") };

    // @operator [what was read] what follows: an operand may end here.
    (@operator [$($read:tt)*] :: < $($generic:ty),+ > $($rest:tt)*) => {
        $crate::rule!(@operator [$($read)* ::<$($generic),+>] $($rest)*)
    };
    (@operator [$($read:tt)*] <- > $($rest:tt)*) => {
        $crate::rule!(@end [$($read)*]).iff($crate::rule!(@bool $($rest)*))
    };
    (@operator [$($read:tt)*] -> $($rest:tt)*) => {
        $crate::rule!(@end [$($read)*]).implies($crate::rule!(@bool $($rest)*))
    };
    (@operator [$($read:tt)*] <- $($rest:tt)*) => {
        $crate::rule!(@operand [$($read)* << $crate::constraints::Operator::Lt >> -] $($rest)*)
    };
    (@operator [$($read:tt)*] <= $($rest:tt)*) => {
        $crate::rule!(@operand [$($read)* << $crate::constraints::Operator::Le >>] $($rest)*)
    };
    (@operator [$($read:tt)*] < $($rest:tt)*) => {
        $crate::rule!(@operand [$($read)* << $crate::constraints::Operator::Lt >>] $($rest)*)
    };
    (@operator [$($read:tt)*] >= $($rest:tt)*) => {
        $crate::rule!(@operand [$($read)* << $crate::constraints::Operator::Ge >>] $($rest)*)
    };
    (@operator [$($read:tt)*] > $($rest:tt)*) => {
        $crate::rule!(@operand [$($read)* << $crate::constraints::Operator::Gt >>] $($rest)*)
    };
    (@operator [$($read:tt)*] == $($rest:tt)*) => {
        $crate::rule!(@operand [$($read)* << $crate::constraints::Operator::Eq >>] $($rest)*)
    };
    (@operator [$($read:tt)*] = $($rest:tt)*) => {
        $crate::rule!(@operand [$($read)* << $crate::constraints::Operator::Eq >>] $($rest)*)
    };
    (@operator [$($read:tt)*] != $($rest:tt)*) => {
        $crate::rule!(@operand [$($read)* << $crate::constraints::Operator::Ne >>] $($rest)*)
    };
    (@operator [$($read:tt)*] && $($rest:tt)*) => { $crate::rule!(@operand [$($read)* &] $($rest)*) };
    (@operator [$($read:tt)*] || $($rest:tt)*) => { $crate::rule!(@operand [$($read)* |] $($rest)*) };
    (@operator [$($read:tt)*] & $($rest:tt)*) => { $crate::rule!(@operand [$($read)* &] $($rest)*) };
    (@operator [$($read:tt)*] | $($rest:tt)*) => { $crate::rule!(@operand [$($read)* |] $($rest)*) };
    (@operator [$($read:tt)*] ^ $($rest:tt)*) => { $crate::rule!(@operand [$($read)* ^] $($rest)*) };
    (@operator [$($read:tt)*] + $($rest:tt)*) => { $crate::rule!(@operand [$($read)* +] $($rest)*) };
    (@operator [$($read:tt)*] - $($rest:tt)*) => { $crate::rule!(@operand [$($read)* -] $($rest)*) };
    (@operator [$($read:tt)*] * $($rest:tt)*) => { $crate::rule!(@operand [$($read)* *] $($rest)*) };
    (@operator [$($read:tt)*] $next:tt $($rest:tt)*) => {
        $crate::rule!(@operator [$($read)* $next] $($rest)*)
    };
    (@operator [$($read:tt)*]) => { $($read)* };

    (@end [$($read:tt)*]) => { $crate::model::rule::Conclude::conclude($($read)*) };
    (@bool $($rule:tt)*) => {
        $crate::model::rule::Conclude::conclude($crate::rule!(@operand [] $($rule)*))
    };
    ($($rule:tt)*) => {{
        #[allow(clippy::precedence, clippy::op_ref, clippy::needless_borrow, unused_parens)]
        let rule: $crate::BoolExpr = $crate::rule!(@bool $($rule)*);
        rule
    }};
}

/// A comparison whose right side is to come.
#[derive(Clone, Debug)]
pub struct Pending {
    before: Option<BoolExpr>,
    left: IntExpr,
    operator: Operator,
}

/// A comparison, or a chain of them, which may go on.
#[derive(Clone, Debug)]
pub struct Chain {
    all: BoolExpr,
    last: IntExpr,
}

macro_rules! left_sides {
    ($($t:ty),*) => {$(
        impl Shl<Operator> for $t {
            type Output = Pending;
            fn shl(self, operator: Operator) -> Pending {
                Pending { before: None, left: self.into(), operator }
            }
        }
    )*};
}

left_sides!(IntVar, &IntVar, BoolVar, &BoolVar, Affine, &Affine, IntExpr, &IntExpr, BoolExpr, i64, &i64);

impl Shl<Operator> for Chain {
    type Output = Pending;

    fn shl(self, operator: Operator) -> Pending {
        Pending { before: Some(self.all), left: self.last, operator }
    }
}

impl<R: Into<IntExpr>> Shr<R> for Pending {
    type Output = Chain;

    fn shr(self, right: R) -> Chain {
        let last: IntExpr = right.into();
        let this = self.left.compare(self.operator, &last);
        let all = match self.before {
            Some(before) => before.and(this),
            None => this,
        };
        Chain { all, last }
    }
}

macro_rules! chains {
    ($($operator:ident $method:ident $name:ident),*) => {$(
        impl<C: Conclude> $operator<C> for Chain {
            type Output = BoolExpr;
            fn $method(self, other: C) -> BoolExpr {
                self.all.$name(other.conclude())
            }
        }

        impl $operator<Chain> for BoolVar {
            type Output = BoolExpr;
            fn $method(self, other: Chain) -> BoolExpr {
                BoolExpr::from(self).$name(other.all)
            }
        }

        impl $operator<Chain> for BoolExpr {
            type Output = BoolExpr;
            fn $method(self, other: Chain) -> BoolExpr {
                self.$name(other.all)
            }
        }
    )*};
}

chains!(BitAnd bitand and, BitOr bitor or, BitXor bitxor xor);

impl Not for Chain {
    type Output = BoolExpr;

    fn not(self) -> BoolExpr {
        !self.all
    }
}

/// What stood in parentheses: a chain of comparisons ends there, everything else stays what it is.
#[derive(Clone, Copy, Debug)]
pub struct Group<T>(pub T);

impl Group<Chain> {
    /// The comparisons as one Boolean.
    pub fn close(self) -> BoolExpr {
        self.0.all
    }
}

/// [`Group::close`] for everything but chains, whose own method comes first.
pub trait Other {
    /// What it is.
    type What;
    /// As it is.
    fn close(self) -> Self::What;
}

impl<T> Other for Group<T> {
    type What = T;

    fn close(self) -> T {
        self.0
    }
}

/// What a rule, or a part of it, may come to.
pub trait Conclude {
    /// The rule as a Boolean expression.
    fn conclude(self) -> BoolExpr;
}

impl<C: Constraint> Conclude for C {
    fn conclude(self) -> BoolExpr {
        self.holds()
    }
}

impl Conclude for Chain {
    fn conclude(self) -> BoolExpr {
        self.all
    }
}
