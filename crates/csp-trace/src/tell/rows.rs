//! Which variables of a trace are rows of the board, and which values their squares.

use csp_core::observe::{Cause, Range, Trace, TraceEvent};

use super::Place;

/// A variable with more values than this has no row.
const WIDEST: u64 = 64;
/// A board has at most so many rows: variables beyond have none.
const MOST: usize = 1024;

/// The rows of a board: the variables of the model that have few enough values.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    rows: Vec<(usize, Vec<i64>)>,
    /// By variable.
    places: Vec<Option<usize>>,
}

impl Rows {
    pub(super) fn new(trace: &Trace) -> Rows {
        let mut rows = Vec::new();
        let mut places = Vec::with_capacity(trace.variables.len());
        for (number, variable) in trace.variables.iter().enumerate() {
            let is_shown = !variable.is_hidden && rows.len() < MOST && size(&variable.initial) <= WIDEST;
            places.push(is_shown.then_some(rows.len()));
            if is_shown {
                rows.push((number, variable.initial.iter().flat_map(|&(low, high)| low..=high).collect()));
            }
        }
        Rows { rows, places }
    }

    /// The variable of each row with its values.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &[i64])> {
        self.rows.iter().map(|(variable, values)| (*variable, &values[..]))
    }

    /// The values of a variable; none if it has no row.
    pub(super) fn values_of(&self, variable: usize) -> Option<&[i64]> {
        let row = (*self.places.get(variable)?)?;
        Some(&self.rows[row].1)
    }

    pub(super) fn variable(&self, row: usize) -> usize {
        self.rows[row].0
    }

    /// The variable and value of a square.
    pub(super) fn of(&self, (row, cell): Place) -> (usize, i64) {
        (self.rows[row].0, self.rows[row].1[cell])
    }

    /// The square of a variable's value, if there is one.
    pub(super) fn place(&self, variable: usize, value: i64) -> Option<Place> {
        let row = (*self.places.get(variable)?)?;
        Some((row, self.rows[row].1.binary_search(&value).ok()?))
    }

    /// The squares of a variable's values in these intervals; none if it has no row.
    pub(super) fn squares(&self, variable: usize, ranges: &[Range]) -> Vec<Place> {
        let Some(row) = self.places.get(variable).copied().flatten() else { return Vec::new() };
        let values = &self.rows[row].1;
        let cells = ranges.iter().flat_map(|&(low, high)| {
            values.partition_point(|&value| value < low)..values.partition_point(|&value| value <= high)
        });
        cells.map(|cell| (row, cell)).collect()
    }

    /// The squares that are out before anything is searched.
    pub(super) fn standing(&self, trace: &Trace) -> Vec<Place> {
        let before = trace.events.iter().take_while(|event| !matches!(event, TraceEvent::Node { .. }));
        let squares = before.flat_map(|event| match event {
            TraceEvent::Change { variable, removed, cause: Cause::Domain, .. } => {
                self.squares(*variable, removed)
            }
            _ => Vec::new(),
        });
        squares.collect()
    }
}

/// How many values the intervals have.
fn size(ranges: &[Range]) -> u64 {
    ranges.iter().fold(0, |sum, &(low, high)| sum.saturating_add(high.abs_diff(low)).saturating_add(1))
}
