//! The engine's search, told of its trace: the words are those of queens that attack squares.

use std::ops::ControlFlow;

use csp_core::{
    engine::Relation,
    observe::{Cause, Literal, Trace},
    prelude::*,
};
use csp_trace::{Failure, Look, PlainWords, Reason, Removal, Rule, Story, Teller, Voice};

use super::{
    Telling, title,
    words::{self, Why, list_reasons, standing, start},
};
use crate::{Format, Queens, QueensError, QueensModel, Square, solver::strategy};

pub(super) const NAME: &str = "propagation";

pub(super) fn story(puzzle: &Queens, telling: Telling) -> Result<Story, QueensError> {
    // Each node is a step at least, and a step tells of a change for each row at most.
    let events = telling.limit.saturating_mul(puzzle.size() + 4);
    let trace = trace(puzzle, telling, events)?;
    let voice = Attacks { puzzle, trace: &trace, standing: standing(puzzle) };
    let teller = Teller::new(&trace)
        .title(title(puzzle, NAME))
        .board(NAME)
        .look(Look::Queens)
        .limit(telling.limit)
        .voice(&voice);
    teller.story().map_err(|untold| QueensError::Engine { fault: untold.to_string() })
}

/// Searches with the engine, and records so many events.
pub(super) fn trace(puzzle: &Queens, telling: Telling, events: usize) -> Result<Trace, QueensError> {
    let QueensModel { model, queens } = puzzle.model()?;
    let mut solver = model.solver()?;
    solver.set_search(strategy(&queens));
    solver.set_limits(Limits::new().nodes(u64::try_from(telling.limit).unwrap_or(u64::MAX)));
    solver.set_trace(Tracing::new().events(events));
    solver.for_each(|_| match telling.all {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    });
    Ok(solver.take_trace().unwrap_or_default())
}

/// Tells of queens that attack squares.
#[derive(Debug)]
struct Attacks<'a> {
    puzzle: &'a Queens,
    trace: &'a Trace,
    /// Why the puzzle itself rules squares out, row by row.
    standing: Vec<Vec<Option<Why>>>,
}

impl Voice for Attacks<'_> {
    fn pseudocode(&self, _: &PlainWords<'_>) -> [String; 6] {
        [
            "search:",
            "    propagate: a queen rules out what it attacks, a row with one square left has its queen there",
            "    if a row has no square left: back",
            "    if each row has its queen: a solution, back",
            "    choose a row with the fewest squares left, and its square nearest the middle: search",
            "    rule that square out: search",
        ]
        .map(str::to_owned)
    }

    fn rules(&self, _: &PlainWords<'_>) -> Vec<Rule> {
        words::rules()
    }

    fn variable(&self, _: &PlainWords<'_>, row: usize) -> String {
        format!("row {row}")
    }

    fn standing(&self, _: &PlainWords<'_>, row: usize, column: i64) -> Option<Reason> {
        let square = (row, column as usize);
        Some(self.standing[square.0][square.1]?.reason(square))
    }

    fn is_given(&self, _: &PlainWords<'_>, row: usize, column: i64) -> bool {
        self.puzzle.placed().any(|given| given == (row, column as usize))
    }

    fn start(&self, _: &PlainWords<'_>) -> String {
        start(self.puzzle)
    }

    fn branch(&self, _: &PlainWords<'_>, choice: Literal) -> String {
        format!("{},{}", choice.variable, choice.value)
    }

    fn choice(&self, _: &PlainWords<'_>, choice: Literal) -> String {
        format!("row {}: choose column {} for its queen", choice.variable, choice.value)
    }

    fn taken_back(
        &self,
        _: &PlainWords<'_>,
        Literal { variable: row, value: column, .. }: Literal,
    ) -> String {
        format!("row {row}: the choice of column {column} is taken back, and what followed from it")
    }

    fn reason(&self, _: &PlainWords<'_>, removal: Removal<'_>, column: i64) -> Option<Reason> {
        let attacked = (removal.variable, column as usize);
        let why = match (removal.cause, removal.choice) {
            (Cause::Decision, Some((choice, _))) => Why::attack(square(&choice)?, attacked),
            (Cause::Refutation, Some((_, solutions))) => Some(Why::Tried { solutions }),
            (Cause::Constraint(number), _) => {
                // The constraint is named after the line that its queens attack along.
                let name = self.trace.constraints.get(number)?.name.as_deref()?;
                Why::attack(square(removal.blame.first()?)?, attacked).filter(|why| why.is_by(name))
            }
            _ => None,
        };
        Some(why?.reason(attacked))
    }

    fn removals(&self, _: &PlainWords<'_>, _: &[Removal<'_>], reasons: &[Reason]) -> String {
        list_reasons(reasons)
    }

    fn only_value(&self, _: &PlainWords<'_>, row: usize, column: i64) -> String {
        format!("row {row} has one square left: its queen stands on column {column}")
    }

    /// A row lost its last square to a queen, and both are blamed, or more on one line.
    fn last_value(&self, _: &PlainWords<'_>, failure: Failure<'_>) -> Option<(usize, i64, Reason)> {
        let queens: Vec<Square> = failure.blame.iter().filter_map(square).collect();
        let (&last, others) = queens.split_last()?;
        let why = others.iter().find_map(|&queen| Why::attack(queen, last))?;
        Some((last.0, last.1 as i64, why.reason(last)))
    }

    fn dead_end(
        &self,
        _: &PlainWords<'_>,
        _: Option<Failure<'_>>,
        row: Option<(usize, &[Reason])>,
    ) -> Option<String> {
        let (row, reasons) = row?;
        Some(format!("row {row} has no square left\n{}", list_reasons(reasons)))
    }

    fn solution(&self, _: &PlainWords<'_>, values: &[i64]) -> String {
        let columns: Vec<usize> = values.iter().map(|&column| column as usize).collect();
        Format::Columns.show(&columns).to_string()
    }
}

/// The square whose queen a statement is about.
fn square(literal: &Literal) -> Option<Square> {
    match literal.relation {
        Relation::Eq => Some((literal.variable, usize::try_from(literal.value).ok()?)),
        _ => None,
    }
}
