//! What a propagator is, and what it may do.

use std::any::Any;
use std::fmt::Debug;
use std::ops::Deref;

use super::changed::Changed;
use super::log::History;
use super::queue::Priority;
use super::reason::{Atom, Explanation, Reason, Why};
use super::store::{Conflict, Pruned, Store, hooks};
use super::trail::Slot;
use super::view::View;

/// What a propagator says after a call that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Calling again at once would change nothing. Its own changes do not wake it.
    AtFixpoint,
    /// Its own changes wake it like anybody else's.
    MayChange,
    /// At its fixpoint but for a dearer stage: call again at this priority, when cheaper propagators
    /// have had their say. [`Context::priority`] then tells which stage is meant.
    Later(Priority),
    /// The constraint holds whatever values are left; no more calls below this node.
    Entailed,
}

/// Keeps the domains of its views consistent with one constraint.
///
/// # Contract
///
/// - It removes only values that no solution of its constraint (within the current domains) has.
/// - With all views fixed it fails if the constraint is violated, and does not if it is satisfied.
/// - Every change and failure has a reason: a closure that writes down atoms which hold now and which,
///   with the constraint, imply the change; or [`Lazy`](super::Lazy) data for
///   [`explain`](Self::explain) to do so later.
/// - State of its own is either *trailed* (a [`Slot`]), *advice* (right whatever was undone meanwhile,
///   like a cached support that is checked before use) or *scratch* (empty between calls). The first
///   call may come at any depth, and again after being undone.
pub trait Propagator: Any + Debug + Send {
    /// Prunes.
    ///
    /// # Errors
    /// [`Conflict`], from a pruning call or from [`Context::fail`], if nothing can satisfy the constraint.
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict>;

    /// Explains a change or failure whose reason was [`Lazy(data)`](super::Lazy): pushes atoms that held
    /// before it and imply `atom`. `atom` may be weaker than what was inferred (a lower bound of 5 where
    /// 7 was inferred), and is [`Atom::FALSE`] for a failure of the propagator itself.
    ///
    /// By default: the bounds and holes of its whole scope, which is always right.
    fn explain(&self, data: u32, atom: Atom, history: &History<'_>, out: &mut Explanation) {
        let _ = (data, atom);
        history.explain_scope(out);
    }

    /// Whether no values left satisfy the constraint, and why; asked while the condition of a
    /// conditional constraint is open. `false` is always a right answer.
    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        let _ = (store, why);
        false
    }

    /// The path of its type.
    #[cfg(any(test, feature = "testing"))]
    #[doc(hidden)]
    fn kind(&self) -> &'static str {
        std::any::type_name::<Self>()
    }
}

/// A propagator's hands: it reads the [`Store`] through it (by `Deref`) and prunes.
#[derive(Debug)]
pub struct Context<'a> {
    pub(super) store: &'a mut Store,
    pub(super) changed: &'a mut Changed,
    pub(super) fresh: bool,
    pub(super) priority: Priority,
}

impl Deref for Context<'_> {
    type Target = Store;

    #[inline]
    fn deref(&self) -> &Store {
        self.store
    }
}

impl Context<'_> {
    /// Makes a view at least `value`.
    ///
    /// # Errors
    /// If no value is left.
    #[inline]
    pub fn set_min(&mut self, x: View, value: i64, why: impl Why) -> Pruned {
        self.store.set_min(x, value, why)
    }

    /// Makes a view at most `value`.
    ///
    /// # Errors
    /// If no value is left.
    #[inline]
    pub fn set_max(&mut self, x: View, value: i64, why: impl Why) -> Pruned {
        self.store.set_max(x, value, why)
    }

    /// Makes a view equal to `value`.
    ///
    /// # Errors
    /// If the view cannot take it.
    #[inline]
    pub fn fix(&mut self, x: View, value: i64, why: impl Why) -> Pruned {
        self.store.fix(x, value, why)
    }

    /// Makes a view different from `value`.
    ///
    /// # Errors
    /// If no other value is left.
    #[inline]
    pub fn remove(&mut self, x: View, value: i64, why: impl Why) -> Pruned {
        self.store.remove(x, value, why)
    }

    /// Makes an atom true.
    ///
    /// # Errors
    /// If it is false.
    #[inline]
    pub fn assert(&mut self, atom: Atom, why: impl Why) -> Pruned {
        self.store.assert(atom, why)
    }

    /// Says that the constraint is violated: `return Err(ctx.fail(why))`.
    #[cold]
    pub fn fail(&mut self, why: impl Why) -> Conflict {
        self.store.fail(None, why)
    }

    /// Sets a trailed word.
    #[inline]
    pub fn set(&mut self, slot: Slot, word: u64) {
        self.store.trail.set(slot, word);
    }

    /// Whether this is the first call since the constraint came into force, so that nothing is known
    /// of what changed.
    #[inline]
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// The subscriptions, by index, that had an event since the last call. Only for propagators posted
    /// with [`add_indexed`](super::Poster::add_indexed). On a [fresh](Self::is_fresh) call the set is not
    /// complete.
    #[inline]
    pub fn changed(&self) -> &Changed {
        self.changed
    }

    /// The lane this call came from: the propagator's own priority, or the one it asked for with
    /// [`Status::Later`].
    #[inline]
    pub fn priority(&self) -> Priority {
        self.priority
    }

    /// Whether a search is but watched, so that propagators must do what they do without the log, however long the reasons.
    #[inline]
    pub(crate) fn is_watched(&self) -> bool {
        self.store.hooks & hooks::ALIKE != 0
    }

    /// A reason written down once, for several changes; only where somebody [asks](Self::explains).
    pub(crate) fn reason(&mut self, why: impl Why) -> Reason {
        why.reason(self.store.running, &mut self.store.log)
    }

    /// Whether anybody will ask for reasons; lets a propagator skip work that only serves them.
    #[inline]
    pub fn explains(&self) -> bool {
        self.store.hooks != 0
    }
}
