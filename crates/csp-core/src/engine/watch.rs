//! Who wants to be woken by what.

use smallvec::SmallVec;

use super::changed::Changed;
use super::events::Events;
use super::propagator::Propagator;
use super::queue::{Priority, Queue};
use super::reason::Atom;
use super::trail::Slot;
use super::view::View;

/// A subscription without an index.
pub(super) const NO_INDEX: u32 = u32::MAX;
/// A subscription to the truth of the propagator's own condition.
pub(super) const CONDITION: u32 = u32::MAX - 1;
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    pub(super) propagator: u32,
    pub(super) index: u32,
    pub(super) events: Events,
}

impl Watch {
    #[inline(always)]
    pub(super) fn serve(&self, own: u32, posted: &mut [Posted], queue: &mut Queue) {
        if self.propagator == own {
            return;
        }
        let posted = &mut posted[self.propagator as usize];
        if self.index != NO_INDEX {
            if self.index == CONDITION { posted.fresh = true } else { posted.changed.push(self.index) }
        }
        wake(posted, self.propagator, queue);
    }
}

/// The watches of one variable. Those that want to know of nothing but its fixing stand apart: most
/// changes do not fix, and then they need not be looked at.
#[derive(Debug, Default)]
pub(crate) struct Watches {
    pub(super) of_fixing: SmallVec<[Watch; 4]>,
    pub(super) of_more: SmallVec<[Watch; 2]>,
    /// Arcs of the difference network beyond the first that share one of its watches.
    pub(super) shared: usize,
}

impl Watches {
    pub(super) fn push(&mut self, watch: Watch) {
        if watch.events == Events::FIXED { self.of_fixing.push(watch) } else { self.of_more.push(watch) }
    }

    /// Takes back the newest watch of a propagator that has this number or a higher one.
    pub(super) fn pop(&mut self, from: u32) {
        if self.of_fixing.last().is_some_and(|w| w.propagator >= from) {
            self.of_fixing.pop();
        } else {
            self.of_more.pop();
        }
    }

    /// How many there are; one that arcs share counts for each of them.
    pub(crate) fn len(&self) -> usize {
        self.of_fixing.len() + self.of_more.len() + self.shared
    }

    /// All events that are wanted.
    pub(super) fn wants(&self) -> Events {
        let fixing = if self.of_fixing.is_empty() { Events::NONE } else { Events::FIXED };
        self.of_more.iter().fold(fixing, |events, w| events.union(w.events))
    }
}

/// A propagator, and what the engine knows of it.
#[derive(Debug)]
pub(super) struct Posted {
    pub(super) propagator: Box<dyn Propagator>,
    pub(super) priority: Priority,
    /// The bit of its priority.
    pub(super) lane: u8,
    /// Bit `p` is set while it stands in lane `p` of the queue.
    pub(super) lanes: u8,
    /// A variable stands twice in its scope, so that its own changes may concern it.
    pub(super) repeats: bool,
    /// If so: the variables of scope and condition, each once.
    pub(super) variables: Box<[View]>,
    pub(super) fresh: bool,
    pub(super) condition: Option<Atom>,
    /// Trailed: 1 where it is entailed.
    pub(super) entailed: Slot,
    /// Indices of subscriptions that had an event; emptied when it runs and on failure.
    pub(super) changed: Changed,
    pub(super) scope: Box<[View]>,
}

#[inline]
pub(super) fn wake(posted: &mut Posted, id: u32, queue: &mut Queue) {
    if posted.lanes & posted.lane == 0 {
        posted.lanes |= posted.lane;
        queue.push(id, posted.priority);
    }
}
