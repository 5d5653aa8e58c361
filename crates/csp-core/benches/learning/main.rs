//! `cargo bench -p csp-core --bench learning -- [FILTER] [--data FOLDER]`
//!
//! What learning from failures is worth: families of problems made from fixed seeds, each solved by plain search
//! and by search that learns, with the solver's own strategy for each, or the same one where it says so. A run that is cut off counts as much as it did
//! until then.
//!
//! With `--features testing` also what explanations are worth: the mean length of reasons, and the failures to
//! the proof with a propagator's own reasons and with the default. The job shop la20 is read from
//! `FOLDER/jobshop` (or `FOLDER` itself).

#[path = "../common/mod.rs"]
mod common;
#[cfg(feature = "testing")]
mod explanations;
mod models;

use std::time::Duration;

use csp_core::prelude::*;
use models::{Problem, colouring, examinations, open_stacks, quasigroup};

/// A run is cut off after this time.
const LIMIT: Duration = Duration::from_secs(30);
/// Problems of each family.
const SEEDS: u64 = 10;

fn main() {
    let (filter, data) = common::arguments();
    type Family = (&'static str, fn(u64) -> Problem);
    let families: [Family; 4] = [
        ("quasigroup completion 40, 17 holes in each row", |seed| quasigroup(40, 17, seed)),
        ("colouring 50 vertices, half of all edges", |seed| colouring(50, 50, seed)),
        ("colouring 96 examinations, both smallest domain", |seed| examinations(96, 90, seed)),
        ("open stacks, 15 products, 20 customers", |seed| open_stacks(15, 20, 20, seed)),
    ];
    println!(
        "{:<48} {:>8} {:>12} {:>12} {:>9} {:>8} {:>6} {:>6}",
        "plain and learning", "mode", "nodes", "failures", "seconds", "cut off", "sum*", "mean*"
    );
    for (name, problem) in families.iter().filter(|family| family.0.contains(&filter)) {
        compare(name, *problem);
    }
    println!(
        "* nodes of plain search for one of search that learns: of all together, and the geometric mean\n"
    );
    #[cfg(feature = "testing")]
    explanations::report(&filter, data.as_deref());
    #[cfg(not(feature = "testing"))]
    if data.is_some() {
        println!("explanations are compared with `--features testing` only");
    }
}

/// Solves the problems of a family in both modes.
fn compare(name: &str, problem: fn(u64) -> Problem) {
    let modes = [Mode::Plain, Mode::Learning];
    let mut sums = [Statistics::default(); 2];
    let mut cut_off = [0; 2];
    let mut log_ratio = 0.0;
    for seed in 0..SEEDS {
        let problem = problem(seed);
        let (mut nodes, mut values) = ([0.0; 2], [None; 2]);
        let mut all_done = true;
        for (i, mode) in modes.into_iter().enumerate() {
            let mut solver = problem.model.solver().expect("a valid model");
            solver.set_mode(mode);
            solver.set_limits(Limits::new().time(LIMIT));
            values[i] = problem.solve(&mut solver);
            let statistics = solver.statistics();
            sums[i].nodes += statistics.nodes;
            sums[i].failures += statistics.failures;
            sums[i].time += statistics.time;
            let is_cut = matches!(solver.outcome(), Some(Outcome::Stopped(_)));
            all_done &= !is_cut;
            cut_off[i] += usize::from(is_cut);
            nodes[i] = statistics.nodes as f64;
        }
        assert!(!all_done || values[0] == values[1], "{name}, seed {seed}: {values:?}");
        log_ratio += (nodes[0] / nodes[1]).ln();
    }
    for ((mode, sum), cut_off) in modes.into_iter().zip(sums).zip(cut_off) {
        let fewer = match mode {
            Mode::Learning => {
                let of_sums = sums[0].nodes as f64 / sums[1].nodes as f64;
                format!("{of_sums:>6.1} {:>6.1}", (log_ratio / SEEDS as f64).exp())
            }
            _ => String::new(),
        };
        println!(
            "{name:<48} {:>8} {:>12} {:>12} {:>9.2} {cut_off:>8} {fewer}",
            format!("{mode:?}"),
            sum.nodes,
            sum.failures,
            sum.time.as_secs_f64()
        );
    }
}
