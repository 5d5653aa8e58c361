//! What a brancher can learn from.

use crate::engine::{Atom, Engine, VarId, View};
use crate::model::IntVar;

/// The variables of the model behind those of the engine.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    /// By variable of the engine: the first of the model's variables it stands for.
    first: Vec<Option<u32>>,
    /// By variable of the model: the next one for which the same variable of the engine stands.
    next: Vec<Option<u32>>,
}

impl Origins {
    /// Those of the views that the model's variables are.
    pub(crate) fn of_map(variables: usize, map: &[View]) -> Origins {
        let mut origins = Origins { first: vec![None; variables], next: vec![None; map.len()] };
        for (i, view) in map.iter().enumerate().rev() {
            origins.next[i] = origins.first[view.var().index()].replace(i as u32);
        }
        origins
    }

    /// How many variables the engine has.
    pub(crate) fn len(&self) -> usize {
        self.first.len()
    }

    /// Whether no variable of the model is behind a variable of the engine.
    pub(crate) fn is_hidden(&self, x: VarId) -> bool {
        self.first[x.index()].is_none()
    }
}

/// The variables of the model behind those of the engine, with their tags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Translation<'a> {
    pub(crate) origins: &'a Origins,
    pub(crate) tags: &'a [u32],
}

impl<'a> Translation<'a> {
    fn of(self, x: VarId) -> impl Iterator<Item = IntVar> + 'a {
        let first = self.origins.first.get(x.index()).copied().flatten();
        let ids = std::iter::successors(first, move |&id| self.origins.next[id as usize]);
        ids.filter_map(move |id| self.tags.get(id as usize).map(|&tag| IntVar { id, tag }))
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
        self.ids().flat_map(|x| self.translation.of(x))
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
        self.changed.iter().flat_map(|&x| self.translation.of(x))
    }
}
