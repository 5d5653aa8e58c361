//! At least one of several Booleans is true.
//!
//! Domain consistency, if no variable stands twice. Two atoms that are not false are kept in front
//! (*advice*: any order is right); a call looks further only when one of these two has become false,
//! and then swaps in another. Cost: constant while both hold out, linear otherwise.
//!
//! Explanation: all other atoms are false.

use crate::engine::{Atom, Conflict, Context, Explanation, Poster, Priority, Propagator, Status, Store};

/// Posts a clause of any atoms.
pub(crate) fn post_atoms(poster: &mut Poster<'_>, atoms: &[Atom]) {
    let subscriptions = atoms.iter().map(|a| a.subscription());
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
    use crate::model::clause;
    use crate::testing::{Scope, check, literals};

    #[test]
    fn harness() {
        let report = check("clause", Scope::bools(0..=5), |xs, _| clause(literals(xs)));
        assert!(report.pruned > 20 && report.infeasible > 5, "{report}");
    }
}
