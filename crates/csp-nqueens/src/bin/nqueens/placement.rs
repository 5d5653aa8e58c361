//! `nqueens dominate`, `peaceable` and `largest`: a best set of squares, drawn, with its bound.

use std::io::{self, Write};

use clap::Args;
use csp_nqueens::{Armies, Best, Domination, Largest, Outcome, Peaceable, Square};
use serde_json::{Value, json};

use crate::{
    arguments::{Board, ResultFormat, Run, size, whole_number},
    ending::{Ending, Failure},
    session::{Session, stopped_by},
};

/// `nqueens dominate` and `nqueens peaceable`.
#[derive(Debug, Args)]
pub(crate) struct Empty {
    /// The size of the board: its rows and its columns
    #[arg(value_name = "N", value_parser = size, allow_negative_numbers = true)]
    size: usize,
    #[command(flatten)]
    output: Output,
}

/// `nqueens largest`.
#[derive(Debug, Args)]
pub(crate) struct Blocked {
    #[command(flatten)]
    board: Board,
    /// Queens do not attack across blocked squares
    #[arg(long)]
    holes_stop_attacks: bool,
    /// No more queens than this
    #[arg(long, value_name = "K", value_parser = number, allow_negative_numbers = true)]
    at_most: Option<usize>,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Args)]
struct Output {
    /// How to write the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: ResultFormat,
    #[command(flatten)]
    run: Run,
}

pub(crate) fn dominate(arguments: &Empty) -> Result<Ending, Failure> {
    let session = Session::start(arguments.output.run.time_limit);
    let say = |_: &Vec<Square>, number| session.say(format!("{number} queens so far: "));
    let best = Domination::new(arguments.size).solve_with(session.control(), say)?;
    drop(session);
    let draw = |queens: &Vec<Square>| drawing(arguments.size, &[(queens, 'Q')]);
    write(&arguments.output, arguments.size, "queens", &best, draw, |queens| json!({ "queens": queens }))
}

pub(crate) fn peaceable(arguments: &Empty) -> Result<Ending, Failure> {
    let session = Session::start(arguments.output.run.time_limit);
    let say = |_: &Armies, number| session.say(format!("{number} queens of each colour so far: "));
    let best = Peaceable::new(arguments.size).solve_with(session.control(), say)?;
    drop(session);
    let draw = |armies: &Armies| drawing(arguments.size, &[(&armies.white, 'W'), (&armies.black, 'B')]);
    let to_json = |armies: &Armies| json!({ "white": armies.white, "black": armies.black });
    write(&arguments.output, arguments.size, "queens of each colour", &best, draw, to_json)
}

pub(crate) fn largest(arguments: &Blocked) -> Result<Ending, Failure> {
    arguments.board.check_seed("`largest`")?;
    let board = arguments.board.puzzle()?;
    let (size, holes) = (board.size(), board.blocked().collect::<Vec<Square>>());
    let mut largest = Largest::new(board);
    if arguments.holes_stop_attacks {
        largest = largest.holes_stop_attacks();
    }
    if let Some(most) = arguments.at_most {
        largest = largest.at_most(most);
    }
    let session = Session::start(arguments.output.run.time_limit);
    let say = |_: &Vec<Square>, number| session.say(format!("{number} queens so far: "));
    let best = largest.solve_with(session.control(), say)?;
    drop(session);
    let draw = |queens: &Vec<Square>| drawing(size, &[(&holes, '#'), (queens, 'Q')]);
    write(&arguments.output, size, "queens", &best, draw, |queens| json!({ "queens": queens }))
}

/// Writes the best solution, its value, and what is known of better ones.
fn write<T>(
    output: &Output,
    size: usize,
    unit: &str,
    best: &Best<T>,
    draw: impl Fn(&T) -> String,
    to_json: impl Fn(&T) -> Value,
) -> Result<Ending, Failure> {
    let mut out = io::stdout().lock();
    let why = stopped_by(best.outcome);
    match output.format {
        ResultFormat::Json => {
            let result = json!({
                "size": size,
                "best": best.value(),
                "bound": best.bound,
                "proved": best.outcome == Outcome::Complete,
                "solution": best.solution.as_ref().map(|(solution, _)| to_json(solution)),
                "nodes": best.engine.nodes,
                "seconds": best.engine.time.as_secs_f64(),
            });
            writeln!(out, "{result}")?;
        }
        ResultFormat::Text => {
            if let Some((solution, value)) = &best.solution {
                write!(out, "{}", draw(solution))?;
                match (why, best.bound) {
                    (Some(why), Some(bound)) => {
                        writeln!(out, "{value} {unit}, bound {bound} (incomplete: {why})")?;
                    }
                    _ => writeln!(out, "{value} {unit}")?,
                }
            }
        }
    }
    if output.run.stats {
        eprintln!("nodes: {}", best.engine.nodes);
        eprintln!("failures: {}", best.engine.failures);
        eprintln!("seconds: {:.6}", best.engine.time.as_secs_f64());
    }
    match (&best.solution, why) {
        (None, None) => {
            eprintln!("no solution: the queens placed cannot stand like this");
            return Ok(Ending::NoSolution);
        }
        (None, Some(why)) => eprintln!("{why}: no solution so far"),
        _ => {}
    }
    Ok(Ending::from_outcome(best.outcome))
}

/// The board, a line for each row, with a sign on each of these squares.
fn drawing(size: usize, signs: &[(&Vec<Square>, char)]) -> String {
    let mut rows = vec![vec!['.'; size]; size];
    for (squares, sign) in signs {
        squares.iter().for_each(|&(row, column)| rows[row][column] = *sign);
    }
    rows.into_iter().flat_map(|row| row.into_iter().chain(['\n'])).collect()
}

fn number(text: &str) -> Result<usize, String> {
    whole_number(text).map_err(|problem| format!("the number of queens {problem}"))
}
