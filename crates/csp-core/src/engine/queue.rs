//! The queue of propagators that have something to do.

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
    /// A bit of its own.
    #[inline(always)]
    pub(super) fn bit(self) -> u8 {
        1 << self as u8
    }

    pub(crate) const ALL: [Priority; 4] =
        [Priority::Unary, Priority::Linear, Priority::Quadratic, Priority::Dear];
}

/// A few first-in-first-out lanes. A propagator stands at most once in each lane; the caller keeps
/// the mask of lanes per propagator.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    lanes: [Lane; 4],
    /// Bit `p` is set if lane `p` is not empty.
    busy: u8,
}

/// What stands from `head` on is waiting. Lanes run empty all the time, so there is little to gain
/// from a ring.
#[derive(Debug, Default)]
struct Lane {
    waiting: Vec<u32>,
    head: usize,
}

impl Lane {
    /// Cuts off what was served, before the lane would grow.
    #[cold]
    fn cut(&mut self) {
        self.waiting.drain(..self.head);
        self.head = 0;
    }
}

impl Queue {
    #[inline]
    pub(crate) fn push(&mut self, propagator: u32, priority: Priority) {
        let lane = &mut self.lanes[priority as usize];
        if lane.waiting.len() == lane.waiting.capacity() {
            lane.cut();
        }
        lane.waiting.push(propagator);
        self.busy |= priority.bit();
    }

    /// The next propagator of the cheapest busy lane.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u32, Priority)> {
        if self.busy == 0 {
            return None;
        }
        let priority = Priority::ALL[self.busy.trailing_zeros() as usize & 3];
        let lane = &mut self.lanes[priority as usize];
        let propagator = *lane.waiting.get(lane.head)?;
        lane.head += 1;
        if lane.head == lane.waiting.len() {
            lane.waiting.clear();
            lane.head = 0;
            self.busy &= self.busy - 1;
        }
        Some((propagator, priority))
    }

    /// Makes room for so many propagators at once: twice as much, so that a lane is cut seldom.
    pub(crate) fn reserve(&mut self, propagators: usize) {
        for lane in &mut self.lanes {
            lane.waiting.reserve(2 * propagators);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.busy == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cheap_lanes_come_first_and_each_is_first_in_first_out() {
        let mut queue = Queue::default();
        queue.push(1, Priority::Dear);
        queue.push(2, Priority::Linear);
        queue.push(3, Priority::Linear);
        queue.push(4, Priority::Unary);
        let order: Vec<u32> = std::iter::from_fn(|| queue.pop()).map(|(p, _)| p).collect();
        assert_eq!(order, [4, 2, 3, 1]);
        assert!(queue.is_empty());
    }

    #[test]
    fn a_lane_that_never_runs_empty_stays_small() {
        let mut queue = Queue::default();
        queue.push(0, Priority::Linear);
        for i in 1..100_000 {
            queue.push(i, Priority::Linear);
            assert_eq!(queue.pop(), Some((i - 1, Priority::Linear)));
        }
        assert!(queue.lanes[Priority::Linear as usize].waiting.capacity() <= 16);
    }
}
