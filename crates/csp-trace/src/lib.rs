//! A search told as a story: what was chosen, what that rules out and why, where it had to go back.
//!
//! The crate knows boards as rows of labelled squares and nothing of queens or digits. A [`Teller`] makes a
//! [`Story`] of the trace of any search by the engine, and a [`Stage`] is there for searches of another kind;
//! every way of showing a story starts from there, such as the page that [`Story::to_html`] makes.
//! [`json_lines`] writes down the trace of any search, and reads it again.

pub mod json_lines;
mod page;
mod player;
pub mod profiler;
mod story;
mod tell;
#[cfg(feature = "terminal")]
pub mod terminal;

pub use player::{Counts, Outline, OutlineLine, Player, Square};
pub use story::{
    Board, CellChange, CellState, Incomplete, Kind, Look, Row, Rule, Status, Step, Story, TreeNode, Why,
};
pub use tell::{Cue, Failure, Place, PlainWords, Reason, Removal, Stage, Teller, Untold, Voice};
