//! The boards, as large as they fit. One that is larger than its place is seen through a window around
//! the row the step is about.

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    text::{Line, Span},
};

use super::{
    digits, style,
    text::{put, width, window, wrap},
};
use crate::{
    Board, CellState, Look, Player,
    terminal::{
        focus::{Cursor, Focus},
        view::View,
    },
};

/// Between two boards.
const GAP: u16 = 3;

/// How the rows of a board are drawn.
#[derive(Clone, Copy, Debug)]
struct Grid {
    /// The columns and lines of a square.
    square: (u16, u16),
    /// The columns of the rows' names; none for no names.
    label: u16,
    /// The lines of the columns' names.
    head: u16,
}

/// The size of all boards side by side: as large as fits into `(columns, lines)`, or else as small as can be.
pub(super) fn size(player: &Player, room: (u16, u16)) -> (u16, u16) {
    let boards = &player.story().boards;
    let count = u16::try_from(boards.len()).unwrap_or(u16::MAX).max(1);
    let share = (room.0.saturating_sub(GAP.saturating_mul(count - 1)) / count, room.1);
    let mut size = (GAP.saturating_mul(count - 1), 0);
    for board in boards {
        let (columns, lines) = board_size(board, share, boards.len() > 1);
        size = (size.0.saturating_add(columns), size.1.max(lines));
    }
    size
}

/// Draws the boards side by side, or only the one that is walked about or the step is about. Says where
/// the square is that is pointed at.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, view: &View) -> Option<Position> {
    let (player, boards) = (&view.player, &view.player.story().boards);
    let cursor = match view.focus {
        Focus::Board(cursor) => Some(cursor),
        _ => None,
    };
    if size(player, (0, 0)).0 > area.width {
        let which = cursor.map_or(player.step().board, |cursor| cursor.board);
        return draw_board(buffer, area, player, which, cursor);
    }
    let count = u16::try_from(boards.len()).unwrap_or(u16::MAX).max(1);
    let share = (area.width - GAP.saturating_mul(count - 1)) / count;
    let mut x = area.x;
    let mut position = None;
    for which in 0..boards.len() {
        let place = Rect { x, width: share, ..area };
        let cursor = cursor.filter(|cursor| cursor.board == which);
        position = draw_board(buffer, place, player, which, cursor).or(position);
        x += share + GAP;
    }
    position
}

fn board_size(board: &Board, room: (u16, u16), titled: bool) -> (u16, u16) {
    let title = u16::from(titled);
    let room = (room.0, room.1.saturating_sub(title));
    let (columns, lines) = match digits::side(board) {
        _ if board.rows.is_empty() => (24, 2),
        Some(side) => digits::size(board, side, room),
        None => Grid::of(board, room).size(board),
    };
    (columns, lines.saturating_add(title))
}

fn draw_board(
    buffer: &mut Buffer,
    mut area: Rect,
    player: &Player,
    which: usize,
    cursor: Option<Cursor>,
) -> Option<Position> {
    let boards = &player.story().boards;
    let board = &boards[which];
    if boards.len() > 1 && area.height > 1 {
        let is_active = which == player.step().board;
        let style = if is_active { style::HEADING } else { style::FAINT };
        put(buffer, area, [Line::styled(board.title.clone(), style)]);
        area = Rect { y: area.y + 1, height: area.height - 1, ..area };
    }
    if board.rows.is_empty() {
        let words = wrap("No variable has few enough values to show.", area.width);
        put(buffer, area, words.into_iter().map(|line| Line::styled(line, style::FAINT)));
        return None;
    }
    match digits::side(board) {
        Some(side) => digits::draw(buffer, area, player, which, side, cursor),
        None => Grid::of(board, (area.width, area.height)).draw(buffer, area, player, which, cursor),
    }
}

impl Grid {
    /// The largest that fits, or the smallest.
    fn of(board: &Board, room: (u16, u16)) -> Grid {
        let names = board.rows.iter().map(|row| width(&row.label)).max().unwrap_or(0).saturating_add(1);
        let value = board.rows.iter().flat_map(|row| &row.cells).map(|label| width(label)).max().unwrap_or(0);
        let small = |square, label| Grid { square, label, head: 0 };
        let plain = small((value.saturating_add(2), 1), names);
        // Where not all lines fit, the columns shall.
        let (large, narrow) = match board.look {
            Look::Queens => {
                let head = |columns| u16::from(columns > value);
                let grid = |square: (u16, u16)| Grid { square, label: names, head: head(square.0) };
                let squares = [(6, 3), (4, 2), (2, 1)].map(grid);
                (squares.to_vec(), [small((2, 1), names), small((2, 1), 0), small((1, 1), 0)])
            }
            // Where no row fits either, its name is better than one more of its squares.
            Look::Plain | Look::Digits => (vec![plain], [plain, small(plain.square, 0), plain]),
        };
        let fits_across = |grid: &&Grid| grid.size(board).0 <= room.0;
        let fits = |grid: &&Grid| fits_across(grid) && grid.size(board).1 <= room.1;
        let found = large.iter().chain(&narrow[1..]).find(fits).or_else(|| narrow.iter().find(fits_across));
        found.copied().unwrap_or(narrow[2])
    }

    fn size(self, board: &Board) -> (u16, u16) {
        let count = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        let squares = board.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let columns = self.square.0.saturating_mul(count(squares)).saturating_add(self.label);
        let lines = self.square.1.saturating_mul(count(board.rows.len())).saturating_add(self.head);
        (columns, lines)
    }

    fn draw(
        self,
        buffer: &mut Buffer,
        area: Rect,
        player: &Player,
        which: usize,
        cursor: Option<Cursor>,
    ) -> Option<Position> {
        let board = &player.story().boards[which];
        let focus = if which == player.step().board { player.focus() } else { 0 };
        let middle = cursor.map_or(focus, |cursor| cursor.row);
        let pointed = cursor.and_then(|cursor| Some((cursor.row, cursor.cell?)));
        let is_pointed = |row, cell| pointed == Some((row, cell));
        let rows = usize::from(area.height.saturating_sub(self.head) / self.square.1).max(1);
        let squares = usize::from(area.width.saturating_sub(self.label) / self.square.0).max(1);
        let widest = board.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let near = pointed.map_or_else(|| queen_near(player, which, focus), |(_, cell)| cell);
        let columns = window(widest, squares, near);
        let rows = window(board.rows.len(), rows, middle);
        let strong = |is_pointed| if is_pointed { style::STRONG } else { style::FAINT };
        let mut lines = Vec::new();
        if self.head > 0 {
            let mut line = Line::raw(" ".repeat(usize::from(self.label)));
            let head = board.rows.first().and_then(|row| row.cells.get(columns.clone())).unwrap_or_default();
            line.extend(columns.clone().zip(head).map(|(cell, label)| {
                let is_pointed = pointed.is_some_and(|pointed| pointed.1 == cell);
                Span::styled(centred(label, self.square.0), strong(is_pointed))
            }));
            lines.push(line);
        }
        for row in rows.clone() {
            for line in 0..self.square.1 {
                let is_middle = line == self.square.1 / 2;
                let name = if is_middle { board.rows[row].label.as_str() } else { "" };
                let style = strong(pointed.is_some_and(|pointed| pointed.0 == row));
                let mut drawn = Line::from(Span::styled(filled(name, self.label), style));
                for cell in columns.clone().take_while(|&cell| cell < board.rows[row].cells.len()) {
                    let state = player.state(which, row, cell);
                    let text = match self.text(player, state, &board.rows[row].cells[cell], board.look) {
                        _ if !is_middle => String::new(),
                        text if is_pointed(row, cell) => marked(&text, self.square.0),
                        text => text,
                    };
                    let style = style::square(player, state, is_fresh(player, which, row, cell));
                    drawn.push_span(Span::styled(centred(&text, self.square.0), style));
                }
                lines.push(drawn);
            }
        }
        put(buffer, area, lines);
        let (row, cell) = pointed.filter(|(row, cell)| rows.contains(row) && columns.contains(cell))?;
        let label = board.rows[row].cells.get(cell)?;
        let text = self.text(player, player.state(which, row, cell), label, board.look);
        let at = |number: usize, size: u16| u16::try_from(number).unwrap_or(u16::MAX).saturating_mul(size);
        let x =
            [area.x, self.label, at(cell - columns.start, self.square.0), mark_before(&text, self.square.0)];
        let y = [area.y, self.head, at(row - rows.start, self.square.1), self.square.1 / 2];
        let sum = |parts: [u16; 4]| parts.into_iter().fold(0, u16::saturating_add);
        Some(Position { x: sum(x), y: sum(y) })
    }

    fn text(self, player: &Player, state: CellState, label: &str, look: Look) -> String {
        match (look, state) {
            (Look::Queens, CellState::Free) => "·".to_owned(),
            (Look::Queens, CellState::Chosen | CellState::Given) => "Q".to_owned(),
            (Look::Queens, CellState::Forced) => "q".to_owned(),
            (Look::Queens, CellState::Out { .. }) => style::letter(player, state).to_string(),
            (_, CellState::Out { .. }) => format!("{label}{}", style::letter(player, state)),
            _ => label.to_owned(),
        }
    }
}

/// Whether this step changed a square.
pub(super) fn is_fresh(player: &Player, board: usize, row: usize, cell: usize) -> bool {
    let step = player.step();
    step.board == board && step.changes.iter().any(|change| (change.row, change.cell) == (row, cell))
}

/// The text with a mark that it is pointed at, as far as there is room for one.
pub(super) fn marked(text: &str, columns: u16) -> String {
    match columns.saturating_sub(width(text)) {
        0 => text.to_owned(),
        1 => format!("{text}‹"),
        _ => format!("[{text}]"),
    }
}

/// The columns before a text that is marked, in the middle of so many.
fn mark_before(text: &str, columns: u16) -> u16 {
    let mark = marked(text, columns);
    columns.saturating_sub(width(&mark)) / 2 + u16::from(mark != text && mark.starts_with('['))
}

/// The column of the row's queen, or the first.
fn queen_near(player: &Player, board: usize, row: usize) -> usize {
    let rows = player.story().boards[board].rows.len();
    let row = if row < rows { player.row(board, row) } else { &[] };
    row.iter().position(|state| state.is_taken()).unwrap_or(0)
}

/// The text with spaces on both sides, or its beginning.
pub(super) fn centred(text: &str, columns: u16) -> String {
    let before = columns.saturating_sub(width(text)) / 2;
    filled(&format!("{}{text}", " ".repeat(usize::from(before))), columns)
}

/// The text with spaces behind it, or its beginning.
pub(super) fn filled(text: &str, columns: u16) -> String {
    let mut text = text.to_owned();
    while width(&text) > columns {
        text.pop();
    }
    let missing = columns - width(&text);
    text + &" ".repeat(usize::from(missing))
}
