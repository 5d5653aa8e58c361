//! Counting in independent parts, for methods that count faster than solutions can be listed.
//!
//! A count is cut into [`Parts`]: sub-problems whose numbers of solutions add up to the whole. What
//! counts a part is a [`Worker`], of which every thread has one of its own, with its memory kept
//! from part to part. Whatever runs the parts — one thread, several, machines far apart, or a run
//! that goes on where another was killed — comes to the same sum.

mod checkpoint;
pub(crate) mod join;
pub(crate) mod look_ahead;
mod merge;
mod parallel;
mod prefixes;
mod run;
mod shard;
mod symmetric;
mod unique;

pub use checkpoint::CheckpointError;
pub use merge::Merged;
pub use run::Counting;
pub use shard::Shard;
pub use symmetric::Symmetry;
pub use unique::{is_fundamental, unique_count};

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

/// All parts, counted one after another.
#[cfg(test)]
fn total(parts: &dyn Parts) -> Part {
    let mut worker = parts.worker();
    let mut total = Part::default();
    for part in 0..parts.len() {
        match worker.count(part, &Control::new()) {
            ControlFlow::Continue(part) => {
                total.solutions += part.solutions;
                total.nodes += part.nodes;
            }
            ControlFlow::Break(stop) => panic!("nobody stops it, but {stop:?}"),
        }
    }
    total
}

/// A line of `known_counts.csv`.
#[cfg(test)]
struct KnownCounts {
    size: usize,
    all: u128,
    fundamental: u128,
    half_turn: u128,
    quarter_turn: u128,
}

#[cfg(test)]
fn known_counts() -> Vec<KnownCounts> {
    let lines = include_str!("../../tests/data/known_counts.csv").lines().skip(1);
    let known = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        KnownCounts {
            size: fields[0].parse().unwrap(),
            all: fields[1].parse().unwrap(),
            fundamental: fields[2].parse().unwrap(),
            half_turn: fields[3].parse().unwrap(),
            quarter_turn: fields[4].parse().unwrap(),
        }
    };
    lines.map(known).collect()
}
