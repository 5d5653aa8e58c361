//! `nqueens compare`: every method counts, and a table says what it took.

use std::{
    cmp::Reverse,
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
            (Some(reason), _) => Row::Skipped(reason, method.cost(size)),
            (None, Ending::Done) => {
                session.say(format!("{method}: "));
                let report = Counting::new(method, &Queens::new(size)).run(session.control())?;
                ending = Ending::from_outcome(report.outcome);
                Row::Run(report)
            }
            (None, _) => Row::Skipped("stopped before its turn".to_owned(), method.cost(size)),
        };
        rows.push((method, row));
    }
    // A ladder from the slowest to the fastest.
    rows.sort_by_key(|(method, row)| (Reverse(row.time()), *method));
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
    /// Why, and what it would cost.
    Skipped(String, Cost),
}

impl Row {
    /// What it took, or would take.
    fn time(&self) -> Duration {
        match self {
            Row::Run(report) => report.time,
            Row::Skipped(_, cost) => cost.time,
        }
    }
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
    let Cost { unit, time, .. } = method.cost(size);
    if size > method.max_size() {
        Some(format!("goes up to size {}", method.max_size()))
    } else if time > PATIENCE {
        Some(format!("too many {unit}"))
    } else {
        None
    }
}

/// A ladder: each line says how many times faster it is than the one above. What was not run has
/// estimates, marked by a tilde.
fn table(rows: &[(Method, Row)]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_FULL_CONDENSED);
    table.set_header(["method", "nodes", "time", "times the above", "solutions", "remark"]);
    for number in 1..=4 {
        if let Some(column) = table.column_mut(number) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut above: Option<&Row> = None;
    for (method, row) in rows {
        let factor = above.and_then(|above| factor(above, row)).unwrap_or_default();
        above = Some(row);
        table.add_row(match row {
            Row::Run(report) => [
                method.to_string(),
                grouped(report.nodes),
                format!("{:.6} s", report.time.as_secs_f64()),
                factor,
                grouped(report.solutions),
                stopped_by(report.outcome).map_or(String::new(), |why| format!("incomplete: {why}")),
            ],
            Row::Skipped(reason, cost) => [
                method.to_string(),
                if cost.nodes.is_finite() {
                    format!("~ {:.1e}", cost.nodes)
                } else {
                    "beyond number".to_owned()
                },
                format!("~ {}", in_words(cost.time)),
                factor,
                String::new(),
                format!("skipped: {reason}"),
            ],
        });
    }
    table
}

/// How many times faster than the line above; nothing if a time is no estimate but endless, or if
/// a run was stopped.
fn factor(above: &Row, row: &Row) -> Option<String> {
    let is_whole = |row: &Row| !matches!(row, Row::Run(report) if stopped_by(report.outcome).is_some());
    let rough = if matches!((above, row), (Row::Run(_), Row::Run(_))) { "" } else { "~ " };
    let (above_time, time) = (above.time(), row.time());
    if !is_whole(above) || !is_whole(row) || above_time == Duration::MAX || time.is_zero() {
        return None;
    }
    let factor = above_time.as_secs_f64() / time.as_secs_f64();
    Some(match factor {
        ..10.0 => format!("{rough}{factor:.1}"),
        _ => format!("{rough}{}", grouped(factor as u64)),
    })
}

/// A number in groups of three digits.
fn grouped(number: impl ToString) -> String {
    let digits = number.to_string();
    let ends_group = |at: usize| at > 0 && (digits.len() - at).is_multiple_of(3);
    let group = |(at, digit)| [ends_group(at).then_some(','), Some(digit)];
    digits.chars().enumerate().flat_map(group).flatten().collect()
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
        Row::Skipped(reason, cost) => json!({
            "method": method.name(),
            "skipped": reason,
            "estimated_nodes": cost.nodes.is_finite().then_some(cost.nodes),
            "estimated_seconds": (cost.time < Duration::MAX).then_some(cost.time.as_secs_f64()),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_in_groups_of_three() {
        assert_eq!([0, 12, 123, 1234, 1_234_567].map(grouped), ["0", "12", "123", "1,234", "1,234,567"]);
    }
}
