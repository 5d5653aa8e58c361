//! Guides, to be read from top to bottom. Their code runs with the tests.
//!
//! - [`modelling`]: from a problem in words to its first solution, all of them, and a best one.
//! - [`consistency`]: how much a constraint should filter, and what that costs.
//! - [`brancher`]: in which order to search, and searches of your own.
//! - [`statistics`]: what the numbers of a search tell, and how to compare two models.
//! - [`tracing`]: what a search did, step by step, and why.
//! - [`propagator`]: a constraint of your own.

pub mod brancher;
pub mod consistency;
pub mod modelling;
// It speaks of the harness.
#[cfg_attr(not(feature = "testing"), allow(rustdoc::broken_intra_doc_links))]
pub mod propagator;
pub mod statistics;
pub mod tracing;
