//! Whose the engine's propagators are.

use crate::engine::{Engine, View};

/// Who posted something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The model's constraint of this number.
    Constraint(usize),
    /// The clique of this number, which stands for several constraints.
    Clique(usize),
    Objective,
    Assumption,
}

/// Who posted which propagators and which arcs of the difference network.
#[derive(Clone, Debug, Default)]
pub(crate) struct Owners {
    /// How many propagators and arcs there were when each began to post.
    begun: Vec<(usize, usize, Owner)>,
    /// The views of each clique, whose variables are numbers in the model.
    pub(crate) cliques: Vec<Vec<View>>,
}

impl Owners {
    /// What is posted from here on belongs to `owner`. Forgets those whose propagators are gone.
    pub(crate) fn begin(&mut self, engine: &Engine, owner: Owner) {
        let (propagators, arcs) = (engine.size().1, engine.difference_count());
        while self.begun.last().is_some_and(|last| last.0 > propagators || last.1 > arcs) {
            self.begun.pop();
        }
        self.begun.push((propagators, arcs, owner));
    }

    pub(crate) fn of_propagator(&self, propagator: u32) -> Option<Owner> {
        let place = self.begun.partition_point(|begun| begun.0 <= propagator as usize);
        Some(self.begun[place.checked_sub(1)?].2)
    }

    pub(crate) fn of_arc(&self, arc: u32) -> Option<Owner> {
        let place = self.begun.partition_point(|begun| begun.1 <= arc as usize);
        Some(self.begun[place.checked_sub(1)?].2)
    }
}
