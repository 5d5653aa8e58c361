//! Whole-program tests of the examples that are puzzles: they are run as a user runs them.

mod common;

use std::collections::BTreeSet;
use std::process::Output;
use std::{fs, path::PathBuf};

fn run(example: &str, arguments: &[&str]) -> Output {
    let output = common::example(example).args(arguments).output();
    output.expect("`cargo test` builds the examples, or `cargo build --examples`")
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

/// What it prints, when it succeeds and has nothing else to say.
fn printed(example: &str, arguments: &[&str]) -> String {
    let output = run(example, arguments);
    assert_eq!((code(&output), err(&output)), (Some(0), ""), "{example} {arguments:?}");
    out(&output).into()
}

fn is_refused(example: &str, arguments: &[&str]) {
    let output = run(example, arguments);
    assert_eq!((out(&output), code(&output)), ("", Some(2)), "{example} {arguments:?}");
    assert!(err(&output).starts_with("error: ") && !err(&output).contains("panicked"), "{}", err(&output));
}

/// The solutions of `--all`, and the number printed after them.
fn all(example: &str, arguments: &[&str]) -> Vec<String> {
    let text = printed(example, &[arguments, &["--all"]].concat());
    let mut parts: Vec<String> = text.trim_end().split("\n\n").map(String::from).collect();
    let number = parts.pop().expect("a last line");
    let s = if parts.len() == 1 { "" } else { "s" };
    assert_eq!(number, format!("{} solution{s}", parts.len()), "{text}");
    assert_eq!(BTreeSet::from_iter(&parts).len(), parts.len(), "no solution is printed twice");
    parts
}

fn numbers(text: &str) -> Vec<i64> {
    text.split_whitespace().map(|word| word.parse().expect("a number")).collect()
}

fn sorted(mut numbers: Vec<i64>) -> Vec<i64> {
    numbers.sort_unstable();
    numbers
}

#[test]
fn wrong_sizes_are_refused() {
    for example in ["all_interval", "costas", "magic_square"] {
        for size in ["0", "-3", "300", "99999999999999999999", "x", "", "4.5"] {
            is_refused(example, &[size]);
        }
        is_refused(example, &["4", "5"]);
        is_refused(example, &["--no-such-option"]);
        is_refused(example, &["4", "--time-limit", "-1"]);
        assert!(out(&run(example, &["--help"])).contains("--time-limit"));
    }
    for example in ["all_interval", "costas"] {
        is_refused(example, &["4", "--strength", "strong"]);
    }
    is_refused("zebra", &["5"]);
}

#[test]
fn a_time_limit_ends_the_search_with_what_was_found() {
    for (arguments, expected) in [(&["all_interval", "40"][..], None), (&["costas", "60"], Some(3))] {
        let output = run(arguments[0], &[&arguments[1..], &["--count", "--time-limit", "0.3"]].concat());
        assert!(out(&output).starts_with("at least "), "{}", out(&output));
        assert!(err(&output).contains("time limit"), "{}", err(&output));
        let nothing = out(&output) == "at least 0 solutions\n";
        assert_eq!(code(&output), Some(if nothing { 3 } else { 0 }), "{arguments:?}");
        assert!(expected.is_none() || nothing, "nobody knows so large an array");
    }
}

#[test]
fn statistics_go_to_the_standard_error() {
    for (example, arguments) in
        [("all_interval", &["7"][..]), ("costas", &["6"]), ("magic_square", &["3"]), ("zebra", &[])]
    {
        let output = run(example, &[arguments, &["--stats"]].concat());
        assert_eq!(out(&output), printed(example, arguments));
        assert!(err(&output).contains(" nodes, "), "{}", err(&output));
    }
}

#[test]
fn all_interval_series_are_printed_with_their_intervals() {
    for (n, count) in [(1, 1), (2, 2), (3, 4), (4, 4), (7, 32)] {
        let series = all("all_interval", &[&n.to_string()]);
        assert_eq!(series.len(), count);
        for text in series {
            let (notes, intervals) = text.split_once('\n').unwrap_or((&text, ""));
            let (notes, intervals) = (numbers(notes), numbers(intervals));
            let differences: Vec<i64> = notes.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
            assert_eq!(intervals, differences, "{text}");
            assert_eq!(sorted(notes), (0..n).collect::<Vec<_>>(), "{text}");
            assert_eq!(sorted(intervals), (1..n).collect::<Vec<_>>(), "{text}");
        }
    }
    // Without options, the first of them.
    let first = printed("all_interval", &["7"]);
    assert_eq!(first.trim_end(), all("all_interval", &["7"])[0]);
}

#[test]
fn all_interval_series_are_counted_the_same_by_each_strength() {
    for strength in ["auto", "value", "bounds", "domain"] {
        let count = printed("all_interval", &["9", "--count", "--strength", strength]);
        assert_eq!(count, "120 solutions\n", "{strength}");
    }
    assert_eq!(printed("all_interval", &["11", "--count"]), "648 solutions\n");
}

#[test]
fn costas_arrays_are_drawn() {
    for (n, count) in [(1, 1), (2, 2), (3, 4), (5, 40)] {
        let arrays = all("costas", &[&n.to_string()]);
        assert_eq!(arrays.len(), count);
        for text in arrays {
            let rows: Vec<Vec<&str>> = text.lines().map(|row| row.split_whitespace().collect()).collect();
            assert!(rows.len() == n && rows.iter().all(|row| row.len() == n), "{text}");
            let squares = (0..n * n).map(|i| (i / n, i % n));
            let dots: Vec<(usize, usize)> = squares.filter(|&(i, j)| rows[i][j] == "*").collect();
            for line in 0..n {
                assert_eq!(dots.iter().filter(|dot| dot.0 == line).count(), 1, "{text}");
                assert_eq!(dots.iter().filter(|dot| dot.1 == line).count(), 1, "{text}");
            }
            let mut seen = BTreeSet::new();
            for a in &dots {
                for b in dots.iter().filter(|&b| b != a) {
                    let displacement = (b.0 as i64 - a.0 as i64, b.1 as i64 - a.1 as i64);
                    assert!(seen.insert(displacement), "{displacement:?} twice\n{text}");
                }
            }
        }
    }
}

#[test]
fn costas_arrays_are_counted_the_same_by_each_strength() {
    for strength in ["auto", "value", "bounds", "domain"] {
        let count = printed("costas", &["7", "--count", "--strength", strength]);
        assert_eq!(count, "200 solutions\n", "{strength}");
    }
    assert_eq!(printed("costas", &["9", "--count"]), "760 solutions\n");
}

/// Checks a printed square and returns its rows.
fn magic_square(text: &str) -> Vec<Vec<i64>> {
    let (grid, sum) = text.trim_end().rsplit_once('\n').expect("a line for the sum");
    let rows: Vec<Vec<i64>> = grid.lines().map(numbers).collect();
    let n = rows.len();
    let magic = (n * (n * n + 1) / 2) as i64;
    assert_eq!(sum, format!("Each line sums to {magic}."));
    assert!(grid.lines().all(|line| line.len() == grid.lines().next().unwrap_or("").len()), "{text}");
    assert_eq!(sorted(rows.concat()), (1..=(n * n) as i64).collect::<Vec<_>>(), "{text}");
    for i in 0..n {
        assert_eq!(rows[i].iter().sum::<i64>(), magic, "{text}");
        assert_eq!(rows.iter().map(|row| row[i]).sum::<i64>(), magic, "{text}");
    }
    assert_eq!((0..n).map(|i| rows[i][i]).sum::<i64>(), magic, "{text}");
    assert_eq!((0..n).map(|i| rows[i][n - 1 - i]).sum::<i64>(), magic, "{text}");
    rows
}

#[test]
fn magic_squares_are_printed() {
    for n in ["1", "3", "4", "5", "6", "7"] {
        let square = magic_square(&printed("magic_square", &[n]));
        assert_eq!(square.len().to_string(), n);
    }
    let squares: BTreeSet<Vec<Vec<i64>>> = ["1", "2", "3"]
        .iter()
        .map(|seed| magic_square(&printed("magic_square", &["4", "--seed", seed])))
        .collect();
    assert!(squares.len() > 1, "seeds find different squares");
}

#[test]
fn magic_squares_are_counted_up_to_symmetry() {
    assert_eq!(printed("magic_square", &["3", "--count"]), "1 solution\n");
    let squares: BTreeSet<Vec<Vec<i64>>> =
        all("magic_square", &["4"]).iter().map(|text| magic_square(text)).collect();
    assert_eq!(squares.len(), 880);
    for square in &squares {
        // Of the eight symmetric squares, each but the identity is missing.
        let mut image = square.clone();
        for turn in 0..4 {
            image = (0..4).map(|i| (0..4).map(|j| image[3 - j][i]).collect()).collect();
            assert_eq!(squares.contains(&image), turn == 3, "{square:?}");
            let mirrored: Vec<Vec<i64>> = image.iter().rev().cloned().collect();
            assert!(!squares.contains(&mirrored), "{square:?}");
        }
    }
    let none = run("magic_square", &["2"]);
    assert_eq!((out(&none), code(&none)), ("", Some(1)));
    assert!(err(&none).contains("no solution"));
}

#[test]
fn the_norwegian_drinks_water_and_the_japanese_owns_the_zebra() {
    let expected = "\
1  yellow         Norwegian      fox            water          Kools
2  blue           Ukrainian      horse          tea            Chesterfields
3  red            Englishman     snails         milk           Old Gold
4  ivory          Spaniard       dog            orange juice   Lucky Strike
5  green          Japanese       zebra          coffee         Parliaments

The Norwegian drinks water.
The Japanese owns the zebra.
";
    assert_eq!(printed("zebra", &[]), expected);
}

/// A nonogram among the test data.
fn data(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/nonogram");
    folder.join(name).to_string_lossy().into_owned()
}

/// Writes a nonogram to a file and returns its path.
fn write(name: &str, text: impl AsRef<[u8]>) -> String {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("nonogram_{name}.txt"));
    fs::write(&file, text).expect("a file can be written");
    file.to_string_lossy().into_owned()
}

/// The clues that a picture satisfies, in the form of a file.
fn clues(picture: &str) -> String {
    let rows: Vec<Vec<bool>> = picture
        .lines()
        .map(|line| line.chars().step_by(2).map(|cell| cell != ' ').collect::<Vec<bool>>())
        .collect();
    let clue = |cells: &[bool]| {
        let blocks = cells.split(|filled| !filled).map(<[bool]>::len).filter(|&length| length > 0);
        let words: Vec<String> = blocks.map(|length| length.to_string()).collect();
        if words.is_empty() { "0\n".into() } else { words.join(" ") + "\n" }
    };
    let columns = 0..rows[0].len();
    let columns = columns.map(|j| clue(&rows.iter().map(|row| row[j]).collect::<Vec<bool>>()));
    rows.iter().map(|row| clue(row)).chain(["\n".into()]).chain(columns).collect()
}

#[test]
fn nonograms_are_drawn() {
    for name in ["dragonfly.txt", "soccer_player.txt"] {
        let text = fs::read_to_string(data(name)).expect("test data");
        let pictures = all("nonogram", &[&data(name)]);
        assert_eq!(pictures.len(), 1);
        assert_eq!(clues(&pictures[0]), text);
        assert_eq!(printed("nonogram", &[&data(name)]).trim_end_matches('\n'), pictures[0]);
        assert_eq!(printed("nonogram", &[&data(name), "--count"]), "1 solution\n");
    }
    let letter = write("letter", "# L\n\n1\n 1,0 \n% zeros count for nothing\n0 0 3\n\n\n3\n1\n1");
    assert_eq!(printed("nonogram", &[&letter]), "██    \n██    \n██████\n\n");
    let empty = write("blank", "0\n0\n\n0\n");
    assert_eq!(printed("nonogram", &[&empty, "--count"]), "1 solution\n");
    let one = write("one", "1\n\n1\n");
    assert_eq!(printed("nonogram", &[&one]), "██\n\n");
}

#[test]
fn a_picture_that_is_not_unique_is_said_to_be_so() {
    let micro = fs::read_to_string(data("micro.txt")).expect("test data");
    let output = run("nonogram", &[&data("micro.txt"), "--all"]);
    assert_eq!((code(&output), err(&output)), (Some(0), "the picture is not unique\n"));
    let mut pictures: Vec<&str> = out(&output).trim_end().split("\n\n").collect();
    assert_eq!(pictures.pop(), Some("3 solutions"));
    assert_eq!(BTreeSet::from_iter(&pictures).len(), 3);
    assert!(pictures.iter().all(|picture| clues(picture) == micro), "{pictures:?}");
    // Placements of a permutation matrix.
    let permutation = write("permutation", ["1\n".repeat(5), "1\n".repeat(5)].join("\n"));
    assert_eq!(out(&run("nonogram", &[&permutation, "--count"])), "120 solutions\n");
}

/// All pictures of 3 × 4 cells, sorted by their clues: each nonogram has those pictures and no others.
#[test]
fn small_nonograms_have_as_many_pictures_as_there_are() {
    let mut by_clues = std::collections::BTreeMap::<String, usize>::new();
    for bits in 0..1u32 << 12 {
        let row = |i: u32| (0..4).map(|j| if bits >> (4 * i + j) & 1 == 1 { "██" } else { "  " }).collect();
        let picture = (0..3).map(row).collect::<Vec<String>>().join("\n");
        *by_clues.entry(clues(&picture)).or_default() += 1;
    }
    // Every one with several pictures, and some of the others.
    for (i, (text, &count)) in
        by_clues.iter().enumerate().filter(|(i, (_, count))| **count > 2 || i % 97 == 0)
    {
        let file = write("small", text);
        let output = run("nonogram", &[&file, "--count"]);
        let s = if count == 1 { "" } else { "s" };
        assert_eq!(out(&output), format!("{count} solution{s}\n"), "{i}: {text}");
    }
}

#[test]
fn a_nonogram_without_a_picture_has_exit_code_1() {
    for (name, text) in [("sums", "2\n1\n\n1\n1\n"), ("crossed", "1 1\n0\n1 1\n\n1\n2\n1\n")] {
        let output = run("nonogram", &[&write(name, text)]);
        assert_eq!((out(&output), code(&output)), ("", Some(1)), "{name}");
        assert!(err(&output).contains("no solution"), "{}", err(&output));
    }
}

#[test]
fn what_is_no_nonogram_is_refused() {
    let noise: Vec<u8> = (0..1u32 << 16).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for (name, text) in [
        ("nothing", &b""[..]),
        ("comments", b"# only\n% comments\n\n"),
        ("noise", &noise),
        ("words", b"one\n\ntwo\n"),
        ("negative", b"-1\n\n1\n"),
        ("rows", b"1\n1\n1\n"),
        ("three", b"1\n\n1\n\n1\n"),
        ("long", b"3\n1\n\n1\n1\n"),
        ("many", b"1 1\n1\n\n1\n1\n"),
        ("huge", b"18446744073709551615 18446744073709551615 2\n\n1\n"),
        ("larger", b"99999999999999999999999\n\n1\n"),
        ("tall", &[b"0\n".repeat(100_000), b"\n0\n".to_vec()].concat()),
        ("endless", &vec![b'1'; 4 << 20]),
    ] {
        is_refused("nonogram", &[&write(name, text)]);
    }
    let output = run("nonogram", &[&write("line", "1\n1\n\n2\nx\n")]);
    assert!(err(&output).contains("line 5"), "{}", err(&output));
    let output = run("nonogram", &[&write("place", "1\n1\n\n2\n2 1\n")]);
    assert!(err(&output).contains("column 2"), "{}", err(&output));
    is_refused("nonogram", &["no such file"]);
    is_refused("nonogram", &[env!("CARGO_TARGET_TMPDIR")]);
    is_refused("nonogram", &[]);
}

#[test]
fn queens_are_the_same_for_several_threads() {
    // What follows are the propagations, which differ.
    let numbers = |arguments: &[&str]| {
        let text = printed("queens", arguments);
        text.split(" propagations").next().map(str::to_owned)
    };
    let expected = numbers(&["9"]);
    assert_eq!(expected.as_deref(), Some("solutions=352 nodes=2955 failures=1126"));
    for threads in ["0", "2", "7"] {
        assert_eq!(numbers(&["9", "--threads", threads]), expected, "{threads} threads");
    }
    assert_eq!(code(&run("queens", &["9", "--threads"])), Some(1));
}
