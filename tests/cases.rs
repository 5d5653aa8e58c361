//! Small models on which solvers have been wrong, by their public bug reports, with the right answers (found
//! by enumeration). Quotients are truncated towards 0, and a remainder has the sign of what is divided.

use csp_core::ModelErrorKind;
use csp_core::prelude::*;

/// The values of the variables in every solution, ascending.
fn solutions<T: Copy + Into<IntExpr>>(model: &Model, variables: &[T]) -> Vec<Vec<i64>> {
    let mut solver = model.solver().expect("the model is right");
    let mut found: Vec<Vec<i64>> = solver.solutions().map(|s| s.values(variables)).collect();
    let outcome = solver.outcome().expect("it ended");
    assert!(outcome.is_complete(), "{outcome}");
    assert_eq!(solver.count().solutions, found.len() as u64);
    found.sort_unstable();
    found
}

fn count(model: &Model) -> u64 {
    solutions::<IntVar>(model, &[]).len() as u64
}

/// `(a, b, f(a, b))` for all a and b in a range for which it is defined.
fn rows(
    mut range: impl Iterator<Item = i64> + Clone,
    f: impl Fn(i64, i64) -> Option<i64> + Copy,
) -> Vec<[i64; 3]> {
    let other = range.clone();
    let pairs = range.by_ref().flat_map(move |a| other.clone().map(move |b| (a, b)));
    pairs.filter_map(|(a, b)| f(a, b).map(|c| [a, b, c])).collect()
}

/// At each time the tasks that run, by start, duration and demand, demand no more than the capacity.
fn cumulative(
    times: std::ops::RangeInclusive<i64>,
    tasks: &[(IntExpr, IntExpr, IntExpr)],
    capacity: i64,
) -> BoolExpr {
    conjunction(times.map(|time| {
        let runs = |s: &IntExpr, d: &IntExpr| rule!(s <= time & time < s.clone() + d.clone());
        // A demand is 0 or 1 or a constant, so its product with a Boolean is a choice.
        let demands = tasks.iter().map(|(s, d, r)| minimum([r.clone(), 9 * runs(s, d)]));
        sum(demands).le(capacity)
    }))
}

#[test]
fn remainder_by_the_remainder_itself() {
    let mut model = Model::new();
    let (a, b) = (model.int(-5..=5), model.int(-5..=5));
    model.post(table([a, b, b], rows(-5..=5, i64::checked_rem)));
    assert_eq!(count(&model), 0);
}

#[test]
fn absolute_value_of_a_remainder() {
    let mut model = Model::new();
    let (a, b, rest) = (model.int(1..=52), model.int(1..=52), model.int(-12..=12));
    model.post(table([a - b, rest.into()], (-51..=51).map(|d| [d, d % 13])));
    model.post(table([rest.abs()], [[1], [12]]));
    assert_eq!(count(&model), 416);
}

#[test]
fn remainder_by_a_divisor_that_may_be_0() {
    let mut model = Model::new();
    let v = model.ints(3, -6..=6);
    let [a, b, c] = v[..] else { unreachable!() };
    model.post(table([a, c, b], rows(-6..=6, i64::checked_rem)));
    assert_eq!(count(&model), 156);
}

#[test]
fn quotient_of_a_sum() {
    let mut model = Model::new();
    let (a, b, c) = (model.int(0..=1), model.int(0..=1), model.int(-100..=100));
    model.post(table([10 - (a + b), c.into()], (0..=10).map(|n| [n, n / 5])));
    assert_eq!(solutions(&model, &[a, b, c]), [[0, 0, 2], [0, 1, 1], [1, 0, 1], [1, 1, 1]]);
}

#[test]
fn what_is_undefined_makes_the_equation_false_and_not_the_equivalence() {
    let mut model = Model::new();
    let (x, y, b) = (model.int(0..=10), model.int([0]), model.bool());
    // 2 div 1, 2 div 2, …; there is no 2 div 0.
    model.post(iff(b, x.eq(element([2, 1, 0], y - 1))));
    let expected: Vec<[i64; 3]> = (0..=10).map(|x| [x, 0, 0]).collect();
    assert_eq!(solutions(&model, &[x.into(), y.into(), Affine::from(b)]), expected);
}

#[test]
fn right_hand_side_above_32_bits() {
    let mut model = Model::new();
    let (x, y) = (model.int(1..=10), model.int(1..=10));
    model.post(rule!(214_748_365 * x - y >= 2_147_483_650));
    assert_eq!(count(&model), 0);
}

#[test]
fn absolute_value_with_holes() {
    let mut model = Model::new();
    let (a, b) = (model.int([0, 3]), model.int([1, 2]));
    model.post(rule!(b.abs() = a));
    assert_eq!(count(&model), 0);
}

#[test]
fn product_under_a_condition() {
    let mut model = Model::new();
    let (a, b, c, t) = (model.int(1..=3), model.int(1..=3), model.int(1..=9), model.bool());
    model.post(when(t, table([a, b, c], rows(1..=3, i64::checked_mul))));
    assert_eq!(count(&model), 90);
}

#[test]
fn product_of_large_values() {
    let mut model = Model::new();
    let v = model.ints(3, [1, 55_000]);
    model.post(table(&v, rows([1, 55_000].into_iter(), i64::checked_mul)));
    assert_eq!(solutions(&model, &v), [[1, 1, 1], [1, 55_000, 55_000], [55_000, 1, 55_000]]);
}

#[test]
fn equation_whose_partial_sums_exceed_32_bits() {
    let mut model = Model::new();
    let v = model.ints(3, 0..=65_535);
    let [x, y, z] = v[..] else { unreachable!() };
    model.post(rule!(32_768 * x + y = 65_535 * z));
    let mut solver = model.solver().unwrap();
    solver.set_search(branch([z, x, y]));
    assert_eq!(solver.count().solutions, 65_538);
}

#[test]
fn sum_of_unbounded_variables() {
    let whole = (1 << 62) - 1;
    // As wide as variables can be, a sum may be too large; then the model says so.
    for (range, fits) in [(whole, false), (1 << 60, true)] {
        let mut model = Model::new();
        let (x, y, c) = (model.int(-range..=range), model.int(-range..=range), model.int(0..=100));
        model.post(rule!(x + y = c));
        model.post(rule!(x = 3));
        model.post(rule!(y = 4));
        if fits {
            assert_eq!(solutions(&model, &[x, y, c]), [[3, 4, 7]]);
        } else {
            assert_eq!(model.validate().unwrap_err().kind, ModelErrorKind::SumTooLarge);
        }
    }
}

#[test]
fn sum_of_negative_values() {
    let mut model = Model::new();
    let (a, b) = (model.int(-1..=1), model.int(-1..=1));
    model.post(rule!(a + b = 0));
    assert_eq!(solutions(&model, &[a, b]), [[-1, 1], [0, 0], [1, -1]]);
}

#[test]
fn system_with_a_square() {
    let mut model = Model::new();
    let v = model.ints(7, 10..=999);
    let [a, b, e, f, g, h, m] = v[..] else { unreachable!() };
    model.post(rule!(h = 10 * a - 491));
    model.post(rule!(b = e + g));
    model.post(rule!(g = b - m));
    model.post(rule!(h = element((0..1000).map(|f| f * f), f)));
    model.post(rule!(m = 351 - 2 * e));
    let found = solutions(&model, &[e, m, a, f, g]);
    let mut expected = Vec::new();
    for (a, f) in [(66, 13), (78, 17), (102, 23), (122, 27)] {
        expected.extend((10..=882).map(|g| vec![117, 117, a, f, g]));
    }
    assert_eq!(found, expected);
    assert_eq!(found.len(), 3492);
}

#[test]
fn negated_implication() {
    let mut model = Model::new();
    let (a, b, c) = (model.int(0..=1), model.int(0..=1), model.int(0..=1));
    let yes: BoolVar = true.into();
    model.post(rule!(!((a != 1 & c = 1) -> (yes ^ (b != 1 -> c != 1)))));
    assert_eq!(solutions(&model, &[a, b, c]), [[0, 1, 1]]);
}

#[test]
fn sums_of_booleans() {
    let mut model = Model::new();
    let v = model.bools(15);
    let [d, e, s1, i, h, c, s3, s5, s2, a, f, g, s0, b, s4] = v[..] else { unreachable!() };
    model.post(rule!(-d + s5 + s4 = 0));
    model.post(rule!(a = 1));
    model.post(rule!(s1 - a + s0 = 0));
    model.post(rule!(-c + s3 + s2 = 0));
    model.post(rule!(-f - g + s4 >= -1));
    model.post(rule!(-d + s1 - i - c >= -2));
    model.post(rule!(s3 >= e));
    model.post(rule!(s2 >= e));
    for (x, y) in
        [(b, s0), (h, s5), (s2, e), (s3, e), (s4, f), (s1, i), (s5, h), (s0, b), (s4, g), (s1, c), (s1, d)]
    {
        model.post(rule!(x <= y));
    }
    let expected = [
        "000000000100110",
        "000000000101110",
        "000000000110110",
        "000100000100110",
        "000100000101110",
        "000100000110110",
        "100000000111111",
        "100010010100110",
        "100010010101110",
        "100010010110110",
        "100100000111111",
        "100110010100110",
        "100110010101110",
        "100110010110110",
    ];
    let words = |values: &Vec<i64>| values.iter().map(i64::to_string).collect::<String>();
    assert_eq!(solutions(&model, &v).iter().map(words).collect::<Vec<_>>(), expected);
}

#[test]
fn contradiction_at_the_root() {
    let mut model = Model::new();
    let (b, v) = (model.bools(3), model.ints(3, 0..=1));
    model.post(rule!(sum(&b) >= 1));
    for (&b, &v) in b.iter().zip(&v) {
        model.post(rule!(v = 1));
        model.post(rule!(b -> v = 0));
    }
    assert_eq!(count(&model), 0);
}

#[test]
fn different_values_with_too_small_a_sum() {
    for strength in [Strength::Auto, Strength::Value, Strength::Bounds, Strength::Domain] {
        let mut model = Model::new();
        let v = model.ints(4, 0..=3);
        model.post(rule!(3 * v[3] + v[0] + v[2] <= 1));
        model.post(all_different(&v).strength(strength));
        assert_eq!(count(&model), 0);
    }
}

#[test]
fn different_or_0_of_one_variable() {
    let mut model = Model::new();
    let v = model.ints(1, 1..=9);
    let pairs = (0..v.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    model.post(conjunction(pairs.map(|(i, j)| rule!(v[i] = 0 | v[i] != v[j]))));
    assert_eq!(solutions(&model, &v), (1..=9).map(|x| [x]).collect::<Vec<_>>());
}

#[test]
fn number_of_values_among_which_it_is() {
    let mut model = Model::new();
    let (c, d) = (model.int(2..=3), model.int(3..=4));
    let occurs = |value: i64| {
        clause([rule!(d = value), rule!(c = value), conjunction([value == 1; 2].map(BoolVar::from))])
    };
    model.post(rule!(d = sum((1..=4).map(occurs))));
    assert_eq!(solutions(&model, &[c, d]), [[2, 3]]);
}

#[test]
fn number_larger_than_the_list() {
    let mut model = Model::new();
    let a = model.int([1, 3]);
    model.post(!exactly(4, [a.eq(1)]).holds());
    assert_eq!(solutions(&model, &[a]), [[1], [3]]);
}

#[test]
fn numbers_of_values_of_a_list() {
    let mut model = Model::new();
    let (a, b, c) = (model.int(1..=3), model.int(1..=3), model.int(1..=3));
    let (d, e, g) = (model.int(1..=2), model.int(2..=3), model.int(2..=3));
    let list: [Affine; 5] = [3.into(), a.into(), d.into(), g.into(), e.into()];
    for (value, number) in [(1, Affine::from(1)), (2, b.into()), (3, c.into())] {
        model.post(rule!(number = sum(list.iter().map(|x| rule!(x = value)))));
    }
    let expected = [
        [1, 1, 3, 2, 3, 3],
        [1, 2, 2, 2, 2, 3],
        [1, 2, 2, 2, 3, 2],
        [1, 3, 1, 2, 2, 2],
        [2, 1, 3, 1, 3, 3],
        [2, 2, 2, 1, 2, 3],
        [2, 2, 2, 1, 3, 2],
        [2, 3, 1, 1, 2, 2],
        [3, 1, 3, 1, 2, 3],
        [3, 1, 3, 1, 3, 2],
        [3, 2, 2, 1, 2, 2],
    ];
    assert_eq!(solutions(&model, &[a, b, c, d, e, g]), expected);
}

#[test]
fn sorted_lists_that_share_variables() {
    let mut model = Model::new();
    let (a, d, e) = (model.int([3, 4]), model.int([2, 4]), model.int([2, 4]));
    let (h, i) = (model.int([3, 4]), model.int([2, 4]));
    let (list, sorted): ([Affine; 4], _) = ([d.into(), 3.into(), d.into(), a.into()], [e, i, d, h]);
    model.post(rule!(e <= i <= d <= h));
    for value in 2..=4 {
        let number = sum(list.iter().map(|x| rule!(x = value)));
        model.post(rule!(number = sum(sorted.iter().map(|x| (*x).eq(value)))));
    }
    assert_eq!(count(&model), 0);
}

#[test]
fn inverse_lists_that_share_variables() {
    let mut model = Model::new();
    let (c, d, e, f) = (model.int(1..=3), model.int(3..=4), model.int(1..=3), model.int(1..=2));
    let (g, j, k) = (model.int(3..=5), model.int([2, 4, 5, 6]), model.int(1..=2));
    let to: [Affine; 6] = [j.into(), c.into(), e.into(), 5.into(), d.into(), 2.into()];
    let from: [Affine; 6] = [c.into(), 6.into(), k.into(), g.into(), 4.into(), f.into()];
    for (i, (x, y)) in (1..).zip(to.iter().zip(&from)) {
        model.post(rule!(element(from, x - 1) = i));
        model.post(rule!(element(to, y - 1) = i));
    }
    assert_eq!(solutions(&model, &[c, d, e, f, g, j, k]), [[3, 4, 1, 1, 5, 6, 2]]);
}

#[test]
fn lexicographic_order_with_equal_beginnings() {
    let mut model = Model::new();
    let (a, b) = (model.int(1..=2), model.int(1..=2));
    let (left, right): ([Affine; 3], [Affine; 3]) =
        ([2.into(), b.into(), 2.into()], [a.into(), 1.into(), 2.into()]);
    let less = left
        .iter()
        .zip(&right)
        .rev()
        .fold(clause::<BoolVar>([]), |rest, (x, y)| rule!(x < y | (x = y & rest)));
    model.post(less);
    assert_eq!(count(&model), 0);
}

/// `place`, counted from 1, is that of the first of the smallest.
fn arg_min(list: &[Affine], place: IntVar) -> BoolExpr {
    let is_first = (1..).zip(list).map(|(i, x)| {
        let before = conjunction(list[..i as usize - 1].iter().map(|y| rule!(y > x)));
        rule!(place = i -> (x = minimum(list) & before))
    });
    conjunction(is_first) & rule!(1 <= place <= list.len() as i64)
}

#[test]
fn place_of_the_first_smallest() {
    let mut model = Model::new();
    let (b, c, e) = (model.int([1, 7]), model.int(1..=4), model.int([1, 7]));
    model.post(arg_min(&[b.into(), e.into(), b.into(), 1.into(), 7.into()], c));
    assert_eq!(solutions(&model, &[b, c, e]), [[1, 1, 1], [1, 1, 7], [7, 2, 1], [7, 4, 7]]);

    let mut model = Model::new();
    let (a, b, d) = (model.int(1..=2), model.int([1, 6]), model.int([1, 6]));
    model.post(arg_min(&[d.into(), b.into(), 7.into(), 5.into()], a));
    assert_eq!(solutions(&model, &[a, b, d]), [[1, 1, 1], [1, 6, 1], [2, 1, 6]]);
}

#[test]
fn truth_of_an_absolute_value() {
    let mut model = Model::new();
    let (base, result, b) = (model.int([-2, 0]), model.int(0..=1), model.int(0..=1));
    model.post(rule!(b = 1 <-> result = base.abs()));
    assert_eq!(solutions(&model, &[base, result, b]), [[-2, 0, 0], [-2, 1, 0], [0, 0, 1], [0, 1, 0]]);
}

#[test]
fn truth_of_membership() {
    let mut model = Model::new();
    let (x, b) = (model.int(0..=2), model.int([1]));
    model.post(iff(b.eq(1), table([x], [[0], [2]])));
    assert_eq!(solutions(&model, &[x, b]), [[0, 1], [2, 1]]);
}

#[test]
fn constant_objective() {
    let mut model = Model::new();
    let objective = model.int([340]);
    let mut solver = model.solver().unwrap();
    assert_eq!(solver.minimise(objective).unwrap().value(), Some(340));
    assert_eq!(solver.maximise(340).unwrap().value(), Some(340));
    assert_eq!(solver.count().solutions, 1);
}

#[test]
fn each_value_after_the_one_below_it() {
    let mut model = Model::new();
    let (a, b) = (model.int([-4, -2, 0, 2, 3]), model.int([-4, -3, 0, 2, 4]));
    let (c, d, e) = (model.int([-2, 0, 2, 3]), model.int([-5, -3, 1, 3]), model.int([-5, -4, -2, -1, 0]));
    let list = [b, c, a, d, e];
    for (i, &x) in list.iter().enumerate() {
        let before = list[..i].iter().map(|&y| Affine::from(y)).chain([0.into()]);
        model.post(rule!(x <= maximum(before) + 1));
    }
    assert_eq!(count(&model), 270);
}

#[test]
fn each_value_before_the_other() {
    let mut model = Model::new();
    let order = model.ints(3, 1..=3);
    model.post(all_different(&order));
    for (first, second) in [(1, 2), (2, 1)] {
        for (i, &x) in order.iter().enumerate() {
            model.post(rule!(x = second -> clause(order[..i].iter().map(|y| (*y).eq(first)))));
        }
    }
    assert_eq!(count(&model), 0);
}

#[test]
fn tasks_of_no_duration() {
    let mut model = Model::new();
    let (a, d, h, i) = (model.int(1..=2), model.int(2..=3), model.int(1..=2), model.int(0..=1));
    model.post(rule!(a + i = 2));
    model.post(rule!(h + d = 4));
    let number = IntExpr::from;
    let tasks = [
        (a.into(), i.into(), number(1)),
        (number(3), number(0), number(1)),
        (h.into(), d.into(), number(1)),
        (number(1), number(1), number(0)),
    ];
    model.post(cumulative(0..=6, &tasks, 1));
    assert_eq!(solutions(&model, &[a, d, h, i]), [[1, 2, 2, 1], [2, 2, 2, 0], [2, 3, 1, 0]]);

    let mut model = Model::new();
    let s = model.int(0..=5);
    model.post(cumulative(0..=6, &[(s.into(), number(0), number(2))], 1));
    assert_eq!(solutions(&model, &[s]), (0..=5).map(|s| [s]).collect::<Vec<_>>());
}

#[test]
fn tasks_of_variable_demand() {
    let mut model = Model::new();
    let (b, c, d) = (model.int(0..=1), model.int(0..=2), model.int(1..=4));
    let (g, h, i, j) = (model.int(1..=2), model.int(3..=4), model.int(1..=2), model.int(0..=3));
    model.post(rule!(d + h = 4));
    let number = IntExpr::from;
    let tasks = [
        (number(1), j.into(), b.into()),
        (d.into(), h.into(), number(1)),
        (g.into(), i.into(), number(0)),
        (c.into(), number(1), number(0)),
    ];
    model.post(cumulative(0..=8, &tasks, 1));
    assert_eq!(count(&model), 60);
}

#[test]
fn rectangles_of_no_size() {
    let mut model = Model::new();
    let (c, e) = (model.int(1..=2), model.int(0..=1));
    let (x, y, dx, dy): (_, _, [Affine; 2], [Affine; 2]) =
        ([2, 1], [1, 2], [e.into(), 2.into()], [c.into(), 0.into()]);
    let empty = rule!(dx[0] = 0 | dx[1] = 0 | dy[0] = 0 | dy[1] = 0);
    let beside = rule!(dx[0] + x[0] <= x[1] | dx[1] + x[1] <= x[0]);
    let above = rule!(dy[0] + y[0] <= y[1] | dy[1] + y[1] <= y[0]);
    model.post(empty | beside | above);
    assert_eq!(solutions(&model, &[c, e]), [[1, 0], [1, 1], [2, 0], [2, 1]]);
}

#[test]
fn entries_out_of_range_in_an_equivalence() {
    let mut model = Model::new();
    let (o, s) = (model.ints(3, 0..=4), model.ints(3, -1..=3));
    for (&o_i, &s_i) in o.iter().zip(&s) {
        model.post(rule!(o_i = 4 <-> element(&o, s_i) != 4));
    }
    assert_eq!(count(&model), 1424);
}

#[test]
fn empty_domain() {
    let mut model = Model::new();
    let _ = model.int(Domain::from_intervals([(11, 10)]));
    assert_eq!(count(&model), 0);
}
