//! Expressions in the harness, and the promises of the module: depth, size, few hidden variables.

use crate::constraints::Operator;
use crate::model::{
    Affine, BoolExpr, BoolVar, IntExpr, clause, conjunction, element, iff, maximum, minimum, sum, when,
};
use crate::prelude::{First, Model, all_different};
use crate::testing::{Params, Report, Scope, check, literals};

const OPERATORS: [Operator; 6] =
    [Operator::Eq, Operator::Ne, Operator::Le, Operator::Lt, Operator::Ge, Operator::Gt];

/// A random integer expression of a certain depth over the views.
fn integer(xs: &[Affine], bools: &[BoolVar], depth: usize, p: &mut Params<'_>) -> IntExpr {
    let leaf = |p: &mut Params<'_>| match xs.len() {
        0 => IntExpr::from(p.int(-3..=3)),
        n => IntExpr::from(xs[p.int(0..=n as i64 - 1) as usize]),
    };
    if depth == 0 {
        return leaf(p);
    }
    match p.int(0..=9) {
        0 => leaf(p),
        1 => integer(xs, bools, depth - 1, p) + integer(xs, bools, depth - 1, p),
        2 => integer(xs, bools, depth - 1, p) - leaf(p),
        3 => integer(xs, bools, depth - 1, p) * p.int(-2..=3),
        4 => integer(xs, bools, depth - 1, p).abs(),
        5 => maximum([integer(xs, bools, depth - 1, p), leaf(p)]),
        6 => minimum([leaf(p), integer(xs, bools, depth - 1, p)]),
        7 => {
            let array: Vec<i64> = (0..p.int(1..=4)).map(|_| p.int(-3..=3)).collect();
            element(array, integer(xs, bools, depth - 1, p))
        }
        8 => element([leaf(p), integer(xs, bools, depth - 1, p)], leaf(p)),
        _ => boolean(xs, bools, depth - 1, p) + leaf(p),
    }
}

/// A random Boolean expression of a certain depth over the views and Booleans.
fn boolean(xs: &[Affine], bools: &[BoolVar], depth: usize, p: &mut Params<'_>) -> BoolExpr {
    let literal = |p: &mut Params<'_>| match bools.len() {
        0 => BoolExpr::from(p.bool()),
        n => {
            let b = bools[p.int(0..=n as i64 - 1) as usize];
            if p.bool() { b } else { !b }.into()
        }
    };
    let comparison = |depth: usize, p: &mut Params<'_>| {
        let operator = p.pick(&OPERATORS);
        integer(xs, bools, depth, p).compare(operator, integer(xs, bools, 0, p))
    };
    if depth == 0 {
        return if p.bool() { literal(p) } else { comparison(0, p) };
    }
    match p.int(0..=8) {
        0 | 1 => comparison(depth, p),
        2 => boolean(xs, bools, depth - 1, p) & boolean(xs, bools, depth - 1, p),
        3 | 4 => boolean(xs, bools, depth - 1, p) | boolean(xs, bools, depth - 1, p),
        5 => boolean(xs, bools, depth - 1, p) ^ boolean(xs, bools, depth - 1, p),
        6 => !boolean(xs, bools, depth - 1, p),
        7 => boolean(xs, bools, depth - 1, p).implies(comparison(0, p)),
        _ => comparison(depth - 1, p).iff(literal(p)),
    }
}

fn shows_something(report: &Report) {
    assert!(report.pruned > 10 && report.nodes > 1000, "{report}");
}

#[test]
fn random_expressions() {
    for depth in 1..=4 {
        let scope = Scope::bools(2..=2).then_ints(1..=3);
        let report = check(&format!("expressions of depth {depth}"), scope, move |views, p| {
            boolean(&views[2..], &literals(&views[..2]), depth, p)
        });
        shows_something(&report);
    }
}

#[test]
fn conditions() {
    let two = || Scope::bools(2..=2).then_ints(2..=2);
    let reports = [
        check("when when", two(), |xs, _| {
            let b = literals(&xs[..2]);
            when(b[0], when(b[1], xs[2].lt(xs[3])))
        }),
        check("when iff", two(), |xs, _| {
            let b = literals(&xs[..2]);
            when(b[0], iff(b[1], xs[2].eq(xs[3])))
        }),
        check("iff iff", two(), |xs, _| {
            let b = literals(&xs[..2]);
            iff(b[0], iff(b[1], xs[2].ne(xs[3])))
        }),
        check("iff sum", Scope::bools(1..=1).then_ints(0..=3), |xs, p| {
            let value = (1..xs.len()).map(|i| p.witness(i)).fold(0, i64::saturating_add);
            iff(literals(xs)[0], sum(&xs[1..]).le(value))
        }),
        check("when clause", Scope::bools(1..=5), |xs, _| {
            let b = literals(xs);
            when(b[0], clause(b[1..].iter().copied()))
        }),
        check("conjunction", Scope::bools(0..=4), |xs, _| conjunction(literals(xs))),
        check("xor", Scope::bools(2..=3), |xs, _| {
            let b = literals(xs);
            b.iter().skip(1).fold(BoolExpr::from(b[0]), |all, &b| all ^ b)
        }),
        check("a constraint in a disjunction", Scope::bools(1..=1).then_ints(3..=3), |xs, _| {
            literals(xs)[0] | all_different(&xs[1..]) | xs[1].gt(xs[2])
        }),
        check("all_different of expressions", 3, |xs, _| {
            all_different([xs[0] + xs[1], (xs[1] - xs[2]).abs(), element([1, 0, 2], xs[2])])
        }),
    ];
    reports.iter().for_each(|report| assert!(report.nodes > 1000 && report.failures > 5, "{report}"));
}

/// How many variables the engine has beyond those of the model.
fn hidden(model: &Model) -> usize {
    model.solver().unwrap().hidden_variables()
}

#[test]
fn hidden_variables_are_few() {
    let mut model = Model::new();
    let (xs, b) = (model.ints(4, -9..=9), model.bools(2));
    let (x, y, z, w) = (xs[0], xs[1], xs[2], xs[3]);
    for free in [
        (x + 2 * y - z).le(w),
        (x + y).ne(z - w),
        z.eq((x - y).abs()),
        (x - y).abs().le(3),
        (x + y + z).abs().lt(w),
        maximum(&xs).le(5),
        minimum([x, y]).gt(z),
        w.eq(maximum([x + 1, 2 * y])),
        z.eq(element([3, 1, 4], x)),
        z.eq(element(&xs, x)),
        when(b[0], x.lt(y)),
        when(b[0], maximum(&xs).eq(5)),
        iff(b[0], (x + y).le(3)),
        b[0] | x.eq(3) | y.ge(2) | b[1],
        b[0] | (2 * x).gt(x + 3) | b[1],
        b[0] ^ x.lt(y),
        x.eq(3) & (y + z).eq(2),
        (!b[0]).implies(b[1] & x.eq(y)),
        sum(&b).eq(1),
    ] {
        let mut model = model.clone();
        model.post(free.clone());
        assert_eq!(hidden(&model), 0, "{}", free.words(&model.names()));
    }
    for one in [(x - y).abs().ge(3), (x.eq(y) + z).eq(2), (y + z).eq(maximum([x, w])), b[0] | b[1] | x.lt(y)]
    {
        let mut model = model.clone();
        model.post(one.clone());
        assert_eq!(hidden(&model), 1, "{}", one.words(&model.names()));
    }
}

#[test]
fn a_sum_of_a_million_terms_is_built_solved_and_dropped() {
    let mut model = Model::new();
    let xs = model.ints(1000, 0..=1);
    let total = (0..1_000_000).map(|i| xs[i % 1000] * 2).fold(IntExpr::from(0), |sum, x| sum + x);
    model.post(total.ge(2_000_000));
    let solution = model.solver().unwrap().first().solution().unwrap();
    assert!(xs.iter().all(|&x| solution[x] == 1));
}

#[test]
fn a_nesting_of_a_hundred_thousand_is_built_solved_and_dropped() {
    const DEPTH: usize = 100_000;
    let mut model = Model::new();
    let (bs, x, y) = (model.bools(8), model.int(0..=20), model.int(0..=20));
    let b = |i: usize| bs[i % 8];
    let alternating =
        (0..DEPTH).fold(BoolExpr::from(bs[0]), |e, i| if i % 2 == 0 { b(i) & e } else { b(i) | e });
    let exclusive = (0..DEPTH).fold(BoolExpr::from(bs[0]), |e, i| b(i) ^ !(e & b(i + 1)));
    let chain = (0..DEPTH).fold(BoolExpr::from(bs[1]), |e, i| b(i).implies(e));
    let absolute = (0..DEPTH).fold(x.abs(), |e, _| (e - 1).abs());
    let largest = (0..DEPTH).fold(IntExpr::from(x), |e, i| maximum([IntExpr::from(y - i as i64), e]) - 1);
    let differences = (0..DEPTH).fold(IntExpr::from(x), |e, i| if i % 2 == 0 { y - e } else { e - y });
    let parts = [
        alternating,
        exclusive,
        chain,
        absolute.eq(1),
        largest.ge(-(DEPTH as i64)),
        differences.ge(-2_000_000),
    ];
    for part in parts {
        let mut model = model.clone();
        model.post(part);
        let words = model.to_string();
        assert!(words.len() < 5000);
        let first = model.solver().unwrap().first();
        assert!(matches!(first, First::Found(_)), "{first:?} of {}", &words[..100]);
    }
}

#[test]
fn a_comparison_alone_is_an_operand_with_its_truth_value() {
    let mut model = Model::new();
    let (x, y) = (model.int(0..=1), model.int(0..=1));
    model.post(all_different([IntExpr::from(x.lt(y)), 0.into()]));
    let solutions: Vec<_> = model.solver().unwrap().solutions().map(|s| (s[x], s[y])).collect();
    assert_eq!(solutions, [(0, 1)]);
}

#[test]
fn what_is_undefined_counts_as_false_in_a_sum_of_truth_values() {
    let mut model = Model::new();
    let x = model.int(0..=2);
    let entry = element([0, 5], x) + 1;
    model.post(sum([entry.ge(1), x.ge(0)]).eq(1));
    let solutions: Vec<_> = model.solver().unwrap().solutions().map(|s| s[x]).collect();
    assert_eq!(solutions, [2]);
}

#[test]
fn functions_may_reach_the_extremes_where_nothing_is_added() {
    const MAX: i64 = (1 << 62) - 1;
    let mut model = Model::new();
    let (x, y) = (model.int([-MAX, MAX]), model.int([1, MAX]));
    model.post(all_different([x.abs(), y.into()]));
    let b = model.bools(2);
    model.post(sum(&b).lt(MAX - 2));
    // |x| is always MAX, so y is 1.
    assert_eq!(model.solver().unwrap().count().solutions, 2 * 4);
}
