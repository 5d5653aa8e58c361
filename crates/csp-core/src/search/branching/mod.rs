//! Which decision comes next.
//!
//! A [`Brancher`] makes decisions; [`branch`] makes the common ones, of a variable order and a value order,
//! and [`Sequence`], [`LastConflict`] and [`ConflictOrdering`] combine others. Threads have [forks](Brancher::fork).

mod combine;
mod cursor;
mod domains;
mod fork;
mod learning;
mod list;
mod value;
mod variable;

use crate::engine::Atom;
use crate::model::IntVar;

pub use combine::{ConflictOrdering, LastConflict, Sequence};
pub(crate) use cursor::Cursor;
pub use domains::Domains;
pub use fork::Forkable;
pub use learning::{Changes, Failure};
pub(crate) use learning::{Origins, Translation};
pub use list::{Branching, branch};

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

    /// For the engine; `None` if the solver does not have the variable.
    #[inline]
    pub(crate) fn atom(self, domains: &Domains<'_>) -> Option<Atom> {
        let view = domains.known(self.variable())?;
        Some(match self {
            Decision::Equal(_, v) => view.eq(v),
            Decision::Unequal(_, v) => view.ne(v),
            Decision::AtMost(_, v) => view.le(v),
            Decision::AtLeast(_, v) => view.ge(v),
        })
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

    /// A decision on a variable that somebody else chose, open at this node; `None` to leave it to them.
    fn choose_on(&mut self, domains: &Domains<'_>, x: IntVar) -> Option<Decision> {
        let _ = (domains, x);
        None
    }

    /// Called after each failure of a propagator, before anything is undone: to learn from it.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// use csp_core::search::Failure;
    ///
    /// /// Decides first on what has failed most often.
    /// struct Troublemaker {
    ///     xs: Vec<IntVar>,
    ///     failures: Vec<u64>,
    /// }
    ///
    /// impl Brancher for Troublemaker {
    ///     fn choose(&mut self, domains: &Domains<'_>) -> Option<Decision> {
    ///         let open = (0..self.xs.len()).filter(|&i| !domains.is_fixed(self.xs[i]));
    ///         let x = self.xs[open.max_by_key(|&i| self.failures[i])?];
    ///         Some(Decision::Equal(x, domains.min(x)))
    ///     }
    ///
    ///     fn failed(&mut self, failure: &Failure<'_>) {
    ///         for x in failure.variables() {
    ///             if let Some(i) = self.xs.iter().position(|&y| y == x) {
    ///                 self.failures[i] += 1;
    ///             }
    ///         }
    ///     }
    /// }
    ///
    /// let mut model = Model::new();
    /// let xs = model.ints(5, 0..5);
    /// model.post(all_different(xs.iter().zip(0..).map(|(&x, i)| x + i)));
    /// model.post(all_different(&xs));
    /// let mut solver = model.solver()?;
    /// let failures = vec![0; xs.len()];
    /// solver.set_search(Troublemaker { xs, failures });
    /// assert_eq!(solver.count().solutions, 23);
    /// # Ok::<(), ModelError>(())
    /// ```
    fn failed(&mut self, failure: &Failure<'_>) {
        let _ = failure;
    }

    /// Whether [`changed`](Self::changed) is to be called, which costs something at each change; asked after
    /// [`start`](Self::start).
    fn wants_changes(&self) -> bool {
        false
    }

    /// Called after each propagation, if [wanted](Self::wants_changes), with the variables that it changed.
    fn changed(&mut self, changes: &Changes<'_>) {
        let _ = changes;
    }

    /// A copy for another thread of a [parallel search](crate::Solver::count_parallel), where [`start`](Self::start) is
    /// called before it is asked; none if there can be no copy, and then the search has one thread. What the library
    /// makes can be copied; closures and types of your own can after [`forkable`](Self::forkable).
    fn fork(&self) -> Option<Box<dyn Brancher>> {
        None
    }

    /// This, with copies of it for the threads of a [parallel search](crate::Solver::count_parallel).
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let xs = model.ints(6, 0..6);
    /// model.post(all_different(&xs));
    /// let mut solver = model.solver()?;
    /// let in_order = move |domains: &Domains<'_>| {
    ///     let x = xs.iter().copied().find(|&x| !domains.is_fixed(x))?;
    ///     Some(Decision::Equal(x, domains.min(x)))
    /// };
    /// solver.set_search(in_order.forkable());
    /// assert_eq!(solver.count_parallel(2).solutions, 720);
    /// # Ok::<(), ModelError>(())
    /// ```
    fn forkable(self) -> Forkable<Self>
    where
        Self: Clone + Sized + 'static,
    {
        Forkable::new(self)
    }

    /// Last-conflict reasoning (Lecoutre, Saïs, Tabary, Vidal, 2009) on top of this brancher: after a failure,
    /// the variable that was decided last is tried again first, until it is fixed without one. So a search
    /// comes back to the cause of trouble.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let xs = model.ints(6, 0..6);
    /// model.post(all_different(&xs));
    /// let mut solver = model.solver()?;
    /// solver.set_search(branch(&xs).dom_wdeg().last_conflict());
    /// assert_eq!(solver.count().solutions, 720);
    /// # Ok::<(), ModelError>(())
    /// ```
    fn last_conflict(self) -> LastConflict<Self>
    where
        Self: Sized,
    {
        LastConflict::new(self)
    }

    /// Conflict-ordering search (Gay, Hartert, Lecoutre, Schaus, 2015) on top of this brancher: variables whose decisions
    /// failed come first, the one that failed last before all others; this brancher chooses among the rest, and the values.
    /// Strong in scheduling; with restarts, a search comes back to the conflicts it had before.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let xs = model.ints(6, 0..6);
    /// model.post(all_different(&xs));
    /// let mut solver = model.solver()?;
    /// solver.set_search(branch(&xs).smallest_domain().conflict_ordering());
    /// assert_eq!(solver.count().solutions, 720);
    /// # Ok::<(), ModelError>(())
    /// ```
    fn conflict_ordering(self) -> ConflictOrdering<Self>
    where
        Self: Sized,
    {
        ConflictOrdering::new(self)
    }

    /// This first, and where it has nothing to decide, `next`.
    fn then(self, next: impl Brancher + 'static) -> Sequence
    where
        Self: Sized + 'static,
    {
        Sequence::new(vec![Box::new(self), Box::new(next)])
    }
}

impl<F: FnMut(&Domains<'_>) -> Option<Decision> + Send> Brancher for F {
    fn choose(&mut self, domains: &Domains<'_>) -> Option<Decision> {
        self(domains)
    }
}
