//! What a page must show after each step, worked out from the story alone: by replaying it from its
//! beginning, and by the definitions of "reached", "failed" and "folded".

use csp_trace::{CellState, Kind, Look, Status, Step, Story};
use serde_json::{Value, json};

/// The facts of `facts.js` after step `at`.
pub(crate) fn facts(story: &Story, at: usize) -> Value {
    let (step, past) = (&story.steps[at], &story.steps[..=at]);
    let boards = replay(story, at);
    let show = |on_board: bool| -> Vec<Value> {
        // Tables show their domains themselves.
        (0..boards.len())
            .filter(|&b| on_board || story.boards[b].look != Look::Plain)
            .map(|b| {
                json!(
                    (0..boards[b].len())
                        .map(|r| row(story, &boards[b][r], (b, r), step, on_board))
                        .collect::<Vec<_>>()
                )
            })
            .collect()
    };
    let queens = story.boards.iter().zip(&boards).filter(|(board, _)| board.look == Look::Queens);
    json!({
        "position": format!("Step {} of {}", at + 1, story.steps.len()),
        "slider": at.to_string(),
        "kind": serde_json::to_value(step.kind).unwrap(),
        "words": step.words,
        "code": [story.pseudocode[step.line]],
        "current": [step.node],
        "tree": tree(story, at),
        "boards": show(true),
        "domains": show(false),
        "queens": queens.flat_map(|(_, rows)| rows.iter().flatten()).filter(|state| state.is_taken()).count(),
        "counters": (0..boards.len()).map(|b| counters(story, past, b)).collect::<Vec<_>>(),
        "alarm": "",
    })
}

/// Whether each change of a story of one board starts from what its square was.
pub(crate) fn fits(story: &Story) -> bool {
    (1..story.steps.len()).all(|at| {
        let before = &replay(story, at - 1)[0];
        story.steps[at].changes.iter().all(|change| before[change.row][change.cell] == change.from)
    })
}

fn replay(story: &Story, at: usize) -> Vec<Vec<Vec<CellState>>> {
    let mut boards: Vec<Vec<Vec<CellState>>> = story
        .boards
        .iter()
        .map(|board| board.rows.iter().map(|row| vec![CellState::Free; row.cells.len()]).collect())
        .collect();
    for step in &story.steps[..=at] {
        for change in &step.changes {
            boards[step.board][change.row][change.cell] = change.to;
        }
    }
    boards
}

/// The squares of a row: state, text, and whether the step changed them.
fn row(story: &Story, states: &[CellState], (b, r): (usize, usize), step: &Step, on_board: bool) -> Value {
    let bare = on_board && story.boards[b].look == Look::Queens;
    let squares = states.iter().enumerate().map(|(c, state)| {
        let label = if bare { "" } else { story.boards[b].rows[r].cells[c].as_str() };
        let fresh = step.board == b && step.changes.iter().any(|change| (change.row, change.cell) == (r, c));
        match state {
            CellState::Free => json!(["free", label, fresh]),
            CellState::Chosen => json!(["chosen", label, fresh]),
            CellState::Given => json!(["given", label, fresh]),
            CellState::Forced => json!(["forced", label, fresh]),
            CellState::Out { rule } => {
                json!(["out", format!("{label}{}", story.constraints[usize::from(*rule)].letter), fresh])
            }
        }
    });
    squares.collect()
}

fn counters(story: &Story, past: &[Step], board: usize) -> Vec<String> {
    let mine = |step: &&Step| step.board == board;
    let count = |kind| past.iter().filter(mine).filter(|step| step.kind == kind).count().to_string();
    let mut nodes: Vec<usize> = past.iter().filter(mine).map(|step| step.node).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let all = story.steps.iter().filter(mine).count();
    vec![
        format!("{} of {all}", past.iter().filter(mine).count()),
        nodes.len().to_string(),
        count(Kind::DeadEnd),
        count(Kind::Solution),
    ]
}

/// The nodes shown, which are numbered in the order of the outline, with their shapes.
fn tree(story: &Story, at: usize) -> Vec<Value> {
    let is_under = |mut node: usize, top: usize| loop {
        if node == top {
            return true;
        }
        match story.nodes[node].parent {
            Some(parent) => node = parent,
            None => return false,
        }
    };
    let later = &story.steps[at + 1..];
    let shape = |node: usize| match story.nodes[node].status {
        Status::Failed
            if later.iter().any(|step| step.kind == Kind::DeadEnd && is_under(step.node, node)) =>
        {
            "open"
        }
        Status::Failed if is_under(story.steps[at].node, node) => "failed",
        Status::Failed if story.nodes.iter().any(|child| child.parent == Some(node)) => "folded",
        Status::Failed => "failed",
        Status::Solved if !later.iter().any(|step| step.kind == Kind::Solution && step.node == node) => {
            "solved"
        }
        // The search comes back to it no more.
        Status::Branch if !later.iter().any(|step| is_under(step.node, node)) => "branch",
        _ => "open",
    };
    let reached = |node: usize| story.steps[..=at].iter().any(|step| step.node == node);
    let hidden = |node: usize| {
        (0..node).any(|above| is_under(node, above) && reached(above) && shape(above) == "folded")
    };
    (0..story.nodes.len())
        .filter(|&node| reached(node) && !hidden(node))
        .map(|node| json!([node, shape(node), story.nodes[node].label]))
        .collect()
}
