//! Learning from conflicts: lazy clause generation (Ohrimenko, Stuckey, Codish 2009) on the log of changes.
//!
//! With learning on, every change is in the log with its reason. A conflict is traced back through the reasons
//! to a *nogood*, atoms that cannot all hold ([`analysis`]), which is kept as a clause of the opposite
//! atoms ([`clauses`]) and reaches its fixpoint before any propagator runs. Atoms are looked up in the domains and
//! in the log; no variable is encoded.
//!
//! Everything learnt follows from the model and from what was stated with [`Reason::FACT`], and is forgotten
//! with the search.

mod analysis;
mod clauses;

use super::kernel::Engine;
use super::reason::{Atom, Explanation, Reason, UNCONDITIONAL};
use super::store::{Conflict, Failure, Pruned};
use super::view::VarId;

use analysis::Analysis;
pub(super) use clauses::Clauses;

/// All that learning needs beside the log.
#[derive(Debug, Default)]
pub(crate) struct Learning {
    pub(super) clauses: Clauses,
    analysis: Analysis,
}

/// What one conflict taught.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lesson {
    /// How many decisions stay in force.
    pub(crate) depth: usize,
    clause: u32,
}

impl Engine {
    /// Begins to learn, or stops and forgets.
    pub(crate) fn set_learning(&mut self, on: bool) {
        if on {
            self.store.start_log();
            let mut learning = Box::<Learning>::default();
            learning.clauses.reserve(self.store.variables.len());
            self.learning = Some(learning);
        } else if self.learning.take().is_some() {
            self.store.stop_log();
        }
    }

    pub(crate) fn learns(&self) -> bool {
        self.learning.is_some()
    }

    /// States what holds in all that is still to be searched.
    pub(crate) fn state(&mut self, atom: Atom) -> Pruned {
        self.store.assert(atom, Reason::FACT)
    }

    /// Keeps for good that some atoms, which hold here, are not wanted together again. A single one is a lesson; of
    /// more it makes a conflict.
    pub(crate) fn exclude(&mut self, atoms: &[Atom]) -> Option<Lesson> {
        let clause = self.learning.as_mut()?.clauses.exclude(&self.store, atoms);
        if atoms.len() == 1 {
            return Some(Lesson { depth: 0, clause });
        }
        let reason = self.store.log.eager(UNCONDITIONAL, |out: &mut Explanation| {
            out.extend(atoms.iter().copied());
        });
        self.store.failure = Some(Failure { atom: None, reason });
        None
    }

    /// Learns from the failure that has just happened; none if it follows from facts alone.
    pub(crate) fn learn(&mut self) -> Option<Lesson> {
        // Taken out, since what is analysed is the rest of the engine, the clauses included.
        let mut analysis = std::mem::take(&mut self.learning.as_mut()?.analysis);
        let found = analysis.run(self);
        let learning = self.learning.as_mut()?;
        let lesson = found.then(|| {
            let clause = learning.clauses.add(&analysis.literals, analysis.lbd);
            Lesson { depth: analysis.depth, clause }
        });
        learning.analysis = analysis;
        lesson
    }

    /// Makes true what was learnt, after undoing.
    pub(crate) fn apply(&mut self, lesson: Lesson) -> Pruned {
        let Some(learning) = &self.learning else { return Ok(()) };
        let atom = learning.clauses.literals(lesson.clause)[0];
        self.store.assert(atom, Reason::clause(lesson.clause))
    }

    /// The variables that had a part in the last conflict.
    pub(crate) fn blamed(&self) -> &[VarId] {
        self.learning.as_ref().map_or(&[], |learning| &learning.analysis.blamed)
    }

    /// Forgets the less useful half of what was learnt, if it is too much. Only where no decision is in force.
    pub(crate) fn reduce(&mut self) {
        let Some(learning) = &mut self.learning else { return };
        learning.clauses.reduce(&self.store);
    }

    /// Brings the clauses to their fixpoint.
    #[inline]
    pub(super) fn propagate_clauses(&mut self) -> Result<(), Conflict> {
        if let Some(learning) = &mut self.learning {
            self.store.running = super::reason::CLAUSES;
            learning.clauses.propagate(&mut self.store)?;
        }
        Ok(())
    }
}
