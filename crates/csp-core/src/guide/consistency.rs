//! How much a constraint should filter: value, bounds or domain; tables or expressions; hidden variables.
//!
//! # What the words mean
//!
//! Each constraint promises how much it removes ([`Consistency`](crate::model::Consistency)), and its file says so in the
//! first lines:
//!
//! - **value**: once all variables but one are fixed, the last one keeps only values that fit;
//! - **bounds**: the smallest and the largest value of each variable belong to a solution of the constraint (in which
//!   the others may take any number between *their* bounds);
//! - **domain**: every value left belongs to a solution of the constraint. More cannot be had from one constraint by
//!   itself.
//!
//! Linear sums promise bounds, comparisons and [`table`](crate::table) domain. For [`all_different`](crate::all_different)
//! you choose.
//!
//! ```
//! use csp_core::prelude::*;
//!
//! // Two variables have the values 1 and 3, a third one has 4 besides. All differ.
//! let nodes = |strength: Strength| -> Result<u64, ModelError> {
//!     let mut model = Model::new();
//!     let pair = model.ints(2, [1, 3]);
//!     let other = model.int([1, 3, 4]);
//!     model.post(all_different([pair[0], pair[1], other]).strength(strength));
//!     let mut solver = model.solver()?;
//!     solver.set_search(branch([other, pair[0], pair[1]]));
//!     assert_eq!(solver.count().solutions, 2);
//!     Ok(solver.statistics().nodes)
//! };
//! // By domain, the third is 4 at once, and one guess tells the pair apart.
//! assert_eq!(nodes(Strength::Domain)?, 3);
//! // By bounds it is not: between 1 and 3 there seems to be room for three. By value nothing is known before a guess.
//! assert!(nodes(Strength::Bounds)? > 3 && nodes(Strength::Value)? > 3);
//! # Ok::<(), ModelError>(())
//! ```
//!
//! # What it is worth
//!
//! All solutions, or the proof of an optimum, so that luck plays no part; the strength is that of all `all_different` of
//! the model. In each line the same solutions are found.
//!
//! | nodes with | value | bounds | domain | auto |
//! |---|---|---|---|---|
//! | `all_interval 9 --count` | 14,957 | 3,263 | 1,895 | 1,895 |
//! | `all_interval 10 --count` | 68,171 | 12,293 | 6,139 | 6,139 |
//! | `all_interval 11 --count` | 336,947 | 50,431 | 21,415 | 21,415 |
//! | `golomb_ruler 8` | 5,481 | 1,405 | 1,405 | 5,481 |
//! | `costas 8 --count` | 9,599 | 9,207 | 9,207 | 9,257 |
//! | `latin count 6` | 19,443 | 18,837 | 18,815 | 18,815 |
//!
//! The command is the same for all of them:
//!
//! ```sh
//! cargo run --release --example all_interval -- 11 --count --stats --strength value
//! ```
//!
//! Read it from the left to the right, and down:
//!
//! - In the series, values and variables are equally many: each value must be taken, so the strong filter sees much. The
//!   tree grows by a factor of 5 with each note by value, and of 3.5 by domain: the larger the instance, the more it wins.
//!   (11 notes took 0.36 s by value and 0.04 s by domain.)
//! - On the ruler, distances are intervals of a wide range. Bounds see all that can be seen, and domain costs more for the
//!   same tree.
//! - In Costas arrays the displacements have nearly twice as many values as there are places. There is next to nothing to
//!   see, and value is the quickest.
//! - In a small Latin square the solutions are the tree. In one to be completed, all is different:
//!   `latin complete tests/data/latin/qwh-o30-h374-13.txt --strength domain` is done after 35,054 nodes (0.4 s);
//!   by bounds it is not after 1,600,000, nor by value after 51,000,000 (20 s each).
//!
//! So:
//!
//! | values and variables | take |
//! |---|---|
//! | as many values as variables, or nearly | domain; `Auto`, the default, takes it if they are just as many |
//! | more values, but in ranges, cut by `<` and sums | bounds |
//! | many more values than variables | value |
//! | a hard instance that does not end | domain, whatever was said above: try it |
//!
//! # Tables or expressions
//!
//! An expression is cut into parts, and each part filters for itself. What only their combination rules out, nobody sees.
//! A table sees it: it promises domain consistency for the whole relation, at a price that grows with its rows.
//!
//! ```
//! # use csp_core::prelude::*;
//! // Eight numbers from 0 to 9 in a ring, all different, where neighbours differ by 1, 4 or 6.
//! let nodes = |by_table: bool| -> Result<(u64, u64), ModelError> {
//!     let mut model = Model::new();
//!     let ring = model.ints(8, 0..=9);
//!     model.post(all_different(&ring));
//!     for i in 0..8 {
//!         let (x, y) = (ring[i], ring[(i + 1) % 8]);
//!         if by_table {
//!             let pairs = (0..=9).flat_map(|a: i64| (0..=9).map(move |b| [a, b]));
//!             model.post(table([x, y], pairs.filter(|[a, b]| [1, 4, 6].contains(&a.abs_diff(*b)))));
//!         } else {
//!             let distance = || (x - y).abs();
//!             model.post(rule!(distance() = 1 | distance() = 4 | distance() = 6));
//!         }
//!     }
//!     let mut solver = model.solver()?;
//!     solver.set_search(branch(&ring));
//!     Ok((solver.count().solutions, solver.statistics().nodes))
//! };
//! let (expression, table) = (nodes(false)?, nodes(true)?);
//! assert_eq!(expression.0, table.0);
//! println!("{} nodes by expressions, {} by tables", expression.1, table.1);
//! assert!(table.1 < expression.1);
//! # Ok::<(), ModelError>(())
//! ```
//!
//! (16,875 nodes by expressions, 1,605 by tables.) What hurts is the disjunction: with
//! `let distance = model.int([1, 4, 6])` and `rule!(distance = (x - y).abs())` the expression has 1,605 nodes too. So put into
//! domains what fits there, before you write a table.
//!
//! Up to some ten thousand rows, a table is a good choice for what is irregular: a disjunction of cases, a product, a
//! remainder, data from a file. A sum stays a sum: its table would have too many rows, and the propagator knows what to do.
//!
//! # What hidden variables cost
//!
//! Where an expression stands for an integer or a Boolean, a **hidden variable** may have to stand for its value. It is no
//! part of solutions, and the search decides on it only when all others are fixed, and mostly it is fixed then too. But
//! each costs a domain, a propagator to keep it right, and what is lost between the two.
//!
//! - *None*: sums compared with sums (`rule!(x + 2 * y <= z)`, one constraint however long), views (`all_different` of
//!   `2 * x - 1`), comparisons of a variable with a number, `y = f(…)`, `|e| <= c`, `max(…) <= c`, conjunctions.
//! - *One each*: a sum of two variables or a function, `(x - y).abs()` or `element(prices, x)`, inside something else; each
//!   part of a disjunction beyond facts and conditions.
//! - *The same again*: an expression written twice is worked out twice. If it is used twice, give it a variable:
//!
//! ```
//! # use csp_core::prelude::*;
//! let propagations = |named: bool| -> Result<(u64, u64), ModelError> {
//!     let mut model = Model::new();
//!     let xs = model.ints(6, 0..=5);
//!     model.post(all_different(&xs));
//!     let gaps: Vec<IntExpr> = xs.windows(2).map(|w| (w[1] - w[0]).abs()).collect();
//!     let gaps: Vec<IntExpr> = match named {
//!         false => gaps,
//!         true => gaps
//!             .into_iter()
//!             .map(|gap| {
//!                 let name = model.int(0..=5);
//!                 model.post(rule!(name = gap));
//!                 name.into()
//!             })
//!             .collect(),
//!     };
//!     for (i, gap) in gaps.iter().enumerate() {
//!         for other in &gaps[..i] {
//!             model.post(rule!(gap != other));
//!         }
//!     }
//!     let mut solver = model.solver()?;
//!     solver.set_search(branch(&xs));
//!     Ok((solver.count().solutions, solver.statistics().propagations))
//! };
//! let (hidden, named) = (propagations(false)?, propagations(true)?);
//! assert_eq!(hidden.0, named.0);
//! println!("{} propagations with hidden variables, {} with named ones", hidden.1, named.1);
//! assert!(named.1 < hidden.1);
//! # Ok::<(), ModelError>(())
//! ```
//!
//! (4,815 propagations with hidden variables, 2,708 with named ones, for the same solutions.)
//!
//! A variable that has a name is a part of solutions. That makes no difference to their number where it follows from the
//! others, as here; where it does not, [`Solver::set_projection`](crate::Solver::set_projection) tells which variables count.
