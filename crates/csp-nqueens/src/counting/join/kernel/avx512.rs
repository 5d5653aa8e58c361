//! The loops with AVX-512: eight states or a whole block of 512 footprints at a time.
//!
//! # Safety
//! Instructions: every function here asks for the features that [`Avx512::detect`] looks for, and is
//! called through an [`Avx512`] only, which nothing else makes. Memory: loads and stores are unaligned
//! ones of whole arrays, or of a part of `out` that is asserted, at the top, to be long enough for
//! every state to be written, with eight more.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{Footprint, Kernel, LANE, Tables, portable};

/// Found on this processor. Ice Lake (2019), Zen 4 (2022) and later have it.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Avx512(());

impl Avx512 {
    /// If the processor has all that is used here.
    pub(in super::super) fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("gfni")
            && is_x86_feature_detected!("popcnt");
        found.then_some(Self(()))
    }
}

impl Kernel for Avx512 {
    const SLACK: usize = 8;

    #[inline(always)]
    fn prefetch(self, states: &[u64]) {
        for line in states.chunks(8) {
            // SAFETY: a hint, for an address in a slice.
            unsafe { _mm_prefetch::<_MM_HINT_T1>(line.as_ptr().cast()) };
        }
    }

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

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni,popcnt")]
fn extend(states: &[u64], square: u64, out: &mut [u64]) -> usize {
    assert!(out.len() >= states.len() + Avx512::SLACK);
    let mut len = 0;
    let write = |free: __mmask8, states| {
        let new = _mm512_maskz_compress_epi64(free, states);
        // SAFETY: `len` is at most the number of states before these, so eight words are in `out`.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().add(len).cast(), new) };
        len += free.count_ones() as usize;
    };
    // SAFETY: the features are those of this function.
    unsafe { each_eight(states, square, write) };
    len
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni,popcnt")]
fn finish(states: &[u64], square: u64, out: &mut [u32]) -> usize {
    assert!(out.len() >= states.len() + Avx512::SLACK);
    let mut len = 0;
    let write = |free: __mmask8, states| {
        let new = _mm256_maskz_compress_epi32(free, _mm512_cvtepi64_epi32(states));
        // SAFETY: `len` is at most the number of states before these, so eight words are in `out`.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().add(len).cast(), new) };
        len += free.count_ones() as usize;
    };
    // SAFETY: the features are those of this function.
    unsafe { each_eight(states, square, write) };
    len
}

/// Hands out states with the square, eight at a time, and a bit for each in which it was free.
///
/// # Safety
/// The caller has the features of [`extend`].
#[inline(always)]
unsafe fn each_eight(states: &[u64], square: u64, mut visit: impl FnMut(__mmask8, __m512i)) {
    // SAFETY: the caller has the features. Of the last few words only those whose bit is set are read.
    unsafe {
        let square = _mm512_set1_epi64(square.cast_signed());
        let (eights, rest) = states.as_chunks::<8>();
        for eight in eights {
            let states = _mm512_loadu_si512(eight.as_ptr().cast());
            visit(_mm512_testn_epi64_mask(states, square), _mm512_or_si512(states, square));
        }
        if !rest.is_empty() {
            let real = (1 << rest.len()) - 1;
            let states = _mm512_maskz_loadu_epi64(real, rest.as_ptr().cast());
            visit(_mm512_mask_testn_epi64_mask(real, states, square), _mm512_or_si512(states, square));
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni,popcnt")]
fn tabulate<F: Footprint, const WIDTH: usize, const CHUNKS: usize>(
    lanes: &[&[F; LANE]],
    valid: [u64; WIDTH],
    tables: &mut Tables<WIDTH>,
) {
    if WIDTH == 8 {
        turn_eight(lanes, &mut tables.rows);
        portable::combine::<WIDTH, CHUNKS>(valid, tables, |row, other| without_eight(row, other));
    } else {
        portable::turn(lanes, &mut tables.rows, |lane| words(transpose(lane)));
        portable::combine::<WIDTH, CHUNKS>(valid, tables, portable::without);
    }
}

/// [`portable::without`] for eight words. Spelled out, since the compiler makes gathers and scatters of it.
#[inline]
#[target_feature(enable = "avx512f")]
fn without_eight<const WIDTH: usize>(row: &[u64; WIDTH], other: &[u64; WIDTH]) -> [u64; WIDTH] {
    assert_eq!(WIDTH, 8);
    let mut left = [0; WIDTH];
    // SAFETY: `WIDTH` words each, which are eight.
    unsafe {
        let row = _mm512_loadu_si512(row.as_ptr().cast());
        let other = _mm512_loadu_si512(other.as_ptr().cast());
        _mm512_storeu_si512(left.as_mut_ptr().cast(), _mm512_andnot_si512(other, row));
    }
    left
}

/// [`portable::turn`] for eight lanes, whose words are collected into rows by vector instructions.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn turn_eight<F: Footprint, const WIDTH: usize>(lanes: &[&[F; LANE]], rows: &mut [[u64; WIDTH]; LANE]) {
    assert_eq!(WIDTH, 8);
    // For both halves of a footprint, for each eight of its bits, for each lane a word for each bit.
    let mut planes = [[[_mm512_setzero_si512(); 8]; 4]; 2];
    for (slot, lane) in lanes.iter().enumerate() {
        let mut halves = planes.iter_mut();
        F::halves(lane, |half| {
            let words = transpose(half);
            for (planes, words) in halves.next().into_iter().flatten().zip(words) {
                planes[slot] = words;
            }
        });
    }
    for (rows, lanes) in rows.chunks_exact_mut(8).zip(planes.as_flattened()).take(size_of::<F>()) {
        for (row, words) in rows.iter_mut().zip(transpose_words(lanes)) {
            // SAFETY: `WIDTH` words, which are eight.
            unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), words) };
        }
    }
}

/// Word *i* of vector *j* becomes word *j* of vector *i*.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose_words(vectors: &[__m512i; 8]) -> [__m512i; 8] {
    let [a, b, c, d, e, f, g, h] = *vectors;
    let even = transpose_quarters([
        _mm512_unpacklo_epi64(a, b),
        _mm512_unpacklo_epi64(c, d),
        _mm512_unpacklo_epi64(e, f),
        _mm512_unpacklo_epi64(g, h),
    ]);
    let odd = transpose_quarters([
        _mm512_unpackhi_epi64(a, b),
        _mm512_unpackhi_epi64(c, d),
        _mm512_unpackhi_epi64(e, f),
        _mm512_unpackhi_epi64(g, h),
    ]);
    [even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3], odd[3]]
}

/// Quarter *i* of vector *j* becomes quarter *j* of vector *i*.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose_quarters([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    let (low, low_2) = (_mm512_shuffle_i64x2::<0x44>(a, b), _mm512_shuffle_i64x2::<0x44>(c, d));
    let (high, high_2) = (_mm512_shuffle_i64x2::<0xee>(a, b), _mm512_shuffle_i64x2::<0xee>(c, d));
    [
        _mm512_shuffle_i64x2::<0x88>(low, low_2),
        _mm512_shuffle_i64x2::<0xdd>(low, low_2),
        _mm512_shuffle_i64x2::<0x88>(high, high_2),
        _mm512_shuffle_i64x2::<0xdd>(high, high_2),
    ]
}

/// The words of four vectors.
#[inline]
#[target_feature(enable = "avx512f")]
fn words(vectors: [__m512i; 4]) -> [u64; 32] {
    let mut words = [0; 32];
    for (eight, vector) in words.as_chunks_mut::<8>().0.iter_mut().zip(vectors) {
        // SAFETY: eight words.
        unsafe { _mm512_storeu_si512(eight.as_mut_ptr().cast(), vector) };
    }
    words
}

/// [`portable::transpose`] by bytes: matrices of eight by eight bits are transposed by an instruction
/// made for another purpose, and bytes are moved where they belong before and after. Eight words a vector.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn transpose(lane: &[u32; LANE]) -> [__m512i; 4] {
    /// Of sixteen footprints the first bytes, then the second ones, and so on; by eight, in reverse order.
    const SPREAD: [u8; 64] = {
        let mut from = [0; 64];
        let mut to = 0;
        while to < 64 {
            let (plane, footprint) = (to / 16, (to % 16) ^ 7);
            from[to] = (4 * footprint + plane) as u8;
            to += 1;
        }
        from
    };
    /// Of eight matrices all first bytes, all second bytes, and so on.
    const GATHER: [u8; 64] = {
        let mut from = [0; 64];
        let mut to = 0;
        while to < 64 {
            from[to] = (to % 8 * 8 + to / 8) as u8;
            to += 1;
        }
        from
    };
    let bytes = |table: &[u8; 64]| {
        // SAFETY: 64 bytes.
        unsafe { _mm512_loadu_si512(table.as_ptr().cast()) }
    };
    let (spread, gather) = (bytes(&SPREAD), bytes(&GATHER));
    let unit = _mm512_set1_epi64(0x8040_2010_0804_0201_u64.cast_signed());
    let (sixteens, _) = lane.as_chunks::<16>();
    let matrices = |sixteen: usize| {
        // SAFETY: 16 footprints of four bytes.
        let footprints = unsafe { _mm512_loadu_si512(sixteens[sixteen].as_ptr().cast()) };
        _mm512_gf2p8affine_epi64_epi8::<0>(unit, _mm512_permutexvar_epi8(spread, footprints))
    };
    let planes = transpose_quarters([matrices(0), matrices(1), matrices(2), matrices(3)]);
    planes.map(|plane| _mm512_permutexvar_epi8(gather, plane))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vpopcntdq,gfni,popcnt")]
fn count<F: Footprint, const WIDTH: usize, const CHUNKS: usize>(
    tables: &Tables<WIDTH>,
    queries: &[F],
) -> [u64; WIDTH] {
    let mut sums = [0; WIDTH];
    match WIDTH {
        8 => {
            let row = |query, chunk: usize| {
                let row = &tables.tables[chunk][portable::subset(query, chunk)];
                // SAFETY: `WIDTH` words, which are eight.
                unsafe { _mm512_loadu_si512(row.as_ptr().cast()) }
            };
            let mut sum = _mm512_setzero_si512();
            for &query in queries {
                let mut left = row(query, 0);
                for chunk in (1..CHUNKS - 1).step_by(2) {
                    left = _mm512_ternarylogic_epi64::<0x80>(left, row(query, chunk), row(query, chunk + 1));
                }
                if CHUNKS.is_multiple_of(2) {
                    left = _mm512_and_si512(left, row(query, CHUNKS - 1));
                }
                sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(left));
            }
            // SAFETY: `WIDTH` words, which are eight.
            unsafe { _mm512_storeu_si512(sums.as_mut_ptr().cast(), sum) };
        }
        4 => {
            let row = |query, chunk: usize| {
                let row = &tables.tables[chunk][portable::subset(query, chunk)];
                // SAFETY: `WIDTH` words, which are four.
                unsafe { _mm256_loadu_si256(row.as_ptr().cast()) }
            };
            let mut sum = _mm256_setzero_si256();
            for &query in queries {
                let mut left = row(query, 0);
                for chunk in (1..CHUNKS - 1).step_by(2) {
                    left = _mm256_ternarylogic_epi64::<0x80>(left, row(query, chunk), row(query, chunk + 1));
                }
                if CHUNKS.is_multiple_of(2) {
                    left = _mm256_and_si256(left, row(query, CHUNKS - 1));
                }
                sum = _mm256_add_epi64(sum, _mm256_popcnt_epi64(left));
            }
            // SAFETY: `WIDTH` words, which are four.
            unsafe { _mm256_storeu_si256(sums.as_mut_ptr().cast(), sum) };
        }
        _ => sums = portable::count::<F, WIDTH, CHUNKS>(tables, queries),
    }
    sums
}
