//! Colours and marks. Whatever a colour says, a letter or a mark says too.

use ratatui::style::{Color, Modifier, Style};

use crate::{CellState, Kind, Player, Status};

/// For black letters; of the sixteen that every terminal has.
const RULES: [Color; 8] = [
    Color::LightYellow,
    Color::LightCyan,
    Color::LightMagenta,
    Color::LightGreen,
    Color::LightRed,
    Color::Gray,
    Color::LightBlue,
    Color::White,
];

pub(super) const FAINT: Style = Style::new().add_modifier(Modifier::DIM);
pub(super) const HEADING: Style =
    Style::new().add_modifier(Modifier::BOLD).add_modifier(Modifier::UNDERLINED);
pub(super) const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);
/// What is a dead end.
pub(super) const BAD: Style = Style::new().fg(Color::Black).bg(Color::LightRed).add_modifier(Modifier::BOLD);
pub(super) const ACTIVE: Style = Style::new().add_modifier(Modifier::REVERSED);

/// The colour of a rule.
pub(super) fn rule(colour: u8) -> Style {
    Style::new().fg(Color::Black).bg(RULES[usize::from(colour) % RULES.len()])
}

/// How a square looks, and whether this step changed it.
pub(super) fn square(player: &Player, state: CellState, is_fresh: bool) -> Style {
    let style = match state {
        CellState::Free if is_fresh => Style::new(),
        CellState::Free => FAINT,
        CellState::Chosen => ACTIVE.patch(STRONG),
        CellState::Given => STRONG.add_modifier(Modifier::UNDERLINED),
        // Neither reversed as a chosen one nor underlined as a given one, also while it is new.
        CellState::Forced if is_fresh => return STRONG.add_modifier(Modifier::ITALIC),
        CellState::Forced => Style::new().add_modifier(Modifier::ITALIC),
        CellState::Out { .. } => rule(player.rule(state).map_or(0, |rule| rule.colour)),
    };
    match is_fresh {
        true => style.add_modifier(Modifier::BOLD).add_modifier(Modifier::UNDERLINED),
        false => style,
    }
}

/// The letter of who ruled a square out.
pub(super) fn letter(player: &Player, state: CellState) -> char {
    player.rule(state).map_or('×', |rule| rule.letter)
}

/// The name of a kind of step and how it looks: black on a colour, to be read on light and dark alike.
pub(super) fn kind(kind: Kind) -> (&'static str, Style) {
    let (name, colour) = match kind {
        Kind::Start => ("Start", None),
        Kind::Choice => ("Choice", Some(Color::LightCyan)),
        Kind::Removal => ("Removal", Some(Color::LightYellow)),
        Kind::DeadEnd => ("Dead end", Some(Color::LightRed)),
        Kind::Undo => ("Undo", Some(Color::LightMagenta)),
        Kind::Solution => ("Solution", Some(Color::LightGreen)),
        Kind::Fixpoint => ("Fixpoint", Some(Color::LightBlue)),
        Kind::End => ("End", None),
    };
    let style = colour.map_or(Style::new(), |colour| Style::new().fg(Color::Black).bg(colour));
    (name, style.patch(STRONG))
}

/// The mark and the colour of a node.
pub(super) fn node(status: Status, is_folded: bool) -> (char, Style) {
    match status {
        Status::Failed if is_folded => ('▸', Style::new().fg(Color::Red)),
        Status::Failed => ('✗', Style::new().fg(Color::Red)),
        Status::Solved => ('✓', Style::new().fg(Color::Green)),
        Status::Branch => ('◆', Style::new().fg(Color::Green)),
        Status::Open => ('•', Style::new()),
    }
}
