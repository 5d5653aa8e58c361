//! Only the solutions that look the same from another side.
//!
//! A queen is put down together with its images, so the search is half or a quarter as deep. What is
//! left of the square's symmetries can be had by no solution, see [`unique`](super::unique).
//!
//! **Half a turn.** The image of a queen stands in the opposite row and the opposite column. The rows
//! are filled from the middle outwards: then all queens, images too, are on one side of the next
//! row, and the words of plain [bit masks](crate::methods) will do, two queens at a time. On an odd
//! board the middle row's queen is its own image and stands in the centre. The mirror image of a
//! solution is another one, so only half of the first of these rows is searched, and from then on a queen
//! that leaves no free square in the row after the next one is given up.
//!
//! **A quarter turn.** A queen has three images, at (column, size − 1 − row) and so on. A row and the
//! column with the same number are free together, and both kinds of diagonals are attacked
//! alike, so one word tells of the free rows and columns and one double word of the diagonals. Here
//! too the free row nearest to the middle comes first: a third of the nodes of the other way round. The
//! queens come in fours, but for the centre: there are none unless the size leaves 0 or 1 when divided
//! by 4.
//!
//! Either way a queen on one of the two long diagonals would attack its own image.

use std::ops::ControlFlow;

use crate::{
    QueensError,
    search::{Control, Monitor, Report, Stop, run},
};

/// A turn of the board that a solution can be unchanged by.
///
/// ```
/// use std::ops::ControlFlow;
/// use csp_nqueens::{Control, Symmetry};
///
/// // Of the 92 solutions on eight rows, four stay the same when the board is turned by half.
/// assert_eq!(Symmetry::HalfTurn.count(8)?, 4);
/// Symmetry::HalfTurn.search(8, &Control::new(), |columns| {
///     assert!((0..8).all(|row| columns[7 - row] == 7 - columns[row]));
///     ControlFlow::Continue(())
/// })?;
/// # Ok::<(), csp_nqueens::QueensError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// By 180 degrees: the reflection in the centre of the board.
    HalfTurn,
    /// By 90 degrees, and so by 180 too.
    QuarterTurn,
}

impl Symmetry {
    /// The largest board.
    pub const MAX_SIZE: usize = u64::BITS as usize;

    /// Hands the symmetric solutions on an empty board to `visit`: the column of each row's queen.
    ///
    /// They come in an order that is always the same, but not the lexicographic one.
    ///
    /// # Errors
    /// If the board is larger than [`MAX_SIZE`](Self::MAX_SIZE).
    pub fn search(
        self,
        size: usize,
        control: &Control,
        mut visit: impl FnMut(&[usize]) -> ControlFlow<()>,
    ) -> Result<Report, QueensError> {
        if size > Self::MAX_SIZE {
            return Err(QueensError::TooLargeForSymmetry { size });
        }
        run(control, &mut visit, |monitor| match self {
            Self::HalfTurn => half_turn(size, monitor),
            Self::QuarterTurn => quarter_turn(size, monitor),
        })
    }

    /// The number of symmetric solutions on an empty board.
    ///
    /// # Errors
    /// If the board is larger than [`MAX_SIZE`](Self::MAX_SIZE).
    pub fn count(self, size: usize) -> Result<u128, QueensError> {
        let report = self.search(size, &Control::new(), |_| ControlFlow::Continue(()))?;
        Ok(report.solutions)
    }
}

/// A queen for each of at most half the rows.
const DEPTH: usize = Symmetry::MAX_SIZE / 2;

fn lowest(set: u64) -> u64 {
    set & set.wrapping_neg()
}

/// The set of the first so many numbers, at most 64 and at least one.
fn first(size: usize) -> u64 {
    u64::MAX >> (u64::BITS as usize - size)
}

fn half_turn(size: usize, monitor: &mut Monitor<'_>) -> ControlFlow<Stop> {
    /// A row above the middle; bit *c* stands for column *c*.
    #[derive(Clone, Copy, Default)]
    struct Row {
        /// The columns without a queen.
        columns: u64,
        /// The squares attacked from the lower left and from the lower right.
        from_left: u64,
        from_right: u64,
        /// The free squares that are still to be tried.
        untried: u64,
    }

    monitor.node()?;
    let half = size / 2;
    let mut queens = vec![half; size];
    if half == 0 {
        return monitor.solution(&queens);
    }
    let mut mirrored = queens.clone();
    let long_diagonals = |row: usize| 1 << row | 1 << (size - 1 - row);
    let centre = if size % 2 == 1 { 1 << half } else { 0 };
    let columns = first(size) ^ centre;
    let (from_left, from_right) = (centre << 1, centre >> 1);
    let untried = first(half) & !(from_left | from_right | long_diagonals(half - 1));

    // Each row is written before it is read; of those below `row` nothing is needed any more.
    let mut rows = [Row::default(); DEPTH];
    let mut row = half - 1;
    rows[row] = Row { columns, from_left, from_right, untried };
    loop {
        let Row { columns, from_left, from_right, untried } = rows[row];
        if untried == 0 {
            row += 1;
            if row == half {
                return ControlFlow::Continue(());
            }
            continue;
        }
        let queen = lowest(untried);
        rows[row].untried ^= queen;
        let image = queen.reverse_bits() >> (u64::BITS as usize - size);
        let column = queen.trailing_zeros() as usize;
        (queens[row], queens[size - 1 - row]) = (column, size - 1 - column);
        (mirrored[row], mirrored[size - 1 - row]) = (size - 1 - column, column);
        monitor.node()?;
        if row == 0 {
            monitor.solution(&queens)?;
            monitor.solution(&mirrored)?;
            continue;
        }
        let to_image = size - 2 * row;
        let columns = columns ^ queen ^ image;
        let from_left = (from_left | queen) << 1 | image << to_image;
        let from_right = (from_right | queen) >> 1 | image >> to_image;
        let untried = columns & !(from_left | from_right | long_diagonals(row - 1));
        let dead_end = match row {
            1 => untried == 0,
            _ => columns & !(from_left << 1 | from_right >> 1 | long_diagonals(row - 2)) == 0,
        };
        if !dead_end {
            row -= 1;
            rows[row] = Row { columns, from_left, from_right, untried };
        }
    }
}

fn quarter_turn(size: usize, monitor: &mut Monitor<'_>) -> ControlFlow<Stop> {
    /// A row to be filled; those between it and the middle are.
    #[derive(Clone, Copy, Default)]
    struct Node {
        row: usize,
        /// The numbers of the rows without a queen, which are those of the columns.
        free: u64,
        /// The attacked diagonals: bit `row + column`, and alike bit `column − row + size − 1`.
        diagonals: u128,
        /// The free squares that are still to be tried.
        untried: u64,
    }

    monitor.node()?;
    if size % 4 > 1 {
        return ControlFlow::Continue(());
    }
    let half = size / 2;
    let mut queens = vec![half; size];
    if half == 0 {
        return monitor.solution(&queens);
    }
    let last = size - 1;
    let node = |free: u64, diagonals: u128| {
        let row = (free & first(half)).ilog2() as usize;
        let attacked = (diagonals >> row | diagonals >> (last - row)) as u64;
        Node { row, free, diagonals, untried: free & !attacked }
    };
    let centre = if size % 2 == 1 { 1 << half } else { 0 };
    let long_diagonals = 1 << last;

    let mut nodes = [Node::default(); DEPTH];
    nodes[0] = node(first(size) ^ centre, long_diagonals);
    let mut depth = 0;
    loop {
        let Node { row, free, diagonals, untried } = nodes[depth];
        if untried == 0 {
            if depth == 0 {
                return ControlFlow::Continue(());
            }
            depth -= 1;
            continue;
        }
        nodes[depth].untried ^= lowest(untried);
        let column = untried.trailing_zeros() as usize;
        let mut taken = 0;
        let mut attacked = 0;
        let mut image = (row, column);
        for _ in 0..4 {
            queens[image.0] = image.1;
            taken |= 1 << image.0;
            attacked |= 1 << (image.0 + image.1);
            image = (image.1, last - image.0);
        }
        monitor.node()?;
        if free == taken {
            monitor.solution(&queens)?;
            continue;
        }
        depth += 1;
        nodes[depth] = node(free & !taken, diagonals | attacked);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::{Method, Outcome, Queens, counting::known_counts};

    fn all(symmetry: Symmetry, size: usize) -> Vec<Vec<usize>> {
        let mut all = Vec::new();
        let collect = |columns: &[usize]| {
            all.push(columns.to_vec());
            ControlFlow::Continue(())
        };
        symmetry.search(size, &Control::new(), collect).unwrap();
        all
    }

    fn is_unchanged(symmetry: Symmetry, columns: &[usize]) -> bool {
        let last = columns.len().saturating_sub(1);
        columns.iter().enumerate().all(|(row, &column)| match symmetry {
            Symmetry::HalfTurn => columns[last - row] == last - column,
            Symmetry::QuarterTurn => columns[column] == last - row,
        })
    }

    #[test]
    fn they_are_those_among_all_solutions() {
        for symmetry in [Symmetry::HalfTurn, Symmetry::QuarterTurn] {
            for size in 0..=12 {
                let mut expected = Vec::new();
                let keep = |columns: &[usize]| {
                    if is_unchanged(symmetry, columns) {
                        expected.push(columns.to_vec());
                    }
                    ControlFlow::Continue(())
                };
                Method::BitMasks.search(&Queens::new(size), &Control::new(), keep).unwrap();
                let mut found = all(symmetry, size);
                found.sort();
                assert_eq!(found, expected, "{symmetry:?} on {size}");
            }
        }
    }

    #[test]
    fn their_numbers_are_the_published_ones() {
        for known in known_counts() {
            if known.size <= 20 {
                assert_eq!(Symmetry::HalfTurn.count(known.size), Ok(known.half_turn), "{}", known.size);
            }
            assert_eq!(Symmetry::QuarterTurn.count(known.size), Ok(known.quarter_turn), "{}", known.size);
        }
    }

    #[test]
    #[ignore = "takes a minute, in a release build"]
    fn large_numbers_are_the_published_ones() {
        for known in known_counts().into_iter().filter(|known| known.size > 20) {
            let start = Instant::now();
            assert_eq!(Symmetry::HalfTurn.count(known.size), Ok(known.half_turn), "{}", known.size);
            println!("{}: {:?}", known.size, start.elapsed());
        }
    }

    #[test]
    fn the_widest_boards_fit_the_words() {
        for (symmetry, size) in [
            (Symmetry::HalfTurn, 63),
            (Symmetry::HalfTurn, 64),
            (Symmetry::QuarterTurn, 57),
            (Symmetry::QuarterTurn, 64),
        ] {
            let puzzle = Queens::new(size);
            let mut wanted = 3;
            let check = |columns: &[usize]| {
                assert!(puzzle.is_solution(columns) && is_unchanged(symmetry, columns), "{columns:?}");
                wanted -= 1;
                if wanted == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let report = symmetry.search(size, &Control::new(), check).unwrap();
            assert_eq!((report.outcome, report.solutions), (Outcome::Enough, 3), "{symmetry:?} on {size}");
        }
    }

    #[test]
    fn a_board_that_is_too_wide_is_an_error_in_words() {
        let error = Symmetry::HalfTurn.count(65).unwrap_err();
        assert_eq!(error, QueensError::TooLargeForSymmetry { size: 65 });
        assert_eq!(
            error.to_string(),
            "size 65 is too large: symmetric solutions are searched for up to size 64"
        );
    }

    #[test]
    fn it_can_be_stopped() {
        for symmetry in [Symmetry::HalfTurn, Symmetry::QuarterTurn] {
            let control = Control::new().with_time_limit(Duration::from_millis(20));
            let report = symmetry.search(64, &control, |_| ControlFlow::Continue(())).unwrap();
            assert_eq!(report.outcome, Outcome::TimeLimit);
            assert!(report.time < Duration::from_secs(2));
        }
    }
}
