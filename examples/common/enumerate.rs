//! The options of the examples that print one solution, all of them, or only their number.

use std::io::{self, Write};
use std::ops::ControlFlow;

use clap::Args;
use csp_core::prelude::*;

#[derive(Args)]
pub(crate) struct Enumerate {
    /// Print every solution, not only the first, and their number
    #[arg(long)]
    all: bool,
    /// Print only the number of solutions
    #[arg(long)]
    count: bool,
}

impl Enumerate {
    /// Prints what was asked for, each solution as `show` writes it. Returns how many solutions were found.
    pub(crate) fn run(&self, solver: &mut Solver, show: impl Fn(&Solution) -> String) -> u64 {
        let mut out = io::stdout().lock();
        let outcome = if self.count {
            solver.count().outcome
        } else {
            solver.for_each(|solution| match writeln!(out, "{}", show(solution)) {
                Ok(()) if self.all => ControlFlow::Continue(()),
                // One is enough, or nobody reads on.
                _ => ControlFlow::Break(()),
            })
        };
        let found = solver.statistics().solutions;
        if self.all || self.count {
            let at_least = if outcome.is_complete() { "" } else { "at least " };
            let s = if found == 1 { "" } else { "s" };
            // Whether anybody reads it makes no difference.
            let _ = writeln!(out, "{at_least}{found} solution{s}");
        }
        found
    }
}
