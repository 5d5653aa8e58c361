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

use std::str::FromStr;
use std::sync::Arc;

use crate::engine::{Atom, Poster, View};
use crate::error::ModelErrorKind;
use crate::model::{Affine, Assignment, Consistency, Constraint, IntExpr, Names};

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

/// By its name, as a command line has it.
///
/// ```
/// use csp_core::prelude::*;
/// assert_eq!("bounds".parse(), Ok(Strength::Bounds));
/// assert!("strong".parse::<Strength>().is_err());
/// ```
impl FromStr for Strength {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Strength, &'static str> {
        match name {
            "auto" => Ok(Strength::Auto),
            "value" => Ok(Strength::Value),
            "bounds" => Ok(Strength::Bounds),
            "domain" => Ok(Strength::Domain),
            _ => Err("a strength is auto, value, bounds or domain"),
        }
    }
}

/// The constraint that integers take pairwise different values; made by [`all_different`].
#[must_use = "a constraint does nothing until it is posted"]
#[derive(Clone, Debug)]
pub struct AllDifferent {
    operands: Arc<[IntExpr]>,
    /// The same, if they are views all: these are looked at for every solution.
    views: Option<Arc<[Affine]>>,
    strength: Strength,
}

/// All of the given integers (variables, views, expressions) take different values.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let xs = model.ints(3, 0..3);
/// model.post(all_different(&xs));
/// assert_eq!(model.solver()?.count().solutions, 6);
/// # Ok::<(), ModelError>(())
/// ```
pub fn all_different<T: Into<IntExpr>>(operands: impl IntoIterator<Item = T>) -> AllDifferent {
    let operands: Arc<[IntExpr]> = operands.into_iter().map(Into::into).collect();
    let views = operands.iter().map(IntExpr::as_view).collect();
    AllDifferent { operands, views, strength: Strength::default() }
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
        self.operands.iter().flat_map(IntExpr::views).collect()
    }

    fn is_satisfied(&self, a: &Assignment) -> bool {
        match &self.views {
            Some(views) => are_distinct(views.len(), |i| a.view(views[i])),
            None => are_distinct(self.operands.len(), |i| self.operands[i].value(a)),
        }
    }

    fn describe(&self, names: &Names<'_>) -> String {
        format!("all_different({})", names.list(self.operands.iter()))
    }

    fn consistency(&self) -> Consistency {
        match self.strength {
            _ if self.views.is_none() => Consistency::Check,
            Strength::Auto | Strength::Value => Consistency::Value,
            Strength::Bounds => Consistency::Bounds,
            Strength::Domain => Consistency::Domain,
        }
    }

    fn post(&self, poster: &mut Poster<'_>) {
        let views = poster.views(&self.operands);
        post(poster, views, self.strength);
    }

    fn validate(&self, range: &dyn Fn(Affine) -> (i64, i64)) -> Result<(), ModelErrorKind> {
        self.operands.iter().try_for_each(|x| x.validate(range))
    }
}

/// Posts that views are different.
pub(crate) fn post(poster: &mut Poster<'_>, views: Vec<View>, strength: Strength) {
    // What is listed twice does not differ from itself.
    if Poster::repeats(&views) && has_equal(&views) {
        return poster.assert(Atom::FALSE);
    }
    match strength {
        Strength::Auto if is_permutation(poster, &views) => domain::post(poster, views),
        Strength::Auto | Strength::Value => value::post(poster, views),
        Strength::Bounds => bounds::post(poster, views),
        Strength::Domain => domain::post(poster, views),
    }
}

fn has_equal(views: &[View]) -> bool {
    let mut all: Vec<_> = views.iter().map(|view| (view.var, view.scale, view.offset)).collect();
    all.sort_unstable();
    all.windows(2).any(|pair| pair[0] == pair[1])
}

/// Whether so many values are all there and all different.
fn are_distinct(count: usize, value: impl Fn(usize) -> Option<i64>) -> bool {
    // Values near the first are bits of a word. With others, it is quadratic but allocates nothing.
    let (mut low, mut seen) = (0, 0u64);
    for i in 0..count {
        let Some(v) = value(i) else { return false };
        if i == 0 {
            low = v.wrapping_sub(32);
        }
        let near = v.wrapping_sub(low) as u64;
        if near < 64 {
            if seen >> near & 1 == 1 {
                return false;
            }
            seen |= 1 << near;
        } else if (0..i).any(|j| value(j) == Some(v)) {
            return false;
        }
    }
    true
}

/// Whether a few views have no more values between them than there are views.
fn is_permutation(poster: &Poster<'_>, views: &[View]) -> bool {
    poster.frame(views).is_some_and(|frame| {
        let values = (0..views.len() as u32).fold(0, |set, i| set | frame.values(poster.store(), i));
        values.count_ones() as usize <= views.len()
    })
}
