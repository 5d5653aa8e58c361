//! All-different by value: what a fixed view has, no other may have.
//!
//! Value consistency: domains lose the values of fixed views, and nothing else. The views already
//! dealt with form the front of a sparse set whose length is trailed; the views that became fixed
//! since the last call come from the engine. Cost: per newly fixed view, one
//! [bulk removal](crate::engine::Context::remove_from_each) over the views not dealt with.
//!
//! Explanation: the value went because the fixed view has it.

use crate::engine::{
    Atom, Conflict, Context, Events, Explanation, Frame, History, Lazy, Poster, Priority, Propagator, Slot,
    Status, Targets, View,
};

pub(super) fn post(poster: &mut Poster<'_>, views: Vec<View>) {
    let subscriptions: Vec<_> = views.iter().map(|&v| (v, Events::FIXED)).collect();
    match poster.frame(&views) {
        Some(frame) => {
            let propagator = InFrame { open: poster.state(u64::MAX >> (64 - views.len())), frame, views };
            poster.add_indexed(propagator, Priority::Linear, subscriptions);
        }
        None => {
            let propagator = ByValue::new(poster, views);
            poster.add_indexed(propagator, Priority::Linear, subscriptions);
        }
    }
}

/// The form for few values: sets of views and of values are words, and the values of all views that
/// became fixed are removed at once.
#[derive(Debug)]
struct InFrame {
    frame: Frame,
    views: Vec<View>,
    /// Trailed: the views not dealt with.
    open: Slot,
}

impl Propagator for InFrame {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let mut open = ctx.get(self.open);
        let fixed = if ctx.is_fresh() {
            (0..self.views.len()).fold(0, |set, i| set | u64::from(ctx.is_fixed(self.views[i])) << i)
        } else {
            ctx.changed().first_64()
        } & open;
        open = settle(ctx, &self.frame, open, fixed)?;
        ctx.set(self.open, open);
        Ok(if open & open.wrapping_sub(1) == 0 { Status::Entailed } else { Status::AtFixpoint })
    }

    fn explain(&self, data: u32, _: Atom, history: &History<'_>, out: &mut Explanation) {
        let x = self.views[data as usize];
        out.push(x.eq(history.min(x)));
    }
}

/// Removes the values of the views `fixed` from the others, and those of the views that become fixed by it.
/// Returns the views still open.
#[inline(always)]
pub(super) fn settle(
    ctx: &mut Context<'_>,
    frame: &Frame,
    mut open: u64,
    mut fixed: u64,
) -> Result<u64, Conflict> {
    while fixed != 0 {
        let now = fixed;
        let (mut gone, mut rest) = (0, now);
        while rest != 0 {
            let value = frame.values(ctx, rest.trailing_zeros());
            if gone & value != 0 {
                return Err(equal(ctx, frame, now, value));
            }
            gone |= value;
            rest &= rest - 1;
        }
        open &= !now;
        fixed = 0;
        if open == 0 {
            break;
        }
        fixed |= if ctx.explains() {
            remove_each(ctx, frame, open, now, gone)?
        } else {
            ctx.remove_values(frame, open, gone, Lazy(0))?
        };
    }
    Ok(open)
}

/// Two of the views `fixed` have this value.
fn equal(ctx: &mut Context<'_>, frame: &Frame, fixed: u64, value: u64) -> Conflict {
    if !ctx.explains() {
        return Conflict;
    }
    let equal = |i: &u32| fixed >> i & 1 == 1 && frame.values(ctx, *i) == value;
    let atoms: Vec<Atom> = (0..64).filter(equal).map(|i| frame.fixed(ctx, i)).collect();
    ctx.fail(|out: &mut Explanation| out.extend(atoms))
}

/// Removes the values `gone` of the views `fixed` from the views `open`, each with a reason that names whose it is.
#[cold]
fn remove_each(
    ctx: &mut Context<'_>,
    frame: &Frame,
    open: u64,
    fixed: u64,
    gone: u64,
) -> Result<u64, Conflict> {
    let mut owner = [0; 64];
    for i in (0..64).filter(|i| fixed >> i & 1 == 1) {
        owner[frame.values(ctx, i).trailing_zeros() as usize] = i;
    }
    ctx.remove_values_by(frame, open, gone, |value| Lazy(owner[value.trailing_zeros() as usize]))
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
    pub(super) fn new(poster: &mut Poster<'_>, views: Vec<View>) -> ByValue {
        let work = Vec::with_capacity(views.len());
        ByValue { targets: poster.targets(views), done: poster.state(0), work }
    }

    /// Deals with the fixed views in `work`, and with those that become fixed by it.
    #[inline]
    fn settle(&mut self, ctx: &mut Context<'_>) -> Result<(), Conflict> {
        let mut done = ctx.get(self.done) as usize;
        while let Some(i) = self.work.pop() {
            if self.targets.move_to(i, done) {
                done += 1;
                let value = ctx.min(self.targets.view(i));
                ctx.remove_from_each(&self.targets, done, value, Lazy(i), &mut self.work)?;
            }
        }
        ctx.set(self.done, done as u64);
        Ok(())
    }

    /// Deals with the views that became fixed; a stronger propagator, whose first stage this is, is woken by more.
    pub(super) fn stage(&mut self, ctx: &mut Context<'_>) -> Result<(), Conflict> {
        self.work.clear();
        let is_fixed = |i: &u32| ctx.is_fixed(self.targets.view(*i));
        if ctx.is_fresh() {
            self.work.extend(self.targets.rest(ctx.get(self.done) as usize).filter(is_fixed));
        } else {
            self.work.extend(ctx.changed().iter().filter(is_fixed));
        }
        self.settle(ctx)
    }

    /// Deals with a view that a stronger propagator fixed.
    pub(super) fn settle_one(&mut self, ctx: &mut Context<'_>, index: u32) -> Result<(), Conflict> {
        self.work.clear();
        self.work.push(index);
        self.settle(ctx)
    }

    /// Sets a view aside that is fixed and whose value no other view has.
    pub(super) fn set_aside(&mut self, ctx: &mut Context<'_>, index: u32) {
        let done = ctx.get(self.done);
        if self.targets.move_to(index, done as usize) {
            ctx.set(self.done, done + 1);
        }
    }

    /// The views that were not dealt with.
    pub(super) fn rest(&self, ctx: &Context<'_>) -> impl Iterator<Item = u32> + '_ {
        self.targets.rest(ctx.get(self.done) as usize)
    }

    /// Whether at most one view was not dealt with.
    #[inline]
    pub(super) fn is_entailed(&self, ctx: &Context<'_>) -> bool {
        ctx.get(self.done) as usize + 1 >= self.targets.len()
    }

    /// What to say after a stage: the dear one, at `priority`, or the one before it.
    pub(super) fn status(&self, ctx: &Context<'_>, dear: bool, priority: Priority) -> Status {
        if self.is_entailed(ctx) {
            Status::Entailed
        } else if dear {
            Status::AtFixpoint
        } else {
            Status::Later(priority)
        }
    }

    pub(super) fn view(&self, index: u32) -> View {
        self.targets.view(index)
    }
}

impl Propagator for ByValue {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        self.stage(ctx)?;
        Ok(if self.is_entailed(ctx) { Status::Entailed } else { Status::AtFixpoint })
    }

    fn explain(&self, data: u32, _: Atom, history: &History<'_>, out: &mut Explanation) {
        let x = self.targets.view(data);
        out.push(x.eq(history.min(x)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{all_different, tests};
    use crate::model::Consistency;

    #[test]
    fn the_harness_finds_nothing() {
        crate::testing::check("all_different by value", 0..=5, |xs, _| {
            all_different(xs.iter().copied()).value()
        });
    }

    #[test]
    fn random_walks_find_nothing() {
        let tally = tests::walks(1000, 8, Consistency::Value, &tests::SPREADS, &super::post);
        assert!(tally.pruned_inside > 1000 && tally.failed > 100 && tally.reasons > 1000, "{tally:?}");
    }
}
