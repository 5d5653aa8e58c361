//! Variable orders: which variable to decide on.

use crate::engine::{Store, VarId, View};
use crate::model::IntVar;

use super::Domains;

/// A closure that picks a variable, of which copies can be made.
pub(super) trait VariableChoice: FnMut(&Domains<'_>, &[IntVar]) -> Option<IntVar> + Send {
    fn copy(&self) -> Box<dyn VariableChoice>;
}

impl<F: FnMut(&Domains<'_>, &[IntVar]) -> Option<IntVar> + Clone + Send + 'static> VariableChoice for F {
    fn copy(&self) -> Box<dyn VariableChoice> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn VariableChoice> {
    fn clone(&self) -> Self {
        (**self).copy()
    }
}

#[derive(Clone)]
pub(super) enum VariableOrder {
    Input,
    SmallestDomain,
    LargestDomain,
    SmallestMin,
    LargestMax,
    /// With the degrees of the variables in the list, as they were when the search began.
    MostConstrained(Vec<u64>),
    DomWdeg(Weights),
    Activity(Weights),
    Random,
    By(Box<dyn VariableChoice>),
}

/// Numbers of the engine's variables that grow by what happens to them.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights {
    of: Vec<f64>,
    /// What the next event adds.
    step: f64,
    largest: f64,
}

/// Where numbers are made smaller again, all alike.
const LARGE: f64 = 1e100;

impl Weights {
    pub(super) fn reset(&mut self, variables: usize, initial: f64) {
        self.of.clear();
        self.of.resize(variables, initial);
        self.step = 1.0;
        self.largest = initial;
    }

    #[inline]
    pub(super) fn of(&self, x: View) -> f64 {
        self.of.get(x.var().index()).copied().unwrap_or(0.0)
    }

    /// No number is larger (unless there was a [decay](Self::decay)).
    pub(super) fn largest(&self) -> f64 {
        self.largest
    }

    /// Something happened to these.
    pub(super) fn add(&mut self, variables: impl Iterator<Item = VarId>) {
        for x in variables {
            if let Some(weight) = self.of.get_mut(x.index()) {
                *weight += self.step;
                self.largest = self.largest.max(*weight);
            }
        }
    }

    /// What happened so far counts less from now on: what comes counts more, and the ratio is all that matters.
    pub(super) fn decay(&mut self, factor: f64) {
        self.step /= factor;
        if self.step > LARGE {
            self.of.iter_mut().for_each(|weight| *weight /= LARGE);
            self.step /= LARGE;
        }
    }
}

/// The first place among the views from `from` on that are not fixed where `key` is smallest. No key is
/// below `least`.
#[inline(always)]
pub(super) fn best<K: PartialOrd>(
    views: &[View],
    from: usize,
    store: &Store,
    least: Option<K>,
    key: impl Fn(usize, View) -> K,
) -> Option<usize> {
    let mut best: Option<(K, usize)> = None;
    for (i, &x) in views.iter().enumerate().skip(from) {
        if store.is_fixed(x) {
            continue;
        }
        let key = key(i, x);
        if best.as_ref().is_none_or(|(smallest, _)| key < *smallest) {
            if least.as_ref().is_some_and(|least| key <= *least) {
                return Some(i);
            }
            best = Some((key, i));
        }
    }
    best.map(|(_, i)| i)
}

/// The first place of the smallest size that is at least 2.
#[inline(always)]
pub(super) fn smallest(sizes: impl Iterator<Item = u64>) -> Option<usize> {
    let (mut best, mut place) = (u64::MAX, None);
    for (i, size) in sizes.enumerate() {
        // A fixed variable's size, 1, becomes the largest number.
        let size = size.wrapping_sub(2);
        if size < best {
            (best, place) = (size, Some(i));
            if size == 0 {
                break;
            }
        }
    }
    place
}
