//! The values of several views are one of the rows of a table, or none of them.
//!
//! - [`table`]: domain consistency by Compact-Table (Demeulenaere, Hartert, Lecoutre, Perez, Perron, Régin,
//!   Schaus 2016: Compact-Table: Efficiently Filtering Table Constraints with Reversible Sparse Bit-Sets); of
//!   a domain with more than 65,536 values that stand in no row, only the bounds are moved.
//! - [`forbidden`]: value consistency, on the same bit-set.
//!
//! The rows that are still possible are bits of trailed [words](rows). Cost: for each changed view, its
//! listed values and the words that are not zero; for each value left, most often one word.
//!
//! Explanation of a removed value: atoms that between them rule out every row with that value, chosen
//! greedily. Where rows are forbidden: the values of the other views.

mod allowed;
mod excluded;
mod rows;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::engine::Poster;
use crate::error::ModelErrorKind;
use crate::model::{Affine, Assignment, Consistency, Constraint, IntExpr, Names};

/// The constraint that the values of views are a row of a table, or that they are none; made by [`table`]
/// and [`forbidden`].
#[must_use = "a constraint does nothing until it is posted"]
#[derive(Clone, Debug)]
pub struct Table {
    operands: Arc<[IntExpr]>,
    /// In ascending order, each once.
    rows: Arc<[Box<[i64]>]>,
    allowed: bool,
    /// The first row with a wrong number of values, and that number.
    mistake: Option<(usize, usize)>,
}

/// The values of the operands (variables, views, expressions), in this order, are one of the rows. Without rows it cannot be satisfied. Rows
/// may be given twice, and may have values that the operands cannot take.
///
/// A row with more or fewer values than there are operands is a mistake, reported with the model.
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let (x, y) = (model.int(0..=9), model.int(0..=9));
/// model.post(table([x, y], [[1, 2], [1, 5], [4, 2]]));
/// model.post(y.ge(3));
/// let solution = model.solver()?.first().solution().unwrap();
/// assert_eq!((solution[x], solution[y]), (1, 5));
/// # Ok::<(), ModelError>(())
/// ```
pub fn table<T: Into<IntExpr>>(
    operands: impl IntoIterator<Item = T>,
    rows: impl IntoIterator<Item = impl AsRef<[i64]>>,
) -> Table {
    let operands: Arc<[IntExpr]> = operands.into_iter().map(Into::into).collect();
    let mut rows: Vec<Box<[i64]>> = rows.into_iter().map(|row| row.as_ref().into()).collect();
    let mistake = rows.iter().enumerate().find(|(_, row)| row.len() != operands.len());
    let mistake = mistake.map(|(i, row)| (i, row.len()));
    rows.sort_unstable();
    rows.dedup();
    Table { operands, rows: rows.into(), allowed: true, mistake }
}

/// The values of the operands (variables, views, expressions), in this order, are none of the rows. Otherwise as [`table`].
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let (x, y) = (model.int(0..=2), model.int(0..=2));
/// model.post(forbidden([x, y], [[0, 0], [1, 2]]));
/// assert_eq!(model.solver()?.count().solutions, 9 - 2);
/// # Ok::<(), ModelError>(())
/// ```
pub fn forbidden<T: Into<IntExpr>>(
    operands: impl IntoIterator<Item = T>,
    rows: impl IntoIterator<Item = impl AsRef<[i64]>>,
) -> Table {
    Table { allowed: false, ..table(operands, rows) }
}

/// So many rows are written out when the constraint is described.
const DESCRIBED: usize = 10;

impl Constraint for Table {
    fn scope(&self) -> Vec<Affine> {
        self.operands.iter().flat_map(IntExpr::views).collect()
    }

    fn is_satisfied(&self, a: &Assignment) -> bool {
        // What is undefined makes either form false.
        let values = || self.operands.iter().map(|x| x.value(a));
        let found = self.rows.binary_search_by(|row| row.iter().map(|&v| Some(v)).cmp(values()));
        values().all(|v| v.is_some()) && found.is_ok() == self.allowed
    }

    fn describe(&self, names: &Names<'_>) -> String {
        let row = |row: &[i64]| {
            let values: Vec<String> = row.iter().map(i64::to_string).collect();
            format!("({})", values.join(", "))
        };
        let mut words: Vec<String> = self.rows.iter().take(DESCRIBED).map(|r| row(r)).collect();
        if self.rows.len() > DESCRIBED {
            words.push(format!("{} more", self.rows.len() - DESCRIBED));
        }
        let sign = if self.allowed { "in" } else { "not in" };
        format!("({}) {sign} {{{}}}", names.list(self.operands.iter()), words.join(", "))
    }

    fn consistency(&self) -> Consistency {
        match self.allowed {
            _ if !self.operands.iter().all(|x| x.as_view().is_some()) => Consistency::Check,
            true => Consistency::Domain,
            false => Consistency::Value,
        }
    }

    fn negation(&self) -> Option<Arc<dyn Constraint>> {
        // Both forms demand that the operands are defined.
        let total = !self.operands.iter().any(IntExpr::is_partial);
        total.then(|| Arc::new(Table { allowed: !self.allowed, ..self.clone() }) as Arc<dyn Constraint>)
    }

    fn validate(&self, range: &dyn Fn(Affine) -> (i64, i64)) -> Result<(), ModelErrorKind> {
        self.operands.iter().try_for_each(|x| x.validate(range))?;
        match self.mistake {
            Some((row, found)) => {
                Err(ModelErrorKind::RowLength { row, found, expected: self.operands.len() })
            }
            None => Ok(()),
        }
    }

    fn post(&self, poster: &mut Poster<'_>) {
        let views = poster.views(&self.operands);
        if self.allowed {
            allowed::post(poster, views, &self.rows, allowed::UNLISTED);
        } else {
            excluded::post(poster, views, &self.rows);
        }
    }
}
