//! What is said of a search, in the words of its model.

use std::fmt::Debug;

use csp_core::observe::{Cause, Literal, Range};

use super::Place;
use crate::Rule;

/// The words for what a search does. [`Teller`](super::Teller) has plain ones for any model; a program that
/// knows what its variables mean has better ones.
pub trait Voice: Debug {
    /// The lines of the algorithm: its name, then how it propagates, goes back from a dead end, finds a
    /// solution, chooses, and rules out what it chose.
    fn pseudocode(&self) -> [String; 6];

    /// Who may rule out a square.
    fn rules(&self) -> Vec<Rule>;

    /// The label of a variable's row.
    fn label(&self, variable: usize) -> String;

    /// What the model says of a square before anything is searched, if that rules it out.
    fn standing(&self, square: Place) -> Option<Reason>;

    /// Whether a square that is the only one left to its row before anything is searched is part of the
    /// problem; otherwise that it is the only one is told as the first thing that follows.
    fn is_given(&self, square: Place) -> bool;

    /// The first step, on further lines what is given.
    fn start(&self) -> String;

    /// A choice, for the tree.
    fn branch(&self, choice: Literal) -> String;

    /// A choice, for its step.
    fn choice(&self, choice: Literal) -> String;

    /// A choice is taken back.
    fn taken_back(&self, choice: Literal) -> String;

    /// Why a square is out that a removal takes; none if that cannot be told, which ends the story with an
    /// error.
    fn reason(&self, removal: Removal<'_>, square: Place) -> Option<Reason>;

    /// The step of removals by one cause that blames the same for all, with the reasons of the squares that
    /// are shown, in order.
    fn removals(&self, removals: &[Removal<'_>], reasons: &[Reason]) -> String;

    /// The square is the only one left to its row.
    fn only_square(&self, square: Place) -> String;

    /// Which square a failure takes from a row as its last, if it is known.
    fn last_square(&self, failure: Failure<'_>) -> Option<(Place, Reason)>;

    /// A dead end: what failed, or which row has no square left, with the reasons for each of its squares.
    /// None if that cannot be told, which ends the story with an error.
    fn dead_end(&self, failure: Option<Failure<'_>>, row: Option<(usize, &[Reason])>) -> Option<String>;

    /// The values of a solution.
    fn solution(&self, values: &[i64]) -> String;
}

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
