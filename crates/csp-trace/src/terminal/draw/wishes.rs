//! What each pane of a story wants of the terminal.

use ratatui::layout::Rect;

use super::{
    boards,
    layout::{Pane, SIDE, Wish, Wishes, has_side, side_width},
    panes,
};
use crate::{
    Look,
    terminal::{focus::Focus, view::View},
};

/// Lines for header, legend and footer.
const AROUND: u16 = 4;
/// Columns for what is below the boards.
const LEGIBLE: u16 = 44;
/// Columns that large boards leave to what is beside them.
const BESIDE: u16 = 36;
/// Columns and lines for what is said of a square, or of a row of them.
const REASON: (u16, u16) = (90, 6);

/// What the story wants of a terminal of this size.
pub(super) fn wishes(view: &View, area: Rect) -> Wishes {
    let player = &view.player;
    let story = player.story();
    let count = |items: usize| u16::try_from(items).unwrap_or(u16::MAX - 1);
    let wish = |pane, least, good, most| Wish { pane, least, good, most };
    let list = |pane, items: usize| {
        let whole = count(items).saturating_add(1);
        wish(pane, 2.min(whole), 5.min(whole), whole)
    };
    let rows = story.boards.iter().filter(|board| board.look != Look::Plain).map(|board| board.rows.len());
    let domains = rows.max().map(|rows| list(Pane::Domains, rows));
    let boards = count(story.boards.len().max(1));

    let sentence = (area.height / 6).clamp(1, 6);
    let around = (AROUND + sentence + domains.map_or(0, |wish| wish.good)).saturating_add(boards);
    let room = (area.width / 2).max(area.width.saturating_sub(BESIDE));
    let smallest = boards::size(player, (0, 0));
    let largest = boards::size(player, (room, area.height.saturating_sub(around)));
    let below = panes::domains_width(player).min(area.width / 2).max(LEGIBLE);
    let main_width = largest.0.max(below.min(area.width.saturating_sub(SIDE)));
    let legend_width = if has_side(area, main_width) { main_width } else { area.width };
    let legend = count(panes::legend(player, legend_width).len());

    let told = wish(Pane::Sentence, 1, if area.width < LEGIBLE { 2 } else { 1 }, sentence.max(2));
    let (mut essential, mut across) = (vec![told, wish(Pane::Header, 1, 1, 1)], vec![]);
    if let Focus::Board(cursor) = view.focus {
        let lines = if cursor.cell.is_some() { REASON.0.div_ceil(area.width.max(1)) } else { REASON.1 };
        let lines = lines.clamp(1, (area.height / 2).max(1));
        // Whoever asks of a square wants that answered first.
        across.push(std::mem::replace(&mut essential[0], wish(Pane::Why, 1, lines, lines)));
    }
    across.push(wish(Pane::Footer, 1, 1, 1));
    let mut main = Vec::new();
    if !story.boards.is_empty() {
        main.push(wish(Pane::Boards, 1, smallest.1, largest.1.max(smallest.1)));
    }
    main.push(wish(Pane::Counters, 1, boards, boards));
    if legend > 0 {
        main.push(wish(Pane::Legend, 1, legend.min(3), legend));
    }
    let mut side = Vec::new();
    if !story.nodes.is_empty() {
        side.push(list(Pane::Tree, story.nodes.len()));
    }
    if !story.pseudocode.is_empty() {
        let width = if has_side(area, main_width) { side_width(area, main_width) } else { area.width };
        let lines = panes::code_height(player, width);
        let whole = count(lines).saturating_add(1);
        side.push(Wish { good: whole.min(area.height / 3).max(5.min(whole)), ..list(Pane::Code, lines) });
    }
    main.extend(domains);
    if matches!(view.focus, Focus::Tree(_)) && !has_side(area, main_width) {
        // What is walked in must be seen, at the boards' cost if need be.
        main.insert(0, side.remove(0));
    }
    Wishes { essential, main, side, across, main_width }
}
