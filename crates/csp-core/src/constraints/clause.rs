//! At least one of several Booleans is true.
//!
//! Domain consistency, if no variable stands twice. Two atoms that are not false are kept in front
//! (*advice*: any order is right); a call looks further only when one of these two has become false,
//! and then swaps in another. Cost: constant while both hold out, linear otherwise.
//!
//! Explanation: all other atoms are false.

use std::sync::Arc;

use crate::engine::{
    Atom, Conflict, Context, Events, Explanation, Poster, Priority, Propagator, Relation, Status, Store, View,
};
use crate::model::{Affine, Assignment, BoolVar, Consistency, Constraint, Names};

/// The constraint that at least one Boolean is true; made by [`clause`].
#[derive(Clone, Debug)]
pub struct Clause {
    literals: Arc<[BoolVar]>,
}

/// At least one of the given Booleans is true. An empty clause cannot be satisfied.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let (a, b) = (model.bool(), model.bool());
/// model.post(clause([a, !b]));
/// assert_eq!(model.solver()?.count().solutions, 3);
/// # Ok::<(), ModelError>(())
/// ```
pub fn clause<T: Into<BoolVar>>(literals: impl IntoIterator<Item = T>) -> Clause {
    Clause { literals: literals.into_iter().map(Into::into).collect() }
}

impl Constraint for Clause {
    fn scope(&self) -> Vec<Affine> {
        self.literals.iter().map(|&b| b.into()).collect()
    }

    fn is_satisfied(&self, a: &Assignment) -> bool {
        self.literals.iter().any(|&b| a.is_true(b))
    }

    fn describe(&self, names: &Names<'_>) -> String {
        let words: Vec<String> = self.literals.iter().map(|&b| names.of_bool(b)).collect();
        if words.is_empty() { "false (an empty clause)".into() } else { words.join(" or ") }
    }

    fn consistency(&self) -> Consistency {
        Consistency::Domain
    }

    fn post(&self, poster: &mut Poster<'_>) {
        let atoms: Vec<Atom> = self.literals.iter().map(|&b| poster.literal(b)).collect();
        post_atoms(poster, &atoms);
    }
}

/// Posts a clause of any atoms.
pub(crate) fn post_atoms(poster: &mut Poster<'_>, atoms: &[Atom]) {
    let subscriptions: Vec<(View, Events)> = atoms
        .iter()
        .map(|a| {
            let events = match a.relation() {
                Relation::Ge | Relation::Le => Events::BOUNDS,
                Relation::Eq | Relation::Ne => Events::ANY,
            };
            (View::of(a.var()), events)
        })
        .collect();
    poster.add(WatchedClause { atoms: atoms.into() }, Priority::Unary, subscriptions);
}

#[derive(Debug)]
struct WatchedClause {
    /// The first two are watched.
    atoms: Box<[Atom]>,
}

impl Propagator for WatchedClause {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        for place in 0..2 {
            let mut found = false;
            for i in place..self.atoms.len() {
                match ctx.truth(self.atoms[i]) {
                    Some(false) => continue,
                    Some(true) => {
                        self.atoms.swap(0, i);
                        return Ok(Status::Entailed);
                    }
                    None => {}
                }
                self.atoms.swap(place, i);
                found = true;
                break;
            }
            if !found {
                let others = &self.atoms[place.min(self.atoms.len())..];
                let why = |out: &mut Explanation| others.iter().for_each(|a| out.push(a.negated()));
                if place == 0 {
                    return Err(ctx.fail(why));
                }
                ctx.assert(self.atoms[0], why)?;
                return Ok(Status::Entailed);
            }
        }
        Ok(Status::AtFixpoint)
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        let disentailed = self.atoms.iter().all(|&a| store.truth(a) == Some(false));
        if disentailed {
            self.atoms.iter().for_each(|a| why.push(a.negated()));
        }
        disentailed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Scope, check, literals};

    #[test]
    fn harness() {
        check("clause", Scope::bools(0..=5), |xs, _| clause(literals(xs)));
    }
}
