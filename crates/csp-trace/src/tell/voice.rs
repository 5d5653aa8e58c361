//! What is said of a search, in the words of its model.

use std::fmt::Debug;

use csp_core::observe::{Cause, Literal, Range};

use super::PlainWords;
use crate::Rule;

/// The words for what a search does. Each method has plain ones, which serve any model; a program that knows what its
/// variables mean has better ones for some.
///
/// Names go into all plain sentences, so that `variable` and `value` alone do much. What is said beside these is the
/// same for all: that nothing more follows, which solution it is, and how the search ended.
///
/// ```
/// use csp_core::prelude::*;
/// use csp_core::observe::Literal;
/// use csp_trace::{PlainWords, Teller, Voice};
///
/// /// Regions of a map, and their colours.
/// #[derive(Debug)]
/// struct Map;
///
/// impl Voice for Map {
///     fn value(&self, _: &PlainWords<'_>, _: usize, value: i64) -> String {
///         ["red", "green", "blue"][value as usize].to_owned()
///     }
///
///     // The search below decides nothing but what a region is. Others may: see `Literal::relation`.
///     fn choice(&self, plain: &PlainWords<'_>, choice: Literal) -> String {
///         let Literal { variable, value, .. } = choice;
///         format!("try {} {}", plain.variable(variable), plain.value(variable, value))
///     }
/// }
///
/// let mut model = Model::new();
/// let [west, north, south] = ["West", "North", "South"].map(|name| model.int_named(name, 0..=2));
/// for (a, b) in [(west, north), (west, south), (north, south)] {
///     model.post_named("border", rule!(a != b));
/// }
/// // Constraints as they were posted, root and all.
/// let mut solver = Solver::with(&model, Presolve::Off)?;
/// solver.set_mode(Mode::Plain);
/// solver.set_search(branch([west, north, south]));
/// solver.set_trace(Tracing::new());
/// solver.first();
/// let trace = solver.take_trace().expect("it was asked for");
/// let story = Teller::new(&trace).voice(&Map).story()?;
/// let words: Vec<&str> = story.steps.iter().map(|step| &*step.words).collect();
/// assert_eq!(words[2..4], ["try West red", "by border, since West is red\nNorth is not red"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Voice: Debug {
    /// The lines of the algorithm, each for what is told at it: the search as a whole, what follows, a dead end, a
    /// solution, a choice, and that a choice was refuted.
    fn pseudocode(&self, plain: &PlainWords<'_>) -> [String; 6] {
        plain.pseudocode()
    }

    /// Who may rule out a square. Plainly these are the constraints by their names without the number at the end, so
    /// that `row 1` to `row 9` have one letter and one colour, and behind them what is no constraint, such as choices.
    fn rules(&self, plain: &PlainWords<'_>) -> Vec<Rule> {
        plain.rules()
    }

    /// The name of a variable, for its row and in plain sentences.
    fn variable(&self, plain: &PlainWords<'_>, variable: usize) -> String {
        plain.variable(variable)
    }

    /// The name of a value of a variable that has a row, for its square and in plain sentences.
    fn value(&self, plain: &PlainWords<'_>, variable: usize, value: i64) -> String {
        plain.value(variable, value)
    }

    /// Why a value is out before anything is searched, if it is.
    fn standing(&self, plain: &PlainWords<'_>, variable: usize, value: i64) -> Option<Reason> {
        plain.standing(variable, value)
    }

    /// Whether a value that is the only one left before anything is searched is part of the problem, as it plainly is;
    /// otherwise that it is the only one is told as the first thing that follows.
    fn is_given(&self, _plain: &PlainWords<'_>, _variable: usize, _value: i64) -> bool {
        true
    }

    /// The first step, on further lines what is given.
    fn start(&self, plain: &PlainWords<'_>) -> String {
        plain.start()
    }

    /// A choice, for the tree. It may have any relation, unless the search is known to make but some.
    fn branch(&self, plain: &PlainWords<'_>, choice: Literal) -> String {
        plain.literal(choice)
    }

    /// A choice, for its step.
    fn choice(&self, plain: &PlainWords<'_>, choice: Literal) -> String {
        plain.choice(choice)
    }

    /// A choice is taken back.
    fn taken_back(&self, plain: &PlainWords<'_>, choice: Literal) -> String {
        plain.taken_back(choice)
    }

    /// Why a value is out that a removal takes; none if that cannot be told, which ends the story with an error.
    fn reason(&self, plain: &PlainWords<'_>, removal: Removal<'_>, value: i64) -> Option<Reason> {
        Some(plain.reason(removal, value))
    }

    /// The step of removals by one cause that blames the same for all, with the reasons of the values that are
    /// shown, in order.
    fn removals(&self, plain: &PlainWords<'_>, removals: &[Removal<'_>], _reasons: &[Reason]) -> String {
        plain.removals(removals)
    }

    /// The value is the only one left to its variable.
    fn only_value(&self, plain: &PlainWords<'_>, variable: usize, value: i64) -> String {
        plain.only_value(variable, value)
    }

    /// Which value a failure takes from a variable as its last, and why, if that is to be told.
    fn last_value(&self, _plain: &PlainWords<'_>, _failure: Failure<'_>) -> Option<(usize, i64, Reason)> {
        None
    }

    /// A dead end, with the reasons for each value of a variable that has none left, if that is known: by
    /// [`last_value`](Self::last_value), or before anything is searched, when there is no failure to tell. None if it
    /// cannot be told, which ends the story with an error.
    fn dead_end(
        &self,
        plain: &PlainWords<'_>,
        failure: Option<Failure<'_>>,
        variable: Option<(usize, &[Reason])>,
    ) -> Option<String> {
        Some(plain.dead_end(failure, variable.map(|variable| variable.0)))
    }

    /// The values of a solution.
    fn solution(&self, plain: &PlainWords<'_>, values: &[i64]) -> String {
        plain.solution(values)
    }
}

/// The plain words as they are.
#[derive(Debug)]
pub(super) struct Plain;

impl Voice for Plain {}

/// Values that a variable loses.
#[derive(Clone, Copy, Debug)]
pub struct Removal<'a> {
    /// The number of the variable.
    pub variable: usize,
    /// The values, ascending.
    pub removed: &'a [Range],
    /// By whom.
    pub cause: Cause,
    /// What held before and makes the cause remove them.
    pub blame: &'a [Literal],
    /// What was decided or refuted, if that is the cause, and how many solutions there were with it.
    pub choice: Option<(Literal, u64)>,
}

/// What cannot hold together.
#[derive(Clone, Copy, Debug)]
pub struct Failure<'a> {
    /// Who found out.
    pub cause: Cause,
    /// What holds and cannot hold together with the cause.
    pub blame: &'a [Literal],
}

/// Why a square is out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// An index into the [rules](Voice::rules).
    pub rule: u8,
    /// A sentence.
    pub words: String,
}
