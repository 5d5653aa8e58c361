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
    Boxes::of(board, side, room).size()
}

/// How the boxes are drawn.
#[derive(Clone, Copy, Debug)]
struct Boxes {
    side: usize,
    /// The columns and lines of a box with the space behind it.
    one: (u16, u16),
    /// The boxes on a side of a block, with lines between blocks; none for no lines.
    block: Option<usize>,
}

/// Between two blocks.
const LINE: &str = "│ ";

impl Boxes {
    /// The largest that fits: with all candidates and with lines, if there is room.
    fn of(board: &Board, side: usize, room: (u16, u16)) -> Boxes {
        let cells = board.rows.iter().flat_map(|row| &row.cells);
        let value = cells.map(|label| width(label)).max().unwrap_or(1).max(1);
        let across = candidates_across(board);
        let wide = across.saturating_add(1);
        let block = Some(side.isqrt()).filter(|&block| block > 1 && block * block == side);
        let small = (value.saturating_add(1), 1);
        let kinds = [((wide, wide), block), ((wide, across), block), (small, block), (small, None)];
        let kinds = &kinds[if value == 1 && across > 1 { 0 } else { 2 }..];
        let mut kinds = kinds.iter().map(|&(one, block)| Boxes { side, one, block });
        let fits = |boxes: &Boxes| boxes.size().0 <= room.0 && boxes.size().1 <= room.1;
        let few_lines = Boxes { side, one: small, block: None };
        let last = if few_lines.size().0 <= room.0 { few_lines } else { Boxes { one: (1, 1), ..few_lines } };
        kinds.find(fits).unwrap_or(last)
    }

    fn size(self) -> (u16, u16) {
        let (x, y) = self.place(self.side, self.side);
        // No line is behind the last block.
        let line = |length: usize| u16::from(self.block.is_some()) * u16::try_from(length).unwrap_or(0);
        (x.saturating_sub(line(width(LINE).into())), y.saturating_sub(line(1)))
    }

    /// Where a box is, counted in boxes from the left and the top.
    fn place(self, left: usize, top: usize) -> (u16, u16) {
        let lines = |number: usize| self.block.map_or(0, |block| number / block);
        let place = |number: usize, one: u16, line: u16| {
            u16::try_from(number * usize::from(one) + lines(number) * usize::from(line)).unwrap_or(u16::MAX)
        };
        (place(left, self.one.0, width(LINE)), place(top, self.one.1, 1))
    }

    /// Whether a line is before a box, counted from the left or the top.
    fn is_line_before(self, number: usize) -> bool {
        self.block.is_some_and(|block| number > 0 && number.is_multiple_of(block))
    }

    /// A line across, below a row of blocks.
    fn line(self) -> Line<'static> {
        let before = |left| if self.is_line_before(left) { "┼─" } else { "" };
        let one = "─".repeat(self.one.0.into());
        Line::styled(
            (0..self.side).map(|left| format!("{}{one}", before(left))).collect::<String>(),
            style::FAINT,
        )
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
    let boxes = Boxes::of(board, side, (area.width, area.height));
    let (columns, height) = boxes.one;
    let focus = if which == player.step().board { player.focus() } else { 0 };
    let middle = cursor.map_or(focus, |cursor| cursor.row);
    // With lines the whole square fits.
    let count = |room: u16, one: u16| boxes.block.map_or(usize::from(room / one.max(1)).max(1), |_| side);
    let across = window(side, count(area.width, columns), middle % side);
    let down = window(side, count(area.height, height), middle / side);
    let mut lines = Vec::new();
    for top in down.clone() {
        if boxes.is_line_before(top) {
            lines.push(boxes.line());
        }
        for line in 0..height {
            let mut drawn = Line::default();
            for left in across.clone() {
                let row = top * side + left;
                let is_pointed = cursor.is_some_and(|cursor| cursor.row == row);
                if boxes.is_line_before(left) {
                    drawn.push_span(Span::styled(LINE, style::FAINT));
                }
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
    let value = value.and_then(|cell| u16::try_from(cell).ok());
    let within = value.map_or(((inner - 1) / 2, (height - 1) / 2), |cell| (cell % inner, cell / inner));
    let (x, y) = boxes.place(cursor.row % side, cursor.row / side);
    let (first_x, first_y) = boxes.place(across.start, down.start);
    Some(Position {
        x: area.x.saturating_add(x - first_x).saturating_add(within.0),
        y: area.y.saturating_add(y - first_y).saturating_add(within.1),
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
    states.iter().position(|state| state.is_taken())
}
