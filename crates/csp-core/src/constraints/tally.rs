//! Atoms sorted into true, open and false ones, for constraints that only count them.

use crate::engine::{Atom, Context, Poster, Slot};

/// Atoms of which the true ones stand in front and the false ones at the end, with both numbers trailed.
///
/// The order is advice: undoing makes the two ends shorter, and what is left of them was never moved
/// since. An update costs constant time per change, whatever the number of atoms.
#[derive(Debug)]
pub(super) struct Tally {
    atoms: Box<[Atom]>,
    order: Box<[u32]>,
    /// Where each atom stands in `order`.
    place: Box<[u32]>,
    trues: Slot,
    falses: Slot,
}

impl Tally {
    /// For a propagator that subscribes to the atoms in this order, [by index](Poster::add_indexed).
    pub(super) fn new(poster: &mut Poster<'_>, atoms: Vec<Atom>) -> Tally {
        let order: Box<[u32]> = (0..atoms.len() as u32).collect();
        Tally {
            atoms: atoms.into(),
            place: order.clone(),
            order,
            trues: poster.state(0),
            falses: poster.state(0),
        }
    }

    /// Takes in what has changed. Returns how many atoms are true, and how many are true or open.
    #[inline]
    pub(super) fn update(&mut self, ctx: &mut Context<'_>) -> (usize, usize) {
        let before = (ctx.get(self.trues) as usize, self.atoms.len() - ctx.get(self.falses) as usize);
        let mut ends = before;
        if ctx.is_fresh() {
            (0..self.atoms.len() as u32).for_each(|atom| self.sort_in(ctx, atom, &mut ends));
        } else {
            for atom in ctx.changed().iter() {
                self.sort_in(ctx, atom, &mut ends);
            }
        }
        if ends.0 != before.0 {
            ctx.set(self.trues, ends.0 as u64);
        }
        if ends.1 != before.1 {
            ctx.set(self.falses, (self.atoms.len() - ends.1) as u64);
        }
        ends
    }

    /// Moves an atom of the middle to one of the ends, if it is decided.
    #[inline]
    fn sort_in(&mut self, ctx: &Context<'_>, atom: u32, ends: &mut (usize, usize)) {
        let place = self.place[atom as usize] as usize;
        if place < ends.0 || place >= ends.1 {
            return;
        }
        let to = match ctx.truth(self.atoms[atom as usize]) {
            None => return,
            Some(true) => {
                ends.0 += 1;
                ends.0 - 1
            }
            Some(false) => {
                ends.1 -= 1;
                ends.1
            }
        };
        let other = self.order[to];
        self.order.swap(place, to);
        self.place[other as usize] = place as u32;
        self.place[atom as usize] = to as u32;
    }

    /// All atoms, in order of subscription.
    pub(super) fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// The atoms at these places; from the number of true ones on, up to that of true and open ones, they
    /// are open.
    pub(super) fn at(&self, places: std::ops::Range<usize>) -> impl Iterator<Item = Atom> + '_ {
        self.order[places].iter().map(|&i| self.atoms[i as usize])
    }
}

#[cfg(test)]
mod tests {
    use crate::constraints::Operator;
    use crate::model::{BoolExpr, Constraint, IntExpr, xor};
    use crate::testing::check;
    use crate::{at_least, at_most};

    #[test]
    fn any_statements_can_be_counted() {
        for parity in [false, true] {
            // Several statements about one view among them.
            let report = check(if parity { "odd" } else { "count" }, 0..=4, move |xs, p| {
                let (mut statements, mut trues) = (Vec::new(), 0);
                for (i, &x) in xs.iter().enumerate() {
                    for _ in 0..p.pick(&[1, 1, 2, 3]) {
                        let op = p.pick(&[Operator::Eq, Operator::Ne, Operator::Le, Operator::Ge]);
                        let difference = p.int(-2..=2);
                        trues += i64::from(op.holds(0, difference));
                        statements.push(IntExpr::from(x).compare(op, p.witness(i) + difference));
                    }
                }
                if parity {
                    let odd: BoolExpr = xor(statements);
                    return if p.bool() { odd } else { !odd };
                }
                let (less, more) = (p.pick(&[0, 0, 1, 9]), p.pick(&[0, 0, 1, 20]));
                let least = at_least(trues - less + p.pick(&[0, 0, 0, 1]), &statements);
                least.holds() & at_most(trues + more, &statements)
            });
            assert!(report.pruned > 20 && report.infeasible > 5, "{report}");
        }
    }
}
