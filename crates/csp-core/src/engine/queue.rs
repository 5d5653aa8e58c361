//! The queue of propagators that have something to do.

use std::collections::VecDeque;

/// How dear a call is; cheap ones run first. Within one priority: first in, first out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Priority {
    /// One or two variables, constant time.
    Unary = 0,
    /// Time linear in the scope, or in what changed.
    Linear = 1,
    /// Sorting, or a small polynomial.
    Quadratic = 2,
    /// Matchings, flows and the like.
    Dear = 3,
}

impl Priority {
    pub(crate) const ALL: [Priority; 4] =
        [Priority::Unary, Priority::Linear, Priority::Quadratic, Priority::Dear];
}

/// A few first-in-first-out lanes. A propagator stands at most once in each lane; the caller keeps
/// the mask of lanes per propagator.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    lanes: [VecDeque<u32>; 4],
    /// Bit `p` is set if lane `p` is not empty.
    busy: u8,
}

impl Queue {
    #[inline]
    pub(crate) fn push(&mut self, propagator: u32, priority: Priority) {
        self.lanes[priority as usize].push_back(propagator);
        self.busy |= 1 << priority as u8;
    }

    /// The next propagator of the cheapest busy lane.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u32, Priority)> {
        if self.busy == 0 {
            return None;
        }
        let lane = self.busy.trailing_zeros() as usize;
        let fifo = &mut self.lanes[lane];
        let propagator = fifo.pop_front()?;
        if fifo.is_empty() {
            self.busy &= !(1 << lane);
        }
        Some((propagator, Priority::ALL[lane]))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.busy == 0
    }
}
