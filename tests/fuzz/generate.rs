//! Random cases, shaped so that search has something to do: most constraints hold in a hidden assignment and
//! exclude a good part of all others, and constants are near values that their formulas take.

use std::collections::BTreeSet;

use csp_core::constraints::Strength;
use csp_core::search::Mode;
use fastrand::Rng;

use super::case::{CHOICES, Case, Limit, ORDERS, Restart, Search, Step, Strategy, Task, Variable};
use super::formula::{Bool, Int, Sign};

/// How hard the searches are pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// Searches of all kinds.
    Wide,
    /// A restart after almost every failure, and room for few clauses.
    Tiny,
}

/// No more assignments than this.
const ASSIGNMENTS: usize = 5000;
/// Fewer make no search.
const FEW: usize = 200;

/// The case that a seed stands for.
pub(crate) fn case(seed: u64, pass: Pass) -> Case {
    let mut rng = Rng::with_seed(seed);
    let variables = variables(&mut rng);
    let mut draw =
        Draw { variables: &variables, hidden: Vec::new(), is_solution: true, met: BTreeSet::new(), rng };
    draw.hidden = draw.assignment();
    draw.is_solution = draw.rng.u8(..4) > 0;
    let count = 3 + draw.rng.usize(..4).max(draw.rng.usize(..4));
    let constraints = (0..count).map(|_| draw.constraint()).collect();
    // At least once everything is searched.
    let mut steps = vec![Step::Search(draw.search(pass, true))];
    for _ in 0..draw.rng.usize(2..=6) {
        steps.push(draw.step(pass));
    }
    Case { constraints, steps, variables }
}

fn variables(rng: &mut Rng) -> Vec<Variable> {
    let count = 4 + rng.usize(..5).max(rng.usize(..5));
    loop {
        let mut drawn: Vec<Variable> = (0..count).map(|_| variable(rng)).collect();
        let size: usize = drawn.iter().map(|x| x.values.len()).product();
        if (FEW..=ASSIGNMENTS).contains(&size) {
            if !drawn[0].is_boolean && rng.u8(..32) == 0 {
                drawn[0].values.clear();
            }
            return drawn;
        }
    }
}

fn variable(rng: &mut Rng) -> Variable {
    if rng.u8(..4) == 0 {
        return Variable { values: vec![0, 1], is_boolean: true };
    }
    let low = rng.i64(-4..=3);
    let span = rng.i64(1..=8);
    let mut values: BTreeSet<i64> = (0..rng.usize(1..=6)).map(|_| low + rng.i64(0..span)).collect();
    // A domain is kept in another form where its span is long.
    match rng.u8(..100) {
        0..10 => drop(values.insert(if rng.bool() { 150 } else { -150 })),
        10..20 => drop(values.insert(if rng.bool() { 1_000_000 } else { -1_000_000 })),
        _ => {}
    }
    Variable { values: values.into_iter().collect(), is_boolean: false }
}

struct Draw<'a> {
    variables: &'a [Variable],
    hidden: Vec<i64>,
    /// The hidden assignment is to satisfy all constraints.
    is_solution: bool,
    /// The variables in the constraint that is being drawn.
    met: BTreeSet<usize>,
    rng: Rng,
}

impl Draw<'_> {
    fn choice<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.rng.usize(..of.len())]
    }

    fn assignment(&mut self) -> Vec<i64> {
        let rng = &mut self.rng;
        let value = |x: &Variable| rng.choice(&x.values).copied().unwrap_or(0);
        self.variables.iter().map(value).collect()
    }

    /// A value the integer takes, or one beside it.
    fn value_near(&mut self, of: &Int) -> i64 {
        let x = if self.rng.bool() { self.hidden.clone() } else { self.assignment() };
        of.value(&x).unwrap_or(0) + self.choice(&[0, 0, 0, 1, -1])
    }

    /// A constraint that says something, of several variables, most often.
    fn constraint(&mut self) -> Bool {
        loop {
            self.met.clear();
            let depth = self.choice(&[1, 2, 2, 3]);
            let drawn = self.bool(depth, false);
            let excluded = (0..16).filter(|_| !drawn.is_true(&self.assignment())).count();
            let fits = if self.is_solution { drawn.is_true(&self.hidden) } else { excluded < 16 };
            if fits && ((4..=12).contains(&excluded) && self.met.len() >= 4 || self.rng.u8(..16) == 0) {
                return drawn;
            }
        }
    }

    fn variable(&mut self) -> usize {
        let variable = self.rng.usize(..self.variables.len());
        self.met.insert(variable);
        variable
    }

    fn leaf(&mut self) -> Int {
        if self.rng.u8(..8) == 0 {
            return Int::Const(self.rng.i64(-4..=6));
        }
        let variable = self.variable();
        let scale = self.choice(&[1, 1, 1, 1, 1, -1, -1, 2, -2, 3]);
        let offset = if self.rng.bool() { 0 } else { self.rng.i64(-3..=3) };
        Int::View { scale, variable, offset }
    }

    fn int(&mut self, depth: u32) -> Int {
        if depth == 0 || self.rng.u8(..3) == 0 {
            return self.leaf();
        }
        let depth = depth - 1;
        match self.rng.u8(..10) {
            0 | 1 => Int::Sum(self.ints(depth, 0, 4)),
            2 => {
                Int::Weighted(self.ints(depth, 1, 4).into_iter().map(|x| (self.rng.i64(-3..=3), x)).collect())
            }
            3 => Int::Minus([self.int(depth), self.int(depth)].into()),
            4 => Int::Abs(self.int(depth).into()),
            5 => Int::Min(self.ints(depth, 0, 4)),
            6 => Int::Max(self.ints(depth, 0, 4)),
            7 => {
                let numbers = (0..self.rng.usize(1..=6)).map(|_| Int::Const(self.rng.i64(-4..=6))).collect();
                Int::Element(numbers, self.int(depth).into())
            }
            8 => Int::Element(self.ints(depth, 1, 5), self.int(depth).into()),
            _ => Int::Truth(self.bool(depth, true).into()),
        }
    }

    /// So many, but seldom so few.
    fn length(&mut self, least: usize, most: usize) -> usize {
        if self.rng.u8(..16) == 0 { least } else { self.rng.usize(least.max(2)..=most) }
    }

    fn ints(&mut self, depth: u32, least: usize, most: usize) -> Vec<Int> {
        (0..self.length(least, most)).map(|_| self.int(depth)).collect()
    }

    fn bools(&mut self, depth: u32, can_be_negated: bool) -> Vec<Bool> {
        (0..self.length(0, 4)).map(|_| self.bool(depth, can_be_negated)).collect()
    }

    fn bool_leaf(&mut self) -> Bool {
        let variable = self.variable();
        match self.rng.u8(..12) {
            0 => Bool::Const(self.rng.bool()),
            _ if self.variables[variable].is_boolean => Bool::Variable(variable),
            _ => self.comparison(0),
        }
    }

    fn comparison(&mut self, depth: u32) -> Bool {
        let sign = self.choice(&[Sign::Eq, Sign::Eq, Sign::Ne, Sign::Le, Sign::Lt, Sign::Ge, Sign::Gt]);
        let left = self.int(depth);
        let right = if self.rng.bool() { self.int(depth) } else { Int::Const(self.value_near(&left)) };
        Bool::Compare(left, sign, right)
    }

    /// A formula of at most this depth, for a place where it may have to have a negation or not.
    fn bool(&mut self, depth: u32, can_be_negated: bool) -> Bool {
        if depth == 0 || self.rng.u8(..8) == 0 {
            return self.bool_leaf();
        }
        let kinds = if can_be_negated { 16 } else { 22 };
        let below = depth - 1;
        match self.rng.u8(..kinds) {
            0..4 => self.comparison(depth),
            4 => Bool::Not(self.bool(below, true).into()),
            5 => Bool::All(self.bools(below, can_be_negated)),
            6 | 7 => Bool::Any(self.bools(below, can_be_negated)),
            8 => Bool::Odd(self.bools(below, true)),
            9 => Bool::When([self.bool(below, true), self.bool(below, can_be_negated)].into()),
            10 => Bool::Iff([self.bool(below, true), self.bool(below, true)].into()),
            11..14 => {
                let parts = self.bools(below, true);
                let sign = self.choice(&[Sign::Ge, Sign::Le, Sign::Eq]);
                Bool::Count(sign, self.rng.i64(-1..=parts.len() as i64 + 1), parts)
            }
            14 | 15 => self.table(if can_be_negated { 0 } else { below }),
            16..19 => {
                let strength =
                    self.choice(&[Strength::Auto, Strength::Value, Strength::Bounds, Strength::Domain]);
                let below = below.min(self.rng.u32(..2));
                Bool::AllDifferent(strength, self.ints(below, 0, 6))
            }
            _ => {
                let starts = self.ints(below.min(1), 0, 5);
                Bool::NoOverlap(starts.into_iter().map(|start| (start, self.rng.i64(0..=4))).collect())
            }
        }
    }

    /// A table of rows that the operands can take, or nearly so.
    fn table(&mut self, depth: u32) -> Bool {
        let (operands, allowed) = (self.ints(depth, 0, 4), self.rng.bool());
        let rows = (0..self.rng.usize(..20)).map(|k| {
            let x = if k == 0 { self.hidden.clone() } else { self.assignment() };
            let mut row: Vec<i64> = operands.iter().map(|i| i.value(&x).unwrap_or(0)).collect();
            if self.rng.u8(..4) == 0
                && let Some(value) = self.rng.choice(&mut row)
            {
                *value += 1;
            }
            row
        });
        let rows = rows.collect();
        Bool::Table(operands, rows, allowed)
    }

    fn step(&mut self, pass: Pass) -> Step {
        match self.rng.u8(..10) {
            0 | 1 => Step::Push,
            2 => Step::Pop,
            3 => Step::Post(self.constraint()),
            4 => Step::Propagate,
            _ => Step::Search(self.search(pass, false)),
        }
    }

    /// Some of the variables, in any order.
    fn some_variables(&mut self) -> Vec<usize> {
        let mut all: Vec<usize> = (0..self.variables.len()).collect();
        self.rng.shuffle(&mut all);
        if self.rng.u8(..3) == 0 {
            all.truncate(self.rng.usize(..=all.len()));
        }
        all
    }

    fn objective(&mut self) -> Int {
        if self.rng.u8(..4) == 0 {
            return self.leaf();
        }
        loop {
            self.met.clear();
            let drawn = self.int(2);
            if self.met.len() > 1 || self.rng.u8(..8) == 0 {
                return drawn;
            }
        }
    }

    fn assumption(&mut self) -> Bool {
        let depth = self.rng.u32(..2);
        self.bool(depth, true)
    }

    fn search(&mut self, pass: Pass, whole: bool) -> Search {
        let tiny = pass == Pass::Tiny;
        let task = match self.rng.u8(..8) {
            0 | 1 => Task::Count,
            2 if !whole => Task::Solutions(Some(self.rng.usize(..5))),
            2 | 3 => Task::Solutions(None),
            4 if !whole => Task::First,
            _ => Task::Optimise {
                objective: self.objective(),
                maximise: self.rng.bool(),
                enough: (!whole && self.rng.u8(..8) == 0).then(|| self.rng.usize(1..=3)),
            },
        };
        let strategy = match self.rng.u8(..5) {
            0 | 1 => None,
            2 => Some(Strategy::Random),
            _ => Some(Strategy::Branch {
                variables: self.some_variables(),
                order: self.rng.usize(..ORDERS.len()),
                choice: self.rng.usize(..CHOICES.len()),
                last_conflict: self.rng.u8(..4) == 0,
            }),
        };
        let restarts = match self.rng.u8(..8) {
            _ if tiny => Some(Restart::Luby(1)),
            0 => Some(Restart::Never),
            1 | 2 => Some(Restart::Luby(self.rng.u64(1..=2))),
            3 => Some(Restart::Glucose),
            4 => Some(Restart::Geometric(self.rng.u64(..4), self.choice(&[0.5, 1.0, 1.5]))),
            _ => None,
        };
        let limit = match self.rng.u8(..24) {
            _ if whole => None,
            0 => Some(Limit::Nodes(self.rng.u64(..30))),
            1 => Some(Limit::Failures(self.rng.u64(..10))),
            2 => Some(Limit::Solutions(self.rng.u64(..10))),
            3 => Some(Limit::Discrepancies(self.rng.u64(..5))),
            4 if self.rng.u8(..4) == 0 => Some(Limit::Handle),
            _ => None,
        };
        let projection = (self.rng.u8(..4) == 0).then(|| self.some_variables());
        let clauses = tiny.then(|| self.rng.usize(1..=8));
        let mode = self.choice(&[Mode::Plain, Mode::Learning, Mode::Free, Mode::Automatic]);
        let mut assumptions = Vec::new();
        if !whole && self.rng.u8(..4) == 0 {
            assumptions.extend((0..self.rng.usize(1..=4)).map(|_| self.assumption()));
        }
        let hints = (self.rng.u8(..6) == 0).then(|| {
            let x = if self.rng.bool() { self.hidden.clone() } else { self.assignment() };
            self.some_variables().into_iter().map(|i| (i, x[i] + self.choice(&[0, 0, 0, 1]))).collect()
        });
        Search {
            task,
            mode,
            assumptions,
            hints,
            strategy,
            restarts,
            seed: self.rng.u64(..100),
            projection,
            limit,
            clauses,
        }
    }
}
