//! Sets of columns of one size, numbered.
//!
//! The sets of *k* columns are ordered by their value as binary numbers. In this order the set
//! *c₁ < c₂ < … < cₖ* has the rank *C(c₁, 1) + C(c₂, 2) + … + C(cₖ, k)*: the combinatorial number
//! system (Lehmer, 1964; Knuth, *The Art of Computer Programming* 4A, §7.2.1.3). A set and its
//! complement, if both have *k* columns, are as far from the two ends.

/// The most columns a set is of.
const COLUMNS: usize = 32;
/// The most columns in a set; a power of two, so that an index is in range for certain.
const MEMBERS: usize = 16;

/// Binomial coefficients: `0[c][k]` is the number of sets of `k` columns below `c`.
#[derive(Debug)]
pub(super) struct Binomials([[u32; MEMBERS]; COLUMNS]);

impl Binomials {
    pub(super) fn new() -> Self {
        let mut table = [[0_u32; MEMBERS]; COLUMNS];
        for columns in 0..COLUMNS {
            table[columns][0] = 1;
            for members in 1..MEMBERS.min(columns + 1) {
                table[columns][members] = table[columns - 1][members - 1] + table[columns - 1][members];
            }
        }
        Self(table)
    }

    /// The number of sets of so many columns out of so many, fewer than 32 and 16.
    pub(super) fn sets(&self, columns: usize, members: usize) -> usize {
        self.0[columns][members] as usize
    }

    /// Hands out each member of a set, with the rank of the set without it.
    #[inline(always)]
    pub(super) fn each_without(&self, set: u32, mut visit: impl FnMut(usize, usize)) {
        // Members above the one left out move down by one place.
        let mut above: u32 = members(set).zip(0..).map(|(column, place)| self.at(column, place)).sum();
        let mut below = 0;
        for (column, place) in members(set).zip(0..) {
            above -= self.at(column, place);
            visit(column, (below + above) as usize);
            below += self.at(column, place + 1);
        }
    }

    #[inline(always)]
    fn at(&self, column: usize, place: usize) -> u32 {
        self.0[column % COLUMNS][place % MEMBERS]
    }
}

/// The set of the lowest columns, of this size: the first in order. Fewer than 32.
pub(super) fn first(members: usize) -> u32 {
    (1 << members) - 1
}

/// The next set of the same size; of a set of no columns itself (Gosper, HAKMEM 175, 1972).
#[inline(always)]
pub(super) fn next(set: u32) -> u32 {
    if set == 0 {
        return 0;
    }
    let lowest = set & set.wrapping_neg();
    let carried = set + lowest;
    carried | (((set ^ carried) >> 2) >> lowest.trailing_zeros())
}

/// The columns of a set, from the lowest.
#[inline(always)]
fn members(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_come_in_the_order_of_their_ranks() {
        let binomials = Binomials::new();
        for (columns, size) in [(6, 3), (7, 1), (10, 4), (18, 9), (5, 0)] {
            let rank = |set| {
                members(set).zip(1..).map(|(column, place)| binomials.sets(column, place)).sum::<usize>()
            };
            let mut set = first(size);
            for expected in 0..binomials.sets(columns, size) {
                assert_eq!((set.count_ones() as usize, rank(set)), (size, expected));
                binomials.each_without(set, |column, without| {
                    assert_eq!(without, rank(set & !(1 << column)));
                });
                set = next(set);
            }
        }
    }

    #[test]
    fn binomials_are_the_known_ones() {
        let binomials = Binomials::new();
        assert_eq!(binomials.sets(18, 9), 48620);
        assert_eq!(binomials.sets(20, 10), 184_756);
        assert_eq!(binomials.sets(3, 4), 0);
    }
}
