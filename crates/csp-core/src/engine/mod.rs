//! How a model is solved: trail, domains, events, queue, propagators, reasons.
//!
//! [`Store`] holds the domains; [`Propagator`]s prune them through a [`Context`]; the engine joins
//! the two: it wakes the propagators that want an event and runs them until nothing changes.
//!
//! The search drives the engine through few calls: open a level, assert an atom, propagate to the
//! fixpoint, undo a level.

mod bulk;
mod changed;
mod differences;
mod events;
mod explain;
mod kernel;
mod learning;
mod log;
mod nogoods;
mod poster;
mod propagator;
mod queue;
mod reason;
mod store;
#[cfg(test)]
mod store_tests;
mod trace;
mod trail;
#[cfg(test)]
mod undo_tests;
mod view;
mod watch;

pub use bulk::{Frame, Targets};
pub use changed::Changed;
pub use events::Events;
pub use log::{History, Log, Position};
pub use poster::Poster;
pub use propagator::{Context, Propagator, Status};
pub use queue::Priority;
pub use reason::{Atom, Explanation, Lazy, Reason, Relation, Why};
pub use store::{Conflict, Pruned, Store};
pub use trail::Slot;
pub use view::{MAX_VALUE, VarId, View};

pub(crate) use kernel::{Engine, Fixpoint};
pub(crate) use learning::{CLAUSE_LIMIT, Lesson};
pub(crate) use log::Side;
#[cfg(any(test, feature = "testing"))]
pub(crate) use reason::Cause;
pub(crate) use store::{Ends, moved};
pub(crate) use trace::Source;
pub(crate) use view::gcd;
pub(crate) use watch::Watches;
