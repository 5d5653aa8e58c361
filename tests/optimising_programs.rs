//! Whole-program tests of the examples that look for a best solution, and of two that count or find all: they
//! are run as a user runs them.

mod common;

use std::collections::BTreeSet;
use std::process::Command;
use std::time::{Duration, Instant};
use std::{fs, path::PathBuf, thread};

use common::{Run, end, run, start};

/// That bad input is refused with these words.
fn refused(name: &str, arguments: &[&str], input: impl AsRef<[u8]>, words: &str) {
    let Run { out, err, code } = run(name, arguments, input);
    assert_eq!((&*out, code), ("", Some(2)), "{name} {arguments:?}: {err}");
    assert!(err.contains(words) && err.len() < 1000, "{name} {arguments:?}: {err}");
}

fn data(file: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    fs::read_to_string(folder.join(file)).expect(file)
}

/// Vertices, counted from 1, and edges, each with the smaller vertex first.
type Graph = (usize, BTreeSet<(usize, usize)>);

fn graph(n: usize, edge: impl Fn(usize, usize) -> bool) -> Graph {
    let pairs = (1..=n).flat_map(|u| (u + 1..=n).map(move |v| (u, v)));
    (n, pairs.filter(|&(u, v)| edge(u, v)).collect())
}

/// Mycielski's construction: a twin for each vertex, with its neighbours, and one vertex joined to all twins.
fn mycielskian((n, edges): &Graph) -> Graph {
    let twins = edges.iter().flat_map(|&(u, v)| [(u, v + n), (v, u + n)]);
    let all = edges.iter().copied().chain(twins).chain((1..=*n).map(|v| (v + n, 2 * n + 1)));
    (2 * n + 1, all.collect())
}

fn queens(size: usize) -> Graph {
    graph(size * size, |u, v| {
        let square = |v: usize| ((v - 1) / size, (v - 1) % size);
        let (rows, columns) = (square(u).0.abs_diff(square(v).0), square(u).1.abs_diff(square(v).1));
        rows == 0 || columns == 0 || rows == columns
    })
}

fn random_graph(n: usize, density: f64, rng: &mut fastrand::Rng) -> Graph {
    let pairs = (1..=n).flat_map(|u| (u + 1..=n).map(move |v| (u, v)));
    (n, pairs.filter(|_| rng.f64() < density).collect())
}

fn dimacs((n, edges): &Graph) -> String {
    let lines: String = edges.iter().map(|(u, v)| format!("e {u} {v}\n")).collect();
    format!("p edge {n} {}\n{lines}", edges.len())
}

fn parse_graph(text: &str) -> Graph {
    let mut graph = (0, BTreeSet::new());
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |i: usize| words[i].parse::<usize>().expect("a number");
        match words[0] {
            "p" => graph.0 = number(2),
            "e" => drop(graph.1.insert((number(1), number(2)))),
            _ => {}
        }
    }
    graph
}

/// The number of colours in an answer, after checking that it is a colouring with so many colours.
fn colours((n, edges): &Graph, answer: &str) -> usize {
    let mut lines = answer.lines();
    let count = lines.next().and_then(|line| line.strip_prefix("s col ")).expect("s col K");
    let count: usize = count.parse().expect("a number");
    let mut colours = vec![0];
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!((words[0], words[1]), ("l", &*colours.len().to_string()));
        colours.push(words[2].parse().expect("a number"));
    }
    assert_eq!(colours.len(), n + 1);
    assert!(colours[1..].iter().all(|colour| (1..=count).contains(colour)), "{answer}");
    assert!(edges.iter().all(|&(u, v)| colours[u] != colours[v]), "{answer}");
    count
}

/// Whether a graph can be coloured with so many colours, by trying.
fn is_colourable((n, edges): &Graph, count: usize, colours: &mut Vec<usize>) -> bool {
    let v = colours.len() + 1;
    v > *n
        || (0..count).any(|colour| {
            let free = (1..v).all(|u| colours[u - 1] != colour || !edges.contains(&(u, v)));
            colours.push(colour);
            let found = free && is_colourable(&(*n, edges.clone()), count, colours);
            colours.pop();
            found
        })
}

#[test]
fn graphs_are_coloured_with_fewest_colours() {
    let edge = graph(2, |_, _| true);
    let grötzsch = mycielskian(&mycielskian(&edge));
    let files = [("petersen", 3), ("myciel3", 4), ("myciel4", 5), ("queen5_5", 5)];
    let files = files.map(|(name, count)| (parse_graph(&data(&format!("colouring/{name}.col"))), count));
    let wheel = |rim: usize| graph(rim + 1, move |u, v| v == rim + 1 || v == u + 1 || (u, v) == (1, rim));
    let made = [
        (graph(0, |_, _| true), 0),
        (graph(1, |_, _| true), 1),
        (graph(7, |_, _| false), 1),
        (graph(70, |_, _| true), 70),
        (graph(30, |u, v| u % 2 != v % 2), 2),
        (wheel(6), 3),
        (wheel(7), 4),
        (grötzsch.clone(), 4),
        (mycielskian(&grötzsch), 5),
        (queens(5), 5),
        (queens(6), 7),
    ];
    for (graph, count) in files.into_iter().chain(made) {
        let all = run("graph_colouring", &["-"], dimacs(&graph));
        assert_eq!((colours(&graph, &all.out), all.code), (count, Some(0)), "{}", all.err);
        assert!(all.err.contains(&format!("{count} colours, the fewest possible")), "{}", all.err);
        let exact = run("graph_colouring", &["-", "--colours", &count.to_string()], dimacs(&graph));
        assert_eq!((colours(&graph, &exact.out), exact.code), (count, Some(0)), "{}", exact.err);
        if let Some(fewer) = count.checked_sub(1) {
            let fewer = run("graph_colouring", &["-", "--colours", &fewer.to_string()], dimacs(&graph));
            assert_eq!((&*fewer.out, fewer.code), ("", Some(1)), "{}", fewer.err);
        }
        let many = run("graph_colouring", &["-", "--colours", "18446744073709551615"], dimacs(&graph));
        assert!(colours(&graph, &many.out) >= count);
    }
}

#[test]
fn small_graphs_need_as_many_colours_as_by_trying() {
    let mut rng = fastrand::Rng::with_seed(7);
    for i in 0..30 {
        let graph = random_graph(rng.usize(1..=8), f64::from(i % 5 + 1) / 6.0, &mut rng);
        let fewest = (0..).find(|&count| is_colourable(&graph, count, &mut Vec::new())).expect("at most n");
        let run = run("graph_colouring", &["-"], dimacs(&graph));
        assert_eq!(colours(&graph, &run.out), fewest, "{}", dimacs(&graph));
    }
}

#[test]
fn graphs_may_be_written_in_several_ways() {
    for text in [
        "c a triangle\n\np   col 3   6\r\n e  1 2\ne\t2 1\ne 2 3\ne 3 2\ne 1 3\nc x\ne 3 1\n",
        "p edge 3 3\ne 1 2\ne 2 1\ne 2 3\ne 3 2\ne 1 3\ne 3 1",
        "p edge 3 6\nn 1 5\ne 1 2\ne 2 3\ne 1 3",
        "p edges 3 4\ne 1 2\ne 2 3\ne 1 3\ne 1 3",
    ] {
        let run = run("graph_colouring", &["-"], text);
        assert_eq!((colours(&graph(3, |_, _| true), &run.out), run.code), (3, Some(0)), "{text}");
    }
}

#[test]
fn what_is_no_graph_is_refused() {
    for (text, words) in [
        ("", "-: no graph"),
        ("c nothing\n\n", "-: no graph"),
        ("p edge 3 1\ne 1 2\n\ne 2 2", "-:4: an edge from a vertex to itself"),
        ("p edge 3 1\ne 1 4", "-:2: there is no vertex 4, only 1 to 3"),
        ("p edge 3 1\ne 0 1", "-:2: there is no vertex 0"),
        ("p edge 3 1\ne 1", "-:2: a vertex of the edge is missing"),
        ("p edge 3 1\ne 1 -2", "-:2: a vertex of the edge is '-2'"),
        ("p edge 3 1\ne 1 99999999999999999999", "-:2: a vertex of the edge is '99999999999999999999'"),
        ("p edge 3 3\ne 1 2", "-: 3 edges are announced, but there are 1 in 1 lines"),
        ("p edge 3 1\ne 1 2\ne 2 3", "-: 1 edges are announced, but there are 2"),
        ("p edge 3 1\np edge 3 1", "-:2: a second line 'p'"),
        ("e 1 2", "-:1: an edge before"),
        ("p edge", "-:1: the number of vertices is missing"),
        ("p edge 3", "-:1: the number of edges is missing"),
        ("p cnf 3 1", "-:1: expected 'p edge'"),
        ("p edge 9000000000000000000 1", "-:1: more than 20000 vertices"),
        ("garbage", "-:1: expected a line"),
    ] {
        refused("graph_colouring", &["-"], text, words);
    }
    let graph = dimacs(&queens(3));
    for colours in ["-1", "many", "99999999999999999999999"] {
        refused("graph_colouring", &["-", "--colours", colours], &graph, colours);
    }
}

#[test]
fn files_that_cannot_be_read_are_refused() {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut noise: Vec<u8> = (0..1 << 16).map(|_| rng.u8(..)).collect();
    noise.push(0xff);
    for arguments in [&["graph_colouring"][..], &["knapsack"], &["latin", "complete"]] {
        let with = |file| [&arguments[1..], &[file]].concat();
        refused(arguments[0], &with("/no/such/file"), "", "error: /no/such/file: ");
        refused(arguments[0], &with(env!("CARGO_TARGET_TMPDIR")), "", "error: ");
        refused(arguments[0], &with("-"), &noise, "error: -: ");
        refused(arguments[0], &with("-"), [0; 1 << 16], "error: -:1: ");
        refused(arguments[0], &with("-"), b"9".repeat(1 << 20), "error: -:1: ");
        for limit in ["", "x", "-1", "nan", "inf", "1e300"] {
            let limit = format!("--time-limit={limit}");
            refused(arguments[0], &[&*limit, &*with("-").join("")], "", "--time-limit");
        }
    }
}

/// A random graph for which the fewest colours are out of reach.
fn hard_graph() -> (Graph, String) {
    let graph = random_graph(150, 0.5, &mut fastrand::Rng::with_seed(2));
    let text = dimacs(&graph);
    (graph, text)
}

#[test]
fn the_time_limit_ends_it_with_the_best_so_far() {
    let (graph, text) = hard_graph();
    let before = Instant::now();
    let stopped = run("graph_colouring", &["-", "--time-limit", "0.2", "--stats"], text);
    assert!(before.elapsed() < Duration::from_secs(3));
    assert!((10..40).contains(&colours(&graph, &stopped.out)), "{}", stopped.out);
    assert_eq!(stopped.code, Some(0));
    for words in ["colours, of at least ", "stopped early: the time limit was reached", " nodes, "] {
        assert!(stopped.err.contains(words), "{}", stopped.err);
    }
    for (name, arguments) in [
        ("golomb_ruler", &["16", "--time-limit", "0.2"][..]),
        ("latin", &["count", "8", "--time-limit", "0.2"]),
        ("send_more_money", &["--time-limit", "60"]),
    ] {
        let before = Instant::now();
        let stopped = run(name, arguments, "");
        assert!(before.elapsed() < Duration::from_secs(3));
        assert_eq!(stopped.code, Some(0), "{name}: {}", stopped.err);
        assert_eq!(stopped.err.contains("time limit"), name != "send_more_money", "{}", stopped.err);
    }
    // Nothing is found at once.
    for (name, arguments) in [
        ("golomb_ruler", &["20", "--time-limit", "0"][..]),
        ("send_more_money", &["--time-limit", "0"]),
        ("knapsack", &["-", "--time-limit", "0"]),
        ("latin", &["complete", "-", "--time-limit", "0"]),
        ("latin", &["count", "9", "--time-limit", "0"]),
        ("graph_colouring", &["-", "--time-limit", "0"]),
    ] {
        let text = match name {
            "knapsack" => "5\n3 3\n4 4\n",
            "latin" => ". .\n. .\n",
            _ => "p edge 3 2\ne 1 2\ne 2 3\n",
        };
        let stopped = run(name, arguments, text);
        assert_eq!(stopped.code, Some(3), "{name}: {}", stopped.err);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_with_the_best_so_far() {
    let (graph, text) = hard_graph();
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("hard.col");
    fs::write(&file, text).expect("a file can be written");
    let file = file.to_string_lossy();
    for (name, arguments) in
        [("graph_colouring", &[&*file][..]), ("golomb_ruler", &["16"]), ("latin", &["count", "8"])]
    {
        let child = start(name, arguments);
        thread::sleep(Duration::from_millis(700));
        let before = Instant::now();
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.is_ok_and(|status| status.success()));
        let stopped = end(child);
        assert!(before.elapsed() < Duration::from_secs(3));
        assert_eq!(stopped.code, Some(0), "{name}: {}", stopped.err);
        assert!(stopped.err.contains("stopped early: it was told to stop"), "{name}: {}", stopped.err);
        match name {
            "graph_colouring" => assert!((10..40).contains(&colours(&graph, &stopped.out))),
            "golomb_ruler" => assert!(stopped.out.contains("none better than"), "{}", stopped.out),
            _ => assert!(stopped.out.contains("order 8: at least "), "{}", stopped.out),
        }
    }
}

#[test]
fn shortest_golomb_rulers() {
    for (marks, length) in [(1, 0), (2, 1), (3, 3), (4, 6), (5, 11), (6, 17), (7, 25), (8, 34)] {
        let run = run("golomb_ruler", &[&marks.to_string()], "");
        assert_eq!(run.code, Some(0));
        assert!(run.out.ends_with(&format!("\n\nbest value {length}\n")), "{}", run.out);
        // The drawing is a ruler of that length.
        let drawing = run.out.lines().rev().nth(2).expect("a drawing");
        let at: Vec<usize> = drawing.char_indices().filter(|(_, c)| *c == '|').map(|(i, _)| i).collect();
        assert_eq!((at.len(), drawing.len(), at[0], at[marks - 1]), (marks, length + 1, 0, length));
        let pairs = || (0..marks).flat_map(|i| (0..i).map(move |j| (i, j)));
        let distances: BTreeSet<usize> = pairs().map(|(i, j)| at[i] - at[j]).collect();
        assert_eq!(distances.len(), pairs().count());
    }
    for strength in ["auto", "value", "domain"] {
        let run = run("golomb_ruler", &["6", "--strength", strength], "");
        assert!(run.out.ends_with("best value 17\n"), "{strength}: {}", run.out);
    }
    for marks in ["0", "41", "99", "-1", "", "x", "99999999999999999999"] {
        refused("golomb_ruler", &["--", marks], "", "MARKS");
    }
}

#[test]
fn sums_of_words() {
    let solved = run("send_more_money", &[], "");
    let drawing = "
   SEND      9567
 + MORE    + 1085
-----------------
  MONEY     10652

1 solution
";
    assert_eq!((&*solved.out, &*solved.err, solved.code), (drawing, "", Some(0)));
    assert_eq!(run("send_more_money", &["Send", "more", "mONEY"], "").out, drawing);
    for (words, count, code) in [
        (&["a", "a"][..], "10 solutions", 0),
        (&["a", "b"], "0 solutions", 1),
        (&["ä", "b", "ab"], "0 solutions", 1),
        (&["ß", "tt", "uu"], "32 solutions", 0),
        (&["TO", "GO", "OUT"], "1 solution", 0),
        (&["aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb", "cccccccccccccccc"], "32 solutions", 0),
    ] {
        let run = run("send_more_money", words, "");
        assert_eq!(run.out.lines().last(), Some(count), "{words:?}");
        assert_eq!(run.code, Some(code), "{words:?}");
    }
    for (words, why) in [
        (&["A"][..], "2 values required"),
        (&["", "A"], "\"\" is not a word"),
        (&["A", "B2", "C"], "\"B2\" is not a word"),
        (&["A B", "C"], "is not a word"),
        (&["ABCDEF", "GHIJ", "KA"], "11 different letters"),
        (&["aaaaaaaaaaaaaaaaa", "b"], "longer than 16 letters"),
    ] {
        refused("send_more_money", words, "", why);
    }
}

#[test]
fn latin_squares_are_counted() {
    for (order, reduced, all) in
        [(1, 1, 1u64), (2, 1, 2), (3, 1, 12), (4, 4, 576), (5, 56, 161_280), (6, 9408, 812_851_200)]
    {
        let expected = format!(
            "reduced Latin squares of order {order}: {reduced}\nLatin squares of order {order}: {all}\n"
        );
        let run = run("latin", &["count", &order.to_string()], "");
        assert_eq!((run.out, run.code), (expected, Some(0)));
    }
    for strength in ["value", "bounds", "domain"] {
        let run = run("latin", &["count", "5", "--strength", strength], "");
        assert!(run.out.starts_with("reduced Latin squares of order 5: 56\n"), "{strength}: {}", run.out);
    }
    for arguments in [&["count", "0"][..], &["count", "65"], &["count", "x"], &["count"], &[], &["complete"]]
    {
        refused("latin", arguments, "", "");
    }
}

/// A square as numbers, 0 for a blank.
fn square(text: &str) -> Vec<Vec<usize>> {
    let row = |line: &str| line.split_whitespace().map(|word| word.parse().unwrap_or(0)).collect();
    text.lines().map(row).collect()
}

#[test]
fn latin_squares_are_completed() {
    let mut texts = vec![
        "1\n".to_owned(),
        "# all open\n. . . . .\n0 0 0 0 0\n. . . . .\n\n. . . . .\r\n. . . . .".to_owned(),
        "  1 2 .\n. . .\n. 1 .".to_owned(),
    ];
    texts.extend(["qwh-o30-h374-13.txt", "qwh-o30-h375-13.txt"].map(|name| data(&format!("latin/{name}"))));
    for text in texts {
        let run = run("latin", &["complete", "-"], &text);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let given: String = text
            .lines()
            .filter(|l| !l.starts_with('#') && !l.is_empty())
            .fold(String::new(), |all, line| all + line + "\n");
        let (given, square) = (square(&given), square(&run.out));
        let n = given.len();
        assert_eq!(square.len(), n);
        for i in 0..n {
            let row: BTreeSet<usize> = square[i].iter().copied().collect();
            let column: BTreeSet<usize> = square.iter().map(|row| row[i]).collect();
            assert!(square[i].len() == n && row.iter().copied().eq(1..=n) && row == column, "{}", run.out);
            assert!(given[i].iter().zip(&square[i]).all(|(&given, &cell)| given == 0 || given == cell));
        }
    }
    for text in ["1 2\n1 .", "1 1\n. .", "1 2 .\n. . 3\n. . ."] {
        let run = run("latin", &["complete", "-"], text);
        assert_eq!((&*run.out, run.code), ("", Some(1)), "{text}");
    }
    for (text, words) in [
        ("", "-: there is no row"),
        ("# no more\n", "-: there is no row"),
        ("1 2 3\n\n1 2\n", "-:3: 2 cells, but the first row has 3"),
        ("1 2\n2 1\n1 2\n", "-:3: a row too many"),
        ("1 2 3\n", "-: 1 rows, but 3 columns"),
        ("1 2\n3 .", "-:2: 3 is above 2"),
        ("1 2\n-1 .", "-:2: a cell is '-1'"),
        ("1 x\n. .", "-:1: a cell is 'x'"),
        ("1 99999999999999999999\n. .", "-:1: a cell is '99999999999999999999'"),
    ] {
        refused("latin", &["complete", "-"], text, words);
    }
    refused("latin", &["complete", "-"], ". ".repeat(101), "-:1: more than 100 cells");
}

/// The best value of a packing, by trying all.
fn best_packing(capacity: i64, items: &[(i64, i64)]) -> i64 {
    let pack = |set: u32| {
        let packed = items.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
        packed.fold((0, 0), |(value, weight), (_, item)| (value + item.0, weight + item.1))
    };
    let packings = (0..1 << items.len()).map(pack).filter(|packing| packing.1 <= capacity);
    packings.map(|packing| packing.0).max().expect("the empty one")
}

/// The value of the packing that a program printed, after checking it.
fn packing(capacity: i64, items: &[(i64, i64)], run: &Run) -> i64 {
    assert_eq!(run.code, Some(0), "{}", run.err);
    let lines: Vec<Vec<&str>> = run.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["value", "weight", "name"]);
    let number = |word: &str| word.parse::<i64>().expect("a number");
    let (mut value, mut weight, mut names) = (0, 0, BTreeSet::new());
    for line in &lines[1..lines.len() - 1] {
        // An item without a name is called by its line, which the capacity comes before.
        let item = items[line[3].parse::<usize>().expect("a line") - 2];
        assert_eq!((number(line[0]), number(line[1]), line[2]), (item.0, item.1, "line"));
        assert!(names.insert(line[3]), "packed twice: {}", run.out);
        (value, weight) = (value + item.0, weight + item.1);
    }
    let last = &lines[lines.len() - 1];
    assert_eq!((number(last[0]), number(last[1])), (value, weight), "{}", run.out);
    assert!(weight <= capacity);
    value
}

#[test]
fn the_best_packing_is_the_best_of_all() {
    let mut rng = fastrand::Rng::with_seed(11);
    for round in 0..60 {
        let largest = [3, 20, 1000, 1_000_000_000_000][round % 4];
        let items: Vec<(i64, i64)> =
            (0..rng.usize(0..=12)).map(|_| (rng.i64(0..=largest), rng.i64(0..=largest))).collect();
        let capacity = rng.i64(0..=6 * largest);
        let lines: String = items.iter().map(|(value, weight)| format!("{value} {weight}\n")).collect();
        let run = run("knapsack", &["-"], format!("{capacity}\n{lines}"));
        let value = packing(capacity, &items, &run);
        assert_eq!(value, best_packing(capacity, &items), "{capacity}\n{lines}");
        assert!(run.err.ends_with(&format!("best value {value}\n")), "{}", run.err);
    }
}

#[test]
fn many_items_are_packed_as_by_dynamic_programming() {
    let mut rng = fastrand::Rng::with_seed(5);
    for round in 0..10 {
        // Some weigh nothing or are worth nothing.
        let largest = [3, 50][round % 2];
        let items: Vec<(i64, i64)> = (0..200).map(|_| (rng.i64(0..=largest), rng.i64(0..=largest))).collect();
        let capacity = rng.usize(0..100 * largest as usize);
        let mut best = vec![0; capacity + 1];
        for &(value, weight) in &items {
            for carried in (weight as usize..=capacity).rev() {
                best[carried] = best[carried].max(best[carried - weight as usize] + value);
            }
        }
        let lines: String = items.iter().map(|(value, weight)| format!("{value} {weight}\n")).collect();
        let run = run("knapsack", &["-"], format!("{capacity}\n{lines}"));
        assert_eq!(packing(capacity as i64, &items, &run), best[capacity], "{capacity}\n{lines}");
    }
}

#[test]
fn large_numbers_are_packed_or_refused() {
    let (ten_12, largest) = (1_000_000_000_000, 1i64 << 60);
    let items: Vec<(i64, i64)> = (0..15).map(|i| (ten_12 - i * i, ten_12 - 2 * i)).collect();
    let lines: String = items.iter().map(|(value, weight)| format!("{value} {weight}\n")).collect();
    let capacity = 7 * ten_12 - 50;
    let run_one = run("knapsack", &["-"], format!("{capacity}\n{lines}"));
    assert_eq!(packing(capacity, &items, &run_one), best_packing(capacity, &items));

    let items = [(largest - 1, largest - 1), (1, 1)];
    for (capacity, best) in [(0, 0), (1, 1), (largest - 1, largest - 1), (i64::MAX, largest)] {
        let text = format!("{capacity}\n{} {}\n1 1", largest - 1, largest - 1);
        assert_eq!(packing(capacity, &items, &run("knapsack", &["-"], text)), best);
    }
    for (text, words) in [
        (format!("5\n\n{largest} 1\n1 1\n"), "-:4: the values, or the weights, add up to more than 2^60"),
        (format!("5\n1 {largest}\n1 {}\n", i64::MAX), "-:3: the values, or the weights"),
        ("9223372036854775808\n1 1".into(), "-:1: the capacity is '9223372036854775808'"),
    ] {
        refused("knapsack", &["-"], text, words);
    }
}

#[test]
fn what_is_no_knapsack_is_refused_and_names_are_kept() {
    for (text, words) in [
        ("", "-: there is no line with the capacity"),
        ("# nothing\n", "-: there is no line with the capacity"),
        ("-5\n1 1", "-:1: the capacity is '-5'"),
        ("5 5\n1 1", "-:1: the first line is the capacity alone"),
        ("5\n1 1\n\n1", "-:4: the weight is missing"),
        ("5\n1 1\nbread 1", "-:3: the value is 'bread'"),
        ("5\n1 1\n2 -1", "-:3: the weight is '-1'"),
        ("5\n1 1\n2 1.5", "-:3: the weight is '1.5'"),
    ] {
        refused("knapsack", &["-"], text, words);
    }
    let named =
        run("knapsack", &["-"], "# a picnic\n10\n 6 5 bread and  butter\n5 5\n9 9 wine\n1 0 naïveté\n");
    let rows: Vec<String> =
        named.out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let expected =
        ["value weight name", "1 0 naïveté", "6 5 bread and butter", "5 5 line 4", "12 10 in all, of 10"];
    assert_eq!(rows, expected);
    // The empty packing is a packing.
    let none = run("knapsack", &["-"], "10\n");
    assert_eq!((none.code, packing(10, &[], &none)), (Some(0), 0));
}

#[test]
fn readers_may_go_away() {
    let graph = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/colouring/queen5_5.col");
    for (name, arguments) in [
        ("golomb_ruler", &["7"][..]),
        ("send_more_money", &["a", "a"]),
        ("latin", &["count", "4"]),
        ("graph_colouring", &[&*graph.to_string_lossy()]),
    ] {
        let mut child = start(name, arguments);
        drop(child.stdout.take());
        assert_eq!(end(child).code, Some(0), "{name}");
        let mut child = start(name, arguments);
        drop(child.stderr.take());
        let run = end(child);
        assert!(run.code == Some(0) && !run.out.is_empty(), "{name}");
    }
}
