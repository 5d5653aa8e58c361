//! Value orders: what to decide on a variable.

use crate::engine::{Store, View};
use crate::model::IntVar;

use super::{Decision, Domains};

/// A closure that picks a value, of which copies can be made.
pub(super) trait ValueChoice: FnMut(&Domains<'_>, IntVar) -> i64 + Send {
    fn copy(&self) -> Box<dyn ValueChoice>;
}

impl<F: FnMut(&Domains<'_>, IntVar) -> i64 + Clone + Send + 'static> ValueChoice for F {
    fn copy(&self) -> Box<dyn ValueChoice> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn ValueChoice> {
    fn clone(&self) -> Self {
        (**self).copy()
    }
}

#[derive(Clone)]
pub(super) enum ValueOrder {
    Min,
    Max,
    Median,
    Random,
    Split,
    ReverseSplit,
    By(Box<dyn ValueChoice>),
}

impl ValueOrder {
    /// The decision on a variable that is not fixed.
    #[inline(always)]
    pub(super) fn decide(
        &mut self,
        domains: &Domains<'_>,
        x: IntVar,
        view: View,
        rng: &mut fastrand::Rng,
    ) -> Decision {
        let store = domains.store;
        let value = match self {
            ValueOrder::Min => store.min(view),
            ValueOrder::Max => store.max(view),
            ValueOrder::Median => store.nth(view, (store.size(view) - 1) / 2),
            ValueOrder::Random => store.nth(view, rng.u64(0..store.size(view))),
            ValueOrder::Split => return Decision::AtMost(x, middle(store, view)),
            ValueOrder::ReverseSplit => return Decision::AtLeast(x, middle(store, view) + 1),
            ValueOrder::By(choice) => choice(domains, x),
        };
        Decision::Equal(x, value)
    }
}

/// Half-way between the bounds, rounded down: at least the smallest value and below the largest.
fn middle(store: &Store, x: View) -> i64 {
    let (min, max) = store.bounds(x);
    // Half of an absolute difference fits, and the sum lies between the bounds.
    min + (max.abs_diff(min) / 2) as i64
}
