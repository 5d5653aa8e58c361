//! The store: the domains of all variables, and the operations that prune them.
//!
//! A domain has one of three forms, chosen by its span when the variable is made:
//!
//! - *Word*, span ≤ 64: one trailed word, bit `b` standing for the value `base + b`. Minimum, maximum
//!   and size are read off the bits.
//! - *Words*, span ≤ [`WORDS_SPAN`]: minimum and maximum side by side, then the bits. Moving a bound does
//!   not clear bits, so it touches one word whatever the distance. The size is counted when somebody asks:
//!   few do, and keeping it would double the cost of a change.
//! - *Wide*: see [`wide`].
//!
//! Every pruning call says what it removes and why. It does nothing if there is nothing to remove,
//! fails if nothing would be left (the domain then stays as it was), and otherwise changes the
//! domain, writes to the log if the log is on, and puts the variable on the dirty list if any
//! propagator wants one of the events.

mod bits;
mod prune;
mod read;
mod record;
mod wide;

use super::events::Events;
use super::log::{Initial, Log};
use super::reason::{Atom, Reason};
use super::trail::{Slot, Trail};
use super::view::{VarId, View};
use crate::model::Domain;
use bits::mask;
pub(crate) use bits::moved;
pub(crate) use read::Ends;
use wide::Wide;

/// Spans up to this are held as bits.
pub(crate) const WORDS_SPAN: u64 = 1 << 14;

/// A domain was emptied, or a propagator found its constraint violated. What exactly happened is kept
/// by the engine; the value itself only carries the news upwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict;

/// What became of a call that prunes.
pub type Pruned = Result<(), Conflict>;

/// Bits of the hooks byte: who watches changes.
pub(crate) mod hooks {
    /// Changes and failures are written to the log.
    pub(crate) const LOG: u8 = 1;
    /// What is logged is a search that would not be otherwise: propagators do what they do without the log, in the
    /// same order, so that it takes the same course.
    pub(crate) const ALIKE: u8 = 2;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Word,
    Words,
    Wide,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    /// The value that bit 0 stands for.
    base: i64,
    slot: Slot,
    /// *Words*: how many words of bits. *Wide*: its place among the wide domains.
    extra: u32,
    form: Form,
    /// Events that at least one propagator wants.
    pub(crate) wants: Events,
    /// Events since the last dispatch.
    pub(crate) dirty: Events,
}

/// The words of a *Words* domain before its bits.
const HEAD: u32 = 2;

/// A failure, as it is kept for whoever asks: the change that could not be made, if it was one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failure {
    pub(crate) atom: Option<Atom>,
    pub(crate) reason: Reason,
}

/// The variables with wanted events since the last dispatch, in order of their first one.
#[derive(Debug, Default)]
pub(crate) struct Dirty {
    /// Has room for every variable, so that noting one is a write without a branch.
    list: Vec<VarId>,
    len: usize,
}

impl Dirty {
    #[inline]
    pub(crate) fn variables(&self) -> &[VarId] {
        &self.list[..self.len]
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Notes events of a variable as far as anybody wants them. Without a branch: what a change amounts
    /// to cannot be predicted.
    #[inline(always)]
    pub(crate) fn note(
        &mut self,
        variable: &mut Variable,
        x: VarId,
        min: bool,
        max: bool,
        fixed: bool,
        any: bool,
    ) {
        let events = u8::from(fixed) | u8::from(min) << 1 | u8::from(max) << 2 | u8::from(any) << 3;
        let wanted = events & variable.wants.0;
        self.list[self.len] = x;
        self.len += usize::from((wanted != 0) & (variable.dirty.0 == 0));
        variable.dirty.0 |= wanted;
    }
}

/// The domains of all variables and the trailed state of all propagators.
///
/// Propagators and branchers read it; pruning goes through [`Context`](super::Context).
#[derive(Debug, Default)]
pub struct Store {
    pub(crate) trail: Trail,
    pub(crate) variables: Vec<Variable>,
    wide: Vec<Wide>,
    pub(crate) dirty: Dirty,
    pub(crate) hooks: u8,
    pub(crate) log: Log,
    /// The propagator at work, to whom reasons are put down.
    pub(crate) running: u32,
    pub(crate) failure: Option<Failure>,
    /// The level that no search undoes.
    pub(crate) root_level: u32,
    /// Events that are wanted of any variable.
    pub(crate) wanted: Events,
}

/// Making.
impl Store {
    /// A variable with the values of the given sorted, disjoint, non-adjacent intervals, at least one.
    pub(crate) fn add_variable(&mut self, intervals: &[(i64, i64)]) -> VarId {
        let (min, max) = (intervals[0].0, intervals[intervals.len() - 1].1);
        let span = max.abs_diff(min);
        let id = VarId(u32::try_from(self.variables.len()).expect("fewer than 2^32 variables"));
        let (form, slot, extra) = if span < 64 {
            let word = intervals.iter().fold(0, |w, &(lo, hi)| w | mask(lo.abs_diff(min), hi.abs_diff(min)));
            (Form::Word, self.trail.alloc(word), 0)
        } else if span < WORDS_SPAN {
            let words = span as usize / 64 + 1;
            let slot = self.trail.alloc(0);
            self.trail.alloc(span);
            for i in 0..words as u64 {
                let (first, last) = (64 * i, 64 * i + 63);
                let word = intervals.iter().fold(0, |w, &(lo, hi)| {
                    let (lo, hi) = (lo.abs_diff(min).max(first), hi.abs_diff(min).min(last));
                    if lo <= hi { w | mask(lo - first, hi - first) } else { w }
                });
                self.trail.alloc(word);
            }
            (Form::Words, slot, words as u32)
        } else {
            let wide = Wide::new(intervals, &mut self.trail);
            self.wide.push(wide);
            (Form::Wide, Slot((self.trail.len() - wide::WORDS) as u32), self.wide.len() as u32 - 1)
        };
        self.dirty.list.resize(self.variables.len() + 2, VarId::ZERO);
        self.variables.push(Variable {
            base: min,
            slot,
            extra,
            form,
            wants: Events::NONE,
            dirty: Events::NONE,
        });
        if self.is_logged() {
            self.log.add_variable(self.initial(id));
        }
        id
    }

    /// All variables, the constant 0 first.
    pub(crate) fn ids(&self) -> impl ExactSizeIterator<Item = VarId> + use<> {
        (0..self.variables.len() as u32).map(VarId)
    }

    /// Forgets the variables from `len` on. The caller cuts the trail.
    pub(crate) fn truncate(&mut self, len: usize) {
        for v in self.variables.drain(len..).rev() {
            if v.form == Form::Wide {
                self.wide.pop();
            }
        }
        if self.is_logged() {
            self.log.truncate_variables(len);
        }
    }

    /// Whether the log is on.
    #[inline]
    pub(crate) fn is_logged(&self) -> bool {
        self.hooks & hooks::LOG != 0
    }

    /// Switches the log off.
    pub(crate) fn stop_log(&mut self) {
        self.hooks &= !(hooks::LOG | hooks::ALIKE);
        self.log = Log::default();
        self.failure = None;
    }

    /// Switches the log on, from the domains as they are.
    pub(crate) fn start_log(&mut self) {
        self.hooks |= hooks::LOG;
        let initial = (0..self.variables.len()).map(|i| self.initial(VarId(i as u32))).collect();
        self.log.start(initial);
    }

    fn initial(&self, x: VarId) -> Initial {
        Initial { min: self.var_min(x), max: self.var_max(x), gaps: self.gaps(x) }
    }

    /// Maximal runs of absent values between the bounds.
    pub(crate) fn gaps(&self, x: VarId) -> Vec<(i64, i64)> {
        let v = &self.variables[x.index()];
        if v.form == Form::Wide {
            return self.wide[v.extra as usize].gaps(&self.trail);
        }
        let values: Vec<i64> = self.values(View::of(x)).collect();
        values.windows(2).filter(|w| w[1] > w[0] + 1).map(|w| (w[0] + 1, w[1] - 1)).collect()
    }

    /// The values left to a view whose scale is ±1.
    pub(crate) fn values_of(&self, view: View) -> Domain {
        let Initial { min, max, gaps } = self.initial(view.var);
        let ends = gaps.iter().map(|&(from, to)| (from - 1, to + 1));
        let lows = std::iter::once(min).chain(ends.clone().map(|end| end.1));
        let highs = ends.map(|end| end.0).chain(std::iter::once(max));
        Domain::from_intervals(lows.zip(highs)).seen_through(view.scale, view.offset)
    }

    #[inline]
    pub(crate) fn push_level(&mut self) {
        self.trail.push();
        if self.is_logged() {
            self.log.push_level();
        }
    }

    #[inline]
    pub(crate) fn pop_level(&mut self) {
        self.trail.pop();
        if self.is_logged() {
            self.log.pop_level();
        }
    }
}
