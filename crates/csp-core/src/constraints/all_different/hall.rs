//! How Hall sets explain themselves.

use crate::engine::{Atom, Explanation, History, Store, View, Why};

/// Views whose domains together have no more values than there are views (a Hall set), or fewer (a
/// violation), written down as atoms: each view has none but these values. Other views cannot take them.
#[derive(Debug, Default)]
pub(super) struct HallSet {
    atoms: Vec<Atom>,
    values: Vec<i64>,
}

impl HallSet {
    /// Describes the given views, whose domains now have none but the given values, of which there is
    /// one at least.
    pub(super) fn describe(
        &mut self,
        store: &Store,
        views: impl Iterator<Item = View>,
        values: impl Iterator<Item = i64>,
    ) {
        self.atoms.clear();
        self.values.clear();
        self.values.extend(values);
        self.values.sort_unstable();
        let (Some(&low), Some(&high)) = (self.values.first(), self.values.last()) else { return };
        let between = (high - low) as u64 + 1 - self.values.len() as u64;
        // Many numbers between are told by each domain's own history instead: few of them were ever in it.
        let dense = between <= 64 + 2 * self.values.len() as u64;
        let history = History { log: &store.log, position: store.log.now(), scope: &[] };
        let mut domain = Explanation::default();
        for x in views {
            if dense {
                self.atoms.extend([x.ge(low), x.le(high)]);
                for pair in self.values.windows(2) {
                    self.atoms.extend((pair[0] + 1..pair[1]).map(|v| x.ne(v)));
                }
            } else {
                history.explain_domain(x, &mut domain);
            }
        }
        self.atoms.append(&mut domain.atoms);
    }

    /// Adds an atom to what was described.
    pub(super) fn also(&mut self, atom: Atom) {
        self.atoms.push(atom);
    }

    /// The reason last described.
    pub(super) fn reason(&self) -> impl Why + Copy + '_ {
        |out: &mut Explanation| self.atoms.iter().for_each(|&atom| out.push(atom))
    }
}
