//! A full board with attacks: one queen in each row and each column, and how many on each diagonal.
//!
//! The queens that stand, stay. The others are a permutation of the columns that are left, over
//! the rows that are left; two of them swapping columns is the only move, so that only diagonals
//! and blocked squares can be in conflict. A *conflict* is a queen on a blocked square, or one more
//! queen than the first on a diagonal; a board without one is a solution.

use std::collections::BTreeMap;

use fastrand::Rng;
use fixedbitset::FixedBitSet;

use crate::{Queens, Square};

/// A full board.
#[derive(Debug)]
pub(super) struct Board<'a> {
    puzzle: &'a Queens,
    /// The rows whose queens may move.
    rows: Vec<u32>,
    /// The column of the queen of each of these rows.
    columns: Vec<u32>,
    /// How many columns, from the first, `fill` has drawn at random so far.
    drawn: usize,
    /// The diagonals, by `size + column − row`, with the standing queens and those put.
    diagonals: Lines,
    /// The anti-diagonals, by `column + row`, with the same queens.
    anti_diagonals: Lines,
}

impl<'a> Board<'a> {
    /// The standing queens only; none if they attack one another or stand on blocked squares.
    pub(super) fn new(puzzle: &'a Queens) -> Option<Self> {
        let size = puzzle.size();
        let (mut rows, mut columns) = (vec![true; size], vec![true; size]);
        for (row, column) in puzzle.placed() {
            if !(rows[row] && columns[column]) {
                return None;
            }
            (rows[row], columns[column]) = (false, false);
        }
        let mut board = Self {
            puzzle,
            rows: left(&rows),
            columns: left(&columns),
            drawn: 0,
            diagonals: Lines::new(2 * size),
            anti_diagonals: Lines::new(2 * size),
        };
        (board.clear() == 0).then_some(board)
    }

    /// The number of queens that may move.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The column of each row's queen.
    pub(super) fn solution(self) -> Vec<usize> {
        let Self { puzzle, rows, columns, .. } = self;
        let mut solution = vec![0; puzzle.size()];
        for (row, column) in puzzle.placed() {
            solution[row] = column;
        }
        for (row, column) in rows.into_iter().zip(columns) {
            solution[row as usize] = column as usize;
        }
        solution
    }

    /// Takes all queens that may move off the board. The answer is the conflicts of the others.
    pub(super) fn clear(&mut self) -> u32 {
        self.drawn = 0;
        self.diagonals.clear();
        self.anti_diagonals.clear();
        self.puzzle.placed().map(|square| self.put(square)).sum()
    }

    /// Puts the next queen, given in order, on one of the columns that are left: without a conflict
    /// if a few tries find one. The answer is the conflicts this makes.
    ///
    /// The columns are shuffled some way ahead of the queens (Fisher and Yates, 1938) and each queen
    /// chooses from those next in line. They lie close together, so that on a large board no try
    /// waits for memory.
    pub(super) fn fill(&mut self, queen: usize, rng: &mut Rng) -> u32 {
        const AHEAD: usize = 1024;
        const TRIES: usize = 50;
        let end = self.len().min(queen + AHEAD);
        while self.drawn < end {
            self.columns.swap(self.drawn, rng.usize(self.drawn..self.rows.len()));
            self.drawn += 1;
        }
        let row = self.rows[queen] as usize;
        for _ in 0..TRIES {
            let other = rng.usize(queen..end);
            if self.is_free((row, self.columns[other] as usize)) {
                self.columns.swap(queen, other);
                break;
            }
        }
        self.put(self.square(queen))
    }

    /// Whether this queen is in a conflict.
    pub(super) fn is_attacked(&self, queen: usize) -> bool {
        let (row, column) = self.square(queen);
        self.diagonals.is_shared(self.diagonal(row, column))
            || self.anti_diagonals.is_shared(row + column)
            || self.puzzle.is_blocked(row, column)
    }

    /// Swaps the columns of two queens. The answer is the conflicts gone and those made.
    pub(super) fn swap(&mut self, one: usize, other: usize) -> (u32, u32) {
        if one == other {
            return (0, 0);
        }
        let gone = self.take(self.square(one)) + self.take(self.square(other));
        self.columns.swap(one, other);
        let made = self.put(self.square(one)) + self.put(self.square(other));
        (gone, made)
    }

    fn square(&self, queen: usize) -> Square {
        (self.rows[queen] as usize, self.columns[queen] as usize)
    }

    fn diagonal(&self, row: usize, column: usize) -> usize {
        self.puzzle.size() + column - row
    }

    /// Whether a queen would make no conflict there.
    fn is_free(&self, (row, column): Square) -> bool {
        !self.diagonals.is_taken(self.diagonal(row, column))
            && !self.anti_diagonals.is_taken(row + column)
            && !self.puzzle.is_blocked(row, column)
    }

    fn put(&mut self, (row, column): Square) -> u32 {
        u32::from(self.diagonals.put(self.diagonal(row, column)))
            + u32::from(self.anti_diagonals.put(row + column))
            + u32::from(self.puzzle.is_blocked(row, column))
    }

    fn take(&mut self, (row, column): Square) -> u32 {
        u32::from(self.diagonals.take(self.diagonal(row, column)))
            + u32::from(self.anti_diagonals.take(row + column))
            + u32::from(self.puzzle.is_blocked(row, column))
    }
}

/// How many queens there are on each diagonal of one direction.
///
/// A bit for each, and a count where there are several, which is rare: on a board of ten million
/// queens most look-ups stay in the processor's cache.
#[derive(Debug)]
struct Lines {
    taken: FixedBitSet,
    /// The queens after the first, where there are any.
    more: BTreeMap<usize, u32>,
}

impl Lines {
    fn new(lines: usize) -> Self {
        Self { taken: FixedBitSet::with_capacity(lines), more: BTreeMap::new() }
    }

    fn clear(&mut self) {
        self.taken.clear();
        self.more.clear();
    }

    fn is_taken(&self, line: usize) -> bool {
        self.taken.contains(line)
    }

    fn is_shared(&self, line: usize) -> bool {
        self.more.contains_key(&line)
    }

    /// One queen more. The answer is whether it joins others.
    fn put(&mut self, line: usize) -> bool {
        let joins = self.taken.put(line);
        if joins {
            *self.more.entry(line).or_default() += 1;
        }
        joins
    }

    /// One queen less. The answer is whether it leaves others.
    fn take(&mut self, line: usize) -> bool {
        match self.more.get_mut(&line) {
            Some(more) if *more > 1 => *more -= 1,
            Some(_) => drop(self.more.remove(&line)),
            None => {
                self.taken.remove(line);
                return false;
            }
        }
        true
    }
}

/// The numbers that are left. No board is so large that they need more than 32 bits.
fn left(flags: &[bool]) -> Vec<u32> {
    flags.iter().zip(0..).filter(|&(&left, _)| left).map(|(_, number)| number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Conflicts from their definition: counts of all lines, with no memory of how they came about.
    fn conflicts(puzzle: &Queens, board: &Board<'_>) -> u32 {
        let movable = (0..board.len()).map(|queen| board.square(queen));
        let squares: Vec<Square> = puzzle.placed().chain(movable).collect();
        let mut lines = BTreeMap::new();
        let mut conflicts = 0;
        for &(row, column) in &squares {
            for line in [(0, puzzle.size() + column - row), (1, row + column)] {
                let queens: &mut u32 = lines.entry(line).or_default();
                conflicts += u32::from(*queens > 0);
                *queens += 1;
            }
            conflicts += u32::from(puzzle.is_blocked(row, column));
        }
        conflicts
    }

    #[test]
    fn what_is_told_of_conflicts_adds_up() {
        let mut rng = Rng::with_seed(1);
        let mut made_any = 0;
        for seed in 0..50 {
            let mut puzzle = Queens::new(12).place_at_random(2, seed).unwrap();
            for square in [(0, 0), (3, 4), (5, 5), (11, 2)] {
                if puzzle.placed().all(|placed| placed != square) {
                    puzzle = puzzle.block(square.0, square.1).unwrap();
                }
            }
            let mut board = Board::new(&puzzle).unwrap();
            for _ in 0..2 {
                let mut told: u32 = (0..board.len()).map(|queen| board.fill(queen, &mut rng)).sum();
                assert_eq!(told, conflicts(&puzzle, &board));
                for _ in 0..100 {
                    let (one, other) = (rng.usize(..board.len()), rng.usize(..board.len()));
                    let (gone, made) = board.swap(one, other);
                    told = told + made - gone;
                    made_any += made;
                    assert_eq!(told, conflicts(&puzzle, &board));
                    let attacked = (0..board.len()).any(|queen| board.is_attacked(queen));
                    assert_eq!(attacked, told > 0);
                }
                let solution = Board::new(&puzzle).unwrap().solution();
                assert!(puzzle.placed().all(|(row, column)| solution[row] == column));
                board.clear();
            }
        }
        assert!(made_any > 1000);
    }

    #[test]
    fn queens_that_attack_each_other_make_no_board() {
        let pair = |one: Square, other: Square| {
            let puzzle = Queens::new(9).place(one.0, one.1).unwrap().place(other.0, other.1).unwrap();
            Board::new(&puzzle).is_some()
        };
        assert!(pair((0, 0), (1, 2)));
        for other in [(2, 8), (8, 4), (0, 2), (0, 6), (8, 2)] {
            assert_eq!(pair((2, 4), other), !crate::attacks((2, 4), other), "{other:?}");
        }
        let blocked = Queens::new(9).place(2, 4).unwrap().block(2, 4).unwrap();
        assert!(Board::new(&blocked).is_none());
    }
}
