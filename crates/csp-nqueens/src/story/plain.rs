//! The classic search: row by row, each column from the left that is not attacked.

use std::{collections::BTreeMap, ops::ControlFlow};

use csp_trace::{Board, CellState, Cue, Kind, Look, Reason, Row, Stage, Status, Story};

use super::{
    Telling, title,
    words::{Why, rules, standing, start},
};
use crate::{Format, Queens, Square};

pub(super) const NAME: &str = "plain backtracking";

const PSEUDOCODE: [&str; 6] = [
    "fill(row):",
    "    if row = n: a solution",
    "    for column from 0 to n − 1:",
    "        if no queen is on its column, diagonal or anti-diagonal:",
    "            put a queen there, fill(row + 1), take it away",
    "    no column is left: back to the row above",
];
const FOUND: usize = 1;
const PUT: usize = 4;
const BACK: usize = 5;

pub(super) fn story(puzzle: &Queens, telling: Telling) -> Story {
    let size = puzzle.size();
    let rows = (0..size).map(|row| Row::numbered(format!("row {row}"), size)).collect();
    let story = Story {
        title: title(puzzle, NAME),
        boards: vec![Board { title: NAME.to_owned(), look: Look::Queens, rows }],
        pseudocode: PSEUDOCODE.map(str::to_owned).into(),
        constraints: rules(),
        ..Story::default()
    };
    let mut search = Search {
        puzzle,
        is_for_all: telling.all,
        stage: Stage::new(story, telling.limit),
        standing: standing(puzzle),
        queens: Vec::new(),
        tried: vec![BTreeMap::new(); size + 1],
    };
    // A story ends in any case.
    let _: ControlFlow<()> = search.run();
    search.stage.finish()
}

/// A queen that the search put down.
#[derive(Debug)]
struct Placed {
    square: Square,
    node: usize,
    /// The solutions told before it was put down.
    before: u64,
    /// The squares below it that are out by it and by no queen above it.
    attacked: Vec<Square>,
}

#[derive(Debug)]
struct Search<'a> {
    puzzle: &'a Queens,
    is_for_all: bool,
    stage: Stage,
    /// Why the puzzle itself rules squares out, row by row.
    standing: Vec<Vec<Option<Why>>>,
    /// The queens put down, row by row.
    queens: Vec<Placed>,
    /// For each row the columns tried with the queens that stand above it, and their solutions.
    tried: Vec<BTreeMap<usize, u64>>,
}

impl Search<'_> {
    fn run(&mut self) -> ControlFlow<()> {
        self.start()?;
        // The first column of the row that was not looked at.
        let mut next = 0;
        loop {
            let row = self.queens.len();
            if row == self.puzzle.size() {
                self.solution()?;
                next = self.take_away()?;
                continue;
            }
            let columns = next..self.puzzle.size();
            match columns.clone().find(|&column| self.why((row, column)).is_none()) {
                Some(column) => {
                    self.put((row, column), next)?;
                    next = 0;
                }
                None => {
                    self.exhausted(row)?;
                    next = self.take_away()?;
                }
            }
        }
    }

    /// The board as the puzzle has it.
    fn start(&mut self) -> ControlFlow<()> {
        for square in self.puzzle.placed().filter(|&(row, column)| self.standing[row][column].is_none()) {
            self.stage.set(square, CellState::Given);
        }
        for (row, whys) in self.standing.iter().enumerate() {
            for (column, why) in whys.iter().enumerate() {
                let square = (row, column);
                if let Some(Reason { rule, words }) = why.map(|why| why.reason(square)) {
                    self.stage.rule_out(square, rule, words);
                }
            }
        }
        self.stage.start(start(self.puzzle))
    }

    /// Why no queen can be put on a square of the row that is being filled.
    fn why(&self, square: Square) -> Option<Why> {
        let attack = || self.queens.iter().find_map(|queen| Why::attack(queen.square, square));
        let tried = || self.tried[square.0].get(&square.1).map(|&solutions| Why::Tried { solutions });
        self.standing[square.0][square.1].or_else(attack).or_else(tried)
    }

    /// Why the squares of a row are out, a line each.
    fn reasons(&self, row: usize, columns: impl Iterator<Item = usize>) -> String {
        let sentence = |column| {
            let square = (row, column);
            Some(format!("\n{}", self.why(square)?.reason(square).words))
        };
        columns.filter_map(sentence).collect()
    }

    /// The node the search is at.
    fn node(&self) -> usize {
        self.queens.last().map_or(0, |queen| queen.node)
    }

    fn put(&mut self, (row, column): Square, first: usize) -> ControlFlow<()> {
        let skipped = self.reasons(row, first..column);
        let words = match self.tried[row].last_key_value() {
            None => format!("row {row}: a queen on column {column}{skipped}"),
            Some((last, _)) => {
                format!("row {row}: the queen moves from column {last} to column {column}{skipped}")
            }
        };
        let square = (row, column);
        let node = self.stage.add_node(self.node(), format!("{row},{column}"));
        self.stage.set(square, CellState::Chosen);
        let mut attacked = Vec::new();
        let size = self.puzzle.size();
        for below in (row + 1..size).flat_map(|row| (0..size).map(move |column| (row, column))) {
            let is_open = matches!(self.stage.state(below), CellState::Free | CellState::Given);
            if let Some(why) = Why::attack(square, below).filter(|_| is_open) {
                self.rule_out(below, why);
                attacked.push(below);
            }
        }
        self.queens.push(Placed { square, node, before: self.stage.solutions(), attacked });
        self.stage.tell(Cue { kind: Kind::Choice, line: PUT, node }, words)
    }

    fn solution(&mut self) -> ControlFlow<()> {
        let columns: Vec<usize> = self.queens.iter().map(|queen| queen.square.1).collect();
        let cue = Cue { kind: Kind::Solution, line: FOUND, node: self.node() };
        self.stage.solution(cue, Format::Columns.show(&columns))?;
        match self.is_for_all {
            true => ControlFlow::Continue(()),
            false => self.stage.stop(self.node()),
        }
    }

    /// Each square of the row is out.
    fn exhausted(&mut self, row: usize) -> ControlFlow<()> {
        let before = self.queens.last().map_or(0, |queen| queen.before);
        let is_dead = self.stage.solutions() == before;
        let (node, kind, left, status) = match is_dead {
            true => (self.node(), Kind::DeadEnd, "no square left", Status::Failed),
            false => (self.node(), Kind::Undo, "no further square", Status::Branch),
        };
        let is_given = |row| self.puzzle.placed().any(|(given, _)| given == row);
        let so = match row.checked_sub(1) {
            None => String::new(),
            Some(above) if is_given(above) => format!(", and the queen on row {above} cannot move"),
            Some(above) => format!(", so the queen on row {above} must move"),
        };
        let reasons = self.reasons(row, 0..self.puzzle.size());
        self.stage.tell(Cue { kind, line: BACK, node }, format!("row {row} has {left}{so}{reasons}"))?;
        self.stage.close(node, status);
        ControlFlow::Continue(())
    }

    /// Takes the last queen away, which shows with the next step, and says which column of its row is
    /// to be looked at next. Without a queen the search is over.
    fn take_away(&mut self) -> ControlFlow<(), usize> {
        let Some(Placed { square: (row, column), before, attacked, .. }) = self.queens.pop() else {
            return self.stage.over().map_continue(|()| 0);
        };
        for tried in std::mem::take(&mut self.tried[row + 1]).into_keys() {
            self.stage.clear((row + 1, tried));
        }
        attacked.into_iter().for_each(|square| self.stage.clear(square));
        let solutions = self.stage.solutions() - before;
        self.tried[row].insert(column, solutions);
        self.rule_out((row, column), Why::Tried { solutions });
        ControlFlow::Continue(column + 1)
    }

    fn rule_out(&mut self, square: Square, why: Why) {
        let Reason { rule, words } = why.reason(square);
        self.stage.rule_out(square, rule, words);
    }
}
