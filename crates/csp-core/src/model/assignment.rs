//! A value for each variable.

use std::ops::Index;
use std::sync::Arc;

use super::{Affine, BoolVar, IntExpr, IntVar};

/// A value for every variable of one model.
///
/// Solutions are assignments; make one yourself with
/// [`Model::assignment`](crate::Model::assignment) to have a candidate checked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Assignment {
    /// The tag of each variable.
    pub(crate) tags: Arc<Vec<u32>>,
    pub(crate) values: Vec<i64>,
}

/// An assignment that satisfies every constraint.
pub type Solution = Assignment;

impl Assignment {
    /// The value of a variable, Boolean, view or expression; `None` if it belongs to another model, is
    /// undefined, or exceeds an `i64`.
    pub fn get(&self, x: impl Into<IntExpr>) -> Option<i64> {
        x.into().value(self)
    }

    /// The value of a view.
    #[inline]
    pub(crate) fn view(&self, x: Affine) -> Option<i64> {
        match x.var.index_in(&self.tags) {
            Some(i) => x.apply(*self.values.get(i)?),
            None if x.var().is_none() => x.apply(0),
            None => None,
        }
    }

    /// The value of a variable, Boolean, view or expression: `solution.value(x + 2 * y)`.
    ///
    /// # Panics
    /// If it belongs to another model, is undefined, or exceeds an `i64`.
    #[track_caller]
    pub fn value(&self, x: impl Into<IntExpr>) -> i64 {
        self.get(x).expect(
            "this variable belongs to another model, or was made after this assignment; or the value is undefined",
        )
    }

    /// Whether a Boolean is true.
    ///
    /// # Panics
    /// If it belongs to another model, as indexing does.
    #[track_caller]
    pub fn is_true(&self, b: BoolVar) -> bool {
        self.value(b) == 1
    }

    /// The values of several variables, in order.
    ///
    /// # Panics
    /// If one belongs to another model, as indexing does.
    #[track_caller]
    pub fn values<T: Into<IntExpr>>(&self, xs: impl IntoIterator<Item = T>) -> Vec<i64> {
        xs.into_iter().map(|x| self.value(x)).collect()
    }
}

impl Index<IntVar> for Assignment {
    type Output = i64;

    #[track_caller]
    fn index(&self, x: IntVar) -> &i64 {
        let value = x.index_in(&self.tags).and_then(|i| self.values.get(i));
        value.expect("this variable belongs to another model, or was made after this assignment")
    }
}
