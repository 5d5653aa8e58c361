//! Counting in independent parts, for methods that count faster than solutions can be listed.
//!
//! A count is cut into [`Parts`]: sub-problems whose numbers of solutions add up to the whole. What
//! counts a part is a [`Worker`], of which every thread has one of its own, with its memory kept
//! from part to part. Whatever runs the parts — one thread, several, machines far apart, or a run
//! that goes on where another was killed — comes to the same sum.

mod checkpoint;
mod merge;
mod parallel;
mod prefixes;
mod run;
mod shard;

pub use checkpoint::CheckpointError;
pub use merge::Merged;
pub use run::Counting;
pub use shard::Shard;

mod join;

use std::{fmt, ops::ControlFlow};

use crate::search::{Control, Stop};

/// A count, cut into independent parts.
///
/// The same puzzle and method are always cut into the same parts in the same order.
pub(crate) trait Parts: fmt::Debug + Send + Sync {
    /// The number of parts.
    fn len(&self) -> usize;

    /// The version of the way in which counts are cut. Checkpoints of another version are refused, so
    /// it must grow whenever a part of the same number becomes another part.
    fn version(&self) -> u32 {
        1
    }

    /// Something that counts parts, one after another.
    fn worker(&self) -> Box<dyn Worker + '_>;
}

/// Counts parts.
pub(crate) trait Worker {
    /// Counts the part with this number, from 0; gives up when `control` says so.
    fn count(&mut self, part: usize, control: &Control) -> ControlFlow<Stop, Part>;
}

/// What came out of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Part {
    /// The solutions of the whole board that this part stands for: those found, times their weight.
    pub(crate) solutions: u128,
    /// The nodes visited.
    pub(crate) nodes: u64,
}

impl Part {
    /// Both together; nothing if there are more solutions than 128 bits can tell. Nodes stop at the
    /// largest number.
    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        let solutions = self.solutions.checked_add(other.solutions)?;
        Some(Self { solutions, nodes: self.nodes.saturating_add(other.nodes) })
    }
}
