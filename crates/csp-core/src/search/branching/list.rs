//! Branching on a list of variables, by a variable order and a value order.

use std::cmp::Reverse;
use std::fmt;

use crate::engine::{Slot, View};
use crate::model::{Affine, IntVar};

use super::value::ValueOrder;
use super::variable::{VariableOrder, Weights, best, smallest};
use super::{Brancher, Changes, Cursor, Decision, Domains, Failure};

/// Lists up to this length are looked through from the beginning at each node.
const SHORT: usize = 512;
/// What is left of an activity after a propagation.
const ACTIVITY_DECAY: f64 = 0.999;

/// Branching on a list of variables: pick a variable, pick a value, try `x = value` and then
/// `x ≠ value`. Made by [`branch`].
#[derive(Clone)]
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
/// solver does not have the search ends with [`Stop::ForeignVariable`](crate::Stop::ForeignVariable).
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

    /// A variable with most values left, the first of them.
    pub fn largest_domain(self) -> Branching {
        Branching { order: VariableOrder::LargestDomain, ..self }
    }

    /// A variable with the smallest minimum, the first of them.
    pub fn smallest_min(self) -> Branching {
        Branching { order: VariableOrder::SmallestMin, ..self }
    }

    /// A variable with the largest maximum, the first of them.
    pub fn largest_max(self) -> Branching {
        Branching { order: VariableOrder::LargestMax, ..self }
    }

    /// A variable with the largest [degree](Domains::degree) when the search began, the first of them.
    pub fn most_constrained(self) -> Branching {
        Branching { order: VariableOrder::MostConstrained(Vec::new()), ..self }
    }

    /// A variable with the smallest ratio of the number of values left to its weight, the first of them
    /// (Boussemart, Hemery, Lecoutre and Saïs, 2004). Its weight is 1 and the number of failures, since the
    /// search began, of propagators that have it in their scope; restarts keep it. Searches for one
    /// solution are often best with this order and [`last_conflict`](Brancher::last_conflict).
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let xs = model.ints(6, 0..6);
    /// model.post(all_different(&xs));
    /// model.post(all_different(xs.iter().zip(0..).map(|(&x, i)| x + i)));
    /// let mut solver = model.solver()?;
    /// solver.set_search(branch(&xs).dom_wdeg());
    /// solver.set_restarts(Restarts::luby(10));
    /// assert!(solver.first().solution().is_some());
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn dom_wdeg(self) -> Branching {
        Branching { order: VariableOrder::DomWdeg(Weights::default()), ..self }
    }

    /// A variable with the largest ratio of its activity to the number of values left, the first of them
    /// (Michel and Van Hentenryck, 2012). Its activity is the number of propagations that changed it since the
    /// search began, each counted 0.1 % less with every later one; restarts keep it. While such a search
    /// runs, the engine takes note of every change.
    pub fn activity(self) -> Branching {
        Branching { order: VariableOrder::Activity(Weights::default()), ..self }
    }

    /// Any variable that is not fixed, by the solver's seed.
    pub fn random_variable(self) -> Branching {
        Branching { order: VariableOrder::Random, ..self }
    }

    /// The variable the closure picks among those that are not fixed; `None` ends this brancher's part.
    pub fn variable_by(
        self,
        choice: impl FnMut(&Domains<'_>, &[IntVar]) -> Option<IntVar> + Clone + Send + 'static,
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

    /// The lower half of the values first: `x ≤ m` for the middle `m` of the bounds, rounded down, then `x > m`.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let x = model.int(0..=1_000_000_000_000);
    /// model.post((3 * x).ge(2_000_000_000_000));
    /// let mut solver = model.solver()?;
    /// solver.set_search(branch([x]).split());
    /// assert_eq!(solver.first().solution().unwrap()[x], 666_666_666_667);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn split(self) -> Branching {
        Branching { value: ValueOrder::Split, ..self }
    }

    /// The upper half of the values first: `x > m` for the middle `m` of the bounds, rounded down, then `x ≤ m`.
    pub fn reverse_split(self) -> Branching {
        Branching { value: ValueOrder::ReverseSplit, ..self }
    }

    /// The value the closure picks; it must be in the domain.
    pub fn value_by(
        self,
        choice: impl FnMut(&Domains<'_>, IntVar) -> i64 + Clone + Send + 'static,
    ) -> Branching {
        Branching { value: ValueOrder::By(Box::new(choice)), ..self }
    }

    fn variable(&mut self, domains: &Domains<'_>) -> Option<usize> {
        let store = domains.store;
        let is_input = matches!(self.order, VariableOrder::Input);
        let from = if is_input || self.views.len() > SHORT { self.first_open(domains) } else { 0 };
        match &mut self.order {
            VariableOrder::Input => (from < self.views.len()).then_some(from),
            VariableOrder::SmallestDomain => match &self.words {
                Some(words) if from == 0 => {
                    smallest(words.iter().map(|&word| u64::from(store.get(word).count_ones())))
                }
                _ => smallest(self.views[from..].iter().map(|&x| store.size(x))).map(|i| from + i),
            },
            VariableOrder::LargestDomain => {
                best(&self.views, from, store, None, |_, x| Reverse(store.size(x)))
            }
            VariableOrder::SmallestMin => best(&self.views, from, store, None, |_, x| store.min(x)),
            VariableOrder::LargestMax => best(&self.views, from, store, None, |_, x| Reverse(store.max(x))),
            VariableOrder::MostConstrained(degrees) => {
                best(&self.views, from, store, None, |i, _| Reverse(degrees[i]))
            }
            VariableOrder::DomWdeg(weights) => {
                let least = Some(2.0 / weights.largest());
                best(&self.views, from, store, least, |_, x| store.size(x) as f64 / weights.of(x))
            }
            VariableOrder::Activity(weights) => {
                best(&self.views, from, store, None, |_, x| -weights.of(x) / store.size(x) as f64)
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

    /// The decision on a variable of the list.
    #[inline(always)]
    fn decide(&mut self, domains: &Domains<'_>, place: usize) -> Decision {
        self.value.decide(domains, self.variables[place], self.views[place], &mut self.rng)
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
        let variables = domains.store.ids().len();
        match &mut self.order {
            VariableOrder::MostConstrained(degrees) => {
                degrees.clear();
                degrees.extend(self.variables.iter().map(|&x| domains.degree(x)));
            }
            VariableOrder::DomWdeg(weights) => weights.reset(variables, 1.0),
            VariableOrder::Activity(weights) => weights.reset(variables, 0.0),
            _ => {}
        }
        self.words = self.views.iter().map(|x| domains.store.word_slot(x.var())).collect();
    }

    fn choose(&mut self, domains: &Domains<'_>) -> Option<Decision> {
        if let Some(x) = self.foreign {
            return Some(Decision::Equal(x, 0));
        }
        let place = self.variable(domains)?;
        Some(self.decide(domains, place))
    }

    fn choose_on(&mut self, domains: &Domains<'_>, x: IntVar) -> Option<Decision> {
        let place = self.variables.iter().position(|&y| y == x)?;
        Some(self.decide(domains, place))
    }

    fn failed(&mut self, failure: &Failure<'_>) {
        if let VariableOrder::DomWdeg(weights) = &mut self.order {
            weights.add(failure.ids());
        }
    }

    fn wants_changes(&self) -> bool {
        matches!(self.order, VariableOrder::Activity(_))
    }

    fn fork(&self) -> Option<Box<dyn Brancher>> {
        Some(Box::new(self.clone()))
    }

    fn changed(&mut self, changes: &Changes<'_>) {
        if let VariableOrder::Activity(weights) = &mut self.order {
            weights.decay(ACTIVITY_DECAY);
            weights.add(changes.changed.iter().copied());
        }
    }
}
