//! The values of integers: linear forms, and views of what functions come to.

use smallvec::SmallVec;

use super::form::Form;
use super::{Atoms, Lowering};
use crate::constraints::{Operator, absolute, element, linear, minimum_maximum};
use crate::engine::{Atom, VarId, View};
use crate::model::Node;

impl Lowering<'_, '_, '_> {
    /// The view of a function's value, made at the first call.
    pub(super) fn value_of(&mut self, node: usize) -> View {
        if let Some(place) = self.place[node].checked_sub(1) {
            return self.views[place as usize];
        }
        let view = self.new_value(node);
        self.keep(node, view);
        view
    }

    fn new_value(&mut self, node: usize) -> View {
        let bounds = |this: &Self, x: View| this.poster.store().bounds(x);
        match &self.nodes[node] {
            Node::Abs => {
                let (low, high) = match self.difference(node) {
                    Ok((x, y)) => {
                        let ((a, b), (c, d)) = (bounds(self, x), bounds(self, y));
                        (a - d, b - c)
                    }
                    Err(x) => bounds(self, x),
                };
                let value = self.poster.hidden(&[(0.max(low).max(-high), high.max(-low))]);
                self.post_function(node, true, value, None);
                value
            }
            Node::Min(0) | Node::Max(0) => self.undefined(node),
            Node::Min(_) | Node::Max(_) => {
                let smallest = matches!(self.nodes[node], Node::Min(_));
                let (mut low, mut high) = if smallest { (i64::MAX, i64::MAX) } else { (i64::MIN, i64::MIN) };
                for x in self.operand_views(node) {
                    let (a, b) = bounds(self, x);
                    (low, high) =
                        if smallest { (low.min(a), high.min(b)) } else { (low.max(a), high.max(b)) };
                }
                let value = self.poster.hidden(&[(low, high)]);
                self.post_function(node, true, value, None);
                value
            }
            Node::Element(array) => {
                let mut values: Vec<i64> = array.to_vec();
                values.sort_unstable();
                let mut intervals: Vec<(i64, i64)> = Vec::new();
                for v in values {
                    match intervals.last_mut() {
                        Some(last) if v <= last.1.saturating_add(1) => last.1 = v,
                        _ => intervals.push((v, v)),
                    }
                }
                let index = self.view_of(node - 1);
                self.new_entry(node, index, array.len(), &intervals)
            }
            Node::ElementOf(n) => {
                let count = *n as usize;
                let mut views = self.operand_views(node);
                let index = views.remove(0);
                let bounds: Vec<(i64, i64)> = views.iter().map(|&x| bounds(self, x)).collect();
                let low = bounds.iter().map(|b| b.0).min();
                let high = bounds.iter().map(|b| b.1).max();
                let interval: Vec<(i64, i64)> = low.zip(high).into_iter().collect();
                self.new_entry(node, index, count, &interval)
            }
            _ => View::constant(0),
        }
    }

    /// The value of an element: defined where the index lies in the array.
    fn new_entry(&mut self, node: usize, index: View, count: usize, values: &[(i64, i64)]) -> View {
        if values.is_empty() {
            return self.undefined(node);
        }
        let value = self.poster.hidden(values);
        let within = [index.ge(0), index.le(count as i64 - 1)];
        let open: Atoms =
            within.into_iter().filter(|&a| self.poster.store().truth(a) != Some(true)).collect();
        let condition = match open[..] {
            [] => None,
            [atom] => Some(atom),
            _ => {
                let both = self.poster.auxiliary();
                self.define_all(both, &open);
                Some(both)
            }
        };
        self.defined.extend(condition.map(|atom| (node, atom)));
        self.post_function(node, true, value, condition);
        value
    }

    fn undefined(&mut self, node: usize) -> View {
        self.defined.push((node, Atom::FALSE));
        View::constant(0)
    }

    /// The views of a node's operands.
    pub(super) fn operand_views(&mut self, node: usize) -> Vec<View> {
        let operands: Vec<usize> = self.operands(node).collect();
        operands.into_iter().rev().map(|operand| self.view_of(operand)).collect()
    }

    /// The operand of an absolute value as a difference of two views, or as one.
    fn difference(&mut self, node: usize) -> Result<(View, View), View> {
        let form = self.form(node - 1).folded();
        match form.terms[..] {
            [(x, c), (y, d)] if i64::try_from(form.constant).is_ok() => {
                let x = View { var: x, scale: c as i64, offset: form.constant as i64 };
                Ok((x, View { var: y, scale: -d as i64, offset: 0 }))
            }
            _ => Err(self.view_of_form(form)),
        }
    }

    /// Posts that a function has this value, or that it has not, under a condition. Where the function is
    /// undefined it has no value.
    pub(super) fn post_function(&mut self, node: usize, equal: bool, value: View, under: Option<Atom>) {
        match &self.nodes[node] {
            Node::Abs => {
                let (x, y) = self.difference(node).unwrap_or_else(|x| (x, View::constant(0)));
                let post = if equal { absolute::post_difference } else { absolute::post_other_difference };
                self.under(under, |poster| post(poster, x, y, value));
            }
            Node::Min(_) | Node::Max(_) => {
                let smallest = matches!(self.nodes[node], Node::Min(_));
                let signed = |x: View| if smallest { x.negated() } else { x };
                let views = self.operand_views(node).into_iter().map(signed).collect();
                let post =
                    if equal { minimum_maximum::post_maximum } else { minimum_maximum::post_other_maximum };
                self.under(under, |poster| post(poster, views, signed(value)));
            }
            Node::Element(array) if equal => {
                let index = self.view_of(node - 1);
                self.under(under, |poster| element::post_element(poster, array, index, value));
            }
            Node::Element(_) | Node::ElementOf(_) => {
                let mut views = self.operand_views(node);
                let index = views.remove(0);
                if let Node::Element(array) = &self.nodes[node] {
                    views = array.iter().map(|&n| View::constant(n)).collect();
                }
                let post = if equal { element::post_element_of } else { element::post_other_element };
                self.under(under, |poster| post(poster, views, index, value));
            }
            _ => {}
        }
    }

    /// The linear form of an integer; functions in it have their views already.
    pub(super) fn form(&mut self, node: usize) -> Form {
        let mut form = Form::default();
        let mut open: SmallVec<[(usize, i128); 8]> = SmallVec::new();
        open.push((node, 1));
        while let Some((i, factor)) = open.pop() {
            let view = match &self.nodes[i] {
                Node::View(x) => self.poster.affine(*x),
                Node::Sum(_) => {
                    open.extend(self.operands(i).map(|operand| (operand, factor)));
                    continue;
                }
                Node::Times(c) => {
                    open.push((i - 1, factor.saturating_mul(i128::from(*c))));
                    continue;
                }
                _ => self.value_of(i),
            };
            form.constant = form.constant.saturating_add(factor.saturating_mul(i128::from(view.offset())));
            if view.var() != VarId::ZERO {
                form.terms.push((view.var(), factor.saturating_mul(i128::from(view.scale()))));
            }
        }
        form
    }

    pub(super) fn view_of(&mut self, node: usize) -> View {
        let form = self.form(node);
        if let Some(view) = form.view() {
            return view;
        }
        self.view_of_form(form.folded())
    }

    /// The view of a folded form: a hidden variable, if it has several terms.
    fn view_of_form(&mut self, form: Form) -> View {
        if let Some(view) = form.view() {
            return view;
        }
        let mut terms = form.views();
        let (mut low, mut high) = (0, 0);
        for &term in &terms {
            let (a, b) = self.poster.store().bounds(term);
            low += a;
            high += b;
        }
        // The constant is that of the view, not of the variable.
        let sum = self.poster.hidden(&[(low, high)]);
        terms.push(sum.negated());
        linear::post(self.poster, terms, Operator::Eq, 0);
        View { offset: form.constant as i64, ..sum }
    }
}
