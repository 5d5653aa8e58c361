//! Pruning domains.

use super::bits::{bit_slot, next_bit, previous_bit};
use super::wide::MAX;
use super::{Conflict, Failure, Form, Pruned, Store};
use crate::engine::reason::{Atom, Relation, Why};
use crate::engine::view::{VarId, View};

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
                self.change_word(x, old, new);
                if self.hooks != 0 {
                    let bounds = |word: u64| {
                        let (low, high) = (word.trailing_zeros(), 63 - word.leading_zeros());
                        (base + i64::from(low), base + i64::from(high))
                    };
                    self.record_removal(x, value, bounds(old), bounds(new), why);
                }
                Ok(())
            }
            Form::Words => self.remove_from_many(x, value, why),
            Form::Wide => self.remove_from_wide(x, value, why),
        }
    }

    /// For domains held in several words.
    fn remove_from_many(&mut self, x: VarId, value: i64, why: impl Why) -> Pruned {
        let v = self.variables[x.index()];
        let (bit, (min, max)) = (value.wrapping_sub(v.base) as u64, self.ends(&v));
        if bit < min || bit > max {
            return Ok(());
        }
        let (mut new_min, mut new_max) = (min, max);
        if min == max {
            return Err(self.fail(Some(Atom::ne(x, value)), why));
        } else if bit == min {
            new_min = next_bit(self.bits(&v), bit + 1);
            self.trail.set(v.slot, new_min);
        } else if bit == max {
            new_max = previous_bit(self.bits(&v), bit - 1);
            self.trail.set(v.slot.plus(MAX), new_max);
        } else {
            let slot = bit_slot(v.slot, bit);
            let old = self.trail.get(slot);
            let new = old & !(1 << (bit % 64));
            if new == old {
                return Ok(());
            }
            self.trail.set(slot, new);
        }
        self.raise(x, bit == min, bit == max, new_min == new_max);
        if self.hooks != 0 {
            let values = |low: u64, high: u64| (v.base + low as i64, v.base + high as i64);
            self.record_removal(x, value, values(min, max), values(new_min, new_max), why);
        }
        Ok(())
    }

    fn remove_from_wide(&mut self, x: VarId, value: i64, why: impl Why) -> Pruned {
        if !self.var_contains(x, value) {
            return Ok(());
        }
        let (old_min, old_max) = self.bounds(View::of(x));
        if old_min == old_max {
            return Err(self.fail(Some(Atom::ne(x, value)), why));
        }
        self.wide[self.variables[x.index()].extra as usize].remove(&mut self.trail, value);
        let (min, max) = self.bounds(View::of(x));
        self.raise(x, min != old_min, max != old_max, min == max);
        if self.hooks != 0 {
            self.record_removal(x, value, (old_min, old_max), (min, max), why);
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn var_set_min(&mut self, x: VarId, value: i64, why: impl Why) -> Pruned {
        let v = self.variables[x.index()];
        // Bits beyond those of the domain are no different from the ones next to it.
        let to = value.saturating_sub(v.base);
        let old_min = match v.form {
            Form::Word => {
                let old = self.trail.get(v.slot);
                let low = i64::from(old.trailing_zeros());
                if to <= low {
                    return Ok(());
                }
                if to > 63 - i64::from(old.leading_zeros()) {
                    return Err(self.fail(Some(Atom::ge(x, value)), why));
                }
                self.change_word(x, old, old >> to << to);
                v.base + low
            }
            Form::Words => {
                let (old, max) = self.ends(&v);
                if to <= old as i64 {
                    return Ok(());
                }
                if to > max as i64 {
                    return Err(self.fail(Some(Atom::ge(x, value)), why));
                }
                let bits = self.bits(&v);
                let new = next_bit(bits, to as u64);
                self.trail.set(v.slot, new);
                self.raise(x, true, false, new == max);
                v.base + old as i64
            }
            Form::Wide => {
                let old = self.var_min(x);
                if value <= old {
                    return Ok(());
                }
                if value > self.var_max(x) {
                    return Err(self.fail(Some(Atom::ge(x, value)), why));
                }
                let wide = &mut self.wide[v.extra as usize];
                wide.set_min(&mut self.trail, value);
                let fixed = wide.size(&self.trail) == 1;
                self.raise(x, true, false, fixed);
                old
            }
        };
        if self.hooks != 0 {
            self.record_min(x, old_min, value, why);
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn var_set_max(&mut self, x: VarId, value: i64, why: impl Why) -> Pruned {
        let v = self.variables[x.index()];
        let to = value.saturating_sub(v.base);
        let old_max = match v.form {
            Form::Word => {
                let old = self.trail.get(v.slot);
                let high = 63 - i64::from(old.leading_zeros());
                if to >= high {
                    return Ok(());
                }
                if to < i64::from(old.trailing_zeros()) {
                    return Err(self.fail(Some(Atom::le(x, value)), why));
                }
                let shift = 63 - to;
                self.change_word(x, old, old << shift >> shift);
                v.base + high
            }
            Form::Words => {
                let (min, old) = self.ends(&v);
                if to >= old as i64 {
                    return Ok(());
                }
                if to < min as i64 {
                    return Err(self.fail(Some(Atom::le(x, value)), why));
                }
                let bits = self.bits(&v);
                let new = previous_bit(bits, to as u64);
                self.trail.set(v.slot.plus(MAX), new);
                self.raise(x, false, true, new == min);
                v.base + old as i64
            }
            Form::Wide => {
                let old = self.var_max(x);
                if value >= old {
                    return Ok(());
                }
                if value < self.var_min(x) {
                    return Err(self.fail(Some(Atom::le(x, value)), why));
                }
                let wide = &mut self.wide[v.extra as usize];
                wide.set_max(&mut self.trail, value);
                let fixed = wide.size(&self.trail) == 1;
                self.raise(x, false, true, fixed);
                old
            }
        };
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
                self.change_word(x, old, new);
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
                self.change_word(x, old, 1 << (value - v.base));
            }
            Form::Words => {
                let bit = (value - v.base) as u64;
                self.trail.set(v.slot, bit);
                self.trail.set(v.slot.plus(MAX), bit);
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

    /// Changes the bits of a *Word* domain to a non-empty proper subset. The caller writes the log.
    #[inline(always)]
    pub(crate) fn change_word(&mut self, x: VarId, old: u64, new: u64) {
        let slot = self.variables[x.index()].slot;
        self.trail.set(slot, new);
        let gone = old & !new;
        let lowest = new & new.wrapping_neg();
        self.raise(x, gone & (lowest - 1) != 0, gone > new, new == lowest);
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
