//! A constraint-programming framework.
//!
//! A [`Model`] says what is wanted: variables and constraints, as plain data. A [`Solver`] finds
//! assignments that satisfy it, by propagation and search.
//!
//! ```
//! use csp_core::prelude::*;
//!
//! let mut model = Model::new();
//! let queens = model.ints(8, 0..8);
//! model.post(all_different(&queens));
//! model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q + row)));
//! model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q - row)));
//! let mut solver = model.solver()?;
//! solver.set_search(branch(&queens).smallest_domain());
//! let board = solver.first().solution().expect("8 queens fit");
//! assert_eq!(solver.count().solutions, 92);
//! # assert_eq!(board.values(&queens), [0, 4, 7, 5, 2, 6, 1, 3]);
//! # Ok::<(), ModelError>(())
//! ```
//!
//! Where to look:
//!
//! - to begin, the guide [from a problem to its solutions](guide::modelling), and what the
//!   [numbers of a search](guide::statistics) tell;
//! - [`model`] for variables and constraints as data, [`constraints`] for what can be demanded, and
//!   [how much it should filter](guide::consistency);
//! - [`search`] for strategies and limits, and the guide to [searches of your own](guide::brancher);
//! - [`engine`] for what propagators work with, and the guide to [writing one](guide::propagator).

pub mod constraints;
pub mod engine;
mod error;
pub mod guide;
pub mod model;
pub mod observe;
mod presolve;
pub mod search;
mod solver;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use constraints::{
    all_different, at_least, at_most, clause, conjunction, element, exactly, forbidden, iff, maximum,
    minimum, no_overlap, sum, table, weighted_sum, when, xor,
};
pub use error::{ModelError, ModelErrorKind};
pub use model::{
    Affine, Assignment, BoolExpr, BoolVar, Constraint, Domain, IntExpr, IntVar, Model, Solution,
};
pub use observe::{Progress, Statistics, Trace, TraceEvent, Tracing};
pub use presolve::Presolve;
pub use search::{
    Branching, Decision, Domains, Limits, Mode, Optimum, Outcome, Restarts, Stop, StopHandle, branch,
};
pub use solver::{Background, Count, First, Infeasibility, Solutions, Solver};

/// What a model and its search need, in one `use`.
pub mod prelude {
    pub use crate::constraints::{
        Strength, all_different, at_least, at_most, clause, conjunction, element, exactly, forbidden, iff,
        maximum, minimum, no_overlap, sum, table, weighted_sum, when, xor,
    };
    pub use crate::error::ModelError;
    pub use crate::model::{
        Affine, Assignment, BoolExpr, BoolVar, Constraint, Domain, IntExpr, IntVar, Model, Solution,
    };
    pub use crate::observe::{Progress, Statistics, Trace, TraceEvent, Tracing};
    pub use crate::presolve::Presolve;
    pub use crate::rule;
    pub use crate::search::{
        Brancher, Branching, Decision, Domains, Limits, Mode, Optimum, Outcome, Restarts, Stop, StopHandle,
        branch,
    };
    pub use crate::solver::{Background, Count, First, Infeasibility, Solver};
}
