//! A case: a model, and all that is done with it, as plain data.

use std::fmt;

use csp_core::search::{Branching, Mode};

use super::formula::{Bool, Int};

#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) variables: Vec<Variable>,
    pub(crate) constraints: Vec<Bool>,
    pub(crate) steps: Vec<Step>,
}

#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// Ascending.
    pub(crate) values: Vec<i64>,
    pub(crate) is_boolean: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Push,
    Pop,
    Post(Bool),
    Propagate,
    Search(Search),
}

/// One search. What is not given stays as it was.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    pub(crate) task: Task,
    /// In the run where each search has its own.
    pub(crate) mode: Mode,
    /// Always given.
    pub(crate) assumptions: Vec<Bool>,
    pub(crate) hints: Option<Vec<(usize, i64)>>,
    pub(crate) strategy: Option<Strategy>,
    pub(crate) restarts: Option<Restart>,
    pub(crate) seed: u64,
    pub(crate) projection: Option<Vec<usize>>,
    pub(crate) limit: Option<Limit>,
    /// How many learnt clauses are held.
    pub(crate) clauses: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) enum Task {
    Count,
    /// The iterator, perhaps dropped after so many.
    Solutions(Option<usize>),
    First,
    /// Ended by the caller, perhaps, after so many improvements.
    Optimise {
        objective: Int,
        maximise: bool,
        enough: Option<usize>,
    },
}

#[derive(Clone, Debug)]
pub(crate) enum Strategy {
    /// Orders by their places in [`ORDERS`] and [`CHOICES`].
    Branch { variables: Vec<usize>, order: usize, choice: usize, last_conflict: bool },
    /// Any decision on any variable.
    Random,
}

pub(crate) type Builder = (&'static str, fn(Branching) -> Branching);

pub(crate) const ORDERS: [Builder; 9] = [
    ("input_order", Branching::input_order),
    ("smallest_domain", Branching::smallest_domain),
    ("largest_domain", Branching::largest_domain),
    ("smallest_min", Branching::smallest_min),
    ("largest_max", Branching::largest_max),
    ("most_constrained", Branching::most_constrained),
    ("dom_wdeg", Branching::dom_wdeg),
    ("activity", Branching::activity),
    ("random_variable", Branching::random_variable),
];

pub(crate) const CHOICES: [Builder; 6] = [
    ("min_value", Branching::min_value),
    ("max_value", Branching::max_value),
    ("median_value", Branching::median_value),
    ("random_value", Branching::random_value),
    ("split", Branching::split),
    ("reverse_split", Branching::reverse_split),
];

#[derive(Clone, Copy, Debug)]
pub(crate) enum Restart {
    Never,
    Luby(u64),
    Geometric(u64, f64),
    Glucose,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    Nodes(u64),
    Failures(u64),
    Solutions(u64),
    Discrepancies(u64),
    /// Told to stop before it begins.
    Handle,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Variable { values, is_boolean }) in self.variables.iter().enumerate() {
            let kind = if *is_boolean { "Boolean" } else { "integer" };
            writeln!(f, "  x{i}: {kind} of {values:?}")?;
        }
        self.constraints.iter().try_for_each(|constraint| writeln!(f, "  {constraint}"))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Push => f.write_str("push"),
            Step::Pop => f.write_str("pop"),
            Step::Post(constraint) => write!(f, "post {constraint}"),
            Step::Propagate => f.write_str("propagate"),
            Step::Search(search) => write!(f, "{search}"),
        }
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.task {
            Task::Count => f.write_str("count")?,
            Task::Solutions(None) => f.write_str("solutions")?,
            Task::Solutions(Some(k)) => write!(f, "solutions, dropped after {k}")?,
            Task::First => f.write_str("first")?,
            Task::Optimise { objective, maximise, enough } => {
                write!(f, "{} {objective}", if *maximise { "maximise" } else { "minimise" })?;
                enough.map_or(Ok(()), |k| write!(f, ", ended after {k}"))?;
            }
        }
        match &self.strategy {
            None => {}
            Some(Strategy::Random) => f.write_str("; random decisions")?,
            Some(Strategy::Branch { variables, order, choice, last_conflict }) => {
                let (order, choice) = (ORDERS[*order].0, CHOICES[*choice].0);
                write!(f, "; branch on {variables:?} by {order} and {choice}")?;
                f.write_str(if *last_conflict { ", last_conflict" } else { "" })?;
            }
        }
        for assumption in &self.assumptions {
            write!(f, "; assuming {assumption}")?;
        }
        self.hints.as_ref().map_or(Ok(()), |hints| write!(f, "; hints {hints:?}"))?;
        self.restarts.map_or(Ok(()), |restarts| write!(f, "; restarts {restarts:?}"))?;
        self.projection.as_ref().map_or(Ok(()), |on| write!(f, "; projection on {on:?}"))?;
        self.limit.map_or(Ok(()), |limit| write!(f, "; limit {limit:?}"))?;
        self.clauses.map_or(Ok(()), |limit| write!(f, "; clause limit {limit}"))?;
        write!(f, "; seed {}; by itself {:?}", self.seed, self.mode)
    }
}
