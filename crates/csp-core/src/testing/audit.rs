//! What explanations are worth: how long the reasons are that conflict analysis asks for, beside the default ones,
//! and what becomes of a search that has to do with the default.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::Solver;
use crate::engine::Atom;

/// The reasons of one type of propagator that conflict analysis asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReasonLengths {
    /// How many there were.
    pub reasons: u64,
    /// The atoms of all of them, as the propagators give them.
    pub own: u64,
    /// The atoms they would have had, or had, by [default](crate::engine::Propagator::explain): the bounds and holes of the
    /// whole scope.
    pub default: u64,
}

/// Counts reasons, and replaces some of them by the default.
#[derive(Debug)]
pub(crate) struct Audit {
    replaced: Vec<String>,
    lengths: RefCell<BTreeMap<&'static str, ReasonLengths>>,
}

impl Audit {
    /// Counts a reason, given with the default one; answers whether that is to be taken.
    pub(crate) fn replaces(&self, kind: &'static str, own: &[Atom], default: &[Atom]) -> bool {
        let mut lengths = self.lengths.borrow_mut();
        let lengths = lengths.entry(kind).or_default();
        lengths.reasons += 1;
        lengths.own += own.len() as u64;
        lengths.default += default.len() as u64;
        self.replaced.iter().any(|part| kind.contains(&**part))
    }
}

/// For developers of propagators.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let pigeons = model.ints(7, 0..6);
/// for (i, &a) in pigeons.iter().enumerate() {
///     for &b in &pigeons[..i] {
///         model.post(a.ne(b));
///     }
/// }
/// let mut solver = model.solver()?;
/// solver.set_mode(Mode::Learning);
/// solver.audit_reasons(["::comparison::"]);
/// assert_eq!(solver.first(), First::Infeasible);
/// for (propagator, lengths) in solver.audited_reasons() {
///     println!("{propagator}: {lengths:?}");
/// }
/// # Ok::<(), ModelError>(())
/// ```
impl Solver {
    /// From now on, counts the reasons that conflict analysis asks for, and replaces those of propagators by the
    /// default whose type has one of the given parts in its path.
    pub fn audit_reasons<T: Into<String>>(&mut self, replaced: impl IntoIterator<Item = T>) {
        let replaced = replaced.into_iter().map(Into::into).collect();
        self.engine_mut().audit = Some(Audit { replaced, lengths: RefCell::default() });
    }

    /// What was counted since, by the path of the propagator's type.
    pub fn audited_reasons(&self) -> BTreeMap<&'static str, ReasonLengths> {
        self.engine().audit.as_ref().map(|audit| audit.lengths.borrow().clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    /// Tasks on two machines, and a sum that is to be small.
    fn model() -> (Model, IntVar) {
        let mut model = Model::new();
        let starts = model.ints(8, 0..40);
        let end = model.int(0..400);
        for half in starts.chunks(4) {
            model.post(no_overlap(half.iter().zip([3, 5, 2, 4]).map(|(&start, takes)| (start, takes))));
        }
        for (i, pair) in starts.windows(2).enumerate() {
            model.post(rule!(pair[0] + 2 * (i as i64 % 3) != pair[1]));
        }
        model.post(all_different(&starts));
        model.post(rule!(sum(&starts) + starts[0] = end));
        model.post(rule!(starts[0] + 3 <= starts[7]));
        let early = model.bool();
        model.post(rule!(early -> starts[1] + 2 <= starts[6]));
        model.post(rule!(!early -> starts[6] + 9 <= starts[1]));
        (model, end)
    }

    #[test]
    fn default_reasons_are_longer_and_as_right() {
        let (model, end) = model();
        let run = |mode: Mode, replaced: &[&str]| {
            let mut solver = model.solver().unwrap();
            solver.set_mode(mode);
            solver.audit_reasons(replaced.iter().copied());
            let best = solver.minimise(end).unwrap();
            assert!(best.is_proved());
            (best.value(), solver.statistics().failures, solver.audited_reasons())
        };
        let (plain, _, nothing) = run(Mode::Plain, &[]);
        assert!(nothing.is_empty());
        let (own, own_failures, lengths) = run(Mode::Learning, &[]);
        for part in ["::no_overlap::", "::linear::", "::all_different::", "::differences::"] {
            let of = |(kind, _): &(&&str, &ReasonLengths)| kind.contains(part);
            let found: Vec<_> = lengths.iter().filter(of).collect();
            assert!(!found.is_empty(), "{part} of {lengths:?}");
            assert!(found.iter().all(|(_, l)| l.reasons > 0 && l.own <= l.default), "{found:?}");
        }
        let (default, default_failures, _) = run(Mode::Learning, &["::constraints::", "::differences::"]);
        assert_eq!((plain, plain), (own, default));
        assert_ne!(default_failures, own_failures, "nothing was replaced");
    }
}
