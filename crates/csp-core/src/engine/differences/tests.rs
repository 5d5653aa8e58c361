//! The network against brute force, and on what a propagator for each arc is bad at.

use crate::engine::{Atom, Engine};
use crate::prelude::*;
use crate::search::{Mode, branch};
use crate::testing::{Scope, check, literals};

/// Long enough that quadratic time shows.
const LONG: usize = 60_000;

#[test]
fn a_long_chain_is_propagated_in_any_order_of_its_arcs() {
    let ascending: Vec<usize> = (0..LONG - 1).collect();
    let descending = ascending.iter().rev().copied().collect();
    let mut shuffled = ascending.clone();
    fastrand::Rng::with_seed(1).shuffle(&mut shuffled);
    for order in [ascending, descending, shuffled] {
        let mut model = Model::new();
        let xs = model.ints(LONG, 0..=LONG as i64);
        order.iter().for_each(|&i| _ = model.post(xs[i].lt(xs[i + 1])));
        let mut solver = model.solver().unwrap();
        assert!(solver.propagate());
        let shows = |solver: &mut Solver, i: usize, values: std::ops::RangeInclusive<i64>| {
            assert_eq!(solver.domain(xs[i]).unwrap(), Domain::from(values), "of {i}");
        };
        for i in [0, LONG / 2, LONG - 1] {
            shows(&mut solver, i, i as i64..=i as i64 + 1);
        }
        // From one end to the other, and a cycle through all of it.
        solver.push();
        solver.post(xs[0].ge(1)).unwrap();
        assert!(solver.propagate());
        shows(&mut solver, LONG - 1, LONG as i64..=LONG as i64);
        solver.post(xs[LONG - 1].lt(xs[0])).unwrap();
        assert!(!solver.propagate());
        solver.pop();
        solver.post(xs[LONG - 1].lt(LONG as i64)).unwrap();
        assert!(solver.propagate());
        shows(&mut solver, 0, 0..=0);
    }
}

#[test]
fn a_positive_cycle_fails_without_creeping() {
    const FAR: i64 = 1 << 40;
    let mut model = Model::new();
    let xs = model.ints(1000, 0..=FAR);
    for pair in xs.windows(2) {
        model.post(pair[0].le(pair[1]));
    }
    let back = model.bool();
    model.post(when(back, xs[999].lt(xs[0])));
    let mut solver = model.solver().unwrap();
    solver.push();
    solver.post(back).unwrap();
    assert!(!solver.propagate());
    solver.pop();
    assert!(solver.propagate());
    for mode in [Mode::Plain, Mode::Learning] {
        solver.set_mode(mode);
        solver.set_search(branch([back]).max_value());
        assert_eq!(solver.first().solution().unwrap().value(back), 0);
        assert_eq!(solver.statistics().failures, 1);
    }
}

#[test]
fn the_arc_back_is_excluded() {
    let mut model = Model::new();
    let (x, y) = (model.int(0..=1 << 40), model.int(0..=1 << 40));
    let (there, back) = (model.bool(), model.bool());
    model.post(when(there, (x + 5).le(y)));
    model.post(when(back, (y - 4).le(x)));
    let mut solver = model.solver().unwrap();
    solver.post(there).unwrap();
    assert!(solver.propagate());
    for mode in [Mode::Plain, Mode::Learning] {
        solver.set_mode(mode);
        solver.set_search(branch([back]).max_value());
        assert_eq!(solver.first().solution().unwrap().value(back), 0);
        assert_eq!(solver.statistics().failures, 0);
    }
}

#[test]
fn distances_may_be_as_large_as_can_be() {
    const MOST: i64 = (1 << 62) - 1;
    let mut model = Model::new();
    let (x, y, z) = (model.int(-MOST..=MOST - 2), model.int(-MOST..=MOST), model.int(-MOST..=-MOST + 3));
    model.post((z + MOST).le(x));
    model.post(x.le(z + MOST));
    model.post((z + MOST).lt(y));
    model.post(y.le(x + 2));
    let mut solver = model.solver().unwrap();
    assert!(solver.propagate());
    assert_eq!(solver.domain(x).unwrap(), Domain::from(0..=3));
    assert_eq!(solver.domain(y).unwrap(), Domain::from(1..=5));
    assert_eq!(solver.count().solutions, 8);
}

#[test]
fn harness() {
    let report = check("differences", Scope::bools(2..=2).then_ints(4..=4), |views, p| {
        let (bools, xs) = (literals(&views[..2]), &views[2..]);
        let parts: Vec<BoolExpr> = (0..p.int(2..=7))
            .map(|_| {
                let (i, j) = (p.int(0..=3) as usize, p.int(0..=3) as usize);
                let distance =
                    p.witness(2 + j).saturating_sub(p.witness(2 + i)).saturating_sub(p.int(-1..=2));
                let distance = distance.clamp(-1 << 40, 1 << 40);
                let arc = (IntExpr::from(xs[i]) + distance).le(xs[j]);
                match p.int(0..=4) {
                    0 => arc,
                    1 => when(bools[0], arc),
                    2 => when(!bools[1], arc),
                    3 => when(bools[1], when(bools[0], arc)),
                    _ => when(xs[p.int(0..=3) as usize].ge(p.witness(2)), arc),
                }
            })
            .collect();
        conjunction(parts)
    });
    assert!(report.pruned > 50 && report.failures > 50 && report.refused < 50, "{report}");
}

/// A difference, always or where something holds.
fn random_arc(rng: &mut fastrand::Rng, xs: &[IntVar], bools: &[BoolVar]) -> BoolExpr {
    let any = |rng: &mut fastrand::Rng| xs[rng.usize(0..xs.len())];
    let (x, y) = (any(rng), any(rng));
    let sign = [1, 1, 1, -1, 2][rng.usize(0..5)];
    let arc = (sign * x + rng.i64(-2..=3)).le(if rng.bool() { sign * y } else { y.into() });
    let literal = if rng.bool() { bools[rng.usize(0..2)] } else { !bools[rng.usize(0..2)] };
    match rng.u32(0..7) {
        0 | 1 => arc,
        2 | 3 => when(literal, arc),
        4 => iff(literal, arc),
        5 => when(any(rng).ge(rng.i64(0..=4)), arc),
        _ => when(any(rng).eq(rng.i64(0..=4)), arc),
    }
}

/// All solutions, by trying everything.
fn solutions(model: &Model) -> Vec<Vec<i64>> {
    let mut tuples = vec![vec![]];
    for x in model.variables() {
        let domain = model.domain(x).unwrap();
        tuples = tuples
            .iter()
            .flat_map(|t| (0..=4).filter(|&v| domain.contains(v)).map(|v| [&t[..], &[v]].concat()))
            .collect();
    }
    tuples.retain(|t| model.check(&model.assignment(|x| t[x.index().unwrap()])).is_ok());
    tuples
}

#[test]
fn random_networks_have_the_solutions_of_brute_force() {
    let (mut rng, mut infeasible, mut failures) = (fastrand::Rng::with_seed(7), 0, 0);
    for case in 0..250 {
        let mut model = Model::new();
        let xs: Vec<IntVar> = (0..4)
            .map(|_| {
                let values: Vec<i64> = (0..=4).filter(|_| rng.u32(0..4) > 0).collect();
                model.int(if values.is_empty() { vec![3] } else { values })
            })
            .collect();
        let bools = model.bools(2);
        for _ in 0..rng.usize(0..6) {
            model.post(random_arc(&mut rng, &xs, &bools));
        }
        let mut solver = model.solver().unwrap();
        let mut levels = 0;
        for step in 0..6 {
            match rng.u32(0..4) {
                0 => {
                    solver.push();
                    levels += 1;
                }
                1 => levels -= i32::from(solver.pop()),
                _ => _ = solver.post(random_arc(&mut rng, &xs, &bools)).unwrap(),
            }
            assert!(levels >= 0);
            if rng.bool() {
                continue;
            }
            let expected = solutions(solver.model());
            infeasible += u32::from(expected.is_empty());
            for mode in [Mode::Plain, Mode::Learning] {
                solver.set_mode(mode);
                let all = solver.model().variables().collect::<Vec<_>>();
                solver.set_seed(case);
                solver.set_search(branch(&all).dom_wdeg().random_value());
                let mut found: Vec<Vec<i64>> = solver.solutions().map(|s| s.values(&all)).collect();
                failures += solver.statistics().failures;
                found.sort_unstable();
                assert_eq!(found, expected, "case {case}, step {step}, {mode:?}: {:?}", solver.model());
            }
        }
    }
    assert!(infeasible > 100 && failures > 200, "{infeasible} infeasible, {failures} failures");
}

#[test]
fn degrees_count_arcs_and_come_back() {
    for known in [false, true] {
        let mut engine = Engine::new();
        let xs = [0; 3].map(|_| engine.add_variable(&[(0, 9)]));
        if known {
            assert!(engine.add_difference(xs[0], 1, xs[1], None));
        }
        let degrees = |engine: &Engine| xs.map(|x| engine.watches()[x.index()].len());
        let before = degrees(&engine);
        assert_eq!(before, if known { [1, 1, 0] } else { [0, 0, 0] });
        engine.push_root();
        assert!(engine.add_difference(xs[0], 1, xs[2], None));
        assert!(engine.add_difference(xs[0], 2, xs[2], Some(Atom::ge(xs[1], 5))));
        assert_eq!(degrees(&engine), [2 + before[0], 1 + before[1], 2]);
        engine.pop_root();
        assert_eq!(degrees(&engine), before);
    }
}
