//! Any method that visits solutions, cut into parts: the first queens are placed beforehand.
//!
//! The rows that have no queen yet are filled from the top, in every way that attacks nothing, until
//! there are enough ways. Each of these *prefixes* is a part: the method is given the puzzle with
//! those queens placed. Every solution extends exactly one prefix, whatever the method and the
//! puzzle. A part costs a method what it costs it to come to the end of the prefix, once more.

use std::ops::ControlFlow;

use super::{Part, Parts, Worker};
use crate::{
    Queens, Square, attacks,
    search::{Control, Monitor, Stop, count},
};

/// As many parts keep a hundred threads busy, and on common boards two rows are enough for them.
const ENOUGH: usize = 100;

/// A puzzle on which hardly a choice is left is not followed further than this.
const MAX_ROWS: usize = 32;

type Search = fn(&Queens, &mut Monitor<'_>) -> ControlFlow<Stop>;

/// The parts of a puzzle: the squares of the queens that are placed beforehand.
#[derive(Debug)]
pub(super) struct Prefixes<'a> {
    puzzle: &'a Queens,
    search: Search,
    prefixes: Vec<Vec<Square>>,
}

impl<'a> Prefixes<'a> {
    pub(super) fn new(puzzle: &'a Queens, search: Search) -> Self {
        let allowed = puzzle.allowed_squares();
        let placed: Vec<Square> = puzzle.placed().collect();
        let is_open = |&row: &usize| !placed.iter().any(|queen| queen.0 == row);
        let rows = (0..puzzle.size()).filter(is_open).take(MAX_ROWS);

        let mut prefixes = vec![placed.clone()];
        for row in rows {
            if prefixes.len() >= ENOUGH {
                break;
            }
            let squares = (0..puzzle.size()).map(|column| (row, column));
            let squares: Vec<Square> = squares.filter(|&(r, c)| allowed.contains(r, c)).collect();
            prefixes = prefixes.iter().flat_map(|prefix| extensions(prefix, &squares)).collect();
        }
        Self { puzzle, search, prefixes }
    }
}

/// The queens with one more, on each of the squares that they do not attack.
fn extensions(queens: &[Square], squares: &[Square]) -> impl Iterator<Item = Vec<Square>> {
    let is_safe = move |square: &Square| !queens.iter().any(|&queen| attacks(queen, *square));
    let with = move |&square: &Square| [queens, &[square]].concat();
    squares.iter().filter(move |square| is_safe(square)).map(with)
}

impl Parts for Prefixes<'_> {
    fn len(&self) -> usize {
        self.prefixes.len()
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(self)
    }
}

impl Worker for &Prefixes<'_> {
    fn count(&mut self, part: usize, control: &Control) -> ControlFlow<Stop, Part> {
        let place = |puzzle: Queens, &(row, column): &Square| puzzle.place(row, column);
        match self.prefixes[part].iter().try_fold(self.puzzle.clone(), place) {
            Ok(puzzle) => count(control, |monitor| (self.search)(&puzzle, monitor)),
            Err(error) => ControlFlow::Break(Stop::Failed(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefixes(puzzle: &Queens) -> Vec<Vec<Square>> {
        Prefixes::new(puzzle, |_, _| ControlFlow::Continue(())).prefixes
    }

    #[test]
    fn prefixes_fill_the_first_rows_that_have_no_queen() {
        let two_rows = prefixes(&Queens::new(16));
        assert_eq!(two_rows.len(), 15 * 14);
        assert_eq!(two_rows[0], [(0, 0), (1, 2)]);
        assert_eq!(prefixes(&Queens::new(200)).len(), 200);

        let puzzle = Queens::new(16).place(0, 3).unwrap().block(1, 0).unwrap();
        let below = prefixes(&puzzle);
        // In row 1 all but column 0 and the three that the queen attacks.
        assert!(below.iter().all(|prefix| prefix[0] == (0, 3) && prefix[1].0 == 1 && prefix[2].0 == 2));
        let in_row_1: std::collections::BTreeSet<_> = below.iter().map(|prefix| prefix[1].1).collect();
        assert_eq!(in_row_1.len(), 12);
    }

    #[test]
    fn small_boards_are_cut_down_to_their_solutions() {
        assert_eq!(prefixes(&Queens::new(0)), [vec![]]);
        assert_eq!(prefixes(&Queens::new(1)), [vec![(0, 0)]]);
        assert!(prefixes(&Queens::new(3)).is_empty());
        assert_eq!(prefixes(&Queens::new(4)).len(), 2);
    }
}
