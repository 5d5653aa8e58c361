//! The examples' `--profiler`, with a profiler that listens.

mod common;
#[path = "common/profiler.rs"]
mod profiler;

use profiler::{Tree, leave, listen, nobody};

/// What an example shows, and what it writes to the standard error.
fn shown(example: &str, arguments: &[&str]) -> (Tree, String) {
    let (address, tree) = listen();
    let arguments = [arguments, &["--profiler", &address]].concat();
    let run = common::run(example, &arguments, "");
    assert_eq!(run.code, Some(0), "{example}: {}", run.err);
    (tree.join().expect("no panic").expect("a stream without fault"), run.err)
}

/// The number before a word of the statistics.
fn figure(text: &str, word: &str) -> u64 {
    let at = text.find(&format!(" {word}")).unwrap_or_else(|| panic!("no {word}: {text}"));
    text[..at]
        .rsplit(' ')
        .next()
        .and_then(|number| number.trim().lines().last()?.parse().ok())
        .expect("a number")
}

#[test]
fn examples_with_the_common_options() {
    for (example, arguments) in [
        ("golomb_ruler", &["6"][..]),
        ("send_more_money", &[]),
        ("magic_square", &["3"]),
        ("all_interval", &["8"]),
        ("zebra", &[]),
    ] {
        let (tree, err) = shown(example, &[arguments, &["--stats"]].concat());
        let statistics = err.lines().find(|line| line.contains(" nodes, ")).expect("statistics");
        let [solutions, nodes, failures] =
            ["solutions", "nodes", "failures"].map(|word| figure(statistics, word));
        assert_eq!(tree.figures(), [solutions, failures, nodes - solutions - failures], "{example}: {err}");
        assert_eq!(tree.name, example);
    }
}

#[test]
fn queens() {
    let (address, tree) = listen();
    let run = common::run("queens", &["7", "--profiler", &address], "");
    let tree = tree.join().expect("no panic").expect("a stream without fault");
    let [solved, failed, _] = tree.figures();
    let figures = format!("solutions={solved} nodes={} failures={failed} ", tree.nodes.len());
    assert!(run.out.starts_with(&figures), "{} {figures}", run.out);
    assert_eq!(solved, 40);
}

#[test]
fn sudoku() {
    let puzzle = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    let (address, tree) = listen();
    let run = common::run("sudoku", &["--unique", "--stats", "--profiler", &address], puzzle);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let tree = tree.join().expect("no panic").expect("a stream without fault");
    assert_eq!((tree.solved(), tree.nodes.len() as u64), (1, figure(&run.err, "nodes")));
    assert_eq!((tree.branches() + 1, tree.open()), (tree.solved() + tree.failed(), 0));
    assert!(tree.nodes.values().any(|node| node.label.starts_with("r1c")), "{:?}", tree.nodes);
    assert_eq!(tree.name, "-:1");
}

#[test]
fn nobody_listens_or_not_for_long() {
    let address = nobody();
    let puzzle = "1...4...3.....2.";
    for (example, arguments) in [("sudoku", &[][..]), ("golomb_ruler", &["6"]), ("queens", &["6"])] {
        let run = common::run(example, &[arguments, &["--profiler", &address]].concat(), puzzle);
        assert_eq!((run.code, &*run.out), (Some(2), ""), "{example}: {}", run.err);
        assert!(run.err.starts_with("error: no profiler listens at "), "{example}: {}", run.err);

        let (address, gone) = leave();
        let alone = common::run(example, arguments, puzzle);
        let run = common::run(example, &[arguments, &["--profiler", &address]].concat(), puzzle);
        gone.join().expect("it was there");
        assert_eq!((run.code, run.out), (alone.code, alone.out), "{example}: {}", run.err);
    }
}
