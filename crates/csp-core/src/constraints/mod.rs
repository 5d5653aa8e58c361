//! What can be demanded of variables: one file per constraint.
//!
//! Each file says what the constraint means, which filtering it does by which algorithm, what a call
//! costs and how it explains itself.

mod absolute;
pub(crate) mod all_different;
mod cardinality;
pub(crate) mod clause;
mod comparison;
mod element;
pub(crate) mod expression;
mod linear;
mod minimum_maximum;
mod no_overlap;
mod table;
mod tally;
#[cfg(test)]
mod tests;
mod word;
mod xor;

/// Rounds in one call of a propagator that repeats itself. Where bounds creep towards each other, a call that
/// went on to the end could not be stopped.
const ROUNDS: usize = 32;

pub use crate::model::{clause, conjunction, element, iff, maximum, minimum, sum, weighted_sum, when, xor};
pub use all_different::{AllDifferent, Strength, all_different};
pub use cardinality::{Cardinality, at_least, at_most, exactly};
pub use comparison::Operator;
pub use no_overlap::{NoOverlap, no_overlap};
pub use table::{Table, forbidden, table};
