//! A story in a terminal: the board, what is left of each row, the search tree, the algorithm and the
//! sentence of the step, walked through with keys. `?` lists them. A square of the board tells why it is
//! out, a node of the tree leads to its step, and the viewer may be asked for each square before it is shown.
//!
//! All is done with keys: the mouse stays with the terminal, which selects and copies text with it.
//!
//! Panes that do not fit are left out, the least important first, down to the sentence alone.

mod commands;
mod draw;
mod focus;
mod prediction;
mod view;

use std::{
    io,
    ops::ControlFlow,
    thread,
    time::{Duration, Instant},
};

use ratatui::crossterm::event::{self, Event};

use crate::Player;
pub use view::View;

/// Why the view was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// By the key for it.
    Asked,
    /// By Ctrl-C, or because the caller said so.
    Interrupted,
}

/// A signal is noticed within this time.
const PATIENCE: Duration = Duration::from_millis(100);

/// Shows a story on the terminal of the standard output until a key leaves it, or `interrupted` says so,
/// which is asked ten times a second.
///
/// The terminal is given back as it was, also after an error or a panic. Ctrl-C is a key like others
/// here; signals are the caller's to handle.
///
/// ```no_run
/// use csp_trace::{Player, Story, terminal};
/// # let story = Story::default();
/// let player = Player::new(story)?;
/// terminal::watch(player, || false)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the terminal cannot be read or written.
pub fn watch(player: Player, mut interrupted: impl FnMut() -> bool) -> io::Result<Leaving> {
    let _restored = Restored;
    let mut terminal = ratatui::try_init()?;
    let mut view = View::new(player);
    let mut changed = true;
    let mut clock = Instant::now();
    loop {
        if interrupted() {
            return Ok(Leaving::Interrupted);
        }
        if changed {
            terminal.draw(|frame| view.draw(frame))?;
        }
        let patience = view.until_next().map_or(PATIENCE, |time| time.min(PATIENCE));
        changed = false;
        if event::poll(patience)? {
            changed = true;
            if let Event::Key(key) = event::read()?
                && let ControlFlow::Break(leaving) = view.key(key)
            {
                return Ok(leaving);
            }
        }
        let now = Instant::now();
        changed |= view.pass(now - clock);
        clock = now;
    }
}

/// Gives the terminal back when it is dropped, except after a panic: ratatui's hook has done so before the
/// panic was reported, and doing it again would put the cursor back above the report.
#[derive(Debug)]
struct Restored;

impl Drop for Restored {
    fn drop(&mut self) {
        if !thread::panicking() {
            // Nothing is left to be done about a terminal that is gone.
            let _ = ratatui::try_restore();
        }
    }
}
