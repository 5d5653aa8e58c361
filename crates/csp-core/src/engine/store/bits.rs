//! Bits of domains held in words.

use super::HEAD;
use crate::engine::trail::{Cell, Slot};

/// Bits `lo..=hi` of a word.
pub(super) fn mask(lo: u64, hi: u64) -> u64 {
    u64::MAX >> (63 - (hi - lo)) << lo
}

/// The set moved up by so much, or down where that is negative; what leaves the word is dropped.
#[inline]
pub(crate) fn moved(set: u64, by: i64) -> u64 {
    if by.unsigned_abs() >= 64 {
        0
    } else if by >= 0 {
        set << by
    } else {
        set >> -by
    }
}

/// The word of a bit of a domain held in several words, the first of them at `slot`.
#[inline(always)]
pub(super) fn bit_slot(slot: Slot, bit: u64) -> Slot {
    slot.plus(HEAD + (bit / 64) as u32)
}

/// The first set bit from `from` on; one exists.
pub(super) fn next_bit(bits: &[Cell], from: u64) -> u64 {
    let mut i = (from / 64) as usize;
    let mut word = bits[i].word >> (from % 64) << (from % 64);
    while word == 0 {
        i += 1;
        word = bits[i].word;
    }
    64 * i as u64 + u64::from(word.trailing_zeros())
}

/// The last set bit up to `to`; one exists.
pub(super) fn previous_bit(bits: &[Cell], to: u64) -> u64 {
    let mut i = (to / 64) as usize;
    let shift = 63 - to % 64;
    let mut word = bits[i].word << shift >> shift;
    while word == 0 {
        i -= 1;
        word = bits[i].word;
    }
    64 * i as u64 + 63 - u64::from(word.leading_zeros())
}

/// The number of set bits in `lo..hi`.
pub(super) fn count_bits(bits: &[Cell], lo: u64, hi: u64) -> u64 {
    if lo >= hi {
        return 0;
    }
    let (first, last) = ((lo / 64) as usize, ((hi - 1) / 64) as usize);
    let mut count = 0;
    for (i, cell) in bits.iter().enumerate().take(last + 1).skip(first) {
        let mut word = cell.word;
        if i == first {
            word = word >> (lo % 64) << (lo % 64);
        }
        if i == last {
            let shift = 63 - (hi - 1) % 64;
            word = word << shift >> shift;
        }
        count += u64::from(word.count_ones());
    }
    count
}

/// The position of the set bit with `k` set bits below it.
pub(super) fn nth_bit(mut word: u64, k: u64) -> u64 {
    for _ in 0..k {
        word &= word - 1;
    }
    u64::from(word.trailing_zeros())
}
