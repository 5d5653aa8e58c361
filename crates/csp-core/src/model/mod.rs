//! What is wanted: variables and constraints, as plain data.

mod assignment;
mod constraint;
mod domain;
mod expression;
mod variables;

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

pub use assignment::{Assignment, Solution};
pub use constraint::{Consistency, Constraint};
pub use domain::Domain;
pub(crate) use expression::Node;
#[doc(hidden)]
pub use expression::rule;
pub use expression::{
    BoolExpr, IntExpr, clause, conjunction, element, iff, maximum, minimum, sum, weighted_sum, when, xor,
};
pub use variables::{Affine, BoolVar, IntVar};

use crate::Solver;
use crate::engine::MAX_VALUE;
use crate::error::{ModelError, ModelErrorKind};
use crate::solver::Group;

/// The number of a constraint in its model, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstraintId(pub(crate) u32);

impl ConstraintId {
    /// The number, counted from 0 in order of posting.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug)]
struct Declaration {
    name: Option<Arc<str>>,
    domain: Arc<Domain>,
}

#[derive(Clone, Debug)]
struct Posted {
    name: Option<Arc<str>>,
    constraint: Arc<dyn Constraint>,
}

#[derive(Clone, Debug)]
struct Data {
    /// The tag of variables declared from now on. It changes when the model parts from a clone and when
    /// variables are taken back, so that no two variables of the same number have the same tag.
    tag: u32,
    /// The tag of each variable.
    tags: Arc<Vec<u32>>,
    variables: Vec<Declaration>,
    constraints: Vec<Posted>,
    /// The first mistake made.
    error: Option<ModelError>,
}

/// Variables and the constraints between them.
///
/// A model is plain data: build it once, then make as many [`Solver`]s of it as you like, also on
/// other threads. A clone shares the data until one of the two is changed, and understands the variables made
/// until then; variables made later belong to the one they were made by.
///
/// ```
/// use csp_core::prelude::*;
///
/// let mut model = Model::new();
/// let x = model.int_named("x", 1..=9);
/// let y = model.int_named("y", [2, 3, 5, 7]);
/// model.post((x + 1).eq(y));
/// model.post(x.gt(3));
/// let solutions: Vec<_> = model.solver()?.solutions().map(|s| (s[x], s[y])).collect();
/// assert_eq!(solutions, [(4, 5), (6, 7)]);
/// println!("{model}");
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    data: Arc<Data>,
}

impl Default for Model {
    fn default() -> Model {
        Model::new()
    }
}

/// Tags tell the variables of one model from another's. They are only ever compared for equality, so
/// that they differ from run to run does not matter.
fn new_tag() -> u32 {
    static NEXT_TAG: AtomicU32 = AtomicU32::new(1);
    NEXT_TAG.fetch_add(1, Ordering::Relaxed)
}

impl Model {
    /// A model without variables; its only solution is the empty one.
    pub fn new() -> Model {
        Model {
            data: Arc::new(Data {
                tag: new_tag(),
                tags: Arc::default(),
                variables: Vec::new(),
                constraints: Vec::new(),
                error: None,
            }),
        }
    }

    /// A new integer variable: `model.int(0..=9)`, `model.int([2, 3, 5])`.
    ///
    /// An empty domain makes the model infeasible. Values must lie within ±(2^62 − 1); otherwise the
    /// mistake is reported when the model is [validated](Self::validate) or solved.
    #[track_caller]
    pub fn int(&mut self, domain: impl Into<Domain>) -> IntVar {
        self.declare(None, Arc::new(domain.into()), Location::caller())
    }

    /// A new integer variable with a name for display.
    #[track_caller]
    pub fn int_named(&mut self, name: impl AsRef<str>, domain: impl Into<Domain>) -> IntVar {
        self.declare(Some(name.as_ref().into()), Arc::new(domain.into()), Location::caller())
    }

    /// `count` new integer variables with the same domain.
    #[track_caller]
    pub fn ints(&mut self, count: usize, domain: impl Into<Domain>) -> Vec<IntVar> {
        let (domain, location) = (Arc::new(domain.into()), Location::caller());
        (0..count).map(|_| self.declare(None, Arc::clone(&domain), location)).collect()
    }

    /// `count` new integer variables with the same domain, named `name0`, `name1`, ….
    #[track_caller]
    pub fn ints_named(
        &mut self,
        name: impl AsRef<str>,
        count: usize,
        domain: impl Into<Domain>,
    ) -> Vec<IntVar> {
        let (domain, location) = (Arc::new(domain.into()), Location::caller());
        let name = name.as_ref();
        (0..count)
            .map(|i| self.declare(Some(format!("{name}{i}").into()), Arc::clone(&domain), location))
            .collect()
    }

    /// A new Boolean variable.
    #[track_caller]
    pub fn bool(&mut self) -> BoolVar {
        BoolVar { var: self.declare(None, Arc::new((0..=1).into()), Location::caller()), negated: false }
    }

    /// A new Boolean variable with a name for display.
    #[track_caller]
    pub fn bool_named(&mut self, name: impl AsRef<str>) -> BoolVar {
        let domain = Arc::new((0..=1).into());
        BoolVar { var: self.declare(Some(name.as_ref().into()), domain, Location::caller()), negated: false }
    }

    /// `count` new Boolean variables.
    #[track_caller]
    pub fn bools(&mut self, count: usize) -> Vec<BoolVar> {
        let (domain, location) = (Arc::new((0..=1).into()), Location::caller());
        (0..count)
            .map(|_| BoolVar { var: self.declare(None, Arc::clone(&domain), location), negated: false })
            .collect()
    }

    /// `count` new Boolean variables, named `name0`, `name1`, ….
    #[track_caller]
    pub fn bools_named(&mut self, name: impl AsRef<str>, count: usize) -> Vec<BoolVar> {
        let names = (0..count).map(|i| format!("{}{i}", name.as_ref()));
        let (domain, location) = (Arc::new((0..=1).into()), Location::caller());
        names
            .map(|name| self.declare(Some(name.into()), Arc::clone(&domain), location))
            .map(|var| BoolVar { var, negated: false })
            .collect()
    }

    /// Adds a constraint. A mistake in it (a variable of another model, an overflow) is kept, with the
    /// place of this call, and reported when the model is [validated](Self::validate) or solved.
    #[track_caller]
    pub fn post(&mut self, constraint: impl Constraint) -> ConstraintId {
        self.add(None, Arc::new(constraint), Location::caller())
    }

    /// Adds a constraint with a name for display and for [explaining](Solver::explain_infeasibility) why there is no
    /// solution.
    #[track_caller]
    pub fn post_named(&mut self, name: impl AsRef<str>, constraint: impl Constraint) -> ConstraintId {
        self.add(Some(name.as_ref().into()), Arc::new(constraint), Location::caller())
    }

    /// Whether the model can be solved as it stands.
    ///
    /// # Errors
    /// The first mistake made in building it.
    pub fn validate(&self) -> Result<(), ModelError> {
        self.data.error.clone().map_or(Ok(()), Err)
    }

    /// A solver for the model as it is now.
    ///
    /// # Errors
    /// The first mistake made in building the model.
    pub fn solver(&self) -> Result<Solver, ModelError> {
        Solver::new(self)
    }

    /// An assignment with the value that `value` says for each variable, in order of making.
    pub fn assignment(&self, mut value: impl FnMut(IntVar) -> i64) -> Assignment {
        Assignment { tags: self.tags(), values: self.variables().map(&mut value).collect() }
    }

    /// Checks an assignment against every domain and constraint.
    ///
    /// # Errors
    /// Each broken demand, in words.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let (x, y) = (model.int_named("x", 0..=5), model.int_named("y", 0..=5));
    /// model.post(x.lt(y));
    /// let broken = model.check(&model.assignment(|_| 7)).unwrap_err();
    /// assert_eq!(broken[0].to_string(), "x = 7 is not in 0..=5");
    /// assert_eq!(broken[2].to_string(), "constraint 0 is broken: x < y, with x = 7, y = 7");
    /// ```
    pub fn check(&self, assignment: &Assignment) -> Result<(), Vec<Broken>> {
        let data = &*self.data;
        if assignment.tags != data.tags || assignment.values.len() != data.variables.len() {
            return Err(vec![Broken {
                constraint: None,
                words: "the assignment is for another model".into(),
            }]);
        }
        if let Some(mistake) = &data.error {
            return Err(vec![Broken { constraint: None, words: mistake.to_string() }]);
        }
        let names = self.names();
        let mut broken = Vec::new();
        for (x, (d, &v)) in self.variables().zip(data.variables.iter().zip(&assignment.values)) {
            if !d.domain.contains(v) {
                let words = format!("{} = {v} is not in {}", names.of(x), d.domain);
                broken.push(Broken { constraint: None, words });
            }
        }
        for (i, posted) in (0..).zip(&data.constraints) {
            if !posted.constraint.is_satisfied(assignment) {
                let mut words =
                    format!("{} is broken: {}, with ", posted.title(i), posted.constraint.describe(&names));
                let mut seen = Vec::new();
                for x in posted.constraint.scope() {
                    if let Some(x) = x.var()
                        && !seen.contains(&x)
                    {
                        let comma = if seen.is_empty() { "" } else { ", " };
                        words.push_str(&format!("{comma}{} = {}", names.of(x), assignment.value(x)));
                        seen.push(x);
                    }
                }
                broken.push(Broken { constraint: Some(ConstraintId(i)), words });
            }
        }
        if broken.is_empty() { Ok(()) } else { Err(broken) }
    }

    /// The variables in order of making.
    pub fn variables(&self) -> impl Iterator<Item = IntVar> + use<> {
        let tags = self.tags();
        (0..tags.len() as u32).map(move |id| IntVar { id, tag: tags[id as usize] })
    }

    /// The values a variable was declared with.
    pub fn domain(&self, x: IntVar) -> Option<&Domain> {
        let i = x.index_in(&self.data.tags)?;
        self.data.variables.get(i).map(|d| &*d.domain)
    }

    /// How many constraints were posted.
    pub fn constraint_count(&self) -> usize {
        self.data.constraints.len()
    }

    /// A constraint by its number.
    pub fn constraint(&self, id: ConstraintId) -> Option<&dyn Constraint> {
        self.data.constraints.get(id.index()).map(|p| &*p.constraint)
    }

    /// The name a constraint was posted with.
    pub fn constraint_name(&self, id: ConstraintId) -> Option<&str> {
        self.data.constraints.get(id.index())?.name.as_deref()
    }

    /// A constraint in words: its number, its name and what it demands.
    pub fn describe(&self, id: ConstraintId) -> Option<String> {
        let posted = self.data.constraints.get(id.index())?;
        Some(format!("{}: {}", posted.title(id.0), posted.constraint.describe(&self.names())))
    }

    /// The same model where the constraints of each name hold on a condition, a variable behind all others.
    pub(crate) fn guarded(&self) -> (Model, Vec<Group>) {
        let mut model = self.clone();
        model.truncate(self.variable_count(), 0);
        let mut groups: Vec<Group> = Vec::new();
        let mut numbers = BTreeMap::new();
        for (id, posted) in (0..).map(ConstraintId).zip(&self.data.constraints) {
            let Some(name) = &posted.name else {
                model.add(None, Arc::clone(&posted.constraint), Location::caller());
                continue;
            };
            let number = *numbers.entry(Arc::clone(name)).or_insert_with(|| {
                groups.push(Group { constraints: Vec::new(), condition: model.bool() });
                groups.len() - 1
            });
            groups[number].constraints.push(id);
            let constraint: &dyn Any = &*posted.constraint;
            let constraint = match constraint.downcast_ref::<BoolExpr>() {
                Some(expression) => expression.clone(),
                None => BoolExpr::of_shared(Arc::clone(&posted.constraint)),
            };
            model.post(when(groups[number].condition, constraint));
        }
        (model, groups)
    }

    /// The constraints in order of posting.
    pub(crate) fn constraints(&self) -> impl Iterator<Item = &dyn Constraint> {
        self.data.constraints.iter().map(|posted| &*posted.constraint)
    }

    /// The names of variables, for describing constraints.
    pub fn names(&self) -> Names<'_> {
        Names { data: &self.data }
    }

    /// The first constraint that an assignment breaks, without a word about it.
    pub(crate) fn first_broken(&self, assignment: &Assignment) -> Option<ConstraintId> {
        let broken = self.data.constraints.iter().position(|p| !p.constraint.is_satisfied(assignment));
        broken.map(|i| ConstraintId(i as u32))
    }

    /// The tag of each variable.
    pub(crate) fn tags(&self) -> Arc<Vec<u32>> {
        Arc::clone(&self.data.tags)
    }

    fn data_mut(&mut self) -> &mut Data {
        let shared = Arc::get_mut(&mut self.data).is_none();
        let data = Arc::make_mut(&mut self.data);
        if shared {
            data.tag = new_tag();
        }
        data
    }

    pub(crate) fn variable_count(&self) -> usize {
        self.data.variables.len()
    }

    /// Forgets later variables and constraints, and mistakes made in them.
    pub(crate) fn truncate(&mut self, variables: usize, constraints: usize) {
        let data = self.data_mut();
        if variables < data.variables.len() {
            data.tag = new_tag();
            Arc::make_mut(&mut data.tags).truncate(variables);
        }
        data.variables.truncate(variables);
        data.constraints.truncate(constraints);
        data.error = None;
    }

    fn declare(
        &mut self,
        name: Option<Arc<str>>,
        domain: Arc<Domain>,
        location: &'static Location<'static>,
    ) -> IntVar {
        let data = self.data_mut();
        let x = IntVar { id: data.variables.len() as u32, tag: data.tag };
        let in_range = |v: i64| (-MAX_VALUE..=MAX_VALUE).contains(&v);
        let mistake = if data.variables.len() >= 1 << 31 {
            Some(ModelErrorKind::TooMany)
        } else if domain.min().is_some_and(|v| !in_range(v)) || domain.max().is_some_and(|v| !in_range(v)) {
            Some(ModelErrorKind::TooLarge)
        } else {
            None
        };
        if let (Some(kind), None) = (mistake, &data.error) {
            let what = format!("variable {} in {domain}", name.as_deref().unwrap_or("without a name"));
            data.error = Some(ModelError { kind, what, location });
        }
        Arc::make_mut(&mut data.tags).push(x.tag);
        data.variables.push(Declaration { name, domain });
        x
    }

    fn add(
        &mut self,
        name: Option<Arc<str>>,
        constraint: Arc<dyn Constraint>,
        location: &'static Location<'static>,
    ) -> ConstraintId {
        let mistake = self.mistake_in(&*constraint).err();
        let data = self.data_mut();
        let id = ConstraintId(data.constraints.len() as u32);
        let posted = Posted { name, constraint };
        if let (Some(kind), None) = (mistake, &data.error) {
            let description = posted.constraint.describe(&Names { data });
            let what = format!("{}: {description}", posted.title(id.0));
            data.error = Some(ModelError { kind, what, location });
        }
        data.constraints.push(posted);
        id
    }

    fn mistake_in(&self, constraint: &dyn Constraint) -> Result<(), ModelErrorKind> {
        for x in constraint.scope() {
            self.range_of(x)?;
        }
        constraint.validate(&|x| self.range_of(x).unwrap_or((0, 0)))
    }

    /// Whether a view can be an objective.
    pub(crate) fn check_expression(
        &self,
        what: &str,
        expression: &IntExpr,
        location: &'static Location<'static>,
    ) -> Result<(), ModelError> {
        let words = || format!("{what} {}", expression.describe(&self.names()));
        let ranges = expression.views().try_for_each(|x| self.range_of(x).map(drop));
        ranges
            .and_then(|()| expression.validate(&|x| self.range_of(x).unwrap_or((0, 0))))
            .map_err(|kind| ModelError { kind, what: words(), location })
    }

    /// The smallest and largest value of a view, in the declared domains.
    fn range_of(&self, x: Affine) -> Result<(i64, i64), ModelErrorKind> {
        let in_range = |v: i64| (-MAX_VALUE..=MAX_VALUE).contains(&v);
        if x.var().is_some_and(|v| v.index_in(&self.data.tags).is_none()) {
            return Err(ModelErrorKind::ForeignVariable);
        }
        if x.is_poisoned() || !in_range(x.offset) || !in_range(x.scale) {
            return Err(ModelErrorKind::TooLarge);
        }
        let Some(i) = x.var.index() else { return Ok((x.offset, x.offset)) };
        let domain = &self.data.variables[i].domain;
        let (Some(min), Some(max)) = (domain.min(), domain.max()) else { return Ok((x.offset, x.offset)) };
        let end =
            |v: i64| v.checked_mul(x.scale).and_then(|v| v.checked_add(x.offset)).filter(|&v| in_range(v));
        match (end(min), end(max)) {
            (Some(a), Some(b)) => Ok((a.min(b), a.max(b))),
            _ => Err(ModelErrorKind::TooLarge),
        }
    }
}

impl Posted {
    fn title(&self, number: u32) -> String {
        match &self.name {
            Some(name) => format!("constraint {number} `{name}`"),
            None => format!("constraint {number}"),
        }
    }
}

/// The whole model, for a person to read.
impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names();
        writeln!(f, "{} variables", self.data.variables.len())?;
        for (x, d) in self.variables().zip(&self.data.variables) {
            writeln!(f, "  {} in {}", names.of(x), d.domain)?;
        }
        writeln!(f, "{} constraints", self.data.constraints.len())?;
        for (i, posted) in self.data.constraints.iter().enumerate() {
            let description = posted.constraint.describe(&names);
            match &posted.name {
                Some(name) => writeln!(f, "  {i}. {name}: {description}")?,
                None => writeln!(f, "  {i}. {description}")?,
            }
        }
        Ok(())
    }
}

/// A demand that an assignment does not meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The constraint; none if a value is outside its variable's domain.
    pub constraint: Option<ConstraintId>,
    words: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

/// Tells how variables and views of a model are written.
#[derive(Debug)]
pub struct Names<'a> {
    data: &'a Data,
}

impl Names<'_> {
    /// A variable, view or constant as text: `x`, `2 * x - 1`, `5`. Variables without a name are `v0`,
    /// `v1`, … by their number.
    pub fn of(&self, x: impl Into<Affine>) -> String {
        let x = x.into();
        let Some(i) = x.var.index() else { return x.offset.to_string() };
        let name = match self.data.variables.get(i) {
            _ if x.var.index_in(&self.data.tags).is_none() => format!("foreign#{i}"),
            Some(Declaration { name: Some(name), .. }) => name.to_string(),
            _ => format!("v{i}"),
        };
        let scaled = match x.scale {
            1 => name,
            -1 => format!("-{name}"),
            s => format!("{s} * {name}"),
        };
        match x.offset {
            0 => scaled,
            c if c > 0 => format!("{scaled} + {c}"),
            c => format!("{scaled} - {}", c.unsigned_abs()),
        }
    }

    /// A Boolean as text: `b` or `!b`.
    pub fn of_bool(&self, b: BoolVar) -> String {
        match (b.var.index(), b.negated) {
            (None, value) => value.to_string(),
            (Some(_), false) => self.of(b.var),
            (Some(_), true) => format!("!{}", self.of(b.var)),
        }
    }

    /// Several, with commas.
    pub fn list<T: Into<IntExpr>>(&self, xs: impl IntoIterator<Item = T>) -> String {
        xs.into_iter().map(|x| x.into().describe(self)).collect::<Vec<_>>().join(", ")
    }
}
