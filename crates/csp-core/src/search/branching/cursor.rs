//! Remembering, along the path of the search, up to where a list of variables is fixed.

/// A place in a list before which everything is fixed, for each node of the path that was asked: going on
/// from there, a search down a list of n variables looks at each of them once, not n times.
///
/// An entry holds as long as the part of the path it was made on stands, which its stamp tells
/// ([`Domains::path`](super::Domains::path)); it is *advice*, checked before use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cursor {
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// How many levels the path had, and the stamp of the last of them.
    depth: usize,
    stamp: u64,
    place: usize,
}

impl Cursor {
    /// Forgets everything, and makes room for a path of so many levels.
    pub(crate) fn reset(&mut self, levels: usize) {
        self.entries.clear();
        self.entries.reserve(levels);
    }

    /// The first place that may be open at this node.
    pub(crate) fn place(&mut self, path: &[u64]) -> usize {
        while let Some(entry) = self.entries.last() {
            if entry.depth <= path.len() && entry.depth > 0 && path[entry.depth - 1] == entry.stamp {
                return entry.place;
            }
            self.entries.pop();
        }
        0
    }

    /// Everything before `place` is fixed at this node; to be called after [`place`](Self::place).
    pub(crate) fn advance(&mut self, path: &[u64], place: usize) {
        match self.entries.last_mut() {
            Some(entry) if entry.place == place => {}
            Some(entry) if entry.depth == path.len() => entry.place = place,
            _ => {
                if let Some(&stamp) = path.last() {
                    self.entries.push(Entry { depth: path.len(), stamp, place });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_hold_while_their_part_of_the_path_stands() {
        let mut cursor = Cursor::default();
        assert_eq!(cursor.place(&[1]), 0);
        cursor.advance(&[1], 3);
        assert_eq!(cursor.place(&[1, 2]), 3);
        cursor.advance(&[1, 2], 5);
        assert_eq!(cursor.place(&[1, 2, 4]), 5);
        assert_eq!(cursor.place(&[1, 6]), 3);
        cursor.advance(&[1, 6], 9);
        assert_eq!(cursor.place(&[1, 6, 7]), 9);
        assert_eq!(cursor.place(&[8]), 0);
    }
}
