//! The loops with AVX2: four states or 256 footprints at a time.
//!
//! # Safety
//! Instructions: every function here asks for the features that [`Avx2::detect`] looks for, and is
//! called through an [`Avx2`] only, which nothing else makes. Memory: loads and stores are unaligned
//! ones of whole arrays, or of a part of `out` that is asserted, at the top, to be long enough for
//! every state to be written, with four more.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{Footprint, Kernel, LANE, Tables, portable};

/// Found on this processor. Haswell (2013), Excavator (2015) and later have it.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Avx2(());

impl Avx2 {
    /// If the processor has all that is used here.
    pub(in super::super) fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt");
        found.then_some(Self(()))
    }
}

impl Kernel for Avx2 {
    const SLACK: usize = 4;

    #[inline(always)]
    fn extend(self, states: &[u64], square: u64, out: &mut [u64]) -> usize {
        // SAFETY: the features are there.
        unsafe { extend(states, square, out) }
    }

    #[inline(always)]
    fn finish(self, states: &[u64], square: u64, out: &mut [u32]) -> usize {
        // SAFETY: the features are there.
        unsafe { finish(states, square, out) }
    }

    #[inline(always)]
    fn tabulate<F: Footprint, const WIDTH: usize, const CHUNKS: usize>(
        self,
        lanes: &[&[F; LANE]],
        valid: [u64; WIDTH],
        tables: &mut Tables<WIDTH>,
    ) {
        // SAFETY: the features are there.
        unsafe { tabulate::<F, WIDTH, CHUNKS>(lanes, valid, tables) }
    }

    #[inline(always)]
    fn count<F: Footprint, const WIDTH: usize, const CHUNKS: usize>(
        self,
        tables: &Tables<WIDTH>,
        queries: &[F],
    ) -> [u64; WIDTH] {
        // SAFETY: the features are there.
        unsafe { count::<F, WIDTH, CHUNKS>(tables, queries) }
    }
}

/// For each set of four words, where to take each half word from to have the words of the set first.
const WORDS: [[u32; 8]; 16] = {
    let mut orders = [[0; 8]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut to, mut word) = (0, 0);
        while word < 4 {
            if set >> word & 1 == 1 {
                orders[set][to] = 2 * word;
                orders[set][to + 1] = 2 * word + 1;
                to += 2;
            }
            word += 1;
        }
        set += 1;
    }
    orders
};

/// The same for the lower half words alone.
const LOWER_HALVES: [[u32; 8]; 16] = {
    let mut orders = [[0; 8]; 16];
    let mut set = 0;
    while set < 16 {
        let mut to = 0;
        while to < 4 {
            orders[set][to] = WORDS[set][2 * to];
            to += 1;
        }
        set += 1;
    }
    orders
};

#[target_feature(enable = "avx2,popcnt")]
fn extend(states: &[u64], square: u64, out: &mut [u64]) -> usize {
    assert!(out.len() >= states.len() + Avx2::SLACK);
    let (fours, rest) = states.as_chunks::<4>();
    let mut len = 0;
    for four in fours {
        let (new, free) = step(four, square, &WORDS);
        // SAFETY: `len` is at most the number of states before these, so four words are in `out`.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().add(len).cast(), new) };
        len += free;
    }
    for &state in rest {
        out[len] = state | square;
        len += usize::from(state & square == 0);
    }
    len
}

#[target_feature(enable = "avx2,popcnt")]
fn finish(states: &[u64], square: u64, out: &mut [u32]) -> usize {
    assert!(out.len() >= states.len() + Avx2::SLACK);
    let (fours, rest) = states.as_chunks::<4>();
    let mut len = 0;
    for four in fours {
        let (new, free) = step(four, square, &LOWER_HALVES);
        // SAFETY: `len` is at most the number of states before these, so four half words are in `out`.
        unsafe { _mm_storeu_si128(out.as_mut_ptr().add(len).cast(), _mm256_castsi256_si128(new)) };
        len += free;
    }
    for &state in rest {
        out[len] = (state | square) as u32;
        len += usize::from(state & square == 0);
    }
    len
}

/// The states with the square, those in which it is free first, and how many these are.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn step(states: &[u64; 4], square: u64, orders: &[[u32; 8]; 16]) -> (__m256i, usize) {
    // SAFETY: four words.
    let states = unsafe { _mm256_loadu_si256(states.as_ptr().cast()) };
    let square = _mm256_set1_epi64x(square.cast_signed());
    let free = _mm256_cmpeq_epi64(_mm256_and_si256(states, square), _mm256_setzero_si256());
    let free = _mm256_movemask_pd(_mm256_castsi256_pd(free)) as usize;
    // SAFETY: eight half words.
    let order = unsafe { _mm256_loadu_si256(orders[free].as_ptr().cast()) };
    (_mm256_permutevar8x32_epi32(_mm256_or_si256(states, square), order), free.count_ones() as usize)
}

#[target_feature(enable = "avx2,popcnt")]
fn tabulate<F: Footprint, const WIDTH: usize, const CHUNKS: usize>(
    lanes: &[&[F; LANE]],
    valid: [u64; WIDTH],
    tables: &mut Tables<WIDTH>,
) {
    portable::turn(lanes, &mut tables.rows, portable::transpose);
    portable::combine::<WIDTH, CHUNKS>(valid, tables, portable::without);
}

#[target_feature(enable = "avx2,popcnt")]
fn count<F: Footprint, const WIDTH: usize, const CHUNKS: usize>(
    tables: &Tables<WIDTH>,
    queries: &[F],
) -> [u64; WIDTH] {
    portable::count::<F, WIDTH, CHUNKS>(tables, queries)
}
