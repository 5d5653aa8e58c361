//! The difference network: all constraints `x + distance ≤ y` of two variables as arcs of one graph, in force
//! always or where a condition is true.
//!
//! Bounds consistency, by one propagator for all arcs: from the variables that changed, smallest values travel along
//! the arcs in force, and largest values against them. A *potential* ([`potential`]) that respects the arcs in
//! force orders both journeys as in Dijkstra's algorithm, so that each variable is looked at once, however long the
//! chains (only holes that a bound slides over can bring it back). An arc that comes into force repairs the potential,
//! which fails exactly if it closes a cycle of positive length (Cotton, Maler 2006: fast and flexible difference
//! constraint propagation for DPLL(T)); no bound has to creep up to that. An open condition becomes false where its arc
//! cannot hold: by the bounds, or because the arc back is in force.
//!
//! Cost of a call: `O(m log n)` for the `m` arcs at the `n` variables that changed.
//!
//! Explanation of a bound: the bound of the other variable that suffices, and the condition of the arc; of a
//! cycle: the conditions of its arcs. A failure is put down to the variables of the one arc, or of the cycle.

mod potential;
mod propagate;
#[cfg(test)]
mod tests;

use std::any::Any;

use super::events::Events;
use super::kernel::Engine;
use super::queue::Priority;
use super::reason::Atom;
use super::trail::Slot;
use super::view::{MAX_VALUE, VarId, View};
use super::watch::{Watch, wake};

use potential::Potential;
use propagate::Waiting;

/// So many arcs at most, so that three nodes for each have numbers with room for the bits of [`kind`].
const MOST: usize = 1 << 28;
/// No number of a variable.
const NONE: u32 = u32::MAX;

/// What is known of an arc: *trailed*.
mod state {
    /// Its condition is not true, or it is not looked at yet.
    pub(super) const OPEN: u64 = 0;
    /// It holds, and the potential respects it.
    pub(super) const IN_FORCE: u64 = 1;
    /// Its condition is false.
    pub(super) const VOID: u64 = 2;
}

/// What a variable's watch tells, and what a reason explains: the low bits of its number.
mod kind {
    /// A smallest value.
    pub(super) const LOW: u32 = 0;
    /// A largest value.
    pub(super) const HIGH: u32 = 1;
    /// A condition.
    pub(super) const CONDITION: u32 = 2;
    pub(super) const BITS: u32 = 2;
    pub(super) const MASK: u32 = 3;
}

/// `from + distance ≤ to`, for two nodes.
#[derive(Clone, Copy, Debug)]
struct Arc {
    from: u32,
    to: u32,
    distance: i64,
    condition: Option<Atom>,
    state: Slot,
}

/// An arc as it is seen from one of its ends.
#[derive(Clone, Copy, Debug)]
struct Edge {
    arc: u32,
    /// The other end, and its variable.
    node: u32,
    var: VarId,
    state: Slot,
    distance: i64,
}

/// A variable of an arc, or of a condition.
#[derive(Debug)]
struct Node {
    var: VarId,
    out: Vec<Edge>,
    into: Vec<Edge>,
    /// Arcs with a condition on the variable.
    conditions: Vec<u32>,
}

/// The propagator of all arcs.
#[derive(Debug, Default)]
pub(super) struct Differences {
    arcs: Vec<Arc>,
    nodes: Vec<Node>,
    /// For each variable, its node.
    numbers: Vec<u32>,
    potential: Potential,
    /// Arcs before this number were looked at since they were added.
    looked_at: usize,
    /// Scratch: nodes with a greater smallest value, with a smaller largest value, and whose conditions may be decided.
    raised: Waiting,
    lowered: Waiting,
    decided: Vec<u32>,
    /// Scratch: arcs that come into force.
    starting: Vec<u32>,
    /// The variables of the last failure, each once.
    blamed: Vec<View>,
}

/// How much there is of a network: nodes and arcs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    nodes: usize,
    arcs: usize,
}

impl Engine {
    /// Keeps `from + distance ≤ to` for two variables, where the condition is true; `false` if the distance is
    /// too large for the network, or the network is full.
    pub(super) fn add_difference(
        &mut self,
        from: VarId,
        distance: i128,
        to: VarId,
        condition: Option<Atom>,
    ) -> bool {
        let Some(distance) = i64::try_from(distance).ok().filter(|d| d.unsigned_abs() <= MAX_VALUE as u64)
        else {
            return false;
        };
        if self.differences_extent().arcs >= MOST {
            return false;
        }
        let id = match self.differences {
            Some(id) => id,
            None => {
                let id = self.posted.len() as u32;
                let network = Box::new(Differences::default());
                self.add_propagator(network, Priority::Unary, std::iter::empty(), None);
                self.differences = Some(id);
                id
            }
        };
        let state = self.store.trail.alloc(state::OPEN);
        let Some(network) = self.network_mut() else { return false };
        let watches = network.add(Arc { from: from.0, to: to.0, distance, condition, state });
        for (x, index, events, is_first) in watches.into_iter().flatten() {
            if is_first {
                self.watch(x, Watch { propagator: id, index, events });
            } else {
                self.watches[x.index()].shared += 1;
            }
        }
        wake(&mut self.posted[id as usize], id, &mut self.queue);
        true
    }

    fn network_mut(&mut self) -> Option<&mut Differences> {
        let propagator: &mut dyn Any = &mut *self.posted[self.differences? as usize].propagator;
        propagator.downcast_mut()
    }

    fn network(&self) -> Option<&Differences> {
        let propagator: &dyn Any = &*self.posted[self.differences? as usize].propagator;
        propagator.downcast_ref()
    }

    pub(super) fn differences_extent(&self) -> Extent {
        self.network().map_or(Extent::default(), |network| Extent {
            nodes: network.nodes.len(),
            arcs: network.arcs.len(),
        })
    }

    /// How many arcs there are.
    pub(crate) fn difference_count(&self) -> usize {
        self.differences_extent().arcs
    }

    /// The variables of the arcs.
    pub(crate) fn difference_variables(&self) -> impl Iterator<Item = VarId> + '_ {
        let nodes = self.network().map_or(&[][..], |network| &network.nodes);
        nodes.iter().filter(|node| !node.out.is_empty() || !node.into.is_empty()).map(|node| node.var)
    }

    /// Forgets what was added since. The caller takes back the watches and cuts the trail.
    pub(super) fn truncate_differences(&mut self, extent: Extent) {
        let Some(network) = self.network_mut() else { return };
        for x in network.truncate(extent) {
            self.watches[x.index()].shared -= 1;
        }
    }

    /// The variables of the network's last failure.
    pub(super) fn blamed_differences(&self) -> &[View] {
        self.network().map_or(&[], |network| &network.blamed)
    }
}

/// The arc that a reason of the network with such data speaks of.
pub(super) fn arc_of(data: u32) -> u32 {
    data >> kind::BITS
}

/// Growing, and being cut back.
impl Differences {
    /// The node of a variable, a new one if need be.
    fn node(&mut self, x: VarId) -> u32 {
        if self.numbers.len() <= x.index() {
            self.numbers.resize(x.index() + 1, NONE);
        }
        if self.numbers[x.index()] == NONE {
            self.numbers[x.index()] = self.nodes.len() as u32;
            self.nodes.push(Node { var: x, out: Vec::new(), into: Vec::new(), conditions: Vec::new() });
            self.raised.is_waiting.push(false);
            self.lowered.is_waiting.push(false);
            self.potential.add_node();
        }
        self.numbers[x.index()]
    }

    /// Adds an arc whose ends are given as variables. Tells for its ends and its condition how to watch the
    /// variable, and whether that is not done yet.
    fn add(&mut self, mut arc: Arc) -> [Option<(VarId, u32, Events, bool)>; 3] {
        let number = self.arcs.len() as u32;
        let Arc { distance, state, condition, .. } = arc;
        let ends @ [x, y] = [VarId(arc.from), VarId(arc.to)];
        let [from, to] = ends.map(|end| self.node(end));
        (arc.from, arc.to) = (from, to);
        self.arcs.push(arc);
        let out = &mut self.nodes[from as usize].out;
        let low = (x, from << kind::BITS | kind::LOW, Events::MIN, out.is_empty());
        out.push(Edge { arc: number, node: to, var: y, state, distance });
        let into = &mut self.nodes[to as usize].into;
        let high = (y, to << kind::BITS | kind::HIGH, Events::MAX, into.is_empty());
        into.push(Edge { arc: number, node: from, var: x, state, distance });
        let truth = condition.map(|atom| {
            let node = self.node(atom.var());
            let conditions = &mut self.nodes[node as usize].conditions;
            conditions.push(number);
            (atom.var(), node << kind::BITS | kind::CONDITION, Events::ANY, conditions.len() == 1)
        });
        [Some(low), Some(high), truth]
    }

    /// Forgets what was added since. Tells the variables that fewer arcs share a watch of.
    fn truncate(&mut self, extent: Extent) -> Vec<VarId> {
        let mut shared = Vec::new();
        while self.arcs.len() > extent.arcs {
            let Some(arc) = self.arcs.pop() else { break };
            let (from, to) = (&mut self.nodes[arc.from as usize], arc.to as usize);
            from.out.pop();
            shared.extend((!from.out.is_empty()).then_some(from.var));
            let to = &mut self.nodes[to];
            to.into.pop();
            shared.extend((!to.into.is_empty()).then_some(to.var));
            if let Some(atom) = arc.condition {
                let of = &mut self.nodes[self.numbers[atom.var().index()] as usize];
                of.conditions.pop();
                shared.extend((!of.conditions.is_empty()).then_some(of.var));
            }
        }
        for node in self.nodes.drain(extent.nodes..) {
            self.numbers[node.var.index()] = NONE;
        }
        self.raised.is_waiting.truncate(extent.nodes);
        self.lowered.is_waiting.truncate(extent.nodes);
        self.potential.truncate(extent.nodes);
        self.looked_at = self.looked_at.min(extent.arcs);
        shared
    }
}
