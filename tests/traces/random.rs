//! Random models with all kinds of constraints, searched in many ways; what they mean is told by the formulas they
//! were drawn as, over all assignments there are.

use std::collections::BTreeSet;
use std::fmt;

use csp_core::observe::Cause;
use csp_core::prelude::*;
use csp_core::search::Mode;

use super::case::{CHOICES, Case, ORDERS, Search, Step, Task};
use super::checker::{Meaning, Tally, Values, check};
use super::formula::{Bool, Int, Sign};
use super::generate::{self, Pass};
use super::translate::Handles;

/// What one search is for.
pub(super) struct Formulas<'a> {
    constraints: &'a [Bool],
    assumptions: &'a [Bool],
    /// And whether it is to be as large as possible.
    objective: Option<(&'a Int, bool)>,
    presolve: Presolve,
    pub(super) variables: usize,
    /// Of the constraints.
    scopes: Vec<Vec<usize>>,
}

impl Formulas<'_> {
    /// Whether it is better than what was found.
    fn is_better(&self, x: &[i64], found: &BTreeSet<Vec<i64>>) -> bool {
        let Some((objective, maximise)) = self.objective else { return true };
        let sign = if maximise { -1 } else { 1 };
        let value = |x: &[i64]| objective.value(x).map(|value| sign * value);
        let best = found.iter().filter_map(|x| value(x)).min();
        value(x).is_some_and(|value| best.is_none_or(|best| value < best))
    }

    /// Whether presolve may have taken a constraint for granted, or made an `all_different` of it.
    fn is_presolved(&self, constraint: &Bool) -> bool {
        self.presolve == Presolve::On && matches!(constraint, Bool::Compare(_, Sign::Eq | Sign::Ne, _))
    }

    /// Whether it is what the search is still to find, after it found these.
    pub(super) fn is_wanted_one(&self, x: &[i64], found: &BTreeSet<Vec<i64>>) -> bool {
        let mut all = self.constraints.iter().chain(self.assumptions);
        let is_new = self.objective.is_some() || !found.contains(x);
        all.all(|formula| formula.is_true(x)) && is_new && self.is_better(x, found)
    }

    /// Whether it satisfies a cause.
    pub(super) fn satisfies(&self, x: &[i64], cause: Cause, found: &BTreeSet<Vec<i64>>) -> bool {
        let mut equal = self.constraints.iter().filter(|of| self.is_presolved(of));
        match cause {
            Cause::Constraint(number) if number < self.constraints.len() => {
                self.constraints[number].is_true(x) && equal.all(|of| of.is_true(x))
            }
            // A clique, or the difference network.
            Cause::Constraint(_) => self.constraints.iter().all(|of| of.is_true(x)),
            Cause::Objective => self.is_better(x, found) && equal.all(|of| of.is_true(x)),
            Cause::Assumption => self.assumptions.iter().chain(equal).all(|of| of.is_true(x)),
            Cause::Clause | Cause::Decision | Cause::Refutation | Cause::Domain => {
                self.is_wanted_one(x, found)
            }
        }
    }

    /// Whether some assignment of these domains is one of those asked for. Variables that do not matter have any value.
    fn any(
        &self,
        domains: &[Values],
        matters: impl Fn(usize) -> bool,
        is_one: impl Fn(&[i64]) -> bool,
    ) -> bool {
        let all: Vec<Vec<i64>> = domains[..self.variables]
            .iter()
            .enumerate()
            .map(|(x, domain)| domain.iter().copied().take(if matters(x) { usize::MAX } else { 1 }).collect())
            .collect();
        if all.iter().any(Vec::is_empty) {
            return false;
        }
        // Counts through them all.
        let mut places = vec![0; all.len()];
        let mut x: Vec<i64> = all.iter().map(|values| values[0]).collect();
        loop {
            if is_one(&x) {
                return true;
            }
            let Some(next) = (0..all.len()).find(|&i| places[i] + 1 < all[i].len()) else { return false };
            for i in 0..=next {
                places[i] = if i == next { places[i] + 1 } else { 0 };
                x[i] = all[i][places[i]];
            }
        }
    }
}

impl Meaning for Formulas<'_> {
    fn is_possible(&self, cause: Cause, domains: &[Values], found: &BTreeSet<Vec<i64>>) -> bool {
        let matters = |x: usize| match cause {
            Cause::Constraint(number) if number < self.constraints.len() => {
                let presolved =
                    (0..self.constraints.len()).filter(|&i| self.is_presolved(&self.constraints[i]));
                presolved.chain([number]).any(|i| self.scopes[i].contains(&x))
            }
            _ => true,
        };
        self.any(domains, matters, |x| self.satisfies(x, cause, found))
    }

    fn is_wanted(&self, domains: &[Values], found: &BTreeSet<Vec<i64>>) -> bool {
        self.any(domains, |_| true, |x| self.is_wanted_one(x, found))
    }
}

/// One search of a case in one of several ways.
pub(super) struct Run<'a> {
    pub(super) case: &'a Case,
    pub(super) search: &'a Search,
    pub(super) presolve: Presolve,
    pub(super) mode: Mode,
    /// The seed of the case, and which of its steps.
    pub(super) at: (u32, usize),
}

impl Run<'_> {
    /// The search by a new solver.
    pub(super) fn search(&self, tracing: Option<Tracing>) -> Solver {
        let Run { case, search, .. } = self;
        let (handles, mut solver) = self.solver();
        solver.set_mode(self.mode);
        solver.set_seed(search.seed);
        solver.set_limits(Limits::new().nodes(100));
        let assumptions: Vec<BoolExpr> = search.assumptions.iter().map(|of| handles.bool(of)).collect();
        solver.set_assumptions(assumptions).unwrap();
        let variables: Vec<IntVar> = (0..case.variables.len()).map(|i| handles.variable(i)).collect();
        let (order, choice) =
            (ORDERS[search.seed as usize % ORDERS.len()].1, CHOICES[search.seed as usize % 5].1);
        if search.seed.is_multiple_of(2) {
            solver.set_search(choice(order(branch(variables))));
        }
        if search.seed.is_multiple_of(3) {
            solver.set_restarts(Restarts::luby(1 + search.seed % 4));
        }
        if let Some(tracing) = tracing {
            solver.set_trace(tracing);
        }
        match &search.task {
            Task::Count | Task::Solutions(_) => drop(solver.count()),
            Task::First => drop(solver.first()),
            Task::Optimise { objective, maximise: true, .. } => {
                drop(solver.maximise(handles.int(objective)).unwrap())
            }
            Task::Optimise { objective, maximise: false, .. } => {
                drop(solver.minimise(handles.int(objective)).unwrap())
            }
        }
        solver
    }

    fn solver(&self) -> (Handles, Solver) {
        let mut model = Model::new();
        let handles = Handles::new(&mut model, &self.case.variables);
        for constraint in &self.case.constraints {
            handles.post(&mut model, constraint).unwrap();
        }
        (handles, Solver::with(&model, self.presolve).unwrap())
    }

    /// What it is for, with the constraints as its trace has them.
    pub(super) fn formulas(&self, trace: &Trace) -> Formulas<'_> {
        Formulas {
            constraints: &self.case.constraints,
            assumptions: &self.search.assumptions,
            objective: match &self.search.task {
                Task::Optimise { objective, maximise, .. } => Some((objective, *maximise)),
                _ => None,
            },
            presolve: self.presolve,
            variables: self.case.variables.len(),
            scopes: trace.constraints.iter().map(|of| of.scope.clone()).collect(),
        }
    }
}

impl fmt::Display for Run<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Run { case, search, presolve, mode, at: (seed, number) } = self;
        write!(f, "seed {seed}, step {number}, {presolve:?}, {mode:?}: {search}\n{case}")
    }
}

/// How many models to try.
pub(super) fn models() -> u32 {
    std::env::var("CSP_TRACE_MODELS").map_or(50, |text| text.parse().expect("a number"))
}

/// Every search of the cases of these seeds, in each way.
pub(super) fn each_run(seeds: impl IntoIterator<Item = u32>, mut visit: impl FnMut(&Run<'_>)) {
    for seed in seeds {
        let case = generate::case(seed.into(), Pass::Wide);
        for (number, step) in case.steps.iter().enumerate() {
            let Step::Search(search) = step else { continue };
            for presolve in [Presolve::Off, Presolve::On] {
                for mode in [Mode::Plain, Mode::Learning] {
                    visit(&Run { case: &case, search, presolve, mode, at: (seed, number) });
                }
            }
        }
    }
}

#[test]
fn random_models() {
    let models = models();
    let (mut plain, mut learning) = (Tally::default(), Tally::default());
    // And some in which constraints share what the one decides on and the other uses.
    each_run((0..models).chain([419, 1565]), |run| {
        let alone = run.search(None).statistics();
        let mut traced = run.search(Some(Tracing::new().events(usize::MAX)));
        let (trace, statistics) = (traced.take_trace().unwrap(), traced.statistics());
        let size = |s: &Statistics| [s.nodes, s.failures, s.solutions, s.restarts, s.max_depth];
        assert_eq!(size(&statistics), size(&alone), "{run}");
        let is_complete = traced.outcome().is_some_and(Outcome::is_complete);
        let is_optimising = matches!(run.search.task, Task::Optimise { .. });
        assert_eq!((trace.is_complete, trace.is_optimising), (is_complete, is_optimising));
        assert_eq!(trace.is_assuming, !run.search.assumptions.is_empty());
        let tally =
            check(&trace, &statistics, &run.formulas(&trace)).unwrap_or_else(|e| panic!("{e}\n{run}"));
        if run.mode == Mode::Plain { &mut plain } else { &mut learning }.add(tally);
    });
    println!("{plain:?}\n{learning:?}");
    for all in [plain, learning] {
        let per_model = |count: usize| count as f64 / f64::from(models);
        assert!(per_model(all.blamed) > 20.0 && per_model(all.failures) > 2.0, "{all:?}");
        assert!(per_model(all.solutions) > 20.0 && per_model(all.restarts) > 0.1, "{all:?}");
        assert!(5 * all.hidden < all.blamed, "{all:?}");
    }
}
