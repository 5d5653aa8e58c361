//! Latin squares: n × n cells with numbers from 1 to n, each of them once in each row and column.

mod common;

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use common::{say, text::Text};
use csp_core::prelude::*;

/// Counts and completes Latin squares: n × n cells with numbers from 1 to n, each of them once in each row and
/// column.
///
/// Exit codes: 0 a square was found, 1 there is none, 2 bad input, 3 stopped before one was found.
#[derive(Parser)]
#[command(name = "latin")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
    /// How the numbers of a row or column are kept different: auto, value, bounds or domain
    #[arg(long, global = true, default_value = "auto")]
    strength: Strength,
    #[command(flatten)]
    common: common::Common,
}

#[derive(Subcommand)]
enum Task {
    /// Count the reduced squares: those with first row and first column in order
    Count {
        #[arg(value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
        order: u8,
        /// Print each of them too, in one line
        #[arg(long)]
        all: bool,
    },
    /// Complete a square of which some cells are given (quasigroup completion)
    Complete {
        /// A line of numbers for each row, 0 or . for a blank; or - for the standard input
        file: String,
    },
}

fn main() -> ExitCode {
    let Arguments { task, strength, common } = Arguments::parse();
    let (n, given) = match &task {
        Task::Count { order, .. } => (usize::from(*order), Vec::new()),
        Task::Complete { file } => read(file),
    };
    let mut model = Model::new();
    let cells = model.ints(n * n, 1..=n as i64);
    for i in 0..n {
        let row = (0..n).map(|j| cells[n * i + j]);
        let column = (0..n).map(|j| cells[n * j + i]);
        model.post(all_different(row).strength(strength));
        model.post(all_different(column).strength(strength));
    }
    for (cell, number) in given {
        model.post(rule!(cells[cell] = number));
    }
    if let Task::Count { .. } = task {
        for (i, number) in (0..n).zip(1..) {
            model.post(rule!(cells[i] = number));
            model.post(rule!(cells[n * i] = number));
        }
    }

    let mut solver = common.solver(&model);
    solver.set_search(branch(&cells).smallest_domain());
    let found = match task {
        Task::Count { all, .. } => {
            let outcome = if all { print_all(&mut solver, &cells, n) } else { solver.count().outcome };
            let solutions = solver.statistics().solutions;
            let at_least = if outcome.is_complete() { "" } else { "at least " };
            say(format!("reduced Latin squares of order {n}: {at_least}{solutions}"));
            // Its columns, and then all rows but the first, may be in any order.
            let all = (1..=n as u128).chain(1..n as u128).try_fold(u128::from(solutions), u128::checked_mul);
            if let Some(all) = all {
                say(format!("Latin squares of order {n}: {at_least}{all}"));
            }
            solutions > 0
        }
        Task::Complete { .. } => {
            let square = solver.first().solution();
            if let Some(square) = &square {
                let width = n.to_string().len();
                for row in cells.chunks(n) {
                    let row: Vec<_> = row.iter().map(|&cell| format!("{:>width$}", square[cell])).collect();
                    say(row.join(" "));
                }
            }
            square.is_some()
        }
    };
    common.end(&solver, found)
}

/// Prints each square in one line.
fn print_all(solver: &mut Solver, cells: &[IntVar], n: usize) -> Outcome {
    let mut out = BufWriter::new(io::stdout().lock());
    solver.for_each(|square| {
        let rows = cells.chunks(n).map(|row| {
            let numbers: Vec<String> = row.iter().map(|&cell| square[cell].to_string()).collect();
            numbers.join(" ")
        });
        // A reader that goes away wants no more.
        match writeln!(out, "{}", rows.collect::<Vec<_>>().join(" | ")) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    })
}

/// The order of a square and the cells that are given.
fn read(file: &str) -> (usize, Vec<(usize, i64)>) {
    const LARGEST: usize = 100;
    let text = Text::read(file);
    let (mut n, mut rows, mut given) = (0, 0, Vec::new());
    for line in text.lines().filter(|line| !line.words[0].starts_with('#')) {
        let cells = line.words.len();
        match rows {
            0 if cells > LARGEST => line.fail(&format!("more than {LARGEST} cells")),
            0 => n = cells,
            _ if cells != n => line.fail(&format!("{cells} cells, but the first row has {n}")),
            _ if rows == n => line.fail(&format!("a row too many: there are {n} columns")),
            _ => {}
        }
        for (j, &word) in line.words.iter().enumerate().filter(|(_, word)| **word != ".") {
            match line.number(j, "a cell") {
                0 => {}
                number if number > n as i64 => {
                    line.fail(&format!("{word} is above {n}, the number of columns"))
                }
                number => given.push((n * rows + j, number)),
            }
        }
        rows += 1;
    }
    match rows {
        0 => text.fail("there is no row"),
        _ if rows < n => text.fail(&format!("{rows} rows, but {n} columns")),
        _ => (n, given),
    }
}
