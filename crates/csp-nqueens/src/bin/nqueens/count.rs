//! `nqueens count`: the number of solutions, or how many were found until it was stopped.

use std::{
    io::{self, Write},
    ops::ControlFlow,
};

use csp_nqueens::Outcome;
use serde_json::json;

use crate::{
    arguments::{Count, ResultFormat},
    ending::{Ending, Failure},
    session::{Session, stopped_by, write_statistics},
};

pub(crate) fn run(arguments: &Count) -> Result<Ending, Failure> {
    let puzzle = arguments.board.puzzle()?;
    let method = arguments.method;
    let session = Session::start(arguments.run.time_limit);
    let keep_counting = |_: &[usize]| ControlFlow::Continue(());
    let report = method.search(&puzzle, session.control(), keep_counting)?;
    drop(session);

    let mut out = io::stdout().lock();
    match (arguments.format, stopped_by(report.outcome)) {
        (ResultFormat::Text, None) => writeln!(out, "{}", report.solutions)?,
        (ResultFormat::Text, Some(why)) => {
            writeln!(out, "at least {} (incomplete: {why})", report.solutions)?;
        }
        (ResultFormat::Json, _) => {
            let result = json!({
                "size": puzzle.size(),
                "method": method.name(),
                "solutions": report.solutions,
                "complete": report.outcome == Outcome::Complete,
                "nodes": report.nodes,
                "seconds": report.time.as_secs_f64(),
            });
            writeln!(out, "{result}")?;
        }
    }
    if arguments.run.stats {
        write_statistics(&report);
    }
    Ok(Ending::from_outcome(report.outcome))
}
