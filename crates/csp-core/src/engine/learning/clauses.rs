//! Clauses over atoms, with two watches each.
//!
//! A clause watches two of its atoms that are not false, the first two. Entries of the log are looked at one
//! after the other, and of each variable's watches those whose threshold the entry crosses. (Two watched
//! literals: Moskewicz et al. 2001; a *blocker*, another atom of the clause, saves most looks at the clause:
//! Sörensson, Eén 2008.)

use crate::engine::log::Side;
use crate::engine::reason::{Atom, Reason, Relation};
use crate::engine::store::{Pruned, Store};
use crate::engine::view::VarId;

/// One of these atoms holds.
#[derive(Clone, Copy, Debug)]
struct Clause {
    start: u32,
    len: u32,
    /// How many levels its atoms came from when it was learnt; few promise much (Audemard, Simon 2009). 0 if
    /// it is to be kept for good.
    lbd: u32,
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

/// Clauses above which the first reduction takes place, and how many more are kept after each.
const FIRST_LIMIT: usize = 4000;
const MORE: usize = 500;
/// Clauses of so few levels are kept.
const GLUE: u32 = 2;

#[derive(Debug, Default)]
pub(crate) struct Clauses {
    literals: Vec<Atom>,
    clauses: Vec<Clause>,
    watches: Vec<Watches>,
    reductions: usize,
}

impl Clauses {
    /// Makes room for so many variables.
    pub(super) fn reserve(&mut self, variables: usize) {
        self.watches.resize_with(variables, Watches::default);
    }

    pub(crate) fn literals(&self, clause: u32) -> &[Atom] {
        let Clause { start, len, .. } = self.clauses[clause as usize];
        &self.literals[start as usize..(start + len) as usize]
    }

    /// Adds a clause whose first atom is going to be true, and whose second one becomes open again as late as any
    /// other.
    pub(super) fn add(&mut self, literals: &[Atom], lbd: u32) -> u32 {
        let id = self.clauses.len() as u32;
        self.clauses.push(Clause { start: self.literals.len() as u32, len: literals.len() as u32, lbd });
        self.literals.extend_from_slice(literals);
        self.watch_first_two(id);
        id
    }

    /// Adds for good the clause that not all of these atoms hold, which all hold.
    pub(super) fn exclude(&mut self, store: &Store, atoms: &[Atom]) -> u32 {
        let mut atoms = atoms.to_vec();
        atoms.sort_by_key(|&atom| std::cmp::Reverse(store.log.since(atom)));
        atoms.iter_mut().for_each(|atom| *atom = atom.negated());
        self.add(&atoms, 0)
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
            let Clause { start, len, .. } = self.clauses[watched.clause as usize];
            let literals = &mut self.literals[start as usize..(start + len) as usize];
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

    /// Forgets the half of the clauses that came from the most levels, the older ones first, if there are too many.
    pub(super) fn reduce(&mut self, store: &Store) {
        if self.clauses.len() < FIRST_LIMIT + MORE * self.reductions {
            return;
        }
        self.reductions += 1;
        let mut lost: Vec<u32> =
            (0..self.clauses.len() as u32).filter(|&id| self.clauses[id as usize].lbd > GLUE).collect();
        lost.sort_by_key(|&id| {
            std::cmp::Reverse((self.clauses[id as usize].lbd, self.clauses.len() as u32 - id))
        });
        lost.truncate(lost.len() / 2);
        let mut is_lost = vec![false; self.clauses.len()];
        lost.iter().for_each(|&id| is_lost[id as usize] = true);
        let (old, literals) = (std::mem::take(&mut self.clauses), std::mem::take(&mut self.literals));
        for watches in &mut self.watches {
            watches.by_min.clear();
            watches.by_max.clear();
            watches.by_value.clear();
        }
        for (clause, is_lost) in old.iter().zip(is_lost) {
            let atoms = &literals[clause.start as usize..(clause.start + clause.len) as usize];
            // What holds where no decision is in force says nothing any more.
            if !is_lost && atoms.iter().all(|&atom| store.truth(atom) != Some(true)) {
                self.add(atoms, clause.lbd);
            }
        }
    }
}
