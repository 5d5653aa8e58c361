//! What constraints say of themselves: in words, and how much they promise to filter.

use super::*;
use crate::model::{Consistency, Constraint, Model};
use crate::rule;

#[test]
fn constraints_are_written_as_they_are_called() {
    let mut model = Model::new();
    let (x, y, b) = (model.int_named("x", 0..=9), model.int_named("y", 0..=9), model.bool_named("b"));
    let names = model.names();
    let expected: [(&dyn Constraint, &str); 9] = [
        (&all_different([x + 0, 2 * y]), "all_different(x, 2 * y)"),
        (&at_most(1, [x.eq(2), y.eq(3), b.into()]), "at_most(1, {x = 2, y = 3, b})"),
        (&at_least(2, [b, !b]), "at_least(2, {b, !b})"),
        (&exactly(0, [!b]), "exactly(0, {!b})"),
        (&table([x, y], [[1, 2], [3, 4]]), "(x, y) in {(1, 2), (3, 4)}"),
        (&forbidden([x + y], [[7]]), "(x + y) not in {(7)}"),
        (&rule!(element([x, y], x) = maximum([x, y])), "[x, y][x] = max(x, y)"),
        (&xor([b, !b]), "b xor !b"),
        (&b, "b"),
    ];
    for (constraint, words) in expected {
        assert_eq!(constraint.describe(&names), words);
    }
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
