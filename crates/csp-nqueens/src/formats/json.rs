//! The board of strings as a JSON array, the form LeetCode's problem 51 uses.

use std::fmt::{self, Write};

use super::{FormatError, strings};

pub(super) fn write(columns: &[usize], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('[')?;
    for (row, &column) in columns.iter().enumerate() {
        f.write_str(if row > 0 { ",\"" } else { "\"" })?;
        strings::write_row(column, columns.len(), f)?;
        f.write_char('"')?;
    }
    f.write_char(']')
}

pub(super) fn parse(text: &str) -> Result<Vec<usize>, FormatError> {
    let rows: Vec<String> = serde_json::from_str(text).map_err(|error| FormatError::Json {
        example: r#"[".Q..","...Q","Q...","..Q."]"#,
        reason: error.to_string(),
    })?;
    strings::parse_rows(&rows)
}

/// Reads several solutions from an array of boards.
pub(super) fn parse_all(text: &str) -> Result<Vec<Vec<usize>>, FormatError> {
    let boards: Vec<Vec<String>> = serde_json::from_str(text).map_err(|error| FormatError::Json {
        example: r#"[[".Q..","...Q","Q...","..Q."]]"#,
        reason: error.to_string(),
    })?;
    boards.iter().map(|rows| strings::parse_rows(rows)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_the_leetcode_form() {
        let text = r#"[".Q..", "...Q", "Q...", "..Q."]"#;
        assert_eq!(parse(text), Ok(vec![1, 3, 0, 2]));
        let both = format!("[{text}, {text}]");
        assert_eq!(parse_all(&both), Ok(vec![vec![1, 3, 0, 2]; 2]));
        assert_eq!(parse_all("[]"), Ok(vec![]));
        assert_eq!(parse_all("[[]]"), Ok(vec![vec![]]));
    }

    #[test]
    fn malformed_text_is_refused_in_words() {
        assert_eq!(
            parse(r#"[".Q", 7]"#).unwrap_err().to_string(),
            "this is not JSON like [\".Q..\",\"...Q\",\"Q...\",\"..Q.\"]: \
             invalid type: integer `7`, expected a string at line 1 column 8"
        );
        assert_eq!(
            parse(r#"[".Q", "QQ"]"#).unwrap_err().to_string(),
            "row 1 has 2 queens: each row has exactly one"
        );
    }
}
