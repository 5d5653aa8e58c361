//! The search tree as a profiler gets it: as large as the statistics say, in every kind of search.

#[path = "common/profiler.rs"]
mod profiler;

use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc;
use std::thread::JoinHandle;

use csp_core::prelude::*;
use csp_trace::profiler::Profiler;
use profiler::{Tree, leave, listen, nobody};

/// What a search sends.
fn profile(solver: &mut Solver, search: impl FnOnce(&mut Solver)) -> Tree {
    let (address, tree) = listen();
    solver.set_trace(Profiler::connect(&address, "test").expect("it listens").tracing());
    search(solver);
    solver.take_trace().expect("it was traced");
    agreed(tree, solver)
}

/// The tree, if it has as many nodes of each kind as the statistics.
fn agreed(tree: JoinHandle<Result<Tree, String>>, solver: &Solver) -> Tree {
    let tree = tree.join().expect("no panic").expect("a stream without fault");
    let s = solver.statistics();
    assert_eq!(tree.figures(), [s.solutions, s.failures, s.nodes - s.solutions - s.failures], "{s}");
    assert_eq!(tree.restarts, s.restarts);
    assert_eq!(tree.name, "test");
    tree
}

fn queens(n: i64) -> (Model, Vec<IntVar>) {
    let mut model = Model::new();
    let queens = model.ints_named("row", n as usize, 0..n);
    model.post_named("columns", all_different(&queens).value());
    model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q + row)).value());
    model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q - row)).value());
    (model, queens)
}

fn golomb(marks: i64) -> (Model, Vec<IntVar>) {
    let mut model = Model::new();
    let marks = model.ints_named("mark", marks as usize, 0..=marks * marks);
    model.post(rule!(marks[0] == 0));
    for pair in marks.windows(2) {
        model.post(rule!(pair[0] < pair[1]));
    }
    let pairs = (0..marks.len()).flat_map(|i| (i + 1..marks.len()).map(move |j| (i, j)));
    model.post(all_different(pairs.map(|(i, j)| marks[j] - marks[i])));
    (model, marks)
}

/// The children of each branch: the decision and its opposite.
fn branches_say_what_was_decided(tree: &Tree) {
    for node in tree.nodes.values().filter(|node| node.status == 2) {
        let labels: Vec<&str> =
            node.children.iter().flatten().map(|child| &*tree.nodes[child].label).collect();
        match labels[..] {
            [left, right] => assert_eq!(left.replace(" = ", " ≠ "), right),
            [left] => assert!(left.contains(" = "), "{left}"),
            _ => assert!(labels.is_empty()),
        }
    }
}

#[test]
fn all_solutions() {
    let (model, queens) = queens(6);
    let mut solver = model.solver().unwrap();
    solver.set_search(branch(&queens).smallest_domain());
    let tree = profile(&mut solver, |solver| assert_eq!(solver.count().solutions, 4));
    assert_eq!((tree.open(), tree.skipped(), tree.has_restarts), (0, 0, false));
    // As numbered by the statistics, in the order of the search.
    assert_eq!(tree.order, (1..=solver.statistics().nodes as i32).map(|n| [n, 0, 0]).collect::<Vec<_>>());
    assert!(tree.nodes.values().all(|node| node.children.len() == if node.status == 2 { 2 } else { 0 }));
    assert_eq!(tree.nodes[&[1, 0, 0]].label, "root");
    assert_eq!(tree.nodes[&[2, 0, 0]].label, "row0 = 0");
    branches_say_what_was_decided(&tree);
    let solutions = tree.nodes.values().filter(|node| node.status == 0);
    let solutions: BTreeSet<Vec<i64>> = solutions
        .map(|node| (0..6).map(|row| node.info["solution"][format!("row{row}")].as_i64().unwrap()).collect())
        .collect();
    let expected = [[1, 3, 5, 0, 2, 4], [2, 5, 1, 4, 0, 3], [3, 0, 4, 1, 5, 2], [4, 2, 0, 5, 3, 1]];
    assert_eq!(solutions, expected.into_iter().map(Vec::from).collect());
    let failed = tree.nodes.values().filter(|node| node.status == 1);
    assert!(failed.clone().any(|node| node.info["failed"] == "columns" && node.info["reasons"][0] == 0));
    assert!(failed.into_iter().all(|node| node.info["reasons"][0].as_u64().is_some_and(|number| number < 3)));
}

#[test]
fn one_solution_and_limits() {
    let (model, queens) = queens(8);
    let mut solver = model.solver().unwrap();
    solver.set_search(branch(&queens));
    let tree = profile(&mut solver, |solver| assert!(solver.first().solution().is_some()));
    assert_eq!(tree.solved(), 1);
    assert!(tree.open() > 0);
    branches_say_what_was_decided(&tree);
    for limit in [1, 2, 3, 10, 100] {
        for limits in [
            Limits::new().nodes(limit),
            Limits::new().failures(limit),
            Limits::new().solutions(limit),
            Limits::new().discrepancies(limit % 4),
        ] {
            solver.set_limits(limits);
            let tree = profile(&mut solver, |solver| assert!(solver.count().solutions <= 92));
            branches_say_what_was_decided(&tree);
        }
    }
}

#[test]
fn the_best_solution_with_restarts_plain_and_learning() {
    for mode in [Mode::Plain, Mode::Learning, Mode::Free, Mode::Automatic] {
        for restarts in
            [Restarts::never(), Restarts::luby(5), Restarts::geometric(2, 1.2), Restarts::glucose()]
        {
            for decides in [true, false] {
                let (model, marks) = golomb(5);
                let mut solver = model.solver().unwrap();
                if decides {
                    solver.set_search(branch(&marks));
                }
                solver.set_mode(mode);
                solver.set_restarts(restarts);
                let tree = profile(&mut solver, |solver| {
                    let best = solver.minimise(marks[4]).unwrap();
                    assert_eq!(best.value(), Some(11));
                });
                assert!(tree.solved() > 0);
                // What was searched to its end is closed, but for runs that were broken off.
                assert!(tree.open() == 0 || tree.restarts > 0, "{mode:?} {restarts:?}: {} open", tree.open());
            }
        }
    }
}

#[test]
fn no_solution_at_the_root() {
    let mut model = Model::new();
    let xs = model.ints_named("x", 3, 0..=1);
    model.post(all_different(&xs));
    for mode in [Mode::Plain, Mode::Learning] {
        let mut solver = model.solver().unwrap();
        solver.set_mode(mode);
        let tree = profile(&mut solver, |solver| assert_eq!(solver.count().solutions, 0));
        if mode == Mode::Plain {
            assert_eq!((tree.figures(), tree.nodes.len()), ([0, 1, 0], 1));
        }
    }
    let model = Model::new();
    let tree = profile(&mut model.solver().unwrap(), |solver| assert_eq!(solver.count().solutions, 1));
    assert_eq!((tree.figures(), tree.nodes.len()), ([1, 0, 0], 1));
}

#[test]
fn random_models_in_all_modes() {
    let mut rng = fastrand::Rng::with_seed(3);
    let (mut skipped, mut infeasible, mut restarted) = (0, 0, 0);
    for _ in 0..60 {
        let mut model = Model::new();
        let xs = model.ints(9, 0..=4);
        for _ in 0..rng.u8(12..22) {
            let [i, j, k] = [0; 3].map(|_| rng.usize(0..7));
            match rng.u8(0..3) {
                0 if i != j => model.post(xs[i].ne(xs[j] + rng.i64(-2..=2))),
                1 => model.post(sum([xs[i], xs[j], xs[k]]).ge(rng.i64(2..=7))),
                _ => model.post((xs[i] * 2 + xs[j] - xs[k]).le(rng.i64(-1..=5))),
            };
        }
        for mode in [Mode::Plain, Mode::Learning, Mode::Free] {
            for presolve in [true, false] {
                let mut solver = match presolve {
                    true => model.solver().unwrap(),
                    false => Solver::with(&model, Presolve::Off).unwrap(),
                };
                solver.set_mode(mode);
                if rng.bool() {
                    solver.set_restarts(Restarts::luby(1));
                }
                solver.set_limits(Limits::new().nodes(rng.u64(1..3000)));
                let tree = profile(&mut solver, |solver| match rng.u8(0..3) {
                    0 => drop(solver.first()),
                    1 => drop(solver.solutions().take(50).count()),
                    _ => drop(solver.minimise(sum(&xs))),
                });
                skipped += tree.skipped();
                restarted += tree.restarts;
                infeasible += u64::from(tree.solved() == 0);
            }
        }
    }
    println!("{skipped} skipped, {restarted} restarts, {infeasible} without solution");
    assert!(skipped > 100 && restarted > 100 && infeasible > 5);
}

#[test]
fn a_profiler_shows_one_search_and_each_search_may_have_one() {
    let (model, _) = queens(6);
    let mut solver = model.solver().unwrap();
    let (address, tree) = listen();
    solver.set_trace(Profiler::connect(&address, "test").unwrap().execution_id(-7).tracing());
    solver.count();
    let first = solver.statistics();
    solver.first();
    // It is over before the solver lets go of the profiler.
    let tree = tree.join().unwrap().unwrap();
    assert_eq!(tree.figures()[..2], [first.solutions, first.failures]);
    assert_eq!(tree.execution_id, -7);
    profile(&mut solver, |solver| drop(solver.first()));
}

#[test]
fn a_search_that_panics_ends_the_tree() {
    let (model, queens) = queens(6);
    let (address, tree) = listen();
    let mut nodes = 0;
    let result = panic::catch_unwind(AssertUnwindSafe(|| {
        let mut solver = model.solver().unwrap();
        solver.set_search(branch(&queens));
        solver.set_trace(Profiler::connect(&address, "test").unwrap().tracing());
        solver.for_each(|_| {
            nodes += 1;
            assert!(nodes < 3, "on purpose");
            std::ops::ControlFlow::Continue(())
        });
    }));
    assert!(result.is_err());
    assert_eq!(tree.join().unwrap().unwrap().solved(), 3);
}

#[test]
fn a_search_goes_on_without_its_profiler() {
    let (model, _) = queens(9);
    let mut solver = model.solver().unwrap();
    let alone = (solver.count().solutions, solver.statistics().nodes);
    let (address, gone) = leave();
    let (sender, warnings) = mpsc::channel();
    let profiler = Profiler::connect(&address, "test").unwrap();
    solver.set_trace(profiler.on_loss(move |error| sender.send(error.to_string()).unwrap()).tracing());
    gone.join().unwrap();
    assert_eq!((solver.count().solutions, solver.statistics().nodes), alone);
    solver.take_trace();
    assert_eq!(warnings.iter().count(), 1);
}

#[test]
fn a_search_does_not_wait_for_ever() {
    /// As a connection behaves whose other end reads no more.
    struct Stuck;
    impl std::io::Write for Stuck {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::WouldBlock.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let (model, _) = queens(6);
    let mut solver = model.solver().unwrap();
    let (sender, warnings) = mpsc::channel();
    let profiler = Profiler::to(Stuck, "test");
    solver.set_trace(profiler.on_loss(move |error| sender.send(error.to_string()).unwrap()).tracing());
    assert_eq!(solver.count().solutions, 4);
    solver.take_trace();
    assert_eq!(warnings.iter().collect::<Vec<_>>(), ["it read nothing for 5 seconds"]);
}

#[test]
fn nobody_listens() {
    let address = nobody();
    let error = Profiler::connect(&address, "test").unwrap_err().to_string();
    for word in [&*address, "no profiler listens", "Show search profiler"] {
        assert!(error.contains(word), "{error}");
    }
    for address in ["", "localhost", "localhost:x", "no such host:1"] {
        Profiler::connect(address, "test").unwrap_err();
    }
}

/// The listener finds faults: whatever byte of a stream is another one, or missing, some check fails or the tree differs.
#[test]
fn the_listener_believes_nothing() {
    let (model, _) = queens(4);
    let (sender, bytes) = mpsc::channel();
    struct Keep(mpsc::Sender<Vec<u8>>);
    impl std::io::Write for Keep {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.send(bytes.to_vec()).unwrap();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut solver = model.solver().unwrap();
    solver.set_trace(Profiler::to(Keep(sender), "test").tracing());
    solver.count();
    solver.take_trace();
    let bytes: Vec<u8> = bytes.iter().flatten().collect();
    let told = format!("{:?}", profiler::read(&bytes[..]).unwrap());
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        assert_ne!(profiler::read(&changed[..]).map(|tree| format!("{tree:?}")), Ok(told.clone()));
        profiler::read(&bytes[..place]).unwrap_err();
    }
}
