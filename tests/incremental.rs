//! One solver for many questions: assumptions and cores, adding and taking back, hints, and what is kept of what was
//! learnt; against brute force.

use csp_core::prelude::*;

const VARIABLES: usize = 5;
const VALUES: std::ops::RangeInclusive<i64> = 0..=3;

/// A constraint in words of this test.
#[derive(Clone, Debug)]
enum Demand {
    /// `a·x + b·y + c·z ≤ d`
    AtMost([(i64, usize); 3], i64),
    Different(Vec<usize>),
    /// One of the variables has its value.
    Some(Vec<(usize, i64)>),
}

impl Demand {
    fn random(rng: &mut fastrand::Rng) -> Demand {
        let mut x = || rng.usize(0..VARIABLES);
        let xs = [x(), x(), x()];
        match rng.u8(0..3) {
            0 => Demand::AtMost(xs.map(|x| (rng.i64(-2..=2), x)), rng.i64(-3..=4)),
            1 => Demand::Different(xs[..2].to_vec()),
            _ => Demand::Some(xs.iter().map(|&x| (x, rng.i64(VALUES))).collect()),
        }
    }

    fn holds(&self, values: &[i64]) -> bool {
        match self {
            Demand::AtMost(terms, d) => terms.iter().map(|&(a, x)| a * values[x]).sum::<i64>() <= *d,
            Demand::Different(xs) => values[xs[0]] != values[xs[1]],
            Demand::Some(parts) => parts.iter().any(|&(x, value)| values[x] == value),
        }
    }

    fn expression(&self, xs: &[IntVar]) -> BoolExpr {
        match self {
            Demand::AtMost(terms, d) => weighted_sum(terms.iter().map(|&(a, x)| (a, xs[x]))).le(*d),
            Demand::Different(pair) => xs[pair[0]].ne(xs[pair[1]]),
            Demand::Some(parts) => clause(parts.iter().map(|&(x, value)| xs[x].eq(value))),
        }
    }
}

fn everything() -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for _ in 0..VARIABLES {
        all = all.iter().flat_map(|v| VALUES.map(|x| [&v[..], &[x]].concat())).collect();
    }
    all
}

fn some<'a>(all: &'a [Vec<i64>], demands: &[&Demand]) -> Vec<&'a Vec<i64>> {
    all.iter().filter(|v| demands.iter().all(|demand| demand.holds(v))).collect()
}

#[test]
fn answers_under_changing_assumptions_and_constraints_are_those_of_brute_force() {
    let all = everything();
    let (mut cores, mut found, mut learnt) = (0, 0, 0);
    for seed in 0..150 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut model = Model::new();
        let xs = model.ints(VARIABLES, VALUES);
        let mut demands: Vec<Demand> = (0..3).map(|_| Demand::random(&mut rng)).collect();
        for demand in &demands {
            model.post(demand.expression(&xs));
        }
        let mut solver = model.solver().unwrap();
        let mut levels = Vec::new();
        for step in 0..30 {
            match rng.u8(0..8) {
                0 => {
                    solver.push();
                    levels.push(demands.len());
                }
                1 => {
                    assert_eq!(solver.pop(), !levels.is_empty());
                    demands.truncate(levels.pop().unwrap_or(demands.len()));
                }
                2 | 3 => {
                    let demand = Demand::random(&mut rng);
                    solver.post(demand.expression(&xs)).unwrap();
                    demands.push(demand);
                }
                _ => {}
            }
            let modes = [Mode::Automatic, Mode::Plain, Mode::Learning, Mode::Free];
            solver.set_mode(modes[rng.usize(0..4)]);
            solver.set_restarts([Restarts::luby(1), Restarts::glucose(), Restarts::never()][rng.usize(0..3)]);
            solver.set_clause_limit(rng.usize(1..20));
            solver.set_seed(rng.u64(..));
            if rng.bool() {
                solver.set_search(branch(&xs).random_variable().random_value());
            }
            let assumptions: Vec<Demand> = (0..rng.usize(0..5)).map(|_| Demand::random(&mut rng)).collect();
            solver.set_assumptions(assumptions.iter().map(|demand| demand.expression(&xs))).unwrap();
            let mut hinted: Vec<usize> = (0..VARIABLES).collect();
            rng.shuffle(&mut hinted);
            hinted.truncate(rng.usize(0..=VARIABLES));
            let hints: Vec<i64> = hinted.iter().map(|_| rng.i64(-1..=4)).collect();
            solver.set_hints(hinted.iter().map(|&x| xs[x]).zip(hints));
            let here: Vec<&Demand> = demands.iter().chain(&assumptions).collect();
            let expected = some(&all, &here);
            if let Some(values) = all.get(rng.usize(0..all.len())) {
                // Whatever it is: only a solution counts.
                solver.set_known_solution(Some(
                    solver.model().assignment(|x| xs.iter().position(|&y| y == x).map_or(0, |i| values[i])),
                ));
            }
            let words = || format!("seed {seed} step {step}: {} under {assumptions:?}", solver.model());
            let words = words();
            let is_found = match rng.u8(0..4) {
                0 => match solver.first() {
                    First::Found(solution) => {
                        assert!(expected.contains(&&solution.values(&xs)), "{words}");
                        true
                    }
                    other => {
                        assert_eq!(other, First::Infeasible, "{words}");
                        false
                    }
                },
                1 => {
                    let mut solutions: Vec<Vec<i64>> = solver.solutions().map(|s| s.values(&xs)).collect();
                    solutions.sort();
                    assert!(solutions.iter().eq(expected.iter().copied()), "{words}");
                    !solutions.is_empty()
                }
                2 => {
                    let best = solver.minimise(xs[0]).unwrap();
                    assert_eq!(best.value(), expected.iter().map(|v| v[0]).min(), "{words}");
                    best.value().is_some()
                }
                _ => {
                    let objective = xs[0] + 2 * xs[1] - xs[2];
                    let best = solver.maximise(objective).unwrap();
                    let value = |v: &&Vec<i64>| v[0] + 2 * v[1] - v[2];
                    assert_eq!(best.value(), expected.iter().map(value).max(), "{words}");
                    best.value().is_some()
                }
            };
            assert_eq!(is_found, !expected.is_empty(), "{words}");
            assert_eq!(solver.core().is_none(), is_found, "{words}");
            learnt += solver.statistics().learnt;
            if let Some(core) = solver.core() {
                let core: Vec<&Demand> = core.iter().map(|&i| &assumptions[i]).collect();
                let blamed: Vec<&Demand> = demands.iter().chain(core.iter().copied()).collect();
                assert!(some(&all, &blamed).is_empty(), "{words}: core {core:?}");
                cores += usize::from(!core.is_empty() && core.len() < assumptions.len());
            } else {
                found += 1;
            }
        }
    }
    assert!(cores > 100 && found > 1000 && learnt > 1000, "{cores} {found} {learnt}");
}

#[test]
fn named_constraints_that_cannot_hold_together_are_as_few_as_can_be() {
    let all = everything();
    let (mut conflicts, mut several) = (0, 0);
    for seed in 0..300 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut model = Model::new();
        let xs = model.ints(VARIABLES, VALUES);
        let demands: Vec<(usize, Demand)> =
            (0..rng.usize(6..16)).map(|_| (rng.usize(0..16), Demand::random(&mut rng))).collect();
        for (name, demand) in &demands {
            // Of name 0 are those without a name.
            match name {
                0 => model.post(demand.expression(&xs)),
                name => model.post_named(format!("demand {name}"), demand.expression(&xs)),
            };
        }
        let holds = |names: &[usize]| {
            let within: Vec<&Demand> =
                demands.iter().filter(|(name, _)| names.contains(name)).map(|(_, demand)| demand).collect();
            !some(&all, &within).is_empty()
        };
        match model.solver().unwrap().explain_infeasibility().unwrap() {
            Infeasibility::Feasible(solution) => {
                assert!(model.check(&solution).is_ok(), "seed {seed}: {model}");
            }
            Infeasibility::Conflict { constraints, is_minimal } => {
                assert!(is_minimal);
                let mut names = vec![0];
                for c in &constraints {
                    assert!(model.constraint_name(*c).is_some());
                    names.push(demands[c.index()].0);
                }
                let whole = demands.iter().filter(|(name, _)| *name > 0 && names.contains(name)).count();
                assert_eq!(whole, constraints.len(), "all constraints of a name: seed {seed}: {model}");
                names.sort_unstable();
                names.dedup();
                assert!(!holds(&names), "seed {seed}: {model} {names:?}");
                for i in 1..names.len() {
                    let fewer = [&names[..i], &names[i + 1..]].concat();
                    assert!(holds(&fewer), "seed {seed}: {model} {names:?}");
                }
                conflicts += 1;
                several += usize::from(names.len() > 2);
            }
            Infeasibility::Stopped(why) => panic!("{why}"),
        }
    }
    assert!(conflicts > 100 && conflicts < 280 && several > 25, "{conflicts} {several}");
}

/// Pigeons of which each holds a demand of its own: what was learnt under one assumption serves under another.
#[test]
fn what_was_learnt_is_kept_for_the_next_question() {
    let mut model = Model::new();
    let pigeons = model.ints(8, 0..7);
    let late = model.bool();
    for (i, &a) in pigeons.iter().enumerate() {
        for &b in &pigeons[..i] {
            model.post(rule!(late | a != b));
        }
    }
    let mut solver = model.solver().unwrap();
    let mut failures = || {
        solver.set_assumptions([!late]).unwrap();
        assert_eq!(solver.first(), First::Infeasible);
        assert_eq!(solver.core(), Some(&[0][..]));
        let failures = solver.statistics().failures;
        solver.set_assumptions([late]).unwrap();
        assert!(solver.first().solution().is_some());
        failures
    };
    let (first, second) = (failures(), failures());
    assert!(first > 100 && second <= 1, "{first} {second}");
}

#[test]
fn an_optimum_is_kept_as_a_bound() {
    let mut model = Model::new();
    let xs = model.ints(7, 0..=30);
    model.post(all_different(&xs));
    let end = model.int(0..=200);
    model.post(end.eq(weighted_sum(xs.iter().zip(1..).map(|(&x, i)| (i % 4, x)))));
    let mut solver = model.solver().unwrap();
    let best = solver.minimise(end).unwrap().value().unwrap();
    let first = solver.statistics().failures;
    assert_eq!(solver.minimise(end).unwrap().value(), Some(best));
    let second = solver.statistics().failures;
    assert!(first > 4 * second, "{first} {second}");
    // A further demand makes it worse, and is then taken back.
    solver.push();
    solver.post(end.ne(best)).unwrap();
    let worse = solver.minimise(end).unwrap().value().unwrap();
    assert!(worse > best);
    assert!(solver.pop());
    assert_eq!(solver.minimise(end).unwrap().value(), Some(best));
}

#[test]
fn after_a_proof_the_bound_is_the_best_value() {
    let mut model = Model::new();
    let xs = model.ints(3, 0..13);
    model.post(all_different(&xs));
    for mode in [Mode::Plain, Mode::Learning] {
        let mut solver = model.solver().unwrap();
        solver.set_mode(mode);
        assert_eq!(solver.maximise(sum(&xs)).unwrap().value(), Some(33));
        let progress = solver.progress();
        assert_eq!((progress.best(), progress.bound(), progress.gap()), (Some(33), Some(33), Some(0)));
    }
}

#[test]
fn assumptions_of_another_model_are_refused_and_those_taken_back_are_told() {
    let (mut model, mut other) = (Model::new(), Model::new());
    let (x, y) = (model.int(0..=3), other.int(0..=3));
    let mut solver = model.solver().unwrap();
    let mistake = solver.set_assumptions([y.ge(1)]).unwrap_err();
    assert!(mistake.to_string().contains("another model"), "{mistake}");
    solver.push();
    let z = solver.int(0..=3).unwrap();
    solver.set_assumptions([z.ge(1), x.ge(3)]).unwrap();
    assert_eq!(solver.count().solutions, 3);
    assert!(solver.pop());
    assert_eq!(solver.first(), First::Stopped(Stop::ForeignVariable));
    solver.set_assumptions([x.ge(2)]).unwrap();
    assert_eq!(solver.count().solutions, 2);
}

#[test]
fn a_search_in_the_background_tells_what_it_finds_and_gives_the_solver_back() {
    let mut model = Model::new();
    let xs = model.ints(5, 0..=9);
    model.post(all_different(&xs));
    let cost = weighted_sum(xs.iter().zip([3, -2, 1, -1, 2]).map(|(&x, factor)| (factor, x)));
    let expected = model.solver().unwrap().minimise(cost.clone()).unwrap();
    let mut search = model.solver().unwrap().minimise_in_background(cost.clone()).unwrap();
    let found: Vec<(Solution, i64)> = search.by_ref().collect();
    assert!(found.windows(2).all(|w| w[0].1 > w[1].1));
    assert!(found.iter().all(|(solution, value)| cost.value(solution) == Some(*value)));
    let progress = search.progress().clone();
    let (mut solver, optimum) = search.join();
    assert_eq!(optimum, expected);
    assert_eq!(found.last().map(|last| last.1), optimum.value());
    assert_eq!(
        (progress.best(), progress.bound(), progress.gap()),
        (expected.value(), expected.value(), Some(0))
    );
    assert!(solver.first().solution().is_some());
    assert_eq!(progress.best(), None);
}

#[test]
fn a_search_in_the_background_is_stopped() {
    // As many pigeons as need a search for long, and a cost that begins high.
    let mut model = Model::new();
    let pigeons = model.ints(30, 0..29);
    let doubles = model.int(0..=1000);
    let pairs = (0..30).flat_map(|i| (0..i).map(move |j| (i, j)));
    model.post(sum(pairs.map(|(i, j)| pigeons[i].eq(pigeons[j]))).le(doubles));
    let mut search = model.solver().unwrap().minimise_in_background(doubles).unwrap();
    let (_, first) = search.next().unwrap();
    assert!(first >= 1);
    search.stop();
    let (mut solver, optimum) = search.join();
    assert!(matches!(optimum, Optimum::BestSoFar { why: Stop::Handle, .. } | Optimum::Best { .. }));
    assert!(optimum.value() <= Some(first));
    assert!(solver.first().solution().is_some(), "the handle is down again");
    let search = solver.minimise_in_background(doubles).unwrap();
    let progress = search.progress().clone();
    drop(search);
    std::thread::sleep(std::time::Duration::from_millis(300));
    let nodes = progress.nodes();
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(progress.nodes(), nodes, "a search that nobody waits for ends");
}

#[test]
fn dropping_a_search_that_has_ended_stops_nobody_else() {
    let mut model = Model::new();
    let x = model.int(0..=9);
    let (handle, mut other) = (StopHandle::new(), model.solver().unwrap());
    other.set_stop_handle(&handle);
    let mut solver = model.solver().unwrap();
    solver.set_stop_handle(&handle);
    let search = solver.minimise_in_background(x).unwrap();
    while !search.is_finished() {
        std::thread::yield_now();
    }
    drop(search);
    assert!(other.first().solution().is_some());
}

/// Pigeons in too few holes, with nothing that counts them.
fn pigeons() -> (Solver, Vec<IntVar>) {
    let mut model = Model::new();
    let xs = model.ints(8, 0..7);
    (0..8).for_each(|i| (0..i).for_each(|j| _ = model.post(xs[i].ne(xs[j]))));
    let mut solver = Solver::with(&model, Presolve::Off).unwrap();
    solver.set_clause_limit(50);
    (solver, xs)
}

#[test]
fn a_search_that_never_restarts_forgets_too() {
    let (mut solver, xs) = pigeons();
    solver.set_mode(Mode::Learning);
    solver.set_search(branch(&xs));
    assert_eq!(solver.first(), First::Infeasible);
    let statistics = solver.statistics();
    assert!(statistics.forgotten > 100 && statistics.restarts > 1, "{statistics}");
}

#[test]
fn many_short_searches_forget_too() {
    // Each is too short for a restart, and begins elsewhere.
    let (mut solver, xs) = pigeons();
    let (mut learnt, mut forgotten) = (0, 0);
    for i in 0..200 {
        solver.set_assumptions([xs[i % 8].eq(i as i64 / 8 % 7), xs[(i + 3) % 8].eq(i as i64 % 7)]).unwrap();
        solver.set_limits(Limits::new().failures(20));
        solver.first();
        learnt += solver.statistics().learnt;
        forgotten += solver.statistics().forgotten;
    }
    assert!(learnt > 500 && forgotten > learnt / 2, "{forgotten} of {learnt}");
}

#[test]
fn a_search_stopped_in_the_middle_of_propagation_leaves_nothing_behind() {
    let mut model = Model::new();
    let v = [model.int([-3, 1, 2]), model.int(-4..=0), model.int([3, 5, 6]), model.int([1, 2, 3, 6])];
    model.post(all_different([IntExpr::from(v[2]), v[3].abs(), v[0].into()]));
    let expected = model.solver().unwrap().count();
    for mode in [Mode::Plain, Mode::Learning] {
        for taken in 0..60 {
            let mut solver = model.solver().unwrap();
            solver.set_mode(mode);
            solver.set_search(branch(v));
            let handle = solver.stop_handle();
            let mut solutions = solver.solutions();
            assert_eq!(solutions.by_ref().take(taken).count(), taken);
            handle.stop();
            solutions.by_ref().for_each(drop);
            handle.reset();
            assert_eq!(solver.count(), expected, "{mode:?}, stopped after {taken}");
        }
    }
}
