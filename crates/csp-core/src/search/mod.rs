//! How the engine is searched: branching, limits, restarts, and the one driver.
//!
//! A strategy is a [`Brancher`]: [`branch`] with a variable order and a value order, several of them one
//! [then](Brancher::then) the other, [`last_conflict`](Brancher::last_conflict) on top of one, a closure, or a
//! type of your own that learns from failures.
//!
//! Which one? If the problem tells the order in which its variables should be decided, that is hard to beat in plain search;
//! [`Mode::Free`] has both the order and learning.
//! For one solution or an optimum, without such knowledge, set none: the solver then [learns](Mode) from its failures.
//! In plain search, `branch(&xs).dom_wdeg().last_conflict()` with
//! [`Restarts::geometric(100, 1.5)`](Restarts::geometric) is what the solver uses by itself. (Of Luby's sequence
//! with units of 50 and 250 and geometric sequences from 50 to 1000 by 1.2 to 2, this was best overall on Latin
//! squares, magic squares, all-interval series, graph colouring, Golomb rulers and knapsacks; restarts win
//! most where a search has bad luck, and lose up to half the time on small knapsacks.) For all solutions:
//! `branch(&xs).smallest_domain()`, without restarts.

mod activity;
mod branching;
mod driver;
mod guide;
mod limits;
mod mode;
mod optimum;
mod restarts;
#[cfg(test)]
pub(crate) mod tests;

pub use branching::{
    Brancher, Branching, Changes, ConflictOrdering, Decision, Domains, Failure, Forkable, LastConflict,
    Sequence, branch,
};
pub use limits::{Limits, Outcome, Stop, StopHandle};
pub use mode::Mode;
pub use optimum::Optimum;
pub use restarts::Restarts;

pub(crate) use driver::{Driver, Event, Objective};
pub(crate) use guide::Guide;
