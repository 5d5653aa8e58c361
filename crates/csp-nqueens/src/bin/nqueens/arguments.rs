//! The command line: what can be asked, and what is wrong with a question.

use std::{
    collections::BTreeSet,
    env,
    ffi::OsString,
    num::{IntErrorKind, NonZeroUsize},
    path::PathBuf,
    time::Duration,
};

use clap::{
    Args, Parser, Subcommand, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use csp_nqueens::{Format, Method, Picture, Queens, QueensError, Shard, Square, Variant};
use csp_trace::profiler::{ADDRESS, address};

use crate::ending::{EXIT_CODES, Failure};

/// N-Queens: put N queens on a board of N rows and columns so that none attacks another.
///
/// `nqueens 8` draws a first solution; it is short for `nqueens solve 8` and takes the same
/// options. Rows and columns are numbered from 0, here and in every output.
#[derive(Debug, Parser)]
#[command(
    name = "nqueens",
    version,
    override_usage = "nqueens <N> [OPTIONS]\n       nqueens <COMMAND>",
    disable_help_subcommand = true,
    after_help = EXIT_CODES,
    after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"),
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  nqueens 8                                  draw a first solution
  nqueens solve 8 --all --format columns     list all solutions, one a line
  nqueens solve 8 --place 3,1 --block 0,0    with a queen in row 3, column 1
  nqueens 1000000 --seed 7                   a random board of a million queens
  nqueens count 12                           count the solutions
  nqueens count 20 --checkpoint FILE         count, or go on where a run was killed
  nqueens compare 12                         count by every method and compare
  nqueens variant toroidal 11 --count        count with diagonals that wrap round
  nqueens dominate 8                         the fewest queens that see every square
  nqueens solve 6 --all --format svg         a picture of all solutions
  nqueens trace 4 --method both              see two searches think, step by step
  nqueens watch 6                            the same in the terminal, forward and back";

const COMMANDS: &str =
    "a command: solve, count, merge, compare, trace, watch, variant, dominate, peaceable, largest, regions";

/// What is asked.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find one solution, some or all
    #[command(after_help = EXIT_CODES)]
    Solve(Solve),
    /// Count the solutions
    #[command(after_help = EXIT_CODES)]
    Count(Count),
    /// Add up the shards of a count
    ///
    /// Each file is the checkpoint of a finished `count --shard i/m`. Together they must hold every
    /// part of one count once; what is missing, there twice or of another count is refused by name.
    #[command(after_help = EXIT_CODES)]
    Merge(Merge),
    /// Count by every method and print a table of solutions, nodes and time
    ///
    /// Methods that would take more than a minute, by a rough estimate for an optimised program,
    /// are skipped, and the table says why.
    #[command(after_help = EXIT_CODES)]
    Compare(Compare),
    /// Tell a search step by step: what is tried, which squares are out and why
    ///
    /// The steps are numbered; the lines below a step say why squares are out.
    #[command(after_help = EXIT_CODES)]
    Trace(crate::trace::Arguments),
    /// Walk through a search in the terminal, step by step, forward and back
    ///
    /// Shows the board, what is left of each row, the search tree and the algorithm; `?` lists the keys.
    /// → and ← go a step forward and back, Tab leads into the board, to ask why a square is out, and into the
    /// tree, to go to a node, g asks for each square before it is shown, and q leaves.
    ///
    /// Where the standard input or output is no terminal, or a dumb one, the steps are written as `trace`
    /// writes them. NO_COLOR is honoured: letters and marks say what colours say.
    #[command(after_help = EXIT_CODES)]
    Watch(crate::trace::Search),
    /// Relatives of the puzzle: wrapped diagonals, symmetric solutions, kings' distance
    #[command(after_help = EXIT_CODES)]
    Variant(crate::variant::Arguments),
    /// Find the fewest queens that attack or occupy every square
    #[command(after_help = EXIT_CODES)]
    Dominate(crate::placement::Empty),
    /// Find the largest equal armies of white and black queens that do not attack each other
    #[command(after_help = EXIT_CODES)]
    Peaceable(crate::placement::Empty),
    /// Find as many queens as can stand on a board with blocked squares
    #[command(after_help = EXIT_CODES)]
    Largest(crate::placement::Blocked),
    /// Solve or make a puzzle with coloured regions
    #[command(after_help = EXIT_CODES)]
    Regions(crate::regions::Arguments),
}

/// `nqueens solve`.
#[derive(Debug, Args)]
pub(crate) struct Solve {
    #[command(flatten)]
    pub(crate) board: Board,
    /// List all solutions
    #[arg(long, conflicts_with = "limit")]
    pub(crate) all: bool,
    /// List at most this many solutions, instead of one
    #[arg(long, value_name = "K", value_parser = limit, allow_negative_numbers = true)]
    pub(crate) limit: Option<u64>,
    /// How to write a solution [default: board; from a size of 1001 on, columns]
    #[arg(long, value_name = "FORMAT", value_parser = sheets())]
    format: Option<Sheet>,
    /// In a picture, show from where each empty square is attacked
    #[arg(long)]
    attacks: bool,
    /// Leave out solutions that are turns or reflections of others, on an empty board
    #[arg(long)]
    pub(crate) unique: bool,
    /// How to search; the order of the solutions depends on it [default: engine; for one solution
    /// of a large board whichever is quick, and --stats says which]
    #[arg(long, value_name = "METHOD", value_parser = methods())]
    method: Option<Method>,
    #[command(flatten)]
    pub(crate) run: Run,
}

/// `nqueens count`.
#[derive(Debug, Args)]
pub(crate) struct Count {
    #[command(flatten)]
    pub(crate) board: Board,
    /// How to write the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: ResultFormat,
    /// How to count, instead of by the method that is fastest for the puzzle
    #[arg(long, value_name = "METHOD", value_parser = methods())]
    method: Option<Method>,
    /// Count solutions that are turns or reflections of each other once, on an empty board
    #[arg(long, conflicts_with = "shard")]
    pub(crate) unique: bool,
    /// Count on so many threads
    #[arg(long, value_name = "T", default_value = "1", value_parser = threads, allow_negative_numbers = true)]
    #[arg(conflicts_with = "profiler")]
    pub(crate) threads: NonZeroUsize,
    /// Keep finished parts of the count in this file, and go on from there if it has some
    ///
    /// A run that was stopped or killed, at any moment, goes on when it is started again with the
    /// same file. A file of another count, or one that is damaged, is refused and left as it is.
    #[arg(long, value_name = "FILE", conflicts_with = "profiler")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Count only the i-th of m shares of the parts into the checkpoint; `merge` adds them up
    #[arg(long, value_name = "i/m", value_parser = shard, requires = "checkpoint")]
    pub(crate) shard: Option<Shard>,
    #[command(flatten)]
    pub(crate) run: Run,
}

/// `nqueens merge`.
#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// The checkpoints of all shards
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// How to write the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: ResultFormat,
}

/// `nqueens compare`.
#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// The size of the board: its rows, its columns and its queens
    #[arg(value_name = "N", value_parser = size, allow_negative_numbers = true)]
    pub(crate) size: usize,
    /// How to write the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: ResultFormat,
    /// Stop after this time, all methods together
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) time_limit: Option<Duration>,
}

/// How solutions are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sheet {
    /// As text that is read back too.
    Text(Format),
    /// As a picture: one board, or with --all and --limit a strip of boards.
    Svg(Picture),
}

/// The puzzle.
#[derive(Debug, Args)]
pub(crate) struct Board {
    /// The size of the board: its rows, its columns and its queens
    #[arg(value_name = "N", value_parser = size, allow_negative_numbers = true)]
    size: usize,
    /// A queen stands on this square: its row and column, from 0; may be repeated
    #[arg(long, value_name = "R,C", value_parser = square, allow_hyphen_values = true)]
    place: Vec<Square>,
    /// No queen may stand on this square: its row and column, from 0; may be repeated
    #[arg(long, value_name = "R,C", value_parser = square, allow_hyphen_values = true)]
    block: Vec<Square>,
    /// Place this many more queens at random on squares not attacked by earlier ones; they are
    /// listed on the standard error
    #[arg(long, value_name = "K", value_parser = queens, allow_negative_numbers = true)]
    place_random: Option<usize>,
    /// What is drawn at random depends on this number alone: the queens of --place-random, and with
    /// `solve` the board, which is then found by local search unless --method or --all says otherwise
    #[arg(long, value_name = "S", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// No queen may stand on this diagonal: d and row - column + N - 1, or s and row + column; may be repeated
    #[arg(long, value_name = "DIAGONAL", value_parser = diagonal, allow_hyphen_values = true)]
    exclude: Vec<Diagonal>,
}

/// A diagonal as the user names it: `d3` or `s7`.
#[derive(Debug, Clone, Copy)]
enum Diagonal {
    Difference(usize),
    Sum(usize),
}

/// How to run a search.
#[derive(Debug, Args)]
pub(crate) struct Run {
    /// Stop after this time with what was found so far
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) time_limit: Option<Duration>,
    /// Write what the search did to the standard error
    #[arg(long)]
    pub(crate) stats: bool,
    /// Show the search tree of method `engine` in the MiniZinc IDE's profiler while it grows
    ///
    /// In the IDE, View → Show search profiler starts it and tells its port.
    #[arg(long, value_name = "HOST:PORT", num_args = 0..=1, default_missing_value = ADDRESS, value_parser = address)]
    pub(crate) profiler: Option<String>,
}

/// How to write a count or a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ResultFormat {
    /// Text for people; a complete count is the bare number
    Text,
    /// JSON for scripts
    Json,
}

/// Reads the command line. Help, the version and what is malformed are answered here.
pub(crate) fn read() -> Result<Command, Failure> {
    let mut arguments: Vec<OsString> = env::args_os().collect();
    for (place, argument) in arguments.iter().enumerate().skip(1) {
        check_is_text(place, argument)?;
    }
    match arguments.get(1).and_then(|first| first.to_str()) {
        None => {
            return Err(Failure::Arguments(format!(
                "nothing is asked: give the size of the board, as in 'nqueens 8', or {COMMANDS}"
            )));
        }
        Some("solve" | "count" | "merge" | "compare" | "-h" | "--help" | "-V" | "--version") => {}
        Some("trace" | "watch" | "variant" | "dominate" | "peaceable" | "largest" | "regions") => {}
        Some(word) if word.starts_with(|c: char| c.is_alphabetic()) => {
            return Err(Failure::Arguments(format!(
                "'{word}' is no size and no command: \
                 give the size of the board, as in 'nqueens 8', or {COMMANDS}"
            )));
        }
        // The bare form.
        Some(_) => arguments.insert(1, "solve".into()),
    }
    Ok(CommandLine::parse_from(arguments).command)
}

impl Solve {
    /// The solutions wanted at most.
    pub(crate) fn wanted(&self) -> u64 {
        match self.all {
            true => u64::MAX,
            false => self.limit.unwrap_or(1),
        }
    }

    /// How to search for that many solutions of the puzzle, and with which seed.
    pub(crate) fn method(&self, puzzle: &Queens) -> Result<(Method, u64), Failure> {
        let Board { place_random, seed, .. } = self.board;
        let method = match self.method {
            Some(method) => method,
            None if self.run.profiler.is_some() => Method::Engine,
            None if seed.is_some() && (self.wanted() == 1 || place_random.is_none()) => Method::LocalSearch,
            None if self.wanted() == 1 => Method::for_first(puzzle),
            None => Method::Engine,
        };
        if self.wanted() > 1 || self.unique {
            check_finds_many(method)?;
        }
        if self.unique {
            check_is_symmetric(puzzle)?;
        }
        self.run.check_profiler(method)?;
        if method != Method::LocalSearch {
            self.board.check_seed(&format!("method `{method}`"))?;
        }
        Ok((method, seed.unwrap_or(0)))
    }

    /// How to write the solutions. What writes every square is refused where that is absurd.
    pub(crate) fn sheet(&self, size: usize) -> Result<Sheet, Failure> {
        /// Wider drawings are not for reading.
        const DRAWN: usize = 1000;
        /// A hundred megabytes of drawing.
        const LARGEST: usize = 5000;
        let default = if size <= DRAWN { Format::Board } else { Format::Columns };
        match self.format.unwrap_or(Sheet::Text(default)) {
            Sheet::Text(format) if size > LARGEST && format.has_every_square() => {
                Err(Failure::Arguments(format!(
                    "--format {format} writes every square, which goes up to size {LARGEST}: \
                     for size {size} use --format columns"
                )))
            }
            Sheet::Text(format) if self.attacks => Err(Failure::Arguments(format!(
                "--attacks is for --format svg: --format {format} has no place for it"
            ))),
            Sheet::Svg(_) if Picture::room(size) == 0 => {
                Err(QueensError::TooMuchToDraw { size, boards: 1 }.into())
            }
            Sheet::Svg(picture) => Ok(Sheet::Svg(picture.attacks(self.attacks))),
            text => Ok(text),
        }
    }

    /// Whether a list of solutions was asked for, of however many.
    pub(crate) fn is_list(&self) -> bool {
        self.all || self.limit.is_some()
    }
}

impl Count {
    /// How to count the solutions of the puzzle.
    pub(crate) fn method(&self, puzzle: &Queens) -> Result<Method, Failure> {
        let method = match self.method {
            Some(method) => method,
            None if self.run.profiler.is_some() => Method::Engine,
            None => Method::fastest_counter(puzzle),
        };
        check_finds_many(method)?;
        self.run.check_profiler(method)?;
        self.board.check_seed("a count")?;
        if self.unique {
            check_is_symmetric(puzzle)?;
        }
        Ok(method)
    }
}

impl Run {
    fn check_profiler(&self, method: Method) -> Result<(), Failure> {
        match &self.profiler {
            Some(_) if method != Method::Engine => Err(Failure::Arguments(format!(
                "--profiler shows the search of method `engine`: method `{method}` has no tree to show"
            ))),
            _ => Ok(()),
        }
    }
}

fn check_finds_many(method: Method) -> Result<(), QueensError> {
    match method.finds_one() {
        true => Err(QueensError::FindsOne { method }),
        false => Ok(()),
    }
}

fn check_is_symmetric(puzzle: &Queens) -> Result<(), Failure> {
    match puzzle.placed().chain(puzzle.blocked()).next() {
        None => Ok(()),
        Some(_) => Err(Failure::Arguments(
            "--unique is for the empty board: queens placed and blocked squares break its symmetry"
                .to_owned(),
        )),
    }
}

impl Board {
    /// The puzzle, if all its squares are on the board.
    pub(crate) fn puzzle(&self) -> Result<Queens, Failure> {
        let at = |option: &str, (row, column): Square, error| {
            Failure::Arguments(format!("{option} {row},{column}: {error}"))
        };
        let mut puzzle = Queens::new(self.size);
        for &(row, column) in &self.place {
            let placed = puzzle.place(row, column);
            puzzle = placed.map_err(|error| at("--place", (row, column), error))?;
        }
        for &(row, column) in &self.block {
            let blocked = puzzle.block(row, column);
            puzzle = blocked.map_err(|error| at("--block", (row, column), error))?;
        }
        for &diagonal in &self.exclude {
            let (excluded, name) = match diagonal {
                Diagonal::Difference(number) => (puzzle.exclude_diagonal(number), format!("d{number}")),
                Diagonal::Sum(number) => (puzzle.exclude_anti_diagonal(number), format!("s{number}")),
            };
            puzzle = excluded.map_err(|error| Failure::Arguments(format!("--exclude {name}: {error}")))?;
        }
        match self.place_random {
            Some(queens) => self.place_at_random(puzzle, queens),
            None => Ok(puzzle),
        }
    }

    /// Places queens and says which, in words that state the same board again.
    fn place_at_random(&self, puzzle: Queens, queens: usize) -> Result<Queens, Failure> {
        let placed = puzzle.clone().place_at_random(queens, self.seed.unwrap_or(0));
        let placed =
            placed.map_err(|error| Failure::Arguments(format!("--place-random {queens}: {error}")))?;
        let before: BTreeSet<Square> = puzzle.placed().collect();
        let new = placed.placed().filter(|square| !before.contains(square));
        let words: String = new.map(|(row, column)| format!(" --place {row},{column}")).collect();
        eprintln!("placed at random:{words}");
        Ok(placed)
    }

    /// Refuses a seed that nothing depends on.
    pub(crate) fn check_seed(&self, what: &str) -> Result<(), Failure> {
        match (self.seed, self.place_random) {
            (Some(seed), None) => Err(Failure::Arguments(format!(
                "--seed {seed}: {what} draws nothing at random without --place-random"
            ))),
            _ => Ok(()),
        }
    }
}

/// Keeps noise out of the messages, which repeat what they complain about.
fn check_is_text(place: usize, argument: &OsString) -> Result<(), Failure> {
    const SHOWN: usize = 40;
    match argument.to_str() {
        Some(text) if !text.contains(char::is_control) && text.len() <= 4096 => Ok(()),
        _ => {
            let text = argument.to_string_lossy();
            let start: String = text.chars().take(SHOWN).collect();
            let more = if text.chars().nth(SHOWN).is_some() { "…" } else { "" };
            Err(Failure::Arguments(format!(
                "argument {place} is not readable text: \"{}{more}\"",
                start.escape_debug()
            )))
        }
    }
}

pub(crate) fn size(text: &str) -> Result<usize, String> {
    whole_number(text).map_err(|problem| format!("the size of the board {problem}"))
}

pub(crate) fn limit(text: &str) -> Result<u64, String> {
    let limit = text.parse().ok().filter(|&limit| limit > 0);
    limit.ok_or_else(|| "the limit is a whole number, 1 or more; --all lists all".to_owned())
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|error: std::num::ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => "the number of threads is far too large".to_owned(),
        _ => "the number of threads is a whole number, 1 or more".to_owned(),
    })
}

fn shard(text: &str) -> Result<Shard, QueensError> {
    text.parse()
}

fn queens(text: &str) -> Result<usize, String> {
    whole_number(text).map_err(|problem| format!("the number of queens {problem}"))
}

pub(crate) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("the seed is a whole number from 0 to {}", u64::MAX))
}

fn square(text: &str) -> Result<Square, String> {
    let (row, column) =
        text.split_once(',').ok_or("a square is its row and its column with a comma between, such as 0,3")?;
    let number =
        |part: &str, name| whole_number(part).map_err(|problem| format!("the {name} of a square {problem}"));
    Ok((number(row, "row")?, number(column, "column")?))
}

fn diagonal(text: &str) -> Result<Diagonal, String> {
    let number = |part| whole_number(part).map_err(|problem| format!("the number of a diagonal {problem}"));
    match (text.strip_prefix('d'), text.strip_prefix('s')) {
        (Some(part), _) => Ok(Diagonal::Difference(number(part)?)),
        (_, Some(part)) => Ok(Diagonal::Sum(number(part)?)),
        _ => Err("a diagonal is d or s and its number, such as d3 or s7".to_owned()),
    }
}

pub(crate) fn whole_number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|error: std::num::ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => "is far too large".to_owned(),
        _ => "is a whole number, 0 or more".to_owned(),
    })
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds >= 0.0 && seconds.is_finite());
    let seconds = seconds.ok_or("the time is a number of seconds, 0 or more, such as 2.5")?;
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

fn methods() -> impl TypedValueParser<Value = Method> {
    let values = Method::ALL.map(|method| {
        let help = format!("{} (up to size {})", method.summary(), method.max_size());
        PossibleValue::new(method.name()).help(help)
    });
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Method>())
}

fn sheets() -> impl TypedValueParser<Value = Sheet> {
    const SVG: &str = "svg";
    let svg = PossibleValue::new(SVG).help("a picture: one board, or with --all and --limit a strip of them");
    let values = PossibleValuesParser::new(format_values().chain([svg]));
    values.try_map(|name| match name.as_str() {
        SVG => Ok(Sheet::Svg(Picture::new())),
        name => name.parse().map(Sheet::Text),
    })
}

pub(crate) fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(format_values()).try_map(|name| name.parse::<Format>())
}

fn format_values() -> impl Iterator<Item = PossibleValue> {
    Format::ALL.into_iter().map(|format| PossibleValue::new(format.name()).help(format.summary()))
}

pub(crate) fn variants() -> impl TypedValueParser<Value = Variant> {
    let values = Variant::ALL.map(|variant| PossibleValue::new(variant.name()).help(variant.summary()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Variant>())
}
