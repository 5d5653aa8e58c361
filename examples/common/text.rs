//! Reading text files of words and numbers, and saying in which line something is wrong.

use std::fs::File;
use std::io::{self, Read};

use super::fail;

/// Longer files are refused rather than held in memory.
const LONGEST: u64 = 1 << 28;

/// A text file.
pub(crate) struct Text {
    file: String,
    text: String,
}

/// A line of it.
pub(crate) struct Line<'a> {
    file: &'a str,
    /// Counted from 1.
    pub(crate) number: usize,
    pub(crate) words: Vec<&'a str>,
}

impl Text {
    /// Reads a file, or the standard input if it is called `-`. Ends the program if that fails.
    pub(crate) fn read(file: &str) -> Text {
        let mut text = String::new();
        let source: io::Result<Box<dyn Read>> = match file {
            "-" => Ok(Box::new(io::stdin())),
            _ => File::open(file).map(|file| Box::new(file) as _),
        };
        match source.and_then(|source| source.take(LONGEST).read_to_string(&mut text)) {
            Ok(length) if length as u64 == LONGEST => fail(&format!("{file}: longer than {LONGEST} bytes")),
            Ok(_) => Text { file: file.to_owned(), text },
            Err(error) => fail(&format!("{file}: {error}")),
        }
    }

    /// The lines that have words on them.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let numbered = (1..).zip(self.text.lines());
        let lines = numbered.map(|(number, line)| Line {
            file: &self.file,
            number,
            words: line.split_whitespace().collect(),
        });
        lines.filter(|line| !line.words.is_empty())
    }

    /// Ends the program because of the file as a whole.
    pub(crate) fn fail(&self, words: &str) -> ! {
        fail(&format!("{}: {words}", self.file))
    }
}

impl Line<'_> {
    /// A word as a whole number from 0 on; `what` says what it is.
    pub(crate) fn number(&self, word: usize, what: &str) -> i64 {
        let Some(word) = self.words.get(word) else { self.fail(&format!("{what} is missing")) };
        let number = word.parse().ok().filter(|&number: &i64| number >= 0);
        number.unwrap_or_else(|| {
            let start: String = word.chars().take(40).collect();
            self.fail(&format!("{what} is '{}', not a whole number from 0 to 2^63 - 1", start.escape_debug()))
        })
    }

    /// Ends the program because of the line.
    pub(crate) fn fail(&self, words: &str) -> ! {
        fail(&format!("{}:{}: {words}", self.file, self.number))
    }
}
