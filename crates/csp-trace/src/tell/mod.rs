//! From a [`Trace`] to a [`Story`]: the events of a search of any model in words, on a board with a row
//! for each variable and a square for each of its values.
//!
//! A step is a choice, or all that one constraint rules out for one reason, or a dead end, or what is taken
//! back. Nothing is told that the trace does not have, and each square that is out has its sentence, made
//! of the constraint and of what it blames.

mod events;
mod families;
mod rows;
mod stage;
#[cfg(test)]
mod tests;
mod voice;
mod words;

use csp_core::Outcome;
use csp_core::observe::{Cause, Trace, TraceEvent};

pub use stage::{Cue, Place, Stage};
pub use voice::{Failure, Reason, Removal, Voice};

use crate::{Board, Look, Row, Story};
use events::Ending;
use rows::Rows;
use words::Words;

/// Tells a trace as a story.
///
/// Each variable of the model with at most 64 values has a row, up to 1024 of them; what happens to others
/// is told in words.
///
/// ```
/// use csp_core::prelude::*;
/// use csp_trace::{Kind, Teller};
///
/// let mut model = Model::new();
/// let (x, y) = (model.int_named("x", 0..=2), model.int_named("y", 0..=2));
/// model.post_named("order", rule!(x < y));
/// let mut solver = model.solver()?;
/// solver.set_trace(Tracing::new());
/// let outcome = solver.for_each(|_| std::ops::ControlFlow::Continue(()));
/// let trace = solver.take_trace().expect("it was asked for");
///
/// let story = Teller::new(&trace).title("Two numbers in order").outcome(outcome).story()?;
/// assert_eq!(story.steps[1].words, "by order\nx is not 2\ny is not 0");
/// let solutions = story.steps.iter().filter(|step| step.kind == Kind::Solution);
/// assert_eq!(solutions.last().unwrap().words, "solution 3: x = 1, y = 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Teller<'a> {
    trace: &'a Trace,
    title: String,
    name: String,
    look: Look,
    outcome: Option<Outcome>,
    limit: usize,
    voice: Option<&'a dyn Voice>,
}

/// What a trace does not explain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Untold {
    /// A square is out, and what is blamed is no reason for it.
    #[error("row {row}, square {cell} is out, and what is blamed for it is no reason")]
    Removal {
        /// The row.
        row: usize,
        /// The square of that row.
        cell: usize,
    },
    /// A failure that what is blamed for it does not explain.
    #[error("there is a failure, and what is blamed for it is no reason")]
    Failure,
}

impl<'a> Teller<'a> {
    /// In plain words, in up to 10,000 steps.
    pub fn new(trace: &'a Trace) -> Teller<'a> {
        Teller {
            trace,
            title: "A search".to_owned(),
            name: String::new(),
            look: Look::Plain,
            outcome: None,
            limit: 10_000,
            voice: None,
        }
    }

    /// What is being solved.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Teller { title: title.into(), ..self }
    }

    /// The name of the board, for a story that is to stand [beside](Story::beside) another.
    #[must_use]
    pub fn board(self, name: impl Into<String>) -> Self {
        Teller { name: name.into(), ..self }
    }

    /// How the board is laid out.
    #[must_use]
    pub fn look(self, look: Look) -> Self {
        Teller { look, ..self }
    }

    /// How the search ended, and with that whether it looked for a best solution; if nothing is said, it was stopped.
    #[must_use]
    pub fn outcome(self, outcome: impl Into<Option<Outcome>>) -> Self {
        Teller { outcome: outcome.into(), ..self }
    }

    /// The steps the story has at most, two or more.
    #[must_use]
    pub fn limit(self, limit: usize) -> Self {
        Teller { limit, ..self }
    }

    /// Words that fit the model.
    #[must_use]
    pub fn voice(self, voice: &'a dyn Voice) -> Self {
        Teller { voice: Some(voice), ..self }
    }

    /// The story.
    ///
    /// # Errors
    /// If the voice finds no reason for what happened. The plain one always has words.
    pub fn story(self) -> Result<Story, Untold> {
        let rows = Rows::new(self.trace);
        let is_optimising = self.is_optimising();
        let words = Words::new(self.trace, &rows, is_optimising);
        let voice = self.voice.unwrap_or(&words);
        let labelled = rows.iter().map(|(variable, values)| Row {
            label: voice.label(variable),
            cells: values.iter().map(i64::to_string).collect(),
        });
        let board = Board { title: self.name, look: self.look, rows: labelled.collect() };
        let story = Story {
            title: self.title,
            boards: vec![board],
            pseudocode: voice.pseudocode().into(),
            constraints: voice.rules(),
            ..Story::default()
        };
        let ending: Ending = match self.outcome {
            Some(outcome) if !outcome.is_complete() => Stage::stop,
            None => Stage::stop,
            _ if is_optimising => |stage, _| stage.best(),
            _ => |stage, _| stage.over(),
        };
        events::tell(self.trace, &rows, voice, Stage::new(story, self.limit), ending)
    }

    /// Whether better and better solutions were looked for.
    fn is_optimising(&self) -> bool {
        let by_objective = |event: &TraceEvent| match event {
            TraceEvent::Change { cause, .. } | TraceEvent::Failure { cause, .. } => {
                *cause == Cause::Objective
            }
            _ => false,
        };
        self.outcome == Some(Outcome::Optimal) || self.trace.events.iter().any(by_objective)
    }
}

/// So many of a thing, in words.
fn count(number: u64, thing: &str) -> String {
    match number {
        0 => format!("no {thing}"),
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}
