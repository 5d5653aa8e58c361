//! Recording what searches do.

use super::Solver;
use crate::observe::{Recorder, Trace, Tracing};

impl Solver {
    /// Traces each search from now on: what happened, which constraint did it, and what it blames; see [`Trace`]. Nodes and
    /// solutions are those of a search without a trace. Searches in parallel are not traced, nor is what
    /// [`propagate`](Self::propagate) does.
    ///
    /// Searches that learn are traced too, but not what they propagate at the root before they begin, and clauses are
    /// no constraints of the model. To see which constraint does what, [search plainly](crate::Mode::Plain).
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let (x, y) = (model.int_named("x", 0..=9), model.int_named("y", 0..=9));
    /// model.post_named("far apart", rule!(x + 7 <= y));
    /// let mut solver = model.solver()?;
    /// solver.set_trace(Tracing::new().events(1000));
    /// solver.count();
    /// let trace = solver.take_trace().expect("it was asked for");
    /// assert_eq!(trace.counts.nodes, solver.statistics().nodes);
    /// assert_eq!(trace.unrecorded(), 0);
    /// let changes: Vec<String> = trace.events.iter().filter_map(|event| match event {
    ///     TraceEvent::Change { variable, removed, cause, blame } => {
    ///         let blame: Vec<String> = blame.iter().map(|&literal| trace.words(literal)).collect();
    ///         Some(format!("{}: {removed:?} by {cause} {blame:?}", trace.variables[*variable].name))
    ///     }
    ///     _ => None,
    /// }).collect();
    /// assert_eq!(changes[..4], [
    ///     "y: [(0, 6)] by constraint 0 []",
    ///     "x: [(3, 9)] by constraint 0 []",
    ///     "x: [(1, 2)] by a decision []",
    ///     "y: [(8, 9)] by a decision []",
    /// ]);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn set_trace(&mut self, tracing: Tracing) {
        self.leave_search();
        self.driver.recorder = Some(Box::new(Recorder::new(tracing)));
    }

    /// What was recorded of the last search, if it was traced; later searches are not. The observer, if there is one, is
    /// dropped.
    pub fn take_trace(&mut self) -> Option<Trace> {
        self.leave_search();
        self.driver.recorder.take().map(|recorder| recorder.into_trace())
    }
}
