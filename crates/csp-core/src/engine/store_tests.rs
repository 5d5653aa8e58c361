//! Domains of all three forms against a set of numbers.

use std::collections::BTreeSet;

use proptest::collection::{btree_set, vec};
use proptest::prelude::{Just, Strategy, prop_oneof};
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::events::Events;
use super::log::History;
use super::reason::{Atom, Reason};
use super::store::{Store, WORDS_SPAN};
use super::view::{MAX_VALUE, View};
use crate::model::Domain;

/// What is done to a view. A number is one of the view's first values, chosen by its place, plus a bit.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Remove(Number),
    SetMin(Number),
    SetMax(Number),
    Fix(Number),
    Push,
    Pop,
}

#[derive(Clone, Copy, Debug)]
enum Number {
    Near(usize, i64),
    Exactly(i64),
}

#[derive(Clone, Debug)]
struct Case {
    domain: Vec<i64>,
    scale: i64,
    offset: i64,
    operations: Vec<Operation>,
    logged: bool,
}

/// Sets with a span for each form.
fn domains() -> impl Strategy<Value = Vec<i64>> {
    let word = btree_set(-31i64..=32, 1..=64);
    let words = (btree_set(0i64..300, 1..=60), btree_set(0i64..WORDS_SPAN as i64, 0..=60));
    let words = words.prop_map(|(mut dense, sparse)| {
        dense.extend(sparse);
        dense
    });
    let wide = (btree_set(-20i64..=20, 1..=40), btree_set(-100_000i64..=100_000, 1..=40));
    let wide = wide.prop_map(|(mut dense, sparse)| {
        dense.extend(sparse);
        dense
    });
    let far = select(vec![0, 0, 0, MAX_VALUE - 200_000, -(MAX_VALUE - 200_000)]);
    let set = prop_oneof![word.boxed(), words.boxed(), wide.boxed()];
    (set, far).prop_map(|(set, far)| set.into_iter().map(|v| v + far).collect())
}

fn operation() -> impl Strategy<Value = Operation> {
    let near = || (0usize..200, -1i64..=1).prop_map(|(place, beside)| Number::Near(place, beside));
    let number = || {
        let exactly = select(vec![i64::MIN, i64::MAX, -MAX_VALUE, MAX_VALUE, 0]).prop_map(Number::Exactly);
        prop_oneof![20 => near(), 1 => exactly]
    };
    prop_oneof![
        10 => number().prop_map(Operation::Remove),
        3 => number().prop_map(Operation::SetMin),
        3 => number().prop_map(Operation::SetMax),
        1 => number().prop_map(Operation::Fix),
        4 => Just(Operation::Push),
        3 => Just(Operation::Pop),
    ]
}

fn cases() -> impl Strategy<Value = Case> {
    let views = (select(vec![1i64, -1, 2, -2, 3, -3]), -5i64..=5);
    (domains(), views, vec(operation(), 0..60), proptest::bool::ANY).prop_map(
        |(domain, (scale, offset), operations, logged)| {
            let far = domain[0].unsigned_abs() > 1 << 60;
            Case { scale: if far { scale.signum() } else { scale }, domain, offset, operations, logged }
        },
    )
}

/// A store with one variable, and the values its view should have.
struct Twin {
    store: Store,
    view: View,
    set: BTreeSet<i64>,
    initial: BTreeSet<i64>,
}

impl Twin {
    fn new(case: &Case) -> Twin {
        let mut store = Store::default();
        store.add_variable(&[(0, 0)]);
        let domain: Domain = case.domain.iter().copied().collect();
        let var = store.add_variable(domain.intervals());
        store.variables[var.index()].wants = Events::BOUNDS.union(Events::FIXED).union(Events::ANY);
        if case.logged {
            store.start_log();
        }
        let view = View { var, scale: case.scale, offset: case.offset };
        let set: BTreeSet<i64> = case.domain.iter().map(|&x| view.apply(x)).collect();
        Twin { store, view, initial: set.clone(), set }
    }

    fn number(&self, number: Number) -> i64 {
        match number {
            Number::Exactly(v) => v,
            Number::Near(place, beside) => {
                let v = *self.initial.iter().nth(place % self.initial.len()).unwrap();
                v + beside * self.view.scale.abs().max(1) + if place % 3 == 0 { beside } else { 0 }
            }
        }
    }

    fn prune(&mut self, operation: Operation) {
        let (v, why) = match operation {
            Operation::Remove(n) | Operation::SetMin(n) | Operation::SetMax(n) | Operation::Fix(n) => {
                (self.number(n), Reason::DECISION)
            }
            Operation::Push | Operation::Pop => return,
        };
        let before = self.set.clone();
        let (result, after): (_, BTreeSet<i64>) = match operation {
            Operation::Remove(_) => {
                let after = before.iter().copied().filter(|&w| w != v).collect();
                (self.store.remove(self.view, v, why), after)
            }
            Operation::SetMin(_) => {
                let after = before.iter().copied().filter(|&w| w >= v).collect();
                (self.store.set_min(self.view, v, why), after)
            }
            Operation::SetMax(_) => {
                let after = before.iter().copied().filter(|&w| w <= v).collect();
                (self.store.set_max(self.view, v, why), after)
            }
            _ => {
                let after = before.iter().copied().filter(|&w| w == v).collect();
                (self.store.fix(self.view, v, why), after)
            }
        };
        assert_eq!(result.is_err(), after.is_empty());
        if result.is_ok() {
            self.set = after;
        }
        assert_eq!(self.take_events(), self.expected(&before));
    }

    /// Events noted of the variable since the last time.
    fn take_events(&mut self) -> Events {
        let noted = self.store.dirty.variables().to_vec();
        self.store.dirty.clear();
        let events = std::mem::take(&mut self.store.variables[self.view.var.index()].dirty);
        assert_eq!(noted, if events == Events::NONE { vec![] } else { vec![self.view.var] });
        events
    }

    /// Events of the variable that a change from `before` to the present set should raise.
    fn expected(&self, before: &BTreeSet<i64>) -> Events {
        if *before == self.set {
            return Events::NONE;
        }
        let mut events = Events::ANY;
        if before.first() != self.set.first() {
            events = events.union(self.view.events(Events::MIN));
        }
        if before.last() != self.set.last() {
            events = events.union(self.view.events(Events::MAX));
        }
        if self.set.len() == 1 {
            events = events.union(Events::FIXED);
        }
        events
    }

    fn check(&self) {
        let (store, x, set) = (&self.store, self.view, &self.set);
        let (first, last) = (*set.first().unwrap(), *set.last().unwrap());
        assert_eq!((store.min(x), store.max(x)), (first, last));
        assert_eq!(store.size(x), set.len() as u64);
        assert_eq!(store.is_fixed(x), set.len() == 1);
        assert_eq!(store.value(x), (set.len() == 1).then_some(first));
        assert!(store.values(x).eq(set.iter().copied()));
        for (k, &v) in (0..).zip(set) {
            assert_eq!(store.nth(x, k), v);
        }
        assert_eq!(store.nth(x, set.len() as u64 + 7), last);
        let near = self.initial.iter().flat_map(|&v| [v - 1, v, v + 1]);
        for v in near.chain([i64::MIN, i64::MIN + 1, -MAX_VALUE, MAX_VALUE, i64::MAX]) {
            assert_eq!(store.contains(x, v), set.contains(&v), "{v}");
            let above = v.checked_add(1).and_then(|w| set.range(w..).next()).copied();
            assert_eq!(store.above(x, v), above, "above {v}");
            assert_eq!(store.below(x, v), set.range(..v).next_back().copied(), "below {v}");
            let decided = |holds: fn(i64, i64) -> bool| {
                let all = set.iter().filter(|&&w| holds(w, v)).count();
                if all == set.len() {
                    Some(true)
                } else if all == 0 {
                    Some(false)
                } else {
                    None
                }
            };
            assert_eq!(store.truth(x.ge(v)), decided(|w, v| w >= v), ">= {v}");
            assert_eq!(store.truth(x.le(v)), decided(|w, v| w <= v), "<= {v}");
            if x.eq(v) != Atom::FALSE {
                assert_eq!(store.truth(x.eq(v)), decided(|w, v| w == v), "= {v}");
                assert_eq!(store.truth(x.ne(v)), decided(|w, v| w != v), "!= {v}");
            }
            if store.hooks != 0 {
                let history = History { log: &store.log, position: store.log.now(), scope: &[] };
                assert_eq!((history.min(x), history.max(x)), (first, last));
                assert_eq!(history.contains(x, v), set.contains(&v), "logged {v}");
            }
        }
        let mut gaps = store.gaps(x.var).into_iter();
        let values: Vec<i64> = store.values(View::of(x.var)).collect();
        for pair in values.windows(2).filter(|w| w[1] - w[0] > 1) {
            assert_eq!(gaps.next(), Some((pair[0] + 1, pair[1] - 1)));
        }
        assert_eq!(gaps.next(), None);
    }
}

fn run(case: &Case) {
    let mut twin = Twin::new(case);
    let mut levels: Vec<(BTreeSet<i64>, Vec<u64>)> = Vec::new();
    twin.check();
    for &operation in &case.operations {
        match operation {
            Operation::Push => {
                levels.push((twin.set.clone(), twin.store.trail.words().collect()));
                twin.store.push_level();
            }
            Operation::Pop => {
                if let Some((set, words)) = levels.pop() {
                    twin.store.pop_level();
                    twin.set = set;
                    assert!(twin.store.trail.words().eq(words));
                }
            }
            _ => twin.prune(operation),
        }
        twin.check();
    }
}

#[test]
fn every_operation_does_to_a_domain_what_it_does_to_a_set() {
    let config = Config { cases: 1500, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let forms = std::cell::Cell::new([0; 3]);
    let result = TestRunner::new_with_rng(config, rng).run(&cases(), |case| {
        let span = case.domain[case.domain.len() - 1].abs_diff(case.domain[0]);
        let mut seen = forms.get();
        seen[usize::from(span >= 64) + usize::from(span >= WORDS_SPAN)] += 1;
        forms.set(seen);
        run(&case);
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
    assert!(forms.get().iter().all(|&count| count > 300), "{forms:?}");
}

/// A wide domain too large to list.
#[test]
fn a_wide_interval_is_counted_without_being_listed() {
    let mut store = Store::default();
    let var = store.add_variable(&[(-MAX_VALUE, MAX_VALUE)]);
    let x = View::of(var);
    assert_eq!(store.size(x), 2 * MAX_VALUE as u64 + 1);
    assert_eq!(store.nth(x, MAX_VALUE as u64), 0);
    store.push_level();
    store.remove(x, 0, Reason::DECISION).unwrap();
    store.remove(x, 7, Reason::DECISION).unwrap();
    store.set_min(x, 0, Reason::DECISION).unwrap();
    assert_eq!((store.min(x), store.size(x)), (1, MAX_VALUE as u64 - 1));
    assert_eq!((store.nth(x, 5), store.nth(x, 6)), (6, 8));
    store.pop_level();
    assert_eq!((store.size(x), store.contains(x, 7)), (2 * MAX_VALUE as u64 + 1, true));
}

#[test]
fn a_domain_is_one_word_where_it_fits() {
    let mut store = Store::default();
    for (low, high, words) in
        [(-3, 60, 1), (-3, 61, 2), (0, WORDS_SPAN as i64 - 1, 2), (0, WORDS_SPAN as i64, 0)]
    {
        let x = store.add_variable(&[(low, high)]);
        assert_eq!(store.words_of(View::of(x)), words, "{low}..={high}");
        assert_eq!(store.word(x).is_some(), words == 1);
    }
}

#[test]
fn what_is_added_while_the_log_is_on_has_a_history() {
    let mut store = Store::default();
    store.start_log();
    let x = store.add_variable(&[(0, 9)]);
    store.push_level();
    store.var_set_min(x, 4, Reason::DECISION).unwrap();
    let history = |position| History { log: &store.log, position, scope: &[] };
    assert_eq!((history(0).min(View::of(x)), history(store.log.now()).min(View::of(x))), (0, 4));
    store.truncate(0);
    let y = store.add_variable(&[(5, 9)]);
    let history = History { log: &store.log, position: 0, scope: &[] };
    assert_eq!(history.min(View::of(y)), 5);
}

#[test]
fn the_log_tells_bounds_before_and_after() {
    for width in [60, 600, 60_000] {
        let mut store = Store::default();
        let x = store.add_variable(&[(10, 10 + width)]);
        store.start_log();
        store.var_set_min(x, 13, Reason::DECISION).unwrap();
        store.var_set_max(x, 50, Reason::DECISION).unwrap();
        store.var_remove(x, 13, Reason::DECISION).unwrap();
        store.var_set_min(x, 16, Reason::DECISION).unwrap();
        store.var_set_max(x, 45, Reason::DECISION).unwrap();
        store.var_fix(x, 20, Reason::DECISION).unwrap();
        let entries: Vec<(i64, i64)> =
            (0..store.log.now()).map(|i| (store.log.entry(i).old, store.log.entry(i).new)).collect();
        let expected =
            [(10, 13), (10 + width, 50), (13, 13), (13, 14), (14, 16), (50, 45), (16, 20), (45, 20)];
        assert_eq!(entries, expected, "{width}");
    }
}
