//! Costas arrays: n dots on an n × n board, one in each row and column, such that the displacements from one
//! dot to another are all different. A radar or sonar signal of that form is never mistaken for an echo of
//! itself (Costas 1984).

mod common;
#[path = "common/enumerate.rs"]
mod enumerate;

use std::process::ExitCode;

use clap::Parser;
use csp_core::prelude::*;

/// Puts N dots on an N × N board, one in each row and column, such that no two pairs of dots are displaced
/// alike.
#[derive(Parser)]
#[command(name = "costas")]
struct Arguments {
    /// How many dots
    #[arg(value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=100))]
    dots: u8,
    /// How rows and displacements are kept different: auto, value, bounds or domain
    #[arg(long, default_value = "auto")]
    strength: Strength,
    #[command(flatten)]
    enumerate: enumerate::Enumerate,
    #[command(flatten)]
    common: common::Common,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let n = usize::from(arguments.dots);
    let mut model = Model::new();
    // The row of the dot in each column.
    let c = model.ints(n, 1..=n as i64);
    model.post(all_different(&c).strength(arguments.strength));
    for k in 1..n {
        let rises = (0..n - k).map(|i| c[i + k] - c[i]);
        model.post(all_different(rises).strength(arguments.strength));
    }

    let mut solver = arguments.common.solver(&model);
    solver.set_search(branch(&c).smallest_domain());
    let found = arguments.enumerate.run(&mut solver, |solution| {
        let dot = |row: i64| c.iter().map(move |&c| if solution[c] == row { " *" } else { " ." });
        (1..=n as i64).map(|row| dot(row).chain(["\n"]).collect::<String>()).collect()
    });
    arguments.common.end(&solver, found > 0)
}
