//! Linear forms: what is worked out of an integer expression before it becomes terms of a constraint.

use smallvec::SmallVec;

use crate::engine::{Store, VarId, View};

/// A weighted sum of engine variables, in which one may stand several times.
#[derive(Debug, Default)]
pub(super) struct Form {
    pub(super) terms: SmallVec<[(VarId, i128); 2]>,
    pub(super) constant: i128,
}

impl Form {
    /// The view that it is, if it has at most one term. All numbers fit: the model was validated.
    pub(super) fn view(&self) -> Option<View> {
        let constant = i64::try_from(self.constant).ok()?;
        match self.terms[..] {
            [] => Some(View::constant(constant)),
            [(_, 0)] => Some(View::constant(constant)),
            [(var, c)] => Some(View { var, scale: i64::try_from(c).ok()?, offset: constant }),
            _ => None,
        }
    }

    pub(super) fn minus(mut self, other: Form) -> Form {
        self.terms.extend(other.terms.into_iter().map(|(var, c)| (var, -c)));
        self.constant -= other.constant;
        self
    }

    /// How many terms have variables that are not fixed.
    pub(super) fn open_terms(&self, store: &Store) -> usize {
        self.terms.iter().filter(|t| !store.is_fixed(View::of(t.0))).count()
    }

    /// Makes terms of fixed variables part of the constant.
    pub(super) fn fold_fixed(&mut self, store: &Store) {
        let constant = &mut self.constant;
        self.terms.retain(|&mut (var, c)| match store.value(View::of(var)) {
            Some(value) => {
                *constant = constant.saturating_add(c.saturating_mul(value.into()));
                false
            }
            None => true,
        });
    }

    /// One term for each variable.
    pub(super) fn folded(mut self) -> Form {
        self.terms.sort_by_key(|t| t.0);
        self.terms.dedup_by(|next, term| {
            let same = next.0 == term.0;
            if same {
                term.1 += next.1;
            }
            same
        });
        // A coefficient beyond the range belongs to a variable that can only be 0.
        self.terms.retain(|t| t.1 != 0 && i64::try_from(t.1).is_ok());
        self
    }

    pub(super) fn views(&self) -> Vec<View> {
        self.terms.iter().map(|&(var, c)| View::scaled(var, c as i64)).collect()
    }
}
