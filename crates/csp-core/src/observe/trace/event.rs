//! The events of a search, as plain data.

use std::fmt;

use crate::engine::Relation;

/// A closed interval of values.
pub type Range = (i64, i64);

/// A statement about one variable: `x = 3`, `x ≠ 3`, `x ≤ 3` or `x ≥ 3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// The number of the variable in [`Trace::variables`].
    pub variable: usize,
    /// How it is compared.
    pub relation: Relation,
    /// With what.
    pub value: i64,
}

impl Literal {
    /// Whether the statement is true of the variable's value `x`.
    pub fn holds(self, x: i64) -> bool {
        self.relation.holds(x, self.value)
    }
}

/// Who changed a domain or found that there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The search, by a decision.
    Decision,
    /// The search: a decision turned out wrong, so its opposite holds as long as the decisions before it do.
    Refutation,
    /// A constraint, by its number in [`Trace::constraints`].
    Constraint(usize),
    /// What the search found out before: a learnt clause, or a nogood left by a restart.
    Clause,
    /// The demand for a better solution.
    Objective,
    /// What defines an [assumption](crate::Solver::set_assumptions).
    Assumption,
    /// It was known before the search began: a fact about one variable, or what was propagated before, for an earlier
    /// search, an objective that is an expression, or assumptions. It is taken for granted in what is blamed later.
    Domain,
}

/// One step of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceEvent {
    /// A node of the search tree: the changes that follow belong to it.
    Node {
        /// Its number, from 1, as [`Statistics::nodes`](crate::Statistics::nodes) counts.
        node: u64,
        /// The node it was reached from; 0 for a root, which each restart begins with.
        parent: u64,
        /// How many decisions are in force.
        depth: usize,
        /// 0 below a decision (and at a root), 1 where one was refuted.
        alternative: u8,
    },
    /// A decision of the search at a node; it comes into force at the next.
    Decision {
        /// Where it was made.
        node: u64,
        /// What was decided.
        literal: Literal,
    },
    /// A variable lost values.
    Change {
        /// The number of the variable.
        variable: usize,
        /// The values it lost, ascending: never none, and it had them all.
        removed: Vec<Range>,
        /// By whom.
        cause: Cause,
        /// What held before and makes the cause remove the values. Nothing where the cause needs no more, or is the
        /// search.
        blame: Vec<Literal>,
    },
    /// Nothing more follows at the node.
    Fixpoint,
    /// There is no solution at the node.
    Failure {
        /// Who found out.
        cause: Cause,
        /// What holds and cannot hold together with the cause.
        blame: Vec<Literal>,
    },
    /// All variables have a value.
    Solution {
        /// The values of the model's variables, by number.
        values: Vec<i64>,
    },
    /// Decisions were taken back.
    Undo {
        /// How many are left in force.
        to_depth: usize,
        /// How many changes were taken back: the last of those still in force.
        changes: usize,
    },
    /// The search begins anew. An [`Undo`](Self::Undo) comes before it.
    Restart,
}

/// What is known of a search when it begins.
#[derive(Clone, Copy, Debug)]
pub struct SearchStart<'a> {
    /// The model's variables, by number.
    pub variables: &'a [TracedVariable],
    /// The constraints, by number.
    pub constraints: &'a [TracedConstraint],
    /// Whether it learns from failures: then it may take back several decisions at once, and what holds from there on is
    /// what it learnt, not just the opposite of a decision.
    pub learns: bool,
    /// Whether it may begin anew.
    pub restarts: bool,
    /// Whether better and better solutions are looked for.
    pub is_optimising: bool,
}

/// Is told what a search does while it runs. A [`Trace`] is one, and so is any closure that takes an event.
pub trait Observer {
    /// A search begins; its events follow.
    fn begin(&mut self, _search: SearchStart<'_>) {}

    /// The next event.
    fn event(&mut self, event: &TraceEvent);
}

impl<F: FnMut(&TraceEvent)> Observer for F {
    fn event(&mut self, event: &TraceEvent) {
        self(event);
    }
}

/// A variable of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedVariable {
    /// As constraints are described with it.
    pub name: String,
    /// The values it was declared with, as ascending intervals.
    pub initial: Vec<Range>,
    /// Whether it is none of the model's, but one that a constraint made for itself.
    pub is_hidden: bool,
}

/// A constraint of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedConstraint {
    /// The name it was posted with.
    pub name: Option<String>,
    /// What it demands.
    pub description: String,
    /// The numbers of its variables, each once.
    pub scope: Vec<usize>,
}

/// How many events of each kind there were, recorded or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraceCounts {
    /// Nodes.
    pub nodes: u64,
    /// Decisions.
    pub decisions: u64,
    /// Changes of domains.
    pub changes: u64,
    /// Nodes at their fixpoint.
    pub fixpoints: u64,
    /// Failures.
    pub failures: u64,
    /// Solutions.
    pub solutions: u64,
    /// Times that decisions were taken back.
    pub undos: u64,
    /// Restarts.
    pub restarts: u64,
}

impl TraceCounts {
    /// All together; counts that were read somewhere may be of any size.
    pub fn total(&self) -> u64 {
        let TraceCounts { nodes, decisions, changes, fixpoints, failures, solutions, undos, restarts } = self;
        let all = [nodes, decisions, changes, fixpoints, failures, solutions, undos, restarts];
        all.into_iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Counts an event.
    pub fn add(&mut self, event: &TraceEvent) {
        *match event {
            TraceEvent::Node { .. } => &mut self.nodes,
            TraceEvent::Decision { .. } => &mut self.decisions,
            TraceEvent::Change { .. } => &mut self.changes,
            TraceEvent::Fixpoint => &mut self.fixpoints,
            TraceEvent::Failure { .. } => &mut self.failures,
            TraceEvent::Solution { .. } => &mut self.solutions,
            TraceEvent::Undo { .. } => &mut self.undos,
            TraceEvent::Restart => &mut self.restarts,
        } += 1;
    }
}

/// What a search did, from its beginning on as far as it was recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The model's variables by number, and behind them hidden ones that the search decided on.
    pub variables: Vec<TracedVariable>,
    /// The model's constraints by number, and behind them those that stand for several of them: more may come as the search
    /// goes on, where constraints that share an expression did something together.
    pub constraints: Vec<TracedConstraint>,
    /// The first events.
    pub events: Vec<TraceEvent>,
    /// How many there were of each kind.
    pub counts: TraceCounts,
    /// Whether better and better solutions were looked for.
    pub is_optimising: bool,
    /// Whether there were [assumptions](crate::Solver::set_assumptions).
    pub is_assuming: bool,
    /// Whether the whole tree was searched: without a node only if what was known before has no solution.
    pub is_complete: bool,
}

impl Trace {
    /// How many events were counted only.
    pub fn unrecorded(&self) -> u64 {
        self.counts.total().saturating_sub(self.events.len() as u64)
    }

    /// A statement with the name of its variable.
    pub fn words(&self, literal: Literal) -> String {
        let name = self.variables.get(literal.variable).map_or("?", |x| &x.name);
        format!("{name} {} {}", literal.relation, literal.value)
    }
}

impl Observer for Trace {
    fn event(&mut self, event: &TraceEvent) {
        self.counts.add(event);
        self.events.push(event.clone());
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Decision => f.write_str("a decision"),
            Cause::Refutation => f.write_str("a refutation"),
            Cause::Constraint(number) => write!(f, "constraint {number}"),
            Cause::Clause => f.write_str("a clause"),
            Cause::Objective => f.write_str("the objective"),
            Cause::Assumption => f.write_str("an assumption"),
            Cause::Domain => f.write_str("its domain"),
        }
    }
}
