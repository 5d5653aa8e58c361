//! Nogoods from restarts: what a search has left behind when it begins anew.
//!
//! A path of the search is a list of decisions, between which others were *refuted*: everything below them
//! was searched. For each refuted decision, not all of it and of the decisions in force before it hold:
//! a *reduced nld-nogood* (Lecoutre, Saïs, Tabary, Vidal: Nogood recording from restarts, 2007). Together
//! they exclude what was searched, nothing else.
//!
//! One propagator keeps them all. The nogoods of one path share its atoms. Of each nogood two atoms that
//! are not true are watched (*advice*: any two will do after an undo); a call looks at the nogoods of the
//! variables that changed only. Cost: linear in the nogoods whose watched atom has become true; memory grows with
//! each restart by the length of the path.
//!
//! Explanation: all other atoms of the nogood.

use std::any::Any;

use super::events::Events;
use super::kernel::Engine;
use super::propagator::{Context, Propagator, Status};
use super::queue::Priority;
use super::reason::{Atom, Explanation, Relation};
use super::store::{Conflict, Store};
use super::view::VarId;
use super::watch::Watch;

/// No number of a variable among those watched.
const NONE: u32 = u32::MAX;

/// Not all of these hold: `len` atoms of the paths from `start` on, and the last one.
#[derive(Clone, Copy, Debug)]
struct Nogood {
    start: u32,
    len: u32,
    last: Atom,
    /// Numbers of two of its atoms; `len` is the last one.
    watched: [u32; 2],
}

/// A watched atom and its nogood.
#[derive(Clone, Copy, Debug)]
struct Watched {
    atom: Atom,
    nogood: u32,
}

#[derive(Debug, Default)]
struct Nogoods {
    paths: Vec<Atom>,
    nogoods: Vec<Nogood>,
    /// For each variable, its number here.
    numbers: Vec<u32>,
    /// By that number: the events that the engine sends.
    events: Vec<Events>,
    /// By that number: the watched atoms of the variable.
    watching: Vec<Vec<Watched>>,
    /// Scratch: the variables that changed.
    changed: Vec<u32>,
}

/// What became of one watch.
enum Visit {
    Stays,
    Moved,
}

impl Engine {
    /// Adds a nogood for each refuted decision of a path, given with the number of decisions in force before
    /// it. They are forgotten with the root level they are added on.
    pub(crate) fn add_nogoods(&mut self, path: &[Atom], refuted: &[(usize, Atom)]) {
        let id = match self.nogoods {
            Some(id) => id,
            None => {
                let id = self.posted.len() as u32;
                self.add_propagator(Box::new(Nogoods::default()), Priority::Linear, std::iter::empty(), None);
                self.nogoods = Some(id);
                id
            }
        };
        let propagator: &mut dyn Any = &mut *self.posted[id as usize].propagator;
        let Some(nogoods) = propagator.downcast_mut::<Nogoods>() else { return };
        let used = refuted.iter().map(|&(before, _)| before).max().unwrap_or(0);
        let mut missing = Vec::new();
        for &atom in path[..used].iter().chain(refuted.iter().map(|(_, atom)| atom)) {
            let (x, events) = (atom.var(), events_of_truth(atom));
            let number = nogoods.number(x);
            let known = &mut nogoods.events[number as usize];
            let more = Events(events.0 & !known.0);
            if more != Events::NONE {
                *known = known.union(more);
                missing.push((x, Watch { propagator: id, index: number, events: more }));
            }
        }
        nogoods.add(&path[..used], refuted);
        for (x, watch) in missing {
            self.watch(x, watch);
        }
        self.wake_fresh(id);
    }
}

/// The events at which an atom can become true.
fn events_of_truth(atom: Atom) -> Events {
    match atom.relation() {
        Relation::Ge => Events::MIN,
        Relation::Le => Events::MAX,
        Relation::Eq => Events::FIXED,
        Relation::Ne => Events::ANY,
    }
}

impl Nogoods {
    /// The number of a variable, a new one if need be.
    fn number(&mut self, x: VarId) -> u32 {
        if self.numbers.len() <= x.index() {
            self.numbers.resize(x.index() + 1, NONE);
        }
        if self.numbers[x.index()] == NONE {
            self.numbers[x.index()] = self.events.len() as u32;
            self.events.push(Events::NONE);
            self.watching.push(Vec::new());
        }
        self.numbers[x.index()]
    }

    fn add(&mut self, path: &[Atom], refuted: &[(usize, Atom)]) {
        let start = self.paths.len() as u32;
        self.paths.extend_from_slice(path);
        let nogood =
            |&(before, last): &(usize, Atom)| Nogood { start, len: before as u32, last, watched: [0, 0] };
        self.nogoods.extend(refuted.iter().map(nogood));
    }

    /// Atom `i` of a nogood.
    fn atom(&self, nogood: &Nogood, i: u32) -> Atom {
        if i == nogood.len { nogood.last } else { self.paths[(nogood.start + i) as usize] }
    }

    fn watch(&mut self, nogood: u32, atom: Atom) {
        let number = self.numbers[atom.var().index()];
        self.watching[number as usize].push(Watched { atom, nogood });
    }

    /// The first atom from number `from` on that is not true.
    fn open(&self, store: &Store, nogood: &Nogood, from: u32) -> Option<u32> {
        (from..=nogood.len).find(|&i| store.truth(self.atom(nogood, i)) != Some(true))
    }

    /// Makes atom `i` of a nogood false, or finds it true: all others are.
    fn exclude(&self, ctx: &mut Context<'_>, nogood: &Nogood, i: u32) -> Result<(), Conflict> {
        let others = (0..=nogood.len).filter(|&j| j != i).map(|j| self.atom(nogood, j));
        ctx.assert(self.atom(nogood, i).negated(), |out: &mut Explanation| others.for_each(|a| out.push(a)))
    }

    /// Watches all nogoods anew, and drops those that can never again exclude anything.
    fn rebuild(&mut self, ctx: &mut Context<'_>) -> Result<(), Conflict> {
        let at_root = ctx.store.trail.level() == ctx.store.root_level;
        self.watching.iter_mut().for_each(Vec::clear);
        let mut kept = 0;
        for place in 0..self.nogoods.len() {
            let mut nogood = self.nogoods[place];
            let first = self.open(ctx, &nogood, 0).unwrap_or(nogood.len);
            let second = self.open(ctx, &nogood, first + 1);
            let is_over = match second {
                Some(_) => ctx.truth(self.atom(&nogood, first)) == Some(false),
                None => {
                    self.exclude(ctx, &nogood, first)?;
                    true
                }
            };
            if is_over && at_root {
                continue;
            }
            // Without a second one, any other atom: it is true, and is undone no later than the first.
            nogood.watched = [first, second.unwrap_or(if first == 0 { nogood.len } else { 0 })];
            self.nogoods[kept] = nogood;
            for i in nogood.watched {
                self.watch(kept as u32, self.atom(&nogood, i));
            }
            kept += 1;
        }
        self.nogoods.truncate(kept);
        Ok(())
    }

    /// Looks after a watched atom that has become true.
    fn visit(
        &mut self,
        ctx: &mut Context<'_>,
        Watched { atom, nogood: id }: Watched,
    ) -> Result<Visit, Conflict> {
        let nogood = self.nogoods[id as usize];
        let is_true = |i: u32| ctx.truth(self.atom(&nogood, i)) == Some(true);
        let side = usize::from(self.atom(&nogood, nogood.watched[0]) != atom);
        let other = nogood.watched[1 - side];
        if ctx.truth(self.atom(&nogood, other)) == Some(false) {
            return Ok(Visit::Stays);
        }
        let found = (0..=nogood.len).find(|&i| !nogood.watched.contains(&i) && !is_true(i));
        match found {
            Some(i) => {
                self.nogoods[id as usize].watched[side] = i;
                self.watch(id, self.atom(&nogood, i));
                Ok(Visit::Moved)
            }
            None => {
                self.exclude(ctx, &nogood, other)?;
                Ok(Visit::Stays)
            }
        }
    }

    /// Looks at all watches of a variable that changed.
    fn visit_all(&mut self, ctx: &mut Context<'_>, number: u32) -> Result<(), Conflict> {
        let mut list = std::mem::take(&mut self.watching[number as usize]);
        let mut kept = 0;
        let mut result = Ok(());
        for place in 0..list.len() {
            if result.is_ok() && ctx.truth(list[place].atom) == Some(true) {
                match self.visit(ctx, list[place]) {
                    Ok(Visit::Moved) => continue,
                    Ok(Visit::Stays) => {}
                    Err(conflict) => result = Err(conflict),
                }
            }
            list[kept] = list[place];
            kept += 1;
        }
        list.truncate(kept);
        // What was moved to another atom of the same variable.
        list.append(&mut self.watching[number as usize]);
        self.watching[number as usize] = list;
        result
    }
}

impl Propagator for Nogoods {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        if ctx.is_fresh() {
            self.rebuild(ctx)?;
            return Ok(Status::MayChange);
        }
        let mut changed = std::mem::take(&mut self.changed);
        changed.clear();
        changed.extend(ctx.changed().iter());
        let result = changed.iter().try_for_each(|&number| self.visit_all(ctx, number));
        self.changed = changed;
        result.map(|()| Status::MayChange)
    }
}
