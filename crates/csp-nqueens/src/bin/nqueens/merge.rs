//! `nqueens merge`: the shards of a count, added up.

use std::io::{self, Write};

use csp_nqueens::{Merged, QueensError};
use serde_json::json;

use crate::{
    arguments::{Merge, ResultFormat},
    ending::{Ending, Failure},
    session::count_to_json,
};

pub(crate) fn run(arguments: &Merge) -> Result<Ending, Failure> {
    let merged = Merged::from_files(&arguments.files).map_err(QueensError::from)?;
    let mut out = io::stdout().lock();
    match arguments.format {
        ResultFormat::Text => writeln!(out, "{}", merged.solutions)?,
        ResultFormat::Json => {
            let result = json!({
                "size": merged.size,
                "method": merged.method,
                "solutions": count_to_json(merged.solutions),
                "complete": true,
                "nodes": merged.nodes,
                "parts": merged.parts,
                "files": arguments.files.len(),
            });
            writeln!(out, "{result}")?;
        }
    }
    Ok(Ending::Done)
}
