//! Counters of one search.

use std::fmt;
use std::time::Duration;

/// What one search did. Reset when the next begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Nodes of the binary search tree, root and leaves included: each was propagated once.
    pub nodes: u64,
    /// Nodes where propagation failed.
    pub failures: u64,
    /// Calls of propagators.
    pub propagations: u64,
    /// Solutions found.
    pub solutions: u64,
    /// The most left branches (decisions) on one path.
    pub max_depth: u64,
    /// How often it began anew; see [`Restarts`](crate::Restarts).
    pub restarts: u64,
    /// Wall-clock time.
    pub time: Duration,
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} solutions, {} nodes, {} failures, {} propagations, depth {}, {:.3} s",
            self.solutions,
            self.nodes,
            self.failures,
            self.propagations,
            self.max_depth,
            self.time.as_secs_f64()
        )
    }
}
