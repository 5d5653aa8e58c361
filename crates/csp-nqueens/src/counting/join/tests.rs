//! Joins against known counts and against search.

use std::time::Instant;

use proptest::prelude::*;

use super::*;
use crate::{
    Method,
    counting::{known_counts, total},
};

fn count(join: &Join) -> u128 {
    total(join).solutions
}

/// All that this processor has.
fn all_vectors() -> impl Iterator<Item = Vectors> {
    let all = [Vectors::Portable, Vectors::Avx2, Vectors::Avx512];
    all.into_iter().filter(|vectors| vectors.is_available())
}

#[test]
fn counts_are_the_known_ones() {
    let known = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14_200, 73_712, 365_596];
    for vectors in all_vectors() {
        for (size, &known) in known.iter().enumerate() {
            let join = Join::with_vectors(&Queens::new(size), vectors);
            assert_eq!(count(&join), known, "{size} {vectors:?}");
        }
    }
}

#[test]
#[ignore = "takes seconds, in a release build"]
fn large_counts_are_the_known_ones() {
    for known in known_counts().into_iter().filter(|known| (15..=18).contains(&known.size)) {
        for vectors in all_vectors() {
            let start = Instant::now();
            let join = Join::with_vectors(&Queens::new(known.size), vectors);
            assert_eq!(total(&join).solutions, known.all, "{} {vectors:?}", known.size);
            println!("{}: {:?} by {vectors:?}", known.size, start.elapsed());
        }
    }
}

#[test]
fn every_cut_gives_the_same_count() {
    for (size, known) in [(6, 4), (7, 40), (8, 92), (9, 352), (10, 724)] {
        for strip in (size % 2..=size).step_by(2) {
            let board = Board::with_strip(&Queens::new(size), strip);
            let join = Join::with_board(board, Vectors::best());
            assert_eq!(count(&join), known, "{size} {strip}");
        }
    }
}

#[test]
fn wide_footprints_are_joined_like_narrow_ones() {
    // Every other row of a known solution, and halves of nine rows.
    let placed = [(0, 1), (2, 5), (4, 9), (6, 13), (12, 6), (14, 10), (16, 14), (18, 18)];
    let place = |puzzle: Queens, (row, column)| puzzle.place(row, column).unwrap();
    let puzzle = placed.into_iter().fold(Queens::new(19), place);
    let expected = Method::BitMasks.count(&puzzle).unwrap();
    assert!(expected > 10);
    let board = Board::with_strip(&puzzle, 1);
    for vectors in all_vectors() {
        assert_eq!(count(&Join::with_board(board.clone(), vectors)), expected, "{vectors:?}");
    }
}

#[test]
fn a_stopped_count_gives_no_number() {
    let join = Join::new(&Queens::new(8));
    let control = Control::new();
    control.stop();
    assert!(join.worker().count(0, &control).is_break());
}

proptest! {
    #[test]
    fn conditions_are_honoured(
        size in 1..9_usize,
        placed in prop::collection::vec((0..8_usize, 0..8_usize), 0..3),
        blocked in prop::collection::vec((0..8_usize, 0..8_usize), 0..16),
    ) {
        let on_board = |&&(row, column): &&(usize, usize)| row < size && column < size;
        let mut puzzle = Queens::new(size);
        for &(row, column) in placed.iter().filter(on_board) {
            puzzle = puzzle.place(row, column).unwrap();
        }
        for &(row, column) in blocked.iter().filter(on_board) {
            puzzle = puzzle.block(row, column).unwrap();
        }
        let expected = Method::BitMasks.count(&puzzle).unwrap();
        for vectors in all_vectors() {
            prop_assert_eq!(count(&Join::with_vectors(&puzzle, vectors)), expected);
        }
    }
}
