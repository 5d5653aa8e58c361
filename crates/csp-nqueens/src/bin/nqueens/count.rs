//! `nqueens count`: the number of solutions, or how many were found until it was stopped.

use std::io::{self, Write};

use csp_nqueens::{Counting, Outcome, unique_count};
use serde_json::json;

use crate::{
    arguments::{Count, ResultFormat},
    ending::{Ending, Failure},
    session::{Session, count_to_json, stopped_by, write_statistics},
};

pub(crate) fn run(arguments: &Count) -> Result<Ending, Failure> {
    let puzzle = arguments.board.puzzle()?;
    let method = arguments.method(&puzzle)?;
    let session = Session::start(arguments.run.time_limit);
    let mut counting = Counting::new(method, &puzzle).threads(arguments.threads);
    if let Some(shard) = arguments.shard {
        counting = counting.shard(shard);
    }
    if let Some(file) = &arguments.checkpoint {
        counting = counting.checkpoint(file);
    }
    let report = counting.run(session.control())?;
    let parts = session.control().parts();
    drop(session);
    if let (Some(file), Some(parts), Some(_)) = (&arguments.checkpoint, parts, stopped_by(report.outcome)) {
        let (file, done, total) = (file.display(), parts.done, parts.total);
        eprintln!("{file}: {done} of {total} parts are kept, and the same command goes on from there");
    }

    let stopped = stopped_by(report.outcome);
    let unique = match arguments.unique && stopped.is_none() {
        true => Some(unique_count(puzzle.size(), report.solutions)?),
        false => None,
    };
    let what = match arguments.shard {
        Some(shard) => format!(" in shard {shard}"),
        None if arguments.unique && unique.is_none() => ", not yet up to symmetry".to_owned(),
        None => String::new(),
    };
    let mut out = io::stdout().lock();
    match (arguments.format, stopped) {
        (ResultFormat::Text, None) => writeln!(out, "{}{what}", unique.unwrap_or(report.solutions))?,
        (ResultFormat::Text, Some(why)) => {
            writeln!(out, "at least {}{what} (incomplete: {why})", report.solutions)?;
        }
        (ResultFormat::Json, _) => {
            let mut result = json!({
                "size": puzzle.size(),
                "method": method.name(),
                "solutions": count_to_json(report.solutions),
                "complete": report.outcome == Outcome::Complete,
                "nodes": report.nodes,
                "seconds": report.time.as_secs_f64(),
            });
            if let Some(unique) = unique {
                result["unique"] = count_to_json(unique);
            }
            if let Some(shard) = arguments.shard {
                result["shard"] = shard.to_string().into();
            }
            writeln!(out, "{result}")?;
        }
    }
    if arguments.run.stats {
        write_statistics(method, &report);
    }
    Ok(Ending::from_outcome(report.outcome))
}
