//! What can be wrong with checkpoint files, in words.

use std::{
    io,
    path::{Path, PathBuf},
};

use crate::Shard;

/// A file of finished parts that cannot be used, or files that do not fit together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error("{}: {problem}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What the operating system says.
        problem: String,
    },
    /// Another process has the file.
    #[error("{}: another process is counting into this file", file.display())]
    Locked {
        /// The file.
        file: PathBuf,
    },
    /// The file is something else.
    #[error("{}: this is no checkpoint that this version reads, and it is left as it is", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
    },
    /// A line of the file is not as it was written.
    #[error(
        "{}: damaged in line {line}: {problem}; without this line and those after it a run can go on",
        file.display()
    )]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What does not fit.
        problem: &'static str,
    },
    /// The file belongs to another count.
    #[error("{}: this is of another count: {what} is {found} there, not {wanted}", file.display())]
    OtherCount {
        /// The file.
        file: PathBuf,
        /// What differs.
        what: &'static str,
        /// What it is in the file.
        found: String,
        /// What it is in the count, or in the first of several files.
        wanted: String,
    },
    /// Two files have the same shard.
    #[error("shard {shard} is there twice: in {} and in {}", files[0].display(), files[1].display())]
    DoubledShard {
        /// The shard.
        shard: Shard,
        /// The two files.
        files: [PathBuf; 2],
    },
    /// Shards of different splits overlap.
    #[error("part {part} is there twice: in {} and in {}", files[0].display(), files[1].display())]
    DoubledPart {
        /// The number of the part, from 0.
        part: usize,
        /// The two files.
        files: [PathBuf; 2],
    },
    /// A run did not come to its end.
    #[error("{}: not finished, {missing} of its {all} parts are missing: run it again", file.display())]
    Unfinished {
        /// The file.
        file: PathBuf,
        /// The parts that it lacks.
        missing: usize,
        /// The parts that it should have.
        all: usize,
    },
    /// What no file has.
    #[error("{what} missing: no file has {}", listed(which))]
    Missing {
        /// Shards are missing, or parts.
        what: &'static str,
        /// Their names.
        which: Vec<String>,
    },
    /// The solutions of several files exceed all bounds.
    #[error("{}: there are more solutions than 128 bits can count", file.display())]
    TooMany {
        /// The file with which it is too many.
        file: PathBuf,
    },
}

impl CheckpointError {
    pub(super) fn file(file: &Path, error: &io::Error) -> Self {
        Self::File { file: file.to_owned(), problem: error.to_string() }
    }
}

/// The first few, and how many more there are.
fn listed(which: &[String]) -> String {
    const SHOWN: usize = 10;
    match which.split_at_checked(SHOWN) {
        Some((first, more)) if !more.is_empty() => format!("{} and {} more", first.join(", "), more.len()),
        _ => which.join(", "),
    }
}
