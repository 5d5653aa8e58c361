//! How the engine is searched: branching, limits, and the one driver.

mod branching;
mod driver;
mod limits;

pub use branching::{Brancher, Branching, Decision, Domains, Sequence, branch};
pub use limits::{Limits, Outcome, Stop, StopHandle};

pub(crate) use driver::{Driver, Event};
