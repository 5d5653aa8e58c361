//! Searches of random small models, some with hidden variables, against brute force.

use std::collections::BTreeSet;

use crate::constraints::clause::post_atoms;
use crate::engine::{Atom, Poster};
use crate::model::{Affine, Assignment, Constraint, Names};
use crate::prelude::*;
use crate::search::{Changes, Failure, Mode};

/// `x ≤ a` or `y ≥ b`, with a hidden variable that says which, and that may be either where both hold.
#[derive(Debug)]
struct EitherHidden {
    x: IntVar,
    a: i64,
    y: IntVar,
    b: i64,
}

impl Constraint for EitherHidden {
    fn scope(&self) -> Vec<Affine> {
        vec![self.x.into(), self.y.into()]
    }

    fn is_satisfied(&self, a: &Assignment) -> bool {
        a[self.x] <= self.a || a[self.y] >= self.b
    }

    fn describe(&self, _: &Names<'_>) -> String {
        "either".into()
    }

    fn post(&self, poster: &mut Poster<'_>) {
        let (x, y, hidden) = (poster.view(self.x), poster.view(self.y), poster.auxiliary());
        post_atoms(poster, &[hidden.negated(), x.le(self.a)]);
        post_atoms(poster, &[hidden, y.ge(self.b)]);
    }
}

/// `x ≠ a`, by hidden variables that cannot be fixed where `x = a`; only a search among them shows that.
#[derive(Debug)]
struct UnequalHidden {
    x: IntVar,
    a: i64,
}

impl Constraint for UnequalHidden {
    fn scope(&self) -> Vec<Affine> {
        vec![self.x.into()]
    }

    fn is_satisfied(&self, a: &Assignment) -> bool {
        a[self.x] != self.a
    }

    fn describe(&self, _: &Names<'_>) -> String {
        "unequal".into()
    }

    fn post(&self, poster: &mut Poster<'_>) {
        let hidden = [poster.auxiliary(), poster.auxiliary(), poster.auxiliary()];
        let differs = poster.view(self.x).ne(self.a);
        for signs in 0..8 {
            let literal = |i: usize| if signs >> i & 1 == 1 { hidden[i] } else { hidden[i].negated() };
            let atoms: [Atom; 4] = [differs, literal(0), literal(1), literal(2)];
            post_atoms(poster, &atoms);
        }
    }
}

/// A random model of few variables.
pub(crate) fn random_model(rng: &mut fastrand::Rng, with_hidden: bool) -> (Model, Vec<IntVar>) {
    let mut model = Model::new();
    let xs: Vec<IntVar> = (0..rng.usize(1..=5))
        .map(|_| {
            let low = rng.i64(-3..=1);
            model.int(low..=low + rng.i64(0..=3))
        })
        .collect();
    for _ in 0..rng.usize(0..=5) {
        let any = |rng: &mut fastrand::Rng| xs[rng.usize(0..xs.len())];
        let (x, y, v) = (any(rng), any(rng), rng.i64(-3..=3));
        match rng.u32(0..if with_hidden { 6 } else { 4 }) {
            0 => model.post(x.ne(y + v)),
            1 => model.post(weighted_sum(xs.iter().map(|&x| (rng.i64(-2..=2), x))).le(v)),
            2 if xs.len() > 2 => model.post(all_different(&xs[..3]).value()),
            2 | 3 => model.post(weighted_sum([(1, x), (2, y)]).ne(v)),
            4 => model.post(EitherHidden { x, a: v, y, b: rng.i64(-3..=3) }),
            _ => model.post(UnequalHidden { x, a: v }),
        };
    }
    (model, xs)
}

/// All solutions, by trying everything.
pub(crate) fn solutions(model: &Model, xs: &[IntVar]) -> Vec<Vec<i64>> {
    let domains: Vec<Vec<i64>> =
        xs.iter().map(|&x| (-9..=9).filter(|&v| model.domain(x).unwrap().contains(v)).collect()).collect();
    let mut tuples = vec![vec![]];
    for domain in &domains {
        tuples = tuples
            .iter()
            .flat_map(|t| domain.iter().map(|&v| t.iter().copied().chain([v]).collect::<Vec<i64>>()))
            .collect();
    }
    tuples.retain(|t| model.check(&model.assignment(|x| t[x.index().unwrap()])).is_ok());
    tuples
}

pub(crate) fn cases() -> u64 {
    std::env::var("CSP_TESTING_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}

pub(crate) fn seed() -> u64 {
    std::env::var("CSP_TESTING_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// One of many strategies.
pub(crate) fn set_random_search(solver: &mut Solver, xs: &[IntVar], rng: &mut fastrand::Rng) {
    let mut some = xs.to_vec();
    rng.shuffle(&mut some);
    some.truncate(rng.usize(0..=xs.len()));
    solver.set_seed(rng.u64(..));
    solver.set_mode([Mode::Plain, Mode::Learning][rng.usize(0..2)]);
    let mut branching = branch(&some);
    branching = match rng.u32(0..10) {
        0 => branching,
        1 => branching.random_variable(),
        2 => branching.smallest_domain(),
        3 => branching.largest_domain(),
        4 => branching.smallest_min(),
        5 => branching.largest_max(),
        6 => branching.most_constrained(),
        7 => branching.dom_wdeg(),
        8 => branching.activity(),
        _ => branching.variable_by(|domains, open| open.iter().copied().max_by_key(|&x| domains.size(x))),
    };
    branching = match rng.u32(0..7) {
        0 => branching,
        1 => branching.max_value(),
        2 => branching.median_value(),
        3 => branching.random_value(),
        4 => branching.split(),
        5 => branching.reverse_split(),
        _ => branching.value_by(|domains, x| domains.nth(x, 1)),
    };
    let closure = move |domains: &Domains<'_>| {
        let x = some.iter().copied().find(|&x| !domains.is_fixed(x))?;
        Some(Decision::AtMost(x, domains.min(x) + (domains.max(x) - domains.min(x)) / 2))
    };
    match rng.u32(0..7) {
        0 => {}
        1 => solver.set_search(closure),
        2 => solver.set_search(branching.then(branch(xs).activity().reverse_split()).last_conflict()),
        3 => solver.set_search(closure.last_conflict().then(branching)),
        4 => solver.set_search(branching.last_conflict()),
        5 => solver.set_search(branching.conflict_ordering()),
        _ => solver.set_search(branching),
    }
}

/// Some of the variables, and what the solutions are there.
pub(crate) fn random_projection(
    xs: &[IntVar],
    all: &[Vec<i64>],
    rng: &mut fastrand::Rng,
) -> (Vec<IntVar>, BTreeSet<Vec<i64>>) {
    let mut chosen = xs.to_vec();
    rng.shuffle(&mut chosen);
    chosen.truncate(rng.usize(0..=xs.len()));
    let places: Vec<usize> = chosen.iter().map(|x| x.index().unwrap()).collect();
    let values = all.iter().map(|t| places.iter().map(|&i| t[i]).collect()).collect();
    (chosen, values)
}

#[test]
fn solutions_differ_by_the_projection_only() {
    let mut rng = fastrand::Rng::with_seed(seed());
    let (mut fewer, mut none, mut many) = (0, 0, 0);
    for case in 0..cases() {
        let (model, xs) = random_model(&mut rng, true);
        let all = solutions(&model, &xs);
        let mut solver = model.solver().unwrap();
        set_random_search(&mut solver, &xs, &mut rng);
        assert_eq!(solver.count().solutions, all.len() as u64, "case {case}: {model}");
        let found: BTreeSet<Vec<i64>> = solver.solutions().map(|s| s.values(&xs)).collect();
        assert_eq!(found, all.iter().cloned().collect(), "case {case}: {model}");

        let (chosen, expected) = random_projection(&xs, &all, &mut rng);
        solver.set_projection(&chosen);
        let count = solver.count();
        assert_eq!(count.solutions, expected.len() as u64, "case {case}: {chosen:?} of {model}");
        assert!(count.outcome.is_complete());
        let mut found = Vec::new();
        for solution in solver.solutions() {
            model.check(&solution).unwrap();
            found.push(solution.values(&chosen));
        }
        assert_eq!(found.len(), expected.len(), "case {case}: none comes twice");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected, "case {case}");
        assert_eq!(solver.first().solution().is_some(), !all.is_empty());
        solver.clear_projection();
        assert_eq!(solver.count().solutions, all.len() as u64);
        fewer += usize::from(expected.len() < all.len());
        none += usize::from(all.is_empty());
        many += usize::from(all.len() > 20);
    }
    assert!(fewer > 50 && none > 5 && many > 30, "{fewer} {none} {many}");
}

/// Restarts after every failure, or nearly.
pub(crate) fn set_random_restarts(solver: &mut Solver, rng: &mut fastrand::Rng) {
    solver.set_restarts(match rng.u32(0..4) {
        0 => Restarts::geometric(2, 1.3),
        1 => Restarts::luby(2),
        _ => Restarts::luby(1),
    });
}

#[test]
fn restarts_lose_nothing_and_repeat_nothing() {
    let mut rng = fastrand::Rng::with_seed(seed());
    let (mut restarts, mut projected, mut optimised) = (0, 0, 0);
    for case in 0..cases() {
        let (model, xs) = random_model(&mut rng, true);
        let all = solutions(&model, &xs);
        let mut solver = model.solver().unwrap();
        set_random_search(&mut solver, &xs, &mut rng);
        set_random_restarts(&mut solver, &mut rng);
        let count = solver.count();
        assert!(count.outcome.is_complete());
        assert_eq!(count.solutions, all.len() as u64, "case {case}: {model}");
        restarts += solver.statistics().restarts;
        let mut found: Vec<Vec<i64>> = solver.solutions().map(|s| s.values(&xs)).collect();
        found.sort_unstable();
        let mut expected = all.clone();
        expected.sort_unstable();
        assert_eq!(found, expected, "case {case}: {model}");

        let (chosen, expected) = random_projection(&xs, &all, &mut rng);
        solver.set_projection(&chosen);
        let found: Vec<Vec<i64>> = solver.solutions().map(|s| s.values(&chosen)).collect();
        assert_eq!(found.len(), expected.len(), "case {case}: {chosen:?} of {model}");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected, "case {case}");
        projected += solver.statistics().restarts;

        let objective = weighted(&xs, &mut rng);
        let value_of = |t: &Vec<i64>| model.assignment(|x| t[x.index().unwrap()]).value(objective);
        assert_eq!(solver.minimise(objective).unwrap().value(), all.iter().map(value_of).min());
        assert_eq!(solver.maximise(objective).unwrap().value(), all.iter().map(value_of).max());
        assert!(solver.outcome().unwrap().is_complete());
        optimised += solver.statistics().restarts;

        // Nothing is left of it, on pushed levels either.
        solver.clear_projection();
        solver.push();
        assert_eq!(solver.count().solutions, all.len() as u64);
        solver.post(xs[0].eq(0)).unwrap();
        assert_eq!(solver.count().solutions, all.iter().filter(|t| t[0] == 0).count() as u64);
        let _ = solver.first();
        assert!(solver.pop());
        solver.set_restarts(Restarts::never());
        assert_eq!(solver.count().solutions, all.len() as u64, "case {case}");
    }
    assert!(restarts > 100 && projected > 50 && optimised > 30, "{restarts} {projected} {optimised}");
}

fn weighted(xs: &[IntVar], rng: &mut fastrand::Rng) -> Affine {
    xs[rng.usize(0..xs.len())] * [1, -1, 3][rng.usize(0..3)] + rng.i64(-2..=2)
}

#[test]
fn restarts_prove_that_there_is_nothing() {
    let mut model = Model::new();
    let pigeons = model.ints(6, 0..5);
    for (i, x) in pigeons.iter().enumerate() {
        for &y in &pigeons[..i] {
            model.post((*x).ne(y));
        }
    }
    // With presolve there would be nothing to search.
    let mut solver = Solver::with(&model, Presolve::Off).unwrap();
    let plain = solver.count();
    let nodes = solver.statistics().nodes;
    solver.set_search(branch(&pigeons).random_variable().random_value());
    solver.set_restarts(Restarts::luby(1));
    assert_eq!(solver.count(), plain);
    assert!(solver.statistics().restarts > 50);
    assert!(solver.statistics().nodes < 20 * nodes, "{} after {nodes}", solver.statistics().nodes);
}

#[test]
fn discrepancies_are_counted_and_never_claim_completeness() {
    let mut rng = fastrand::Rng::with_seed(seed());
    let (mut cut, mut complete) = (0, 0);
    for case in 0..cases() {
        let (model, xs) = random_model(&mut rng, true);
        let all = solutions(&model, &xs);
        let mut solver = model.solver().unwrap();
        set_random_search(&mut solver, &xs, &mut rng);
        if rng.bool() {
            set_random_restarts(&mut solver, &mut rng);
        }
        let objective = weighted(&xs, &mut rng);
        let mut before = 0;
        for discrepancies in 0..30 {
            solver.set_limits(Limits::new().discrepancies(discrepancies));
            let count = solver.count();
            assert!(count.solutions <= all.len() as u64);
            match count.outcome {
                Outcome::Stopped(stop) => {
                    assert_eq!(stop, Stop::Discrepancies);
                    cut += 1;
                }
                _ => {
                    assert_eq!(count.solutions, all.len() as u64, "case {case}: {model}");
                    complete += 1;
                }
            }
            before = count.solutions.max(before);
            let optimum = solver.minimise(objective).unwrap();
            let value_of = |t: &Vec<i64>| model.assignment(|x| t[x.index().unwrap()]).value(objective);
            let best = all.iter().map(value_of).min();
            assert!(!optimum.is_proved() || optimum.value() == best, "case {case}: {optimum}, {best:?}");
            assert!(best.is_none_or(|best| optimum.bound().unwrap() <= best), "case {case}: {optimum}");
        }
        assert_eq!(before, all.len() as u64, "nothing has 30 discrepancies");
    }
    assert!(cut > 200 && complete > 200, "{cut} {complete}");
}

#[test]
fn a_memory_limit_is_looked_at() {
    let mut model = Model::new();
    model.ints(12, 0..=9);
    let mut solver = model.solver().unwrap();
    solver.set_limits(Limits::new().memory(1).nodes(100_000));
    if memory_stats::memory_stats().is_some() {
        assert_eq!(solver.first(), First::Stopped(Stop::Memory));
        assert_eq!(solver.count().outcome, Outcome::Stopped(Stop::Memory));
    }
    solver.set_limits(Limits::new().memory(u64::MAX).nodes(100_000));
    assert_eq!(solver.count().outcome, Outcome::Stopped(Stop::Nodes));
}

#[test]
fn the_best_solution_is_found_and_proved() {
    let mut rng = fastrand::Rng::with_seed(seed());
    let (mut none, mut improved, mut stopped) = (0, 0, 0);
    for case in 0..cases() {
        let (model, xs) = random_model(&mut rng, true);
        let all = solutions(&model, &xs);
        let mut solver = model.solver().unwrap();
        set_random_search(&mut solver, &xs, &mut rng);
        if rng.bool() {
            solver.set_projection(&xs[..1]);
        }
        let x = xs[rng.usize(0..xs.len())];
        let objective = match rng.u32(0..4) {
            0 => x * 2 - 3,
            1 => -x,
            2 => 7.into(),
            _ => x + 0,
        };
        let value_of = |t: &[i64]| model.assignment(|x| t[x.index().unwrap()]).value(objective);
        for sign in [1, -1] {
            let best = all.iter().map(|t| sign * value_of(t)).min().map(|v| sign * v);
            let mut last = None;
            let visit = |solution: &Assignment, value: i64| {
                model.check(solution).unwrap();
                assert_eq!(solution.value(objective), value);
                assert!(last.is_none_or(|last| sign * value < sign * last), "case {case}: better each time");
                last = Some(value);
                std::ops::ControlFlow::Continue(())
            };
            let optimum = match sign {
                1 => solver.minimise_with(objective, visit),
                _ => solver.maximise_with(objective, visit),
            };
            let optimum = optimum.unwrap();
            assert_eq!(optimum.value(), best, "case {case}: {model}");
            assert!(optimum.is_proved());
            assert_eq!((last, optimum.solution().is_some()), (best, best.is_some()));
            assert_eq!(optimum.bound(), best);
            let outcome = if best.is_some() { Outcome::Optimal } else { Outcome::Infeasible };
            assert_eq!(solver.outcome(), Some(outcome));
            improved += usize::from(solver.statistics().solutions > 1);
            none += usize::from(best.is_none());

            solver.set_limits(Limits::new().nodes(rng.u64(0..12)));
            let early = if sign == 1 { solver.minimise(objective) } else { solver.maximise(objective) };
            let early = early.unwrap();
            stopped += usize::from(!early.is_proved());
            match (early.bound(), best) {
                (Some(bound), Some(best)) => assert!(sign * bound <= sign * best, "case {case}: {early}"),
                (None, Some(_)) => panic!("case {case}: not infeasible"),
                _ => {}
            }
            assert!(!early.is_proved() || early.value() == best, "case {case}");
            if let Some(solution) = early.solution() {
                model.check(solution).unwrap();
            }
            solver.set_limits(Limits::new());
        }
        assert!(solver.count().outcome.is_complete());
    }
    assert!(none > 10 && improved > 50 && stopped > 50, "{none} {improved} {stopped}");
}

/// The variables in the order in which a strategy decides on them, down the leftmost path.
fn order(solver: &mut Solver, brancher: impl Brancher + 'static) -> Vec<Decision> {
    struct Spy<B>(B, std::sync::Arc<std::sync::Mutex<Vec<Decision>>>);
    impl<B: Brancher> Brancher for Spy<B> {
        fn start(&mut self, domains: &Domains<'_>, seed: u64) {
            self.0.start(domains, seed);
        }
        fn choose(&mut self, domains: &Domains<'_>) -> Option<Decision> {
            let decision = self.0.choose(domains)?;
            self.1.lock().unwrap().push(decision);
            Some(decision)
        }
        fn wants_changes(&self) -> bool {
            self.0.wants_changes()
        }
        fn changed(&mut self, changes: &Changes<'_>) {
            self.0.changed(changes);
        }
        fn failed(&mut self, failure: &Failure<'_>) {
            self.0.failed(failure);
        }
    }
    let seen: std::sync::Arc<std::sync::Mutex<Vec<Decision>>> = std::sync::Arc::default();
    solver.set_search(Spy(brancher, std::sync::Arc::clone(&seen)));
    assert!(solver.first().solution().is_some());
    std::mem::take(&mut *seen.lock().unwrap())
}

#[test]
fn orders_are_what_they_say() {
    let mut model = Model::new();
    let a = model.int(2..=5);
    let b = model.int(-4..=0);
    let c = model.int([0, 1, 9]);
    let d = model.int(2..=5);
    model.post(weighted_sum([(1, b), (1, d)]).le(5));
    model.post(weighted_sum([(1, a), (1, d)]).le(10));
    let (mut solver, xs) = (model.solver().unwrap(), [a, b, c, d]);
    let mut variables = |branching: Branching| {
        order(&mut solver, branching).into_iter().map(Decision::variable).collect::<Vec<_>>()
    };
    assert_eq!(variables(branch(xs)), [a, b, c, d]);
    assert_eq!(variables(branch(xs).smallest_domain()), [c, a, d, b]);
    assert_eq!(variables(branch(xs).largest_domain()), [b, a, d, c]);
    assert_eq!(variables(branch(xs).smallest_min()), [b, c, a, d]);
    assert_eq!(variables(branch(xs).largest_max()), [c, a, d, b]);
    assert_eq!(variables(branch(xs).most_constrained()), [d, a, b, c]);
    assert_eq!(variables(branch(xs).dom_wdeg()), [c, a, d, b], "without failures the smallest domain");
    let split = order(&mut solver, branch([c, b]).split());
    assert_eq!(split[..2], [Decision::AtMost(c, 4), Decision::AtMost(c, 0)]);
    assert_eq!(split[2], Decision::AtMost(b, -2));
    let split = order(&mut solver, branch([b]).reverse_split());
    assert_eq!(split, [Decision::AtLeast(b, -1), Decision::AtLeast(b, 0)]);
}

#[test]
fn halves_of_the_widest_domain() {
    const MOST: i64 = (1 << 62) - 1;
    let mut model = Model::new();
    let x = model.int(-MOST..=MOST);
    let mut solver = model.solver().unwrap();
    solver.set_search(branch([x]).split());
    assert_eq!(solver.first().solution().unwrap()[x], -MOST);
    solver.set_search(branch([x]).reverse_split());
    assert_eq!(solver.first().solution().unwrap()[x], MOST);
}

/// A hard core at the end of the list: orders that learn from failures find it, input order does not.
#[test]
fn orders_that_learn_go_to_the_trouble() {
    let mut model = Model::new();
    let easy = model.ints(12, 0..=9);
    let hard = model.ints(5, 0..4);
    for (i, &x) in hard.iter().enumerate() {
        for &y in &hard[..i] {
            model.post(x.ne(y));
        }
    }
    let xs: Vec<IntVar> = easy.iter().chain(&hard).copied().collect();
    // Presolve would find the core at once.
    let mut solver = Solver::with(&model, Presolve::Off).unwrap();
    solver.set_limits(Limits::new().failures(50_000));
    solver.set_search(branch(&xs));
    assert_eq!(solver.first(), First::Stopped(Stop::Failures));
    solver.set_search(branch(&xs).dom_wdeg());
    assert_eq!(solver.first(), First::Infeasible);
    solver.set_search(branch(&xs).last_conflict());
    assert_eq!(solver.first(), First::Infeasible);
    solver.set_search(branch(&xs).conflict_ordering());
    assert_eq!(solver.first(), First::Infeasible);
    solver.set_search(branch(&xs).activity());
    solver.set_restarts(Restarts::luby(20));
    assert_eq!(solver.first(), First::Infeasible);
}

#[test]
fn changes_and_failures_are_reported_by_variable() {
    struct Watcher {
        xs: [IntVar; 3],
        seen: std::sync::Arc<std::sync::Mutex<(usize, usize)>>,
    }
    impl Brancher for Watcher {
        fn choose(&mut self, domains: &Domains<'_>) -> Option<Decision> {
            let x = self.xs.into_iter().find(|&x| !domains.is_fixed(x))?;
            Some(Decision::Equal(x, domains.max(x)))
        }
        fn failed(&mut self, failure: &Failure<'_>) {
            let mut variables: Vec<IntVar> = failure.variables().collect();
            variables.sort_by_key(|x| x.index());
            assert_eq!(variables, self.xs, "each once, and the condition with them");
            self.seen.lock().unwrap().0 += 1;
        }
        fn wants_changes(&self) -> bool {
            true
        }
        fn changed(&mut self, changes: &Changes<'_>) {
            let mut variables: Vec<IntVar> = changes.variables().collect();
            let before = variables.len();
            variables.sort_by_key(|x| x.index());
            variables.dedup();
            assert_eq!(variables.len(), before, "each once");
            self.seen.lock().unwrap().1 += before;
        }
    }
    let mut model = Model::new();
    let (c, x, y) = (model.bool(), model.int(0..=3), model.int(0..=3));
    model.post(when(c, weighted_sum([(3, x), (5, y)]).eq(7)));
    let mut solver = model.solver().unwrap();
    let seen = std::sync::Arc::default();
    solver.set_search(Watcher { xs: [c.var, x, y], seen: std::sync::Arc::clone(&seen) });
    assert_eq!(solver.count().solutions, 16);
    let (failures, changes) = *seen.lock().unwrap();
    assert!(failures > 0 && changes > 16, "{failures} {changes}");
    // The next search does not want to know.
    solver.set_search(branch([x, y]));
    assert_eq!(solver.count().solutions, 16);
    assert_eq!(seen.lock().unwrap().1, changes);
}

#[test]
fn without_a_strategy_one_solution_is_searched_with_restarts() {
    let mut model = Model::new();
    let pigeons = model.ints(7, 0..6);
    let free = model.ints(2, 0..=1);
    for (i, &x) in pigeons.iter().enumerate() {
        for &y in &pigeons[..i] {
            model.post(x.ne(y));
        }
    }
    // With presolve there would be nothing to search.
    let solver = || Solver::with(&model, Presolve::Off).unwrap();
    let mut one = solver();
    assert_eq!(one.first(), First::Infeasible);
    assert!(one.statistics().restarts > 0);
    let mut one = solver();
    assert_eq!(one.count().outcome, Outcome::Infeasible);
    assert_eq!(one.statistics().restarts, 0);
    let mut one = solver();
    one.set_restarts(Restarts::never());
    assert_eq!(one.minimise(free[1]).unwrap(), Optimum::Infeasible);
    assert_eq!(one.statistics().restarts, 0);
    let mut one = solver();
    one.set_search(branch(&pigeons));
    assert_eq!(one.first(), First::Infeasible);
    assert_eq!(one.statistics().restarts, 0);
}

#[test]
fn variables_for_which_one_stands_are_reported_each() {
    struct Watcher(std::sync::Arc<std::sync::Mutex<Vec<IntVar>>>, IntVar);
    impl Brancher for Watcher {
        fn choose(&mut self, domains: &Domains<'_>) -> Option<Decision> {
            (!domains.is_fixed(self.1)).then(|| Decision::Equal(self.1, domains.min(self.1)))
        }
        fn failed(&mut self, failure: &Failure<'_>) {
            self.0.lock().unwrap().extend(failure.variables());
        }
    }
    let mut model = Model::new();
    let (x, y, z) = (model.int(0..=3), model.int(0..=3), model.int(-3..=0));
    model.post(z.eq(-x));
    model.post(weighted_sum([(3, x), (5, y)]).eq(7));
    let mut solver = model.solver().unwrap();
    let seen = std::sync::Arc::default();
    solver.set_search(Watcher(std::sync::Arc::clone(&seen), x));
    assert_eq!(solver.first(), First::Infeasible);
    let mut seen = seen.lock().unwrap().clone();
    seen.sort_by_key(|x| x.index());
    seen.dedup();
    assert_eq!(seen, [x, y, z]);
}

#[test]
fn nogoods_go_with_the_level_they_were_found_on() {
    let mut model = Model::new();
    let xs = model.ints(6, 0..6);
    for sign in [-1, 0, 1] {
        model.post(all_different(xs.iter().zip(0..).map(|(&x, i)| x + sign * i)));
    }
    let mut solver = model.solver().unwrap();
    solver.set_restarts(Restarts::luby(2));
    for _ in 0..2 {
        solver.push();
        solver.post(xs[0].lt(xs[1])).unwrap();
        solver.post(weighted_sum([(1, xs[2]), (1, xs[3])]).ne(4)).unwrap();
        let expected = solutions(solver.model(), &xs).len() as u64;
        assert_eq!(solver.count().solutions, expected);
        assert!(solver.statistics().restarts > 0);
        solver.pop();
        assert_eq!(solver.count().solutions, 4);
        assert!(solver.statistics().restarts > 0);
        assert_eq!(solver.count().solutions, 4);
    }
}

#[test]
fn after_an_interruption_everything_is_propagated_again() {
    let mut model = Model::new();
    let xs = model.ints(8, 0..8);
    for sign in [-1, 0, 1] {
        model.post(all_different(xs.iter().zip(0..).map(|(&x, i)| x + sign * i)).domain());
    }
    let strategy = || branch([0, 7, 3, 4, 1, 6, 2, 5].map(|i| xs[i]));
    let mut solver = model.solver().unwrap();
    solver.set_search(strategy());
    // The root is propagated once.
    assert_eq!(solver.count().solutions, 92);
    assert_eq!(solver.count().solutions, 92);
    let whole = solver.statistics();
    for after in 1..40 {
        let handle = solver.stop_handle();
        let (mut calls, list) = (0, xs.clone());
        solver.set_search(branch(&xs).variable_by(move |domains, _| {
            calls += 1;
            if calls == after {
                handle.stop();
            }
            list.iter().copied().find(|&x| !domains.is_fixed(x))
        }));
        assert_eq!(solver.count().outcome, Outcome::Stopped(Stop::Handle));
        solver.set_stop_handle(&StopHandle::new());
        solver.set_search(strategy());
        assert_eq!(solver.count().solutions, 92);
        let again = solver.statistics();
        assert_eq!((again.nodes, again.propagations), (whole.nodes, whole.propagations), "after {after}");
    }
}

#[test]
fn each_propagator_is_called_once_for_changes_that_come_together() {
    let mut model = Model::new();
    let xs = model.ints(6, 0..6);
    model.post(all_different(&xs).domain());
    model.post(weighted_sum(xs.iter().zip(1..).map(|(&x, c)| (c, x))).eq(40));
    let mut solver = model.solver().unwrap();
    solver.set_search(branch(&xs));
    let count = solver.count();
    assert_eq!((count.solutions, solver.statistics().propagations), (12, 838));
}

#[test]
fn what_is_stopped_at_the_root_is_taken_up_again() {
    let mut model = Model::new();
    let xs = model.ints(4, 0..4);
    for pair in xs.windows(2) {
        model.post(pair[0].lt(pair[1]));
    }
    let mut solver = model.solver().unwrap();
    solver.stop_handle().stop();
    assert_eq!(solver.count().outcome, Outcome::Stopped(Stop::Handle));
    solver.stop_handle().reset();
    assert!(solver.propagate());
    assert_eq!(solver.domain(xs[2]).unwrap().to_string(), "{2}");
    assert_eq!(solver.count().solutions, 1);
}
