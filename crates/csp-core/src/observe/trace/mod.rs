//! What a search did, step by step, and why: in terms of the model, for people to look at.
//!
//! A [`Trace`] is a list of [`TraceEvent`]s: nodes and decisions, which values went and by which constraint, failures,
//! solutions, and what was undone. An [`Observer`] is told the same events while the search runs; a trace is one.
//! Both are asked for with [`Tracing`], through [`Solver::set_trace`](crate::Solver::set_trace).
//!
//! The engine's own log of changes, which learning uses too, is read after each propagation, and each reason in it is put
//! into the model's words: which constraint, and what it blames by its own explanation. Nothing of that is there in a search
//! that nobody traces, but one test for each node. Node counts are the same with a trace as without.
//!
//! - Where [presolve](crate::Presolve) found variables to be equal or opposite, they change together, by the same cause; that
//!   they are equal is taken for granted in what is blamed. Where it made one `all_different` of many constraints, that is
//!   one more [constraint of the trace](Trace::constraints), behind those of the model.
//! - Hidden variables, which constraints make for themselves, do not show: what is blamed on one is blamed on what it followed
//!   from. Constraints that have an expression in common share its variable; where it followed by the one and was used by
//!   the other, the cause is one more constraint that stands for both. Only a search may decide on one, and then it is one more [variable of the trace](Trace::variables).

mod event;
mod recorder;
mod replay;
mod source;
mod translate;

pub use event::{
    Cause, Literal, Observer, Range, SearchStart, Trace, TraceCounts, TraceEvent, TracedConstraint,
    TracedVariable,
};
pub use recorder::Tracing;
pub(crate) use recorder::{Recorder, SearchKind};
pub use replay::TracedDomains;
pub(crate) use source::{Owner, Owners};
