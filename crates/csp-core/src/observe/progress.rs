//! How far a running search is, to be read from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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
    counters: Arc<[AtomicU64; 3]>,
}

impl Progress {
    /// Nodes of the search tree, as in [`Statistics::nodes`](super::Statistics::nodes).
    pub fn nodes(&self) -> u64 {
        self.counters[0].load(Ordering::Relaxed)
    }

    /// Nodes where propagation failed.
    pub fn failures(&self) -> u64 {
        self.counters[1].load(Ordering::Relaxed)
    }

    /// Solutions found.
    pub fn solutions(&self) -> u64 {
        self.counters[2].load(Ordering::Relaxed)
    }

    /// Sets the counters; for a search of your own that is to be watched in the same way.
    pub fn publish(&self, nodes: u64, failures: u64, solutions: u64) {
        for (counter, value) in self.counters.iter().zip([nodes, failures, solutions]) {
            counter.store(value, Ordering::Relaxed);
        }
    }
}
