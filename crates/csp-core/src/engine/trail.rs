//! The arena of trailed words, and how a change is undone.
//!
//! All state that must come back on backtracking — domains, counters of propagators — lives in one
//! array of 64-bit words. The first time a word changes on a level, its old content goes onto a
//! log; undoing a level copies the log back.
//!
//! Each word carries a *stamp*: the level on which it was last saved. It is saved at most once per
//! level. The stamp itself is saved and restored with the word, so a stamp equal to the current
//! level means exactly "already saved since this level was opened", even when a level number is
//! used again after an undo, or when many right branches are taken on the same level. The log
//! therefore never holds more than (depth × words) entries, and the root level — level 0, the stamp
//! every word is born with — is never logged at all.
//!
//! Cost: a change is one comparison and at most one 16-byte push; undo is two writes per saved word.

/// The place of one trailed word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot(pub(crate) u32);

impl Slot {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// The slot so many places on, of several side by side.
    #[inline(always)]
    pub(crate) fn plus(self, places: u32) -> Slot {
        Slot(self.0 + places)
    }
}

/// One trailed word with its stamp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) word: u64,
    stamp: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Saved {
    word: u64,
    slot: u32,
    stamp: u32,
}

/// Trailed words with their undo log.
#[derive(Debug)]
pub(crate) struct Trail {
    cells: Vec<Cell>,
    /// Entries up to `top`; there is always room for the saves of one level and a [`BURST`], so that saving
    /// is a write without a branch.
    saved: Vec<Saved>,
    top: usize,
    /// Where in `saved` each open level begins.
    levels: Vec<usize>,
    level: u32,
}

impl Default for Trail {
    fn default() -> Trail {
        Trail {
            cells: Vec::new(),
            saved: vec![Saved::default(); BURST],
            top: 0,
            levels: Vec::new(),
            level: 0,
        }
    }
}

impl Trail {
    /// A new word, which exists from the current level on.
    pub(crate) fn alloc(&mut self, word: u64) -> Slot {
        let slot = u32::try_from(self.cells.len()).expect("fewer than 2^32 trailed words");
        self.cells.push(Cell { word, stamp: self.level });
        Slot(slot)
    }

    /// How many words there are.
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Forgets all words from `len` on. Nothing saved may refer to them any more.
    pub(crate) fn truncate(&mut self, len: usize) {
        debug_assert!(self.saved[..self.top].iter().all(|s| (s.slot as usize) < len));
        self.cells.truncate(len);
    }

    #[inline(always)]
    pub(crate) fn get(&self, slot: Slot) -> u64 {
        self.cells[slot.index()].word
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, slot: Slot, word: u64) {
        let cell = &mut self.cells[slot.index()];
        // Written in any case and kept only if it is the level's first: which it is cannot be predicted.
        self.saved[self.top] = Saved { word: cell.word, slot: slot.0, stamp: cell.stamp };
        self.top += usize::from(cell.stamp != self.level);
        *cell = Cell { word, stamp: self.level };
    }

    /// For many changes in a row.
    #[inline(always)]
    pub(crate) fn writer(&mut self) -> Writer<'_> {
        let Trail { cells, saved, top, level, .. } = self;
        // There is room for one save of each word and a burst beyond.
        let saved = saved[*top..].first_chunk_mut().expect("room for a burst");
        Writer { cells, saved, count: 0, level: *level, top }
    }

    /// `len` words from `slot` on, to read.
    #[inline]
    pub(crate) fn slice(&self, slot: Slot, len: usize) -> &[Cell] {
        &self.cells[slot.index()..slot.index() + len]
    }

    /// How many words are saved over all levels.
    #[inline]
    pub(crate) fn saved(&self) -> usize {
        self.top
    }

    /// The number of open levels; 0 is the root.
    #[inline]
    pub(crate) fn level(&self) -> u32 {
        self.level
    }

    #[inline]
    pub(crate) fn push(&mut self) {
        self.levels.push(self.top);
        self.level += 1;
        let room = self.top + self.cells.len() + BURST;
        if self.saved.len() < room {
            self.saved.resize(room + room / 4, Saved::default());
        }
    }

    /// Makes room for a search of so many levels at once, as far as that is at most a megabyte; what is
    /// missing is made by need.
    pub(crate) fn reserve(&mut self, levels: usize) {
        const ENTRIES: usize = 1 << 16;
        self.levels.reserve(levels);
        let saves = (levels + 1).saturating_mul(self.cells.len()).min(ENTRIES);
        let room = self.top + saves + self.cells.len() + BURST;
        if self.saved.len() < room {
            self.saved.resize(room, Saved::default());
        }
    }

    /// Undoes the innermost level; at the root it does nothing.
    #[inline]
    pub(crate) fn pop(&mut self) {
        let Some(start) = self.levels.pop() else { return };
        self.level -= 1;
        for s in &self.saved[start..self.top] {
            self.cells[s.slot as usize] = Cell { word: s.word, stamp: s.stamp };
        }
        self.top = start;
    }

    /// All words, for tests that compare states bit for bit.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> + '_ {
        self.cells.iter().map(|c| c.word)
    }
}

/// At most this many words are changed through one [`Writer`].
pub(crate) const BURST: usize = 64;

/// Writes up to [`BURST`] words with all it needs at hand.
#[derive(Debug)]
pub(crate) struct Writer<'a> {
    cells: &'a mut [Cell],
    saved: &'a mut [Saved; BURST],
    count: usize,
    level: u32,
    top: &'a mut usize,
}

impl Writer<'_> {
    /// Keeps only the bits of `mask`; says what the word was and what it is. Saves the word whether it
    /// changes or not: that cannot be predicted, and a save too many costs less than a wrong guess.
    #[inline(always)]
    pub(crate) fn keep(&mut self, slot: Slot, mask: u64) -> (u64, u64) {
        let cell = &mut self.cells[slot.index()];
        let Cell { word, stamp } = *cell;
        self.saved[self.count % BURST] = Saved { word, slot: slot.0, stamp };
        self.count += usize::from(stamp != self.level);
        *cell = Cell { word: word & mask, stamp: self.level };
        (word, word & mask)
    }
}

impl Drop for Writer<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        *self.top += self.count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_changed_on_many_right_branches_is_saved_once() {
        let mut trail = Trail::default();
        let a = trail.alloc(7);
        trail.push();
        for i in 0..100 {
            trail.push();
            trail.set(a, 1000 + i);
            trail.pop();
            trail.set(a, i);
        }
        assert_eq!(trail.top, 1);
        trail.pop();
        assert_eq!(trail.get(a), 7);
    }

    #[test]
    fn root_changes_are_final_and_not_logged() {
        let mut trail = Trail::default();
        let a = trail.alloc(1);
        trail.set(a, 2);
        trail.pop();
        assert_eq!((trail.get(a), trail.top), (2, 0));
    }

    #[test]
    fn random_changes_come_back_exactly() {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut trail = Trail::default();
        let slots: Vec<Slot> = (0..20).map(|i| trail.alloc(i)).collect();
        let mut copies = Vec::new();
        for _ in 0..20_000 {
            match rng.u32(0..4) {
                0 if copies.len() < 30 => {
                    copies.push(trail.cells.clone());
                    trail.push();
                }
                1 if !copies.is_empty() => {
                    trail.pop();
                    assert_eq!(copies.pop().unwrap(), trail.cells);
                }
                _ => trail.set(slots[rng.usize(0..20)], rng.u64(..)),
            }
        }
    }
}
