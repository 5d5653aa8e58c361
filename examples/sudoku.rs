//! Solves Sudoku puzzles of 4×4, 9×9, 16×16 and 25×25 cells, thousands in one run.
//!
//! The model is [`Sudoku::new`]. It is compiled once for each size; the givens of a puzzle are posted on
//! top of it and taken back afterwards: [`Sudoku::solve`]. The rest reads puzzles and writes answers.

use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::time::{Duration, Instant};
use std::{error::Error, fs, fs::File, iter, num::NonZeroUsize, path::PathBuf, process, thread};

use clap::Parser;
use csp_core::prelude::*;
use csp_trace::profiler::{ADDRESS, Profiler, address};
use csp_trace::{Look, Teller};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

/// The puzzle without givens, ready to solve.
struct Sudoku {
    cells: Vec<IntVar>,
    solver: Solver,
}

impl Sudoku {
    /// `k` × `k` boxes of `k` × `k` cells.
    fn new(k: usize) -> Result<Sudoku, ModelError> {
        let n = k * k;
        let mut model = Model::new();
        let name = |cell| format!("r{}c{}", cell / n + 1, cell % n + 1);
        let cells: Vec<_> = (0..n * n).map(|cell| model.int_named(name(cell), 1..=n as i64)).collect();
        for i in 0..n {
            let (top, left) = (i / k * k, i % k * k);
            let row: Vec<_> = (0..n).map(|j| cells[n * i + j]).collect();
            let column = (0..n).map(|j| cells[n * j + i]).collect();
            let block = (0..n).map(|j| cells[n * (top + j / k) + left + j % k]).collect();
            for (family, cells) in [("row", row), ("column", column), ("box", block)] {
                model.post_named(format!("{family} {}", i + 1), all_different(cells));
            }
        }
        let mut solver = model.solver()?;
        solver.set_search(branch(&cells).smallest_domain());
        Ok(Sudoku { cells, solver })
    }

    /// Looks for up to `enough` solutions with these givens, row by row, 0 for a blank. Returns the first
    /// one and how the search ended: not at all if there may be more.
    fn solve(&mut self, givens: &[i64], enough: usize) -> Result<(String, Option<Outcome>), ModelError> {
        self.solver.push();
        for (&cell, &value) in self.cells.iter().zip(givens).filter(|given| *given.1 != 0) {
            self.solver.post(cell.eq(value))?;
        }
        let mut solutions = self.solver.solutions();
        let symbol = |value: i64| char::from(SYMBOLS[value as usize]);
        let first =
            solutions.next().map(|first| self.cells.iter().map(|&cell| symbol(first[cell])).collect());
        solutions.take(enough - 1).for_each(drop);
        let outcome = self.solver.outcome();
        self.solver.pop();
        Ok((first.unwrap_or_default(), outcome))
    }
}

/// Solves Sudoku puzzles: a single one is drawn as a grid, several are answered in one line each.
///
/// A puzzle is a line of 16, 81, 256 or 625 cells; what follows a blank or a colon is ignored. Or it is a
/// grid of n lines of n cells, n = 4, 9, 16 or 25, with blanks and | between them as you like (but at least
/// one in the first line of 16); lines of - + = | are passed over. Cells are 1 to 9, then letters from A = 10;
/// . and 0 are blank. A line that begins with # is a comment. What is no answer goes to the standard error.
///
/// Exit codes: 0 all solved; 1 a puzzle has no solution, or with --unique several; 2 bad input; 3 stopped by
/// --time-limit; 130 stopped by Ctrl-C.
#[derive(Parser)]
#[command(name = "sudoku")]
struct Arguments {
    /// Files of puzzles, or - for the standard input
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<String>,
    /// Confirm that there is no second solution
    #[arg(long, conflicts_with = "count")]
    unique: bool,
    /// Count the solutions
    #[arg(long)]
    count: bool,
    /// Stop counting the solutions of a puzzle at K
    #[arg(long, value_name = "K", default_value = "1000000")]
    limit: NonZeroUsize,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = u64::MAX, hide_default_value = true)]
    time_limit: u64,
    /// How to write answers: auto is a grid for a single puzzle, lines for several
    #[arg(long, default_value = "auto", value_parser = ["auto", "grid", "line", "json"])]
    format: String,
    /// Say how large the searches were
    #[arg(long)]
    stats: bool,
    /// Show the search trees in the MiniZinc IDE's profiler (View → Show search profiler) while they grow
    #[arg(long, value_name = "HOST:PORT", num_args = 0..=1, default_missing_value = ADDRESS, value_parser = address)]
    profiler: Option<String>,
    /// Write a page to step through the search for a single puzzle: one file for any browser
    #[arg(long, value_name = "FILE", conflicts_with = "profiler")]
    trace_html: Option<PathBuf>,
}

const SYMBOLS: &[u8] = b".123456789ABCDEFGHIJKLMNOP"; // By value; 0 is a blank.
const LONGEST_LINE: u64 = 1 << 16; // Longer ones are passed over, without being held in memory.
const REPORTED: u64 = 20; // Bad lines beyond so many are only counted.

/// A file of puzzles, read up to a line. The source is gone when it has ended or failed.
struct Input {
    source: Option<io::Result<Box<dyn BufRead>>>,
    line: u64,
}

impl Input {
    /// The cells of the next puzzle, or what is wrong with the line.
    fn next(&mut self) -> Result<Option<Vec<i64>>, String> {
        let (mut n, mut puzzle, mut text) = (0, Vec::new(), Vec::new());
        while n == 0 || puzzle.len() < n * n {
            let Some(source) = self.source.take() else { return Ok(None) };
            let mut source = source.map_err(|error| error.to_string())?;
            self.line += 1;
            text.clear();
            let read = source.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut text);
            let more = read.map_err(|error| error.to_string())? > 0;
            let too_long = !text.ends_with(b"\n") && source.skip_until(b'\n').is_ok_and(|rest| rest > 0);
            self.source = more.then_some(Ok(source));
            if too_long {
                return Err(format!("longer than {LONGEST_LINE} bytes"));
            }
            let line = text.trim_ascii();
            if line.starts_with(b"#") || !line.is_empty() && line.iter().all(|byte| b"-+=| ".contains(byte)) {
                continue;
            }
            let word = line.split(|byte| b": \t".contains(byte)).next().unwrap_or_default();
            let whole = n == 0 && matches!(word.len(), 16 | 81 | 256 | 625) && !word.contains(&b'|');
            let before = puzzle.len();
            for byte in if whole { word } else { line } {
                match SYMBOLS.iter().position(|symbol| *symbol == byte.to_ascii_uppercase()) {
                    Some(value) => puzzle.push(value as i64),
                    None if *byte == b'0' => puzzle.push(0),
                    None if b"| \t".contains(byte) => {}
                    None => return Err(format!("'{}' is no cell", byte.escape_ascii())),
                }
            }
            n = match puzzle.len() - before {
                0 if n == 0 => continue,
                0 => return Err(format!("a grid of {n} rows ends after {}", before / n)),
                cells if whole => cells.isqrt(),
                cells @ (4 | 9 | 16 | 25) if n == 0 || n == cells => cells,
                cells => return Err(format!("{cells} cells are no puzzle and no row here")),
            };
        }
        let large = puzzle.iter().any(|&value| value > n as i64);
        if large { Err(format!("a value is above {n}")) } else { Ok(Some(puzzle)) }
    }
}

/// The puzzles of a file, each with the place where it ends.
fn puzzles(file: &str) -> impl Iterator<Item = (Result<Vec<i64>, String>, String)> {
    let source: io::Result<Box<dyn BufRead>> = match file {
        "-" => Ok(Box::new(io::stdin().lock())),
        _ => File::open(file).map(|file| Box::new(BufReader::new(file)) as _),
    };
    let mut input = Input { source: Some(source), line: 0 };
    iter::from_fn(move || {
        let puzzle = input.next().transpose()?;
        let place = if input.line == 0 { file.to_owned() } else { format!("{file}:{}", input.line) };
        Some((puzzle, place))
    })
}

/// A solution with lines around its boxes.
fn grid(solution: &str) -> String {
    let (n, k) = (solution.len().isqrt(), solution.len().isqrt().isqrt());
    let rule = format!("+{}", "-".repeat(2 * k + 1)).repeat(k) + "+";
    let mut text = String::new();
    for (i, symbol) in solution.char_indices() {
        text += &if i % (n * k) == 0 { format!("{rule}\n") } else { String::new() };
        text += if i % k == 0 { "| " } else { "" };
        text.extend([symbol, ' ']);
        text += if i % n == n - 1 { "|\n" } else { "" };
    }
    text + &rule
}

fn run(arguments: &Arguments) -> Result<i32, Box<dyn Error>> {
    let Arguments { files, unique, count, limit, time_limit, format, stats, profiler, trace_html } =
        arguments;
    if files == &["-"] && io::stdin().is_terminal() {
        return Err("no puzzle; name a file, or pipe one in:  echo 1...4...3.....2. | sudoku".into());
    }
    let (start, time_limit) = (Instant::now(), Duration::from_secs(*time_limit));
    let enough = if *count { limit.get() } else { 1 + usize::from(*unique) };
    let mut sizes = (2..=5).map(Sudoku::new).collect::<Result<Vec<_>, _>>()?;
    let stop = sizes[0].solver.stop_handle();
    sizes.iter_mut().for_each(|sudoku| sudoku.solver.set_stop_handle(&stop));
    ctrlc::set_handler(move || {
        stop.stop();
        thread::sleep(Duration::from_millis(500));
        process::exit(130); // It still waits for input or output.
    })?;
    let style = ProgressStyle::with_template("{elapsed} {pos} puzzles")?;
    let progress = ProgressBar::new_spinner().with_style(style);
    progress.enable_steady_tick(Duration::from_millis(200));
    let (mut code, mut solved, mut bad, mut nodes) = (0, 0, 0, 0);
    let mut puzzles = files.iter().flat_map(|file| puzzles(file)).peekable();
    while code <= 2
        && let Some((puzzle, place)) = puzzles.next()
    {
        let givens = match puzzle {
            Ok(givens) => givens,
            Err(words) => {
                (code, bad) = (2, bad + 1);
                if bad <= REPORTED {
                    progress.suspend(|| eprintln!("error: {place}: {words}"));
                }
                continue;
            }
        };
        let drawn = format == "grid" || format == "auto" && solved + bad == 0 && puzzles.peek().is_none();
        let sudoku = &mut sizes[givens.len().isqrt().isqrt() - 2];
        sudoku.solver.set_limits(Limits::new().time(time_limit.saturating_sub(start.elapsed())));
        if let Some(address) = profiler {
            let profiler = Profiler::connect(address, &place)?;
            let lost = |error: &io::Error| eprintln!("warning: the profiler does not hear the rest: {error}");
            sudoku.solver.set_trace(profiler.on_loss(lost).tracing());
        }
        if trace_html.is_some() {
            if solved + bad > 0 || puzzles.peek().is_some() {
                return Err("--trace-html is for a single puzzle, and here are several".into());
            }
            sudoku.solver.set_trace(Tracing::new());
        }
        let (solution, outcome) = sudoku.solve(&givens, enough)?;
        let trace = sudoku.solver.take_trace(); // What traces a search ends with it.
        if let (Some(file), Some(trace)) = (trace_html, trace) {
            let teller = Teller::new(&trace).title(format!("Sudoku {place}")).look(Look::Digits);
            let page = teller.story()?.to_html();
            fs::write(file, page).map_err(|error| format!("{}: {error}", file.display()))?;
        }
        let statistics = sudoku.solver.statistics();
        let (found, complete) = (statistics.solutions, outcome.is_some_and(Outcome::is_complete));
        let json = || json!({ "puzzle": place, "solutions": found, "complete": complete, "first": solution });
        let answer = match outcome {
            _ if format == "json" => json().to_string(),
            _ if *count => format!("{}{found}", if complete { "" } else { "at least " }),
            _ if found == 1 && (complete || !unique) && drawn => grid(&solution),
            _ if found == 1 && (complete || !unique) => solution,
            Some(outcome) => outcome.to_string(),
            None => "more than one solution".into(),
        };
        progress.suspend(|| writeln!(io::stdout(), "{answer}"))?;
        progress.inc(1);
        (solved, nodes) = (solved + 1, nodes + statistics.nodes);
        code = code.max(match outcome {
            Some(Outcome::Stopped(Stop::Handle)) => 130,
            Some(Outcome::Stopped(_)) => 3,
            Some(Outcome::Infeasible) => 1,
            _ => i32::from(*unique && found > 1),
        });
    }
    progress.finish_and_clear();
    if solved + bad == 0 {
        return Err("no puzzle in the input".into());
    }
    if solved > 1 || bad > REPORTED || *stats {
        let seconds = start.elapsed().as_secs_f64();
        let rate = solved as f64 / seconds;
        eprintln!("{solved} puzzles in {seconds:.3} s, {rate:.0} a second, {nodes} nodes; {bad} bad lines");
    }
    Ok(code)
}

fn main() {
    process::exit(run(&Arguments::parse()).unwrap_or_else(|error| {
        if error.downcast_ref().map(io::Error::kind) == Some(io::ErrorKind::BrokenPipe) {
            return 0; // The reader has seen enough.
        }
        eprintln!("error: {error}");
        2
    }));
}
