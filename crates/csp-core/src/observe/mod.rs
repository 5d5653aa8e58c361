//! What can be watched of a search.

mod progress;
mod statistics;
mod trace;

pub use progress::Progress;
pub use statistics::Statistics;
pub use trace::{
    Cause, Literal, Observer, Range, SearchStart, Trace, TraceCounts, TraceEvent, TracedConstraint,
    TracedDomains, TracedVariable, Tracing,
};
pub(crate) use trace::{Owner, Owners, Recorder, SearchKind};
