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
    /// Clauses learnt from failures; see [`Mode`](crate::Mode).
    pub learnt: u64,
    /// Clauses forgotten again, since there were too many.
    pub forgotten: u64,
    /// Atoms left out of clauses because the others imply them.
    pub minimised: u64,
    /// How often a failure undid more than one decision.
    pub jumped: u64,
    /// Wall-clock time.
    pub time: Duration,
}

impl Statistics {
    /// Takes in what another search did that searched a part of the same tree, `depth` decisions down.
    pub(crate) fn add_part(&mut self, part: &Statistics, depth: u64) {
        self.nodes += part.nodes;
        self.failures += part.failures;
        self.propagations += part.propagations;
        self.solutions += part.solutions;
        self.max_depth = self.max_depth.max(depth + part.max_depth);
        self.restarts += part.restarts;
        self.learnt += part.learnt;
        self.forgotten += part.forgotten;
        self.minimised += part.minimised;
        self.jumped += part.jumped;
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Statistics {
            nodes,
            failures,
            propagations,
            solutions,
            max_depth,
            restarts,
            learnt,
            forgotten,
            minimised: _,
            jumped,
            time,
        } = self;
        write!(
            f,
            "{solutions} solutions, {nodes} nodes, {failures} failures, {propagations} propagations, "
        )?;
        write!(f, "depth {max_depth}, ")?;
        if *restarts > 0 {
            write!(f, "{restarts} restarts, ")?;
        }
        if *learnt > 0 {
            write!(f, "{learnt} learnt, {jumped} jumps, ")?;
        }
        if *forgotten > 0 {
            write!(f, "{forgotten} forgotten, ")?;
        }
        write!(f, "{:.3} s", time.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restarts_are_told_where_there_were_any() {
        let mut statistics = Statistics { nodes: 7, failures: 3, max_depth: 2, ..Statistics::default() };
        let without = "0 solutions, 7 nodes, 3 failures, 0 propagations, depth 2, 0.000 s";
        assert_eq!(statistics.to_string(), without);
        statistics.restarts = 5;
        assert_eq!(statistics.to_string(), without.replace("0.000", "5 restarts, 0.000"));
    }
}
