//! How the engine is searched: branching, limits, and the one driver.

mod branching;
mod driver;
mod guide;
mod limits;
mod optimum;
#[cfg(test)]
mod tests;

pub use branching::{Brancher, Branching, Decision, Domains, Sequence, branch};
pub use limits::{Limits, Outcome, Stop, StopHandle};
pub use optimum::Optimum;

pub(crate) use driver::{Driver, Event, Objective};
pub(crate) use guide::Guide;
