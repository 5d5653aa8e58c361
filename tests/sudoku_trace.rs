//! The page that the example `sudoku` writes with `--trace-html`: the story in it is whole, and what it says of the cells is
//! true by the rules of the game.

mod common;

use std::{env, fs, path::PathBuf, process};

use common::Run;
use csp_trace::{CellChange, CellState, Kind, Story};

const EXPERT: &str = include_str!("data/sudoku/qqwing_generated_expert_100.txt");

/// A file that is gone with the test.
struct Page(PathBuf);

impl Page {
    fn new(name: &str) -> Page {
        Page(env::temp_dir().join(format!("sudoku-{}-{name}.html", process::id())))
    }

    /// Runs the program on a text, and has it write the page.
    fn run(&self, arguments: &[&str], input: &str) -> Run {
        let file = self.0.to_str().expect("a path in text");
        common::run("sudoku", &[arguments, &["--trace-html", file]].concat(), input)
    }

    fn story(&self) -> Story {
        let page = fs::read_to_string(&self.0).expect("it was written");
        let (_, story) = page.split_once("id=\"story\">").expect("a story");
        let (story, _) = story.split_once("</script>").expect("its end");
        serde_json::from_str(story).expect("JSON")
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// The numbers in a text.
fn numbers(text: &str) -> Vec<usize> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// The cells of `row 3`, `column 4` or `box 5`, from 0.
fn unit(name: &str) -> Vec<usize> {
    let i = numbers(name)[0] - 1;
    let cell = |j: usize| match name.split(' ').next().expect("a word") {
        "row" => 9 * i + j,
        "column" => 9 * j + i,
        "box" => 27 * (i / 3) + 3 * (i % 3) + 9 * (j / 3) + j % 3,
        other => panic!("{other} is no unit"),
    };
    (0..9).map(cell).collect()
}

/// The cells named in a text, from 0.
fn cells(text: &str) -> Vec<usize> {
    numbers(text).chunks(2).map(|place| 9 * (place[0] - 1) + place[1] - 1).collect()
}

/// The forms of sentence that say why a value is out.
#[derive(Debug, Default)]
struct Forms {
    single: usize,
    set: usize,
    choice: usize,
    tried: usize,
}

/// Whether a sentence is true, when these are the values left to the cells; the value may be gone already.
fn is_true(sentence: &str, left: &[Vec<usize>], forms: &mut Forms) -> bool {
    let (claim, reason) = sentence.split_once([',', ':']).expect("a claim and a reason");
    let [row, column, value] = numbers(claim)[..] else { panic!("{claim}") };
    let cell = 9 * (row - 1) + column - 1;
    if let Some((choice, "")) = reason.split_once(" was chosen") {
        forms.choice += 1;
        let [row, column, chosen] = numbers(choice)[..] else { panic!("{choice}") };
        return 9 * (row - 1) + column - 1 == cell && chosen != value;
    }
    if let Some(tried) = reason.strip_prefix(" with ") {
        forms.tried += 1;
        return numbers(tried)[..3] == [row, column, value];
    }
    let reason = reason.strip_prefix(" by ").unwrap_or_else(|| panic!("{sentence}"));
    let (name, blame) = reason.split_once(", since ").expect("a reason");
    let unit = unit(name);
    if let Some((others, values)) = blame.split_once(" have only ") {
        forms.set += 1;
        let (others, values) = (cells(others), numbers(values));
        return others.len() == values.len()
            && values.contains(&value)
            && unit.contains(&cell)
            && !others.contains(&cell)
            && others.iter().all(|other| unit.contains(other))
            && others.iter().all(|&other| left[other].iter().all(|value| values.contains(value)));
    }
    forms.single += 1;
    let [row, column, taken] = numbers(blame)[..] else { panic!("{sentence}") };
    let other = 9 * (row - 1) + column - 1;
    taken == value && other != cell && unit.contains(&cell) && unit.contains(&other) && left[other] == [taken]
}

/// Checks every sentence about a square, and returns the solutions.
fn check(story: &Story, forms: &mut Forms) -> Vec<String> {
    story.check().expect("it is whole");
    let mut states = vec![vec![CellState::Free; 9]; 81];
    let left = |states: &[Vec<CellState>]| -> Vec<Vec<usize>> {
        let is_left = |state: &CellState| !matches!(state, CellState::Out { .. });
        let of = |cell: &Vec<CellState>| (1..=9).filter(|value| is_left(&cell[value - 1])).collect();
        states.iter().map(of).collect()
    };
    let mut solutions = Vec::new();
    for step in &story.steps {
        let before = left(&states);
        step.changes.iter().for_each(|change| states[change.row][change.cell] = change.to);
        let after = left(&states);
        for why in step.why.iter().filter(|_| step.kind != Kind::Start) {
            assert!(is_true(&why.words, &before, forms), "{}", why.words);
            assert!(!after[why.row].contains(&(why.cell + 1)), "{}", why.words);
        }
        if step.kind == Kind::Solution {
            assert!(after.iter().all(|values| values.len() == 1));
            solutions.push(after.iter().map(|values| values[0].to_string()).collect());
        }
    }
    solutions
}

#[test]
fn what_the_page_says_is_true() {
    let mut forms = Forms::default();
    for (number, puzzle) in EXPERT.lines().take(20).enumerate() {
        let page = Page::new(&number.to_string());
        let output = page.run(&["--unique", "--format", "line"], puzzle);
        assert_eq!(output.code, Some(0));
        let story = page.story();
        let solutions = check(&story, &mut forms);
        assert_eq!(solutions, [output.out.trim()]);
        let start = &story.steps[0];
        let given = |cell: usize, symbol: char| {
            let value = symbol.to_digit(10).filter(|&value| value > 0);
            let is = |change: &&CellChange| change.row == cell && change.to == CellState::Given;
            start.changes.iter().find(is).map(|change| change.cell as u32 + 1) == value
        };
        assert!(puzzle.chars().take(81).enumerate().all(|(cell, symbol)| given(cell, symbol)), "{puzzle}");
        assert!(story.steps.last().expect("an end").words.starts_with("the search is over"));
    }
    assert!(forms.single > 2000 && forms.set > 100 && forms.choice > 20 && forms.tried > 10, "{forms:?}");
}

#[test]
fn a_page_is_for_one_puzzle_and_a_file_that_can_be_written() {
    let page = Page::new("several");
    let two: String = EXPERT.lines().take(2).map(|line| format!("{line}\n")).collect();
    let output = page.run(&[], &two);
    assert_eq!(output.code, Some(2));
    assert!(output.err.contains("--trace-html is for a single puzzle"), "{}", output.err);
    assert!(!page.0.exists());

    let nowhere = Page(env::temp_dir().join("there is no such folder").join("page.html"));
    let output = nowhere.run(&[], EXPERT.lines().next().expect("a puzzle"));
    assert_eq!(output.code, Some(2));
    assert!(output.err.contains("no such folder"), "{}", output.err);
}
