//! The log of changes with their reasons, and what domains were at any point of it.
//!
//! The log is off unless somebody asks (conflict analysis, a trace that wants blame, the test
//! harness). With it on, every change of a domain is one entry — variable, which side, old and new
//! value, reason, and the variable's previous entry — and undoing a level cuts the entries off.
//!
//! [`History`] answers what a domain was *before* an entry by walking that variable's chain
//! backwards. Cost: a push per change; a question walks the variable's changes since that position.

use super::reason::{Atom, Explanation, Reason, Relation};
use super::view::{VarId, View};

/// A point in the log: "before the entry of this number".
pub type Position = u32;

const NONE: u32 = u32::MAX;

/// Which part of a domain an entry changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Min,
    Max,
    Hole,
}

/// One change of one domain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) var: VarId,
    pub(crate) side: Side,
    previous: u32,
    /// The bound before; for a hole the value itself.
    pub(crate) old: i64,
    /// The bound after; for a hole the value itself.
    pub(crate) new: i64,
    pub(crate) reason: Reason,
}

impl Entry {
    /// What the change says.
    pub(crate) fn atom(&self) -> Atom {
        self.atom_of(self.new)
    }

    /// The same with another value: a weaker bound that follows from it.
    pub(crate) fn atom_of(&self, value: i64) -> Atom {
        match self.side {
            Side::Min => Atom::ge(self.var, value),
            Side::Max => Atom::le(self.var, value),
            Side::Hole => Atom::ne(self.var, value),
        }
    }
}

/// A domain as it was when the log was switched on.
#[derive(Clone, Debug)]
pub(crate) struct Initial {
    pub(crate) min: i64,
    pub(crate) max: i64,
    /// Maximal runs of absent values between the bounds.
    pub(crate) gaps: Vec<(i64, i64)>,
}

/// An eager reason: from where to where its atoms are, and whose reason it is.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: u32,
    end: u32,
    owner: u32,
}

/// Changes with their reasons, newest last.
#[derive(Debug, Default)]
pub struct Log {
    entries: Vec<Entry>,
    /// Newest entry of each variable.
    last: Vec<u32>,
    initial: Vec<Initial>,
    /// Atoms of eager reasons, by the places of the reasons.
    atoms: Vec<Atom>,
    places: Vec<Place>,
    /// Lengths of `entries`, `atoms` and `places` when each level was opened.
    levels: Vec<(u32, u32, u32)>,
    scratch: Explanation,
    /// Entries before this one were looked at by the clauses.
    pub(crate) seen: Position,
}

impl Log {
    /// Starts over, from domains as they are now.
    pub(crate) fn start(&mut self, initial: Vec<Initial>) {
        *self = Log { last: vec![NONE; initial.len()], initial, ..Log::default() };
    }

    /// A domain as it was when the log was switched on.
    pub(crate) fn initial(&self, x: VarId) -> Option<&Initial> {
        self.initial.get(x.index())
    }

    pub(crate) fn add_variable(&mut self, initial: Initial) {
        self.initial.push(initial);
        self.last.push(NONE);
    }

    pub(crate) fn truncate_variables(&mut self, len: usize) {
        self.initial.truncate(len);
        self.last.truncate(len);
    }

    pub(crate) fn push(&mut self, var: VarId, side: Side, old: i64, new: i64, reason: Reason) {
        let previous = std::mem::replace(&mut self.last[var.index()], self.entries.len() as u32);
        self.entries.push(Entry { var, side, previous, old, new, reason });
    }

    pub(crate) fn eager(&mut self, propagator: u32, write: impl FnOnce(&mut Explanation)) -> Reason {
        self.eager_of(propagator, propagator, write)
    }

    /// The reason of `owner`, to which the condition of `propagator` is added.
    pub(crate) fn eager_of(
        &mut self,
        owner: u32,
        propagator: u32,
        write: impl FnOnce(&mut Explanation),
    ) -> Reason {
        let mut explanation = std::mem::take(&mut self.scratch);
        explanation.atoms.clear();
        write(&mut explanation);
        let start = self.atoms.len() as u32;
        self.atoms.extend_from_slice(&explanation.atoms);
        self.scratch = explanation;
        self.places.push(Place { start, end: self.atoms.len() as u32, owner });
        Reason::eager(propagator, self.places.len() as u32 - 1)
    }

    pub(crate) fn eager_atoms(&self, place: u32) -> &[Atom] {
        let Place { start, end, .. } = self.places[place as usize];
        &self.atoms[start as usize..end as usize]
    }

    /// The propagator whose eager reason it is.
    pub(crate) fn owner(&self, place: u32) -> u32 {
        self.places[place as usize].owner
    }

    pub(crate) fn push_level(&mut self) {
        self.levels.push((self.entries.len() as u32, self.atoms.len() as u32, self.places.len() as u32));
    }

    pub(crate) fn pop_level(&mut self) {
        let Some((entries, atoms, places)) = self.levels.pop() else { return };
        for entry in self.entries.drain(entries as usize..).rev() {
            self.last[entry.var.index()] = entry.previous;
        }
        self.atoms.truncate(atoms as usize);
        self.places.truncate(places as usize);
        self.seen = self.seen.min(entries);
    }

    /// The first entry of a level: 1 is the first that was opened since the log was switched on. The end of the
    /// log, if there is no such level.
    pub(crate) fn start_of(&self, level: usize) -> Position {
        self.levels.get(level - 1).map_or(self.now(), |level| level.0)
    }

    /// The level of an entry; 0 if none was open.
    pub(crate) fn level_of(&self, position: Position) -> usize {
        self.levels.partition_point(|level| level.0 <= position)
    }

    /// The entry before `before` that made an atom other than `[x = v]` true, and what of its own atom suffices for
    /// that; none if it always was. Where it was true before `from` already, the answer may be none too.
    pub(crate) fn origin(&self, atom: Atom, from: Position, before: Position) -> Option<(Position, i64)> {
        let v = atom.value;
        let mut next = self.last[atom.var.index()];
        let mut found = None;
        // Of a bound that passed over a value, the hole may have been there long before.
        while next != NONE && (next >= from || found.is_some()) {
            let e = &self.entries[next as usize];
            if next < before {
                match (atom.relation, e.side) {
                    (Relation::Ge, Side::Min) if e.old < v && v <= e.new => return Some((next, v)),
                    (Relation::Ge, Side::Min) if e.new < v => return None,
                    (Relation::Le, Side::Max) if e.new <= v && v < e.old => return Some((next, v)),
                    (Relation::Le, Side::Max) if v < e.new => return None,
                    (Relation::Ne, Side::Hole) if e.new == v => return Some((next, v)),
                    (Relation::Ne, Side::Min) if e.old <= v && v < e.new => found = Some((next, v + 1)),
                    (Relation::Ne, Side::Max) if e.new < v && v <= e.old => found = Some((next, v - 1)),
                    _ => {}
                }
            }
            next = e.previous;
        }
        found
    }

    /// The number of entries when an atom that holds became true.
    pub(crate) fn since(&self, atom: Atom) -> Position {
        match atom.relation {
            Relation::Eq => {
                let (low, high) = (Atom::ge(atom.var, atom.value), Atom::le(atom.var, atom.value));
                self.since(low).max(self.since(high))
            }
            _ => self.origin(atom, 0, self.now()).map_or(0, |(position, _)| position + 1),
        }
    }

    /// The entries from a position on.
    pub(crate) fn from(&self, position: Position) -> &[Entry] {
        &self.entries[position as usize..]
    }

    /// The end of the log: the position that sees every change.
    pub(crate) fn now(&self) -> Position {
        self.entries.len() as Position
    }

    pub(crate) fn entry(&self, position: Position) -> &Entry {
        &self.entries[position as usize]
    }

    /// The entries of `var` before `position`, newest first.
    fn before(&self, var: VarId, position: Position) -> impl Iterator<Item = &Entry> {
        let entry = |i: u32| self.entries.get(i as usize);
        let mut next = self.last[var.index()];
        std::iter::from_fn(move || {
            while next != NONE && next >= position {
                next = entry(next)?.previous;
            }
            let found = entry(next)?;
            next = found.previous;
            Some(found)
        })
    }

    fn min_at(&self, var: VarId, position: Position) -> i64 {
        let mut entries = self.before(var, position);
        entries.find(|e| e.side == Side::Min).map_or_else(|| self.initial[var.index()].min, |e| e.new)
    }

    fn max_at(&self, var: VarId, position: Position) -> i64 {
        let mut entries = self.before(var, position);
        entries.find(|e| e.side == Side::Max).map_or_else(|| self.initial[var.index()].max, |e| e.new)
    }

    fn is_hole_at(&self, var: VarId, value: i64, position: Position) -> bool {
        let initial = &self.initial[var.index()];
        initial.gaps.iter().any(|&(lo, hi)| lo <= value && value <= hi)
            || self.before(var, position).any(|e| e.side == Side::Hole && e.new == value)
    }
}

/// What the domains were just before a change that is to be explained.
///
/// All questions are about the time before one position of the log, the position of what is
/// explained; a propagator must not look at anything later, nor at trailed state.
#[derive(Clone, Copy, Debug)]
pub struct History<'a> {
    pub(crate) log: &'a Log,
    pub(crate) position: Position,
    pub(crate) scope: &'a [View],
}

impl History<'_> {
    /// The smallest value of the view at that time.
    pub fn min(&self, x: View) -> i64 {
        let bound = if x.scale > 0 {
            self.log.min_at(x.var, self.position)
        } else {
            self.log.max_at(x.var, self.position)
        };
        x.apply(bound)
    }

    /// The largest value of the view at that time.
    pub fn max(&self, x: View) -> i64 {
        let bound = if x.scale > 0 {
            self.log.max_at(x.var, self.position)
        } else {
            self.log.min_at(x.var, self.position)
        };
        x.apply(bound)
    }

    /// The smallest and the largest value of the view when the log was begun: of facts.
    pub(crate) fn initial_bounds(&self, x: View) -> (i64, i64) {
        let Initial { min, max, .. } = self.log.initial[x.var.index()];
        let (low, high) = if x.scale > 0 { (min, max) } else { (max, min) };
        (x.apply(low), x.apply(high))
    }

    /// Whether the view could take the value at that time.
    pub fn contains(&self, x: View, value: i64) -> bool {
        (self.min(x)..=self.max(x)).contains(&value)
            && x.solve(value).is_some_and(|v| !self.log.is_hole_at(x.var, v, self.position))
    }

    /// Whether the view had one value at that time.
    pub fn is_fixed(&self, x: View) -> bool {
        self.min(x) == self.max(x)
    }

    /// Whether an atom was true at that time.
    pub fn holds(&self, atom: Atom) -> bool {
        let (x, v) = (View::of(atom.var), atom.value);
        match atom.relation {
            Relation::Ge => self.min(x) >= v,
            Relation::Le => self.max(x) <= v,
            Relation::Eq => (self.min(x), self.max(x)) == (v, v),
            Relation::Ne => !self.contains(x, v),
        }
    }

    /// Adds the bounds and the holes of one view at that time.
    pub fn explain_domain(&self, x: View, out: &mut Explanation) {
        let (min, max) = (self.log.min_at(x.var, self.position), self.log.max_at(x.var, self.position));
        let initial = &self.log.initial[x.var.index()];
        if min > initial.min {
            out.push(Atom::ge(x.var, min));
        }
        if max < initial.max {
            out.push(Atom::le(x.var, max));
        }
        for e in self.log.before(x.var, self.position).filter(|e| e.side == Side::Hole) {
            if min < e.new && e.new < max {
                out.push(Atom::ne(x.var, e.new));
            }
        }
    }

    /// Adds the bounds and the holes of every variable in the propagator's scope: always a correct
    /// explanation, never a short one.
    pub fn explain_scope(&self, out: &mut Explanation) {
        for (i, x) in self.scope.iter().enumerate() {
            if !self.scope[..i].iter().any(|y| y.var == x.var) {
                self.explain_domain(*x, out);
            }
        }
    }

    /// Explains why a bound slid from `[x ≥ old]` (or `≤`) to the given atom over holes.
    pub(crate) fn explain_slide(&self, entry: &Entry, atom: Atom, out: &mut Explanation) {
        let gaps = &self.log.initial[entry.var.index()].gaps;
        let (start, step) = match atom.relation {
            Relation::Ge => (entry.old, 1),
            _ => (entry.old, -1),
        };
        out.push(if step > 0 { Atom::ge(entry.var, start) } else { Atom::le(entry.var, start) });
        let mut v = start;
        while v != atom.value {
            match gaps.iter().find(|&&(lo, hi)| lo <= v && v <= hi) {
                // A gap of the initial domain needs no reason; it may be far too wide to walk.
                Some(&(lo, hi)) => {
                    let end = if step > 0 { hi + 1 } else { lo - 1 };
                    if (end - atom.value) * step >= 0 {
                        break;
                    }
                    v = end;
                }
                None => {
                    out.push(Atom::ne(entry.var, v));
                    v += step;
                }
            }
        }
    }
}
