//! Why a square is out, as a sentence.

use std::fmt;

use csp_trace::{Reason, Rule};

use crate::{Queens, Square};

/// A line along which queens attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    Column,
    Diagonal,
    AntiDiagonal,
    Row,
}

impl Line {
    /// The line two squares share, if they do. A square shares none with itself.
    pub(super) fn between(one: Square, other: Square) -> Option<Line> {
        if one == other {
            None
        } else if one.0 == other.0 {
            Some(Line::Row)
        } else if one.1 == other.1 {
            Some(Line::Column)
        } else if one.0 + other.1 == other.0 + one.1 {
            Some(Line::Diagonal)
        } else if one.0 + one.1 == other.0 + other.1 {
            Some(Line::AntiDiagonal)
        } else {
            None
        }
    }

    fn name(self) -> &'static str {
        match self {
            Line::Column => "column",
            Line::Diagonal => "diagonal",
            Line::AntiDiagonal => "anti-diagonal",
            Line::Row => "row",
        }
    }
}

/// Why a square is out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// A queen attacks it along a line.
    Attack { queen: Square, line: Line },
    /// The puzzle has it blocked.
    Blocked,
    /// The search tried it, and is done with it.
    Tried { solutions: u64 },
}

impl Why {
    /// That this queen attacks the square, if it does.
    pub(super) fn attack(queen: Square, square: Square) -> Option<Why> {
        Line::between(queen, square).map(|line| Why::Attack { queen, line })
    }

    /// Whether it is by the constraint of this name.
    pub(super) fn is_by(self, constraint: &str) -> bool {
        match self {
            Why::Attack { line, .. } => constraint.strip_suffix('s') == Some(line.name()),
            _ => false,
        }
    }

    /// The sentence that says so of a square, with its rule.
    pub(super) fn reason(self, (row, column): Square) -> Reason {
        let rule = match self {
            Why::Attack { line: Line::Column, .. } => 0,
            Why::Attack { line: Line::Diagonal, .. } => 1,
            Why::Attack { line: Line::AntiDiagonal, .. } => 2,
            Why::Attack { line: Line::Row, .. } => 3,
            Why::Tried { .. } => 4,
            Why::Blocked => 5,
        };
        Reason { rule, words: format!("row {row}, column {column} is out: {self}") }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Why::Attack { queen: (row, column), line } => {
                write!(f, "the queen on row {row}, column {column} attacks it along the {}", line.name())
            }
            Why::Blocked => f.write_str("it is blocked"),
            Why::Tried { solutions } => write!(f, "a queen there led to {}", count(solutions, "solution")),
        }
    }
}

/// Why the puzzle itself rules squares out, row by row: they are blocked, or a queen stands in their row.
pub(super) fn standing(puzzle: &Queens) -> Vec<Vec<Option<Why>>> {
    let size = puzzle.size();
    let mut standing = vec![vec![None; size]; size];
    for (row, column) in puzzle.blocked() {
        standing[row][column] = Some(Why::Blocked);
    }
    for queen in puzzle.placed() {
        for (column, why) in standing[queen.0].iter_mut().enumerate() {
            *why = why.or(Why::attack(queen, (queen.0, column)));
        }
    }
    standing
}

/// The first sentence of a story, and on further lines what the puzzle says.
pub(super) fn start(puzzle: &Queens) -> String {
    let size = puzzle.size() as u64;
    let mut words = format!("start: {} of {}", count(size, "row"), count(size, "square"));
    for (row, column) in puzzle.placed() {
        words.push_str(&format!("\nrow {row}, column {column} has a queen from the start"));
    }
    for square in puzzle.blocked() {
        words.push_str(&format!("\n{}", Why::Blocked.reason(square).words));
    }
    words
}

/// The sentences, a line each.
pub(super) fn list_reasons(reasons: &[Reason]) -> String {
    let words: Vec<&str> = reasons.iter().map(|reason| &reason.words[..]).collect();
    words.join("\n")
}

/// What may rule out a square: the lines in the order of the model, and the two others.
pub(super) fn rules() -> Vec<Rule> {
    let names = [
        ('c', "column"),
        ('d', "diagonal"),
        ('a', "anti-diagonal"),
        ('r', "row"),
        ('t', "tried"),
        ('b', "blocked"),
    ];
    let rule = |((letter, name), colour): ((char, &str), u8)| Rule { letter, name: name.to_owned(), colour };
    names.into_iter().zip(0..).map(rule).collect()
}

/// So many of a thing, in words.
pub(super) fn count(number: u64, thing: &str) -> String {
    match number {
        0 => format!("no {thing}"),
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}
