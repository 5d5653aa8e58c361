//! The one place that joins model, engine and search for a user.

mod assume;
mod background;
mod change;
mod explain;
mod optimise;
mod parallel;
mod trace;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use crate::engine::{CLAUSE_LIMIT, Engine, Fixpoint, Poster, View};
use crate::error::ModelError;
use crate::model::{Affine, Assignment, BoolExpr, ConstraintId, Domain, IntVar, Model, Solution};
use crate::observe::{Owner, Owners, Progress, SearchKind, Statistics};
use crate::presolve::{Cliques, Findings, Presolve};
use crate::search::{
    Brancher, Domains, Driver, Event, Guide, Limits, Mode, Objective, Outcome, Restarts, Stop, StopHandle,
};

pub use background::Background;
pub(crate) use explain::Group;
pub use explain::Infeasibility;

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
    /// The smallest value of this view; times the sign, it is the user's objective.
    Best(View, i64),
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
/// integers, and restart by [`Restarts::luby(100)`](Restarts::luby); until there is a solution, every fourth run goes by the
/// strategy of plain mode. What was learnt is kept for later searches, and forgotten with the level it was learnt on. In [plain mode](Mode::Plain) they branch on the
/// variable with the smallest ratio of domain size to weight, by its minimum value, with last-conflict reasoning and
/// restarts: [`dom_wdeg`](crate::Branching::dom_wdeg), [`last_conflict`](Brancher::last_conflict) and
/// [`Restarts::geometric(100, 1.5)`](Restarts::geometric). Where all solutions are asked for, the whole tree
/// has to be walked, and there search picks a variable with the smallest domain and its minimum value.
/// Variables your strategy leaves open are fixed in this last way, so a solution always has a value for
/// every variable.
pub struct Solver {
    model: Model,
    presolve: Presolve,
    engine: Engine,
    map: Vec<View>,
    /// Whose the engine's propagators are.
    owners: Arc<Owners>,
    guide: Guide,
    driver: Driver,
    limits: Limits,
    mode: Mode,
    /// As the user wants it.
    restarts: Option<Restarts>,
    seed: u64,
    marks: Vec<(usize, usize)>,
    /// What is to hold in each search.
    assumptions: Vec<BoolExpr>,
    /// Root levels that the present search opened for itself.
    search_roots: u32,
    clause_limit: usize,
    /// A solution against which lessons are checked.
    known: Option<Solution>,
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
    /// A solver for the model as it is now; later changes of the model do not reach it. The engine gets the model
    /// [simplified](Presolve): equal variables are one, and what is pairwise different is an `all_different`.
    ///
    /// # Errors
    /// The first mistake made in building the model.
    pub fn new(model: &Model) -> Result<Solver, ModelError> {
        Solver::with(model, Presolve::On)
    }

    /// As [`new`](Self::new), with a say in whether the model is [simplified](Presolve).
    ///
    /// # Errors
    /// The first mistake made in building the model.
    pub fn with(model: &Model, presolve: Presolve) -> Result<Solver, ModelError> {
        model.validate()?;
        let findings = (presolve == Presolve::On).then(|| Findings::new(model));
        let mut solver = Solver {
            model: model.clone(),
            presolve,
            engine: Engine::new(),
            map: Vec::new(),
            owners: Arc::default(),
            guide: Guide::default(),
            driver: Driver::default(),
            limits: Limits::new(),
            mode: Mode::default(),
            restarts: None,
            seed: 0,
            marks: Vec::new(),
            assumptions: Vec::new(),
            search_roots: 0,
            clause_limit: CLAUSE_LIMIT,
            known: None,
            started: Instant::now(),
            propagations_before: 0,
            outcome: None,
            buffer: Assignment { tags: Arc::default(), values: Vec::new() },
        };
        solver.compile(0, 0, findings.as_ref());
        Ok(solver)
    }

    /// Hands the engine the model's variables and constraints from the given numbers on. What is there already
    /// cannot become a view of something new, nor part of a clique: only a whole model is simplified.
    fn compile(&mut self, variables: usize, constraints: usize, findings: Option<&Findings>) {
        // By number, not by skipping what came before: one is often added to many.
        let tags = self.model.tags();
        let aliases = findings.map(|found| &found.aliases);
        for id in variables..self.model.variable_count() {
            let view = aliases.map(|a| a.view(id)).filter(|view| view.var().index() != id);
            let view = match view {
                // What stands for others comes before them and is no view itself.
                Some(view) => View::scaled(self.map[view.var().index()].var(), view.scale()),
                None => {
                    let left = aliases.and_then(|a| a.domain(id));
                    let x = IntVar { id: id as u32, tag: tags[id] };
                    let domain = left.or_else(|| self.model.domain(x));
                    View::of(self.engine.add_variable(domain.map_or(&[], Domain::intervals)))
                }
            };
            self.map.push(view);
        }
        let owners = Arc::make_mut(&mut self.owners);
        let mut poster = Poster { engine: &mut self.engine, map: &self.map, condition: None };
        for id in (constraints as u32..self.model.constraint_count() as u32).map(ConstraintId) {
            let Some(constraint) = self.model.constraint(id) else { break };
            if !findings.is_some_and(|found| found.cliques.covers(id)) {
                owners.begin(poster.engine, Owner::Constraint(id.index()));
                constraint.post(&mut poster);
            }
        }
        if let Some(found) = findings {
            for (number, clique) in found.cliques.all.iter().enumerate() {
                owners.begin(poster.engine, Owner::Clique(number));
                Cliques::post(clique, &mut poster);
            }
            owners.cliques.clone_from(&found.cliques.all);
        }
    }

    /// The model being solved, with everything added to the solver.
    pub fn model(&self) -> &Model {
        &self.model
    }

    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// How many variables the engine has beyond those of the model, for the expressions in it.
    #[cfg(test)]
    pub(crate) fn hidden_variables(&self) -> usize {
        let seen: std::collections::BTreeSet<_> = self.map.iter().map(|view| view.var()).collect();
        self.engine.store.variables.len() - 1 - seen.len()
    }

    /// How many propagators the engine has.
    #[cfg(test)]
    pub(crate) fn propagators(&self) -> usize {
        self.engine.propagator_count()
    }

    /// Sets the search strategy: a [`branch`](crate::branch), a sequence, a closure, or any
    /// [`Brancher`]. With it, [`Mode::Automatic`] no longer learns from failures; [`Mode::Free`] does, and uses your strategy
    /// as well.
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
    /// // (Presolve could: it makes one `all_different` of them.)
    /// let mut solver = Solver::with(&model, Presolve::Off)?;
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

    /// For developers of constraints: makes searches that learn, but not those for all solutions, check each clause they learn
    /// against a solution that is known. If one contradicts it, the search ends with [`Stop::WrongLesson`]: a reason was wrong.
    /// A solution of another model, or one that does not satisfy the model as it is then, plays no part.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let xs = model.ints(6, 0..6);
    /// model.post(all_different(&xs));
    /// let mut solver = model.solver()?;
    /// let known = solver.first().solution().expect("any permutation");
    /// solver.set_known_solution(Some(known));
    /// assert_eq!(solver.minimise(xs[0] + 2 * xs[1])?.value(), Some(1));
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn set_known_solution(&mut self, solution: Option<Solution>) {
        self.known = solution;
    }

    /// Sets how many learnt clauses to keep about; 2000 at first. When there are more, at the next restart or search the less
    /// useful half is forgotten, and the limit grows by an eighth until the search ends. When there are twice as many, the search
    /// begins anew for that.
    pub fn set_clause_limit(&mut self, clauses: usize) {
        self.clause_limit = clauses;
    }

    /// Sets values to try first: in a search for one solution or the best one, these variables are decided on first, in
    /// this order and with these values as far as they are possible, until the search begins anew. If a solution has
    /// them all, it is found without search; a plan of yesterday is a good start for today's.
    ///
    /// A search that decides for itself prefers these values, or what is nearest to them, later on, too. Hints for variables
    /// that the solver does not have are left out: give those of this model, not of yesterday's.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let xs = model.ints(3, 0..=9);
    /// model.post(all_different(&xs));
    /// let mut solver = model.solver()?;
    /// let yesterday = [7, 7, 2];
    /// solver.set_hints(xs.iter().copied().zip(yesterday));
    /// let found = solver.first().solution().expect("it is easy");
    /// assert_eq!((found[xs[0]], found[xs[2]]), (7, 2));
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn set_hints<T: Into<Affine>>(&mut self, hints: impl IntoIterator<Item = (T, i64)>) {
        let of_variable = |(x, value): (T, i64)| {
            let x = x.into();
            let scaled = i128::from(value) - i128::from(x.offset);
            let is_possible = !x.is_poisoned() && scaled % i128::from(x.scale) == 0;
            let value = is_possible.then(|| i64::try_from(scaled / i128::from(x.scale)).ok())??;
            Some((x.var()?, value))
        };
        self.guide.hint(hints.into_iter().filter_map(of_variable).collect());
    }

    /// Forgets all hints.
    pub fn clear_hints(&mut self) {
        self.guide.hint(Vec::new());
    }

    /// Sets when searches begin anew, from now on. Before, searches for one solution or the best one do, unless a strategy of yours
    /// decides alone; those that learn also whenever they hold twice as many clauses as they
    /// [should](Self::set_clause_limit).
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
        Some(self.engine.store.values_of(view))
    }

    /// Leaves whatever search there was.
    fn leave_search(&mut self) {
        self.engine.undo_search();
        self.engine.stop_learning();
        self.engine.stop_trace();
        if self.driver.take_nogoods() {
            self.engine.pop_root();
        }
        while self.search_roots > 0 {
            self.pop_search_root();
        }
    }

    /// Opens a root level for what the present search adds.
    fn push_search_root(&mut self) {
        self.engine.push_root();
        self.search_roots += 1;
    }

    fn pop_search_root(&mut self) {
        self.engine.pop_root();
        self.search_roots -= 1;
    }

    fn start_clock(&mut self) {
        self.started = Instant::now();
        self.propagations_before = self.engine.propagations;
        self.engine.deadline = self.limits.time.and_then(|time| self.started.checked_add(time));
    }

    fn begin(&mut self, task: Task) {
        self.leave_search();
        self.start_clock();
        self.begin_here(task);
    }

    /// Begins a search where the root is already what it is to be, with the clock running.
    fn begin_here(&mut self, task: Task) {
        self.outcome = None;
        let assumptions = match self.assume() {
            Ok(assumptions) => assumptions,
            Err(stop) => {
                self.outcome = Some(Outcome::Stopped(stop));
                Vec::new()
            }
        };
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
            let is_projected = !matches!(task, Task::Best(..));
            self.guide.start(&domains, self.seed, is_projected, task != Task::All);
        }
        let learns = match self.mode {
            Mode::Automatic => {
                !self.assumptions.is_empty() || task != Task::All && self.guide.brancher.is_none()
            }
            Mode::Plain => false,
            Mode::Learning | Mode::Free => true,
        } && !self.engine.has_failed()
            && self.limits.discrepancies.is_none();
        let mut forgotten = 0;
        // What follows at the root is propagated before the log begins, so that no reason speaks of it.
        if learns && self.propagate_root() {
            // Solutions that were found are excluded, for this search only.
            let excludes = task == Task::All;
            if excludes {
                self.push_search_root();
            }
            let known = if excludes { Vec::new() } else { self.known_values() };
            self.engine.limit_clauses(self.clause_limit);
            forgotten = self.engine.start_learning(known);
            self.guide.start_learning(&self.engine.store, self.mode == Mode::Free);
        }
        let restarts = self.restarts.unwrap_or(match self.guide.brancher {
            _ if learns && self.guide.activity.is_some() => Restarts::luby(100),
            None if task != Task::All => Restarts::geometric(100, 1.5),
            _ => Restarts::never(),
        });
        let objective = match task {
            Task::Best(view, sign) => {
                Some(Objective { view, best: None, bound: self.engine.store.min(view), sign })
            }
            Task::One | Task::All => None,
        };
        self.driver.begin(self.limits, restarts, objective, assumptions, self.guide.depth());
        self.driver.statistics.forgotten = forgotten;
        if let Some(recorder) = &mut self.driver.recorder {
            let kind = SearchKind {
                // One that learns begins anew when it has learnt too much, if not before.
                restarts: learns || restarts != Restarts::never(),
                is_optimising: self.driver.objective.is_some(),
                is_assuming: !self.assumptions.is_empty(),
            };
            recorder.begin(&self.model, &mut self.engine, &self.map, &self.owners, kind);
        }
        // One level for each decision, and one below them for what follows from the root.
        self.engine.reserve(self.guide.depth() + 1);
        self.engine.report_changes(self.guide.wants_changes());
        self.engine.limit_memory(self.limits.memory);
        self.engine.look_soon();
    }

    /// The known solution in terms of the engine: hidden variables have values as far as those of the model imply them.
    fn known_values(&mut self) -> Vec<Option<i64>> {
        let is_solution = self.known.as_ref().is_some_and(|known| self.model.check(known).is_ok());
        if !is_solution || !self.propagate_root() {
            return Vec::new();
        }
        self.engine.push_root();
        let mut all = self.known.iter().flat_map(|known| &known.values).zip(&self.map);
        let is_possible = all.all(|(&value, &x)| self.engine.decide(x.eq(value)).is_ok())
            && self.engine.propagate() == Fixpoint::Reached;
        let store = &self.engine.store;
        let values = store.ids().map(|x| store.value(View::of(x)).filter(|_| is_possible)).collect();
        self.engine.pop_root();
        values
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
        if let Some(recorder) = &mut self.driver.recorder {
            recorder.set_complete(outcome.is_complete());
        }
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
