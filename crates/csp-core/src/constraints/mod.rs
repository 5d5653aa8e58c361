//! What can be demanded of variables: one file per constraint.
//!
//! Each file says what the constraint means, which filtering it does by which algorithm, what a call
//! costs and how it explains itself.

pub(crate) mod all_different;
pub(crate) mod clause;
mod comparison;
mod linear;
mod reified;

/// Rounds in one call of a propagator that repeats itself. Where bounds creep towards each other, a call that
/// went on to the end could not be stopped.
const ROUNDS: usize = 32;

pub use all_different::{AllDifferent, Strength, all_different};
pub use clause::{Clause, clause};
pub use comparison::{Comparison, Operator};
pub use linear::{Linear, Sum, sum, weighted_sum};
pub use reified::{Iff, When, iff, when};
