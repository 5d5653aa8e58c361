//! The panes beside the boards.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    boards::{filled, is_fresh},
    style,
    text::{first, put, width, window, wrap},
};
use crate::{
    CellState, Player,
    terminal::{commands::HELP, view::View},
};

pub(super) fn header(buffer: &mut Buffer, area: Rect, view: &View) {
    let player = &view.player;
    let place = format!("step {} of {}", player.at() + 1, player.last() + 1);
    let mut state = match view.playing {
        true => format!("{place}  ▶ {}", view.speed()),
        false => format!("{place}  paused"),
    };
    if width(&state) > area.width {
        state = place;
    }
    let room = area.width.saturating_sub(width(&state));
    let mut line = Line::default();
    if room > 1 {
        line.push_span(Span::styled(filled(&player.story().title, room - 1), style::STRONG));
        line.push_span(" ");
    }
    line.push_span(state);
    put(buffer, area, [line]);
}

pub(super) fn sentence(buffer: &mut Buffer, area: Rect, player: &Player) {
    let step = player.step();
    let (name, style) = style::kind(step.kind);
    // Some sentences begin with the name themselves.
    let named = step.words.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let words = if named { step.words.clone() } else { format!("{name}: {}", step.words) };
    let text = first(wrap(&words, area.width), area.height.into(), area.width);
    let line = |(number, text): (usize, String)| match text.split_at_checked(name.len()) {
        Some((kind, rest)) if number == 0 && kind.eq_ignore_ascii_case(name) => {
            Line::from(vec![Span::styled(kind.to_owned(), style), Span::raw(rest.to_owned())])
        }
        _ => Line::raw(text),
    };
    put(buffer, area, text.into_iter().enumerate().map(line));
}

pub(super) fn counters(buffer: &mut Buffer, area: Rect, player: &Player) {
    let boards = &player.story().boards;
    let line = |board: usize| {
        let (now, all) = (player.counts(board), player.totals(board));
        let title = match boards.get(board) {
            Some(each) if boards.len() > 1 => format!("{}: ", each.title),
            _ => String::new(),
        };
        let long = format!(
            "{title}nodes {} of {}, dead ends {} of {}, solutions {} of {}",
            now.nodes, all.nodes, now.dead_ends, all.dead_ends, now.solutions, all.solutions
        );
        let short =
            format!("{title}nodes {}, dead ends {}, solutions {}", now.nodes, now.dead_ends, now.solutions);
        Line::raw(if width(&long) <= area.width { long } else { short })
    };
    put(buffer, area, (0..boards.len().max(1)).map(line));
}

/// The rules with their letters, as many on a line as fit.
pub(super) fn legend(player: &Player, columns: u16) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = Vec::new();
    for rule in &player.story().constraints {
        let entry = [
            Span::styled(format!(" {} ", rule.letter), style::rule(rule.colour)),
            Span::raw(format!(" {}  ", rule.name)),
        ];
        let wide: usize = entry.iter().map(Span::width).sum();
        match lines.last_mut().filter(|line| line.width() + wide <= usize::from(columns) + 2) {
            Some(line) => line.extend(entry),
            None => lines.push(Line::from(entry.to_vec())),
        }
    }
    lines
}

pub(super) fn domains(buffer: &mut Buffer, area: Rect, player: &Player) {
    let which = player.step().board;
    let Some(board) = player.story().boards.get(which) else { return };
    let names = board.rows.iter().map(|row| width(&row.label)).max().unwrap_or(0);
    let value = board.rows.iter().flat_map(|row| &row.cells).map(|label| width(label)).max().unwrap_or(0);
    let list = heading(buffer, area, "What is left of each row");
    let row = |row: usize| {
        let states = player.row(which, row);
        let free = states.iter().filter(|state| !matches!(state, CellState::Out { .. })).count();
        let left = if states.iter().any(|state| is_taken(*state)) { 1 } else { free };
        let style = if row == player.focus() { style::STRONG } else { style::FAINT };
        let mut line =
            Line::from(Span::styled(filled(&board.rows[row].label, names.saturating_add(1)), style));
        line.push_span(format!("{left:>2} "));
        for (cell, (&state, label)) in states.iter().zip(&board.rows[row].cells).enumerate() {
            let text = match state {
                CellState::Out { .. } => format!("{label}{}", style::letter(player, state)),
                _ => label.clone(),
            };
            let style = style::square(player, state, is_fresh(player, which, row, cell));
            line.push_span(Span::styled(filled(&text, value.saturating_add(1)), style));
            line.push_span(" ");
        }
        line
    };
    put(buffer, list, window(board.rows.len(), list.height.into(), player.focus()).map(row));
}

pub(super) fn code(buffer: &mut Buffer, area: Rect, player: &Player) {
    let lines = &player.story().pseudocode;
    let active = player.step().line;
    let list = heading(buffer, area, "Algorithm");
    let line = |number: usize| match number == active {
        true => Line::styled(format!("▸ {}", lines[number]), style::ACTIVE),
        false => Line::raw(format!("  {}", lines[number])),
    };
    put(buffer, list, window(lines.len(), list.height.into(), active).map(line));
}

pub(super) fn tree(buffer: &mut Buffer, area: Rect, view: &View) {
    let player = &view.player;
    let current = player.step().node;
    let nodes = player.outline().lines(player.at(), current, view.unfolded);
    let middle = nodes.iter().position(|line| line.node == current).unwrap_or(0);
    let list = heading(buffer, area, "Search tree");
    // Deep nodes keep half of the width for their words.
    let deepest = usize::from(list.width / 2);
    let line = |number: usize| {
        let node = nodes[number];
        let (mark, style) = style::node(node.status, node.folded > 0);
        let mut line =
            Line::from(Span::styled(format!("{}{mark} ", " ".repeat(node.depth.min(deepest))), style));
        let label = Span::raw(player.story().nodes[node.node].label.clone());
        line.push_span(if node.node == current { label.style(style::ACTIVE) } else { label });
        if node.folded > 0 {
            line.push_span(Span::styled(format!(" +{}", node.folded), style::FAINT));
        }
        line
    };
    put(buffer, list, window(nodes.len(), list.height.into(), middle).map(line));
}

pub(super) fn footer(buffer: &mut Buffer, area: Rect, view: &View) {
    const KEYS: &str =
        "? help  q leave  → ← step  Space play  d D decision  n p solution  b backtrack  + - speed";
    let line = match view.notice.as_str() {
        "" => Line::styled(KEYS, style::FAINT),
        notice => Line::styled(notice, style::STRONG),
    };
    put(buffer, area, [line]);
}

pub(super) fn help(buffer: &mut Buffer, area: Rect) {
    let list = heading(buffer, area, "Keys");
    put(buffer, list, HELP.iter().map(|(key, words)| Line::raw(format!("{key:<13} {words}"))));
}

/// Puts a heading where there is room for one and something below it; says what is left.
fn heading(buffer: &mut Buffer, area: Rect, words: &'static str) -> Rect {
    if area.height < 2 {
        return area;
    }
    put(buffer, area, [Line::styled(words, style::HEADING)]);
    Rect { y: area.y + 1, height: area.height - 1, ..area }
}

fn is_taken(state: CellState) -> bool {
    matches!(state, CellState::Chosen | CellState::Given)
}
