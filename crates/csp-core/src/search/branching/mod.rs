//! Which decision comes next: variable choice and value choice.

mod cursor;
mod domains;

use std::fmt;

use crate::engine::{Atom, Slot, View};
use crate::model::{Affine, IntVar};

pub(crate) use cursor::Cursor;
pub use domains::Domains;

/// One binary choice of the search: the left branch makes it true, the right branch false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// `x = value`, then `x ≠ value`
    Equal(IntVar, i64),
    /// `x ≠ value`, then `x = value`
    Unequal(IntVar, i64),
    /// `x ≤ value`, then `x > value`
    AtMost(IntVar, i64),
    /// `x ≥ value`, then `x < value`
    AtLeast(IntVar, i64),
}

impl Decision {
    /// The variable decided upon.
    pub fn variable(self) -> IntVar {
        match self {
            Decision::Equal(x, _)
            | Decision::Unequal(x, _)
            | Decision::AtMost(x, _)
            | Decision::AtLeast(x, _) => x,
        }
    }

    pub(crate) fn atom(self, domains: &Domains<'_>) -> Atom {
        match self {
            Decision::Equal(x, v) => domains.view(x).eq(v),
            Decision::Unequal(x, v) => domains.view(x).ne(v),
            Decision::AtMost(x, v) => domains.view(x).le(v),
            Decision::AtLeast(x, v) => domains.view(x).ge(v),
        }
    }
}

/// Makes decisions; implement it for a search of your own.
///
/// It is asked at each node that neither failed nor is a solution. Closures
/// `FnMut(&Domains) -> Option<Decision>` are branchers too.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let xs = model.ints(4, 0..=3);
/// model.post(all_different(&xs));
/// let mut solver = model.solver()?;
/// let vars = xs.clone();
/// solver.set_search(move |domains: &Domains<'_>| {
///     let x = vars.iter().copied().find(|&x| !domains.is_fixed(x))?;
///     Some(Decision::AtMost(x, (domains.min(x) + domains.max(x)).div_euclid(2)))
/// });
/// assert_eq!(solver.count().solutions, 24);
/// # Ok::<(), ModelError>(())
/// ```
pub trait Brancher: Send {
    /// The next decision, undecided at this node, or `None` if this brancher has nothing (more) to
    /// decide here.
    fn choose(&mut self, domains: &Domains<'_>) -> Option<Decision>;

    /// Called when a search begins. `seed` is the solver's.
    fn start(&mut self, domains: &Domains<'_>, seed: u64) {
        let _ = (domains, seed);
    }

    /// This first, and where it has nothing to decide, `next`.
    fn then(self, next: impl Brancher + 'static) -> Sequence
    where
        Self: Sized + 'static,
    {
        Sequence { parts: vec![Box::new(self), Box::new(next)] }
    }
}

impl<F: FnMut(&Domains<'_>) -> Option<Decision> + Send> Brancher for F {
    fn choose(&mut self, domains: &Domains<'_>) -> Option<Decision> {
        self(domains)
    }
}

/// Lists up to this length are looked through from the beginning at each node.
const SHORT: usize = 64;

type VariableChoice = Box<dyn FnMut(&Domains<'_>, &[IntVar]) -> Option<IntVar> + Send>;
type ValueChoice = Box<dyn FnMut(&Domains<'_>, IntVar) -> i64 + Send>;

enum VariableOrder {
    Input,
    SmallestDomain,
    Random,
    By(VariableChoice),
}

enum ValueOrder {
    Min,
    Max,
    Median,
    Random,
    By(ValueChoice),
}

/// Branching on a list of variables: pick a variable, pick a value, try `x = value` and then
/// `x ≠ value`. Made by [`branch`].
pub struct Branching {
    variables: Vec<IntVar>,
    order: VariableOrder,
    value: ValueOrder,
    rng: fastrand::Rng,
    /// The engine's views of the variables.
    views: Vec<View>,
    /// The domains themselves, if each is one word.
    words: Option<Vec<Slot>>,
    /// Up to where they are fixed, in a long list.
    cursor: Cursor,
    /// Scratch: variables that are not fixed.
    open: Vec<IntVar>,
    /// A variable that the solver does not have; the search is stopped with it.
    foreign: Option<IntVar>,
}

impl fmt::Debug for Branching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Branching").field("variables", &self.variables).finish_non_exhaustive()
    }
}

/// Branches on the given variables: in input order, minimum value first, unless told otherwise.
/// Constants among them are passed over; for a view, branching is on its variable. With a variable that the
/// solver does not have the search ends with [`Stop::ForeignVariable`](super::Stop::ForeignVariable).
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let xs = model.ints(4, 0..=3);
/// model.post(all_different(&xs));
/// let mut solver = model.solver()?;
/// solver.set_search(branch(&xs).smallest_domain().max_value());
/// assert_eq!(solver.first().solution().unwrap().values(&xs), [3, 2, 1, 0]);
/// # Ok::<(), ModelError>(())
/// ```
pub fn branch<T: Into<Affine>>(variables: impl IntoIterator<Item = T>) -> Branching {
    Branching {
        variables: variables.into_iter().filter_map(|x| x.into().var()).collect(),
        order: VariableOrder::Input,
        value: ValueOrder::Min,
        rng: fastrand::Rng::with_seed(0),
        views: Vec::new(),
        words: None,
        cursor: Cursor::default(),
        open: Vec::new(),
        foreign: None,
    }
}

impl Branching {
    /// The first variable that is not fixed.
    pub fn input_order(self) -> Branching {
        Branching { order: VariableOrder::Input, ..self }
    }

    /// A variable with fewest values left, the first of them.
    pub fn smallest_domain(self) -> Branching {
        Branching { order: VariableOrder::SmallestDomain, ..self }
    }

    /// Any variable that is not fixed, by the solver's seed.
    pub fn random_variable(self) -> Branching {
        Branching { order: VariableOrder::Random, ..self }
    }

    /// The variable the closure picks among those that are not fixed; `None` ends this brancher's part.
    pub fn variable_by(
        self,
        choice: impl FnMut(&Domains<'_>, &[IntVar]) -> Option<IntVar> + Send + 'static,
    ) -> Branching {
        Branching { order: VariableOrder::By(Box::new(choice)), ..self }
    }

    /// The smallest value.
    pub fn min_value(self) -> Branching {
        Branching { value: ValueOrder::Min, ..self }
    }

    /// The largest value.
    pub fn max_value(self) -> Branching {
        Branching { value: ValueOrder::Max, ..self }
    }

    /// The middle one of the values left (of an even number, the lower one).
    pub fn median_value(self) -> Branching {
        Branching { value: ValueOrder::Median, ..self }
    }

    /// Any value left, by the solver's seed.
    pub fn random_value(self) -> Branching {
        Branching { value: ValueOrder::Random, ..self }
    }

    /// The value the closure picks; it must be in the domain.
    pub fn value_by(self, choice: impl FnMut(&Domains<'_>, IntVar) -> i64 + Send + 'static) -> Branching {
        Branching { value: ValueOrder::By(Box::new(choice)), ..self }
    }

    fn variable(&mut self, domains: &Domains<'_>) -> Option<usize> {
        let store = domains.store;
        let is_input = matches!(self.order, VariableOrder::Input);
        let from = if is_input || self.views.len() > SHORT { self.first_open(domains) } else { 0 };
        match &mut self.order {
            VariableOrder::Input => (from < self.views.len()).then_some(from),
            VariableOrder::SmallestDomain => {
                let place = match &self.words {
                    Some(words) => {
                        smallest(words[from..].iter().map(|&word| u64::from(store.get(word).count_ones())))
                    }
                    None => smallest(self.views[from..].iter().map(|&x| store.size(x))),
                };
                place.map(|i| from + i)
            }
            VariableOrder::Random => {
                let open = self.views.iter().filter(|&&x| !store.is_fixed(x)).count();
                let nth = if open > 0 { self.rng.usize(0..open) } else { 0 };
                let mut places = (0..self.views.len()).filter(|&i| !store.is_fixed(self.views[i]));
                places.nth(nth)
            }
            VariableOrder::By(choice) => {
                self.open.clear();
                self.open.extend(self.variables.iter().copied().filter(|&x| !domains.is_fixed(x)));
                let chosen = if self.open.is_empty() { None } else { choice(domains, &self.open) };
                chosen.and_then(|x| self.variables.iter().position(|&y| y == x))
            }
        }
    }
}

impl Branching {
    /// The first place that is not fixed; the end if all are.
    fn first_open(&mut self, domains: &Domains<'_>) -> usize {
        let from = self.cursor.place(domains.path());
        let open = self.views[from..].iter().position(|&x| !domains.store.is_fixed(x));
        let place = open.map_or(self.views.len(), |i| from + i);
        self.cursor.advance(domains.path(), place);
        place
    }

    /// A search begins, with the same variables as before and nothing random.
    pub(crate) fn rewind(&mut self) {
        self.cursor.reset(self.variables.len() + 1);
    }
}

impl Brancher for Branching {
    fn start(&mut self, domains: &Domains<'_>, seed: u64) {
        self.rng = fastrand::Rng::with_seed(seed);
        self.foreign = self.variables.iter().copied().find(|&x| !domains.has(x));
        self.open.reserve(self.variables.len());
        self.rewind();
        self.views.clear();
        self.views.extend(self.variables.iter().map(|&x| domains.view(x)));
        self.words = self.views.iter().map(|x| domains.store.word_slot(x.var())).collect();
    }

    fn choose(&mut self, domains: &Domains<'_>) -> Option<Decision> {
        if let Some(x) = self.foreign {
            return Some(Decision::Equal(x, 0));
        }
        let place = self.variable(domains)?;
        let (x, view) = (self.variables[place], self.views[place]);
        let store = domains.store;
        let value = match &mut self.value {
            ValueOrder::Min => store.min(view),
            ValueOrder::Max => store.max(view),
            ValueOrder::Median => store.nth(view, (store.size(view) - 1) / 2),
            ValueOrder::Random => store.nth(view, self.rng.u64(0..store.size(view))),
            ValueOrder::By(choice) => choice(domains, x),
        };
        Some(Decision::Equal(x, value))
    }
}

/// The first place of the smallest size that is at least 2.
#[inline(always)]
fn smallest(sizes: impl Iterator<Item = u64>) -> Option<usize> {
    let (mut best, mut place) = (u64::MAX, None);
    for (i, size) in sizes.enumerate() {
        // A fixed variable's size, 1, becomes the largest number.
        let size = size.wrapping_sub(2);
        if size < best {
            (best, place) = (size, Some(i));
            if size == 0 {
                break;
            }
        }
    }
    place
}

/// Branchers one after the other: each is asked only where the ones before it have nothing to decide.
#[derive(Default)]
pub struct Sequence {
    parts: Vec<Box<dyn Brancher>>,
}

impl fmt::Debug for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sequence").field("parts", &self.parts.len()).finish()
    }
}

impl Brancher for Sequence {
    fn start(&mut self, domains: &Domains<'_>, seed: u64) {
        self.parts.iter_mut().for_each(|part| part.start(domains, seed));
    }

    fn choose(&mut self, domains: &Domains<'_>) -> Option<Decision> {
        self.parts.iter_mut().find_map(|part| part.choose(domains))
    }
}
