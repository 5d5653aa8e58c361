//! Why something changed or failed, as atoms that held before.

use super::kernel::Engine;
use super::log::{Entry, History, Position};
use super::reason::{Atom, Cause, Explanation, Reason};

impl Engine {
    /// Explains one entry of the log, or something weaker that it implies: atoms that held before it.
    pub(crate) fn explain(&self, position: Position, atom: Atom) -> Explanation {
        let entry = self.store.log.entry(position);
        let mut out = Explanation::default();
        self.explain_reason(entry.reason, Some(entry), atom, position, &mut out);
        out
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
        match reason.cause() {
            Cause::Decision => {}
            Cause::Domain => {
                if let Some(entry) = entry {
                    History { log, position, scope: &[] }.explain_slide(entry, atom, out);
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
    }
}
