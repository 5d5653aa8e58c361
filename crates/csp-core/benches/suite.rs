//! `cargo bench -p csp-core --bench suite -- [FILTER] [--data FOLDER]`
//!
//! One line per case: what was solved, solutions, nodes, failures and propagator calls (which must not
//! change when only the speed does), and the median and the best time of several runs. With `--data` the
//! puzzle files in `FOLDER/sudoku` (or `FOLDER` itself) are solved too.

mod common;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use csp_core::prelude::*;

/// Runs of each case; their median is reported.
const RUNS: usize = 7;
/// A case that has taken this long is not repeated.
const ENOUGH: Duration = Duration::from_secs(4);

fn main() {
    let (filter, data) = common::arguments();
    println!(
        "{:<44} {:>9} {:>10} {:>10} {:>11} {:>10} {:>10} {:>9}",
        "case", "solutions", "nodes", "failures", "calls", "median ms", "best ms", "ns/node"
    );
    let bench = |name: &str, run: &mut dyn FnMut() -> Statistics| {
        if name.contains(&filter) {
            report(name, run);
        }
    };

    for n in [8, 10, 12, 13] {
        bench(&format!("{n}-queens, all, value"), &mut || count(&queens(n, Strength::Value, false)));
    }
    bench("12-queens, all, value, with the sum", &mut || count(&queens(12, Strength::Value, true)));
    for strength in [Strength::Auto, Strength::Bounds, Strength::Domain] {
        bench(&format!("10-queens, all, {strength:?}"), &mut || count(&queens(10, strength, false)));
    }
    bench("1000-queens, first, median value", &mut || {
        let (model, queens) = queens(1000, Strength::Value, false);
        first(&model, branch(&queens).smallest_domain().median_value())
    });
    for strength in [Strength::Value, Strength::Bounds, Strength::Domain] {
        bench(&format!("latin square 5, all, {strength:?}"), &mut || count(&latin(5, strength)));
    }
    for strength in [Strength::Value, Strength::Bounds, Strength::Domain] {
        let name = format!("quasigroup completion 25 (first of 20), {strength:?}");
        bench(&name, &mut || {
            (0..20).map(|seed| quasigroup(25, seed, strength)).fold(Statistics::default(), add)
        });
    }
    bench("magic square 4, first 500", &mut || {
        let (model, cells) = magic_square(4);
        let mut solver = model.solver().expect("a valid model");
        solver.set_search(branch(&cells).smallest_domain());
        solver.set_limits(Limits::new().solutions(500));
        solver.count();
        solver.statistics()
    });
    bench("29 random tables of 3,000 rows, all", &mut || count(&tables()));
    for exact in [true, false] {
        let name = if exact { "exactly" } else { "sum" };
        bench(&format!("binary matrices 6 by 6, threes, {name}"), &mut || count(&matrices(6, 3, exact)));
        bench(&format!("5,000 of 10,000, first, {name}"), &mut || {
            let mut model = Model::new();
            let line: Vec<BoolVar> = (0..10_000).map(|_| model.bool()).collect();
            post_sum(&mut model, 5_000, line, exact);
            let variables: Vec<IntVar> = model.variables().collect();
            first(&model, branch(&variables).max_value())
        });
    }

    let Some(folder) = data else { return };
    let folder = if folder.join("sudoku").is_dir() { folder.join("sudoku") } else { folder };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    for file in files {
        let puzzles = puzzles(&file);
        if puzzles.is_empty() {
            continue;
        }
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        for strength in [Strength::Value, Strength::Bounds, Strength::Domain] {
            let name = format!("{} of {name}, {strength:?}", puzzles.len());
            bench(&name, &mut || sudokus(&puzzles, strength));
        }
    }
}

fn report(name: &str, run: &mut dyn FnMut() -> Statistics) {
    let begun = Instant::now();
    let mut times = Vec::new();
    let mut statistics = Statistics::default();
    while times.len() < RUNS && (times.is_empty() || begun.elapsed() < ENOUGH) {
        let started = Instant::now();
        statistics = run();
        times.push(started.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    let median = times[times.len() / 2];
    println!(
        "{name:<44} {:>9} {:>10} {:>10} {:>11} {median:>10.3} {:>10.3} {:>9.0}",
        statistics.solutions,
        statistics.nodes,
        statistics.failures,
        statistics.propagations,
        times[0],
        median * 1e6 / statistics.nodes.max(1) as f64
    );
}

fn add(mut sum: Statistics, part: Statistics) -> Statistics {
    sum.solutions += part.solutions;
    sum.nodes += part.nodes;
    sum.failures += part.failures;
    sum.propagations += part.propagations;
    sum
}

fn queens(n: i64, strength: Strength, with_sum: bool) -> (Model, Vec<IntVar>) {
    let mut model = Model::new();
    let queens = model.ints(n as usize, 0..n);
    model.post(all_different(&queens).strength(strength));
    model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q + row)).strength(strength));
    model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q - row)).strength(strength));
    if with_sum {
        model.post(sum(&queens).eq(n * (n - 1) / 2));
    }
    (model, queens)
}

fn latin(n: i64, strength: Strength) -> (Model, Vec<IntVar>) {
    let mut model = Model::new();
    let size = n as usize;
    let cells = model.ints(size * size, 0..n);
    for i in 0..size {
        model.post(all_different(&cells[size * i..size * (i + 1)]).strength(strength));
        model.post(all_different((0..size).map(|j| cells[size * j + i])).strength(strength));
    }
    (model, cells)
}

/// A Latin square with shuffled rows, columns and symbols, of which 42 % of the cells are left open:
/// the region where completion is hard. Cut off after 2,000 failures.
fn quasigroup(n: i64, seed: u64, strength: Strength) -> Statistics {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut permutation = || {
        let mut p: Vec<i64> = (0..n).collect();
        rng.shuffle(&mut p);
        p
    };
    let (rows, columns, symbols) = (permutation(), permutation(), permutation());
    let (mut model, cells) = latin(n, strength);
    for (i, &cell) in cells.iter().enumerate() {
        if rng.u32(0..100) >= 42 {
            let (row, column) = (rows[i / n as usize], columns[i % n as usize]);
            model.post(cell.eq(symbols[((row + column) % n) as usize]));
        }
    }
    let mut solver = model.solver().expect("a valid model");
    solver.set_search(branch(&cells).smallest_domain());
    solver.set_limits(Limits::new().failures(2_000));
    solver.first();
    solver.statistics()
}

fn magic_square(n: i64) -> (Model, Vec<IntVar>) {
    let mut model = Model::new();
    let size = n as usize;
    let cells = model.ints(size * size, 1..=n * n);
    let magic = n * (n * n + 1) / 2;
    model.post(all_different(&cells));
    for i in 0..size {
        model.post(sum(&cells[size * i..size * (i + 1)]).eq(magic));
        model.post(sum((0..size).map(|j| cells[size * j + i])).eq(magic));
    }
    model.post(sum((0..size).map(|i| cells[(size + 1) * i])).eq(magic));
    model.post(sum((0..size).map(|i| cells[(size - 1) * (i + 1)])).eq(magic));
    (model, cells)
}

/// Random tables over four of fifteen variables each: so many that about one solution is to be expected.
fn tables() -> (Model, Vec<IntVar>) {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut model = Model::new();
    let xs = model.ints(15, 0..10);
    for _ in 0..29 {
        let rows: Vec<[i64; 4]> = (0..3000).map(|_| [0; 4].map(|_| rng.i64(0..10))).collect();
        let mut scope = xs.clone();
        rng.shuffle(&mut scope);
        model.post(table(&scope[..4], &rows));
    }
    (model, xs)
}

/// Demands how many are true, as a cardinality or as a sum.
fn post_sum(model: &mut Model, count: i64, line: Vec<BoolVar>, exact: bool) {
    if exact {
        model.post(exactly(count, line));
    } else {
        model.post(sum(line).eq(count));
    }
}

/// Square matrices of 0 and 1 whose rows and columns all have the same sum.
fn matrices(size: usize, sums: i64, exact: bool) -> (Model, Vec<IntVar>) {
    let mut model = Model::new();
    let cells: Vec<BoolVar> = (0..size * size).map(|_| model.bool()).collect();
    for i in 0..size {
        let row: Vec<BoolVar> = cells[size * i..size * (i + 1)].to_vec();
        let column: Vec<BoolVar> = (0..size).map(|j| cells[size * j + i]).collect();
        for line in [row, column] {
            post_sum(&mut model, sums, line, exact);
        }
    }
    let variables = model.variables().collect();
    (model, variables)
}

fn count((model, variables): &(Model, Vec<IntVar>)) -> Statistics {
    let mut solver = model.solver().expect("a valid model");
    solver.set_search(branch(variables).smallest_domain().min_value());
    solver.count();
    solver.statistics()
}

fn first(model: &Model, search: Branching) -> Statistics {
    let mut solver = model.solver().expect("a valid model");
    solver.set_search(search);
    solver.first();
    solver.statistics()
}

/// Lines of at least 81 cells; anything else is passed over.
fn puzzles(file: &Path) -> Vec<Vec<u8>> {
    let is_cell = |b: &u8| b.is_ascii_digit() || *b == b'.';
    let Ok(text) = std::fs::read_to_string(file) else { return Vec::new() };
    let cells = |line: &str| line.bytes().take(81).collect::<Vec<u8>>();
    text.lines().map(cells).filter(|c| c.len() == 81 && c.iter().all(is_cell)).collect()
}

/// Each puzzle solved and its solution shown to be the only one (or two found).
fn sudokus(puzzles: &[Vec<u8>], strength: Strength) -> Statistics {
    let mut model = Model::new();
    let cells = model.ints(81, 1..=9);
    for i in 0..9 {
        let corner = 27 * (i / 3) + 3 * (i % 3);
        model.post(all_different(&cells[9 * i..9 * i + 9]).strength(strength));
        model.post(all_different((0..9).map(|j| cells[9 * j + i])).strength(strength));
        model.post(all_different((0..9).map(|j| cells[corner + 9 * (j / 3) + j % 3])).strength(strength));
    }
    let mut solver = model.solver().expect("a valid model");
    solver.set_search(branch(&cells).smallest_domain());
    solver.set_limits(Limits::new().solutions(2));
    let mut sum = Statistics::default();
    for puzzle in puzzles {
        solver.push();
        for (&cell, &b) in cells.iter().zip(puzzle).filter(|(_, b)| (b'1'..=b'9').contains(b)) {
            solver.post(cell.eq(i64::from(b - b'0'))).expect("a valid constraint");
        }
        solver.count();
        sum = add(sum, solver.statistics());
        solver.pop();
    }
    sum
}
