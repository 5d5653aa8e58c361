use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use super::*;
use crate::prelude::*;
use crate::search::tests::{
    cases, random_model, random_projection, seed, set_random_restarts, set_random_search, solutions,
};

const THREADS: [usize; 4] = [1, 2, 3, 8];

fn queens(n: i64) -> (Solver, Vec<IntVar>) {
    let mut model = Model::new();
    let queens = model.ints(n as usize, 0..n);
    for sign in [-1, 0, 1] {
        model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q + sign * row)).value());
    }
    let mut solver = model.solver().unwrap();
    solver.set_search(branch(&queens).smallest_domain().min_value());
    (solver, queens)
}

/// More solutions than anybody can count.
fn endless() -> (Solver, Vec<IntVar>) {
    let mut model = Model::new();
    let xs = model.ints(60, 0..60);
    model.post(xs[0].ne(xs[1]));
    (model.solver().unwrap(), xs)
}

#[test]
fn random_models_have_the_same_solutions_in_parallel() {
    let mut rng = fastrand::Rng::with_seed(seed());
    let (mut fewer, mut none, mut many) = (0, 0, 0);
    for case in 0..cases() {
        let (model, xs) = random_model(&mut rng, true);
        let all = solutions(&model, &xs);
        let threads = THREADS[rng.usize(0..4)];
        let presolve = [Presolve::On, Presolve::Off][rng.usize(0..2)];
        let mut solver = Solver::with(&model, presolve).unwrap();
        set_random_search(&mut solver, &xs, &mut rng);
        if rng.bool() {
            set_random_restarts(&mut solver, &mut rng);
        }
        let expected = solver.count();
        assert_eq!(expected.solutions, all.len() as u64, "case {case}: {model}");
        assert_eq!(solver.count_parallel(threads), expected, "case {case}, {threads} threads: {model}");
        assert_eq!(solver.outcome(), Some(expected.outcome));
        assert_eq!(solver.statistics().solutions, expected.solutions);
        assert_eq!(solver.progress().solutions(), expected.solutions);

        let found = Mutex::new(Vec::new());
        let outcome = solver.for_each_parallel(threads, |solution| {
            model.check(solution).unwrap();
            found.lock().unwrap().push(solution.values(&xs));
            ControlFlow::Continue(())
        });
        let mut found = found.into_inner().unwrap();
        found.sort_unstable();
        let mut sorted = all.clone();
        sorted.sort_unstable();
        assert_eq!((found, outcome), (sorted, expected.outcome), "case {case}: {model}");
        many += usize::from(all.len() > 20);

        let (chosen, projected) = random_projection(&xs, &all, &mut rng);
        solver.set_projection(&chosen);
        let count = solver.count_parallel(threads);
        assert_eq!(count.solutions, projected.len() as u64, "case {case}: {chosen:?} of {model}");
        assert!(count.outcome.is_complete());
        fewer += usize::from(projected.len() < all.len());
        solver.clear_projection();

        // What was added counts, and what was taken back does not.
        solver.push();
        let y = solver.int(0..=1).unwrap();
        solver.post(xs[0].le(y)).unwrap();
        let more = solver.count();
        assert_eq!(solver.count_parallel(threads), more, "case {case}: {}", solver.model());
        assert!(solver.pop());
        solver.set_assumptions([xs[0].ge(0), (xs[0] + xs[xs.len() - 1]).le(2)]).unwrap();
        let assumed = solver.count();
        assert_eq!(solver.count_parallel(threads), assumed, "case {case}: {model}");
        assert_eq!(solver.core().is_some(), assumed.solutions == 0);
        solver.clear_assumptions();
        assert_eq!(solver.first().solution().is_some(), !all.is_empty());
        assert_eq!(solver.count(), expected);
        none += usize::from(all.is_empty());
    }
    assert!(fewer > 50 && none > 5 && many > 30, "{fewer} {none} {many}");
}

#[test]
fn nodes_are_those_of_one_thread() {
    for n in 0..=9 {
        let (mut solver, queens) = queens(n);
        let compare = |solver: &mut Solver| {
            let count = solver.count();
            let one = solver.statistics();
            for threads in THREADS {
                assert_eq!(solver.count_parallel(threads), count, "{n} queens, {threads} threads");
                let many = solver.statistics();
                let of = |s: crate::Statistics| (s.nodes, s.failures, s.max_depth, s.solutions);
                assert_eq!(of(many), of(one), "{n} queens, {threads} threads");
            }
        };
        compare(&mut solver);
        solver.set_search(branch(&queens).split());
        compare(&mut solver);
        solver.set_projection(&queens[..queens.len() / 2]);
        compare(&mut solver);
    }
}

#[test]
fn discrepancies_are_counted_from_the_root() {
    let (mut solver, _) = queens(8);
    let mut cut = 0;
    for discrepancies in 0..12 {
        solver.set_limits(Limits::new().discrepancies(discrepancies));
        let (count, one) = (solver.count(), solver.statistics());
        for threads in THREADS {
            assert_eq!(solver.count_parallel(threads), count, "{discrepancies}");
            assert_eq!(solver.statistics().nodes, one.nodes, "{discrepancies}");
        }
        cut += usize::from(count.outcome == Outcome::Stopped(Stop::Discrepancies) && count.solutions > 0);
    }
    assert!(cut > 3, "{cut}");
}

#[test]
fn parts_are_many_and_none_is_large() {
    let (mut solver, _) = queens(10);
    solver.count();
    let whole = solver.statistics().nodes;
    let mut solver = Plan::of(&solver).solver(solver.guide.brancher.as_ref().unwrap().fork()).unwrap();
    let parts = solver.cut(64, Limits::new(), None).unwrap();
    assert!((60..=64).contains(&parts.prefixes.len()), "{}", parts.prefixes.len());
    solver.set_limits(Limits::new());
    let mut sizes = Vec::new();
    for part in &parts.prefixes {
        solver.enter(part);
        while solver.advance(false).is_none() {}
        sizes.push(solver.statistics().nodes);
    }
    assert_eq!(sizes.iter().sum::<u64>() + parts.above.nodes, whole);
    assert!(sizes.iter().all(|&nodes| nodes < whole / 12), "{sizes:?} of {whole}");
    assert!(parts.above.nodes < 80, "{}", parts.above.nodes);
}

#[test]
fn limits_are_for_all_threads_together() {
    let (mut solver, _) = queens(9);
    for threads in [2, 8] {
        for (limits, stop) in [
            (Limits::new().nodes(0), Stop::Nodes),
            (Limits::new().nodes(5), Stop::Nodes),
            (Limits::new().nodes(2000), Stop::Nodes),
            (Limits::new().failures(3), Stop::Failures),
            (Limits::new().failures(700), Stop::Failures),
            (Limits::new().solutions(1), Stop::Solutions),
            (Limits::new().solutions(300), Stop::Solutions),
            (Limits::new().time(Duration::ZERO), Stop::Time),
        ] {
            solver.set_limits(limits);
            let count = solver.count_parallel(threads);
            assert_eq!(count.outcome, Outcome::Stopped(stop), "{limits:?}");
            assert!(count.solutions < 352, "{limits:?}");
            if let Some(most) = limits.solutions {
                assert_eq!(count.solutions, most);
                let calls = AtomicU64::new(0);
                solver.for_each_parallel(threads, |_| {
                    calls.fetch_add(1, Ordering::Relaxed);
                    ControlFlow::Continue(())
                });
                assert_eq!(calls.into_inner(), most);
            }
            assert_eq!(solver.statistics().solutions, count.solutions);
        }
        let ample = Limits::new().nodes(1 << 40).failures(1 << 40).solutions(353).time(Duration::MAX);
        solver.set_limits(ample);
        assert_eq!(solver.count_parallel(threads), Count { solutions: 352, outcome: Outcome::AllFound });
    }
    // Below the nodes of a few parts, and where there is no end to them.
    let (mut solver, _) = endless();
    solver.set_limits(Limits::new().nodes(50_000));
    assert_eq!(solver.count_parallel(2).outcome, Outcome::Stopped(Stop::Nodes));
    assert!((50_000..100_000).contains(&solver.statistics().nodes), "{}", solver.statistics());
    let started = Instant::now();
    solver.set_limits(Limits::new().time(Duration::from_millis(50)));
    assert_eq!(solver.count_parallel(3).outcome, Outcome::Stopped(Stop::Time));
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_handle_stops_all_threads_while_others_watch() {
    let (mut solver, _) = endless();
    let (handle, progress) = (solver.stop_handle(), solver.progress());
    let stopper = thread::spawn(move || {
        while progress.solutions() < 5000 {
            thread::yield_now();
        }
        handle.stop();
    });
    let count = solver.count_parallel(3);
    stopper.join().unwrap();
    assert_eq!(count.outcome, Outcome::Stopped(Stop::Handle));
    assert!(count.solutions >= 5000);
    assert_eq!(solver.progress().solutions(), count.solutions);
    // It stays up.
    assert_eq!(solver.count_parallel(3), Count { solutions: 0, outcome: Outcome::Stopped(Stop::Handle) });
    solver.stop_handle().reset();
    solver.set_limits(Limits::new().solutions(7));
    assert_eq!(solver.count_parallel(3), Count { solutions: 7, outcome: Outcome::Stopped(Stop::Solutions) });
}

#[test]
fn a_visit_may_end_it() {
    let (mut solver, _) = endless();
    let calls = AtomicU64::new(0);
    let outcome = solver.for_each_parallel(3, |_| match calls.fetch_add(1, Ordering::Relaxed) {
        0..10 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    });
    assert_eq!(outcome, Outcome::Stopped(Stop::Caller));
    assert!((11..=13).contains(&calls.into_inner()));
}

#[test]
fn the_smallest_models() {
    let mut model = Model::new();
    let mut solver = model.solver().unwrap();
    assert_eq!(solver.count_parallel(4), Count { solutions: 1, outcome: Outcome::AllFound });
    let x = model.int(3..=3);
    let mut solver = model.solver().unwrap();
    let seen = Mutex::new(Vec::new());
    solver.for_each_parallel(0, |solution| {
        seen.lock().unwrap().push(solution[x]);
        ControlFlow::Continue(())
    });
    assert_eq!(seen.into_inner().unwrap(), [3]);
    solver.post(x.ne(3)).unwrap();
    for _ in 0..2 {
        assert_eq!(solver.count_parallel(4), Count { solutions: 0, outcome: Outcome::Infeasible });
    }
    model.int(Domain::from([]));
    assert_eq!(model.solver().unwrap().count_parallel(usize::MAX).outcome, Outcome::Infeasible);
}

#[test]
fn an_objective_of_before_is_none_now() {
    let (mut solver, queens) = queens(6);
    assert_eq!(solver.minimise(queens[0] + queens[1]).unwrap().value(), Some(3));
    assert_eq!(solver.count_parallel(2).solutions, 4);
    assert_eq!(solver.maximise(queens[0]).unwrap().value(), Some(4));
    assert_eq!(solver.count_parallel(2), solver.count());
}

#[test]
fn mistakes_are_told() {
    let (mut solver, xs) = queens(6);
    let foreign = Model::new().int(0..=5);
    solver.set_projection([foreign]);
    assert_eq!(solver.count_parallel(2).outcome, Outcome::Stopped(Stop::ForeignVariable));
    solver.clear_projection();
    solver.set_search(branch([foreign]));
    assert_eq!(solver.count_parallel(2).outcome, Outcome::Stopped(Stop::ForeignVariable));
    let (first, last) = (xs[0], xs[5]);
    // Wrong at the root, and further down.
    for at in [0, 4] {
        let useless = move |domains: &Domains<'_>| {
            let fixed = xs_fixed(domains, first, last);
            (fixed >= at).then_some(Decision::Equal(first, 99))
        };
        solver.set_search(useless.forkable());
        let outcome = solver.count_parallel(2).outcome;
        assert_eq!(outcome, solver.count().outcome, "at {at}");
    }
    solver.push();
    let y = solver.int(0..=1).unwrap();
    solver.set_assumptions([y.ge(1)]).unwrap();
    solver.pop();
    assert_eq!(solver.count_parallel(2).outcome, Outcome::Stopped(Stop::ForeignVariable));
    solver.clear_assumptions();
    solver.set_search(branch(&xs));
    assert_eq!(solver.count_parallel(2).solutions, 4);
}

fn xs_fixed(domains: &Domains<'_>, x: IntVar, y: IntVar) -> u64 {
    2 * u64::from(domains.is_fixed(x)) + 2 * u64::from(domains.is_fixed(y))
}

#[test]
fn a_panic_in_one_thread_stops_the_others_and_is_handed_on() {
    let (mut solver, xs) = endless();
    let calls = AtomicU64::new(0);
    let panic = catch_unwind(AssertUnwindSafe(|| {
        solver.for_each_parallel(3, |_| {
            if calls.fetch_add(1, Ordering::Relaxed) == 1000 {
                std::panic::panic_any("in a visit");
            }
            ControlFlow::Continue(())
        })
    }));
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"in a visit"));

    let calls = std::sync::Arc::new(AtomicU64::new(0));
    let (list, counter) = (xs.clone(), std::sync::Arc::clone(&calls));
    let brancher = move |domains: &Domains<'_>| {
        if counter.fetch_add(1, Ordering::Relaxed) == 50_000 {
            std::panic::panic_any("in a brancher");
        }
        let x = list.iter().copied().find(|&x| !domains.is_fixed(x))?;
        Some(Decision::Equal(x, domains.min(x)))
    };
    solver.set_search(brancher.forkable());
    let panic = catch_unwind(AssertUnwindSafe(|| solver.count_parallel(3)));
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"in a brancher"));

    // No harm is done.
    solver.set_search(branch(&xs));
    solver.set_limits(Limits::new().solutions(10));
    assert_eq!(solver.count_parallel(3).solutions, 10);
    assert_eq!(solver.count().solutions, 10);
}

/// By how many threads solutions of 9 queens are found, if they wait for so many.
fn threads_at_work(solver: &mut Solver, expected: usize) -> usize {
    let threads = Mutex::new(HashSet::<ThreadId>::new());
    let started = Instant::now();
    let outcome = solver.for_each_parallel(3, |_| {
        threads.lock().unwrap().insert(thread::current().id());
        while threads.lock().unwrap().len() < expected && started.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(1));
        }
        ControlFlow::Continue(())
    });
    assert_eq!((outcome, solver.statistics().solutions), (Outcome::AllFound, 352));
    threads.into_inner().unwrap().len()
}

#[test]
fn strategies_are_copied_if_they_can_be() {
    let (mut solver, queens) = queens(9);
    assert_eq!(threads_at_work(&mut solver, 3), 3);
    let list = queens.clone();
    let in_order = move |domains: &Domains<'_>| {
        let x = list.iter().copied().find(|&x| !domains.is_fixed(x))?;
        Some(Decision::Equal(x, domains.min(x)))
    };
    solver.set_search(in_order.clone());
    assert_eq!(threads_at_work(&mut solver, 1), 1);
    solver.set_search(branch(&queens[..2]).then(in_order.clone()).last_conflict());
    assert_eq!(threads_at_work(&mut solver, 1), 1);
    solver.set_search(in_order.clone().forkable());
    assert_eq!(threads_at_work(&mut solver, 3), 3);
    solver.set_search(branch(&queens[..2]).then(in_order.forkable()).last_conflict().conflict_ordering());
    assert_eq!(threads_at_work(&mut solver, 3), 3);
    solver.set_search(branch(&queens).variable_by(|_, open| open.last().copied()).value_by(|d, x| d.max(x)));
    assert_eq!(threads_at_work(&mut solver, 3), 3);
}
