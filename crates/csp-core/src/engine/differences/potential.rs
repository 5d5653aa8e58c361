//! A number for each node, at least `distance` more at the end of each arc in force than at its start.
//!
//! It is *advice*: what respects the arcs in force respects those of them that are left after an undo.

use std::collections::BinaryHeap;

use super::{Arc, Edge, Node, state};
use crate::engine::store::Store;

/// So many arcs at once are put in order first.
const MANY: usize = 32;

#[derive(Debug, Default)]
pub(super) struct Potential {
    /// More than 64 bits, since the longest path of an old branch may stand in it.
    of: Vec<i128>,
    /// Scratch, all 0: by how much nodes must rise.
    rise: Vec<i128>,
    /// Scratch: for a node that must rise, the arc that makes it.
    through: Vec<u32>,
    /// Scratch: nodes to rise, and what those that did were before.
    heap: BinaryHeap<(i128, u32)>,
    before: Vec<(u32, i128)>,
}

impl Potential {
    #[inline]
    pub(super) fn of(&self, node: u32) -> i128 {
        self.of[node as usize]
    }

    pub(super) fn add_node(&mut self) {
        self.of.push(0);
        self.rise.push(0);
        self.through.push(0);
    }

    pub(super) fn truncate(&mut self, nodes: usize) {
        self.of.truncate(nodes);
        self.rise.truncate(nodes);
        self.through.truncate(nodes);
    }

    /// Makes the potential respect one more arc.
    ///
    /// # Errors
    /// If the arc closes a positive cycle: the arcs of that. The potential then stays as it was.
    pub(super) fn insert(
        &mut self,
        number: u32,
        arcs: &[Arc],
        nodes: &[Node],
        store: &Store,
    ) -> Result<(), Vec<u32>> {
        let Arc { from, to, distance, .. } = arcs[number as usize];
        let rise = self.of(from) + i128::from(distance) - self.of(to);
        if rise <= 0 {
            return Ok(());
        }
        self.before.clear();
        self.demand(to, rise, number);
        // The node that must rise most rises by no more than that.
        while let Some((rise, node)) = self.heap.pop() {
            if rise != self.rise[node as usize] {
                continue;
            }
            self.before.push((node, self.of(node)));
            self.of[node as usize] += rise;
            self.rise[node as usize] = 0;
            let height = self.of(node);
            for &Edge { arc, node: next, state, distance, .. } in &nodes[node as usize].out {
                if store.trail.get(state) != state::IN_FORCE {
                    continue;
                }
                let rise = height + i128::from(distance) - self.of(next);
                if rise > self.rise[next as usize] {
                    if next == from {
                        return Err(self.cycle(arc, number, arcs));
                    }
                    self.demand(next, rise, arc);
                }
            }
        }
        Ok(())
    }

    fn demand(&mut self, node: u32, rise: i128, through: u32) {
        self.rise[node as usize] = rise;
        self.through[node as usize] = through;
        self.heap.push((rise, node));
    }

    /// Gives up, and collects the arcs from the new one to the last one.
    fn cycle(&mut self, last: u32, new: u32, arcs: &[Arc]) -> Vec<u32> {
        for (_, node) in self.heap.drain() {
            self.rise[node as usize] = 0;
        }
        for &(node, before) in self.before.iter().rev() {
            self.of[node as usize] = before;
        }
        let mut cycle = vec![last];
        let mut arc = last;
        while arc != new {
            arc = self.through[arcs[arc as usize].from as usize];
            cycle.push(arc);
        }
        cycle
    }

    /// Puts arcs that come into force together in an order in which a node rises before it makes others rise, as far as
    /// there are no cycles (Kahn 1962).
    pub(super) fn sort(&mut self, starting: &mut [u32], arcs: &[Arc], nodes: &[Node], store: &Store) {
        if starting.len() < MANY {
            return;
        }
        let counts = |arc: u32| {
            let Arc { state, condition, .. } = arcs[arc as usize];
            match store.trail.get(state) {
                state::OPEN => condition.is_none_or(|atom| store.truth(atom) == Some(true)),
                known => known == state::IN_FORCE,
            }
        };
        let mut missing: Vec<u32> = nodes
            .iter()
            .map(|node| node.into.iter().filter(|edge| counts(edge.arc)).count() as u32)
            .collect();
        let mut order: Vec<u32> = (0..nodes.len() as u32).filter(|&i| missing[i as usize] == 0).collect();
        let mut rank = vec![u32::MAX; nodes.len()];
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            rank[node as usize] = next as u32;
            next += 1;
            for edge in nodes[node as usize].out.iter().filter(|edge| counts(edge.arc)) {
                let missing = &mut missing[edge.node as usize];
                *missing -= 1;
                if *missing == 0 {
                    order.push(edge.node);
                }
            }
        }
        starting.sort_by_key(|&arc| rank[arcs[arc as usize].from as usize]);
    }
}
