//! Whole-program test of the example `tiny`: it is run as a user runs it.

mod common;

use std::collections::BTreeSet;

#[test]
fn it_shows_the_four_boards_of_six_queens() {
    let run = common::example("tiny").output();
    let run = run.expect("`cargo test` builds the example, or `cargo build --example tiny`");
    assert!(run.status.success() && run.stderr.is_empty());
    let text = String::from_utf8(run.stdout).expect("text");
    let mut parts = text.trim_end().split("\n\n");

    let head: Vec<&str> = parts.next().expect("a first line").split(' ').collect();
    let ["6-Queens:", "4", "solutions,", nodes, "nodes"] = head[..] else { panic!("{text}") };
    // A solution needs its node, and 6 values were tried at the root; without propagation there are 153.
    assert!((10..153).contains(&nodes.parse::<u32>().expect("a number")), "{text}");

    let boards: BTreeSet<&str> = parts.collect();
    assert_eq!(boards.len(), 4, "{text}");
    for board in boards {
        let rows: Vec<&str> = board.lines().collect();
        assert!(rows.len() == 6 && rows.iter().all(|row| row.len() == 11), "{text}");
        let square = |(row, column): (usize, usize)| rows[row].as_bytes()[2 * column];
        let squares = (0..36).map(|i| (i / 6, i % 6));
        let queens: Vec<(usize, usize)> = squares.filter(|&s| square(s) == b'Q').collect();
        assert_eq!(queens.len(), 6, "{text}");
        for (i, a) in queens.iter().enumerate() {
            for b in &queens[..i] {
                let (rows, columns) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
                assert!(rows > 0 && columns > 0 && rows != columns, "{text}");
            }
        }
    }
}
