//! `nqueens solve`: one solution, some or all, written as they are found.

use std::{
    io::{self, BufWriter, Write},
    ops::ControlFlow,
};

use csp_nqueens::{Listing, Method, Outcome, Picture, QueensError, Report, is_fundamental};

use crate::{
    arguments::{Sheet, Solve},
    ending::{Ending, Failure},
    session::{Session, stopped_by, write_statistics},
};

/// A board of a million queens is megabytes of text.
const BUFFER: usize = 1 << 16;

pub(crate) fn run(arguments: &Solve) -> Result<Ending, Failure> {
    let puzzle = arguments.board.puzzle()?;
    let (method, seed) = arguments.method(&puzzle)?;
    let out = BufWriter::with_capacity(BUFFER, io::stdout().lock());
    let mut sink = match arguments.sheet(puzzle.size())? {
        Sheet::Text(format) => Sink::Text(Listing::new(format, out)),
        Sheet::Svg(picture) => {
            Sink::Picture(Strip { picture, is_list: arguments.is_list(), boards: Vec::new(), out })
        }
    };
    let session = Session::start(arguments.run.time_limit);
    session.profile(arguments.run.profiler.as_deref(), format!("{} queens", puzzle.size()))?;
    let mut written = Ok(());
    let mut found = 0;
    let visit = |columns: &[usize]| {
        if arguments.unique && !is_fundamental(columns) {
            return ControlFlow::Continue(());
        }
        written = session.write(|| sink.write(columns));
        found += 1;
        match written.is_err() || found == arguments.wanted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let report = match method {
        Method::LocalSearch => puzzle.search_at_random(seed, session.control(), visit)?,
        _ => method.search(&puzzle, session.control(), visit)?,
    };
    drop(session);
    written?;
    sink.finish()?;

    if arguments.run.stats {
        write_statistics(method, &report);
    }
    Ok(conclude(&report, found, puzzle.size()))
}

/// Where solutions go.
enum Sink<W: Write> {
    Text(Listing<W>),
    Picture(Strip<W>),
}

/// Solutions that are drawn when the last is there.
struct Strip<W> {
    picture: Picture,
    is_list: bool,
    boards: Vec<Vec<usize>>,
    out: W,
}

impl<W: Write> Sink<W> {
    fn write(&mut self, columns: &[usize]) -> Result<(), Failure> {
        match self {
            Sink::Text(listing) => Ok(listing.write(columns)?),
            Sink::Picture(strip) => strip.take(columns),
        }
    }

    fn finish(self) -> Result<(), Failure> {
        match self {
            Sink::Text(listing) => {
                listing.finish()?;
                Ok(())
            }
            Sink::Picture(strip) => strip.draw(),
        }
    }
}

impl<W: Write> Strip<W> {
    /// Takes one more board, if there is room for it.
    fn take(&mut self, columns: &[usize]) -> Result<(), Failure> {
        let (size, room) = (columns.len(), Picture::room(columns.len()));
        self.boards.push(columns.to_vec());
        match self.boards.len() <= room {
            true => Ok(()),
            false => {
                let error = QueensError::TooMuchToDraw { size, boards: self.boards.len() };
                Err(Failure::Arguments(format!("{error}; --limit {room} draws as many as it may have")))
            }
        }
    }

    fn draw(mut self) -> Result<(), Failure> {
        let svg = match &self.boards[..] {
            [] => return Ok(()),
            [board] if !self.is_list => self.picture.board(board)?,
            boards => self.picture.strip(boards)?,
        };
        self.out.write_all(svg.as_bytes())?;
        Ok(self.out.flush()?)
    }
}

/// Says what the solutions themselves do not say.
fn conclude(report: &Report, found: u64, size: usize) -> Ending {
    if let Some(why) = stopped_by(report.outcome) {
        let seconds = report.time.as_secs_f64();
        eprintln!("{why} after {seconds:.1} s: incomplete, {found} solutions so far");
    } else if report.outcome == Outcome::Complete && found == 0 {
        eprintln!("no solution: {size} queens cannot stand like this without an attack");
        return Ending::NoSolution;
    }
    Ending::from_outcome(report.outcome)
}
