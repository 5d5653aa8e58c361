//! Makes a case smaller as long as it still shows a difference.

use super::case::Case;
use super::formula::Bool;

/// The smallest case that was reached by leaving out steps, constraints, parts of them and values.
pub(crate) fn shrink(mut case: Case, still_differs: impl Fn(&Case) -> bool) -> Case {
    loop {
        let found = smaller(&case).find(|smaller| still_differs(smaller));
        match found {
            Some(smaller) => case = smaller,
            None => return case,
        }
    }
}

fn smaller(case: &Case) -> impl Iterator<Item = Case> {
    let with = move |change: &dyn Fn(&mut Case)| {
        let mut smaller = case.clone();
        change(&mut smaller);
        smaller
    };
    let steps = (0..case.steps.len()).rev().map(move |i| with(&|c| drop(c.steps.remove(i))));
    let constraints = (0..case.constraints.len()).map(move |i| with(&|c| drop(c.constraints.remove(i))));
    let parts = (0..case.constraints.len()).flat_map(move |i| {
        let parts = parts(&case.constraints[i]);
        parts.into_iter().map(move |part| with(&|c| c.constraints[i] = part.clone()))
    });
    let values = (0..case.variables.len()).flat_map(move |i| {
        let variable = &case.variables[i];
        let places = if variable.is_boolean { 0 } else { variable.values.len() };
        (0..places).map(move |k| {
            with(&|c| {
                c.variables[i].values.remove(k);
            })
        })
    });
    steps.chain(constraints).chain(parts).chain(values)
}

/// The Booleans right below, and what is left without one of them.
fn parts(of: &Bool) -> Vec<Bool> {
    let shorter = |parts: &[Bool], make: &dyn Fn(Vec<Bool>) -> Bool| -> Vec<Bool> {
        let without = (0..parts.len()).map(|i| {
            let mut left = parts.to_vec();
            left.remove(i);
            make(left)
        });
        parts.iter().cloned().chain(without).collect()
    };
    match of {
        Bool::Not(part) => vec![(**part).clone()],
        Bool::When(both) | Bool::Iff(both) => both.to_vec(),
        Bool::All(parts) => shorter(parts, &Bool::All),
        Bool::Any(parts) => shorter(parts, &Bool::Any),
        Bool::Odd(parts) => shorter(parts, &Bool::Odd),
        Bool::Count(sign, k, parts) => shorter(parts, &|parts| Bool::Count(*sign, *k, parts)),
        _ => Vec::new(),
    }
}
