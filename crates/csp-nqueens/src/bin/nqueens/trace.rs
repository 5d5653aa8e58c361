//! `nqueens trace`: a search told step by step.

use std::{
    fs,
    io::{self, BufWriter, Write},
};

use comfy_table::{ContentArrangement, Table, presets::UTF8_BORDERS_ONLY};
use csp_trace::{Kind, Step, Story};
use serde_json::json;

use crate::{
    arguments::{ResultFormat, Told, Trace},
    ending::{Ending, Failure},
};

/// Two stories side by side are as wide as this.
const WIDTH: u16 = 130;

pub(crate) fn run(arguments: &Trace) -> Result<Ending, Failure> {
    let story = story(arguments)?;
    if let Some(file) = &arguments.html {
        let written = fs::write(file, story.to_html());
        return match written {
            Ok(()) => Ok(Ending::Done),
            Err(error) => {
                Err(Failure::Output(io::Error::new(error.kind(), format!("{}: {error}", file.display()))))
            }
        };
    }
    let mut out = BufWriter::new(io::stdout().lock());
    match (arguments.format, arguments.method) {
        (ResultFormat::Json, _) => write_json(&story, &mut out)?,
        (ResultFormat::Text, Told::Both) => write_side_by_side(&story, &mut out)?,
        (ResultFormat::Text, _) => write_text(&story, &mut out)?,
    }
    out.flush()?;
    Ok(Ending::Done)
}

/// The story that is asked for.
pub(crate) fn story(arguments: &Trace) -> Result<Story, Failure> {
    let puzzle = arguments.puzzle()?;
    let telling = arguments.telling();
    Ok(match arguments.method {
        Told::Plain => telling.plain(&puzzle)?,
        Told::Engine => telling.engine(&puzzle)?,
        Told::Both => telling.both(&puzzle)?,
    })
}

/// The steps of a board with their numbers, from 1.
fn steps(story: &Story, board: usize) -> impl Iterator<Item = (usize, &Step)> {
    (1..).zip(story.steps.iter().filter(move |step| step.board == board))
}

fn write_text(story: &Story, out: &mut impl Write) -> io::Result<()> {
    let width = story.steps.len().to_string().len();
    for (number, step) in steps(story, 0) {
        for (line, words) in step.words.lines().enumerate() {
            match line {
                0 => writeln!(out, "{number:>width$}  {words}")?,
                _ => writeln!(out, "{:width$}    {words}", "")?,
            }
        }
    }
    writeln!(out, "{}", summary(story, 0))
}

fn write_side_by_side(story: &Story, out: &mut impl Write) -> io::Result<()> {
    let mut table = Table::new();
    table
        .load_preset(UTF8_BORDERS_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(WIDTH);
    table.set_header(story.boards.iter().map(|board| board.title.as_str()));
    let mut columns: Vec<_> = (0..story.boards.len()).map(|board| steps(story, board)).collect();
    loop {
        let next: Vec<_> = columns.iter_mut().map(Iterator::next).collect();
        if next.iter().all(Option::is_none) {
            break;
        }
        let cell = |step: Option<(usize, &Step)>| {
            step.map_or(String::new(), |(number, step)| format!("{number}  {}", step.words))
        };
        table.add_row(next.into_iter().map(cell));
    }
    writeln!(out, "{table}")?;
    for (index, board) in story.boards.iter().enumerate() {
        writeln!(out, "{}: {}", board.title, summary(story, index))?;
    }
    Ok(())
}

/// How many steps there were, and of which kinds.
fn summary(story: &Story, board: usize) -> String {
    let total = steps(story, board).count();
    let of = |kind, one: &str, many: &str| {
        let count = steps(story, board).filter(|(_, step)| step.kind == kind).count();
        format!("{count} {}", if count == 1 { one } else { many })
    };
    format!(
        "{total} steps: {}, {}, {}",
        of(Kind::Choice, "choice", "choices"),
        of(Kind::DeadEnd, "dead end", "dead ends"),
        of(Kind::Solution, "solution", "solutions"),
    )
}

/// A line for each step. A change is row, column, and the square's state before and after: 0 free, 1 a
/// queen, 2 a queen from the start, and from 3 on out.
fn write_json(story: &Story, out: &mut impl Write) -> io::Result<()> {
    let mut numbers = vec![0; story.boards.len()];
    for step in &story.steps {
        let (number, board) = (&mut numbers[step.board], &story.boards[step.board]);
        *number += 1;
        let mut sentences = step.words.lines();
        let line = json!({
            "method": board.title,
            "step": *number,
            "kind": step.kind,
            "words": sentences.next().unwrap_or_default(),
            "reasons": sentences.collect::<Vec<_>>(),
            "node": step.node,
            "changes": step.changes,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}
