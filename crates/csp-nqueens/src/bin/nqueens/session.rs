//! A search as a program runs it: stopped by Ctrl-C and the clock, with progress on a terminal.

use std::{
    fmt::Write,
    io::{self, IsTerminal},
    process,
    time::{Duration, Instant},
};

use csp_nqueens::{Control, Outcome, Report};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use crate::ending::Ending;

/// A second signal within this time is taken as the same wish: some senders signal twice.
const PATIENCE: Duration = Duration::from_millis(500);

/// A running search. Progress is shown until this is dropped.
#[derive(Debug)]
pub(crate) struct Session {
    control: Control,
    progress: ProgressBar,
    /// Whether the output goes to a terminal too, most likely the same.
    shares_terminal: bool,
}

impl Session {
    /// Starts the clock, listens for Ctrl-C and shows progress if the standard error is a terminal.
    ///
    /// Ctrl-C once more, a moment later, ends the program at once.
    pub(crate) fn start(time_limit: Option<Duration>) -> Self {
        let mut control = Control::new();
        if let Some(limit) = time_limit {
            control = control.with_time_limit(limit);
        }
        let (mut asked, handle) = (None, control.clone());
        // Where signals cannot be handled, they end the program, which is no worse than usual.
        let _ = ctrlc::set_handler(move || {
            let first: &mut Instant = asked.get_or_insert_with(Instant::now);
            if first.elapsed() > PATIENCE {
                process::exit(Ending::Interrupted as i32);
            }
            handle.stop();
        });
        let progress = progress(&control);
        Self { control, progress, shares_terminal: io::stdout().is_terminal() }
    }

    /// What stops the search.
    pub(crate) fn control(&self) -> &Control {
        &self.control
    }

    /// Says in the progress line what is being done.
    pub(crate) fn say(&self, what: String) {
        self.progress.set_message(what);
    }

    /// Writes output without tangling it with the progress line.
    pub(crate) fn write<T>(&self, write: impl FnOnce() -> T) -> T {
        match self.shares_terminal {
            true => self.progress.suspend(write),
            false => write(),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.progress.finish_and_clear();
    }
}

/// Why a search ended early, in words; nothing if it did not.
pub(crate) fn stopped_by(outcome: Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Complete | Outcome::Enough => None,
        Outcome::Interrupted => Some("interrupted"),
        Outcome::TimeLimit => Some("stopped by --time-limit"),
    }
}

/// Writes what a search did to the standard error.
pub(crate) fn write_statistics(report: &Report) {
    eprintln!("solutions: {}", report.solutions);
    eprintln!("nodes: {}", report.nodes);
    if let Some(engine) = &report.engine {
        eprintln!("failures: {}", engine.failures);
        eprintln!("propagations: {}", engine.propagations);
        eprintln!("depth: {}", engine.max_depth);
    }
    eprintln!("seconds: {:.6}", report.time.as_secs_f64());
}

/// A line that draws itself, hidden unless the standard error is a terminal.
fn progress(control: &Control) -> ProgressBar {
    let (nodes, solutions) = (control.clone(), control.clone());
    let style = ProgressStyle::with_template("{elapsed} {msg}{nodes} nodes, {solutions} solutions");
    let Ok(style) = style else {
        return ProgressBar::hidden();
    };
    let progress = ProgressBar::new_spinner().with_style(
        style
            .with_key("nodes", move |_: &ProgressState, line: &mut dyn Write| {
                let _ = write!(line, "{}", nodes.nodes());
            })
            .with_key("solutions", move |_: &ProgressState, line: &mut dyn Write| {
                let _ = write!(line, "{}", solutions.solutions());
            }),
    );
    progress.enable_steady_tick(Duration::from_millis(200));
    progress
}
