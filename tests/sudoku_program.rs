//! Whole-program tests of the example `sudoku`: it is run as a user runs it.

mod common;

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::{fs, iter, path::PathBuf, thread};

const EXPERT: &str = include_str!("data/sudoku/qqwing_generated_expert_100.txt");
const DIABOLICAL: &str = include_str!("data/sudoku/qqwing_bank_diabolical_35.txt");
const COUNTED: &str = include_str!("data/sudoku/tdoku_test_puzzles");
const EASY: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const EASY_SOLVED: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn program() -> Command {
    common::example("sudoku")
}

/// Runs the program on a text as its standard input.
fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = program()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("`cargo test` builds the example, or `cargo build --example sudoku`");
    let (mut stdin, input) = (child.stdin.take().expect("a pipe"), input.as_ref().to_vec());
    // It may end without reading all, and must not be kept waiting.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("the writer does not panic");
    output
}

fn out(output: &Output) -> &str {
    str::from_utf8(&output.stdout).expect("text")
}

fn err(output: &Output) -> &str {
    str::from_utf8(&output.stderr).expect("text")
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

/// The rules of the game: each row, column and box has each value, and the givens are kept.
fn is_solution(puzzle: &str, solution: &str) -> bool {
    let value = |symbol: char| symbol.to_digit(36).unwrap_or(0) as usize;
    let cells: Vec<usize> = solution.chars().map(value).collect();
    let givens: Vec<usize> = puzzle.chars().map(value).collect();
    let n = cells.len().isqrt();
    let k = n.isqrt();
    let complete = |cell: &dyn Fn(usize) -> usize| {
        let mut seen: Vec<usize> = (0..n).map(|j| cells[cell(j)]).collect();
        seen.sort_unstable();
        seen.into_iter().eq(1..=n)
    };
    k.pow(4) == cells.len()
        && givens.len() == cells.len()
        && givens.iter().zip(&cells).all(|(given, cell)| given == cell || *given == 0)
        && (0..n).all(|i| {
            let corner = i / k * k * n + i % k * k;
            complete(&|j| i * n + j) && complete(&|j| j * n + i) && complete(&|j| corner + j / k * n + j % k)
        })
}

/// A puzzle made of a shuffled pattern by blanking some of its cells.
fn make_puzzle(k: usize, blanks: f64, seed: u64) -> String {
    let mut rng = fastrand::Rng::with_seed(seed);
    let n = k * k;
    let mut shuffled = |count: usize| -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..count).collect();
        rng.shuffle(&mut numbers);
        numbers
    };
    // Bands can change places, and so can the lines in a band, and the values.
    let mut lines = || -> Vec<usize> {
        let bands = shuffled(k).into_iter();
        bands.flat_map(|band| shuffled(k).into_iter().map(move |line| band * k + line)).collect()
    };
    let (rows, columns) = (lines(), lines());
    let values = shuffled(n);
    let mut puzzle = String::new();
    for row in rows {
        for &column in &columns {
            let value = values[(row * k + row / k + column) % n] + 1;
            let symbol = char::from_digit(value as u32, 36).expect("up to 25").to_ascii_uppercase();
            puzzle.push(if rng.f64() < blanks { '.' } else { symbol });
        }
    }
    puzzle
}

/// A puzzle as a grid, each row a line.
fn rows(puzzle: &str) -> String {
    let n = puzzle.len().isqrt();
    (0..n).map(|i| format!("{}\n", &puzzle[i * n..][..n])).collect()
}

#[test]
fn every_puzzle_is_solved_and_its_solution_is_the_only_one() {
    for (text, count) in [(EXPERT, 100), (DIABOLICAL, 35)] {
        let output = run(&["--unique"], text);
        assert_eq!(code(&output), Some(0));
        assert_eq!(out(&output).lines().count(), count);
        for (puzzle, solution) in text.lines().zip(out(&output).lines()) {
            assert!(is_solution(&puzzle[..81], solution), "{puzzle} -> {solution}");
        }
        assert!(err(&output).contains(&format!("{count} puzzles in")), "{}", err(&output));
        assert!(err(&output).contains("a second"), "{}", err(&output));
    }
}

#[test]
fn solutions_are_counted() {
    let counts = run(&["--count"], COUNTED);
    let first = run(&[], COUNTED);
    let unique = run(&["--unique"], COUNTED);
    assert_eq!([code(&counts), code(&first), code(&unique)], [Some(1); 3]);
    let mut lines = iter::zip(out(&counts).lines(), iter::zip(out(&first).lines(), out(&unique).lines()));
    for line in COUNTED.lines() {
        let mut fields = line.split(':');
        let (puzzle, number) = (fields.next().expect("a puzzle"), fields.next().expect("a number"));
        let (count, (first, unique)) = lines.next().expect("an answer for each");
        assert_eq!(count, number, "{line}");
        match (number, fields.next()) {
            ("0", _) => assert_eq!([first, unique], ["no solution exists"; 2]),
            ("1", Some(solution)) => assert_eq!([first, unique], [solution; 2]),
            _ => {
                assert!(is_solution(puzzle, first), "{line}");
                assert_eq!(unique, "more than one solution");
            }
        }
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn counting_stops_at_the_limit() {
    let empty = ".".repeat(81);
    assert_eq!(out(&run(&["--count", "--limit", "7"], &empty)), "at least 7\n");
    let small = ".".repeat(16);
    assert_eq!(out(&run(&["--count"], &small)), "288\n");
    assert_eq!(out(&run(&["--count", "--limit", "288"], &small)), "at least 288\n");
    assert_eq!(out(&run(&["--count", "--limit", "289"], &small)), "288\n");
    assert_eq!(code(&run(&["--count", "--limit", "0"], &small)), Some(2));
}

#[test]
fn all_sizes_are_read_as_lines_and_as_grids() {
    for (k, blanks) in [(2, 0.6), (3, 0.6), (4, 0.4), (5, 0.3)] {
        let puzzles: Vec<String> = (0..3).map(|seed| make_puzzle(k, blanks, seed)).collect();
        let output = run(&[], puzzles.join("\n"));
        assert_eq!(code(&output), Some(0), "{}", err(&output));
        assert_eq!(out(&output).lines().count(), 3);
        for (puzzle, solution) in iter::zip(&puzzles, out(&output).lines()) {
            assert!(is_solution(puzzle, solution), "{puzzle} -> {solution}");
        }
        let mut grids: Vec<String> = puzzles.iter().map(|puzzle| rows(puzzle)).collect();
        if k == 4 {
            // Sixteen cells side by side are a puzzle of their own.
            grids.iter_mut().for_each(|grid| grid.insert(4, '|'));
        }
        assert_eq!(out(&run(&[], grids.join("\n"))), out(&output));
        let lower_case = puzzles.join(" this is ignored\n").to_lowercase().replace('.', "0");
        assert_eq!(out(&run(&[], lower_case)), out(&output));
    }
}

#[test]
fn a_single_puzzle_is_drawn_and_the_drawing_can_be_read() {
    let output = run(&[], EASY);
    let drawing = "\
+-------+-------+-------+
| 5 3 4 | 6 7 8 | 9 1 2 |
| 6 7 2 | 1 9 5 | 3 4 8 |
| 1 9 8 | 3 4 2 | 5 6 7 |
+-------+-------+-------+
| 8 5 9 | 7 6 1 | 4 2 3 |
| 4 2 6 | 8 5 3 | 7 9 1 |
| 7 1 3 | 9 2 4 | 8 5 6 |
+-------+-------+-------+
| 9 6 1 | 5 3 7 | 2 8 4 |
| 2 8 7 | 4 1 9 | 6 3 5 |
| 3 4 5 | 2 8 6 | 1 7 9 |
+-------+-------+-------+
";
    assert_eq!(out(&output), drawing);
    assert_eq!((code(&output), err(&output)), (Some(0), ""));
    assert_eq!(out(&run(&["--format", "line"], drawing)), format!("{EASY_SOLVED}\n"));
    assert_eq!(out(&run(&["--format", "grid"], format!("{EASY}\n\n{drawing}"))), drawing.repeat(2));
    assert_eq!(out(&run(&["--count"], EASY)), "1\n");
    for k in [2, 4, 5] {
        let puzzle = make_puzzle(k, 0.2, 7);
        let solution = run(&["--format", "line"], &puzzle);
        let drawing = run(&[], &puzzle);
        assert_eq!(out(&run(&["--format", "line"], out(&drawing))), out(&solution));
    }
}

#[test]
fn a_bad_line_is_reported_with_its_number_and_the_others_are_solved() {
    let text = format!(
        "# a comment\n{EASY}\n{}\n{EASY}:1:anything\n\n{}\r\nx{}\n{EASY} 7.2\n{}",
        &EASY[1..],
        "9".repeat(16),
        &EASY[1..],
        rows(&EASY.replace('.', "_")),
    );
    let output = run(&["--unique"], text);
    assert_eq!(out(&output), format!("{EASY_SOLVED}\n").repeat(3));
    assert_eq!(code(&output), Some(2));
    let errors: Vec<&str> = err(&output).lines().collect();
    assert!(errors[0].starts_with("error: -:3: 80 cells "), "{errors:?}");
    assert!(errors[1].starts_with("error: -:6: a value is above 4"), "{errors:?}");
    assert!(errors[2].starts_with("error: -:7: 'x' "), "{errors:?}");
    assert!(errors[3].starts_with("error: -:9: '_' "), "{errors:?}");
    assert!(errors.last().is_some_and(|last| last.contains("3 puzzles")), "{errors:?}");

    // An empty line ends a grid.
    let truncated = &rows(EASY)[..40];
    let output = run(&[], format!("{truncated}\n\n{EASY}\n{EASY}\n"));
    assert!(err(&output).starts_with("error: -:5: a grid of 9 rows ends after 4"), "{}", err(&output));
    assert_eq!((out(&output), code(&output)), (&*format!("{EASY_SOLVED}\n").repeat(2), Some(2)));
}

#[test]
fn what_is_no_puzzle_is_an_error() {
    let mut rng = fastrand::Rng::with_seed(1);
    let noise: Vec<u8> = iter::repeat_with(|| rng.u8(..)).take(1 << 18).collect();
    let inputs: [(&str, Vec<u8>); 7] = [
        ("nothing", Vec::new()),
        ("empty lines", b"\n\n\n".to_vec()),
        ("noise", noise),
        ("zeros", vec![0; 1 << 20]),
        ("a truncated puzzle", EASY[..57].into()),
        ("a truncated grid", rows(EASY)[..50].into()),
        ("a line without end", vec![b'.'; 16 << 20]),
    ];
    for (what, input) in inputs {
        let output = run(&[], input);
        assert_eq!((out(&output), code(&output)), ("", Some(2)), "{what}");
        assert!(err(&output).starts_with("error: ") && !err(&output).contains("panicked"), "{what}");
        assert!(err(&output).lines().count() < 30, "{what}");
    }
}

#[test]
fn files_are_read_and_missing_ones_reported() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("sudoku_program.txt");
    fs::write(&file, format!("{EASY}\n")).expect("a file can be written");
    let (file, missing) = (file.to_string_lossy(), folder.join("no such file"));
    let missing = missing.to_string_lossy();
    let output = run(&[&file, &missing, &folder.to_string_lossy(), &file, "-"], EASY);
    assert_eq!((out(&output), code(&output)), (&*format!("{EASY_SOLVED}\n").repeat(3), Some(2)));
    assert!(err(&output).contains("no such file:"), "{}", err(&output));
    assert_eq!(code(&run(&["--no-such-option"], EASY)), Some(2));
}

#[test]
fn json_is_one_object_for_each_puzzle() {
    let text = format!("{EASY}\nbad\n{}\n11{}\n", ".".repeat(16), ".".repeat(14));
    let output = run(&["--format", "json", "--unique"], text);
    let objects: Vec<serde_json::Value> =
        out(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(objects.len(), 3);
    let expected = [("-:1", 1, true), ("-:3", 2, false), ("-:4", 0, true)];
    for (object, (place, solutions, complete)) in iter::zip(&objects, expected) {
        assert_eq!(object["puzzle"], place);
        assert_eq!(object["solutions"], solutions);
        assert_eq!(object["complete"], complete);
    }
    assert_eq!(objects[0]["first"], EASY_SOLVED);
    assert_eq!(objects[2]["first"], "");
    assert_eq!(code(&output), Some(2));
}

#[test]
fn exit_codes_tell_what_happened() {
    let contradiction = format!("55{}", ".".repeat(79));
    for (arguments, input, expected) in [
        (&[][..], EASY, 0),
        (&["--unique"], EASY, 0),
        (&["--stats"], EASY, 0),
        (&[], &contradiction, 1),
        (&["--count"], &contradiction, 1),
        (&["--unique"], "....\n....\n....\n....\n", 1),
        (&[], "....\n....\n....\n....\n", 0),
        (&["--unique", "--count"], EASY, 2),
    ] {
        let output = run(arguments, input);
        assert_eq!(code(&output), Some(expected), "{arguments:?} {input}");
    }
    let help = run(&["--help"], "");
    assert!(out(&help).contains("Exit codes"));
}

#[test]
fn the_time_limit_ends_a_count_with_what_was_found() {
    let output = run(&["--count", "--limit", "1000000000000", "--time-limit", "1"], ".".repeat(81));
    assert_eq!(code(&output), Some(3));
    let found = out(&output).trim().strip_prefix("at least ").and_then(|number| number.parse().ok());
    assert!(found.is_some_and(|found: u64| found > 100), "{}", out(&output));
}

/// Ctrl-C, while it counts and while it waits for input.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_with_what_was_found() {
    use std::time::{Duration, Instant};

    for (input, answer) in [(".".repeat(81), "at least "), (String::new(), "")] {
        let mut child = program()
            .args(["--count", "--limit", "1000000000000"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("`cargo test` builds the example, or `cargo build --example sudoku`");
        let mut stdin = child.stdin.take().expect("a pipe");
        if !input.is_empty() {
            // The program looks for a second puzzle before it begins, so the end must come.
            writeln!(stdin, "{input}\n{input}").expect("it reads");
        }
        thread::sleep(Duration::from_millis(500));
        let start = Instant::now();
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.is_ok_and(|status| status.success()));
        let output = child.wait_with_output().expect("it ends");
        assert!(start.elapsed() < Duration::from_secs(5));
        assert_eq!(code(&output), Some(130));
        assert!(out(&output).starts_with(answer) && out(&output).lines().count() <= 1, "{}", out(&output));
        drop(stdin);
    }
}
