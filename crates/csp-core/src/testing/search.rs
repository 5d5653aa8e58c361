//! Full assignments, and the solutions of a whole search.

use crate::model::Constraint;
use crate::search::{Outcome, branch};

use super::fault::{Fault, FaultKind};
use super::probe::Probe;
use super::subject::{Subject, Tuples};

/// So many full assignments are tried one by one.
const ASSIGNMENTS: usize = 24;

/// Checks that a full assignment is accepted if and only if it satisfies the constraint.
pub(super) fn check_assignments(subject: &Subject) -> Result<(), Fault> {
    let total: usize = subject.domains.iter().map(Vec::len).product();
    let stride = total / ASSIGNMENTS + 1;
    let mut tuples = Tuples::new(subject.domains.clone());
    let mut number = 0;
    while tuples.next() {
        number += 1;
        if number % stride != 0 {
            continue;
        }
        let values: Vec<i64> = tuples.values().collect();
        let accepted = Probe::new(subject).assign(&values);
        let right = subject.whole.is_satisfied(&subject.model.assignment(|x| values[x.id as usize]));
        if accepted != right {
            let kind = if accepted { FaultKind::Accepted } else { FaultKind::Unsound };
            return Err(Fault::new(kind, format!("with {}", subject.words_of(&values))));
        }
    }
    Ok(())
}

/// Compares the solver's solutions with those found by brute force.
pub(super) fn check_solutions(subject: &Subject) -> Result<(), Fault> {
    let wrong = |words: String| Err(Fault::new(FaultKind::Solutions, words));
    let mut solver = match subject.model.solver() {
        Ok(solver) => solver,
        Err(mistake) => return wrong(mistake.to_string()),
    };
    let expected = subject.solutions.len() as u64;
    let count = solver.count();
    let outcome = if expected == 0 { Outcome::Infeasible } else { Outcome::AllFound };
    if (count.solutions, count.outcome) != (expected, outcome) {
        return wrong(format!(
            "{expected} by brute force, {} counted ({:?})",
            count.solutions, count.outcome
        ));
    }
    let variables: Vec<_> = subject.model.variables().collect();
    // A second search with the same solver begins at the root again.
    solver.set_search(branch(&variables).random_variable().random_value());
    let mut found: Vec<Vec<i64>> = solver.solutions().map(|s| s.values(&variables)).collect();
    found.sort_unstable();
    let mut solutions = subject.solutions.clone();
    solutions.sort_unstable();
    if found != solutions {
        return wrong(format!("{solutions:?} by brute force, {found:?} found"));
    }
    Ok(())
}
