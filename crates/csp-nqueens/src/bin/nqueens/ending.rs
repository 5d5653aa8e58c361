//! How a run ends, and the exit code that says so.

use std::{io, process::ExitCode};

use csp_nqueens::{Outcome, QueensError};

/// The end of a run. The number is the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// What was asked for is there.
    Done = 0,
    /// There is no solution.
    NoSolution = 1,
    /// The input is wrong, or the output or a checkpoint cannot be written.
    Failed = 2,
    /// The time was up first.
    TimeLimit = 3,
    /// Ctrl-C came first: 128 and the number of the signal.
    Interrupted = 130,
}

/// The exit codes, for the help text.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0    done: a solution was found, or the count or the comparison is complete
  1    there is no solution (where one is asked for), or not exactly one (`regions --unique`)
  2    the arguments or a checkpoint are wrong, or the output cannot be written
  3    --time-limit came first: what was printed is incomplete
  130  Ctrl-C came first: what was printed is incomplete";

/// What keeps a run from doing its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments are wrong, in words.
    Arguments(String),
    /// A checkpoint cannot be used, in words.
    Checkpoint(String),
    /// The output cannot be written.
    Output(io::Error),
}

impl Ending {
    /// The end of a search that found something or had nothing to find.
    pub(crate) fn from_outcome(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Complete | Outcome::Enough => Ending::Done,
            Outcome::TimeLimit => Ending::TimeLimit,
            Outcome::Interrupted => Ending::Interrupted,
        }
    }

    /// Says what failed. A reader that has seen enough is no failure.
    pub(crate) fn from_failure(failure: Failure) -> Self {
        match failure {
            Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                return Ending::Done;
            }
            Failure::Output(error) => eprintln!("error: the output cannot be written: {error}"),
            Failure::Checkpoint(words) => eprintln!("error: {words}"),
            Failure::Arguments(words) => {
                eprintln!("error: {words}\n\nFor more information, try 'nqueens --help'.");
            }
        }
        Ending::Failed
    }
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        ExitCode::from(ending as u8)
    }
}

impl From<QueensError> for Failure {
    fn from(error: QueensError) -> Self {
        match error {
            QueensError::Checkpoint(error) => Failure::Checkpoint(error.to_string()),
            error => Failure::Arguments(error.to_string()),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}
