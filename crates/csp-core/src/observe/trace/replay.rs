//! The domains at any point of a trace.

use super::event::{Range, Trace, TraceEvent, TracedVariable};

/// The domains of a trace's variables, brought forward event by event.
///
/// ```
/// use csp_core::observe::TracedDomains;
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let (x, y) = (model.int(0..=9), model.int(0..=9));
/// model.post(rule!(x + 7 <= y));
/// let mut solver = model.solver()?;
/// solver.set_trace(Tracing::new());
/// solver.count();
/// let trace = solver.take_trace().expect("it was asked for");
/// let mut domains = TracedDomains::new(&trace);
/// for event in trace.events.iter().take_while(|event| **event != TraceEvent::Fixpoint) {
///     domains.apply(event);
/// }
/// assert_eq!((domains.of(0), domains.of(1)), (&[(0, 2)][..], &[(7, 9)][..]));
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct TracedDomains {
    domains: Vec<Vec<Range>>,
    /// The changes in force, in order.
    changes: Vec<(usize, Vec<Range>)>,
}

impl TracedDomains {
    /// Those before the first event.
    pub fn new(trace: &Trace) -> TracedDomains {
        TracedDomains::of_variables(&trace.variables)
    }

    pub(super) fn of_variables(variables: &[TracedVariable]) -> TracedDomains {
        let domains = variables.iter().map(|x| x.initial.clone()).collect();
        TracedDomains { domains, changes: Vec::new() }
    }

    /// The values left to a variable, as ascending intervals.
    pub fn of(&self, variable: usize) -> &[Range] {
        self.domains.get(variable).map_or(&[], |domain| domain)
    }

    /// Does what an event says.
    pub fn apply(&mut self, event: &TraceEvent) {
        match event {
            TraceEvent::Change { variable, removed, .. } => {
                if let Some(domain) = self.domains.get_mut(*variable) {
                    removed.iter().for_each(|&range| remove(domain, range));
                    self.changes.push((*variable, removed.clone()));
                }
            }
            TraceEvent::Undo { changes, .. } => self.undo(*changes),
            _ => {}
        }
    }

    /// Takes back the last changes.
    fn undo(&mut self, changes: usize) {
        for (variable, removed) in self.changes.drain(self.changes.len().saturating_sub(changes)..).rev() {
            removed.iter().for_each(|&range| restore(&mut self.domains[variable], range));
        }
    }

    /// The values of a variable that lie in an interval.
    pub(super) fn within(&self, variable: usize, (low, high): Range) -> Vec<Range> {
        let domain = self.of(variable);
        let first = domain.partition_point(|range| range.1 < low);
        let touched = domain[first..].iter().take_while(|range| range.0 <= high);
        touched.map(|range| (range.0.max(low), range.1.min(high))).collect()
    }
}

/// Takes an interval out of ascending ones.
pub(super) fn remove(domain: &mut Vec<Range>, (low, high): Range) {
    let first = domain.partition_point(|range| range.1 < low);
    let last = domain.partition_point(|range| range.0 <= high);
    if first >= last {
        return;
    }
    let (start, end) = (domain[first].0, domain[last - 1].1);
    let below = low.checked_sub(1).map(|low| (start, low)).filter(|range| range.0 <= range.1);
    let above = high.checked_add(1).map(|high| (high, end)).filter(|range| range.0 <= range.1);
    domain.splice(first..last, below.into_iter().chain(above));
}

/// Puts an interval back between ascending ones that have none of it.
fn restore(domain: &mut Vec<Range>, (mut low, mut high): Range) {
    let mut first = domain.partition_point(|range| range.1 < low);
    let mut last = first;
    if first > 0 && domain[first - 1].1.checked_add(1) == Some(low) {
        first -= 1;
        low = domain[first].0;
    }
    if domain.get(last).is_some_and(|range| high.checked_add(1) == Some(range.0)) {
        high = domain[last].1;
        last += 1;
    }
    domain.splice(first..last, [(low, high)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_taken_out_and_put_back() {
        let mut rng = fastrand::Rng::with_seed(6);
        for _ in 0..200 {
            let mut domain = vec![(0, 30)];
            let mut values: Vec<bool> = vec![true; 31];
            let mut taken: Vec<Range> = Vec::new();
            for _ in 0..60 {
                let (low, high) = (rng.i64(0..=30), rng.i64(0..=30));
                let is_all_there = low <= high && values[low as usize..=high as usize].iter().all(|&v| v);
                if rng.bool() && is_all_there {
                    remove(&mut domain, (low, high));
                    values[low as usize..=high as usize].fill(false);
                    taken.push((low, high));
                } else if let Some((low, high)) = taken.pop() {
                    restore(&mut domain, (low, high));
                    values[low as usize..=high as usize].fill(true);
                }
                let there: Vec<bool> =
                    (0..=30).map(|v| domain.iter().any(|range| range.0 <= v && v <= range.1)).collect();
                assert_eq!(there, values);
                assert!(domain.windows(2).all(|pair| pair[0].1 + 1 < pair[1].0), "{domain:?}");
            }
        }
    }
}
