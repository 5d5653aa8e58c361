//! Clauses over atoms, with two watches each.
//!
//! A clause watches two of its atoms that are not false, the first two. Entries of the log are looked at one
//! after the other, and of each variable's watches those whose threshold the entry crosses. (Two watched
//! literals: Moskewicz et al. 2001; a *blocker*, another atom of the clause, saves most looks at the clause:
//! Sörensson, Eén 2008.)

use crate::engine::log::Side;
use crate::engine::reason::{Atom, Reason, Relation};
use crate::engine::store::{Conflict, Pruned, Store};
use crate::engine::view::{VarId, View};

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
    /// Where the search for an atom that is not false goes on (Gent 2013: optimal implementation of watched literals);
    /// from the third one it would look at the same false atoms again and again.
    next: u32,
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

/// Where the watches of one variable are, by what makes the atom false: numbers of lists.
#[derive(Clone, Copy, Debug)]
struct Places {
    /// `[x ≤ v]`, false when the minimum rises; in the next list `[x ≥ v]`, false when the maximum falls.
    bounds: u32,
    /// `[x = v]`, false when `v` is lost, and in the next list `[x ≠ v]`, false when `v` is all that is left: two lists
    /// for each value from `base` on, or two for all values of a wide domain. [`NONE`] if there are none yet.
    values: u32,
    base: i64,
    /// How many values have lists of their own; 0 in a wide domain.
    span: u32,
}

const NONE: u32 = u32::MAX;
/// Domains of more values have no list for each.
const WIDE: u64 = 256;

impl Places {
    /// The list for `[x = v]`; the one for `[x ≠ v]` follows.
    fn of_value(self, value: i64) -> u32 {
        let place = value.wrapping_sub(self.base) as u64;
        if place < u64::from(self.span) { self.values + 2 * place as u32 } else { self.values }
    }
}

/// Clauses above which the first reduction takes place, if nothing else is wished.
pub(crate) const CLAUSE_LIMIT: usize = 2000;
/// After each reduction the limit grows by this part of the first one, and by one at least, so that searches end.
const GROWTH: usize = 8;
/// Clauses of so few levels are kept.
const GLUE: u32 = 2;
/// Those of so few levels are kept as long as they are used.
const FEW: u32 = 6;

#[derive(Debug)]
pub(crate) struct Clauses {
    literals: Vec<Atom>,
    clauses: Vec<Clause>,
    /// By variable.
    places: Vec<Places>,
    lists: Vec<Vec<Watched>>,
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
            places: Vec::new(),
            lists: Vec::new(),
            limit: CLAUSE_LIMIT,
            reductions: 0,
        }
    }
}

impl Clauses {
    /// Begins a search from the root. Tells how many clauses it forgets for that, if there were too many.
    ///
    /// # Errors
    /// If what was learnt before excludes everything.
    pub(super) fn begin(&mut self, store: &mut Store) -> Result<u64, Conflict> {
        self.lists.clear();
        self.places.clear();
        for x in store.ids() {
            let (base, max) = store.bounds(View::of(x));
            let span = max.abs_diff(base) + 1;
            let bounds = self.lists.len() as u32;
            self.lists.resize_with(self.lists.len() + 2, Vec::new);
            let span = if span <= WIDE { span as u32 } else { 0 };
            self.places.push(Places { bounds, values: NONE, base, span });
        }
        self.reductions = 0;
        // Short searches never come to a reduction of their own.
        let forgotten = self.reduce(store)?;
        if forgotten == 0 {
            self.keep(store, |_| true)?;
        }
        Ok(forgotten)
    }

    /// Whether there are so many clauses that a reduction cannot wait.
    pub(super) fn is_full(&self) -> bool {
        self.clauses.len() / 2 >= self.most()
    }

    /// Clauses at which the next reduction takes place.
    fn most(&self) -> usize {
        self.limit.saturating_add((self.limit / GROWTH).max(1).saturating_mul(self.reductions))
    }

    /// Forgets what was learnt on later root levels than this one. Watches are left for the next search to set.
    pub(super) fn forget_above(&mut self, root: u32) {
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
        let id = self.store(literals, Clause { start: 0, len: 0, lbd, root, next: 2, is_used: true });
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
        let Atom { relation, value, .. } = atom;
        let list = self.list(atom);
        self.lists[list as usize].push(Watched { relation, value, clause, blocker });
    }

    /// The list that an atom is watched in.
    fn list(&mut self, atom: Atom) -> u32 {
        let places = &mut self.places[atom.var.index()];
        match atom.relation {
            Relation::Le => places.bounds,
            Relation::Ge => places.bounds + 1,
            Relation::Eq | Relation::Ne => {
                if places.values == NONE {
                    places.values = self.lists.len() as u32;
                    let count = 2 * places.span.max(1) as usize;
                    self.lists.resize_with(self.lists.len() + count, Vec::new);
                }
                places.of_value(atom.value) + u32::from(atom.relation == Relation::Ne)
            }
        }
    }

    /// Looks at all entries of the log that were not looked at.
    pub(super) fn propagate(&mut self, store: &mut Store) -> Pruned {
        while store.log.seen < store.log.now() {
            let entry = *store.log.entry(store.log.seen);
            store.log.seen += 1;
            let (x, places) = (entry.var, self.places[entry.var.index()]);
            // The values that were lost.
            let (from, to) = match entry.side {
                Side::Min => {
                    self.visit(store, x, places.bounds, |w| entry.old <= w.value && w.value < entry.new)?;
                    (entry.old, entry.new - 1)
                }
                Side::Max => {
                    self.visit(store, x, places.bounds + 1, |w| entry.new < w.value && w.value <= entry.old)?;
                    (entry.new + 1, entry.old)
                }
                Side::Hole => (entry.new, entry.new),
            };
            if places.values == NONE {
                continue;
            }
            if places.span == 0 {
                self.visit(store, x, places.values, |w| from <= w.value && w.value <= to)?;
            } else {
                for value in from..=to {
                    self.visit(store, x, places.of_value(value), |w| w.value == value)?;
                }
            }
            if let Some(value) = store.value(View::of(x)) {
                self.visit(store, x, places.of_value(value) + 1, |w| w.value == value)?;
            }
        }
        Ok(())
    }

    /// Looks at the watches in a list that have become false.
    #[inline]
    fn visit(
        &mut self,
        store: &mut Store,
        x: VarId,
        list: u32,
        is_false: impl Fn(&Watched) -> bool,
    ) -> Pruned {
        if self.lists[list as usize].is_empty() {
            return Ok(());
        }
        let mut watches = std::mem::take(&mut self.lists[list as usize]);
        let (mut kept, mut result) = (0, Ok(()));
        for place in 0..watches.len() {
            let watched = watches[place];
            if result.is_err() || !is_false(&watched) || store.is_true(watched.blocker) {
                watches[kept] = watched;
                kept += 1;
                continue;
            }
            let clause = &mut self.clauses[watched.clause as usize];
            let literals = &mut self.literals[clause.range()];
            let lost = Atom { var: x, relation: watched.relation, value: watched.value };
            if literals[0] == lost {
                literals.swap(0, 1);
            }
            let first = literals[0];
            let open = if first != watched.blocker && store.is_true(first) {
                None
            } else {
                let (next, len) = (clause.next as usize, literals.len());
                (next..len).chain(2..next.min(len)).find(|&i| !store.is_false(literals[i]))
            };
            if let Some(i) = open {
                clause.next = i as u32;
                literals.swap(1, i);
                let second = literals[1];
                self.watch(second, watched.clause, first);
                continue;
            }
            watches[kept] = Watched { blocker: first, ..watched };
            kept += 1;
            result = store.assert(first, Reason::clause(watched.clause));
        }
        watches.truncate(kept);
        // What was moved to another atom of the same list.
        let moved = &mut self.lists[list as usize];
        watches.append(moved);
        *moved = watches;
        result
    }

    /// If there are too many clauses, forgets half of those that came from many levels or were not used lately: those
    /// from the most levels and the older ones first. Returns how many.
    ///
    /// # Errors
    /// If what is left excludes everything.
    pub(super) fn reduce(&mut self, store: &mut Store) -> Result<u64, Conflict> {
        if self.clauses.len() < self.most() {
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
        self.keep(store, |i| !is_lost[i])?;
        Ok(lost.len() as u64)
    }

    /// Keeps some clauses, as far as they are not true, and watches them anew. No decision is in force.
    fn keep(&mut self, store: &mut Store, is_kept: impl Fn(usize) -> bool) -> Pruned {
        let (old, mut literals) = (std::mem::take(&mut self.clauses), std::mem::take(&mut self.literals));
        self.lists.iter_mut().for_each(Vec::clear);
        for (i, clause) in old.into_iter().enumerate() {
            let atoms = &mut literals[clause.range()];
            // What holds where no decision is in force says nothing any more.
            if !is_kept(i) || atoms.iter().any(|&atom| store.is_true(atom)) {
                continue;
            }
            let mut open = 0;
            for place in 0..atoms.len() {
                if open < 2 && !store.is_false(atoms[place]) {
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
