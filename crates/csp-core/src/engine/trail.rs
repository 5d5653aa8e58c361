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
}

#[derive(Clone, Copy, Debug)]
struct Saved {
    slot: u32,
    stamp: u32,
    word: u64,
}

/// Trailed words with their undo log.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    words: Vec<u64>,
    stamps: Vec<u32>,
    saved: Vec<Saved>,
    /// Where in `saved` each open level begins.
    levels: Vec<u32>,
    level: u32,
}

impl Trail {
    /// A new word, which exists from the current level on.
    pub(crate) fn alloc(&mut self, word: u64) -> Slot {
        let slot = u32::try_from(self.words.len()).expect("fewer than 2^32 trailed words");
        self.words.push(word);
        self.stamps.push(self.level);
        Slot(slot)
    }

    /// How many words there are.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// Forgets all words from `len` on. Nothing saved may refer to them any more.
    pub(crate) fn truncate(&mut self, len: usize) {
        debug_assert!(self.saved.iter().all(|s| (s.slot as usize) < len));
        self.words.truncate(len);
        self.stamps.truncate(len);
    }

    #[inline]
    pub(crate) fn get(&self, slot: Slot) -> u64 {
        self.words[slot.index()]
    }

    #[inline]
    pub(crate) fn set(&mut self, slot: Slot, word: u64) {
        let i = slot.index();
        let stamp = self.stamps[i];
        if stamp != self.level {
            self.saved.push(Saved { slot: slot.0, stamp, word: self.words[i] });
            self.stamps[i] = self.level;
        }
        self.words[i] = word;
    }

    /// `len` words from `slot` on, to read.
    #[inline]
    pub(crate) fn slice(&self, slot: Slot, len: usize) -> &[u64] {
        &self.words[slot.index()..slot.index() + len]
    }

    /// The number of open levels; 0 is the root.
    #[inline]
    pub(crate) fn level(&self) -> u32 {
        self.level
    }

    #[inline]
    pub(crate) fn push(&mut self) {
        self.levels.push(self.saved.len() as u32);
        self.level += 1;
    }

    /// Undoes the innermost level; at the root it does nothing.
    #[inline]
    pub(crate) fn pop(&mut self) {
        let Some(start) = self.levels.pop() else { return };
        self.level -= 1;
        for s in self.saved[start as usize..].iter().rev() {
            self.words[s.slot as usize] = s.word;
            self.stamps[s.slot as usize] = s.stamp;
        }
        self.saved.truncate(start as usize);
    }

    /// All words, for tests that compare states bit for bit.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
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
        assert_eq!(trail.saved.len(), 1);
        trail.pop();
        assert_eq!(trail.get(a), 7);
    }

    #[test]
    fn root_changes_are_final_and_not_logged() {
        let mut trail = Trail::default();
        let a = trail.alloc(1);
        trail.set(a, 2);
        trail.pop();
        assert_eq!((trail.get(a), trail.saved.len()), (2, 0));
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
                    copies.push((trail.words.clone(), trail.stamps.clone()));
                    trail.push();
                }
                1 if !copies.is_empty() => {
                    trail.pop();
                    assert_eq!(copies.pop().unwrap(), (trail.words.clone(), trail.stamps.clone()));
                }
                _ => trail.set(slots[rng.usize(0..20)], rng.u64(..)),
            }
        }
    }
}
