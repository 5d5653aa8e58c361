//! All solutions of N-Queens on the generic engine: `cargo run --release --example queens -- 12 [sum] [--threads T] [--profiler [HOST:PORT]]`.
//!
//! With several threads the numbers stay the same but for the propagations; 0 are as many as there are processors.
//! A profiler, such as the one in the MiniZinc IDE, shows the search tree of one thread while it grows.
//! With `sum` a redundant constraint is added: the columns of all queens add up to n(n − 1)/2. The
//! program prints what it found and the size of its search tree, for comparison with other solvers that
//! filter by value.

use csp_core::prelude::*;
use csp_trace::profiler::{ADDRESS, Profiler};

const USAGE: &str = "usage: queens [SIZE below 65536] [sum] [--threads T] [--profiler [HOST:PORT]]";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (mut n, mut with_sum, mut threads, mut profiler) = (8, false, 1, None);
    while let Some(arg) = args.next() {
        match &*arg {
            "sum" => with_sum = true,
            "--threads" => {
                let number = args.next().and_then(|number| number.parse().ok());
                threads = number.ok_or("--threads must be followed by a number")?;
            }
            "--profiler" => profiler = Some(args.next().unwrap_or_else(|| ADDRESS.to_owned())),
            "--help" | "-h" => {
                println!("{USAGE}");
                return Ok(());
            }
            size => n = size.parse::<u16>().map_err(|_| USAGE)?,
        }
    }
    let n = i64::from(n);

    let mut model = Model::new();
    let queens = model.ints_named("row", n as usize, 0..n);
    model.post(all_different(&queens).value());
    model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q + row)).value());
    model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q - row)).value());
    if with_sum {
        model.post(sum(&queens).eq(n * (n - 1) / 2));
    }

    let mut solver = model.solver()?;
    solver.set_search(branch(&queens).smallest_domain().min_value());
    if let Some(address) = profiler {
        let name = format!("{n} queens");
        let profiler = Profiler::connect(&address, name).unwrap_or_else(|error| {
            eprintln!("error: {error}");
            std::process::exit(2);
        });
        solver.set_trace(profiler.on_loss(|error| eprintln!("warning: {error}")).tracing());
        threads = 1;
    }
    let count = solver.count_parallel(threads);
    let statistics = solver.statistics();
    println!(
        "solutions={} nodes={} failures={} propagations={}",
        count.solutions, statistics.nodes, statistics.failures, statistics.propagations
    );
    Ok(())
}
