//! A search as a program runs it: stopped by Ctrl-C and the clock, with progress on a terminal.

use std::{
    fmt::{Display, Write},
    io::{self, IsTerminal},
    process,
    time::{Duration, Instant},
};

use csp_nqueens::{Control, Outcome, PartsDone, Report};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use serde_json::Value;

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
pub(crate) fn write_statistics(method: impl Display, report: &Report) {
    eprintln!("method: {method}");
    eprintln!("solutions: {}", report.solutions);
    eprintln!("nodes: {}", report.nodes);
    if let Some(engine) = &report.engine {
        eprintln!("failures: {}", engine.failures);
        eprintln!("propagations: {}", engine.propagations);
        eprintln!("depth: {}", engine.max_depth);
    }
    eprintln!("seconds: {:.6}", report.time.as_secs_f64());
}

/// A count as JSON: a number, or beyond 64 bits a string of digits, which no reader rounds.
pub(crate) fn count_to_json(count: u128) -> Value {
    u64::try_from(count).map_or_else(|_| count.to_string().into(), Value::from)
}

/// A line that draws itself, hidden unless the standard error is a terminal.
fn progress(control: &Control) -> ProgressBar {
    let (nodes, solutions, parts) = (control.clone(), control.clone(), control.clone());
    let style = ProgressStyle::with_template("{elapsed} {msg}{nodes} nodes, {solutions} solutions{parts}");
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
            })
            .with_key("parts", move |_: &ProgressState, line: &mut dyn Write| {
                if let Some(parts) = parts.parts() {
                    let _ = write!(line, "{}", in_parts(parts));
                }
            }),
    );
    progress.enable_steady_tick(Duration::from_millis(200));
    progress
}

/// The parts that are done and the time left.
fn in_parts(parts: PartsDone) -> String {
    let left = parts.time_left().map_or(String::new(), |left| format!(", about {} left", in_words(left)));
    format!(", {} of {} parts{left}", parts.done, parts.total)
}

/// A time in words.
pub(crate) fn in_words(time: Duration) -> String {
    let units = [("years", 31_557_600.0), ("days", 86_400.0), ("hours", 3600.0), ("minutes", 60.0)];
    let seconds = time.as_secs_f64();
    let unit = units.iter().find(|(_, length)| seconds >= 2.0 * length);
    match unit {
        Some(("years", length)) if seconds >= 1000.0 * length => "thousands of years".to_owned(),
        Some((name, length)) => format!("{:.0} {name}", seconds / length),
        None => format!("{seconds:.0} seconds"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_a_number_as_far_as_64_bits_go() {
        assert_eq!(count_to_json(u64::MAX.into()).to_string(), "18446744073709551615");
        assert_eq!(count_to_json(u128::from(u64::MAX) + 1).to_string(), "\"18446744073709551616\"");
    }

    #[test]
    fn the_time_left_follows_from_the_pace_of_this_run() {
        let parts =
            |done, resumed| in_parts(PartsDone { done, resumed, total: 100, time: Duration::from_secs(600) });
        assert_eq!(parts(40, 40), ", 40 of 100 parts");
        assert_eq!(parts(50, 40), ", 50 of 100 parts, about 50 minutes left");
        assert_eq!(parts(100, 40), ", 100 of 100 parts, about 0 seconds left");
    }
}
