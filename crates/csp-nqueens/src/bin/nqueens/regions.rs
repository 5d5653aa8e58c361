//! `nqueens regions`: the puzzle with coloured regions, solved, shown to be unique, or made.

use std::{
    fs,
    io::{self, Write},
    ops::ControlFlow,
    path::PathBuf,
};

use clap::Args;
use csp_nqueens::{Format, Outcome, Regions};

use crate::{
    arguments::{Run, formats, seed, size},
    ending::{Ending, Failure},
    session::{Session, stopped_by, write_statistics},
    variant::{conclude, list_solutions, write_count},
};

/// `nqueens regions`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A file with a line for each row and a letter for each square, the same letter for the same region
    #[arg(value_name = "FILE", required_unless_present = "generate")]
    file: Option<PathBuf>,
    /// Count the solutions
    #[arg(long, conflicts_with_all = ["all", "unique"])]
    count: bool,
    /// List all solutions
    #[arg(long)]
    all: bool,
    /// Check that there is exactly one solution: exit code 1 if not
    #[arg(long, conflicts_with = "all")]
    unique: bool,
    /// Make a board of this size with exactly one solution, instead of reading one
    #[arg(long, value_name = "N", value_parser = size, conflicts_with_all = ["file", "count", "all", "unique"], allow_negative_numbers = true)]
    generate: Option<usize>,
    /// Which board to make
    #[arg(long, value_name = "SEED", default_value = "0", value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// How to write a solution
    #[arg(long, value_name = "FORMAT", default_value = Format::Board.name(), value_parser = formats())]
    format: Format,
    #[command(flatten)]
    run: Run,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Ending, Failure> {
    let file = match (arguments.generate, &arguments.file) {
        (Some(size), _) => return generate(size, arguments),
        (None, Some(file)) => file,
        (None, None) => return Err(Failure::Arguments("no file was given".to_owned())),
    };
    let refuse = |words: String| Failure::Arguments(format!("{}: {words}", file.display()));
    let text = fs::read_to_string(file).map_err(|error| refuse(error.to_string()))?;
    let puzzle: Regions =
        text.parse().map_err(|error: csp_nqueens::RegionsError| refuse(error.to_string()))?;
    if arguments.count || arguments.unique {
        return count(&puzzle, arguments);
    }
    let wanted = if arguments.all { u64::MAX } else { 1 };
    let report = list_solutions(arguments.format, wanted, &arguments.run, |control, visit| {
        puzzle.search(control, visit)
    })?;
    Ok(conclude(&report, "the regions do not allow one"))
}

fn count(puzzle: &Regions, arguments: &Arguments) -> Result<Ending, Failure> {
    let session = Session::start(arguments.run.time_limit);
    // Whether there is one, the second one tells.
    let mut wanted = if arguments.unique { 2 } else { u64::MAX };
    let report = puzzle.search(session.control(), |_| {
        wanted -= 1;
        if wanted == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    drop(session);
    if arguments.run.stats {
        write_statistics("engine", &report);
    }
    if !arguments.unique || stopped_by(report.outcome).is_some() {
        write_count(&report, arguments.format, "regions", puzzle.size())?;
        return Ok(Ending::from_outcome(report.outcome));
    }
    let (words, ending) = match (report.solutions, report.outcome) {
        (0, _) => ("no solution", Ending::NoSolution),
        (1, Outcome::Complete) => ("exactly one solution", Ending::Done),
        _ => ("more than one solution", Ending::NoSolution),
    };
    writeln!(io::stdout().lock(), "{words}")?;
    Ok(ending)
}

fn generate(size: usize, arguments: &Arguments) -> Result<Ending, Failure> {
    let session = Session::start(arguments.run.time_limit);
    let board = Regions::generate(size, arguments.seed, session.control())?;
    let stopped = session.control().stopped();
    drop(session);
    match (board, stopped) {
        (Some(board), _) => writeln!(io::stdout().lock(), "{board}")?,
        (None, Some(outcome)) => {
            eprintln!("no board so far: {}", stopped_by(outcome).unwrap_or_default());
            return Ok(Ending::from_outcome(outcome));
        }
        (None, None) => {
            eprintln!("no solution: there is no such board of size {size}");
            return Ok(Ending::NoSolution);
        }
    }
    Ok(Ending::Done)
}
