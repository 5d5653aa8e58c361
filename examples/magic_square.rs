//! Magic squares (CSPLib 19): the numbers from 1 to n² in a square whose rows, columns and diagonals all have
//! the same sum.

mod common;
#[path = "common/enumerate.rs"]
mod enumerate;

use std::process::ExitCode;

use clap::Parser;
use csp_core::prelude::*;

/// Fills an N × N square with the numbers from 1 to N² such that each row, each column and both diagonals have
/// the same sum. Of the squares that turn or mirror into each other, one counts.
#[derive(Parser)]
#[command(name = "magic_square")]
struct Arguments {
    /// How many rows and columns
    #[arg(value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=30))]
    rows: u8,
    /// Where chance begins: other numbers find other squares, sooner or later
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    enumerate: enumerate::Enumerate,
    #[command(flatten)]
    common: common::Common,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let n = usize::from(arguments.rows);
    let last = (n * n) as i64;
    let magic = n as i64 * (last + 1) / 2;
    let mut model = Model::new();
    let cells = model.ints(n * n, 1..=last);
    let cell = |row: usize, column: usize| cells[n * row + column];
    // The sums filter most; more than the values themselves is not worth its time.
    model.post(all_different(&cells).value());
    for i in 0..n {
        model.post(rule!(sum((0..n).map(|j| cell(i, j))) = magic));
        model.post(rule!(sum((0..n).map(|j| cell(j, i))) = magic));
    }
    model.post(rule!(sum((0..n).map(|i| cell(i, i))) = magic));
    model.post(rule!(sum((0..n).map(|i| cell(i, n - 1 - i))) = magic));
    // Turned so that the smallest corner is on the upper left, and mirrored so that the upper right one is
    // smaller than the lower left one.
    if n > 1 {
        model.post(rule!(cell(0, 0) < cell(0, n - 1) < cell(n - 1, 0)));
        model.post(rule!(cell(0, 0) < cell(n - 1, n - 1)));
    }

    let mut solver = arguments.common.solver(&model);
    // Small values first would make the first rows too small for the last ones.
    solver.set_search(branch(&cells).smallest_domain().random_value());
    solver.set_seed(arguments.seed);
    let width = last.to_string().len() + 1;
    let found = arguments.enumerate.run(&mut solver, |square| {
        let mut text = String::new();
        for row in cells.chunks(n) {
            text.extend(row.iter().map(|&cell| format!("{:width$}", square[cell])));
            text.push('\n');
        }
        text + &format!("Each line sums to {magic}.\n")
    });
    arguments.common.end(&solver, found > 0)
}
