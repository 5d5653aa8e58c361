//! Domains of one word as sets of bits that can be moved against each other.

pub(super) use crate::engine::moved;
use crate::engine::{Context, Lazy, Pruned, Slot, Store, VarId, View};

/// A view of scale ±1 whose domain is one word. As bits, its smallest value comes first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    var: VarId,
    slot: Slot,
    /// What bit 0 stands for.
    pub(super) base: i64,
    reversed: bool,
}

impl Word {
    pub(super) fn new(store: &Store, x: View) -> Option<Word> {
        let ((_, base), slot) = (store.word(x.var())?, store.word_slot(x.var())?);
        match x.scale() {
            1 => Some(Word { var: x.var(), slot, base: base + x.offset(), reversed: false }),
            -1 => Some(Word { var: x.var(), slot, base: x.offset() - base - 63, reversed: true }),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn bits(&self, store: &Store) -> u64 {
        let word = store.get(self.slot);
        if self.reversed { mirrored(word) } else { word }
    }

    /// The smallest and the largest value.
    #[inline(always)]
    pub(super) fn bounds(&self, store: &Store) -> (i64, i64) {
        let word = store.get(self.slot);
        let (low, high) = (i64::from(word.trailing_zeros()), 63 - i64::from(word.leading_zeros()));
        if self.reversed {
            (self.base + 63 - high, self.base + 63 - low)
        } else {
            (self.base + low, self.base + high)
        }
    }

    /// Leaves of `old`, all it has now, only the bits of `new`, which are some of them but not all.
    #[inline(always)]
    pub(super) fn change(&self, ctx: &mut Context<'_>, old: u64, new: u64, why: Lazy) -> Pruned {
        let (old, new) = if self.reversed { (mirrored(old), mirrored(new)) } else { (old, new) };
        ctx.change_bits(self.var, old, new, why)
    }

    #[inline]
    pub(super) fn keep(&self, ctx: &mut Context<'_>, bits: u64, why: Lazy) -> Pruned {
        ctx.keep_bits(self.var, if self.reversed { mirrored(bits) } else { bits }, why)
    }
}

/// The bits in the opposite order. Not inlined, or it would be worked out where it is not needed, for want of a
/// branch.
#[inline(never)]
fn mirrored(word: u64) -> u64 {
    word.reverse_bits()
}

/// The places of the bits in a set.
#[inline]
pub(super) fn places(mut set: u64) -> impl Iterator<Item = i64> {
    std::iter::from_fn(move || {
        let place = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            i64::from(place)
        })
    })
}
