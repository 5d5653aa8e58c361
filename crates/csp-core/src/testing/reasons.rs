//! Whether reasons are right: they held, they imply what they are to explain, and they make it again.

use std::collections::BTreeSet;

use crate::engine::{Atom, Cause, History, Position, Relation};
use crate::model::{Consistency, Constraint};

use super::fault::{Fault, FaultKind};
use super::probe::Probe;
use super::subject::Subject;

/// Checks the reasons of one walk; those that were found right are not checked again.
#[derive(Debug)]
pub(super) struct Reasons<'a> {
    subject: &'a Subject,
    right: BTreeSet<(Vec<Atom>, Option<Atom>)>,
    rng: fastrand::Rng,
    pub(super) checked: u64,
}

impl<'a> Reasons<'a> {
    pub(super) fn new(subject: &'a Subject) -> Reasons<'a> {
        Reasons { subject, right: BTreeSet::new(), rng: fastrand::Rng::with_seed(0), checked: 0 }
    }

    /// Checks the reasons of the changes made by propagation since `from`, and of one before.
    pub(super) fn check_changes(&mut self, probe: &Probe, from: Position) -> Result<(), Fault> {
        let log = &probe.engine.store.log;
        for position in from..log.now() {
            if log.entry(position).reason.cause() == Cause::Decision {
                let words = format!("{} without a reason", self.subject.words(log.entry(position).atom()));
                return Err(Fault::new(FaultKind::Reason, words));
            }
            self.check_change(probe, position)?;
        }
        if from > 0 {
            let earlier = self.rng.u32(0..from);
            if log.entry(earlier).reason.cause() != Cause::Decision {
                self.check_change(probe, earlier)?;
            }
        }
        Ok(())
    }

    /// Checks the reason of one change, and of something weaker.
    fn check_change(&mut self, probe: &Probe, position: Position) -> Result<(), Fault> {
        let entry = probe.engine.store.log.entry(position);
        let atom = entry.atom();
        self.check_reason(probe, position, atom)?;
        let weaker = match atom.relation() {
            Relation::Ge => Atom::ge(atom.var(), self.rng.i64(entry.old + 1..=entry.new)),
            Relation::Le => Atom::le(atom.var(), self.rng.i64(entry.new..entry.old)),
            Relation::Eq | Relation::Ne => atom,
        };
        if weaker == atom { Ok(()) } else { self.check_reason(probe, position, weaker) }
    }

    fn check_reason(&mut self, probe: &Probe, position: Position, atom: Atom) -> Result<(), Fault> {
        let reason = probe.engine.explain(position, atom);
        self.check(probe, position, reason.atoms(), Some(atom)).map_err(|trouble| {
            let (words, list) = (self.subject.words(atom), self.subject.list(reason.atoms()));
            Fault::new(FaultKind::Reason, format!("{words} because of {list}: {trouble}"))
        })
    }

    /// Checks the reason of the failure that has just happened.
    pub(super) fn check_failure(&mut self, probe: &Probe) -> Result<(), Fault> {
        let Some(reason) = probe.engine.explain_failure() else {
            return Err(Fault::new(FaultKind::FailureReason, "a failure without a reason"));
        };
        let now = probe.engine.store.log.now();
        self.check(probe, now, reason.atoms(), None).map_err(|trouble| {
            let list = self.subject.list(reason.atoms());
            Fault::new(FaultKind::FailureReason, format!("failure because of {list}: {trouble}"))
        })
    }

    fn check(
        &mut self,
        probe: &Probe,
        position: Position,
        reason: &[Atom],
        atom: Option<Atom>,
    ) -> Result<(), String> {
        self.checked += 1;
        let store = &probe.engine.store;
        let history = History { log: &store.log, position, scope: &[] };
        if let Some(&wrong) = reason.iter().find(|&&a| !history.holds(a)) {
            return Err(format!("{} did not hold", self.subject.words(wrong)));
        }
        let key = (reason.to_vec(), atom);
        if self.right.contains(&key) {
            return Ok(());
        }
        let holds = |a: Atom, row: &[i64]| row.get(a.var().index()).is_some_and(|&v| a.holds(v));
        for row in &self.subject.extended {
            if reason.iter().all(|&a| holds(a, row)) && atom.is_none_or(|a| !holds(a, row)) {
                let values = &row[1..=self.subject.domains.len()];
                return Err(format!("not so in the solution {}", self.subject.words_of(values)));
            }
        }
        // Where several propagators share variables of their own, how much one sees depends on how wide these
        // are, and so on more than the reason.
        if self.subject.adds_variables && self.subject.whole.consistency() == Consistency::Check {
            self.right.insert(key);
            return Ok(());
        }
        let mut fresh = Probe::new(self.subject);
        if fresh.assert(reason) && atom.is_none_or(|a| fresh.engine.store.truth(a) != Some(true)) {
            return Err("asserted alone, it does not lead there".into());
        }
        self.right.insert(key);
        Ok(())
    }
}
