//! Three terms with a fixed sum, as in `z = x + y`: bounds(R) consistency, as for any number of terms, but all
//! that is known of them fits into registers. With domains of one word each, and one of them fixed, domain
//! consistency: the two others are the same set of bits, moved.

use super::{MAXIMA, MINIMA, explain_bounds, sum_is_ruled_out};
use crate::constraints::ROUNDS;
use crate::constraints::word::{Word, moved};
use crate::engine::{Atom, Conflict, Context, Explanation, History, Lazy, Propagator, Status, Store, View};

/// `x + y + z = value`
#[derive(Debug)]
pub(super) struct Ternary {
    pub(super) terms: [View; 3],
    pub(super) value: i64,
}

impl Ternary {
    /// Moves the bounds of a term to what the others leave of the value; its new bounds.
    #[inline(always)]
    fn prune(
        &self,
        ctx: &mut Context<'_>,
        i: usize,
        (min, max): (i64, i64),
        (below, above): (i64, i64),
        slid: &mut bool,
    ) -> Result<(i64, i64), Conflict> {
        let (term, width) = (self.terms[i], max - min);
        let (mut low, mut high) = (min, max);
        if width > below {
            let most = min + below;
            ctx.set_max(term, most, Lazy(MINIMA))?;
            high = ctx.max(term);
            *slid |= high != most;
        }
        if width > above {
            let least = max - above;
            ctx.set_min(term, least, Lazy(MAXIMA))?;
            low = ctx.min(term);
            *slid |= low != least;
        }
        Ok((low, high))
    }
}

impl Propagator for Ternary {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let [x, y, z] = self.terms;
        let mut bounds = [ctx.bounds(x), ctx.bounds(y), ctx.bounds(z)];
        for _ in 0..ROUNDS {
            let [x, y, z] = bounds;
            let (below, above) = (self.value - (x.0 + y.0 + z.0), x.1 + y.1 + z.1 - self.value);
            let slack = below.min(above);
            if slack < 0 {
                return Err(ctx.fail(Lazy(if below < 0 { MINIMA } else { MAXIMA })));
            }
            let widest = (x.1 - x.0).max(y.1 - y.0).max(z.1 - z.0);
            if widest <= slack {
                return Ok(if widest == 0 { Status::Entailed } else { Status::AtFixpoint });
            }
            let mut slid = false;
            for (i, bounds) in bounds.iter_mut().enumerate() {
                if bounds.1 - bounds.0 > slack {
                    *bounds = self.prune(ctx, i, *bounds, (below, above), &mut slid)?;
                }
            }
            // One round is the fixpoint but for bounds that slid: see the module above.
            if !slid {
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

/// For reasons: the term of this number is fixed. Smaller numbers are those of bounds.
const FIXED: u32 = 2;

/// The same for domains of one word: once a term is fixed, what one of the others lacks goes from the other.
#[derive(Debug)]
pub(super) struct WordTernary {
    terms: Ternary,
    x: Word,
    y: Word,
    /// What `x` and `y` add up to.
    sum: Word,
}

impl WordTernary {
    pub(super) fn new(store: &Store, terms: [View; 3], value: i64) -> Option<WordTernary> {
        let (mut terms, mut value) = (terms, value);
        // With the odd sign last and the others positive, no set of bits has to be mirrored.
        let negative = terms.iter().filter(|t| t.scale() < 0).count();
        if negative >= 2 {
            (terms, value) = (terms.map(View::negated), -value);
        }
        if let Some(odd) = terms.iter().position(|t| t.scale() < 0) {
            terms.swap(odd, 2);
        }
        let [x, y, z] = terms;
        let sum = View { offset: value - z.offset(), ..z.negated() };
        Some(WordTernary {
            terms: Ternary { terms, value },
            x: Word::new(store, x)?,
            y: Word::new(store, y)?,
            sum: Word::new(store, sum)?,
        })
    }
}

impl Propagator for WordTernary {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let WordTernary { x, y, sum, .. } = *self;
        let fixed = |word: u64| word.is_power_of_two();
        let (mut a, mut b, mut c) = (x.bits(ctx), y.bits(ctx), sum.bits(ctx));
        if !fixed(a) && !fixed(b) && !fixed(c) {
            let status = self.terms.propagate(ctx)?;
            (a, b, c) = (x.bits(ctx), y.bits(ctx), sum.bits(ctx));
            if !fixed(a) && !fixed(b) && !fixed(c) {
                return Ok(status);
            }
        }
        // Distances between bases that saturate are far beyond a word.
        let kept = if fixed(c) {
            let total = sum.base + i64::from(c.trailing_zeros());
            let by = total.saturating_sub(x.base).saturating_sub(y.base).saturating_sub(63);
            let (left, right) = (a & moved(b.reverse_bits(), by), b & moved(a.reverse_bits(), by));
            if left != a {
                x.keep(ctx, left, Lazy(FIXED + 2))?;
            }
            if right != b {
                y.keep(ctx, right, Lazy(FIXED + 2))?;
            }
            left
        } else {
            let (term, (first, word), (other, rest)) =
                if fixed(a) { (0, (x, a), (y, b)) } else { (1, (y, b), (x, a)) };
            let value = first.base + i64::from(word.trailing_zeros());
            let by = value.saturating_add(other.base).saturating_sub(sum.base);
            let (left, right) = (rest & moved(c, by.saturating_neg()), c & moved(rest, by));
            if left != rest {
                other.keep(ctx, left, Lazy(FIXED + term))?;
            }
            if right != c {
                sum.keep(ctx, right, Lazy(FIXED + term))?;
            }
            left
        };
        Ok(if fixed(kept) { Status::Entailed } else { Status::AtFixpoint })
    }

    fn explain(&self, data: u32, atom: Atom, history: &History<'_>, out: &mut Explanation) {
        let Ternary { terms, value } = &self.terms;
        let Some(fixed) = data.checked_sub(FIXED) else {
            return self.terms.explain(data, atom, history, out);
        };
        // The third term cannot be what would be left for it.
        let fixed = terms[fixed as usize];
        let lost = terms.iter().copied().find(|t| t.var() == atom.var());
        let third = terms.iter().copied().find(|t| t.var() != atom.var() && t.var() != fixed.var());
        if let (Some(lost), Some(third)) = (lost, third) {
            let v = history.min(fixed);
            out.push(fixed.eq(v));
            out.push(third.ne(value - v - lost.apply(atom.value())));
        }
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        self.terms.is_disentailed(store, why)
    }
}
