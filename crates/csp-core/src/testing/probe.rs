//! An engine with the constraint of a case, and nothing else.

use crate::engine::{Atom, Engine, Fixpoint, Poster, VarId, View};
use crate::model::{Constraint, Domain};

use super::subject::Subject;

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

    /// How many variables the engine has.
    pub(super) fn variables(&self) -> usize {
        self.engine.store.variables.len()
    }

    /// The values left to a variable of the engine.
    pub(super) fn values(&self, x: usize) -> Vec<i64> {
        self.engine.store.values(View::of(VarId(x as u32))).collect()
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
