//! What is recorded and what is counted only, and what an observer is told.

use std::sync::{Arc, Mutex};

use csp_core::prelude::*;

fn queens(n: i64) -> Solver {
    let mut model = Model::new();
    let queens = model.ints(n as usize, 0..n);
    model.post(all_different(&queens));
    model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q + row)));
    model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q - row)));
    let mut solver = model.solver().unwrap();
    solver.set_search(branch(&queens).smallest_domain());
    solver
}

fn trace(tracing: Tracing) -> Trace {
    trace_in(Mode::Plain, tracing)
}

fn trace_in(mode: Mode, tracing: Tracing) -> Trace {
    let mut solver = queens(7);
    solver.set_mode(mode);
    solver.set_trace(tracing);
    assert_eq!(solver.count().solutions, 40);
    let trace = solver.take_trace().unwrap();
    assert_eq!(trace.counts.nodes, solver.statistics().nodes);
    trace
}

#[test]
fn what_is_not_recorded_is_counted() {
    let whole = trace(Tracing::new());
    assert_eq!((whole.unrecorded(), whole.counts.total()), (0, whole.events.len() as u64));
    for limit in [0, 1, 7, 100, 1000, whole.events.len() - 1] {
        let part = trace(Tracing::new().events(limit));
        assert_eq!((part.events.len(), part.counts), (limit, whole.counts));
        assert_eq!(part.events, whole.events[..limit]);
        assert_eq!(part.unrecorded(), (whole.events.len() - limit) as u64);
    }
}

#[test]
fn long_events_fill_the_memory_allowed_sooner() {
    let mut model = Model::new();
    model.ints(6000, 0..=0);
    let mut solver = model.solver().unwrap();
    solver.set_trace(Tracing::new().events(50));
    assert_eq!(solver.count().solutions, 1);
    let part = solver.take_trace().unwrap();
    // The solution is too long.
    assert_eq!((part.events.len(), part.unrecorded()), (2, 1));
}

#[test]
fn an_observer_is_told_everything() {
    let whole = trace(Tracing::new());
    let told = Arc::new(Mutex::new(Trace::default()));
    let observer = {
        let told = Arc::clone(&told);
        move |event: &TraceEvent| csp_core::observe::Observer::event(&mut *told.lock().unwrap(), event)
    };
    let part = trace(Tracing::new().events(10).observer(observer));
    let told = told.lock().unwrap();
    assert_eq!((&told.events, told.counts), (&whole.events, whole.counts));
    assert_eq!((part.events.len(), part.counts), (10, whole.counts));
}

#[test]
fn the_tree_alone_is_the_tree() {
    for mode in [Mode::Plain, Mode::Learning] {
        let whole = trace_in(mode, Tracing::new());
        let tree = trace_in(mode, Tracing::new().tree_only());
        assert!(whole.counts.changes > 1000 && tree.unrecorded() == 0);
        let of_tree = |event: &&TraceEvent| !matches!(event, TraceEvent::Change { .. });
        let plain = |event: &TraceEvent| match event.clone() {
            TraceEvent::Failure { cause, .. } => TraceEvent::Failure { cause, blame: Vec::new() },
            TraceEvent::Undo { to_depth, .. } => TraceEvent::Undo { to_depth, changes: 0 },
            event => event,
        };
        let expected: Vec<TraceEvent> = whole.events.iter().filter(of_tree).map(plain).collect();
        assert_eq!(tree.events, expected);
    }
}

#[test]
fn each_search_has_its_own_trace() {
    let mut solver = queens(6);
    solver.set_trace(Tracing::new());
    solver.count();
    assert!(solver.first().solution().is_some());
    let trace = solver.take_trace().unwrap();
    assert_eq!((trace.counts.solutions, trace.counts.nodes), (1, solver.statistics().nodes));
    assert_eq!(solver.count().solutions, 4);
    assert!(solver.take_trace().is_none());
}
