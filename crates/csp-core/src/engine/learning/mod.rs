//! Learning from conflicts: lazy clause generation (Ohrimenko, Stuckey, Codish 2009) on the log of changes.
//!
//! With learning on, every change is in the log with its reason. A conflict is traced back through the reasons
//! to a *nogood*, atoms that cannot all hold ([`analysis`]), which is kept as a clause of the opposite
//! atoms ([`clauses`]) and reaches its fixpoint before any propagator runs. Atoms are looked up in the domains and
//! in the log; no variable is encoded.
//!
//! Everything learnt follows from the model alone, and is kept for later searches: a clause that also owes something to the
//! demand for a better solution has the opposite of that demand among its atoms. What was learnt on a root level is
//! forgotten with it.

mod analysis;
mod clauses;

use super::kernel::Engine;
use super::log::Position;
use super::reason::{Atom, Explanation, Reason, UNCONDITIONAL};
use super::store::{Conflict, Failure, Pruned};
use super::view::VarId;

use analysis::Analysis;
pub(crate) use clauses::CLAUSE_LIMIT;
pub(super) use clauses::Clauses;

/// All that learning needs beside the log.
#[derive(Debug)]
pub(crate) struct Learning {
    pub(super) clauses: Clauses,
    analysis: Analysis,
    /// What was demanded of the objective last.
    demand: Option<Atom>,
    /// What follows without a decision may follow from the demand, from this entry on.
    demanded: Position,
    /// For developers: a solution that no clause may exclude, by variable of the engine as far as it is known there.
    known: Vec<Option<i64>>,
}

/// What one conflict taught.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lesson {
    /// How many decisions stay in force.
    pub(crate) depth: usize,
    /// How many levels had a part in it.
    pub(crate) lbd: u32,
    clause: u32,
}

impl Default for Learning {
    fn default() -> Learning {
        Learning {
            clauses: Clauses::default(),
            analysis: Analysis::default(),
            demand: None,
            demanded: Position::MAX,
            known: Vec::new(),
        }
    }
}

impl Engine {
    /// Begins to learn, with what was learnt before. Lessons are checked against a known solution, as far as one is given.
    /// Tells how many clauses it forgets first, if there were too many.
    pub(crate) fn start_learning(&mut self, known: Vec<Option<i64>>) -> u64 {
        self.store.start_log();
        let mut learning = self.learnt.take().unwrap_or_default();
        (learning.demand, learning.demanded, learning.known) = (None, Position::MAX, known);
        learning.analysis.dropped = 0;
        self.store.running = super::reason::CLAUSES;
        let begun = learning.clauses.begin(&mut self.store);
        self.learning = Some(learning);
        begun.unwrap_or_else(|Conflict| {
            self.set_failed();
            0
        })
    }

    /// Stops to learn. What was learnt is kept.
    pub(crate) fn stop_learning(&mut self) {
        if let Some(learning) = self.learning.take() {
            self.learnt = Some(learning);
            self.store.stop_log();
        }
    }

    /// Forgets what was learnt on root levels that are gone.
    pub(super) fn forget_learnt(&mut self) {
        if let Some(learnt) = &mut self.learnt {
            learnt.clauses.forget_above(self.store.root_level);
        }
    }

    /// How many clauses to keep about, from the next reduction on.
    pub(crate) fn limit_clauses(&mut self, limit: usize) {
        self.learnt.get_or_insert_default().clauses.limit = limit;
    }

    pub(crate) fn learns(&self) -> bool {
        self.learning.is_some()
    }

    /// Demands something of the objective in all that is still to be searched.
    pub(crate) fn demand(&mut self, atom: Atom) -> Pruned {
        let now = self.store.log.now();
        if let Some(learning) = &mut self.learning {
            learning.demand = Some(atom);
            if self.store.trail.level() <= self.store.root_level + 1 {
                learning.demanded = learning.demanded.min(now);
            }
        }
        self.store.assert(atom, Reason::FACT)
    }

    /// Keeps a fact about all solutions for later searches.
    pub(crate) fn keep_fact(&mut self, atom: Atom) {
        let root = self.store.root_level;
        if let Some(learning) = &mut self.learning {
            learning.clauses.add(&[atom], 0, root);
        }
    }

    /// Keeps for good that some atoms, which hold here, are not wanted together again. A single one is a lesson; of
    /// more it makes a conflict.
    pub(crate) fn exclude(&mut self, atoms: &[Atom]) -> Option<Lesson> {
        let clause = self.learning.as_mut()?.clauses.exclude(&self.store, atoms);
        if atoms.len() == 1 {
            return Some(Lesson { depth: 0, lbd: 0, clause });
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
        let root = self.store.root_level;
        let learning = self.learning.as_mut()?;
        if let (true, Some(demand)) = (analysis.is_demanded, learning.demand) {
            analysis.literals.push(demand.negated());
        }
        learning.clauses.note_use(&analysis.used);
        let lesson = found.then(|| {
            let clause = learning.clauses.add(&analysis.literals, analysis.lbd, root);
            Lesson { depth: analysis.depth, lbd: analysis.lbd, clause }
        });
        learning.analysis = analysis;
        lesson
    }

    /// The clause that was learnt.
    pub(crate) fn literals(&self, lesson: Lesson) -> &[Atom] {
        self.learning.as_ref().map_or(&[], |learning| learning.clauses.literals(lesson.clause))
    }

    /// Makes true what was learnt, after undoing.
    pub(crate) fn apply(&mut self, lesson: Lesson) -> Pruned {
        let Some(learning) = &self.learning else { return Ok(()) };
        let atom = learning.clauses.literals(lesson.clause)[0];
        self.store.assert(atom, Reason::clause(lesson.clause))
    }

    /// The decisions, by number, that something which holds follows from.
    pub(crate) fn decisions_behind(&mut self, atom: Atom) -> Vec<usize> {
        let Some(learning) = &mut self.learning else { return Vec::new() };
        let mut analysis = std::mem::take(&mut learning.analysis);
        let decisions = analysis.decisions_behind(self, atom);
        if let Some(learning) = &mut self.learning {
            learning.analysis = analysis;
        }
        decisions
    }

    /// The variables that had a part in the last conflict.
    pub(crate) fn blamed(&self) -> &[VarId] {
        self.learning.as_ref().map_or(&[], |learning| &learning.analysis.blamed)
    }

    /// Whether a known solution contradicts a lesson.
    pub(crate) fn is_wrong(&self, lesson: Lesson) -> bool {
        let Some(learning) = &self.learning else { return false };
        let value = |atom: &Atom| learning.known.get(atom.var().index()).copied().flatten();
        let is_false = |atom: &Atom| value(atom).is_some_and(|value| !atom.holds(value));
        learning.clauses.literals(lesson.clause).iter().all(is_false)
    }

    /// Whether a known solution contradicts that nothing is left: it is not even excluded by the demand.
    pub(crate) fn is_wrong_to_end(&self) -> bool {
        let Some(learning) = &self.learning else { return false };
        let value = |atom: Atom| learning.known.get(atom.var().index()).copied().flatten();
        match learning.demand {
            None => learning.known.iter().any(Option::is_some),
            Some(demand) => value(demand).is_some_and(|value| demand.holds(value)),
        }
    }

    /// How many atoms were dropped from lessons because they follow from others.
    pub(crate) fn dropped_atoms(&self) -> u64 {
        self.learning.as_ref().map_or(0, |learning| learning.analysis.dropped)
    }

    /// Whether so much was learnt that some of it should be forgotten now.
    pub(crate) fn is_full(&self) -> bool {
        self.learning.as_ref().is_some_and(|learning| learning.clauses.is_full())
    }

    /// Forgets the less useful part of what was learnt, if it is too much, and tells how many clauses. Only where no decision
    /// is in force.
    ///
    /// # Errors
    /// If nothing is left to search.
    pub(crate) fn reduce(&mut self) -> Result<u64, Conflict> {
        match &mut self.learning {
            Some(learning) => learning.clauses.reduce(&mut self.store),
            None => Ok(0),
        }
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
