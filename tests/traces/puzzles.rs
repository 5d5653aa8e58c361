//! N-Queens and Sudokus: each constraint says that some values plus offsets are all different.

use std::collections::BTreeSet;

use csp_core::constraints::Strength;
use csp_core::observe::Cause;
use csp_core::prelude::*;

use super::checker::{Meaning, Tally, Values, check};

/// The variables of a constraint, and what is added to each.
type Line = Vec<(usize, i64)>;

struct Lines {
    lines: Vec<Line>,
    /// All solutions, found independently.
    solutions: Vec<Vec<i64>>,
}

/// Whether values of the domains, one for each of `line` from `place` on, differ from `used` and each other.
fn fits(line: &[(usize, i64)], domains: &[Values], used: &mut Vec<i64>) -> bool {
    let Some(&(x, offset)) = line.get(used.len()) else { return true };
    domains[x].iter().any(|v| {
        let value = v + offset;
        if used.contains(&value) {
            return false;
        }
        used.push(value);
        let is_found = fits(line, domains, used);
        used.pop();
        is_found
    })
}

impl Meaning for Lines {
    fn is_possible(&self, cause: Cause, domains: &[Values], found: &BTreeSet<Vec<i64>>) -> bool {
        match cause {
            Cause::Constraint(number) => {
                // Few values first.
                let mut line = self.lines[number].clone();
                line.sort_by_key(|&(x, _)| domains[x].len());
                fits(&line, domains, &mut Vec::new())
            }
            _ => self.is_wanted(domains, found),
        }
    }

    fn is_wanted(&self, domains: &[Values], found: &BTreeSet<Vec<i64>>) -> bool {
        let is_within = |values: &&Vec<i64>| values.iter().zip(domains).all(|(v, domain)| domain.contains(v));
        self.solutions.iter().filter(is_within).any(|values| !found.contains(values))
    }
}

/// All solutions by plain recursion, in which no two of a line are equal.
fn solve(domains: &[Values], lines: &[Line], values: &mut Vec<Option<i64>>, found: &mut Vec<Vec<i64>>) {
    let left = |x: usize, values: &[Option<i64>]| -> Vec<i64> {
        let of_x = lines.iter().filter_map(|line| Some((line, line.iter().find(|place| place.0 == x)?.1)));
        let is_free = |v: &i64| {
            let mut others = of_x.clone().flat_map(|(line, own)| line.iter().map(move |place| (place, own)));
            !others.any(|(&(y, offset), own)| y != x && values[y].is_some_and(|w| w + offset == v + own))
        };
        domains[x].iter().copied().filter(is_free).collect()
    };
    let open = (0..values.len()).filter(|&x| values[x].is_none());
    let Some((x, choices)) = open.map(|x| (x, left(x, values))).min_by_key(|(_, choices)| choices.len())
    else {
        found.push(values.iter().map(|v| v.unwrap_or(0)).collect());
        return;
    };
    for v in choices {
        values[x] = Some(v);
        solve(domains, lines, values, found);
        values[x] = None;
    }
}

/// Variables with domains and lines, as a model and as what it means.
struct Puzzle {
    model: Model,
    variables: Vec<IntVar>,
    meaning: Lines,
}

fn puzzle(domains: &[Values], lines: Vec<Line>, strength: Strength) -> Puzzle {
    let mut model = Model::new();
    let variables: Vec<IntVar> =
        domains.iter().map(|d| model.int(d.iter().copied().collect::<Vec<_>>())).collect();
    for line in &lines {
        let different = all_different(line.iter().map(|&(x, offset)| variables[x] + offset));
        model.post(match strength {
            Strength::Auto => different,
            Strength::Value => different.value(),
            Strength::Bounds => different.bounds(),
            Strength::Domain => different.domain(),
        });
    }
    let mut solutions = Vec::new();
    solve(domains, &lines, &mut vec![None; domains.len()], &mut solutions);
    Puzzle { model, variables, meaning: Lines { lines, solutions } }
}

fn queens(n: i64, strength: Strength) -> Puzzle {
    let line = |sign: i64| (0..n).map(|row| (row as usize, sign * row)).collect();
    puzzle(&vec![(0..n).collect(); n as usize], vec![line(0), line(1), line(-1)], strength)
}

fn sudoku(line: &str, strength: Strength) -> Puzzle {
    let domain = |c: char| match c.to_digit(10) {
        Some(digit @ 1..) => Values::from([i64::from(digit)]),
        _ => (1..=9).collect(),
    };
    let domains: Vec<Values> = line.chars().take(81).map(domain).collect();
    let lines = (0..9).flat_map(|i| {
        let cells = |cell: fn(usize, usize) -> usize| (0..9).map(|j| (cell(i, j), 0)).collect();
        [
            cells(|i, j| 9 * i + j),
            cells(|i, j| 9 * j + i),
            cells(|i, j| 27 * (i / 3) + 3 * (i % 3) + 9 * (j / 3) + j % 3),
        ]
    });
    puzzle(&domains, lines.collect(), strength)
}

/// What is asked of a solver.
#[derive(Clone, Copy, Debug)]
enum Task {
    Count,
    First,
}

/// Traces a search, checks the trace, and that the search is the same without.
fn traced(puzzle: &Puzzle, task: Task, prepare: impl Fn(&mut Solver)) -> (Trace, Tally) {
    let run = |solver: &mut Solver| {
        prepare(solver);
        match task {
            Task::Count => drop(solver.count()),
            Task::First => drop(solver.first()),
        }
        solver.statistics()
    };
    let mut solver = puzzle.model.solver().unwrap();
    let alone = run(&mut solver);
    let mut solver = puzzle.model.solver().unwrap();
    solver.set_trace(Tracing::new().events(usize::MAX));
    let statistics = run(&mut solver);
    let trace = solver.take_trace().unwrap();
    let size = |s: &Statistics| [s.nodes, s.failures, s.solutions, s.restarts, s.max_depth];
    assert_eq!(size(&statistics), size(&alone));
    let tally = check(&trace, &statistics, &puzzle.meaning).unwrap_or_else(|e| panic!("{task:?}: {e}"));
    (trace, tally)
}

const STRENGTHS: [Strength; 3] = [Strength::Value, Strength::Bounds, Strength::Domain];

#[test]
fn queens_up_to_eight() {
    let mut all = Tally::default();
    for strength in STRENGTHS {
        for n in 1..=8 {
            let puzzle = queens(n, strength);
            let by_size =
                |solver: &mut Solver| solver.set_search(branch(&puzzle.variables).smallest_domain());
            let (_, tally) = traced(&puzzle, Task::Count, by_size);
            assert_eq!(tally.solutions, puzzle.meaning.solutions.len());
            all.add(tally);
            let splitting = |solver: &mut Solver| solver.set_search(branch(&puzzle.variables).split());
            all.add(traced(&puzzle, Task::Count, splitting).1);
            for mode in [Mode::Plain, Mode::Learning] {
                let restarting = |solver: &mut Solver| {
                    solver.set_mode(mode);
                    solver.set_restarts(Restarts::luby(1));
                };
                all.add(traced(&puzzle, Task::First, restarting).1);
                all.add(traced(&puzzle, Task::Count, restarting).1);
            }
        }
    }
    println!("{all:?}");
    assert!(all.blamed > 10_000 && all.failures > 1000 && all.restarts > 100, "{all:?}");
}

#[test]
fn twenty_sudokus() {
    let mut all = Tally::default();
    let puzzles = include_str!("../data/sudoku/qqwing_generated_expert_100.txt");
    for line in puzzles.lines().take(20) {
        for strength in STRENGTHS {
            let puzzle = sudoku(line, strength);
            assert_eq!(puzzle.meaning.solutions.len(), 1);
            all.add(traced(&puzzle, Task::Count, |_| {}).1);
            all.add(traced(&puzzle, Task::First, |solver| solver.set_mode(Mode::Plain)).1);
            all.add(traced(&puzzle, Task::First, |_| {}).1);
        }
    }
    println!("{all:?}");
    assert!(all.blamed > 20_000 && all.failures > 100, "{all:?}");
}

/// The checker finds what is wrong with a trace: where an event is gone, or something else is blamed.
#[test]
fn a_false_trace_is_found_out() {
    let puzzle = queens(6, Strength::Value);
    let mut solver = puzzle.model.solver().unwrap();
    solver.set_search(branch(&puzzle.variables));
    solver.set_trace(Tracing::new());
    solver.count();
    let statistics = solver.statistics();
    let trace = solver.take_trace().unwrap();
    check(&trace, &statistics, &puzzle.meaning).unwrap();
    let is_found = |events: Vec<TraceEvent>| {
        let mut changed = Trace { events, ..trace.clone() };
        changed.counts = Default::default();
        changed.events.iter().for_each(|event| changed.counts.add(event));
        check(&changed, &statistics, &puzzle.meaning).is_err()
    };
    for gone in 0..trace.events.len() {
        let mut events = trace.events.clone();
        events.remove(gone);
        assert!(is_found(events), "without event {gone}, {:?}", trace.events[gone]);
    }
    let mut wrong = 0;
    for (place, event) in trace.events.iter().enumerate() {
        if let TraceEvent::Change { blame, cause: Cause::Constraint(number), .. } = event
            && !blame.is_empty()
        {
            let mut changed = [event.clone(), event.clone()];
            for (kind, event) in changed.iter_mut().enumerate() {
                if let TraceEvent::Change { blame, cause, .. } = event {
                    match kind {
                        0 => blame.clear(),
                        _ => *cause = Cause::Constraint((number + 1) % 3),
                    }
                }
            }
            for event in changed {
                let mut events = trace.events.clone();
                events[place] = event;
                assert!(is_found(events), "event {place}");
                wrong += 1;
            }
        }
    }
    assert!(wrong > 100);
}
