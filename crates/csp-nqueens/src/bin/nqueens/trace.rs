//! `nqueens trace`: a search told step by step.

use std::{
    fs,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use comfy_table::{ContentArrangement, Table, presets::UTF8_BORDERS_ONLY};
use csp_nqueens::{Queens, Telling};
use csp_trace::{Kind, Step, Story, json_lines};
use serde_json::json;

use crate::{
    arguments::{Board, ResultFormat},
    ending::{Ending, Failure},
};

/// Two stories side by side are as wide as this.
const WIDTH: u16 = 130;

/// `nqueens trace`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    search: Search,
    /// How to write the steps: as text, or as JSON, a line for each
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: ResultFormat,
    /// Write a page to step through in a browser, instead: one file that needs no network; - is the standard output
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    html: Option<PathBuf>,
    /// Write the events of the engine's search as JSON Lines, instead; - is the standard output. The format is that of
    /// `csp_trace::json_lines`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "html", "method"])]
    events: Option<PathBuf>,
}

/// The search to tell.
#[derive(Debug, Args)]
pub(crate) struct Search {
    #[command(flatten)]
    board: Board,
    /// Go on after the first solution until the search is over
    #[arg(long)]
    all: bool,
    /// End the story after this many steps
    #[arg(long, value_name = "STEPS", default_value = "10000", value_parser = limit, allow_negative_numbers = true)]
    limit: usize,
    /// Which search to tell
    #[arg(long, value_name = "METHOD", default_value = "plain")]
    method: Method,
}

/// Which search is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Row by row with sets of columns, diagonals and anti-diagonals
    Plain,
    /// The constraint engine: propagation, and the row with the fewest squares first
    Engine,
    /// Both side by side
    Both,
}

fn limit(text: &str) -> Result<usize, String> {
    let steps = text.parse().ok().filter(|&steps| steps > 1);
    steps.ok_or_else(|| "the limit is a whole number of steps, 2 or more".to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> Result<Ending, Failure> {
    let search = &arguments.search;
    if let Some(file) = &arguments.events {
        let trace = search.telling().events(&search.puzzle()?)?;
        let mut events = Vec::new();
        json_lines::write(&trace, &mut events)?;
        write_file(file, events)?;
        return Ok(Ending::Done);
    }
    let story = search.story()?;
    match &arguments.html {
        Some(file) => write_file(file, story.to_html())?,
        None => write_steps(&story, search, arguments.format)?,
    }
    Ok(Ending::Done)
}

impl Search {
    /// Searches, and tells of it.
    pub(crate) fn story(&self) -> Result<Story, Failure> {
        let (puzzle, telling) = (self.puzzle()?, self.telling());
        Ok(match self.method {
            Method::Plain => telling.plain(&puzzle)?,
            Method::Engine => telling.engine(&puzzle)?,
            Method::Both => telling.both(&puzzle)?,
        })
    }

    fn puzzle(&self) -> Result<Queens, Failure> {
        self.board.check_seed("a story")?;
        self.board.puzzle()
    }

    fn telling(&self) -> Telling {
        Telling::new().all(self.all).limit(self.limit)
    }
}

fn write_file(file: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let written = match file.to_str() {
        Some("-") => io::stdout().lock().write_all(content.as_ref()),
        _ => fs::write(file, content),
    };
    written.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", file.display())))
}

/// Writes the story of a search, step by step.
pub(crate) fn write_steps(story: &Story, search: &Search, format: ResultFormat) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    match (format, search.method) {
        (ResultFormat::Json, _) => write_json(story, &mut out)?,
        (ResultFormat::Text, Method::Both) => write_side_by_side(story, &mut out)?,
        (ResultFormat::Text, _) => write_text(story, &mut out)?,
    }
    out.flush()
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
/// queen, 2 a queen from the start, 3 one where nothing else was left, and from 4 on out.
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
