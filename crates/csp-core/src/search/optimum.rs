//! What a search for the best solution came to.

use std::fmt;

use crate::model::Solution;

use super::limits::Stop;

/// What [`Solver::minimise`](crate::Solver::minimise) or [`maximise`](crate::Solver::maximise) came to.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let (x, y) = (model.int(0..=9), model.int(0..=9));
/// model.post(rule!(3 * x + 2 * y >= 11));
/// match model.solver()?.minimise(x)? {
///     Optimum::Best { solution, value } => assert_eq!((value, solution[x]), (0, 0)),
///     Optimum::BestSoFar { value, bound, why, .. } => println!("{value}, no better than {bound}: {why}"),
///     Optimum::Infeasible => println!("there is no solution"),
///     Optimum::Stopped { why, .. } => println!("no solution so far: {why}"),
/// }
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimum {
    /// A solution, checked against every constraint, and no solution is better: the whole tree was searched.
    Best {
        /// The solution.
        solution: Solution,
        /// The value of the objective.
        value: i64,
    },
    /// The search ended early; this is the best solution it found, checked against every constraint.
    BestSoFar {
        /// The solution.
        solution: Solution,
        /// The value of the objective.
        value: i64,
        /// No solution has a value better than this.
        bound: i64,
        /// Why the search ended.
        why: Stop,
    },
    /// There is no solution: the whole tree was searched.
    Infeasible,
    /// The search ended early without a solution.
    Stopped {
        /// No solution has a value better than this.
        bound: i64,
        /// Why the search ended.
        why: Stop,
    },
}

impl Optimum {
    /// The best solution found, if there is one.
    pub fn solution(&self) -> Option<&Solution> {
        match self {
            Optimum::Best { solution, .. } | Optimum::BestSoFar { solution, .. } => Some(solution),
            Optimum::Infeasible | Optimum::Stopped { .. } => None,
        }
    }

    /// The best solution found, if there is one, without a copy.
    pub fn into_solution(self) -> Option<Solution> {
        match self {
            Optimum::Best { solution, .. } | Optimum::BestSoFar { solution, .. } => Some(solution),
            Optimum::Infeasible | Optimum::Stopped { .. } => None,
        }
    }

    /// The value of the best solution found.
    pub fn value(&self) -> Option<i64> {
        match *self {
            Optimum::Best { value, .. } | Optimum::BestSoFar { value, .. } => Some(value),
            Optimum::Infeasible | Optimum::Stopped { .. } => None,
        }
    }

    /// What no solution's value is better than; none if there is no solution.
    pub fn bound(&self) -> Option<i64> {
        match *self {
            Optimum::Best { value, .. } => Some(value),
            Optimum::BestSoFar { bound, .. } | Optimum::Stopped { bound, .. } => Some(bound),
            Optimum::Infeasible => None,
        }
    }

    /// Whether nothing better than this is possible: the best solution is known, or that there is none.
    pub fn is_proved(&self) -> bool {
        match self {
            Optimum::Best { .. } | Optimum::Infeasible => true,
            Optimum::BestSoFar { value, bound, .. } => value == bound,
            Optimum::Stopped { .. } => false,
        }
    }
}

impl fmt::Display for Optimum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Optimum::Best { value, .. } => write!(f, "best value {value}"),
            Optimum::BestSoFar { value, bound, why, .. } => {
                write!(f, "value {value}, none better than {bound} ({why})")
            }
            Optimum::Infeasible => f.write_str("no solution exists"),
            Optimum::Stopped { bound, why } => {
                write!(f, "no solution found, none better than {bound} ({why})")
            }
        }
    }
}
