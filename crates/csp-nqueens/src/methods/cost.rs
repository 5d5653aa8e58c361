//! What a method would cost on an empty board, estimated before it runs.

use std::time::Duration;

use super::Method;

/// What to expect of a full enumeration on an empty board, or of one solution if a method finds only that.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// The nodes to visit.
    pub nodes: f64,
    /// What a node is for this method, in the plural.
    pub unit: &'static str,
    /// The time on a usual machine, for a program built with optimisation; rough.
    pub time: Duration,
}

impl Method {
    /// Estimates the cost of counting all solutions on an empty board of this size, or of the one
    /// solution where a method [finds only one](Self::finds_one).
    pub fn cost(self, size: usize) -> Cost {
        let n = size as f64;
        let (nodes, unit, nanoseconds) = match self {
            Method::Placements => (n.powf(n), "placements to test", 10.0),
            Method::Permutations => (factorial(size), "permutations to test", 15.0),
            Method::BoardScan => (tree(size), "nodes to visit", 13.0 * n),
            Method::ColumnScan => (tree(size), "nodes to visit", 10.0 * n),
            Method::SetsUndo => (tree(size), "nodes to visit", 15.0 * n),
            Method::SetsCopy => (tree(size), "nodes to visit", 27.0 * n),
            Method::BoolArrays => (tree(size), "nodes to visit", 4.5 * n),
            Method::Engine => (0.3 * tree(size), "nodes to visit", 400.0),
            Method::BitMasks => (tree(size), "nodes to visit", 10.0),
            Method::LookAhead => (0.3 * tree(size), "nodes to visit", 2.7),
            Method::Join => (0.7 * tree(size).powf(0.83), "placements to list", 2.3),
            Method::LocalSearch => (n, "swaps to test", 150.0),
            Method::ClosedForm => (n, "queens to write down", 20.0),
        };
        let seconds = nodes * nanoseconds * 1e-9;
        Cost { nodes, unit, time: Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX) }
    }
}

/// Beyond this many rows every estimate is out of reach anyway.
const HORIZON: usize = 300;

fn factorial(size: usize) -> f64 {
    (1..=size.min(HORIZON)).map(|factor| factor as f64).product()
}

/// The nodes of the row-by-row tree: OEIS A319284 as far as listed here, then by its growth.
fn tree(size: usize) -> f64 {
    const NODES: [f64; 15] = [
        1.0, 2.0, 3.0, 6.0, 17.0, 54.0, 153.0, 552.0, 2057.0, 8394.0, 35539.0, 166926.0, 856189.0, 4674890.0,
        27358553.0,
    ];
    let last = NODES[NODES.len() - 1];
    let growth = |size| 0.36 * size as f64 + 0.8;
    match NODES.get(size) {
        Some(&nodes) => nodes,
        None => (NODES.len()..=size.min(HORIZON)).fold(last, |nodes, n| nodes * growth(n)),
    }
}
