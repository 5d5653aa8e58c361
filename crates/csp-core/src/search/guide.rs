//! Whom the driver asks for the next decision, and in which order.
//!
//! First come decisions on the *projection*, the variables by whose values solutions differ; then on the
//! other variables of the model; then on *hidden* variables, which constraints made for themselves and
//! which need not be determined by the rest. From the *floor* on, the number of decisions at which no
//! variable of the projection was open, a search only asks whether the solution can be completed.
//! The user's strategy is asked first, but a wish of it that would come too early is put off: decisions
//! below the floor are on the projection only, so that no two leaves have the same values there.

use crate::engine::{Atom, Engine, Store, View};
use crate::model::IntVar;

use super::activity::Activity;
use super::branching::{
    Brancher, Branching, Changes, Cursor, Domains, Failure, LastConflict, Origins, Translation, branch,
};
use super::limits::Stop;

/// The strategies of one solver and what they range over.
pub(crate) struct Guide {
    /// The user's strategy.
    pub(crate) brancher: Option<Box<dyn Brancher>>,
    /// What decides in a search that learns, if the user does not.
    pub(crate) activity: Option<Activity>,
    /// How activity and the strategy, the user's or the standard one, take turns from restart to restart.
    turns: Turns,
    /// It is the strategy's turn.
    is_strategic: bool,
    /// Runs so far.
    runs: u64,
    /// Values to try first.
    hints: Vec<(IntVar, i64)>,
    /// Their views, in a search that has not begun anew yet, and up to where nothing is to be done.
    hinted: Vec<(View, i64)>,
    hint_cursor: Cursor,
    /// The standard strategy, in a search that uses it.
    standard: Option<LastConflict<Branching>>,
    /// All variables of the model.
    rest: Branching,
    projection: Option<Projection>,
    /// Whether the projection counts in this search.
    is_projected: bool,
    /// The model's variables behind those of the engine.
    origins: Origins,
    /// The engine's variables that no variable of the model maps to.
    hidden: Vec<View>,
    /// Up to where they are fixed.
    cursor: Cursor,
}

/// Who decides in a search that learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turns {
    /// The strategy always.
    Strategy,
    /// Activity always.
    Activity,
    /// Both by turns.
    Equal,
    /// Activity, but for one run in a few, until there is a solution: activity may be lost among hidden variables where
    /// those of the model make a solution easily.
    Seldom,
}

/// One run in so many.
const SELDOM: u64 = 4;

struct Projection {
    variables: Vec<IntVar>,
    branching: Branching,
    /// By number of the engine's variable.
    has: Vec<bool>,
    /// One of them is not a variable of the solver.
    is_foreign: bool,
}

impl Default for Guide {
    fn default() -> Guide {
        Guide {
            brancher: None,
            activity: None,
            turns: Turns::Strategy,
            is_strategic: true,
            runs: 0,
            hints: Vec::new(),
            hinted: Vec::new(),
            hint_cursor: Cursor::default(),
            standard: None,
            rest: branch::<IntVar>([]),
            projection: None,
            is_projected: false,
            origins: Origins::default(),
            hidden: Vec::new(),
            cursor: Cursor::default(),
        }
    }
}

impl Guide {
    /// Solutions differ by these variables only; all of them if none are given.
    pub(crate) fn project(&mut self, variables: Option<Vec<IntVar>>) {
        self.projection = variables.map(|variables| Projection {
            branching: branch(&variables).smallest_domain(),
            variables,
            has: Vec::new(),
            is_foreign: false,
        });
    }

    /// The variables by which solutions differ, if not all do.
    pub(crate) fn projection(&self) -> Option<&[IntVar]> {
        self.projection.as_ref().map(|projection| &*projection.variables)
    }

    /// These values are tried first.
    pub(crate) fn hint(&mut self, hints: Vec<(IntVar, i64)>) {
        self.hints = hints;
    }

    /// Who decides in a search that learns: activity, unless the user's strategy does, or both in turns.
    pub(crate) fn start_learning(&mut self, store: &Store, takes_turns: bool) {
        self.turns = match (self.brancher.is_some(), takes_turns) {
            (true, false) => Turns::Strategy,
            (true, true) => Turns::Equal,
            (false, _) => Turns::Seldom,
        };
        self.is_strategic = self.brancher.is_some();
        let decides = self.turns != Turns::Strategy;
        self.activity = decides.then(|| {
            let mut activity = Activity::new(store);
            self.hinted.iter().for_each(|&(x, value)| activity.hint(x, value));
            activity
        });
    }

    /// A better solution was found, and is in the store.
    pub(crate) fn improved(&mut self, store: &Store) {
        if let Some(activity) = &mut self.activity {
            activity.improved(store);
        }
        if self.turns == Turns::Seldom {
            (self.turns, self.standard, self.is_strategic) = (Turns::Activity, None, false);
        }
    }

    /// The search begins anew.
    pub(crate) fn restarted(&mut self) {
        self.hinted.clear();
        self.runs += 1;
        self.is_strategic = match self.turns {
            Turns::Strategy => true,
            Turns::Activity => false,
            Turns::Equal => !self.is_strategic,
            Turns::Seldom => self.runs % SELDOM == 1,
        };
        if let Some(activity) = &mut self.activity {
            activity.restarted();
        }
    }

    /// How many decisions there can be on a path where each fixes a variable.
    pub(crate) fn depth(&self) -> usize {
        self.origins.len().saturating_sub(1)
    }

    /// The variables of the model or of the engine are others than before.
    pub(crate) fn variables_changed(&mut self, domains: &Domains<'_>, all: impl Iterator<Item = IntVar>) {
        self.rest = branch(all).smallest_domain();
        self.rest.start(domains, 0);
        let ids = domains.store.ids();
        self.origins = Origins::of_map(ids.len(), domains.map);
        // The first variable is the constant 0.
        self.hidden = ids.skip(1).filter(|&x| self.origins.is_hidden(x)).map(View::of).collect();
    }

    /// Whether the engine has as many variables as at the last call of
    /// [`variables_changed`](Self::variables_changed).
    pub(crate) fn knows(&self, variables: usize) -> bool {
        self.origins.len() == variables
    }

    /// A search begins. It uses the standard strategy only where the user has none.
    pub(crate) fn start(
        &mut self,
        domains: &Domains<'_>,
        seed: u64,
        is_projected: bool,
        is_standard_task: bool,
    ) {
        self.standard = None;
        if is_standard_task && self.brancher.is_none() {
            let all = (0..).zip(domains.tags).map(|(id, &tag)| IntVar { id, tag });
            self.standard = Some(branch(all).dom_wdeg().last_conflict());
        }
        if let Some(strategy) = self.strategy() {
            strategy.start(domains, seed);
        }
        self.rest.rewind();
        self.cursor.reset(self.hidden.len());
        (self.activity, self.turns, self.is_strategic, self.runs) = (None, Turns::Strategy, true, 0);
        self.hinted.clear();
        if is_standard_task {
            let known = |&(x, value): &(IntVar, i64)| Some((domains.known(x)?, value));
            self.hinted.extend(self.hints.iter().filter_map(known));
        }
        self.hint_cursor.reset(self.hinted.len());
        self.is_projected = is_projected && self.projection.is_some();
        if let (true, Some(projection)) = (self.is_projected, &mut self.projection) {
            projection.branching.start(domains, seed);
            projection.has.clear();
            projection.has.resize(domains.store.ids().len(), false);
            projection.is_foreign = false;
            for x in &projection.variables {
                match domains.known(*x) {
                    Some(view) => projection.has[view.var().index()] = true,
                    None => projection.is_foreign = true,
                }
            }
        }
    }

    /// The next decision, or none at a solution. Notes the floor where it is reached, at `depth` decisions.
    #[inline]
    pub(crate) fn choose(
        &mut self,
        domains: &Domains<'_>,
        floor: &mut usize,
        depth: usize,
    ) -> Result<Option<Atom>, Stop> {
        if !self.hinted.is_empty()
            && let Some(atom) = self.choose_hinted(domains)
        {
            return Ok(Some(atom));
        }
        if let (Some(activity), false) = (&mut self.activity, self.is_strategic) {
            return Ok(activity.choose(domains.store));
        }
        let wish = match self.strategy() {
            Some(strategy) => strategy.choose(domains),
            None => None,
        };
        let wish = match wish {
            Some(decision) => Some(decision.atom(domains).ok_or(Stop::ForeignVariable)?),
            None => None,
        };
        if let (true, Some(projection)) = (self.is_projected && *floor > depth, &mut self.projection) {
            if projection.is_foreign {
                return Err(Stop::ForeignVariable);
            }
            if let Some(atom) = wish
                && projection.has[atom.var().index()]
            {
                return Ok(Some(atom));
            }
            if let Some(decision) = projection.branching.choose(domains) {
                return Ok(decision.atom(domains));
            }
            *floor = depth;
        }
        if let Some(atom) = wish {
            return Ok(Some(atom));
        }
        match self.rest.choose(domains) {
            Some(decision) => Ok(decision.atom(domains)),
            None if self.hidden.is_empty() => Ok(None),
            None => {
                *floor = depth.min(*floor);
                Ok(self.choose_hidden(domains))
            }
        }
    }

    /// The views of the variables by which solutions differ.
    pub(crate) fn shown(&self, map: &[View]) -> impl Iterator<Item = View> {
        let has = self.projection.as_ref().filter(|_| self.is_projected).map(|projection| &projection.has);
        map.iter().copied().filter(move |x| has.is_none_or(|has| has[x.var().index()]))
    }

    /// The user's strategy or the standard one.
    #[inline(always)]
    fn strategy(&mut self) -> Option<&mut dyn Brancher> {
        match (&mut self.brancher, &mut self.standard) {
            (Some(brancher), _) => Some(&mut **brancher),
            (None, Some(standard)) => Some(standard),
            (None, None) => None,
        }
    }

    /// Whether [`changed`](Self::changed) is to be called.
    pub(crate) fn wants_changes(&self) -> bool {
        self.brancher.as_ref().is_some_and(|brancher| brancher.wants_changes())
    }

    /// Tells what failed, before it is undone.
    pub(crate) fn failed(&mut self, engine: &Engine, tags: &[u32]) {
        let translation = Translation { origins: &self.origins, tags };
        let failure = Failure { translation, engine };
        match (&mut self.brancher, &mut self.standard) {
            (Some(brancher), _) => brancher.failed(&failure),
            (None, Some(standard)) => standard.failed(&failure),
            (None, None) => {}
        }
    }

    /// Tells what changed since the last time.
    pub(crate) fn changed(&mut self, engine: &mut Engine, tags: &[u32]) {
        if let Some(brancher) = &mut self.brancher {
            let translation = Translation { origins: &self.origins, tags };
            brancher.changed(&Changes { translation, changed: engine.touched() });
        }
        engine.clear_touched();
    }

    /// The first hinted variable that is open and can have the value of its hint.
    #[cold]
    fn choose_hinted(&mut self, domains: &Domains<'_>) -> Option<Atom> {
        let from = self.hint_cursor.place(domains.path);
        let can = |&(x, value): &(View, i64)| !domains.store.is_fixed(x) && domains.store.contains(x, value);
        let open = self.hinted[from..].iter().position(can);
        let place = open.map_or(self.hinted.len(), |i| from + i);
        self.hint_cursor.advance(domains.path, place);
        self.hinted.get(place).map(|&(x, value)| x.eq(value))
    }

    /// The first hidden variable that is open, and its smallest value.
    fn choose_hidden(&mut self, domains: &Domains<'_>) -> Option<Atom> {
        let from = self.cursor.place(domains.path);
        let open = self.hidden[from..].iter().position(|&x| !domains.store.is_fixed(x));
        let place = open.map_or(self.hidden.len(), |i| from + i);
        self.cursor.advance(domains.path, place);
        let x = *self.hidden.get(place)?;
        Some(x.eq(domains.store.min(x)))
    }
}
