//! What can be wrong with a constraint, and where it showed.

use std::fmt;

use super::subject::Subject;

/// What is wrong with a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// `is_satisfied` does not depend on the values of the views alone, or the negation does not hold
    /// exactly where the constraint does not.
    Meaning,
    /// A value, or a whole node, was given up though a solution has it.
    Unsound,
    /// A full assignment that does not satisfy the constraint was accepted.
    Accepted,
    /// A value was left that the declared consistency removes.
    Weak,
    /// `iff` left its Boolean open though the constraint was decided.
    Undecided,
    /// Propagating again, or posting anew on the same domains, changed them.
    NotAtFixpoint,
    /// State was not as before after undo, or propagation depends on what was undone.
    Undo,
    /// The run with the log on differs from the run with the log off.
    LogDiffers,
    /// The reason of a change did not hold, does not imply it, or does not make it again.
    Reason,
    /// The reason of a failure did not hold, is satisfied by a solution, or does not make it again.
    FailureReason,
    /// The solver's solutions are not those found by brute force.
    Solutions,
    /// The model of every case was refused as mistaken, or there were no cases.
    Refused,
    /// Something panicked.
    Panicked,
    /// The fault did not show again.
    Irregular,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FaultKind::Meaning => "is_satisfied is not a relation of the views' values",
            FaultKind::Unsound => "removes what a solution has",
            FaultKind::Accepted => "accepts a wrong assignment",
            FaultKind::Weak => "is weaker than declared",
            FaultKind::Undecided => "leaves the Boolean of a decided iff open",
            FaultKind::NotAtFixpoint => "was not at its fixpoint",
            FaultKind::Undo => "forgets to undo",
            FaultKind::LogDiffers => "prunes otherwise with the log on",
            FaultKind::Reason => "gives a wrong reason",
            FaultKind::FailureReason => "gives a wrong reason of a failure",
            FaultKind::Solutions => "has other solutions than brute force",
            FaultKind::Refused => "was never checked",
            FaultKind::Panicked => "panics",
            FaultKind::Irregular => "failed once but not again",
        })
    }
}

/// A fault, with the case it showed in.
#[derive(Clone, Debug)]
pub struct Fault {
    kind: FaultKind,
    words: String,
    node: String,
    model: String,
}

impl Fault {
    pub(super) fn new(kind: FaultKind, words: impl Into<String>) -> Fault {
        Fault { kind, words: words.into(), node: String::new(), model: String::new() }
    }

    /// What is wrong.
    pub fn kind(&self) -> FaultKind {
        self.kind
    }

    /// The same with the node it showed at.
    pub(super) fn at(self, node: String) -> Fault {
        Fault { node, ..self }
    }

    /// The same with the model of the case.
    pub(super) fn of(self, subject: &Subject) -> Fault {
        Fault { model: subject.model.to_string(), ..self }
    }

    /// The same fault, known to come from undo.
    pub(super) fn by_undo(self) -> Fault {
        let words = format!(
            "{}: {}; reached without anything undone before, the node is right",
            self.kind, self.words
        );
        Fault { kind: FaultKind::Undo, words, ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", self.kind, self.words)?;
        if !self.node.is_empty() {
            write!(f, "\nat the node: {}", self.node)?;
        }
        if !self.model.is_empty() {
            write!(f, "\nin the model:\n{}", self.model)?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}
