//! The store: the domains of all variables, and the operations that prune them.
//!
//! A domain has one of three forms, chosen by its span when the variable is made:
//!
//! - *Word*, span ≤ 64: one trailed word, bit `b` standing for the value `base + b`. Minimum, maximum
//!   and size are read off the bits.
//! - *Words*, span ≤ [`WORDS_SPAN`]: minimum, maximum and size side by side, then the bits. Moving a
//!   bound does not clear bits, so it touches three words whatever the distance.
//! - *Wide*: see [`wide`](super::wide).
//!
//! Every pruning call says what it removes and why. It does nothing if there is nothing to remove,
//! fails if nothing would be left (the domain then stays as it was), and otherwise changes the
//! domain, writes to the log if the log is on, and puts the variable on the dirty list if any
//! propagator wants one of the events.

use super::events::Events;
use super::log::{Initial, Log, Side};
use super::reason::{Atom, Reason, Relation, Why};
use super::trail::{Cell, Slot, Trail};
use super::view::{VarId, View};
use super::wide::{self, Wide};

/// Spans up to this are held as bits.
pub(crate) const WORDS_SPAN: u64 = 1 << 14;

/// A domain was emptied, or a propagator found its constraint violated. What exactly happened is kept
/// by the engine; the value itself only carries the news upwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict;

/// What became of a call that prunes.
pub type Pruned = Result<(), Conflict>;

/// Bits of the hooks byte: who watches changes.
pub(crate) mod hooks {
    /// Changes and failures are written to the log.
    pub(crate) const LOG: u8 = 1;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Word,
    Words,
    Wide,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    /// The value that bit 0 stands for.
    base: i64,
    slot: Slot,
    /// *Words*: how many words of bits. *Wide*: its place among the wide domains.
    extra: u32,
    form: Form,
    /// Events that at least one propagator wants.
    pub(crate) wants: Events,
    /// Events since the last dispatch.
    pub(crate) dirty: Events,
}

/// The words of a *Words* domain before its bits.
const HEAD: u32 = 3;

/// A failure, as it is kept for whoever asks: the change that could not be made, if it was one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failure {
    pub(crate) atom: Option<Atom>,
    pub(crate) reason: Reason,
}

/// The variables with wanted events since the last dispatch, in order of their first one.
#[derive(Debug, Default)]
pub(crate) struct Dirty {
    /// Has room for every variable, so that noting one is a write without a branch.
    list: Vec<VarId>,
    len: usize,
}

impl Dirty {
    #[inline]
    pub(crate) fn variables(&self) -> &[VarId] {
        &self.list[..self.len]
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Notes events of a variable as far as anybody wants them. Without a branch: what a change amounts
    /// to cannot be predicted.
    #[inline(always)]
    pub(crate) fn note(&mut self, variable: &mut Variable, x: VarId, min: bool, max: bool, fixed: bool, any: bool) {
        let events = u8::from(fixed) | u8::from(min) << 1 | u8::from(max) << 2 | u8::from(any) << 3;
        let wanted = events & variable.wants.0;
        self.list[self.len] = x;
        self.len += usize::from((wanted != 0) & (variable.dirty.0 == 0));
        variable.dirty.0 |= wanted;
    }
}

/// The domains of all variables and the trailed state of all propagators.
///
/// Propagators and branchers read it; pruning goes through [`Context`](super::Context).
#[derive(Debug, Default)]
pub struct Store {
    pub(crate) trail: Trail,
    pub(crate) variables: Vec<Variable>,
    wide: Vec<Wide>,
    pub(crate) dirty: Dirty,
    pub(crate) hooks: u8,
    pub(crate) log: Log,
    /// The propagator at work, to whom reasons are put down.
    pub(crate) running: u32,
    pub(crate) failure: Option<Failure>,
    /// Events that are wanted of any variable.
    pub(crate) wanted: Events,
}

/// Reading.
impl Store {
    /// The smallest value of a view.
    #[inline]
    pub fn min(&self, x: View) -> i64 {
        x.apply(if x.scale > 0 { self.var_min(x.var) } else { self.var_max(x.var) })
    }

    /// The largest value of a view.
    #[inline]
    pub fn max(&self, x: View) -> i64 {
        x.apply(if x.scale > 0 { self.var_max(x.var) } else { self.var_min(x.var) })
    }

    /// How many values a view can take.
    #[inline(always)]
    pub fn size(&self, x: View) -> u64 {
        self.var_size(x.var)
    }

    #[inline(always)]
    pub(crate) fn var_size(&self, x: VarId) -> u64 {
        let v = &self.variables[x.index()];
        if v.form == Form::Word { u64::from(self.trail.get(v.slot).count_ones()) } else { self.size_of_many(v) }
    }

    fn size_of_many(&self, v: &Variable) -> u64 {
        match v.form {
            Form::Wide => self.wide[v.extra as usize].size(&self.trail),
            _ => self.trail.get(Slot(v.slot.0 + wide::SIZE)),
        }
    }

    /// Whether a view has only one value.
    #[inline]
    pub fn is_fixed(&self, x: View) -> bool {
        let v = &self.variables[x.var.index()];
        match v.form {
            Form::Word => self.trail.get(v.slot).is_power_of_two(),
            _ => self.size(x) == 1,
        }
    }

    /// The value of a view that has only one.
    #[inline]
    pub fn value(&self, x: View) -> Option<i64> {
        self.is_fixed(x).then(|| self.min(x))
    }

    /// Whether a view can take a value.
    #[inline]
    pub fn contains(&self, x: View, value: i64) -> bool {
        x.solve(value).is_some_and(|v| self.var_contains(x.var, v))
    }

    /// The smallest value of a view that is greater than `value`.
    pub fn above(&self, x: View, value: i64) -> Option<i64> {
        if x.scale > 0 {
            let from = x.solve_ge(value.checked_add(1)?);
            (from <= self.var_max(x.var)).then(|| x.apply(self.var_next(x.var, from)))
        } else {
            let from = x.solve_ge(value.checked_add(1)?);
            (from >= self.var_min(x.var)).then(|| x.apply(self.var_previous(x.var, from)))
        }
    }

    /// The largest value of a view that is smaller than `value`.
    pub fn below(&self, x: View, value: i64) -> Option<i64> {
        let mirror = View { var: x.var, scale: -x.scale, offset: -x.offset };
        self.above(mirror, value.checked_neg()?).map(|v| -v)
    }

    /// The values of a view in ascending order.
    pub fn values(&self, x: View) -> impl Iterator<Item = i64> + '_ {
        std::iter::successors(Some(self.min(x)), move |&v| self.above(x, v))
    }

    /// The value of a view that has exactly `k` smaller ones; `k` is clamped to the last.
    pub fn nth(&self, x: View, k: u64) -> i64 {
        let size = self.size(x);
        let k = k.min(size - 1);
        x.apply(self.var_nth(x.var, if x.scale > 0 { k } else { size - 1 - k }))
    }

    /// Whether an atom is decided: `Some` of its truth, or `None`.
    #[inline]
    pub fn truth(&self, atom: Atom) -> Option<bool> {
        let (x, v) = (atom.var, atom.value);
        match atom.relation {
            Relation::Ge => {
                if self.var_min(x) >= v {
                    Some(true)
                } else if self.var_max(x) < v {
                    Some(false)
                } else {
                    None
                }
            }
            Relation::Eq => {
                if !self.var_contains(x, v) {
                    Some(false)
                } else if self.is_fixed(View::of(x)) {
                    Some(true)
                } else {
                    None
                }
            }
            Relation::Le | Relation::Ne => self.truth(atom.negated()).map(|t| !t),
        }
    }

    /// A number that tells whether anything was saved since the level was opened: on a new level, whether
    /// anything changed.
    #[inline]
    pub(crate) fn saved(&self) -> usize {
        self.trail.saved()
    }

    /// A trailed word of a propagator.
    #[inline]
    pub fn get(&self, slot: Slot) -> u64 {
        self.trail.get(slot)
    }

    /// The bits and base of a domain held in one word: bit `b` stands for the view's variable being
    /// `base + b`.
    #[inline]
    pub(crate) fn word(&self, x: VarId) -> Option<(u64, i64)> {
        let v = &self.variables[x.index()];
        (v.form == Form::Word).then(|| (self.trail.get(v.slot), v.base))
    }

    /// Sets bit `u − base` of `out` for each value `u` of a view, all of which have one.
    pub(crate) fn copy_bits(&self, x: View, base: i64, out: &mut [u64]) {
        let v = &self.variables[x.var.index()];
        let (words, low, high) = match v.form {
            Form::Word => (self.trail.slice(v.slot, 1), 0, 63),
            Form::Words => {
                (self.bits(v), self.trail.get(v.slot), self.trail.get(Slot(v.slot.0 + wide::MAX)))
            }
            Form::Wide => (&[][..], 0, 0),
        };
        if words.is_empty() || x.scale.abs() != 1 {
            for bit in self.values(x).map(|u| u.abs_diff(base)) {
                out[(bit / 64) as usize] |= 1 << (bit % 64);
            }
            return;
        }
        for i in low / 64..=high / 64 {
            let mut word = words[i as usize].word & mask(low.max(64 * i) - 64 * i, high.min(64 * i + 63) - 64 * i);
            // Where the word's lowest bit, as the view sees it, goes; absent values may lie outside.
            let first = v.base + 64 * i as i64;
            let mut to = x.apply(first) - base;
            if x.scale < 0 {
                word = word.reverse_bits();
                to -= 63;
            }
            let (place, shift) = (to.div_euclid(64), to.rem_euclid(64));
            let mut put = |place: i64, bits: u64| {
                if let Some(word) = usize::try_from(place).ok().and_then(|p| out.get_mut(p)) {
                    *word |= bits;
                }
            };
            put(place, word << shift);
            put(place + 1, word >> 1 >> (63 - shift));
        }
    }

    /// The first trailed word of a domain.
    pub(crate) fn slot_of(&self, x: VarId) -> Slot {
        self.variables[x.index()].slot
    }

    #[inline]
    pub(crate) fn var_min(&self, x: VarId) -> i64 {
        let v = &self.variables[x.index()];
        match v.form {
            Form::Word => v.base + i64::from(self.trail.get(v.slot).trailing_zeros()),
            Form::Words => v.base + self.trail.get(v.slot) as i64,
            Form::Wide => self.wide[v.extra as usize].min(&self.trail),
        }
    }

    #[inline]
    pub(crate) fn var_max(&self, x: VarId) -> i64 {
        let v = &self.variables[x.index()];
        match v.form {
            Form::Word => v.base + i64::from(63 - self.trail.get(v.slot).leading_zeros()),
            Form::Words => v.base + self.trail.get(Slot(v.slot.0 + wide::MAX)) as i64,
            Form::Wide => self.wide[v.extra as usize].max(&self.trail),
        }
    }

    /// Both bounds at the price of little more than one.
    #[inline(always)]
    pub(crate) fn var_bounds(&self, x: VarId) -> (i64, i64) {
        let v = &self.variables[x.index()];
        if v.form == Form::Word {
            let word = self.trail.get(v.slot);
            let (low, high) = (word.trailing_zeros(), 63 - word.leading_zeros());
            (v.base + i64::from(low), v.base + i64::from(high))
        } else {
            (self.var_min(x), self.var_max(x))
        }
    }

    #[inline]
    pub(crate) fn var_contains(&self, x: VarId, value: i64) -> bool {
        let v = &self.variables[x.index()];
        let bit = value.wrapping_sub(v.base) as u64;
        match v.form {
            Form::Word => bit < 64 && self.trail.get(v.slot) >> bit & 1 == 1,
            Form::Words => {
                let (min, max) = (self.trail.get(v.slot), self.trail.get(Slot(v.slot.0 + wide::MAX)));
                min <= bit && bit <= max && self.trail.get(bit_slot(v, bit)) >> (bit % 64) & 1 == 1
            }
            Form::Wide => self.wide[v.extra as usize].contains(&self.trail, value),
        }
    }

    /// The smallest value from `from` on; one exists.
    fn var_next(&self, x: VarId, from: i64) -> i64 {
        let v = &self.variables[x.index()];
        match v.form {
            Form::Word => {
                let shift = from.saturating_sub(v.base).max(0) as u32;
                v.base + i64::from((self.trail.get(v.slot) >> shift << shift).trailing_zeros())
            }
            Form::Words => {
                let from = from.saturating_sub(v.base).max(self.trail.get(v.slot) as i64);
                v.base + next_bit(self.bits(v), from as u64) as i64
            }
            Form::Wide => self.wide[v.extra as usize].next(&self.trail, from),
        }
    }

    /// The largest value up to `to`; one exists.
    fn var_previous(&self, x: VarId, to: i64) -> i64 {
        let v = &self.variables[x.index()];
        match v.form {
            Form::Word => {
                let shift = 63 - to.saturating_sub(v.base).min(63) as u32;
                v.base + i64::from(63 - (self.trail.get(v.slot) << shift >> shift).leading_zeros())
            }
            Form::Words => {
                let to = to.saturating_sub(v.base).min(self.trail.get(Slot(v.slot.0 + wide::MAX)) as i64);
                v.base + previous_bit(self.bits(v), to as u64) as i64
            }
            Form::Wide => self.wide[v.extra as usize].previous(&self.trail, to),
        }
    }

    fn var_nth(&self, x: VarId, mut k: u64) -> i64 {
        let v = &self.variables[x.index()];
        match v.form {
            Form::Word => v.base + nth_bit(self.trail.get(v.slot), k) as i64,
            Form::Words => {
                let min = self.trail.get(v.slot);
                let bits = self.bits(v);
                let mut i = (min / 64) as usize;
                let mut word = bits[i].word >> (min % 64) << (min % 64);
                while u64::from(word.count_ones()) <= k {
                    k -= u64::from(word.count_ones());
                    i += 1;
                    word = bits[i].word;
                }
                v.base + 64 * i as i64 + nth_bit(word, k) as i64
            }
            Form::Wide => self.wide[v.extra as usize].nth(&self.trail, k),
        }
    }

    fn bits(&self, v: &Variable) -> &[Cell] {
        self.trail.slice(Slot(v.slot.0 + HEAD), v.extra as usize)
    }
}

/// Making.
impl Store {
    /// A variable with the values of the given sorted, disjoint, non-adjacent intervals, at least one.
    pub(crate) fn add_variable(&mut self, intervals: &[(i64, i64)]) -> VarId {
        let (min, max) = (intervals[0].0, intervals[intervals.len() - 1].1);
        let span = max.abs_diff(min);
        let id = VarId(u32::try_from(self.variables.len()).expect("fewer than 2^32 variables"));
        let (form, slot, extra) = if span < 64 {
            let word = intervals.iter().fold(0, |w, &(lo, hi)| w | mask(lo.abs_diff(min), hi.abs_diff(min)));
            (Form::Word, self.trail.alloc(word), 0)
        } else if span < WORDS_SPAN {
            let words = span as usize / 64 + 1;
            let slot = self.trail.alloc(0);
            self.trail.alloc(span);
            self.trail.alloc(intervals.iter().map(|&(lo, hi)| hi.abs_diff(lo) + 1).sum());
            for i in 0..words as u64 {
                let (first, last) = (64 * i, 64 * i + 63);
                let word = intervals.iter().fold(0, |w, &(lo, hi)| {
                    let (lo, hi) = (lo.abs_diff(min).max(first), hi.abs_diff(min).min(last));
                    if lo <= hi { w | mask(lo - first, hi - first) } else { w }
                });
                self.trail.alloc(word);
            }
            (Form::Words, slot, words as u32)
        } else {
            let wide = Wide::new(intervals, &mut self.trail);
            self.wide.push(wide);
            (Form::Wide, Slot((self.trail.len() - wide::WORDS) as u32), self.wide.len() as u32 - 1)
        };
        self.dirty.list.resize(self.variables.len() + 2, VarId::ZERO);
        self.variables.push(Variable {
            base: min,
            slot,
            extra,
            form,
            wants: Events::NONE,
            dirty: Events::NONE,
        });
        if self.hooks & hooks::LOG != 0 {
            self.log.add_variable(self.initial(id));
        }
        id
    }

    /// Forgets the variables from `len` on. The caller cuts the trail.
    pub(crate) fn truncate(&mut self, len: usize) {
        for v in self.variables.drain(len..).rev() {
            if v.form == Form::Wide {
                self.wide.pop();
            }
        }
        if self.hooks & hooks::LOG != 0 {
            self.log.truncate_variables(len);
        }
    }

    /// Switches the log on, from the domains as they are.
    pub(crate) fn start_log(&mut self) {
        self.hooks |= hooks::LOG;
        let initial = (0..self.variables.len()).map(|i| self.initial(VarId(i as u32))).collect();
        self.log.start(initial);
    }

    fn initial(&self, x: VarId) -> Initial {
        Initial { min: self.var_min(x), max: self.var_max(x), gaps: self.gaps(x) }
    }

    /// Maximal runs of absent values between the bounds.
    pub(crate) fn gaps(&self, x: VarId) -> Vec<(i64, i64)> {
        let v = &self.variables[x.index()];
        if v.form == Form::Wide {
            return self.wide[v.extra as usize].gaps(&self.trail);
        }
        let values: Vec<i64> = self.values(View::of(x)).collect();
        values.windows(2).filter(|w| w[1] > w[0] + 1).map(|w| (w[0] + 1, w[1] - 1)).collect()
    }

    #[inline]
    pub(crate) fn push_level(&mut self) {
        self.trail.push();
        if self.hooks & hooks::LOG != 0 {
            self.log.push_level();
        }
    }

    #[inline]
    pub(crate) fn pop_level(&mut self) {
        self.trail.pop();
        if self.hooks & hooks::LOG != 0 {
            self.log.pop_level();
        }
    }
}

/// Pruning.
impl Store {
    /// Makes an atom true.
    pub(crate) fn assert(&mut self, atom: Atom, why: impl Why) -> Pruned {
        match atom.relation {
            Relation::Ge => self.var_set_min(atom.var, atom.value, why),
            Relation::Le => self.var_set_max(atom.var, atom.value, why),
            Relation::Eq => self.var_fix(atom.var, atom.value, why),
            Relation::Ne => self.var_remove(atom.var, atom.value, why),
        }
    }

    #[inline]
    pub(crate) fn set_min(&mut self, x: View, value: i64, why: impl Why) -> Pruned {
        let bound = x.solve_ge(value);
        if x.scale > 0 { self.var_set_min(x.var, bound, why) } else { self.var_set_max(x.var, bound, why) }
    }

    #[inline]
    pub(crate) fn set_max(&mut self, x: View, value: i64, why: impl Why) -> Pruned {
        let bound = x.solve_le(value);
        if x.scale > 0 { self.var_set_max(x.var, bound, why) } else { self.var_set_min(x.var, bound, why) }
    }

    #[inline]
    pub(crate) fn fix(&mut self, x: View, value: i64, why: impl Why) -> Pruned {
        match x.solve(value) {
            Some(v) => self.var_fix(x.var, v, why),
            None => Err(self.fail(Some(Atom::FALSE), why)),
        }
    }

    #[inline]
    pub(crate) fn remove(&mut self, x: View, value: i64, why: impl Why) -> Pruned {
        match x.solve(value) {
            Some(v) => self.var_remove(x.var, v, why),
            None => Ok(()),
        }
    }

    #[inline]
    pub(crate) fn var_remove(&mut self, x: VarId, value: i64, why: impl Why) -> Pruned {
        let v = &self.variables[x.index()];
        let (slot, base) = (v.slot, v.base);
        let bit = value.wrapping_sub(base) as u64;
        match v.form {
            Form::Word => {
                if bit >= 64 {
                    return Ok(());
                }
                let old = self.trail.get(slot);
                let new = old & !(1 << bit);
                if new == old {
                    return Ok(());
                }
                if new == 0 {
                    return Err(self.fail(Some(Atom::ne(x, value)), why));
                }
                self.change_word(x, old, new, Some(bit), why);
                Ok(())
            }
            _ => self.remove_slow(x, value, why),
        }
    }

    fn remove_slow(&mut self, x: VarId, value: i64, why: impl Why) -> Pruned {
        if !self.var_contains(x, value) {
            return Ok(());
        }
        let size = self.size(View::of(x));
        if size == 1 {
            return Err(self.fail(Some(Atom::ne(x, value)), why));
        }
        let (old_min, old_max) = (self.var_min(x), self.var_max(x));
        let v = self.variables[x.index()];
        if v.form == Form::Wide {
            self.wide[v.extra as usize].remove(&mut self.trail, value);
        } else {
            let bit = (value - v.base) as u64;
            let word = bit_slot(&v, bit);
            self.trail.set(word, self.trail.get(word) & !(1 << (bit % 64)));
            self.trail.set(Slot(v.slot.0 + wide::SIZE), size - 1);
            if value == old_min {
                let min = next_bit(self.bits(&v), bit);
                self.trail.set(v.slot, min);
            } else if value == old_max {
                let max = previous_bit(self.bits(&v), bit);
                self.trail.set(Slot(v.slot.0 + wide::MAX), max);
            }
        }
        let (min, max) = (self.var_min(x), self.var_max(x));
        self.raise(x, min != old_min, max != old_max, size == 2);
        if self.hooks != 0 {
            self.record_removal(x, value, (old_min, old_max), (min, max), why);
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn var_set_min(&mut self, x: VarId, value: i64, why: impl Why) -> Pruned {
        let old_min = self.var_min(x);
        if value <= old_min {
            return Ok(());
        }
        if value > self.var_max(x) {
            return Err(self.fail(Some(Atom::ge(x, value)), why));
        }
        let v = self.variables[x.index()];
        match v.form {
            Form::Word => {
                let old = self.trail.get(v.slot);
                let shift = (value - v.base) as u32;
                self.change_word(x, old, old >> shift << shift, None, NoWhy);
            }
            Form::Words => {
                let (old, to) = ((old_min - v.base) as u64, (value - v.base) as u64);
                let bits = self.bits(&v);
                let new = next_bit(bits, to);
                let size = self.size(View::of(x)) - count_bits(bits, old, new);
                self.trail.set(v.slot, new);
                self.trail.set(Slot(v.slot.0 + wide::SIZE), size);
                self.raise(x, true, false, size == 1);
            }
            Form::Wide => {
                let wide = &mut self.wide[v.extra as usize];
                wide.set_min(&mut self.trail, value);
                let fixed = wide.size(&self.trail) == 1;
                self.raise(x, true, false, fixed);
            }
        }
        if self.hooks != 0 {
            self.record_min(x, old_min, value, why);
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn var_set_max(&mut self, x: VarId, value: i64, why: impl Why) -> Pruned {
        let old_max = self.var_max(x);
        if value >= old_max {
            return Ok(());
        }
        if value < self.var_min(x) {
            return Err(self.fail(Some(Atom::le(x, value)), why));
        }
        let v = self.variables[x.index()];
        match v.form {
            Form::Word => {
                let old = self.trail.get(v.slot);
                let shift = 63 - (value - v.base) as u32;
                self.change_word(x, old, old << shift >> shift, None, NoWhy);
            }
            Form::Words => {
                let (old, to) = ((old_max - v.base) as u64, (value - v.base) as u64);
                let bits = self.bits(&v);
                let new = previous_bit(bits, to);
                let size = self.size(View::of(x)) - count_bits(bits, new + 1, old + 1);
                self.trail.set(Slot(v.slot.0 + wide::MAX), new);
                self.trail.set(Slot(v.slot.0 + wide::SIZE), size);
                self.raise(x, false, true, size == 1);
            }
            Form::Wide => {
                let wide = &mut self.wide[v.extra as usize];
                wide.set_max(&mut self.trail, value);
                let fixed = wide.size(&self.trail) == 1;
                self.raise(x, false, true, fixed);
            }
        }
        if self.hooks != 0 {
            self.record_max(x, old_max, value, why);
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn var_fix(&mut self, x: VarId, value: i64, why: impl Why) -> Pruned {
        let v = &self.variables[x.index()];
        let bit = value.wrapping_sub(v.base) as u64;
        if v.form == Form::Word && bit < 64 && self.hooks == 0 {
            // The common case in short; the rest below does the same.
            let old = self.trail.get(v.slot);
            let new = old & 1 << bit;
            if new == 0 {
                return Err(Conflict);
            }
            if new != old {
                self.change_word(x, old, new, None, NoWhy);
            }
            return Ok(());
        }
        self.fix_slow(x, value, why)
    }

    fn fix_slow(&mut self, x: VarId, value: i64, why: impl Why) -> Pruned {
        if !self.var_contains(x, value) {
            return Err(self.fail(Some(Atom::eq(x, value)), why));
        }
        let (old_min, old_max) = (self.var_min(x), self.var_max(x));
        if old_min == old_max {
            return Ok(());
        }
        let v = self.variables[x.index()];
        match v.form {
            Form::Word => {
                let old = self.trail.get(v.slot);
                self.change_word(x, old, 1 << (value - v.base), None, NoWhy);
            }
            Form::Words => {
                let bit = (value - v.base) as u64;
                self.trail.set(v.slot, bit);
                self.trail.set(Slot(v.slot.0 + wide::MAX), bit);
                self.trail.set(Slot(v.slot.0 + wide::SIZE), 1);
                self.raise(x, value != old_min, value != old_max, true);
            }
            Form::Wide => {
                self.wide[v.extra as usize].fix(&mut self.trail, value);
                self.raise(x, value != old_min, value != old_max, true);
            }
        }
        if self.hooks != 0 {
            self.record_fix(x, value, (old_min, old_max), why);
        }
        Ok(())
    }

    /// Changes the bits of a *Word* domain to a non-empty proper subset. With `removed` the change is
    /// that one bit and is logged here; otherwise the caller logs it.
    #[inline]
    fn change_word(&mut self, x: VarId, old: u64, new: u64, removed: Option<u64>, why: impl Why) {
        let slot = self.variables[x.index()].slot;
        self.trail.set(slot, new);
        let gone = old & !new;
        let lowest = new & new.wrapping_neg();
        self.raise(x, gone & (lowest - 1) != 0, gone > new, new == lowest);
        if self.hooks != 0
            && let Some(bit) = removed
        {
            let base = self.variables[x.index()].base;
            let bounds =
                |w: u64| (base + i64::from(w.trailing_zeros()), base + i64::from(63 - w.leading_zeros()));
            self.record_removal(x, base + bit as i64, bounds(old), bounds(new), why);
        }
    }

    /// Removes one present bit of a *Word* domain with others, while nobody watches, and says whether it
    /// left one value.
    #[inline]
    pub(crate) fn remove_bit(&mut self, x: VarId, slot: Slot, bit: u64) -> bool {
        let new = self.trail.get(slot) ^ bit;
        self.trail.set(slot, new);
        let lowest = new & new.wrapping_neg();
        let fixed = new == lowest;
        self.raise(x, bit < lowest, bit > new, fixed);
        fixed
    }

    /// Notes events of a variable, if anybody wants them.
    #[inline]
    pub(crate) fn raise(&mut self, x: VarId, min: bool, max: bool, fixed: bool) {
        self.dirty.note(&mut self.variables[x.index()], x, min, max, fixed, true);
    }

    /// Keeps a failure for whoever asks, and makes the news of it.
    pub(crate) fn fail(&mut self, atom: Option<Atom>, why: impl Why) -> Conflict {
        if self.hooks != 0 {
            let reason = why.reason(self.running, &mut self.log);
            self.failure = Some(Failure { atom, reason });
        }
        Conflict
    }
}

/// Writing to the log; only called when a hook is set.
impl Store {
    #[cold]
    fn record_removal(&mut self, x: VarId, value: i64, old: (i64, i64), new: (i64, i64), why: impl Why) {
        let reason = why.reason(self.running, &mut self.log);
        self.log.push(x, Side::Hole, value, value, reason);
        if new.0 != old.0 {
            self.log.push(x, Side::Min, old.0, new.0, Reason::DOMAIN);
        }
        if new.1 != old.1 {
            self.log.push(x, Side::Max, old.1, new.1, Reason::DOMAIN);
        }
    }

    #[cold]
    fn record_min(&mut self, x: VarId, old: i64, asked: i64, why: impl Why) {
        let reason = why.reason(self.running, &mut self.log);
        self.log.push(x, Side::Min, old, asked, reason);
        let new = self.var_min(x);
        if new != asked {
            self.log.push(x, Side::Min, asked, new, Reason::DOMAIN);
        }
    }

    #[cold]
    fn record_max(&mut self, x: VarId, old: i64, asked: i64, why: impl Why) {
        let reason = why.reason(self.running, &mut self.log);
        self.log.push(x, Side::Max, old, asked, reason);
        let new = self.var_max(x);
        if new != asked {
            self.log.push(x, Side::Max, asked, new, Reason::DOMAIN);
        }
    }

    #[cold]
    fn record_fix(&mut self, x: VarId, value: i64, old: (i64, i64), why: impl Why) {
        let reason = why.reason(self.running, &mut self.log);
        if value != old.0 {
            self.log.push(x, Side::Min, old.0, value, reason);
        }
        if value != old.1 {
            self.log.push(x, Side::Max, old.1, value, reason);
        }
    }
}

/// Stands where the log is written by the caller.
struct NoWhy;

impl Why for NoWhy {
    fn reason(self, _: u32, _: &mut Log) -> Reason {
        Reason::DECISION
    }
}

/// Bits `lo..=hi` of a word.
fn mask(lo: u64, hi: u64) -> u64 {
    u64::MAX >> (63 - (hi - lo)) << lo
}

fn bit_slot(v: &Variable, bit: u64) -> Slot {
    Slot(v.slot.0 + HEAD + (bit / 64) as u32)
}

/// The first set bit from `from` on; one exists.
fn next_bit(bits: &[Cell], from: u64) -> u64 {
    let mut i = (from / 64) as usize;
    let mut word = bits[i].word >> (from % 64) << (from % 64);
    while word == 0 {
        i += 1;
        word = bits[i].word;
    }
    64 * i as u64 + u64::from(word.trailing_zeros())
}

/// The last set bit up to `to`; one exists.
fn previous_bit(bits: &[Cell], to: u64) -> u64 {
    let mut i = (to / 64) as usize;
    let shift = 63 - to % 64;
    let mut word = bits[i].word << shift >> shift;
    while word == 0 {
        i -= 1;
        word = bits[i].word;
    }
    64 * i as u64 + 63 - u64::from(word.leading_zeros())
}

/// The number of set bits in `lo..hi`.
fn count_bits(bits: &[Cell], lo: u64, hi: u64) -> u64 {
    if lo >= hi {
        return 0;
    }
    let (first, last) = ((lo / 64) as usize, ((hi - 1) / 64) as usize);
    let mut count = 0;
    for (i, cell) in bits.iter().enumerate().take(last + 1).skip(first) {
        let mut word = cell.word;
        if i == first {
            word = word >> (lo % 64) << (lo % 64);
        }
        if i == last {
            let shift = 63 - (hi - 1) % 64;
            word = word << shift >> shift;
        }
        count += u64::from(word.count_ones());
    }
    count
}

/// The position of the set bit with `k` set bits below it.
fn nth_bit(mut word: u64, k: u64) -> u64 {
    for _ in 0..k {
        word &= word - 1;
    }
    u64::from(word.trailing_zeros())
}
