//! Runs a case on a solver and holds every answer against brute force.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::rc::Rc;

use csp_core::prelude::*;
use fastrand::Rng;

use super::case::{CHOICES, Case, Limit, ORDERS, Restart, Search, Step, Strategy, Task, Variable};
use super::formula::{Bool, Int};
use super::translate::Handles;

/// All solutions, by the values of the variables.
pub(crate) type Answers = BTreeSet<Vec<i64>>;

/// What is wrong.
pub(crate) type Difference = String;

/// So many assignments of a model are checked by the library's own definitions too.
const CHECKED: usize = 50;

/// So many nodes are enough for a search of so small a model. What takes more is given up, and counted.
pub(crate) const NODES: u64 = 50_000;

/// By trying all assignments.
pub(crate) fn brute_force(case: &Case) -> Answers {
    assignments(&case.variables)
        .into_iter()
        .filter(|x| case.constraints.iter().all(|c| c.is_true(x)))
        .collect()
}

fn assignments(variables: &[Variable]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::with_capacity(variables.len())];
    for x in variables {
        let longer = |a: &Vec<i64>| x.values.iter().map(|&v| [&a[..], &[v]].concat()).collect::<Vec<_>>();
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Does everything with the model of a case, in one mode or each search in its own; `seen` gets the statistics of each
/// search. The step that shows a difference is told by its number, if there is one.
pub(crate) fn run(
    case: &Case,
    mode: Option<Mode>,
    answers: &Answers,
    mut seen: impl FnMut(Statistics),
) -> Result<(), (Option<usize>, Difference)> {
    let mut run = Run::new(case, mode, answers).map_err(|difference| (None, difference))?;
    for (number, step) in case.steps.iter().enumerate() {
        run.step(step).map_err(|difference| (Some(number), difference))?;
        if let Step::Search(_) = step {
            seen(run.solver.statistics());
        }
    }
    Ok(())
}

struct Run<'a> {
    variables: &'a [Variable],
    handles: Handles,
    solver: Solver,
    /// Of all searches, if they do not have their own.
    mode: Option<Mode>,
    /// Of the model as it is now, and as it was at each push.
    answers: Rc<Answers>,
    saved: Vec<Rc<Answers>>,
    /// Those under the assumptions of the present search.
    wanted: Rc<Answers>,
}

fn ensure(holds: bool, difference: impl FnOnce() -> String) -> Result<(), Difference> {
    if holds { Ok(()) } else { Err(difference()) }
}

impl Run<'_> {
    fn new<'a>(case: &'a Case, mode: Option<Mode>, answers: &Answers) -> Result<Run<'a>, Difference> {
        let mut model = Model::new();
        let handles = Handles::new(&mut model, &case.variables);
        for constraint in &case.constraints {
            handles.post(&mut model, constraint).map_err(|e| format!("the model is refused: {e}"))?;
        }
        let all = assignments(&case.variables);
        for x in all.iter().step_by(all.len() / CHECKED + 1) {
            let a = model.assignment(|variable| x[variable.index().expect("a variable")]);
            ensure(model.check(&a).is_ok() == answers.contains(x), || format!("{x:?} is checked wrongly"))?;
        }
        let solver = model.solver().map_err(|e| format!("the model is refused: {e}"))?;
        let answers = Rc::new(answers.clone());
        let wanted = Rc::clone(&answers);
        Ok(Run { variables: &case.variables, handles, solver, mode, answers, saved: Vec::new(), wanted })
    }

    fn step(&mut self, step: &Step) -> Result<(), Difference> {
        match step {
            Step::Push => {
                self.solver.push();
                self.saved.push(Rc::clone(&self.answers));
                Ok(())
            }
            Step::Pop => {
                let popped = self.solver.pop();
                let saved = self.saved.pop();
                ensure(popped == saved.is_some(), || format!("pop said {popped}"))?;
                self.answers = saved.unwrap_or_else(|| Rc::clone(&self.answers));
                Ok(())
            }
            Step::Post(constraint) => self.post(constraint),
            Step::Propagate => self.propagate(),
            Step::Search(search) => self.search(search),
        }
    }

    fn post(&mut self, constraint: &Bool) -> Result<(), Difference> {
        self.handles.post(&mut self.solver, constraint).map_err(|e| format!("it is refused: {e}"))?;
        Rc::make_mut(&mut self.answers).retain(|x| constraint.is_true(x));
        Ok(())
    }

    /// Domains shrink, and keep all solutions.
    fn propagate(&mut self) -> Result<(), Difference> {
        let feasible = self.solver.propagate();
        ensure(feasible || self.answers.is_empty(), || "propagation claims there is no solution".into())?;
        for (i, variable) in self.variables.iter().enumerate() {
            let domain = self.solver.domain(self.handles.variable(i)).ok_or("a variable has no domain")?;
            let lost = self.answers.iter().find(|x| !domain.contains(x[i]));
            ensure(lost.is_none(), || format!("x{i} loses its value in the solution {lost:?}"))?;
            let left = domain.intervals().iter().flat_map(|&(low, high)| low..=high);
            let mut new = left.filter(|v| variable.values.binary_search(v).is_err());
            new.next().map_or(Ok(()), |v| Err(format!("x{i} gains the value {v}")))?;
        }
        Ok(())
    }

    fn search(&mut self, search: &Search) -> Result<(), Difference> {
        self.prepare(search)?;
        let result = match &search.task {
            Task::Count => self.count(search),
            Task::Solutions(enough) => self.solutions(search, *enough),
            Task::First => self.first(search),
            Task::Optimise { objective, maximise, enough } => {
                self.optimise(search, objective, *maximise, *enough)
            }
        };
        self.solver.stop_handle().reset();
        result?;
        self.check_core(search)
    }

    fn prepare(&mut self, search: &Search) -> Result<(), Difference> {
        let Run { solver, handles, .. } = self;
        solver.set_mode(self.mode.unwrap_or(search.mode));
        solver.set_seed(search.seed);
        let assumptions = search.assumptions.iter().map(|b| handles.bool(b));
        solver.set_assumptions(assumptions).map_err(|e| format!("an assumption is refused: {e}"))?;
        self.wanted = Rc::clone(&self.answers);
        if !search.assumptions.is_empty() {
            Rc::make_mut(&mut self.wanted).retain(|x| search.assumptions.iter().all(|b| b.is_true(x)));
        }
        if let Some(hints) = &search.hints {
            solver.set_hints(hints.iter().map(|&(i, value)| (handles.view(i), value)));
        }
        if let Some(limit) = search.clauses {
            solver.set_clause_limit(limit);
        }
        match &search.strategy {
            None => {}
            Some(Strategy::Random) => {
                let all = (0..self.variables.len()).map(|i| handles.variable(i)).collect();
                solver.set_search(random_decisions(all, search.seed));
            }
            Some(Strategy::Branch { variables, order, choice, last_conflict }) => {
                let branching = branch(variables.iter().map(|&i| handles.view(i)));
                let branching = CHOICES[*choice].1(ORDERS[*order].1(branching));
                match last_conflict {
                    true => solver.set_search(branching.last_conflict()),
                    false => solver.set_search(branching),
                }
            }
        }
        match search.restarts {
            None => {}
            Some(Restart::Never) => solver.set_restarts(Restarts::never()),
            Some(Restart::Luby(unit)) => solver.set_restarts(Restarts::luby(unit)),
            Some(Restart::Glucose) => solver.set_restarts(Restarts::glucose()),
            Some(Restart::Geometric(first, factor)) => {
                solver.set_restarts(Restarts::geometric(first, factor));
            }
        }
        match &search.projection {
            None => solver.clear_projection(),
            Some(on) => solver.set_projection(on.iter().map(|&i| handles.view(i))),
        }
        let limits = Limits::new().nodes(NODES);
        solver.set_limits(match search.limit {
            None => limits,
            Some(Limit::Nodes(n)) => limits.nodes(n),
            Some(Limit::Failures(n)) => limits.failures(n),
            Some(Limit::Solutions(n)) => limits.solutions(n),
            Some(Limit::Discrepancies(n)) => limits.discrepancies(n),
            Some(Limit::Handle) => {
                solver.stop_handle().stop();
                limits
            }
        });
        Ok(())
    }

    /// The assumptions in a core cannot hold together.
    fn check_core(&self, search: &Search) -> Result<(), Difference> {
        let Some(core) = self.solver.core() else {
            let outcome = self.solver.outcome();
            return ensure(outcome != Some(Outcome::Infeasible), || "there is no core".into());
        };
        let counts = |x: &[i64]| match &search.task {
            Task::Optimise { objective, .. } => objective.value(x).is_some(),
            _ => true,
        };
        let holds = |x: &[i64]| core.iter().all(|&i| search.assumptions[i].is_true(x));
        let model = self.answers.iter().find(|x| counts(x) && holds(x));
        ensure(model.is_none(), || format!("the core {core:?} holds in {model:?}"))
    }

    /// How many solutions differ in what a search looks at.
    fn different(&self, search: &Search) -> usize {
        match &search.projection {
            None => self.wanted.len(),
            Some(on) => self.wanted.iter().map(|x| seen_through(on, x)).collect::<BTreeSet<_>>().len(),
        }
    }

    /// An early end is one that was asked for, and where it was.
    fn check_stop(&self, search: &Search, why: Stop) -> Result<(), Difference> {
        let done = self.solver.statistics();
        let right = match (search.limit, why) {
            (Some(Limit::Nodes(n)), Stop::Nodes) => done.nodes == n,
            (Some(Limit::Failures(n)), Stop::Failures) => done.failures >= n,
            (Some(Limit::Solutions(n)), Stop::Solutions) => done.solutions == n,
            (Some(Limit::Discrepancies(_)), Stop::Discrepancies) => true,
            (Some(Limit::Handle), Stop::Handle) => true,
            (_, Stop::Nodes) => done.nodes == NODES,
            _ => false,
        };
        ensure(right, || format!("it stopped because {why}, with {done}"))
    }

    /// What an enumeration that found so many claims.
    fn check_outcome(&self, search: &Search, outcome: Outcome, found: usize) -> Result<(), Difference> {
        let all = self.different(search);
        let right = match outcome {
            Outcome::AllFound => found == all && all > 0,
            Outcome::Infeasible => found == 0 && all == 0,
            Outcome::Optimal => false,
            Outcome::Stopped(why) => {
                self.check_stop(search, why)?;
                found <= all
            }
        };
        ensure(right, || format!("found {found} of {all} solutions and claims: {outcome}"))
    }

    fn count(&mut self, search: &Search) -> Result<(), Difference> {
        let count = self.solver.count();
        self.check_outcome(search, count.outcome, count.solutions as usize)
    }

    fn solutions(&mut self, search: &Search, enough: Option<usize>) -> Result<(), Difference> {
        let (mut found, mut ended) = (BTreeSet::new(), true);
        for solution in self.solver.solutions() {
            let x = self.handles.values(&solution);
            ensure(self.wanted.contains(&x), || format!("{x:?} is no solution"))?;
            let seen = search.projection.as_ref().map_or(x.clone(), |on| seen_through(on, &x));
            ensure(found.insert(seen), || format!("{x:?} is found twice"))?;
            if enough.is_some_and(|k| found.len() >= k) {
                ended = false;
                break;
            }
        }
        match self.solver.outcome() {
            Some(outcome) => self.check_outcome(search, outcome, found.len()),
            None => ensure(!ended, || "the search has no outcome".into()),
        }
    }

    fn first(&mut self, search: &Search) -> Result<(), Difference> {
        match self.solver.first() {
            First::Found(solution) => {
                let x = self.handles.values(&solution);
                ensure(self.wanted.contains(&x), || format!("{x:?} is no solution"))
            }
            First::Infeasible => ensure(self.wanted.is_empty(), || "it claims there is no solution".into()),
            First::Stopped(why) => self.check_stop(search, why),
        }
    }

    fn optimise(
        &mut self,
        search: &Search,
        objective: &Int,
        maximise: bool,
        enough: Option<usize>,
    ) -> Result<(), Difference> {
        // Smaller is better.
        let cost = |value: i64| if maximise { -value } else { value };
        let best = self.wanted.iter().filter_map(|x| objective.value(x)).map(cost).min();
        let (mut found, mut wrong) = (Vec::new(), None);
        let Run { solver, handles, wanted, .. } = self;
        let visit = |a: &Assignment, value: i64| {
            let x = handles.values(a);
            if !wanted.contains(&x) || objective.value(&x) != Some(value) {
                wrong = Some(format!("{x:?} is no solution of value {value}"));
            }
            if found.last().is_some_and(|&last| cost(value) >= last) {
                wrong = Some(format!("{value} is no better than the solution before"));
            }
            found.push(cost(value));
            match enough {
                Some(k) if found.len() >= k => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        };
        let expression = handles.int(objective);
        let optimum = match maximise {
            true => solver.maximise_with(expression, visit),
            false => solver.minimise_with(expression, visit),
        };
        let optimum = optimum.map_err(|e| format!("the objective is refused: {e}"))?;
        wrong.map_or(Ok(()), Err)?;
        let told = || format!("{optimum}; the best cost is {best:?}");
        if let Some(solution) = optimum.solution() {
            let x = self.handles.values(solution);
            let value = optimum.value();
            ensure(self.wanted.contains(&x) && objective.value(&x) == value, || {
                format!("{x:?} is no solution of value {value:?}")
            })?;
            ensure(value.map(cost) == found.last().copied(), told)?;
        }
        let (right, why) = match &optimum {
            Optimum::Best { value, .. } => (best == Some(cost(*value)), None),
            Optimum::Infeasible => (best.is_none(), None),
            Optimum::BestSoFar { value, bound, why, .. } => {
                let (bound, value) = (cost(*bound), cost(*value));
                (bound <= value && best.is_some_and(|best| bound <= best && best <= value), Some(*why))
            }
            Optimum::Stopped { bound, why } => {
                (found.is_empty() && best.is_none_or(|best| cost(*bound) <= best), Some(*why))
            }
        };
        ensure(right, told)?;
        let outcome = match (&optimum, why) {
            (_, Some(why)) => Outcome::Stopped(why),
            (Optimum::Infeasible, _) => Outcome::Infeasible,
            _ => Outcome::Optimal,
        };
        ensure(self.solver.outcome() == Some(outcome), || {
            format!("{optimum}, but {:?}", self.solver.outcome())
        })?;
        match why {
            Some(Stop::Caller) if enough == Some(found.len()) => Ok(()),
            Some(why) => self.check_stop(search, why),
            None => Ok(()),
        }
    }
}

fn seen_through(projection: &[usize], x: &[i64]) -> Vec<i64> {
    projection.iter().map(|&i| x[i]).collect()
}

/// A brancher of any decisions.
fn random_decisions(variables: Vec<IntVar>, seed: u64) -> impl Brancher + 'static {
    let mut rng = Rng::with_seed(seed);
    move |domains: &Domains<'_>| {
        let open: Vec<IntVar> = variables.iter().copied().filter(|&x| !domains.is_fixed(x)).collect();
        let x = *rng.choice(&open)?;
        let (low, high) = (domains.min(x), domains.max(x));
        let value = domains.nth(x, rng.u64(..domains.size(x)));
        Some(match rng.u8(..4) {
            0 => Decision::Equal(x, value),
            1 => Decision::Unequal(x, value),
            2 => Decision::AtMost(x, value.min(high - 1)),
            _ => Decision::AtLeast(x, value.max(low + 1)),
        })
    }
}
