//! What the examples' command lines share: limits, Ctrl-C, statistics, exit codes, reading and writing.

#![allow(dead_code)] // Few examples use all of it.

pub(crate) mod gantt;
pub(crate) mod text;

use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::process::{self, ExitCode};
use std::time::Duration;

use clap::Args;
use csp_core::prelude::*;
use csp_trace::profiler::{ADDRESS, Profiler, address};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};

#[derive(Args)]
pub(crate) struct Common {
    /// Stop after so many seconds, with the best found so far
    #[arg(long, global = true, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// Say on the standard error how large the search was
    #[arg(long, global = true)]
    stats: bool,
    /// Show the search tree in the MiniZinc IDE's profiler (View → Show search profiler) while it grows
    #[arg(long, global = true, value_name = "HOST:PORT", num_args = 0..=1, default_missing_value = ADDRESS, value_parser = address)]
    profiler: Option<String>,
}

/// A time on the command line.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds")?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

impl Common {
    /// A solver for the model, which stops at the time limit and on Ctrl-C. Ends the program if the model is
    /// mistaken, or no profiler listens that is to show its first search.
    pub(crate) fn solver(&self, model: &Model) -> Solver {
        let mut solver = model.solver().unwrap_or_else(|mistake| fail(&mistake.to_string()));
        if let Some(time) = self.time_limit {
            solver.set_limits(Limits::new().time(time));
        }
        stop_on_ctrl_c(solver.stop_handle());
        if let Some(address) = &self.profiler {
            let name = env!("CARGO_CRATE_NAME");
            let profiler = Profiler::connect(address, name).unwrap_or_else(|error| fail(&error.to_string()));
            solver.set_trace(profiler.on_loss(lost).tracing());
        }
        solver
    }

    /// Says why the search ended early, if it did, and how large it was. The exit code is 0 if something was
    /// found, 1 if there is no solution, 3 if the search was stopped before it found one.
    pub(crate) fn end(&self, solver: &Solver, found: bool) -> ExitCode {
        let stopped = match solver.outcome() {
            Some(Outcome::Stopped(why)) if why != Stop::Solutions && why != Stop::Caller => {
                note(format!("stopped early: {why}"));
                true
            }
            _ => false,
        };
        if self.stats {
            note(solver.statistics());
        }
        match (found, stopped) {
            (true, _) => ExitCode::SUCCESS,
            (false, true) => ExitCode::from(3),
            (false, false) => {
                note("there is no solution");
                ExitCode::from(1)
            }
        }
    }
}

/// A line on the terminal, if there is one, that tells how far a search for the best solution is, until it is dropped.
pub(crate) struct Watch(ProgressBar);

impl Watch {
    pub(crate) fn on(solver: &Solver) -> Watch {
        let progress = solver.progress();
        let tell = move |_: &ProgressState, line: &mut dyn fmt::Write| {
            let _ = write!(line, "{} nodes", progress.nodes());
            if let (Some(best), Some(bound), Some(gap)) = (progress.best(), progress.bound(), progress.gap())
            {
                let percent = 100.0 * gap as f64 / best.unsigned_abs().max(1) as f64;
                let _ = write!(line, ", best {best}, bound {bound}, gap {gap} ({percent:.1} %)");
            }
        };
        let style =
            ProgressStyle::with_template("{spinner} {elapsed} {search}").map(|s| s.with_key("search", tell));
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Watch(bar)
    }

    /// Writes a line to the standard error, above this one.
    pub(crate) fn note(&self, line: impl fmt::Display) {
        self.0.suspend(|| note(line));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Makes Ctrl-C use the handle. A second one ends the program as usual.
pub(crate) fn stop_on_ctrl_c(handle: StopHandle) -> StopHandle {
    let signal = handle.clone();
    let _ = ctrlc::set_handler(move || {
        if signal.is_stopped() {
            process::exit(130);
        }
        signal.stop();
    });
    handle
}

/// Says that a profiler went away.
pub(crate) fn lost(error: &io::Error) {
    note(format!("warning: the profiler does not hear the rest: {error}"));
}

/// Ends the program because of bad input.
pub(crate) fn fail(words: &str) -> ! {
    note(format!("error: {words}"));
    process::exit(2)
}

/// Writes a line to the standard error, if anybody reads it.
pub(crate) fn note(line: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Writes a line to the standard output. Unlike `println!` it does not panic if nobody reads any more.
pub(crate) fn say(line: impl std::fmt::Display) {
    match writeln!(io::stdout(), "{line}") {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => process::exit(0),
        Err(error) => fail(&format!("cannot write: {error}")),
        Ok(()) => {}
    }
}
