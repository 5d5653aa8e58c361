//! How far a running search is, to be read from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// Counters of the running search, published every few hundred nodes; clones share them.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// model.ints(3, 0..=3);
/// let mut solver = model.solver()?;
/// let progress = solver.progress();
/// let watcher = std::thread::spawn(move || println!("{} nodes so far", progress.nodes()));
/// solver.count();
/// # watcher.join().unwrap();
/// # assert_eq!(solver.progress().solutions(), 64);
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Progress {
    counters: Arc<Counters>,
}

#[derive(Debug)]
struct Counters {
    nodes: AtomicU64,
    failures: AtomicU64,
    solutions: AtomicU64,
    best: AtomicI64,
    bound: AtomicI64,
}

/// Not known; no value of an objective is so small.
const UNKNOWN: i64 = i64::MIN;

impl Default for Counters {
    fn default() -> Counters {
        Counters {
            nodes: AtomicU64::new(0),
            failures: AtomicU64::new(0),
            solutions: AtomicU64::new(0),
            best: AtomicI64::new(UNKNOWN),
            bound: AtomicI64::new(UNKNOWN),
        }
    }
}

impl Progress {
    /// Nodes of the search tree, as in [`Statistics::nodes`](super::Statistics::nodes).
    pub fn nodes(&self) -> u64 {
        self.counters.nodes.load(Ordering::Relaxed)
    }

    /// Nodes where propagation failed.
    pub fn failures(&self) -> u64 {
        self.counters.failures.load(Ordering::Relaxed)
    }

    /// Solutions found.
    pub fn solutions(&self) -> u64 {
        self.counters.solutions.load(Ordering::Relaxed)
    }

    /// The value of the best solution so far, in a search for the best one.
    pub fn best(&self) -> Option<i64> {
        Some(self.counters.best.load(Ordering::Relaxed)).filter(|&best| best != UNKNOWN)
    }

    /// No solution is better than this, in a search for the best one.
    pub fn bound(&self) -> Option<i64> {
        Some(self.counters.bound.load(Ordering::Relaxed)).filter(|&bound| bound != UNKNOWN)
    }

    /// How much better than the best solution so far another one may be at most: the *gap* between best and bound.
    pub fn gap(&self) -> Option<u64> {
        Some(self.best()?.abs_diff(self.bound()?))
    }

    /// Sets the counters; for a search of your own that is to be watched in the same way.
    pub fn publish(&self, nodes: u64, failures: u64, solutions: u64) {
        let Counters { nodes: n, failures: f, solutions: s, .. } = &*self.counters;
        for (counter, value) in [(n, nodes), (f, failures), (s, solutions)] {
            counter.store(value, Ordering::Relaxed);
        }
    }

    /// Sets what is known of the objective, as [`publish`](Self::publish) does for the counters.
    pub fn publish_objective(&self, best: Option<i64>, bound: Option<i64>) {
        self.counters.best.store(best.unwrap_or(UNKNOWN), Ordering::Relaxed);
        self.counters.bound.store(bound.unwrap_or(UNKNOWN), Ordering::Relaxed);
    }
}
