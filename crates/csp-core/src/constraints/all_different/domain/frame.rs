//! The form for up to 64 views of values that fit one word.

use super::super::hall::HallSet;
use super::super::value;
use super::bits::{Matching, Set, ones};
use crate::engine::{
    Atom, Conflict, Context, Explanation, Frame, History, Lazy, Poster, Priority, Propagator, Reason, Slot,
    Status, Store, View,
};

/// Sets of views and sets of values are words.
#[derive(Debug)]
pub(super) struct InFrame {
    frame: Frame,
    views: Vec<View>,
    /// Value `u` of a view is bit `sign · u − base` of the frame.
    sign: i64,
    base: i64,
    /// Trailed: the views not dealt with, bit `i` for view `i`. The others are fixed, and no open one has
    /// their value.
    open: Slot,
    matching: Matching<1>,
    hall: HallSet,
}

impl InFrame {
    /// The propagator, if there is a frame for the views.
    pub(super) fn new(poster: &mut Poster<'_>, views: &[View]) -> Option<InFrame> {
        let frame = poster.frame(views)?;
        let (first, store) = (views[0], poster.store());
        let sign = first.scale().signum();
        let lowest = if sign > 0 { store.min(first) } else { -store.max(first) };
        let base = lowest - i64::from(frame.values(store, 0).trailing_zeros());
        Some(InFrame {
            frame,
            views: views.to_vec(),
            sign,
            base,
            open: poster.state(u64::MAX >> (64 - views.len())),
            matching: Matching::new(views.len()),
            hall: HallSet::default(),
        })
    }

    /// Removes the values of fixed views from the others. Returns the views still open.
    #[inline]
    fn remove_fixed(&self, ctx: &mut Context<'_>, open: u64) -> Result<u64, Conflict> {
        let changed = if ctx.is_fresh() { open } else { ctx.changed().first_64() };
        let mut fixed = 0;
        for i in ones(changed & open) {
            fixed |= u64::from(self.frame.values(ctx, i).is_power_of_two()) << i;
        }
        value::settle(ctx, &self.frame, open, fixed)
    }

    /// Where there are no more values than open views, fixes each view that is the only one to have some
    /// value. The components would show the same; this is cheaper, and it is most of what happens. Returns
    /// the views still open, and whether components would show nothing more.
    #[inline]
    fn fix_hidden(&mut self, ctx: &mut Context<'_>, mut open: u64) -> Result<(u64, bool), Conflict> {
        loop {
            let (mut once, mut twice) = (0, 0);
            for i in ones(open) {
                let values = self.frame.values(ctx, i);
                twice |= once & values;
                once |= values;
            }
            let (values, views) = (once.count_ones(), open.count_ones());
            if values > views {
                return Ok((open, false));
            }
            let mut hidden = once & !twice;
            if values < views {
                return Err(self.violated(ctx, open, once));
            }
            if hidden == 0 {
                // A Hall set of three views is one view, or all but one.
                return Ok((open, views <= 3));
            }
            let all = open;
            for i in ones(all) {
                let values = self.frame.values(ctx, i);
                let value = values & hidden;
                if value & value.wrapping_sub(1) != 0 {
                    return Err(self.violated(ctx, all & !(1 << i), once & !value));
                }
                if value != 0 {
                    if ctx.explains() {
                        // The others have all other values.
                        self.describe(ctx, all & !(1 << i), once & !value);
                    }
                    ctx.remove_values(&self.frame, 1 << i, values ^ value, self.hall.reason())?;
                    open &= !(1 << i);
                    hidden ^= value;
                }
            }
        }
    }

    /// Describes a Hall set.
    #[cold]
    fn describe(&mut self, store: &Store, views: u64, values: u64) {
        let views = ones(views).map(|i| self.views[i as usize]);
        let values = ones(values).map(|bit| self.sign * (self.base + i64::from(bit)));
        self.hall.describe(store, views, values);
    }

    /// These views have fewer values than they are, which are among these.
    fn violated(&mut self, ctx: &mut Context<'_>, views: u64, values: u64) -> Conflict {
        if !ctx.explains() {
            return Conflict;
        }
        self.describe(ctx, views, values);
        ctx.fail(self.hall.reason())
    }

    /// Makes the domains of the open views consistent. Returns those still open.
    fn filter(&mut self, ctx: &mut Context<'_>, mut open: u64) -> Result<u64, Conflict> {
        let (sign, base) = (self.sign, self.base);
        let value = |bit: u32| sign * (base + i64::from(bit));
        for i in ones(open) {
            self.matching.rows[i as usize] = Set([self.frame.values(ctx, i)]);
        }
        if let Err(violation) = self.matching.run(ones(open)) {
            if ctx.explains() {
                let values = violation.values.iter().map(value);
                let views = self.matching.violators().iter().map(|&i| self.views[i as usize]);
                self.hall.describe(ctx, views, values);
            }
            return Err(ctx.fail(self.hall.reason()));
        }
        for cut in &self.matching.cuts {
            let gone = cut.gone.0[0];
            let losers = cut.values.iter().fold(0, |set, v| set | 1 << self.matching.owner(v));
            if ctx.explains() {
                let (mut rest, mut reasons) = (cut.gone, Vec::new());
                while let Some((gone, values)) = self.matching.next_hall_set(&mut rest) {
                    let views = values.iter().map(|v| self.views[self.matching.owner(v) as usize]);
                    self.hall.describe(ctx, views, values.iter().map(value));
                    reasons.push((gone.0[0], ctx.reason(self.hall.reason())));
                }
                let reason =
                    |value| reasons.iter().find(|of| of.0 & value != 0).map_or(Reason::DECISION, |of| of.1);
                ctx.remove_values_by(&self.frame, losers, gone, reason)?;
            } else {
                ctx.remove_values(&self.frame, losers, gone, Lazy(0))?;
            }
            // A fixed view's value was removed from all others.
            if self.matching.fixes(cut) {
                open &= !losers;
            }
        }
        Ok(open)
    }
}

impl Propagator for InFrame {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let before = ctx.get(self.open);
        let dear = ctx.priority() == Priority::Dear;
        let (open, done) = if dear {
            (self.filter(ctx, before)?, true)
        } else {
            let open = self.remove_fixed(ctx, before)?;
            // The components give shorter reasons.
            let is_dear = ctx.explains() && !ctx.is_watched();
            if is_dear { (open, false) } else { self.fix_hidden(ctx, open)? }
        };
        if open != before {
            ctx.set(self.open, open);
        }
        Ok(if open & open.wrapping_sub(1) == 0 {
            Status::Entailed
        } else if done {
            Status::AtFixpoint
        } else {
            Status::Later(Priority::Dear)
        })
    }

    fn explain(&self, data: u32, _: Atom, history: &History<'_>, out: &mut Explanation) {
        let x = self.views[data as usize];
        out.push(x.eq(history.min(x)));
    }
}
