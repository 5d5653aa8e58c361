//! Draws the view: what each pane wants, where the layout puts it, and what it shows.

mod boards;
mod digits;
mod layout;
mod panes;
mod style;
mod text;

use ratatui::{
    Frame,
    layout::{Position, Rect},
};

use super::{focus::Focus, view::View};
use crate::Look;
pub(super) use digits::side;
use layout::{Pane, SIDE, Wish, Wishes, has_side, layout};

pub(super) fn draw(frame: &mut Frame, view: &View) {
    let area = frame.area();
    if let Some(first) = view.help {
        return panes::help(frame.buffer_mut(), area, first);
    }
    let mut cursor = None;
    for (pane, place) in layout(area, &wishes(view, area)) {
        cursor = draw_pane(frame, view, pane, place).or(cursor);
    }
    // The terminal's own cursor needs no colour, and is what a screen reader follows.
    if let Some(position) = cursor.filter(|&position| area.contains(position)) {
        frame.set_cursor_position(position);
    }
}

/// Draws a pane; says where the cursor is if it is there.
fn draw_pane(frame: &mut Frame, view: &View, pane: Pane, place: Rect) -> Option<Position> {
    let (buffer, player) = (frame.buffer_mut(), &view.player);
    match pane {
        Pane::Header => panes::header(buffer, place, view),
        Pane::Sentence => panes::sentence(buffer, place, player),
        Pane::Why => panes::why(buffer, place, view),
        Pane::Boards => return boards::draw(buffer, place, view),
        Pane::Counters => panes::counters(buffer, place, player),
        Pane::Legend => text::put(buffer, place, panes::legend(player, place.width)),
        Pane::Domains => panes::domains(buffer, place, player),
        Pane::Code => panes::code(buffer, place, player),
        Pane::Tree => return panes::tree(buffer, place, view),
        Pane::Footer => panes::footer(buffer, place, view),
    }
    None
}

/// What the story wants of a terminal of this size.
fn wishes(view: &View, area: Rect) -> Wishes {
    /// Lines for header, counters, legend and footer.
    const AROUND: u16 = 5;
    /// Columns for what is below the boards.
    const LEGIBLE: u16 = 44;
    /// Columns and lines for what is said of a square.
    const REASON: (u16, u16) = (90, 6);
    let player = &view.player;
    let story = player.story();
    let count = |items: usize| u16::try_from(items).unwrap_or(u16::MAX - 1);
    let wish = |pane, least, good, most| Wish { pane, least, good, most };
    let list = |pane, items: usize| {
        let whole = count(items).saturating_add(1);
        wish(pane, 2.min(whole), 5.min(whole), whole)
    };
    let sentence = (area.height / 6).clamp(1, 6);
    let room = area.height.saturating_sub(AROUND + sentence);
    let smallest = boards::size(player, (0, 0));
    let largest = boards::size(player, (area.width / 2, room));
    let below = panes::domains_width(player).min(area.width / 2).max(LEGIBLE);
    let main_width = largest.0.max(below.min(area.width.saturating_sub(SIDE)));
    let legend_width = if has_side(area, main_width) { main_width } else { area.width };
    let legend = count(panes::legend(player, legend_width).len());

    let told = wish(
        Pane::Sentence,
        1,
        if area.width < LEGIBLE { 2 } else { 1 }.min(sentence.max(1)),
        sentence.max(2),
    );
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
    let boards = count(story.boards.len().max(1));
    main.push(wish(Pane::Counters, 1, boards, boards));
    if legend > 0 {
        main.push(wish(Pane::Legend, 1, legend.min(3), legend));
    }
    let mut side = Vec::new();
    if !story.nodes.is_empty() {
        side.push(list(Pane::Tree, story.nodes.len()));
    }
    if !story.pseudocode.is_empty() {
        let whole = count(story.pseudocode.len()).saturating_add(1);
        side.push(Wish {
            good: whole.min(area.height / 3).max(5.min(whole)),
            ..list(Pane::Code, story.pseudocode.len())
        });
    }
    let rows = story.boards.iter().filter(|board| board.look != Look::Plain).map(|board| board.rows.len());
    if let Some(rows) = rows.max() {
        main.push(list(Pane::Domains, rows));
    }
    if matches!(view.focus, Focus::Tree(_)) && !has_side(area, main_width) {
        // What is walked in must be seen, at the boards' cost if need be.
        main.insert(0, side.remove(0));
    }
    Wishes { essential, main, side, across, main_width }
}
