//! The form for anything else, by lists of edges.

use std::collections::BTreeMap;

use super::super::hall::HallSet;
use super::super::value::ByValue;
use super::blocks::Blocks;
use super::lists::{LOOSE, Lists};
use crate::engine::{
    Atom, Conflict, Context, Explanation, History, Poster, Priority, Propagator, Reason, Status, Store, View,
};

/// Spans up to this number their values by difference.
const DENSE_SPAN: u64 = 1 << 16;

/// Room is made for so many edges beforehand.
const MOST_EDGES: u64 = 1 << 16;

/// How values get their numbers.
#[derive(Debug)]
enum Numbers {
    /// By the difference to this one.
    From(i64, usize),
    /// Scratch: by their place in a sorted list of those that matter in one call.
    Sorted(Vec<i64>),
}

impl Numbers {
    fn len(&self) -> usize {
        match self {
            Numbers::From(_, len) => *len,
            Numbers::Sorted(values) => values.len(),
        }
    }

    fn number(&self, value: i64) -> u32 {
        match self {
            Numbers::From(low, _) => value.abs_diff(*low) as u32,
            Numbers::Sorted(values) => values.partition_point(|&v| v < value) as u32,
        }
    }

    fn value(&self, number: u32) -> i64 {
        match self {
            Numbers::From(low, _) => low + i64::from(number),
            Numbers::Sorted(values) => values[number as usize],
        }
    }
}

/// Views in any form with any values.
///
/// After each call, views of different components share no value. So the components form a partition
/// of the views that is only ever refined, and a change concerns its own block only.
#[derive(Debug)]
pub(super) struct InGraph {
    value: ByValue,
    numbers: Numbers,
    blocks: Blocks,
    /// Advice: the value each view was matched with last.
    mate: Vec<i64>,
    /// Advice: views that changed since the last dear stage, and perhaps others.
    pending: Vec<u32>,
    is_pending: Vec<bool>,
    lists: Lists,
    hall: HallSet,
    /// Scratch: blocks in which something changed.
    affected: Vec<(u32, u32)>,
    /// Scratch: the views of a block with fewer values than it has views, and the others.
    small: Vec<u32>,
    big: Vec<u32>,
    /// Scratch: component and number of a value that is to be removed from a view.
    removals: Vec<(u32, u32, u32)>,
}

impl InGraph {
    /// For views with values from `low` to `high`.
    pub(super) fn new(poster: &mut Poster<'_>, views: &[View], low: i64, high: i64) -> InGraph {
        let span = high.abs_diff(low);
        let numbers = if span < DENSE_SPAN {
            Numbers::From(low, span as usize + 1)
        } else {
            Numbers::Sorted(Vec::new())
        };
        let edges: u64 = views.iter().map(|&x| poster.store().size(x).min(views.len() as u64)).sum();
        InGraph {
            value: ByValue::new(poster, views.to_vec()),
            lists: Lists::new(views.len(), numbers.len(), edges.min(MOST_EDGES) as usize),
            numbers,
            blocks: Blocks::new(poster, views.len()),
            mate: vec![low; views.len()],
            pending: Vec::with_capacity(views.len()),
            is_pending: vec![false; views.len()],
            hall: HallSet::default(),
            affected: Vec::with_capacity(views.len()),
            small: Vec::with_capacity(views.len()),
            big: Vec::with_capacity(views.len()),
            removals: Vec::new(),
        }
    }

    fn note_changes(&mut self, ctx: &Context<'_>) {
        if ctx.is_fresh() {
            for i in 0..self.mate.len() as u32 {
                self.note(i);
            }
        } else {
            for i in ctx.changed().iter() {
                self.note(i);
            }
        }
    }

    fn note(&mut self, i: u32) {
        if !std::mem::replace(&mut self.is_pending[i as usize], true) {
            self.pending.push(i);
        }
    }

    /// Makes the blocks consistent in which something changed.
    fn filter(&mut self, ctx: &mut Context<'_>) -> Result<(), Conflict> {
        self.affected.clear();
        for i in self.pending.drain(..) {
            self.is_pending[i as usize] = false;
            self.affected.push(self.blocks.block(ctx, i));
        }
        self.affected.sort_unstable();
        self.affected.dedup();
        for k in 0..self.affected.len() {
            let block = self.set_fixed_aside(ctx, self.affected[k]);
            self.read(ctx, block);
            if self.small.is_empty() {
                continue;
            }
            self.match_all(ctx)?;
            self.prune(ctx)?;
            self.refine(ctx, block);
        }
        Ok(())
    }

    /// Makes each fixed view a block of its own: others have lost its value. Returns the others.
    fn set_fixed_aside(&mut self, ctx: &mut Context<'_>, (start, end): (u32, u32)) -> (u32, u32) {
        let mut open = start;
        for place in start..end {
            let i = self.blocks.members((place, place + 1))[0];
            if ctx.is_fixed(self.value.view(i)) {
                self.blocks.put(i, open);
                open += 1;
                if open < end {
                    self.blocks.start_at(ctx, open);
                }
            }
        }
        (open, end)
    }

    /// Fills the lists. A view that has as many values as there are views cannot be part of a Hall set that
    /// takes something from another, and in the end there is always a value left for it.
    fn read(&mut self, store: &Store, block: (u32, u32)) {
        let views = u64::from(block.1 - block.0);
        self.small.clear();
        self.big.clear();
        for &i in self.blocks.members(block) {
            let is_small = store.size(self.value.view(i)) < views;
            if is_small { &mut self.small } else { &mut self.big }.push(i);
        }
        if let Numbers::Sorted(values) = &mut self.numbers {
            values.clear();
            values.extend(self.small.iter().flat_map(|&i| store.values(self.value.view(i))));
            values.sort_unstable();
            values.dedup();
        }
        self.lists.clear(self.numbers.len());
        for &i in &self.small {
            let (x, mate) = (self.value.view(i), self.mate[i as usize]);
            let mate = store.contains(x, mate).then(|| self.numbers.number(mate));
            self.lists.add(store.values(x).map(|v| self.numbers.number(v)), mate);
        }
    }

    fn match_all(&mut self, ctx: &mut Context<'_>) -> Result<(), Conflict> {
        if self.lists.run().is_err() {
            if ctx.explains() {
                self.describe_group(ctx);
            }
            return Err(ctx.fail(self.hall.reason()));
        }
        for (&i, k) in self.small.iter().zip(0..) {
            self.mate[i as usize] = self.numbers.value(self.lists.mate(k));
        }
        Ok(())
    }

    fn describe_group(&mut self, store: &Store) {
        let (views, values) = self.lists.group();
        let views = views.iter().map(|&k| self.value.view(self.small[k as usize]));
        self.hall.describe(store, views, values.iter().map(|&number| self.numbers.value(number)));
    }

    /// Removes what leads from one component into another that is not loose.
    fn prune(&mut self, ctx: &mut Context<'_>) -> Result<(), Conflict> {
        self.removals.clear();
        let tight = self.lists.complete().iter().copied().filter(|&k| self.lists.part(k) != LOOSE);
        for (&i, k) in self.small.iter().zip(0..) {
            let own = self.lists.part(k);
            let row = self.lists.row(k).iter();
            let gone = row.filter_map(|&v| Some((self.lists.part_of_value(v)?, v)).filter(|t| t.0 != own));
            self.removals.extend(gone.map(|(part, v)| (part, v, i)));
        }
        for k in tight {
            let (part, number) = (self.lists.part(k), self.lists.mate(k));
            let value = self.numbers.value(number);
            let losers = self.big.iter().filter(|&&i| ctx.contains(self.value.view(i), value));
            self.removals.extend(losers.map(|&i| (part, number, i)));
        }
        if !ctx.explains() {
            for &(_, number, i) in &self.removals {
                ctx.remove(self.value.view(i), self.numbers.value(number), self.hall.reason())?;
            }
            return Ok(());
        }
        // One reason for all that a component takes, and the order as above.
        let removals = std::mem::take(&mut self.removals);
        let mut reasons = BTreeMap::new();
        for &(part, number, _) in &removals {
            let lowest = reasons.entry(part).or_insert(number);
            *lowest = number.min(*lowest);
        }
        let reasons: BTreeMap<u32, Reason> = reasons
            .into_iter()
            .map(|(part, number)| {
                self.lists.close(number);
                self.describe_group(ctx);
                (part, ctx.reason(self.hall.reason()))
            })
            .collect();
        let mut removed = removals.iter().map(|&(part, number, i)| {
            ctx.remove(self.value.view(i), self.numbers.value(number), reasons[&part])
        });
        let result = removed.try_for_each(|removed| removed);
        self.removals = removals;
        result?;
        Ok(())
    }

    /// Makes each component a block, and one of the loose and big views.
    fn refine(&mut self, ctx: &mut Context<'_>, (start, end): (u32, u32)) {
        let mut place = start;
        let complete = self.lists.complete();
        for component in complete.chunk_by(|&j, &k| self.lists.part(j) == self.lists.part(k)) {
            if self.lists.part(component[0]) == LOOSE {
                continue;
            }
            if place > start {
                self.blocks.start_at(ctx, place);
            }
            for &k in component {
                self.blocks.put(self.small[k as usize], place);
                place += 1;
            }
            if component.len() == 1 {
                self.value.set_aside(ctx, self.small[component[0] as usize]);
            }
        }
        if start < place && place < end {
            self.blocks.start_at(ctx, place);
        }
    }
}

impl Propagator for InGraph {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let dear = ctx.priority() == Priority::Dear;
        if dear {
            self.filter(ctx)?;
        } else {
            self.note_changes(ctx);
            self.value.stage(ctx)?;
        }
        Ok(self.value.status(ctx, dear, Priority::Dear))
    }

    fn explain(&self, data: u32, atom: Atom, history: &History<'_>, out: &mut Explanation) {
        self.value.explain(data, atom, history, out);
    }
}
