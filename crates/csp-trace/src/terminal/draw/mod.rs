//! Draws the view: what each pane wants, where the layout puts it, and what it shows.

mod boards;
mod digits;
mod layout;
mod panes;
mod style;
mod text;
mod wishes;

use ratatui::{
    Frame,
    layout::{Position, Rect},
};

use super::view::View;
pub(super) use digits::side;
use layout::{Pane, layout};
use wishes::wishes;

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
        Pane::Domains => panes::domains(buffer, place, view),
        Pane::Code => panes::code(buffer, place, player),
        Pane::Tree => return panes::tree(buffer, place, view),
        Pane::Footer => panes::footer(buffer, place, view),
    }
    None
}
