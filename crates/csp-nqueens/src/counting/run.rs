//! A count, to be run: by which method, and on how many threads.

use std::{num::NonZeroUsize, time::Instant};

use super::{Part, Parts, parallel::Work, prefixes::Prefixes};
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
}

impl<'a> Counting<'a> {
    /// A count on one thread.
    pub fn new(method: Method, puzzle: &'a Queens) -> Self {
        Self { method, puzzle, threads: NonZeroUsize::MIN }
    }

    /// The same on so many threads. The nodes of a method that visits solutions differ a little from
    /// those on one thread, since every part is entered anew.
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// Counts, until `control` ends it.
    ///
    /// # Errors
    /// If the board is larger than the method [goes](Method::max_size).
    pub fn run(&self, control: &Control) -> Result<Report, QueensError> {
        match self.method.way(self.puzzle)? {
            Run::Visit(search) if self.threads == NonZeroUsize::MIN => {
                let mut keep_on = |_: &[usize]| std::ops::ControlFlow::Continue(());
                run(control, &mut keep_on, |monitor| search(self.puzzle, monitor))
            }
            _ => self.run_parts(control),
        }
    }

    fn run_parts(&self, control: &Control) -> Result<Report, QueensError> {
        let start = Instant::now();
        let parts = self.parts()?;
        let queue = (0..parts.len()).collect();
        let work = Work { parts: &*parts, queue, known: (Part::default(), 0) };
        let (sum, stop) = work.run(self.threads, control);
        Ok(Report {
            outcome: stop.map_or(Ok(Outcome::Complete), |stop| stop.outcome())?,
            solutions: sum.solutions,
            nodes: sum.nodes,
            time: start.elapsed(),
            engine: None,
        })
    }

    fn parts(&self) -> Result<Box<dyn Parts + 'a>, QueensError> {
        match self.method.way(self.puzzle)? {
            Run::Visit(search) => Ok(Box::new(Prefixes::new(self.puzzle, search))),
            Run::Count(cut) => cut(self.puzzle),
        }
    }
}
