//! A count, to be run: by which method, on how many threads, which share of it.

use std::{collections::BTreeMap, num::NonZeroUsize, ops::ControlFlow, path::PathBuf, time::Instant};

use super::{
    Part, Parts, Shard,
    checkpoint::{Header, Log},
    parallel::Work,
    prefixes::Prefixes,
};
use crate::{
    Method, Queens, QueensError,
    methods::Run,
    search::{Control, Outcome, Report, run},
};

/// The solutions of a puzzle, to be counted by a method.
///
/// ```
/// use std::num::NonZeroUsize;
/// use csp_nqueens::{Control, Counting, Method, Queens};
///
/// let puzzle = Queens::new(9).block(4, 4)?;
/// let counting = Counting::new(Method::BitMasks, &puzzle).threads(NonZeroUsize::new(2).unwrap());
/// assert_eq!(counting.run(&Control::new())?.solutions, Method::Engine.count(&puzzle)?);
/// # Ok::<(), csp_nqueens::QueensError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Counting<'a> {
    method: Method,
    puzzle: &'a Queens,
    threads: NonZeroUsize,
    shard: Shard,
    checkpoint: Option<PathBuf>,
}

impl<'a> Counting<'a> {
    /// A count of all there is, on one thread.
    pub fn new(method: Method, puzzle: &'a Queens) -> Self {
        Self { method, puzzle, threads: NonZeroUsize::MIN, shard: Shard::WHOLE, checkpoint: None }
    }

    /// The same on so many threads. The nodes of a method that visits solutions differ a little from
    /// those on one thread, since every part is entered anew.
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// The same for a share of the parts only.
    pub fn shard(mut self, shard: Shard) -> Self {
        self.shard = shard;
        self
    }

    /// The same with its finished parts kept in this file. If there are some, it goes on from there.
    ///
    /// The files of all shards [add up](crate::Merged) to the count.
    pub fn checkpoint(mut self, file: impl Into<PathBuf>) -> Self {
        self.checkpoint = Some(file.into());
        self
    }

    /// Counts, until `control` ends it.
    ///
    /// # Errors
    /// If the board is larger than the method [goes](Method::max_size), if the method [finds
    /// one](Method::finds_one) only, or if the checkpoint is damaged, of another count, in use, or
    /// cannot be read or written.
    pub fn run(&self, control: &Control) -> Result<Report, QueensError> {
        match self.method.way(self.puzzle)? {
            Run::Visit(search) if self.is_plain() => {
                let mut keep_on = |_: &[usize]| ControlFlow::Continue(());
                run(control, &mut keep_on, |monitor| search(self.puzzle, monitor))
            }
            _ => self.run_parts(control),
        }
    }

    fn run_parts(&self, control: &Control) -> Result<Report, QueensError> {
        let start = Instant::now();
        let parts = self.parts()?;
        let (log, done) = match &self.checkpoint {
            Some(file) => {
                let header = Header::new(self.method, self.puzzle, &*parts, self.shard);
                let (log, contents) = Log::open(file, header)?;
                (Some(log), contents.parts)
            }
            None => (None, BTreeMap::new()),
        };
        let sum = done.values().try_fold(Part::default(), |sum, &part| sum.plus(part));
        let known = (sum.ok_or(QueensError::TooMany)?, done.len());
        let queue = self.shard.parts(parts.len()).filter(|part| !done.contains_key(part)).collect();
        let work = Work { parts: &*parts, queue, known, log: log.as_ref() };
        let (sum, stop) = work.run(self.threads, control);
        Ok(Report {
            outcome: stop.map_or(Ok(Outcome::Complete), |stop| stop.outcome())?,
            solutions: sum.solutions,
            nodes: sum.nodes,
            time: start.elapsed(),
            engine: None,
        })
    }

    /// Whether the puzzle need not be cut into parts.
    fn is_plain(&self) -> bool {
        self.threads == NonZeroUsize::MIN && self.shard == Shard::WHOLE && self.checkpoint.is_none()
    }

    fn parts(&self) -> Result<Box<dyn Parts + 'a>, QueensError> {
        match self.method.way(self.puzzle)? {
            Run::Visit(search) => Ok(Box::new(Prefixes::new(self.puzzle, search))),
            Run::Count(cut) => cut(self.puzzle),
            Run::FindOne(_) => Err(QueensError::FindsOne { method: self.method }),
        }
    }
}
