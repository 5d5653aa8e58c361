//! From the engine's words to the model's.

use std::sync::Arc;

use crate::engine::{Atom, Engine, Relation, Source, VarId, View};
use crate::model::{ConstraintId, Model};

use super::event::{Cause, Literal, Range, TracedConstraint, TracedVariable};
use super::source::{Owner, Owners};

/// Knows which variables and constraints of the model stand behind those of the engine.
#[derive(Debug, Default)]
pub(super) struct Translator {
    /// The model's variables behind each of the engine's, and how they see it.
    models: Vec<Vec<(usize, View)>>,
    /// The engine's variables that the search decided on but the model does not have, with their numbers in the trace.
    hidden: Vec<(VarId, usize)>,
    owners: Arc<Owners>,
    /// How many constraints the model has; those of cliques come behind them, and last the difference network.
    constraints: usize,
}

impl Translator {
    pub(super) fn new(model: &Model, engine: &Engine, map: &[View], owners: &Arc<Owners>) -> Translator {
        let mut models = vec![Vec::new(); engine.size().0];
        for (number, view) in map.iter().enumerate() {
            models[view.var().index()].push((number, *view));
        }
        let owners = Arc::clone(owners);
        Translator { models, hidden: Vec::new(), owners, constraints: model.constraint_count() }
    }

    /// The constraints of a trace: those of the model, cliques, and the difference network if there is one.
    pub(super) fn constraints(&self, model: &Model, engine: &Engine) -> Vec<TracedConstraint> {
        let names = model.names();
        let mut all = Vec::with_capacity(self.constraints);
        for id in (0..self.constraints as u32).map(ConstraintId) {
            let Some(constraint) = model.constraint(id) else { break };
            let scope = distinct(constraint.scope().iter().filter_map(|x| x.var()?.index()));
            let name = model.constraint_name(id).map(str::to_owned);
            all.push(TracedConstraint { name, description: constraint.describe(&names), scope });
        }
        let variables: Vec<_> = model.variables().collect();
        for clique in &self.owners.cliques {
            let views = clique.iter().map(|x| x.scale() * variables[x.var().index()] + x.offset());
            let description = format!("all_different({})", names.list(views));
            let scope = distinct(clique.iter().map(|x| x.var().index()));
            all.push(TracedConstraint { name: None, description, scope });
        }
        if engine.difference_count() > 0 {
            let description = "all precedences x + d <= y together".to_owned();
            let behind =
                engine.difference_variables().flat_map(|x| self.behind(x)).map(|&(number, _)| number);
            all.push(TracedConstraint { name: None, description, scope: distinct(behind) });
        }
        all
    }

    /// The model's variables behind one of the engine's.
    pub(super) fn behind(&self, x: VarId) -> &[(usize, View)] {
        &self.models[x.index()]
    }

    /// Whether no variable of the model is behind one of the engine's.
    pub(super) fn is_hidden(&self, x: VarId) -> bool {
        self.behind(x).is_empty()
    }

    /// Who did something, as far as it was not the search.
    pub(super) fn cause(&self, source: Source) -> Cause {
        let cliques = self.owners.cliques.len();
        let owner = match source {
            Source::Decision => return Cause::Decision,
            Source::Fact => return Cause::Objective,
            Source::Clause => return Cause::Clause,
            Source::Slide => None,
            Source::Difference(None) => return Cause::Constraint(self.constraints + cliques),
            Source::Difference(Some(arc)) => self.owners.of_arc(arc),
            Source::Propagator(propagator) => self.owners.of_propagator(propagator),
        };
        match owner {
            Some(Owner::Constraint(number)) => Cause::Constraint(number),
            Some(Owner::Clique(number)) => Cause::Constraint(self.constraints + number),
            Some(Owner::Objective) => Cause::Objective,
            Some(Owner::Assumption) => Cause::Assumption,
            None => Cause::Domain,
        }
    }

    /// Who did something with the help of others, who had a part in what happened to hidden variables before. Of several
    /// constraints one more is made that stands for them; a clause, the objective or an assumption goes before them.
    pub(super) fn joint_cause(
        &self,
        source: Source,
        helpers: &[Source],
        constraints: &mut Vec<TracedConstraint>,
    ) -> Cause {
        let own = self.cause(source);
        let causes: Vec<Cause> = helpers.iter().map(|&helper| self.cause(helper)).chain([own]).collect();
        let before = [Cause::Clause, Cause::Objective, Cause::Assumption];
        if let Some(first) = before.into_iter().find(|first| causes.contains(first)) {
            return first;
        }
        let numbers = causes.iter().filter_map(|cause| match cause {
            Cause::Constraint(number) => Some(*number),
            _ => None,
        });
        let together = distinct(numbers);
        if together.len() < 2 { own } else { Cause::Constraint(joint(&together, constraints)) }
    }

    /// An atom about a variable that the trace has: of several behind it the first in `scope`, or else the first.
    pub(super) fn literal(&self, atom: Atom, scope: &[usize]) -> Option<Literal> {
        let behind = self.behind(atom.var());
        let in_scope = behind.iter().find(|(number, _)| scope.contains(number));
        let Some(&(variable, view)) = in_scope.or(behind.first()) else {
            let &(_, variable) = self.hidden.iter().find(|hidden| hidden.0 == atom.var())?;
            return Some(Literal { variable, relation: atom.relation(), value: atom.value() });
        };
        let relation = match atom.relation() {
            Relation::Ge if view.scale() < 0 => Relation::Le,
            Relation::Le if view.scale() < 0 => Relation::Ge,
            relation => relation,
        };
        Some(Literal { variable, relation, value: view.apply(atom.value()) })
    }

    /// Gives a hidden variable that is decided on a place among the traced ones.
    pub(super) fn show(&mut self, x: VarId, engine: &Engine, variables: &mut Vec<TracedVariable>) {
        if self.is_hidden(x) && self.hidden.iter().all(|hidden| hidden.0 != x) {
            self.hidden.push((x, variables.len()));
            let initial = engine.logged_initial(x);
            variables.push(TracedVariable { name: format!("hidden{}", x.index()), initial, is_hidden: true });
        }
    }

    /// Atoms as statements of the model, each once; `[x ≥ v]` and `[x ≤ v]` are one. Bounds that hold of whatever a variable
    /// was declared with are left out.
    pub(super) fn literals(
        &self,
        atoms: &[Atom],
        scope: &[usize],
        variables: &[TracedVariable],
    ) -> Vec<Literal> {
        let mut all: Vec<Literal> = Vec::with_capacity(atoms.len());
        for literal in atoms.iter().filter_map(|&atom| self.literal(atom, scope)) {
            let says_nothing = match (literal.relation, &variables[literal.variable].initial[..]) {
                (Relation::Eq, _) | (_, []) => false,
                (Relation::Ge, [(low, _), ..]) => literal.value <= *low,
                (Relation::Le, [.., (_, high)]) => literal.value >= *high,
                (Relation::Ne, initial) => {
                    !initial.iter().any(|range| range.0 <= literal.value && literal.value <= range.1)
                }
            };
            if !says_nothing {
                all.push(literal);
            }
        }
        all.sort_unstable();
        all.dedup();
        // Of one variable the lower bounds come first, and then the upper ones.
        let mut merged: Vec<Literal> = Vec::with_capacity(all.len());
        for literal in all {
            let meets = |other: &&mut Literal| {
                (other.variable, other.relation, other.value)
                    == (literal.variable, Relation::Ge, literal.value)
            };
            let bound = match literal.relation {
                Relation::Le => {
                    merged.iter_mut().rev().take_while(|x| x.variable == literal.variable).find(meets)
                }
                _ => None,
            };
            match bound {
                Some(bound) => bound.relation = Relation::Eq,
                None => merged.push(literal),
            }
        }
        merged
    }
}

/// An interval of the engine's variable as the view sees it; for a scale of ±1.
pub(super) fn seen(view: View, (low, high): Range) -> Range {
    let (a, b) = (view.apply(low), view.apply(high));
    (a.min(b), a.max(b))
}

/// The number of a constraint that stands for several, which is made if it is not there yet.
fn joint(together: &[usize], constraints: &mut Vec<TracedConstraint>) -> usize {
    let parts = || together.iter().map(|&number| &constraints[number]);
    let names: Vec<&str> = parts().map(|part| part.name.as_deref().unwrap_or(&part.description)).collect();
    let description = format!("{} together", names.join(" and "));
    if let Some(number) = constraints.iter().position(|known| known.description == description) {
        return number;
    }
    let scope = distinct(parts().flat_map(|part| part.scope.iter().copied()));
    constraints.push(TracedConstraint { name: None, description, scope });
    constraints.len() - 1
}

fn distinct(numbers: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut all: Vec<usize> = numbers.collect();
    all.sort_unstable();
    all.dedup();
    all
}
