//! In which order to search, and searches of your own.
//!
//! Where propagation stops, the search guesses: it makes a **decision**, looks at what follows, and later at what
//! follows from its opposite. Which decision comes next never changes *what* is found, only how soon. A **brancher**
//! makes the decisions; [`Solver::set_search`](crate::Solver::set_search) takes one.
//!
//! # Lists in an order
//!
//! [`branch`](crate::branch) takes variables, an order among them, and an order among the values of one:
//!
//! ```
//! use csp_core::prelude::*;
//! let mut model = Model::new();
//! let xs = model.ints(6, 0..6);
//! model.post(all_different(&xs));
//! let mut solver = model.solver()?;
//! solver.set_search(branch(&xs).smallest_domain().median_value());
//! assert_eq!(solver.count().solutions, 720);
//! # Ok::<(), ModelError>(())
//! ```
//!
//! | variables | when |
//! |---|---|
//! | `input_order` | you know a good order: from the left, from the largest, along the time |
//! | `smallest_domain` | all solutions, or a tree small enough to walk; costs little, seldom bad |
//! | `dom_wdeg` | one solution or an optimum, and no better idea; with `last_conflict` and restarts |
//! | `activity` | as `dom_wdeg`, where the constraints are few and long, so that failures tell little |
//! | `most_constrained` | much unlike neighbourhoods, as in colouring a graph |
//! | `smallest_min` | start times: what can begin first is planned first |
//! | `largest_domain`, `largest_max` | what takes most room first |
//! | `random_variable` | with restarts; or to learn how much luck there is in another order |
//!
//! | values | when |
//! |---|---|
//! | `min_value`, `max_value` | the objective, or a sum, wants them small or large |
//! | `median_value` | the middle leaves the others most room, or least |
//! | `split`, `reverse_split` | wide domains, where single values say nothing |
//! | `random_value` | with restarts; to find other solutions for other [seeds](crate::Solver::set_seed) |
//!
//! These are rules of thumb; what was measured is in [`search`](crate::search). `variable_by` and `value_by` take a
//! closure for either order.
//!
//! # One after the other
//!
//! [`then`](crate::search::Brancher::then) adds what comes when a list is fixed. Decide on what settles the rest; what
//! no list has is fixed at the end by the solver.
//!
//! ```
//! # use csp_core::prelude::*;
//! let mut model = Model::new();
//! let (open, amounts) = (model.bools(3), model.ints(3, 0..=5));
//! for (&open, &amount) in open.iter().zip(&amounts) {
//!     model.post(rule!(open <-> amount > 0));
//! }
//! model.post(rule!(sum(&amounts) = 7));
//! let mut solver = model.solver()?;
//! solver.set_search(branch(&open).then(branch(&amounts).max_value()));
//! let solution = solver.first().solution().expect("two are enough");
//! assert_eq!(solution.values(&amounts), [0, 5, 2]);
//! # Ok::<(), ModelError>(())
//! ```
//!
//! [`last_conflict`](crate::search::Brancher::last_conflict) goes on top of any brancher: after a failure it comes back
//! to the variable that was to blame. It is cheap and helps wherever a search wanders off.
//! [`conflict_ordering`](crate::search::Brancher::conflict_ordering) goes further: whatever failed comes before all else, the
//! latest first.
//!
//! # A closure
//!
//! A closure from the [domains](crate::Domains) at a node to a decision is a brancher. It must return a decision that
//! is still *open* there, or `None` if it has nothing to decide.
//!
//! ```
//! # use csp_core::prelude::*;
//! let mut model = Model::new();
//! let xs = model.ints(4, 0..=9);
//! model.post(rule!(sum(&xs) = 20));
//! let mut solver = model.solver()?;
//! let list = xs.clone();
//! solver.set_search(move |domains: &Domains<'_>| {
//!     // The variable with the widest range, and from that range its upper half.
//!     let width = |x: IntVar| domains.max(x) - domains.min(x);
//!     let x = list.iter().copied().filter(|&x| !domains.is_fixed(x)).max_by_key(|&x| width(x))?;
//!     Some(Decision::AtLeast(x, domains.min(x) + (width(x) + 1) / 2))
//! });
//! assert_eq!(solver.count().solutions, 633);
//! # Ok::<(), ModelError>(())
//! ```
//!
//! There are four [decisions](crate::Decision): `x = v`, `x ≠ v`, `x ≤ v` and `x ≥ v`. A decision that is already true
//! or false would repeat for ever; the search ends instead with
//! [`Stop::UselessDecision`](crate::Stop::UselessDecision), and with
//! [`Stop::ForeignVariable`](crate::Stop::ForeignVariable) if the solver does not have the variable.
//!
//! # A brancher that remembers
//!
//! For more, implement [`Brancher`](crate::search::Brancher). Only `choose` is needed; the hooks are called at their
//! time:
//!
//! - `start`: a search begins. Make room, and forget what belongs to the search before.
//! - `choose`: a decision is needed.
//! - `choose_on`: somebody else (`last_conflict`) has picked the variable; how would you decide on it?
//! - `failed`: propagation failed; which variables were concerned?
//! - `changed`: what a propagation changed; called only if `wants_changes` says so, as it costs something.
//!
//! This one prefers variables that failed a short while ago, in small domains (in the spirit of conflict-history
//! search, Habet and Terrioux, 2019):
//!
//! ```
//! use csp_core::prelude::*;
//! use csp_core::search::Failure;
//!
//! struct Recent {
//!     xs: Vec<IntVar>,
//!     /// For each variable: the number of the last failure it took part in.
//!     last: Vec<u64>,
//!     failures: u64,
//! }
//!
//! impl Recent {
//!     fn new(xs: &[IntVar]) -> Recent {
//!         Recent { xs: xs.to_vec(), last: vec![0; xs.len()], failures: 0 }
//!     }
//! }
//!
//! impl Brancher for Recent {
//!     fn start(&mut self, _: &Domains<'_>, _seed: u64) {
//!         self.last.fill(0);
//!         self.failures = 0;
//!     }
//!
//!     fn choose(&mut self, domains: &Domains<'_>) -> Option<Decision> {
//!         let open = (0..self.xs.len()).filter(|&i| !domains.is_fixed(self.xs[i]));
//!         // The time since the last failure, times the number of values.
//!         let i = open.min_by_key(|&i| {
//!             (self.failures - self.last[i] + 1).saturating_mul(domains.size(self.xs[i]))
//!         })?;
//!         self.choose_on(domains, self.xs[i])
//!     }
//!
//!     fn choose_on(&mut self, domains: &Domains<'_>, x: IntVar) -> Option<Decision> {
//!         Some(Decision::Equal(x, domains.max(x)))
//!     }
//!
//!     fn failed(&mut self, failure: &Failure<'_>) {
//!         self.failures += 1;
//!         for x in failure.variables() {
//!             if let Some(i) = self.xs.iter().position(|&y| y == x) {
//!                 self.last[i] = self.failures;
//!             }
//!         }
//!     }
//! }
//!
//! let mut model = Model::new();
//! let queens = model.ints(8, 0..8);
//! model.post(all_different(&queens));
//! model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q + row)));
//! model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q - row)));
//! let mut solver = model.solver()?;
//! solver.set_search(Recent::new(&queens).last_conflict());
//! assert_eq!(solver.count().solutions, 92);
//! # Ok::<(), ModelError>(())
//! ```
//!
//! (A search over many variables would keep the place of each in a table by [`IntVar::index`](crate::IntVar::index)
//! instead of looking for it.)
//!
//! What is kept must be right wherever the search is by now: branches are undone without a word to the brancher. State
//! that grows monotonically, as above, needs no care; what was true *at a node* may be used again only while
//! [`Domains::path`](crate::Domains::path) begins alike. Test a brancher by counting: whatever it decides, the number
//! of solutions is the same.
//!
//! For [several threads](crate::Solver::count_parallel) a brancher is copied; closures and types of your own say that they
//! can be by [`forkable`](crate::search::Brancher::forkable).
//!
//! # Restarts
//!
//! An early mistake can cost a search its lifetime. [`Restarts`](crate::Restarts) give up the path after some failures
//! and begin at the root, and nothing is searched twice or missed. They make sense only if the next run makes other
//! decisions: with `dom_wdeg`, `activity`, `random_variable`, `random_value` or a brancher that learns.
//!
//! ```
//! # use csp_core::prelude::*;
//! # let mut model = Model::new();
//! # let xs = model.ints(6, 0..6);
//! # model.post(all_different(&xs));
//! # let mut solver = model.solver()?;
//! solver.set_search(branch(&xs).dom_wdeg().random_value().last_conflict());
//! solver.set_restarts(Restarts::luby(50));
//! assert!(solver.first().solution().is_some());
//! # Ok::<(), ModelError>(())
//! ```
//!
//! For one solution or an optimum: `geometric(100, 1.5)` is a good first try, `luby(50)` where luck varies much. For all
//! solutions they are of little use, since the whole tree has to be walked anyway.
//!
//! # Discrepancies
//!
//! If an order is *usually right* — the densest item first, the nearest city next — good solutions are those that go
//! against it seldom. [`Limits::discrepancies`](crate::Limits::discrepancies) searches only these; raise it step by step
//! until the answer is good enough or the search complete:
//!
//! ```
//! # use csp_core::prelude::*;
//! let items = [(60, 10), (100, 20), (120, 30), (30, 12), (35, 15)];
//! let mut model = Model::new();
//! let packed = model.bools(items.len());
//! let total = |of: fn(&(i64, i64)) -> i64| weighted_sum(items.iter().map(of).zip(&packed));
//! model.post(total(|&(_, weight)| weight).le(50));
//! let mut solver = model.solver()?;
//! solver.set_search(branch(&packed).max_value());
//! let mut values = Vec::new();
//! for discrepancies in 0..=items.len() as u64 {
//!     solver.set_limits(Limits::new().discrepancies(discrepancies));
//!     let best = solver.maximise(total(|&(value, _)| value))?;
//!     values.extend(best.value());
//!     if best.is_proved() {
//!         break;
//!     }
//! }
//! assert_eq!(values.last(), Some(&220));
//! assert!(values.is_sorted());
//! # Ok::<(), ModelError>(())
//! ```
//!
//! # Which when
//!
//! 1. Nothing set: for one solution or an optimum the search learns from its failures and decides on what had a part in
//!    them ([`Mode`](crate::Mode)); for all solutions, `smallest_domain`. Try this first. In plain mode it is `dom_wdeg` with
//!    `last_conflict` and restarts.
//! 2. You know which variables settle the others: `branch` on them, in the same orders.
//! 3. You know a good order of variables or values: say it, and try it with [`Mode::Free`](crate::Mode::Free), since a strategy
//!    turns learning off otherwise. In plain search a good order is hard to beat; where proofs are hard, as in
//!    scheduling, learning matters more.
//! 4. Your order is usually right: discrepancies. Seldom right: restarts with something random.
//! 5. The choice depends on more than one variable's domain: a closure. On the past: a brancher.
//!
//! And [measure](super::statistics): on several instances, and with the same question.
