//! Shards that were counted apart, added up.

use std::{collections::BTreeMap, path::PathBuf};

use super::{
    CheckpointError, Part, Shard,
    checkpoint::{Contents, Header},
};

/// The count to which several checkpoints add up.
///
/// ```
/// use csp_nqueens::{Control, Counting, Merged, Method, Queens, Shard};
///
/// let puzzle = Queens::new(8);
/// let directory = std::env::temp_dir();
/// let files = [1, 2].map(|i| directory.join(format!("merged-example-{}-{i}", std::process::id())));
/// for (i, file) in (1..).zip(&files) {
///     let shard = Shard::new(i, 2)?;
///     Counting::new(Method::Engine, &puzzle).shard(shard).checkpoint(file).run(&Control::new())?;
/// }
/// assert_eq!(Merged::from_files(&files)?.solutions, 92);
/// # files.map(|file| std::fs::remove_file(file).unwrap());
/// # Ok::<(), csp_nqueens::QueensError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The size of the board.
    pub size: usize,
    /// The name of the method that counted.
    pub method: String,
    /// The number of parts.
    pub parts: usize,
    /// The solutions of the whole puzzle.
    pub solutions: u128,
    /// The nodes visited.
    pub nodes: u64,
}

impl Merged {
    /// Adds up the checkpoints of finished shards.
    ///
    /// They may be of different splits as long as they hold each part once.
    ///
    /// # Errors
    /// If a file cannot be read or is damaged, if the files are not of one count, if a shard or a
    /// part is there twice or not at all, or if a run was not finished.
    pub fn from_files(files: &[PathBuf]) -> Result<Self, CheckpointError> {
        let mut sum = Part::default();
        let mut first: Option<Header> = None;
        let mut shards: BTreeMap<Shard, &PathBuf> = BTreeMap::new();
        let mut owners: BTreeMap<usize, &PathBuf> = BTreeMap::new();
        for file in files {
            let contents = Contents::read(file)?;
            let Header { parts, shard, .. } = contents.header;
            contents.header.check_same_count(first.get_or_insert(contents.header.clone()), file)?;
            if let Some(other) = shards.insert(shard, file) {
                return Err(CheckpointError::DoubledShard { shard, files: [other.clone(), file.clone()] });
            }
            for &part in contents.parts.keys() {
                if let Some(other) = owners.insert(part, file) {
                    return Err(CheckpointError::DoubledPart { part, files: [other.clone(), file.clone()] });
                }
            }
            let all = shard.len(parts);
            let missing = all - contents.parts.len();
            if missing > 0 {
                return Err(CheckpointError::Unfinished { file: file.clone(), missing, all });
            }
            let total = contents.sum().and_then(|part| sum.plus(part));
            sum = total.ok_or_else(|| CheckpointError::TooMany { file: file.clone() })?;
        }
        let header =
            first.ok_or(CheckpointError::Missing { what: "files", which: vec!["a count".to_owned()] })?;
        check_complete(&header, &shards, &owners)?;
        Ok(Self {
            size: header.size,
            method: header.method,
            parts: header.parts,
            solutions: sum.solutions,
            nodes: sum.nodes,
        })
    }
}

/// An error if there is a part that no file has. Its shard is named, if there is but one split.
fn check_complete(
    header: &Header,
    shards: &BTreeMap<Shard, &PathBuf>,
    owners: &BTreeMap<usize, &PathBuf>,
) -> Result<(), CheckpointError> {
    /// More names than this help nobody.
    const NAMED: usize = 20;
    let missing = |parts| (0..parts).filter(|part| !owners.contains_key(part)).take(NAMED + 1);
    let of = header.shard.of();
    let (what, mut which): (_, Vec<String>) = if shards.keys().all(|shard| shard.of() == of) {
        // With more shards than parts the last ones are empty, and nothing is missed.
        ("shards are", missing(header.parts.min(of)).map(|part| format!("{}/{of}", part + 1)).collect())
    } else {
        ("parts are", missing(header.parts).map(|part| part.to_string()).collect())
    };
    if which.len() > NAMED {
        which[NAMED] = "more".to_owned();
    }
    if which.is_empty() { Ok(()) } else { Err(CheckpointError::Missing { what, which }) }
}
