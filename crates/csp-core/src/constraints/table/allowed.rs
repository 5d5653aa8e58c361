//! The tuple is one of the rows: domain consistency by Compact-Table.

use std::cell::Cell;

use crate::engine::{
    Atom, Conflict, Context, Events, Explanation, History, Lazy, Poster, Propagator, Relation, Status, Store,
    View,
};

use super::rows::{self, Column, Rows};

/// So many values that stand in no row are removed from a domain one by one; of more, only the bounds move.
pub(super) const UNLISTED: u64 = 1 << 16;

pub(super) fn post(poster: &mut Poster<'_>, views: Vec<View>, rows: &[Box<[i64]>], unlisted: u64) {
    let distinct = !Poster::repeats(&views);
    rows::post(poster, views, rows, false, Events::ANY, |rows| Allowed {
        rows,
        distinct,
        unlisted,
        support: Cell::new(0),
    });
}

#[derive(Debug)]
struct Allowed {
    rows: Rows,
    /// No variable stands twice.
    distinct: bool,
    /// So many values that stand in no row are removed one by one.
    unlisted: u64,
    /// A row that was possible when this was last asked. Advice.
    support: Cell<usize>,
}

/// The reason of a failure for want of a row; smaller numbers are those of values.
const NO_ROW: u32 = u32::MAX;

impl Propagator for Allowed {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        // A single changed column keeps a support for each value left: only rows of other values went.
        let only = self.rows.update(ctx);
        if self.rows.is_empty(ctx) {
            return Err(ctx.fail(Lazy(NO_ROW)));
        }
        let mut open = 0;
        for i in 0..self.rows.columns.len() {
            if only != Some(i) {
                self.rows.filter(ctx, i)?;
            }
            let column = &self.rows.columns[i];
            if column.unlisted(ctx) > 0 {
                remove_unlisted(ctx, column, self.unlisted)?;
            }
            open += usize::from(!ctx.is_fixed(column.view));
        }
        let entailed = open == 0 || open == 1 && self.rows.columns.iter().all(|c| c.unlisted(ctx) == 0);
        Ok(if entailed && self.distinct { Status::Entailed } else { Status::AtFixpoint })
    }

    fn explain(&self, data: u32, _: Atom, history: &History<'_>, out: &mut Explanation) {
        let mut rows: Vec<u32> = match data {
            NO_ROW => (0..self.rows.len() as u32).collect(),
            value => self.rows.rows_of(value).collect(),
        };
        let bounds = |x| (history.min(x), history.max(x));
        self.rule_out(&mut rows, bounds, |x, v| history.contains(x, v), out);
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        let possible = |row: usize| {
            let mut cells = self.rows.columns.iter().zip(self.rows.row(row as u32));
            cells.all(|(c, &v)| store.contains(c.view, v))
        };
        let (from, count) = (self.support.get(), self.rows.len());
        if let Some(row) = (from..count).chain(0..from).find(|&row| possible(row)) {
            self.support.set(row);
            return false;
        }
        if !why.is_silent() {
            let mut rows = (0..count as u32).collect();
            self.rule_out(&mut rows, |x| store.bounds(x), |x, v| store.contains(x, v), why);
        }
        true
    }
}

/// Removes the values of a domain that were in no row from the start; if these are more than `most`, only
/// those beyond all others.
#[cold]
fn remove_unlisted(ctx: &mut Context<'_>, column: &Column, most: u64) -> Result<(), Conflict> {
    let Column { view: x, values, .. } = column;
    let x = *x;
    if column.unlisted(ctx) <= most {
        let (mut next, mut removed) = (Some(ctx.min(x)), 0);
        while let Some(v) = next {
            next = ctx.above(x, v);
            if values.binary_search(&v).is_err() {
                ctx.remove(x, v, |_: &mut Explanation| {})?;
                removed += 1;
            }
        }
        column.removed(ctx, removed);
        return Ok(());
    }
    let left = column.left(ctx).iter().map(|&k| values[k as usize]);
    let (low, high) = left.fold((i64::MAX, i64::MIN), |(low, high), v| (low.min(v), high.max(v)));
    // The values of the rows in between were removed one by one.
    let (min, max) = ctx.bounds(x);
    ctx.set_min(x, low, |out: &mut Explanation| {
        out.push(x.ge(min));
        values.iter().filter(|v| (min..low).contains(v)).for_each(|&v| out.push(x.ne(v)));
    })?;
    ctx.set_max(x, high, |out: &mut Explanation| {
        out.push(x.le(max));
        values.iter().filter(|&&v| high < v && v <= max).for_each(|&v| out.push(x.ne(v)));
    })
}

impl Allowed {
    /// Pushes atoms that hold in the domains and of which each of the rows violates one. The first row that
    /// is left takes the atom that rules out the most.
    fn rule_out(
        &self,
        rows: &mut Vec<u32>,
        bounds: impl Fn(View) -> (i64, i64),
        contains: impl Fn(View, i64) -> bool,
        out: &mut Explanation,
    ) {
        let columns: Vec<(View, (i64, i64))> =
            self.rows.columns.iter().map(|c| (c.view, bounds(c.view))).collect();
        let cell = |row: u32, column: usize| self.rows.row(row)[column];
        while let Some(&row) = rows.first() {
            let mut best: Option<(usize, usize, Relation, i64)> = None;
            for (i, &(x, (low, high))) in columns.iter().enumerate() {
                let v = cell(row, i);
                let (relation, value) = if v < low {
                    (Relation::Ge, low)
                } else if v > high {
                    (Relation::Le, high)
                } else if !contains(x, v) {
                    (Relation::Ne, v)
                } else {
                    continue;
                };
                let covers = rows.iter().filter(|&&r| !holds(relation, cell(r, i), value)).count();
                if best.is_none_or(|b| covers > b.0) {
                    best = Some((covers, i, relation, value));
                }
            }
            let Some((_, i, relation, value)) = best else { return };
            let x = columns[i].0;
            out.push(match relation {
                Relation::Ge => x.ge(value),
                Relation::Le => x.le(value),
                _ => x.ne(value),
            });
            rows.retain(|&r| holds(relation, cell(r, i), value));
        }
    }
}

/// Whether a value of a view and a number are so related.
fn holds(relation: Relation, v: i64, value: i64) -> bool {
    match relation {
        Relation::Ge => v >= value,
        Relation::Le => v <= value,
        Relation::Eq => v == value,
        Relation::Ne => v != value,
    }
}
