use super::*;
use crate::engine::{Atom, Engine, Fixpoint, Poster, View};
use crate::model::Model;
use crate::testing::{Params, Scope, check};

/// Rows near a possible one: few, or as many as fill several words.
fn draw(count: usize, p: &mut Params<'_>) -> Vec<Vec<i64>> {
    let mut rng = fastrand::Rng::with_seed(p.int(0..=1 << 16).unsigned_abs());
    let rows = p.pick(&[4, 8, 30, 30, 100, 100, 600, 1, 0]);
    let same = p.bool();
    let mut near = |i: usize| match p.witness(i) {
        v if same && rng.u8(0..3) == 0 => v,
        v => v + rng.i64(-4..=4),
    };
    (0..rows).map(|_| (0..count).map(&mut near).collect()).collect()
}

/// Rows of values from 0 to 7, of which a good part is possible.
fn draw_small(count: usize, p: &mut Params<'_>) -> Vec<Vec<i64>> {
    let mut rng = fastrand::Rng::with_seed(p.int(0..=1 << 16).unsigned_abs());
    let rows = p.pick(&[20, 50, 100, 200, 400, 1000]);
    (0..rows).map(|_| (0..count).map(|_| rng.i64(0..8)).collect()).collect()
}

#[test]
fn harness() {
    let report = check("table", 0..=4, |xs, p| table(xs, draw(xs.len(), p)));
    assert!(report.pruned > 10 && report.infeasible > 20 && report.refused == 0, "{report}");
    let report = check("forbidden", 0..=4, |xs, p| forbidden(xs, draw(xs.len(), p)));
    assert!(report.pruned > 10 && report.infeasible > 5 && report.refused == 0, "{report}");
    let small = || Scope::ints(2..=4).within(0..=7);
    let report = check("table of small values", small(), |xs, p| table(xs, draw_small(xs.len(), p)));
    assert!(report.pruned > 40 && report.infeasible > 20, "{report}");
    let report = check("small values forbidden", small(), |xs, p| forbidden(xs, draw_small(xs.len(), p)));
    assert!(report.pruned > 20 && report.infeasible > 5, "{report}");
}

/// A table that takes every domain for one too wide to remove values from one by one.
#[derive(Debug)]
struct OnWideDomains(Table);

impl Constraint for OnWideDomains {
    fn scope(&self) -> Vec<Affine> {
        self.0.scope()
    }

    fn is_satisfied(&self, a: &Assignment) -> bool {
        self.0.is_satisfied(a)
    }

    fn describe(&self, names: &Names<'_>) -> String {
        self.0.describe(names)
    }

    fn post(&self, poster: &mut Poster<'_>) {
        let views = poster.views(&self.0.operands);
        allowed::post(poster, views, &self.0.rows, 0);
    }
}

#[test]
fn bounds_alone_pass_the_harness() {
    let small = Scope::ints(1..=4).within(0..=7);
    let make = |xs: &[Affine], p: &mut Params<'_>| {
        let mut rows = draw_small(xs.len(), p);
        // So that some values stand in no row.
        let missing = p.pick(&[0, 3, 6]);
        rows.retain(|row| !row.contains(&missing));
        OnWideDomains(table(xs, rows))
    };
    let report = check("table, bounds", small, make);
    assert!(report.pruned > 40 && report.infeasible > 20, "{report}");
}

#[test]
fn rows_of_a_wrong_length_are_a_mistake() {
    let mut model = Model::new();
    let x = model.ints(3, 0..=2);
    model.post(table(&x, [vec![0, 1, 2], vec![2, 1], vec![0]]));
    let error = model.validate().unwrap_err();
    assert_eq!(error.kind, ModelErrorKind::RowLength { row: 1, found: 2, expected: 3 });
    let words = "row 1 of the table (counted from 0) has 2 values for 3 views; give every row one value for \
                 each view, in the same order (in ";
    assert!(error.to_string().starts_with(words), "{error}");
}

#[test]
fn empty_tables_and_empty_scopes() {
    let solutions = |constraint: Table| {
        let mut model = Model::new();
        model.int(0..=1);
        model.post(constraint);
        model.solver().unwrap().count().solutions
    };
    let none: [[i64; 0]; 0] = [];
    assert_eq!(solutions(table([0; 0], none)), 0);
    assert_eq!(solutions(table([0; 0], [[]])), 2);
    assert_eq!(solutions(forbidden([0; 0], none)), 2);
    assert_eq!(solutions(forbidden([0; 0], [[]])), 0);
}

#[test]
fn domains_of_any_width_are_filtered() {
    let mut model = Model::new();
    let (x, y) = (model.int(-1_000_000_000_000..=1_000_000_000_000), model.int(0..=50_000));
    let rows: Vec<[i64; 2]> = (0..1000).map(|i| [i * i * 1_000_000, i % 50]).collect();
    model.post(table([x, y], &rows));
    let mut solver = model.solver().unwrap();
    assert_eq!(solver.count().solutions, 1000);
    assert_eq!(solver.statistics().failures, 0);
}

/// Large tables over shared variables, against a join by hand.
#[test]
fn tables_that_meet_are_joined() {
    for seed in 0..6 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut random = |count: usize, values: i64| -> Vec<[i64; 3]> {
            (0..count).map(|_| [0; 3].map(|_| rng.i64(0..values))).collect()
        };
        let values = if seed % 2 == 0 { 12 } else { 100 };
        let (first, second, out) = (random(1200, values), random(900, values), random(2000, values));
        let mut model = Model::new();
        let x = model.ints(5, 0..values);
        model.post(table(&x[..3], &first));
        model.post(table(&x[2..], &second));
        model.post(forbidden([x[0], x[2], x[4]], &out));
        let set = |rows: Vec<[i64; 3]>| rows.into_iter().collect::<std::collections::BTreeSet<_>>();
        let (first, second, out) = (set(first), set(second), set(out));
        let pairs = first.iter().flat_map(|a| second.iter().map(move |b| (a, b)));
        let joined = pairs.filter(|(a, b)| a[2] == b[0] && !out.contains(&[a[0], a[2], b[2]])).count();
        assert_eq!(model.solver().unwrap().count().solutions, joined as u64, "seed {seed}");
        assert!(joined > 1000);
    }
}

#[test]
fn one_atom_explains_what_it_suffices_for() {
    let mut engine = Engine::new();
    let [x, y, z] = [0; 3].map(|_| engine.add_variable(&[(0, 9)]));
    // z is 0 only where x is small, whatever y is.
    let rows: Vec<Box<[i64]>> = (0..1000)
        .map(|i| [i / 100, i / 10 % 10, i % 10])
        .filter(|&[x, _, z]| z > 0 || x < 5)
        .map(|row| row.into())
        .collect();
    let mut poster = Poster { engine: &mut engine, map: &[], condition: None };
    allowed::post(&mut poster, [x, y, z].map(View::of).into(), &rows, allowed::UNLISTED);
    engine.store.start_log();
    assert_eq!(engine.propagate(), Fixpoint::Reached);
    for atom in [Atom::ne(y, 4), Atom::ne(x, 1), Atom::le(y, 6), Atom::ge(x, 5)] {
        engine.push_level();
        engine.decide(atom).unwrap();
        assert_eq!(engine.propagate(), Fixpoint::Reached);
    }
    let log = &engine.store.log;
    let removal = (0..log.now()).find(|&i| log.entry(i).atom() == Atom::ne(z, 0)).unwrap();
    assert_eq!(engine.explain(removal, Atom::ne(z, 0)).atoms(), [Atom::ge(x, 5)]);
}
