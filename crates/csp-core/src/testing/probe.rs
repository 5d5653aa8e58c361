//! An engine with the constraint of a case, and nothing else.

use crate::engine::{Atom, Engine, Fixpoint, Poster, VarId, View};
use crate::model::{Constraint, Domain};

use super::subject::Subject;

/// So many nodes a search for extensions may have.
const NODES: usize = 2000;
/// More values than any variable of a case has.
const MANY: u64 = 10_000;

/// An engine with one constraint. Variable 0 of the engine is the constant 0, variable `i + 1` is
/// variable `i` of the model, and what the constraint adds comes after.
#[derive(Debug)]
pub(super) struct Probe {
    pub(super) engine: Engine,
}

impl Probe {
    /// The constraint on the domains of the model.
    pub(super) fn new(subject: &Subject) -> Probe {
        Probe::over(subject, &subject.domains)
    }

    /// The constraint on other domains.
    pub(super) fn over(subject: &Subject, domains: &[Vec<i64>]) -> Probe {
        let mut engine = Engine::new();
        let mut map = Vec::with_capacity(domains.len());
        for values in domains {
            let domain: Domain = values.iter().copied().collect();
            map.push(View::of(engine.add_variable(domain.intervals())));
        }
        subject.whole.post(&mut Poster { engine: &mut engine, map: &map, condition: None });
        Probe { engine }
    }

    /// The same with the log on.
    pub(super) fn logged(mut self) -> Probe {
        self.engine.store.start_log();
        self
    }

    /// Propagates; `false` if that fails.
    pub(super) fn propagate(&mut self) -> bool {
        self.engine.store.failure = None;
        !self.engine.has_failed() && self.engine.propagate() == Fixpoint::Reached
    }

    /// Asserts atoms and propagates; `false` if that fails.
    pub(super) fn assert(&mut self, atoms: &[Atom]) -> bool {
        atoms.iter().all(|&atom| self.engine.decide(atom).is_ok()) && self.propagate()
    }

    /// Asserts values of the model's variables and propagates; `false` if that fails.
    pub(super) fn assign(&mut self, values: &[i64]) -> bool {
        let atoms: Vec<Atom> =
            values.iter().enumerate().map(|(i, &v)| Atom::eq(VarId(i as u32 + 1), v)).collect();
        self.assert(&atoms)
    }

    /// Values of all variables of the engine with which propagation finds no fault, up to so many; nothing is
    /// left out if there are fewer.
    pub(super) fn extensions(&mut self, limit: usize) -> Vec<Vec<i64>> {
        let mut rows = Vec::new();
        let mut decisions: Vec<Atom> = Vec::new();
        let mut alive = true;
        for _ in 0..NODES {
            let open = (0..self.variables()).find(|&x| self.values(x).len() > 1).filter(|_| alive);
            if let Some(x) = open {
                let decision = Atom::eq(VarId(x as u32), self.values(x)[0]);
                decisions.push(decision);
                self.engine.push_level();
                alive = self.assert(&[decision]);
                continue;
            }
            if alive {
                rows.push(self.domains().concat());
            }
            let Some(decision) = decisions.pop().filter(|_| rows.len() < limit) else { break };
            self.engine.pop_level();
            alive = self.assert(&[decision.negated()]);
        }
        rows
    }

    /// How many variables the engine has.
    pub(super) fn variables(&self) -> usize {
        self.engine.store.variables.len()
    }

    /// The values left to a variable of the engine; of very many, as a variable the constraint adds may have,
    /// only the bounds.
    pub(super) fn values(&self, x: usize) -> Vec<i64> {
        let (store, view) = (&self.engine.store, View::of(VarId(x as u32)));
        if store.size(view) > MANY {
            vec![store.min(view), store.max(view)]
        } else {
            store.values(view).collect()
        }
    }

    /// Which variables of the engine have their domain in one word.
    pub(super) fn are_words(&self, of: std::ops::RangeInclusive<usize>) -> Vec<bool> {
        of.map(|x| self.engine.store.word(VarId(x as u32)).is_some()).collect()
    }

    /// Whether a value is left to a variable of the engine.
    pub(super) fn contains(&self, x: usize, value: i64) -> bool {
        self.engine.store.contains(View::of(VarId(x as u32)), value)
    }

    /// The values left to every variable of the engine.
    pub(super) fn domains(&self) -> Vec<Vec<i64>> {
        (0..self.variables()).map(|x| self.values(x)).collect()
    }

    /// Every trailed word.
    pub(super) fn words(&self) -> Vec<u64> {
        self.engine.store.trail.words().collect()
    }
}
