//! Stories to show: of queens, of boxes with digits, and of rows with names.

use csp_nqueens::{Queens, Telling};
use csp_trace::{Board, CellChange, CellState, Kind, Look, Row, Rule, Status, Step, Story, TreeNode, Why};

/// By each method, and by both.
pub(crate) fn stories(size: usize) -> [Story; 3] {
    let (puzzle, telling) = (Queens::new(size), Telling::new().all(true).limit(300));
    [telling.plain(&puzzle).unwrap(), telling.engine(&puzzle).unwrap(), telling.both(&puzzle).unwrap()]
}

/// A Latin square of 9 × 9 boxes, filled from the top: each digit is given or chosen, and then out in the
/// rest of its row and column.
pub(crate) fn boxes() -> Story {
    const SIDE: usize = 9;
    let digits: Vec<String> = (1..=SIDE).map(|digit| digit.to_string()).collect();
    let names = (0..SIDE * SIDE).map(|place| format!("row {}, column {}", place / SIDE, place % SIDE));
    let rows = names.map(|label| Row { label, cells: digits.clone() }).collect();
    let mut story = Story {
        title: "A Latin square".into(),
        boards: vec![Board { look: Look::Digits, rows, ..Board::default() }],
        pseudocode: vec!["take the next box".into()],
        constraints: rules(&[('r', "row"), ('c', "column")]),
        nodes: vec![TreeNode { parent: None, label: "start".into(), status: Status::Solved }],
        steps: vec![Step::new(Kind::Start, "The square is empty.")],
    };
    let mut states = vec![[CellState::Free; SIDE]; SIDE * SIDE];
    for place in 0..SIDE * SIDE {
        let (row, column) = (place / SIDE, place % SIDE);
        let digit = (row * 3 + row / 3 + column) % SIDE;
        let (kind, taken) = match place % 4 {
            0 => (Kind::Start, CellState::Given),
            _ => (Kind::Choice, CellState::Chosen),
        };
        let mut step = Step::new(kind, format!("row {row}, column {column} is {}", digits[digit]));
        let mut set = |place: usize, digit: usize, to| {
            let from = std::mem::replace(&mut states[place][digit], to);
            step.changes.push(CellChange::new(place, digit, from, to));
            from == CellState::Free
        };
        set(place, digit, taken);
        let mut why = Vec::new();
        for other in 0..SIDE * SIDE {
            let rule = match (other / SIDE == row, other % SIDE == column) {
                (true, false) => 0,
                (false, true) => 1,
                _ => continue,
            };
            if other > place && set(other, digit, CellState::Out { rule }) {
                why.push(Why::new(other, digit, format!("row {row}, column {column} has it")));
            }
        }
        // A square that was out already goes on being out for the first reason.
        step.changes.retain(|change| change.from == CellState::Free);
        step.why = why;
        story.steps.push(step);
    }
    story.steps.push(Step::new(Kind::Solution, "The square is full."));
    story
}

/// Rows of names of several lengths, one of them empty, on a board that is a plain table.
pub(crate) fn names() -> Story {
    let row = |label: &str, cells: &[&str]| Row {
        label: label.into(),
        cells: cells.iter().map(|&cell| cell.into()).collect(),
    };
    let rows = vec![
        row("", &[]),
        row("colour", &["red", "ultramarine", "日本"]),
        row("pet", &["zebra"]),
        row("nothing", &[]),
        row("drink", &["tea", "milk", "water", "coffee"]),
    ];
    let change = |row, cell, to| CellChange::new(row, cell, CellState::Free, to);
    let out = CellState::Out { rule: 0 };
    let choice = Step {
        changes: vec![change(1, 2, CellState::Chosen), change(1, 0, out), change(4, 3, out)],
        why: vec![Why::new(4, 3, "coffee is not drunk there")],
        ..Step::new(Kind::Choice, "colour = 日本")
    };
    Story {
        title: "Names".into(),
        boards: vec![Board { rows, ..Board::default() }],
        constraints: rules(&[('n', "neighbours")]),
        nodes: vec![TreeNode { parent: None, label: "start".into(), status: Status::Open }],
        steps: vec![Step::new(Kind::Start, "Nothing is known."), choice, Step::new(Kind::End, "Enough.")],
        ..Story::default()
    }
}

fn rules(names: &[(char, &str)]) -> Vec<Rule> {
    let rule = |(&(letter, name), colour): (&(char, &str), u8)| Rule { letter, name: name.into(), colour };
    names.iter().zip(0..).map(rule).collect()
}
