//! What a brancher sees of a node.

use crate::engine::{Store, View, Watches};
use crate::model::IntVar;

/// The domains at the present node, to read by variables of the model. (A variable of another model reads as
/// the constant 0.)
#[derive(Clone, Copy, Debug)]
pub struct Domains<'a> {
    pub(crate) store: &'a Store,
    pub(crate) watches: &'a [Watches],
    pub(crate) map: &'a [View],
    pub(crate) tags: &'a [u32],
    pub(crate) path: &'a [u64],
}

impl<'a> Domains<'a> {
    /// The engine's view; variables of another model read as the constant 0.
    #[inline]
    pub(crate) fn view(&self, x: IntVar) -> View {
        self.known(x).unwrap_or(View::constant(0))
    }

    /// The engine's view of a variable that the solver has.
    #[inline]
    pub(crate) fn known(&self, x: IntVar) -> Option<View> {
        x.index_in(self.tags).and_then(|i| self.map.get(i)).copied()
    }

    /// Whether the solver has the variable.
    pub fn has(&self, x: IntVar) -> bool {
        x.index_in(self.tags).is_some()
    }

    /// The smallest value left.
    pub fn min(&self, x: IntVar) -> i64 {
        self.store.min(self.view(x))
    }

    /// The largest value left.
    pub fn max(&self, x: IntVar) -> i64 {
        self.store.max(self.view(x))
    }

    /// How many values are left; 1 means fixed.
    pub fn size(&self, x: IntVar) -> u64 {
        self.store.size(self.view(x))
    }

    /// Whether one value is left.
    pub fn is_fixed(&self, x: IntVar) -> bool {
        self.store.is_fixed(self.view(x))
    }

    /// Whether a value is left.
    pub fn contains(&self, x: IntVar, value: i64) -> bool {
        self.store.contains(self.view(x), value)
    }

    /// The values left, ascending.
    pub fn values(&self, x: IntVar) -> impl Iterator<Item = i64> + use<'a> {
        self.store.values(self.view(x))
    }

    /// The value left that has exactly `k` smaller ones; the largest if there are fewer.
    pub fn nth(&self, x: IntVar, k: u64) -> i64 {
        self.store.nth(self.view(x), k)
    }

    /// How many propagators are woken by changes of the variable; one that lists it twice counts twice. A
    /// constraint may have several propagators, or none.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let xs = model.ints(3, 0..=3);
    /// model.post(xs[0].lt(xs[1]));
    /// model.post(xs[1].lt(xs[2]));
    /// let mut solver = model.solver()?;
    /// let middle = xs[1];
    /// solver.set_search(branch(&xs).variable_by(move |domains, open| {
    ///     assert!(open.iter().all(|&x| domains.degree(x) <= domains.degree(middle)));
    ///     open.iter().copied().max_by_key(|&x| domains.degree(x))
    /// }));
    /// assert_eq!(solver.count().solutions, 4);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn degree(&self, x: IntVar) -> u64 {
        self.watches.get(self.view(x).var().index()).map_or(0, Watches::len) as u64
    }

    /// The path from the root to this node: for each level of the search the number of the node that opened
    /// it, first that of the root, then those where the decisions now in force were made. Two nodes whose
    /// paths begin alike share what was decided there, and whatever was fixed there is fixed at both: what a
    /// brancher keeps of a node can be used again while the node's path stands.
    pub fn path(&self) -> &'a [u64] {
        self.path
    }
}
