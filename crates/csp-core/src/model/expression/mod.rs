//! Expressions: integer and Boolean formulas over variables.
//!
//! An expression is a flat list of nodes in postfix order (reverse Polish notation): operands first, then
//! the operator. Nothing in it is nested in memory, so building, reading and dropping need no recursion,
//! however deep the formula. Sums, conjunctions, disjunctions and parities of the same kind are merged
//! into one n-ary node as they are built, and the shorter operand is appended to the longer one where the
//! order does not matter, so that a formula grows in amortised constant time from either side.
//!
//! Integers have the usual meaning, a Boolean as an integer is 0 or 1. An expression may be *undefined*: an
//! element at an index outside its array, or the minimum of nothing. What is undefined makes the nearest
//! enclosing comparison or constraint false (the relational semantics of Frisch and Stuckey 2009).

mod describe;
mod evaluate;
mod nodes;
mod operators;
#[doc(hidden)]
pub mod rule;
#[cfg(test)]
mod tests;
mod validate;

use std::sync::Arc;

use super::{Affine, BoolVar, Constraint, IntVar};
use crate::constraints::Operator;

pub(crate) use nodes::Nodes;

/// One operator or operand of an expression.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// An integer: a variable, view or constant.
    View(Affine),
    /// The sum of so many integers.
    Sum(u32),
    /// An integer times a number.
    Times(i64),
    /// The absolute value of an integer.
    Abs,
    /// The smallest of so many integers; undefined for none.
    Min(u32),
    /// The largest of so many integers; undefined for none.
    Max(u32),
    /// The entry at an index, from 0; undefined outside.
    Element(Arc<[i64]>),
    /// An index, then so many entries; undefined outside.
    ElementOf(u32),
    /// The comparison of a variable with a number.
    Fact(IntVar, Operator, i64),
    /// A Boolean variable.
    Literal(BoolVar),
    /// The comparison of two integers.
    Compare(Operator),
    /// Whether a constraint holds.
    Holds(Arc<dyn Constraint>),
    /// The opposite of a Boolean.
    Not,
    /// All of so many Booleans.
    And(u32),
    /// At least one of so many Booleans.
    Or(u32),
    /// An odd number of so many Booleans.
    Xor(u32),
}

impl Node {
    /// How many operands it takes.
    pub(crate) fn arity(&self) -> usize {
        match self {
            Node::View(_) | Node::Fact(..) | Node::Literal(_) | Node::Holds(_) => 0,
            Node::Times(_) | Node::Abs | Node::Element(_) | Node::Not => 1,
            Node::Compare(_) => 2,
            Node::ElementOf(n) => *n as usize + 1,
            Node::Sum(n) | Node::Min(n) | Node::Max(n) | Node::And(n) | Node::Or(n) | Node::Xor(n) => {
                *n as usize
            }
        }
    }

    /// Whether it is an integer made from integers by something else than addition.
    pub(crate) fn is_function(&self) -> bool {
        matches!(self, Node::Abs | Node::Min(_) | Node::Max(_) | Node::Element(_) | Node::ElementOf(_))
    }

    /// Whether it may be undefined.
    pub(crate) fn is_partial(&self) -> bool {
        matches!(self, Node::Min(0) | Node::Max(0) | Node::Element(_) | Node::ElementOf(_))
    }

    /// Whether its operands are Booleans.
    pub(crate) fn takes_booleans(&self) -> bool {
        matches!(self, Node::Not | Node::And(_) | Node::Or(_) | Node::Xor(_))
    }

    pub(crate) fn is_boolean(&self) -> bool {
        matches!(
            self,
            Node::Literal(_)
                | Node::Fact(..)
                | Node::Compare(_)
                | Node::Holds(_)
                | Node::Not
                | Node::And(_)
                | Node::Or(_)
                | Node::Xor(_)
        )
    }
}

/// An integer expression: `x + 2 * y - z`, `(x - y).abs()`, `maximum(&xs)`, `element(prices, x)`.
///
/// Variables, Booleans, views and numbers are integer expressions by `Into<IntExpr>`, and an expression may
/// stand wherever a variable may. Where a constraint has no use for the expression itself, a hidden
/// variable stands for it, which never counts as a difference between solutions.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let (x, y, z) = (model.int(1..=9), model.int(1..=9), model.int(1..=9));
/// model.post((x + 2 * y - z).eq(20));
/// model.post((x - y).abs().ge(5));
/// model.post(all_different([x + y, y + z, x + z]));
/// let solution = model.solver()?.first().solution().unwrap();
/// assert_eq!(solution[x] + 2 * solution[y] - solution[z], 20);
/// # Ok::<(), ModelError>(())
/// ```
#[must_use = "an expression does nothing by itself"]
#[derive(Clone, Debug)]
pub struct IntExpr {
    pub(crate) nodes: Nodes,
}

/// A Boolean expression, and as such a constraint: that it is true.
///
/// Comparisons make it (`x.le(y)`, `(x + y).eq(5)`), `&`, `|`, `^`, `!`, [`when`](crate::when) and
/// [`iff`](crate::iff) combine it, and any constraint can be part of it by
/// [`holds`](Constraint::holds). [`rule!`](crate::rule) writes all that as mathematics does.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let (b, x, y) = (model.bool(), model.int(0..=3), model.int(0..=3));
/// model.post(b | x.lt(y));
/// model.post(!(x.eq(0) & y.eq(3)));
/// assert_eq!(model.solver()?.count().solutions, 15 + 5);
/// # Ok::<(), ModelError>(())
/// ```
#[must_use = "a constraint does nothing until it is posted"]
#[derive(Clone, Debug)]
pub struct BoolExpr {
    pub(crate) nodes: Nodes,
}

/// The operands in postfix order, one after the other. Their order does not matter: a long one comes first,
/// so that only the others are copied.
fn concat(mut operands: Vec<Nodes>) -> Nodes {
    if let Some(long) = (0..operands.len()).max_by_key(|&i| operands[i].len())
        && operands[long].len() > LONG
    {
        operands.swap(0, long);
    }
    let mut operands = operands.into_iter();
    let mut all = operands.next().unwrap_or_else(Nodes::new);
    operands.for_each(|nodes| all.extend(nodes));
    all
}

/// Operands up to this length are copied rather than exchanged.
const LONG: usize = 32;

/// Joins two operands of a node of a kind that is merged with operands of the same kind: `count` tells how
/// many operands such a node has.
fn merge(mut a: Nodes, mut b: Nodes, count: fn(&Node) -> Option<u32>, make: fn(u32) -> Node) -> Nodes {
    if b.len() > LONG && b.len() > a.len() {
        std::mem::swap(&mut a, &mut b);
    }
    let mut total = 0;
    for nodes in [&mut a, &mut b] {
        total += match nodes.last().and_then(count) {
            Some(n) => {
                nodes.many().pop();
                n
            }
            None => 1,
        };
    }
    a.join(b, make(total));
    a
}

impl IntExpr {
    /// The view that the expression is, if it is no more than that.
    pub(crate) fn as_view(&self) -> Option<Affine> {
        match self.nodes[..] {
            [Node::View(x)] => Some(x),
            [Node::Literal(b)] => Some(b.into()),
            _ => None,
        }
    }

    pub(crate) fn plus(self, other: IntExpr) -> IntExpr {
        let count = |node: &Node| if let Node::Sum(n) = node { Some(*n) } else { None };
        IntExpr { nodes: merge(self.nodes, other.nodes, count, Node::Sum) }
    }

    pub(crate) fn times(mut self, c: i64) -> IntExpr {
        if let Some(view) = self.as_view() {
            return (view * c).into();
        }
        match self.nodes.many().last_mut() {
            Some(Node::Times(d)) if d.checked_mul(c).is_some() => *d *= c,
            _ => self.nodes.push(Node::Times(c)),
        }
        self
    }

    /// The absolute value.
    pub fn abs(mut self) -> IntExpr {
        self.nodes.push(Node::Abs);
        self
    }

    /// The comparison with another expression.
    pub fn compare(self, operator: Operator, other: impl Into<IntExpr>) -> BoolExpr {
        let (mut nodes, mut other, mut operator) = match (self.nodes, other.into().nodes) {
            (Nodes::One(Node::View(x)), Nodes::One(Node::View(c)))
                if x == Affine::from(x.var) && x.var().is_some() && c.var().is_none() =>
            {
                return BoolExpr { nodes: Nodes::One(Node::Fact(x.var, operator, c.offset)) };
            }
            (nodes, other) => (nodes, other, operator),
        };
        if other.len() > LONG && other.len() > nodes.len() {
            (nodes, other, operator) = (other, nodes, operator.mirrored());
        }
        nodes.join(other, Node::Compare(operator));
        BoolExpr { nodes }
    }
}

impl BoolExpr {
    /// True if this is false or `other` is true.
    pub fn implies(self, other: impl Constraint) -> BoolExpr {
        !self | other
    }

    /// True if both are true or both are false.
    pub fn iff(self, other: impl Constraint) -> BoolExpr {
        !self ^ other
    }

    /// The Boolean variable that the expression is, if it is no more than that.
    pub(crate) fn as_literal(&self) -> Option<BoolVar> {
        match self.nodes[..] {
            [Node::Literal(b)] => Some(b),
            _ => None,
        }
    }

    /// The fact about one variable that the expression is, if it is no more than that.
    pub(crate) fn as_fact(&self) -> Option<(IntVar, Operator, i64)> {
        match self.nodes {
            Nodes::One(Node::Fact(x, operator, value)) => Some((x, operator, value)),
            _ => None,
        }
    }

    fn merged(
        self,
        other: impl Constraint,
        count: fn(&Node) -> Option<u32>,
        make: fn(u32) -> Node,
    ) -> BoolExpr {
        BoolExpr { nodes: merge(self.nodes, other.holds().nodes, count, make) }
    }

    pub(crate) fn and(self, other: impl Constraint) -> BoolExpr {
        self.merged(other, |node| if let Node::And(n) = node { Some(*n) } else { None }, Node::And)
    }

    pub(crate) fn or(self, other: impl Constraint) -> BoolExpr {
        self.merged(other, |node| if let Node::Or(n) = node { Some(*n) } else { None }, Node::Or)
    }

    pub(crate) fn xor(self, other: impl Constraint) -> BoolExpr {
        self.merged(other, |node| if let Node::Xor(n) = node { Some(*n) } else { None }, Node::Xor)
    }

    pub(crate) fn negated(mut self) -> BoolExpr {
        match &mut self.nodes {
            Nodes::One(Node::Literal(b)) => {
                *b = !*b;
                return self;
            }
            Nodes::One(Node::Fact(_, operator, _)) => {
                *operator = operator.negated();
                return self;
            }
            _ => {}
        }
        // A comparison of what may be undefined is not the opposite of the opposite comparison.
        let opposite =
            matches!(self.nodes.last(), Some(Node::Compare(_))) && !self.nodes.iter().any(Node::is_partial);
        match self.nodes.many().last_mut() {
            Some(Node::Not) => {
                self.nodes.many().pop();
            }
            Some(Node::Compare(operator)) if opposite => *operator = operator.negated(),
            _ => self.nodes.push(Node::Not),
        }
        self
    }

    /// A constraint as a Boolean.
    pub(crate) fn of(constraint: impl Constraint) -> BoolExpr {
        BoolExpr::of_shared(Arc::new(constraint))
    }

    pub(crate) fn of_shared(constraint: Arc<dyn Constraint>) -> BoolExpr {
        BoolExpr { nodes: Nodes::One(Node::Holds(constraint)) }
    }

    /// All of the Booleans, or one of them.
    pub(crate) fn list<T: Into<BoolExpr>>(
        parts: impl IntoIterator<Item = T>,
        make: fn(u32) -> Node,
    ) -> BoolExpr {
        let mut nodes = Nodes::new();
        let mut count = 0;
        for part in parts {
            nodes.extend(part.into().nodes);
            count += 1;
        }
        nodes.push(make(count));
        BoolExpr { nodes }
    }
}

/// The sum of integer expressions.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let xs = model.ints(3, 0..=2);
/// model.post(sum(&xs).eq(5));
/// assert_eq!(model.solver()?.count().solutions, 3);
/// # Ok::<(), ModelError>(())
/// ```
pub fn sum<T: Into<IntExpr>>(terms: impl IntoIterator<Item = T>) -> IntExpr {
    let mut nodes = Nodes::new();
    let mut count = 0;
    for term in terms {
        nodes.extend(term.into().nodes);
        count += 1;
    }
    nodes.push(Node::Sum(count));
    IntExpr { nodes }
}

/// The sum of integer expressions, each times its coefficient.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let (x, y) = (model.int(0..=10), model.int(0..=10));
/// model.post(weighted_sum([(3, x), (5, y)]).eq(19));
/// let solution = model.solver()?.first().solution().unwrap();
/// assert_eq!((solution[x], solution[y]), (3, 2));
/// # Ok::<(), ModelError>(())
/// ```
pub fn weighted_sum<T: Into<IntExpr>>(terms: impl IntoIterator<Item = (i64, T)>) -> IntExpr {
    sum(terms.into_iter().map(|(c, x)| x.into().times(c)))
}

fn extremum<T: Into<IntExpr>>(of: impl IntoIterator<Item = T>, make: fn(u32) -> Node) -> IntExpr {
    let operands: Vec<Nodes> = of.into_iter().map(|x| x.into().nodes).collect();
    let count = operands.len() as u32;
    let mut nodes = concat(operands);
    nodes.push(make(count));
    IntExpr { nodes }
}

/// The smallest of integer expressions. Of none it is undefined: what is said of it is false.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let xs = model.ints(3, 1..=4);
/// model.post(minimum(&xs).ge(3));
/// assert_eq!(model.solver()?.count().solutions, 8);
/// # Ok::<(), ModelError>(())
/// ```
pub fn minimum<T: Into<IntExpr>>(of: impl IntoIterator<Item = T>) -> IntExpr {
    extremum(of, Node::Min)
}

/// The largest of integer expressions. Of none it is undefined: what is said of it is false.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let (x, y) = (model.int(1..=4), model.int(1..=4));
/// model.post(maximum([x + 1, 2 * y]).eq(4));
/// assert_eq!(model.solver()?.count().solutions, 3 + 1);
/// # Ok::<(), ModelError>(())
/// ```
pub fn maximum<T: Into<IntExpr>>(of: impl IntoIterator<Item = T>) -> IntExpr {
    extremum(of, Node::Max)
}

/// The entry of an array at an index, counted from 0. Outside the array it is undefined: what is said of it
/// is false.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let x = model.int(-5..=5);
/// model.post(element([30, 10, 20], x).ge(20));
/// let solutions: Vec<i64> = model.solver()?.solutions().map(|s| s[x]).collect();
/// assert_eq!(solutions, [0, 2]);
/// # Ok::<(), ModelError>(())
/// ```
pub fn element<T: Into<IntExpr>>(array: impl IntoIterator<Item = T>, index: impl Into<IntExpr>) -> IntExpr {
    let entries: Vec<IntExpr> = array.into_iter().map(Into::into).collect();
    let constants: Option<Vec<i64>> =
        entries.iter().map(|e| e.as_view().filter(|x| x.var().is_none()).and_then(|x| x.apply(0))).collect();
    let mut nodes = index.into().nodes;
    match constants {
        Some(constants) => nodes.push(Node::Element(constants.into())),
        None => {
            let count = entries.len() as u32;
            entries.into_iter().for_each(|entry| nodes.extend(entry.nodes));
            nodes.push(Node::ElementOf(count));
        }
    }
    IntExpr { nodes }
}

/// At least one of the given Booleans is true. An empty clause cannot be satisfied.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let (a, b) = (model.bool(), model.bool());
/// model.post(clause([a, !b]));
/// assert_eq!(model.solver()?.count().solutions, 3);
/// # Ok::<(), ModelError>(())
/// ```
pub fn clause<T: Into<BoolExpr>>(literals: impl IntoIterator<Item = T>) -> BoolExpr {
    BoolExpr::list(literals, Node::Or)
}

/// All of the given Booleans are true.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let (b, xs) = (model.bool(), model.ints(3, 0..=1));
/// model.post(iff(b, conjunction(xs.windows(2).map(|w| w[0].le(w[1])))));
/// assert_eq!(model.solver()?.count().solutions, 8);
/// # Ok::<(), ModelError>(())
/// ```
pub fn conjunction<T: Into<BoolExpr>>(parts: impl IntoIterator<Item = T>) -> BoolExpr {
    BoolExpr::list(parts, Node::And)
}

/// An odd number of the given Booleans is true. With none of them it cannot be satisfied.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let b = model.bools(3);
/// model.post(xor(&b));
/// assert_eq!(model.solver()?.count().solutions, 4);
/// # Ok::<(), ModelError>(())
/// ```
pub fn xor<T: Into<BoolExpr>>(parts: impl IntoIterator<Item = T>) -> BoolExpr {
    BoolExpr::list(parts, Node::Xor)
}

/// Where `condition` is true, `constraint` holds.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let (b, x) = (model.bool(), model.int(0..=3));
/// model.post(when(b, x.ge(2)));
/// assert_eq!(model.solver()?.count().solutions, 2 + 4);
/// # Ok::<(), ModelError>(())
/// ```
pub fn when(condition: impl Constraint, constraint: impl Constraint) -> BoolExpr {
    condition.holds().implies(constraint)
}

/// `condition` is true if and only if `constraint` holds.
///
/// Both need a [negation](Constraint::negation): comparisons, sums, counts, tables and what is combined of
/// them have one, [`all_different`](crate::all_different) does not. With a constraint that has none the model
/// is reported as mistaken; [`when`] takes every constraint.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let (b, x) = (model.bool(), model.int(0..=3));
/// model.post(iff(b, x.ge(2)));
/// assert_eq!(model.solver()?.count().solutions, 4);
/// # Ok::<(), ModelError>(())
/// ```
pub fn iff(condition: impl Constraint, constraint: impl Constraint) -> BoolExpr {
    condition.holds().iff(constraint)
}

impl From<IntVar> for IntExpr {
    fn from(x: IntVar) -> IntExpr {
        Affine::from(x).into()
    }
}

impl From<BoolVar> for IntExpr {
    fn from(b: BoolVar) -> IntExpr {
        Affine::from(b).into()
    }
}

impl From<Affine> for IntExpr {
    fn from(x: Affine) -> IntExpr {
        IntExpr { nodes: Nodes::One(Node::View(x)) }
    }
}

impl From<i64> for IntExpr {
    fn from(value: i64) -> IntExpr {
        Affine::from(value).into()
    }
}

/// 1 where it is true, 0 where it is false.
impl From<BoolExpr> for IntExpr {
    fn from(b: BoolExpr) -> IntExpr {
        match b.as_literal() {
            Some(literal) => literal.into(),
            None => IntExpr { nodes: b.nodes },
        }
    }
}

/// By reference, so that slices and iterators over them can be passed as they are.
impl<T: Clone + Into<IntExpr>> From<&T> for IntExpr {
    fn from(x: &T) -> IntExpr {
        x.clone().into()
    }
}

impl<T: Into<IntExpr>> std::iter::Sum<T> for IntExpr {
    fn sum<I: Iterator<Item = T>>(terms: I) -> IntExpr {
        sum(terms)
    }
}

impl From<BoolVar> for BoolExpr {
    fn from(b: BoolVar) -> BoolExpr {
        BoolExpr { nodes: Nodes::One(Node::Literal(b)) }
    }
}

impl From<bool> for BoolExpr {
    fn from(value: bool) -> BoolExpr {
        BoolVar::from(value).into()
    }
}

/// By reference, so that slices and iterators over them can be passed as they are.
impl<T: Clone + Into<BoolExpr>> From<&T> for BoolExpr {
    fn from(b: &T) -> BoolExpr {
        b.clone().into()
    }
}
