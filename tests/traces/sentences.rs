//! Whether each sentence of a story in plain words is true, by the words alone: they are read back, and held against the
//! formulas of the model over all assignments there are.
//!
//! What is said of the search is meant with its assumptions. That nothing more follows is no claim about the model, and
//! what a decision on a hidden variable means is not known here: such sentences are counted only.

use std::collections::{BTreeMap, BTreeSet};

use csp_core::observe::{Cause, Literal};
use csp_core::prelude::*;
use csp_trace::{CellState, Kind, Step, Story, Teller};

use super::case::Case;
use super::random::{Formulas, Run, each_run, models};
use super::words::{By, End, Line, Reader, Statement, Tried, Why, With};

/// How many sentences of each form are true.
pub(super) type Tally = BTreeMap<&'static str, usize>;

/// Sentences of each form that there are at least, for each model.
const LEAST: &[(&str, f64)] = &[
    ("start", 4.0),
    ("out from the start", 10.0),
    ("out by a constraint", 50.0),
    ("out by several values of one", 1.5),
    ("out by what was learnt", 50.0),
    ("out by the objective", 1.0),
    ("out", 200.0),
    ("why: by", 80.0),
    ("why: with", 30.0),
    ("dead end", 4.0),
    ("chosen", 100.0),
    ("choice", 100.0),
    ("taken back", 50.0),
    ("anew", 0.2),
    ("with: none", 1.0),
    ("with: some", 20.0),
    ("with: new", 1.5),
    ("with: no better", 0.5),
    ("only", 50.0),
    ("solution", 50.0),
    ("over", 2.0),
    ("best", 1.0),
    ("stopped", 0.5),
    ("cut", 0.5),
];

struct Check<'a> {
    story: &'a Story,
    trace: &'a Trace,
    formulas: &'a Formulas<'a>,
    reader: Reader<'a>,
    /// The assignments of what is not out from the start.
    possible: Vec<&'a [i64]>,
    /// Whether each square is out.
    is_out: Vec<Vec<bool>>,
    /// The choices in force, and how many solutions were found before each.
    path: Vec<(Literal, usize)>,
    /// The first of those that were taken back last.
    undone: Option<(Literal, usize)>,
    found: Vec<Vec<i64>>,
    tally: Tally,
}

/// Checks each sentence of a story of a run, or else says which is false.
pub(super) fn check(story: &Story, trace: &Trace, run: &Run<'_>) -> Result<Tally, String> {
    let all = assignments(run.case);
    let formulas = run.formulas(trace);
    let mut check = Check {
        story,
        trace,
        formulas: &formulas,
        reader: Reader(trace),
        possible: all.iter().map(|x| &x[..]).collect(),
        is_out: story.boards[0].rows.iter().map(|row| vec![false; row.cells.len()]).collect(),
        path: Vec::new(),
        undone: None,
        found: Vec::new(),
        tally: Tally::new(),
    };
    for (number, step) in story.steps.iter().enumerate() {
        check.step(number, step).map_err(|e| format!("{e}: step {number}, {:?}", step.words))?;
    }
    Ok(check.tally)
}

fn assignments(case: &Case) -> Vec<Vec<i64>> {
    case.variables.iter().fold(vec![Vec::new()], |all, variable| {
        let longer = |x: &Vec<i64>| {
            let x = x.clone();
            variable.values.iter().map(move |&value| x.iter().copied().chain([value]).collect())
        };
        all.iter().flat_map(longer).collect()
    })
}

fn ensure(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

impl<'a> Check<'a> {
    fn step(&mut self, number: usize, step: &Step) -> Result<(), String> {
        for change in &step.changes {
            self.is_out[change.row][change.cell] = matches!(change.to, CellState::Out { .. });
        }
        let lines: Option<Vec<Line>> = step.words.lines().map(|line| self.reader.line(line)).collect();
        let lines = lines.ok_or("it does not say anything known")?;
        ensure(!lines.is_empty(), "it says nothing")?;
        // What is taken back is told from the first choice on.
        if step.kind == Kind::Undo {
            return self.undo(&lines);
        }
        // The assignments that are not excluded by what the step begins with, if that is known.
        let mut left = None;
        for line in &lines {
            match line {
                Line::By(by) => left = Some(self.left_by(by)?),
                Line::Tried(tried) => left = Some(self.tried(tried, step)?),
                Line::Out(variables, ranges) => {
                    let left = left.as_ref().ok_or("nobody did it")?;
                    for &x in variables {
                        for &(low, high) in ranges {
                            self.out(left.as_deref(), x, |value| low <= value && value <= high)?;
                        }
                    }
                }
                _ => self.line(line, number)?,
            }
        }
        self.whys(step, &lines)
    }

    /// What a line says that stands for itself.
    fn line(&mut self, line: &Line, number: usize) -> Result<(), String> {
        match *line {
            Line::Start(variables, constraints) => {
                let all = (self.formulas.variables, self.trace.constraints.len());
                ensure(number == 0 && (variables, constraints) == all, "there are others")?;
                self.count("start")
            }
            Line::DeadEnd(ref by) => {
                let left = self.left_by(by)?;
                ensure(left.is_none_or(|left| left.is_empty()), "it is not dead")?;
                self.count("dead end")
            }
            Line::Empty(x) => {
                ensure(self.values(x).is_empty(), "it has one")?;
                self.count("empty")
            }
            Line::Only(x, value) => {
                ensure(self.values(x) == [value], "something else is left")?;
                self.count("only")
            }
            Line::Choice(choice) => {
                // The values of a hidden variable are not known.
                let is_hidden = self.is_hidden(&choice);
                let holds = is_hidden || self.values(choice.variable).iter().all(|&v| choice.holds(v));
                ensure(holds, "something else is left")?;
                self.path.push((choice, self.found.len()));
                self.count("choice")
            }
            Line::Fixpoint => self.count("fixpoint"),
            Line::Solution(number, ref x) => {
                ensure(number == self.found.len() + 1, "it is another")?;
                ensure(self.possible.contains(&&x[..]) && self.is_wanted(x), "it is none")?;
                ensure((0..x.len()).all(|i| self.values(i) == [x[i]]), "the board has another")?;
                self.found.push(x.clone());
                self.count("solution")
            }
            Line::End(ref end) => {
                ensure(number + 1 == self.story.steps.len(), "it goes on")?;
                self.end(end, number)
            }
            _ => Err("it is said in the wrong place".to_owned()),
        }
    }

    fn undo(&mut self, lines: &[Line]) -> Result<(), String> {
        if let [Line::Anew] = lines {
            ensure(self.path.is_empty(), "there are choices left")?;
            return self.count("anew");
        }
        let back: Option<Vec<Literal>> = lines
            .iter()
            .map(|line| if let Line::TakenBack(choice) = line { Some(*choice) } else { None })
            .collect();
        let kept = self.path.len().saturating_sub(lines.len());
        let is_last =
            back.is_some_and(|back| back.iter().eq(self.path[kept..].iter().map(|(choice, _)| choice)));
        ensure(is_last, "it is not the last choice")?;
        self.undone = self.path.get(kept).copied();
        self.path.truncate(kept);
        self.count("taken back")
    }

    fn end(&mut self, end: &End, steps: usize) -> Result<(), String> {
        let found = self.found.len();
        let is_solved = self.story.steps[steps - 1].kind == Kind::Solution;
        let is_over = matches!(end, End::Over { .. } | End::Best(_));
        ensure(is_over == self.trace.is_complete, "the search says otherwise")?;
        let (form, holds) = match *end {
            End::Over { solutions } => {
                let nothing = BTreeSet::new();
                let all = self.possible.iter().filter(|x| self.formulas.is_wanted_one(x, &nothing));
                ("over", all.count() == solutions)
            }
            End::Best(number) => {
                ensure(self.trace.is_optimising, "nothing is better than another")?;
                ("best", number == found && !self.possible.iter().any(|x| self.is_wanted(x)))
            }
            End::Stopped(number) => ("stopped", number == found && is_solved),
            End::Cut(number) => ("cut", number == steps && !is_solved),
        };
        ensure(holds, "it is not so")?;
        self.count(form)
    }

    /// The assignments that somebody leaves, given what is blamed; none if that is not known.
    fn left_by(&mut self, by: &By) -> Result<Option<Vec<&'a [i64]>>, String> {
        for statement in &by.blame {
            let x = statement.variable();
            if x >= self.formulas.variables {
                self.count("blames what is hidden")?;
                return Ok(None);
            }
            ensure(self.values(x).iter().all(|&v| statement.allows(v)), "what is blamed does not hold")?;
        }
        let found = self.found.iter().cloned().collect();
        let allows = |x: &&[i64]| {
            by.blame.iter().all(|statement| statement.allows(x[statement.variable()]))
                && by.causes.iter().all(|&cause| self.formulas.satisfies(x, cause, &found))
        };
        let left = self.possible.iter().copied().filter(allows).collect();
        let several = by.blame.iter().any(|of| matches!(of, Statement::In(_, values) if values.len() > 1));
        let form = match by.causes[0] {
            Cause::Constraint(_) if by.is_shared => "out by values between them",
            Cause::Constraint(_) if several => "out by several values of one",
            Cause::Constraint(_) => "out by a constraint",
            Cause::Clause => "out by what was learnt",
            Cause::Objective => "out by the objective",
            Cause::Assumption => "out by an assumption",
            _ => "out by what was known",
        };
        self.count(form)?;
        Ok(Some(left))
    }

    /// The assignments still to be found under the present choices, after one was refuted at the node of the step.
    fn tried(&mut self, tried: &Tried, step: &Step) -> Result<Option<Vec<&'a [i64]>>, String> {
        let mut others = Vec::new();
        let mut node = self.story.nodes[step.node].parent;
        while let Some(above) = node {
            if let Some(choice) = self.story.nodes[above].label.strip_prefix("not ") {
                others.push(self.reader.literal(choice).ok_or("a node is not named after a choice")?);
            }
            node = self.story.nodes[above].parent;
        }
        let undone = self.undone.filter(|undone| undone.0 == tried.choice);
        let (_, before) = undone.ok_or("something else was tried")?;
        let path = || self.path.iter().map(|(choice, _)| choice);
        if path().chain(&others).chain([&tried.choice]).any(|choice| self.is_hidden(choice)) {
            self.count("with: what is hidden")?;
            return Ok(None);
        }
        let holds = |choice: &Literal, x: &[i64]| choice.holds(x[choice.variable]);
        let here = |x: &&[i64]| {
            path().all(|choice| holds(choice, x)) && !others.iter().any(|choice| holds(choice, x))
        };
        let here: Vec<&[i64]> = self.possible.iter().copied().filter(here).collect();
        let (form, holds) = match tried.with {
            With::NoBetter => {
                ensure(self.trace.is_optimising, "nothing is better than another")?;
                let better = here.iter().any(|x| holds(&tried.choice, x) && self.is_wanted(x));
                ("with: no better", !better)
            }
            With::Solutions(number) | With::New(number) => {
                let is_new = matches!(tried.with, With::New(_));
                let known = &self.found[..if is_new { before } else { 0 }];
                let known = known.iter().cloned().collect();
                let is_one = |x: &&&[i64]| holds(&tried.choice, x) && self.formulas.is_wanted_one(x, &known);
                let form = match (is_new, number) {
                    (true, _) => "with: new",
                    (false, 0) => "with: none",
                    (false, _) => "with: some",
                };
                (form, here.iter().filter(is_one).count() == number)
            }
        };
        ensure(holds, "there are others")?;
        self.count(form)?;
        Ok(Some(here.into_iter().filter(|x| self.is_wanted(x)).collect()))
    }

    /// That no assignment that is left has such a value of a variable.
    fn out(&mut self, left: Option<&[&[i64]]>, x: usize, is_out: impl Fn(i64) -> bool) -> Result<(), String> {
        let known = x < self.formulas.variables;
        let has_it = known && left.is_some_and(|left| left.iter().any(|of| is_out(of[x])));
        ensure(!has_it, &format!("variable {x} may have it"))?;
        ensure(!known || !self.values(x).into_iter().any(&is_out), "the board has it")?;
        self.count("out")
    }

    /// The sentence of each square that went out.
    fn whys(&mut self, step: &Step, lines: &[Line]) -> Result<(), String> {
        // By their words but for the value.
        let mut known: BTreeMap<&str, Option<Vec<&[i64]>>> = BTreeMap::new();
        for why in &step.why {
            let sentence =
                self.reader.why(&why.words).ok_or_else(|| format!("{:?} is unknown", why.words))?;
            let (x, value, reason) = sentence;
            let row = &self.story.boards[0].rows[why.row];
            ensure(x == why.row && row.cells[why.cell] == value.to_string(), "it is of another square")?;
            let form = match reason {
                Why::FromTheStart => {
                    let nothing = BTreeSet::new();
                    let has_it = |of: &&[i64]| of[x] == value && self.formulas.is_wanted_one(of, &nothing);
                    ensure(!self.possible.iter().any(has_it), "a solution has it")?;
                    "out from the start"
                }
                Why::Chosen(choice) => {
                    let is_other = choice.variable == x && !choice.holds(value);
                    ensure(
                        is_other && self.path.last().is_some_and(|last| last.0 == choice),
                        "it was not chosen",
                    )?;
                    "chosen"
                }
                Why::Tried(tried) => {
                    // What is left without it was checked with the step.
                    let is_told = lines.iter().any(|line| matches!(line, Line::Tried(of) if *of == tried));
                    ensure(is_told, "the step says otherwise")?;
                    "why: with"
                }
                Why::By(by) => {
                    let words = why.words.split_once(", by ").map_or("", |(_, words)| words);
                    if !known.contains_key(words) {
                        let left = self.left_by(&by)?;
                        known.insert(words, left);
                    }
                    self.out(known[words].as_deref(), x, |other| other == value)
                        .map_err(|e| format!("{e}: {:?}", why.words))?;
                    "why: by"
                }
            };
            self.count(form)?;
        }
        if step.kind == Kind::Start {
            let rows = &self.story.boards[0].rows;
            let is_out = |x: usize, value: i64| {
                let cell = rows[x].cells.iter().position(|cell| *cell == value.to_string());
                cell.is_none_or(|cell| self.is_out[x][cell])
            };
            self.possible.retain(|of| !of.iter().enumerate().any(|(x, &value)| is_out(x, value)));
        }
        Ok(())
    }

    /// The values that the board has for a variable.
    fn values(&self, x: usize) -> Vec<i64> {
        let cells = self.story.boards[0].rows[x].cells.iter().zip(&self.is_out[x]);
        cells.filter(|cell| !cell.1).filter_map(|(cell, _)| cell.parse().ok()).collect()
    }

    fn is_wanted(&self, x: &[i64]) -> bool {
        self.formulas.is_wanted_one(x, &self.found.iter().cloned().collect())
    }

    fn is_hidden(&self, choice: &Literal) -> bool {
        choice.variable >= self.formulas.variables
    }

    fn count(&mut self, form: &'static str) -> Result<(), String> {
        *self.tally.entry(form).or_default() += 1;
        Ok(())
    }
}

pub(super) fn trace(run: &Run<'_>) -> Trace {
    run.search(Some(Tracing::new().events(usize::MAX))).take_trace().unwrap()
}

#[test]
fn every_sentence_is_true() {
    let mut sum = Tally::new();
    each_run(0..models(), |run| {
        let trace = trace(run);
        let story = Teller::new(&trace).limit(usize::MAX).story().unwrap();
        let tally = check(&story, &trace, run).unwrap_or_else(|e| panic!("{e}\n{run}"));
        for (form, count) in tally {
            *sum.entry(form).or_default() += count;
        }
    });
    println!("{sum:#?}");
    let of = |form: &str| sum.get(form).copied().unwrap_or(0);
    for (form, least) in LEAST {
        assert!(of(form) as f64 >= least * f64::from(models()), "{form}: {}", of(form));
    }
    assert!(5 * of("blames what is hidden") < of("out"));
}
