//! From a [`Trace`] to a [`Story`]: the events of a search of any model in words, on a board with a row
//! for each variable and a square for each of its values.
//!
//! A step is a choice, or all that one constraint rules out for one reason, or a dead end, or what is taken
//! back. Nothing is told that the trace does not have, and each square that is out has its sentence, made
//! of the constraint and of what it blames.

mod events;
mod families;
mod list;
mod rows;
mod stage;
#[cfg(test)]
mod tests;
mod voice;
mod words;

use csp_core::observe::Trace;

pub use stage::{Cue, Place, Stage};
pub use voice::{Failure, Reason, Removal, Voice};
pub use words::PlainWords;

use crate::{Board, Look, Row, Story};
use rows::Rows;

/// Tells a trace as a story.
///
/// Each variable of the model with at most 64 values has a row, up to 1024 of them; what happens to others
/// is told in words. What helps:
///
/// - names: of variables by `int_named`, of constraints by `post_named`. Constraints whose names differ but in a number at
///   their end, such as `row 1` to `row 9`, have one letter and one colour;
/// - the constraints as they were posted: a solver by `Solver::with` and [`Presolve::Off`](csp_core::Presolve), where many
///   would become one `all_different`;
/// - the root's propagation too: [`Mode::Plain`](csp_core::Mode), since a search that learns does it before it begins;
/// - choices that are easy to follow: `set_search(branch(&x))` decides what a variable *is*, what is searched with
///   otherwise often splits domains;
/// - a [`Voice`], for what a value is called or how a choice is spoken of.
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
/// solver.count();
/// let trace = solver.take_trace().expect("it was asked for");
///
/// let story = Teller::new(&trace).title("Two numbers in order").story()?;
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
    limit: usize,
    voice: Option<&'a dyn Voice>,
}

/// What a voice finds no words for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Untold {
    /// A value is out, and what is blamed for it is no reason.
    #[error("{variable} is not {value}, and what is blamed for it is no reason")]
    Removal {
        /// The variable.
        variable: String,
        /// The value.
        value: String,
    },
    /// A solution, and the changes do not lead there: those of a trace of the [tree
    /// alone](csp_core::Tracing::tree_only) are not recorded.
    #[error(
        "there is a solution, and nothing recorded says why {variable} has its value; is it a trace of the tree alone?"
    )]
    Solution {
        /// The first variable that has another value, or several.
        variable: String,
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
        let voice = self.voice.unwrap_or(&voice::Plain);
        let plain = PlainWords::new(self.trace, &rows, voice);
        let labelled = rows.iter().zip(plain.values());
        let labelled = labelled
            .map(|((variable, _), values)| Row { label: plain.variable(variable), cells: values.clone() });
        let board = Board { title: self.name, look: self.look, rows: labelled.collect() };
        let story = Story {
            title: self.title,
            boards: vec![board],
            pseudocode: voice.pseudocode(&plain).into(),
            constraints: voice.rules(&plain),
            ..Story::default()
        };
        events::tell(self.trace, &rows, voice, &plain, Stage::new(story, self.limit))
    }
}
