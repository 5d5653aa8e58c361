//! Formulas as plain data: what they mean, and how they read. The meaning is written from the definitions and
//! shares nothing with the library.
//!
//! What is undefined (an element outside its array, the minimum of nothing) makes the nearest Boolean around it
//! false.

use std::collections::BTreeSet;
use std::fmt;

use csp_core::constraints::Strength;

/// An integer.
#[derive(Clone, Debug)]
pub(crate) enum Int {
    Const(i64),
    View { scale: i64, variable: usize, offset: i64 },
    Sum(Vec<Int>),
    Weighted(Vec<(i64, Int)>),
    Minus(Box<[Int; 2]>),
    Abs(Box<Int>),
    Min(Vec<Int>),
    Max(Vec<Int>),
    Element(Vec<Int>, Box<Int>),
    Truth(Box<Bool>),
}

/// A Boolean.
#[derive(Clone, Debug)]
pub(crate) enum Bool {
    Const(bool),
    /// A Boolean variable.
    Variable(usize),
    Compare(Int, Sign, Int),
    Not(Box<Bool>),
    /// A conjunction.
    All(Vec<Bool>),
    /// A clause.
    Any(Vec<Bool>),
    /// A parity.
    Odd(Vec<Bool>),
    When(Box<[Bool; 2]>),
    Iff(Box<[Bool; 2]>),
    /// `≥`, `≤` or `=` so many are true.
    Count(Sign, i64, Vec<Bool>),
    /// The operands take the values of a row, or of none.
    Table(Vec<Int>, Vec<Vec<i64>>, bool),
    AllDifferent(Strength, Vec<Int>),
    /// Starts and durations.
    NoOverlap(Vec<(Int, i64)>),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Sign {
    Eq,
    Ne,
    Le,
    Lt,
    Ge,
    Gt,
}

impl Sign {
    fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Sign::Eq => a == b,
            Sign::Ne => a != b,
            Sign::Le => a <= b,
            Sign::Lt => a < b,
            Sign::Ge => a >= b,
            Sign::Gt => a > b,
        }
    }
}

/// The values of all, if all are defined.
fn values(of: &[Int], x: &[i64]) -> Option<Vec<i64>> {
    of.iter().map(|i| i.value(x)).collect()
}

impl Int {
    /// The value where the variables have these values; none if it is undefined.
    pub(crate) fn value(&self, x: &[i64]) -> Option<i64> {
        match self {
            Int::Const(value) => Some(*value),
            Int::View { scale, variable, offset } => Some(scale * x[*variable] + offset),
            Int::Sum(terms) => terms.iter().map(|term| term.value(x)).sum(),
            Int::Weighted(terms) => terms.iter().map(|(c, term)| Some(c * term.value(x)?)).sum(),
            Int::Minus(both) => Some(both[0].value(x)? - both[1].value(x)?),
            Int::Abs(inner) => Some(inner.value(x)?.abs()),
            Int::Min(of) => values(of, x)?.into_iter().min(),
            Int::Max(of) => values(of, x)?.into_iter().max(),
            Int::Element(array, index) => {
                let index = usize::try_from(index.value(x)?).ok()?;
                values(array, x)?.get(index).copied()
            }
            Int::Truth(of) => Some(i64::from(of.is_true(x))),
        }
    }
}

impl Bool {
    /// Whether it is true where the variables have these values.
    pub(crate) fn is_true(&self, x: &[i64]) -> bool {
        let trues = |parts: &[Bool]| parts.iter().filter(|part| part.is_true(x)).count();
        match self {
            Bool::Const(value) => *value,
            Bool::Variable(i) => x[*i] == 1,
            Bool::Compare(a, sign, b) => match (a.value(x), b.value(x)) {
                (Some(a), Some(b)) => sign.holds(a, b),
                _ => false,
            },
            Bool::Not(part) => !part.is_true(x),
            Bool::All(parts) => trues(parts) == parts.len(),
            Bool::Any(parts) => trues(parts) > 0,
            Bool::Odd(parts) => trues(parts) % 2 == 1,
            Bool::When(both) => !both[0].is_true(x) || both[1].is_true(x),
            Bool::Iff(both) => both[0].is_true(x) == both[1].is_true(x),
            Bool::Count(sign, k, parts) => sign.holds(trues(parts) as i64, *k),
            Bool::Table(operands, rows, allowed) => {
                values(operands, x).is_some_and(|row| rows.contains(&row) == *allowed)
            }
            Bool::AllDifferent(_, operands) => values(operands, x)
                .is_some_and(|all| all.iter().collect::<BTreeSet<_>>().len() == operands.len()),
            Bool::NoOverlap(tasks) => {
                let spans = tasks.iter().map(|(start, duration)| {
                    let start = start.value(x)?;
                    Some((start, start + duration))
                });
                let Some(mut spans) = spans.collect::<Option<Vec<_>>>() else { return false };
                spans.retain(|(start, end)| start < end);
                spans.sort_unstable();
                spans.windows(2).all(|pair| pair[0].1 <= pair[1].0)
            }
        }
    }
}

fn list<T: fmt::Display>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Int::Const(value) => write!(f, "{value}"),
            Int::View { scale, variable, offset } => {
                match scale {
                    1 => write!(f, "x{variable}")?,
                    -1 => write!(f, "-x{variable}")?,
                    _ => write!(f, "{scale}*x{variable}")?,
                }
                if *offset == 0 { Ok(()) } else { write!(f, "{offset:+}") }
            }
            Int::Sum(terms) => write!(f, "sum({})", list(terms)),
            Int::Weighted(terms) => {
                let terms: Vec<String> = terms.iter().map(|(c, term)| format!("{c}*({term})")).collect();
                write!(f, "weighted_sum({})", list(&terms))
            }
            Int::Minus(both) => write!(f, "({} - {})", both[0], both[1]),
            Int::Abs(inner) => write!(f, "abs({inner})"),
            Int::Min(of) => write!(f, "minimum({})", list(of)),
            Int::Max(of) => write!(f, "maximum({})", list(of)),
            Int::Element(array, index) => write!(f, "element([{}], {index})", list(array)),
            Int::Truth(of) => write!(f, "truth({of})"),
        }
    }
}

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sign::Eq => "=",
            Sign::Ne => "!=",
            Sign::Le => "<=",
            Sign::Lt => "<",
            Sign::Ge => ">=",
            Sign::Gt => ">",
        })
    }
}

impl fmt::Display for Bool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bool::Const(value) => write!(f, "{value}"),
            Bool::Variable(i) => write!(f, "x{i}"),
            Bool::Compare(a, sign, b) => write!(f, "{a} {sign} {b}"),
            Bool::Not(part) => write!(f, "not({part})"),
            Bool::All(parts) => write!(f, "conjunction({})", list(parts)),
            Bool::Any(parts) => write!(f, "clause({})", list(parts)),
            Bool::Odd(parts) => write!(f, "xor({})", list(parts)),
            Bool::When(both) => write!(f, "when({}, {})", both[0], both[1]),
            Bool::Iff(both) => write!(f, "iff({}, {})", both[0], both[1]),
            Bool::Count(sign, k, parts) => match sign {
                Sign::Ge => write!(f, "at_least({k}, [{}])", list(parts)),
                Sign::Le => write!(f, "at_most({k}, [{}])", list(parts)),
                _ => write!(f, "exactly({k}, [{}])", list(parts)),
            },
            Bool::Table(operands, rows, allowed) => {
                let name = if *allowed { "table" } else { "forbidden" };
                write!(f, "{name}([{}], {rows:?})", list(operands))
            }
            Bool::AllDifferent(strength, operands) => {
                write!(f, "all_different({}) by {strength:?}", list(operands))
            }
            Bool::NoOverlap(tasks) => {
                let tasks: Vec<String> = tasks.iter().map(|(start, d)| format!("{start} for {d}")).collect();
                write!(f, "no_overlap({})", list(&tasks))
            }
        }
    }
}
