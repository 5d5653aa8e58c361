//! Removing values from many views at once, the heart of all-different.
//!
//! Where all domains are held in one word and all scales are ±1 (the common case), a view becomes a
//! shift, worked out once when the constraint is posted.
//!
//! - [`Targets`], any number of views: one value goes from all of them. Two passes over up to 64 views: the
//!   first, without branches, collects which of them have the value and whether one of them has nothing
//!   else; the second visits only those that change. Domains held in several words are asked for the value
//!   and, if they have it, changed one by one; others go through the ordinary removal.
//! - A set of values goes from one view: [`Context::keep_bits`].
//! - [`Frame`], at most 64 views with all values within 64 numbers: a set of values goes from a set of views
//!   in one pass without branches.

use super::events::Events;
use super::propagator::Context;
use super::reason::{Atom, Why};
use super::store::{Conflict, Pruned, Store};
use super::trail::Slot;
use super::view::{VarId, View};

/// A view prepared for bulk removal. Value `u` of the view is bit `sign · u + add` of its domain's words.
#[derive(Clone, Copy, Debug)]
struct Target {
    slot: Slot,
    var: VarId,
    add: i64,
    sign: i32,
    index: u32,
}

impl Target {
    /// The number of the value's bit, beyond all bits for a value that was never there.
    #[inline]
    fn place(&self, value: i64) -> u64 {
        (i64::from(self.sign) * value).wrapping_add(self.add) as u64
    }

    /// The value's bit, or none if the word has no such bit.
    #[inline]
    fn bit(&self, value: i64) -> u64 {
        let place = self.place(value);
        if place < 64 { 1 << place } else { 0 }
    }
}

/// How the domains of all views of a list are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    /// In one word each, with scales ±1.
    Word,
    /// In several words each, with scales ±1.
    Words,
    Otherwise,
}

/// A list of views prepared for bulk removal, as a sparse set: the order may be changed at any time
/// (it is *advice*), so a trailed length tells the views that are done with from the rest.
#[derive(Debug)]
pub struct Targets {
    targets: Vec<Target>,
    /// Place of each view, by its index at making.
    place: Vec<u32>,
    views: Vec<View>,
    held: Held,
}

impl Targets {
    pub(crate) fn new(store: &Store, views: Vec<View>) -> Targets {
        let are_held = |words: usize| views.iter().all(|&v| v.scale.abs() == 1 && store.words_of(v) == words);
        let held = if are_held(1) && !super::Poster::repeats(&views) {
            // A variable that stands twice could lose both of its last two values at once.
            Held::Word
        } else if are_held(2) {
            Held::Words
        } else {
            Held::Otherwise
        };
        let targets = views
            .iter()
            .zip(0..)
            .map(|(v, index)| {
                let base = store.base_of(v.var);
                let sign = if v.scale < 0 { -1 } else { 1 };
                // x = sign · (u − offset), and the bit is x − base.
                let add = (-i64::from(sign) * v.offset).wrapping_sub(base);
                Target { slot: store.slot_of(v.var), var: v.var, add, sign, index }
            })
            .collect();
        Targets { targets, place: (0..views.len() as u32).collect(), views, held }
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
        if targets.held == Held::Word && self.store.hooks == 0 {
            for chunk in targets.targets[start..].chunks(64) {
                self.remove_from_words(chunk, value, why, fixed)?;
            }
            return Ok(());
        }
        for target in &targets.targets[start..] {
            if targets.held == Held::Words && !self.store.has_bit(target.slot, target.place(value)) {
                continue;
            }
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
            let old = self.store.trail.get(target.slot);
            let new = old & !target.bit(value);
            self.store.change_word(target.var, old, new);
            if new.is_power_of_two() {
                fixed.push(target.index);
            }
        }
        Ok(())
    }
}

/// Views, at most 64, whose values at posting all lie within 64 consecutive numbers and whose domains
/// are words of the same direction. In the *frame* of these numbers a set of values is one `u64`, and
/// each view's domain is its word shifted.
#[derive(Debug)]
pub struct Frame {
    items: Vec<Item>,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    slot: Slot,
    var: VarId,
    /// The frame's bit for the word's bit 0.
    shift: u32,
}

impl Frame {
    /// The frame of the given views, if they have one.
    pub(crate) fn new(store: &Store, views: &[View]) -> Option<Frame> {
        let scale = views.first()?.scale;
        if views.len() > 64 || scale.abs() != 1 || views.iter().any(|v| v.scale != scale) {
            return None;
        }
        // Seen from the variables, so that bits run the same way: x ± offset.
        let low = |v: &View| store.word(v.var).map(|(_, base)| base + scale * v.offset);
        let base = views.iter().map(low).collect::<Option<Vec<i64>>>()?.into_iter().min()?;
        let high = views.iter().map(|v| store.var_max(v.var) + scale * v.offset).max()?;
        if high - base >= 64 {
            return None;
        }
        let item = |v: &View| {
            let shift = u32::try_from(low(v)? - base).ok()?;
            Some(Item { slot: store.slot_of(v.var), var: v.var, shift })
        };
        Some(Frame { items: views.iter().map(item).collect::<Option<Vec<Item>>>()? })
    }

    /// How many views there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The views of a set, with their numbers.
    fn among(&self, set: u64) -> impl Iterator<Item = (usize, &Item)> {
        self.items.iter().enumerate().filter(move |(i, _)| set >> i & 1 == 1)
    }

    /// That view `i`, which is fixed, has its value.
    pub(crate) fn fixed(&self, store: &Store, i: u32) -> Atom {
        let x = self.items[i as usize].var;
        Atom::eq(x, store.var_min(x))
    }

    /// The values of view `i`, as bits of the frame.
    #[inline]
    pub fn values(&self, store: &Store, i: u32) -> u64 {
        let item = &self.items[i as usize];
        store.trail.get(item.slot) << item.shift
    }
}

impl Context<'_> {
    /// Keeps of a domain held in one word only these bits; [`Store::word`] tells what they stand for. With
    /// the log on, each value that goes has an entry, and the same reason, of its own.
    ///
    /// # Errors
    /// If no value is left.
    #[inline]
    pub(crate) fn keep_bits(&mut self, x: VarId, keep: u64, why: impl Why + Copy) -> Pruned {
        let Some((old, _)) = self.store.word(x) else { return Ok(()) };
        let new = old & keep;
        if new == old {
            return Ok(());
        }
        self.change_bits(x, old, new, why)
    }

    /// The same with the bits there are now, of which some go.
    ///
    /// # Errors
    /// If no value is left.
    #[inline(always)]
    pub(crate) fn change_bits(&mut self, x: VarId, old: u64, new: u64, why: impl Why + Copy) -> Pruned {
        if self.store.hooks != 0 {
            return self.keep_bits_watched(x, self.store.base_of(x), old & !new, why);
        }
        if new == 0 {
            return Err(Conflict);
        }
        self.store.change_word(x, old, new);
        Ok(())
    }

    #[cold]
    fn keep_bits_watched(&mut self, x: VarId, base: i64, mut gone: u64, why: impl Why + Copy) -> Pruned {
        while gone != 0 {
            self.store.var_remove(x, base + i64::from(gone.trailing_zeros()), why)?;
            gone &= gone - 1;
        }
        Ok(())
    }

    /// Removes the values `gone` from the views `open` (bit `i` for view `i`), and returns which of them
    /// it left with one value. The reason must do for all of them.
    ///
    /// # Errors
    /// If one of them has no other value.
    #[inline(always)]
    pub fn remove_values(
        &mut self,
        frame: &Frame,
        open: u64,
        gone: u64,
        why: impl Why + Copy,
    ) -> Result<u64, Conflict> {
        if self.store.hooks != 0 {
            return self.remove_values_by(frame, open, gone, |_| why);
        }
        // Mostly nobody wants more than to know of fixed variables.
        let fixed_only = self.store.wanted == Events::FIXED;
        let fixed = if fixed_only {
            self.mask::<false>(frame, open, gone)
        } else {
            self.mask::<true>(frame, open, gone)
        };
        let mut rest = fixed;
        while rest != 0 {
            let item = &frame.items[rest.trailing_zeros() as usize];
            rest &= rest - 1;
            if self.store.trail.get(item.slot) == 0 {
                return Err(self.emptied(frame, open));
            }
            if fixed_only {
                self.store.raise(item.var, false, false, true);
            }
        }
        Ok(fixed)
    }

    /// A word was emptied. Undo restores it, but nothing undoes the root: there the model has no solution, and
    /// any value does for whoever reads the domain nevertheless.
    #[cold]
    fn emptied(&mut self, frame: &Frame, open: u64) -> Conflict {
        if self.store.trail.level() <= self.store.root_level {
            for (_, item) in frame.among(open) {
                if self.store.trail.get(item.slot) == 0 {
                    self.store.trail.set(item.slot, 1);
                }
            }
        }
        Conflict
    }

    /// Removes the values without a look at what is left, and returns which of the views have one value or
    /// none. One pass, whose only branch is the loop's: which views change cannot be predicted.
    #[inline(never)]
    fn mask<const RAISE: bool>(&mut self, frame: &Frame, open: u64, gone: u64) -> u64 {
        let Store { trail, variables, dirty, .. } = &mut *self.store;
        let mut writer = trail.writer();
        let (mut fixed, mut rest) = (0u64, open);
        while rest != 0 {
            let i = rest.trailing_zeros();
            rest &= rest - 1;
            let item = &frame.items[i as usize];
            let (word, new) = writer.keep(item.slot, !(gone >> item.shift));
            // No open view had one value before: those are in the caller's list and no longer open.
            fixed |= u64::from(new & new.wrapping_sub(1) == 0) << i;
            if RAISE {
                let (loss, lowest) = (word ^ new, new & new.wrapping_neg());
                let (min, max) = (loss & lowest.wrapping_sub(1) != 0, loss > new);
                let variable = &mut variables[item.var.index()];
                dirty.note(variable, item.var, min, max, new == lowest, loss != 0);
            }
        }
        fixed
    }

    /// The same with a reason for each value, in the same order.
    ///
    /// # Errors
    /// If one of the views has no other value.
    #[cold]
    pub(crate) fn remove_values_by<W: Why>(
        &mut self,
        frame: &Frame,
        open: u64,
        gone: u64,
        why: impl Fn(u64) -> W,
    ) -> Result<u64, Conflict> {
        let mut fixed = 0;
        for (i, item) in frame.among(open) {
            while let Some((word, base)) = self.store.word(item.var)
                && word & gone >> item.shift != 0
            {
                let bit = (word & gone >> item.shift).trailing_zeros();
                self.store.var_remove(item.var, base + i64::from(bit), why(1 << bit << item.shift))?;
                fixed |= u64::from(self.store.is_fixed(View::of(item.var))) << i;
            }
        }
        Ok(fixed)
    }
}
