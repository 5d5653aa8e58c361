//! What a brancher can learn from.

use crate::engine::{Atom, Engine, VarId};
use crate::model::IntVar;

/// The variables of the model behind those of the engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Translation<'a> {
    /// By variable of the engine; beyond the number of tags for one that is hidden.
    pub(crate) model_of: &'a [u32],
    pub(crate) tags: &'a [u32],
}

impl Translation<'_> {
    fn of(self, x: VarId) -> Option<IntVar> {
        let &id = self.model_of.get(x.index())?;
        self.tags.get(id as usize).map(|&tag| IntVar { id, tag })
    }
}

/// A failure of a propagator, for [`Brancher::failed`](super::Brancher::failed).
#[derive(Clone, Copy, Debug)]
pub struct Failure<'a> {
    pub(crate) translation: Translation<'a>,
    pub(crate) engine: &'a Engine,
}

impl Failure<'_> {
    /// The engine's variables concerned, each once.
    pub(crate) fn ids(&self) -> impl Iterator<Item = VarId> + '_ {
        let (scope, condition) = self.engine.failed_scope();
        scope.iter().map(|v| v.var()).chain(condition.map(Atom::var))
    }

    /// The variables of the model in the scope of the propagator that failed, and of its condition; each once.
    pub fn variables(&self) -> impl Iterator<Item = IntVar> + '_ {
        self.ids().filter_map(|x| self.translation.of(x))
    }
}

/// What one propagation changed, for [`Brancher::changed`](super::Brancher::changed).
#[derive(Clone, Copy, Debug)]
pub struct Changes<'a> {
    pub(crate) translation: Translation<'a>,
    pub(crate) changed: &'a [VarId],
}

impl Changes<'_> {
    /// The variables of the model that lost values, each once. Where propagation failed, not all of them.
    pub fn variables(&self) -> impl Iterator<Item = IntVar> + '_ {
        self.changed.iter().filter_map(|&x| self.translation.of(x))
    }
}
