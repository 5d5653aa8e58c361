//! All views take different values.
//!
//! Three strengths of filtering, one file each: by value, by bounds and by domain. The default was measured
//! (`cargo bench`, figures in `BENCHMARKS.md`): where views share exactly as many values as there are
//! views, domain filtering saves up to thousands of nodes for one it wastes; elsewhere it seldom finds
//! more than value filtering and costs two to three times as much.

mod bounds;
mod domain;
mod hall;
mod value;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::engine::Poster;
use crate::model::{Affine, Assignment, Consistency, Constraint, Names};

/// How much [`AllDifferent`] filters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strength {
    /// [`Domain`](Self::Domain) for at most 64 views that share, when posted, no more values than there are
    /// views, as in a row of a Sudoku; [`Value`](Self::Value) for others.
    #[default]
    Auto,
    /// The value of a fixed view is removed from the others. Linear per fixed view.
    Value,
    /// Bounds consistency.
    Bounds,
    /// Domain consistency.
    Domain,
}

/// The constraint that views take pairwise different values; made by [`all_different`].
#[derive(Clone, Debug)]
pub struct AllDifferent {
    views: Arc<[Affine]>,
    strength: Strength,
}

/// All of the given views take different values.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let xs = model.ints(3, 0..3);
/// model.post(all_different(&xs));
/// assert_eq!(model.solver()?.count().solutions, 6);
/// # Ok::<(), ModelError>(())
/// ```
pub fn all_different<T: Into<Affine>>(views: impl IntoIterator<Item = T>) -> AllDifferent {
    AllDifferent { views: views.into_iter().map(Into::into).collect(), strength: Strength::default() }
}

impl AllDifferent {
    /// Filtered [by value](Strength::Value).
    pub fn value(self) -> AllDifferent {
        self.strength(Strength::Value)
    }

    /// Filtered [by bounds](Strength::Bounds).
    pub fn bounds(self) -> AllDifferent {
        self.strength(Strength::Bounds)
    }

    /// Filtered [by domain](Strength::Domain).
    pub fn domain(self) -> AllDifferent {
        self.strength(Strength::Domain)
    }

    /// With another strength of filtering.
    pub fn strength(self, strength: Strength) -> AllDifferent {
        AllDifferent { strength, ..self }
    }
}

impl Constraint for AllDifferent {
    fn scope(&self) -> Vec<Affine> {
        self.views.to_vec()
    }

    fn is_satisfied(&self, a: &Assignment) -> bool {
        let Some(&first) = self.views.first() else { return true };
        // Values near the first are bits of a word. With others, it is quadratic but allocates nothing.
        let low = a.value(first).wrapping_sub(32);
        let mut seen = 0u64;
        for (i, &x) in self.views.iter().enumerate() {
            let v = a.value(x);
            let near = v.wrapping_sub(low) as u64;
            if near < 64 {
                if seen >> near & 1 == 1 {
                    return false;
                }
                seen |= 1 << near;
            } else if self.views[..i].iter().any(|&y| a.value(y) == v) {
                return false;
            }
        }
        true
    }

    fn describe(&self, names: &Names<'_>) -> String {
        format!("all_different({})", names.list(self.views.iter()))
    }

    fn consistency(&self) -> Consistency {
        match self.strength {
            Strength::Auto | Strength::Value => Consistency::Value,
            Strength::Bounds => Consistency::Bounds,
            Strength::Domain => Consistency::Domain,
        }
    }

    fn post(&self, poster: &mut Poster<'_>) {
        match self.strength {
            Strength::Auto if is_permutation(poster, &self.views) => domain::post(poster, &self.views),
            Strength::Auto | Strength::Value => value::post(poster, &self.views),
            Strength::Bounds => bounds::post(poster, &self.views),
            Strength::Domain => domain::post(poster, &self.views),
        }
    }
}

/// Whether a few views have no more values between them than there are views.
fn is_permutation(poster: &Poster<'_>, views: &[Affine]) -> bool {
    let views = poster.views(views);
    poster.frame(&views).is_some_and(|frame| {
        let values = (0..views.len() as u32).fold(0, |set, i| set | frame.values(poster.store(), i));
        values.count_ones() as usize <= views.len()
    })
}
