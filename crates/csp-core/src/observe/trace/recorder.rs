//! Reads the engine's log after each propagation, and makes events of it.

use std::fmt;
use std::sync::Arc;

use crate::engine::{Atom, Engine, Position, Side, Source, Store, View};
use crate::model::Model;

use super::event::{Cause, Literal, Observer, SearchStart, Trace, TraceEvent, TracedVariable};
use super::replay::TracedDomains;
use super::source::Owners;
use super::translate::{Translator, seen};

/// So many events are recorded, if nothing else is said.
const EVENTS: usize = 10_000;
/// So many values, intervals and statements in all for each event allowed.
const PARTS_PER_EVENT: usize = 100;

/// How a search is to be traced: for [`Solver::set_trace`](crate::Solver::set_trace).
pub struct Tracing {
    events: usize,
    is_tree_only: bool,
    observer: Option<Box<dyn Observer + Send>>,
}

impl Default for Tracing {
    fn default() -> Tracing {
        Tracing::new()
    }
}

impl fmt::Debug for Tracing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tracing").field("events", &self.events).finish_non_exhaustive()
    }
}

impl Tracing {
    /// The first 10,000 events are recorded, the others are counted.
    pub fn new() -> Tracing {
        Tracing { events: EVENTS, is_tree_only: false, observer: None }
    }

    /// Records so many events, the first ones; the others are counted. It may be fewer where they are long: all together
    /// they hold at most 100 values, intervals and statements for each event allowed.
    #[must_use]
    pub fn events(mut self, events: usize) -> Tracing {
        self.events = events;
        self
    }

    /// Leaves out changes of domains and what is blamed for failures, which is most of the work. All other events are
    /// left; an undo takes no change back.
    #[must_use]
    pub fn tree_only(mut self) -> Tracing {
        self.is_tree_only = true;
        self
    }

    /// Tells an observer of every event while the search runs, also of those that are not recorded.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// use std::sync::mpsc;
    /// let mut model = Model::new();
    /// model.ints(2, 0..=1);
    /// let mut solver = model.solver()?;
    /// let (sender, receiver) = mpsc::channel();
    /// solver.set_trace(Tracing::new().events(0).tree_only().observer(move |event: &TraceEvent| {
    ///     if let TraceEvent::Node { node, parent, .. } = event {
    ///         sender.send((*parent, *node)).unwrap();
    ///     }
    /// }));
    /// solver.count();
    /// solver.take_trace();
    /// let edges: Vec<_> = receiver.iter().collect();
    /// assert_eq!(edges, [(0, 1), (1, 2), (2, 3), (2, 4), (1, 5), (5, 6), (5, 7)]);
    /// # Ok::<(), ModelError>(())
    /// ```
    #[must_use]
    pub fn observer(mut self, observer: impl Observer + Send + 'static) -> Tracing {
        self.observer = Some(Box::new(observer));
        self
    }
}

/// What kind of search is recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchKind {
    /// It may begin anew.
    pub(crate) restarts: bool,
    pub(crate) is_optimising: bool,
    pub(crate) is_assuming: bool,
}

/// A decision in force.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// The node that made it.
    node: u64,
    /// Where its changes begin in the log.
    start: Position,
}

/// A search that is being traced.
pub(crate) struct Recorder {
    tracing: Tracing,
    trace: Trace,
    /// Nothing more is recorded.
    is_full: bool,
    /// Values, intervals and statements recorded.
    parts: usize,
    translator: Translator,
    /// The domains, as long as somebody is told of changes.
    domains: TracedDomains,
    /// For each change in force that can be taken back, where in the log it is.
    positions: Vec<Position>,
    /// Up to where the log was read.
    seen: Position,
    levels: Vec<Level>,
    /// The present node, 0 before a root.
    node: u64,
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").field("counts", &self.trace.counts).finish_non_exhaustive()
    }
}

impl Recorder {
    pub(crate) fn new(tracing: Tracing) -> Recorder {
        Recorder {
            tracing,
            trace: Trace::default(),
            is_full: false,
            parts: 0,
            translator: Translator::default(),
            domains: TracedDomains::default(),
            positions: Vec::new(),
            seen: 0,
            levels: Vec::new(),
            node: 0,
        }
    }

    /// What was recorded.
    pub(crate) fn into_trace(self) -> Trace {
        self.trace
    }

    /// A search begins; the log is on from here. What was known before is told first.
    pub(crate) fn begin(
        &mut self,
        model: &Model,
        engine: &mut Engine,
        map: &[View],
        owners: &Arc<Owners>,
        kind: SearchKind,
    ) {
        let SearchKind { restarts, is_optimising, is_assuming } = kind;
        let names = model.names();
        let variables = model.variables().map(|x| TracedVariable {
            name: names.of(x),
            initial: model.domain(x).map_or(Vec::new(), |domain| domain.intervals().to_vec()),
            is_hidden: false,
        });
        self.translator = Translator::new(model, engine, map, owners);
        self.trace = Trace {
            variables: variables.collect(),
            constraints: self.translator.constraints(model, engine),
            is_optimising,
            is_assuming,
            ..Trace::default()
        };
        self.domains = TracedDomains::of_variables(&self.trace.variables);
        self.positions.clear();
        self.levels.clear();
        (self.is_full, self.parts, self.seen, self.node) = (false, 0, 0, 0);
        if let Some(observer) = &mut self.tracing.observer {
            let Trace { variables, constraints, .. } = &self.trace;
            let learns = engine.learns();
            observer.begin(SearchStart { variables, constraints, learns, restarts, is_optimising });
        }
        if self.tracing.is_tree_only {
            return;
        }
        engine.start_trace();
        if engine.has_failed() {
            return;
        }
        for (variable, &view) in map.iter().enumerate() {
            let mut removed = self.domains.of(variable).to_vec();
            let left = engine.store.values_of(view);
            left.intervals().iter().for_each(|&range| super::replay::remove(&mut removed, range));
            if !removed.is_empty() {
                let event = TraceEvent::Change { variable, removed, cause: Cause::Domain, blame: Vec::new() };
                self.domains.apply(&event);
                self.emit(event);
            }
        }
    }

    /// A node was propagated.
    pub(crate) fn node(&mut self, engine: &Engine, node: u64, decisions: &[Atom], is_failed: bool) {
        let (depth, mut parent) = (decisions.len(), self.node);
        let mut alternative = u8::from(parent != 0);
        if depth < self.levels.len() {
            let Level { node, start } = self.levels[depth];
            parent = node;
            self.undo(depth, start);
        } else if let (true, Some(&decision)) = (depth > self.levels.len(), decisions.last()) {
            alternative = 0;
            self.translator.show(decision.var(), engine, &mut self.trace.variables);
            if let Some(literal) = self.translator.literal(decision, &[]) {
                self.emit(TraceEvent::Decision { node: parent, literal });
            }
            self.levels.push(Level { node: parent, start: self.seen });
        }
        self.node = node;
        self.emit(TraceEvent::Node { node, parent, depth, alternative });
        let decided = if alternative == 0 { Cause::Decision } else { Cause::Refutation };
        // A search that learns has a log anyway.
        if !self.tracing.is_tree_only {
            let now = engine.log_end();
            (self.seen..now).for_each(|position| self.change(engine, position, decided));
            self.seen = now;
        }
        if is_failed {
            self.failure(engine);
        } else {
            self.emit(TraceEvent::Fixpoint);
        }
    }

    /// A solution was found, and is in the store.
    pub(crate) fn solution(&mut self, store: &Store, map: &[View]) {
        let values = map.iter().map(|&x| store.min(x)).collect();
        self.emit(TraceEvent::Solution { values });
    }

    /// The search begins anew: everything is undone but what follows from the root.
    pub(crate) fn restart(&mut self, engine: &Engine) {
        let start = self.levels.first().map_or(Position::MAX, |level| level.start);
        self.undo(0, start.min(engine.log_end()));
        self.node = 0;
        self.emit(TraceEvent::Restart);
    }

    /// The whole tree was searched, or not.
    pub(crate) fn set_complete(&mut self, is_complete: bool) {
        self.trace.is_complete = is_complete;
    }

    /// Nothing is left to search.
    pub(crate) fn end(&mut self) {
        if let Some(&Level { start, .. }) = self.levels.first() {
            self.undo(0, start);
        }
    }

    /// So many decisions are left in force, and what is in the log before a position.
    fn undo(&mut self, to_depth: usize, start: Position) {
        let kept = self.positions.partition_point(|&position| position < start);
        let event = TraceEvent::Undo { to_depth, changes: self.positions.len() - kept };
        self.levels.truncate(to_depth);
        self.positions.truncate(kept);
        self.seen = self.seen.min(start);
        self.domains.apply(&event);
        self.emit(event);
    }

    /// Whether anybody is told what happens; otherwise it is but counted.
    fn is_heard(&self) -> bool {
        !self.is_full || self.tracing.observer.is_some()
    }

    /// Tells an entry of the log.
    fn change(&mut self, engine: &Engine, position: Position, decided: Cause) {
        let entry = *engine.log_entry(position);
        let source = engine.source(entry.reason);
        if source == Source::Slide || self.translator.is_hidden(entry.var) {
            return;
        }
        if !self.is_heard() {
            self.trace.counts.changes += self.translator.behind(entry.var).len() as u64;
            return;
        }
        let range = match entry.side {
            Side::Min => (entry.old, entry.new - 1),
            Side::Max => (entry.new + 1, entry.old),
            Side::Hole => (entry.new, entry.new),
        };
        let why = engine.blame(position, |x| self.translator.is_hidden(x));
        let cause = match source {
            Source::Decision => decided,
            _ => self.translator.joint_cause(source, &why.helpers, &mut self.trace.constraints),
        };
        let blame = self.literals(&why.atoms, cause);
        for place in 0..self.translator.behind(entry.var).len() {
            let (variable, view) = self.translator.behind(entry.var)[place];
            let removed = self.domains.within(variable, seen(view, range));
            let event = TraceEvent::Change { variable, removed, cause, blame: blame.clone() };
            self.domains.apply(&event);
            self.positions.push(position);
            self.emit(event);
        }
    }

    fn failure(&mut self, engine: &Engine) {
        let source = engine.failed_source();
        let mut cause = self.translator.cause(source);
        let mut blame = Vec::new();
        if self.is_heard() && !self.tracing.is_tree_only {
            let why = engine.blame_failure(|x| self.translator.is_hidden(x));
            cause = self.translator.joint_cause(source, &why.helpers, &mut self.trace.constraints);
            blame = self.literals(&why.atoms, cause);
        }
        self.emit(TraceEvent::Failure { cause, blame });
    }

    /// What a cause blames.
    fn literals(&self, atoms: &[Atom], cause: Cause) -> Vec<Literal> {
        let scope = match cause {
            Cause::Constraint(number) => &self.trace.constraints[number].scope[..],
            _ => &[],
        };
        self.translator.literals(atoms, scope, &self.trace.variables)
    }

    /// Counts an event, tells the observer, and records it if there is room.
    fn emit(&mut self, event: TraceEvent) {
        if let Some(observer) = &mut self.tracing.observer {
            observer.event(&event);
        }
        self.parts += match &event {
            TraceEvent::Change { removed, blame, .. } => removed.len() + blame.len(),
            TraceEvent::Failure { blame, .. } => blame.len(),
            TraceEvent::Solution { values } => values.len(),
            _ => 0,
        };
        let limit = self.tracing.events;
        self.is_full |=
            self.trace.events.len() >= limit || self.parts > limit.saturating_mul(PARTS_PER_EVENT);
        if self.is_full {
            self.trace.counts.add(&event);
        } else {
            self.trace.event(&event);
        }
    }
}
