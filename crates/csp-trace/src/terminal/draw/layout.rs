//! Which panes are shown and where. It depends on the story and the size of the terminal alone, so that
//! nothing jumps from step to step.

use ratatui::layout::Rect;

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pane {
    Header,
    Sentence,
    Why,
    Boards,
    Counters,
    Legend,
    Domains,
    Code,
    Tree,
    Footer,
}

/// The lines a pane wants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    pub(super) pane: Pane,
    /// With fewer it is left out.
    pub(super) least: u16,
    /// With these it says what it should.
    pub(super) good: u16,
    /// It has no use for more.
    pub(super) most: u16,
}

/// Space between the two columns.
const GAP: u16 = 2;
/// A second column, with that space, is not worth it if it is narrower than this.
pub(super) const SIDE: u16 = 28;

/// What a story wants to show, most important first; a heading is part of its pane.
#[derive(Debug)]
pub(super) struct Wishes {
    /// Across the whole width, before anything else.
    pub(super) essential: Vec<Wish>,
    /// With the boards.
    pub(super) main: Vec<Wish>,
    /// Beside the boards, or below where the terminal is narrow.
    pub(super) side: Vec<Wish>,
    /// Across the whole width, after the first of those with the boards.
    pub(super) across: Vec<Wish>,
    /// The width the boards and what is with them can use.
    pub(super) main_width: u16,
}

/// Whether the terminal is wide enough for a column beside the boards.
pub(super) fn has_side(area: Rect, main_width: u16) -> bool {
    area.width >= main_width.saturating_add(SIDE)
}

/// The columns beside the boards, where there are any.
pub(super) fn side_width(area: Rect, main_width: u16) -> u16 {
    area.width - main_width - GAP
}

/// Where each pane goes that has room.
pub(super) fn layout(area: Rect, wishes: &Wishes) -> Vec<(Pane, Rect)> {
    let Wishes { essential, main, side, across, main_width } = wishes;
    if !has_side(area, *main_width) {
        let (first, others) = main.split_at(main.len().min(1));
        let all: Vec<Wish> = [essential, first, across, others, side].concat();
        return stack(area, &all);
    }
    // The columns are shared out after what goes across.
    let good = main.first().map_or(1, |wish| wish.good);
    let columns = Wish { pane: Pane::Boards, least: 1, good, most: u16::MAX };
    let mut panes = Vec::new();
    for (pane, place) in stack(area, &[essential.as_slice(), &[columns], across].concat()) {
        if pane != Pane::Boards {
            panes.push((pane, place));
            continue;
        }
        let left = Rect { width: *main_width, ..place };
        let right = Rect { x: place.x + main_width + GAP, width: side_width(place, *main_width), ..place };
        panes.extend(stack(left, main));
        panes.extend(stack(right, side));
    }
    panes
}

/// Shares out the lines in order of importance, and puts the panes below each other in theirs.
fn stack(area: Rect, wishes: &[Wish]) -> Vec<(Pane, Rect)> {
    let mut left = area.height;
    let mut heights = vec![0; wishes.len()];
    for (height, wish) in heights.iter_mut().zip(wishes) {
        let given = wish.good.min(left);
        if given >= wish.least {
            *height = given;
            left -= given;
        }
    }
    for (height, wish) in heights.iter_mut().zip(wishes).filter(|(height, _)| **height > 0) {
        let more = wish.most.saturating_sub(*height).min(left);
        *height += more;
        left -= more;
    }
    let mut placed: Vec<(Pane, u16)> = wishes.iter().map(|wish| wish.pane).zip(heights).collect();
    placed.sort_by_key(|&(pane, _)| pane as u8);
    let mut y = area.y;
    let mut panes = Vec::new();
    for (pane, height) in placed.into_iter().filter(|&(_, height)| height > 0) {
        panes.push((pane, Rect { y, height, ..area }));
        y += height;
    }
    // What closes the view does so at its foot.
    if let Some((Pane::Footer, place)) = panes.last_mut() {
        place.y = area.y + area.height - place.height;
    }
    panes
}
