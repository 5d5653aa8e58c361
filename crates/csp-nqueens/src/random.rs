//! Random boards: queens placed at random, and a random solution.

use std::ops::ControlFlow;

use fastrand::Rng;
use fixedbitset::FixedBitSet;

use crate::{
    Control, Method, Queens, QueensError, Report, Square,
    methods::{local_search, search_one},
};

impl Queens {
    /// Places this many more queens, one after another, each on a square drawn evenly from those
    /// that are not blocked and that no earlier queen attacks.
    ///
    /// The same for the same seed. Such a board may have no solution all the same.
    ///
    /// ```
    /// use csp_nqueens::{Method, Queens};
    ///
    /// let puzzle = Queens::new(50).place_at_random(5, 7)?;
    /// assert_eq!(puzzle.placed().count(), 5);
    /// assert!(Method::LocalSearch.first(&puzzle)?.is_some());
    /// # Ok::<(), csp_nqueens::QueensError>(())
    /// ```
    ///
    /// # Errors
    /// If there are not so many such squares, or if the board is larger than
    /// [any method's largest](Method::max_size).
    pub fn place_at_random(mut self, queens: usize, seed: u64) -> Result<Self, QueensError> {
        Method::LocalSearch.check_size(&self)?;
        let mut rng = Rng::with_seed(seed);
        let mut lines = Lines::of(&self);
        for placed in 0..queens {
            let square = lines.free_square(&self, &mut rng);
            let (row, column) = square.ok_or(QueensError::NoSquareLeft { placed, wanted: queens })?;
            lines.take((row, column));
            self = self.place(row, column)?;
        }
        Ok(self)
    }

    /// Searches for one solution by [local search](Method::LocalSearch) from this seed.
    ///
    /// A random board, and the same for the same seed; it is not drawn evenly from all solutions.
    /// Otherwise this is [`Method::search`]. `Method::LocalSearch` itself has seed 0.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use csp_nqueens::{Control, Queens};
    ///
    /// let puzzle = Queens::new(1000);
    /// puzzle.search_at_random(7, &Control::new(), |columns| {
    ///     assert!(puzzle.is_solution(columns));
    ///     ControlFlow::Break(())
    /// })?;
    /// # Ok::<(), csp_nqueens::QueensError>(())
    /// ```
    ///
    /// # Errors
    /// If the board is larger than the method [goes](Method::max_size).
    pub fn search_at_random(
        &self,
        seed: u64,
        control: &Control,
        visit: impl FnMut(&[usize]) -> ControlFlow<()>,
    ) -> Result<Report, QueensError> {
        search_one(Method::LocalSearch, self, control, visit, |monitor| {
            local_search::search(self, seed, monitor)
        })
    }
}

/// The rows, columns and diagonals that are taken.
struct Lines {
    size: usize,
    rows: FixedBitSet,
    columns: FixedBitSet,
    diagonals: FixedBitSet,
    anti_diagonals: FixedBitSet,
}

impl Lines {
    fn of(puzzle: &Queens) -> Self {
        let size = puzzle.size();
        let mut lines = Self {
            size,
            rows: FixedBitSet::with_capacity(size),
            columns: FixedBitSet::with_capacity(size),
            diagonals: FixedBitSet::with_capacity(2 * size),
            anti_diagonals: FixedBitSet::with_capacity(2 * size),
        };
        puzzle.placed().for_each(|square| lines.take(square));
        lines
    }

    fn take(&mut self, (row, column): Square) {
        self.rows.insert(row);
        self.columns.insert(column);
        self.diagonals.insert(self.size + column - row);
        self.anti_diagonals.insert(row + column);
    }

    fn is_free(&self, (row, column): Square) -> bool {
        !self.rows.contains(row)
            && !self.columns.contains(column)
            && !self.diagonals.contains(self.size + column - row)
            && !self.anti_diagonals.contains(row + column)
    }

    /// A square drawn evenly from the free ones.
    fn free_square(&self, puzzle: &Queens, rng: &mut Rng) -> Option<Square> {
        const TRIES: usize = 1000;
        let is_free = |&square: &Square| self.is_free(square) && !puzzle.is_blocked(square.0, square.1);
        if self.size == 0 {
            return None;
        }
        let drawn = (0..TRIES).map(|_| (rng.usize(..self.size), rng.usize(..self.size)));
        if let Some(square) = drawn.into_iter().find(is_free) {
            return Some(square);
        }
        // Few are left, or none: each in turn takes the place of those before it with the right chance.
        let mut chosen = None;
        let mut seen = 0;
        for row in self.rows.zeroes() {
            for square in self.columns.zeroes().map(|column| (row, column)).filter(is_free) {
                seen += 1;
                if rng.usize(..seen) == 0 {
                    chosen = Some(square);
                }
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::attacks;

    #[test]
    fn queens_placed_at_random_do_not_attack_each_other() {
        for seed in 0..50 {
            let puzzle = Queens::new(20).place(3, 3).unwrap().block(4, 8).unwrap();
            let puzzle = puzzle.place_at_random(8, seed).unwrap();
            assert_eq!(
                puzzle,
                Queens::new(20).place(3, 3).unwrap().block(4, 8).unwrap().place_at_random(8, seed).unwrap()
            );
            let queens: Vec<Square> = puzzle.placed().collect();
            assert_eq!(queens.len(), 9);
            assert!(queens.contains(&(3, 3)) && !queens.contains(&(4, 8)));
            assert!(!queens.iter().any(|&one| queens.iter().any(|&other| attacks(one, other))));
        }
    }

    #[test]
    fn the_last_squares_are_found_and_drawn_evenly() {
        // All but three squares of a large board are attacked or blocked.
        let mut puzzle = Queens::new(300);
        for row in 0..300 {
            for column in 0..300 {
                if ![(7, 5), (200, 11), (299, 290)].contains(&(row, column)) {
                    puzzle = puzzle.block(row, column).unwrap();
                }
            }
        }
        let mut drawn = BTreeMap::new();
        for seed in 0..60 {
            let placed = puzzle.clone().place_at_random(1, seed).unwrap();
            *drawn.entry(placed.placed().next().unwrap()).or_insert(0) += 1;
        }
        assert_eq!(drawn.len(), 3);
        assert!(drawn.values().all(|&times| times > 8), "{drawn:?}");
        let error = puzzle.place_at_random(4, 0).unwrap_err();
        assert_eq!(error, QueensError::NoSquareLeft { placed: 3, wanted: 4 });
    }

    #[test]
    fn absurd_boards_are_refused() {
        assert!(Queens::new(usize::MAX).place_at_random(1, 0).is_err());
        let error = QueensError::NoSquareLeft { placed: 0, wanted: 1 };
        assert_eq!(Queens::new(0).place_at_random(1, 0), Err(error));
        assert_eq!(Queens::new(0).place_at_random(0, 0), Ok(Queens::new(0)));
    }
}
