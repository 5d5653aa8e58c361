//! Three terms with a fixed sum, as in `z = x + y`: bounds(R) consistency, as for any number of terms, but all
//! that is known of them fits into registers.

use super::{MAXIMA, MINIMA, explain_bounds, sum_is_ruled_out};
use crate::constraints::ROUNDS;
use crate::engine::{Atom, Conflict, Context, Explanation, History, Lazy, Propagator, Status, Store, View};

/// `x + y + z = value`
#[derive(Debug)]
pub(super) struct Ternary {
    pub(super) terms: [View; 3],
    pub(super) value: i64,
}

impl Propagator for Ternary {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let mut bounds = self.terms.map(|t| ctx.bounds(t));
        for _ in 0..ROUNDS {
            let [x, y, z] = bounds;
            let (below, above) = (self.value - (x.0 + y.0 + z.0), x.1 + y.1 + z.1 - self.value);
            if below < 0 {
                return Err(ctx.fail(Lazy(MINIMA)));
            }
            if above < 0 {
                return Err(ctx.fail(Lazy(MAXIMA)));
            }
            let slack = below.min(above);
            if slack == 0 && below == above {
                return Ok(Status::Entailed);
            }
            let mut pruned = false;
            for (t, (min, max)) in self.terms.into_iter().zip(&mut bounds) {
                let width = *max - *min;
                if width <= slack {
                    continue;
                }
                if width > below {
                    ctx.set_max(t, *min + below, Lazy(MINIMA))?;
                }
                if width > above {
                    ctx.set_min(t, *max - above, Lazy(MAXIMA))?;
                }
                (*min, *max) = ctx.bounds(t);
                pruned = true;
            }
            if !pruned {
                return Ok(Status::AtFixpoint);
            }
        }
        Ok(Status::MayChange)
    }

    fn explain(&self, data: u32, atom: Atom, history: &History<'_>, out: &mut Explanation) {
        explain_bounds(&self.terms, data, atom, history, out);
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        sum_is_ruled_out(&self.terms, self.value, store, why)
    }
}
