//! The column array: `[1, 3, 0, 2]`, which is JSON too.

use std::fmt;

use super::{FormatError, on_board};

pub(super) fn write(columns: &[usize], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{columns:?}")
}

pub(super) fn parse(text: &str) -> Result<Vec<usize>, FormatError> {
    let columns = serde_json::from_str(text)
        .map_err(|error| FormatError::Json { example: "[1, 3, 0, 2]", reason: error.to_string() })?;
    on_board(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_text_is_refused_in_words() {
        assert_eq!(
            parse("[1, x]").unwrap_err().to_string(),
            "this is not JSON like [1, 3, 0, 2]: expected value at line 1 column 5"
        );
        assert_eq!(
            parse("[1, 3, 4, 2]").unwrap_err().to_string(),
            "the queen on 2,4 is off the board, which has 4 rows and columns"
        );
        assert!(parse("[-1]").is_err());
        assert!(parse("1 3 0 2").is_err());
    }
}
