//! Nonograms (CSPLib 12): a picture of filled and blank cells, from the lengths of the blocks of filled cells
//! in each of its rows and columns.

mod common;
#[path = "common/enumerate.rs"]
mod enumerate;

use std::fs::File;
use std::io::Read;
use std::process::ExitCode;

use clap::Parser;
use csp_core::prelude::*;

/// Draws the picture that a nonogram describes.
///
/// The file has a line for each row of the picture, from top to bottom, an empty line, and a line for each
/// column, from left to right. The line has the lengths of the blocks, with blanks or commas between them;
/// without blocks it is 0. Lines that begin with # or % are comments.
///
/// Exit codes: 0 a picture was found; 1 there is none; 2 bad input; 3 stopped before one was found.
#[derive(Parser)]
#[command(name = "nonogram")]
struct Arguments {
    /// The rows and columns
    file: String,
    #[command(flatten)]
    enumerate: enumerate::Enumerate,
    #[command(flatten)]
    common: common::Common,
}

/// The lengths of the blocks of a row or column.
type Clue = Vec<usize>;

/// A line of cells, read from one end, is an automaton that goes through the pattern of the clue: the filled
/// cells of each block (1) and one blank cell between blocks (0). Its state is how much of the pattern was
/// read. As a table of each step, this filters as much as all placements of the blocks together.
fn post_line(model: &mut Model, cells: &[IntVar], clue: &Clue) {
    let blocks: Vec<Vec<i64>> = clue.iter().map(|&length| vec![1; length]).collect();
    let pattern = blocks.join(&0);
    let end = pattern.len() as i64;
    let mut steps: Vec<[i64; 3]> =
        (0..).zip(&pattern).map(|(state, &cell)| [state, cell, state + 1]).collect();
    // Further blank cells stand before each block and after the last one.
    let between = |&state: &i64| state == 0 || state == end || pattern[state as usize - 1] == 0;
    steps.extend((0..=end).filter(between).map(|state| [state, 0, state]));

    let mut states = vec![model.int(0..=0)];
    states.extend(model.ints(cells.len() - 1, 0..=end));
    states.push(model.int(end..=end));
    for (pair, &cell) in states.windows(2).zip(cells) {
        model.post(table([pair[0], cell, pair[1]], &steps));
    }
}

/// Decides on a cell that has the fewest open ones beside it.
fn search(cells: &[IntVar], rows: usize, columns: usize) -> impl Brancher + use<> {
    let cells = cells.to_vec();
    move |domains: &Domains<'_>| {
        let is_open = |row: usize, column: usize| {
            row < rows && column < columns && !domains.is_fixed(cells[row * columns + column])
        };
        // Of several, the last: on the instances of CSPLib this was better than the first.
        let open = (0..cells.len()).rev().filter(|&i| !domains.is_fixed(cells[i]));
        let cell = open.min_by_key(|&i| {
            let (row, column) = (i / columns, i % columns);
            // Wrapped around, 0 − 1 is outside.
            let vertical = is_open(row.wrapping_sub(1), column) as u8 + is_open(row + 1, column) as u8;
            let horizontal = is_open(row, column.wrapping_sub(1)) as u8 + is_open(row, column + 1) as u8;
            vertical + horizontal
        })?;
        Some(Decision::Equal(cells[cell], 0))
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let (rows, columns) =
        read(&arguments.file).unwrap_or_else(|error| common::fail(&format!("{}: {error}", arguments.file)));
    let mut model = Model::new();
    let cells = model.ints(rows.len() * columns.len(), 0..=1);
    for (clue, row) in rows.iter().zip(cells.chunks(columns.len())) {
        post_line(&mut model, row, clue);
    }
    for (j, clue) in columns.iter().enumerate() {
        let column: Vec<IntVar> = cells[j..].iter().copied().step_by(columns.len()).collect();
        post_line(&mut model, &column, clue);
    }

    let mut solver = arguments.common.solver(&model);
    solver.set_search(search(&cells, rows.len(), columns.len()));
    let found = arguments.enumerate.run(&mut solver, |picture| {
        let cell = |&cell: &IntVar| if picture[cell] == 1 { "██" } else { "  " };
        cells
            .chunks(columns.len())
            .map(|row| row.iter().map(cell).chain(["\n"]).collect::<String>())
            .collect()
    });
    if found > 1 {
        eprintln!("the picture is not unique");
    }
    arguments.common.end(&solver, found > 0)
}

/// Pictures have at most so many rows and columns.
const LARGEST: usize = 200;

/// The clues of the rows and of the columns.
fn read(file: &str) -> Result<(Vec<Clue>, Vec<Clue>), String> {
    let mut text = String::new();
    let source = File::open(file).map_err(|error| error.to_string())?;
    source.take(1 << 20).read_to_string(&mut text).map_err(|error| error.to_string())?;
    let mut parts: Vec<Vec<Clue>> = vec![Vec::new()];
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        match parts.last_mut() {
            _ if line.starts_with(['#', '%']) => {}
            Some(part) if !line.is_empty() => {
                let lengths = line.split([',', ' ', '\t']).filter(|word| !word.is_empty());
                let clue: Result<Clue, _> = lengths.map(str::parse).collect();
                let clue = clue.map_err(|_| format!("line {number}: not the lengths of blocks"))?;
                part.push(clue.into_iter().filter(|&length| length > 0).collect());
            }
            Some(part) if part.is_empty() => {}
            _ => parts.push(Vec::new()),
        }
    }
    parts.retain(|part| !part.is_empty());
    let count = parts.len();
    let Ok([rows, columns]) = <[Vec<Clue>; 2]>::try_from(parts) else {
        return Err(format!(
            "rows and columns are two parts with an empty line between, but there are {count}"
        ));
    };
    if rows.len().max(columns.len()) > LARGEST {
        return Err(format!("more than {LARGEST} rows or columns"));
    }
    for (name, clues, cells) in [("row", &rows, columns.len()), ("column", &columns, rows.len())] {
        for (number, clue) in (1..).zip(clues) {
            let needed =
                clue.iter().fold(clue.len().saturating_sub(1), |sum, &length| sum.saturating_add(length));
            if needed > cells {
                return Err(format!(
                    "{name} {number}: its blocks need {needed} cells, and there are {cells}"
                ));
            }
        }
    }
    Ok((rows, columns))
}
