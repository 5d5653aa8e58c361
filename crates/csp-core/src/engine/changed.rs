//! Which subscriptions of a propagator had an event since it last ran.

/// A set of subscription indices. Those below 64 are bits of a word; from 64 on they are a list, in
/// which one may stand twice.
#[derive(Debug, Default)]
pub struct Changed {
    first: u64,
    more: Vec<u32>,
}

impl Changed {
    #[inline(always)]
    pub(super) fn push(&mut self, index: u32) {
        if index < 64 {
            self.first |= 1 << index;
        } else {
            self.push_more(index);
        }
    }

    #[inline(never)]
    fn push_more(&mut self, index: u32) {
        self.more.push(index);
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.first = 0;
        self.more.clear();
    }

    /// The indices below 64, as bits: all there are for a propagator with at most 64 subscriptions.
    #[inline(always)]
    pub fn first_64(&self) -> u64 {
        self.first
    }

    /// All indices; one from 64 on may come twice.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let mut rest = self.first;
        let first = std::iter::from_fn(move || {
            let index = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            (index < 64).then_some(index)
        });
        first.chain(self.more.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_indices_are_a_set_and_high_ones_a_list() {
        let mut changed = Changed::default();
        [63, 0, 64, 0, 1000].into_iter().for_each(|i| changed.push(i));
        assert_eq!(changed.iter().collect::<Vec<_>>(), [0, 63, 64, 1000]);
        assert_eq!(changed.first_64(), 1 | 1 << 63);
        changed.clear();
        assert_eq!(changed.iter().count(), 0);
    }
}
