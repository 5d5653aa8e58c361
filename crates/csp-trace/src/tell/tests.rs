//! What is told of searches of other kinds than those for all solutions, and of traces made by hand.

use csp_core::observe::{Cause, TracedVariable};
use csp_core::prelude::*;

use super::Teller;
use crate::{Player, Story};

fn words(story: &Story) -> Vec<&str> {
    story.steps.iter().map(|step| step.words.as_str()).collect()
}

fn solver(model: &Model) -> Solver {
    let mut solver = model.solver().unwrap();
    solver.set_mode(Mode::Plain);
    solver.set_trace(Tracing::new());
    solver
}

#[test]
fn only_what_is_all_different_has_values_between_it() {
    // Both have two values left, of which each is to have a certain one.
    let mut model = Model::new();
    let (x, y) = (model.int_named("x", 0..=1), model.int_named("y", 0..=3));
    let z = model.int_named("z", 0..=9);
    model.post(rule!(y <= 1));
    model.post_named("sum", rule!(x + y == z));
    let mut solver = solver(&model);
    solver.count();
    let story = Teller::new(&solver.take_trace().unwrap()).story().unwrap();
    let words = words(&story).join("\n");
    assert!(words.contains("by sum") && !words.contains("between them"), "{words}");

    let mut model = Model::new();
    let x = model.ints_named("x", 3, 0..=2);
    for &x in &x[..2] {
        model.post(x.ne(0));
    }
    model.post(all_different(&x));
    let mut solver = self::solver(&model);
    solver.count();
    let story = Teller::new(&solver.take_trace().unwrap()).story().unwrap();
    let words = self::words(&story).join("\n");
    assert!(words.contains("x0 and x1 have only 1 and 2 left between them\nx2 is not 1 or 2"), "{words}");
}

#[test]
fn a_best_solution_is_told_as_such() {
    let mut model = Model::new();
    let (x, y) = (model.int_named("x", 0..=2), model.int_named("y", 0..=3));
    model.post(rule!(y <= x + 1));
    model.post(rule!(x + y <= 4));
    let mut solver = solver(&model);
    solver.set_search(branch([x, y]).input_order().min_value());
    solver.maximise(y).unwrap();
    let story = Teller::new(&solver.take_trace().unwrap()).story().unwrap();
    let words = words(&story);
    assert_eq!(words.last(), Some(&"the search is over: none is better than solution 3"));
    assert!(
        words.iter().any(|words| words.contains("there is no solution better than the last")),
        "{words:?}"
    );
    assert!(!words.iter().any(|words| words.contains("no more") || words.contains("dead ends")), "{words:?}");
    assert!(story.nodes.iter().all(|node| node.label != "learnt"), "{:?}", story.nodes);
}

#[test]
fn a_number_that_is_not_there_does_no_harm() {
    let variable = TracedVariable { name: "x".to_owned(), initial: vec![(0, 2)], is_hidden: false };
    let mut trace = Trace { variables: vec![variable], ..Trace::default() };
    for (value, number) in [(0, 0), (1, 5), (2, usize::MAX)] {
        let cause = Cause::Constraint(number);
        let removed = vec![(value, value)];
        trace.events.push(TraceEvent::Change { variable: 0, removed, cause, blame: vec![] });
    }
    trace.counts.nodes = u64::MAX;
    trace.counts.undos = u64::MAX;
    let story = Teller::new(&trace).story().unwrap();
    assert_eq!(Player::new(story).map(drop), Ok(()));
}

#[test]
fn a_search_ends_as_it_ended() {
    let story = |prepare: &dyn Fn(&mut Solver)| {
        let mut model = Model::new();
        let x = model.ints_named("x", 2, 0..=1);
        model.post(all_different(&x));
        let mut solver = solver(&model);
        prepare(&mut solver);
        solver.count();
        Teller::new(&solver.take_trace().unwrap()).story()
    };
    let end = |prepare: &dyn Fn(&mut Solver)| story(prepare).unwrap().steps.last().unwrap().words.clone();
    assert_eq!(end(&|_| {}), "the search is over, with 2 solutions");
    let stopped = end(&|solver| solver.set_limits(Limits::new().nodes(1)));
    assert_eq!(stopped, "the story ends here, after 2 steps: the search goes on");
    let contradiction = |solver: &mut Solver| {
        let b = solver.bool();
        solver.post(b).unwrap();
        solver.post(!b).unwrap();
    };
    let words = "the search is over before it begins: what is known has no solution";
    assert_eq!(end(&contradiction), words);
    let assuming = |solver: &mut Solver| {
        let b = solver.bool();
        solver.set_assumptions([b, !b]).unwrap();
    };
    assert_eq!(end(&assuming), "the search is over: there is no solution under the assumptions");
    let cut = end(&|solver| solver.set_trace(Tracing::new().events(3)));
    assert!(
        cut.starts_with("the story ends here: ") && cut.ends_with(" more events were not recorded"),
        "{cut}"
    );
    // The tree alone has no board.
    let tree = story(&|solver| solver.set_trace(Tracing::new().tree_only())).unwrap_err();
    assert!(tree.to_string().contains("x0 has its value"), "{tree}");
}
