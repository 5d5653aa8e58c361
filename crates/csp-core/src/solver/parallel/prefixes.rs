//! Cutting a search tree into parts that can be searched each by itself.
//!
//! A part is a node of the tree, given by its *prefix*: the decisions on the way to it, made true or false. Beginning
//! with the root, the part that seems largest is cut in two by the next decision of the search, until there are as
//! many as wanted (embarrassingly parallel search: Régin, Rezgui, Malapert, 2013). They go down to a common depth; here
//! the size of a part is taken to be the product of the domain sizes that are left in it, since the trees are binary:
//! one goes to the right as often as a variable has values, and at a depth that were enough on the left, most of the
//! tree would be in the part at the right.
//!
//! Each node is looked at by a search of the solver's own that is limited to one node, so that parts are made of just
//! the decisions that a search would make. Cost: two propagations of a prefix for each part.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::time::Instant;

use crate::engine::Atom;
use crate::observe::Statistics;
use crate::search::{Limits, Outcome, Stop};
use crate::solver::{Solver, Task};

/// So many nodes are looked at for each part that is wanted: where most fail, or are solutions, there is little to
/// cut, and the rest is for the workers.
const NODES_PER_PART: usize = 8;

/// The decisions on the way to a node.
#[derive(Clone, Debug, Default)]
pub(super) struct Prefix {
    /// What was made true.
    pub(super) atoms: Vec<Atom>,
    /// How many of them are negations of decisions.
    pub(super) refuted: u64,
}

impl Prefix {
    fn decided(&self, decision: Atom) -> Prefix {
        Prefix { atoms: self.with(decision), refuted: self.refuted }
    }

    fn refuted(&self, decision: Atom) -> Prefix {
        Prefix { atoms: self.with(decision.negated()), refuted: self.refuted + 1 }
    }

    fn with(&self, atom: Atom) -> Vec<Atom> {
        self.atoms.iter().copied().chain([atom]).collect()
    }

    /// How many decisions are in force.
    pub(super) fn depth(&self) -> u64 {
        self.atoms.len() as u64 - self.refuted
    }
}

/// The parts of a tree.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// The largest first.
    pub(super) prefixes: Vec<Prefix>,
    /// The nodes above them, and those beside them that failed.
    pub(super) above: Statistics,
    /// There were more parts, beyond the limit of discrepancies.
    pub(super) is_cut: bool,
}

/// A product of numbers, to compare with others: `mantissa · 2^(64 · exponent)`. Rounding alone decides between
/// those nearly alike, the same everywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Volume {
    exponent: u64,
    mantissa: f64,
}

impl Volume {
    fn of(sizes: impl Iterator<Item = u64>) -> Volume {
        const WORD: f64 = (1u128 << 64) as f64;
        let mut volume = Volume { exponent: 0, mantissa: 1.0 };
        for size in sizes {
            volume.mantissa *= size as f64;
            if volume.mantissa >= WORD {
                volume.mantissa /= WORD;
                volume.exponent += 1;
            }
        }
        volume
    }
}

/// A node that neither failed nor was cut yet.
#[derive(Debug)]
struct Node {
    volume: Volume,
    /// Of parts equally large the first one made is first.
    number: Reverse<usize>,
    prefix: Prefix,
    /// By what it can be cut: nothing where it is a solution, or but completes one.
    decision: Option<Atom>,
}

impl Ord for Node {
    fn cmp(&self, other: &Node) -> Ordering {
        let by_size = self.volume.exponent.cmp(&other.volume.exponent);
        let by_size = by_size.then(self.volume.mantissa.total_cmp(&other.volume.mantissa));
        // What cannot be cut comes last, so that all is cut when it is its turn.
        self.decision
            .is_some()
            .cmp(&other.decision.is_some())
            .then(by_size)
            .then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Node) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Node {}

impl Solver {
    /// Begins the search of one part.
    pub(super) fn enter(&mut self, prefix: &Prefix) {
        self.leave_search();
        self.start_clock();
        // Without a prefix the root is propagated by the search itself, as ever.
        if !prefix.atoms.is_empty() && self.propagate_root() {
            self.push_search_root();
            if !prefix.atoms.iter().all(|&atom| self.engine.decide(atom).is_ok()) {
                self.engine.set_failed();
            }
        }
        self.begin_here(Task::All);
    }

    /// Cuts the tree into about so many parts, within the limits of the whole search.
    ///
    /// # Errors
    /// Why the search ends already.
    pub(super) fn cut(
        &mut self,
        parts: usize,
        limits: Limits,
        deadline: Option<Instant>,
    ) -> Result<Parts, (Stop, Statistics)> {
        let mut above = Statistics::default();
        let mut is_cut = false;
        let mut heap = BinaryHeap::new();
        let mut fresh = vec![Prefix::default()];
        let mut looked = 0;
        loop {
            for prefix in fresh.drain(..) {
                looked += 1;
                self.limits =
                    Limits { nodes: Some(1), memory: limits.memory, ..Limits::new() }.until(deadline);
                match self.look_at(prefix, looked) {
                    Ok(Some(node)) => heap.push(node),
                    Ok(None) => above.add_part(&self.driver.statistics, 0),
                    Err(stop) => return Err((stop, above)),
                }
            }
            if heap.len() >= parts || looked >= parts.saturating_mul(NODES_PER_PART) {
                break;
            }
            let Some(decision) = heap.peek().and_then(|node: &Node| node.decision) else { break };
            let Some(node) = heap.pop() else { break };
            above.nodes += 1;
            above.max_depth = above.max_depth.max(node.prefix.depth() + 1);
            if let Some(stop) = limits.exceeded(&above) {
                return Err((stop, above));
            }
            fresh.push(node.prefix.decided(decision));
            if limits.discrepancies.is_some_and(|most| node.prefix.refuted >= most) {
                is_cut = true;
            } else {
                fresh.push(node.prefix.refuted(decision));
            }
        }
        let prefixes = heap.into_sorted_vec().into_iter().rev().map(|node| node.prefix).collect();
        Ok(Parts { prefixes, above, is_cut })
    }

    /// Searches one node: none is left if it failed.
    fn look_at(&mut self, prefix: Prefix, number: usize) -> Result<Option<Node>, Stop> {
        self.enter(&prefix);
        let decision = match self.advance(false) {
            Some(Outcome::Stopped(Stop::Nodes)) => self.driver.first_decision(),
            Some(Outcome::Stopped(why)) => return Err(why),
            Some(_) => return Ok(None),
            None => None,
        };
        self.engine.undo_search();
        let store = &self.engine.store;
        let volume = Volume::of(self.guide.shown(&self.map).map(|x| store.size(x)));
        Ok(Some(Node { volume, number: Reverse(number), prefix, decision }))
    }
}
