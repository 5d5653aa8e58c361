//! Where the arrow keys lead: from step to step, about a board, or along the tree.

use super::draw::side;
use crate::{Look, OutlineLine, Player, Square, Story};

/// What the arrow keys walk in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Focus {
    /// From step to step.
    Steps,
    /// About a board.
    Board(Cursor),
    /// Along the tree: the node that is pointed at.
    Tree(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Left,
    Right,
    Up,
    Down,
}

/// What is pointed at on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cursor {
    pub(super) board: usize,
    pub(super) row: usize,
    /// None for the whole row, which is a box where they are laid out as boxes.
    pub(super) cell: Option<usize>,
}

impl Cursor {
    /// Where the step changed a board first, or on the row it was about.
    pub(super) fn at_step(player: &Player) -> Cursor {
        let step = player.step();
        let cell = step.changes.iter().find(|change| change.row == player.focus());
        let cell = Some(cell.map_or(0, |change| change.cell));
        Cursor { board: step.board, row: player.focus(), cell }.moved_to(step.board, player.story())
    }

    /// The same place of another board, or the nearest; of a row without squares, the first that has some.
    pub(super) fn moved_to(self, board: usize, story: &Story) -> Cursor {
        let rows = &story.boards[board].rows;
        let squares = |row: usize| rows.get(row).map_or(0, |row| row.cells.len());
        let row = self.row.min(rows.len().saturating_sub(1));
        let row = (row..=row).chain(0..rows.len()).find(|&row| squares(row) > 0).unwrap_or(0);
        let cell = self.cell.unwrap_or(0).min(squares(row).saturating_sub(1));
        Cursor { board, row, cell: side(&story.boards[board]).is_none().then_some(cell) }
    }

    /// One square or box on, or where it is at the edge.
    pub(super) fn walk(self, direction: Direction, story: &Story) -> Cursor {
        let board = &story.boards[self.board];
        let rows = &board.rows;
        let Some(cell) = self.cell.filter(|_| side(board).is_none()) else {
            let side = side(board).unwrap_or(1);
            let (line, place) = (self.row / side, self.row % side);
            let row = match direction {
                Direction::Left => line * side + place.saturating_sub(1),
                Direction::Right => line * side + (place + 1).min(side - 1),
                Direction::Up => line.saturating_sub(1) * side + place,
                Direction::Down => (line + 1).min(side - 1) * side + place,
            };
            return Cursor { row, cell: None, ..self };
        };
        let last = |row: usize| rows[row].cells.len().saturating_sub(1);
        // Rows may have no square at all, or fewer than this one.
        let has_square = |row: &usize| !rows[*row].cells.is_empty();
        let (row, cell) = match direction {
            Direction::Left => (self.row, cell.saturating_sub(1)),
            Direction::Right => (self.row, cell + 1),
            Direction::Up => ((0..self.row).rev().find(has_square).unwrap_or(self.row), cell),
            Direction::Down => ((self.row + 1..rows.len()).find(has_square).unwrap_or(self.row), cell),
        };
        Cursor { row, cell: Some(cell.min(last(row))), ..self }
    }

    /// The value of a box with this label, if it has one.
    pub(super) fn with_label(self, label: char, story: &Story) -> Option<Cursor> {
        let board = &story.boards[self.board];
        let cells = &board.rows[self.row].cells;
        let mut text = [0; 4];
        let text = label.encode_utf8(&mut text);
        let cell = cells.iter().position(|cell| cell == text).filter(|_| board.look == Look::Digits)?;
        Some(Cursor { cell: Some(cell), ..self })
    }

    /// Why what is pointed at is as it is, a paragraph for each square.
    pub(super) fn why(self, player: &Player) -> Vec<String> {
        let Cursor { board, row, cell } = self;
        match cell {
            Some(cell) => vec![player.why(Square { board, row, cell })],
            None => player.why_row(board, row),
        }
    }

    /// Whether this is the square; a whole row is any of its squares.
    pub(super) fn is(self, square: Square) -> bool {
        let Cursor { board, row, cell } = self;
        (board, row) == (square.board, square.row) && cell.is_none_or(|cell| cell == square.cell)
    }
}

/// All there is to walk in, in the order of the key for it.
pub(super) fn panes(player: &Player, cursor: Cursor) -> Vec<Focus> {
    let story = player.story();
    // A board without a square has nothing to point at.
    let has_square = |&board: &usize| story.boards[board].rows.iter().any(|row| !row.cells.is_empty());
    let boards = (0..story.boards.len()).filter(has_square);
    let mut panes = vec![Focus::Steps];
    panes.extend(boards.map(|board| Focus::Board(cursor.moved_to(board, story))));
    panes.extend((!story.nodes.is_empty()).then_some(Focus::Tree(player.step().node)));
    panes
}

/// The node one line on in the outline; sideways is up to the parent and down to the first child.
pub(super) fn walk_tree(lines: &[OutlineLine], node: usize, direction: Direction) -> usize {
    let here = lines.iter().position(|line| line.node == node).unwrap_or(0);
    let depth = |line: usize| lines[line].depth;
    let target = match direction {
        Direction::Up => here.checked_sub(1),
        Direction::Down => Some(here + 1),
        Direction::Left => (0..here).rev().find(|&line| depth(line) < depth(here)),
        Direction::Right => Some(here + 1).filter(|&line| line < lines.len() && depth(line) > depth(here)),
    };
    target.and_then(|line| lines.get(line)).map_or(node, |line| line.node)
}
