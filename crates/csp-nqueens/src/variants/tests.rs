//! The variants against published values, and against definitions where nothing is published.

use proptest::prelude::*;

use super::*;
use crate::{Method, Outcome, Square};

/// A column of the published values: size and value, where one is known.
fn published(column: &str) -> Vec<(usize, u128)> {
    let mut lines = include_str!("../../tests/data/known_counts.csv").lines();
    let place = lines.next().unwrap().split(',').position(|name| name == column).unwrap();
    let values = lines.map(|line| {
        let mut fields = line.split(',');
        Some((fields.next()?.parse().unwrap(), fields.nth(place - 1)?.parse().ok()?))
    });
    values.flatten().collect()
}

fn up_to(most: usize, column: &str) -> impl Iterator<Item = (usize, u128)> {
    let values: Vec<_> = published(column).into_iter().filter(|&(size, _)| size <= most).collect();
    assert_eq!(values.len(), most, "{column}");
    values.into_iter()
}

fn all(variant: Variant, puzzle: &Queens) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    let collect = |columns: &[usize]| {
        all.push(columns.to_vec());
        ControlFlow::Continue(())
    };
    variant.search(puzzle, &Control::new(), collect).unwrap();
    all.sort();
    all
}

#[test]
fn counts_are_the_published_ones() {
    for (variant, column, most) in [
        (Variant::Toroidal, "toroidal_A007705", 12),
        (Variant::PointSymmetric, "point_symmetric_A032522", 14),
        (Variant::QuarterTurn, "rot90_symmetric_A033148", 16),
        (Variant::Kings, "permutation_kings_A002464", 8),
    ] {
        for (size, count) in up_to(most, column) {
            assert_eq!(variant.count(&Queens::new(size)).unwrap(), count, "{variant} {size}");
        }
    }
}

#[test]
fn fast_counts_are_the_published_ones() {
    for (size, count) in published("permutation_kings_A002464") {
        assert_eq!(count_kings(size), Some(count), "{size}");
    }
    for (size, count) in up_to(17, "toroidal_A007705") {
        assert_eq!(count_toroidal(size, &Control::new()).unwrap().solutions, count, "{size}");
    }
    assert_eq!((count_kings(0), count_kings(34).is_some(), count_kings(usize::MAX)), (Some(1), true, None));
    assert!(count_toroidal(32, &Control::new()).is_err());
}

/// Small boards with a queen placed and some squares blocked.
fn puzzles() -> impl Strategy<Value = Queens> {
    (0..=7_usize).prop_flat_map(|size| {
        let squares = |most| prop::collection::vec((0..size.max(1), 0..size.max(1)), 0..=most);
        (squares(size.min(1)), squares(size)).prop_map(move |(placed, blocked)| {
            let place = |puzzle: Queens, (row, column)| puzzle.place(row, column).unwrap();
            let block = |puzzle: Queens, (row, column)| puzzle.block(row, column).unwrap();
            let puzzle = placed.into_iter().fold(Queens::new(size), place);
            blocked.into_iter().fold(puzzle, block)
        })
    })
}

/// All ways to put a queen into each row and column.
fn permutations(size: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for _ in 0..size {
        let longer = |start: Vec<usize>| {
            let next = (0..size).filter(|column| !start.contains(column)).collect::<Vec<_>>();
            next.into_iter().map(move |column| [&start[..], &[column]].concat())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn solutions_are_those_of_the_definition(puzzle in puzzles()) {
        for variant in Variant::ALL {
            let mut expected = permutations(puzzle.size());
            expected.retain(|columns| variant.is_solution(&puzzle, columns));
            prop_assert_eq!(all(variant, &puzzle), expected, "{}", variant);
        }
    }

    #[test]
    fn largest_sets_are_those_of_the_definition(board in puzzles().prop_filter("small", |b| b.size() <= 4)) {
        let squares: Vec<Square> =
            (0..board.size()).flat_map(|row| (0..board.size()).map(move |column| (row, column))).collect();
        let plain = Largest::new(board);
        for largest in [plain.clone(), plain.clone().holes_stop_attacks(), plain.at_most(2)] {
            let expected = subsets(&squares).filter(|queens| largest.is_solution(queens)).map(|q| q.len()).max();
            let best = largest.solve(&Control::new()).unwrap();
            prop_assert_eq!(best.value(), expected);
            prop_assert_eq!((best.bound, best.outcome), (expected, Outcome::Complete));
            if let Some((queens, number)) = best.solution {
                prop_assert!(largest.is_solution(&queens) && queens.len() == number);
            }
        }
    }

    #[test]
    fn regions_are_solved_by_the_definition(size in 0..=6_usize, cells in prop::collection::vec(0..6_usize, 36)) {
        // The first column makes sure that every region is there.
        let cell = |row: usize, column: usize| if column == 0 { row } else { cells[6 * row + column] % size };
        let regions = (0..size).map(|row| (0..size).map(|column| cell(row, column)).collect()).collect();
        let puzzle = Regions::from_regions(regions);
        let mut solutions = puzzle.solutions(usize::MAX).unwrap();
        solutions.sort();
        let mut expected = permutations(size);
        expected.retain(|columns| {
            let touch = |one: usize, other: usize| one + 1 == other && columns[one].abs_diff(columns[other]) < 2;
            let same = |one: usize, other: usize| puzzle.region((one, columns[one])) == puzzle.region((other, columns[other]));
            let pairs = || (0..size).flat_map(|other| (0..other).map(move |one| (one, other)));
            !pairs().any(|(one, other)| touch(one, other) || same(one, other))
        });
        prop_assert!(solutions.iter().all(|columns| puzzle.is_solution(columns)));
        prop_assert_eq!(solutions, expected);
        prop_assert_eq!(puzzle.to_string().parse::<Regions>().unwrap().to_string(), puzzle.to_string());
    }
}

fn subsets(squares: &[Square]) -> impl Iterator<Item = Vec<Square>> {
    (0..1_u32 << squares.len()).map(|set| {
        let chosen = squares.iter().enumerate().filter(|(place, _)| set >> place & 1 == 1);
        chosen.map(|(_, &square)| square).collect()
    })
}

#[test]
fn symmetric_solutions_are_among_those_of_the_puzzle() {
    for size in 0..=10 {
        let puzzle = Queens::new(size);
        let mut solutions = Vec::new();
        let collect = |columns: &[usize]| {
            solutions.push(columns.to_vec());
            ControlFlow::Continue(())
        };
        Method::BitMasks.search(&puzzle, &Control::new(), collect).unwrap();
        for (variant, turns) in [(Variant::PointSymmetric, 2), (Variant::QuarterTurn, 1)] {
            let mut expected = solutions.clone();
            expected
                .retain(|columns| (0..turns).fold(columns.clone(), |board, _| turned(&board)) == *columns);
            assert_eq!(all(variant, &puzzle), expected, "{variant} {size}");
        }
    }
}

/// The board turned by a quarter.
fn turned(columns: &[usize]) -> Vec<usize> {
    let mut turned = vec![0; columns.len()];
    columns.iter().enumerate().for_each(|(row, &column)| turned[column] = columns.len() - 1 - row);
    turned
}

#[test]
fn smallest_dominating_sets_are_the_published_ones() {
    assert_eq!(Domination::new(0).solve(&Control::new()).unwrap().value(), Some(0));
    for (size, number) in up_to(9, "queen_domination_A075458") {
        let best = Domination::new(size).solve(&Control::new()).unwrap();
        let (queens, found) = best.solution.unwrap();
        assert_eq!(
            (found as u128, best.bound, best.outcome),
            (number, Some(found), Outcome::Complete),
            "{size}"
        );
        assert_eq!(queens.len(), found);
        assert!(Domination::new(size).is_dominated_by(&queens));
    }
}

#[test]
fn small_boards_are_dominated_by_no_fewer_by_the_definition() {
    for size in 1..=4_usize {
        let squares: Vec<Square> =
            (0..size).flat_map(|row| (0..size).map(move |column| (row, column))).collect();
        let board = Domination::new(size);
        let fewest = subsets(&squares).filter(|queens| board.is_dominated_by(queens)).map(|q| q.len()).min();
        assert_eq!(board.solve(&Control::new()).unwrap().value(), fewest);
    }
}

#[test]
fn largest_armies_are_the_published_ones() {
    assert_eq!(Peaceable::new(0).solve(&Control::new()).unwrap().value(), Some(0));
    for (size, number) in up_to(7, "peaceable_queens_A250000") {
        let best = Peaceable::new(size).solve(&Control::new()).unwrap();
        let (armies, found) = best.solution.unwrap();
        assert_eq!(
            (found as u128, best.bound, best.outcome),
            (number, Some(found), Outcome::Complete),
            "{size}"
        );
        assert_eq!(armies.white.len(), found);
        assert!(Peaceable::new(size).is_peaceable(&armies));
    }
}

#[test]
fn a_best_set_is_reported_with_its_bound_when_stopped() {
    let mut seen = Vec::new();
    let control = Control::new();
    let best = Peaceable::new(12).solve_with(&control, |_, value| {
        seen.push(value);
        if value >= 3 {
            control.stop()
        }
    });
    let best = best.unwrap();
    assert_eq!(best.outcome, Outcome::Interrupted);
    assert!(best.value() == seen.last().copied() && best.value() >= Some(3) && best.bound > best.value());
    assert!(seen.is_sorted());
}

#[test]
fn boards_that_are_made_have_one_solution_and_connected_regions() {
    for size in [0, 2, 3] {
        assert_eq!(Regions::generate(size, 1, &Control::new()), Ok(None));
    }
    for (size, seed) in [(1, 0), (4, 1), (5, 2), (6, 3), (8, 4), (9, 5)] {
        let board = Regions::generate(size, seed, &Control::new()).unwrap().unwrap();
        assert_eq!(board.solutions(2).unwrap().len(), 1, "{board}");
        assert_eq!(Regions::generate(size, seed, &Control::new()).unwrap().unwrap(), board);
        for region in 0..size {
            let squares: Vec<Square> = (0..size)
                .flat_map(|row| (0..size).map(move |column| (row, column)))
                .filter(|&square| board.region(square) == Some(region))
                .collect();
            let mut reached = vec![squares[0]];
            while let Some(&next) = squares.iter().find(|&&(row, column)| {
                let touches = |&(r, c): &Square| row.abs_diff(r) + column.abs_diff(c) == 1;
                !reached.contains(&(row, column)) && reached.iter().any(touches)
            }) {
                reached.push(next);
            }
            assert_eq!(reached.len(), squares.len(), "{board}");
        }
    }
}

#[test]
fn malformed_regions_are_refused_in_words() {
    let refusal = |text: &str| text.parse::<Regions>().unwrap_err().to_string();
    assert_eq!(refusal("AB\nA\n"), "row 1 has 1 squares, but there are 2 rows: a board is square");
    assert_eq!(refusal("AA\nAA"), "there are 1 regions and 2 rows: there must be as many");
    assert_eq!(refusal(&"A\n".repeat(101)), "a board of 101 rows is too large: they go up to 100");
    assert_eq!("".parse::<Regions>().unwrap().size(), 0);
}

#[test]
fn names_are_read_back_and_large_boards_refused() {
    for variant in Variant::ALL {
        assert_eq!(variant.name().parse(), Ok(variant));
        assert!(variant.count(&Queens::new(1001)).is_err());
    }
    assert!(
        "knights".parse::<Variant>().unwrap_err().to_string().starts_with("there is no variant `knights`")
    );
    let error = Domination::new(61).solve(&Control::new()).unwrap_err().to_string();
    assert_eq!(error, "size 61 is too large: `dominate` goes up to 60");
    assert!(Peaceable::new(61).solve(&Control::new()).is_err());
    assert!(Largest::new(Queens::new(101)).solve(&Control::new()).is_err());
}

#[test]
#[ignore = "takes minutes, in a release build"]
fn what_a_minute_each_allows_are_the_published_values() {
    for (variant, column, most) in [
        (Variant::Toroidal, "toroidal_A007705", 17),
        (Variant::PointSymmetric, "point_symmetric_A032522", 23),
        (Variant::QuarterTurn, "rot90_symmetric_A033148", 27),
        (Variant::Kings, "permutation_kings_A002464", 11),
    ] {
        for (size, count) in up_to(most, column).skip(8) {
            assert_eq!(variant.count(&Queens::new(size)).unwrap(), count, "{variant} {size}");
        }
    }
    for (size, number) in up_to(13, "queen_domination_A075458").skip(9) {
        let best = Domination::new(size).solve(&Control::new()).unwrap();
        assert_eq!(best.value().map(|value| value as u128), Some(number), "{size}");
    }
    for (size, number) in up_to(11, "peaceable_queens_A250000").skip(7) {
        let best = Peaceable::new(size).solve(&Control::new()).unwrap();
        assert_eq!(best.value().map(|value| value as u128), Some(number), "{size}");
    }
}
