//! The program `nqueens` telling of searches, and drawing pictures.

#[path = "common/nqueens.rs"]
mod program;

use std::{env, fs, io::BufReader, process};

use csp_nqueens::{Format, Queens, is_fundamental};

use program::*;

#[test]
fn the_story_of_four_queens() {
    let text = stdout("trace 4");
    let line = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap().to_owned();
    assert_eq!(line(" 1"), " 1  start: 4 rows of 4 squares");
    assert_eq!(line(" 2"), " 2  row 0: a queen on column 0");
    assert_eq!(line("10"), "10  row 0: the queen moves from column 0 to column 1");
    assert_eq!(line("14"), "14  solution 1: [1, 3, 0, 2]");
    assert_eq!(line("15"), "15  the story ends here, with the first solution");
    assert!(text.ends_with("\n15 steps: 8 choices, 4 dead ends, 1 solution\n"), "{text}");
    let why = "row 2, column 1 is out: the queen on row 1, column 2 attacks it along the anti-diagonal";
    assert!(text.contains(&format!(
        "\n 4  row 2 has no square left, so the queen on row 1 must move\n      row 2, column 0 is out: the queen \
         on row 0, column 0 attacks it along the column\n      {why}\n"
    )), "{text}");
    let all = stdout("trace 4 --all");
    assert!(all.ends_with("steps: 16 choices, 8 dead ends, 2 solutions\n"), "{all}");
}

#[test]
fn the_engine_tells_its_own_story() {
    let text = stdout("trace 6 --all --method engine");
    assert!(text.contains("  row 0: choose column 3 for its queen\n"), "{text}");
    assert!(text.contains("the search is over, with 4 solutions\n"), "{text}");
    let both = stdout("trace 6 --all --method both");
    let counts = text.lines().last().unwrap();
    assert!(both.contains(&format!("\npropagation: {counts}\n")), "{both}");
    let plain = stdout("trace 6 --all");
    assert!(both.contains(&format!("\nplain backtracking: {}\n", plain.lines().last().unwrap())), "{both}");
}

#[test]
fn a_story_knows_the_puzzle() {
    let text = stdout("trace 5 --place 3,1 --block 0,0 --all");
    assert!(text.contains("row 3, column 1 has a queen from the start\n"), "{text}");
    assert!(text.contains("row 0, column 0 is out: it is blocked\n"), "{text}");
    let count = stdout("count 5 --place 3,1 --block 0,0");
    assert!(text.contains(&format!("the search is over, with {} solution", count.trim())), "{text}");
    assert!(stdout("trace 2 --all").contains("the search is over: there is no solution"));
    assert!(stdout("trace 8 --all --limit 20").contains("\n20  the story ends here, after 19 steps"));
}

#[test]
fn json_is_a_line_for_each_step() {
    for method in ["plain", "engine", "both"] {
        let text = stdout(&format!("trace 4 --all --format json --method {method}"));
        let steps: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let solutions = steps.iter().filter(|step| step["kind"] == "solution").count();
        assert_eq!(solutions, if method == "both" { 4 } else { 2 }, "{text}");
        let first = |method: &str| steps.iter().find(|step| step["method"] == method);
        for step in [first("plain backtracking"), first("propagation")].into_iter().flatten() {
            assert_eq!((&step["step"], &step["kind"]), (&1.into(), &"start".into()));
        }
        // The queens of the last solution, from the changes alone.
        let mut board = vec![vec![0; 4]; 4];
        let method = steps[steps.len() - 1]["method"].clone();
        for step in steps.iter().filter(|step| step["method"] == method) {
            for change in step["changes"].as_array().unwrap() {
                let at = |index: usize| change[index].as_u64().unwrap() as usize;
                assert_eq!(std::mem::replace(&mut board[at(0)][at(1)], at(3)), at(2), "{step}");
            }
            if step["kind"] == "solution" {
                // Chosen or, by the engine, forced.
                let queen = |row: &Vec<usize>| row.iter().position(|&state| state == 1 || state == 3);
                let queens: Vec<usize> = board.iter().map(|row| queen(row).unwrap()).collect();
                assert!(step["words"].as_str().unwrap().ends_with(&format!("{queens:?}")), "{step}");
            }
        }
    }
}

#[test]
fn a_page_is_one_small_file() {
    let file = env::temp_dir().join(format!("nqueens-story-{}.html", process::id()));
    for arguments in ["trace 8", "trace 8 --method engine", "trace 8 --method both"] {
        assert_eq!(stdout(&format!("{arguments} --html {}", file.display())), "");
        let page = fs::read_to_string(&file).unwrap();
        assert!(page.contains("attacks it along the anti-diagonal") && page.len() < 1_000_000, "{arguments}");
    }
    fs::remove_file(&file).unwrap();
    refusal("trace 4 --html /no/such/folder/page.html", &["/no/such/folder/page.html"]);
}

#[test]
fn what_cannot_be_told_is_refused_in_words() {
    refusal("trace 33", &["size 33 is too large", "up to size 32"]);
    refusal("trace 4 --limit 1", &["2 or more"]);
    refusal("trace 4 --method join", &["plain, engine, both"]);
    refusal("trace 4 --seed 1", &["--seed 1", "nothing at random"]);
    refusal("trace 4 --place 4,0", &["off the board"]);
}

/// What a picture's captions or its title say.
fn captions(svg: &str) -> Vec<Vec<usize>> {
    let texts = svg.split("</text>").filter_map(|text| text.rsplit_once(". [")).map(|text| text.1);
    texts.map(|text| Format::Columns.parse(&format!("[{text}")).unwrap()).collect()
}

#[test]
fn pictures_of_one_board_and_of_many() {
    let one = stdout("8 --format svg");
    assert!(one.starts_with("<svg ") && one.ends_with("</svg>\n"), "{one}");
    assert_eq!(one.matches("href=\"#queen\"").count(), 8);
    assert!(!one.contains("class=\"diagonals\" d"));
    assert!(stdout("8 --format svg --attacks").contains("class=\"diagonals\" d"));
    for (arguments, count) in
        [("6 --all", 4), ("6 --all --unique", 1), ("8 --all --unique", 12), ("8 --limit 3", 3)]
    {
        let strip = stdout(&format!("solve {arguments} --format svg"));
        let boards = captions(&strip);
        assert_eq!(boards.len(), count, "{arguments}");
        assert!(boards.iter().all(|board| Queens::new(board.len()).is_solution(board)), "{arguments}");
        assert_eq!(arguments.contains("unique"), boards.iter().all(|board| is_fundamental(board)));
    }
    let (code, out, _) = run("3 --format svg");
    assert_eq!((code, out.as_str()), (1, ""));
}

#[test]
fn what_is_too_large_to_draw_is_refused_in_words() {
    refusal("448 --format svg", &["size 448 is too large", "200000 squares"]);
    refusal("solve 12 --all --format svg", &["size 12 is too large", "--limit 1388"]);
    refusal("8 --attacks", &["--attacks is for --format svg"]);
    refusal("solve 8 --unique --place 0,0", &["--unique is for the empty board"]);
}

#[test]
fn a_list_without_turns_and_reflections() {
    for (size, count) in [(1, 1), (4, 1), (5, 2), (6, 1), (8, 12)] {
        for method in ["engine", "bit-masks"] {
            let text = stdout(&format!("solve {size} --all --unique --format columns --method {method}"));
            assert_eq!(text.lines().count(), count, "{size}");
        }
        assert_eq!(stdout(&format!("count {size} --unique")), format!("{count}\n"));
    }
    assert_eq!(stdout("solve 8 --limit 2 --unique --format columns").lines().count(), 2);
    refusal("solve 8 --unique --method closed-form", &["finds one solution"]);
}

#[test]
fn the_events_are_a_trace_that_can_be_read_again() {
    let file = env::temp_dir().join(format!("nqueens-events-{}.jsonl", process::id()));
    let name = file.to_str().unwrap();
    assert_eq!(stdout(&format!("trace 6 --all --events {name}")), "");
    let trace = csp_trace::json_lines::read(BufReader::new(fs::File::open(&file).unwrap())).unwrap();
    fs::remove_file(&file).unwrap();
    let again = csp_trace::json_lines::read(stdout("trace 6 --all --events -").as_bytes()).unwrap();
    assert_eq!(again, trace);
    assert_eq!((trace.variables.len(), trace.constraints.len(), trace.unrecorded()), (6, 3, 0));
    let count: serde_json::Value =
        serde_json::from_str(&stdout("count 6 --method engine --format json")).unwrap();
    assert_eq!(Some(trace.counts.solutions), count["solutions"].as_u64());
    assert_eq!(Some(trace.counts.nodes), count["nodes"].as_u64());
}
