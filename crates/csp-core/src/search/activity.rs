//! What to decide in a search that learns: the variables that had a part in recent conflicts first (VSIDS:
//! Moskewicz et al. 2001), with the value they had last or in the best solution (phase saving:
//! Pipatsrisawat, Darwiche 2007).
//!
//! An integer is decided on by a bound: `[x ≤ v]` and then `[x ≥ v]` for the value `v` wanted; in every other run between
//! restarts by an atom of its own that was in many of the clauses learnt lately, so that it becomes true. (With both, orb01 and orb03
//! of the job shops took 2/3 of the failures as with bounds alone, quasigroup completion 4/3.)

use crate::engine::{Atom, Store, VarId, View};

/// Activities beyond this are scaled down.
const LARGE: f64 = 1e100;
/// Of an activity, so much is left at the next conflict.
const DECAY: f64 = 0.95;
/// Not in the heap.
const OUT: u32 = u32::MAX;

/// Variables by their activity, and the value wanted of each.
#[derive(Debug)]
pub(crate) struct Activity {
    activity: Vec<f64>,
    increment: f64,
    /// A binary heap of the variables that may be open, the most active on top.
    heap: Vec<u32>,
    /// The place of each variable in the heap.
    place: Vec<u32>,
    wanted: Vec<Option<i64>>,
    /// Whether the value wanted is of account: for Booleans, and where there is a hint.
    is_wanted: Vec<bool>,
    /// The values of the best solution.
    best: Vec<i64>,
    /// For each integer the atom that was in most of the clauses learnt lately, and how active it was: by the counters of
    /// Misra and Gries (1982), one for each variable.
    favourites: Vec<Option<(Atom, f64)>>,
    /// Whether integers are decided on by these atoms: in every other run between restarts.
    is_by_atoms: bool,
    /// Whether it has two values only; such variables come first.
    is_boolean: Vec<bool>,
}

impl Activity {
    /// For a search over all variables of the store.
    pub(crate) fn new(store: &Store) -> Activity {
        let count = store.ids().len();
        let mut activity = Activity {
            activity: vec![0.0; count],
            increment: 1.0,
            heap: Vec::with_capacity(count),
            place: vec![OUT; count],
            wanted: vec![None; count],
            is_wanted: store.ids().map(|x| store.var_size(x) == 2).collect(),
            best: Vec::new(),
            favourites: vec![None; count],
            is_by_atoms: false,
            is_boolean: store.ids().map(|x| store.var_size(x) == 2).collect(),
        };
        store.ids().skip(1).for_each(|x| activity.insert(x));
        activity
    }

    /// The next decision, or none where all variables are fixed.
    pub(crate) fn choose(&mut self, store: &Store) -> Option<Atom> {
        while let Some(&top) = self.heap.first() {
            let x = VarId(top);
            if store.is_fixed(View::of(x)) {
                self.pop();
                continue;
            }
            if self.is_by_atoms
                && let Some((atom, _)) = self.favourites[x.index()]
                && store.truth(atom).is_none()
            {
                return Some(atom);
            }
            let (min, max) = store.bounds(View::of(x));
            let wanted = self.wanted[x.index()].filter(|_| self.is_wanted[x.index()]);
            let v = wanted.unwrap_or(min).clamp(min, max);
            return Some(if v < max { Atom::le(x, v) } else { Atom::ge(x, v) });
        }
        None
    }

    /// A value to be tried first.
    pub(crate) fn hint(&mut self, x: View, value: i64) {
        if let Some(value) = x.solve(value) {
            self.wanted[x.var().index()] = Some(value);
            self.is_wanted[x.var().index()] = true;
        }
    }

    /// A better solution was found, and is in the store.
    pub(crate) fn improved(&mut self, store: &Store) {
        self.best.clear();
        self.best.extend(store.ids().map(|x| store.min(View::of(x))));
    }

    /// The search begins anew, and tries the values of the best solution first.
    pub(crate) fn restarted(&mut self) {
        self.is_by_atoms = !self.is_by_atoms;
        for (wanted, &best) in self.wanted.iter_mut().zip(&self.best) {
            *wanted = Some(best);
        }
    }

    /// The variables had a part in a conflict.
    pub(crate) fn blame(&mut self, variables: &[VarId]) {
        for x in variables {
            let activity = &mut self.activity[x.index()];
            *activity += self.increment;
            if *activity > LARGE {
                self.activity.iter_mut().for_each(|a| *a /= LARGE);
                self.favourites.iter_mut().flatten().for_each(|(_, a)| *a /= LARGE);
                self.increment /= LARGE;
            }
            let place = self.place[x.index()];
            if place != OUT {
                self.rise(place as usize);
            }
        }
        self.increment /= DECAY;
    }

    /// These atoms make a clause that was learnt.
    pub(crate) fn learnt(&mut self, clause: &[Atom]) {
        for &atom in clause {
            if self.is_boolean[atom.var().index()] {
                continue;
            }
            match &mut self.favourites[atom.var().index()] {
                Some((favourite, activity)) if *favourite == atom => *activity += self.increment,
                Some((_, activity)) if *activity > self.increment => *activity -= self.increment,
                other => *other = Some((atom, self.increment)),
            }
        }
    }

    /// A variable may be open again; its value was this.
    pub(crate) fn undone(&mut self, x: VarId, value: Option<i64>) {
        if value.is_some() {
            self.wanted[x.index()] = value;
        }
        if self.place[x.index()] == OUT {
            self.insert(x);
        }
    }

    fn insert(&mut self, x: VarId) {
        self.place[x.index()] = self.heap.len() as u32;
        self.heap.push(x.0);
        self.rise(self.heap.len() - 1);
    }

    fn pop(&mut self) {
        let Some(last) = self.heap.pop() else { return };
        let top = self.heap.first().copied().unwrap_or(last);
        self.place[top as usize] = OUT;
        if top != last {
            self.heap[0] = last;
            self.place[last as usize] = 0;
            self.sink(0);
        }
    }

    fn of(&self, place: usize) -> (bool, f64) {
        let x = self.heap[place] as usize;
        (self.is_boolean[x], self.activity[x])
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.heap.swap(a, b);
        self.place[self.heap[a] as usize] = a as u32;
        self.place[self.heap[b] as usize] = b as u32;
    }

    fn rise(&mut self, mut place: usize) {
        while place > 0 && self.of(place) > self.of((place - 1) / 2) {
            self.swap(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
    }

    fn sink(&mut self, mut place: usize) {
        loop {
            let (left, right) = (2 * place + 1, 2 * place + 2);
            let mut largest = place;
            for child in [left, right] {
                if child < self.heap.len() && self.of(child) > self.of(largest) {
                    largest = child;
                }
            }
            if largest == place {
                return;
            }
            self.swap(place, largest);
            place = largest;
        }
    }
}
