//! Plain words for the search of any model: the names of its variables and constraints, and what is
//! blamed, in sentences.

use std::collections::{BTreeMap, BTreeSet};

use csp_core::engine::Relation;
use csp_core::observe::{Cause, Literal, Range, Trace, TraceEvent};

use super::list::{are, count, list, merge};
use super::{Failure, Place, Reason, Removal, Voice, families::Families, rows::Rows};
use crate::Rule;

/// A description longer than this is cut.
const LONGEST: usize = 60;
/// A solution of more variables is not written out: the board shows it.
const FEW: usize = 20;
/// Values of a variable that are listed; more are told by its bounds.
const LISTED: usize = 4;

/// What is plainly said of a trace, for a [`Voice`] to say so too.
#[derive(Debug)]
pub struct PlainWords<'a> {
    trace: &'a Trace,
    rows: &'a Rows,
    families: Families,
    standing: BTreeSet<Place>,
    /// What the search looks for: any solution, or others than before.
    wanted: &'static str,
    /// The variables as they are called.
    variables: Vec<String>,
    /// The values of those that have a row.
    values: Vec<Vec<String>>,
}

impl<'a> PlainWords<'a> {
    pub(super) fn new(trace: &'a Trace, rows: &'a Rows, voice: &dyn Voice) -> PlainWords<'a> {
        let wanted = match trace.is_optimising {
            true => "better solution",
            // What was found before a restart is not looked for again.
            false if trace.events.contains(&TraceEvent::Restart) => "new solution",
            false => "solution",
        };
        let mut words = PlainWords {
            trace,
            rows,
            families: Families::new(trace),
            standing: rows.standing(trace).into_iter().collect(),
            wanted,
            variables: Vec::new(),
            values: Vec::new(),
        };
        words.variables = (0..trace.variables.len()).map(|x| voice.variable(&words, x)).collect();
        let named =
            |(x, values): (usize, &[i64])| values.iter().map(|&v| voice.value(&words, x, v)).collect();
        words.values = rows.iter().map(named).collect();
        words
    }

    /// The names of the values of each row.
    pub(super) fn values(&self) -> &[Vec<String>] {
        &self.values
    }

    /// What a variable is called.
    pub fn variable(&self, variable: usize) -> String {
        let name = || self.trace.variables.get(variable).map_or("?", |x| &x.name).to_owned();
        self.variables.get(variable).cloned().unwrap_or_else(name)
    }

    /// What a value of a variable is called.
    pub fn value(&self, variable: usize, value: i64) -> String {
        let place = self.rows.place(variable, value);
        let name = place.and_then(|(row, cell)| Some(self.values.get(row)?[cell].clone()));
        name.unwrap_or_else(|| value.to_string())
    }

    /// A statement about a variable.
    pub fn literal(&self, literal: Literal) -> String {
        let Literal { variable, relation, value } = literal;
        format!("{} {relation} {}", self.variable(variable), self.value(variable, value))
    }

    /// Several statements as one sentence, variable by variable.
    pub fn statements(&self, statements: &[Literal]) -> String {
        let each: Vec<String> =
            by_variable(statements).iter().map(|(&x, literals)| self.statement(x, literals)).collect();
        list(&each, "and")
    }

    /// A constraint by its name, or else its description.
    pub fn constraint(&self, number: usize) -> String {
        let Some(constraint) = self.trace.constraints.get(number) else { return "a constraint".to_owned() };
        let name = constraint.name.as_deref().unwrap_or(&constraint.description);
        match name.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &name[..end]),
            None => name.to_owned(),
        }
    }

    /// The rule of a cause, an index into the [plain ones](Voice::rules).
    pub fn rule(&self, cause: Cause) -> u8 {
        self.families.rule(cause)
    }

    pub(super) fn pseudocode(&self) -> [String; 6] {
        [
            "search:",
            "    propagate: each constraint removes values that it cannot have",
            "    if a constraint cannot hold: back",
            "    if each variable has its value: a solution, back",
            "    choose a variable and what to try for it: search",
            "    rule that out: search",
        ]
        .map(str::to_owned)
    }

    pub(super) fn rules(&self) -> Vec<Rule> {
        self.families.rules()
    }

    pub(super) fn standing(&self, variable: usize, value: i64) -> Option<Reason> {
        let place = self.rows.place(variable, value)?;
        let words =
            || format!("{} is not {} from the start", self.variable(variable), self.value(variable, value));
        self.standing.contains(&place).then(|| Reason { rule: self.rule(Cause::Domain), words: words() })
    }

    pub(super) fn start(&self) -> String {
        let variables = self.trace.variables.iter().filter(|x| !x.is_hidden).count();
        let constraints = count(self.trace.constraints.len() as u64, "constraint");
        let words = format!("start: {} and {constraints}", count(variables as u64, "variable"));
        match variables - self.rows.iter().count() {
            0 => words,
            1 => format!("{words}\n1 variable is too large to show"),
            rest => format!("{words}\n{rest} variables are too large to show"),
        }
    }

    pub(super) fn choice(&self, choice: Literal) -> String {
        format!("choose {}", self.literal(choice))
    }

    pub(super) fn taken_back(&self, choice: Literal) -> String {
        format!("{} is taken back, and what followed from it", self.literal(choice))
    }

    pub(super) fn reason(&self, removal: Removal<'_>, value: i64) -> Reason {
        let out =
            format!("{} is not {}", self.variable(removal.variable), self.value(removal.variable, value));
        let words = match (removal.cause, removal.choice) {
            (Cause::Decision, Some((choice, _))) => format!("{out}: {} was chosen", self.literal(choice)),
            (Cause::Refutation, Some(choice)) => format!("{out}: {}", self.tried(choice)),
            (cause, _) => format!("{out}, by {}", self.why(cause, removal.blame)),
        };
        Reason { rule: self.rule(removal.cause), words }
    }

    pub(super) fn removals(&self, removals: &[Removal<'_>]) -> String {
        let Some(first) = removals.first() else { return String::new() };
        let mut words = match first.choice {
            Some(choice) => self.tried(choice),
            None => format!("by {}", self.why(first.cause, first.blame)),
        };
        let mut lost: BTreeMap<usize, Vec<Range>> = BTreeMap::new();
        for removal in removals {
            lost.entry(removal.variable).or_default().extend(removal.removed);
        }
        // Those that lost the same are named together.
        let mut lines: Vec<(Vec<String>, Vec<String>)> = Vec::new();
        for (variable, removed) in lost {
            let (removed, name) = (self.ranges(variable, merge(removed)), self.variable(variable));
            match lines.iter_mut().find(|line| line.0 == removed) {
                Some(line) => line.1.push(name),
                None => lines.push((removed, vec![name])),
            }
        }
        for (removed, names) in lines {
            let verb = if names.len() == 1 { "is" } else { "are" };
            words.push_str(&format!("\n{} {verb} not {}", list(&names, "and"), list(&removed, "or")));
        }
        words
    }

    pub(super) fn only_value(&self, variable: usize, value: i64) -> String {
        format!("{} is {}: nothing else is left", self.variable(variable), self.value(variable, value))
    }

    pub(super) fn dead_end(&self, failure: Option<Failure<'_>>, variable: Option<usize>) -> String {
        match (failure, variable) {
            (Some(Failure { cause, blame }), _) => format!("a dead end by {}", self.why(cause, blame)),
            (None, Some(variable)) => format!("{} has no value left", self.variable(variable)),
            (None, None) => "a dead end".to_owned(),
        }
    }

    pub(super) fn solution(&self, values: &[i64]) -> String {
        if values.len() > FEW {
            return "every variable has its value".to_owned();
        }
        let equal = |(variable, &value): (usize, &i64)| {
            self.literal(Literal { variable, relation: Relation::Eq, value })
        };
        values.iter().enumerate().map(equal).collect::<Vec<_>>().join(", ")
    }

    /// Who did it, and for what reason if there is one.
    fn why(&self, cause: Cause, blame: &[Literal]) -> String {
        let who = match cause {
            Cause::Constraint(number) => self.constraint(number),
            Cause::Decision => "the choice".to_owned(),
            Cause::Refutation => "the dead ends".to_owned(),
            Cause::Clause => "what the search learnt".to_owned(),
            Cause::Objective => "the demand for a better solution".to_owned(),
            Cause::Assumption => "an assumption".to_owned(),
            Cause::Domain => "what was known before the search".to_owned(),
        };
        match (blame, self.shared(cause, blame)) {
            ([], _) => who,
            (_, Some(shared)) => format!("{who}, since {shared}"),
            _ => format!("{who}, since {}", self.statements(blame)),
        }
    }

    /// What is blamed on the variables of an `all_different`, if the same is left to each of them: that no other has it.
    fn shared(&self, cause: Cause, blame: &[Literal]) -> Option<String> {
        let Cause::Constraint(number) = cause else { return None };
        if !self.trace.constraints.get(number)?.description.starts_with("all_different(") {
            return None;
        }
        let of = by_variable(blame);
        let mut left = of.iter().map(|(&variable, literals)| self.left(variable, literals));
        let values = left.next()?.filter(|values| 1 < values.len() && values.len() <= of.len())?;
        if left.any(|other| other.as_ref() != Some(&values)) {
            return None;
        }
        let names: Vec<String> = of.keys().map(|&variable| self.variable(variable)).collect();
        let variable = *of.keys().next()?;
        let values: Vec<String> = values.iter().map(|&value| self.value(variable, value)).collect();
        Some(format!("{} have only {} left between them", list(&names, "and"), list(&values, "and")))
    }

    /// The statements about one variable as one.
    fn statement(&self, variable: usize, literals: &[Literal]) -> String {
        let is_bound = |of: &Literal| matches!(of.relation, Relation::Le | Relation::Ge);
        match self.left(variable, literals) {
            Some(values)
                if values.len() == 1
                    || (2..=LISTED).contains(&values.len()) && !literals.iter().all(is_bound) =>
            {
                let values: Vec<String> = values.iter().map(|&value| self.value(variable, value)).collect();
                format!("{} is {}", self.variable(variable), list(&values, "or"))
            }
            _ => {
                let each: Vec<String> = literals.iter().map(|&literal| self.literal(literal)).collect();
                list(&each, "and")
            }
        }
    }

    /// The values that these statements leave to a variable, if it has a row.
    fn left(&self, variable: usize, literals: &[Literal]) -> Option<Vec<i64>> {
        let all = self.rows.values_of(variable)?;
        Some(all.iter().copied().filter(|&x| literals.iter().all(|literal| literal.holds(x))).collect())
    }

    /// Values in a list: of three or more in a row the first and the last.
    fn ranges(&self, variable: usize, ranges: Vec<Range>) -> Vec<String> {
        let value = |value| self.value(variable, value);
        let each = ranges.into_iter().flat_map(|(low, high)| match high.abs_diff(low) {
            0 => vec![value(low)],
            1 => vec![value(low), value(high)],
            _ => vec![format!("{} to {}", value(low), value(high))],
        });
        each.collect()
    }

    fn tried(&self, (choice, solutions): (Literal, u64)) -> String {
        let choice = self.literal(choice);
        match (solutions, self.trace.is_optimising) {
            (0, _) => format!("with {choice} there is no {}", self.wanted),
            (_, true) => format!("with {choice} there is no solution better than the last"),
            (_, false) => format!("with {choice} there {} and no more", are(solutions, self.wanted)),
        }
    }
}

fn by_variable(literals: &[Literal]) -> BTreeMap<usize, Vec<Literal>> {
    let mut of: BTreeMap<usize, Vec<Literal>> = BTreeMap::new();
    for &literal in literals {
        of.entry(literal.variable).or_default().push(literal);
    }
    of
}
