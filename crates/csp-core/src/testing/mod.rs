//! One harness that tests any constraint against brute force.
//!
//! [`check`] is given a closure that makes the constraint from a list of views. It makes random small
//! cases of it — holes, negative values, constants, the same variable twice, no view at all, views of
//! scale −1 and others, domains of all three forms the engine has, values near the limits — and walks
//! each of them by random decisions, with undo in between. At every node it checks
//!
//! - that no value of a solution was removed, and that a full assignment is accepted if and only if it
//!   satisfies the constraint;
//! - the consistency the constraint [declares](crate::Constraint::consistency), where no variable
//!   stands twice;
//! - that propagating again, and posting anew on the domains of the node, changes nothing;
//! - that undo brings every trailed word back;
//! - that the run with the log on is the run with the log off;
//! - each reason and each failure's reason: its atoms held before, they imply the change, and in a fresh
//!   engine in which only they are asserted, the constraint makes the change again. A bound is also
//!   explained in a weaker form, and earlier changes once more from below.
//!
//! All that is done to the constraint itself, to `when(b, constraint)` and, if it has a negation, to
//! `iff(b, constraint)`. At last the solver's solutions are compared with brute force.
//!
//! The cases are made by proptest from a fixed seed, so a run repeats, and a failing case is made
//! smaller before it is shown. Two environment variables ask for more than that:
//! `CSP_TESTING_CASES` is the number of cases per constraint (256 unless said otherwise), and
//! `CSP_TESTING_SEED` a number for other cases.
//!
//! The printed line says how much there was to check. A test in which next to no case prunes below the
//! root, or all are infeasible, shows nothing: see [`Report`].
//!
//! A constraint of your own takes one line:
//!
//! ```
//! use csp_core::engine::{Conflict, Context, Events, Explanation, Poster, Priority, Propagator, Status, View};
//! use csp_core::model::{Affine, Assignment, Consistency, Constraint, Names};
//!
//! /// Two views differ by at most 1.
//! #[derive(Clone, Debug)]
//! struct Close(Affine, Affine);
//!
//! impl Constraint for Close {
//!     fn scope(&self) -> Vec<Affine> {
//!         vec![self.0, self.1]
//!     }
//!     fn is_satisfied(&self, a: &Assignment) -> bool {
//!         a.value(self.0).abs_diff(a.value(self.1)) <= 1
//!     }
//!     fn describe(&self, names: &Names<'_>) -> String {
//!         format!("|{} - {}| <= 1", names.of(self.0), names.of(self.1))
//!     }
//!     fn consistency(&self) -> Consistency {
//!         Consistency::Bounds
//!     }
//!     fn post(&self, poster: &mut Poster<'_>) {
//!         let (x, y) = (poster.view(self.0), poster.view(self.1));
//!         poster.add(KeepClose(x, y), Priority::Unary, [(x, Events::BOUNDS), (y, Events::BOUNDS)]);
//!     }
//! }
//!
//! #[derive(Debug)]
//! struct KeepClose(View, View);
//!
//! impl Propagator for KeepClose {
//!     fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
//!         for (x, y) in [(self.0, self.1), (self.1, self.0)] {
//!             let (low, high) = (ctx.min(x), ctx.max(x));
//!             ctx.set_min(y, low - 1, |why: &mut Explanation| why.push(x.ge(low)))?;
//!             ctx.set_max(y, high + 1, |why: &mut Explanation| why.push(x.le(high)))?;
//!         }
//!         Ok(Status::MayChange)
//!     }
//! }
//!
//! let report = csp_core::testing::check("close", 2, |xs, _| Close(xs[0], xs[1]));
//! assert!(report.pruned > 10 && report.infeasible > 10);
//! ```

mod audit;
mod case;
mod consistency;
mod fault;
mod params;
mod probe;
mod reasons;
mod search;
mod subject;
mod walk;

#[cfg(test)]
mod faults;

use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::model::{Affine, BoolVar, Constraint};

pub(crate) use audit::Audit;
pub use audit::ReasonLengths;
pub use case::Scope;
pub use fault::{Fault, FaultKind};
pub use params::Params;

use case::{Case, cases};
use subject::{Form, Subject};

/// Checks a constraint against brute force: see the [module](self). `make` makes it from the views of a
/// scope, of which there are as many as `scope` says, and from random parameters.
///
/// Prints one line about what was checked.
///
/// # Panics
/// If anything is wrong, with the smallest case found, in words.
#[track_caller]
pub fn check<C: Constraint>(
    name: &str,
    scope: impl Into<Scope>,
    make: impl Fn(&[Affine], &mut Params<'_>) -> C + 'static,
) -> Report {
    Harness::new(name, scope, make).check()
}

/// Views made for a Boolean scope, as Booleans. A view that is none of a Boolean reads as false.
pub fn literals(views: &[Affine]) -> Vec<BoolVar> {
    views
        .iter()
        .map(|x| match x.var() {
            None => (x.offset == 1).into(),
            Some(var) => BoolVar { var, negated: x.scale < 0 },
        })
        .collect()
}

/// What was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The name of the test.
    pub name: String,
    /// How many cases there were.
    pub cases: u64,
    /// Cases whose model was refused as mistaken, so that nothing was checked.
    pub refused: u64,
    /// Cases without a solution.
    pub infeasible: u64,
    /// Cases in which the constraint removed a value at a node below the root that did not fail.
    pub pruned: u64,
    /// Nodes visited.
    pub nodes: u64,
    /// Nodes that failed.
    pub failures: u64,
    /// Reasons checked.
    pub reasons: u64,
    /// Nodes whose bounds consistency was not checked, as the domains were too wide to enumerate.
    pub too_wide: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { name, cases, refused, infeasible, pruned, nodes, failures, reasons, too_wide } = self;
        write!(
            f,
            "{name}: {cases} cases, {pruned} pruned below the root, {infeasible} infeasible, {refused} \
             refused; {nodes} nodes, {failures} failed, {too_wide} too wide; {reasons} reasons"
        )
    }
}

type Make = dyn Fn(&[Affine], &mut Params<'_>) -> Arc<dyn Constraint>;
type Relaxed = dyn Fn(&[(i64, i64)], &mut Params<'_>) -> bool;

/// A test of one constraint, for when [`check`] is not enough.
pub struct Harness {
    name: String,
    scope: Scope,
    make: Box<Make>,
    relaxed: Option<Box<Relaxed>>,
    cases: u32,
    seed: u64,
}

impl fmt::Debug for Harness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Harness")
            .field("name", &self.name)
            .field("scope", &self.scope)
            .finish_non_exhaustive()
    }
}

fn setting(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.trim().parse().ok()
}

impl Harness {
    /// A test, to be [run](Self::run) or [checked](Self::check).
    pub fn new<C: Constraint>(
        name: &str,
        scope: impl Into<Scope>,
        make: impl Fn(&[Affine], &mut Params<'_>) -> C + 'static,
    ) -> Harness {
        Harness {
            name: name.into(),
            scope: scope.into(),
            make: Box::new(move |views, params| Arc::new(make(views, params))),
            relaxed: None,
            cases: setting("CSP_TESTING_CASES").and_then(|n| u32::try_from(n).ok()).unwrap_or(256),
            seed: setting("CSP_TESTING_SEED").unwrap_or(0),
        }
    }

    /// Says what bounds(R) consistency means, for constraints that declare it: whether *real* numbers
    /// within the given bounds of the views satisfy the constraint. The parameters are those the
    /// constraint was made with, drawn anew.
    pub fn relaxed(self, exists: impl Fn(&[(i64, i64)], &mut Params<'_>) -> bool + 'static) -> Harness {
        Harness { relaxed: Some(Box::new(exists)), ..self }
    }

    /// Sets the number of cases.
    pub fn cases(self, cases: u32) -> Harness {
        Harness { cases, ..self }
    }

    /// Runs the test, and prints one line about what was checked.
    ///
    /// # Panics
    /// If anything is wrong, with the smallest case found, in words.
    #[track_caller]
    pub fn check(&self) -> Report {
        match self.run() {
            Ok(report) => {
                println!("{report}");
                report
            }
            Err(fault) => panic!("{}: {fault}", self.name),
        }
    }

    /// Runs the test.
    ///
    /// # Errors
    /// The first fault found, in the smallest case that shows one.
    pub fn run(&self) -> Result<Report, Fault> {
        let config = Config {
            cases: self.cases,
            max_shrink_iters: 4096,
            failure_persistence: None,
            ..Config::default()
        };
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let report = RefCell::new(Report { name: self.name.clone(), ..Report::default() });
        // Only a fault of the first kind found counts as one while the case is made smaller.
        let kind = RefCell::new(None);
        let result = TestRunner::new_with_rng(config, rng).run(&cases(&self.scope), |case| {
            match self.try_case(&case, &mut report.borrow_mut()) {
                Err(fault) if *kind.borrow_mut().get_or_insert(fault.kind()) == fault.kind() => {
                    Err(TestCaseError::fail(fault.kind().to_string()))
                }
                _ => Ok(()),
            }
        });
        let report = report.into_inner();
        match result {
            Ok(()) if report.refused == report.cases && report.cases > 0 => {
                Err(Fault::new(FaultKind::Refused, "the model of every case is refused as mistaken"))
            }
            Ok(()) => Ok(report),
            Err(TestError::Fail(reason, case)) => {
                let again = self.try_case(&case, &mut Report::default());
                Err(again.err().unwrap_or_else(|| Fault::new(FaultKind::Irregular, reason.to_string())))
            }
            Err(TestError::Abort(reason)) => Err(Fault::new(FaultKind::Refused, reason.to_string())),
        }
    }

    /// One case; a panic is a fault as well.
    fn try_case(&self, case: &Case, report: &mut Report) -> Result<(), Fault> {
        catch_unwind(AssertUnwindSafe(|| self.run_case(case, report))).unwrap_or_else(|panic| {
            let words = panic.downcast_ref::<String>().cloned();
            let words = words.or_else(|| panic.downcast_ref::<&str>().map(|&s| s.into()));
            let fault = Fault::new(FaultKind::Panicked, words.unwrap_or_default());
            let subject = Subject::new(case, Form::Plain, &*self.make).ok().flatten();
            Err(subject.map_or(fault.clone(), |subject| fault.of(&subject)))
        })
    }

    fn run_case(&self, case: &Case, report: &mut Report) -> Result<(), Fault> {
        report.cases += 1;
        // Values near the limits are too large for some constraints, which is no reason to skip the case.
        let near = case.near();
        let fits = Subject::new(case, Form::Plain, &*self.make)?.is_some();
        let case = if fits { case } else { &near };
        for form in [Form::Plain, Form::When, Form::Iff] {
            let Some(subject) = Subject::new(case, form, &*self.make)? else {
                report.refused += u64::from(form == Form::Plain);
                continue;
            };
            if form == Form::Plain {
                report.infeasible += u64::from(subject.solutions.is_empty());
            }
            subject
                .check_meaning()
                .and_then(|()| search::check_assignments(&subject))
                .and_then(|()| walk::walk(&subject, &case.steps, self.relaxed.as_deref(), report))
                .and_then(|()| {
                    search::check_solutions(&subject).map_err(|fault| walk::look_closer(&subject, fault))
                })
                .map_err(|fault| fault.of(&subject))?;
        }
        Ok(())
    }
}
