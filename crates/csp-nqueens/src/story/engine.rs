//! The engine's search, told of its trace: the words are those of queens that attack squares.

use std::ops::ControlFlow;

use csp_core::{
    engine::Relation,
    observe::{Cause, Literal, Trace},
    prelude::*,
};
use csp_trace::{Failure, Look, Reason, Removal, Rule, Story, Teller, Voice};

use super::{
    Telling, title,
    words::{self, Why, list_reasons, standing, start},
};
use crate::{Format, Queens, QueensError, QueensModel, Square, solver::strategy};

pub(super) const NAME: &str = "propagation";

pub(super) fn story(puzzle: &Queens, telling: Telling) -> Result<Story, QueensError> {
    // Each node is a step at least, and a step tells of a change for each row at most.
    let events = telling.limit.saturating_mul(puzzle.size() + 4);
    let (trace, outcome) = trace(puzzle, telling, events)?;
    let voice = Attacks { puzzle, trace: &trace, standing: standing(puzzle) };
    let teller = Teller::new(&trace)
        .title(title(puzzle, NAME))
        .board(NAME)
        .look(Look::Queens)
        .outcome(outcome)
        .limit(telling.limit)
        .voice(&voice);
    teller.story().map_err(|untold| QueensError::Engine { fault: untold.to_string() })
}

/// Searches with the engine, records so many events, and says how the search ended.
pub(super) fn trace(
    puzzle: &Queens,
    telling: Telling,
    events: usize,
) -> Result<(Trace, Outcome), QueensError> {
    let QueensModel { model, queens } = puzzle.model()?;
    let mut solver = model.solver()?;
    solver.set_search(strategy(&queens));
    solver.set_limits(Limits::new().nodes(u64::try_from(telling.limit).unwrap_or(u64::MAX)));
    solver.set_trace(Tracing::new().events(events));
    let outcome = solver.for_each(|_| match telling.all {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    });
    Ok((solver.take_trace().unwrap_or_default(), outcome))
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
    fn pseudocode(&self) -> [String; 6] {
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

    fn rules(&self) -> Vec<Rule> {
        words::rules()
    }

    fn label(&self, row: usize) -> String {
        format!("row {row}")
    }

    fn standing(&self, square: Square) -> Option<Reason> {
        Some(self.standing[square.0][square.1]?.reason(square))
    }

    fn is_given(&self, square: Square) -> bool {
        self.puzzle.placed().any(|given| given == square)
    }

    fn start(&self) -> String {
        start(self.puzzle)
    }

    fn branch(&self, choice: Literal) -> String {
        format!("{},{}", choice.variable, choice.value)
    }

    fn choice(&self, choice: Literal) -> String {
        format!("row {}: choose column {} for its queen", choice.variable, choice.value)
    }

    fn taken_back(&self, Literal { variable: row, value: column, .. }: Literal) -> String {
        format!("row {row}: the choice of column {column} is taken back, and what followed from it")
    }

    fn reason(&self, removal: Removal<'_>, attacked: Square) -> Option<Reason> {
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

    fn removals(&self, _: &[Removal<'_>], reasons: &[Reason]) -> String {
        list_reasons(reasons)
    }

    fn only_square(&self, (row, column): Square) -> String {
        format!("row {row} has one square left: its queen stands on column {column}")
    }

    /// A row lost its last square to a queen, and both are blamed, or more on one line.
    fn last_square(&self, failure: Failure<'_>) -> Option<(Square, Reason)> {
        let queens: Vec<Square> = failure.blame.iter().filter_map(square).collect();
        let (&last, others) = queens.split_last()?;
        let why = others.iter().find_map(|&queen| Why::attack(queen, last))?;
        Some((last, why.reason(last)))
    }

    fn dead_end(&self, _: Option<Failure<'_>>, row: Option<(usize, &[Reason])>) -> Option<String> {
        let (row, reasons) = row?;
        Some(format!("row {row} has no square left\n{}", list_reasons(reasons)))
    }

    fn solution(&self, values: &[i64]) -> String {
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
