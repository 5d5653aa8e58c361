//! Stories: real searches for queens, and by hand propagation on a Sudoku, one with hostile names, one of
//! tables.

use csp_nqueens::{Queens, Telling};
use csp_trace::{Board, CellChange, CellState, Kind, Look, Row, Rule, Status, Step, Story, TreeNode, Why};

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

const SUDOKU: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// A Sudoku that needs no search: each square with one digit left rules it out in its units.
pub(crate) fn sudoku() -> Story {
    let rule = |letter, name: &str, colour| Rule { letter, name: name.into(), colour };
    let label = |square: usize| format!("r{}c{}", square / 9 + 1, square % 9 + 1);
    let digits = || (1..=9).map(|digit| digit.to_string()).collect();
    let mut board = vec![vec![CellState::Free; 9]; 81];
    let mut start = Step::new(Kind::Start, "The given digits.");
    let mut waiting = vec![];
    for (square, letter) in SUDOKU.chars().enumerate() {
        let Some(digit) = letter.to_digit(10) else { continue };
        let given = digit as usize - 1;
        for (cell, state) in board[square].iter_mut().enumerate() {
            *state = if cell == given { CellState::Given } else { CellState::Out { rule: 3 } };
            start.changes.push(CellChange::new(square, cell, CellState::Free, *state));
        }
        waiting.push((square, given));
    }
    let mut steps = vec![start];
    while let Some((square, cell)) = waiting.pop() {
        for rule in 0..3u8 {
            let mut step = Step::new(
                Kind::Removal,
                format!(
                    "{} is {}: no other square of its {} has it.",
                    label(square),
                    cell + 1,
                    UNITS[usize::from(rule)]
                ),
            );
            for other in (0..81).filter(|&other| other != square && share(square, other, rule)) {
                if board[other][cell] == CellState::Free {
                    board[other][cell] = CellState::Out { rule };
                    step.changes.push(CellChange::new(other, cell, CellState::Free, CellState::Out { rule }));
                    step.why.push(Why::new(
                        other,
                        cell,
                        format!(
                            "{} is {} in the same {}.",
                            label(square),
                            cell + 1,
                            UNITS[usize::from(rule)]
                        ),
                    ));
                    let left: Vec<usize> = (0..9).filter(|&c| board[other][c] == CellState::Free).collect();
                    if let [last] = left[..] {
                        board[other][last] = CellState::Chosen;
                        step.changes.push(CellChange::new(other, last, CellState::Free, CellState::Chosen));
                        waiting.push((other, last));
                    }
                }
            }
            if !step.changes.is_empty() {
                steps.push(step);
            }
        }
    }
    steps.push(Step::new(Kind::Solution, "Every square has its digit."));
    steps.push(Step::new(Kind::End, "One solution."));
    Story {
        title: "A Sudoku".into(),
        boards: vec![Board {
            title: String::new(),
            look: Look::Digits,
            rows: (0..81).map(|square| Row { label: label(square), cells: digits() }).collect(),
        }],
        pseudocode: vec![
            "while a square has one digit left:".into(),
            "  rule it out in its row, column and box".into(),
        ],
        constraints: vec![
            rule('R', "row", 0),
            rule('C', "column", 1),
            rule('B', "box", 2),
            rule('G', "given", 7),
        ],
        nodes: vec![TreeNode { parent: None, label: "start".into(), status: Status::Solved }],
        steps,
    }
}

const UNITS: [&str; 3] = ["row", "column", "box"];

fn share(a: usize, b: usize, rule: u8) -> bool {
    match rule {
        0 => a / 9 == b / 9,
        1 => a % 9 == b % 9,
        _ => a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3,
    }
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
    let states = |number: usize| match number % 11 {
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
