//! Drawing boards with coloured regions and exactly one solution.
//!
//! Regions grow from the queens of a random solution, square by square. As long as the board has
//! another solution, a square that this one needs is given to a neighbouring region, if its own
//! stays connected. A board that cannot be mended like this is thrown away.

use std::collections::BTreeSet;

use fastrand::Rng;

use super::{check_size, kings::are_apart, regions::SIGNS};
use crate::{Control, QueensError, Regions, Square};

impl Regions {
    /// A board with connected regions and exactly one solution, drawn at random; the same seed draws
    /// the same board. `None` if there is none (sizes 0, 2 and 3) or `control` ended the search first.
    ///
    /// ```
    /// use csp_nqueens::{Control, Regions};
    ///
    /// let puzzle = Regions::generate(6, 1, &Control::new())?.expect("there are some");
    /// assert_eq!(puzzle.solutions(2)?.len(), 1);
    /// # Ok::<(), csp_nqueens::QueensError>(())
    /// ```
    ///
    /// # Errors
    /// If the size is larger than 20: it would take long.
    pub fn generate(size: usize, seed: u64, control: &Control) -> Result<Option<Regions>, QueensError> {
        check_size("regions --generate", size, MAX_SIZE)?;
        if matches!(size, 0 | 2 | 3) {
            return Ok(None);
        }
        let mut rng = Rng::with_seed(seed);
        while control.check().is_continue() {
            if let Some(board) = draw(size, &mut rng, control)? {
                return Ok(Some(board));
            }
        }
        Ok(None)
    }
}

const MAX_SIZE: usize = 20;
const _: () = assert!(MAX_SIZE <= SIGNS.len());

/// A board with exactly one solution, if the first one drawn can be mended to be that.
fn draw(size: usize, rng: &mut Rng, control: &Control) -> Result<Option<Regions>, QueensError> {
    let queens = queens(size, rng);
    let mut regions = grow(&queens, rng);
    for _ in 0..size * size {
        let board = Regions::from_regions(regions.clone());
        let solutions = board.solutions(2)?;
        let Some(other) = solutions.iter().find(|&solution| *solution != queens) else {
            return Ok(Some(board));
        };
        if control.check().is_break() || !exclude(other, &queens, &mut regions, rng) {
            break;
        }
    }
    Ok(None)
}

/// A random permutation with kings' distance: there are some of every size but 2 and 3, and of all permutations
/// about one in seven is one.
fn queens(size: usize, rng: &mut Rng) -> Vec<usize> {
    let mut columns: Vec<usize> = (0..size).collect();
    loop {
        rng.shuffle(&mut columns);
        if are_apart(size, &columns) {
            return columns;
        }
    }
}

/// Connected regions around these queens.
fn grow(queens: &[usize], rng: &mut Rng) -> Vec<Vec<usize>> {
    let size = queens.len();
    let mut regions = vec![vec![None; size]; size];
    queens.iter().enumerate().for_each(|(row, &column)| regions[row][column] = Some(row));
    // The squares at the border of what has grown so far, once for each neighbour that could take them.
    let mut border: Vec<(Square, usize)> = Vec::new();
    let spread = |square, region, border: &mut Vec<_>| {
        border.extend(neighbours(square, size).map(|next| (next, region)));
    };
    queens.iter().enumerate().for_each(|(row, &column)| spread((row, column), row, &mut border));
    while !border.is_empty() {
        let ((row, column), region) = border.swap_remove(rng.usize(..border.len()));
        if regions[row][column].is_none() {
            regions[row][column] = Some(region);
            spread((row, column), region, &mut border);
        }
    }
    // Every square has a neighbour, so all were reached.
    regions.into_iter().map(|row| row.into_iter().flatten().collect()).collect()
}

/// Gives a square of this solution, and not of the queens, to a neighbouring region; whether that is possible.
fn exclude(solution: &[usize], queens: &[usize], regions: &mut [Vec<usize>], rng: &mut Rng) -> bool {
    let size = queens.len();
    let needed = (0..size).filter(|&row| solution[row] != queens[row]).map(|row| (row, solution[row]));
    let mut changes: Vec<(Square, usize)> = Vec::new();
    for square in needed {
        let own = regions[square.0][square.1];
        let others = neighbours(square, size).map(|(row, column)| regions[row][column]);
        let others: BTreeSet<usize> = others.filter(|&region| region != own).collect();
        changes.extend(others.into_iter().map(|region| (square, region)));
    }
    rng.shuffle(&mut changes);
    for ((row, column), region) in changes {
        let own = std::mem::replace(&mut regions[row][column], region);
        if is_connected(own, (own, queens[own]), regions) {
            return true;
        }
        regions[row][column] = own;
    }
    false
}

/// Whether all squares of a region can be reached from its queen within it.
fn is_connected(region: usize, queen: Square, regions: &[Vec<usize>]) -> bool {
    let mut reached = BTreeSet::from([queen]);
    let mut open = vec![queen];
    while let Some(square) = open.pop() {
        for (row, column) in neighbours(square, regions.len()) {
            if regions[row][column] == region && reached.insert((row, column)) {
                open.push((row, column));
            }
        }
    }
    reached.len() == regions.iter().flatten().filter(|&&other| other == region).count()
}

/// The squares that share a side with this one.
fn neighbours((row, column): Square, size: usize) -> impl Iterator<Item = Square> {
    let before = |place: usize| place.checked_sub(1);
    let after = move |place: usize| Some(place + 1).filter(|&place| place < size);
    let vertical = [before(row), after(row)].into_iter().flatten().map(move |row| (row, column));
    let horizontal = [before(column), after(column)].into_iter().flatten().map(move |column| (row, column));
    vertical.chain(horizontal)
}
