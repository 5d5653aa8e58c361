//! What can be wrong with a model.

use std::fmt;
use std::panic::Location;

/// Why a model cannot be solved as it stands: a mistake in the model, not an infeasible one.
///
/// Errors found while a model is built are kept by the model, with the place in the caller's source,
/// and reported when a [`Solver`](crate::Solver) is made of it or by
/// [`Model::validate`](crate::Model::validate).
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind} (in {what}, at {location})")]
pub struct ModelError {
    /// What is wrong.
    pub kind: ModelErrorKind,
    /// The variable or constraint concerned, in words.
    pub what: String,
    /// Where it was added, in the caller's source.
    pub location: &'static Location<'static>,
}

/// As it is displayed, so that `main` may return it.
impl fmt::Debug for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The mistakes a model can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// A variable was made by another model.
    #[error(
        "a variable belongs to another model, or was made after this one was copied or before it was taken back; \
         use variables of the model the constraint is added to"
    )]
    ForeignVariable,
    /// A domain, view or coefficient exceeds what the engine computes with.
    #[error("values must lie between -(2^62 - 1) and 2^62 - 1; make the domain, factor or offset smaller")]
    TooLarge,
    /// A constraint that was to be fully reified has no negation.
    #[error(
        "this constraint has no negation, so it cannot be made equivalent to a Boolean; use `when` instead of `iff`"
    )]
    NoNegation,
    /// Sums whose bounds exceed 64 bits.
    #[error("the sum of the terms can exceed 2^62 in absolute value; make coefficients or domains smaller")]
    SumTooLarge,
    /// A row of a table is shorter or longer than its list of views.
    #[error(
        "row {row} of the table (counted from 0) has {found} values for {expected} views; give every row one \
         value for each view, in the same order"
    )]
    RowLength {
        /// The row's number as it was given, counted from 0.
        row: usize,
        /// How many values it has.
        found: usize,
        /// How many views there are.
        expected: usize,
    },
    /// A task that takes less than no time.
    #[error("a task takes {duration}; durations must not be negative")]
    NegativeDuration {
        /// How long it takes.
        duration: i64,
    },
    /// More variables than the engine can number.
    #[error("more than 2^31 variables")]
    TooMany,
}
