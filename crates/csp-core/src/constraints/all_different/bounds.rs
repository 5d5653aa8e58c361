//! All-different by bounds: each bound of a view belongs to a solution in integers between the bounds.
//!
//! Bounds(Z) consistency by López-Ortiz, Quimper, Tromp, van Beek 2003 (a fast and simple algorithm for
//! bounds consistency of the alldifferent constraint), after a first stage [by value](super::value). An
//! interval that holds the bounds of as many views as it has values is a *Hall interval*: other views
//! that begin in it begin after it. Views are taken by ascending maximum, each takes the first place
//! free for it, and two forests with path compression tell which places are free and where Hall intervals
//! end. Upper bounds are the same thing mirrored. A bound that lands on a hole slides on, so it is repeated
//! until nothing changes.
//!
//! Cost: a call is linear in the views but for the sorting; the two orders are kept as *advice* and
//! repaired by insertion.
//!
//! Explanation, written down at once: a bound moved because of the Hall interval it was in, and because of the
//! bounds of the views that fill it.

use super::hall::HallSet;
use super::value::ByValue;
use crate::engine::{
    Atom, Conflict, Context, Events, Explanation, History, Poster, Priority, Propagator, Status, Store, View,
};

pub(super) fn post(poster: &mut Poster<'_>, views: Vec<View>) {
    let propagator = ByBounds {
        value: ByValue::new(poster, views.clone()),
        intervals: Intervals::new(views.len()),
        hall: HallSet::default(),
        moved: Vec::with_capacity(2 * views.len()),
    };
    let events = Events::BOUNDS.union(Events::FIXED);
    poster.add_indexed(propagator, Priority::Linear, views.into_iter().map(|x| (x, events)));
}

#[derive(Debug)]
struct ByBounds {
    value: ByValue,
    intervals: Intervals,
    hall: HallSet,
    /// Scratch: views whose bounds moved in this round.
    moved: Vec<u32>,
}

impl ByBounds {
    fn filter(&mut self, ctx: &mut Context<'_>) -> Result<(), Conflict> {
        self.read(ctx);
        loop {
            self.moved.clear();
            self.raise(ctx, false)?;
            self.intervals.mirror();
            let raised = self.raise(ctx, true);
            self.intervals.mirror();
            raised?;
            for &i in &self.moved {
                if ctx.is_fixed(self.value.view(i)) {
                    self.value.settle_one(ctx, i)?;
                }
            }
            // Holes let a bound slide beyond where it was sent; otherwise the bounds are consistent now.
            if self.moved.is_empty() || !self.read(ctx) {
                return Ok(());
            }
        }
    }

    /// Reads all bounds, and says whether any is new.
    fn read(&mut self, store: &Store) -> bool {
        let mut new = false;
        for (i, interval) in (0..).zip(&mut self.intervals.of) {
            let x = self.value.view(i);
            let now = store.bounds(x);
            new |= *interval != now;
            *interval = now;
        }
        new
    }

    /// Makes the lower bounds consistent, or, where the intervals are mirrored, the upper bounds.
    fn raise(&mut self, ctx: &mut Context<'_>, mirrored: bool) -> Result<(), Conflict> {
        let ByBounds { value, intervals, hall, moved } = self;
        intervals.sort();
        if let Err(end) = intervals.raise() {
            if ctx.explains() {
                describe(ctx, intervals, value, hall, end, i64::MAX, mirrored);
            }
            return Err(ctx.fail(hall.reason()));
        }
        // The Hall intervals are those of the bounds before.
        for &(i, end) in &intervals.raised {
            let x = value.view(i);
            if ctx.explains() {
                let start = describe(ctx, intervals, value, hall, end, intervals.of[i as usize].0, mirrored);
                hall.also(if mirrored { x.le(-start) } else { x.ge(start) });
            }
            if mirrored {
                ctx.set_max(x, -end, hall.reason())?
            } else {
                ctx.set_min(x, end, hall.reason())?
            }
            moved.push(i);
        }
        for &(i, end) in &intervals.raised {
            intervals.of[i as usize].0 = end;
        }
        Ok(())
    }
}

/// Describes the interval that ends before `end`, begins at `from` or before and has at least as many
/// views as values. Returns where it begins.
fn describe(
    store: &Store,
    intervals: &Intervals,
    value: &ByValue,
    hall: &mut HallSet,
    end: i64,
    from: i64,
    mirrored: bool,
) -> i64 {
    let inside = |i: &&u32| intervals.of[**i as usize].1 < end;
    let (mut views, mut start) = (0, end);
    for &i in intervals.by_low.iter().rev().filter(inside) {
        views += 1;
        start = intervals.of[i as usize].0;
        let full = if from == i64::MAX { views > end - start } else { start <= from && views == end - start };
        if full {
            break;
        }
    }
    let members = intervals.by_low.iter().filter(inside).filter(|i| intervals.of[**i as usize].0 >= start);
    let values = if mirrored { 1 - end..=-start } else { start..=end - 1 };
    hall.describe(store, members.map(|&i| value.view(i)), values);
    start
}

impl Propagator for ByBounds {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let dear = ctx.priority() == Priority::Quadratic;
        if dear {
            self.filter(ctx)?
        } else {
            self.value.stage(ctx)?
        }
        Ok(self.value.status(ctx, dear, Priority::Quadratic))
    }

    fn explain(&self, data: u32, atom: Atom, history: &History<'_>, out: &mut Explanation) {
        self.value.explain(data, atom, history, out);
    }
}

/// The algorithm, on intervals.
#[derive(Debug)]
struct Intervals {
    /// Lower and upper bounds.
    of: Vec<(i64, i64)>,
    /// Advice: the intervals by lower and by upper bound.
    by_low: Vec<u32>,
    by_high: Vec<u32>,
    /// Scratch: the places of each interval's lower bound and of its end among all `bounds`.
    ranks: Vec<(u32, u32)>,
    /// Scratch: all lower bounds and ends, ascending, between two sentinels. (An end is the number after
    /// the upper bound.)
    bounds: Vec<i64>,
    /// Scratch, for each bound: a forest whose roots are bounds with places free before them.
    free: Vec<u32>,
    /// Scratch: how many places are free between the bound and the one before.
    places: Vec<i64>,
    /// Scratch: a forest that leads from a bound in a Hall interval to its end.
    halls: Vec<u32>,
    /// Result: intervals with their new lower bounds.
    raised: Vec<(u32, i64)>,
}

impl Intervals {
    fn new(n: usize) -> Intervals {
        Intervals {
            of: vec![(0, 0); n],
            by_low: (0..n as u32).collect(),
            by_high: (0..n as u32).collect(),
            ranks: vec![(0, 0); n],
            bounds: Vec::with_capacity(2 * n + 2),
            free: vec![0; 2 * n + 2],
            places: vec![0; 2 * n + 2],
            halls: vec![0; 2 * n + 2],
            raised: Vec::with_capacity(n),
        }
    }

    /// Turns left into right.
    fn mirror(&mut self) {
        for interval in &mut self.of {
            *interval = (-interval.1, -interval.0);
        }
        std::mem::swap(&mut self.by_low, &mut self.by_high);
        self.by_low.reverse();
        self.by_high.reverse();
    }

    fn sort(&mut self) {
        let of = &self.of;
        sort_nearly_sorted(&mut self.by_low, |i| of[i as usize].0);
        sort_nearly_sorted(&mut self.by_high, |i| of[i as usize].1);
        self.bounds.clear();
        let n = self.of.len();
        let Some(&first) = self.by_low.first() else { return };
        let mut last = self.of[first as usize].0 - 2;
        self.bounds.push(last);
        let (mut low, mut high) = (0, 0);
        while high < n {
            let end = self.of[self.by_high[high] as usize].1 + 1;
            let begins = low < n && self.of[self.by_low[low] as usize].0 <= end;
            let bound = if begins { self.of[self.by_low[low] as usize].0 } else { end };
            if bound != last {
                self.bounds.push(bound);
                last = bound;
            }
            let rank = self.bounds.len() as u32 - 1;
            if begins {
                self.ranks[self.by_low[low] as usize].0 = rank;
                low += 1;
            } else {
                self.ranks[self.by_high[high] as usize].1 = rank;
                high += 1;
            }
        }
        self.bounds.push(last + 2);
    }

    /// Fills `raised`.
    ///
    /// # Errors
    /// The end of an interval with more views than values.
    fn raise(&mut self) -> Result<(), i64> {
        let Intervals { by_high, ranks, bounds, free, places, halls, raised, .. } = self;
        raised.clear();
        for i in 1..bounds.len() {
            (free[i], halls[i]) = (i as u32 - 1, i as u32 - 1);
            places[i] = bounds[i] - bounds[i - 1];
        }
        for &i in &*by_high {
            let (x, y) = ranks[i as usize];
            let mut z = root(free, x + 1);
            let before = free[z as usize];
            places[z as usize] -= 1;
            if places[z as usize] == 0 {
                free[z as usize] = z + 1;
                z = root(free, z + 1);
                free[z as usize] = before;
            }
            redirect(free, x + 1, z, z);
            // Between the two sentinels it may be 2^63; places are fewer.
            let beyond = bounds[z as usize].saturating_sub(bounds[y as usize]);
            if places[z as usize] < beyond {
                return Err(bounds[y as usize]);
            }
            if halls[x as usize] > x {
                let end = root(halls, halls[x as usize]);
                raised.push((i, bounds[end as usize]));
                redirect(halls, x, end, end);
            }
            if places[z as usize] == beyond {
                let start = halls[y as usize];
                redirect(halls, start, before - 1, y);
                halls[y as usize] = before - 1;
            }
        }
        Ok(())
    }
}

/// Follows the forest upwards.
fn root(forest: &[u32], mut i: u32) -> u32 {
    while forest[i as usize] > i {
        i = forest[i as usize];
    }
    i
}

/// Points everything on the way from `from` to before `end` to `to`.
fn redirect(forest: &mut [u32], mut from: u32, end: u32, to: u32) {
    while from != end {
        from = std::mem::replace(&mut forest[from as usize], to);
    }
}

/// Sorts what is mostly sorted already.
fn sort_nearly_sorted(order: &mut [u32], key: impl Fn(u32) -> i64) {
    let mut moves = 8 * order.len();
    for k in 1..order.len() {
        let (i, mut place) = (order[k], k);
        let mine = key(i);
        while place > 0 && key(order[place - 1]) > mine {
            order[place] = order[place - 1];
            place -= 1;
        }
        order[place] = i;
        if k - place > moves {
            order.sort_unstable_by_key(|&i| key(i));
            return;
        }
        moves -= k - place;
    }
}

#[cfg(test)]
mod tests {
    use super::super::{all_different, tests};
    use super::*;
    use crate::model::Consistency;

    #[test]
    fn the_harness_finds_nothing() {
        crate::testing::check("all_different by bounds", 0..=5, |xs, _| {
            all_different(xs.iter().copied()).bounds()
        });
    }

    #[test]
    fn bounds_are_consistent_on_random_walks() {
        let tally = tests::walks(1000, 10, Consistency::Bounds, &tests::SPREADS, &post);
        assert!(tally.pruned_inside > 1000 && tally.failed > 100 && tally.reasons > 1000, "{tally:?}");
        // Where most is to be shown: numbers side by side.
        let tally = tests::walks(3000, 10, Consistency::Bounds, &tests::SPREADS[..1], &post);
        assert!(tally.pruned_inside > 1000 && tally.failed > 100 && tally.reasons > 1000, "{tally:?}");
    }

    #[test]
    fn a_shuffled_order_is_sorted() {
        let mut rng = fastrand::Rng::with_seed(1);
        for n in 0..200 {
            let keys: Vec<i64> = (0..n).map(|_| rng.i64(0..50)).collect();
            let mut order: Vec<u32> = (0..n as u32).collect();
            sort_nearly_sorted(&mut order, |i| keys[i as usize]);
            assert!(order.is_sorted_by_key(|&i| keys[i as usize]));
            order.sort_unstable();
            assert!(order.into_iter().eq(0..n as u32));
        }
    }
}
