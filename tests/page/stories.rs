//! Stories written by hand: plain backtracking on queens, propagation on a Sudoku, and one with hostile
//! names.

use csp_trace::{Board, CellChange, CellState, Kind, Look, Row, Rule, Status, Step, Story, TreeNode, Why};

const PSEUDOCODE: [&str; 7] = [
    "place(row):",
    "  if row = n: report a solution",
    "  for each free column:",
    "    put a queen there",
    "    rule out the squares it attacks",
    "    place(row + 1)",
    "    take the queen back",
];

/// N-Queens row by row, as far as `limit` solutions, every removal a step of its own.
pub(crate) fn queens(n: usize, limit: usize) -> Story {
    let rule = |letter, name: &str, colour| Rule { letter, name: name.into(), colour };
    let story = Story {
        title: format!("{n} queens, row by row"),
        boards: vec![Board {
            title: String::new(),
            look: Look::Queens,
            rows: (0..n).map(|row| Row::numbered(format!("row {row}"), n)).collect(),
        }],
        pseudocode: PSEUDOCODE.map(String::from).to_vec(),
        constraints: vec![rule('C', "column", 0), rule('D', "diagonal", 1), rule('A', "anti-diagonal", 2)],
        nodes: vec![TreeNode { parent: None, label: "start".into(), status: Status::Open }],
        steps: vec![Step { line: 0, ..Step::new(Kind::Start, "The board is empty.") }],
    };
    let mut search = Search { n, limit, story, board: vec![vec![CellState::Free; n]; n], solutions: 0 };
    search.place(0, 0);
    let mut story = search.story;
    story.steps.push(Step::new(Kind::End, format!("{} solutions were found.", search.solutions)));
    story
}

struct Search {
    n: usize,
    limit: usize,
    story: Story,
    board: Vec<Vec<CellState>>,
    solutions: usize,
}

impl Search {
    /// Whether there is a solution below; recursion is fine for boards of a test.
    fn place(&mut self, row: usize, node: usize) -> bool {
        if row == self.n {
            self.solutions += 1;
            self.step(Kind::Solution, 1, node, "Every row has its queen: a solution.".into(), vec![], vec![]);
            self.story.nodes[node].status = Status::Solved;
            return true;
        }
        let mut solved = false;
        for column in 0..self.n {
            if self.solutions == self.limit {
                break;
            }
            if self.board[row][column] != CellState::Free {
                continue;
            }
            let child = self.story.nodes.len();
            let label = format!("{row} → {column}");
            self.story.nodes.push(TreeNode { parent: Some(node), label, status: Status::Open });
            let before = self.board.clone();
            self.put(row, column, child);
            solved |= self.place(row + 1, child);
            if self.solutions < self.limit {
                self.restore(&before, child);
            }
        }
        self.story.nodes[node].status = if solved { Status::Branch } else { Status::Failed };
        if !solved {
            self.step(Kind::DeadEnd, 2, node, format!("Row {row} has no square left."), vec![], vec![]);
        }
        solved
    }

    fn put(&mut self, row: usize, column: usize, node: usize) {
        let chosen = vec![CellChange::new(row, column, CellState::Free, CellState::Chosen)];
        self.step(Kind::Choice, 3, node, format!("A queen on row {row}, column {column}."), chosen, vec![]);
        for (rule, name) in ["column", "diagonal", "anti-diagonal"].into_iter().enumerate() {
            let (mut changes, mut why) = (vec![], vec![]);
            for below in row + 1..self.n {
                let away = below - row;
                let target = match rule {
                    0 => Some(column),
                    1 => column.checked_add(away),
                    _ => column.checked_sub(away),
                };
                let Some(target) = target.filter(|&target| target < self.n) else { continue };
                if self.board[below][target] == CellState::Free {
                    let out = CellState::Out { rule: rule as u8 };
                    changes.push(CellChange::new(below, target, CellState::Free, out));
                    let words =
                        format!("the queen on row {row}, column {column} attacks it along the {name}.");
                    why.push(Why::new(below, target, words));
                }
            }
            if !changes.is_empty() {
                let words = format!("It attacks {} squares along the {name}.", changes.len());
                self.step(Kind::Removal, 4, node, words, changes, why);
            }
        }
        self.step(Kind::Fixpoint, 5, node, format!("On to row {}.", row + 1), vec![], vec![]);
    }

    fn restore(&mut self, before: &[Vec<CellState>], node: usize) {
        let mut changes = vec![];
        for (row, cells) in before.iter().enumerate() {
            for (cell, &to) in cells.iter().enumerate() {
                let from = self.board[row][cell];
                if from != to {
                    changes.push(CellChange::new(row, cell, from, to));
                }
            }
        }
        self.step(Kind::Undo, 6, node, "The queen is taken back.".into(), changes, vec![]);
    }

    fn step(
        &mut self,
        kind: Kind,
        line: usize,
        node: usize,
        words: String,
        changes: Vec<CellChange>,
        why: Vec<Why>,
    ) {
        for change in &changes {
            self.board[change.row][change.cell] = change.to;
        }
        self.story.steps.push(Step { kind, words, line, node, board: 0, changes, why });
    }
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
        for cell in 0..9 {
            let to = if cell == given { CellState::Given } else { CellState::Out { rule: 3 } };
            start.changes.push(CellChange::new(square, cell, CellState::Free, to));
            board[square][cell] = to;
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
