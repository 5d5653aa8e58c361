//! Atoms, the words in which reasons speak, and the reasons themselves.
//!
//! Every pruning call and every failure takes a reason. When nobody asks (the log is off) a reason
//! costs nothing: a [`Lazy`] reason is a number, and a closure for an eager one is never called.

use std::fmt;

use super::events::Events;
use super::log::Log;
use super::view::{VarId, View};

/// A relation between a variable and a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    /// `x ≥ v`
    Ge,
    /// `x ≤ v`, the negation of `x ≥ v + 1`
    Le,
    /// `x = v`
    Eq,
    /// `x ≠ v`, the negation of `x = v`
    Ne,
}

impl Relation {
    /// Whether it holds between these two.
    pub fn holds(self, x: i64, value: i64) -> bool {
        match self {
            Relation::Ge => x >= value,
            Relation::Le => x <= value,
            Relation::Eq => x == value,
            Relation::Ne => x != value,
        }
    }
}

/// Its sign.
impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relation::Ge => "≥",
            Relation::Le => "≤",
            Relation::Eq => "=",
            Relation::Ne => "≠",
        })
    }
}

/// A statement about one variable: `[x ≥ v]`, `[x ≤ v]`, `[x = v]` or `[x ≠ v]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Atom {
    pub(crate) var: VarId,
    pub(crate) relation: Relation,
    pub(crate) value: i64,
}

impl Atom {
    /// An atom that never holds.
    pub const FALSE: Atom = Atom { var: VarId::ZERO, relation: Relation::Ge, value: 1 };
    /// An atom that always holds.
    pub const TRUE: Atom = Atom { var: VarId::ZERO, relation: Relation::Le, value: 0 };

    /// `[var ≥ value]`
    pub fn ge(var: VarId, value: i64) -> Atom {
        Atom { var, relation: Relation::Ge, value }
    }

    /// `[var ≤ value]`
    pub fn le(var: VarId, value: i64) -> Atom {
        Atom { var, relation: Relation::Le, value }
    }

    /// `[var = value]`
    pub fn eq(var: VarId, value: i64) -> Atom {
        Atom { var, relation: Relation::Eq, value }
    }

    /// `[var ≠ value]`
    pub fn ne(var: VarId, value: i64) -> Atom {
        Atom { var, relation: Relation::Ne, value }
    }

    /// The variable spoken of.
    pub fn var(self) -> VarId {
        self.var
    }

    /// The relation.
    pub fn relation(self) -> Relation {
        self.relation
    }

    /// The value the variable is compared with.
    pub fn value(self) -> i64 {
        self.value
    }

    /// The opposite statement.
    pub fn negated(self) -> Atom {
        let Atom { var, relation, value } = self;
        match relation {
            Relation::Ge => Atom::le(var, value.saturating_sub(1)),
            Relation::Le => Atom::ge(var, value.saturating_add(1)),
            Relation::Eq => Atom::ne(var, value),
            Relation::Ne => Atom::eq(var, value),
        }
    }

    /// Its variable, with the events that may decide it: what a propagator over atoms subscribes to.
    pub(crate) fn subscription(self) -> (View, Events) {
        let events = match self.relation {
            Relation::Ge | Relation::Le => Events::BOUNDS,
            Relation::Eq | Relation::Ne => Events::ANY,
        };
        (View::of(self.var), events)
    }

    /// Whether the statement is true of the variable's value `x`.
    pub fn holds(self, x: i64) -> bool {
        self.relation.holds(x, self.value)
    }

    /// As [`holds`](Self::holds), where the constant atoms may stand for one about `var`.
    #[cfg(test)]
    pub(crate) fn holds_for(self, var: VarId, x: i64) -> bool {
        if self.var == var { self.holds(x) } else { self.holds(0) }
    }
}

/// Atoms that together explain a change or a failure; scratch for the author of an explanation.
#[derive(Debug, Default)]
pub struct Explanation {
    pub(crate) atoms: Vec<Atom>,
    /// Nobody asks: what is pushed is dropped.
    pub(crate) silent: bool,
}

impl Explanation {
    /// One that nobody asks for.
    pub(crate) fn silent() -> Explanation {
        Explanation { atoms: Vec::new(), silent: true }
    }

    /// Adds one atom, which must hold at the time of what is explained. One about a constant is dropped.
    pub fn push(&mut self, atom: Atom) {
        let says_nothing = atom.var == VarId::ZERO && atom.holds(0);
        if !self.silent && !says_nothing {
            self.atoms.push(atom);
        }
    }

    /// Whether nobody asks, so that the work can be skipped.
    pub fn is_silent(&self) -> bool {
        self.silent
    }

    /// Adds several atoms.
    pub fn extend(&mut self, atoms: impl IntoIterator<Item = Atom>) {
        atoms.into_iter().for_each(|atom| self.push(atom));
    }

    /// The atoms so far.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }
}

/// Why a domain changed or a propagator failed: a tagged word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Reason(u64);

/// The cases of a [`Reason`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A decision of the search, or a fact of the root.
    Decision,
    /// A bound that slid over holes.
    Domain,
    /// The propagator is asked when somebody wants to know.
    Lazy { propagator: u32, data: u32 },
    /// A slice of the log's arena of atoms, and the propagator whose condition belongs to it.
    Eager { propagator: u32, place: u32 },
}

const TAG_BITS: u32 = 2;
const DECISION: u64 = 0;
const DOMAIN: u64 = 1;
const LAZY: u64 = 2;
const EAGER: u64 = 3;
/// Stands for the propagator in an eager reason to which no condition is added. Propagators have
/// smaller numbers, so that one fits a reason beside 32 bits of data.
pub(crate) const UNCONDITIONAL: u32 = (1 << 30) - 1;

/// Stands for the clauses where a propagator would be named.
pub(crate) const CLAUSES: u32 = UNCONDITIONAL - 1;
/// Instead of a clause: needs no reason.
pub(crate) const NO_CLAUSE: u32 = u32::MAX;

impl Reason {
    /// Something that holds in all that is still to be searched.
    pub(crate) const FACT: Reason = Reason((CLAUSES as u64) << 34 | (NO_CLAUSE as u64) << TAG_BITS | LAZY);

    /// The clause of this number, whose first atom is the one made true.
    pub(crate) fn clause(number: u32) -> Reason {
        Reason::lazy(CLAUSES, number)
    }

    /// A decision of the search, or a fact of the root.
    pub(crate) const DECISION: Reason = Reason(DECISION);
    /// A bound that slid over holes of its own domain.
    pub(crate) const DOMAIN: Reason = Reason(DOMAIN);

    pub(crate) fn lazy(propagator: u32, data: u32) -> Reason {
        Reason(u64::from(propagator) << 34 | u64::from(data) << TAG_BITS | LAZY)
    }

    pub(crate) fn eager(propagator: u32, place: u32) -> Reason {
        Reason(u64::from(propagator) << 34 | u64::from(place) << TAG_BITS | EAGER)
    }

    pub(crate) fn cause(self) -> Cause {
        let propagator = (self.0 >> 34) as u32;
        let payload = (self.0 >> TAG_BITS) as u32;
        match self.0 & 3 {
            DECISION => Cause::Decision,
            DOMAIN => Cause::Domain,
            LAZY => Cause::Lazy { propagator, data: payload },
            _ => Cause::Eager { propagator, place: payload },
        }
    }
}

impl std::fmt::Debug for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.cause().fmt(f)
    }
}

/// What may be given as the reason of a pruning or a failure: [`Lazy`] data, or a closure that
/// writes the atoms down at once. It is turned into a [`Reason`] only if the domain really changes
/// and the log is on.
pub trait Why {
    #[doc(hidden)]
    fn reason(self, propagator: u32, log: &mut Log) -> Reason;
}

/// A reason worked out later, by [`Propagator::explain`](super::Propagator::explain), which gets
/// this number back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lazy(pub u32);

impl Why for Lazy {
    fn reason(self, propagator: u32, _: &mut Log) -> Reason {
        Reason::lazy(propagator, self.0)
    }
}

impl Why for Reason {
    fn reason(self, _: u32, _: &mut Log) -> Reason {
        self
    }
}

impl<F: FnOnce(&mut Explanation)> Why for F {
    fn reason(self, propagator: u32, log: &mut Log) -> Reason {
        log.eager(propagator, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_keeps_what_it_was_made_of() {
        let (p, d) = (UNCONDITIONAL, u32::MAX);
        assert_eq!(Reason::lazy(p, d).cause(), Cause::Lazy { propagator: p, data: d });
        assert_eq!(Reason::eager(p, d).cause(), Cause::Eager { propagator: p, place: d });
        assert_eq!(Reason::DECISION.cause(), Cause::Decision);
        assert_eq!(Reason::DOMAIN.cause(), Cause::Domain);
    }
}
