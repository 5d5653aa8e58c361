//! The one place that joins model, engine and search for a user.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use crate::engine::{Engine, Fixpoint, Poster, View};
use crate::error::ModelError;
use crate::model::{Assignment, BoolVar, Constraint, ConstraintId, Domain, IntVar, Model, Solution};
use crate::observe::{Progress, Statistics};
use crate::search::{
    Brancher, Branching, Decision, Domains, Driver, Event, Limits, Outcome, Stop, StopHandle, branch,
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

/// Solves one model.
///
/// A solver holds the model (sharing its data with the one it was made of), the engine, a search
/// strategy and limits. Every search begins at the root, whatever was done before: an iterator may be
/// dropped in the middle. Between searches, variables and constraints may be added, and taken back by
/// [`push`](Self::push) and [`pop`](Self::pop).
///
/// Without a strategy of yours, search picks a variable with the smallest domain and its minimum
/// value. Variables your strategy leaves open are fixed in the same way afterwards, so a solution
/// always has a value for every variable.
pub struct Solver {
    model: Model,
    engine: Engine,
    map: Vec<View>,
    brancher: Option<Box<dyn Brancher>>,
    /// Fixes the variables that the strategy leaves open.
    rest: Branching,
    driver: Driver,
    limits: Limits,
    seed: u64,
    marks: Vec<(usize, usize)>,
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
            brancher: None,
            rest: branch::<IntVar>([]),
            driver: Driver::default(),
            limits: Limits::new(),
            seed: 0,
            marks: Vec::new(),
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
        for id in variables as u32..self.model.variable_count() as u32 {
            let x = IntVar { id, tag: tags[id as usize] };
            let intervals = self.model.domain(x).map_or(&[][..], Domain::intervals);
            self.map.push(View::of(self.engine.add_variable(intervals)));
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

    /// Sets the search strategy: a [`branch`](crate::branch), a sequence, a closure, or any
    /// [`Brancher`].
    pub fn set_search(&mut self, brancher: impl Brancher + 'static) {
        self.brancher = Some(Box::new(brancher));
    }

    /// Sets the limits of each search from now on.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
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
        self.begin();
        match self.advance(true) {
            Some(Outcome::Stopped(why)) => First::Stopped(why),
            Some(_) => First::Infeasible,
            None => First::Found(self.buffer.clone()),
        }
    }

    /// All solutions, one at a time, each checked against every constraint. When the iterator ends,
    /// [`outcome`](Self::outcome) tells why.
    pub fn solutions(&mut self) -> Solutions<'_> {
        self.begin();
        Solutions { solver: self }
    }

    /// Calls `visit` for each solution without making a copy of it, until it says break. Each is checked
    /// against every constraint.
    pub fn for_each(&mut self, mut visit: impl FnMut(&Assignment) -> ControlFlow<()>) -> Outcome {
        self.begin();
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
        self.begin();
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
        self.engine.undo_search();
        self.engine.deadline = None;
        if !self.engine.has_failed() && self.engine.propagate() == Fixpoint::Failed {
            self.engine.set_failed();
        }
        !self.engine.has_failed()
    }

    /// The values left to a variable at the root, as far as it was [propagated](Self::propagate): none of
    /// them once the model was found infeasible. `None` for a variable of another model.
    pub fn domain(&mut self, x: IntVar) -> Option<Domain> {
        self.engine.undo_search();
        let view = *self.map.get(x.index_in(&self.model.tags())?)?;
        if self.engine.has_failed() {
            return Some(Domain::from_intervals([]));
        }
        let store = &self.engine.store;
        let mut intervals = Vec::new();
        let mut low = store.min(view);
        for (from, to) in store.gaps(view.var()) {
            intervals.push((low, from - 1));
            low = to + 1;
        }
        intervals.push((low, store.max(view)));
        Some(Domain::from_intervals(intervals))
    }

    /// Adds an integer variable.
    ///
    /// # Errors
    /// If its values are out of range; the solver is then as it was before.
    #[track_caller]
    pub fn int(&mut self, domain: impl Into<Domain>) -> Result<IntVar, ModelError> {
        self.engine.undo_search();
        let constraints = self.model.constraint_count();
        let x = self.model.int(domain);
        self.take_over(constraints)?;
        Ok(x)
    }

    /// Adds a Boolean variable.
    #[track_caller]
    pub fn bool(&mut self) -> BoolVar {
        self.engine.undo_search();
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
        self.engine.undo_search();
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
        self.engine.undo_search();
        let Some((variables, constraints)) = self.marks.pop() else { return false };
        self.engine.pop_root();
        self.map.truncate(variables);
        self.model.truncate(variables, constraints);
        true
    }

    fn begin(&mut self) {
        self.engine.undo_search();
        self.outcome = None;
        self.started = Instant::now();
        self.propagations_before = self.engine.propagations;
        self.engine.deadline = self.limits.time.and_then(|time| self.started.checked_add(time));
        self.driver.restart(self.limits, self.map.len());
        self.engine.reserve(self.map.len());
        self.engine.look_soon();
        let tags = self.model.tags();
        // The variables seldom change between searches, and then what hangs on them need not be made anew.
        let changed = !Arc::ptr_eq(&tags, &self.buffer.tags);
        self.buffer.tags = tags;
        let domains = Domains { store: &self.engine.store, map: &self.map, tags: &self.buffer.tags };
        if let Some(brancher) = &mut self.brancher
            && !self.engine.has_failed()
        {
            brancher.start(&domains, self.seed);
        }
        if changed {
            self.rest = branch(self.model.variables()).smallest_domain();
            self.rest.start(&domains, self.seed);
            self.buffer.values.resize(self.map.len(), 0);
        }
    }

    /// Goes on to the next solution and puts it into the buffer; or tells how the search ended.
    fn advance(&mut self, check: bool) -> Option<Outcome> {
        if self.outcome.is_some() {
            return self.outcome;
        }
        if self.engine.has_failed() {
            return Some(self.end(Outcome::Infeasible));
        }
        let mut both = Both { first: self.brancher.as_deref_mut(), rest: &mut self.rest };
        let event = self.driver.next(&mut self.engine, &mut both, &self.map, &self.buffer.tags);
        self.note_time();
        match event {
            Event::Stopped(why) => return Some(self.end(Outcome::Stopped(why))),
            Event::Exhausted => {
                if self.engine.level() == self.engine.root_level() && self.driver.statistics.solutions == 0 {
                    self.engine.set_failed();
                }
                let outcome = if self.driver.statistics.solutions > 0 {
                    Outcome::AllFound
                } else {
                    Outcome::Infeasible
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

/// The user's strategy, and the rest of the variables after it.
struct Both<'a> {
    first: Option<&'a mut (dyn Brancher + 'static)>,
    rest: &'a mut Branching,
}

impl Brancher for Both<'_> {
    fn choose(&mut self, domains: &Domains<'_>) -> Option<Decision> {
        let first = self.first.as_mut().and_then(|brancher| brancher.choose(domains));
        first.or_else(|| self.rest.choose(domains))
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
