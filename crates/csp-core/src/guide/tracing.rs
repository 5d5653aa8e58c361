//! What a search did, step by step, and why: who removed which value, and what it blames.
//!
//! [Statistics](super::statistics) tell how large a search was. A **trace** tells what happened in it, in the words of the
//! model, whatever the model is.
//!
//! # Recording
//!
//! [`set_trace`](crate::Solver::set_trace) before the search, [`take_trace`](crate::Solver::take_trace) after it. Names help:
//! of variables by `int_named`, of constraints by `post_named`. Without one, a constraint is described by what it demands.
//!
//! ```
//! use csp_core::observe::Cause;
//! use csp_core::prelude::*;
//!
//! /// An event in words.
//! fn tell(trace: &Trace, event: &TraceEvent) -> String {
//!     let who = |cause: Cause| match cause {
//!         Cause::Constraint(number) => {
//!             let constraint = &trace.constraints[number];
//!             constraint.name.as_ref().unwrap_or(&constraint.description).clone()
//!         }
//!         _ => cause.to_string(),
//!     };
//!     let why = |blame: &[_]| blame.iter().map(|&literal| trace.words(literal)).collect::<Vec<_>>().join(", ");
//!     match event {
//!         TraceEvent::Decision { literal, .. } => format!("decided: {}", trace.words(*literal)),
//!         TraceEvent::Change { variable, removed, cause, blame } => {
//!             let name = &trace.variables[*variable].name;
//!             format!("{name} loses {removed:?} by {} because {}", who(*cause), why(blame))
//!         }
//!         TraceEvent::Failure { cause, blame } => format!("failure: {} and {}", who(*cause), why(blame)),
//!         other => format!("{other:?}"),
//!     }
//! }
//!
//! let mut model = Model::new();
//! let rows = model.ints_named("row", 4, 0..4);
//! model.post_named("columns", all_different(&rows));
//! model.post_named("diagonals", all_different(rows.iter().zip(0..).map(|(&q, row)| q + row)));
//! model.post_named("anti-diagonals", all_different(rows.iter().zip(0..).map(|(&q, row)| q - row)));
//! let mut solver = model.solver()?;
//! solver.set_search(branch(&rows));
//! solver.set_trace(Tracing::new());
//! assert_eq!(solver.count().solutions, 2);
//! let trace = solver.take_trace().expect("it was asked for");
//!
//! let told: Vec<String> = trace.events.iter().map(|event| tell(&trace, event)).collect();
//! assert_eq!(told[13..19], [
//!     "Node { node: 3, parent: 2, depth: 2, alternative: 0 }",
//!     "row1 loses [(3, 3)] by a decision because ",
//!     "row2 loses [(1, 1)] by diagonals because row1 = 2",
//!     "row3 loses [(2, 2)] by diagonals because row2 = 3",
//!     "failure: anti-diagonals and row1 = 2, row2 = 3",
//!     "Undo { to_depth: 1, changes: 3 }",
//! ]);
//! # Ok::<(), ModelError>(())
//! ```
//!
//! Each search is traced from its beginning, and the trace is that of the last one; it says whether that was complete.
//! `take_trace` ends tracing: searches after it are not traced. Nodes, solutions and their order are those of a search without a trace.
//!
//! # What the events mean
//!
//! | [event](crate::TraceEvent) | what happened |
//! |---|---|
//! | `Node` | the search reached a node; the changes that follow belong to it. `parent` 0: a root. `depth`: the decisions in force |
//! | `Change` | a variable lost values, all of which it had until then |
//! | `Fixpoint` | nothing more follows at the node … |
//! | `Failure` | … or it has no solution |
//! | `Solution` | … or, after the fixpoint, every variable has one value: these, in the model's order |
//! | `Decision` | the search guesses at a node; the next node is where the guess holds |
//! | `Undo` | decisions were taken back until `to_depth` are left, and with them the last `changes` changes still in force |
//! | `Restart` | the search begins anew, at a root; an `Undo` came before it |
//!
//! So changes are a stack: `Change` pushes one, `Undo` pops some. A search to its end undoes everything but what holds at the
//! root; one that was stopped leaves the stack as it was.
//!
//! # What a reason claims
//!
//! Each change and each failure has a [cause](crate::observe::Cause), who did it, and a blame, statements about variables that
//! held just before. Together they claim:
//!
//! > every assignment that satisfies the *cause* and all that is *blamed* has none of the values removed (of a failure:
//! > there is no such assignment).
//!
//! | cause | what it stands for |
//! |---|---|
//! | `Constraint(i)` | `trace.constraints[i]`, and nothing else: other constraints come in only through the blame |
//! | `Decision` | a guess; it needs no reason |
//! | `Refutation` | the opposite of a guess, below which nothing is left to find: as good as the decisions before it |
//! | `Clause` | a clause that the search learnt, or a nogood left behind at a restart; the rest of it is the blame |
//! | `Objective` | only better solutions than the best so far are wanted |
//! | `Assumption` | what defines an [assumption](crate::Solver::set_assumptions) |
//! | `Domain` | known before the search, and not explained |
//!
//! Taken for granted, and therefore never blamed, are: the values a variable was declared with
//! ([`initial`](crate::observe::TracedVariable)), changes by `Domain`, and that variables are equal which presolve found so.
//! The blame is what the constraint's own explanation says; it suffices, but need not be the least that would.
//!
//! # Domains, and who removed a value
//!
//! [`TracedDomains`](crate::observe::TracedDomains) replays the events: after any of them it knows what is left to each
//! variable. Who removed a value is a walk over the same stack. The number of a variable `x` in the trace is `x.index()`.
//!
//! ```
//! use csp_core::observe::TracedDomains;
//! # use csp_core::prelude::*;
//! # let mut model = Model::new();
//! # let rows = model.ints_named("row", 4, 0..4);
//! # model.post_named("columns", all_different(&rows));
//! # model.post_named("diagonals", all_different(rows.iter().zip(0..).map(|(&q, row)| q + row)));
//! # model.post_named("anti-diagonals", all_different(rows.iter().zip(0..).map(|(&q, row)| q - row)));
//! # let mut solver = model.solver()?;
//! # solver.set_search(branch(&rows));
//! # solver.set_trace(Tracing::new());
//! # solver.count();
//! # let trace = solver.take_trace().expect("it was asked for");
//!
//! /// The change that took the value `v` from a variable, of those in force after some events.
//! fn who_removed(events: &[TraceEvent], x: usize, v: i64) -> Option<&TraceEvent> {
//!     let mut in_force = Vec::new();
//!     for event in events {
//!         match event {
//!             TraceEvent::Change { .. } => in_force.push(event),
//!             TraceEvent::Undo { changes, .. } => in_force.truncate(in_force.len() - changes),
//!             _ => {}
//!         }
//!     }
//!     in_force.into_iter().find(|event| match event {
//!         TraceEvent::Change { variable, removed, .. } => {
//!             *variable == x && removed.iter().any(|&(low, high)| low <= v && v <= high)
//!         }
//!         _ => false,
//!     })
//! }
//!
//! // What was left at the first failure?
//! let failure = trace.events.iter().position(|event| matches!(event, TraceEvent::Failure { .. })).expect("there is one");
//! let mut domains = TracedDomains::new(&trace);
//! trace.events[..failure].iter().for_each(|event| domains.apply(event));
//! assert_eq!((0..4).map(|x| domains.of(x)).collect::<Vec<_>>(), [[(0, 0)], [(2, 2)], [(3, 3)], [(1, 1)]]);
//!
//! // Why was the queen of row 2 not on column 1?
//! let row = rows[2].index().expect("no constant");
//! let Some(TraceEvent::Change { cause, blame, .. }) = who_removed(&trace.events[..failure], row, 1) else {
//!     panic!("the value is there, or never was");
//! };
//! assert_eq!((cause.to_string(), trace.words(blame[0])), ("constraint 1".into(), "row1 = 2".into()));
//! # Ok::<(), ModelError>(())
//! ```
//!
//! Why did `row1 = 2` hold? Because the other values of `row1` went: ask `who_removed` for each, among the events before that
//! change. Every such chain ends at decisions, refutations and what needs no blame.
//!
//! # While it runs, and how much
//!
//! - **Limits.** The first 10,000 events are recorded, or as many as [`events`](crate::Tracing::events) says; the others are
//!   counted. `trace.counts` counts all, and [`unrecorded`](crate::Trace::unrecorded) tells how many are missing. What is
//!   recorded is always the beginning.
//! - **Observers.** [`observer`](crate::Tracing::observer) is told every event while the search runs, also those that are not
//!   recorded: a closure, or an [`Observer`](crate::observe::Observer), which is also told when a search begins, with its
//!   variables and constraints. It is dropped by `take_trace`.
//! - **The tree alone.** [`tree_only`](crate::Tracing::tree_only) leaves out changes and blame.
//!
//! ```
//! # use csp_core::prelude::*;
//! use std::sync::mpsc;
//!
//! // How many nodes are there at each depth?
//! let mut model = Model::new();
//! let rows = model.ints(6, 0..6);
//! model.post(all_different(&rows));
//! let mut solver = model.solver()?;
//! let (sender, depths) = mpsc::channel();
//! solver.set_trace(Tracing::new().events(0).tree_only().observer(move |event: &TraceEvent| {
//!     if let TraceEvent::Node { depth, .. } = event {
//!         sender.send(*depth).expect("the other end is open");
//!     }
//! }));
//! solver.count();
//! solver.take_trace();
//! let mut profile = [0; 6];
//! depths.iter().for_each(|depth| profile[depth] += 1);
//! assert_eq!(profile.iter().sum::<u64>(), solver.statistics().nodes);
//! # Ok::<(), ModelError>(())
//! ```
//!
//! **The price.** A search that nobody traces pays one test a node. Of 9-Queens, all solutions, in instructions of the
//! processor (callgrind) beside a search without: 1.1 times as many for the tree alone, 2 where changes are but counted, 7 with an
//! observer who is told every change and its blame, 8 if they are recorded too.
//!
//! # Restarts, learning, optimisation
//!
//! - After a `Restart` comes a root with `parent` 0; nodes are numbered on. What a change at the root removed stays removed.
//! - A search that [learns](crate::Mode) may take back several decisions at once. Where it goes on is the second child, with
//!   `alternative` 1, of the node that made the earliest of them, and what holds there holds by `Clause`; it need not be the
//!   opposite of that decision.
//! - What was propagated before the search began shows as changes by `Domain`, before the first node: that is all of the root's
//!   propagation in a search that learns. To see who did what there, search with [`Mode::Plain`](crate::Mode::Plain).
//! - In a search for the best, each `Solution` makes a new demand, and `Objective` is blamed for what it removes from then on.
//! - Not traced are searches in parallel, and [`propagate`](crate::Solver::propagate).
//!
//! # Presolve and hidden variables
//!
//! The trace speaks of the model's variables, also where the engine has fewer. Variables that are equal or opposite by
//! [presolve](crate::Presolve) change together, one event each, by the same cause. An `all_different` that presolve makes of
//! many constraints is one more constraint, behind those of the model; to see each by itself, do without:
//!
//! ```
//! # use csp_core::observe::Cause;
//! # use csp_core::prelude::*;
//! let mut model = Model::new();
//! let holes = model.ints(4, 0..3);
//! for (i, &a) in holes.iter().enumerate() {
//!     for &b in &holes[..i] {
//!         model.post(rule!(a != b));
//!     }
//! }
//! for (presolve, constraints, nodes) in [(Presolve::On, 7, 1), (Presolve::Off, 6, 11)] {
//!     let mut solver = Solver::with(&model, presolve)?;
//!     solver.set_search(branch(&holes));
//!     solver.set_trace(Tracing::new());
//!     assert_eq!(solver.count().solutions, 0);
//!     let trace = solver.take_trace().expect("it was asked for");
//!     assert_eq!((trace.constraints.len(), trace.counts.nodes), (constraints, nodes));
//!     let by = |event: &TraceEvent| matches!(event, TraceEvent::Failure { cause: Cause::Constraint(6), .. });
//!     assert_eq!(trace.events.iter().any(by), presolve == Presolve::On);
//! }
//! # Ok::<(), ModelError>(())
//! ```
//!
//! Likewise all precedences `x + d <= y` together are one more constraint, which is the cause where several of them fail in
//! a circle. Hidden variables, which expressions need, do not show: what would be blamed on one is blamed on what it followed
//! from. If that followed by another constraint, which has an expression in common with this one, the cause is one more constraint
//! that stands for both. Only where the search decides on a hidden variable, it is one more
//! [variable](crate::observe::TracedVariable) with `is_hidden`.
//!
//! # To look at it
//!
//! The crate `csp-trace` has readers for all of this:
//!
//! - `json_lines` writes a trace as one JSON object a line, in a documented, versioned format, and reads it again;
//! - `Teller` tells the trace of any model as a `Story` of boards and sentences, in plain words or those of your `Voice`;
//!   `Story::to_html` makes a page of it to step through, forwards and back, and `terminal` (behind the feature of that name)
//!   shows the same in a terminal;
//! - `profiler` draws the tree live in the MiniZinc IDE: an observer of the tree alone.
//!
//! The programs have them as switches: `nqueens trace` and `nqueens watch`, `--trace-html` in the example `sudoku`,
//! and `--profiler` in `nqueens` and most examples.
