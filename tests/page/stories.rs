//! Stories: real searches for queens and for a Sudoku, and by hand one with hostile names and one of tables.

use csp_core::prelude::*;
use csp_nqueens::{Queens, Telling};
use csp_trace::{
    Board, CellChange, CellState, Kind, Look, Row, Rule, Status, Step, Story, Teller, TreeNode, Why,
};

/// A real search, told as `nqueens trace` tells it.
pub(crate) fn queens(method: Method, n: usize, all: bool) -> Story {
    let (telling, board) = (Telling::new().all(all), Queens::new(n));
    let story = match method {
        Method::Plain => telling.plain(&board),
        Method::Engine => telling.engine(&board),
        Method::Both => telling.both(&board),
    };
    story.expect("the board is small")
}

/// Which search is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Plain,
    Engine,
    Both,
}

/// Backtracking and propagation, alone and side by side, up to the first solution and to the last.
pub(crate) fn searches() -> Vec<(String, Story)> {
    let mut searches = vec![];
    for method in [Method::Plain, Method::Engine, Method::Both] {
        for (n, all) in [(4, false), (4, true), (8, false)] {
            searches.push((format!("{method:?}-{n}-{all}"), queens(method, n, all)));
        }
    }
    searches
}

/// Queens that stand from the start, and squares that are blocked.
pub(crate) fn puzzle() -> Story {
    let board = Queens::new(6).place(3, 1).and_then(|board| board.block(0, 0));
    let board = board.expect("both squares are on the board");
    Telling::new().all(true).both(&board).expect("the board is small")
}

const SUDOKU: &str = include_str!("../data/sudoku/qqwing_generated_expert_100.txt");

/// A real search for a Sudoku, as the example `sudoku` tells it; the last one there needs several choices.
pub(crate) fn sudoku() -> Story {
    let mut model = Model::new();
    let cells = model.ints_named("cell", 81, 1..=9);
    for i in 0..9 {
        model.post_named(format!("row {i}"), all_different((0..9).map(|j| cells[9 * i + j])));
        model.post_named(format!("column {i}"), all_different((0..9).map(|j| cells[9 * j + i])));
        let corner = 27 * (i / 3) + 3 * (i % 3);
        let block = (0..9).map(|j| cells[corner + 9 * (j / 3) + j % 3]);
        model.post_named(format!("box {i}"), all_different(block));
    }
    let givens = SUDOKU.lines().last().expect("a puzzle").chars().take(81);
    for (&cell, digit) in cells.iter().zip(givens.map(|letter| letter.to_digit(10))) {
        if let Some(digit @ 1..) = digit {
            model.post(cell.eq(i64::from(digit)));
        }
    }
    let mut solver = model.solver().expect("a sound model");
    solver.set_search(branch(&cells).smallest_domain());
    solver.set_trace(Tracing::new());
    assert_eq!(solver.count().solutions, 1);
    let trace = solver.take_trace().expect("it was asked for");
    let teller = Teller::new(&trace).title("A Sudoku").look(Look::Digits);
    teller.story().expect("plain words always do")
}

/// Text that would break a page that reads it as markup, script, template or pattern.
pub(crate) const HOSTILE: &str = r#"</script><script>alert(1)</script><b>bold</b><!-- {{script}} $& ' " \ &lt; <img src=x onerror=alert(2)>"#;

/// A small story whose every text is hostile.
pub(crate) fn hostile() -> Story {
    let text = |what: &str| format!("{HOSTILE}\u{2028}{what}");
    let board = |look| Board {
        title: text("board"),
        look,
        rows: vec![Row { label: text("row"), cells: vec![text("a"), text("b")] }],
    };
    let step = |kind, board: usize, changes: Vec<CellChange>| Step {
        board,
        changes,
        why: vec![Why::new(0, 1, text("why"))],
        ..Step::new(kind, text("words"))
    };
    let choose = || CellChange::new(0, 0, CellState::Free, CellState::Chosen);
    let remove = || CellChange::new(0, 1, CellState::Free, CellState::Out { rule: 0 });
    Story {
        title: text("title"),
        boards: vec![board(Look::Plain), board(Look::Queens), board(Look::Digits)],
        pseudocode: vec![text("line")],
        constraints: vec![Rule { letter: '<', name: text("rule"), colour: 255 }],
        nodes: vec![TreeNode { parent: None, label: text("node"), status: Status::Solved }],
        steps: (0..3)
            .flat_map(|board| {
                [
                    step(Kind::Start, board, vec![]),
                    step(Kind::Choice, board, vec![choose()]),
                    step(Kind::Removal, board, vec![remove()]),
                    step(Kind::Solution, board, vec![]),
                    step(Kind::End, board, vec![]),
                ]
            })
            .collect(),
    }
}

/// Tables of values with names of all lengths, choices without end, and every colour.
pub(crate) fn tables() -> Story {
    let long = "a name that somebody gave without thinking of boards";
    let name = |number: usize| {
        if number.is_multiple_of(3) { format!("{long}, {number}") } else { format!("x{number}") }
    };
    let rows =
        (0..9).map(|row| Row { label: name(row), cells: (0..3 + 2 * row).map(name).collect() }).collect();
    let states = |number: usize| match number % 12 {
        11 => CellState::Forced,
        10 => CellState::Chosen,
        9 => CellState::Given,
        rule => CellState::Out { rule: rule as u8 },
    };
    let mut nodes = vec![TreeNode { parent: None, label: "start".into(), status: Status::Open }];
    let mut steps = vec![Step::new(Kind::Start, "Tables.")];
    for number in 0..60 {
        nodes.push(TreeNode { parent: Some(number), label: name(number), status: Status::Open });
        let (row, cell) = (number % 9, number / 9);
        let mut step = Step { node: number + 1, line: number % 2, ..Step::new(Kind::Choice, name(number)) };
        if cell < 3 + 2 * row {
            step.changes = vec![CellChange::new(row, cell, CellState::Free, states(number))];
            step.words += &format!("\n{long}").repeat(number % 7);
        }
        steps.push(step);
    }
    steps.push(Step { node: 60, ..Step::new(Kind::End, "That was all.") });
    Story {
        title: format!("Tables with {long}, and {long}"),
        boards: vec![Board { title: String::new(), look: Look::Plain, rows }],
        pseudocode: vec!["choose:".into(), format!("        {long}, {long}, {long}")],
        constraints: (0..9).map(|rule| Rule { letter: 'a', name: name(rule.into()), colour: rule }).collect(),
        nodes,
        steps,
    }
}
