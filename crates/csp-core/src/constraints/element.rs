//! An entry of an array chosen by a view: `array[index] = value`, counted from 0.
//!
//! Domain consistency (while `value` has at most [`EQUAL_BY_VALUE`] values, and where views are the entries
//! while a look at each takes at most [`CHECKS`] steps; bounds of `value` beyond).
//!
//! - Of constants: one pass over the indices left keeps those whose entry `value` can take, and marks the
//!   entries it met; a value that no mark stands for goes. Cost: linear in the two domains, times a
//!   binary search for each value where some have to go.
//! - Of views: an index stays if its entry has a value in common with `value`, found at once where the
//!   last one found (*advice*) still is one; a value stays if an entry left has it. With the index fixed, its
//!   entry and `value` are made equal.
//!
//! Explanations: of an index lost, that its entry has no value in common with `value`; of a value or bound
//! lost, for each entry that has it, why it cannot be chosen.

use std::sync::Arc;

use crate::engine::{
    Atom, Conflict, Context, Events, Explanation, History, Lazy, Poster, Priority, Propagator, Status, Store,
    View,
};

use super::comparison::{EQUAL_BY_VALUE, make_equal, off_grid};

/// Posts `array[index] = value`; false where the index is outside. The numbers lie within the range of
/// values.
pub(crate) fn post_element(poster: &mut Poster<'_>, array: &Arc<[i64]>, index: View, value: View) {
    let mut numbers = array.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    let place = |n: &i64| numbers.partition_point(|m| m < n) as u32;
    let propagator = Numbers {
        place: array.iter().map(place).collect(),
        met: vec![0; numbers.len().div_ceil(64)].into(),
        numbers: numbers.into(),
        array: Arc::clone(array),
        index,
        value,
    };
    poster.add(propagator, Priority::Linear, [(index, Events::ANY), (value, Events::ANY)]);
}

/// Posts `array[index] = value`; false where the index is outside.
pub(crate) fn post_element_of(poster: &mut Poster<'_>, array: Vec<View>, index: View, value: View) {
    let subscriptions: Vec<_> = [index, value].iter().chain(&array).map(|&x| (x, Events::ANY)).collect();
    let common = vec![0; array.len()].into();
    poster.add(Entries { array: array.into(), index, value, common }, Priority::Quadratic, subscriptions);
}

/// Posts `array[index] ≠ value`; true where the index is outside.
pub(crate) fn post_other_element(poster: &mut Poster<'_>, array: Vec<View>, index: View, value: View) {
    let subscriptions: Vec<_> = [index, value].iter().chain(&array).map(|&x| (x, Events::FIXED)).collect();
    poster.add(OtherEntry { array: array.into(), index, value }, Priority::Linear, subscriptions);
}

/// Keeps only indices of an array of so many entries.
fn keep_inside(ctx: &mut Context<'_>, index: View, len: usize) -> Result<(), Conflict> {
    ctx.set_min(index, 0, |_: &mut Explanation| {})?;
    ctx.set_max(index, len as i64 - 1, |_: &mut Explanation| {})
}

/// The index as a place of an array of so many entries.
fn inside(index: i64, len: usize) -> Option<usize> {
    usize::try_from(index).ok().filter(|&i| i < len)
}

/// The indices within an array of so many entries.
fn indices(store: &Store, index: View, len: usize) -> impl Iterator<Item = usize> + '_ {
    let first = store.above(index, -1);
    std::iter::successors(first, move |&i| store.above(index, i)).map_while(move |i| inside(i, len))
}

/// Pushes why the view is not `v`, given its bounds.
fn push_without(x: View, (low, high): (i64, i64), v: i64, out: &mut Explanation) {
    out.push(if v < low {
        x.ge(low)
    } else if v > high {
        x.le(high)
    } else {
        x.ne(v)
    });
}

/// Pushes why the index is none of the given ascending places, given its bounds.
fn push_excluded(
    index: View,
    (low, high): (i64, i64),
    places: impl Iterator<Item = usize>,
    out: &mut Explanation,
) {
    let (mut below, mut above) = (false, false);
    for i in places {
        let i = i as i64;
        below |= i < low;
        above |= i > high;
        if low <= i && i <= high {
            out.push(index.ne(i));
        }
    }
    if below {
        out.push(index.ge(low));
    }
    if above {
        out.push(index.le(high));
    }
}

/// `array[index] = value` for numbers.
#[derive(Debug)]
struct Numbers {
    array: Arc<[i64]>,
    index: View,
    value: View,
    /// The different numbers of the array, ascending.
    numbers: Box<[i64]>,
    /// The place of each entry in `numbers`.
    place: Box<[u32]>,
    /// Scratch: a bit for each of `numbers`.
    met: Box<[u64]>,
}

impl Numbers {
    fn is_met(&self, number: i64) -> bool {
        self.numbers.binary_search(&number).is_ok_and(|place| self.met[place / 64] >> (place % 64) & 1 == 1)
    }
}

impl Propagator for Numbers {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let (index, value) = (self.index, self.value);
        keep_inside(ctx, index, self.array.len())?;
        self.met.fill(0);
        let bounds = ctx.bounds(value);
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        let mut next = Some(ctx.min(index));
        while let Some(i) = next {
            next = ctx.above(index, i);
            let Some(i) = inside(i, self.array.len()) else { continue };
            let number = self.array[i];
            if ctx.contains(value, number) {
                let place = self.place[i];
                self.met[place as usize / 64] |= 1 << (place % 64);
                (low, high) = (low.min(number), high.max(number));
            } else {
                let why = |out: &mut Explanation| push_without(value, bounds, number, out);
                ctx.remove(index, i as i64, why)?;
            }
        }
        ctx.set_min(value, low, Lazy(0))?;
        ctx.set_max(value, high, Lazy(0))?;
        // Every number met is a value, so where there are as many, none is left over.
        let met: u64 = self.met.iter().map(|word| u64::from(word.count_ones())).sum();
        let size = ctx.size(value);
        if met < size && size <= EQUAL_BY_VALUE {
            let mut next = Some(ctx.min(value));
            while let Some(v) = next {
                next = ctx.above(value, v);
                if !self.is_met(v) {
                    ctx.remove(value, v, Lazy(0))?;
                }
            }
        }
        // All entries left are the one value; unless both views are of one variable, that was not looked at
        // since it was fixed.
        let entailed = ctx.value(value).is_some_and(|v| {
            ctx.value(index).is_none_or(|i| inside(i, self.array.len()).is_some_and(|i| self.array[i] == v))
        });
        Ok(if entailed { Status::Entailed } else { Status::AtFixpoint })
    }

    /// Of what `value` lost: no index is left of all numbers that the atom rules out.
    fn explain(&self, _: u32, atom: Atom, history: &History<'_>, out: &mut Explanation) {
        let bounds = (history.min(self.index), history.max(self.index));
        let ruled_out = |&i: &usize| self.value.solve(self.array[i]).is_some_and(|v| !atom.holds(v));
        push_excluded(self.index, bounds, (0..self.array.len()).filter(ruled_out), out);
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        let (index, value, len) = (self.index, self.value, self.array.len());
        if indices(store, index, len).any(|i| store.contains(value, self.array[i])) {
            return false;
        }
        let gone = (0..len).filter(|&i| !store.contains(index, i as i64));
        push_excluded(index, store.bounds(index), gone, why);
        indices(store, index, len).for_each(|i| push_without(value, store.bounds(value), self.array[i], why));
        true
    }
}

/// Steps that a look at all pairs of values may take.
const CHECKS: u64 = 1 << 12;

/// For reasons: what was lost.
const INDEX: Lazy = Lazy(0);
const HOLE: Lazy = Lazy(1);
const LOW: Lazy = Lazy(2);
const HIGH: Lazy = Lazy(3);

/// `array[index] = value` for views.
#[derive(Debug)]
struct Entries {
    array: Box<[View]>,
    index: View,
    value: View,
    /// Advice: a value that each entry had in common with `value`.
    common: Box<[i64]>,
}

impl Entries {
    /// Whether an entry can be `value`, or finding that out would take too long.
    fn can_be_equal(&mut self, store: &Store, i: usize) -> bool {
        let (x, y) = (self.array[i], self.value);
        if store.contains(x, self.common[i]) && store.contains(y, self.common[i]) {
            return true;
        }
        if off_grid(x, y) {
            return false;
        }
        let mut v = store.min(x).max(store.min(y));
        for _ in 0..CHECKS {
            let Some(next) = store.above(x, v - 1) else { return false };
            let Some(other) = store.above(y, next - 1) else { return false };
            if other == next {
                self.common[i] = next;
                return true;
            }
            v = other;
        }
        true
    }

    /// Pushes why an entry and `value` differ, if that is easily seen.
    fn push_apart(&self, store: &Store, i: usize, why: &mut Explanation) -> bool {
        let (x, y) = (self.array[i], self.value);
        for (x, y) in [(x, y), (y, x)] {
            let low = store.min(x);
            if low > store.max(y) {
                why.extend([x.ge(low), y.le(low - 1)]);
                return true;
            }
            if let Some(v) = store.value(x)
                && !store.contains(y, v)
            {
                why.extend([x.eq(v), y.ne(v)]);
                return true;
            }
        }
        false
    }
}

impl Propagator for Entries {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let (index, value, len) = (self.index, self.value, self.array.len());
        keep_inside(ctx, index, len)?;
        let mut next = Some(ctx.min(index));
        while let Some(i) = next {
            next = ctx.above(index, i);
            if inside(i, len).is_some_and(|i| !self.can_be_equal(ctx, i)) {
                ctx.remove(index, i, INDEX)?;
            }
        }
        if let Some(i) = ctx.value(index) {
            let Some(&x) = usize::try_from(i).ok().and_then(|i| self.array.get(i)) else {
                return Ok(Status::MayChange);
            };
            return make_equal(ctx, x, value, |out: &mut Explanation| out.push(index.eq(i)));
        }
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        for i in indices(ctx, index, len) {
            let (min, max) = ctx.bounds(self.array[i]);
            (low, high) = (low.min(min), high.max(max));
        }
        ctx.set_min(value, low, LOW)?;
        ctx.set_max(value, high, HIGH)?;
        if ctx.size(index).saturating_mul(ctx.size(value)) <= CHECKS {
            let mut next = Some(ctx.min(value));
            while let Some(v) = next {
                next = ctx.above(value, v);
                if !indices(ctx, index, len).any(|i| ctx.contains(self.array[i], v)) {
                    ctx.remove(value, v, HOLE)?;
                }
            }
        }
        let entailed = ctx
            .value(value)
            .is_some_and(|v| indices(ctx, index, len).all(|i| ctx.value(self.array[i]) == Some(v)));
        Ok(if entailed { Status::Entailed } else { Status::AtFixpoint })
    }

    fn explain(&self, lost: u32, atom: Atom, history: &History<'_>, out: &mut Explanation) {
        let bounds = |x: View| (history.min(x), history.max(x));
        if Lazy(lost) == INDEX {
            let i = self.index.apply(atom.value());
            let Some(x) = inside(i, self.array.len()).map(|i| self.array[i]) else { return };
            for (x, y) in [(x, self.value), (self.value, x)] {
                if history.min(x) > history.max(y) {
                    return out.extend([x.ge(history.min(x)), y.le(history.min(x) - 1)]);
                }
            }
            history.explain_domain(x, out);
            history.explain_domain(self.value, out);
            return;
        }
        let gone = |&i: &usize| !history.contains(self.index, i as i64);
        push_excluded(self.index, bounds(self.index), (0..self.array.len()).filter(gone), out);
        // The atom is over the variable; the next value that it rules out says how far it goes.
        let ruled_out = self.value.apply(atom.negated().value());
        for i in (0..self.array.len()).filter(|i| !gone(i)) {
            let x = self.array[i];
            match Lazy(lost) {
                LOW => out.push(x.ge(ruled_out + 1)),
                HIGH => out.push(x.le(ruled_out - 1)),
                _ => push_without(x, bounds(x), ruled_out, out),
            }
        }
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        let (index, len) = (self.index, self.array.len());
        let mut ignored = Explanation::silent();
        if !indices(store, index, len).all(|i| self.push_apart(store, i, &mut ignored)) {
            return false;
        }
        let gone = (0..len).filter(|&i| !store.contains(index, i as i64));
        push_excluded(index, store.bounds(index), gone, why);
        indices(store, index, len).for_each(|i| {
            self.push_apart(store, i, why);
        });
        true
    }
}

/// `array[index] ≠ value`: waits for two of them.
#[derive(Debug)]
struct OtherEntry {
    array: Box<[View]>,
    index: View,
    value: View,
}

impl Propagator for OtherEntry {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let (index, value, len) = (self.index, self.value, self.array.len());
        if ctx.min(index) >= len as i64 || ctx.max(index) < 0 {
            return Ok(Status::Entailed);
        }
        if let Some(i) = ctx.value(index) {
            let Some(x) = inside(i, len).map(|i| self.array[i]) else { return Ok(Status::Entailed) };
            for (x, y) in [(x, value), (value, x)] {
                if let Some(v) = ctx.value(x) {
                    ctx.remove(y, v, |out: &mut Explanation| out.extend([index.eq(i), x.eq(v)]))?;
                    return Ok(Status::Entailed);
                }
            }
            return Ok(Status::AtFixpoint);
        }
        let Some(v) = ctx.value(value) else { return Ok(Status::AtFixpoint) };
        let mut next = ctx.above(index, -1);
        while let Some(i) = next {
            next = ctx.above(index, i);
            let Some(x) = inside(i, len).map(|i| self.array[i]) else { break };
            if ctx.value(x) == Some(v) {
                ctx.remove(index, i, |out: &mut Explanation| out.extend([value.eq(v), x.eq(v)]))?;
            }
        }
        // The last index left may ask for more.
        Ok(Status::MayChange)
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        let (index, value) = (self.index, self.value);
        let (Some(i), Some(v)) = (store.value(index), store.value(value)) else { return false };
        let Some(x) = inside(i, self.array.len()).map(|i| self.array[i]) else { return false };
        let disentailed = store.value(x) == Some(v);
        if disentailed {
            why.extend([index.eq(i), value.eq(v), x.eq(v)]);
        }
        disentailed
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::MAX_VALUE;
    use crate::error::ModelErrorKind;
    use crate::model::{Affine, IntExpr, Model, element};
    use crate::testing::{Params, Scope, check};

    /// The first view, moved so that it may name the place.
    fn index(xs: &[Affine], place: i64, p: &Params<'_>) -> Affine {
        xs[0] - p.witness(0).saturating_sub(place)
    }

    /// An element of numbers near the second view, one of which it may be.
    fn of_numbers(xs: &[Affine], p: &mut Params<'_>) -> IntExpr {
        let near = p.witness(1).clamp(-MAX_VALUE + 9, MAX_VALUE - 9);
        let mut numbers: Vec<i64> = (0..p.int(0..=12)).map(|_| near + p.int(-4..=4)).collect();
        let place = p.int(0..=12) % numbers.len().max(1) as i64;
        if let Some(number) = numbers.get_mut(place as usize) {
            *number = p.witness(1);
        }
        element(numbers, index(xs, place, p))
    }

    /// An element of the views after the second.
    fn of_views(xs: &[Affine], p: &mut Params<'_>) -> IntExpr {
        let place = p.int(0..=(xs.len() as i64 - 3).max(0));
        element(&xs[2..], index(xs, place, p))
    }

    #[test]
    fn harness() {
        let report = check("element", 2, |xs, p| of_numbers(xs, p).eq(xs[1]));
        assert!(report.pruned > 20 && report.infeasible > 5, "{report}");
        let small = Scope::ints(2..=2).within(0..=6);
        let report = check("element of small numbers", small, |xs, p| {
            let numbers: Vec<i64> = (0..7).map(|_| p.int(0..=6)).collect();
            xs[1].eq(element(numbers, xs[0]))
        });
        assert!(report.pruned > 60 && report.infeasible > 5, "{report}");
        let report = check("other element", 2, |xs, p| !of_numbers(xs, p).eq(xs[1]));
        assert!(report.pruned > 10, "{report}");
        let report = check("element that differs", 2, |xs, p| of_numbers(xs, p).ne(xs[1]));
        assert!(report.pruned > 10, "{report}");
        let report = check("element of views", 2..=6, |xs, p| of_views(xs, p).eq(xs[1]));
        assert!(report.pruned > 30 && report.infeasible > 20, "{report}");
        let report = check("other element of views", 2..=6, |xs, p| !of_views(xs, p).eq(xs[1]));
        assert!(report.pruned > 10, "{report}");
        let small = Scope::ints(2..=6).within(0..=4);
        let report = check("element of small views", small, |xs, _| element(&xs[2..], xs[0]).eq(xs[1]));
        assert!(report.pruned > 60 && report.infeasible > 5, "{report}");
    }

    #[test]
    fn numbers_beyond_the_range_are_refused() {
        for far in [MAX_VALUE + 1, i64::MIN] {
            let mut model = Model::new();
            let x = model.int(0..=1);
            model.post(element([0, far], x).eq(0));
            assert_eq!(model.validate().unwrap_err().kind, ModelErrorKind::TooLarge);
        }
    }

    #[test]
    fn an_index_may_range_far_beyond_the_array() {
        let mut model = Model::new();
        let (i, x) = (model.int(-MAX_VALUE..=MAX_VALUE), model.int(-MAX_VALUE..=MAX_VALUE));
        model.post(element([5, MAX_VALUE, -MAX_VALUE], i).eq(x));
        model.post(element([i, x], 0).eq(i));
        assert_eq!(model.solver().unwrap().count().solutions, 3);
    }
}
