//! Searches of random small models, some with hidden variables, against brute force.

use std::collections::BTreeSet;

use crate::constraints::clause::post_atoms;
use crate::engine::{Atom, Poster};
use crate::model::{Affine, Assignment, Constraint, Names};
use crate::prelude::*;

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
fn random_model(rng: &mut fastrand::Rng, with_hidden: bool) -> (Model, Vec<IntVar>) {
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
fn solutions(model: &Model, xs: &[IntVar]) -> Vec<Vec<i64>> {
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

fn cases() -> u64 {
    std::env::var("CSP_TESTING_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}

fn seed() -> u64 {
    std::env::var("CSP_TESTING_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// One of many strategies.
fn set_random_search(solver: &mut Solver, xs: &[IntVar], rng: &mut fastrand::Rng) {
    let mut some = xs.to_vec();
    rng.shuffle(&mut some);
    some.truncate(rng.usize(0..=xs.len()));
    solver.set_seed(rng.u64(..));
    match rng.u32(0..5) {
        0 => {}
        1 => solver.set_search(branch(&some).random_variable().random_value()),
        2 => solver.set_search(branch(&some).then(branch(xs).smallest_domain().max_value())),
        3 => solver.set_search(branch(&some).median_value()),
        _ => solver.set_search(move |domains: &Domains<'_>| {
            let x = some.iter().copied().find(|&x| !domains.is_fixed(x))?;
            Some(Decision::AtMost(x, domains.min(x) + (domains.max(x) - domains.min(x)) / 2))
        }),
    }
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

        let mut chosen = xs.clone();
        rng.shuffle(&mut chosen);
        chosen.truncate(rng.usize(0..=xs.len()));
        solver.set_projection(&chosen);
        let places: Vec<usize> = chosen.iter().map(|x| x.index().unwrap()).collect();
        let expected: BTreeSet<Vec<i64>> =
            all.iter().map(|t| places.iter().map(|&i| t[i]).collect()).collect();
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
    assert!(fewer > 50 && none > 5 && many > 50, "{fewer} {none} {many}");
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
