//! Counting in independent parts, for methods that count faster than solutions can be listed.
//!
//! A count is cut into [`Parts`]: sub-problems whose numbers of solutions add up to the whole. What
//! counts a part is a [`Worker`], of which every thread has one of its own, with its memory kept
//! from part to part. Whatever runs the parts — one thread, several, machines far apart, or a run
//! that goes on where another was killed — comes to the same sum.

#![allow(dead_code)] // until the first counter is in

mod look_ahead;
mod symmetric;
mod unique;

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
    half_turn: u64,
    quarter_turn: u64,
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
