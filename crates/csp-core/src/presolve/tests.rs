use super::*;
use crate::model::{IntExpr, sum, weighted_sum};
use crate::{First, Infeasibility, Mode, Solver, all_different, branch, when};

/// The sizes of the cliques, and how many constraints they do not say.
fn cliques(model: &Model) -> (Vec<usize>, usize) {
    let cliques = Findings::new(model).cliques;
    let left = (0..model.constraint_count() as u32).filter(|&i| !cliques.covers(ConstraintId(i))).count();
    let mut sizes: Vec<usize> = cliques.all.iter().map(Vec::len).collect();
    sizes.sort_unstable();
    (sizes, left)
}

fn propagators(model: &Model, presolve: Presolve) -> usize {
    Solver::with(model, presolve).unwrap().propagators()
}

fn pairs_of<T: Copy>(list: &[T]) -> impl Iterator<Item = (T, T)> + '_ {
    (0..list.len()).flat_map(move |j| (0..j).map(move |i| (list[i], list[j])))
}

#[test]
fn pairwise_queens_are_three_cliques_in_any_order() {
    let mut rng = fastrand::Rng::with_seed(1);
    for n in [4, 5, 6, 7, 8, 9, 25] {
        let mut model = Model::new();
        let queens = model.ints(n, 0..n as i64);
        let numbers: Vec<usize> = (0..n).collect();
        let mut attacks: Vec<(usize, usize, i64)> =
            pairs_of(&numbers).flat_map(|(i, j)| [-1, 0, 1].map(|d| (i, j, d * (j - i) as i64))).collect();
        rng.shuffle(&mut attacks);
        for (i, j, d) in attacks {
            if rng.bool() {
                model.post(queens[i].ne(queens[j] + d));
            } else {
                model.post(weighted_sum([(2, queens[j]), (-2, queens[i])]).ne(-2 * d));
            }
        }
        assert_eq!(cliques(&model), (vec![n; 3], 0), "{n}");
        assert_eq!(propagators(&model, Presolve::On), 3);
        assert_eq!(propagators(&model, Presolve::Off), 3 * n * (n - 1) / 2);
    }
}

/// Every view has an offset and a sign of its own, which have to be found again.
#[test]
fn views_of_either_sign_are_put_together() {
    let mut rng = fastrand::Rng::with_seed(2);
    for _ in 0..20 {
        let mut model = Model::new();
        let views: Vec<_> = model
            .ints(7, -2..=9)
            .into_iter()
            .map(|x| x * if rng.bool() { 1 } else { -1 } + rng.i64(-9..=9))
            .collect();
        for (x, y) in pairs_of(&views) {
            model.post(x.ne(y));
        }
        assert_eq!(cliques(&model), (vec![7], 0), "{model}");
    }
}

#[test]
fn what_is_in_no_clique_stays() {
    let mut model = Model::new();
    let x = model.ints(5, 0..=9);
    let (b, fixed) = (model.bool(), model.int(4..=4));
    for (u, v) in [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (0, 1)] {
        model.post(x[u].ne(x[v]));
    }
    assert_eq!(cliques(&model), (vec![3], 2));
    // None of these is an edge from 4 to 2, which would make a triangle of 2, 3 and 4.
    model.post(x[4].ne(x[2]) | b);
    model.post(when(b, x[4].ne(x[2])));
    model.post(x[4].ne(2 * x[2]));
    model.post((2 * x[4]).ne(2 * x[2] + 1));
    model.post(x[4].ne((x[2] - 1).abs()));
    model.post(sum([x[4], x[2], x[3]]).ne(5));
    model.post(x[4].lt(x[2]));
    model.post(x[4].ne(fixed));
    assert_eq!(cliques(&model), (vec![3], 10));
    model.post(sum([x[4], fixed]).ne(x[2] + 4));
    assert_eq!(cliques(&model), (vec![3, 3], 8));
}

/// Two edges of the same two variables do not make a clique of their own, and differ from a third by offset.
#[test]
fn offsets_must_agree() {
    let mut model = Model::new();
    let x = model.ints(3, 0..=9);
    model.post(x[0].ne(x[1]));
    model.post(x[0].ne(x[1] + 1));
    model.post(x[1].ne(x[2] + 2));
    model.post(x[0].ne(x[2] + 4));
    model.post(x[0].ne(-x[2] + 2));
    assert_eq!(cliques(&model), (vec![], 5));
    model.post(x[2].ne(x[0] - 3));
    assert_eq!(cliques(&model), (vec![3], 3));
}

#[test]
fn named_constraints_are_told_apart_where_they_explain() {
    let mut model = Model::new();
    let x = model.ints(5, 0..=1);
    let same = model.post_named("same", x[0].eq(x[3]));
    model.post(x[4].ne(x[1]));
    let edges: Vec<ConstraintId> =
        [(3, 1), (1, 2), (2, 0)].map(|(u, v)| model.post_named(format!("{u} {v}"), x[u].ne(x[v]))).into();
    assert_eq!(cliques(&model).0, [3]);
    let mut solver = Solver::new(&model).unwrap();
    assert_eq!(solver.first(), First::Infeasible);
    let constraints = [&[same], &edges[..]].concat();
    let expected = Infeasibility::Conflict { constraints, is_minimal: true };
    assert_eq!(solver.explain_infeasibility(), Ok(expected));
}

#[test]
fn equal_variables_are_one_vertex() {
    let mut model = Model::new();
    let x = model.ints(4, -3..=3);
    model.post(x[3].eq(-x[0]));
    model.post(x[0].ne(x[1]));
    model.post(x[1].ne(x[2]));
    model.post(x[2].ne(-x[3]));
    assert_eq!(cliques(&model).0, [3]);
    model.post(x[3].ne(-x[0]));
    assert_eq!(Solver::new(&model).unwrap().first(), First::Infeasible);
}

/// Where a view of the clique would leave the range of numbers, and where sums come near it.
#[test]
fn far_values_do_not_wrap() {
    const MAX: i64 = crate::engine::MAX_VALUE;
    let mut model = Model::new();
    let (x, y) = (model.int(-MAX..=-MAX + 1), model.int(MAX - 1..=MAX));
    let (z, w) = (model.int(0..=1), model.int(-MAX..=MAX));
    let pairs =
        [y.ne(z + (MAX - 1)), z.ne(x + MAX), x.ne(-y), x.ne(w), y.ne(w), w.ne(MAX - z), w.ne(z - MAX)];
    for pair in pairs {
        model.post(pair);
    }
    let shown = [x, y, z];
    let counts = [Presolve::Off, Presolve::On].map(|presolve| {
        let mut solver = Solver::with(&model, presolve).unwrap();
        solver.set_projection(shown);
        (solver.count().solutions, solver.minimise(w).unwrap().value(), solver.maximise(w).unwrap().value())
    });
    assert_eq!(counts[0], counts[1]);
}

#[test]
fn a_dense_graph_costs_no_more_than_its_budget() {
    let mut rng = fastrand::Rng::with_seed(3);
    let mut model = Model::new();
    let vertices = model.ints(2000, 0..2000);
    for (u, v) in pairs_of(&vertices) {
        if rng.bool() {
            model.post(u.ne(v));
        }
    }
    let started = std::time::Instant::now();
    let cliques = Findings::new(&model).cliques;
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    let count = model.constraint_count();
    let covered = (0..count as u32).filter(|&i| cliques.covers(ConstraintId(i))).count();
    assert!(covered > 1000 && covered < count / 2, "{covered} of {count}: the budget was met");
    assert!(Solver::new(&model).unwrap().first().solution().is_some());
}

#[test]
fn pigeons_without_holes_are_seen_at_the_root() {
    let mut model = Model::new();
    let pigeons = model.ints(12, 0..20);
    for (x, y) in pairs_of(&pigeons) {
        model.post(x.ne(y));
    }
    // Only now are there too few holes.
    for x in pigeons {
        model.post(x.lt(11));
    }
    assert!(!Solver::new(&model).unwrap().propagate());
    assert!(Solver::with(&model, Presolve::Off).unwrap().propagate());
}

#[test]
fn fixed_variables_cost_no_propagator() {
    let mut model = Model::new();
    let (x, y) = (model.int(0..=9), model.int(0..=9));
    let (three, seven) = (model.int(3..=3), model.int(0..=9));
    model.post(seven.eq(7));
    model.post(x.ne(three));
    model.post(three.lt(y));
    model.post(sum([x, seven]).ge(11));
    model.post(sum([three, seven]).eq(10));
    assert_eq!(propagators(&model, Presolve::Off), 0);
    let mut solver = model.solver().unwrap();
    assert!(solver.propagate());
    assert_eq!(solver.domain(x).unwrap().to_string(), "4..=9");
    assert_eq!(solver.domain(y).unwrap().to_string(), "4..=9");
    solver.push();
    solver.post(x.ne(4)).unwrap();
    solver.post(x.le(seven - 2)).unwrap();
    solver.post(y.gt(x + 3)).unwrap();
    assert_eq!(solver.count().solutions, 1);
    assert!(solver.pop());
    assert_eq!(solver.count().solutions, 36);
    let mut model = Model::new();
    let (x, y) = (model.int(3..=3), model.int(3..=3));
    model.post(x.ne(y));
    assert!(!model.solver().unwrap().propagate());
}

/// A random model of disequalities and a few other constraints.
fn random_model(rng: &mut fastrand::Rng) -> (Model, Vec<IntVar>) {
    let mut model = Model::new();
    let values = rng.usize(3..=6);
    let xs: Vec<IntVar> = (0..rng.usize(3..=5))
        .map(|_| match rng.u32(0..8) {
            0 => model.int([rng.i64(-2..=2)]),
            1 => model.int((0..values).map(|_| rng.i64(-3..=3)).collect::<Vec<i64>>()),
            _ => model.int(0..values as i64),
        })
        .collect();
    // Signs and offsets of which many edges agree, and some do not.
    let twist: Vec<(i64, i64)> =
        xs.iter().map(|_| (if rng.u32(0..4) == 0 { -1 } else { 1 }, rng.i64(0..=1))).collect();
    for _ in 0..rng.usize(5..=16) {
        let (i, j) = (rng.usize(0..xs.len()), rng.usize(0..xs.len()));
        let stray = if rng.u32(0..5) == 0 { rng.i64(-2..=2) } else { 0 };
        let (x, y) = (xs[i] * twist[i].0 + twist[i].1, xs[j] * twist[j].0 + (twist[j].1 + stray));
        match rng.u32(0..20) {
            0 => model.post(x.eq(y)),
            1 => model.post(x.le(y + 1)),
            2 => model.post(when(xs[rng.usize(0..xs.len())].ge(1), x.ne(y))),
            3 => model.post(sum([IntExpr::from(x), (-y).into()]).ne(0)),
            4 => model.post((3 * x).ne(3 * y)),
            5 => model.post(all_different([x, y, xs[0].into()])),
            _ => model.post(x.ne(y)),
        };
    }
    (model, xs)
}

fn all(solver: &mut Solver, xs: &[IntVar]) -> Vec<Vec<i64>> {
    let mut found: Vec<Vec<i64>> = solver.solutions().map(|s| s.values(xs)).collect();
    assert!(solver.outcome().is_some_and(|o| o.is_complete()), "{:?}", solver.outcome());
    found.sort();
    found
}

#[test]
fn answers_are_those_without_presolve() {
    let mut rng = fastrand::Rng::with_seed(4);
    let (mut with_cliques, mut feasible, mut aliased) = (0, 0, 0);
    for _ in 0..1500 {
        let (model, xs) = random_model(&mut rng);
        let found = Findings::new(&model);
        with_cliques += usize::from(!found.cliques.all.is_empty());
        aliased += usize::from(
            !found.cliques.all.is_empty() && (0..xs.len()).any(|i| found.aliases.view(i).var().index() != i),
        );
        let shown = [xs[0], xs[rng.usize(0..xs.len())]];
        let objective = weighted_sum(xs.iter().map(|&x| (rng.i64(-2..=2), x)));
        let extra = xs[0].ne(xs[1] + rng.i64(-1..=1));
        let mut answers = Vec::new();
        for (presolve, mode) in [
            (Presolve::Off, Mode::Plain),
            (Presolve::On, Mode::Plain),
            (Presolve::On, Mode::Learning),
            (Presolve::Off, Mode::Learning),
        ] {
            let mut solver = Solver::with(&model, presolve).unwrap();
            solver.set_mode(mode);
            let everything = all(&mut solver, &xs);
            let best = (
                solver.minimise(objective.clone()).unwrap().value(),
                solver.maximise(objective.clone()).unwrap().value(),
            );
            assert_eq!(solver.first().solution().is_some(), !everything.is_empty(), "{model}");
            solver.push();
            solver.post(extra.clone()).unwrap();
            let fewer = all(&mut solver, &xs);
            assert!(solver.pop());
            solver.set_projection(shown);
            solver.set_search(branch(&xs).smallest_domain());
            let projected = all(&mut solver, &shown);
            answers.push((everything, best, fewer, projected));
        }
        // By the definitions of the constraints, without any engine.
        assert_eq!(answers[0].0, brute_force(&model, &xs), "{model}");
        assert!(answers.iter().all(|other| *other == answers[0]), "{model}\n{answers:?}");
        feasible += usize::from(!answers[0].0.is_empty());
    }
    assert!(
        with_cliques > 400 && aliased > 30,
        "{with_cliques} with cliques, {aliased} of them with aliases"
    );
    assert!((100..1400).contains(&feasible), "{feasible}");
}

fn brute_force(model: &Model, xs: &[IntVar]) -> Vec<Vec<i64>> {
    let mut tuples: Vec<Vec<i64>> = vec![vec![]];
    for &x in xs {
        let values: Vec<i64> = (-3..=6).filter(|&v| model.domain(x).unwrap().contains(v)).collect();
        tuples = tuples
            .iter()
            .flat_map(|t| values.iter().map(|&v| t.iter().copied().chain([v]).collect::<Vec<i64>>()))
            .collect();
    }
    tuples.retain(|t| model.first_broken(&model.assignment(|x| t[x.index().unwrap()])).is_none());
    tuples
}
