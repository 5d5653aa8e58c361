//! The program `nqueens`, run as a user runs it.

#[path = "common/nqueens.rs"]
mod program;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use csp_nqueens::{Format, Method, Queens};

use program::*;

#[test]
fn a_size_draws_a_first_solution() {
    let board = stdout("8");
    let columns = Format::Board.parse(&board).unwrap();
    assert!(Queens::new(8).is_solution(&columns), "{board}");
    assert!(board.starts_with("    0 1 2 3 4 5 6 7\n"));
    assert_eq!(board, stdout("solve 8"));
    assert_eq!(stdout("8 --format columns"), stdout("--format columns 8"));
}

#[test]
fn every_format_is_read_back() {
    for format in Format::ALL {
        let mut solutions = format.parse_all(&stdout(&format!("solve 6 --all --format {format}"))).unwrap();
        solutions.sort();
        assert_eq!(solutions.len(), 4, "{format}");
        assert!(solutions.iter().all(|columns| Queens::new(6).is_solution(columns)), "{format}");
    }
}

#[test]
fn formats_are_stable() {
    let show = |format| stdout(&format!("solve 4 --all --method bit-masks --format {format}"));
    assert_eq!(show("columns"), "[1, 3, 0, 2]\n[2, 0, 3, 1]\n");
    assert_eq!(show("pairs"), "[[0, 1], [1, 3], [2, 0], [3, 2]]\n[[0, 2], [1, 0], [2, 3], [3, 1]]\n");
    assert_eq!(show("strings"), ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.Q..\n");
    let expected = "[[\".Q..\",\"...Q\",\"Q...\",\"..Q.\"]\n,[\"..Q.\",\"Q...\",\"...Q\",\".Q..\"]\n]\n";
    assert_eq!(show("json"), expected);
}

#[test]
fn the_smallest_boards() {
    assert_eq!(stdout("0 --format json"), "[[]\n]\n");
    assert_eq!(stdout("0 --format columns"), "[]\n");
    assert_eq!(stdout("1 --format strings"), "Q\n");
    for size in [2, 3] {
        let (code, out, err) = run(&format!("{size}"));
        assert_eq!((code, out.as_str()), (1, ""));
        assert!(err.starts_with("no solution"), "{err}");
        assert_eq!(run(&format!("solve {size} --all --format json")).1, "[]\n");
    }
}

#[test]
fn limit_place_and_block() {
    assert_eq!(stdout("solve 8 --limit 5 --format columns").lines().count(), 5);
    assert_eq!(stdout("solve 8 --all --format columns").lines().count(), 92);
    for method in counting().filter(|method| method.lists()) {
        let place = format!("5 --place 1,2 --format columns --all --method {method}");
        let solutions = Format::Columns.parse_all(&stdout(&place)).unwrap();
        assert_eq!(solutions.len(), 2, "{method}");
        assert!(solutions.iter().all(|columns| columns[1] == 2), "{method}");
        let block = format!("count 5 --block 0,0 --block 0,1 --method {method}");
        assert_eq!(stdout(&block), "6\n", "{method}");
    }
    assert_eq!(stdout("count 5 --block 0,0 --block 0,1 --method join"), "6\n");
    refusal_of(&["count", "5", "--block", "0,0", "--method", "look-ahead"], &["look-ahead", "empty board"]);
    refusal_of(&["solve", "5", "--method", "join"], &["join", "only counts"]);
    assert_eq!(run("8 --place 0,0 --place 1,1").0, 1);
    assert_eq!(run("8 --place 0,0 --block 0,0").0, 1);
}

#[test]
fn counts() {
    for method in counting() {
        assert_eq!(stdout(&format!("count 6 --method {method}")), "4\n", "{method}");
    }
    assert_eq!(stdout("count 10"), "724\n");
    assert_eq!(stdout("count 3"), "0\n");
    let result = json(&stdout("count 8 --format json"));
    assert_eq!((&result["solutions"], &result["complete"]), (&92.into(), &true.into()));
    assert_eq!(result["nodes"], 2057);
}

#[test]
fn compare_runs_what_is_quick_and_says_what_it_skips() {
    let table = stdout("compare 6");
    for method in counting() {
        assert!(table.contains(method.name()), "{table}");
    }
    assert!(table.contains("All 11 complete counts agree: 4."), "{table}");

    let table = stdout("compare 30");
    assert_eq!(table.matches("skipped: ").count(), 11, "{table}");
    assert!(table.contains("goes up to size 16"), "{table}");
    assert!(table.contains("too many nodes to visit") && table.contains("~ thousands of years"), "{table}");

    let result = json(&stdout("compare 5 --format json"));
    let methods = result["methods"].as_array().unwrap();
    assert_eq!(methods.len(), 11);
    assert!(methods.iter().all(|method| method["solutions"] == 10));
}

#[test]
fn unique_solutions_are_counted() {
    assert_eq!(stdout("count 8 --unique"), "12\n");
    assert_eq!(stdout("count 10 --unique --method engine --threads 2"), "92\n");
    let result = json(&stdout("count 9 --unique --format json"));
    assert_eq!((&result["solutions"], &result["unique"]), (&352.into(), &46.into()));
    refusal_of(&["count", "8", "--unique", "--block", "0,0"], &["--unique", "empty board"]);
    let (code, out, _) = run("count 23 --unique --time-limit 0.1");
    assert_eq!(code, 3);
    assert!(out.starts_with("at least ") && out.contains("not yet up to symmetry"), "{out}");
}

#[test]
fn statistics_go_to_the_standard_error() {
    let (code, out, err) = run("count 8 --stats");
    assert_eq!((code, out.as_str()), (0, "92\n"));
    assert!(err.contains("nodes: 2057\n"), "{err}");
    assert!(run("8 --stats").2.contains("propagations: "));
}

#[test]
fn help_and_version() {
    let help = stdout("--help");
    for word in ["solve", "count", "compare", "Exit codes", "no solution", "Ctrl-C", "from 0"] {
        assert!(help.contains(word), "{help}");
    }
    let help = stdout("solve --help");
    for method in Method::ALL {
        assert!(help.contains(&format!("(up to size {})", method.max_size())), "{help}");
        assert!(help.contains(method.name()), "{help}");
    }
    assert!(stdout("--version").starts_with("nqueens "));
}

#[test]
fn malformed_arguments_are_refused_in_words() {
    refusal_of(&[], &["nothing is asked", "nqueens 8"]);
    refusal_of(&["-1"], &["'-1'", "whole number, 0 or more"]);
    refusal_of(&["solve", "-1"], &["'-1'", "whole number, 0 or more"]);
    refusal_of(&["count", "two"], &["'two'", "whole number, 0 or more"]);
    refusal_of(&["slove", "8"], &["'slove'", "solve, count, merge, compare"]);
    refusal_of(&["1000000000000"], &["1000000000000 is too large", "goes up to 100000000"]);
    refusal_of(&["count", "1000000000000"], &["too large"]);
    refusal_of(&["compare", "1000000000000"], &["too large"]);
    refusal_of(&["99999999999999999999999999"], &["far too large"]);
    for method in Method::ALL {
        let size = (method.max_size() + 1).to_string();
        refusal_of(&[&size, "--method", method.name()], &["too large", &method.max_size().to_string()]);
    }
    refusal_of(&["8", "--place", "9,9"], &["--place 9,9", "off the board", "0 to 7"]);
    refusal_of(&["8", "--block", "0,8"], &["--block 0,8", "off the board", "0 to 7"]);
    refusal_of(&["0", "--place", "0,0"], &["no squares"]);
    for square in ["", "3", "3;4", "a,b", "1,", ",", "-1,3", "1,2,3", "1.5,2"] {
        refusal_of(&["8", "--place", square], &["--place", "square"]);
    }
    refusal_of(&["8", "--place"], &["--place"]);
    refusal_of(&["8", "--limit", "0"], &["1 or more"]);
    refusal_of(&["8", "--limit", "1", "--all"], &["--all", "--limit"]);
    refusal_of(&["8", "--time-limit", "soon"], &["number of seconds"]);
    refusal_of(&["8", "--time-limit", "-1"], &["number of seconds"]);
    refusal_of(&["8", "--time-limit", "NaN"], &["number of seconds"]);
    refusal_of(&["8", "--method", "guess"], &["guess", "bit-masks"]);
    refusal_of(&["8", "--format", "png"], &["png", "columns", "svg"]);
    refusal_of(&["8", "9"], &["'9'"]);
    refusal_of(&["\u{1b}[31mred"], &["not readable text", "\\u{1b}[31mred"]);
    refusal_of(&["8", "--place", "\u{7}"], &["argument 3 is not readable text"]);
}

#[test]
fn a_time_limit_is_kept_by_every_method() {
    for method in counting() {
        let size = method.max_size().min(20);
        let start = Instant::now();
        let (code, out, _) = run(&format!("count {size} --time-limit 0.1 --method {method}"));
        assert_eq!(code, 3, "{method}: {out}");
        assert!(out.starts_with("at least ") && out.contains("incomplete"), "{method}: {out}");
        assert!(start.elapsed() < Duration::from_secs(3), "{method}");
    }
    let (code, out, _) = run("count 20 --time-limit 0.1 --format json");
    assert_eq!((code, &json(&out)["complete"]), (3, &false.into()));
    let (code, out, err) = run("solve 16 --all --time-limit 0.1 --format json");
    assert_eq!(code, 3);
    assert!(Format::Json.parse_all(&out).is_ok());
    assert!(err.contains("--time-limit") && err.contains("incomplete"), "{err}");
    let (code, out, _) = run("compare 14 --time-limit 0.1");
    assert_eq!(code, 3);
    assert!(out.contains("stopped before its turn"), "{out}");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut program = command("solve 12 --all --format columns")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(program.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(Format::Columns.parse(&line).is_ok());
    let (code, _, err) = read(program.wait_with_output().unwrap());
    assert_eq!((code, err.as_str()), (0, ""));
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_every_method_with_what_is_there() {
    let start = |arguments: String| {
        let mut command = command(&arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let count = |method: Method| {
        let size = method.max_size().min(22);
        // So that none outlives a test that fails.
        start(format!("count {size} --method {method} --time-limit 60"))
    };
    let counts: Vec<Child> = counting().map(count).collect();
    let listing = start("solve 1000 --method column-scan --format json --time-limit 60".to_owned());
    // Time to start, on a busy machine too.
    thread::sleep(Duration::from_millis(1000));
    let interrupt = |program: Child| {
        let id = program.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let start = Instant::now();
        let (code, out, err) = read(program.wait_with_output().unwrap());
        assert_eq!(code, 130, "{out}{err}");
        assert!(start.elapsed() < Duration::from_secs(2), "{out}{err}");
        (out, err)
    };
    let (out, err) = interrupt(listing);
    assert_eq!(out, "[]\n");
    assert!(err.starts_with("interrupted after") && err.contains("incomplete, 0 solutions so far"), "{err}");
    for (method, program) in counting().zip(counts) {
        let (out, _) = interrupt(program);
        assert!(out.starts_with("at least ") && out.contains("incomplete: interrupted"), "{method}: {out}");
    }
}

#[cfg(unix)]
#[test]
fn noise_that_is_not_text_is_refused_in_words() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let (code, out, err) = read(command("").arg(OsStr::from_bytes(b"\xff\xfe\x01")).output().unwrap());
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("argument 1 is not readable text"), "{err}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_said() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let (code, _, err) = read(command("solve 8 --all").stdout(full).output().unwrap());
    assert_eq!(code, 2);
    assert!(err.starts_with("error: the output cannot be written"), "{err}");
}
