//! Three terms with a fixed sum, as in `z = x + y`: bounds(R) consistency, as for any number of terms, but all
//! that is known of them fits into registers. With domains of one word each, and one of them fixed, domain
//! consistency: the two others are the same set of bits, moved.

use super::{MAXIMA, MINIMA, explain_bounds, sum_is_ruled_out};
use crate::constraints::ROUNDS;
use crate::constraints::word::{Word, moved};
use crate::engine::{
    Atom, Conflict, Context, Ends, Explanation, History, Lazy, Propagator, Status, Store, View,
};

/// `x + y + z = value`. What the bounds of a term are read from is of type `E`.
#[derive(Debug)]
pub(super) struct Ternary<E = View> {
    terms: [View; 3],
    ends: [E; 3],
    value: i64,
}

impl Ternary {
    pub(super) fn new(terms: [View; 3], value: i64) -> Ternary {
        Ternary { terms, ends: terms, value }
    }
}

impl Ternary<Ends> {
    /// The same with less to look up, if the domains are held in several words each.
    pub(super) fn in_words(store: &Store, terms: [View; 3], value: i64) -> Option<Ternary<Ends>> {
        match terms.map(|t| store.ends_of(t)) {
            [Some(x), Some(y), Some(z)] => Some(Ternary { terms, ends: [x, y, z], value }),
            _ => None,
        }
    }
}

/// Where the bounds of a view stand.
pub(super) trait Bounds: Copy + std::fmt::Debug + Send + 'static {
    fn bounds(self, store: &Store) -> (i64, i64);
}

impl Bounds for View {
    #[inline(always)]
    fn bounds(self, store: &Store) -> (i64, i64) {
        store.bounds(self)
    }
}

impl Bounds for Ends {
    #[inline(always)]
    fn bounds(self, store: &Store) -> (i64, i64) {
        store.bounds_at(self)
    }
}

impl Bounds for Word {
    #[inline(always)]
    fn bounds(self, store: &Store) -> (i64, i64) {
        Word::bounds(&self, store)
    }
}

impl<E: Bounds> Ternary<E> {
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
            high = self.ends[i].bounds(ctx).1;
            *slid |= high != most;
        }
        if width > above {
            let least = max - above;
            ctx.set_min(term, least, Lazy(MAXIMA))?;
            low = self.ends[i].bounds(ctx).0;
            *slid |= low != least;
        }
        Ok((low, high))
    }
}

impl<E: Bounds> Propagator for Ternary<E> {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let mut bounds = self.ends.map(|end| end.bounds(ctx));
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
        explain_bounds(&self.terms, self.value, data, atom, history, out);
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
    bounds: Ternary<Word>,
    /// The first two terms.
    x: Word,
    y: Word,
    /// What they add up to.
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
        let ends = [Word::new(store, x)?, Word::new(store, y)?, Word::new(store, z)?];
        Some(WordTernary {
            bounds: Ternary { terms, ends, value },
            x: ends[0],
            y: ends[1],
            sum: Word::new(store, sum)?,
        })
    }
}

/// Leaves two sets of bits, the second of which is the first one moved up by so much, only what both have.
#[inline(always)]
fn match_moved(
    ctx: &mut Context<'_>,
    (x, a): (Word, u64),
    (y, b): (Word, u64),
    by: i64,
    why: Lazy,
) -> Result<Status, Conflict> {
    let (left, right) = (a & moved(b, by.saturating_neg()), b & moved(a, by));
    if left != a {
        x.change(ctx, a, left, why)?;
    }
    if right != b {
        y.change(ctx, b, right, why)?;
    }
    Ok(if left.is_power_of_two() { Status::Entailed } else { Status::AtFixpoint })
}

impl WordTernary {
    /// What follows from a term that is fixed, if one is.
    #[inline(always)]
    fn after_fixing(&self, ctx: &mut Context<'_>) -> Result<Option<Status>, Conflict> {
        let WordTernary { x, y, sum, .. } = *self;
        let (a, b, c) = (x.bits(ctx), y.bits(ctx), sum.bits(ctx));
        // Distances between bases that saturate are far beyond a word.
        let status = if a.is_power_of_two() {
            let value = x.base + i64::from(a.trailing_zeros());
            let by = value.saturating_add(y.base).saturating_sub(sum.base);
            match_moved(ctx, (y, b), (sum, c), by, Lazy(FIXED))?
        } else if b.is_power_of_two() {
            let value = y.base + i64::from(b.trailing_zeros());
            let by = value.saturating_add(x.base).saturating_sub(sum.base);
            match_moved(ctx, (x, a), (sum, c), by, Lazy(FIXED + 1))?
        } else if c.is_power_of_two() {
            let total = sum.base + i64::from(c.trailing_zeros());
            let by = total.saturating_sub(x.base).saturating_sub(y.base).saturating_sub(63);
            let (left, right) = (a & moved(b.reverse_bits(), by), b & moved(a.reverse_bits(), by));
            if left != a {
                x.change(ctx, a, left, Lazy(FIXED + 2))?;
            }
            if right != b {
                y.change(ctx, b, right, Lazy(FIXED + 2))?;
            }
            if left.is_power_of_two() { Status::Entailed } else { Status::AtFixpoint }
        } else {
            return Ok(None);
        };
        Ok(Some(status))
    }

    /// What follows from the bounds. They may fix a term.
    #[inline(never)]
    fn after_bounds(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let status = self.bounds.propagate(ctx)?;
        Ok(self.after_fixing(ctx)?.unwrap_or(status))
    }
}

impl Propagator for WordTernary {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        match self.after_fixing(ctx)? {
            Some(status) => Ok(status),
            None => self.after_bounds(ctx),
        }
    }

    fn explain(&self, data: u32, atom: Atom, history: &History<'_>, out: &mut Explanation) {
        let Ternary { terms, value, .. } = &self.bounds;
        let Some(fixed) = data.checked_sub(FIXED) else {
            return self.bounds.explain(data, atom, history, out);
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
        self.bounds.is_disentailed(store, why)
    }
}
