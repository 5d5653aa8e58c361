//! Domains of one word as sets of bits that can be moved against each other.

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
        if self.reversed { word.reverse_bits() } else { word }
    }

    #[inline]
    pub(super) fn keep(&self, ctx: &mut Context<'_>, bits: u64, why: Lazy) -> Pruned {
        ctx.keep_bits(self.var, if self.reversed { bits.reverse_bits() } else { bits }, why)
    }
}

/// The set moved up by so much, or down where that is negative; what leaves the word is dropped.
#[inline]
pub(super) fn moved(set: u64, by: i64) -> u64 {
    if by.unsigned_abs() >= 64 {
        0
    } else if by >= 0 {
        set << by
    } else {
        set >> -by
    }
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
