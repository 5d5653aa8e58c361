//! Plain words for the search of any model: the names of its variables and constraints, and what is
//! blamed, in sentences.

use std::collections::{BTreeMap, BTreeSet};

use csp_core::engine::Relation;
use csp_core::observe::{Cause, Literal, Range, Trace, TraceEvent};

use super::{Failure, Place, Reason, Removal, Voice, count, families::Families, rows::Rows};
use crate::Rule;

/// A description longer than this is cut.
const LONGEST: usize = 60;
/// A solution of more variables is not written out: the board shows it.
const FEW: usize = 20;
/// Values of a variable that are listed; more are told by its bounds.
const LISTED: usize = 4;

/// A trace in plain words.
#[derive(Debug)]
pub(super) struct Words<'a> {
    trace: &'a Trace,
    rows: &'a Rows,
    families: Families,
    standing: BTreeSet<Place>,
    /// What the search looks for: any solution, or others than before.
    wanted: &'static str,
}

impl<'a> Words<'a> {
    pub(super) fn new(trace: &'a Trace, rows: &'a Rows, is_optimising: bool) -> Words<'a> {
        let standing = rows.standing(trace).into_iter().collect();
        let wanted = match is_optimising {
            true => "better solution",
            // What was found before a restart is not looked for again.
            false if trace.events.contains(&TraceEvent::Restart) => "new solution",
            false => "solution",
        };
        Words { trace, rows, families: Families::new(trace), standing, wanted }
    }

    fn name(&self, variable: usize) -> &str {
        self.trace.variables.get(variable).map_or("?", |x| &x.name)
    }

    /// Who did it, and for what reason if there is one. A failure removes nothing.
    fn by(&self, cause: Cause, blame: &[Literal], removals: &[Removal<'_>]) -> String {
        let who = match cause {
            Cause::Constraint(number) => self.constraint(number),
            Cause::Decision => "the choice".to_owned(),
            Cause::Refutation => "the dead ends".to_owned(),
            Cause::Clause => "what the search learnt".to_owned(),
            Cause::Objective => "the demand for a better solution".to_owned(),
            Cause::Assumption => "an assumption".to_owned(),
            Cause::Domain => "what was known before the search".to_owned(),
        };
        match blame.is_empty() {
            true => who,
            false => format!("{who}, since {}", self.blame(cause, blame, removals)),
        }
    }

    fn constraint(&self, number: usize) -> String {
        let Some(constraint) = self.trace.constraints.get(number) else { return "a constraint".to_owned() };
        let name = constraint.name.as_deref().unwrap_or(&constraint.description);
        match name.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &name[..end]),
            None => name.to_owned(),
        }
    }

    /// What is blamed, variable by variable.
    fn blame(&self, cause: Cause, blame: &[Literal], removals: &[Removal<'_>]) -> String {
        let mut of: BTreeMap<usize, Vec<Literal>> = BTreeMap::new();
        for &literal in blame {
            of.entry(literal.variable).or_default().push(literal);
        }
        let left: Option<BTreeMap<usize, Vec<i64>>> =
            of.iter().map(|(&variable, literals)| Some((variable, self.left(variable, literals)?))).collect();
        if let Some(left) = left.filter(|left| left.len() > 1 && left.values().any(|values| values.len() > 1))
        {
            let values: BTreeSet<i64> = left.values().flatten().copied().collect();
            if self.is_hall_set(cause, &left, &values, removals) {
                let names: Vec<&str> = left.keys().map(|&variable| self.name(variable)).collect();
                let values: Vec<String> = values.iter().map(i64::to_string).collect();
                let names = list(&names, "and");
                return format!("{names} have only {} left between them", list(&values, "and"));
            }
        }
        let each: Vec<String> =
            of.iter().map(|(&variable, literals)| self.statement(variable, literals)).collect();
        list(&each, "and")
    }

    /// Whether it is reason enough that these variables have only these values, whichever of them each has: they are
    /// all different, and as many as the values, so that no other has one of these; or even more, which cannot be.
    fn is_hall_set(
        &self,
        cause: Cause,
        left: &BTreeMap<usize, Vec<i64>>,
        values: &BTreeSet<i64>,
        removals: &[Removal<'_>],
    ) -> bool {
        let all_different = self.all_different(cause);
        let are_among = |&(low, high): &Range| (low..=high).all(|value| values.contains(&value));
        let takes_theirs = |removal: &Removal<'_>| {
            !left.contains_key(&removal.variable)
                && all_different.contains(&removal.variable)
                && removal.removed.iter().all(are_among)
        };
        left.keys().all(|variable| all_different.contains(variable))
            && match removals {
                [] => values.len() < left.len(),
                _ => values.len() == left.len() && removals.iter().all(takes_theirs),
            }
    }

    /// The variables that a constraint wants to be all different, if it says nothing else.
    fn all_different(&self, cause: Cause) -> &[usize] {
        let Cause::Constraint(number) = cause else { return &[] };
        let Some(constraint) = self.trace.constraints.get(number) else { return &[] };
        let inner = constraint.description.strip_prefix("all_different(").and_then(|of| of.strip_suffix(')'));
        let mut operands: Vec<&str> = inner.map_or(Vec::new(), |of| of.split(", ").collect());
        let mut names: Vec<&str> = constraint.scope.iter().map(|&variable| self.name(variable)).collect();
        operands.sort_unstable();
        names.sort_unstable();
        if operands == names { &constraint.scope } else { &[] }
    }

    /// The statements about one variable as one.
    fn statement(&self, variable: usize, literals: &[Literal]) -> String {
        let is_bound = |of: &Literal| matches!(of.relation, Relation::Le | Relation::Ge);
        match self.left(variable, literals) {
            Some(values)
                if values.len() == 1
                    || (2..=LISTED).contains(&values.len()) && !literals.iter().all(is_bound) =>
            {
                let values: Vec<String> = values.iter().map(i64::to_string).collect();
                format!("{} is {}", self.name(variable), list(&values, "or"))
            }
            _ => {
                let each: Vec<String> = literals.iter().map(|&literal| self.trace.words(literal)).collect();
                list(&each, "and")
            }
        }
    }

    /// The values that these statements leave to a variable, if it has a row.
    fn left(&self, variable: usize, literals: &[Literal]) -> Option<Vec<i64>> {
        let all = self.rows.values_of(variable)?;
        Some(all.iter().copied().filter(|&x| literals.iter().all(|literal| literal.holds(x))).collect())
    }
}

impl Voice for Words<'_> {
    fn pseudocode(&self) -> [String; 6] {
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

    fn rules(&self) -> Vec<Rule> {
        self.families.rules()
    }

    fn label(&self, variable: usize) -> String {
        self.name(variable).to_owned()
    }

    fn standing(&self, square: Place) -> Option<Reason> {
        let words = || {
            format!(
                "{} is not {} from the start",
                self.name(self.rows.variable(square.0)),
                self.rows.value(square)
            )
        };
        self.standing
            .contains(&square)
            .then(|| Reason { rule: self.families.rule(Cause::Domain), words: words() })
    }

    fn is_given(&self, _: Place) -> bool {
        true
    }

    fn start(&self) -> String {
        let variables = self.trace.variables.iter().filter(|x| !x.is_hidden).count();
        let constraints = self.trace.constraints.len();
        let words = format!(
            "start: {} and {}",
            count(variables as u64, "variable"),
            count(constraints as u64, "constraint")
        );
        match variables - self.rows.iter().count() {
            0 => words,
            rest => format!("{words}\n{} too large to show", are(rest as u64, "variable")),
        }
    }

    fn branch(&self, choice: Literal) -> String {
        self.trace.words(choice)
    }

    fn choice(&self, choice: Literal) -> String {
        format!("choose {}", self.trace.words(choice))
    }

    fn taken_back(&self, choice: Literal) -> String {
        format!("{} is taken back, and what followed from it", self.trace.words(choice))
    }

    fn reason(&self, removal: Removal<'_>, square: Place) -> Option<Reason> {
        let (name, value) = (self.name(removal.variable), self.rows.value(square));
        let words = match (removal.cause, removal.choice) {
            (Cause::Decision, Some((choice, _))) => {
                format!("{name} is not {value}: {} was chosen", self.trace.words(choice))
            }
            (Cause::Refutation, Some(choice)) => format!("{name} is not {value}: {}", self.tried(choice)),
            (cause, _) => {
                let removed = &[(value, value)];
                let by = self.by(cause, removal.blame, &[Removal { removed, ..removal }]);
                format!("{name} is not {value}, by {by}")
            }
        };
        Some(Reason { rule: self.families.rule(removal.cause), words })
    }

    fn removals(&self, removals: &[Removal<'_>], _: &[Reason]) -> String {
        let Some(first) = removals.first() else { return String::new() };
        let mut words = match first.choice {
            Some(choice) => self.tried(choice),
            None => format!("by {}", self.by(first.cause, first.blame, removals)),
        };
        let mut lost: BTreeMap<usize, Vec<Range>> = BTreeMap::new();
        for removal in removals {
            lost.entry(removal.variable).or_default().extend(removal.removed);
        }
        // Those that lost the same are named together.
        let mut lines: Vec<(Vec<Range>, Vec<&str>)> = Vec::new();
        for (variable, mut removed) in lost {
            removed.sort_unstable();
            removed.dedup_by(|next, last| {
                let is_adjacent = last.1.checked_add(1) == Some(next.0);
                if is_adjacent {
                    last.1 = next.1;
                }
                is_adjacent
            });
            match lines.iter_mut().find(|line| line.0 == removed) {
                Some(line) => line.1.push(self.name(variable)),
                None => lines.push((removed, vec![self.name(variable)])),
            }
        }
        for (removed, names) in lines {
            let ranges: Vec<String> = removed.into_iter().flat_map(values).collect();
            let verb = if names.len() == 1 { "is" } else { "are" };
            words.push_str(&format!("\n{} {verb} not {}", list(&names, "and"), list(&ranges, "or")));
        }
        words
    }

    fn only_square(&self, square: Place) -> String {
        format!(
            "{} is {}: nothing else is left",
            self.name(self.rows.variable(square.0)),
            self.rows.value(square)
        )
    }

    fn last_square(&self, _: Failure<'_>) -> Option<(Place, Reason)> {
        None
    }

    fn dead_end(&self, failure: Option<Failure<'_>>, row: Option<(usize, &[Reason])>) -> Option<String> {
        Some(match (failure, row) {
            (Some(Failure { cause, blame }), _) => format!("a dead end by {}", self.by(cause, blame, &[])),
            (None, Some((row, _))) => format!("{} has no value left", self.name(self.rows.variable(row))),
            (None, None) => "a dead end".to_owned(),
        })
    }

    fn solution(&self, values: &[i64]) -> String {
        if values.len() > FEW {
            return "every variable has its value".to_owned();
        }
        let each =
            values.iter().enumerate().map(|(variable, value)| format!("{} = {value}", self.name(variable)));
        each.collect::<Vec<_>>().join(", ")
    }
}

impl Words<'_> {
    fn tried(&self, (choice, solutions): (Literal, u64)) -> String {
        let choice = self.trace.words(choice);
        match (solutions, self.wanted) {
            (0, wanted) => format!("with {choice} there is no {wanted}"),
            (_, "better solution") => format!("with {choice} there is no solution better than the last"),
            (_, wanted) => format!("with {choice} there {} and no more", are(solutions, wanted)),
        }
    }
}

/// Items as one reads them: `a, b and c`.
fn list(items: &[impl AsRef<str>], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., end] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} {last} {}", first.join(", "), end.as_ref())
        }
    }
}

fn are(number: u64, thing: &str) -> String {
    format!("{} {}", if number == 1 { "is" } else { "are" }, count(number, thing))
}

/// Values in a list: those of three or more in a row from the first to the last.
fn values((low, high): Range) -> Vec<String> {
    match high.abs_diff(low) {
        0 => vec![low.to_string()],
        1 => vec![low.to_string(), high.to_string()],
        _ => vec![format!("{low} to {high}")],
    }
}
