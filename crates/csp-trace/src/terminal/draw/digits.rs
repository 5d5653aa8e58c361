//! A square of boxes, one for each row of the board: with all candidates where there is room, else a
//! character each.

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    text::{Line, Span},
};

use super::{
    boards::{centred, is_fresh, marked},
    style,
    text::{put, width, window},
};
use crate::{Board, CellState, Look, Player, Row, terminal::focus::Cursor};

/// The boxes on a side, if the board is a square of boxes.
pub(in crate::terminal) fn side(board: &Board) -> Option<usize> {
    let side = board.rows.len().isqrt();
    (board.look == Look::Digits && side > 0 && side * side == board.rows.len()).then_some(side)
}

/// The columns and lines of the square.
pub(super) fn size(board: &Board, side: usize, room: (u16, u16)) -> (u16, u16) {
    let (columns, lines) = box_size(board, side, room);
    let all = |one: u16| u16::try_from(side).unwrap_or(u16::MAX).saturating_mul(one);
    (all(columns), all(lines))
}

/// The columns and lines of a box with the space behind it: with its candidates, if all fit.
fn box_size(board: &Board, side: usize, room: (u16, u16)) -> (u16, u16) {
    let across = candidates_across(board);
    let large = (across.saturating_add(1), across.saturating_add(1));
    let fits = |one: u16, room: u16| usize::from(one).saturating_mul(side) <= usize::from(room);
    let has_digits = board.rows.iter().flat_map(|row| &row.cells).all(|label| width(label) <= 1);
    match has_digits && fits(large.0, room.0) && fits(large.1, room.1) {
        true => large,
        false if fits(2, room.0) => (2, 1),
        false => (1, 1),
    }
}

/// The candidates beside each other in a box.
fn candidates_across(board: &Board) -> u16 {
    let most = board.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let root = most.isqrt();
    u16::try_from(root + usize::from(root * root < most)).unwrap_or(u16::MAX)
}

/// Draws the square; says where the box is that is pointed at.
pub(super) fn draw(
    buffer: &mut Buffer,
    area: Rect,
    player: &Player,
    which: usize,
    side: usize,
    cursor: Option<Cursor>,
) -> Option<Position> {
    let board = &player.story().boards[which];
    let (columns, height) = box_size(board, side, (area.width, area.height));
    let focus = if which == player.step().board { player.focus() } else { 0 };
    let middle = cursor.map_or(focus, |cursor| cursor.row);
    let count = |room: u16, one: u16| usize::from(room / one.max(1)).max(1);
    let across = window(side, count(area.width, columns), middle % side);
    let down = window(side, count(area.height, height), middle / side);
    let mut lines = Vec::new();
    for top in down.clone() {
        for line in 0..height {
            let mut drawn = Line::default();
            for left in across.clone() {
                let row = top * side + left;
                let is_pointed = cursor.is_some_and(|cursor| cursor.row == row);
                match height {
                    1 => drawn.push_span(small(player, which, row, columns, is_pointed)),
                    _ => drawn.extend(large(player, which, row, line, columns, is_pointed)),
                }
            }
            lines.push(drawn);
        }
    }
    put(buffer, area, lines);
    let cursor = cursor?;
    // The value that is pointed at, or the middle of the box.
    let inner = columns.saturating_sub(1).max(1);
    let value = cursor.cell.filter(|_| height > 1 && taken(player.row(which, cursor.row)).is_none());
    let (line, column) = match value {
        Some(cell) => (cell / usize::from(inner), cell % usize::from(inner)),
        None => (usize::from((height - 1) / 2), usize::from((inner - 1) / 2)),
    };
    let at = |number: usize, start: usize, size: u16, within: usize| {
        u16::try_from((number - start) * usize::from(size) + within).unwrap_or(u16::MAX)
    };
    Some(Position {
        x: area.x.saturating_add(at(cursor.row % side, across.start, columns, column)),
        y: area.y.saturating_add(at(cursor.row / side, down.start, height, line)),
    })
}

/// A box in one character: its digit, a dot, or an exclamation mark if nothing is left.
fn small(player: &Player, which: usize, row: usize, columns: u16, is_pointed: bool) -> Span<'static> {
    let cells = &player.story().boards[which].rows[row].cells;
    let states = player.row(which, row);
    let fresh = (0..cells.len()).any(|cell| is_fresh(player, which, row, cell));
    let (text, state) = match taken(states) {
        Some(cell) => (cells[cell].as_str(), states[cell]),
        None if states.contains(&CellState::Free) => ("·", CellState::Free),
        None => ("!", CellState::Out { rule: 0 }),
    };
    let text = if is_pointed { marked(text, columns) } else { text.to_owned() };
    Span::styled(centred(&text, columns), style::square(player, state, fresh))
}

/// A line of a box with its candidates.
fn large(
    player: &Player,
    which: usize,
    row: usize,
    line: u16,
    columns: u16,
    is_pointed: bool,
) -> Vec<Span<'static>> {
    let Row { cells, .. } = &player.story().boards[which].rows[row];
    let (states, across) = (player.row(which, row), columns - 1);
    let behind = if is_pointed && line == across / 2 { "‹" } else { " " };
    if let Some(cell) = taken(states) {
        let text = if line == across / 2 { cells[cell].as_str() } else { "" };
        let style = style::square(player, states[cell], is_fresh(player, which, row, cell));
        let blank = if line < across {
            Span::styled(centred(text, across), style)
        } else {
            " ".repeat(across.into()).into()
        };
        return vec![blank, behind.into()];
    }
    let first = usize::from(line) * usize::from(across);
    let mut spans: Vec<Span> = (first..first + usize::from(across))
        .map(|cell| match states.get(cell).filter(|_| line < across) {
            None => " ".into(),
            Some(&state) => {
                let text = match state {
                    CellState::Out { .. } => style::letter(player, state).to_string(),
                    _ => cells[cell].clone(),
                };
                Span::styled(
                    centred(&text, 1),
                    style::square(player, state, is_fresh(player, which, row, cell)),
                )
            }
        })
        .collect();
    spans.push(behind.into());
    spans
}

/// The value that was taken.
fn taken(states: &[CellState]) -> Option<usize> {
    states.iter().position(|state| matches!(state, CellState::Chosen | CellState::Given))
}
