//! Reading domains.

use super::bits::{bit_slot, count_bits, next_bit, nth_bit, previous_bit};
use super::wide::MAX;
use super::{Form, HEAD, Store, Variable};
use crate::engine::reason::{Atom, Relation};
use crate::engine::trail::{Cell, Slot};
use crate::engine::view::{VarId, View};

/// Where the bounds of a view stand: each is `scale · word + add`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    low: Slot,
    high: Slot,
    scale: i64,
    add: i64,
}

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

    /// The smallest and the largest value of a view, at the price of little more than one.
    #[inline(always)]
    pub fn bounds(&self, x: View) -> (i64, i64) {
        let v = &self.variables[x.var.index()];
        let (low, high) = match v.form {
            Form::Word => {
                let word = self.trail.get(v.slot);
                let (low, high) = (word.trailing_zeros(), 63 - word.leading_zeros());
                (v.base + i64::from(low), v.base + i64::from(high))
            }
            Form::Words => {
                let (low, high) = self.ends(v);
                (v.base + low as i64, v.base + high as i64)
            }
            Form::Wide => (self.var_min(x.var), self.var_max(x.var)),
        };
        if x.scale > 0 { (x.apply(low), x.apply(high)) } else { (x.apply(high), x.apply(low)) }
    }

    /// How many values a view can take.
    #[inline(always)]
    pub fn size(&self, x: View) -> u64 {
        self.var_size(x.var)
    }

    #[inline(always)]
    pub(crate) fn var_size(&self, x: VarId) -> u64 {
        let v = &self.variables[x.index()];
        if v.form == Form::Word {
            u64::from(self.trail.get(v.slot).count_ones())
        } else {
            self.size_of_many(v)
        }
    }

    fn size_of_many(&self, v: &Variable) -> u64 {
        match v.form {
            Form::Wide => self.wide[v.extra as usize].size(&self.trail),
            _ => {
                let (min, max) = self.ends(v);
                count_bits(self.bits(v), min, max + 1)
            }
        }
    }

    /// Whether a view has only one value.
    #[inline]
    pub fn is_fixed(&self, x: View) -> bool {
        let v = &self.variables[x.var.index()];
        match v.form {
            Form::Word => self.trail.get(v.slot).is_power_of_two(),
            Form::Words => {
                let (min, max) = self.ends(v);
                min == max
            }
            Form::Wide => self.size(x) == 1,
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
        self.above(x.negated(), value.checked_neg()?).map(|v| -v)
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

    /// Whether an atom is false: as [`truth`](Self::truth), for loops over many atoms.
    #[inline]
    pub(crate) fn is_false(&self, atom: Atom) -> bool {
        let (x, value) = (atom.var, atom.value);
        let v = &self.variables[x.index()];
        if v.form == Form::Word {
            let (word, bit) = (self.trail.get(v.slot), value.saturating_sub(v.base));
            return match atom.relation {
                Relation::Ge => bit > 63 - i64::from(word.leading_zeros()),
                Relation::Le => bit < i64::from(word.trailing_zeros()),
                Relation::Eq => bit as u64 >= 64 || word >> bit & 1 == 0,
                Relation::Ne => (bit as u64) < 64 && word == 1 << bit,
            };
        }
        match atom.relation {
            Relation::Ge => self.var_max(x) < value,
            Relation::Le => self.var_min(x) > value,
            Relation::Eq => !self.var_contains(x, value),
            Relation::Ne => self.var_min(x) == value && self.var_max(x) == value,
        }
    }

    /// Whether an atom is true.
    #[inline]
    pub(crate) fn is_true(&self, atom: Atom) -> bool {
        self.is_false(atom.negated())
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

    /// Whether [`window`](Self::window) can be asked of a view.
    #[inline]
    pub(crate) fn has_windows(&self, x: View) -> bool {
        x.scale.abs() == 1 && self.variables[x.var.index()].form != Form::Wide
    }

    /// Which of the 64 values from `from` on a view can take, as bits, and so on for every word of `out`. The view
    /// has scale ±1, its domain is held in words, and `from` is not far from it.
    #[inline(always)]
    pub(crate) fn windows(&self, x: View, from: i64, out: &mut [u64]) {
        let v = &self.variables[x.var.index()];
        // The place of the window's first bit, or of its last one for the mirrored view, and of the next one.
        let (mut first, step) =
            if x.scale > 0 { (from - x.offset - v.base, 64) } else { (x.offset - from - 63 - v.base, -64) };
        let (bits, min, max) = match v.form {
            Form::Word => (self.trail.slice(v.slot, 1), 0, 63),
            _ => {
                let (min, max) = self.ends(v);
                (self.bits(v), min as i64, max as i64)
            }
        };
        let shift = first & 63;
        for out in out {
            *out = 0;
            if first <= max && first + 63 >= min {
                let place = first >> 6;
                let at = |place: i64| bits.get(place as usize).map_or(0, |cell| cell.word);
                let word = at(place) >> shift | at(place + 1) << 1 << (63 - shift);
                // Bits beyond the bounds are left standing.
                let word = word & u64::MAX << (min - first).max(0) & u64::MAX >> (first + 63 - max).max(0);
                *out = if x.scale > 0 { word } else { word.reverse_bits() };
            }
            first += step;
        }
    }

    /// The first of the [`windows`](Self::windows).
    #[inline]
    pub(crate) fn window(&self, x: View, from: i64) -> u64 {
        let mut out = [0];
        self.windows(x, from, &mut out);
        out[0]
    }

    /// Whether a domain held in several words, the first of them at `slot`, has a bit.
    #[inline(always)]
    pub(crate) fn has_bit(&self, slot: Slot, bit: u64) -> bool {
        let ends = self.trail.slice(slot, 2);
        ends[0].word <= bit
            && bit <= ends[1].word
            && self.trail.get(bit_slot(slot, bit)) >> (bit % 64) & 1 == 1
    }

    /// How many words hold the domain of a view's variable: 1, 2 for several, 0 for none.
    pub(crate) fn words_of(&self, x: View) -> usize {
        match self.variables[x.var.index()].form {
            Form::Word => 1,
            Form::Words => 2,
            Form::Wide => 0,
        }
    }

    /// What the first bit of a domain held in words stands for.
    pub(crate) fn base_of(&self, x: VarId) -> i64 {
        self.variables[x.index()].base
    }

    /// The trailed word that is the whole domain, if it is one word.
    pub(crate) fn word_slot(&self, x: VarId) -> Option<Slot> {
        let v = &self.variables[x.index()];
        (v.form == Form::Word).then_some(v.slot)
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
            Form::Words => v.base + self.trail.get(v.slot.plus(MAX)) as i64,
            Form::Wide => self.wide[v.extra as usize].max(&self.trail),
        }
    }

    #[inline]
    pub(crate) fn var_contains(&self, x: VarId, value: i64) -> bool {
        let v = &self.variables[x.index()];
        let bit = value.wrapping_sub(v.base) as u64;
        match v.form {
            Form::Word => bit < 64 && self.trail.get(v.slot) >> bit & 1 == 1,
            Form::Words => self.has_bit(v.slot, bit),
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
                let to = to.saturating_sub(v.base).min(self.trail.get(v.slot.plus(MAX)) as i64);
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

    /// The first and the last bit of a *Words* domain.
    #[inline(always)]
    pub(super) fn ends(&self, v: &Variable) -> (u64, u64) {
        let ends = self.trail.slice(v.slot, 2);
        (ends[0].word, ends[1].word)
    }

    /// Where the bounds of a view of scale ±1 stand, if its domain is held in several words.
    pub(crate) fn ends_of(&self, x: View) -> Option<Ends> {
        let v = &self.variables[x.var.index()];
        let (min, max) = (v.slot, v.slot.plus(MAX));
        let (low, high) = if x.scale > 0 { (min, max) } else { (max, min) };
        let add = x.scale.checked_mul(v.base)?.checked_add(x.offset)?;
        (v.form == Form::Words && x.scale.abs() == 1).then_some(Ends { low, high, scale: x.scale, add })
    }

    /// The smallest and the largest value of the view.
    #[inline(always)]
    pub(crate) fn bounds_at(&self, ends: Ends) -> (i64, i64) {
        let at = |slot: Slot| ends.scale * self.trail.get(slot) as i64 + ends.add;
        (at(ends.low), at(ends.high))
    }

    pub(super) fn bits(&self, v: &Variable) -> &[Cell] {
        self.trail.slice(Slot(v.slot.0 + HEAD), v.extra as usize)
    }
}
