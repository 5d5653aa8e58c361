//! The methods against published counts, and against each other.

use std::{thread, time::Duration};

use proptest::prelude::*;

use super::*;
use crate::search::Outcome;

/// The methods that go row by row, all through the same tree.
const ROW_BY_ROW: [Method; 6] = [
    Method::BoardScan,
    Method::ColumnScan,
    Method::SetsUndo,
    Method::SetsCopy,
    Method::BoolArrays,
    Method::BitMasks,
];

fn listing() -> impl Iterator<Item = Method> {
    Method::ALL.into_iter().filter(|method| method.lists())
}

/// The methods that count.
fn counting() -> impl Iterator<Item = Method> {
    Method::ALL.into_iter().filter(|method| !method.finds_one())
}

/// Those of them that honour conditions: all but one.
fn honouring() -> impl Iterator<Item = Method> {
    counting().filter(|&method| method != Method::LookAhead)
}

/// The largest board that a method counts quickly.
fn quick_size(method: Method) -> usize {
    match method {
        Method::Placements => 7,
        Method::Permutations => 9,
        Method::BitMasks => 12,
        _ => 10,
    }
}

/// Size, solutions, nodes row by row.
fn published_counts() -> Vec<[u64; 3]> {
    let lines = include_str!("../../tests/data/counts.csv").lines().skip(1);
    let numbers = |line: &str| -> Vec<u64> { line.split(',').map(|n| n.parse().unwrap()).collect() };
    lines.map(|line| numbers(line).try_into().unwrap()).collect()
}

fn all(method: Method, puzzle: &Queens) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    let collect = |columns: &[usize]| {
        all.push(columns.to_vec());
        ControlFlow::Continue(())
    };
    method.search(puzzle, &Control::new(), collect).unwrap();
    all
}

#[test]
fn counts_are_the_published_ones() {
    for method in counting() {
        for [size, solutions, _] in published_counts() {
            if size <= quick_size(method) as u64 {
                let count = method.count(&Queens::new(size as usize));
                assert_eq!(count, Ok(solutions.into()), "{method} on {size}");
            }
        }
    }
}

#[test]
fn nodes_row_by_row_are_the_published_ones() {
    for method in ROW_BY_ROW {
        for [size, _, nodes] in published_counts().into_iter().take(9) {
            let puzzle = Queens::new(size as usize);
            let report = method.search(&puzzle, &Control::new(), |_| ControlFlow::Continue(()));
            assert_eq!(report.unwrap().nodes, nodes, "{method} on {size}");
        }
    }
}

#[test]
fn completions_are_counted() {
    for line in include_str!("../../tests/data/completion.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let size = fields[1].parse().unwrap();
        let mut puzzle = Queens::new(size);
        for queen in fields[2].split_whitespace() {
            let (row, column) = queen.split_once(':').unwrap();
            puzzle = puzzle.place(row.parse().unwrap(), column.parse().unwrap()).unwrap();
        }
        for method in honouring().filter(|&method| size <= quick_size(method)) {
            let count = method.count(&puzzle).unwrap();
            assert_eq!(count.to_string(), fields[3], "{method} on {}", fields[0]);
        }
    }
}

#[test]
fn boards_with_excluded_diagonals_are_counted() {
    let mut boards = 0;
    for line in include_str!("../../tests/data/excluded_diagonals.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let size = fields[1].parse().unwrap();
        let mut puzzle = Queens::new(size);
        for diagonal in fields[4].split_whitespace() {
            let number = diagonal[1..].parse().unwrap();
            puzzle = match diagonal.starts_with('d') {
                true => puzzle.exclude_diagonal(number).unwrap(),
                false => puzzle.exclude_anti_diagonal(number).unwrap(),
            };
        }
        boards += 1;
        // Row by row, the search of the large boards takes long.
        let methods = [Method::BitMasks, Method::Engine]
            .into_iter()
            .filter(|&method| method == Method::Engine || size <= quick_size(method));
        for method in methods {
            assert_eq!(method.count(&puzzle).unwrap().to_string(), fields[3], "{method}: {line}");
        }
    }
    assert_eq!(boards, 975);
}

/// Small boards with some queens placed and some squares blocked.
fn puzzles() -> impl Strategy<Value = Queens> {
    (0..=6_usize).prop_flat_map(|size| {
        let squares = |most| prop::collection::vec((0..size.max(1), 0..size.max(1)), 0..=most);
        (squares(size.min(2)), squares(2 * size)).prop_map(move |(placed, blocked)| {
            let place = |puzzle: Queens, (row, column)| puzzle.place(row, column).unwrap();
            let block = |puzzle: Queens, (row, column)| puzzle.block(row, column).unwrap();
            let puzzle = placed.into_iter().fold(Queens::new(size), place);
            blocked.into_iter().fold(puzzle, block)
        })
    })
}

proptest! {
    #[test]
    fn all_methods_agree(puzzle in puzzles()) {
        let expected = all(Method::Placements, &puzzle);
        for columns in &expected {
            prop_assert!(puzzle.is_solution(columns));
        }
        prop_assert_eq!(Method::Join.count(&puzzle).unwrap(), expected.len() as u128);
        for method in listing() {
            let mut solutions = all(method, &puzzle);
            if !method.is_lexicographic() {
                solutions.sort();
            }
            prop_assert_eq!(&solutions, &expected, "{}", method);
            prop_assert_eq!(method.first(&puzzle).unwrap().is_some(), !expected.is_empty());
        }
        match Method::LocalSearch.first(&puzzle).unwrap() {
            Some(columns) => prop_assert!(expected.contains(&columns)),
            None => prop_assert!(expected.is_empty()),
        }
    }
}

#[test]
fn queens_that_attack_each_other_have_no_solution() {
    let pair = Queens::new(5).place(0, 0).unwrap().place(4, 4).unwrap();
    let same_row = Queens::new(5).place(2, 0).unwrap().place(2, 3).unwrap();
    let on_blocked = Queens::new(5).place(0, 0).unwrap().block(0, 0).unwrap();
    for method in honouring() {
        for puzzle in [&pair, &same_row, &on_blocked] {
            assert_eq!(method.count(puzzle), Ok(0), "{method}");
        }
    }
}

#[test]
fn the_receiver_decides_how_many_it_takes() {
    for method in listing() {
        let mut wanted = 3;
        let report = method.search(&Queens::new(7), &Control::new(), |_| {
            wanted -= 1;
            match wanted {
                0 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        });
        let report = report.unwrap();
        assert_eq!((report.outcome, report.solutions), (Outcome::Enough, 3), "{method}");
    }
}

#[test]
fn every_method_can_be_stopped() {
    for method in counting() {
        let puzzle = Queens::new(method.max_size().min(100));
        let count = |control: &Control| method.count_with(&puzzle, control, NonZeroUsize::MIN).unwrap();

        let control = Control::new();
        control.stop();
        let report = count(&control);
        assert_eq!(report.outcome, Outcome::Interrupted, "{method}");

        let control = Control::new().with_time_limit(Duration::ZERO);
        let report = count(&control);
        assert_eq!(report.outcome, Outcome::TimeLimit, "{method}");

        let control = Control::new();
        let report = thread::scope(|scope| {
            let search = scope.spawn(|| count(&control));
            thread::sleep(Duration::from_millis(20));
            control.stop();
            search.join().unwrap()
        });
        assert_eq!(report.outcome, Outcome::Interrupted, "{method}");
        assert!(report.time < Duration::from_secs(2), "{method} took {:?}", report.time);
    }
}

#[test]
fn finding_one_is_stopped_before_it_begins() {
    for method in Method::ALL.into_iter().filter(|method| method.finds_one()) {
        let outcome = |control: &Control| {
            let found_none = |_: &[usize]| unreachable!("{method}");
            method.search(&Queens::new(100), control, found_none).unwrap().outcome
        };
        let control = Control::new();
        control.stop();
        assert_eq!(outcome(&control), Outcome::Interrupted, "{method}");
        let control = Control::new().with_time_limit(Duration::ZERO);
        assert_eq!(outcome(&control), Outcome::TimeLimit, "{method}");
    }
}

#[test]
fn every_method_goes_as_far_as_it_says() {
    for method in listing() {
        let max_size = method.max_size();
        // A well-known solution for even sizes that leave no remainder of 2 when divided by 6.
        let size = (0..=max_size).rev().find(|size| size % 2 == 0 && size % 6 != 2).unwrap();
        let mut puzzle = Queens::new(size);
        for row in 0..size {
            let column = if row < size / 2 { 2 * row + 1 } else { 2 * row - size / 2 * 2 };
            puzzle = puzzle.place(row, column).unwrap();
        }
        let control = Control::new().with_time_limit(Duration::from_secs(10));
        let report = method.search(&puzzle, &control, |_| ControlFlow::Continue(())).unwrap();
        assert_eq!(report.solutions, 1, "{method}");
    }
}

#[test]
fn every_method_refuses_what_is_too_large() {
    for method in Method::ALL {
        let size = method.max_size() + 1;
        assert_eq!(method.first(&Queens::new(size)), Err(QueensError::TooLarge { size, method }));
    }
}

#[test]
fn counting_methods_say_what_they_do_not_take() {
    for method in [Method::LookAhead, Method::Join] {
        assert_eq!(method.first(&Queens::new(5)), Err(QueensError::OnlyCounts { method }));
        let size = method.max_size() + 1;
        assert_eq!(method.count(&Queens::new(size)), Err(QueensError::TooLarge { size, method }));
    }
    let method = Method::LookAhead;
    let puzzle = Queens::new(8).block(0, 0).unwrap();
    assert_eq!(method.count(&puzzle), Err(QueensError::OnlyEmptyBoard { method }));
}

#[test]
fn the_fastest_counter_takes_the_puzzle() {
    for size in [0, 5, 9, 10, 18, 23, 24, 32, 33, 64, 65, 1000, 5000] {
        let (empty, blocked) = (Queens::new(size), Queens::new(size.max(1)).block(0, 0).unwrap());
        for puzzle in [&empty, &blocked] {
            let method = Method::fastest_counter(puzzle);
            assert!(size <= method.max_size(), "{method} on {size}");
            assert!(method != Method::LookAhead || puzzle == &empty);
        }
    }
    assert_eq!(Method::fastest_counter(&Queens::new(20).place(0, 0).unwrap()), Method::Engine);
    assert_eq!(Method::fastest_counter(&Queens::new(20).block(0, 0).unwrap()), Method::Join);
}

#[test]
fn names_are_read_back() {
    for method in Method::ALL {
        assert_eq!(method.name().parse(), Ok(method));
    }
    let error = "guess".parse::<Method>().unwrap_err().to_string();
    assert!(error.starts_with("there is no method `guess`: the methods are placements, "));
}

#[test]
fn cost_grows_with_the_board() {
    for method in Method::ALL {
        let costs: Vec<_> = (0..40).map(|size| method.cost(size).time).collect();
        assert!(costs.is_sorted(), "{method}: {costs:?}");
        assert_eq!(method.cost(usize::MAX).time == Duration::MAX, !method.finds_one(), "{method}");
    }
}
