//! The rows of a table that are still possible: a reversible sparse bit-set.
//!
//! Row `r` is bit `r % 64` of word `r / 64`. Words are trailed. Those that are not zero stand in front of
//! a list, so that deep in the search only few are looked at. Each value of each view has the set of rows
//! it stands in, its *support*, as words of the same layout.

use crate::constraints::clause;
use crate::engine::{Conflict, Context, Events, Lazy, Poster, Priority, Propagator, Slot, View};

/// The possible rows, with the values they are made of.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) columns: Box<[Column]>,
    /// The rows themselves, ascending.
    rows: Box<[Box<[i64]>]>,
    /// The first of the words.
    words: Slot,
    /// Places of words, of which those in front are not zero. The order is advice.
    active: Box<[u32]>,
    /// How many words are not zero.
    limit: Slot,
    /// Scratch; written before it is read.
    mask: Box<[u64]>,
}

/// One view, with the values it has in the rows.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) view: View,
    /// Ascending.
    pub(super) values: Box<[i64]>,
    supports: Box<[Support]>,
    /// Where to find a possible row in the support of each value. Advice.
    residues: Box<[u32]>,
    /// Places of values, of which those in front were in the domain when it was last looked at. The order is
    /// advice.
    order: Box<[u32]>,
    /// How many values are in front.
    left: Slot,
    /// The size of the domain when it was last looked at, less what was removed from here since.
    size: Slot,
    /// The number of the first value among the values of all columns.
    first: u32,
}

/// The rows of one value.
#[derive(Debug)]
enum Support {
    /// Every word.
    Dense(Box<[u64]>),
    /// The words that are not zero, with their places.
    Sparse(Box<[(u32, u64)]>),
}

impl Support {
    /// The support with these words that are not zero, out of so many. That needs room in proportion to the
    /// number of rows in it.
    fn new(entries: Vec<(u32, u64)>, words: usize) -> Support {
        if 4 * entries.len() < words {
            return Support::Sparse(entries.into());
        }
        let mut dense = vec![0; words];
        entries.into_iter().for_each(|(place, bits)| dense[place as usize] = bits);
        Support::Dense(dense.into())
    }

    /// The entry of this number: the place of a word, and its bits.
    #[inline]
    fn entry(&self, number: u32) -> (u32, u64) {
        match self {
            Support::Dense(words) => (number, words[number as usize]),
            Support::Sparse(entries) => entries[number as usize],
        }
    }

    fn entries(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        let count = match self {
            Support::Dense(words) => words.len(),
            Support::Sparse(entries) => entries.len(),
        };
        (0..count as u32).map(|i| self.entry(i))
    }

    /// The number of an entry with a row that is possible.
    #[inline]
    fn find(&self, ctx: &Context<'_>, words: Slot, active: &[u32]) -> Option<u32> {
        let meets = |place: u32, bits: u64| ctx.get(words.plus(place)) & bits != 0;
        match self {
            Support::Dense(all) => active.iter().copied().find(|&w| meets(w, all[w as usize])),
            Support::Sparse(entries) => {
                entries.iter().position(|&(w, bits)| meets(w, bits)).map(|i| i as u32)
            }
        }
    }

    /// Adds its bits to a mask, at least in the active words.
    #[inline]
    fn add_to(&self, mask: &mut [u64], active: &[u32]) {
        match self {
            // In a row, several words are done at a time.
            Support::Dense(words) if 4 * active.len() >= words.len() => {
                mask.iter_mut().zip(words).for_each(|(to, bits)| *to |= bits);
            }
            Support::Dense(words) => active.iter().for_each(|&w| mask[w as usize] |= words[w as usize]),
            Support::Sparse(entries) => entries.iter().for_each(|&(w, bits)| mask[w as usize] |= bits),
        }
    }
}

/// The numbers of the rows in words.
fn rows_in(words: impl Iterator<Item = (u32, u64)>) -> impl Iterator<Item = u32> {
    words.flat_map(|(place, bits)| {
        let rest = std::iter::successors(Some(bits), |&b| Some(b & b.wrapping_sub(1)));
        rest.take_while(|&b| b != 0).map(move |b| 64 * place + b.trailing_zeros())
    })
}

impl Column {
    /// One column of the rows; `first` is the number of its first value.
    fn new(poster: &mut Poster<'_>, view: View, rows: &[Box<[i64]>], column: usize, first: u32) -> Column {
        let mut cells: Vec<(i64, u32)> = rows.iter().map(|row| row[column]).zip(0..).collect();
        cells.sort_unstable();
        let (mut values, mut supports) = (Vec::new(), Vec::new());
        for same in cells.chunk_by(|a, b| a.0 == b.0) {
            let mut entries: Vec<(u32, u64)> = Vec::new();
            for &(_, row) in same {
                let (place, bit) = (row / 64, 1 << (row % 64));
                match entries.last_mut() {
                    Some(last) if last.0 == place => last.1 |= bit,
                    _ => entries.push((place, bit)),
                }
            }
            values.push(same[0].0);
            supports.push(Support::new(entries, rows.len().div_ceil(64)));
        }
        Column {
            view,
            residues: vec![0; values.len()].into(),
            order: (0..values.len() as u32).collect(),
            left: poster.state(values.len() as u64),
            size: poster.state(u64::MAX),
            first,
            values: values.into(),
            supports: supports.into(),
        }
    }

    /// The values that were in the domain when it was last looked at, in no order.
    #[inline]
    pub(super) fn left(&self, ctx: &Context<'_>) -> &[u32] {
        &self.order[..ctx.get(self.left) as usize]
    }

    /// How many values of the domain were in no row of the table from the start.
    #[inline]
    pub(super) fn unlisted(&self, ctx: &Context<'_>) -> u64 {
        ctx.size(self.view).saturating_sub(ctx.get(self.left))
    }

    /// Says that so many values were removed from here.
    pub(super) fn removed(&self, ctx: &mut Context<'_>, count: u64) {
        let size = ctx.get(self.size);
        ctx.set(self.size, size.saturating_sub(count));
    }

    /// Sets values apart that are no longer in the domain. Returns how many there were before, and how many
    /// are left, if these are fewer.
    #[inline]
    fn look(&mut self, ctx: &mut Context<'_>) -> Option<(usize, usize)> {
        let size = ctx.size(self.view);
        if size == ctx.get(self.size) {
            return None;
        }
        ctx.set(self.size, size);
        let before = ctx.get(self.left) as usize;
        let mut left = 0;
        for j in 0..before {
            if ctx.contains(self.view, self.values[self.order[j] as usize]) {
                self.order.swap(left, j);
                left += 1;
            }
        }
        if left == before {
            return None;
        }
        ctx.set(self.left, left as u64);
        Some((before, left))
    }
}

impl Rows {
    /// The rows whose values all are in the domains.
    pub(super) fn new(poster: &mut Poster<'_>, views: &[View], rows: &[Box<[i64]>]) -> Rows {
        let store = poster.store();
        let possible = |row: &[i64]| views.iter().zip(row).all(|(&x, &v)| store.contains(x, v));
        let rows: Box<[Box<[i64]>]> = rows.iter().filter(|row| possible(row)).cloned().collect();
        let count = rows.len().div_ceil(64);
        let mut first = 0;
        let mut columns = Vec::with_capacity(views.len());
        for (i, &view) in views.iter().enumerate() {
            let column = Column::new(poster, view, &rows, i, first);
            first += column.values.len() as u32;
            columns.push(column);
        }
        let word = |i: usize| u64::MAX >> (64 * (i + 1)).saturating_sub(rows.len());
        Rows {
            columns: columns.into(),
            words: poster.states((0..count).map(word)),
            active: (0..count as u32).collect(),
            limit: poster.state(count as u64),
            mask: vec![0; count].into(),
            rows,
        }
    }

    /// Whether no row is possible.
    pub(super) fn is_empty(&self, ctx: &Context<'_>) -> bool {
        ctx.get(self.limit) == 0
    }

    /// Drops the rows with values that are in the domains no more. Returns the column in which values went,
    /// if it was only one.
    pub(super) fn update(&mut self, ctx: &mut Context<'_>) -> Option<usize> {
        let (mut changed, mut last) = (0, None);
        for column in 0..self.columns.len() {
            if self.update_column(ctx, column) {
                changed += 1;
                last = Some(column);
            }
        }
        last.filter(|_| changed == 1)
    }

    /// Whether values went.
    #[inline]
    fn update_column(&mut self, ctx: &mut Context<'_>, column: usize) -> bool {
        let Rows { columns, words, active, limit, mask, .. } = self;
        let column = &mut columns[column];
        let Some((before, left)) = column.look(ctx) else { return false };
        let mut count = ctx.get(*limit) as usize;
        // Either the rows of what went, or the rows of what is left: whichever is less work.
        let fewer_went = before - left < left;
        let values = if fewer_went { &column.order[left..before] } else { &column.order[..left] };
        let bits = match (values, values.first().map(|&k| &column.supports[k as usize])) {
            (&[_], Some(Support::Dense(words))) => words,
            _ => {
                active[..count].iter().for_each(|&w| mask[w as usize] = 0);
                for &k in values {
                    column.supports[k as usize].add_to(mask, &active[..count]);
                }
                mask
            }
        };
        let flip = if fewer_went { u64::MAX } else { 0 };
        for j in (0..count).rev() {
            let w = active[j];
            let slot = words.plus(w);
            let old = ctx.get(slot);
            let new = old & (bits[w as usize] ^ flip);
            if new != old {
                ctx.set(slot, new);
                if new == 0 {
                    count -= 1;
                    active.swap(j, count);
                }
            }
        }
        ctx.set(*limit, count as u64);
        true
    }

    /// Removes the values of a column that stand in no possible row; the reason of each is its number.
    #[inline]
    pub(super) fn filter(&mut self, ctx: &mut Context<'_>, column: usize) -> Result<(), Conflict> {
        let Rows { columns, words, active, limit, .. } = self;
        let column = &mut columns[column];
        let active = &active[..ctx.get(*limit) as usize];
        let before = ctx.get(column.left) as usize;
        let mut left = before;
        for j in (0..before).rev() {
            let k = column.order[j] as usize;
            let support = &column.supports[k];
            let (place, bits) = support.entry(column.residues[k]);
            if ctx.get(words.plus(place)) & bits != 0 {
                continue;
            }
            match support.find(ctx, *words, active) {
                Some(entry) => column.residues[k] = entry,
                None => {
                    ctx.remove(column.view, column.values[k], Lazy(column.first + k as u32))?;
                    left -= 1;
                    column.order.swap(j, left);
                }
            }
        }
        if left < before {
            ctx.set(column.left, left as u64);
            column.removed(ctx, (before - left) as u64);
        }
        Ok(())
    }

    /// A possible row with the value at this place of a column.
    pub(super) fn possible_with(&self, ctx: &Context<'_>, column: usize, value: u32) -> Option<u32> {
        let active = &self.active[..ctx.get(self.limit) as usize];
        let support = &self.columns[column].supports[value as usize];
        let (place, bits) = support.entry(support.find(ctx, self.words, active)?);
        rows_in([(place, bits & ctx.get(self.words.plus(place)))].into_iter()).next()
    }

    /// A possible row.
    pub(super) fn any_possible(&self, ctx: &Context<'_>) -> Option<u32> {
        let active = self.active[..ctx.get(self.limit) as usize].iter();
        rows_in(active.map(|&w| (w, ctx.get(self.words.plus(w))))).next()
    }

    /// The rows with the value of this number, possible or not.
    pub(super) fn rows_of(&self, number: u32) -> impl Iterator<Item = u32> + '_ {
        let column = &self.columns[self.columns.partition_point(|c| c.first <= number) - 1];
        rows_in(column.supports[(number - column.first) as usize].entries())
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The number of a row with these values.
    pub(super) fn position(&self, values: impl Iterator<Item = i64> + Clone) -> Option<usize> {
        self.rows.binary_search_by(|row| row.iter().copied().cmp(values.clone())).ok()
    }

    pub(super) fn row(&self, number: u32) -> &[i64] {
        &self.rows[number as usize]
    }
}

/// Posts a propagator made of the possible rows and woken by these events; without any row, what `none` says.
pub(super) fn post<P: Propagator + 'static>(
    poster: &mut Poster<'_>,
    views: Vec<View>,
    rows: &[Box<[i64]>],
    none: bool,
    events: Events,
    make: impl FnOnce(Rows) -> P,
) {
    let rows = Rows::new(poster, &views, rows);
    let decided = if rows.rows.is_empty() { Some(none) } else { views.is_empty().then_some(!none) };
    match decided {
        Some(true) => {}
        Some(false) => clause::post_atoms(poster, &[]),
        None => {
            let subscriptions: Vec<_> = views.into_iter().map(|x| (x, events)).collect();
            poster.add(make(rows), Priority::Quadratic, subscriptions);
        }
    }
}
