//! Two stories told side by side.

use super::{CellState, Step, Story};

impl Story {
    /// Both stories in one: the boards beside each other, and a step of the one after a step of the other
    /// until both are at their end. Each board keeps its own counts of steps, nodes, dead ends and solutions.
    ///
    /// The root of the tree of each is named after its board's title. The pseudocode, if it is the same, and
    /// rules that both have are listed once; other pseudocode goes under the board's title. A state of a square names its rule by a byte, so rules from
    /// the 257th on are all shown as the 256th.
    ///
    /// ```
    /// use csp_trace::{Board, Kind, Step, Story};
    /// let one = |words: &str| Story {
    ///     boards: vec![Board::default()],
    ///     steps: vec![Step::new(Kind::Start, words)],
    ///     ..Story::default()
    /// };
    /// let both = Story::beside("Two methods", one("here"), one("there"));
    /// assert_eq!(both.boards.len(), 2);
    /// assert_eq!(both.steps[1].board, 1);
    /// ```
    #[must_use]
    pub fn beside(title: impl Into<String>, left: Story, right: Story) -> Story {
        let (mut left, mut right) = (left, right);
        name_root(&mut left);
        name_root(&mut right);
        let is_shared = left.pseudocode == right.pseudocode;
        if !is_shared {
            head_pseudocode(&mut left);
            head_pseudocode(&mut right);
        }
        let mut both = Story { title: title.into(), ..left };
        let (boards, nodes) = (both.boards.len(), both.nodes.len());
        both.boards.extend(right.boards);
        let mut lines = 0;
        if !is_shared && !right.pseudocode.is_empty() {
            lines = both.pseudocode.len();
            both.pseudocode.extend(right.pseudocode);
        }
        both.nodes.extend(right.nodes.into_iter().map(|mut node| {
            node.parent = node.parent.map(|parent| parent + nodes);
            node
        }));
        let mut places = Vec::with_capacity(right.constraints.len());
        for rule in right.constraints {
            let place = both.constraints.iter().position(|known| *known == rule);
            places.push(place.unwrap_or(both.constraints.len()));
            if place.is_none() {
                both.constraints.push(rule);
            }
        }
        let renumber = |state| match state {
            CellState::Out { rule } => {
                let place = places.get(usize::from(rule)).copied().unwrap_or(usize::from(rule));
                CellState::Out { rule: u8::try_from(place).unwrap_or(u8::MAX) }
            }
            other => other,
        };
        let right = right.steps.into_iter().map(|mut step| {
            step.board += boards;
            step.line += lines;
            step.node += nodes;
            for change in &mut step.changes {
                change.from = renumber(change.from);
                change.to = renumber(change.to);
            }
            step
        });
        both.steps = in_turn(both.steps.into_iter(), right);
        both
    }
}

/// The title of a story's only board, if it has one.
fn only_title(story: &Story) -> Option<String> {
    match story.boards.as_slice() {
        [board] if !board.title.is_empty() => Some(board.title.clone()),
        _ => None,
    }
}

fn name_root(story: &mut Story) {
    let Some(title) = only_title(story) else { return };
    for root in story.nodes.iter_mut().filter(|node| node.parent.is_none()) {
        root.label.clone_from(&title);
    }
}

/// Puts the title as a line before the pseudocode.
fn head_pseudocode(story: &mut Story) {
    let Some(title) = only_title(story).filter(|_| !story.pseudocode.is_empty()) else { return };
    story.pseudocode.insert(0, format!("— {title} —"));
    for step in &mut story.steps {
        step.line += 1;
    }
}

fn in_turn(mut left: impl Iterator<Item = Step>, mut right: impl Iterator<Item = Step>) -> Vec<Step> {
    let mut steps = Vec::new();
    loop {
        let pair = (left.next(), right.next());
        if pair.0.is_none() && pair.1.is_none() {
            return steps;
        }
        steps.extend(pair.0);
        steps.extend(pair.1);
    }
}
