//! The coordinates of the queens: `[[0, 1], [1, 3], [2, 0], [3, 2]]`, which is JSON too.
//!
//! Written row by row, read in any order.

use std::fmt;

use super::{FormatError, on_board};

pub(super) fn write(columns: &[usize], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("[")?;
    for (row, column) in columns.iter().enumerate() {
        let comma = if row > 0 { ", " } else { "" };
        write!(f, "{comma}[{row}, {column}]")?;
    }
    f.write_str("]")
}

pub(super) fn parse(text: &str) -> Result<Vec<usize>, FormatError> {
    let pairs: Vec<[usize; 2]> = serde_json::from_str(text).map_err(|error| FormatError::Json {
        example: "[[0, 1], [1, 3], [2, 0], [3, 2]]",
        reason: error.to_string(),
    })?;
    let size = pairs.len();
    let mut rows = vec![Vec::new(); size];
    for [row, column] in pairs {
        let queens = rows.get_mut(row);
        queens.ok_or(FormatError::OffBoard { row, column, size })?.push(column);
    }
    let only_queen = |(row, queens): (usize, Vec<usize>)| match queens[..] {
        [column] => Ok(column),
        _ => Err(FormatError::QueensInRow { row, queens: queens.len() }),
    };
    on_board(rows.into_iter().enumerate().map(only_queen).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_come_in_any_order() {
        assert_eq!(parse("[[3,2],[0,1],[2,0],[1,3]]"), Ok(vec![1, 3, 0, 2]));
    }

    #[test]
    fn malformed_text_is_refused_in_words() {
        assert_eq!(
            parse("[[0, 1], [0, 0]]").unwrap_err().to_string(),
            "row 0 has 2 queens: each row has exactly one"
        );
        assert_eq!(
            parse("[[0, 1], [2, 0]]").unwrap_err().to_string(),
            "the queen on 2,0 is off the board, which has 2 rows and columns"
        );
        assert_eq!(
            parse("[[0, 1], [1, 2]]").unwrap_err().to_string(),
            "the queen on 1,2 is off the board, which has 2 rows and columns"
        );
        assert!(parse("[[0, 1, 2]]").is_err());
        assert!(parse("[0, 1]").is_err());
    }
}
