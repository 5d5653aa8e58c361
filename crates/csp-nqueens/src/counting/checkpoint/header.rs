//! The first line of a checkpoint: which count it belongs to.

use std::path::Path;

use super::{
    super::{Parts, Shard},
    CheckpointError, checksum,
};
use crate::{Method, Queens, Square};

/// What is counted, by which method, in which parts, and which of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Header {
    pub(in super::super) size: usize,
    /// The name of the method. It need not be one of this version's.
    pub(in super::super) method: String,
    placed: String,
    blocked: String,
    /// The version of the way in which the method cuts its counts.
    cut: u32,
    pub(in super::super) parts: usize,
    pub(in super::super) shard: Shard,
}

/// How every checkpoint starts: what it is, and the version of its format.
pub(super) const START: &str = "nqueens-count 1 ";

impl Header {
    pub(in super::super) fn new(method: Method, puzzle: &Queens, parts: &dyn Parts, shard: Shard) -> Self {
        Self {
            size: puzzle.size(),
            method: method.name().to_owned(),
            placed: squares(puzzle.placed()),
            blocked: squares(puzzle.blocked()),
            cut: parts.version(),
            parts: parts.len(),
            shard,
        }
    }

    /// The line without its checksum.
    pub(super) fn text(&self) -> String {
        let fields = self.fields().map(|(_, key, value)| format!("{key}={value}"));
        format!("{START}{}", fields.join(" "))
    }

    /// Reads a line without its checksum.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut fields = text.strip_prefix(START)?.split(' ').map(|field| field.split_once('='));
        let mut next = || fields.next()?.map(|(_, value)| value);
        let header = Self {
            size: next()?.parse().ok()?,
            method: next()?.to_owned(),
            placed: next()?.to_owned(),
            blocked: next()?.to_owned(),
            cut: next()?.parse().ok()?,
            parts: next()?.parse().ok()?,
            shard: next()?.parse().ok()?,
        };
        Some(header).filter(|header| header.text() == text)
    }

    /// An error if the file with this header belongs to another count than `wanted`.
    pub(in super::super) fn check_same_count(
        &self,
        wanted: &Self,
        file: &Path,
    ) -> Result<(), CheckpointError> {
        let without_shard = Self { shard: wanted.shard, ..self.clone() };
        without_shard.check_same(wanted, file)
    }

    /// An error if the file with this header belongs to another count or shard than `wanted`.
    pub(super) fn check_same(&self, wanted: &Self, file: &Path) -> Result<(), CheckpointError> {
        let pairs = self.fields().into_iter().zip(wanted.fields());
        for ((what, _, found), (_, _, wanted)) in pairs {
            if found != wanted {
                return Err(CheckpointError::OtherCount { file: file.to_owned(), what, found, wanted });
            }
        }
        Ok(())
    }

    /// The checksum of a line below this header.
    pub(super) fn checksum(header: &str, line: &str) -> u64 {
        checksum(&[header, "\n", line])
    }

    /// The name in words, the key and the value of each field.
    fn fields(&self) -> [(&'static str, &'static str, String); 7] {
        [
            ("the size", "size", self.size.to_string()),
            ("the method", "method", self.method.clone()),
            ("what is placed", "placed", self.placed.clone()),
            ("what is blocked", "blocked", self.blocked.clone()),
            ("the version of the parts", "cut", self.cut.to_string()),
            ("the number of parts", "parts", self.parts.to_string()),
            ("the shard", "shard", self.shard.to_string()),
        ]
    }
}

fn squares(squares: impl Iterator<Item = Square>) -> String {
    let squares: Vec<String> = squares.map(|(row, column)| format!("{row},{column}")).collect();
    if squares.is_empty() { "none".to_owned() } else { squares.join(";") }
}
