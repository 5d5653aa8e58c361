//! Whether a node is as consistent as the constraint declares, by brute force.

use crate::model::Consistency;

use super::Relaxed;
use super::fault::{Fault, FaultKind};
use super::subject::{Demand, Subject, Tuples};

/// So many tuples are looked through to see whether a bound has a support.
const LIMIT: u128 = 40_000;

/// Checks what is promised of `domains`, the values left to each variable of the model. `false` if they
/// are too wide to tell.
pub(super) fn check(
    subject: &Subject,
    demand: Demand,
    relaxed: Option<&Relaxed>,
    domains: &[Vec<i64>],
) -> Result<bool, Fault> {
    let places: Vec<Vec<i64>> = subject
        .views
        .iter()
        .map(|x| {
            let values = x.var.index().map_or(vec![0], |i| domains[i].clone());
            let mut values: Vec<i64> = values.into_iter().filter_map(|v| x.apply(v)).collect();
            values.sort_unstable();
            values
        })
        .collect();
    let node = Node { subject, demand, places };
    match demand.consistency {
        Consistency::Check => Ok(true),
        Consistency::Value => node.by_value(),
        Consistency::Bounds => node.by_bounds(),
        Consistency::RealBounds => {
            node.by_value()?;
            // What is given is about the constraint, not about its negation.
            relaxed.filter(|_| !demand.negated).map_or(Ok(true), |exists| node.by_real_bounds(exists))
        }
        Consistency::Domain => node.by_domain(),
    }
}

struct Node<'a> {
    subject: &'a Subject,
    demand: Demand,
    /// Values of each view, ascending.
    places: Vec<Vec<i64>>,
}

impl Node<'_> {
    /// Whether a tuple of these lists satisfies the constraint.
    fn is_supported(&self, lists: Vec<Vec<i64>>) -> bool {
        let mut buffer = self.subject.places.buffer();
        let mut tuples = Tuples::new(lists);
        while tuples.next() {
            if self.subject.places.hold(&mut buffer, tuples.values()) != self.demand.negated {
                return true;
            }
        }
        false
    }

    fn weak(&self, place: usize, value: i64, why: &str) -> Fault {
        let name = self.subject.model.names().of(self.subject.views[place]);
        Fault::new(FaultKind::Weak, format!("{name} keeps {value}, {why}; values left: {:?}", self.places))
    }

    fn by_value(&self) -> Result<bool, Fault> {
        let open: Vec<usize> = (0..self.places.len()).filter(|&i| self.places[i].len() > 1).collect();
        if let [i] = open[..] {
            for &value in &self.places[i] {
                let mut lists = self.places.clone();
                lists[i] = vec![value];
                if !self.is_supported(lists) {
                    return Err(self.weak(i, value, "the only one open, though that completes no solution"));
                }
            }
        }
        Ok(true)
    }

    fn by_domain(&self) -> Result<bool, Fault> {
        for (i, values) in self.places.iter().enumerate() {
            for &value in values {
                let mut lists = self.places.clone();
                lists[i] = vec![value];
                if !self.is_supported(lists) {
                    return Err(self.weak(i, value, "which no solution has"));
                }
            }
        }
        Ok(true)
    }

    fn bounds(&self) -> Vec<(i64, i64)> {
        self.places.iter().map(|values| (values[0], values[values.len() - 1])).collect()
    }

    fn by_bounds(&self) -> Result<bool, Fault> {
        let bounds = self.bounds();
        let tuples = bounds.iter().map(|&(lo, hi)| u128::from(hi.abs_diff(lo)) + 1);
        if tuples.fold(1, u128::saturating_mul) > LIMIT {
            return Ok(false);
        }
        let ranges: Vec<Vec<i64>> = bounds.iter().map(|&(lo, hi)| (lo..=hi).collect()).collect();
        for (i, &(lo, hi)) in bounds.iter().enumerate() {
            for bound in [lo, hi] {
                let mut lists = ranges.clone();
                lists[i] = vec![bound];
                if !self.is_supported(lists) {
                    return Err(self.weak(i, bound, "a bound without a solution of integers within bounds"));
                }
            }
        }
        Ok(true)
    }

    fn by_real_bounds(&self, exists: &Relaxed) -> Result<bool, Fault> {
        let bounds = self.bounds();
        for (i, &(lo, hi)) in bounds.iter().enumerate() {
            for bound in [lo, hi] {
                let mut within = bounds.clone();
                within[i] = (bound, bound);
                if !exists(&within, &mut self.subject.params()) {
                    return Err(self.weak(i, bound, "a bound without a solution of reals within bounds"));
                }
            }
        }
        Ok(true)
    }
}
