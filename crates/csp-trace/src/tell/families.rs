//! Families of constraints: those with the same name but for a number, such as row 1 to row 9, have one
//! letter and one colour.

use csp_core::observe::{Cause, Trace, TraceEvent};

use crate::Rule;

/// A square knows its rule by a byte; further families are all shown as the last.
const MOST: usize = 256;

/// Who ruled out something in a trace.
#[derive(Clone, Debug)]
pub(super) struct Families {
    rules: Vec<Rule>,
    /// The rule of each constraint, and last those of the other causes and of constraints that are not there.
    of: Vec<u8>,
}

/// Of a constraint that a trace made by hand does not have.
const UNKNOWN: &str = "constraint";

/// The causes that are no constraints, with letters and colours that no story changes.
const OTHERS: [(Cause, &str, char, u8); 6] = [
    (Cause::Decision, "choice", 'C', 3),
    (Cause::Refutation, "tried", 'T', 4),
    (Cause::Clause, "learnt", 'L', 6),
    (Cause::Objective, "objective", 'O', 7),
    (Cause::Assumption, "assumption", 'A', 7),
    (Cause::Domain, "from the start", 'S', 5),
];

impl Families {
    /// Those that rule out something in the trace.
    pub(super) fn new(trace: &Trace) -> Families {
        let constraints = trace.constraints.len();
        let mut is_seen = vec![false; constraints + OTHERS.len() + 1];
        for event in &trace.events {
            if let TraceEvent::Change { cause, .. } = event {
                is_seen[place(*cause, constraints)] = true;
            }
        }
        let names = trace.constraints.iter().map(|constraint| match &constraint.name {
            Some(name) => family(name),
            None => kind(&constraint.description),
        });
        let names = names.chain(OTHERS.iter().map(|other| other.1)).chain([UNKNOWN]);
        let mut rules: Vec<Rule> = Vec::new();
        let mut of = Vec::with_capacity(is_seen.len());
        for (number, (name, is_seen)) in names.zip(is_seen).enumerate() {
            let known = rules.iter().position(|rule| rule.name == name);
            let place = known.unwrap_or(rules.len().min(MOST - 1)) as u8;
            of.push(place);
            if is_seen && known.is_none() && rules.len() < MOST {
                let other = number.checked_sub(constraints).and_then(|other| OTHERS.get(other));
                let (letter, colour) =
                    other.map_or_else(|| (letter(name, &rules), place), |other| (other.2, other.3));
                rules.push(Rule { letter, name: name.to_owned(), colour });
            }
        }
        Families { rules, of }
    }

    pub(super) fn rules(&self) -> Vec<Rule> {
        self.rules.clone()
    }

    /// The rule of a cause that ruled out something.
    pub(super) fn rule(&self, cause: Cause) -> u8 {
        self.of[place(cause, self.of.len() - OTHERS.len() - 1)]
    }
}

/// Where a cause has its place among all.
fn place(cause: Cause, constraints: usize) -> usize {
    match cause {
        Cause::Constraint(number) if number < constraints => number,
        _ => constraints + OTHERS.iter().position(|other| other.0 == cause).unwrap_or(OTHERS.len()),
    }
}

/// A name without the number at its end.
fn family(name: &str) -> &str {
    let family = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || " _-#".contains(letter));
    if family.is_empty() { name } else { family }
}

/// What a description begins with, such as `all_different`; `constraint` if it is a formula.
fn kind(description: &str) -> &str {
    match description.split_once('(') {
        Some((kind, _)) if !kind.is_empty() && kind.chars().all(|c| c.is_alphanumeric() || c == '_') => kind,
        _ => UNKNOWN,
    }
}

/// A letter of the name that no other has, or else any.
fn letter(name: &str, others: &[Rule]) -> char {
    let own = name.chars().filter(|letter| letter.is_alphabetic()).flat_map(char::to_lowercase);
    let rest = ('a'..='z').chain('A'..='Z').filter(|letter| OTHERS.iter().all(|other| other.2 != *letter));
    own.chain(rest).find(|&letter| others.iter().all(|other| other.letter != letter)).unwrap_or('*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_families_and_letters() {
        assert_eq!(
            (family("row 12"), family("box-3"), family("7"), family("a1b2")),
            ("row", "box", "7", "a1b")
        );
        assert_eq!(
            (kind("all_different(x, y)"), kind("x + y <= (3)"), kind("(x)")),
            ("all_different", "constraint", "constraint")
        );
        let mut rules = Vec::new();
        for (name, expected) in [("row", 'r'), ("Rank", 'a'), ("ra", 'b'), ("", 'c')] {
            let letter = letter(name, &rules);
            assert_eq!(letter, expected, "{name}");
            rules.push(Rule { letter, name: name.to_owned(), colour: 0 });
        }
    }
}
