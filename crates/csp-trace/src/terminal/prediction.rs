//! Being asked for the next square before it is shown.

use super::focus::{Cursor, Focus};
use crate::Square;

/// Whether the viewer is asked, what is asked now, and the score.
#[derive(Debug, Default)]
pub(super) struct Prediction {
    pub(super) is_on: bool,
    pub(super) question: Option<Question>,
    right: usize,
    wrong: usize,
}

/// A square that was asked for and is not shown yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub(super) square: Square,
    /// The step it was asked at.
    pub(super) at: usize,
    /// What to go back to when it is shown.
    pub(super) before: Focus,
}

impl Prediction {
    /// Counts an answer; whether it is right.
    pub(super) fn answer(&mut self, square: Square, answer: Cursor) -> bool {
        let is_right = answer.is(square);
        self.right += usize::from(is_right);
        self.wrong += usize::from(!is_right);
        is_right
    }

    /// The score in words, while it is kept.
    pub(super) fn score(&self) -> Option<String> {
        self.is_on.then(|| format!("predicted: {} right, {} wrong", self.right, self.wrong))
    }
}
