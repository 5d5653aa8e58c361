//! A constraint of your own, from its meaning to the check against brute force. The example is `x · y = z`, which
//! expressions do not have.
//!
//! First ask whether you need one. Expressions, [`table`](crate::table) and their combinations cover much; a propagator
//! is worth its while where it sees what they do not, or where a table would have too many rows.
//!
//! # What it means
//!
//! A constraint is plain data: views of variables, and parameters. It says what it means in
//! [`is_satisfied`](crate::Constraint::is_satisfied), straight from the definition and without a thought of filtering. All
//! solutions are checked by it, and so is your propagator.
//!
//! # How it filters
//!
//! [`post`](crate::Constraint::post) hands one or more [propagators](crate::engine::Propagator) to the engine. Take the
//! smallest step that is certainly right: *from the bounds of two, bounds of the third*.
//!
//! - The product lies between the smallest and the largest product of bounds.
//! - If `y` cannot be 0, `x` is `z / y`, and lies between the smallest and the largest quotient of bounds.
//! - If `z` cannot be 0, neither can `x` or `y`. That is what makes `y` positive in the usual case, `y ≥ 0`.
//!
//! Each change takes a **reason**: atoms (`x ≥ 3`, `x ≠ 0`) that hold now and from which, with the constraint, the change
//! follows. If nobody asks, the closure is never called and costs nothing.
//!
//! ```
//! use csp_core::engine::{
//!     Conflict, Context, Events, Explanation, Poster, Priority, Propagator, Pruned, Status, Store, View,
//! };
//! use csp_core::model::{Affine, Assignment, Consistency, Constraint, Names};
//! use csp_core::prelude::*;
//!
//! /// x · y = z.
//! #[derive(Clone, Debug)]
//! struct Product {
//!     x: Affine,
//!     y: Affine,
//!     z: Affine,
//! }
//!
//! fn product(x: impl Into<Affine>, y: impl Into<Affine>, z: impl Into<Affine>) -> Product {
//!     Product { x: x.into(), y: y.into(), z: z.into() }
//! }
//!
//! impl Constraint for Product {
//!     fn scope(&self) -> Vec<Affine> {
//!         vec![self.x, self.y, self.z]
//!     }
//!
//!     fn is_satisfied(&self, a: &Assignment) -> bool {
//!         // In 128 bits, as the product of two values need not fit into 64.
//!         i128::from(a.value(self.x)) * i128::from(a.value(self.y)) == i128::from(a.value(self.z))
//!     }
//!
//!     fn describe(&self, names: &Names<'_>) -> String {
//!         format!("({}) * ({}) = {}", names.of(self.x), names.of(self.y), names.of(self.z))
//!     }
//!
//!     fn consistency(&self) -> Consistency {
//!         Consistency::Value
//!     }
//!
//!     fn post(&self, poster: &mut Poster<'_>) {
//!         let [x, y, z] = [self.x, self.y, self.z].map(|view| poster.view(view));
//!         let bounds = [x, y, z].map(|view| (view, Events::BOUNDS));
//!         poster.add(KeepProduct { x, y, z }, Priority::Unary, bounds);
//!     }
//! }
//!
//! #[derive(Debug)]
//! struct KeepProduct {
//!     x: View,
//!     y: View,
//!     z: View,
//! }
//!
//! /// The atoms that say what the bounds of two views are.
//! fn bounds_of(store: &Store, p: View, q: View) -> impl Fn(&mut Explanation) + use<> {
//!     let ((a, b), (c, d)) = (store.bounds(p), store.bounds(q));
//!     move |why| why.extend([p.ge(a), p.le(b), q.ge(c), q.le(d)])
//! }
//!
//! /// The smallest and largest product of numbers within the bounds. What exceeds 64 bits exceeds every domain.
//! fn products(store: &Store, p: View, q: View) -> (i64, i64) {
//!     let ((a, b), (c, d)) = (store.bounds(p), store.bounds(q));
//!     let corners = [(a, c), (a, d), (b, c), (b, d)].map(|(p, q)| i128::from(p) * i128::from(q));
//!     let fit = |v: i128| v.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
//!     (fit(corners.into_iter().min().unwrap_or(0)), fit(corners.into_iter().max().unwrap_or(0)))
//! }
//!
//! impl KeepProduct {
//!     /// The bounds of x from those of z and y.
//!     fn prune_factor(&self, ctx: &mut Context<'_>, x: View, y: View) -> Pruned {
//!         let z = self.z;
//!         if ctx.min(z) > 0 {
//!             ctx.remove(x, 0, |why: &mut Explanation| why.push(z.ge(1)))?;
//!         } else if ctx.max(z) < 0 {
//!             ctx.remove(x, 0, |why: &mut Explanation| why.push(z.le(-1)))?;
//!         }
//!         let ((a, b), (c, d)) = (ctx.bounds(z), ctx.bounds(y));
//!         if c <= 0 && d >= 0 {
//!             return Ok(()); // y may be 0, and then x is anything.
//!         }
//!         let corners = [(a, c), (a, d), (b, c), (b, d)];
//!         let up = |(z, y): (i64, i64)| z.div_euclid(y) + i64::from(y > 0 && z.rem_euclid(y) > 0);
//!         let down = |(z, y): (i64, i64)| z.div_euclid(y) - i64::from(y < 0 && z.rem_euclid(y) > 0);
//!         let low = corners.map(up).into_iter().min().unwrap_or(i64::MIN);
//!         let high = corners.map(down).into_iter().max().unwrap_or(i64::MAX);
//!         ctx.set_min(x, low, bounds_of(ctx, z, y))?;
//!         ctx.set_max(x, high, bounds_of(ctx, z, y))
//!     }
//! }
//!
//! impl Propagator for KeepProduct {
//!     fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
//!         let KeepProduct { x, y, z } = *self;
//!         self.prune_factor(ctx, x, y)?;
//!         self.prune_factor(ctx, y, x)?;
//!         // Asked before z changes, which may be a view of the same variable as x.
//!         let factors_are_fixed = ctx.is_fixed(x) && ctx.is_fixed(y);
//!         let (low, high) = products(ctx, x, y);
//!         ctx.set_min(z, low, bounds_of(ctx, x, y))?;
//!         ctx.set_max(z, high, bounds_of(ctx, x, y))?;
//!         Ok(if factors_are_fixed { Status::Entailed } else { Status::MayChange })
//!     }
//!
//!     fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
//!         let KeepProduct { x, y, z } = *self;
//!         let ((low, high), (z_low, z_high)) = (products(store, x, y), store.bounds(z));
//!         if low > z_high {
//!             why.push(z.le(z_high));
//!         } else if high < z_low {
//!             why.push(z.ge(z_low));
//!         } else {
//!             return false;
//!         }
//!         bounds_of(store, x, y)(why);
//!         true
//!     }
//! }
//!
//! // All that was promised, against brute force.
//! # #[cfg(feature = "testing")] {
//! let report = csp_core::testing::check("product", 3, |v, _| product(v[0], v[1], v[2]));
//! assert!(report.pruned > 10 && report.infeasible > 10);
//! # }
//!
//! // And in use: the sides of a box of volume 30 whose base is 6.
//! let mut model = Model::new();
//! let (width, depth, height, base) = (model.int(1..=30), model.int(1..=30), model.int(1..=30), model.int(6..=6));
//! model.post(product(width, depth, base));
//! model.post(product(base, height, 30));
//! model.post(rule!(width <= depth));
//! let mut solver = model.solver()?;
//! let sides: Vec<_> = solver.solutions().map(|box_| box_.values(&[width, depth, height])).collect();
//! assert_eq!(sides, [[1, 6, 5], [2, 3, 5]]);
//! # Ok::<(), ModelError>(())
//! ```
//!
//! # The check
//!
//! The line with [`check`](crate::testing::check) makes hundreds of small random cases (holes, negative values, constants,
//! the same variable twice, values near the limits), walks each of them up and down, and compares everything with brute
//! force: see [`testing`](crate::testing). Leave out an atom above, forget that `y` may be 0, or say `AtFixpoint`
//! without being there, and it shows you the smallest case in which that goes wrong. (The comment in `propagate` is there because of
//! it: the first draft of this page asked at the end whether `x` and `y` are fixed, and the check came back with
//! `(2 * x2) * (x1 - 1) = 2 * x2 + 1`, where setting `z` had just fixed `x` to something else.) In your own crate:
//!
//! ```toml
//! [dev-dependencies]
//! csp-core = { path = "…", features = ["testing"] }
//! ```
//!
//! Look at the report it prints: a test in which nothing was pruned, or everything was infeasible, shows nothing.
//!
//! # Under a condition
//!
//! `when(b, product(x, y, z))` and `b | product(x, y, z).holds()` work without further ado. While `b` is open, the engine
//! asks [`is_disentailed`](crate::engine::Propagator::is_disentailed), and if the constraint cannot hold any more, `b` is
//! false; `false` is always a right answer there, only a weak one. `iff(b, …)` and `!` need the opposite constraint too:
//! return it from [`negation`](crate::Constraint::negation), or they are refused as a mistake in the model.
//!
//! # Checklist
//!
//! - **Sound**: remove only values that are in no solution within the domains. In doubt, remove less.
//! - **Decides when fixed**: with all views fixed, fail if the constraint is violated, and do not if it holds.
//! - **Status**: [`MayChange`](crate::engine::Status::MayChange) is always right.
//!   [`AtFixpoint`](crate::engine::Status::AtFixpoint) saves a call, if calling again would change nothing; mind holes
//!   (`set_min` may go further than you asked) and variables that stand twice.
//!   [`Entailed`](crate::engine::Status::Entailed) ends the calls below this node, if *every* combination of values left
//!   satisfies the constraint.
//! - **Loops end soon.** If bounds can creep towards each other, as in `x < y` and `y < x`, return `MayChange` after a few
//!   rounds: between calls, the search can be stopped.
//! - **Repeated variables**: `product(x, x, z)` is legal, and so are constants and `-x`. A change of one view may change
//!   another; read bounds again after it.
//! - **State** is one of three kinds. *Trailed*: a [`Slot`](crate::engine::Slot) from
//!   [`Poster::state`](crate::engine::Poster::state), set by [`Context::set`](crate::engine::Context::set), comes back on
//!   undo. *Advice*: a field that is checked before it is used, such as a value that supported another. *Scratch*: a field
//!   that is empty between calls. A plain field that is none of these is a bug, as nobody undoes it.
//! - **No allocation** in `propagate`: keep scratch vectors in the propagator and clear them.
//! - **Overflow**: values go up to ±(2^62 − 1). The sum of two fits into an `i64`; the sum of more, and a product, do not.
//!   What a constraint cannot work with is refused in [`validate`](crate::Constraint::validate).
//! - **Reasons** are true *before* the change, few, and no stronger than needed: `z ≥ 1`, not the present bound of `z`. If
//!   collecting them is dear, pass [`Lazy`](crate::engine::Lazy) data and write them down in
//!   [`explain`](crate::engine::Propagator::explain), from the [`History`](crate::engine::History).
//! - **Priority**: by the cost of a call, so that dear ones run when cheap ones are done.
//! - **Events**: subscribe to what can lead to a change, [`FIXED`](crate::engine::Events::FIXED) or
//!   [`BOUNDS`](crate::engine::Events::BOUNDS) rather than [`ANY`](crate::engine::Events::ANY), but list every view that is
//!   read. To learn *which* view changed: [`add_indexed`](crate::engine::Poster::add_indexed).
//! - **Consistency**: declare what is promised and no more, and the harness holds the propagator to it.
