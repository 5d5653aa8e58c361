//! Counting by search with bit masks: half of the first row, look-ahead, block by block.
//!
//! **Search.** Row by row, with the free columns and the attacks along both diagonals in three
//! words of 32 bits, as in [`bit_masks`](crate::methods) (Richards, 1997).
//!
//! **Symmetry.** The mirror image of a solution is another one, so only the left half of the first
//! row is searched and everything counts twice. With the first queen in the middle of an odd board,
//! the second cannot be in the middle too, and it is the second row that is halved.
//!
//! **Look-ahead.** A queen that leaves one of the next [`LOOK_AHEAD`] rows without a free square is
//! given up at once (Haralick and Elliott, 1980). The last three rows are not searched: three
//! columns are left for them, in six orders, and those that hold are counted.
//!
//! **Blocks.** A node is a dozen operations, so what a plain depth-first search spends its time on are
//! branches that the processor cannot foresee: is there another free square, does the child live?
//! Here a block of up to [`BLOCK`] placements of the same number of rows goes down together. In each
//! round every placement takes its first free square, which is straight-line code that the compiler
//! turns into vector instructions; then the children that live, and the placements with squares
//! left, are moved together, without a branch: each is written, and only the place of the next one
//! depends on whether it stays. Blocks are searched depth first, so memory stays small: a few
//! thousand placements a row. Twice as fast as one placement at a time.
//!
//! Parts are the placements of the first three rows.

use std::ops::ControlFlow;

use super::{Part, Parts, Worker};
use crate::search::{Control, Stop};

/// The widest board: a row must fit a word.
pub(crate) const MAX_SIZE: usize = u32::BITS as usize;

/// The rows of the placements that are the parts, if the board is not too small for that.
const PREFIX: usize = 3;

/// The last rows, of which the solutions are counted all at once.
const LAST: usize = 3;

/// The rows below a queen that must have a free square; at most [`LAST`], so that there are so many.
const LOOK_AHEAD: u32 = 3;

/// The most placements that go down one row together. Half as many take a tenth longer; with more,
/// what is touched outgrows the fastest cache.
const BLOCK: usize = 256;

/// The control is asked once in so many nodes: a fraction of a millisecond.
const INTERVAL: u64 = 1 << 16;

/// The count on an empty board, by search.
#[derive(Debug)]
pub(crate) struct LookAhead {
    size: usize,
    prefixes: Vec<Placement>,
}

impl LookAhead {
    /// The count on a board of this size, unless that is more than [`MAX_SIZE`].
    ///
    /// Where every placement of the first rows is a dead end, there are no parts.
    pub(crate) fn new(size: usize) -> Option<Self> {
        (size <= MAX_SIZE).then(|| Self { size, prefixes: prefixes(size) })
    }

    /// The rows that a part leaves to be filled: none if the board is as small as its last rows.
    fn rows_left(size: usize) -> usize {
        if size <= LAST { 0 } else { LAST.max(size - PREFIX) }
    }
}

impl Parts for LookAhead {
    fn len(&self) -> usize {
        self.prefixes.len()
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        let levels = LookAhead::rows_left(self.size).saturating_sub(LAST) + 1;
        let level =
            || Level { placements: vec![Placement::default(); BLOCK * self.size], ..Level::default() };
        Box::new(Search {
            board: self,
            levels: (0..levels).map(|_| level()).collect(),
            round: Round { children: [Placement::default(); BLOCK], lives: [0; BLOCK] },
        })
    }
}

/// Queens in the first rows, seen from the next row. Bit *c* stands for column *c*.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Placement {
    /// The columns without a queen.
    columns: u32,
    /// The squares attacked from the upper right.
    from_right: u32,
    /// The squares attacked from the upper left.
    from_left: u32,
    /// The free squares that are still to be tried.
    untried: u32,
}

impl Placement {
    /// No queen on a board of this size, at most [`MAX_SIZE`].
    fn empty(size: usize) -> Self {
        let columns = u32::MAX.checked_shr((MAX_SIZE - size) as u32).unwrap_or(0);
        Self { columns, from_right: 0, from_left: 0, untried: columns }
    }

    /// The columns taken or attacked in the next row but so many.
    fn free(&self, ahead: u32) -> u32 {
        self.columns & !(self.from_right >> ahead | self.from_left << ahead)
    }

    /// The first square to be tried.
    fn first(&self) -> u32 {
        self.untried & self.untried.wrapping_neg()
    }

    /// With one more queen, seen from the row below it.
    fn with(&self, queen: u32) -> Self {
        let below = Self {
            columns: self.columns ^ queen,
            from_right: (self.from_right | queen) >> 1,
            from_left: (self.from_left | queen) << 1,
            untried: 0,
        };
        Self { untried: below.free(0), ..below }
    }

    /// Whether each of the next rows has a free square.
    fn lives(&self) -> bool {
        (0..LOOK_AHEAD).fold(true, |lives, ahead| lives & (self.free(ahead) != 0))
    }

    /// The ways to fill the last three rows.
    fn last_rows(&self) -> u32 {
        let lowest = |set: u32| set & set.wrapping_neg();
        let a = lowest(self.columns);
        let b = lowest(self.columns ^ a);
        let c = self.columns ^ a ^ b;

        let free = [0, 1, 2].map(|ahead| self.free(ahead));
        let on = |row: usize, column: u32| u32::from(free[row] & column != 0);
        // Whether queens so many rows apart do not attack each other. Column `a` is never next to `c`
        // and never two away from it unless `b` is next to both.
        let apart = |one: u32, next: u32, rows: u32| u32::from(one << rows != next);
        let (ab, bc) = (apart(a, b, 1), apart(b, c, 1));
        let (a_b, b_c) = (apart(a, b, 2), apart(b, c, 2));

        let orders = [
            on(0, a) & on(1, b) & on(2, c) & ab & bc,
            on(0, c) & on(1, b) & on(2, a) & ab & bc,
            on(0, a) & on(1, c) & on(2, b) & a_b & bc,
            on(0, b) & on(1, c) & on(2, a) & a_b & bc,
            on(0, b) & on(1, a) & on(2, c) & b_c & ab,
            on(0, c) & on(1, a) & on(2, b) & b_c & ab,
        ];
        orders.iter().sum()
    }
}

/// The placements of the first rows, up to mirror images, in lexicographic order.
fn prefixes(size: usize) -> Vec<Placement> {
    let half = (1 << (size / 2)) - 1;
    let middle = if size % 2 == 1 { 1 << (size / 2) } else { 0 };
    let mut placements = vec![Placement { untried: half | middle, ..Placement::empty(size) }];
    if size == 0 {
        return placements;
    }
    for row in 0..size - LookAhead::rows_left(size) {
        let mut longer = Vec::new();
        for mut placement in placements {
            while placement.untried != 0 {
                let queen = placement.first();
                placement.untried ^= queen;
                let mut below = placement.with(queen);
                if row == 0 && queen == middle {
                    below.untried &= half;
                }
                longer.push(below);
            }
        }
        placements = longer;
    }
    if LookAhead::rows_left(size) > 0 {
        placements.retain(Placement::lives);
    }
    placements
}

/// One thread's search.
struct Search<'a> {
    board: &'a LookAhead,
    /// One for each row from the first that a part leaves down to the first of the last rows.
    levels: Vec<Level>,
    round: Round,
}

/// Scratch: the children of a round, one of each placement, and for each 1 if it lives, else 0.
struct Round {
    children: [Placement; BLOCK],
    lives: [u32; BLOCK],
}

impl Round {
    /// Every placement tries its first square.
    ///
    /// Whole placements are read and written, four at a time with vector instructions.
    #[inline(never)]
    fn take(&mut self, block: &mut [Placement]) {
        let round = self.children.iter_mut().zip(&mut self.lives);
        for (placement, (child, lives)) in block.iter_mut().zip(round) {
            let queen = placement.first();
            *child = placement.with(queen);
            *lives = u32::from(child.lives());
            *placement = Placement { untried: placement.untried ^ queen, ..*placement };
        }
    }
}

/// Placements of the same number of rows.
#[derive(Debug, Default)]
struct Level {
    /// Scratch: room for the children of a block.
    placements: Vec<Placement>,
    /// How many there are.
    len: usize,
    /// How many of these have gone down.
    done: usize,
}

impl Level {
    /// The next placements to go down.
    fn next_block(&mut self) -> &mut [Placement] {
        let start = self.done;
        self.done = self.len.min(start + BLOCK);
        &mut self.placements[start..self.done]
    }

    /// Puts here all children of a block that live; answers how many there were, dead ones included.
    ///
    /// All placements of the block have squares left to be tried; afterwards none is left.
    fn fill(&mut self, block: &mut [Placement], round: &mut Round) -> u64 {
        let mut nodes = 0;
        let mut len = 0;
        let mut open = block.len();
        while open != 0 {
            nodes += open as u64;
            let block = &mut block[..open];
            round.take(block);
            for (child, lives) in round.children[..open].iter().zip(&round.lives) {
                self.placements[len] = *child;
                len += *lives as usize;
            }
            open = 0;
            for index in 0..block.len() {
                let placement = block[index];
                block[open] = placement;
                open += usize::from(placement.untried != 0);
            }
        }
        (self.len, self.done) = (len, 0);
        nodes
    }
}

impl Worker for Search<'_> {
    fn count(&mut self, part: usize, control: &Control) -> ControlFlow<Stop, Part> {
        control.check()?;
        // An image of its own for each solution, except on the boards of which all is in the middle.
        let weight = if self.board.size > 1 { 2 } else { 1 };
        let prefix = self.board.prefixes[part];
        if LookAhead::rows_left(self.board.size) == 0 {
            return ControlFlow::Continue(Part { solutions: weight, nodes: 1 });
        }

        let mut solutions: u128 = 0;
        let mut nodes = 1;
        let mut next_check = INTERVAL;
        let mut depth = 0;
        self.levels[0].placements[0] = prefix;
        (self.levels[0].len, self.levels[0].done) = (1, 0);
        loop {
            let (above, below) = self.levels.split_at_mut(depth + 1);
            let level = &mut above[depth];
            match below.first_mut() {
                Some(below) if level.done < level.len => {
                    nodes += below.fill(level.next_block(), &mut self.round);
                    depth += 1;
                }
                Some(_) if depth == 0 => break,
                Some(_) => depth -= 1,
                None => {
                    let found: u32 = level.placements[..level.len].iter().map(Placement::last_rows).sum();
                    solutions += u128::from(found);
                    if depth == 0 {
                        break;
                    }
                    depth -= 1;
                }
            }
            if nodes >= next_check {
                next_check = nodes + INTERVAL;
                control.check()?;
            }
        }
        ControlFlow::Continue(Part { solutions: weight * solutions, nodes })
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::*;
    use crate::counting::{known_counts, total};

    #[test]
    fn counts_are_the_published_ones() {
        assert_eq!(total(&LookAhead::new(0).unwrap()).solutions, 1);
        for known in known_counts().into_iter().filter(|known| known.size <= 13) {
            let total = total(&LookAhead::new(known.size).unwrap());
            assert_eq!(total.solutions, known.all, "{}", known.size);
        }
        assert!(LookAhead::new(MAX_SIZE + 1).is_none());
    }

    #[test]
    #[ignore = "takes a minute, in a release build"]
    fn large_counts_are_the_published_ones() {
        for known in known_counts().into_iter().filter(|known| (14..=18).contains(&known.size)) {
            let start = Instant::now();
            let total = total(&LookAhead::new(known.size).unwrap());
            assert_eq!(total.solutions, known.all, "{}", known.size);
            println!("{}: {} nodes, {:?}", known.size, total.nodes, start.elapsed());
        }
    }

    #[test]
    fn parts_are_the_first_rows_without_mirror_images() {
        for size in 0..=MAX_SIZE {
            let board = LookAhead::new(size).unwrap();
            assert_eq!(board.prefixes, LookAhead::new(size).unwrap().prefixes);
            let distinct = |i: usize| !board.prefixes[..i].contains(&board.prefixes[i]);
            assert!(size > 12 || (0..board.len()).all(distinct), "{size}");
        }
        let number = |size| LookAhead::new(size).unwrap().len();
        assert_eq!([0, 1, 2, 3, 4].map(number), [1, 1, 0, 0, 2]);
        assert!(number(12) > 100 && number(20) < 2500);
    }

    /// What a search gives that goes on from one placement after the other, in wider words.
    fn solutions(placement: Placement, rows: usize) -> u32 {
        let Placement { columns, from_right, from_left, .. } = placement;
        let mut open = vec![(u64::from(columns), u64::from(from_right), u64::from(from_left))];
        for _ in 0..rows {
            let mut below = Vec::new();
            for (columns, from_right, from_left) in open {
                for queen in (0..MAX_SIZE).map(|column| 1 << column) {
                    if columns & queen & !from_right & !from_left != 0 {
                        let (from_right, from_left) = (from_right | queen, from_left | queen);
                        below.push((columns ^ queen, from_right >> 1, from_left << 1));
                    }
                }
            }
            open = below;
        }
        open.len() as u32
    }

    /// Placements with so many columns left, among all 32 or close together.
    fn placements(columns: usize) -> impl Strategy<Value = Placement> {
        let widths = prop_oneof![Just(columns + 2), Just(MAX_SIZE)];
        let places = widths.prop_flat_map(move |width| {
            (prop::sample::subsequence((0..width).collect::<Vec<_>>(), columns), 0..=MAX_SIZE - width)
        });
        let attacks = || (any::<u32>(), any::<u32>(), any::<u32>()).prop_map(|(a, b, c)| a & b & c);
        (places, attacks(), attacks()).prop_map(|((places, start), from_right, from_left)| {
            let columns = places.into_iter().fold(0, |set, place| set | 1 << (start + place));
            let placement = Placement { columns, from_right, from_left, untried: 0 };
            Placement { untried: placement.free(0), ..placement }
        })
    }

    proptest! {
        #[test]
        fn the_last_rows_are_filled_in_every_order(placement in placements(LAST)) {
            prop_assert_eq!(placement.last_rows(), solutions(placement, LAST));
        }

        /// Nothing is lost where blocks end, and on the widest board nothing at its edges.
        #[test]
        fn blocks_lose_nothing(placements in prop::collection::vec(placements(LAST + 1), 1..=BLOCK)) {
            let mut block: Vec<_> = placements.iter().copied().filter(|p| p.untried != 0).collect();
            let mut level = Level { placements: vec![Placement::default(); BLOCK * MAX_SIZE], ..Level::default() };
            let mut round = Round { children: [Placement::default(); BLOCK], lives: [0; BLOCK] };
            let nodes = level.fill(&mut block, &mut round);
            let squares: u32 = placements.iter().map(|placement| placement.untried.count_ones()).sum();
            prop_assert_eq!(nodes, u64::from(squares));
            let found: u32 = level.placements[..level.len].iter().map(Placement::last_rows).sum();
            let expected: u32 = placements.iter().map(|&placement| solutions(placement, LAST + 1)).sum();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_part_can_be_stopped() {
        let board = LookAhead::new(MAX_SIZE).unwrap();
        let mut worker = board.worker();
        let control = Control::new().with_time_limit(Duration::from_millis(20));
        let start = Instant::now();
        assert!(matches!(worker.count(0, &control), ControlFlow::Break(Stop::TimeLimit)));
        assert!(start.elapsed() < Duration::from_secs(2));
        control.stop();
        assert!(matches!(worker.count(1, &control), ControlFlow::Break(Stop::Interrupted)));
    }

    #[test]
    fn a_worker_goes_on_after_it_was_stopped() {
        let board = LookAhead::new(11).unwrap();
        let mut worker = board.worker();
        let fresh = |part| board.worker().count(part, &Control::new());
        let ControlFlow::Continue(expected) = fresh(7) else { panic!("nobody stops it") };
        let stopped = Control::new();
        stopped.stop();
        assert!(worker.count(3, &stopped).is_break());
        assert!(matches!(worker.count(7, &Control::new()), ControlFlow::Continue(part) if part == expected));
    }
}
