//! Two stories side by side.

use csp_trace::Story;

/// The two stories as one with two boards: a step of one, a step of the other, as long as both go on.
pub(super) fn side_by_side(one: Story, other: Story) -> Story {
    let (lines, nodes) = (one.pseudocode.len(), one.nodes.len());
    let mut both = one;
    both.title = match other.boards.first() {
        Some(board) => format!("{} and by {}", both.title, board.title),
        None => both.title,
    };
    both.boards.extend(other.boards);
    both.pseudocode.extend(other.pseudocode);
    both.nodes.extend(other.nodes.into_iter().map(|mut node| {
        node.parent = node.parent.map(|parent| parent + nodes);
        node
    }));
    let mut ours = std::mem::take(&mut both.steps).into_iter();
    let mut theirs = other.steps.into_iter().map(|mut step| {
        step.line += lines;
        step.node += nodes;
        step.board += 1;
        step
    });
    loop {
        let before = both.steps.len();
        both.steps.extend(ours.next());
        both.steps.extend(theirs.next());
        if both.steps.len() == before {
            return both;
        }
    }
}
