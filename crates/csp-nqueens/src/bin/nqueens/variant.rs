//! `nqueens variant`: relatives of the puzzle with one queen in each row, solved, listed or counted.

use std::{
    io::{self, BufWriter, Write},
    ops::ControlFlow,
};

use clap::Args;
use csp_nqueens::{Control, Format, Listing, Outcome, Queens, QueensError, Report, Variant, count_toroidal};
use serde_json::json;

use crate::{
    arguments::{Board, Run, formats, limit, variants},
    ending::{Ending, Failure},
    session::{Session, count_to_json, stopped_by, write_statistics},
};

/// `nqueens variant`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The variant
    #[arg(value_name = "VARIANT", value_parser = variants())]
    variant: Variant,
    #[command(flatten)]
    board: Board,
    /// Count the solutions
    #[arg(long, conflicts_with_all = ["all", "limit"])]
    count: bool,
    /// List all solutions
    #[arg(long, conflicts_with = "limit")]
    all: bool,
    /// List at most this many solutions, instead of one
    #[arg(long, value_name = "K", value_parser = limit, allow_negative_numbers = true)]
    limit: Option<u64>,
    /// How to write a solution; with --count, json gives an object
    #[arg(long, value_name = "FORMAT", default_value = Format::Board.name(), value_parser = formats())]
    format: Format,
    /// Count on a torus with the engine too, where bit masks could
    #[arg(long, requires = "count")]
    engine: bool,
    #[command(flatten)]
    run: Run,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Ending, Failure> {
    arguments.board.check_seed("`variant`")?;
    let puzzle = arguments.board.puzzle()?;
    match arguments.count {
        true => count(arguments, &puzzle),
        false => list(arguments, &puzzle),
    }
}

fn list(arguments: &Arguments, puzzle: &Queens) -> Result<Ending, Failure> {
    let wanted = if arguments.all { u64::MAX } else { arguments.limit.unwrap_or(1) };
    let report = list_solutions(arguments.format, wanted, &arguments.run, |control, visit| {
        arguments.variant.search(puzzle, control, visit)
    })?;
    let variant = arguments.variant;
    Ok(conclude(&report, &format!("{variant}, size {}", puzzle.size())))
}

/// Writes solutions as they are found, at most as many as wanted.
pub(crate) fn list_solutions(
    format: Format,
    mut wanted: u64,
    run: &Run,
    search: impl FnOnce(&Control, &mut dyn FnMut(&[usize]) -> ControlFlow<()>) -> Result<Report, QueensError>,
) -> Result<Report, Failure> {
    let session = Session::start(run.time_limit);
    let mut listing = Listing::new(format, BufWriter::new(io::stdout().lock()));
    let mut written = Ok(());
    let report = search(session.control(), &mut |columns| {
        written = session.write(|| listing.write(columns));
        wanted -= 1;
        match written.is_err() || wanted == 0 {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    drop(session);
    written?;
    listing.finish()?;
    if run.stats {
        write_statistics("engine", &report);
    }
    Ok(report)
}

/// Says what the solutions themselves do not say.
pub(crate) fn conclude(report: &Report, what: &str) -> Ending {
    if let Some(why) = stopped_by(report.outcome) {
        eprintln!("{why}: incomplete, {} solutions so far", report.solutions);
    } else if report.outcome == Outcome::Complete && report.solutions == 0 {
        eprintln!("no solution: {what}");
        return Ending::NoSolution;
    }
    Ending::from_outcome(report.outcome)
}

fn count(arguments: &Arguments, puzzle: &Queens) -> Result<Ending, Failure> {
    let (variant, size) = (arguments.variant, puzzle.size());
    let session = Session::start(arguments.run.time_limit);
    let is_empty = puzzle.placed().chain(puzzle.blocked()).next().is_none();
    let by_masks = variant == Variant::Toroidal && is_empty && !arguments.engine;
    let report = match by_masks {
        true => count_toroidal(size, session.control())?,
        false => variant.search(puzzle, session.control(), |_| ControlFlow::Continue(()))?,
    };
    drop(session);
    write_count(&report, arguments.format, variant.name(), size)?;
    if arguments.run.stats {
        write_statistics(if by_masks { "bit masks" } else { "engine" }, &report);
    }
    Ok(Ending::from_outcome(report.outcome))
}

/// Writes a count, or that there are at least so many.
pub(crate) fn write_count(report: &Report, format: Format, variant: &str, size: usize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match (format, stopped_by(report.outcome)) {
        (Format::Json, _) => writeln!(
            out,
            "{}",
            json!({
                "variant": variant,
                "size": size,
                "solutions": count_to_json(report.solutions),
                "complete": report.outcome == Outcome::Complete,
                "nodes": report.nodes,
                "seconds": report.time.as_secs_f64(),
            })
        ),
        (_, None) => writeln!(out, "{}", report.solutions),
        (_, Some(why)) => writeln!(out, "at least {} (incomplete: {why})", report.solutions),
    }
}
