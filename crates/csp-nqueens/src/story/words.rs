//! Why a square is out, as a sentence.

use std::fmt;

use csp_trace::Rule;

use crate::Square;

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
pub(super) enum Reason {
    /// A queen attacks it along a line.
    Attack { queen: Square, line: Line },
    /// The puzzle has it blocked.
    Blocked,
    /// The search tried it, and is done with it.
    Tried { solutions: u64 },
}

impl Reason {
    /// That this queen attacks the square, if it does.
    pub(super) fn attack(queen: Square, square: Square) -> Option<Reason> {
        Line::between(queen, square).map(|line| Reason::Attack { queen, line })
    }

    /// Whether it is by the constraint of this name.
    pub(super) fn is_by(self, constraint: &str) -> bool {
        match self {
            Reason::Attack { line, .. } => constraint.strip_suffix('s') == Some(line.name()),
            _ => false,
        }
    }

    /// Its number in [`rules`].
    pub(super) fn rule(self) -> u8 {
        match self {
            Reason::Attack { line: Line::Column, .. } => 0,
            Reason::Attack { line: Line::Diagonal, .. } => 1,
            Reason::Attack { line: Line::AntiDiagonal, .. } => 2,
            Reason::Attack { line: Line::Row, .. } => 3,
            Reason::Tried { .. } => 4,
            Reason::Blocked => 5,
        }
    }

    /// The sentence that says so of a square.
    pub(super) fn words(self, (row, column): Square) -> String {
        format!("row {row}, column {column} is out: {self}")
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Reason::Attack { queen: (row, column), line } => {
                write!(f, "the queen on row {row}, column {column} attacks it along the {}", line.name())
            }
            Reason::Blocked => f.write_str("it is blocked"),
            Reason::Tried { solutions } => write!(f, "a queen there led to {}", count(solutions, "solution")),
        }
    }
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
