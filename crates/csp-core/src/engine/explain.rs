//! Why something changed or failed, as atoms that held before.

use super::kernel::Engine;
use super::log::{Entry, History, Position};
use super::reason::{Atom, CLAUSES, Cause, Explanation, NO_CLAUSE, Reason};
#[cfg(any(test, feature = "testing"))]
use super::view::View;

impl Engine {
    /// Explains one entry of the log, or something weaker that it implies: atoms that held before it.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn explain(&self, position: Position, atom: Atom) -> Explanation {
        let mut out = Explanation::default();
        self.explain_into(position, atom, &mut out);
        out
    }

    /// The same, appended.
    pub(crate) fn explain_into(&self, position: Position, atom: Atom, out: &mut Explanation) {
        let entry = self.store.log.entry(position);
        self.explain_reason(entry.reason, Some(entry), atom, position, out);
    }

    /// Explains the last failure: atoms that hold now and cannot hold together.
    pub(crate) fn explain_failure(&self) -> Option<Explanation> {
        let failure = self.store.failure?;
        let mut out = Explanation::default();
        let atom = failure.atom.unwrap_or(Atom::FALSE);
        self.explain_reason(failure.reason, None, atom, self.store.log.now(), &mut out);
        if atom != Atom::FALSE {
            out.push(atom.negated());
        }
        Some(out)
    }

    fn explain_reason(
        &self,
        reason: Reason,
        entry: Option<&Entry>,
        atom: Atom,
        position: Position,
        out: &mut Explanation,
    ) {
        let log = &self.store.log;
        #[cfg(any(test, feature = "testing"))]
        let begun = out.atoms.len();
        match reason.cause() {
            Cause::Decision => {}
            Cause::Domain => {
                if let Some(entry) = entry {
                    History { log, position, scope: &[] }.explain_slide(entry, atom, out);
                }
            }
            Cause::Lazy { propagator: CLAUSES, data } => {
                if let (Some(learning), true) = (&self.learning, data != NO_CLAUSE) {
                    out.extend(learning.clauses.literals(data)[1..].iter().map(|atom| atom.negated()));
                }
            }
            Cause::Lazy { propagator, data } => {
                let posted = &self.posted[propagator as usize];
                let history = History { log, position, scope: &posted.scope };
                self.posted[propagator as usize].propagator.explain(data, atom, &history, out);
                out.atoms.extend(posted.condition);
            }
            Cause::Eager { propagator, place } => {
                out.atoms.extend_from_slice(log.eager_atoms(place));
                if let Some(posted) = self.posted.get(propagator as usize) {
                    out.atoms.extend(posted.condition);
                }
            }
        }
        #[cfg(any(test, feature = "testing"))]
        self.audit_reason(reason, atom, position, begun, out);
    }

    /// Where somebody audits reasons: counts the one given from `begun` on, and may replace it by the default.
    #[cfg(any(test, feature = "testing"))]
    fn audit_reason(
        &self,
        reason: Reason,
        atom: Atom,
        position: Position,
        begun: usize,
        out: &mut Explanation,
    ) {
        let Some(audit) = &self.audit else { return };
        let (Cause::Lazy { propagator, .. } | Cause::Eager { propagator, .. }) = reason.cause() else {
            return;
        };
        let Some(posted) = self.posted.get(propagator as usize) else { return };
        let mut default = Explanation::default();
        // One propagator of many constraints has no scope: then it is that of the constraint spoken of.
        let of_reason = out.atoms[begun..].iter().map(|atom| View::of(atom.var()));
        let spoken_of: Vec<View> = of_reason.chain(std::iter::once(View::of(atom.var()))).collect();
        let scope = if posted.scope.is_empty() { &spoken_of[..] } else { &posted.scope };
        History { log: &self.store.log, position, scope }.explain_scope(&mut default);
        default.atoms.extend(posted.condition);
        if audit.replaces(posted.propagator.kind(), &out.atoms[begun..], default.atoms()) {
            out.atoms.truncate(begun);
            out.atoms.append(&mut default.atoms);
        }
    }
}
