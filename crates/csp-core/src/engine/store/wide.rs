//! The domain form for wide spans: bounds and a stack of removed values.
//!
//! Trailed: minimum, maximum, size and the length of the stack. The stack itself, and the hash from a
//! value to its place on it, are *advice*: only places below the trailed length count, so undoing a
//! removal is nothing but the length coming back. The values a domain was born with are a sorted list
//! of intervals, so a sparse set over a huge span costs memory by its intervals, not by its width.
//!
//! Cost: a removal is a hash look-up and a push; moving a bound counts removed values in the part cut
//! off, by walking the part or the stack, whichever is shorter. Only removals strictly between the
//! bounds are stored.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::engine::trail::{Slot, Trail};

pub(crate) const MIN: u32 = 0;
pub(crate) const MAX: u32 = 1;
pub(crate) const SIZE: u32 = 2;
pub(crate) const REMOVED: u32 = 3;
/// Trailed words of a wide domain.
pub(crate) const WORDS: usize = 4;

#[derive(Debug)]
pub(crate) struct Wide {
    slot: Slot,
    intervals: Box<[(i64, i64)]>,
    /// Number of values in all earlier intervals.
    before: Box<[u64]>,
    removed: Vec<i64>,
    place: HashMap<i64, u32, BuildHasherDefault<Mix>>,
}

impl Wide {
    /// A domain of the given sorted, disjoint, non-adjacent, non-empty intervals.
    pub(crate) fn new(intervals: &[(i64, i64)], trail: &mut Trail) -> Wide {
        let mut total = 0;
        let before = intervals
            .iter()
            .map(|&(lo, hi)| {
                let sum = total;
                total += hi.abs_diff(lo) + 1;
                sum
            })
            .collect();
        let slot = trail.alloc(intervals[0].0 as u64);
        trail.alloc(intervals[intervals.len() - 1].1 as u64);
        trail.alloc(total);
        trail.alloc(0);
        Wide { slot, intervals: intervals.into(), before, removed: Vec::new(), place: HashMap::default() }
    }

    fn word(&self, trail: &Trail, word: u32) -> u64 {
        trail.get(Slot(self.slot.0 + word))
    }

    fn set(&self, trail: &mut Trail, word: u32, value: u64) {
        trail.set(Slot(self.slot.0 + word), value);
    }

    pub(crate) fn min(&self, trail: &Trail) -> i64 {
        self.word(trail, MIN) as i64
    }

    pub(crate) fn max(&self, trail: &Trail) -> i64 {
        self.word(trail, MAX) as i64
    }

    pub(crate) fn size(&self, trail: &Trail) -> u64 {
        self.word(trail, SIZE)
    }

    fn is_removed(&self, trail: &Trail, v: i64) -> bool {
        let len = self.word(trail, REMOVED);
        self.place.get(&v).is_some_and(|&p| u64::from(p) < len && self.removed[p as usize] == v)
    }

    pub(crate) fn contains(&self, trail: &Trail, v: i64) -> bool {
        if v < self.min(trail) || v > self.max(trail) {
            return false;
        }
        let i = self.interval_from(v);
        self.intervals[i].0 <= v && !self.is_removed(trail, v)
    }

    /// The first interval that ends at `v` or later; `v` is at most the maximum.
    fn interval_from(&self, v: i64) -> usize {
        self.intervals.partition_point(|&(_, hi)| hi < v)
    }

    /// The smallest value that is at least `v`; one exists.
    pub(crate) fn next(&self, trail: &Trail, v: i64) -> i64 {
        let mut v = v.max(self.min(trail));
        let mut i = self.interval_from(v);
        loop {
            v = v.max(self.intervals[i].0);
            if !self.is_removed(trail, v) {
                return v;
            }
            v += 1;
            if v > self.intervals[i].1 {
                i += 1;
            }
        }
    }

    /// The largest value that is at most `v`; one exists.
    pub(crate) fn previous(&self, trail: &Trail, v: i64) -> i64 {
        let mut v = v.min(self.max(trail));
        let mut i = self.intervals.partition_point(|&(lo, _)| lo <= v) - 1;
        loop {
            v = v.min(self.intervals[i].1);
            if !self.is_removed(trail, v) {
                return v;
            }
            v -= 1;
            if v < self.intervals[i].0 {
                i = i.wrapping_sub(1);
            }
        }
    }

    /// How many values the domain was born with below `v`.
    fn born_below(&self, v: i64) -> u64 {
        let i = self.interval_from(v);
        match self.intervals.get(i) {
            None => self.before[i - 1] + self.intervals[i - 1].1.abs_diff(self.intervals[i - 1].0) + 1,
            Some(&(lo, _)) => self.before[i] + if v > lo { v.abs_diff(lo) } else { 0 },
        }
    }

    /// How many values there are in `lo..hi`, which lies within the bounds.
    fn count(&self, trail: &Trail, lo: i64, hi: i64) -> u64 {
        let len = self.word(trail, REMOVED);
        let gone = if hi.abs_diff(lo) < len {
            (lo..hi).filter(|&v| self.is_removed(trail, v)).count()
        } else {
            self.removed[..len as usize].iter().filter(|&&v| lo <= v && v < hi).count()
        };
        self.born_below(hi) - self.born_below(lo) - gone as u64
    }

    /// The value that has exactly `k` smaller ones in the domain; `k` is below the size.
    pub(crate) fn nth(&self, trail: &Trail, k: u64) -> i64 {
        let min = self.min(trail);
        let (mut lo, mut hi) = (min, self.max(trail));
        while lo < hi {
            // The largest v with count(min..v) ≤ k lies in lo..=hi.
            let mid = lo + ((hi - lo) as u64).div_ceil(2) as i64;
            if self.count(trail, min, mid) <= k {
                lo = mid;
            } else {
                hi = mid - 1;
            }
        }
        self.previous(trail, lo)
    }

    /// Maximal runs of absent values between the bounds.
    pub(crate) fn gaps(&self, trail: &Trail) -> Vec<(i64, i64)> {
        let (min, max) = (self.min(trail), self.max(trail));
        let len = self.word(trail, REMOVED) as usize;
        let mut gaps: Vec<(i64, i64)> = self.intervals.windows(2).map(|w| (w[0].1 + 1, w[1].0 - 1)).collect();
        gaps.extend(self.removed[..len].iter().map(|&v| (v, v)));
        gaps.retain(|&(lo, hi)| min < lo && hi < max);
        gaps.sort_unstable();
        gaps.dedup_by(|next, run| {
            next.0 == run.1 + 1 && {
                run.1 = next.1;
                true
            }
        });
        gaps
    }

    /// Removes a present value of a domain with at least two.
    pub(crate) fn remove(&mut self, trail: &mut Trail, v: i64) {
        let size = self.size(trail);
        if v == self.min(trail) {
            let min = self.next(trail, v + 1);
            self.set(trail, MIN, min as u64);
        } else if v == self.max(trail) {
            let max = self.previous(trail, v - 1);
            self.set(trail, MAX, max as u64);
        } else {
            let len = self.word(trail, REMOVED) as usize;
            self.removed.truncate(len);
            // Places beyond the length are forgotten lazily, but not without bound.
            if self.place.len() > 2 * len + 64 {
                self.place.clear();
                self.place.extend(self.removed.iter().zip(0..).map(|(&v, p)| (v, p)));
            }
            self.place.insert(v, len as u32);
            self.removed.push(v);
            self.set(trail, REMOVED, len as u64 + 1);
        }
        self.set(trail, SIZE, size - 1);
    }

    /// Raises the minimum to the next value from `v` on; `min < v ≤ max`.
    pub(crate) fn set_min(&mut self, trail: &mut Trail, v: i64) {
        let new = self.next(trail, v);
        let size = self.size(trail) - self.count(trail, self.min(trail), new);
        self.set(trail, MIN, new as u64);
        self.set(trail, SIZE, size);
    }

    /// Lowers the maximum to the next value from `v` down; `min ≤ v < max`.
    pub(crate) fn set_max(&mut self, trail: &mut Trail, v: i64) {
        let new = self.previous(trail, v);
        let size = self.size(trail) - self.count(trail, new + 1, self.max(trail) + 1);
        self.set(trail, MAX, new as u64);
        self.set(trail, SIZE, size);
    }

    /// Leaves only the present value `v`.
    pub(crate) fn fix(&mut self, trail: &mut Trail, v: i64) {
        self.set(trail, MIN, v as u64);
        self.set(trail, MAX, v as u64);
        self.set(trail, SIZE, 1);
    }
}

/// A multiplicative hash of one `i64`; deterministic, as runs must repeat.
#[derive(Debug, Default)]
pub(crate) struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.write_u64(u64::from(b));
        }
    }

    fn write_i64(&mut self, v: i64) {
        self.write_u64(v as u64);
    }

    fn write_u64(&mut self, v: u64) {
        let h = (self.0 ^ v).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = h ^ h >> 32;
    }
}
