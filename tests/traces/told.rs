//! The story of a trace in plain words: whole, with the domains that a replay of the trace has, and a sentence for
//! each value that is out.

use csp_core::observe::TracedDomains;
use csp_core::prelude::*;
use csp_trace::{CellChange, CellState, Kind, Story, Teller};

/// A variable with more values is told of in words only.
const WIDEST: usize = 64;

/// The values left to each variable that is shown.
type Left = Vec<Vec<String>>;

/// Tells a trace, and says what is wrong with the story.
pub(crate) fn check_story(trace: &Trace) -> Result<(), String> {
    let told = Teller::new(trace).limit(usize::MAX).story();
    let story = told.map_err(|error| error.to_string())?;
    story.check().map_err(|error| error.to_string())?;
    let (told, happened) = (moments(&story)?, events(trace));
    if told.len() != happened.len() {
        return Err(format!("{} moments are told of {}", told.len(), happened.len()));
    }
    match told.iter().zip(&happened).position(|(told, happened)| told != happened) {
        Some(at) => Err(format!("moment {at} is told as {:?}, and was {:?}", told[at], happened[at])),
        None => Ok(()),
    }
}

/// The ends of nodes, with what is left there.
fn events(trace: &Trace) -> Vec<(Kind, Left)> {
    let is_shown = |number: &usize| {
        let variable = &trace.variables[*number];
        let size: i128 =
            variable.initial.iter().map(|&(low, high)| i128::from(high) - i128::from(low) + 1).sum();
        !variable.is_hidden && size <= WIDEST as i128
    };
    let shown: Vec<usize> = (0..trace.variables.len()).filter(is_shown).collect();
    let mut domains = TracedDomains::new(trace);
    let values = |domains: &TracedDomains| -> Left {
        let of = |&variable: &usize| domains.of(variable).iter().flat_map(|&(low, high)| low..=high);
        shown.iter().map(|variable| of(variable).map(|value| value.to_string()).collect()).collect()
    };
    let start = values(&domains);
    let mut moments = Vec::new();
    for (number, event) in trace.events.iter().enumerate() {
        domains.apply(event);
        let kind = match event {
            TraceEvent::Failure { .. } => Kind::DeadEnd,
            TraceEvent::Solution { .. } => Kind::Solution,
            TraceEvent::Fixpoint
                if !matches!(trace.events.get(number + 1), Some(TraceEvent::Solution { .. })) =>
            {
                Kind::Fixpoint
            }
            _ => continue,
        };
        moments.push((kind, values(&domains)));
    }
    // A variable without a value ends the search before it begins, and is told of.
    if moments.is_empty() && trace.variables.iter().any(|x| x.initial.is_empty()) {
        moments.push((Kind::DeadEnd, start));
    }
    moments
}

/// The same, as the story tells it.
fn moments(story: &Story) -> Result<Vec<(Kind, Left)>, String> {
    let rows = &story.boards[0].rows;
    let mut states: Vec<Vec<CellState>> =
        rows.iter().map(|row| vec![CellState::Free; row.cells.len()]).collect();
    let mut moments = Vec::new();
    for (number, step) in story.steps.iter().enumerate() {
        for &CellChange { row, cell, to, .. } in &step.changes {
            states[row][cell] = to;
            let start = format!("{} is not {}", rows[row].label, rows[row].cells[cell]);
            let says_why = || {
                step.why.iter().any(|why| (why.row, why.cell) == (row, cell) && why.words.starts_with(&start))
            };
            if matches!(to, CellState::Out { .. }) && !says_why() {
                return Err(format!("step {number} does not say why {start}"));
            }
        }
        if matches!(step.kind, Kind::DeadEnd | Kind::Solution | Kind::Fixpoint) {
            let left = rows.iter().zip(&states).map(|(row, states)| {
                let cells = row.cells.iter().zip(states);
                cells
                    .filter(|(_, state)| !matches!(state, CellState::Out { .. }))
                    .map(|(label, _)| label.clone())
                    .collect()
            });
            moments.push((step.kind, left.collect()));
        }
    }
    Ok(moments)
}

#[test]
fn a_lost_event_shows_in_the_story() {
    let mut model = Model::new();
    let x = model.ints(4, 0..=3);
    model.post(all_different(&x));
    model.post(rule!(x[0] + x[1] <= x[2]));
    let mut solver = model.solver().unwrap();
    solver.set_trace(Tracing::new());
    solver.count();
    let trace = solver.take_trace().unwrap();
    let story = Teller::new(&trace).story().unwrap();
    let happened = events(&trace);
    assert_eq!(moments(&story).unwrap(), happened);
    for gone in 0..story.steps.len() {
        let mut lost = story.clone();
        let step = lost.steps.remove(gone);
        let shows = lost.check().is_err() || moments(&lost).map_or(true, |told| told != happened);
        assert!(shows || step.changes.is_empty(), "{}", step.words);
    }
}
