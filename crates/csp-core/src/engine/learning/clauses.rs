//! Clauses over atoms, with two watches each.
//!
//! A clause watches two of its atoms that are not false, the first two. Entries of the log are looked at one
//! after the other, and of each variable's watches those whose threshold the entry crosses. (Two watched
//! literals: Moskewicz et al. 2001; a *blocker*, another atom of the clause, saves most looks at the clause:
//! Sörensson, Eén 2008.)

use crate::engine::log::Side;
use crate::engine::reason::{Atom, Reason, Relation};
use crate::engine::store::{Conflict, Pruned, Store};
use crate::engine::view::VarId;

/// One of these atoms holds.
#[derive(Clone, Copy, Debug)]
struct Clause {
    start: u32,
    len: u32,
    /// How many levels its atoms came from when it was learnt; few promise much (Audemard, Simon 2009). 0 if
    /// it is to be kept for good.
    lbd: u32,
    /// The root level it was learnt on, with whose constraints it is forgotten.
    root: u32,
    /// It had a part in a conflict since the last reduction.
    is_used: bool,
}

impl Clause {
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// A clause that watches an atom of the variable.
#[derive(Clone, Copy, Debug)]
struct Watched {
    /// The atom, whose variable is known from the place.
    relation: Relation,
    value: i64,
    clause: u32,
    /// Another atom of the clause.
    blocker: Atom,
}

/// The watches of one variable, by what makes the atom false.
#[derive(Debug, Default)]
struct Watches {
    /// `[x ≤ v]`, false when the minimum rises.
    by_min: Vec<Watched>,
    /// `[x ≥ v]`, false when the maximum falls.
    by_max: Vec<Watched>,
    /// `[x = v]` and `[x ≠ v]`.
    by_value: Vec<Watched>,
}

impl Watches {
    fn list(&mut self, relation: Relation) -> &mut Vec<Watched> {
        match relation {
            Relation::Le => &mut self.by_min,
            Relation::Ge => &mut self.by_max,
            Relation::Eq | Relation::Ne => &mut self.by_value,
        }
    }
}

/// Clauses above which the first reduction takes place, if nothing else is wished.
pub(crate) const CLAUSE_LIMIT: usize = 4000;
/// After each reduction the limit grows by this part of the first one.
const GROWTH: usize = 8;
/// Clauses of so few levels are kept.
const GLUE: u32 = 2;
/// Those of so few levels are kept as long as they are used.
const FEW: u32 = 6;

#[derive(Debug)]
pub(crate) struct Clauses {
    literals: Vec<Atom>,
    clauses: Vec<Clause>,
    watches: Vec<Watches>,
    /// Clauses above which the first reduction takes place.
    pub(super) limit: usize,
    /// How many there have been in this search.
    reductions: usize,
}

impl Default for Clauses {
    fn default() -> Clauses {
        Clauses {
            literals: Vec::new(),
            clauses: Vec::new(),
            watches: Vec::new(),
            limit: CLAUSE_LIMIT,
            reductions: 0,
        }
    }
}

impl Clauses {
    /// Begins a search from the root.
    ///
    /// # Errors
    /// If what was learnt before excludes everything.
    pub(super) fn begin(&mut self, store: &mut Store) -> Pruned {
        self.watches.resize_with(store.variables.len(), Watches::default);
        self.reductions = 0;
        self.keep(store, |_, _| true)
    }

    /// Forgets what was learnt on later root levels than this one. Watches are left for the next search to set.
    pub(super) fn forget_above(&mut self, root: u32) {
        self.watches.clear();
        let (old, literals) = (std::mem::take(&mut self.clauses), std::mem::take(&mut self.literals));
        for clause in old.into_iter().filter(|clause| clause.root <= root) {
            self.store(&literals[clause.range()], clause);
        }
    }

    pub(crate) fn literals(&self, clause: u32) -> &[Atom] {
        &self.literals[self.clauses[clause as usize].range()]
    }

    /// Adds a clause whose first atom is going to be true, and whose second one becomes open again as late as any
    /// other.
    pub(super) fn add(&mut self, literals: &[Atom], lbd: u32, root: u32) -> u32 {
        let id = self.store(literals, Clause { start: 0, len: 0, lbd, root, is_used: true });
        self.watch_first_two(id);
        id
    }

    fn store(&mut self, literals: &[Atom], clause: Clause) -> u32 {
        let id = self.clauses.len() as u32;
        self.clauses.push(Clause { start: self.literals.len() as u32, len: literals.len() as u32, ..clause });
        self.literals.extend_from_slice(literals);
        id
    }

    /// Adds for good the clause that not all of these atoms hold, which all hold.
    pub(super) fn exclude(&mut self, store: &Store, atoms: &[Atom]) -> u32 {
        let mut atoms = atoms.to_vec();
        atoms.sort_by_key(|&atom| std::cmp::Reverse(store.log.since(atom)));
        atoms.iter_mut().for_each(|atom| *atom = atom.negated());
        self.add(&atoms, 0, store.root_level)
    }

    /// Notes that clauses had a part in a conflict.
    pub(super) fn note_use(&mut self, used: &[u32]) {
        used.iter().for_each(|&id| self.clauses[id as usize].is_used = true);
    }

    fn watch_first_two(&mut self, id: u32) {
        if let [first, second, ..] = *self.literals(id) {
            self.watch(first, id, second);
            self.watch(second, id, first);
        }
    }

    fn watch(&mut self, atom: Atom, clause: u32, blocker: Atom) {
        let Atom { var, relation, value } = atom;
        self.watches[var.index()].list(relation).push(Watched { relation, value, clause, blocker });
    }

    /// Looks at all entries of the log that were not looked at.
    pub(super) fn propagate(&mut self, store: &mut Store) -> Pruned {
        while store.log.seen < store.log.now() {
            let entry = *store.log.entry(store.log.seen);
            store.log.seen += 1;
            let x = entry.var;
            match entry.side {
                Side::Min => {
                    self.visit(store, x, Relation::Le, |w| entry.old <= w.value && w.value < entry.new)?;
                }
                Side::Max => {
                    self.visit(store, x, Relation::Ge, |w| entry.new < w.value && w.value <= entry.old)?;
                }
                Side::Hole => {}
            }
            if !self.watches[x.index()].by_value.is_empty() {
                let (min, max) = (store.var_min(x), store.var_max(x));
                let holes = entry.side == Side::Hole;
                self.visit(store, x, Relation::Eq, |w| match w.relation {
                    Relation::Ne => min == max && min == w.value,
                    _ => w.value < min || max < w.value || holes && w.value == entry.new,
                })?;
            }
        }
        Ok(())
    }

    /// Looks at the watches of a variable that say so.
    #[inline(always)]
    fn visit(
        &mut self,
        store: &mut Store,
        x: VarId,
        relation: Relation,
        is_false: impl Fn(&Watched) -> bool,
    ) -> Pruned {
        let mut list = std::mem::take(self.watches[x.index()].list(relation));
        let (mut kept, mut result) = (0, Ok(()));
        for place in 0..list.len() {
            let watched = list[place];
            if result.is_err() || !is_false(&watched) || store.truth(watched.blocker) == Some(true) {
                list[kept] = watched;
                kept += 1;
                continue;
            }
            let literals = &mut self.literals[self.clauses[watched.clause as usize].range()];
            let lost = Atom { var: x, relation: watched.relation, value: watched.value };
            if literals[0] == lost {
                literals.swap(0, 1);
            }
            let first = literals[0];
            let open = if first != watched.blocker && store.truth(first) == Some(true) {
                None
            } else {
                (2..literals.len()).find(|&i| store.truth(literals[i]) != Some(false))
            };
            if let Some(i) = open {
                literals.swap(1, i);
                let second = literals[1];
                self.watch(second, watched.clause, first);
                continue;
            }
            list[kept] = Watched { blocker: first, ..watched };
            kept += 1;
            result = store.assert(first, Reason::clause(watched.clause));
        }
        list.truncate(kept);
        // What was moved to another atom of the same list.
        let moved = self.watches[x.index()].list(relation);
        list.append(moved);
        *moved = list;
        result
    }

    /// If there are too many clauses, forgets half of those that came from many levels or were not used lately: those
    /// from the most levels and the older ones first. Returns how many.
    ///
    /// # Errors
    /// If what is left excludes everything.
    pub(super) fn reduce(&mut self, store: &mut Store) -> Result<u64, Conflict> {
        let limit = self.limit.saturating_add(self.limit / GROWTH * self.reductions);
        if self.clauses.len() < limit {
            return Ok(0);
        }
        self.reductions += 1;
        let is_safe = |clause: &Clause| clause.lbd <= GLUE || clause.lbd <= FEW && clause.is_used;
        let mut lost: Vec<usize> = (0..self.clauses.len()).filter(|&i| !is_safe(&self.clauses[i])).collect();
        lost.sort_by_key(|&i| (std::cmp::Reverse(self.clauses[i].lbd), i));
        lost.truncate(lost.len() / 2);
        let mut is_lost = vec![false; self.clauses.len()];
        lost.iter().for_each(|&i| is_lost[i] = true);
        self.clauses.iter_mut().for_each(|clause| clause.is_used = false);
        self.keep(store, |i, _| !is_lost[i])?;
        Ok(lost.len() as u64)
    }

    /// Keeps some clauses, as far as they are not true, and watches them anew. No decision is in force.
    fn keep(&mut self, store: &mut Store, is_kept: impl Fn(usize, &Clause) -> bool) -> Pruned {
        let (old, mut literals) = (std::mem::take(&mut self.clauses), std::mem::take(&mut self.literals));
        for watches in &mut self.watches {
            watches.by_min.clear();
            watches.by_max.clear();
            watches.by_value.clear();
        }
        for (i, clause) in old.into_iter().enumerate() {
            let atoms = &mut literals[clause.range()];
            // What holds where no decision is in force says nothing any more.
            if !is_kept(i, &clause) || atoms.iter().any(|&atom| store.truth(atom) == Some(true)) {
                continue;
            }
            let mut open = 0;
            for place in 0..atoms.len() {
                if open < 2 && store.truth(atoms[place]).is_none() {
                    atoms.swap(open, place);
                    open += 1;
                }
            }
            let id = self.store(atoms, clause);
            self.watch_first_two(id);
            if open < 2 {
                // The last atom that is left, or none.
                store.assert(atoms.first().copied().unwrap_or(Atom::FALSE), Reason::clause(id))?;
            }
        }
        Ok(())
    }
}
