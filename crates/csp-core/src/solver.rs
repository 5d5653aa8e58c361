//! The one place that joins model, engine and search for a user.

use std::ops::ControlFlow;
use std::panic::Location;
use std::sync::Arc;
use std::time::Instant;

use crate::engine::{Engine, Fixpoint, Poster, View};
use crate::error::ModelError;
use crate::model::{
    Affine, Assignment, BoolVar, Constraint, ConstraintId, Domain, IntExpr, IntVar, Model, Solution,
};
use crate::observe::{Progress, Statistics};
use crate::presolve::Aliases;
use crate::search::{
    Activity, Brancher, Domains, Driver, Event, Guide, Limits, Mode, Objective, Optimum, Outcome, Restarts,
    Stop, StopHandle,
};

/// What a search for one solution came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum First {
    /// A solution, checked against every constraint.
    Found(Solution),
    /// There is none: the whole tree was searched.
    Infeasible,
    /// The search ended early without one.
    Stopped(Stop),
}

impl First {
    /// The solution, if there is one.
    pub fn solution(self) -> Option<Solution> {
        match self {
            First::Found(solution) => Some(solution),
            _ => None,
        }
    }
}

/// A number of solutions, and whether it is all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// How many were found.
    pub solutions: u64,
    /// Whether the search was complete.
    pub outcome: Outcome,
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    One,
    All,
    /// The smallest value of this view.
    Best(View),
}

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sense {
    Minimise,
    Maximise,
}

/// Solves one model.
///
/// A solver holds the model (sharing its data with the one it was made of), the engine, a search
/// strategy and limits. Every search begins at the root, whatever was done before: an iterator may be
/// dropped in the middle. Between searches, variables and constraints may be added, and taken back by
/// [`push`](Self::push) and [`pop`](Self::pop).
///
/// Without a strategy of yours, [`first`](Self::first), [`minimise`](Self::minimise) and
/// [`maximise`](Self::maximise) [learn](Mode): they decide on what had a part in recent failures, Booleans before
/// integers, and restart by [`Restarts::luby(100)`](Restarts::luby). In [plain mode](Mode::Plain) they branch on the
/// variable with the smallest ratio of domain size to weight, by its minimum value, with last-conflict reasoning and
/// restarts: [`dom_wdeg`](crate::Branching::dom_wdeg), [`last_conflict`](Brancher::last_conflict) and
/// [`Restarts::geometric(100, 1.5)`](Restarts::geometric). Where all solutions are asked for, the whole tree
/// has to be walked, and there search picks a variable with the smallest domain and its minimum value.
/// Variables your strategy leaves open are fixed in this last way, so a solution always has a value for
/// every variable.
pub struct Solver {
    model: Model,
    engine: Engine,
    map: Vec<View>,
    guide: Guide,
    driver: Driver,
    limits: Limits,
    mode: Mode,
    /// As the user wants it.
    restarts: Option<Restarts>,
    seed: u64,
    marks: Vec<(usize, usize)>,
    /// The last search had an objective on a root level of its own.
    objective_stands: bool,
    started: Instant,
    propagations_before: u64,
    outcome: Option<Outcome>,
    buffer: Assignment,
}

impl std::fmt::Debug for Solver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solver")
            .field("model", &self.model)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// A solver can be moved to another thread.
const _: () = {
    const fn assert_send<T: Send>() {}
    assert_send::<Solver>();
};

impl Solver {
    /// A solver for the model as it is now; later changes of the model do not reach it.
    ///
    /// # Errors
    /// The first mistake made in building the model.
    pub fn new(model: &Model) -> Result<Solver, ModelError> {
        model.validate()?;
        let mut solver = Solver {
            model: model.clone(),
            engine: Engine::new(),
            map: Vec::new(),
            guide: Guide::default(),
            driver: Driver::default(),
            limits: Limits::new(),
            mode: Mode::default(),
            restarts: None,
            seed: 0,
            marks: Vec::new(),
            objective_stands: false,
            started: Instant::now(),
            propagations_before: 0,
            outcome: None,
            buffer: Assignment { tags: Arc::default(), values: Vec::new() },
        };
        solver.compile(0, 0);
        Ok(solver)
    }

    /// Hands the engine the model's variables and constraints from the given numbers on.
    fn compile(&mut self, variables: usize, constraints: usize) {
        // By number, not by skipping what came before: one is often added to many.
        let tags = self.model.tags();
        // What is there already cannot become a view of something new.
        let aliases = (variables == 0 && constraints == 0).then(|| Aliases::new(&self.model));
        for id in variables..self.model.variable_count() {
            let view = aliases.as_ref().map(|a| a.view(id)).filter(|view| view.var().index() != id);
            let view = match view {
                // What stands for others comes before them and is no view itself.
                Some(view) => View::scaled(self.map[view.var().index()].var(), view.scale()),
                None => {
                    let left = aliases.as_ref().and_then(|a| a.domain(id));
                    let x = IntVar { id: id as u32, tag: tags[id] };
                    let domain = left.or_else(|| self.model.domain(x));
                    View::of(self.engine.add_variable(domain.map_or(&[], Domain::intervals)))
                }
            };
            self.map.push(view);
        }
        for i in constraints as u32..self.model.constraint_count() as u32 {
            let Some(constraint) = self.model.constraint(ConstraintId(i)) else { break };
            let mut poster = Poster { engine: &mut self.engine, map: &self.map, condition: None };
            constraint.post(&mut poster);
        }
    }

    /// The model being solved, with everything added to the solver.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// How many variables the engine has beyond those of the model, for the expressions in it.
    #[cfg(test)]
    pub(crate) fn hidden_variables(&self) -> usize {
        let seen: std::collections::BTreeSet<_> = self.map.iter().map(|view| view.var()).collect();
        self.engine.store.variables.len() - 1 - seen.len()
    }

    /// Sets the search strategy: a [`branch`](crate::branch), a sequence, a closure, or any
    /// [`Brancher`].
    pub fn set_search(&mut self, brancher: impl Brancher + 'static) {
        self.guide.brancher = Some(Box::new(brancher));
    }

    /// Makes solutions that agree on the given variables count as one, from now on: searches enumerate and
    /// count the different values of these variables, and find *some* value for each of the others. As far as a
    /// strategy of yours decides on other variables first, its decisions are put off until these variables
    /// are fixed. Of a view its variable is taken, and constants do not matter.
    ///
    /// With a variable that the solver does not have, a search ends with
    /// [`Stop::ForeignVariable`].
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let (x, y) = (model.int(0..=9), model.int(0..=9));
    /// model.post(sum([x, y]).le(4));
    /// let mut solver = model.solver()?;
    /// assert_eq!(solver.count().solutions, 15);
    /// solver.set_projection([x]);
    /// assert_eq!(solver.count().solutions, 5);
    /// solver.clear_projection();
    /// assert_eq!(solver.count().solutions, 15);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn set_projection<T: Into<Affine>>(&mut self, variables: impl IntoIterator<Item = T>) {
        self.guide.project(Some(variables.into_iter().filter_map(|x| x.into().var()).collect()));
    }

    /// Lets solutions differ by any variable again, as at first.
    pub fn clear_projection(&mut self) {
        self.guide.project(None);
    }

    /// Sets the limits of each search from now on.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Sets whether searches learn from failures. A search with a limit of
    /// [discrepancies](Limits::discrepancies) never does.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// // Seven pigeons in six holes: without learning, nothing tells that this cannot be but trying it all.
    /// let mut model = Model::new();
    /// let pigeons = model.ints(7, 0..6);
    /// for (i, &a) in pigeons.iter().enumerate() {
    ///     for &b in &pigeons[..i] {
    ///         model.post(a.ne(b));
    ///     }
    /// }
    /// let mut solver = model.solver()?;
    /// let mut failures = |mode| {
    ///     solver.set_mode(mode);
    ///     assert_eq!(solver.first(), First::Infeasible);
    ///     solver.statistics().failures
    /// };
    /// assert!(failures(Mode::Learning) < failures(Mode::Plain));
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
    }

    /// Sets when searches begin anew, from now on. Before, none does but those with the solver's own
    /// strategy for one solution.
    pub fn set_restarts(&mut self, restarts: Restarts) {
        self.restarts = Some(restarts);
    }

    /// Sets the seed of everything random; 0 at first. The same model, strategy, limits and seed give the
    /// same run.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// A handle by which another thread can stop the search.
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle { flag: Arc::clone(&self.engine.stop) }
    }

    /// Makes an existing handle (of another solver, say) stop this solver too.
    pub fn set_stop_handle(&mut self, handle: &StopHandle) {
        self.engine.stop = Arc::clone(&handle.flag);
    }

    /// Counters of the running search that another thread can read.
    pub fn progress(&self) -> Progress {
        self.driver.progress.clone()
    }

    /// Makes the counters of another solver, say, count this one's searches.
    pub fn set_progress(&mut self, progress: &Progress) {
        self.driver.progress = progress.clone();
    }

    /// What the last search did, or what the running one did so far.
    pub fn statistics(&self) -> Statistics {
        self.driver.statistics
    }

    /// How the last search ended; none if it has not: a solution was found and more may follow.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Searches for one solution.
    pub fn first(&mut self) -> First {
        self.begin(Task::One);
        match self.advance(true) {
            Some(Outcome::Stopped(why)) => First::Stopped(why),
            Some(_) => First::Infeasible,
            None => First::Found(self.buffer.clone()),
        }
    }

    /// All solutions, one at a time, each checked against every constraint. When the iterator ends,
    /// [`outcome`](Self::outcome) tells why.
    pub fn solutions(&mut self) -> Solutions<'_> {
        self.begin(Task::All);
        Solutions { solver: self }
    }

    /// Calls `visit` for each solution without making a copy of it, until it says break. Each is checked
    /// against every constraint.
    pub fn for_each(&mut self, mut visit: impl FnMut(&Assignment) -> ControlFlow<()>) -> Outcome {
        self.begin(Task::All);
        loop {
            if let Some(outcome) = self.advance(true) {
                return outcome;
            }
            if visit(&self.buffer).is_break() {
                return self.end(Outcome::Stopped(Stop::Caller));
            }
        }
    }

    /// Counts the solutions, without building or checking each.
    pub fn count(&mut self) -> Count {
        self.begin(Task::All);
        loop {
            if let Some(outcome) = self.advance(false) {
                return Count { solutions: self.driver.statistics.solutions, outcome };
            }
        }
    }

    /// Searches for a solution with the smallest value of a variable, view or expression, by branch and bound.
    ///
    /// Each solution found is better than the one before; [`Limits::solutions`] limits how many. Limits and the
    /// stop handle end the search early, with the best solution so far and a bound. A
    /// [projection](Self::set_projection) plays no part.
    ///
    /// # Errors
    /// If the objective is not of this model or out of range.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let xs = model.ints(3, 0..=9);
    /// model.post(all_different(&xs));
    /// let mut solver = model.solver()?;
    /// assert_eq!(solver.minimise(sum(&xs))?.value(), Some(3));
    /// assert_eq!(solver.maximise((xs[0] - xs[1]).abs() + xs[2])?.value(), Some(17));
    /// assert_eq!(solver.outcome(), Some(Outcome::Optimal));
    /// # Ok::<(), ModelError>(())
    /// ```
    #[track_caller]
    pub fn minimise(&mut self, objective: impl Into<IntExpr>) -> Result<Optimum, ModelError> {
        self.minimise_with(objective, |_, _| ControlFlow::Continue(()))
    }

    /// Searches for a solution with the largest value of a variable, view or expression; as [`minimise`](Self::minimise).
    ///
    /// # Errors
    /// If the objective is not of this model or out of range.
    #[track_caller]
    pub fn maximise(&mut self, objective: impl Into<IntExpr>) -> Result<Optimum, ModelError> {
        self.maximise_with(objective, |_, _| ControlFlow::Continue(()))
    }

    /// As [`minimise`](Self::minimise), and calls `visit` with each better solution and its value as soon as it
    /// is found. If it says break, the search ends with [`Stop::Caller`].
    ///
    /// # Errors
    /// If the objective is not of this model or out of range.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// use std::ops::ControlFlow;
    /// let mut model = Model::new();
    /// let x = model.int(0..=9);
    /// let mut solver = model.solver()?;
    /// solver.set_search(branch([x]).max_value());
    /// let good_enough = solver.minimise_with(x, |_, value| {
    ///     println!("found {value}");
    ///     if value <= 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    /// })?;
    /// assert_eq!((good_enough.value(), good_enough.is_proved()), (Some(5), false));
    /// # Ok::<(), ModelError>(())
    /// ```
    #[track_caller]
    pub fn minimise_with(
        &mut self,
        objective: impl Into<IntExpr>,
        visit: impl FnMut(&Assignment, i64) -> ControlFlow<()>,
    ) -> Result<Optimum, ModelError> {
        self.optimise(Sense::Minimise, objective, visit, Location::caller())
    }

    /// As [`maximise`](Self::maximise), and calls `visit` with each better solution and its value as soon as it
    /// is found. If it says break, the search ends with [`Stop::Caller`].
    ///
    /// # Errors
    /// If the objective is not of this model or out of range.
    #[track_caller]
    pub fn maximise_with(
        &mut self,
        objective: impl Into<IntExpr>,
        visit: impl FnMut(&Assignment, i64) -> ControlFlow<()>,
    ) -> Result<Optimum, ModelError> {
        self.optimise(Sense::Maximise, objective, visit, Location::caller())
    }

    fn optimise(
        &mut self,
        sense: Sense,
        objective: impl Into<IntExpr>,
        mut visit: impl FnMut(&Assignment, i64) -> ControlFlow<()>,
        location: &'static Location<'static>,
    ) -> Result<Optimum, ModelError> {
        let objective = objective.into();
        let view = self.objective(&objective, location)?;
        // The driver minimises; values lie within ±2^62, so they can be negated.
        let (view, sign) = match sense {
            Sense::Minimise => (view, 1),
            Sense::Maximise => (view.negated(), -1),
        };
        self.begin(Task::Best(view));
        let mut best: Option<(Solution, i64)> = None;
        let outcome = loop {
            if let Some(outcome) = self.advance(true) {
                break outcome;
            }
            let value = objective.value(&self.buffer).unwrap_or(sign * self.engine.store.min(view));
            self.driver.improve(sign * value);
            match &mut best {
                Some((solution, old)) => {
                    solution.clone_from(&self.buffer);
                    *old = value;
                }
                None => best = Some((self.buffer.clone(), value)),
            }
            if visit(&self.buffer, value).is_break() {
                break self.end(Outcome::Stopped(Stop::Caller));
            }
        };
        let bound = sign * self.driver.bound();
        Ok(match (outcome, best) {
            (Outcome::Stopped(why), Some((solution, value))) => {
                Optimum::BestSoFar { solution, value, bound, why }
            }
            (Outcome::Stopped(why), None) => Optimum::Stopped { bound, why },
            (_, Some((solution, value))) => Optimum::Best { solution, value },
            (_, None) => Optimum::Infeasible,
        })
    }

    /// The engine's view of an objective. If that takes hidden variables, they stand on a root level of their
    /// own, until the next call.
    fn objective(
        &mut self,
        objective: &IntExpr,
        location: &'static Location<'static>,
    ) -> Result<View, ModelError> {
        self.leave_search();
        self.model.check_objective(objective, location)?;
        self.start_clock();
        if objective.as_view().is_none() {
            self.propagate_root();
            self.engine.push_root();
            self.objective_stands = true;
        }
        let mut poster = Poster { engine: &mut self.engine, map: &self.map, condition: None };
        Ok(poster.view(objective))
    }

    /// Propagates at the root, without search.
    ///
    /// Returns `false` if that shows the model infeasible. What is left of the domains is told by
    /// [`domain`](Self::domain).
    pub fn propagate(&mut self) -> bool {
        self.leave_search();
        self.engine.deadline = None;
        self.propagate_root()
    }

    fn propagate_root(&mut self) -> bool {
        if !self.engine.has_failed() && self.engine.propagate() == Fixpoint::Failed {
            self.engine.set_failed();
        }
        !self.engine.has_failed()
    }

    /// The values left to a variable at the root, as far as it was [propagated](Self::propagate): none of
    /// them once the model was found infeasible. `None` for a variable of another model.
    pub fn domain(&mut self, x: IntVar) -> Option<Domain> {
        self.leave_search();
        let view = *self.map.get(x.index_in(&self.model.tags())?)?;
        if self.engine.has_failed() {
            return Some(Domain::from_intervals([]));
        }
        let (store, variable) = (&self.engine.store, View::of(view.var()));
        let mut intervals = Vec::new();
        let mut low = store.min(variable);
        for (from, to) in store.gaps(view.var()) {
            intervals.push((low, from - 1));
            low = to + 1;
        }
        intervals.push((low, store.max(variable)));
        Some(Domain::from_intervals(intervals).seen_through(view.scale(), view.offset()))
    }

    /// Adds an integer variable.
    ///
    /// # Errors
    /// If its values are out of range; the solver is then as it was before.
    #[track_caller]
    pub fn int(&mut self, domain: impl Into<Domain>) -> Result<IntVar, ModelError> {
        self.leave_search();
        let constraints = self.model.constraint_count();
        let x = self.model.int(domain);
        self.take_over(constraints)?;
        Ok(x)
    }

    /// Adds a Boolean variable.
    #[track_caller]
    pub fn bool(&mut self) -> BoolVar {
        self.leave_search();
        let b = self.model.bool();
        self.compile(self.map.len(), self.model.constraint_count());
        b
    }

    /// Adds a constraint.
    ///
    /// # Errors
    /// If there is a mistake in it; the solver is then as it was before.
    #[track_caller]
    pub fn post(&mut self, constraint: impl Constraint) -> Result<ConstraintId, ModelError> {
        self.leave_search();
        let constraints = self.model.constraint_count();
        let id = self.model.post(constraint);
        self.take_over(constraints)?;
        Ok(id)
    }

    /// Hands the engine what was added to the model, whose constraints were so many before, or takes it
    /// back if there is a mistake in it.
    fn take_over(&mut self, constraints: usize) -> Result<(), ModelError> {
        let variables = self.map.len();
        if let Err(mistake) = self.model.validate() {
            self.model.truncate(variables, constraints);
            return Err(mistake);
        }
        self.compile(variables, constraints);
        Ok(())
    }

    /// Opens a level: what is added from here on is forgotten by [`pop`](Self::pop).
    pub fn push(&mut self) {
        self.propagate();
        self.engine.push_root();
        self.marks.push((self.model.variable_count(), self.model.constraint_count()));
    }

    /// Forgets what was added since the last [`push`](Self::push). Returns `false`, doing nothing, if no
    /// level is open.
    pub fn pop(&mut self) -> bool {
        self.leave_search();
        let Some((variables, constraints)) = self.marks.pop() else { return false };
        self.engine.pop_root();
        self.map.truncate(variables);
        self.model.truncate(variables, constraints);
        true
    }

    /// Leaves whatever search there was.
    fn leave_search(&mut self) {
        self.engine.undo_search();
        self.engine.set_learning(false);
        if self.driver.take_nogoods() {
            self.engine.pop_root();
        }
        if std::mem::take(&mut self.objective_stands) {
            self.engine.pop_root();
        }
    }

    fn start_clock(&mut self) {
        self.started = Instant::now();
        self.propagations_before = self.engine.propagations;
        self.engine.deadline = self.limits.time.and_then(|time| self.started.checked_add(time));
    }

    fn begin(&mut self, task: Task) {
        // The way to an objective led over the root already.
        if !matches!(task, Task::Best(_)) {
            self.leave_search();
            self.start_clock();
        }
        self.outcome = None;
        let tags = self.model.tags();
        // The variables seldom change between searches, and then what hangs on them need not be made anew.
        let changed =
            !Arc::ptr_eq(&tags, &self.buffer.tags) || !self.guide.knows(self.engine.store.variables.len());
        self.buffer.tags = tags;
        let domains = Domains {
            store: &self.engine.store,
            watches: self.engine.watches(),
            map: &self.map,
            tags: &self.buffer.tags,
            path: &[],
        };
        if changed {
            self.guide.variables_changed(&domains, self.model.variables());
            self.buffer.values.resize(self.map.len(), 0);
        }
        if !self.engine.has_failed() {
            // Of two solutions with the same projection one may be better.
            let is_projected = !matches!(task, Task::Best(_));
            self.guide.start(&domains, self.seed, is_projected, task != Task::All);
        }
        let learns = match self.mode {
            Mode::Automatic => task != Task::All && self.guide.brancher.is_none(),
            Mode::Plain => false,
            Mode::Learning => true,
        } && !self.engine.has_failed()
            && self.limits.discrepancies.is_none();
        if learns {
            self.engine.set_learning(true);
        }
        let decides = learns && self.guide.brancher.is_none();
        self.guide.activity = decides.then(|| Activity::new(&self.engine.store));
        let restarts = self.restarts.unwrap_or(match self.guide.brancher {
            None if learns => Restarts::luby(100),
            None if task != Task::All => Restarts::geometric(100, 1.5),
            _ => Restarts::never(),
        });
        let objective = match task {
            Task::Best(view) => Some(Objective { view, best: None, bound: self.engine.store.min(view) }),
            Task::One | Task::All => None,
        };
        self.driver.begin(self.limits, restarts, objective, self.guide.depth());
        // One level for each decision, and one below them for what follows from the root.
        self.engine.reserve(self.guide.depth() + 1);
        self.engine.report_changes(self.guide.wants_changes());
        self.engine.limit_memory(self.limits.memory);
        self.engine.look_soon();
    }

    /// Goes on to the next solution and puts it into the buffer; or tells how the search ended.
    fn advance(&mut self, check: bool) -> Option<Outcome> {
        if self.outcome.is_some() {
            return self.outcome;
        }
        if self.engine.has_failed() {
            return Some(self.end(Outcome::Infeasible));
        }
        let event = self.driver.next(&mut self.engine, &mut self.guide, &self.map, &self.buffer.tags);
        self.note_time();
        match event {
            Event::Stopped(why) => return Some(self.end(Outcome::Stopped(why))),
            Event::Exhausted => {
                if self.engine.level() == self.engine.root_level() && self.driver.statistics.solutions == 0 {
                    self.engine.set_failed();
                }
                let outcome = match (self.driver.statistics.solutions, self.driver.objective) {
                    (0, _) => Outcome::Infeasible,
                    (_, Some(_)) => Outcome::Optimal,
                    (_, None) => Outcome::AllFound,
                };
                return Some(self.end(outcome));
            }
            Event::Solution => {}
        }
        if check {
            for (value, &view) in self.buffer.values.iter_mut().zip(&self.map) {
                *value = self.engine.store.min(view);
            }
            if let Some(broken) = self.model.first_broken(&self.buffer) {
                self.driver.statistics.solutions -= 1;
                return Some(self.end(Outcome::Stopped(Stop::WrongAnswer(broken))));
            }
        }
        None
    }

    fn note_time(&mut self) {
        self.driver.statistics.time = self.started.elapsed();
        self.driver.statistics.propagations = self.engine.propagations - self.propagations_before;
    }

    fn end(&mut self, outcome: Outcome) -> Outcome {
        // Undoing is left to the next call, so that a stop takes effect at once however deep the search is.
        self.note_time();
        self.driver.publish();
        self.outcome = Some(outcome);
        outcome
    }
}

/// Iterator over solutions; see [`Solver::solutions`].
#[derive(Debug)]
pub struct Solutions<'a> {
    solver: &'a mut Solver,
}

impl Iterator for Solutions<'_> {
    type Item = Solution;

    fn next(&mut self) -> Option<Solution> {
        match self.solver.advance(true) {
            None => Some(self.solver.buffer.clone()),
            Some(_) => None,
        }
    }
}
