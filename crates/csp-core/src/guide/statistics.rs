//! What the numbers of a search tell, and how to compare two models.
//!
//! [`Solver::statistics`](crate::Solver::statistics) tells what the last search did; the examples print it with
//! `--stats`. From another thread, [`Progress`](crate::Progress) tells it while the search runs.
//!
//! # The tree
//!
//! Search and propagation take turns. At each **node** of a binary tree, propagators remove values until nothing
//! changes. Then one of three things is true:
//!
//! - some domain is empty, or a propagator sees a contradiction: a **failure**;
//! - every variable has one value: a **solution**;
//! - neither: the search makes a decision, say `x = 3`, which opens a node where it is true and later one where it
//!   is false.
//!
//! So without restarts, limits or an objective, a tree searched to its end has one leaf more than it has inner
//! nodes, and
//!
//! > nodes = 2 · (failures + solutions) − 1
//!
//! ```
//! use csp_core::prelude::*;
//!
//! fn queens(n: usize) -> Model {
//!     let mut model = Model::new();
//!     let queens = model.ints(n, 0..n as i64);
//!     model.post(all_different(&queens));
//!     model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q + row)));
//!     model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q - row)));
//!     model
//! }
//!
//! let mut solver = queens(8).solver()?;
//! assert_eq!(solver.count().solutions, 92);
//! let tree = solver.statistics();
//! assert_eq!(tree.nodes, 2 * (tree.failures + tree.solutions) - 1);
//! assert!(tree.max_depth <= 8 && tree.propagations > tree.nodes);
//! println!("{tree}");
//! # Ok::<(), ModelError>(())
//! ```
//!
//! # Which number tells what
//!
//! | number | what it is | what to make of it |
//! |---|---|---|
//! | `nodes` | the size of the tree | what better filtering, symmetry breaking and orders make smaller |
//! | `failures` | wrong guesses found out | none: propagation alone solves it; almost half the nodes: the search is guessing |
//! | `propagations` | calls of propagators | per node: how much work a guess is |
//! | `max_depth` | the most decisions on one path | far below the number of variables: a few decisions settle the rest |
//! | `restarts` | how often it began anew | see [`Restarts`](crate::Restarts) |
//! | `learnt` | clauses learnt, in a search that [learns](crate::Mode) | as many as failures, solutions of an optimisation included |
//! | `forgotten` | clauses dropped again, the less useful ones | most of `learnt` in a long search, so that it stays fast |
//! | `jumped` | failures that undid more than one decision | many: decisions in between had nothing to do with it |
//! | `time` | wall clock | per node: whether the constraints are worth their price |
//!
//! # What bad ratios tell
//!
//! - **Failures near half the nodes, few solutions, deep paths.** The search goes wrong early and finds out late.
//!   Constraints that see more at once, or [stronger filtering](super::consistency); then decide first where failure
//!   is likely (`smallest_domain`, `dom_wdeg`), and for one solution restart.
//! - **No failures, but many nodes.** The tree is as small as its solutions are many. Ask for fewer of them: by
//!   symmetry, or a [projection](crate::Solver::set_projection).
//! - **Hundreds of propagations per node.** Bounds creep towards each other step by step, or one condition was cut
//!   into many small ones. Say it with one sum or one [`table`](crate::table).
//! - **Few nodes a second.** Something dear is called at each node: `all_different` by domain on long lists, tables of
//!   many rows. Try what is cheaper; the tree grows, the time may not.
//! - **A small part of the time to the best solution, the rest for its proof.** The bound is weak: constraints that
//!   say how good a solution can be at all. If the proof does not matter, a limit.
//! - **Millions of nodes, and another order of variables needs thousands.** Usual. Trees grow exponentially with the
//!   depth at which mistakes are noticed, so orders and restarts come before speed.
//!
//! # Comparing two models
//!
//! 1. **The same question.** All solutions with all solutions, one with one, the optimum with its proof.
//!    "First solution" is a lottery: a change that helps may lose by bad luck. Take all solutions, a problem
//!    without any, or many instances or seeds.
//! 2. **The same answer.** Compare the number of solutions, or the optimum, before the time.
//! 3. **The same order of search** if it is about *filtering*: a fixed one, `branch(&xs)` as it is.
//!    Then the stronger model has the same tree with branches cut off, never more nodes. With an order that looks at
//!    domains or learns, stronger filtering changes the tree itself, for better or worse.
//! 4. **Nodes first, then time.** Nodes are the same in each run and on each machine, which makes them good for
//!    tests. Time decides: half the nodes at three times the price is a loss. Of several runs take the median or the
//!    best; build with `--release`.
//! 5. **More than one size.** What is dear and strong loses on small instances and wins on large ones.
//!
//! ```
//! # use csp_core::prelude::*;
//! /// The nodes of all solutions of one model at one strength, in a fixed order.
//! fn nodes(strength: Strength) -> Result<(u64, u64), ModelError> {
//!     let mut model = Model::new();
//!     let n = 8;
//!     let notes = model.ints(n, 0..n as i64);
//!     let intervals: Vec<IntExpr> = notes.windows(2).map(|w| (w[1] - w[0]).abs()).collect();
//!     model.post(all_different(&notes).strength(strength));
//!     model.post(all_different(intervals).strength(strength));
//!     let mut solver = model.solver()?;
//!     solver.set_search(branch(&notes).input_order());
//!     let solutions = solver.count().solutions;
//!     Ok((solutions, solver.statistics().nodes))
//! }
//!
//! let (weak, strong) = (nodes(Strength::Value)?, nodes(Strength::Domain)?);
//! assert_eq!(weak.0, strong.0, "the same answer");
//! assert!(strong.1 < weak.1, "from a smaller tree");
//! # Ok::<(), ModelError>(())
//! ```
