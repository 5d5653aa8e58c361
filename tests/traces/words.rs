//! The plain words of a story, read back: what each line says, as data. Nothing is read that is not said in just these
//! forms.

use csp_core::engine::Relation;
use csp_core::observe::{Cause, Literal};
use csp_core::prelude::*;

/// What a line of a step says.
#[derive(Debug)]
pub(super) enum Line {
    /// So many variables and constraints.
    Start(usize, usize),
    /// Why the values on the next lines are out.
    By(By),
    DeadEnd(By),
    /// A variable has no value left.
    Empty(usize),
    Tried(Tried),
    /// What these variables are not, as intervals.
    Out(Vec<usize>, Vec<(i64, i64)>),
    /// Nothing else is left to a variable.
    Only(usize, i64),
    Choice(Literal),
    TakenBack(Literal),
    Anew,
    Fixpoint,
    /// Its number and values.
    Solution(usize, Vec<i64>),
    End(End),
}

/// Who did something, one of these, and what is blamed.
#[derive(Debug)]
pub(super) struct By {
    pub(super) causes: Vec<Cause>,
    pub(super) blame: Vec<Statement>,
    /// The variables of an `all_different` have but these values between them.
    pub(super) is_shared: bool,
}

/// That a variable has one of some values.
#[derive(Debug)]
pub(super) enum Statement {
    Literal(Literal),
    In(usize, Vec<i64>),
}

/// What came of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tried {
    pub(super) choice: Literal,
    pub(super) with: With,
}

/// How many solutions there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum With {
    Solutions(usize),
    /// That were not found before.
    New(usize),
    /// None is better than the last.
    NoBetter,
}

/// How a story ends.
#[derive(Debug)]
pub(super) enum End {
    Over {
        solutions: usize,
    },
    /// None is better than the one with this number.
    Best(usize),
    /// With the solution of this number.
    Stopped(usize),
    /// After so many steps.
    Cut(usize),
}

/// Why a value is out.
#[derive(Debug)]
pub(super) enum Why {
    FromTheStart,
    By(By),
    Chosen(Literal),
    Tried(Tried),
}

impl Statement {
    pub(super) fn variable(&self) -> usize {
        match self {
            Statement::Literal(literal) => literal.variable,
            Statement::In(variable, _) => *variable,
        }
    }

    pub(super) fn allows(&self, value: i64) -> bool {
        match self {
            Statement::Literal(literal) => literal.holds(value),
            Statement::In(_, values) => values.contains(&value),
        }
    }
}

/// Reads the story of a trace whose variables have names of one word.
pub(super) struct Reader<'a>(pub(super) &'a Trace);

impl Reader<'_> {
    /// A line, if it says anything.
    pub(super) fn line(&self, line: &str) -> Option<Line> {
        if let Some(rest) = line.strip_prefix("start: ") {
            let (variables, constraints) = rest.split_once(" and ")?;
            return Some(Line::Start(number(variables, "variable")?, number(constraints, "constraint")?));
        }
        if let Some(by) = line.strip_prefix("by ") {
            return Some(Line::By(self.by(by)?));
        }
        if let Some(by) = line.strip_prefix("a dead end by ") {
            return Some(Line::DeadEnd(self.by(by)?));
        }
        if let Some(tried) = line.strip_prefix("with ") {
            return Some(Line::Tried(self.tried(tried)?));
        }
        if let Some(choice) = line.strip_prefix("choose ") {
            return Some(Line::Choice(self.literal(choice)?));
        }
        if let Some(choice) = line.strip_suffix(" is taken back, and what followed from it") {
            return Some(Line::TakenBack(self.literal(choice)?));
        }
        if let Some(rest) = line.strip_prefix("solution ") {
            let (number, values) = rest.split_once(": ")?;
            return Some(Line::Solution(number.parse().ok()?, self.solution(values)?));
        }
        if let Some(only) = line.strip_suffix(": nothing else is left") {
            let (variable, value) = only.split_once(" is ")?;
            return Some(Line::Only(self.variable(variable)?, value.parse().ok()?));
        }
        if let Some(variable) = line.strip_suffix(" has no value left") {
            return Some(Line::Empty(self.variable(variable)?));
        }
        match line {
            "the search begins anew" => Some(Line::Anew),
            "nothing more follows" => Some(Line::Fixpoint),
            _ => end(line).map(Line::End).or_else(|| self.out(line)),
        }
    }

    /// A variable, a value it does not have, and why.
    pub(super) fn why(&self, words: &str) -> Option<(usize, i64, Why)> {
        let (variable, rest) = words.split_once(" is not ")?;
        let end = rest.find([' ', ',', ':'])?;
        let (value, rest) = rest.split_at(end);
        let why = if rest == " from the start" {
            Why::FromTheStart
        } else if let Some(by) = rest.strip_prefix(", by ") {
            Why::By(self.by(by)?)
        } else if let Some(tried) = rest.strip_prefix(": with ") {
            Why::Tried(self.tried(tried)?)
        } else {
            Why::Chosen(self.literal(rest.strip_prefix(": ")?.strip_suffix(" was chosen")?)?)
        };
        Some((self.variable(variable)?, value.parse().ok()?, why))
    }

    /// `x = 3`, for a node of the tree too.
    pub(super) fn literal(&self, words: &str) -> Option<Literal> {
        let [variable, relation, value] = words.split(' ').collect::<Vec<_>>()[..] else { return None };
        let relation = match relation {
            "=" => Relation::Eq,
            "≠" => Relation::Ne,
            "≤" => Relation::Le,
            "≥" => Relation::Ge,
            _ => return None,
        };
        Some(Literal { variable: self.variable(variable)?, relation, value: value.parse().ok()? })
    }

    fn variable(&self, name: &str) -> Option<usize> {
        self.0.variables.iter().position(|variable| variable.name == name)
    }

    fn variables(&self, names: &str, last: &str) -> Option<Vec<usize>> {
        items(names, last).map(|name| self.variable(name)).collect()
    }

    /// `C`, or `C, since x is 3 and y ≤ 4`.
    fn by(&self, words: &str) -> Option<By> {
        let (who, blame) = match words.rsplit_once(", since ") {
            Some((who, blame)) => (who, Some(blame)),
            None => (words, None),
        };
        let causes = match who {
            "what the search learnt" => vec![Cause::Clause],
            "the demand for a better solution" => vec![Cause::Objective],
            "an assumption" => vec![Cause::Assumption],
            "what was known before the search" => vec![Cause::Domain],
            _ => self.constraints(who),
        };
        let shared = blame.and_then(|blame| blame.strip_suffix(" left between them"));
        let is_shared = shared.is_some();
        let blame = match (shared, blame) {
            (Some(shared), _) if who.starts_with("all_different(") => self.shared(shared)?,
            (Some(_), _) => return None,
            (None, Some(blame)) => self.statements(blame)?,
            (None, None) => Vec::new(),
        };
        (!causes.is_empty()).then_some(By { causes, blame, is_shared })
    }

    /// Those that are described so; a long description is cut.
    fn constraints(&self, who: &str) -> Vec<Cause> {
        let is_meant = |number: &usize| {
            let description = &self.0.constraints[*number].description;
            who.strip_suffix('…').map_or(description == who, |start| description.starts_with(start))
        };
        (0..self.0.constraints.len()).filter(is_meant).map(Cause::Constraint).collect()
    }

    /// `x and y have only 1 and 2`.
    fn shared(&self, words: &str) -> Option<Vec<Statement>> {
        let (variables, values) = words.split_once(" have only ")?;
        let variables = self.variables(variables, "and")?;
        let values: Vec<i64> = items(values, "and").map(|value| value.parse().ok()).collect::<Option<_>>()?;
        // Otherwise something else may have one of them.
        let each = variables.iter().map(|&variable| Statement::In(variable, values.clone()));
        (values.len() <= variables.len()).then(|| each.collect())
    }

    /// `x ≤ 4, y ≥ 1 and z is 1, 2 or 3`.
    fn statements(&self, words: &str) -> Option<Vec<Statement>> {
        let mut statements = Vec::new();
        let mut words = words.split(' ').peekable();
        while let Some(variable) = words.next() {
            if variable == "and" && !statements.is_empty() {
                continue;
            }
            let (relation, value) = (words.next()?, words.next()?);
            let mut has_more = value.ends_with(',');
            let value = value.trim_end_matches(',');
            if relation != "is" {
                statements.push(Statement::Literal(self.literal(&format!("{variable} {relation} {value}"))?));
                continue;
            }
            let mut values = vec![value.parse().ok()?];
            // Commas are between values and between statements.
            loop {
                let next = *words.peek().unwrap_or(&"");
                let is_last = next == "or";
                let is_value = has_more && next.trim_end_matches(',').parse::<i64>().is_ok();
                if !is_last && !is_value {
                    break;
                }
                words.next();
                let value = if is_last { words.next()? } else { next };
                has_more = value.ends_with(',');
                values.push(value.trim_end_matches(',').parse().ok()?);
            }
            statements.push(Statement::In(self.variable(variable)?, values));
        }
        (!statements.is_empty()).then_some(statements)
    }

    /// `x = 3 there is no solution`.
    fn tried(&self, words: &str) -> Option<Tried> {
        let (choice, rest) = words.split_once(" there ")?;
        let with = match rest {
            "is no solution" => With::Solutions(0),
            "is no new solution" => With::New(0),
            "is no better solution" | "is no solution better than the last" => With::NoBetter,
            _ => {
                let rest = rest.strip_suffix(" and no more")?;
                let solutions = rest.strip_prefix("is 1 ").map(|rest| format!("1 {rest}"));
                let solutions = solutions.or_else(|| Some(rest.strip_prefix("are ")?.to_owned()))?;
                match solutions.contains(" new ") {
                    true => With::New(number(&solutions, "new solution")?),
                    false => With::Solutions(number(&solutions, "solution")?),
                }
            }
        };
        Some(Tried { choice: self.literal(choice)?, with })
    }

    /// `x and y are not 1, 2 or 5 to 8`.
    fn out(&self, line: &str) -> Option<Line> {
        let (names, values) = line.split_once(" is not ").or_else(|| line.split_once(" are not "))?;
        let range = |item: &str| -> Option<(i64, i64)> {
            let (low, high) = item.split_once(" to ").unwrap_or((item, item));
            Some((low.parse().ok()?, high.parse().ok()?))
        };
        Some(Line::Out(self.variables(names, "and")?, items(values, "or").map(range).collect::<Option<_>>()?))
    }

    /// `x = 1, y = 2`, in the order of the variables.
    fn solution(&self, words: &str) -> Option<Vec<i64>> {
        let value = |(variable, item)| {
            let literal = self.literal(item)?;
            (literal.variable == variable && literal.relation == Relation::Eq).then_some(literal.value)
        };
        words.split(", ").enumerate().map(value).collect()
    }
}

fn end(line: &str) -> Option<End> {
    if let Some(rest) = line.strip_prefix("the search is over") {
        return Some(match rest {
            ": there is no solution" | " before it begins: what is known has no solution" => {
                End::Over { solutions: 0 }
            }
            ": there is no solution under the assumptions" => End::Over { solutions: 0 },
            _ => match rest.strip_prefix(", with ") {
                Some(solutions) => End::Over { solutions: number(solutions, "solution")? },
                None => End::Best(rest.strip_prefix(": none is better than solution ")?.parse().ok()?),
            },
        });
    }
    match line.strip_prefix("the story ends here, ")? {
        "with the first solution" => Some(End::Stopped(1)),
        rest => match rest.strip_prefix("with solution ") {
            Some(number) => Some(End::Stopped(number.parse().ok()?)),
            None => {
                let steps = rest.strip_prefix("after ")?.strip_suffix(" steps: the search goes on")?;
                Some(End::Cut(steps.parse().ok()?))
            }
        },
    }
}

/// `no thing`, `1 thing` or `3 things`.
fn number(words: &str, thing: &str) -> Option<usize> {
    let (number, rest) = words.split_once(' ')?;
    let is_one = number == "1";
    if rest.strip_prefix(thing)? != if is_one || number == "no" { "" } else { "s" } {
        return None;
    }
    if number == "no" { Some(0) } else { number.parse().ok() }
}

/// The items of a list such as `a, b and c`.
fn items<'a>(list: &'a str, last: &str) -> impl Iterator<Item = &'a str> {
    let (first, end) = match list.rsplit_once(&format!(" {last} ")) {
        Some((first, end)) => (Some(first), end),
        None => (None, list),
    };
    first.into_iter().flat_map(|first| first.split(", ")).chain([end])
}
