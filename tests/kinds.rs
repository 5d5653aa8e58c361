//! Every constraint on every kind of operand that solvers have been wrong about, in every form: the solutions
//! are compared with brute force in 128 bits. A model may be refused where numbers are too large, and never
//! otherwise.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use csp_core::ModelErrorKind;
use csp_core::constraints::{AllDifferent, Cardinality, NoOverlap, Operator, Table};
use csp_core::prelude::*;

/// The largest value there is.
const MAX: i64 = (1 << 62) - 1;

const OPERATORS: [Operator; 6] =
    [Operator::Eq, Operator::Ne, Operator::Le, Operator::Lt, Operator::Ge, Operator::Gt];

/// The value of an operand; none if it is undefined.
type Value = Option<i128>;

/// How large the numbers of a kind are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    /// No model may be refused.
    Ordinary,
    /// Sums may be too large; a model may be refused if it adds anything up.
    Extreme,
    /// Every operand is too large; every model that has one must be refused.
    Beyond,
}

/// How the operands are made of the variables.
#[derive(Clone, Copy)]
enum Operands {
    Integers(fn(&[IntVar]) -> Vec<IntExpr>),
    Booleans(fn(&[BoolVar]) -> Vec<BoolVar>),
}
use Operands::{Booleans, Integers};

/// A kind of operands.
struct Kind {
    name: &'static str,
    domains: Vec<Vec<i64>>,
    /// Variables are declared with all values up to this, and get their domains only after the constraint.
    wide: Option<i64>,
    operands: Operands,
    values: fn(&[i128]) -> Vec<Value>,
    size: Size,
    /// Whether an operand may be undefined.
    partial: bool,
}

fn kind<const N: usize>(
    name: &'static str,
    domains: [&[i64]; N],
    operands: Operands,
    values: fn(&[i128]) -> Vec<Value>,
) -> Kind {
    let domains = domains.map(<[i64]>::to_vec).to_vec();
    Kind { name, domains, wide: None, operands, values, size: Size::Ordinary, partial: false }
}

/// Integer expressions of different types as a list.
macro_rules! list {
    ($($x:expr),* $(,)?) => { vec![$(IntExpr::from($x)),*] };
}

/// Defined values as a list.
macro_rules! some {
    ($($x:expr),* $(,)?) => { vec![$(Some($x)),*] };
}

fn kinds() -> Vec<Kind> {
    let quarter = 1 << 59;
    let plain = Integers(|v| v.iter().map(|&x| x.into()).collect());
    let each = |v: &[i128]| v.iter().map(|&x| Some(x)).collect();
    let extreme = |kind: Kind| Kind { size: Size::Extreme, ..kind };
    let beyond = |kind: Kind| Kind { size: Size::Beyond, ..kind };
    let partial = |kind: Kind| Kind { partial: true, ..kind };
    vec![
        kind("no operand", [], plain, each),
        kind("no operand, but a variable", [&[0, 1]], Integers(|_| Vec::new()), |_| Vec::new()),
        kind("one variable", [&[-2, 0, 1, 3]], plain, each),
        kind("three variables", [&[-2, 0, 1], &[0, 2, 3], &[-1, 1, 2]], plain, each),
        kind("domains of one value", [&[1], &[2], &[1]], plain, each),
        kind("an empty domain", [&[], &[0, 1], &[2]], plain, each),
        kind("holes", [&[-40, 0, 2], &[-40, 1, 64], &[0, 35, 200]], plain, each),
        kind("constants", [], Integers(|_| list![1, 2, 1]), |_| some![1, 2, 1]),
        kind("other constants", [], Integers(|_| list![2, -1, 0]), |_| some![2, -1, 0]),
        kind("equal constants", [], Integers(|_| list![0, 0, 0]), |_| some![0, 0, 0]),
        kind(
            "a constant among variables",
            [&[-1, 0, 1], &[0, 1, 2]],
            Integers(|v| list![v[0], 1, v[1]]),
            |v| some![v[0], 1, v[1]],
        ),
        kind(
            "a variable twice at the beginning",
            [&[-1, 0, 1, 2], &[0, 1, 3]],
            Integers(|v| list![v[0], v[0], v[1]]),
            |v| some![v[0], v[0], v[1]],
        ),
        kind(
            "a variable twice, around another",
            [&[-1, 0, 1, 2], &[0, 1, 3]],
            Integers(|v| list![v[0], v[1], v[0]]),
            |v| some![v[0], v[1], v[0]],
        ),
        kind("a variable four times", [&[-1, 0, 1, 2]], Integers(|v| vec![v[0].into(); 4]), |v| {
            vec![Some(v[0]); 4]
        }),
        kind(
            "views of one variable",
            [&[-2, -1, 0, 1, 2]],
            Integers(|v| list![v[0], 2 * v[0] - 1, -v[0]]),
            |v| some![v[0], 2 * v[0] - 1, -v[0]],
        ),
        kind(
            "views of two variables",
            [&[-2, 0, 1], &[0, 1, 3]],
            Integers(|v| list![3 - v[1], 1 - 2 * v[0], v[1] + 1, 2 * v[0]]),
            |v| some![3 - v[1], 1 - 2 * v[0], v[1] + 1, 2 * v[0]],
        ),
        kind(
            "sums that share variables",
            [&[-1, 0, 2], &[0, 1, 3]],
            Integers(|v| list![v[0] + v[1], v[0] - v[1], v[1], 2 * (v[0] + v[1]) - v[0]]),
            |v| some![v[0] + v[1], v[0] - v[1], v[1], v[0] + 2 * v[1]],
        ),
        kind(
            "sums in which everything cancels",
            [&[-1, 0, 2], &[0, 1, 3]],
            Integers(|v| list![2 * v[0] - v[0] - v[0], v[1] + v[0] - v[1], v[1]]),
            |v| some![0, v[0], v[1]],
        ),
        kind(
            "functions of the same variables",
            [&[-2, 0, 1], &[-1, 1, 2]],
            Integers(|v| {
                list![v[0].abs(), minimum([v[0], v[1]]), (v[0] - v[1]).abs(), maximum([v[0], v[1]])]
            }),
            |v| some![v[0].abs(), v[0].min(v[1]), (v[0] - v[1]).abs(), v[0].max(v[1])],
        ),
        kind(
            "truth values as numbers",
            [&[-1, 0, 1], &[0, 1, 2]],
            Integers(|v| list![v[0].lt(v[1]), 2 * v[0].eq(v[1]) - 1, !v[0].ge(0), v[1]]),
            |v| {
                let number = |b: bool| i128::from(b);
                some![number(v[0] < v[1]), 2 * number(v[0] == v[1]) - 1, number(v[0] < 0), v[1]]
            },
        ),
        partial(kind(
            "an entry that may be outside",
            [&[-1, 0, 1, 2, 3], &[0, 1, 2]],
            Integers(|v| list![element([1, 0, 2], v[0]), v[1], v[0]]),
            |v| {
                let entry = usize::try_from(v[0]).ok().and_then(|i| [1, 0, 2].get(i).copied());
                vec![entry, Some(v[1]), Some(v[0])]
            },
        )),
        partial(kind(
            "an entry of variables at one of them",
            [&[-1, 0, 1, 2], &[0, 1, 5]],
            Integers(|v| {
                list![v[1], element([v[1], v[0]], v[0]) + 1, element(list![v[0] + v[1], v[0]], v[1])]
            }),
            |v| {
                let entry = |list: [i128; 2], i| usize::try_from(i).ok().and_then(|i| list.get(i).copied());
                let first = entry([v[1], v[0]], v[0]).map(|x| x + 1);
                vec![Some(v[1]), first, entry([v[0] + v[1], v[0]], v[1])]
            },
        )),
        partial(kind(
            "the smallest of nothing",
            [&[0, 1, 2]],
            Integers(|v| list![v[0], minimum::<IntVar>([]), v[0]]),
            |v| vec![Some(v[0]), None, Some(v[0])],
        )),
        kind("Booleans", [&[0, 1]; 3], Booleans(|b| vec![b[0], !b[1], b[2]]), |v| {
            some![v[0], 1 - v[1], v[2]]
        }),
        kind("a Boolean and its negation", [&[0, 1]; 2], Booleans(|b| vec![b[0], !b[0], b[1]]), |v| {
            some![v[0], 1 - v[0], v[1]]
        }),
        kind("a Boolean twice", [&[0, 1]; 2], Booleans(|b| vec![!b[0], b[1], !b[0]]), |v| {
            some![1 - v[0], v[1], 1 - v[0]]
        }),
        kind("Boolean constants", [&[0, 1]], Booleans(|b| vec![true.into(), b[0], false.into()]), |v| {
            some![1, v[0], 0]
        }),
        Kind {
            wide: Some(1 << 40),
            ..kind("large domains", [&[-1 << 40, 0, 1], &[0, 2, 1 << 40], &[-1, 1, 1 << 40]], plain, each)
        },
        Kind {
            wide: Some(1 << 40),
            ..kind(
                "sums and functions over large domains",
                [&[-1 << 40, 0, 3], &[0, 2, 1 << 40]],
                Integers(|v| list![v[0] + v[1], (v[0] - v[1]).abs(), v[1], maximum([v[0].into(), 2 * v[1]])]),
                |v| some![v[0] + v[1], (v[0] - v[1]).abs(), v[1], v[0].max(2 * v[1])],
            )
        },
        Kind {
            wide: Some(100_000),
            ..kind(
                "views of one variable with a large domain",
                [&[-77_777, 0, 1, 2, 99_999]],
                Integers(|v| list![v[0], 2 * v[0] - 1, -v[0]]),
                |v| some![v[0], 2 * v[0] - 1, -v[0]],
            )
        },
        kind(
            "products above 32 bits",
            [&[0, 1, 1 << 28], &[0, 1 << 56]],
            Integers(|v| list![(1 << 29) * v[0], v[1], -(1 << 28) * v[0]]),
            |v| some![v[0] << 29, v[1], -(v[0] << 28)],
        ),
        extreme(kind("extremes", [&[-MAX, 0, MAX]; 3], plain, each)),
        extreme(kind(
            "extremes and their neighbours",
            [&[MAX - 1, MAX], &[-MAX, MAX], &[0, 1, MAX]],
            plain,
            each,
        )),
        extreme(kind("extreme constants", [], Integers(|_| list![MAX, -MAX, MAX]), |_| {
            some![i128::from(MAX), -i128::from(MAX), i128::from(MAX)]
        })),
        extreme(Kind {
            wide: Some(MAX),
            ..kind("all values", [&[-MAX, 0, 1], &[0, 2, MAX], &[-1, 1, MAX]], plain, each)
        }),
        extreme(kind(
            "an extreme variable twice",
            [&[-MAX, 0, MAX], &[-MAX, 1, MAX]],
            Integers(|v| list![v[0], -v[0], v[1], v[0]]),
            |v| some![v[0], -v[0], v[1], v[0]],
        )),
        extreme(kind(
            "views up to the extremes",
            [&[0, 1, MAX], &[-1, 0, 1]],
            Integers(|v| list![v[0] - MAX, MAX * v[1], MAX - v[0]]),
            |v| some![v[0] - i128::from(MAX), i128::from(MAX) * v[1], i128::from(MAX) - v[0]],
        )),
        extreme(kind(
            "functions of extremes",
            [&[-MAX, 0, MAX], &[-MAX, 1, MAX]],
            Integers(|v| list![v[0].abs(), maximum([v[0], v[1]]), minimum([v[0], v[1]]), v[1].abs()]),
            |v| some![v[0].abs(), v[0].max(v[1]), v[0].min(v[1]), v[1].abs()],
        )),
        partial(extreme(kind(
            "extreme entries",
            [&[-MAX, 0, 1, MAX], &[-MAX, 0, MAX]],
            Integers(|v| list![element([MAX, -MAX], v[0]), v[1], element([v[1], v[0]], v[0])]),
            |v| {
                let entry = |list: [i128; 2], i| usize::try_from(i).ok().and_then(|i| list.get(i).copied());
                let m = i128::from(MAX);
                vec![entry([m, -m], v[0]), Some(v[1]), entry([v[1], v[0]], v[0])]
            },
        ))),
        extreme(kind(
            "sums up to half the extremes",
            [&[-quarter, 0, quarter], &[-quarter, 1, quarter]],
            Integers(|v| list![v[0] + v[1], v[0] - v[1], 2 * v[1]]),
            |v| some![v[0] + v[1], v[0] - v[1], 2 * v[1]],
        )),
        beyond(kind("products too large", [&[MAX - 1, MAX]], Integers(|v| list![2 * v[0], 3 * v[0]]), |v| {
            some![2 * v[0], 3 * v[0]]
        })),
        beyond(kind("views one too large", [&[0, MAX]], Integers(|v| list![v[0] + 1, -v[0] - 1]), |v| {
            some![v[0] + 1, -v[0] - 1]
        })),
        beyond(kind(
            "factors too large",
            [&[0]],
            Integers(|v| list![i64::MAX * v[0], i64::MIN * v[0]]),
            |_| some![0, 0],
        )),
        beyond(kind(
            "views that exceed 64 bits",
            [&[0, 1]],
            Integers(|v| list![v[0] * i64::MAX * 2, v[0] + i64::MAX + i64::MAX]),
            |v| some![v[0] * i128::from(i64::MAX) * 2, v[0] + 2 * i128::from(i64::MAX)],
        )),
        beyond(kind("constants too large", [], Integers(|_| list![i64::MAX, i64::MIN]), |_| {
            some![i64::MAX.into(), i64::MIN.into()]
        })),
        beyond(kind(
            "sums too large",
            [&[-MAX, MAX], &[-MAX, MAX]],
            Integers(|v| list![v[0] + v[1], v[0] - v[1]]),
            |v| some![v[0] + v[1], v[0] - v[1]],
        )),
        beyond(kind(
            "functions of sums too large",
            [&[-MAX, MAX], &[-MAX, MAX]],
            Integers(|v| list![(v[0] + v[1]).abs(), minimum([v[0] - v[1], v[0] + v[1]])]),
            |v| some![(v[0] + v[1]).abs(), (v[0] - v[1]).min(v[0] + v[1])],
        )),
        beyond(kind(
            "entries too large",
            [&[0, 1]],
            Integers(|v| list![element([0, i64::MAX], v[0]), element([i64::MIN, 0], v[0])]),
            |v| some![v[0] * i128::from(i64::MAX), (1 - v[0]) * i128::from(i64::MIN)],
        )),
    ]
}

/// A constraint of one of the types there are.
enum Demand {
    Bool(BoolExpr),
    Count(Cardinality),
    Rows(Table),
    Different(AllDifferent),
    Apart(NoOverlap),
}

impl Demand {
    fn post(self, model: &mut Model) {
        match self {
            Demand::Bool(c) => model.post(c),
            Demand::Count(c) => model.post(c),
            Demand::Rows(c) => model.post(c),
            Demand::Different(c) => model.post(c),
            Demand::Apart(c) => model.post(c),
        };
    }

    fn holds(self) -> BoolExpr {
        match self {
            Demand::Bool(c) => c,
            Demand::Count(c) => c.holds(),
            Demand::Rows(c) => c.holds(),
            Demand::Different(c) => c.holds(),
            Demand::Apart(c) => c.holds(),
        }
    }
}

/// What a constraint is made of.
struct Given {
    integers: Vec<IntExpr>,
    /// Those that are at least 1, or the Booleans themselves.
    booleans: Vec<BoolExpr>,
    /// All values that the integers can take together.
    tuples: Vec<Vec<Value>>,
}

impl Given {
    /// An integer; its place, where there are not so many.
    fn at(&self, i: usize) -> IntExpr {
        self.integers.get(i).cloned().unwrap_or_else(|| IntExpr::from(i as i64))
    }

    fn from(&self, i: usize) -> Vec<IntExpr> {
        self.integers.iter().skip(i).cloned().collect()
    }

    fn boolean(&self, i: usize) -> BoolExpr {
        self.booleans.get(i).cloned().unwrap_or_else(|| BoolVar::from(i % 2 == 1).into())
    }
}

/// A value; its place, where there are not so many.
fn at(values: &[Value], i: usize) -> Value {
    values.get(i).copied().unwrap_or(Some(i as i128))
}

fn boolean(values: &[Value], i: usize) -> bool {
    values.get(i).map_or(i % 2 == 1, |&v| is_true(v))
}

fn is_true(value: Value) -> bool {
    value.is_some_and(|v| v >= 1)
}

fn trues(values: &[Value]) -> i128 {
    values.iter().filter(|&&v| is_true(v)).count() as i128
}

/// A comparison of what may be undefined.
fn compare(x: Value, operator: Operator, y: Value) -> bool {
    x.zip(y).is_some_and(|(x, y)| operator.holds(x, y))
}

fn entry(list: &[Value], i: Value) -> Value {
    list.get(usize::try_from(i?).ok()?).copied().flatten()
}

fn total(values: &[Value], coefficients: &[i64]) -> Value {
    values.iter().zip(coefficients.iter().cycle()).map(|(v, &c)| v.map(|v| v * i128::from(c))).sum()
}

/// The values of the middle one of all tuples.
fn middle(tuples: &[Vec<Value>]) -> &[Value] {
    tuples.get(tuples.len() / 2).map_or(&[], |t| t)
}

/// Half of the tuples, as rows; and some that are none of them.
fn some_rows(tuples: &[Vec<Value>]) -> Vec<Vec<i64>> {
    let row =
        |tuple: &Vec<Value>| tuple.iter().map(|&v| i64::try_from(v?).ok()).collect::<Option<Vec<i64>>>();
    let mut rows: Vec<Vec<i64>> = tuples.iter().step_by(2).filter_map(row).collect();
    let arity = tuples.first().map_or(0, Vec::len);
    if arity > 0 {
        rows.extend([i64::MIN, -7, 1000, i64::MAX].map(|v| vec![v; arity]));
    }
    rows
}

type Meaning = dyn Fn(&[Value], &[Vec<Value>]) -> bool;

struct Rule {
    name: String,
    make: Box<dyn Fn(&Given) -> Demand>,
    /// Whether it holds of these values, of all that there may be.
    meaning: Box<Meaning>,
    /// Whether it adds numbers up.
    adds: bool,
    /// Whether it compares an operand with a function of itself: over large domains the bounds of the two
    /// may push each other on by one at a time, which is right and takes too long to wait for.
    creeps: bool,
}

fn rule(
    name: impl Into<String>,
    make: impl Fn(&Given) -> Demand + 'static,
    meaning: impl Fn(&[Value], &[Vec<Value>]) -> bool + 'static,
) -> Rule {
    Rule { name: name.into(), make: Box::new(make), meaning: Box::new(meaning), adds: false, creeps: false }
}

/// A Boolean expression as a rule.
fn formula(
    name: impl Into<String>,
    make: impl Fn(&Given) -> BoolExpr + 'static,
    meaning: impl Fn(&[Value]) -> bool + 'static,
) -> Rule {
    rule(name, move |given| Demand::Bool(make(given)), move |values, _| meaning(values))
}

const COEFFICIENTS: [&[i64]; 3] = [&[1], &[2, -3], &[1, -1, 0]];
const DURATIONS: [i64; 4] = [2, 0, 1, 3];
const ARRAY: [i64; 5] = [3, -1, 0, 2, 1];

fn rules() -> Vec<Rule> {
    let adding = |rule: Rule| Rule { adds: true, ..rule };
    let mut rules = Vec::new();
    for op in OPERATORS {
        let sign = op.sign();
        for coefficients in COEFFICIENTS {
            let weighted = |given: &Given| -> IntExpr {
                weighted_sum(coefficients.iter().cycle().copied().zip(given.integers.clone()))
            };
            let pivot = |tuples: &[Vec<Value>]| -> i64 {
                let value = total(middle(tuples), coefficients).unwrap_or(1);
                i64::try_from(value).unwrap_or(1)
            };
            rules.push(adding(rule(
                format!("sum with {coefficients:?} {sign} a number"),
                move |given| Demand::Bool(weighted(given).compare(op, pivot(&given.tuples))),
                move |values, all| compare(total(values, coefficients), op, Some(i128::from(pivot(all)))),
            )));
            rules.push(adding(formula(
                format!("sum with {coefficients:?} {sign} an operand of it"),
                move |given| weighted(given).compare(op, given.at(1)),
                move |values| compare(total(values, coefficients), op, at(values, 1)),
            )));
        }
        rules.push(formula(
            format!("x {sign} y"),
            move |given| given.at(0).compare(op, given.at(1)),
            move |values| compare(at(values, 0), op, at(values, 1)),
        ));
        rules.push(formula(
            format!("x {sign} 1"),
            move |given| given.at(0).compare(op, 1),
            move |values| compare(at(values, 0), op, Some(1)),
        ));
        rules.push(formula(
            format!("|x| {sign} y"),
            move |given| given.at(0).abs().compare(op, given.at(1)),
            move |values| compare(at(values, 0).map(i128::abs), op, at(values, 1)),
        ));
        rules.push(adding(formula(
            format!("|x - y| {sign} z"),
            move |given| (given.at(0) - given.at(1)).abs().compare(op, given.at(2)),
            move |values| {
                let difference = at(values, 0).zip(at(values, 1)).map(|(x, y)| (x - y).abs());
                compare(difference, op, at(values, 2))
            },
        )));
        for smallest in [true, false] {
            let make = if smallest { minimum::<IntExpr> as fn(Vec<IntExpr>) -> IntExpr } else { maximum };
            let extremum = move |values: &[Value]| -> Value {
                let defined = values.iter().copied().collect::<Option<Vec<i128>>>()?;
                if smallest { defined.into_iter().min() } else { defined.into_iter().max() }
            };
            let word = if smallest { "minimum" } else { "maximum" };
            rules.push(formula(
                format!("{word} of the others {sign} x"),
                move |given| make(given.from(1)).compare(op, given.at(0)),
                move |values| compare(extremum(values.get(1..).unwrap_or(&[])), op, at(values, 0)),
            ));
            rules.push(Rule {
                creeps: true,
                ..formula(
                    format!("x {sign} {word} of all"),
                    move |given| given.at(0).compare(op, make(given.from(0))),
                    move |values| compare(at(values, 0), op, extremum(values)),
                )
            });
        }
        rules.push(formula(
            format!("constant at x {sign} y"),
            move |given| element(ARRAY, given.at(0)).compare(op, given.at(1)),
            move |values| compare(entry(&ARRAY.map(|v| Some(v.into())), at(values, 0)), op, at(values, 1)),
        ));
        rules.push(formula(
            format!("one of the others at x {sign} y"),
            move |given| element(given.from(1), given.at(0)).compare(op, given.at(1)),
            move |values| {
                let others = values.get(1..).unwrap_or(&[]);
                // An operand that is undefined makes the whole undefined.
                let defined = others.iter().all(Option::is_some);
                compare(entry(others, at(values, 0)).filter(|_| defined), op, at(values, 1))
            },
        ));
        rules.push(formula(
            format!("number of true ones {sign} 2"),
            move |given| sum(given.booleans.clone()).compare(op, 2),
            move |values| op.holds(trues(values), 2),
        ));
    }
    let is_row = |values: &[Value], all: &[Vec<Value>]| -> Option<bool> {
        let values = values.iter().copied().collect::<Option<Vec<i128>>>()?;
        let equal = |row: &Vec<i64>| row.iter().map(|&v| i128::from(v)).eq(values.iter().copied());
        Some(some_rows(all).iter().any(equal))
    };
    rules.extend([
        rule(
            "table",
            |given| Demand::Rows(table(given.from(0), some_rows(&given.tuples))),
            move |values, all| is_row(values, all) == Some(true),
        ),
        rule(
            "forbidden",
            |given| Demand::Rows(forbidden(given.from(0), some_rows(&given.tuples))),
            move |values, all| is_row(values, all) == Some(false),
        ),
        rule(
            "table without rows",
            |given| Demand::Rows(table(given.from(0), [] as [[i64; 0]; 0])),
            |_, _| false,
        ),
        rule(
            "forbidden without rows",
            |given| Demand::Rows(forbidden(given.from(0), [] as [[i64; 0]; 0])),
            |values, _| values.iter().all(Option::is_some),
        ),
    ]);
    for strength in [Strength::Auto, Strength::Value, Strength::Bounds, Strength::Domain] {
        rules.push(rule(
            format!("all_different by {strength:?}"),
            move |given| Demand::Different(all_different(given.from(0)).strength(strength)),
            |values, _| (0..values.len()).all(|j| values[j].is_some() && !values[..j].contains(&values[j])),
        ));
    }
    rules.push(rule(
        "no_overlap",
        |given| Demand::Apart(no_overlap(given.from(0).into_iter().zip(DURATIONS.into_iter().cycle()))),
        |values, _| {
            let spans = values
                .iter()
                .zip(DURATIONS.into_iter().cycle())
                .map(|(v, d)| v.map(|v| (v, v + i128::from(d))));
            let Some(spans) = spans.collect::<Option<Vec<(i128, i128)>>>() else { return false };
            let busy: Vec<(i128, i128)> = spans.into_iter().filter(|span| span.0 < span.1).collect();
            (0..busy.len()).all(|i| busy[..i].iter().all(|a| a.1 <= busy[i].0 || busy[i].1 <= a.0))
        },
    ));
    rules.extend([
        formula("clause", |given| clause(given.booleans.clone()), |values| trues(values) > 0),
        formula(
            "conjunction",
            |given| conjunction(given.booleans.clone()),
            |values| trues(values) == values.len() as i128,
        ),
        formula("xor", |given| xor(given.booleans.clone()), |values| trues(values) % 2 == 1),
        formula(
            "a -> b",
            |given| when(given.boolean(0), given.boolean(1)),
            |values| !boolean(values, 0) || boolean(values, 1),
        ),
        formula(
            "a <-> b",
            |given| iff(given.boolean(0), given.boolean(1)),
            |values| boolean(values, 0) == boolean(values, 1),
        ),
    ]);
    for k in [i64::MIN, -1, 0, 1, 2, i64::MAX] {
        for (name, make, op) in [
            ("at_least", at_least as fn(i64, Vec<BoolExpr>) -> Cardinality, Operator::Ge),
            ("at_most", at_most, Operator::Le),
            ("exactly", exactly, Operator::Eq),
        ] {
            rules.push(rule(
                format!("{name}({k})"),
                move |given| Demand::Count(make(k, given.booleans.clone())),
                move |values, _| op.holds(trues(values), k.into()),
            ));
        }
    }
    rules
}

/// A way to use a constraint together with a Boolean of its own.
struct Form {
    name: &'static str,
    /// Whether the constraint is needed negated.
    negates: bool,
    post: fn(&mut Model, Demand, BoolVar),
    meaning: fn(bool, bool) -> bool,
}

fn forms() -> Vec<Form> {
    let form = |name, post, meaning| Form { name, negates: false, post, meaning };
    let negating = |name, post, meaning| Form { name, negates: true, post, meaning };
    vec![
        form("c", |m, c, _| c.post(m), |c, _| c),
        form(
            "c as an expression",
            |m, c, _| {
                m.post(c.holds());
            },
            |c, _| c,
        ),
        form(
            "b -> c",
            |m, c, b| {
                m.post(when(b, c.holds()));
            },
            |c, b| !b || c,
        ),
        form(
            "b | c",
            |m, c, b| {
                m.post(b | c.holds());
            },
            |c, b| b || c,
        ),
        form(
            "b & c",
            |m, c, b| {
                m.post(b & c.holds());
            },
            |c, b| b && c,
        ),
        form(
            "!!c",
            |m, c, _| {
                m.post(!!c.holds());
            },
            |c, _| c,
        ),
        negating(
            "!c",
            |m, c, _| {
                m.post(!c.holds());
            },
            |c, _| !c,
        ),
        negating(
            "b <-> c",
            |m, c, b| {
                m.post(iff(b, c.holds()));
            },
            |c, b| b == c,
        ),
        negating(
            "b ^ c",
            |m, c, b| {
                m.post(b ^ c.holds());
            },
            |c, b| b != c,
        ),
        negating(
            "b -> !c",
            |m, c, b| {
                m.post(when(b, !c.holds()));
            },
            |c, b| !b || !c,
        ),
        negating(
            "c -> b",
            |m, c, b| {
                m.post(when(c.holds(), b));
            },
            |c, b| !c || b,
        ),
        negating(
            "!(b & c)",
            |m, c, b| {
                m.post(!(b & c.holds()));
            },
            |c, b| !(b && c),
        ),
        negating(
            "c as a number = b",
            |m, c, b| {
                m.post(IntExpr::from(c.holds()).eq(b));
            },
            |c, b| c == b,
        ),
        negating(
            "c + b >= 1",
            |m, c, b| {
                m.post((c.holds() + b).ge(1));
            },
            |c, b| c || b,
        ),
    ]
}

/// All ways to take one value of each domain.
fn product(domains: &[Vec<i64>]) -> Vec<Vec<i64>> {
    domains.iter().fold(vec![Vec::new()], |tuples, domain| {
        tuples.iter().flat_map(|t| domain.iter().map(move |&v| [&t[..], &[v]].concat())).collect()
    })
}

fn wide(tuple: &[i64]) -> Vec<i128> {
    tuple.iter().map(|&v| i128::from(v)).collect()
}

#[derive(Debug, Default)]
struct Tally {
    solved: u64,
    refused: u64,
    solutions: u64,
}

/// Whether the model of one constraint is refused or solved as it should be.
fn check(kind: &Kind, rule: &Rule, form: &Form, tally: &mut Tally) -> Result<(), String> {
    let mut model = Model::new();
    let domain = |d: &[i64]| kind.wide.map_or(Domain::from(d), |w| Domain::from(-w..=w));
    let (variables, integers, literals): (Vec<Affine>, _, _) = match kind.operands {
        Integers(make) => {
            let variables: Vec<IntVar> = kind.domains.iter().map(|d| model.int(domain(d))).collect();
            (variables.iter().map(Affine::from).collect(), make(&variables), None)
        }
        Booleans(make) => {
            let variables = model.bools(kind.domains.len());
            let literals = make(&variables);
            let integers = literals.iter().map(|&b| b.into()).collect();
            (variables.iter().map(Affine::from).collect(), integers, Some(literals))
        }
    };
    let booleans: Vec<BoolExpr> = match literals {
        Some(literals) => literals.into_iter().map(BoolExpr::from).collect(),
        None => integers.iter().map(|x: &IntExpr| x.clone().ge(1)).collect(),
    };
    let b = model.bool();
    let points = product(&kind.domains);
    let tuples: Vec<Vec<Value>> = points.iter().map(|point| (kind.values)(&wide(point))).collect();
    let given = Given { integers, booleans, tuples };
    (form.post)(&mut model, (rule.make)(&given), b);
    if kind.wide.is_some() {
        for (&x, domain) in variables.iter().zip(&kind.domains) {
            model.post(table([x], domain.iter().map(|&v| [v])));
        }
    }

    let cannot_be_negated = rule.name.starts_with("all_different")
        || rule.name == "no_overlap"
        || kind.partial && (rule.name.starts_with("table") || rule.name.starts_with("forbidden"));
    let no_negation = form.negates && cannot_be_negated;
    let mut solver = match model.solver() {
        Err(mistake) => {
            tally.refused += 1;
            return match mistake.kind {
                ModelErrorKind::NoNegation if no_negation => Ok(()),
                ModelErrorKind::TooLarge | ModelErrorKind::SumTooLarge
                    if kind.size == Size::Beyond || kind.size == Size::Extreme && rule.adds =>
                {
                    Ok(())
                }
                _ => Err(format!("refused: {mistake}")),
            };
        }
        Ok(_) if no_negation => return Err("not refused, though it has no negation".into()),
        Ok(_) if kind.size == Size::Beyond => return Err("not refused, though too large".into()),
        Ok(solver) => solver,
    };
    solver.set_limits(Limits::new().time(Duration::from_secs(10)));
    let mut expected: Vec<Vec<i64>> = Vec::new();
    for (point, tuple) in points.iter().zip(&given.tuples) {
        let holds = (rule.meaning)(tuple, &given.tuples);
        let with = |b: bool| (form.meaning)(holds, b).then(|| [&point[..], &[b.into()]].concat());
        expected.extend([false, true].into_iter().filter_map(with));
    }
    expected.sort_unstable();
    let shown: Vec<Affine> = variables.iter().copied().chain([b.into()]).collect();
    let mut found: Vec<Vec<i64>> = solver.solutions().map(|s| s.values(&shown)).collect();
    let outcome = solver.outcome();
    found.sort_unstable();
    if !outcome.is_some_and(Outcome::is_complete) || found != expected {
        return Err(format!("{outcome:?}: found {found:?}, which should be {expected:?}"));
    }
    solver.set_search(branch(shown.iter().rev()).max_value());
    let count = solver.count();
    if !count.outcome.is_complete() || count.solutions != expected.len() as u64 {
        return Err(format!("{count:?} in another order, and there are {}", expected.len()));
    }
    solver.set_mode(Mode::Learning);
    let learnt = solver.count();
    if !learnt.outcome.is_complete() || learnt.solutions != expected.len() as u64 {
        return Err(format!("{learnt:?} with learning, and there are {}", expected.len()));
    }
    tally.solved += 1;
    tally.solutions += count.solutions;
    Ok(())
}

#[test]
fn every_constraint_on_every_kind_of_operands_in_every_form() {
    let (rules, forms) = (rules(), forms());
    let mut faults = Vec::new();
    for kind in kinds() {
        let mut tally = Tally::default();
        for rule in rules.iter().filter(|rule| !rule.creeps || kind.wide.is_none_or(|w| w < 1 << 20)) {
            for form in &forms {
                let result = catch_unwind(AssertUnwindSafe(|| check(&kind, rule, form, &mut tally)))
                    .unwrap_or_else(|_| Err("panicked".into()));
                if let Err(fault) = result {
                    println!("{}; {}; {}: {fault}", kind.name, rule.name, form.name);
                    faults.push(format!("{}; {}; {}: {fault}", kind.name, rule.name, form.name));
                }
            }
        }
        println!("{}: {tally:?}", kind.name);
        let all = (rules.len() * forms.len()) as u64;
        if kind.size != Size::Beyond {
            assert!(2 * tally.solved > all || !faults.is_empty(), "{}: {tally:?} of {all}", kind.name);
        }
    }
    let shown = faults.iter().take(40).cloned().collect::<Vec<_>>().join("\n");
    assert!(faults.is_empty(), "{} faults\n{shown}", faults.len());
}

/// Sums with large coefficients: right, or refused for a reason.
#[test]
fn sums_with_large_coefficients() {
    const LARGE: [i64; 10] = [1, -3, 1 << 31, -(1 << 31), 1 << 60, 1 << 61, MAX, -MAX, i64::MAX, i64::MIN];
    const DOMAINS: [&[i64]; 7] =
        [&[0], &[0, 1], &[-1, 1], &[-2, 0, 3], &[-(1 << 30), 0, 1 << 30], &[-MAX, 0, MAX], &[MAX]];
    const NUMBERS: [i64; 8] = [0, 1, -1, 1 << 61, MAX, -MAX, i64::MAX, i64::MIN];
    let (mut solved, mut refused) = (0, 0);
    for (c, d) in LARGE.iter().flat_map(|&c| LARGE.iter().map(move |&d| (c, d))) {
        for (i, j) in (0..DOMAINS.len()).flat_map(|i| (0..=i).map(move |j| (i, j))) {
            for (number, op) in NUMBERS.iter().flat_map(|&n| OPERATORS.map(|op| (n, op))) {
                let mut model = Model::new();
                let (x, y) = (model.int(DOMAINS[i]), model.int(DOMAINS[j]));
                let b = model.bool();
                model.post(iff(b, weighted_sum([(c, x), (d, y)]).compare(op, number)));
                let largest = |c: i64, domain: &[i64]| {
                    let largest = domain.iter().map(|&v| i128::from(v).abs()).max().expect("not empty");
                    i128::from(c).abs() * largest
                };
                let reach = largest(c, DOMAINS[i]) + largest(d, DOMAINS[j]) + i128::from(number).abs();
                let largest = [c, d, number].map(|n| i128::from(n).abs()).into_iter().max();
                let what = format!("{c} * {:?} + {d} * {:?} {} {number}", DOMAINS[i], DOMAINS[j], op.sign());
                match model.solver() {
                    Err(mistake) => {
                        let why = [ModelErrorKind::TooLarge, ModelErrorKind::SumTooLarge];
                        assert!(why.contains(&mistake.kind), "{what}: {mistake}");
                        let limit = i128::from(MAX);
                        assert!(reach > limit || largest > Some(limit), "{what}: {mistake}");
                        refused += 1;
                    }
                    Ok(mut solver) => {
                        let sum =
                            |x: i64, y: i64| i128::from(c) * i128::from(x) + i128::from(d) * i128::from(y);
                        let mut found = 0;
                        for s in solver.solutions() {
                            let holds = op.holds(sum(s[x], s[y]), number.into());
                            assert_eq!(s.is_true(b), holds, "{what}: {} {}", s[x], s[y]);
                            found += 1;
                        }
                        assert_eq!(found, DOMAINS[i].len() * DOMAINS[j].len(), "{what}");
                        solved += 1;
                    }
                }
            }
        }
    }
    println!("{solved} solved, {refused} refused");
    assert!(solved > 10_000 && refused > 10_000);
}

/// A comparison with a number that no variable can have is refused, whatever the sign.
#[test]
fn numbers_out_of_range() {
    for op in OPERATORS {
        for number in [MAX, -MAX, MAX + 1, -MAX - 1, i64::MAX, i64::MIN] {
            let mut model = Model::new();
            let x = model.int([-MAX, 0, MAX]);
            model.post(IntExpr::from(x).compare(op, number));
            match model.solver() {
                Ok(mut solver) => {
                    let expected = [-MAX, 0, MAX].into_iter().filter(|&v| op.holds(v, number)).count();
                    assert_eq!(solver.count().solutions, expected as u64, "x {} {number}", op.sign());
                    assert!(number.abs() <= MAX);
                }
                Err(mistake) => {
                    assert_eq!(mistake.kind, ModelErrorKind::TooLarge);
                    assert!(number.checked_abs().is_none_or(|n| n > MAX), "x {} {number}", op.sign());
                }
            }
        }
    }
    for domain in [Domain::from(-MAX - 1..=0), Domain::from([0, MAX + 1]), (i64::MIN..=i64::MAX).into()] {
        let mut model = Model::new();
        let _ = model.int(domain);
        assert_eq!(model.validate().unwrap_err().kind, ModelErrorKind::TooLarge);
    }
}
