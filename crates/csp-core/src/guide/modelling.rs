//! From a problem in words to a model and its solutions. You know Rust; of constraint programming you need
//! to know nothing.
//!
//! # The problem
//!
//! > Five talks, one after the other: theory, models, search, demo and news. Theory comes before models, and
//! > models before the demo. News and demo are not next to each other. The speaker of search arrives late and
//! > cannot be among the first two. If the demo comes last, search comes right before it.
//!
//! # Variables and their domains
//!
//! Ask first: *what is to be decided?* Here, the place of each talk. Each such decision is a **variable**, and the
//! values it may take are its **domain**: the places 1 to 5.
//!
//! (It could be the other way round: for each place, which talk. Prefer the way in which the conditions are
//! short to say. "Theory comes before models" compares two places, so places it is.)
//!
//! ```
//! use csp_core::prelude::*;
//!
//! let mut model = Model::new();
//! let theory = model.int_named("theory", 1..=5);
//! let models = model.int_named("models", 1..=5);
//! let search = model.int_named("search", 1..=5);
//! let demo = model.int_named("demo", 1..=5);
//! let news = model.int_named("news", 1..=5);
//! ```
//!
//! A name is for messages only; `model.int(1..=5)` and `model.ints(5, 1..=5)` do without. A variable is a handle of
//! a few bytes, to be copied freely. It has no value: the values are in the solutions.
//!
//! # Constraints
//!
//! Then ask: *which combinations are allowed?* Each condition is a **constraint**, and [`Model::post`] adds it.
//! [`rule!`](crate::rule) writes it as mathematics does:
//!
//! ```
//! # use csp_core::prelude::*;
//! # let mut model = Model::new();
//! # let [theory, models, search, demo, news] = ["theory", "models", "search", "demo", "news"].map(|name| model.int_named(name, 1..=5));
//! model.post(all_different([theory, models, search, demo, news]));
//! model.post(rule!(theory < models < demo));
//! model.post(rule!((news - demo).abs() != 1));
//! model.post(rule!(search >= 3));
//! model.post(rule!(demo = 5 -> search = 4));
//! ```
//!
//! The first one is easily forgotten, as nobody says it: *one after the other* means that no two talks have the same
//! place. Such conditions are the most usual reason for surprising solutions.
//!
//! Without the macro, comparisons are the methods `eq`, `ne`, `lt`, `le`, `gt`, `ge`, and `search.ge(3)` is the same
//! as `rule!(search >= 3)`. Some more rules, with what they may be made of:
//!
//! ```
//! # use csp_core::prelude::*;
//! # let mut model = Model::new();
//! # let (x, y, z, start, end) = (model.int(0..=9), model.int(0..=9), model.int(0..=9), model.int(0..=9), model.int(0..=9));
//! # let (a, b, cost, choice) = (model.int(0..=9), model.int(0..=9), model.int(0..=99), model.int(0..=9));
//! # let (open, late, ends, prices) = (model.bool(), model.bool(), model.ints(3, 0..=24), model.ints(3, 0..=9));
//! model.post(rule!(x + 2 * y <= z));
//! model.post(rule!(open -> 1 <= start < end)); // where it is open, …
//! model.post(rule!(late <-> (maximum(&ends) > 17 | (a - b).abs() = 1))); // exactly where …
//! model.post(rule!(cost = sum(&prices) + element([30, 10, 20], choice))); // entries count from 0
//! # assert!(model.solver()?.first().solution().is_some());
//! # Ok::<(), ModelError>(())
//! ```
//!
//! What else can be demanded is in [`constraints`](crate::constraints).
//!
//! # A solution, and all of them
//!
//! ```
//! # use csp_core::prelude::*;
//! # let mut model = Model::new();
//! # let [theory, models, search, demo, news] = ["theory", "models", "search", "demo", "news"].map(|name| model.int_named(name, 1..=5));
//! # model.post(all_different([theory, models, search, demo, news]));
//! # model.post(rule!(theory < models < demo));
//! # model.post(rule!((news - demo).abs() != 1));
//! # model.post(rule!(search >= 3));
//! # model.post(rule!(demo = 5 -> search = 4));
//! let mut solver = model.solver()?;
//! match solver.first() {
//!     First::Found(solution) => println!("theory is number {}", solution[theory]),
//!     First::Infeasible => println!("there is no such programme"),
//!     First::Stopped(why) => println!("{why}"),
//! }
//!
//! let talks = [theory, models, search, demo, news];
//! let mut programmes: Vec<_> = solver.solutions().map(|solution| solution.values(&talks)).collect();
//! programmes.sort();
//! assert_eq!(programmes.len(), 6);
//! assert_eq!(programmes[0], [1, 2, 4, 3, 5]);
//! # Ok::<(), ModelError>(())
//! ```
//!
//! [`Solver::count`] only counts them, which is quicker, and [`Solver::for_each`] visits them without copies. Each
//! solution handed out was checked against all constraints.
//!
//! # A best one
//!
//! > Theory and demo belong together: as little as possible should come in between.
//!
//! What is to be small or large is an expression, the **objective**:
//!
//! ```
//! # use csp_core::prelude::*;
//! # let mut model = Model::new();
//! # let [theory, models, search, demo, news] = ["theory", "models", "search", "demo", "news"].map(|name| model.int_named(name, 1..=5));
//! # model.post(all_different([theory, models, search, demo, news]));
//! # model.post(rule!(theory < models < demo));
//! # model.post(rule!((news - demo).abs() != 1));
//! # model.post(rule!(search >= 3));
//! # model.post(rule!(demo = 5 -> search = 4));
//! let mut solver = model.solver()?;
//! let best = solver.minimise(demo - theory)?;
//! assert_eq!(best.value(), Some(2));
//! assert!(best.is_proved());
//! # Ok::<(), ModelError>(())
//! ```
//!
//! A search that may take long gets [`Limits`](crate::Limits), and returns the best it found, together with a bound:
//! no solution is better than that. See [`Optimum`](crate::Optimum).
//!
//! # What goes wrong
//!
//! **`==` instead of `eq`.** `==` asks whether two handles are the same variable, and gives a `bool`. The compiler
//! says "`bool` is not a constraint", and what to write instead.
//!
//! ```compile_fail
//! # use csp_core::prelude::*;
//! # let mut model = Model::new();
//! # let (x, y) = (model.int(1..=5), model.int(1..=5));
//! model.post(x == y); // write rule!(x = y), or x.eq(y)
//! ```
//!
//! **`eq` on a reference.** Rust itself has a method `eq` for references, which is found first: "expected `&IntVar`,
//! found integer". `rule!` takes references as well as handles.
//!
//! ```compile_fail
//! # use csp_core::prelude::*;
//! # let mut model = Model::new();
//! let xs = model.ints(3, 1..=5);
//! for x in &xs {
//!     model.post(x.eq(2)); // write rule!(x = 2), or (*x).eq(2), or `for &x in &xs`
//! }
//! ```
//!
//! **"use of moved value".** Handles are copied, but an expression is moved into the rule. Borrow it there, or clone
//! it:
//!
//! ```
//! # use csp_core::prelude::*;
//! # let mut model = Model::new();
//! # let (x, y) = (model.int(1..=5), model.int(1..=5));
//! let total = x + y;
//! model.post(rule!(&total >= 3));
//! model.post(rule!(total <= 6));
//! assert_eq!(model.solver()?.count().solutions, 14);
//! # Ok::<(), ModelError>(())
//! ```
//!
//! **Numbers of other types.** All numbers are `i64`: "`IntExpr: From<usize>` is not satisfied" asks for `i as i64`, and
//! inside `rule!` for `(i as i64)`.
//!
//! **A product of two variables.** There is `3 * x` but no `x * y` ("mismatched types: expected `i64`, found
//! `IntVar`"), no `/` and no `%`: that `x` is even is `rule!(x = 2 * half)` with one more variable. For small
//! domains, list the combinations in a [`table`](crate::table); for large ones, [write a
//! propagator](super::propagator), where just this is the example.
//!
//! **An error from `solver()`.** A mistake in the model is kept until a solver is made of it, and then told with the
//! place in your source where it was posted:
//!
//! ```
//! # use csp_core::prelude::*;
//! let mut model = Model::new();
//! let x = model.int_named("x", 0..=1_000_000_000_000);
//! model.post(rule!(10_000_000_000 * x = 5));
//! let message = model.solver().unwrap_err().to_string();
//! assert!(message.starts_with("values must lie between -(2^62 - 1) and 2^62 - 1"), "{message}");
//! assert!(message.contains("10000000000 * x"), "{message}");
//! ```
//!
//! This one is an overflow, and its remedy a smaller domain or a smaller unit. "A variable belongs to another model"
//! means a handle from elsewhere; "has no negation" means that the constraint is needed as false too, where it cannot
//! be ([`Constraint::negation`](crate::Constraint::negation) lists which can).
//!
//! **No solution, but there should be one.** If you know one, ask what it breaks:
//!
//! ```
//! # use csp_core::prelude::*;
//! let mut model = Model::new();
//! let (x, y) = (model.int_named("x", 1..=5), model.int_named("y", 1..=5));
//! model.post(rule!(x < y));
//! model.post_named("in the middle", rule!(x = 3));
//! let broken = model.check(&model.assignment(|z| if z == x { 2 } else { 4 })).unwrap_err();
//! assert_eq!(broken[0].to_string(), "constraint 1 `in the middle` is broken: x = 3, with x = 2");
//! ```
//!
//! If you know none, ask which conditions contradict each other: give them names.
//!
//! ```
//! # use csp_core::prelude::*;
//! let mut model = Model::new();
//! let (x, y, z) = (model.int(1..=3), model.int(1..=3), model.int(1..=3));
//! model.post_named("in order", rule!(x < y < z));
//! model.post_named("large sum", rule!(x + y + z >= 6));
//! model.post_named("small end", rule!(z <= 2));
//! if let Infeasibility::Conflict { constraints, .. } = model.solver()?.explain_infeasibility()? {
//!     let names: Vec<_> = constraints.iter().filter_map(|&c| model.constraint_name(c)).collect();
//!     assert_eq!(names, ["in order", "small end"]);
//!     // None of them at all: domains and constraints without a name are to blame alone.
//! }
//! # Ok::<(), ModelError>(())
//! ```
//!
//! Or give up as few as possible: make each of them depend on a Boolean of its own, and keep as many as can be.
//!
//! ```
//! # use csp_core::prelude::*;
//! let mut model = Model::new();
//! let (x, y, z) = (model.int(1..=3), model.int(1..=3), model.int(1..=3));
//! let mut kept = Vec::new();
//! let mut demand = |model: &mut Model, name: &'static str, constraint: BoolExpr| {
//!     let b = model.bool();
//!     model.post(when(b, constraint));
//!     kept.push((b, name));
//! };
//! demand(&mut model, "in order", rule!(x < y < z));
//! demand(&mut model, "large sum", rule!(x + y + z >= 6));
//! demand(&mut model, "small end", rule!(z <= 2));
//! let best = model.solver()?.maximise(sum(kept.iter().map(|&(b, _)| b)))?;
//! let solution = best.solution().expect("giving up everything is allowed");
//! let given_up: Vec<_> = kept.iter().filter(|&&(b, _)| !solution.is_true(b)).map(|&(_, name)| name).collect();
//! assert_eq!(given_up.len(), 1);
//! # Ok::<(), ModelError>(())
//! ```
//!
//! **Too many solutions.** Print the model with `println!("{model}")`, or a few solutions, and look for the condition
//! that nobody said. If solutions differ only in helper variables, [`Solver::set_projection`] tells which variables
//! matter.
//!
//! **Too slow.** In this order, and with a look at the [statistics](super::statistics) each time:
//!
//! 1. *Domains*: no larger than need be. A bound you can work out on paper is worth more than one the search has to
//!    find.
//! 2. *One constraint that says it all*: `all_different(&xs)` instead of a `!=` for each pair, one sum instead of
//!    partial sums.
//! 3. *Symmetry*: if solutions can be mirrored or numbers exchanged, demand one of the forms: `rule!(x < y)` where `x`
//!    and `y` could change places.
//! 4. *The order of search*: [`branch`](crate::branch) on the variables that decide the others, in the order in which
//!    you would. See [`brancher`](super::brancher).
//! 5. *Stronger filtering*: `all_different(&xs).domain()`. See [`consistency`](super::consistency).
//! 6. *Constraints that follow from the others* but see more at once. The magic sum of a square, known beforehand, is
//!    one.
//!
//! # One for you
//!
//! > A farmer has 100 coins for 100 animals. A cow costs 10 coins, a pig 3, and two hens cost 1. The farmer buys some
//! > of each. How many?
//!
//! Variables, domains, two constraints. (Half coins: count in half coins.) You should find exactly one answer; this
//! checks yours:
//!
//! ```
//! # fn solve() -> Result<Vec<Vec<i64>>, csp_core::ModelError> {
//! #     use csp_core::prelude::*;
//! #     let mut model = Model::new();
//! #     let (cows, pigs, hens) = (model.int(1..=100), model.int(1..=100), model.int(1..=100));
//! #     model.post(rule!(cows + pigs + hens = 100));
//! #     model.post(rule!(20 * cows + 6 * pigs + hens = 200));
//! #     let mut solver = model.solver()?;
//! #     Ok(solver.solutions().map(|s| s.values(&[cows, pigs, hens])).collect())
//! # }
//! let answers: Vec<Vec<i64>> = solve()?; // your function: cows, pigs and hens
//! assert_eq!(answers.len(), 1);
//! assert_eq!(answers[0].iter().product::<i64>(), 470);
//! # Ok::<(), csp_core::ModelError>(())
//! ```
//!
//! [`Model::post`]: crate::Model::post
//! [`Solver::count`]: crate::Solver::count
//! [`Solver::for_each`]: crate::Solver::for_each
//! [`Solver::set_projection`]: crate::Solver::set_projection
