//! `nqueens solve`: one solution, some or all, written as they are found.

use std::{
    io::{self, BufWriter},
    ops::ControlFlow,
};

use csp_nqueens::{Listing, Method, Outcome, Report};

use crate::{
    arguments::Solve,
    ending::{Ending, Failure},
    session::{Session, stopped_by, write_statistics},
};

/// A board of a million queens is megabytes of text.
const BUFFER: usize = 1 << 16;

pub(crate) fn run(arguments: &Solve) -> Result<Ending, Failure> {
    let puzzle = arguments.board.puzzle()?;
    let (method, seed) = arguments.method(&puzzle)?;
    let format = arguments.format(puzzle.size())?;
    let session = Session::start(arguments.run.time_limit);
    session.profile(arguments.run.profiler.as_deref(), format!("{} queens", puzzle.size()))?;
    let mut listing = Listing::new(format, BufWriter::with_capacity(BUFFER, io::stdout().lock()));
    let mut written = Ok(());
    let mut wanted = arguments.wanted();
    let visit = |columns: &[usize]| {
        written = session.write(|| listing.write(columns));
        wanted -= 1;
        match written.is_err() || wanted == 0 {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let report = match method {
        Method::LocalSearch => puzzle.search_at_random(seed, session.control(), visit)?,
        _ => method.search(&puzzle, session.control(), visit)?,
    };
    drop(session);
    written?;
    listing.finish()?;

    if arguments.run.stats {
        write_statistics(method, &report);
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
