//! All-interval series (CSPLib 7): the notes 0 to n − 1 in an order in which all intervals between neighbours
//! differ.

mod common;
#[path = "common/enumerate.rs"]
mod enumerate;

use std::process::ExitCode;

use clap::Parser;
use csp_core::prelude::*;

/// Orders the numbers from 0 to N − 1 such that the differences between neighbours are all different. Prints
/// the numbers and, below them, the differences.
#[derive(Parser)]
#[command(name = "all_interval")]
struct Arguments {
    /// How many notes
    #[arg(value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u8).range(1..=100))]
    notes: u8,
    /// How notes and intervals are kept different: auto, value, bounds or domain
    #[arg(long, default_value = "domain")]
    strength: Strength,
    #[command(flatten)]
    enumerate: enumerate::Enumerate,
    #[command(flatten)]
    common: common::Common,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let n = i64::from(arguments.notes);
    let mut model = Model::new();
    let notes = model.ints(n as usize, 0..n);
    let intervals = model.ints(n as usize - 1, 1..n);
    for (&interval, pair) in intervals.iter().zip(notes.windows(2)) {
        model.post(rule!(interval = (pair[1] - pair[0]).abs()));
    }
    model.post(all_different(&notes).strength(arguments.strength));
    model.post(all_different(&intervals).strength(arguments.strength));

    let mut solver = arguments.common.solver(&model);
    solver.set_search(branch(&notes).smallest_domain());
    let found = arguments.enumerate.run(&mut solver, |solution| {
        let line = |xs: &[IntVar]| -> String { xs.iter().map(|&x| format!("{:4}", solution[x])).collect() };
        format!("{}\n  {}\n", line(&notes), line(&intervals))
    });
    arguments.common.end(&solver, found > 0)
}
