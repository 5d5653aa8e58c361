//! A board drawn for a terminal, with its rows and columns numbered.
//!
//! ```text
//!     0 1 2 3
//!   ┌─────────┐
//! 0 │ · ♛ · · │
//! 1 │ · · · ♛ │
//! 2 │ ♛ · · · │
//! 3 │ · · ♛ · │
//!   └─────────┘
//! ```
//!
//! The numbers are for the eye; reading passes over them.

use std::fmt;

use super::FormatError;

const QUEEN: char = '♛';
const EMPTY: char = '·';
const SIDE: char = '│';

pub(super) fn write(columns: &[usize], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let size = columns.len();
    let width = size.saturating_sub(1).to_string().len();
    let border = "─".repeat(size * (width + 1) + 1);
    if size > 0 {
        write!(f, "{:width$}  ", "")?;
        (0..size).try_for_each(|column| write!(f, " {column:>width$}"))?;
        writeln!(f)?;
    }
    writeln!(f, "{:width$} ┌{border}┐", "")?;
    for (row, &queen) in columns.iter().enumerate() {
        write!(f, "{row:>width$} {SIDE}")?;
        for column in 0..size {
            let square = if column == queen { QUEEN } else { EMPTY };
            write!(f, " {square:>width$}")?;
        }
        writeln!(f, " {SIDE}")?;
    }
    write!(f, "{:width$} └{border}┘", "")
}

pub(super) fn parse(text: &str) -> Result<Vec<usize>, FormatError> {
    let mut lines = (1..).zip(text.lines());
    let mut end = 1 + text.lines().count();
    if !lines.by_ref().any(|(_, line)| line.contains('┌')) {
        let expected = "the upper border, ┌──┐";
        return Err(FormatError::Drawing { line: end, expected });
    }
    let mut rows = Vec::new();
    for (line, text) in lines {
        if text.contains('└') {
            let rows: Vec<&str> = rows;
            let parse_row = |(row, squares)| parse_row(row, squares, rows.len());
            return rows.iter().copied().enumerate().map(parse_row).collect();
        }
        match (text.find(SIDE), text.rfind(SIDE)) {
            (Some(left), Some(right)) if left < right => {
                rows.push(&text[left + SIDE.len_utf8()..right]);
            }
            _ => {
                let expected = "a row between two │, or the lower border";
                return Err(FormatError::Drawing { line, expected });
            }
        }
        end = line + 1;
    }
    let expected = "the lower border, └──┘";
    Err(FormatError::Drawing { line: end, expected })
}

fn parse_row(row: usize, squares: &str, rows: usize) -> Result<usize, FormatError> {
    let mut queens = Vec::new();
    let mut count = 0;
    for (column, square) in squares.split_whitespace().enumerate() {
        count = column + 1;
        if square.chars().eq([QUEEN]) {
            queens.push(column);
        } else if !square.chars().eq([EMPTY]) {
            return Err(FormatError::Square {
                row,
                column,
                found: square.to_owned(),
                queen: QUEEN,
                empty: EMPTY,
            });
        }
    }
    if count != rows {
        return Err(FormatError::NotSquare { row, squares: count, rows });
    }
    match queens[..] {
        [column] => Ok(column),
        _ => Err(FormatError::QueensInRow { row, queens: queens.len() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;

    const FOUR: &str = "    0 1 2 3
  ┌─────────┐
0 │ · ♛ · · │
1 │ · · · ♛ │
2 │ ♛ · · · │
3 │ · · ♛ · │
  └─────────┘";

    #[test]
    fn a_drawing_looks_like_this() {
        assert_eq!(Format::Board.show(&[1, 3, 0, 2]).to_string(), FOUR);
        assert_eq!(Format::Board.show(&[]).to_string(), "  ┌─┐\n  └─┘");
    }

    #[test]
    fn malformed_text_is_refused_in_words() {
        let refusal = |from: &str, to: &str| parse(&FOUR.replace(from, to)).unwrap_err().to_string();
        assert_eq!(refusal("┌", "+"), "line 8 of the drawing should be the upper border, ┌──┐");
        assert_eq!(
            refusal("└", "+"),
            "line 7 of the drawing should be a row between two │, or the lower border"
        );
        assert_eq!(refusal("1 │ ·", "1 │ x"), "square 1,0 holds \"x\": a square is ♛ or ·");
        assert_eq!(refusal("2 │ ♛", "2 │ ·"), "row 2 has 0 queens: each row has exactly one");
        assert_eq!(
            refusal("2 │ ♛", "2 │ ♛ ♛"),
            "row 2 has 5 squares, but there are 4 rows: a board is square"
        );
    }
}
