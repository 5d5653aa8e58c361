//! Whether each step of a story fits the ones before it.

use thiserror::Error;

use crate::{CellState, Story};

/// What is wrong with a story that cannot be played.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum StoryFault {
    /// It has no step.
    #[error("the story has no step")]
    Empty,
    /// A step speaks of something that is not there.
    #[error("step {step} speaks of a {thing} that is not there: the story is incomplete")]
    Missing {
        /// The number of the step.
        step: usize,
        /// What is not there.
        thing: &'static str,
    },
    /// A step changes a square from a state that it is not in.
    #[error("step {step} does not fit the steps before it: the story is incomplete")]
    Misfit {
        /// The number of the step.
        step: usize,
    },
}

/// The boards before the first step.
pub(super) fn untouched(story: &Story) -> Vec<Vec<Vec<CellState>>> {
    let row = |cells: usize| vec![CellState::Free; cells];
    story.boards.iter().map(|board| board.rows.iter().map(|each| row(each.cells.len())).collect()).collect()
}

pub(super) fn check(story: &Story) -> Result<(), StoryFault> {
    if story.steps.is_empty() {
        return Err(StoryFault::Empty);
    }
    let mut boards = untouched(story);
    // A story without boards, or without a tree, has its steps at the first of none.
    let (board_count, nodes) = (story.boards.len().max(1), story.nodes.len().max(1));
    for (number, step) in story.steps.iter().enumerate() {
        let missing = |thing| StoryFault::Missing { step: number, thing };
        if step.board >= board_count {
            return Err(missing("board"));
        }
        if step.node >= nodes {
            return Err(missing("node"));
        }
        for change in &step.changes {
            let row = boards.get_mut(step.board).and_then(|board| board.get_mut(change.row));
            let square = row.and_then(|row| row.get_mut(change.cell)).ok_or_else(|| missing("square"))?;
            if std::mem::replace(square, change.to) != change.from {
                return Err(StoryFault::Misfit { step: number });
            }
        }
    }
    Ok(())
}
