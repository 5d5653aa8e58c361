//! Formulas in the library's words.

use csp_core::constraints::AllDifferent;
use csp_core::prelude::*;

use super::case::Variable;
use super::formula::{Bool, Int, Sign};

/// The variables of a case in a model.
pub(crate) struct Handles(Vec<Handle>);

#[derive(Clone, Copy)]
enum Handle {
    Int(IntVar),
    Bool(BoolVar),
}

/// What constraints are posted to.
pub(crate) trait Post {
    fn put(&mut self, constraint: impl Constraint) -> Result<(), ModelError>;
}

impl Post for Model {
    fn put(&mut self, constraint: impl Constraint) -> Result<(), ModelError> {
        self.post(constraint);
        self.validate()
    }
}

impl Post for Solver {
    fn put(&mut self, constraint: impl Constraint) -> Result<(), ModelError> {
        self.post(constraint).map(drop)
    }
}

impl Handles {
    pub(crate) fn new(model: &mut Model, variables: &[Variable]) -> Handles {
        let make = |x: &Variable| match x.is_boolean {
            true => Handle::Bool(model.bool()),
            false => Handle::Int(model.int(x.values.clone())),
        };
        Handles(variables.iter().map(make).collect())
    }

    pub(crate) fn view(&self, i: usize) -> Affine {
        match self.0[i] {
            Handle::Int(x) => x.into(),
            Handle::Bool(b) => b.into(),
        }
    }

    pub(crate) fn variable(&self, i: usize) -> IntVar {
        self.view(i).var().expect("a variable, not a constant")
    }

    pub(crate) fn values(&self, a: &Assignment) -> Vec<i64> {
        (0..self.0.len()).map(|i| a.value(self.view(i))).collect()
    }

    fn ints(&self, of: &[Int]) -> Vec<IntExpr> {
        of.iter().map(|i| self.int(i)).collect()
    }

    fn bools(&self, of: &[Bool]) -> Vec<BoolExpr> {
        of.iter().map(|b| self.bool(b)).collect()
    }

    /// Where there are two operands, by operators.
    pub(crate) fn int(&self, of: &Int) -> IntExpr {
        match of {
            Int::Const(value) => (*value).into(),
            Int::View { scale, variable, offset } => (*scale * self.view(*variable) + *offset).into(),
            Int::Sum(terms) => match &terms[..] {
                [a, b] => self.int(a) + self.int(b),
                _ => sum(self.ints(terms)),
            },
            Int::Weighted(terms) => match &terms[..] {
                [(c, x)] => *c * self.int(x),
                _ => weighted_sum(terms.iter().map(|(c, x)| (*c, self.int(x)))),
            },
            Int::Minus(both) => self.int(&both[0]) - self.int(&both[1]),
            Int::Abs(inner) => self.int(inner).abs(),
            Int::Min(of) => minimum(self.ints(of)),
            Int::Max(of) => maximum(self.ints(of)),
            Int::Element(array, index) => element(self.ints(array), self.int(index)),
            Int::Truth(of) => self.bool(of).into(),
        }
    }

    pub(crate) fn bool(&self, of: &Bool) -> BoolExpr {
        match of {
            Bool::Const(value) => (*value).into(),
            Bool::Variable(i) => match self.0[*i] {
                Handle::Bool(b) => b.into(),
                Handle::Int(x) => x.eq(1),
            },
            Bool::Compare(a, sign, b) => {
                let (a, b) = (self.int(a), self.int(b));
                match sign {
                    Sign::Eq => a.eq(b),
                    Sign::Ne => a.ne(b),
                    Sign::Le => a.le(b),
                    Sign::Lt => a.lt(b),
                    Sign::Ge => a.ge(b),
                    Sign::Gt => a.gt(b),
                }
            }
            Bool::Not(part) => !self.bool(part),
            Bool::All(parts) => match &parts[..] {
                [a, b] => self.bool(a) & self.bool(b),
                _ => conjunction(self.bools(parts)),
            },
            Bool::Any(parts) => match &parts[..] {
                [a, b] => self.bool(a) | self.bool(b),
                _ => clause(self.bools(parts)),
            },
            Bool::Odd(parts) => match &parts[..] {
                [a, b] => self.bool(a) ^ self.bool(b),
                _ => xor(self.bools(parts)),
            },
            Bool::When(both) => when(self.bool(&both[0]), self.bool(&both[1])),
            Bool::Iff(both) => iff(self.bool(&both[0]), self.bool(&both[1])),
            Bool::Count(sign, k, parts) => self.count(*sign, *k, parts).holds(),
            Bool::Table(operands, rows, allowed) => self.table(operands, rows, *allowed).holds(),
            Bool::AllDifferent(strength, operands) => self.all_different(*strength, operands).holds(),
            Bool::NoOverlap(tasks) => self.no_overlap(tasks).holds(),
        }
    }

    /// Posts a formula; what is a constraint of its own, as such.
    pub(crate) fn post(&self, to: &mut impl Post, of: &Bool) -> Result<(), ModelError> {
        match of {
            Bool::Count(sign, k, parts) => to.put(self.count(*sign, *k, parts)),
            Bool::Table(operands, rows, allowed) => to.put(self.table(operands, rows, *allowed)),
            Bool::AllDifferent(strength, operands) => to.put(self.all_different(*strength, operands)),
            Bool::NoOverlap(tasks) => to.put(self.no_overlap(tasks)),
            _ => to.put(self.bool(of)),
        }
    }

    fn count(&self, sign: Sign, k: i64, parts: &[Bool]) -> impl Constraint + use<> {
        let parts = self.bools(parts);
        match sign {
            Sign::Ge => at_least(k, parts),
            Sign::Le => at_most(k, parts),
            _ => exactly(k, parts),
        }
    }

    fn table(&self, operands: &[Int], rows: &[Vec<i64>], allowed: bool) -> impl Constraint + use<> {
        let operands = self.ints(operands);
        if allowed { table(operands, rows) } else { forbidden(operands, rows) }
    }

    fn all_different(&self, strength: Strength, operands: &[Int]) -> AllDifferent {
        all_different(self.ints(operands)).strength(strength)
    }

    fn no_overlap(&self, tasks: &[(Int, i64)]) -> impl Constraint + use<> {
        no_overlap(tasks.iter().map(|(start, duration)| (self.int(start), *duration)))
    }
}
