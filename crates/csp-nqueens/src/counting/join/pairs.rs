//! Two lists, joined: how many pairs of footprints have no diagonal in common.
//!
//! One list is cut into blocks of up to eight lanes of 64 footprints. A block is turned on its side:
//! for each diagonal a row of bits says which of the block's footprints occupy it. For each five
//! diagonals a table holds, for each of their 32 subsets, the row of footprints that occupy none of
//! the subset. A footprint of the other list is then compared with the whole block by looking up its
//! row in each table, and-ing the rows and counting the bits that are left.

use super::{
    kernel::{Footprint, Kernel, LANE, Tables},
    lists::List,
};

/// What making the tables of a block costs, in look-ups of a footprint.
const BLOCK_COST: usize = 100;

/// Joins lists; holds tables for blocks of each width.
#[derive(Debug)]
pub(super) struct Joiner {
    one: Box<Tables<1>>,
    two: Box<Tables<2>>,
    four: Box<Tables<4>>,
    eight: Box<Tables<8>>,
}

impl Joiner {
    pub(super) fn new() -> Self {
        Self { one: Box::default(), two: Box::default(), four: Box::default(), eight: Box::default() }
    }

    /// The number of disjoint pairs with one footprint from each list, which has `5 * CHUNKS` bits at
    /// most; pairs without a tie count twice if `doubles`.
    pub(super) fn join<F: Footprint, K: Kernel, const CHUNKS: usize>(
        &mut self,
        kernel: K,
        one: &List<F>,
        other: &List<F>,
        doubles: bool,
    ) -> u64 {
        let cost =
            |blocks: &List<F>, queries: &List<F>| blocks.lanes().div_ceil(8) * (BLOCK_COST + queries.len());
        let (blocks, queries) =
            if cost(one, other) <= cost(other, one) { (one, other) } else { (other, one) };
        if queries.len() == 0 {
            return 0;
        }
        let join = Join { kernel, blocks, queries, doubles };
        let (mut sum, mut lane) = (0, 0);
        while lane < blocks.lanes() {
            let (width, pairs) = match blocks.lanes() - lane {
                1 => (1, join.block::<1, CHUNKS>(lane, &mut self.one)),
                2 => (2, join.block::<2, CHUNKS>(lane, &mut self.two)),
                3 | 4 => (4, join.block::<4, CHUNKS>(lane, &mut self.four)),
                _ => (8, join.block::<8, CHUNKS>(lane, &mut self.eight)),
            };
            sum += pairs;
            lane += width;
        }
        sum
    }
}

/// A list in blocks, and one that is looked up.
struct Join<'a, F, K> {
    kernel: K,
    blocks: &'a List<F>,
    queries: &'a List<F>,
    doubles: bool,
}

impl<F: Footprint, K: Kernel> Join<'_, F, K> {
    /// Joins the block of up to `WIDTH` lanes that begins at this lane.
    #[inline(always)]
    fn block<const WIDTH: usize, const CHUNKS: usize>(
        &self,
        start: usize,
        tables: &mut Tables<WIDTH>,
    ) -> u64 {
        let end = self.blocks.lanes().min(start + WIDTH);
        let mut lanes = [self.blocks.lane(start).0; WIDTH];
        let mut valid = [0; WIDTH];
        for (slot, lane) in (start..end).enumerate() {
            let (footprints, count) = self.blocks.lane(lane);
            lanes[slot] = footprints;
            valid[slot] = u64::MAX >> (LANE - count);
        }
        self.kernel.tabulate::<F, WIDTH, CHUNKS>(&lanes[..end - start], valid, tables);

        let ties = self.queries.ties();
        let strict = self.kernel.count::<F, WIDTH, CHUNKS>(tables, self.queries.strict());
        let mut sum: u64 = strict.iter().sum();
        if self.doubles {
            let strict_lanes = self.blocks.strict_lanes().clamp(start, end) - start;
            sum += strict[..strict_lanes].iter().sum::<u64>();
        }
        if !ties.is_empty() {
            sum += self.kernel.count::<F, WIDTH, CHUNKS>(tables, ties).iter().sum::<u64>();
        }
        sum
    }
}
