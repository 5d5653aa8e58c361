//! What can be done, each thing once: its keys and its line in the help come from one table.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::focus::Direction;

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// From step to step sideways, or about a pane.
    Walk(Direction),
    Forward,
    Back,
    NextDecision,
    PreviousDecision,
    Play,
    Restart,
    Finish,
    NextSolution,
    PreviousSolution,
    NextBacktrack,
    Faster,
    Slower,
    NextPane,
    PreviousPane,
    Enter,
    /// The square with this label.
    Label(char),
    Predict,
    Unfold,
    Help,
    Close,
    Leave,
    Interrupt,
}

/// The keys as they are named, and what they do.
pub(super) const HELP: [(&str, &str); 21] = [
    ("→ or .", "one step forward"),
    ("← or ,", "one step back"),
    ("Shift → or d", "to the next decision"),
    ("Shift ← or D", "to the decision before"),
    ("Space", "play and pause"),
    ("Home", "to the first step"),
    ("End", "to the last step"),
    ("n or p", "to the next solution, to the one before"),
    ("b", "to where it next goes back"),
    ("+ or -", "play faster, play slower"),
    ("Tab", "into the board, the tree, and back"),
    ("→ ← ↑ ↓", "in the board: why is this square out?"),
    ("1 to 9", "in a box: why is this value out?"),
    ("↑ ↓ Enter", "in the tree: go to a node"),
    ("g", "guess each square before it is shown"),
    ("Enter", "on the board: this is my guess"),
    ("u", "show failed subtrees unfolded"),
    ("• ◆ ✓", "in the tree: open, solutions below, solution"),
    ("✗ ▸ +13", "failed; failed, 13 nodes folded below"),
    ("?", "this list"),
    ("q or Esc", "leave; Esc leaves a pane first"),
];

impl Command {
    /// What a key asks for, if anything.
    pub(super) fn of(key: KeyEvent) -> Option<Command> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        let with = |modifier| key.modifiers.contains(modifier);
        if with(KeyModifiers::CONTROL) {
            // What Ctrl-C sends is no signal while the view has the terminal.
            return (key.code == KeyCode::Char('c')).then_some(Command::Interrupt);
        }
        if with(KeyModifiers::ALT) {
            return None;
        }
        Some(match key.code {
            KeyCode::Right if with(KeyModifiers::SHIFT) => Command::NextDecision,
            KeyCode::Left if with(KeyModifiers::SHIFT) => Command::PreviousDecision,
            KeyCode::Right => Command::Walk(Direction::Right),
            KeyCode::Left => Command::Walk(Direction::Left),
            KeyCode::Up => Command::Walk(Direction::Up),
            KeyCode::Down => Command::Walk(Direction::Down),
            KeyCode::Char('.') => Command::Forward,
            KeyCode::Char(',') => Command::Back,
            KeyCode::Char('d') => Command::NextDecision,
            KeyCode::Char('D') => Command::PreviousDecision,
            KeyCode::Char(' ') => Command::Play,
            KeyCode::Home => Command::Restart,
            KeyCode::End => Command::Finish,
            KeyCode::Char('n' | 'N') => Command::NextSolution,
            KeyCode::Char('p' | 'P') => Command::PreviousSolution,
            KeyCode::Char('b' | 'B') => Command::NextBacktrack,
            KeyCode::Char('+' | '=') => Command::Faster,
            KeyCode::Char('-' | '_' | '−') => Command::Slower,
            KeyCode::Tab => Command::NextPane,
            KeyCode::BackTab => Command::PreviousPane,
            KeyCode::Enter => Command::Enter,
            KeyCode::Char(label @ '0'..='9') => Command::Label(label),
            KeyCode::Char('g' | 'G') => Command::Predict,
            KeyCode::Char('u' | 'U') => Command::Unfold,
            KeyCode::Char('?') => Command::Help,
            KeyCode::Char('q' | 'Q') => Command::Leave,
            KeyCode::Esc => Command::Close,
            _ => return None,
        })
    }
}
