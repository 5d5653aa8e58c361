//! `nqueens --profiler`: the program as a user runs it, and a profiler that listens.

#[path = "common/profiler.rs"]
mod profiler;

use std::process::{Command, Stdio};

use profiler::{leave, listen, nobody};

fn run(arguments: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nqueens"));
    let output = command.args(arguments.split_whitespace()).stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// A figure of `--stats`.
fn figure(err: &str, name: &str) -> u64 {
    let line = err.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    line.unwrap_or_else(|| panic!("no {name}: {err}")).parse().unwrap()
}

#[test]
fn the_tree_is_as_large_as_the_statistics_say() {
    for (arguments, code) in [
        ("solve 6", 0),
        ("solve 6 --all", 0),
        ("solve 8 --limit 3", 0),
        ("solve 3", 1),
        ("solve 2 --all", 1),
        ("solve 6 --place 0,0 --all", 1),
        ("count 7", 0),
        ("count 8 --method engine --block 0,0", 0),
        ("8", 0),
    ] {
        let (address, tree) = listen();
        let (ended, _, err) = run(&format!("{arguments} --stats --profiler {address}"));
        assert_eq!(ended, code, "{arguments}: {err}");
        let tree = tree.join().unwrap().unwrap();
        let [solutions, failures, nodes] = ["solutions", "failures", "nodes"].map(|name| figure(&err, name));
        assert_eq!(tree.figures(), [solutions, failures, nodes - solutions - failures], "{arguments}");
        assert!(tree.name.ends_with(" queens"), "{}", tree.name);
        assert!(tree.nodes.values().any(|node| node.label.starts_with("row") || tree.nodes.len() == 1));
    }
}

#[test]
fn a_search_that_is_stopped_ends_the_tree() {
    let (address, tree) = listen();
    let (code, _, err) = run(&format!("count 20 --time-limit 0.3 --stats --profiler={address}"));
    assert_eq!(code, 3, "{err}");
    let tree = tree.join().unwrap().unwrap();
    assert_eq!((tree.solved(), tree.failed()), (figure(&err, "solutions"), figure(&err, "failures")));
    assert!(tree.open() > 0);
}

#[test]
fn nobody_listens() {
    let address = nobody();
    let (code, out, err) = run(&format!("solve 8 --profiler {address}"));
    assert_eq!((code, &*out), (2, ""));
    for word in ["error: ", &*address, "no profiler listens", "Show search profiler"] {
        assert!(err.contains(word), "{err}");
    }
    assert_eq!(err.lines().count(), 1, "{err}");
}

#[test]
fn a_profiler_that_goes_away_is_missed_once() {
    let (address, gone) = leave();
    let (code, out, err) = run(&format!("count 10 --profiler {address}"));
    gone.join().unwrap();
    assert_eq!((code, &*out), (0, "724\n"), "{err}");
    assert!(err.starts_with("warning: the profiler does not hear the rest: "), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
}

#[test]
fn what_has_no_tree_is_refused() {
    for (arguments, words) in [
        ("solve 8 --method permutations", "method `permutations` has no tree"),
        ("solve 8 --method closed-form", "`closed-form`"),
        ("solve 8 --seed 3", "draws nothing at random"),
        ("count 8 --method bit-masks", "--profiler shows the search of method `engine`"),
        ("count 8 --threads 2", "--threads"),
        ("count 8 --checkpoint no-file", "--checkpoint"),
        ("solve --profiler 8", "as in localhost:6565"),
        ("solve 8 --profiler=localhost", "as in localhost:6565"),
        ("solve 8 --profiler=:6565", "as in localhost:6565"),
        ("solve 8 --profiler=localhost:65536", "as in localhost:6565"),
    ] {
        let arguments = match arguments.contains("--profiler") {
            true => arguments.to_owned(),
            false => format!("{arguments} --profiler"),
        };
        let (code, out, err) = run(&arguments);
        assert_eq!((code, &*out), (2, ""), "{arguments}: {err}");
        assert!(err.starts_with("error: ") && err.contains(words), "{arguments}: {err}");
    }
}
