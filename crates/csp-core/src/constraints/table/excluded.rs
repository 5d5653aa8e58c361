//! The tuple is none of the rows: value consistency.
//!
//! When one view is open, the rows still possible differ in it only, and their values go.

use crate::engine::{
    Atom, Conflict, Context, Events, Explanation, History, Lazy, Poster, Propagator, Status, Store, View,
};

use super::rows::{self, Rows};

pub(super) fn post(poster: &mut Poster<'_>, views: Vec<View>, rows: &[Box<[i64]>]) {
    rows::post(poster, views, rows, true, Events::FIXED, |rows| Excluded { rows });
}

#[derive(Debug)]
struct Excluded {
    rows: Rows,
}

impl Excluded {
    /// Pushes the values of a row, but for one variable.
    fn push_row(&self, row: u32, but: Atom, out: &mut Explanation) {
        let cells = self.rows.columns.iter().zip(self.rows.row(row));
        cells.filter(|(c, _)| c.view.var() != but.var()).for_each(|(c, &v)| out.push(c.view.eq(v)));
    }
}

impl Propagator for Excluded {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let rows = &mut self.rows;
        rows.update(ctx);
        let Some(row) = rows.any_possible(ctx) else { return Ok(Status::Entailed) };
        let mut open = (0..rows.columns.len()).filter(|&i| !ctx.is_fixed(rows.columns[i].view));
        match (open.next(), open.next()) {
            (None, _) => Err(ctx.fail(Lazy(row))),
            (Some(i), None) => {
                let column = &rows.columns[i];
                for j in 0..column.left(ctx).len() {
                    let k = column.left(ctx)[j];
                    if let Some(row) = rows.possible_with(ctx, i, k) {
                        ctx.remove(column.view, column.values[k as usize], Lazy(row))?;
                    }
                }
                Ok(Status::Entailed)
            }
            _ => Ok(Status::AtFixpoint),
        }
    }

    fn explain(&self, row: u32, atom: Atom, _: &History<'_>, out: &mut Explanation) {
        self.push_row(row, atom, out);
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        let columns = self.rows.columns.iter();
        if !columns.clone().all(|c| store.is_fixed(c.view)) {
            return false;
        }
        match self.rows.position(columns.map(|c| store.min(c.view))) {
            Some(row) => {
                self.push_row(row as u32, Atom::FALSE, why);
                true
            }
            None => false,
        }
    }
}
