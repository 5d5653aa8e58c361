//! Undo, bit for bit, under random choices, propagation and undo with real propagators.

use super::{Atom, Engine, Fixpoint, Poster, VarId, View};
use crate::constraints::{Strength, all_different, clause, iff, weighted_sum, when};
use crate::model::{Affine, Constraint, IntVar, Model};

const OPERATIONS: u64 = 1_000_000;
const DEPTH: usize = 50;

/// A model with domains of all three forms, and what to post.
fn model() -> (Model, Vec<Box<dyn Constraint>>) {
    let mut model = Model::new();
    let word = model.ints(10, -5..=40);
    let words = model.ints(8, (-50..=300).filter(|v| v % 7 != 3).collect::<Vec<i64>>());
    let sparse: Vec<i64> = (0..60).map(|i| i * i * i - 50_000 + i).chain(0..60).collect();
    let wide = model.ints(6, sparse);
    let bools = model.bools(4);
    let some = |n: usize| -> Vec<IntVar> {
        word[..n].iter().chain(&words[..n]).chain(&wide[..n.min(wide.len())]).copied().collect()
    };
    let terms = |n: usize| some(n).into_iter().zip([1, -2, 3].into_iter().cycle()).map(|(x, c)| (c, x));
    let constraints: Vec<Box<dyn Constraint>> = vec![
        Box::new(all_different(some(6))),
        Box::new(all_different(word.iter().zip(0..).map(|(&x, i)| x + i)).strength(Strength::Bounds)),
        Box::new(all_different(word.iter().zip(0..).map(|(&x, i)| i - x))),
        Box::new(all_different(&words[..6]).strength(Strength::Domain)),
        Box::new(weighted_sum(terms(5)).le(40_000)),
        Box::new(weighted_sum(terms(3)).eq(17)),
        Box::new(wide[0].le(words[0])),
        Box::new((words[1] - 5).eq(word[1])),
        Box::new(clause([bools[0], !bools[1], bools[2]])),
        Box::new(when(bools[0], all_different(some(3)))),
        Box::new(iff(bools[1], wide[1].lt(wide[2]))),
        Box::new(when(bools[2], when(bools[3], (word[2] * 3).eq(words[2])))),
    ];
    (model, constraints)
}

fn engine() -> (Engine, Vec<VarId>) {
    let (model, constraints) = model();
    let mut engine = Engine::new();
    let map: Vec<View> = model
        .variables()
        .map(|x| View::of(engine.add_variable(model.domain(x).map_or(&[][..], |d| d.intervals()))))
        .collect();
    for constraint in &constraints {
        let mut poster = Poster { engine: &mut engine, map: &map, condition: None };
        constraint.post(&mut poster);
    }
    let views: Vec<Affine> = model.variables().map(Affine::from).collect();
    assert!(views.len() >= 20 && constraints.len() >= 5);
    (engine, map.iter().map(|v| v.var).collect())
}

/// What an open level must come back to: every word, and sometimes every domain as well.
struct Level {
    words: Vec<u64>,
    domains: Option<Vec<Vec<i64>>>,
}

/// Choices, propagations and undos on one engine, each compared with what was there before.
fn run(seed: u64, logged: bool, operations: u64) {
    let (mut engine, variables) = engine();
    if logged {
        engine.store.start_log();
    }
    let mut rng = fastrand::Rng::with_seed(seed);
    assert_eq!(engine.propagate(), Fixpoint::Reached);
    let domains = |engine: &Engine| -> Vec<Vec<i64>> {
        variables.iter().map(|&x| engine.store.values(View::of(x)).collect()).collect()
    };
    let (root, root_domains) = (engine.store.trail.words().collect::<Vec<u64>>(), domains(&engine));
    let mut levels: Vec<Level> = Vec::new();
    let (mut done, mut deepest, mut failures, mut alive) = (0, 0, 0, true);
    while done < operations {
        let open = || variables.iter().filter(|&&x| !engine.store.is_fixed(View::of(x)));
        let x = if alive && levels.len() < DEPTH && rng.u32(0..8) != 0 {
            let count = open().count();
            if count == 0 { None } else { open().nth(rng.usize(0..count)).copied() }
        } else {
            None
        };
        let atom = if let Some(x) = x {
            let domains = (rng.u32(0..16) == 0).then(|| domains(&engine));
            levels.push(Level { words: engine.store.trail.words().collect(), domains });
            engine.push_level();
            done += 1;
            deepest = deepest.max(levels.len());
            let view = View::of(x);
            let value = engine.store.nth(view, rng.u64(0..engine.store.size(view)));
            // Mostly small steps, to get deep.
            match rng.u32(0..12) {
                0 => Some(Atom::eq(x, value)),
                1 if value > engine.store.min(view) => Some(Atom::ge(x, value)),
                2 if value < engine.store.max(view) => Some(Atom::le(x, value)),
                3 => Some(Atom::ge(x, engine.store.min(view) + 1)),
                _ => Some(Atom::ne(x, value)),
            }
        } else if let Some(level) = levels.pop() {
            engine.pop_level();
            done += 1;
            assert!(engine.store.trail.words().eq(level.words), "after {done} operations of seed {seed}");
            if let Some(expected) = level.domains {
                assert_eq!(domains(&engine), expected, "after {done} operations of seed {seed}");
            }
            alive = true;
            // Sometimes something else is asserted on the level we came back to.
            let x = variables[rng.usize(0..variables.len())];
            let removed = engine.store.nth(View::of(x), rng.u64(0..1000));
            let other = !levels.is_empty() && !engine.store.is_fixed(View::of(x)) && rng.bool();
            other.then(|| Atom::ne(x, removed))
        } else {
            None
        };
        if let Some(atom) = atom {
            alive = engine.decide(atom).is_ok() && engine.propagate() == Fixpoint::Reached;
            done += 1;
            failures += u64::from(!alive);
        }
    }
    while levels.pop().is_some() {
        engine.pop_level();
    }
    assert!(engine.store.trail.words().eq(root));
    assert_eq!(domains(&engine), root_domains);
    assert!(deepest == DEPTH && failures > operations / 1000, "depth {deepest}, {failures} failures");
}

#[test]
fn a_million_choices_propagations_and_undos_leave_no_trace() {
    run(1, false, OPERATIONS * 3 / 4);
    run(2, true, OPERATIONS / 4);
}
