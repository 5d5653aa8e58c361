//! The value of an expression in an assignment.

use smallvec::SmallVec;

use super::{BoolExpr, IntExpr, Node, Nodes};
use crate::model::Assignment;

impl IntExpr {
    /// The value in an assignment; `None` if it is undefined there, exceeds an `i64`, or speaks of a variable
    /// of another model.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let (x, y) = (model.int(0..=9), model.int(0..=9));
    /// let difference = (x - y).abs();
    /// model.post(difference.clone().eq(9));
    /// let solution = model.solver()?.first().solution().unwrap();
    /// assert_eq!(difference.value(&solution), Some(9));
    /// assert_eq!(element([5, 6], x + 7).value(&solution), None);
    /// # Ok::<(), ModelError>(())
    /// ```
    #[inline]
    pub fn value(&self, assignment: &Assignment) -> Option<i64> {
        match &self.nodes {
            Nodes::One(Node::View(x)) => assignment.view(*x),
            nodes => value(nodes, assignment),
        }
    }
}

impl BoolExpr {
    /// Whether it is true in an assignment. What is undefined makes the nearest comparison false.
    pub fn is_true(&self, assignment: &Assignment) -> bool {
        if let Some((x, operator, value)) = self.as_fact() {
            return assignment.view(x.into()).is_some_and(|x| operator.holds(x, value));
        }
        value(&self.nodes, assignment) == Some(1)
    }
}

/// The value of a whole expression, from its nodes. A Boolean is 0 or 1 and never undefined.
fn value(nodes: &[Node], a: &Assignment) -> Option<i64> {
    let mut stack: SmallVec<[Option<i64>; 16]> = SmallVec::new();
    for node in nodes {
        let below = stack.len() - node.arity();
        let result = apply(node, &stack[below..], a);
        stack.truncate(below);
        stack.push(result);
    }
    stack.pop().flatten()
}

fn apply(node: &Node, operands: &[Option<i64>], a: &Assignment) -> Option<i64> {
    let truth = |b: bool| Some(i64::from(b));
    let trues = || operands.iter().filter(|&&v| v == Some(1)).count();
    let defined = || operands.iter().all(|v| v.is_some());
    let values = || operands.iter().copied().flatten();
    match node {
        Node::View(x) => a.view(*x),
        Node::Fact(x, operator, value) => {
            truth(a.view((*x).into()).is_some_and(|x| operator.holds(x, *value)))
        }
        Node::Literal(b) => truth(a.view((*b).into()) == Some(1)),
        Node::Holds(constraint) => truth(constraint.is_satisfied(a)),
        Node::Compare(operator) => match operands[..] {
            [Some(left), Some(right)] => truth(operator.holds(left, right)),
            _ => truth(false),
        },
        Node::Not => truth(trues() == 0),
        Node::And(n) => truth(trues() == *n as usize),
        Node::Or(_) => truth(trues() > 0),
        Node::Xor(_) => truth(trues() % 2 == 1),
        _ if !defined() => None,
        Node::Sum(_) => i64::try_from(values().map(i128::from).sum::<i128>()).ok(),
        Node::Times(c) => operands[0]?.checked_mul(*c),
        Node::Abs => operands[0]?.checked_abs(),
        Node::Min(_) => values().min(),
        Node::Max(_) => values().max(),
        Node::Element(array) => array.get(usize::try_from(operands[0]?).ok()?).copied(),
        Node::ElementOf(_) => operands[1..].get(usize::try_from(operands[0]?).ok()?).copied().flatten(),
    }
}
