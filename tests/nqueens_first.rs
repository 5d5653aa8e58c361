//! The program `nqueens` finding one solution: of any size, at random, with queens placed.

#[path = "common/nqueens.rs"]
mod program;

use std::time::{Duration, Instant};

use csp_nqueens::{Format, Queens};

use program::*;

/// The board that is found, and what is said beside it.
fn found(arguments: &str) -> (Vec<usize>, String) {
    let (code, out, err) = run(arguments);
    assert_eq!(code, 0, "nqueens {arguments}: {err}");
    (Format::Columns.parse(&out).unwrap(), err)
}

#[test]
fn a_method_is_chosen_by_the_board_and_said() {
    for (arguments, method) in [
        ("8", "engine"),
        ("500", "engine"),
        ("5001", "closed-form"),
        ("100000", "closed-form"),
        ("8 --place 0,3", "engine"),
        ("400 --place 0,3", "local-search"),
        ("6000 --block 0,3", "local-search"),
        ("8 --seed 1", "local-search"),
        ("8 --limit 2", "engine"),
        ("400 --method engine --place 0,3", "engine"),
    ] {
        let (code, _, err) = run(&format!("solve {arguments} --format columns --stats"));
        assert_eq!(code, 0, "{arguments}: {err}");
        assert!(err.starts_with(&format!("method: {method}\n")), "{arguments}: {err}");
    }
}

#[test]
fn large_boards_are_columns() {
    for size in [1001, 100_000] {
        let (columns, err) = found(&format!("{size}"));
        assert!(Queens::new(size).is_solution(&columns), "{size}");
        assert_eq!(err, "");
    }
    assert!(run("1000").1.contains('┌'));
    assert!(run("1001 --format strings").1.starts_with('.'));
    let pairs = Format::Pairs.parse(&run("20000 --format pairs").1).unwrap();
    assert!(Queens::new(20_000).is_solution(&pairs));
    for format in ["board", "strings", "json"] {
        refusal(&format!("5001 --format {format}"), &[format, "every square", "--format columns"]);
    }
}

#[test]
fn a_seed_makes_a_board() {
    let board = |seed: u64| found(&format!("1000 --seed {seed} --format columns")).0;
    assert!(Queens::new(1000).is_solution(&board(1)));
    assert_eq!(board(1), board(1));
    assert_ne!(board(1), board(2));
    assert_eq!(run("3 --seed 1").0, 1);
    assert_eq!(run("2 --method closed-form").0, 1);
    assert_eq!(run("0 --seed 1 --format columns").1, "[]\n");
}

#[test]
fn queens_placed_at_random_are_listed_and_stay() {
    let (columns, err) = found("1000 --place-random 100 --seed 7 --format columns");
    let again = err.trim().strip_prefix("placed at random: ").unwrap();
    assert_eq!(again.matches("--place").count(), 100);
    for square in again.split(" --place ") {
        let (row, column) = square.trim_start_matches("--place ").split_once(',').unwrap();
        assert_eq!(columns[row.parse::<usize>().unwrap()], column.parse::<usize>().unwrap());
    }
    assert!(Queens::new(1000).is_solution(&columns));
    // What is listed states the same board.
    let (same, _) = found(&format!("1000 {again} --seed 7 --format columns"));
    assert_eq!(columns, same);

    let all = run("solve 8 --all --place-random 2 --seed 4 --format columns");
    let count = run("count 8 --place-random 2 --seed 4");
    assert_eq!(all.2, count.2);
    assert_eq!(format!("{}\n", all.1.lines().count()), count.1);
}

#[test]
fn what_finds_one_solution_neither_lists_nor_counts() {
    for method in ["local-search", "closed-form"] {
        for arguments in ["solve 8 --all", "solve 8 --limit 2", "count 8"] {
            refusal(&format!("{arguments} --method {method}"), &[method, "finds one solution"]);
        }
        assert_eq!(run(&format!("solve 8 --limit 1 --method {method}")).0, 0);
    }
    refusal("8 --all --seed 3", &["local-search", "finds one solution"]);
    refusal("8 --method closed-form --place 0,0", &["closed-form", "empty board"]);
}

#[test]
fn what_cannot_be_drawn_at_random_is_refused_in_words() {
    refusal("8 --method engine --seed 3", &["--seed 3", "engine", "nothing at random"]);
    refusal("count 8 --seed 3", &["--seed 3", "nothing at random"]);
    refusal("8 --seed -1", &["the seed is a whole number"]);
    refusal("8 --place-random x", &["the number of queens is a whole number"]);
    refusal("8 --place-random 9", &["--place-random 9", "queens could be placed"]);
    refusal("100000001 --seed 1", &["too large", "goes up to 100000000"]);
    refusal("6000 --method engine", &["engine", "`closed-form` finds one solution up to 100000000"]);
}

#[test]
fn a_search_for_nothing_keeps_its_time_limit() {
    let blocks: String = (0..5001).map(|column| format!(" --block 0,{column}")).collect();
    let start = Instant::now();
    let (code, out, err) = run(&format!("5001 --time-limit 0.1{blocks}"));
    assert_eq!((code, out.as_str()), (3, ""), "{err}");
    assert!(err.contains("stopped by --time-limit"), "{err}");
    assert!(start.elapsed() < Duration::from_secs(5));
}
