//! The panes beside the boards.

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    text::{Line, Span},
};

use super::{
    boards::{filled, is_fresh},
    style,
    text::{first, put, width, window, wrap},
};
use crate::{
    Board, CellState, Look, Player,
    terminal::{commands::HELP, focus::Focus, view::View},
};

pub(super) fn header(buffer: &mut Buffer, area: Rect, view: &View) {
    let player = &view.player;
    let place = format!("step {} of {}", player.at() + 1, player.last() + 1);
    let playing = if view.playing { format!("▶ {}", view.speed()) } else { "paused".to_owned() };
    let score = view.prediction.score().map_or(String::new(), |score| format!("{score}  "));
    // The longest that fits.
    let states = [format!("{score}{place}  {playing}"), format!("{place}  {playing}"), place];
    let state = states.iter().find(|state| width(state) <= area.width).unwrap_or(&states[2]);
    let room = area.width.saturating_sub(width(state));
    let mut line = Line::default();
    if room > 1 {
        line.push_span(Span::styled(filled(&player.story().title, room - 1), style::STRONG));
        line.push_span(" ");
    }
    line.push_span(state.as_str());
    put(buffer, area, [line]);
}

pub(super) fn sentence(buffer: &mut Buffer, area: Rect, player: &Player) {
    let step = player.step();
    let (name, style) = style::kind(step.kind);
    // Some sentences begin with the name themselves.
    let named = step.words.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let words = if named { step.words.clone() } else { format!("{name}: {}", step.words) };
    // Of two methods, which one speaks.
    let speaker = match player.story().boards.as_slice() {
        boards if boards.len() > 1 => format!("{} · ", boards[step.board].title),
        _ => String::new(),
    };
    let text = first(wrap(&format!("{speaker}{words}"), area.width), area.height.into(), area.width);
    let split = |text: &str| {
        let (kind, rest) = text.strip_prefix(&speaker)?.split_at_checked(name.len())?;
        kind.eq_ignore_ascii_case(name).then(|| (kind.to_owned(), rest.to_owned()))
    };
    let line = |(number, text): (usize, String)| match split(&text).filter(|_| number == 0) {
        Some((kind, rest)) => {
            Line::from(vec![Span::raw(speaker.clone()), Span::styled(kind, style), Span::raw(rest)])
        }
        None => Line::raw(text),
    };
    put(buffer, area, text.into_iter().enumerate().map(line));
}

/// Why what is pointed at is as it is: a paragraph for each square, with the letter of its rule.
pub(super) fn why(buffer: &mut Buffer, area: Rect, view: &View) {
    let Focus::Board(cursor) = view.focus else { return };
    let words = cursor.why(&view.player).join("\n");
    let lines = first(wrap(&words, area.width), area.height.into(), area.width);
    put(buffer, area, lines.into_iter().map(|line| Line::styled(line, style::STRONG)));
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
            "nodes {} of {}, dead ends {} of {}, solutions {} of {}",
            now.nodes, all.nodes, now.dead_ends, all.dead_ends, now.solutions, all.solutions
        );
        let short = format!("nodes {}, dead ends {}, solutions {}", now.nodes, now.dead_ends, now.solutions);
        let fits = |counts: &str| width(&title).saturating_add(width(counts)) <= area.width;
        let counts = if fits(&long) { long } else { short };
        // The title rather than the counts is cut short.
        let room = width(&title).min(area.width.saturating_sub(width(&counts)));
        let gap = u16::from(room > 0);
        Line::raw(filled(&title, room - gap) + &" ".repeat(gap.into()) + &counts)
    };
    put(buffer, area, (0..boards.len().max(1)).map(line));
}

/// What squares show at some step: how they are taken, and the letters of the rules they are out by. As
/// many on a line as fit.
pub(super) fn legend(player: &Player, columns: u16) -> Vec<Line<'static>> {
    let queens = player.story().boards.iter().any(|board| board.look == Look::Queens);
    let (large, small) = if queens { ('Q', 'q') } else { ('5', '5') };
    let entry = |&state: &CellState| {
        let (mark, words) = match state {
            CellState::Free => return None,
            CellState::Chosen => (large, "chosen"),
            CellState::Given => (large, "given"),
            CellState::Forced => (small, "forced: nothing else was left"),
            CellState::Out { .. } => {
                (style::letter(player, state), player.rule(state).map_or("out", |rule| &rule.name))
            }
        };
        let mark = Span::styled(format!(" {mark} "), style::square(player, state, false));
        Some(vec![mark, Span::raw(format!(" {words}"))])
    };
    on_lines(player.states().iter().filter_map(entry), columns)
}

/// Entries in lines, as many on each as fit.
fn on_lines(entries: impl IntoIterator<Item = Vec<Span<'static>>>, columns: u16) -> Vec<Line<'static>> {
    const GAP: &str = "  ";
    let mut lines: Vec<Line<'static>> = Vec::new();
    for entry in entries {
        let wide = GAP.len() + entry.iter().map(Span::width).sum::<usize>();
        match lines.last_mut().filter(|line| line.width() + wide <= usize::from(columns)) {
            Some(line) => {
                line.push_span(GAP);
                line.extend(entry);
            }
            None => lines.push(Line::from(entry)),
        }
    }
    lines
}

/// The columns of the domains of the widest board that shows them.
pub(super) fn domains_width(player: &Player) -> u16 {
    let columns = |board: &Board| {
        let values = board.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let values = u16::try_from(values).unwrap_or(u16::MAX);
        let (name, value) = widths(board);
        value.saturating_add(2).saturating_mul(values).saturating_add(name.saturating_add(4))
    };
    let boards = player.story().boards.iter().filter(|board| board.look != Look::Plain);
    boards.map(columns).max().unwrap_or(0)
}

/// The widest name of a row and the widest label of a square.
fn widths(board: &Board) -> (u16, u16) {
    let names = board.rows.iter().map(|row| width(&row.label));
    let values = board.rows.iter().flat_map(|row| &row.cells).map(|label| width(label));
    (names.max().unwrap_or(0), values.max().unwrap_or(0))
}

/// Draws what is left of each row of the board that is walked about, or that the step is about.
pub(super) fn domains(buffer: &mut Buffer, area: Rect, view: &View) {
    let player = &view.player;
    let (which, middle) = match view.focus {
        Focus::Board(cursor) => (cursor.board, cursor.row),
        _ => (player.step().board, player.focus()),
    };
    let Some(board) = player.story().boards.get(which) else { return };
    let (names, value) = widths(board);
    let list = heading(buffer, area, "What is left of each row");
    let row = |row: usize| {
        let states = player.row(which, row);
        let free = states.iter().filter(|state| !state.is_out()).count();
        let left = if states.iter().any(|state| state.is_taken()) { 1 } else { free };
        let style = match row == middle {
            _ if left == 0 => style::BAD,
            true => style::STRONG,
            false => style::FAINT,
        };
        let mut line =
            Line::from(Span::styled(filled(&board.rows[row].label, names.saturating_add(1)), style));
        // A row without a square is a dead end.
        match left {
            0 => line.extend([Span::styled("!0", style::BAD), Span::raw(" ")]),
            _ => line.push_span(format!("{left:>2} ")),
        }
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
    put(buffer, list, window(board.rows.len(), list.height.into(), middle).map(row));
}

pub(super) fn code(buffer: &mut Buffer, area: Rect, player: &Player) {
    let active = player.step().line;
    let list = heading(buffer, area, "Algorithm");
    let lines = code_lines(player, list.width);
    let line = |line: usize| match &lines[line] {
        (number, text) if *number == active => Line::styled(text.as_str(), style::ACTIVE),
        (_, text) => Line::raw(text.as_str()),
    };
    let middle = lines.iter().position(|(number, _)| *number == active).unwrap_or(0);
    put(buffer, list, window(lines.len(), list.height.into(), middle).map(line));
}

/// The algorithm in lines of a width, each with the number of the one it is part of. What is broken goes on
/// under its own beginning.
fn code_lines(player: &Player, columns: u16) -> Vec<(usize, String)> {
    let active = player.step().line;
    let mut lines = Vec::new();
    for (number, line) in player.story().pseudocode.iter().enumerate() {
        let words = line.trim_start();
        // Not deeper than leaves half of the width to the words.
        let indent = width(line).saturating_sub(width(words)).min(columns / 4);
        let mark = if number == active { "▸ " } else { "  " };
        let blank = " ".repeat(indent.into());
        if words.is_empty() {
            lines.push((number, String::new()));
        }
        let parts = wrap(words, columns.saturating_sub(indent + 4).max(1)).into_iter().enumerate();
        lines.extend(parts.map(|(part, words)| match part {
            0 => (number, format!("{mark}{blank}{words}")),
            _ => (number, format!("    {blank}{words}")),
        }));
    }
    lines
}

/// The lines that the whole algorithm takes.
pub(super) fn code_height(player: &Player, columns: u16) -> usize {
    code_lines(player, columns).len()
}

/// Draws the outline; says where the node is that is pointed at.
pub(super) fn tree(buffer: &mut Buffer, area: Rect, view: &View) -> Option<Position> {
    let player = &view.player;
    let current = player.step().node;
    let nodes = view.outline();
    let pointed = match view.focus {
        Focus::Tree(node) => nodes.iter().position(|line| line.node == node),
        _ => None,
    };
    let middle = pointed.or_else(|| nodes.iter().position(|line| line.node == current)).unwrap_or(0);
    let list = heading(buffer, area, "Search tree");
    let list = tree_key(buffer, list);
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
        if pointed == Some(number) {
            line.push_span(Span::styled(" ‹", style::STRONG));
        }
        line
    };
    let shown = window(nodes.len(), list.height.into(), middle);
    put(buffer, list, shown.clone().map(line));
    let number = pointed.filter(|number| shown.contains(number))?;
    let indent = u16::try_from(nodes[number].depth.min(deepest)).unwrap_or(u16::MAX);
    let down = u16::try_from(number - shown.start).unwrap_or(u16::MAX);
    Some(Position::new(list.x.saturating_add(indent), list.y.saturating_add(down)))
}

/// Puts what the marks mean at the foot of a tree that is high enough; says what is left.
fn tree_key(buffer: &mut Buffer, area: Rect) -> Rect {
    const KEY: [&str; 5] =
        ["• open", "◆ solutions below", "✓ solution", "✗ failed", "▸ +13: 13 folded below"];
    let key = on_lines(KEY.map(|entry| vec![Span::styled(entry, style::FAINT)]), area.width);
    let height = u16::try_from(key.len()).unwrap_or(u16::MAX);
    if area.height < height.saturating_mul(4) {
        return area;
    }
    let left = area.height - height;
    let place = Rect { y: area.y + left, height, ..area };
    put(buffer, place, key);
    Rect { height: left, ..area }
}

pub(super) fn footer(buffer: &mut Buffer, area: Rect, view: &View) {
    const STEPS: &str = "? help  q leave  → ← step  Tab board  Space play  d D decision  n p solution  \
                         b backtrack  g guess  + - speed";
    const BOARD: &str = "→ ← ↑ ↓ walk  Esc leave the board  . , step  Tab on  ? help";
    const ASKED: &str = "Which square comes next?  → ← ↑ ↓ walk  Enter answers  . shows it";
    const TREE: &str = "↑ ↓ walk  Enter go there  Esc leave the tree  u unfold  ? help";
    let hints = match (view.focus, view.prediction.question) {
        (_, Some(_)) => ASKED,
        (Focus::Steps, _) => STEPS,
        (Focus::Board(_), _) => BOARD,
        (Focus::Tree(_), _) => TREE,
    };
    let hints_style = if view.prediction.question.is_some() { style::STRONG } else { style::FAINT };
    let line = match view.notice.as_str() {
        "" => Line::styled(fitting(hints, area.width), hints_style),
        notice => Line::styled(notice, style::STRONG),
    };
    put(buffer, area, [line]);
}

/// As many hints as fit, and at least one.
fn fitting(hints: &str, columns: u16) -> String {
    let hints: Vec<&str> = hints.split("  ").collect();
    let fits = |count: &usize| width(&hints[..*count].join("  ")) <= columns;
    hints[..(1..=hints.len()).rev().find(fits).unwrap_or(1)].join("  ")
}

/// The keys: in two columns where that helps and there is room, or from the `first` on.
pub(super) fn help(buffer: &mut Buffer, area: Rect, first: usize) {
    /// The columns of a key, and of a key with what it does.
    const KEY: u16 = 14;
    const ENTRY: u16 = 54;
    let entry = |(key, words): &(&str, &str), columns: u16| -> Vec<Line<'static>> {
        let lines = wrap(words, columns.saturating_sub(KEY)).into_iter().enumerate();
        let line = |(line, words)| format!("{}{words}", filled(if line == 0 { key } else { "" }, KEY));
        lines.map(line).map(Line::raw).collect()
    };
    let list = |keys: &[(&str, &str)], columns| keys.iter().flat_map(|key| entry(key, columns)).collect();
    let room = usize::from(area.height.saturating_sub(1));
    let all: Vec<Line> = list(&HELP, area.width);
    if all.len() <= room {
        let place = heading(buffer, area, "Keys");
        return put(buffer, place, all);
    }
    let (left, right) = HELP.split_at(HELP.len().div_ceil(2));
    if area.width >= 2 * ENTRY && left.len() <= room {
        let place = heading(buffer, area, "Keys");
        put(buffer, place, list(left, ENTRY));
        let place = Rect { x: place.x + ENTRY, width: place.width - ENTRY, ..place };
        return put(buffer, place, list(right, ENTRY));
    }
    let place = heading(buffer, area, "Keys, ↑ ↓ for more");
    put(buffer, place, list(&HELP[first.min(HELP.len() - 1)..], area.width));
}

/// Puts a heading where there is room for one and something below it; says what is left.
fn heading(buffer: &mut Buffer, area: Rect, words: &'static str) -> Rect {
    if area.height < 2 {
        return area;
    }
    put(buffer, area, [Line::styled(words, style::HEADING)]);
    Rect { y: area.y + 1, height: area.height - 1, ..area }
}
