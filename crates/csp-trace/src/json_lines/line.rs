//! The lines of the format, and what each is in a trace.

use csp_core::Trace;
use csp_core::TraceEvent;
use csp_core::engine::Relation;
use csp_core::observe::{Cause, Literal, Range, TraceCounts, TracedConstraint, TracedVariable};
use serde::{Deserialize, Serialize};

/// Any line but the first.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Line {
    Variable {
        name: String,
        initial: Vec<Range>,
        #[serde(default, skip_serializing_if = "is_false")]
        hidden: bool,
    },
    Constraint {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        description: String,
        scope: Vec<usize>,
    },
    Node {
        node: u64,
        parent: u64,
        depth: usize,
        alternative: u8,
    },
    Decision {
        node: u64,
        literal: Statement,
    },
    Change {
        variable: usize,
        removed: Vec<Range>,
        cause: By,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        blame: Vec<Statement>,
    },
    Fixpoint,
    Failure {
        cause: By,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        blame: Vec<Statement>,
    },
    Solution {
        values: Vec<i64>,
    },
    Undo {
        to_depth: usize,
        changes: usize,
    },
    Restart,
    End {
        variables: usize,
        constraints: usize,
        events: usize,
        counts: Counts,
        #[serde(default, skip_serializing_if = "is_false")]
        optimising: bool,
        #[serde(default, skip_serializing_if = "is_false")]
        assuming: bool,
        #[serde(default, skip_serializing_if = "is_false")]
        complete: bool,
    },
}

fn is_false(value: &bool) -> bool {
    !value
}

/// A literal.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Statement(usize, Sign, i64);

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum Sign {
    #[serde(rename = "=")]
    Equal,
    #[serde(rename = "!=")]
    Other,
    #[serde(rename = "<=")]
    AtMost,
    #[serde(rename = ">=")]
    AtLeast,
}

/// A cause.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum By {
    Decision,
    Refutation,
    Constraint(usize),
    Clause,
    Objective,
    Assumption,
    Domain,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Counts {
    nodes: u64,
    decisions: u64,
    changes: u64,
    fixpoints: u64,
    failures: u64,
    solutions: u64,
    undos: u64,
    restarts: u64,
}

impl From<&TracedVariable> for Line {
    fn from(variable: &TracedVariable) -> Line {
        let TracedVariable { name, initial, is_hidden } = variable.clone();
        Line::Variable { name, initial, hidden: is_hidden }
    }
}

impl From<&TracedConstraint> for Line {
    fn from(constraint: &TracedConstraint) -> Line {
        let TracedConstraint { name, description, scope } = constraint.clone();
        Line::Constraint { name, description, scope }
    }
}

impl From<&TraceEvent> for Line {
    fn from(event: &TraceEvent) -> Line {
        let statements = |blame: Vec<Literal>| blame.into_iter().map(Statement::from).collect();
        match event.clone() {
            TraceEvent::Node { node, parent, depth, alternative } => {
                Line::Node { node, parent, depth, alternative }
            }
            TraceEvent::Decision { node, literal } => Line::Decision { node, literal: literal.into() },
            TraceEvent::Change { variable, removed, cause, blame } => {
                Line::Change { variable, removed, cause: cause.into(), blame: statements(blame) }
            }
            TraceEvent::Fixpoint => Line::Fixpoint,
            TraceEvent::Failure { cause, blame } => {
                Line::Failure { cause: cause.into(), blame: statements(blame) }
            }
            TraceEvent::Solution { values } => Line::Solution { values },
            TraceEvent::Undo { to_depth, changes } => Line::Undo { to_depth, changes },
            TraceEvent::Restart => Line::Restart,
        }
    }
}

impl Line {
    /// The last line.
    pub(super) fn end(trace: &Trace) -> Line {
        Line::End {
            variables: trace.variables.len(),
            constraints: trace.constraints.len(),
            events: trace.events.len(),
            counts: trace.counts.into(),
            optimising: trace.is_optimising,
            assuming: trace.is_assuming,
            complete: trace.is_complete,
        }
    }

    /// Puts what the line says into a trace; whether it was the last line. Parts come before events, so
    /// that numbers can be checked as they come.
    pub(super) fn add_to(self, trace: &mut Trace) -> Result<bool, &'static str> {
        let event = match self {
            Line::Variable { name, initial, hidden } => {
                if !trace.constraints.is_empty() || !trace.events.is_empty() {
                    return Err("a variable comes too late");
                }
                trace.variables.push(TracedVariable { name, initial, is_hidden: hidden });
                return Ok(false);
            }
            Line::Constraint { name, description, scope } => {
                if !trace.events.is_empty() {
                    return Err("a constraint comes too late");
                }
                scope.iter().try_for_each(|&variable| known(variable, trace))?;
                trace.constraints.push(TracedConstraint { name, description, scope });
                return Ok(false);
            }
            Line::End { variables, constraints, events, counts, optimising, assuming, complete } => {
                let told = (variables, constraints, events);
                if told != (trace.variables.len(), trace.constraints.len(), trace.events.len()) {
                    return Err("there were more lines or fewer before the last one than it says");
                }
                trace.counts = counts.into();
                trace.is_optimising = optimising;
                trace.is_assuming = assuming;
                trace.is_complete = complete;
                return Ok(true);
            }
            Line::Node { node, parent, depth, alternative } => {
                TraceEvent::Node { node, parent, depth, alternative }
            }
            Line::Decision { node, literal } => {
                TraceEvent::Decision { node, literal: literal.within(trace)? }
            }
            Line::Change { variable, removed, cause, blame } => {
                known(variable, trace)?;
                TraceEvent::Change {
                    variable,
                    removed,
                    cause: cause.within(trace)?,
                    blame: literals(&blame, trace)?,
                }
            }
            Line::Fixpoint => TraceEvent::Fixpoint,
            Line::Failure { cause, blame } => {
                TraceEvent::Failure { cause: cause.within(trace)?, blame: literals(&blame, trace)? }
            }
            Line::Solution { values } => TraceEvent::Solution { values },
            Line::Undo { to_depth, changes } => TraceEvent::Undo { to_depth, changes },
            Line::Restart => TraceEvent::Restart,
        };
        trace.events.push(event);
        Ok(false)
    }
}

fn known(variable: usize, trace: &Trace) -> Result<(), &'static str> {
    if variable < trace.variables.len() { Ok(()) } else { Err("it speaks of a variable that is not there") }
}

fn literals(blame: &[Statement], trace: &Trace) -> Result<Vec<Literal>, &'static str> {
    blame.iter().map(|statement| statement.within(trace)).collect()
}

impl From<Literal> for Statement {
    fn from(literal: Literal) -> Statement {
        let sign = match literal.relation {
            Relation::Eq => Sign::Equal,
            Relation::Ne => Sign::Other,
            Relation::Le => Sign::AtMost,
            Relation::Ge => Sign::AtLeast,
        };
        Statement(literal.variable, sign, literal.value)
    }
}

impl Statement {
    fn within(self, trace: &Trace) -> Result<Literal, &'static str> {
        let Statement(variable, sign, value) = self;
        known(variable, trace)?;
        let relation = match sign {
            Sign::Equal => Relation::Eq,
            Sign::Other => Relation::Ne,
            Sign::AtMost => Relation::Le,
            Sign::AtLeast => Relation::Ge,
        };
        Ok(Literal { variable, relation, value })
    }
}

impl From<Cause> for By {
    fn from(cause: Cause) -> By {
        match cause {
            Cause::Decision => By::Decision,
            Cause::Refutation => By::Refutation,
            Cause::Constraint(number) => By::Constraint(number),
            Cause::Clause => By::Clause,
            Cause::Objective => By::Objective,
            Cause::Assumption => By::Assumption,
            Cause::Domain => By::Domain,
        }
    }
}

impl By {
    fn within(self, trace: &Trace) -> Result<Cause, &'static str> {
        Ok(match self {
            By::Decision => Cause::Decision,
            By::Refutation => Cause::Refutation,
            By::Constraint(number) if number < trace.constraints.len() => Cause::Constraint(number),
            By::Constraint(_) => return Err("it speaks of a constraint that is not there"),
            By::Clause => Cause::Clause,
            By::Objective => Cause::Objective,
            By::Assumption => Cause::Assumption,
            By::Domain => Cause::Domain,
        })
    }
}

impl From<TraceCounts> for Counts {
    fn from(counts: TraceCounts) -> Counts {
        Counts {
            nodes: counts.nodes,
            decisions: counts.decisions,
            changes: counts.changes,
            fixpoints: counts.fixpoints,
            failures: counts.failures,
            solutions: counts.solutions,
            undos: counts.undos,
            restarts: counts.restarts,
        }
    }
}

impl From<Counts> for TraceCounts {
    fn from(counts: Counts) -> TraceCounts {
        let mut known = TraceCounts::default();
        known.nodes = counts.nodes;
        known.decisions = counts.decisions;
        known.changes = counts.changes;
        known.fixpoints = counts.fixpoints;
        known.failures = counts.failures;
        known.solutions = counts.solutions;
        known.undos = counts.undos;
        known.restarts = counts.restarts;
        known
    }
}
