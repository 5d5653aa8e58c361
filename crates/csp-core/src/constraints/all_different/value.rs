//! All-different by value: what a fixed view has, no other may have.
//!
//! Value consistency: domains lose the values of fixed views, and nothing else. The views already
//! dealt with form the front of a sparse set whose length is trailed; the views that became fixed
//! since the last call come from the engine. Cost: per newly fixed view, one
//! [bulk removal](crate::engine::Context::remove_from_each) over the views not dealt with.
//!
//! Explanation: the value went because the fixed view has it.

use crate::engine::{
    Atom, Conflict, Context, Events, Explanation, History, Lazy, Poster, Priority, Propagator, Slot, Status,
    Targets,
};
use crate::model::Affine;

pub(super) fn post(poster: &mut Poster<'_>, views: &[Affine]) {
    let views = poster.views(views);
    let propagator = ByValue::new(poster, views.clone());
    poster.add_indexed(propagator, Priority::Linear, views.into_iter().map(|v| (v, Events::FIXED)));
}

#[derive(Debug)]
pub(super) struct ByValue {
    targets: Targets,
    /// Trailed: how many views at the front of `targets` are fixed and dealt with.
    done: Slot,
    /// Scratch: fixed views to deal with.
    work: Vec<u32>,
}

impl ByValue {
    pub(super) fn new(poster: &mut Poster<'_>, views: Vec<crate::engine::View>) -> ByValue {
        ByValue { targets: poster.targets(views), done: poster.state(0), work: Vec::new() }
    }
}

impl Propagator for ByValue {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let mut done = ctx.get(self.done) as usize;
        self.work.clear();
        if ctx.is_fresh() {
            let fixed = self.targets.rest(done).filter(|&i| ctx.is_fixed(self.targets.view(i)));
            self.work.extend(fixed);
        } else {
            self.work.extend_from_slice(ctx.changed());
        }
        while let Some(i) = self.work.pop() {
            if self.targets.move_to(i, done) {
                done += 1;
                let value = ctx.min(self.targets.view(i));
                ctx.remove_from_each(&self.targets, done, value, Lazy(i), &mut self.work)?;
            }
        }
        ctx.set(self.done, done as u64);
        Ok(if done + 1 >= self.targets.len() { Status::Entailed } else { Status::AtFixpoint })
    }

    fn explain(&self, data: u32, _: Atom, history: &History<'_>, out: &mut Explanation) {
        let x = self.targets.view(data);
        out.push(x.eq(history.min(x)));
    }
}
