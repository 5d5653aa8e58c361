//! How bounds travel through the network, arcs come into force, and conditions become false.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Arc, Differences, Edge, Node, kind, state};
use crate::engine::log::History;
use crate::engine::propagator::{Context, Propagator, Status};
use crate::engine::reason::{Atom, Explanation, Lazy, Why};
use crate::engine::store::{Conflict, Pruned, Store};
use crate::engine::view::View;

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

/// A reason that speaks of an arc.
fn lazy(arc: u32, kind: u32) -> Lazy {
    Lazy(arc << kind::BITS | kind)
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

    fn exclude(&mut self, ctx: &mut Context<'_>, number: u32, condition: Atom, why: impl Why) -> Pruned {
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

/// Nodes to be looked at, those that nothing else in the queue can change first.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// The first one stands apart: mostly there is no other.
    first: Option<(i128, u32)>,
    heap: BinaryHeap<Reverse<(i128, u32)>>,
    pub(super) is_waiting: Vec<bool>,
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
