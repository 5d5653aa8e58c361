//! Building and reading expressions.

use super::*;
use crate::error::ModelErrorKind;
use crate::prelude::{Model, all_different};
use crate::rule;

fn solutions(model: &Model) -> u64 {
    model.solver().unwrap().count().solutions
}

#[test]
fn rules_mean_what_mathematics_means() {
    let mut model = Model::new();
    let (a, b) = (model.bool_named("a"), model.bool_named("b"));
    let (x, y, z) =
        (model.int_named("x", -2..=3), model.int_named("y", -2..=3), model.int_named("z", -2..=3));
    let xs = [x, y, z];
    type Meaning = fn(bool, bool, i64, i64, i64) -> bool;
    let rules: [(BoolExpr, Meaning); 27] = [
        (rule!(x + 2 * y <= z), |_, _, x, y, z| x + 2 * y <= z),
        (rule!(b -> x != y), |_, b, x, y, _| !b || x != y),
        (rule!(a -> b -> x = 1), |a, b, x, _, _| !a || !b || x == 1),
        (rule!(a <-> x < y), |a, _, x, y, _| a == (x < y)),
        (rule!(a & x = 1 | b & y == 2), |a, b, x, y, _| a && x == 1 || b && y == 2),
        (rule!(a && x >= 1 || !b), |a, b, x, _, _| a && x >= 1 || !b),
        (rule!(!(x > y) ^ b), |_, b, x, y, _| (x <= y) ^ b),
        (rule!(-1 <= x < y <= 2), |_, _, x, y, _| -1 <= x && x < y && y <= 2),
        (rule!(x <-1), |_, _, x, _, _| x < -1),
        (rule!(x<-y), |_, _, x, y, _| x < -y),
        (rule!(-x + y = 1), |_, _, x, y, _| -x + y == 1),
        (rule!(2 * (x + y) = 3 * (z - 1) + 1), |_, _, x, y, z| 2 * (x + y) == 3 * (z - 1) + 1),
        (rule!((x - y).abs() = z), |_, _, x, y, z| (x - y).abs() == z),
        (rule!(maximum([x, y]) >= z & (a | b)), |a, b, x, y, z| x.max(y) >= z && (a || b)),
        (rule!(xs[0] + xs[1] = xs[2]), |_, _, x, y, z| x + y == z),
        (rule!((a | b) -> (x = y -> y = z)), |a, b, x, y, z| !(a || b) || x != y || y == z),
        (rule!(all_different(xs)), |_, _, x, y, z| x != y && y != z && x != z),
        (rule!(a -> all_different(xs)), |a, _, x, y, z| !a || x != y && y != z && x != z),
        (rule!(b), |_, b, _, _, _| b),
        (rule!(!b), |_, b, _, _, _| !b),
        (rule!(a + b + 1 = x), |a, b, x, _, _| i64::from(a) + i64::from(b) + 1 == x),
        (rule!((x = 1) + (y = 1) + (z = 1) = 2), |_, _, x, y, z| {
            [x, y, z].iter().filter(|&&v| v == 1).count() == 2
        }),
        (rule!((x = 1) <= (y = 2)), |_, _, x, y, _| x != 1 || y == 2),
        (rule!(xs.iter().sum::<IntExpr>() < 2), |_, _, x, y, z| x + y + z < 2),
        (rule!(sum(xs.iter().map(|v| v.abs())) <= 2), |_, _, x, y, z| x.abs() + y.abs() + z.abs() <= 2),
        (rule!(element([5, 7, 9], x) > 5), |_, _, x, _, _| (1..=2).contains(&x)),
        (rule!(!(element([5, 7, 9], x) > 5)), |_, _, x, _, _| !(1..=2).contains(&x)),
    ];
    for (rule, meaning) in rules {
        let mut model = model.clone();
        let words = rule.words(&model.names());
        model.post(rule);
        let mut expected = 0;
        for (p, q) in [(false, false), (false, true), (true, false), (true, true)] {
            for x in -2..=3 {
                for y in -2..=3 {
                    expected += (-2..=3).filter(|&z| meaning(p, q, x, y, z)).count() as u64;
                }
            }
        }
        assert_eq!(solutions(&model), expected, "{words}");
    }
}

#[test]
fn expressions_are_written_as_they_are_read() {
    let mut model = Model::new();
    let (b, x, y) = (model.bool_named("b"), model.int_named("x", 0..=9), model.int_named("y", 0..=9));
    for (rule, words) in [
        (rule!(x + 2 * y - 3 <= 4), "x + 2 * y - 3 <= 4"),
        (rule!(x - (y - x) = 0), "x - (y - x) = 0"),
        (rule!(2 * (x + y) != 7), "2 * (x + y) != 7"),
        (rule!((x - y).abs() < 3), "|x - y| < 3"),
        (rule!(b & x = 1 | !b & y = 2), "b and x = 1 or !b and y = 2"),
        (rule!(b -> x = 1), "b -> x = 1"),
        (rule!(b -> y = 2 | x = 3), "!b or y = 2 or x = 3"),
        (rule!((b | x = 1) -> y = 2), "(b or x = 1) -> y = 2"),
        (rule!((b -> x = 1) & y = 2), "(b -> x = 1) and y = 2"),
        (rule!((b | x = 1) & y = 2), "(b or x = 1) and y = 2"),
        (rule!(maximum([x + 0, y + 1]) = 3), "max(x, y + 1) = 3"),
        (rule!(element([4, 5], x) = y), "[4, 5][x] = y"),
        (rule!(element([x, y], x) = y), "[x, y][x] = y"),
        (!(rule!(b) & x.eq(1)), "!(b and x = 1)"),
        (clause::<BoolExpr>([]), "false (an empty clause)"),
        (sum::<IntExpr>([]).eq(0), "0 = 0"),
    ] {
        assert_eq!(rule.words(&model.names()), words);
    }
}

#[test]
fn numbers_that_could_overflow_are_refused_or_right() {
    const MAX: i64 = (1 << 62) - 1;
    let kind = |model: &Model| model.validate().map_err(|mistake| mistake.kind);
    let refused = |make: &dyn Fn(IntVar, IntVar, IntVar) -> BoolExpr, expected: ModelErrorKind| {
        let mut model = Model::new();
        let (x, y, z) = (model.int([-MAX, MAX]), model.int(-MAX..=MAX), model.int(0..=1));
        model.post(make(x, y, z));
        assert_eq!(kind(&model), Err(expected), "{model}");
        // A constraint with operands looks into them.
        let mut model = Model::new();
        let (x, y, z) = (model.int([-MAX, MAX]), model.int(-MAX..=MAX), model.int(0..=1));
        model.post(crate::at_most(0, [make(x, y, z)]));
        assert!(kind(&model).is_err(), "{model}");
    };
    use ModelErrorKind::{SumTooLarge, TooLarge};
    refused(&|x, y, z| (x + y).eq(z), SumTooLarge);
    refused(&|x, y, z| (x + y).le(z), SumTooLarge);
    refused(&|x, _, z| (2 * x).eq(z), TooLarge);
    refused(&|x, _, z| (x + 1).eq(z), TooLarge);
    refused(&|x, y, z| (x - y).abs().eq(z), TooLarge);
    refused(&|_, _, z| (z * i64::MAX * 2).eq(0), TooLarge);
    refused(&|_, _, z| (z * i64::MAX).eq(0), TooLarge);
    refused(&|_, y, z| maximum([y + z, 3 * y - z]).eq(0), TooLarge);
    refused(&|_, _, z| element([i64::MAX, 0], z).eq(0), TooLarge);
    refused(&|_, _, z| (z + i64::MIN).eq(0), TooLarge);
    refused(&|_, _, z| z.le(i64::MAX), TooLarge);

    // At the very ends it is right.
    let mut model = Model::new();
    let (x, y) = (model.int([-MAX, 0, MAX]), model.int(-MAX..=MAX));
    model.post(x.eq(y));
    model.post(x.abs().eq(MAX));
    model.post(maximum([x, y]).ge(MAX));
    let values: Vec<_> = model.solver().unwrap().solutions().map(|s| (s[x], s[y])).collect();
    assert_eq!(values, [(MAX, MAX)]);
}

#[test]
fn coefficients_whose_products_exceed_64_bits_are_refused_or_right() {
    let mut model = Model::new();
    let x = model.int(0..=1 << 40);
    model.post((x * (1 << 40)).le(5));
    assert_eq!(model.validate().unwrap_err().kind, ModelErrorKind::TooLarge);
    let mut model = Model::new();
    let (x, y) = (model.int(0..=0), model.int(0..=1));
    model.post(((x + y) * (1 << 60) - (1 << 60)).eq(0));
    assert_eq!(solutions(&model), 1);
    let mut model = Model::new();
    let (x, y) = (model.int(0..=0), model.int(0..=1));
    model.post(((x + y) * (1 << 62)).eq(0));
    assert_eq!(model.validate().unwrap_err().kind, ModelErrorKind::SumTooLarge);
}

#[test]
fn empty_and_constant_expressions() {
    let none: [IntExpr; 0] = [];
    let zero = || IntExpr::from(0);
    for (constraint, expected) in [
        (sum(none.clone()).eq(0), 2),
        (sum(none.clone()).ge(1), 0),
        (minimum(none.clone()).ge(0), 0),
        (!minimum(none.clone()).ge(0), 2),
        (maximum(none.clone()).le(0), 0),
        (maximum(none.clone()).eq(0), 0),
        (element(none.clone(), 0).eq(0), 0),
        (!element(none.clone(), 0).eq(0), 2),
        (element([7], 0).eq(7), 2),
        (element([7], 1).eq(7), 0),
        (zero().le(0), 2),
        (zero().ne(0), 0),
        ((zero() - 5).abs().eq(5), 2),
        (maximum([3, 4]).eq(4), 2),
        (BoolExpr::from(true), 2),
        (BoolExpr::from(false), 0),
        (!BoolExpr::from(false), 2),
        (clause::<BoolExpr>([]), 0),
        (conjunction::<BoolExpr>([]), 2),
        (xor::<BoolExpr>([]), 0),
        (!xor::<BoolExpr>([]), 2),
        (BoolExpr::from(true) ^ BoolExpr::from(true), 0),
        ((BoolExpr::from(true) + BoolExpr::from(false)).eq(1), 2),
    ] {
        let mut model = Model::new();
        model.int(0..=1);
        model.post(constraint.clone());
        assert_eq!(solutions(&model), expected, "{model}");
        let mut model = Model::new();
        let b = model.bool();
        model.post(iff(b, constraint));
        assert_eq!(
            model.solver().unwrap().solutions().map(|s| i64::from(s.is_true(b)) * 2).sum::<i64>(),
            expected as i64
        );
    }
}

#[test]
fn references_serve_as_operands() {
    let mut model = Model::new();
    let xs = model.ints(3, 0..=2);
    let shifted: Vec<Affine> = xs.iter().map(|x| 2 * x + 1).collect();
    model.post(xs.iter().map(|x| x + x).sum::<IntExpr>().eq(shifted.iter().sum::<IntExpr>() - 3));
    model.post((xs.first().unwrap() - xs.last().unwrap()).eq(1));
    assert_eq!(solutions(&model), 6);
}
