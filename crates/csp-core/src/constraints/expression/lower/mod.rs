//! From nodes to propagators.
//!
//! First, from the front to the end, every integer function gets a view of its value (but where it is compared
//! directly, that is left to the comparison), and every Boolean used as a number gets an atom. Then the
//! Booleans are worked off from the root down, by tasks on a stack: to require something (under a condition),
//! or to define an atom as equivalent to it.

mod form;
mod values;

use std::collections::BTreeMap;

use smallvec::SmallVec;

use super::shape::Shape;
use crate::constraints::{Operator, clause, comparison, linear, xor};
use crate::engine::{Atom, Poster, VarId, View};
use crate::model::Node;

use form::Form;

type Atoms = SmallVec<[Atom; 4]>;

/// What is still to be posted. `sign` false stands for the opposite of the node.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// The node holds where the condition does.
    Require { node: usize, sign: bool, under: Option<Atom> },
    /// The atom is true exactly where the node holds.
    Define { node: usize, atom: Atom },
}

#[derive(Debug)]
pub(super) struct Lowering<'p, 'a, 'n> {
    poster: &'p mut Poster<'a>,
    nodes: &'n [Node],
    shape: Shape,
    /// For each node, one more than the place of its view among `views`, or 0.
    place: Vec<u32>,
    views: Vec<View>,
    /// What must be true for the value of a function to be defined, and the node of the function, in order.
    defined: Vec<(usize, Atom)>,
    /// The same for comparisons: the comparison, and what it needs beside itself.
    needs: BTreeMap<usize, Atoms>,
    tasks: Vec<Task>,
    /// The condition of what is posted as a whole.
    around: Option<Atom>,
}

impl<'p, 'a, 'n> Lowering<'p, 'a, 'n> {
    pub(super) fn new(poster: &'p mut Poster<'a>, nodes: &'n [Node]) -> Self {
        let around = poster.condition.take();
        Lowering {
            poster,
            nodes,
            shape: Shape::new(nodes),
            place: vec![0; nodes.len()],
            views: Vec::new(),
            defined: Vec::new(),
            needs: BTreeMap::new(),
            tasks: Vec::new(),
            around,
        }
    }

    /// Requires the whole Boolean.
    pub(super) fn post(mut self) {
        self.prepare();
        self.tasks.push(Task::Require { node: self.root(), sign: true, under: self.around });
        self.finish();
    }

    /// The view of the whole integer.
    pub(super) fn view(mut self) -> View {
        self.prepare();
        let root = self.root();
        if self.nodes[root].is_boolean() && self.place[root] == 0 {
            self.keep_number(root);
        }
        let view = self.view_of(root);
        for (_, atom) in std::mem::take(&mut self.defined) {
            self.clause(&[atom], self.around);
        }
        self.finish();
        view
    }

    /// The atom of the whole Boolean.
    pub(super) fn literal(mut self) -> Atom {
        self.prepare();
        let atom = self.atom_of(self.root());
        self.finish();
        atom
    }

    fn finish(mut self) {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Require { node, sign, under } => self.require(node, sign, under),
                Task::Define { node, atom } => self.define(node, atom),
            }
        }
        self.poster.condition = self.around;
    }

    fn root(&self) -> usize {
        self.nodes.len() - 1
    }

    fn operands(&self, node: usize) -> impl Iterator<Item = usize> + use<'_> {
        self.shape.operands_reversed(node, self.nodes[node].arity())
    }

    fn sides(&self, node: usize) -> (usize, usize) {
        let right = node - 1;
        (self.shape.start(right) - 1, right)
    }

    /// Gives views to integer functions and to Booleans that are used as numbers.
    fn prepare(&mut self) {
        for i in 0..self.nodes.len() {
            let node = &self.nodes[i];
            let parent = &self.nodes[self.shape.parent(i)];
            let is_root = i == self.root();
            if node.is_function() && (is_root || !matches!(parent, Node::Compare(_))) {
                self.value_of(i);
            }
            if let Node::Compare(_) = node {
                // Before its atom is made, which depends on what it needs.
                self.claim(i);
            }
            if let (Node::Literal(b), false) = (node, parent.takes_booleans()) {
                let view = self.poster.affine((*b).into());
                self.keep(i, view);
            } else if node.is_boolean() && !is_root && !parent.takes_booleans() {
                self.keep_number(i);
            }
        }
    }

    /// Gives a Boolean its view as a number.
    fn keep_number(&mut self, node: usize) {
        let atom = self.atom_of(node);
        let view = View::of(atom.var());
        let is_number = atom == view.eq(1) && is_boolean(self.poster.store().bounds(view));
        let view = if is_number { view } else { self.number(atom) };
        self.keep(node, view);
    }

    /// Makes what the functions under a comparison need a need of the comparison.
    fn claim(&mut self, comparison: usize) {
        let start = self.shape.start(comparison);
        while let Some((_, atom)) = self.defined.pop_if(|(function, _)| *function >= start) {
            self.needs.entry(comparison).or_default().push(atom);
        }
    }

    /// A variable that is 1 where the atom is true and 0 elsewhere.
    fn number(&mut self, atom: Atom) -> View {
        let b = self.poster.auxiliary();
        self.equivalent(b, atom);
        View::of(b.var())
    }

    fn keep(&mut self, node: usize, view: View) {
        self.views.push(view);
        self.place[node] = self.views.len() as u32;
    }

    fn under(&mut self, condition: Option<Atom>, post: impl FnOnce(&mut Poster<'_>)) {
        self.poster.condition = condition;
        post(self.poster);
        self.poster.condition = None;
    }

    /// Posts a clause, and the condition as one more literal of it.
    fn clause(&mut self, atoms: &[Atom], under: Option<Atom>) {
        match (atoms, under) {
            (&[atom], None) => self.poster.assert(atom),
            _ => {
                let mut all: Atoms = under.map(Atom::negated).into_iter().collect();
                all.extend_from_slice(atoms);
                clause::post_atoms(self.poster, &all);
            }
        }
    }

    fn equivalent(&mut self, a: Atom, b: Atom) {
        self.clause(&[a.negated(), b], None);
        self.clause(&[a, b.negated()], None);
    }

    /// The atom is true exactly where all of the others are.
    fn define_all(&mut self, atom: Atom, all: &[Atom]) {
        all.iter().for_each(|&a| self.clause(&[atom.negated(), a], None));
        let mut reverse: Atoms = all.iter().map(|a| a.negated()).collect();
        reverse.push(atom);
        self.clause(&reverse, None);
    }

    /// The atom that a node is, if it is a fact about one variable.
    fn simple(&mut self, node: usize) -> Option<Atom> {
        match self.nodes[node] {
            Node::Fact(x, operator, value) => {
                Some(comparison::fact(self.poster.affine(x.into()), operator, value))
            }
            Node::Literal(b) => Some(self.poster.literal(b)),
            Node::Not => self.simple(node - 1).map(Atom::negated),
            Node::And(0) => Some(Atom::TRUE),
            Node::Or(0) | Node::Xor(0) => Some(Atom::FALSE),
            Node::Compare(operator) => {
                let (left, right) = self.sides(node);
                let is_function = |side: usize| self.nodes[side].is_function();
                if self.needs.contains_key(&node) || is_function(left) || is_function(right) {
                    return None;
                }
                let (left, right) = (self.form(left), self.form(right));
                if left.terms.len() + right.terms.len() > 2 {
                    return None;
                }
                match (left.view(), right.view()) {
                    (Some(x), Some(y)) if y.var() == VarId::ZERO => {
                        Some(comparison::fact(x, operator, y.offset()))
                    }
                    (Some(x), Some(y)) if x.var() == VarId::ZERO => {
                        Some(comparison::fact(y, operator.mirrored(), x.offset()))
                    }
                    _ => {
                        let difference = left.minus(right).folded().view()?;
                        (difference.scale() != 0).then(|| comparison::fact(difference, operator, 0))
                    }
                }
            }
            _ => None,
        }
    }

    fn needs_of(&self, comparison: usize) -> Atoms {
        self.needs.get(&comparison).cloned().unwrap_or_default()
    }

    /// An atom equivalent to a node.
    fn atom_of(&mut self, node: usize) -> Atom {
        if let Some(atom) = self.simple(node) {
            return atom;
        }
        let atom = self.poster.auxiliary();
        self.tasks.push(Task::Define { node, atom });
        atom
    }

    /// An atom that implies a node, or its opposite.
    fn implying(&mut self, node: usize, sign: bool) -> Atom {
        if let Some(atom) = self.simple(node) {
            return if sign { atom } else { atom.negated() };
        }
        let atom = self.poster.auxiliary();
        self.tasks.push(Task::Require { node, sign, under: Some(atom) });
        atom
    }

    fn require(&mut self, node: usize, sign: bool, under: Option<Atom>) {
        if let Some(atom) = self.simple(node) {
            return self.clause(&[if sign { atom } else { atom.negated() }], under);
        }
        match (&self.nodes[node], sign) {
            (Node::Not, _) => self.tasks.push(Task::Require { node: node - 1, sign: !sign, under }),
            (Node::And(_), true) | (Node::Or(_), false) => {
                let operands: Vec<usize> = self.operands(node).collect();
                self.tasks.extend(operands.into_iter().map(|node| Task::Require { node, sign, under }));
            }
            (Node::Or(_), true) | (Node::And(_), false) => self.require_one(node, sign, under),
            (Node::Xor(_), _) => {
                let operands: Vec<usize> = self.operands(node).collect();
                if let ([a, b], None) = (&operands[..], under) {
                    for (a, b) in [(*a, *b), (*b, *a)] {
                        if let Some(atom) = self.simple(a) {
                            let atom = if sign { atom.negated() } else { atom };
                            return self.tasks.push(Task::Define { node: b, atom });
                        }
                    }
                }
                let atoms = operands.into_iter().map(|operand| self.atom_of(operand)).collect();
                self.under(under, |poster| xor::post_xor(poster, atoms, sign));
            }
            (Node::Compare(operator), _) => self.require_comparison(node, *operator, sign, under),
            (Node::Holds(constraint), true) => self.under(under, |poster| constraint.post(poster)),
            (Node::Holds(constraint), false) => {
                if let Some(negation) = constraint.negation() {
                    self.under(under, |poster| negation.post(poster));
                }
            }
            _ => {}
        }
    }

    /// At least one of the parts, each taken with the sign.
    fn require_one(&mut self, node: usize, sign: bool, under: Option<Atom>) {
        let mut atoms: Atoms = under.map(Atom::negated).into_iter().collect();
        let mut others: SmallVec<[(usize, bool); 4]> = SmallVec::new();
        let mut open: SmallVec<[(usize, bool); 8]> = SmallVec::new();
        open.push((node, sign));
        while let Some((i, sign)) = open.pop() {
            match (&self.nodes[i], sign) {
                (Node::Or(_), true) | (Node::And(_), false) => {
                    open.extend(self.operands(i).map(|operand| (operand, sign)));
                }
                (Node::Not, _) => open.push((i - 1, !sign)),
                _ => match self.simple(i) {
                    Some(atom) => atoms.push(if sign { atom } else { atom.negated() }),
                    None => others.push((i, sign)),
                },
            }
        }
        match (&others[..], &atoms[..]) {
            (&[(node, sign)], []) => self.tasks.push(Task::Require { node, sign, under: None }),
            (&[(node, sign)], &[atom]) => {
                self.tasks.push(Task::Require { node, sign, under: Some(atom.negated()) });
            }
            _ => {
                atoms.extend(others.into_iter().map(|(node, sign)| self.implying(node, sign)));
                self.clause(&atoms, None);
            }
        }
    }

    fn require_comparison(&mut self, node: usize, operator: Operator, sign: bool, under: Option<Atom>) {
        let (left, right) = self.sides(node);
        if self.require_directly(left, operator, right, sign, under) {
            return;
        }
        self.give_values(node);
        let needs: Atoms = self.needs_of(node);
        if sign {
            needs.iter().for_each(|&atom| self.clause(&[atom], under));
            return self.compare(node, operator, under);
        }
        let operator = operator.negated();
        match (&needs[..], under) {
            ([], _) => self.compare(node, operator, under),
            (&[atom], None) => self.compare(node, operator, Some(atom)),
            _ => {
                let opposite = self.poster.auxiliary();
                let mut atoms: Atoms = needs.iter().map(|a| a.negated()).collect();
                atoms.push(opposite);
                self.clause(&atoms, under);
                self.compare(node, operator, Some(opposite));
            }
        }
    }

    /// Gives views to the functions that stand directly under a comparison.
    fn give_values(&mut self, comparison: usize) {
        let (left, right) = self.sides(comparison);
        for side in [left, right] {
            if self.nodes[side].is_function() {
                self.value_of(side);
            }
        }
        self.claim(comparison);
    }

    /// Requires a comparison with a function that needs no variable for its value; `false` if it does.
    fn require_directly(
        &mut self,
        left: usize,
        operator: Operator,
        right: usize,
        sign: bool,
        under: Option<Atom>,
    ) -> bool {
        for (function, operator, other) in [(left, operator, right), (right, operator.mirrored(), left)] {
            if !self.nodes[function].is_function()
                || self.place[function] != 0
                || self.needs.contains_key(&self.shape.parent(function))
                || self.nodes[other].is_function() && self.place[other] == 0 && self.nodes[other].is_partial()
            {
                continue;
            }
            let parts: SmallVec<[(usize, bool); 4]> = match (&self.nodes[function], operator) {
                (node, Operator::Eq | Operator::Ne) => {
                    let equal = (operator == Operator::Eq) == sign;
                    // Where it is undefined it is not equal, which must not do for a comparison by `≠`.
                    if node.is_partial() && operator == Operator::Ne {
                        continue;
                    }
                    let Some(value) = self.form(other).view() else { continue };
                    self.post_function(function, equal, value, under);
                    return true;
                }
                _ if !sign => continue,
                (Node::Abs, Operator::Le | Operator::Lt) => {
                    [(function - 1, true), (function - 1, false)].into_iter().collect()
                }
                (Node::Max(n), Operator::Le | Operator::Lt) | (Node::Min(n), Operator::Ge | Operator::Gt)
                    if *n > 0 =>
                {
                    self.operands(function).map(|operand| (operand, true)).collect()
                }
                _ => continue,
            };
            for (part, positive) in parts {
                let (mut form, other) = (self.form(part), self.form(other));
                if !positive {
                    form.terms.iter_mut().for_each(|t| t.1 = -t.1);
                    form.constant = -form.constant;
                }
                self.compare_forms(form, operator, other, under);
            }
            return true;
        }
        false
    }

    /// Posts a comparison whose sides have their views.
    fn compare(&mut self, node: usize, operator: Operator, under: Option<Atom>) {
        let (left, right) = self.sides(node);
        let (left, right) = (self.form(left), self.form(right));
        self.compare_forms(left, operator, right, under);
    }

    fn compare_forms(&mut self, mut left: Form, operator: Operator, mut right: Form, under: Option<Atom>) {
        // Fixed variables are constants. Not in an equation of several others: with fewer terms it would filter
        // more than it does where they are fixed later.
        let store = self.poster.store();
        if operator != Operator::Eq || left.open_terms(store) + right.open_terms(store) <= 1 {
            left.fold_fixed(store);
            right.fold_fixed(store);
        }
        let sides = match (left.view(), right.view()) {
            (Some(x), Some(y)) => Ok((x, y)),
            _ => {
                let difference = left.minus(right).folded();
                match difference.terms[..] {
                    [] | [_] => Err(difference),
                    [_, (y, d)] => {
                        let rest = Form { terms: difference.terms[..1].into(), ..difference };
                        rest.view().map(|x| (x, View::scaled(y, -d as i64))).ok_or(Form::default())
                    }
                    _ => Err(difference),
                }
            }
        };
        match sides {
            Ok((x, y)) => self.under(under, |poster| comparison::post(poster, x, operator, y)),
            Err(form) => match form.view() {
                Some(x) => {
                    let zero = View::constant(0);
                    self.under(under, |poster| comparison::post(poster, x, operator, zero));
                }
                None => {
                    let (terms, value) = (form.views(), -form.constant as i64);
                    self.under(under, |poster| linear::post(poster, terms, operator, value));
                }
            },
        }
    }

    fn define(&mut self, node: usize, atom: Atom) {
        if let Some(simple) = self.simple(node) {
            return self.equivalent(atom, simple);
        }
        match &self.nodes[node] {
            Node::Not => self.tasks.push(Task::Define { node: node - 1, atom: atom.negated() }),
            Node::And(_) => {
                let all = self.operand_atoms(node);
                self.define_all(atom, &all);
            }
            Node::Or(_) => {
                let none: Atoms = self.operand_atoms(node).iter().map(|a| a.negated()).collect();
                self.define_all(atom.negated(), &none);
            }
            Node::Xor(_) => {
                let mut atoms = self.operand_atoms(node).into_vec();
                atoms.push(atom);
                xor::post_xor(self.poster, atoms, false);
            }
            Node::Compare(operator) => {
                let (left, right) = self.sides(node);
                if matches!(operator, Operator::Eq | Operator::Ne)
                    && self.require_directly(left, *operator, right, true, Some(atom))
                    && self.require_directly(left, *operator, right, false, Some(atom.negated()))
                {
                    return;
                }
                self.give_values(node);
                let mut needs: Atoms = self.needs_of(node);
                let comparison = if needs.is_empty() { atom } else { self.poster.auxiliary() };
                self.compare(node, *operator, Some(comparison));
                self.compare(node, operator.negated(), Some(comparison.negated()));
                if !needs.is_empty() {
                    needs.push(comparison);
                    self.define_all(atom, &needs);
                }
            }
            Node::Holds(constraint) => {
                self.under(Some(atom), |poster| constraint.post(poster));
                if let Some(negation) = constraint.negation() {
                    self.under(Some(atom.negated()), |poster| negation.post(poster));
                }
            }
            _ => {}
        }
    }

    fn operand_atoms(&mut self, node: usize) -> Atoms {
        let operands: Vec<usize> = self.operands(node).collect();
        operands.into_iter().rev().map(|operand| self.atom_of(operand)).collect()
    }
}

/// Whether bounds are those of a Boolean as a number.
fn is_boolean((low, high): (i64, i64)) -> bool {
    low >= 0 && high <= 1
}
