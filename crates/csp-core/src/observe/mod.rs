//! What can be watched of a search.

mod progress;
mod statistics;

pub use progress::Progress;
pub use statistics::Statistics;
