//! An odd number of several Booleans is true (parity).
//!
//! Domain consistency: nothing can be said before all but one are decided. Variables that stand twice
//! cancel out when the constraint is posted. Cost: constant per change.
//!
//! Explanation: what all other atoms are.

use super::clause;
use super::tally::Tally;
use crate::engine::{
    Atom, Conflict, Context, Explanation, History, Lazy, Poster, Priority, Propagator, Relation, Status,
    Store, VarId,
};

/// Posts that the number of true ones among any atoms is odd, or that it is even.
pub(crate) fn post_xor(poster: &mut Poster<'_>, mut atoms: Vec<Atom>, mut odd: bool) {
    for atom in &mut atoms {
        if matches!(atom.relation(), Relation::Le | Relation::Ne) {
            *atom = atom.negated();
            odd = !odd;
        }
    }
    atoms.retain(|atom| {
        let constant = atom.var() == VarId::ZERO;
        odd ^= constant && atom.holds(0);
        !constant
    });
    // Of equal atoms, each two cancel out.
    atoms.sort_unstable();
    let mut kept: Vec<Atom> = Vec::with_capacity(atoms.len());
    for atom in atoms {
        if kept.last() == Some(&atom) {
            kept.pop();
        } else {
            kept.push(atom);
        }
    }
    match kept[..] {
        [] if odd => clause::post_atoms(poster, &[]),
        [] => {}
        [atom] => poster.assert(if odd { atom } else { atom.negated() }),
        _ => {
            let subscriptions: Vec<_> = kept.iter().map(|a| a.subscription()).collect();
            let tally = Tally::new(poster, kept);
            poster.add_indexed(Parity { tally, odd }, Priority::Linear, subscriptions);
        }
    }
}

/// The number of true atoms is odd, or it is even.
#[derive(Debug)]
struct Parity {
    tally: Tally,
    odd: bool,
}

impl Propagator for Parity {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let (trues, possible) = self.tally.update(ctx);
        let missing = (trues % 2 == 1) != self.odd;
        match possible - trues {
            0 if missing => Err(ctx.fail(Lazy(0))),
            0 => Ok(Status::Entailed),
            1 => {
                for atom in self.tally.at(trues..possible) {
                    ctx.assert(if missing { atom } else { atom.negated() }, Lazy(0))?;
                }
                Ok(Status::Entailed)
            }
            _ => Ok(Status::AtFixpoint),
        }
    }

    fn explain(&self, _: u32, _: Atom, history: &History<'_>, out: &mut Explanation) {
        // All were decided then but the one that is explained.
        for &atom in self.tally.atoms() {
            for atom in [atom, atom.negated()] {
                if history.holds(atom) {
                    out.push(atom);
                }
            }
        }
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        let mut odd = false;
        for &atom in self.tally.atoms() {
            match store.truth(atom) {
                Some(truth) => odd ^= truth,
                None => return false,
            }
        }
        let disentailed = odd != self.odd;
        if disentailed {
            for &atom in self.tally.atoms() {
                why.push(if store.truth(atom) == Some(true) { atom } else { atom.negated() });
            }
        }
        disentailed
    }
}

#[cfg(test)]
mod tests {
    use crate::model::xor;
    use crate::testing::{Scope, check, literals};

    #[test]
    fn harness() {
        let report = check("xor", Scope::bools(0..=6), |xs, _| xor(literals(xs)));
        assert!(report.pruned > 20 && report.infeasible > 5, "{report}");
    }
}
