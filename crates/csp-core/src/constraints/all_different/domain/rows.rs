//! The form for up to two thousand values: each domain is a row of a few words.

use super::super::hall::HallSet;
use super::super::value::ByValue;
use super::bits::Matching;
use crate::engine::{
    Atom, Conflict, Context, Explanation, History, Poster, Priority, Propagator, Status, View,
};

/// Sets of values are `W` words; the views are in any form.
#[derive(Debug)]
pub(super) struct InRows<const W: usize> {
    value: ByValue,
    /// The value of bit 0.
    base: i64,
    matching: Matching<W>,
    hall: HallSet,
    /// Scratch: views that became fixed.
    fixed: Vec<u32>,
}

impl<const W: usize> InRows<W> {
    /// For views whose values lie in the 64·W numbers from `base` on.
    pub(super) fn new(poster: &mut Poster<'_>, views: &[View], base: i64) -> InRows<W> {
        InRows {
            value: ByValue::new(poster, views.to_vec()),
            base,
            matching: Matching::new(views.len()),
            hall: HallSet::default(),
            fixed: Vec::with_capacity(views.len()),
        }
    }

    /// Makes the domains of the views not yet dealt with consistent.
    fn filter(&mut self, ctx: &mut Context<'_>) -> Result<(), Conflict> {
        for i in self.value.rest(ctx) {
            let (x, row) = (self.value.view(i), &mut self.matching.rows[i as usize].0);
            if ctx.has_windows(x) {
                ctx.windows(x, self.base, row);
            } else {
                row.fill(0);
                for bit in ctx.values(x).map(|u| u.abs_diff(self.base)) {
                    row[(bit / 64) as usize] |= 1 << (bit % 64);
                }
            }
        }
        if let Err(violation) = self.matching.run(self.value.rest(ctx)) {
            if ctx.explains() {
                let values = violation.values.iter().map(|bit| self.base + i64::from(bit));
                let views = self.matching.violators().iter().map(|&i| self.value.view(i));
                self.hall.describe(ctx, views, values);
            }
            return Err(ctx.fail(self.hall.reason()));
        }
        self.fixed.clear();
        for cut in &self.matching.cuts {
            let mut rest = cut.gone;
            while let Some((gone, values)) = self.matching.next_hall_set(&mut rest) {
                if ctx.explains() {
                    let views = values.iter().map(|v| self.value.view(self.matching.owner(v)));
                    self.hall.describe(ctx, views, values.iter().map(|bit| self.base + i64::from(bit)));
                }
                for i in cut.values.iter().map(|v| self.matching.owner(v)) {
                    for bit in gone.and(self.matching.rows[i as usize]).iter() {
                        let value = self.base + i64::from(bit);
                        ctx.remove(self.value.view(i), value, self.hall.reason())?;
                    }
                }
            }
            if self.matching.fixes(cut) {
                self.fixed.extend(cut.values.first().map(|v| self.matching.owner(v)));
            }
        }
        for &i in &self.fixed {
            self.value.set_aside(ctx, i);
        }
        Ok(())
    }
}

impl<const W: usize> Propagator for InRows<W> {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let dear = ctx.priority() == Priority::Dear;
        if dear {
            self.filter(ctx)?
        } else {
            self.value.stage(ctx)?
        }
        Ok(self.value.status(ctx, dear, Priority::Dear))
    }

    fn explain(&self, data: u32, atom: Atom, history: &History<'_>, out: &mut Explanation) {
        self.value.explain(data, atom, history, out);
    }
}
