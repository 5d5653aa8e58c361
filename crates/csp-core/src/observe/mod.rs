//! What can be watched of a search.

mod statistics;

pub use statistics::Statistics;
