//! The engine: the store, the propagators, and the loop that runs them until nothing changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::changed::Changed;
use super::differences;
use super::events::Events;
use super::learning::Learning;
use super::poster::Poster;
use super::propagator::{Context, Propagator, Status};
use super::queue::{Priority, Queue};
use super::reason::{self, Atom, Explanation, Reason};
use super::store::{Conflict, Pruned, Store};
use super::view::{VarId, View};
use super::watch::{CONDITION, NO_INDEX, Posted, Watch, Watches, wake};

/// Nobody: the number of no propagator.
const NOBODY: u32 = u32::MAX;
/// Propagator calls between two looks at the clock.
const CALLS_PER_LOOK: u32 = 256;
/// Looks at the clock between two looks at the memory in use, which are dear.
const LOOKS_PER_MEMORY_LOOK: u32 = 64;

/// One wish of a propagator: to be woken by these events of this view.
pub(crate) struct Subscription {
    pub(crate) view: View,
    pub(crate) events: Events,
    pub(crate) index: Option<u32>,
}

/// What became of propagation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fixpoint {
    Reached,
    Failed,
    /// The stop flag was raised or the time was up; work is left in the queue.
    Interrupted,
}

/// Lengths of everything that is cut back when a root-level `push` is undone.
#[derive(Clone, Copy, Debug)]
struct Mark {
    variables: usize,
    words: usize,
    propagators: usize,
    watched: usize,
    wanted: Events,
    differences: differences::Extent,
    unfinished: bool,
    failed: bool,
}

/// The store, the propagators and the queue between them.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) store: Store,
    pub(super) posted: Vec<Posted>,
    pub(super) watches: Vec<Watches>,
    pub(super) queue: Queue,
    /// The variable of each watch in order of subscription, to take them back.
    watched: Vec<VarId>,
    marks: Vec<Mark>,
    /// The propagator of nogoods, if there is one.
    pub(super) nogoods: Option<u32>,
    /// The propagator of differences, if there is one.
    pub(super) differences: Option<u32>,
    /// The root is infeasible.
    failed: bool,
    /// Propagator calls so far.
    pub(crate) propagations: u64,
    pub(crate) stop: Arc<AtomicBool>,
    pub(crate) deadline: Option<Instant>,
    until_look: u32,
    /// So many bytes of memory may be in use by the process.
    memory: Option<u64>,
    /// The variables that changed, for a search that wants to know, and a mark on each of them.
    reports: bool,
    touched: Vec<VarId>,
    is_touched: Vec<bool>,
    is_over_memory: bool,
    until_memory_look: u32,
    /// What is learnt from conflicts, in a search that learns, and what was learnt before, in others.
    pub(super) learning: Option<Box<Learning>>,
    pub(super) learnt: Option<Box<Learning>>,
    /// What counts reasons, for developers.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) audit: Option<crate::testing::Audit>,
}

impl Engine {
    pub(crate) fn new() -> Engine {
        let mut engine = Engine {
            store: Store::default(),
            posted: Vec::new(),
            watches: Vec::new(),
            queue: Queue::default(),
            watched: Vec::new(),
            marks: Vec::new(),
            nogoods: None,
            differences: None,
            failed: false,
            propagations: 0,
            stop: Arc::default(),
            deadline: None,
            until_look: CALLS_PER_LOOK,
            memory: None,
            reports: false,
            touched: Vec::new(),
            is_touched: Vec::new(),
            is_over_memory: false,
            until_memory_look: 1,
            learning: None,
            learnt: None,
            #[cfg(any(test, feature = "testing"))]
            audit: None,
        };
        engine.add_variable(&[(0, 0)]);
        engine
    }

    /// A variable with the values of the given sorted, disjoint, non-adjacent intervals; with none of
    /// them the root is infeasible.
    pub(crate) fn add_variable(&mut self, intervals: &[(i64, i64)]) -> VarId {
        if intervals.is_empty() {
            self.failed = true;
            return self.add_variable(&[(0, 0)]);
        }
        let id = self.store.add_variable(intervals);
        self.variable_added();
        id
    }

    /// Makes room for the watches of the store's newest variable.
    pub(super) fn variable_added(&mut self) {
        self.watches.push(Watches::default());
    }

    pub(super) fn add_propagator(
        &mut self,
        propagator: Box<dyn Propagator>,
        priority: Priority,
        subscriptions: impl Iterator<Item = Subscription>,
        condition: Option<Atom>,
    ) {
        let id = self.posted.len() as u32;
        assert!(id < reason::CLAUSES, "fewer than 2^30 propagators");
        let mut scope = Vec::with_capacity(subscriptions.size_hint().0);
        for s in subscriptions {
            scope.push(s.view);
            self.watch(
                s.view.var,
                Watch { propagator: id, index: s.index.unwrap_or(NO_INDEX), events: s.view.events(s.events) },
            );
        }
        if let Some(c) = condition {
            let (view, events) = c.subscription();
            self.watch(view.var, Watch { propagator: id, index: CONDITION, events });
        }
        let repeats =
            Poster::repeats(&scope) || condition.is_some_and(|c| scope.iter().any(|v| v.var == c.var()));
        let mut variables = Vec::new();
        if repeats {
            variables.extend(scope.iter().map(|v| v.var).chain(condition.map(Atom::var)).map(View::of));
            variables.sort_unstable_by_key(|v| v.var);
            variables.dedup();
        }
        let mut posted = Posted {
            propagator,
            priority,
            lane: priority.bit(),
            lanes: 0,
            repeats,
            variables: variables.into(),
            fresh: true,
            condition,
            entailed: self.store.trail.alloc(0),
            changed: Changed::default(),
            scope: scope.into(),
        };
        wake(&mut posted, id, &mut self.queue);
        self.posted.push(posted);
    }

    pub(super) fn watch(&mut self, x: VarId, watch: Watch) {
        if watch.events == Events::NONE {
            return;
        }
        let wants = &mut self.store.variables[x.index()].wants;
        *wants = wants.union(watch.events);
        self.store.wanted = self.store.wanted.union(watch.events);
        self.watches[x.index()].push(watch);
        self.watched.push(x);
    }

    /// How many variables and propagators there are.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.store.variables.len(), self.posted.len())
    }

    /// Whether the root was found infeasible.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed
    }

    /// Remembers that the root is infeasible.
    pub(crate) fn set_failed(&mut self) {
        self.failed = true;
    }

    /// Makes room for a search of so many levels, so that it need not allocate on its way.
    pub(crate) fn reserve(&mut self, levels: usize) {
        self.store.trail.reserve(levels);
        self.queue.reserve(self.posted.len());
    }

    /// Opens a level of the search.
    #[inline]
    pub(crate) fn push_level(&mut self) {
        self.store.push_level();
    }

    /// Undoes the innermost level.
    #[inline]
    pub(crate) fn pop_level(&mut self) {
        self.store.pop_level();
    }

    /// Undoes every level above the root, and forgets work that was left there. The root itself was
    /// propagated before the first of them was opened.
    pub(crate) fn undo_search(&mut self) {
        if self.level() > self.root_level() {
            self.clear_queue();
        }
        while self.level() > self.root_level() {
            self.pop_level();
        }
    }

    pub(crate) fn level(&self) -> u32 {
        self.store.trail.level()
    }

    /// How many propagators there are.
    #[cfg(test)]
    pub(crate) fn propagator_count(&self) -> usize {
        self.posted.len()
    }

    /// Opens a level that may add variables and propagators. What was not propagated before is done again
    /// after [`pop_root`](Self::pop_root).
    pub(crate) fn push_root(&mut self) {
        self.marks.push(Mark {
            variables: self.store.variables.len(),
            words: self.store.trail.len(),
            propagators: self.posted.len(),
            watched: self.watched.len(),
            wanted: self.store.wanted,
            differences: self.differences_extent(),
            unfinished: !self.queue.is_empty(),
            failed: self.failed,
        });
        self.store.push_level();
        self.store.root_level = self.store.trail.level();
    }

    /// Undoes the innermost [`push_root`](Self::push_root) and forgets all that was added since.
    pub(crate) fn pop_root(&mut self) -> bool {
        let Some(mark) = self.marks.pop() else { return false };
        self.clear_queue();
        self.store.pop_level();
        self.store.root_level = self.store.trail.level();
        while self.watched.len() > mark.watched {
            let Some(x) = self.watched.pop() else { break };
            let watches = &mut self.watches[x.index()];
            watches.pop(mark.propagators as u32);
            self.store.variables[x.index()].wants = watches.wants();
        }
        let is_older = |id: &u32| (*id as usize) < mark.propagators;
        self.nogoods = self.nogoods.filter(is_older);
        self.truncate_differences(mark.differences);
        self.differences = self.differences.filter(is_older);
        self.posted.truncate(mark.propagators);
        self.watches.truncate(mark.variables);
        self.store.truncate(mark.variables);
        self.store.wanted = mark.wanted;
        self.store.trail.truncate(mark.words);
        self.failed = mark.failed;
        self.forget_learnt();
        if mark.unfinished {
            self.wake_all();
        }
        true
    }

    /// How many root levels are open.
    pub(crate) fn root_level(&self) -> u32 {
        self.store.root_level
    }

    /// Makes an atom true as a decision, or as the negation of one.
    #[inline]
    pub(crate) fn decide(&mut self, atom: Atom) -> Pruned {
        self.store.assert(atom, Reason::DECISION)
    }

    /// Runs propagators until nothing changes.
    pub(crate) fn propagate(&mut self) -> Fixpoint {
        // Also where no propagator has anything to do: there are searches without any.
        if self.is_interrupted() {
            return self.interrupt();
        }
        if self.learning.is_some() { self.run_queue_learning() } else { self.run_queue::<false>() }
    }

    /// Apart, so that the code for plain search stays short.
    #[inline(never)]
    fn run_queue_learning(&mut self) -> Fixpoint {
        self.run_queue::<true>()
    }

    /// Serves the queue until it is empty; clauses come before all propagators.
    #[inline(always)]
    fn run_queue<const LEARNS: bool>(&mut self) -> Fixpoint {
        self.dispatch(NOBODY);
        loop {
            if LEARNS {
                if let Err(Conflict) = self.propagate_clauses() {
                    self.clear_queue();
                    return Fixpoint::Failed;
                }
                self.dispatch(NOBODY);
            }
            let Some((id, lane)) = self.queue.pop() else { break };
            // A dear call may take milliseconds, so the clock is looked at before each.
            if self.is_interrupted() || lane >= Priority::Quadratic && self.is_stopped() {
                // It is in the queue no more, where an interruption would look.
                let posted = &mut self.posted[id as usize];
                posted.lanes &= !lane.bit();
                posted.changed.clear();
                return self.interrupt();
            }
            match self.run(id, lane) {
                Ok(own) => self.dispatch(own),
                Err(Conflict) => {
                    self.clear_queue();
                    return Fixpoint::Failed;
                }
            }
        }
        Fixpoint::Reached
    }

    /// Whether to stop now; looks at the flag and at the clock once in a while.
    #[inline(always)]
    fn is_interrupted(&mut self) -> bool {
        self.until_look -= 1;
        self.until_look == 0 && self.look()
    }

    #[cold]
    fn look(&mut self) -> bool {
        self.until_look = CALLS_PER_LOOK;
        self.is_stopped() || self.memory.is_some_and(|bytes| self.look_at_memory(bytes))
    }

    fn look_at_memory(&mut self, bytes: u64) -> bool {
        self.until_memory_look -= 1;
        if self.until_memory_look == 0 {
            self.until_memory_look = LOOKS_PER_MEMORY_LOOK;
            self.is_over_memory |=
                memory_stats::memory_stats().is_some_and(|m| m.physical_mem as u64 > bytes);
        }
        self.is_over_memory
    }

    /// Limits the memory of the process, from the next look on.
    pub(crate) fn limit_memory(&mut self, bytes: Option<u64>) {
        self.memory = bytes;
        self.is_over_memory = false;
        self.until_memory_look = 1;
    }

    /// Whether the last propagation was interrupted because too much memory was in use.
    pub(crate) fn is_over_memory(&self) -> bool {
        self.is_over_memory
    }

    /// Makes the next call look at the clock.
    pub(crate) fn look_soon(&mut self) {
        self.until_look = 1;
    }

    /// Leaves propagation in the middle. Above the root everything is going to be undone.
    #[cold]
    fn interrupt(&mut self) -> Fixpoint {
        if self.level() > self.root_level() {
            self.clear_queue();
        } else {
            self.wake_all();
        }
        Fixpoint::Interrupted
    }

    /// Calls one propagator, as far as its condition lets it. Returns whom its changes do not wake.
    #[inline(always)]
    fn run(&mut self, id: u32, lane: Priority) -> Result<u32, Conflict> {
        let posted = &mut self.posted[id as usize];
        posted.lanes &= !lane.bit();
        self.store.running = id;
        if self.store.trail.get(posted.entailed) != 0 {
            posted.changed.clear();
            return Ok(id);
        }
        if let Some(condition) = posted.condition
            && self.store.truth(condition) != Some(true)
        {
            posted.changed.clear();
            return self.run_open(id, condition);
        }
        self.propagations += 1;
        let fresh = std::mem::replace(&mut posted.fresh, false);
        let mut ctx = Context { store: &mut self.store, changed: &mut posted.changed, fresh, priority: lane };
        let status = posted.propagator.propagate(&mut ctx)?;
        posted.changed.clear();
        match status {
            Status::AtFixpoint | Status::MayChange => {}
            Status::Entailed => self.store.trail.set(posted.entailed, 1),
            Status::Later(priority) => {
                if posted.lanes & priority.bit() == 0 {
                    posted.lanes |= priority.bit();
                    self.queue.push(id, priority);
                }
            }
        }
        Ok(if posted.repeats || status == Status::MayChange { NOBODY } else { id })
    }

    /// Asks a propagator whose condition is not true whether the condition can become true.
    fn run_open(&mut self, id: u32, condition: Atom) -> Result<u32, Conflict> {
        if self.store.truth(condition).is_none() {
            let mut why = if self.store.hooks == 0 { Explanation::silent() } else { Explanation::default() };
            if self.posted[id as usize].propagator.is_disentailed(&self.store, &mut why) {
                // The condition is not true, so it is no part of this reason.
                let reason = if self.store.hooks != 0 {
                    self.store.log.eager_of(id, reason::UNCONDITIONAL, |out| *out = why)
                } else {
                    Reason::DECISION
                };
                self.store.assert(condition.negated(), reason)?;
            }
        }
        Ok(id)
    }

    /// Wakes the propagators that want the events since the last dispatch, but not `own`.
    #[inline(always)]
    fn dispatch(&mut self, own: u32) {
        if !self.store.dirty.variables().is_empty() {
            self.dispatch_dirty(own);
        }
    }

    #[inline(always)]
    fn dispatch_dirty(&mut self, own: u32) {
        if self.reports {
            self.note_touched();
        }
        let Engine { store, watches, posted, queue, .. } = self;
        for &x in store.dirty.variables() {
            let events = std::mem::take(&mut store.variables[x.index()].dirty);
            let Watches { of_fixing, of_more, .. } = &watches[x.index()];
            if events.intersects(Events::FIXED) {
                for watch in of_fixing {
                    watch.serve(own, posted, queue);
                }
            }
            for watch in of_more {
                if watch.events.intersects(events) {
                    watch.serve(own, posted, queue);
                }
            }
        }
        store.dirty.clear();
    }

    /// Switches on or off that changed variables are noted.
    pub(crate) fn report_changes(&mut self, on: bool) {
        if !on && !self.reports {
            return;
        }
        self.reports = on;
        self.clear_touched();
        self.is_touched.resize(self.store.variables.len(), false);
        self.touched.reserve(self.store.variables.len());
        self.store.wanted = Events::NONE;
        for (v, watches) in self.store.variables.iter_mut().zip(&self.watches) {
            // Only changes that somebody wants come to be known.
            v.wants = if on { watches.wants().union(Events::ANY) } else { watches.wants() };
            self.store.wanted = self.store.wanted.union(v.wants);
        }
    }

    /// Whether changed variables are noted.
    #[inline]
    pub(crate) fn reports_changes(&self) -> bool {
        self.reports
    }

    /// The variables noted, each once.
    pub(crate) fn touched(&self) -> &[VarId] {
        &self.touched
    }

    /// Forgets them.
    pub(crate) fn clear_touched(&mut self) {
        for x in self.touched.drain(..) {
            if let Some(mark) = self.is_touched.get_mut(x.index()) {
                *mark = false;
            }
        }
    }

    #[cold]
    fn note_touched(&mut self) {
        for &x in self.store.dirty.variables() {
            if let Some(mark) = self.is_touched.get_mut(x.index())
                && !std::mem::replace(mark, true)
            {
                self.touched.push(x);
            }
        }
    }

    /// The watches of each variable.
    pub(crate) fn watches(&self) -> &[Watches] {
        &self.watches
    }

    /// The scope of the propagator that failed last, each variable once, and its condition if that is none of
    /// them.
    pub(crate) fn failed_scope(&self) -> (&[View], Option<Atom>) {
        match self.posted.get(self.store.running as usize) {
            None => (&[], None),
            Some(_) if Some(self.store.running) == self.differences => (self.blamed_differences(), None),
            Some(posted) if posted.repeats => (&posted.variables, None),
            Some(posted) => (&posted.scope, posted.condition),
        }
    }

    /// Empties the queue, the lists of changes and the dirty list, after a failure.
    pub(crate) fn clear_queue(&mut self) {
        while let Some((id, _)) = self.queue.pop() {
            let posted = &mut self.posted[id as usize];
            posted.lanes = 0;
            posted.changed.clear();
        }
        for x in self.store.dirty.variables() {
            self.store.variables[x.index()].dirty = Events::NONE;
        }
        self.store.dirty.clear();
        if let Some(posted) = self.posted.get_mut(self.store.running as usize) {
            posted.changed.clear();
        }
    }

    /// Schedules a propagator as if it were new.
    pub(super) fn wake_fresh(&mut self, id: u32) {
        let posted = &mut self.posted[id as usize];
        posted.fresh = true;
        wake(posted, id, &mut self.queue);
    }

    /// Schedules every propagator as if it were new, so that nothing of an interrupted propagation is lost.
    pub(crate) fn wake_all(&mut self) {
        self.clear_queue();
        for (id, posted) in self.posted.iter_mut().enumerate() {
            posted.fresh = true;
            wake(posted, id as u32, &mut self.queue);
        }
    }

    /// Whether the stop flag is up or the time is over.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(|d| Instant::now() >= d)
    }
}
