//! Sets of values a variable can be given: ranges and value sets.

use std::fmt;
use std::ops::{Range, RangeInclusive};

/// A finite set of integers, as sorted, disjoint, non-adjacent intervals.
///
/// Made from ranges (`0..=7`, `0..8`) and from collections of values; an empty one is allowed and
/// makes the model infeasible.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Domain {
    pub(crate) intervals: Vec<(i64, i64)>,
}

impl Domain {
    /// The union of closed intervals, in any order; those with `lo > hi` are empty.
    pub fn from_intervals(intervals: impl IntoIterator<Item = (i64, i64)>) -> Domain {
        let mut sorted: Vec<(i64, i64)> = intervals.into_iter().filter(|(lo, hi)| lo <= hi).collect();
        sorted.sort_unstable();
        let mut intervals: Vec<(i64, i64)> = Vec::with_capacity(sorted.len());
        for (lo, hi) in sorted {
            match intervals.last_mut() {
                Some(last) if lo <= last.1.saturating_add(1) => last.1 = last.1.max(hi),
                _ => intervals.push((lo, hi)),
            }
        }
        Domain { intervals }
    }

    /// Whether no value is in it.
    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// The smallest value.
    pub fn min(&self) -> Option<i64> {
        self.intervals.first().map(|i| i.0)
    }

    /// The largest value.
    pub fn max(&self) -> Option<i64> {
        self.intervals.last().map(|i| i.1)
    }

    /// Whether a value is in it.
    pub fn contains(&self, v: i64) -> bool {
        let i = self.intervals.partition_point(|&(_, hi)| hi < v);
        self.intervals.get(i).is_some_and(|&(lo, _)| lo <= v)
    }

    /// The values that are in both.
    pub(crate) fn intersection(&self, other: &Domain) -> Domain {
        let (mut i, mut j, mut both) = (0, 0, Vec::new());
        while let (Some(&(a, b)), Some(&(c, d))) = (self.intervals.get(i), other.intervals.get(j)) {
            both.push((a.max(c), b.min(d)));
            if b < d { i += 1 } else { j += 1 }
        }
        Domain::from_intervals(both)
    }

    /// What `scale · x + offset` can be for a scale of ±1 where `x` is of this domain.
    pub(crate) fn seen_through(&self, scale: i64, offset: i64) -> Domain {
        Domain::from_intervals(self.intervals.iter().map(|&(low, high)| {
            let (a, b) = (scale * low + offset, scale * high + offset);
            (a.min(b), a.max(b))
        }))
    }

    /// The closed intervals it consists of, ascending.
    pub fn intervals(&self) -> &[(i64, i64)] {
        &self.intervals
    }
}

impl From<RangeInclusive<i64>> for Domain {
    fn from(range: RangeInclusive<i64>) -> Domain {
        Domain::from_intervals([(*range.start(), *range.end())])
    }
}

impl From<Range<i64>> for Domain {
    fn from(range: Range<i64>) -> Domain {
        if range.is_empty() { Domain { intervals: Vec::new() } } else { (range.start..=range.end - 1).into() }
    }
}

impl From<&[i64]> for Domain {
    fn from(values: &[i64]) -> Domain {
        values.iter().copied().collect()
    }
}

impl From<Vec<i64>> for Domain {
    fn from(values: Vec<i64>) -> Domain {
        values.into_iter().collect()
    }
}

impl<const N: usize> From<[i64; N]> for Domain {
    fn from(values: [i64; N]) -> Domain {
        values.into_iter().collect()
    }
}

impl FromIterator<i64> for Domain {
    fn from_iter<I: IntoIterator<Item = i64>>(values: I) -> Domain {
        Domain::from_intervals(values.into_iter().map(|v| (v, v)))
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [(lo, hi)] = self.intervals[..]
            && lo < hi
        {
            return write!(f, "{lo}..={hi}");
        }
        f.write_str("{")?;
        for (i, &(lo, hi)) in self.intervals.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            if lo == hi { write!(f, "{lo}")? } else { write!(f, "{lo}..={hi}")? }
        }
        f.write_str("}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_ranges_become_intervals() {
        assert_eq!(Domain::from([5, 1, 2, 2, 9, 3]).intervals(), [(1, 3), (5, 5), (9, 9)]);
        assert_eq!(Domain::from(3..3).intervals(), []);
        assert_eq!(Domain::from(i64::MIN..i64::MIN + 1).intervals(), [(i64::MIN, i64::MIN)]);
        assert_eq!(Domain::from([5, 1, 2, 9, 3]).to_string(), "{1..=3, 5, 9}");
        assert_eq!(Domain::from(0..=7).to_string(), "0..=7");
        assert!(Domain::from([1, 5]).contains(5) && !Domain::from([1, 5]).contains(3));
    }
}
