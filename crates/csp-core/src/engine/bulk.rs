//! Removing one value from many views at once, the heart of all-different.
//!
//! Where all domains are held in one word and all scales are ±1 (the common case), a view becomes a
//! shift, worked out once when the constraint is posted. A removal then makes two passes over up to 64
//! views: the first, without branches, collects which of them have the value and whether one of them
//! has nothing else; the second visits only those that change. Other forms go through the ordinary
//! removal one by one.

use super::propagator::Context;
use super::reason::Why;
use super::store::{Pruned, Store};
use super::trail::Slot;
use super::view::{VarId, View};

/// A view prepared for bulk removal. Value `u` of the view is bit `sign · u + add` of the word.
#[derive(Clone, Copy, Debug)]
struct Target {
    slot: Slot,
    var: VarId,
    add: i64,
    sign: i32,
    index: u32,
}

impl Target {
    /// The value's bit, or none if the word has no such bit.
    #[inline]
    fn bit(&self, value: i64) -> u64 {
        let bit = (i64::from(self.sign) * value).wrapping_add(self.add) as u64;
        if bit < 64 { 1 << bit } else { 0 }
    }
}

/// A list of views prepared for bulk removal, as a sparse set: the order may be changed at any time
/// (it is *advice*), so a trailed length tells the views that are done with from the rest.
#[derive(Debug)]
pub struct Targets {
    targets: Vec<Target>,
    /// Place of each view, by its index at making.
    place: Vec<u32>,
    views: Vec<View>,
    /// All domains are words and all scales ±1.
    uniform: bool,
}

impl Targets {
    pub(crate) fn new(store: &Store, views: Vec<View>) -> Targets {
        let uniform = views.iter().all(|v| v.scale.abs() == 1 && store.word(v.var).is_some());
        let targets = views
            .iter()
            .zip(0..)
            .map(|(v, index)| {
                let base = store.word(v.var).map_or(0, |(_, base)| base);
                let sign = if v.scale < 0 { -1 } else { 1 };
                // x = sign · (u − offset), and the bit is x − base.
                let add = (-i64::from(sign) * v.offset).wrapping_sub(base);
                Target { slot: store.slot_of(v.var), var: v.var, add, sign, index }
            })
            .collect();
        Targets { targets, place: (0..views.len() as u32).collect(), views, uniform }
    }

    /// How many views there are.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// A view by its index.
    pub fn view(&self, index: u32) -> View {
        self.views[index as usize]
    }

    /// The views in their original order.
    pub fn views(&self) -> &[View] {
        &self.views
    }

    /// The indices of the views from `start` on, in their present order.
    pub fn rest(&self, start: usize) -> impl Iterator<Item = u32> + '_ {
        self.targets[start..].iter().map(|t| t.index)
    }

    /// Moves a view to place `start` if it stands there or later, and says whether it did.
    #[inline]
    pub fn move_to(&mut self, index: u32, start: usize) -> bool {
        let place = self.place[index as usize] as usize;
        if place < start {
            return false;
        }
        let other = self.targets[start].index;
        self.targets.swap(place, start);
        self.place[index as usize] = start as u32;
        self.place[other as usize] = place as u32;
        true
    }
}

impl Context<'_> {
    /// Removes `value` from each view of `targets` from place `start` on, and appends the indices of
    /// those that it leaves with one value to `fixed`.
    ///
    /// # Errors
    /// If one of them has no other value.
    #[inline]
    pub fn remove_from_each(
        &mut self,
        targets: &Targets,
        start: usize,
        value: i64,
        why: impl Why + Copy,
        fixed: &mut Vec<u32>,
    ) -> Pruned {
        if targets.uniform && self.store.hooks == 0 {
            for chunk in targets.targets[start..].chunks(64) {
                self.remove_from_words(chunk, value, why, fixed)?;
            }
            return Ok(());
        }
        for target in &targets.targets[start..] {
            let view = targets.views[target.index as usize];
            if self.store.contains(view, value) {
                self.store.remove(view, value, why)?;
                if self.store.is_fixed(view) {
                    fixed.push(target.index);
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn remove_from_words(
        &mut self,
        chunk: &[Target],
        value: i64,
        why: impl Why,
        fixed: &mut Vec<u32>,
    ) -> Pruned {
        let (mut hits, mut emptied) = (0u64, false);
        for (i, target) in chunk.iter().enumerate() {
            let word = self.store.trail.get(target.slot);
            let bit = target.bit(value);
            hits |= u64::from(word & bit != 0) << i;
            emptied |= word == bit;
        }
        if emptied {
            return Err(self.store.fail(None, why));
        }
        while hits != 0 {
            let target = &chunk[hits.trailing_zeros() as usize];
            hits &= hits - 1;
            if self.store.remove_bit(target.var, target.slot, target.bit(value)) {
                fixed.push(target.index);
            }
        }
        Ok(())
    }
}
