//! How a constraint reaches the engine.

use smallvec::SmallVec;

use super::events::Events;
use super::kernel::{Engine, Subscription};
use super::propagator::Propagator;
use super::queue::Priority;
use super::reason::Atom;
use super::trail::Slot;
use super::view::{VarId, View};
use crate::model::{Affine, BoolExpr, IntExpr};

/// Hands the propagators of one constraint to the engine.
#[derive(Debug)]
pub struct Poster<'a> {
    pub(crate) engine: &'a mut Engine,
    /// The engine's view of each model variable.
    pub(crate) map: &'a [View],
    /// The condition of everything posted from here on.
    pub(crate) condition: Option<Atom>,
}

impl Poster<'_> {
    /// The engine's view of an expression: a variable, view or constant, or else a hidden variable that
    /// always has its value. Where the expression may be undefined, this demands (under the poster's condition)
    /// that it is defined.
    pub fn view(&mut self, x: impl Into<IntExpr>) -> View {
        let x = x.into();
        match x.as_view() {
            Some(x) => self.affine(x),
            None => crate::constraints::expression::view(self, &x),
        }
    }

    /// The engine's view of a variable, view or constant.
    pub(crate) fn affine(&self, x: Affine) -> View {
        let Some(index) = x.var.index() else { return View::constant(x.offset) };
        let inner = self.map[index];
        // The ranges were checked when the constraint was added to its model, so neither can wrap.
        View {
            var: inner.var,
            scale: x.scale.wrapping_mul(inner.scale),
            offset: x.scale.wrapping_mul(inner.offset).wrapping_add(x.offset),
        }
    }

    /// The engine's views of several.
    pub fn views<T: Into<IntExpr> + Clone>(&mut self, xs: &[T]) -> Vec<View> {
        xs.iter().map(|x| self.view(x)).collect()
    }

    /// The atom that a Boolean expression is true: of a Boolean variable, of one fact about a variable, or of
    /// a hidden Boolean that is equivalent to the expression.
    pub fn literal(&mut self, b: impl Into<BoolExpr>) -> Atom {
        let b = b.into();
        match b.as_literal() {
            Some(b) => self.affine(b.into()).eq(1),
            None => crate::constraints::expression::literal(self, &b),
        }
    }

    /// Views prepared for removing one value from many of them.
    pub fn targets(&self, views: Vec<View>) -> super::Targets {
        super::Targets::new(&self.engine.store, views)
    }

    /// The frame of views with few values, if they have one.
    pub fn frame(&self, views: &[View]) -> Option<super::Frame> {
        super::Frame::new(&self.engine.store, views)
    }

    /// The store as it is at the root.
    pub fn store(&self) -> &super::Store {
        &self.engine.store
    }

    /// A trailed word, for state that must come back on undo.
    pub fn state(&mut self, word: u64) -> Slot {
        self.engine.store.trail.alloc(word)
    }

    /// Several trailed words side by side; the first of them.
    pub(crate) fn states(&mut self, words: impl Iterator<Item = u64>) -> Slot {
        let first = Slot(self.engine.store.trail.len() as u32);
        words.for_each(|word| {
            self.state(word);
        });
        first
    }

    /// Adds a propagator that is woken by the given events of its views. Every view whose domain it
    /// reads must be listed (with [`Events::NONE`] if its changes need not wake it).
    pub fn add(
        &mut self,
        propagator: impl Propagator + 'static,
        priority: Priority,
        subscriptions: impl IntoIterator<Item = (View, Events)>,
    ) {
        self.engine.add_propagator(
            Box::new(propagator),
            priority,
            subscriptions.into_iter().map(|(view, events)| Subscription { view, events, index: None }),
            self.condition,
        );
    }

    /// As [`add`](Self::add), for a propagator that wants to know which of its subscriptions, by index,
    /// had an event: see [`Context::changed`](super::Context::changed).
    pub fn add_indexed(
        &mut self,
        propagator: impl Propagator + 'static,
        priority: Priority,
        subscriptions: impl IntoIterator<Item = (View, Events)>,
    ) {
        self.engine.add_propagator(
            Box::new(propagator),
            priority,
            subscriptions.into_iter().zip(0..).map(|((view, events), i)| Subscription {
                view,
                events,
                index: Some(i),
            }),
            self.condition,
        );
    }

    /// Keeps `x + gap ≤ y` by an arc of the difference network; `false` if the views are not of two variables with the
    /// same scale, or too far from each other.
    pub(crate) fn difference(&mut self, x: View, gap: i64, y: View) -> bool {
        if x.scale != y.scale || x.var == y.var {
            return false;
        }
        // scale · (var of y − var of x) ≥ least
        let least = i128::from(x.offset) + i128::from(gap) - i128::from(y.offset);
        let (from, to) = if x.scale > 0 { (x.var, y.var) } else { (y.var, x.var) };
        let distance = -(-least).div_euclid(i128::from(x.scale).abs());
        self.engine.add_difference(from, distance, to, self.condition)
    }

    /// States a fact about one variable, which needs no propagator: at once where nothing else is a
    /// condition, and as a clause of one atom otherwise.
    pub fn assert(&mut self, atom: Atom) {
        if self.condition.is_some() {
            crate::constraints::clause::post_atoms(self, &[atom]);
        } else if self.engine.decide(atom).is_err() {
            self.engine.set_failed();
        }
    }

    /// Posts what `post` posts, in force only where `condition` is true (and any condition already in
    /// force around it).
    pub fn under(&mut self, condition: Atom, post: impl FnOnce(&mut Poster<'_>)) {
        let condition = match self.condition {
            None => condition,
            Some(outer) => self.both(outer, condition),
        };
        post(&mut Poster { engine: self.engine, map: self.map, condition: Some(condition) });
    }

    /// A hidden variable with the values of the given sorted, disjoint, non-adjacent intervals. Hidden
    /// variables are not part of solutions and do not count as a difference between them.
    pub(crate) fn hidden(&mut self, intervals: &[(i64, i64)]) -> View {
        View::of(self.engine.add_variable(intervals))
    }

    /// The atom that a hidden Boolean is true.
    pub(crate) fn auxiliary(&mut self) -> Atom {
        self.hidden(&[(0, 1)]).eq(1)
    }

    /// An atom that is true exactly where both are.
    fn both(&mut self, a: Atom, b: Atom) -> Atom {
        let both = self.auxiliary();
        let outer = self.condition.take();
        crate::constraints::clause::post_atoms(self, &[a.negated(), b.negated(), both]);
        crate::constraints::clause::post_atoms(self, &[a, both.negated()]);
        crate::constraints::clause::post_atoms(self, &[b, both.negated()]);
        self.condition = outer;
        both
    }

    /// Whether a variable is listed in two of the views.
    pub(crate) fn repeats(views: &[View]) -> bool {
        let mut vars: SmallVec<[VarId; 16]> =
            views.iter().map(|v| v.var).filter(|&v| v != VarId::ZERO).collect();
        vars.sort_unstable();
        vars.windows(2).any(|w| w[0] == w[1])
    }
}
