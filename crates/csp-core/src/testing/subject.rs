//! A case as a model, with everything brute force knows about it.

use std::sync::Arc;

use crate::constraints::{iff, when};
use crate::engine::{Atom, Poster, Relation};
use crate::error::ModelErrorKind;
use crate::model::{Affine, Assignment, Consistency, Constraint, IntVar, Model, Names};

use super::case::{Case, Far, Role};
use super::fault::{Fault, FaultKind};
use super::params::Params;
use super::probe::Probe;

/// In which form the constraint is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As it is.
    Plain,
    /// Under a condition.
    When,
    /// Equivalent to a condition.
    Iff,
}

/// A constraint behind a pointer, as a constraint.
#[derive(Clone, Debug)]
pub(super) struct Shared(Arc<dyn Constraint>);

impl Constraint for Shared {
    fn scope(&self) -> Vec<Affine> {
        self.0.scope()
    }

    fn is_satisfied(&self, assignment: &Assignment) -> bool {
        self.0.is_satisfied(assignment)
    }

    fn describe(&self, names: &Names<'_>) -> String {
        self.0.describe(names)
    }

    fn post(&self, poster: &mut Poster<'_>) {
        self.0.post(poster);
    }

    fn consistency(&self) -> Consistency {
        self.0.consistency()
    }

    fn negation(&self) -> Option<Arc<dyn Constraint>> {
        self.0.negation()
    }

    fn validate(&self, range: &dyn Fn(Affine) -> (i64, i64)) -> Result<(), ModelErrorKind> {
        self.0.validate(range)
    }
}

/// What consistency is promised, where a condition has a value (or always).
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    pub(super) condition: Option<i64>,
    pub(super) consistency: Consistency,
    /// It is about the negation.
    pub(super) negated: bool,
}

/// The constraint as a relation of numbers: it is made once more on variables that stand for nothing
/// but the places of its scope, so that any tuple can be asked about.
#[derive(Debug)]
pub(super) struct Places {
    constraint: Arc<dyn Constraint>,
    tags: Arc<Vec<u32>>,
    count: usize,
}

impl Places {
    /// Whether the constraint holds of these values of the views.
    pub(super) fn hold(&self, buffer: &mut Assignment, values: impl Iterator<Item = i64>) -> bool {
        buffer.values.clear();
        buffer.values.extend(values);
        self.constraint.is_satisfied(buffer)
    }

    pub(super) fn buffer(&self) -> Assignment {
        Assignment { tags: Arc::clone(&self.tags), values: Vec::with_capacity(self.count) }
    }
}

/// A case in one form.
#[derive(Debug)]
pub(super) struct Subject {
    pub(super) form: Form,
    pub(super) model: Model,
    /// What is posted.
    pub(super) whole: Shared,
    /// What the closure made; the whole, but for its condition.
    inner: Shared,
    negation: Option<Arc<dyn Constraint>>,
    pub(super) places: Places,
    /// The views of the scope.
    pub(super) views: Vec<Affine>,
    /// The number of the condition's variable, which is the last.
    pub(super) condition: Option<usize>,
    pub(super) demands: Vec<Demand>,
    /// No variable stands twice.
    pub(super) distinct: bool,
    draws: Vec<u32>,
    witness: Vec<i64>,
    /// Values of each variable of the model.
    pub(super) domains: Vec<Vec<i64>>,
    /// Values of each variable of the model in each solution, by brute force.
    pub(super) solutions: Vec<Vec<i64>>,
    /// The same with the engine's constant in front and the variables the constraint adds behind, which may
    /// have several values for one solution.
    pub(super) extended: Vec<Vec<i64>>,
    pub(super) adds_variables: bool,
}

/// So many assignments a case may have.
const LIMIT: usize = 1000;
/// So many values of the variables that a constraint adds are kept for each solution.
const EXTENSIONS: usize = 6;

impl Subject {
    /// The case in a form; nothing if its model is refused, or there is no such form.
    pub(super) fn new(case: &Case, form: Form, make: &super::Make) -> Result<Option<Subject>, Fault> {
        let (mut model, views) = model_of(case);
        let witness = witness_of(case, &model, &views);
        let inner = Shared(make(&views, &mut Params::new(&case.draws, &witness)));
        let negation = inner.negation();
        let consistency = inner.consistency();
        let plain = Demand { condition: None, consistency, negated: false };
        let (whole, condition, demands) = match form {
            Form::Plain => (inner.clone(), None, vec![plain]),
            Form::When => {
                let b = model.bool_named("b");
                let demands = vec![Demand { condition: Some(1), ..plain }];
                (Shared(Arc::new(when(b, inner.clone()))), b.var.index(), demands)
            }
            Form::Iff => {
                let Some(negation) = &negation else { return Ok(None) };
                let b = model.bool_named("b");
                let positive = Demand { condition: Some(1), ..plain };
                let negative =
                    Demand { condition: Some(0), consistency: negation.consistency(), negated: true };
                (Shared(Arc::new(iff(b, inner.clone()))), b.var.index(), vec![positive, negative])
            }
        };
        model.post(whole.clone());
        if model.validate().is_err() {
            return Ok(None);
        }
        let places = places_of(case, &witness, make);
        // The closure may have left a view out, or used one twice.
        let distinct = all_distinct(&views) && all_distinct(&inner.scope());
        let domains = model.variables().map(|x| values_of(&model, x)).collect();
        let mut subject = Subject {
            form,
            model,
            whole,
            inner,
            negation,
            places,
            views,
            condition,
            demands,
            distinct,
            draws: case.draws.clone(),
            witness,
            domains,
            solutions: Vec::new(),
            extended: Vec::new(),
            adds_variables: false,
        };
        subject.solve();
        subject.extend().map_err(|fault| fault.of(&subject))?;
        Ok(Some(subject))
    }

    /// What the constraint was made with.
    pub(super) fn params(&self) -> Params<'_> {
        Params::new(&self.draws, &self.witness)
    }

    /// Calls `visit` with every full assignment, until it fails.
    fn each_assignment(&self, mut visit: impl FnMut(&Assignment) -> Result<(), Fault>) -> Result<(), Fault> {
        let mut assignment = Assignment { tags: self.model.tags(), values: Vec::new() };
        let mut tuples = Tuples::new(self.domains.clone());
        while tuples.next() {
            assignment.values.clear();
            assignment.values.extend(tuples.values());
            visit(&assignment)?;
        }
        Ok(())
    }

    fn solve(&mut self) {
        let mut solutions = Vec::new();
        let _ = self.each_assignment(|a| {
            if self.whole.is_satisfied(a) {
                solutions.push(a.values.clone());
            }
            Ok(())
        });
        self.solutions = solutions;
    }

    /// Finds out what the variables the constraint adds can be in each solution.
    fn extend(&mut self) -> Result<(), Fault> {
        let own = self.domains.len() + 1;
        let adds = self.domains.iter().all(|d| !d.is_empty()) && Probe::new(self).variables() > own;
        let mut extended = Vec::with_capacity(self.solutions.len());
        for solution in &self.solutions {
            let rows = if adds {
                let mut probe = Probe::new(self);
                if probe.assign(solution) { probe.extensions(EXTENSIONS) } else { Vec::new() }
            } else {
                vec![[&[0], &solution[..]].concat()]
            };
            if rows.is_empty() {
                let words = format!("fails at the solution {}", self.words_of(solution));
                return Err(Fault::new(FaultKind::Unsound, words));
            }
            extended.extend(rows);
        }
        (self.extended, self.adds_variables) = (extended, adds);
        Ok(())
    }

    /// Checks that the constraint means the same on its views as on its places, and that the negation is
    /// its opposite.
    pub(super) fn check_meaning(&self) -> Result<(), Fault> {
        let mut buffer = self.places.buffer();
        self.each_assignment(|a| {
            let holds = self.inner.is_satisfied(a);
            if self.places.hold(&mut buffer, self.views.iter().map(|&x| a.value(x))) != holds {
                let words = format!(
                    "at {} it is {holds}, but not on other variables with the same values of the views",
                    self.words_of(&a.values)
                );
                return Err(Fault::new(FaultKind::Meaning, words));
            }
            if self.negation.as_ref().is_some_and(|n| n.is_satisfied(a) == holds) {
                let words = format!("at {} both it and its negation are {holds}", self.words_of(&a.values));
                return Err(Fault::new(FaultKind::Meaning, words));
            }
            Ok(())
        })
    }

    /// Values of the model's variables in words.
    pub(super) fn words_of(&self, values: &[i64]) -> String {
        let names = self.model.names();
        let words = self.model.variables().zip(values).map(|(x, v)| format!("{} = {v}", names.of(x)));
        words.collect::<Vec<_>>().join(", ")
    }

    /// An atom in words.
    pub(super) fn words(&self, atom: Atom) -> String {
        let sign = match atom.relation() {
            Relation::Ge => ">=",
            Relation::Le => "<=",
            Relation::Eq => "=",
            Relation::Ne => "!=",
        };
        let index = atom.var().index();
        let name = match index.checked_sub(1).and_then(|i| self.model.variables().nth(i)) {
            Some(x) => self.model.names().of(x),
            None if index == 0 => "0".into(),
            None => format!("engine variable {index}"),
        };
        format!("{name} {sign} {}", atom.value())
    }

    /// Several atoms in words.
    pub(super) fn list(&self, atoms: &[Atom]) -> String {
        let words: Vec<String> = atoms.iter().map(|&a| self.words(a)).collect();
        if words.is_empty() { "nothing".into() } else { words.join(", ") }
    }
}

fn all_distinct(views: &[Affine]) -> bool {
    let mut variables: Vec<IntVar> = views.iter().filter_map(|x| x.var()).collect();
    variables.sort_unstable_by_key(|x| x.index());
    variables.windows(2).all(|w| w[0] != w[1])
}

/// The variables of a case, and the views of its scope.
fn model_of(case: &Case) -> (Model, Vec<Affine>) {
    let mut model = Model::new();
    let far = match case.far {
        Far::No => 0,
        Far::Variables(far) | Far::Views(far) => far,
    };
    let own = |i: usize| matches!(case.positions[i].role, Role::Own);
    let mut sizes: Vec<usize> = case.positions.iter().map(|p| p.domain.len().max(1)).collect();
    (0..sizes.len()).filter(|&i| !own(i)).for_each(|i| sizes[i] = 1);
    while sizes.iter().product::<usize>() > LIMIT {
        let largest = (0..sizes.len()).max_by_key(|&i| sizes[i]).unwrap_or(0);
        sizes[largest] -= 1;
    }
    let mut variables: Vec<Option<IntVar>> = Vec::new();
    for (i, position) in case.positions.iter().enumerate() {
        let shift = if position.boolean { 0 } else { far };
        variables.push(own(i).then(|| {
            // What is cut off is in the middle, so that the domain keeps its form.
            let domain = &position.domain;
            let skipped = domain.len() - sizes[i].min(domain.len());
            let kept = domain.iter().enumerate().filter(|&(k, _)| k == 0 || k > skipped);
            model.int_named(format!("x{i}"), kept.map(|(_, v)| v + shift).collect::<Vec<i64>>())
        }));
    }
    let view = |i: usize| {
        let position = &case.positions[i];
        let variable = match position.role {
            Role::Own => variables[i],
            Role::Again(k) => {
                let same = (0..variables.len()).filter(|&j| case.positions[j].boolean == position.boolean);
                let found: Vec<IntVar> = same.filter_map(|j| variables[j]).collect();
                (!found.is_empty()).then(|| found[k % found.len()])
            }
            Role::Constant(_) => None,
        };
        let Some(x) = variable else {
            let constant = if let Role::Constant(value) = position.role { value } else { 0 };
            let far = if position.boolean || !matches!(case.far, Far::Views(_)) { 0 } else { far };
            return Affine::from(constant + far);
        };
        let scale = if far == 0 { position.scale } else { position.scale.signum() };
        match case.far {
            Far::Variables(far) if !position.boolean => (x - far) * scale + position.offset,
            _ => x * scale + position.offset,
        }
    };
    let views = (0..case.positions.len()).map(view).collect();
    (model, views)
}

/// The values of the views in some assignment.
fn witness_of(case: &Case, model: &Model, views: &[Affine]) -> Vec<i64> {
    let chosen: Vec<i64> = model
        .variables()
        .map(|x| {
            let values: Vec<i64> = values_of(model, x);
            let pick = x.index().and_then(|i| case.witness.get(i)).map_or(0, |&k| usize::from(k));
            values.get(pick % values.len().max(1)).copied().unwrap_or(0)
        })
        .collect();
    views.iter().filter_map(|x| x.apply(x.var.index().map_or(0, |i| chosen[i]))).collect()
}

fn values_of(model: &Model, x: IntVar) -> Vec<i64> {
    let intervals = model.domain(x).map_or(&[][..], |d| d.intervals());
    intervals.iter().flat_map(|&(lo, hi)| lo..=hi).collect()
}

fn places_of(case: &Case, witness: &[i64], make: &super::Make) -> Places {
    let mut model = Model::new();
    let variables = model.ints(case.positions.len(), 0..=1);
    let views: Vec<Affine> = variables.iter().map(Affine::from).collect();
    let constraint = make(&views, &mut Params::new(&case.draws, witness));
    Places { constraint, tags: model.tags(), count: views.len() }
}

/// All tuples of a product of lists of values.
#[derive(Debug)]
pub(super) struct Tuples {
    lists: Vec<Vec<i64>>,
    places: Vec<usize>,
    started: bool,
}

impl Tuples {
    pub(super) fn new(lists: Vec<Vec<i64>>) -> Tuples {
        Tuples { places: vec![0; lists.len()], lists, started: false }
    }

    /// Goes on to the next tuple, if there is one.
    pub(super) fn next(&mut self) -> bool {
        if !self.started {
            self.started = true;
            return self.lists.iter().all(|list| !list.is_empty());
        }
        for (place, list) in self.places.iter_mut().zip(&self.lists) {
            *place += 1;
            if *place < list.len() {
                return true;
            }
            *place = 0;
        }
        false
    }

    /// The present tuple.
    pub(super) fn values(&self) -> impl Iterator<Item = i64> + '_ {
        self.places.iter().zip(&self.lists).map(|(&i, list)| list[i])
    }
}
