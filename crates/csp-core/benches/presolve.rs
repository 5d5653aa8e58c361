//! `cargo bench -p csp-core --bench presolve -- [FILTER] [--limit SECONDS]`
//!
//! Models of pairwise `≠`, with and without cliques of them found by presolve: the time to make the solver,
//! and nodes, failures and time of the search, each stopped after the limit (60 seconds).

use std::time::{Duration, Instant};

use csp_core::prelude::*;

fn main() {
    let (mut filter, mut limit) = (String::new(), Duration::from_secs(60));
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match &*arg {
            "--limit" => limit = args.next().and_then(|s| s.parse().ok()).map_or(limit, Duration::from_secs),
            "--bench" | "--test" => {}
            _ => filter = arg,
        }
    }
    println!(
        "{:<56} {:>9} {:>10} {:>10} {:>10}  outcome",
        "case", "make ms", "nodes", "failures", "search ms"
    );
    let bench = |name: &str, make: &dyn Fn() -> Model, modes: &[Mode], all: bool| {
        if !name.contains(&filter) {
            return;
        }
        let model = make();
        for &mode in modes {
            for presolve in [Presolve::Off, Presolve::On] {
                run(&format!("{name}, {mode:?}, presolve {presolve:?}"), &model, mode, presolve, all, limit);
            }
        }
    };
    let both = &[Mode::Plain, Mode::Learning];
    for n in [9, 10, 12] {
        bench(&format!("{n} pigeons in {} holes", n - 1), &|| pigeons(n), both, false);
    }
    for n in [8, 10, 11] {
        bench(&format!("{n}-queens, all"), &|| queens(n), &[Mode::Plain], true);
    }
    bench("30-queens, first", &|| queens(30), both, false);
    bench("300-queens, first", &|| queens(300), &[Mode::Plain], false);
    for (side, colours) in [(5, 5), (6, 6), (6, 7), (7, 7)] {
        let name = format!("queen graph {side} in {colours} colours");
        bench(&name, &|| colouring(queen_graph(side), colours), both, false);
    }
    for (vertices, percent, colours) in [(40, 50, 7), (40, 90, 18), (80, 20, 5), (200, 5, 4)] {
        for seed in 0..2 {
            let name = format!("graph of {vertices}, {percent} %, {colours} colours, seed {seed}");
            bench(&name, &|| colouring(random_graph(vertices, percent, seed), colours), both, false);
        }
    }
    let name = "dense graph of 2000, 2000 colours";
    bench(name, &|| colouring(random_graph(2000, 50, 1), 2000), &[Mode::Plain], false);
    let name = "complete graph of 1000, 1000 colours";
    bench(name, &|| colouring(random_graph(1000, 100, 1), 1000), &[Mode::Plain], false);
}

fn run(name: &str, model: &Model, mode: Mode, presolve: Presolve, all: bool, limit: Duration) {
    let started = Instant::now();
    let mut solver = Solver::with(model, presolve).expect("a valid model");
    let made = started.elapsed();
    solver.set_mode(mode);
    solver.set_limits(Limits::new().time(limit));
    if all {
        solver.count();
    } else {
        solver.first();
    }
    let statistics = solver.statistics();
    println!(
        "{name:<56} {:>9.1} {:>10} {:>10} {:>10.1}  {}",
        made.as_secs_f64() * 1e3,
        statistics.nodes,
        statistics.failures,
        statistics.time.as_secs_f64() * 1e3,
        solver.outcome().map_or("a solution".to_owned(), |outcome| format!("{outcome:?}")),
    );
}

fn pigeons(n: usize) -> Model {
    let edges = (0..n).flat_map(|i| (0..i).map(move |j| (j, i))).collect();
    colouring((n, edges), n as i64 - 1)
}

fn queens(n: usize) -> Model {
    let mut model = Model::new();
    let queens = model.ints(n, 0..n as i64);
    for j in 0..n {
        for i in 0..j {
            let apart = (j - i) as i64;
            for offset in [0, apart, -apart] {
                model.post(queens[i].ne(queens[j] + offset));
            }
        }
    }
    model
}

/// How many vertices, and the edges.
type Graph = (usize, Vec<(usize, usize)>);

fn colouring((vertices, edges): Graph, colours: i64) -> Model {
    let mut model = Model::new();
    let vertices = model.ints(vertices, 0..colours);
    for (u, v) in edges {
        model.post(vertices[u].ne(vertices[v]));
    }
    model
}

/// The squares of a board; those in a line are joined.
fn queen_graph(side: usize) -> Graph {
    let square = |i: usize| (i / side, i % side);
    let attacks = |&(i, j): &(usize, usize)| {
        let ((a, b), (c, d)) = (square(i), square(j));
        a == c || b == d || a.abs_diff(c) == b.abs_diff(d)
    };
    let n = side * side;
    (n, (0..n).flat_map(|j| (0..j).map(move |i| (i, j))).filter(attacks).collect())
}

fn random_graph(vertices: usize, percent: u32, seed: u64) -> Graph {
    let mut rng = fastrand::Rng::with_seed(seed);
    let pairs = (0..vertices).flat_map(|j| (0..j).map(move |i| (i, j)));
    (vertices, pairs.filter(|_| rng.u32(0..100) < percent).collect())
}
