//! `nqueens solve`: one solution, some or all, written as they are found.

use std::{
    io::{self, BufWriter},
    ops::ControlFlow,
};

use csp_nqueens::{Listing, Outcome, Report};

use crate::{
    arguments::Solve,
    ending::{Ending, Failure},
    session::{Session, stopped_by, write_statistics},
};

pub(crate) fn run(arguments: &Solve) -> Result<Ending, Failure> {
    let puzzle = arguments.board.puzzle()?;
    let limit = match arguments.all {
        true => u64::MAX,
        false => arguments.limit.unwrap_or(1),
    };
    let session = Session::start(arguments.run.time_limit);
    let mut listing = Listing::new(arguments.format, BufWriter::new(io::stdout().lock()));
    let mut written = Ok(());
    let mut wanted = limit;
    let report = arguments.method.search(&puzzle, session.control(), |columns| {
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

    if arguments.run.stats {
        write_statistics(&report);
    }
    Ok(conclude(&report, puzzle.size()))
}

/// Says what the solutions themselves do not say.
fn conclude(report: &Report, size: usize) -> Ending {
    let found = report.solutions;
    if let Some(why) = stopped_by(report.outcome) {
        let seconds = report.time.as_secs_f64();
        eprintln!("{why} after {seconds:.1} s: incomplete, {found} solutions so far");
    } else if report.outcome == Outcome::Complete && found == 0 {
        eprintln!("no solution: {size} queens cannot stand like this without an attack");
        return Ending::NoSolution;
    }
    Ending::from_outcome(report.outcome)
}
