//! Draws the view: what each pane wants, where the layout puts it, and what it shows.

mod boards;
mod digits;
mod layout;
mod panes;
mod style;
mod text;

use ratatui::{Frame, layout::Rect};

use super::view::View;
use crate::{Look, Player};
use layout::{Pane, SIDE, Wish, Wishes, has_side, layout};

pub(super) fn draw(frame: &mut Frame, view: &View) {
    let area = frame.area();
    let buffer = frame.buffer_mut();
    if view.helping {
        return panes::help(buffer, area);
    }
    let player = &view.player;
    for (pane, place) in layout(area, &wishes(player, area)) {
        match pane {
            Pane::Header => panes::header(buffer, place, view),
            Pane::Sentence => panes::sentence(buffer, place, player),
            Pane::Boards => boards::draw(buffer, place, player),
            Pane::Counters => panes::counters(buffer, place, player),
            Pane::Legend => text::put(buffer, place, panes::legend(player, place.width)),
            Pane::Domains => panes::domains(buffer, place, player),
            Pane::Code => panes::code(buffer, place, player),
            Pane::Tree => panes::tree(buffer, place, view),
            Pane::Footer => panes::footer(buffer, place, view),
        }
    }
}

/// What the story wants of a terminal of this size.
fn wishes(player: &Player, area: Rect) -> Wishes {
    /// Lines for header, counters, legend and footer.
    const AROUND: u16 = 5;
    /// Columns for what is below the boards.
    const LEGIBLE: u16 = 44;
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
    let main_width = largest.0.max(LEGIBLE.min(area.width.saturating_sub(SIDE)));
    let legend_width = if has_side(area, main_width) { main_width } else { area.width };
    let legend = count(panes::legend(player, legend_width).len());

    let across = vec![
        wish(Pane::Sentence, 1, if area.width < 40 { 2 } else { 1 }, sentence.max(2)),
        wish(Pane::Header, 1, 1, 1),
        wish(Pane::Footer, 1, 1, 1),
    ];
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
    Wishes { across, main, side, main_width }
}
