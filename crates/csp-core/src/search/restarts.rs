//! When a search begins anew.

/// When a search gives up its path and begins again at the root, by the number of failures since it last did.
///
/// Early decisions are made when little is known, and a search that made a wrong one may not live to see the
/// end of it; with a strategy that learns or is random, beginning anew makes better ones. Nothing is
/// searched twice and nothing is missed: what was left behind is excluded by
/// nogoods (Lecoutre, Saïs, Tabary and Vidal, 2007). So counting and enumerating stay exact, and the answer "there
/// is no (better) solution" is a proof. Each restart costs memory for its nogoods, until the search ends;
/// [`Limits::memory`](crate::Limits::memory) takes care of that.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let xs = model.ints(5, 0..5);
/// model.post(all_different(&xs));
/// let mut solver = model.solver()?;
/// solver.set_search(branch(&xs).random_variable().random_value());
/// solver.set_restarts(Restarts::luby(1));
/// assert_eq!(solver.count().solutions, 120);
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restarts(Kind);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Never,
    Luby(u64),
    Geometric(u64, f64),
    Glucose,
}

impl Restarts {
    /// No restarts, but where a search that learns has learnt twice as much as it
    /// [may keep](crate::Solver::set_clause_limit).
    pub fn never() -> Restarts {
        Restarts(Kind::Never)
    }

    /// After `unit` times 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, … failures (Luby, Sinclair and
    /// Zuckerman, 1993). A unit of 0 counts as 1.
    pub fn luby(unit: u64) -> Restarts {
        Restarts(Kind::Luby(unit.max(1)))
    }

    /// After `first` failures, then `factor` times as many, and so on. A first number of 0 counts as 1, a
    /// factor below 1 as 1.
    pub fn geometric(first: u64, factor: f64) -> Restarts {
        // `max` also takes care of a factor that is not a number.
        Restarts(Kind::Geometric(first.max(1), factor.max(1.0)))
    }

    /// When what is learnt becomes worse than it was on average: when the last clauses came from many more levels
    /// than clauses did so far (Audemard, Simon 2012). A search that does not [learn](crate::Mode) begins anew as with
    /// [`luby(100)`](Self::luby).
    pub fn glucose() -> Restarts {
        Restarts(Kind::Glucose)
    }
}

/// The restarts of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    kind: Kind,
    /// Restarts so far.
    number: u64,
    /// The length of the next run, where each is made of the one before.
    length: f64,
    /// Levels of the clauses learnt lately, and of all, as moving averages.
    lately: f64,
    always: f64,
    /// Clauses learnt, and as many as there were at the last restart.
    learnt: u64,
    last: u64,
}

/// A moving average over about so many of the last clauses, or of all.
const LATELY: f64 = 32.0;
const ALWAYS: f64 = 8192.0;
/// The last clauses are worse than others if they come from this many times as many levels.
const WORSE: f64 = 1.2;
/// A run learns at least so many clauses.
const SHORTEST: u64 = 50;

impl Schedule {
    pub(crate) fn new(restarts: Restarts) -> Schedule {
        let length = if let Kind::Geometric(first, _) = restarts.0 { first as f64 } else { 0.0 };
        Schedule { kind: restarts.0, number: 0, length, lately: 0.0, always: 0.0, learnt: 0, last: 0 }
    }

    /// Notes from how many levels a clause came; whether to begin anew for that.
    pub(crate) fn learnt(&mut self, levels: u32) -> bool {
        if self.kind != Kind::Glucose {
            return false;
        }
        self.learnt += 1;
        let towards = |average: &mut f64, over: f64| {
            *average += (f64::from(levels) - *average) / over.min(self.learnt as f64);
        };
        towards(&mut self.lately, LATELY);
        towards(&mut self.always, ALWAYS);
        let is_time = self.learnt >= self.last + SHORTEST && self.lately > WORSE * self.always;
        if is_time {
            self.last = self.learnt;
        }
        is_time
    }

    pub(crate) fn is_never(&self) -> bool {
        self.kind == Kind::Never
    }

    /// How many failures the next run may have.
    pub(crate) fn next(&mut self) -> u64 {
        self.number += 1;
        match self.kind {
            Kind::Never => u64::MAX,
            Kind::Luby(unit) => unit.saturating_mul(luby(self.number)),
            Kind::Glucose if self.learnt > 0 => u64::MAX,
            Kind::Glucose => luby(self.number).saturating_mul(100),
            Kind::Geometric(_, factor) => {
                let length = self.length;
                self.length = length * factor;
                length as u64
            }
        }
    }
}

/// Number `i` of the sequence 1, 1, 2, 1, 1, 2, 4, …, counted from 1.
fn luby(mut i: u64) -> u64 {
    loop {
        // The smallest 2^k − 1 that is at least i.
        let whole = i.checked_add(1).and_then(u64::checked_next_power_of_two).map_or(u64::MAX, |p| p - 1);
        if i == whole {
            return whole / 2 + 1;
        }
        i -= whole / 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences() {
        let first = |restarts: Restarts, n: usize| -> Vec<u64> {
            let mut schedule = Schedule::new(restarts);
            (0..n).map(|_| schedule.next()).collect()
        };
        assert_eq!(first(Restarts::luby(3), 15), [3, 3, 6, 3, 3, 6, 12, 3, 3, 6, 3, 3, 6, 12, 24]);
        assert_eq!(first(Restarts::geometric(10, 1.5), 4), [10, 15, 22, 33]);
        assert_eq!(first(Restarts::geometric(0, f64::NAN), 3), [1, 1, 1]);
        assert_eq!(first(Restarts::geometric(u64::MAX, 1e300), 3), [u64::MAX; 3]);
        assert_eq!(first(Restarts::never(), 1), [u64::MAX]);
        assert_eq!(luby(u64::MAX), 1 << 63);
    }
}
