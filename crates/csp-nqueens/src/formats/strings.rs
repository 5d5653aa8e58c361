//! A line for each row, with `Q` for a queen and `.` for an empty square.

use std::fmt::{self, Write};

use super::FormatError;

const QUEEN: char = 'Q';
const EMPTY: char = '.';

pub(super) fn write(columns: &[usize], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (row, &column) in columns.iter().enumerate() {
        if row > 0 {
            f.write_char('\n')?;
        }
        write_row(column, columns.len(), f)?;
    }
    Ok(())
}

pub(super) fn write_row(column: usize, size: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    (0..size).try_for_each(|c| f.write_char(if c == column { QUEEN } else { EMPTY }))
}

pub(super) fn parse(text: &str) -> Result<Vec<usize>, FormatError> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    parse_rows(&text.lines().collect::<Vec<_>>())
}

pub(super) fn parse_rows(rows: &[impl AsRef<str>]) -> Result<Vec<usize>, FormatError> {
    let parse_row = |(row, line): (usize, &_)| parse_row(row, AsRef::as_ref(line), rows.len());
    rows.iter().enumerate().map(parse_row).collect()
}

fn parse_row(row: usize, line: &str, rows: usize) -> Result<usize, FormatError> {
    let squares = line.chars().count();
    if squares != rows {
        return Err(FormatError::NotSquare { row, squares, rows });
    }
    if let Some((column, found)) =
        line.chars().enumerate().find(|&(_, found)| found != QUEEN && found != EMPTY)
    {
        return Err(FormatError::Square {
            row,
            column,
            found: found.to_string(),
            queen: QUEEN,
            empty: EMPTY,
        });
    }
    let queens = line.matches(QUEEN).count();
    match line.find(QUEEN) {
        Some(column) if queens == 1 => Ok(column),
        _ => Err(FormatError::QueensInRow { row, queens }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_text_is_refused_in_words() {
        assert_eq!(
            parse(".Q..\n...Q\nQ...").unwrap_err().to_string(),
            "row 0 has 4 squares, but there are 3 rows: a board is square"
        );
        assert_eq!(parse("Q.\nx.").unwrap_err().to_string(), "square 1,0 holds \"x\": a square is Q or .");
        assert_eq!(parse("Q.\n..").unwrap_err().to_string(), "row 1 has 0 queens: each row has exactly one");
    }
}
