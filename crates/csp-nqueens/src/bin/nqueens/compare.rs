//! `nqueens compare`: every method counts, and a table says what it took.

use std::{
    io::{self, Write},
    time::Duration,
};

use comfy_table::{CellAlignment, Table, presets};
use csp_nqueens::{Cost, Counting, Method, Outcome, Queens, QueensError, Report};
use serde_json::{Value, json};

use crate::{
    arguments::{Compare, ResultFormat},
    ending::{Ending, Failure},
    session::{Session, count_to_json, in_words, stopped_by},
};

/// A method that would take longer is skipped.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn run(arguments: &Compare) -> Result<Ending, Failure> {
    let size = arguments.size;
    check_some_method_takes(size)?;
    let session = Session::start(arguments.time_limit);
    // The quick ones first, in case time runs out.
    let mut order: Vec<Method> = counting().collect();
    order.sort_by_key(|method| method.cost(size).time);
    let mut ending = Ending::Done;
    let mut rows = Vec::new();
    for method in order {
        let row = match (reason_to_skip(method, size), ending) {
            (Some(reason), _) => Row::Skipped(reason),
            (None, Ending::Done) => {
                session.say(format!("{method}: "));
                let report = Counting::new(method, &Queens::new(size)).run(session.control())?;
                ending = Ending::from_outcome(report.outcome);
                Row::Run(report)
            }
            (None, _) => Row::Skipped("stopped before its turn".to_owned()),
        };
        rows.push((method, row));
    }
    rows.sort_by_key(|&(method, _)| method);
    drop(session);

    let mut out = io::stdout().lock();
    match arguments.format {
        ResultFormat::Text => writeln!(out, "{}\n{}", table(&rows), verdict(&rows))?,
        ResultFormat::Json => {
            let methods: Vec<Value> = rows.iter().map(to_json).collect();
            writeln!(out, "{:#}", json!({ "size": size, "methods": methods }))?;
        }
    }
    Ok(ending)
}

enum Row {
    Run(Report),
    Skipped(String),
}

/// The methods that can be compared: those that find one solution do not count.
fn counting() -> impl Iterator<Item = Method> {
    Method::ALL.into_iter().filter(|method| !method.finds_one())
}

fn check_some_method_takes(size: usize) -> Result<(), QueensError> {
    let farthest = counting().max_by_key(|method| method.max_size());
    match farthest {
        Some(method) if size > method.max_size() => Err(QueensError::TooLarge { size, method }),
        _ => Ok(()),
    }
}

fn reason_to_skip(method: Method, size: usize) -> Option<String> {
    let Cost { nodes, unit, time } = method.cost(size);
    if size > method.max_size() {
        Some(format!("goes up to size {}", method.max_size()))
    } else if time > PATIENCE {
        Some(format!("{nodes:.1e} {unit}, {}", in_words(time)))
    } else {
        None
    }
}

fn table(rows: &[(Method, Row)]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_FULL_CONDENSED);
    table.set_header(["method", "solutions", "nodes", "seconds", "remark"]);
    for number in 1..=3 {
        if let Some(column) = table.column_mut(number) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for (method, row) in rows {
        table.add_row(match row {
            Row::Run(report) => [
                method.to_string(),
                report.solutions.to_string(),
                report.nodes.to_string(),
                format!("{:.6}", report.time.as_secs_f64()),
                stopped_by(report.outcome).map_or(String::new(), |why| format!("incomplete: {why}")),
            ],
            Row::Skipped(reason) => [
                method.to_string(),
                String::new(),
                String::new(),
                String::new(),
                format!("skipped: {reason}"),
            ],
        });
    }
    table
}

/// Whether the methods agree: each is an oracle for the others.
fn verdict(rows: &[(Method, Row)]) -> String {
    let counts = rows.iter().filter_map(|(_, row)| match row {
        Row::Run(report) if report.outcome == Outcome::Complete => Some(report.solutions),
        _ => None,
    });
    let counts: Vec<u128> = counts.collect();
    match counts[..] {
        [] => "No method has a complete count.".to_owned(),
        [count] => format!("One method has a complete count: {count}."),
        [first, ref rest @ ..] if rest.iter().all(|&count| count == first) => {
            format!("All {} complete counts agree: {first}.", counts.len())
        }
        _ => "The complete counts differ: this is a mistake in the program.".to_owned(),
    }
}

fn to_json((method, row): &(Method, Row)) -> Value {
    match row {
        Row::Run(report) => json!({
            "method": method.name(),
            "solutions": count_to_json(report.solutions),
            "complete": report.outcome == Outcome::Complete,
            "nodes": report.nodes,
            "seconds": report.time.as_secs_f64(),
        }),
        Row::Skipped(reason) => json!({ "method": method.name(), "skipped": reason }),
    }
}
