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
#[cfg(test)]
mod tests;

use std::any::Any;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::events::Events;
use super::kernel::Engine;
use super::log::History;
use super::propagator::{Context, Propagator, Status};
use super::queue::Priority;
use super::reason::{Atom, Explanation, Lazy};
use super::store::{Conflict, Pruned, Store};
use super::trail::Slot;
use super::view::{MAX_VALUE, VarId, View};
use super::watch::{Watch, wake};

use potential::Potential;

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

/// Nodes to be looked at, those that nothing else in the queue can change first.
#[derive(Debug, Default)]
struct Waiting {
    /// The first one stands apart: mostly there is no other.
    first: Option<(i128, u32)>,
    heap: BinaryHeap<Reverse<(i128, u32)>>,
    is_waiting: Vec<bool>,
}

impl Waiting {
    #[inline]
    fn push(&mut self, node: u32, key: i128) {
        self.is_waiting[node as usize] = true;
        match &mut self.first {
            None => self.first = Some((key, node)),
            Some(first) => {
                let later = if key < first.0 { std::mem::replace(first, (key, node)) } else { (key, node) };
                self.heap.push(Reverse(later));
            }
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        while let Some((_, node)) = self.first {
            self.first = if self.heap.is_empty() { None } else { self.heap.pop().map(|Reverse(next)| next) };
            // One that was put in twice was looked at when it came out first.
            if std::mem::replace(&mut self.is_waiting[node as usize], false) {
                return Some(node);
            }
        }
        None
    }

    fn clear(&mut self) {
        while self.pop().is_some() {}
    }
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

/// Propagation.
impl Differences {
    /// Brings everything to the fixpoint.
    fn run(&mut self, ctx: &mut Context<'_>) -> Pruned {
        loop {
            while let Some(node) = self.decided.pop() {
                for i in 0..self.nodes[node as usize].conditions.len() {
                    self.look_at(ctx, self.nodes[node as usize].conditions[i])?;
                }
            }
            if !self.starting.is_empty() {
                self.start(ctx)?;
            } else if let Some(node) = self.raised.pop() {
                self.raise_along(ctx, node)?;
            } else if let Some(node) = self.lowered.pop() {
                self.lower_along(ctx, node)?;
            } else {
                return Ok(());
            }
        }
    }

    /// Looks whether an open arc comes into force, or never will.
    fn look_at(&mut self, ctx: &mut Context<'_>, number: u32) -> Pruned {
        let Arc { from, to, distance, condition, state } = self.arcs[number as usize];
        if ctx.store.trail.get(state) != state::OPEN {
            return Ok(());
        }
        match condition.map_or(Some(true), |atom| ctx.truth(atom)) {
            Some(true) => self.starting.push(number),
            Some(false) => ctx.set(state, state::VOID),
            None => {
                let low = ctx.var_min(self.nodes[from as usize].var);
                if low + distance > ctx.var_max(self.nodes[to as usize].var) {
                    self.refute(ctx, number)?;
                }
            }
        }
        Ok(())
    }

    /// Puts arcs into force.
    fn start(&mut self, ctx: &mut Context<'_>) -> Pruned {
        let mut starting = std::mem::take(&mut self.starting);
        self.potential.sort(&mut starting, &self.arcs, &self.nodes, ctx.store);
        let result = starting.iter().try_for_each(|&number| self.start_one(ctx, number));
        starting.clear();
        self.starting = starting;
        result
    }

    fn start_one(&mut self, ctx: &mut Context<'_>, number: u32) -> Pruned {
        let Arc { from, to, distance, state, .. } = self.arcs[number as usize];
        if ctx.store.trail.get(state) == state::IN_FORCE {
            return Ok(());
        }
        if let Err(cycle) = self.potential.insert(number, &self.arcs, &self.nodes, ctx.store) {
            self.blame(&cycle);
            let arcs = &self.arcs;
            return Err(ctx.fail(|out: &mut Explanation| {
                cycle.iter().for_each(|&arc| out.extend(arcs[arc as usize].condition));
            }));
        }
        ctx.set(state, state::IN_FORCE);
        let [x, y] = [from, to].map(|node| self.nodes[node as usize].var);
        let (low, high) = (ctx.var_min(x), ctx.var_max(y));
        self.raise(ctx, Edge { arc: number, node: to, var: y, state, distance }, low)?;
        self.lower(ctx, Edge { arc: number, node: from, var: x, state, distance }, high)?;
        // The opposite would close a cycle.
        for i in 0..self.nodes[to as usize].out.len() {
            let back = self.nodes[to as usize].out[i];
            if back.node == from
                && i128::from(distance) + i128::from(back.distance) > 0
                && ctx.store.trail.get(back.state) == state::OPEN
                && let Some(condition) = self.arcs[back.arc as usize].condition
            {
                let why = self.arcs[number as usize].condition;
                self.exclude(ctx, back.arc, condition, |out: &mut Explanation| out.extend(why))?;
            }
        }
        Ok(())
    }

    /// Sends the smallest value of a node along its arcs.
    fn raise_along(&mut self, ctx: &mut Context<'_>, node: u32) -> Pruned {
        let low = ctx.var_min(self.nodes[node as usize].var);
        for i in 0..self.nodes[node as usize].out.len() {
            let edge = self.nodes[node as usize].out[i];
            match ctx.store.trail.get(edge.state) {
                state::IN_FORCE => self.raise(ctx, edge, low)?,
                state::OPEN if low + edge.distance > ctx.var_max(edge.var) => self.refute(ctx, edge.arc)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Sends the largest value of a node against its arcs.
    fn lower_along(&mut self, ctx: &mut Context<'_>, node: u32) -> Pruned {
        let high = ctx.var_max(self.nodes[node as usize].var);
        for i in 0..self.nodes[node as usize].into.len() {
            let edge = self.nodes[node as usize].into[i];
            match ctx.store.trail.get(edge.state) {
                state::IN_FORCE => self.lower(ctx, edge, high)?,
                state::OPEN if high - edge.distance < ctx.var_min(edge.var) => self.refute(ctx, edge.arc)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Raises the other end of an arc in force.
    #[inline(always)]
    fn raise(&mut self, ctx: &mut Context<'_>, edge: Edge, low: i64) -> Pruned {
        let bound = low + edge.distance;
        if bound <= ctx.var_min(edge.var) {
            return Ok(());
        }
        if let Err(conflict) = ctx.store.var_set_min(edge.var, bound, lazy(edge.arc, kind::LOW)) {
            self.blame(&[edge.arc]);
            return Err(conflict);
        }
        let node = &self.nodes[edge.node as usize];
        if !node.out.is_empty() {
            self.raised.push(edge.node, self.potential.of(edge.node) - i128::from(ctx.var_min(edge.var)));
        }
        if !node.conditions.is_empty() {
            self.decided.push(edge.node);
        }
        Ok(())
    }

    /// Lowers the other end of an arc in force.
    #[inline(always)]
    fn lower(&mut self, ctx: &mut Context<'_>, edge: Edge, high: i64) -> Pruned {
        let bound = high - edge.distance;
        if bound >= ctx.var_max(edge.var) {
            return Ok(());
        }
        if let Err(conflict) = ctx.store.var_set_max(edge.var, bound, lazy(edge.arc, kind::HIGH)) {
            self.blame(&[edge.arc]);
            return Err(conflict);
        }
        let node = &self.nodes[edge.node as usize];
        if !node.into.is_empty() {
            self.lowered.push(edge.node, i128::from(ctx.var_max(edge.var)) - self.potential.of(edge.node));
        }
        if !node.conditions.is_empty() {
            self.decided.push(edge.node);
        }
        Ok(())
    }

    /// Makes the condition of an arc false that cannot hold by the bounds of its ends.
    fn refute(&mut self, ctx: &mut Context<'_>, number: u32) -> Pruned {
        let Some(condition) = self.arcs[number as usize].condition else { return Ok(()) };
        self.exclude(ctx, number, condition, lazy(number, kind::CONDITION))
    }

    fn exclude(
        &mut self,
        ctx: &mut Context<'_>,
        number: u32,
        condition: Atom,
        why: impl super::reason::Why,
    ) -> Pruned {
        if let Err(conflict) = ctx.assert(condition.negated(), why) {
            self.blame(&[number]);
            return Err(conflict);
        }
        // The network is not told of its own changes.
        self.touch(ctx, self.numbers[condition.var().index()]);
        Ok(())
    }

    /// Looks at all of a node.
    fn touch(&mut self, store: &Store, node: u32) {
        let Node { var, out, into, conditions } = &self.nodes[node as usize];
        if !conditions.is_empty() {
            self.decided.push(node);
        }
        if !out.is_empty() {
            self.raised.push(node, self.potential.of(node) - i128::from(store.var_min(*var)));
        }
        if !into.is_empty() {
            self.lowered.push(node, i128::from(store.var_max(*var)) - self.potential.of(node));
        }
    }

    /// Notes whose failure it is.
    fn blame(&mut self, arcs: &[u32]) {
        self.blamed.clear();
        for &number in arcs {
            let Arc { from, to, condition, .. } = self.arcs[number as usize];
            self.blamed.extend([from, to].map(|node| View::of(self.nodes[node as usize].var)));
            self.blamed.extend(condition.map(|atom| View::of(atom.var())));
        }
        self.blamed.sort_unstable_by_key(|x| x.var());
        self.blamed.dedup();
    }

    fn clear(&mut self) {
        self.raised.clear();
        self.lowered.clear();
        self.decided.clear();
        self.starting.clear();
    }
}

/// A reason that speaks of an arc.
fn lazy(arc: u32, kind: u32) -> Lazy {
    Lazy(arc << kind::BITS | kind)
}

impl Propagator for Differences {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let known = if ctx.is_fresh() { 0 } else { self.looked_at };
        if ctx.is_fresh() {
            (0..self.nodes.len() as u32).for_each(|node| self.touch(ctx.store, node));
        } else {
            for index in ctx.changed.iter() {
                let node = index >> kind::BITS;
                let (x, potential) = (self.nodes[node as usize].var, self.potential.of(node));
                match index & kind::MASK {
                    kind::LOW => self.raised.push(node, potential - i128::from(ctx.store.var_min(x))),
                    kind::HIGH => self.lowered.push(node, i128::from(ctx.store.var_max(x)) - potential),
                    _ => self.decided.push(node),
                }
            }
        }
        self.looked_at = self.arcs.len();
        let mut result = (known as u32..self.arcs.len() as u32).try_for_each(|arc| self.look_at(ctx, arc));
        if result.is_ok() {
            result = self.run(ctx);
        }
        if result.is_err() {
            self.clear();
        }
        result.map(|()| Status::AtFixpoint)
    }

    fn explain(&self, data: u32, atom: Atom, history: &History<'_>, out: &mut Explanation) {
        let arc = self.arcs[(data >> kind::BITS) as usize];
        let [x, y] = [arc.from, arc.to].map(|node| self.nodes[node as usize].var);
        match data & kind::MASK {
            kind::LOW => out.push(Atom::ge(x, atom.value().saturating_sub(arc.distance))),
            kind::HIGH => out.push(Atom::le(y, atom.value().saturating_add(arc.distance))),
            // Without its condition, which is what became false.
            _ => {
                let low = history.min(View::of(x));
                out.push(Atom::ge(x, low));
                out.push(Atom::le(y, low + arc.distance - 1));
                return;
            }
        }
        out.extend(arc.condition);
    }
}
