//! A [`Trace`] as JSON Lines: one object a line, to be written, kept, cut up with other tools, and read back.
//!
//! # The format, version 1
//!
//! The first line says what it is, the last one how much there was:
//!
//! ```json
//! {"format":"csp-trace","version":1}
//! {"kind":"variable","name":"x0","initial":[[0,3]]}
//! {"kind":"constraint","description":"x0 < x1","scope":[0,1]}
//! {"kind":"node","node":1,"parent":0,"depth":0,"alternative":0}
//! {"kind":"change","variable":0,"removed":[[3,3]],"cause":{"constraint":0},"blame":[[1,"<=",3]]}
//! {"kind":"decision","node":1,"literal":[0,"=",2]}
//! {"kind":"end","variables":1,"constraints":1,"events":3,"counts":{"nodes":1,"decisions":1,"changes":1,…}}
//! ```
//!
//! Between them come, in this order, the variables, the constraints (`name` is left out if there is none, `hidden`
//! is there and true for a variable that is none of the model's), and the events as they happened:
//!
//! | kind | with |
//! |---|---|
//! | `node` | `node`, `parent`, `depth`, `alternative` |
//! | `decision` | `node`, `literal` |
//! | `change` | `variable`, `removed`, `cause`, `blame` |
//! | `fixpoint` | |
//! | `failure` | `cause`, `blame` |
//! | `solution` | `values` |
//! | `undo` | `to_depth`, `changes` |
//! | `restart` | |
//!
//! What they mean is said at [`TraceEvent`](csp_core::TraceEvent). Variables and constraints are numbered from 0 in
//! the order of their lines. An interval is `[low, high]`; a literal `[variable, relation, value]` with a relation
//! of `=`, `!=`, `<=`, `>=`; a cause is `{"constraint": number}` or one of `"decision"`, `"refutation"`, `"clause"`,
//! `"objective"`, `"assumption"`, `"domain"`. Numbers are whole and may need 64 bits. `blame` is left out if empty.
//! `counts` counts all events, `events` those written; `optimising` is there and true if better and better solutions were
//! looked for, `assuming` if there were assumptions, `complete` if the whole tree was searched. A reader ignores members it does not know; a change that is
//! more than a new member makes a new version.

mod line;
#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Write};

use csp_core::Trace;
use serde::{Deserialize, Serialize};

use line::Line;

const FORMAT: &str = "csp-trace";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
}

/// Why something could not be read as a trace.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It could not be read at all.
    #[error("the trace cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The first line does not say that it is a trace.
    #[error("this is not a trace: its first line is not {{\"format\":\"csp-trace\",…}}")]
    NotATrace,
    /// It is of a version this reader does not know.
    #[error("the trace is of version {0}; known is version {VERSION}")]
    Version(u32),
    /// A line is not as the format wants it.
    #[error("line {line} of the trace: {what}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The last line is missing.
    #[error("the trace is cut off: its last line is missing")]
    CutOff,
}

/// Writes a trace.
///
/// ```
/// use csp_core::prelude::*;
/// use csp_trace::json_lines;
/// let mut model = Model::new();
/// let (x, y) = (model.int(0..=3), model.int(0..=3));
/// model.post(rule!(x < y));
/// let mut solver = model.solver()?;
/// solver.set_trace(Tracing::new());
/// solver.count();
/// let trace = solver.take_trace().expect("it was asked for");
/// let mut file = Vec::new();
/// json_lines::write(&trace, &mut file)?;
/// assert!(file.starts_with(br#"{"format":"csp-trace","version":1}"#));
/// assert_eq!(json_lines::read(&file[..])?, trace);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of the writer.
pub fn write(trace: &Trace, mut to: impl Write) -> io::Result<()> {
    put(&mut to, &Header { format: FORMAT.into(), version: VERSION })?;
    trace.variables.iter().try_for_each(|variable| put(&mut to, &Line::from(variable)))?;
    trace.constraints.iter().try_for_each(|constraint| put(&mut to, &Line::from(constraint)))?;
    trace.events.iter().try_for_each(|event| put(&mut to, &Line::from(event)))?;
    put(&mut to, &Line::end(trace))?;
    to.flush()
}

fn put(to: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *to, line)?;
    to.write_all(b"\n")
}

/// Reads a trace that [`write()`] wrote. Each number in it is known to be of a variable or constraint that is there.
///
/// # Errors
/// If it is no trace, of another version, not as the format wants it, or if lines are missing.
pub fn read(from: impl BufRead) -> Result<Trace, ReadError> {
    let mut lines = from.lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    match serde_json::from_str::<Header>(&first) {
        Ok(header) if header.format != FORMAT => return Err(ReadError::NotATrace),
        Ok(header) if header.version != VERSION => return Err(ReadError::Version(header.version)),
        Ok(_) => {}
        Err(_) => return Err(ReadError::NotATrace),
    }
    let mut trace = Trace::default();
    let mut is_ended = false;
    for (line, text) in (2..).zip(lines) {
        let wrong = |what: String| ReadError::Line { line, what };
        if is_ended {
            return Err(wrong("it follows the last line".into()));
        }
        let text = text?;
        let parsed: Line = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        is_ended = parsed.add_to(&mut trace).map_err(|what| wrong(what.into()))?;
    }
    if is_ended { Ok(trace) } else { Err(ReadError::CutOff) }
}
