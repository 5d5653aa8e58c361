//! What constraints say of themselves: in words, and how much they promise to filter.

use super::*;
use crate::model::{Consistency, Constraint, Model};
use crate::rule;

#[test]
fn constraints_are_written_as_they_are_called() {
    let mut model = Model::new();
    let (x, y, b) = (model.int_named("x", 0..=9), model.int_named("y", 0..=9), model.bool_named("b"));
    let names = model.names();
    let expected: [(&dyn Constraint, &str); 10] = [
        (&all_different([x + 0, 2 * y]), "all_different(x, 2 * y)"),
        (&at_most(1, [x.eq(2), y.eq(3), b.into()]), "at_most(1, {x = 2, y = 3, b})"),
        (&at_least(2, [b, !b]), "at_least(2, {b, !b})"),
        (&exactly(0, [!b]), "exactly(0, {!b})"),
        (&table([x, y], [[1, 2], [3, 4]]), "(x, y) in {(1, 2), (3, 4)}"),
        (&forbidden([x + y], [[7]]), "(x + y) not in {(7)}"),
        (&rule!(element([x, y], x) = maximum([x, y])), "[x, y][x] = max(x, y)"),
        (&xor([b, !b]), "b xor !b"),
        (&no_overlap([(x, 3), (y, 2)]), "no_overlap(x for 3, y for 2)"),
        (&b, "b"),
    ];
    for (constraint, words) in expected {
        assert_eq!(constraint.describe(&names), words);
    }
}

#[test]
fn a_long_table_is_written_in_part() {
    let mut model = Model::new();
    let x = model.int(0..=99);
    let rows = |n: i64| table([x], (0..n).map(|v| [v])).describe(&model.names());
    assert!(rows(4).ends_with("(2), (3)}"), "{}", rows(4));
    let all = (5..40).find(|&n| rows(n).contains("more")).unwrap();
    assert!(rows(all).ends_with(&format!("({}), 1 more}}", all - 2)), "{}", rows(all));
    assert!(rows(all - 1).ends_with(&format!("({})}}", all - 2)), "{}", rows(all - 1));
}

#[test]
fn a_scope_lists_every_variable() {
    let mut model = Model::new();
    let (x, y, z, b) = (model.int(0..=9), model.int(0..=9), model.int(0..=9), model.bool());
    let constraints: [(&dyn Constraint, usize); 11] = [
        (&all_different([x, y, z]), 3),
        (&(x + y).le(z), 3),
        (&x.le(3), 1),
        (&z.eq(maximum([x, y])), 3),
        (&z.eq(element([x, y], x)), 4),
        (&at_most(1, [x.eq(2), b.into()]), 2),
        (&table([x, y], [[1, 2]]), 2),
        (&forbidden([x, y], [[1, 2]]), 2),
        (&when(b, all_different([x, y])), 3),
        (&no_overlap([(x, 1), (y, 0)]), 2),
        (&b, 1),
    ];
    for (constraint, views) in constraints {
        assert_eq!(constraint.scope().len(), views, "{constraint:?}");
    }
}

#[test]
fn a_constraint_and_its_negation_divide_the_assignments() {
    let mut model = Model::new();
    let (x, y, b) = (model.int(0..=2), model.int(0..=2), model.bool());
    let constraints: [&dyn Constraint; 8] = [
        &at_least(1, [x.eq(2), b.into()]),
        &exactly(1, [x.eq(2), y.eq(2), b.into()]),
        &table([x, y], [[1, 2]]),
        &forbidden([x, y], [[1, 2]]),
        &x.lt(y),
        &xor([b.into(), x.eq(1)]),
        &b,
        &!b,
    ];
    for constraint in constraints {
        let negation = constraint.negation().expect("it has one");
        for values in (0..18).map(|i| [i % 3, i / 3 % 3, i / 9]) {
            let assignment = model.assignment(|v| values[v.index().unwrap()]);
            let (holds, fails) = (constraint.is_satisfied(&assignment), negation.is_satisfied(&assignment));
            assert_ne!(holds, fails, "{constraint:?} at {values:?}");
        }
    }
}

#[test]
fn views_on_grids_are_equal_where_the_grids_meet() {
    let mut model = Model::new();
    let (x, y) = (model.int(-500..=500), model.int(-500..=500));
    model.post((4 * x).eq(6 * y + 2));
    let mut solver = model.solver().unwrap();
    let expected = (-500i64..=500).filter(|x| (4 * x - 2) % 6 == 0).count();
    assert_eq!(solver.count().solutions, expected as u64);
    let mut model = Model::new();
    let (x, y) = (model.int(-1 << 50..=1 << 50), model.int(-1 << 50..=1 << 50));
    model.post((4 * x).eq(6 * y + 1));
    assert_eq!(model.solver().unwrap().first(), crate::First::Infeasible);
}

#[test]
fn filtering_is_promised_as_documented() {
    use Consistency::{Bounds, Check, Domain, RealBounds, Value};
    let mut model = Model::new();
    let (xs, b) = (model.ints(3, 0..=9), model.bools(2));
    let (x, y, z) = (xs[0], xs[1], xs[2]);
    let expected: [(&dyn Constraint, Consistency); 27] = [
        (&x.le(3), Domain),
        (&x.eq(y), Domain),
        (&(x + y).eq(z), RealBounds),
        (&(x + 2 * y).le(z), RealBounds),
        (&(x + y).ne(z), Value),
        (&x.abs().eq(y), Domain),
        (&(x - y).abs().eq(z), Domain),
        (&(x - y).abs().ne(z), Value),
        (&(x - y).abs().lt(z), Check),
        (&(x + y - z).abs().eq(z), Check),
        (&z.eq(maximum([x, y])), Bounds),
        (&minimum([x, y]).eq(z), Bounds),
        (&minimum([x, y]).ne(z), Value),
        (&element([4, 5], x).eq(y), Domain),
        (&element([x, y], x).eq(y), Domain),
        (&(b[0] | b[1]), Domain),
        (&(b[0] & !b[1]), Domain),
        (&(b[0] | x.eq(y)), Check),
        (&xor(&b), Domain),
        (&b[0], Domain),
        (&at_most(1, &b), Domain),
        (&at_most(1, [x.le(3), y.eq(2)]), Check),
        (&table([x, y], [[1, 2]]), Domain),
        (&table([x + y], [[1]]), Check),
        (&forbidden([x, y], [[1, 2]]), Value),
        (&all_different(&xs).bounds(), Bounds),
        (&all_different([x + y, y + z]).domain(), Check),
    ];
    let names = model.names();
    for (constraint, consistency) in expected {
        assert_eq!(constraint.consistency(), consistency, "{}", constraint.describe(&names));
    }
    assert_eq!(all_different(&xs).consistency(), Value);
    assert_eq!(all_different(&xs).value().consistency(), Value);
    assert_eq!(all_different(&xs).domain().consistency(), Domain);
    assert_eq!(all_different(&xs).strength(Strength::Bounds).consistency(), Bounds);
}

#[test]
fn strengths_are_read_by_name() {
    let names = [
        ("auto", Strength::Auto),
        ("value", Strength::Value),
        ("bounds", Strength::Bounds),
        ("domain", Strength::Domain),
    ];
    for (name, strength) in names {
        assert_eq!(name.parse(), Ok(strength));
    }
    assert!("strong".parse::<Strength>().is_err());
}

/// By default, as many values as views are filtered by domain, and more by value.
#[test]
fn permutations_are_filtered_by_domain() {
    let mut model = Model::new();
    let (xs, ys) = (model.ints(3, 0..=2), model.ints(3, 0..=3));
    for pair in [&xs, &ys] {
        model.post(pair[0].le(1));
        model.post(pair[1].le(1));
        model.post(all_different(pair));
    }
    let mut solver = model.solver().unwrap();
    assert!(solver.propagate());
    assert_eq!(solver.domain(xs[2]).unwrap().to_string(), "{2}");
    assert_eq!(solver.domain(ys[2]).unwrap().to_string(), "0..=3");
}
