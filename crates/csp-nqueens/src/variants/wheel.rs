//! Counting toroidal solutions row by row with bit masks that turn.
//!
//! As in [bit masks](crate::Method::BitMasks), with rotations of *n* bits in place of shifts: nothing falls off
//! the edge. Moving all queens to the right is a symmetry, so the first one is put into the
//! corner and the count taken *n* times; so is reflection, and the second one is put into the left
//! half and the count taken twice. Where 2 or 3 divides *n* there is no solution (Pólya, 1918).

use std::ops::ControlFlow;

use crate::{
    QueensError,
    search::{Control, Monitor, Report, Stop, run},
};

/// Counts the solutions of the puzzle on a torus.
///
/// ```
/// use csp_nqueens::{Control, count_toroidal};
///
/// assert_eq!(count_toroidal(13, &Control::new())?.solutions, 4524);
/// # Ok::<(), csp_nqueens::QueensError>(())
/// ```
///
/// # Errors
/// If the board is larger than 31, which would take years.
pub fn count_toroidal(size: usize, control: &Control) -> Result<Report, QueensError> {
    super::check_size("toroidal", size, MAX_SIZE)?;
    let mut weight = 1_u128;
    let mut found = 0;
    let mut report = run(control, &mut |_| ControlFlow::Continue(()), |monitor| {
        control.check()?;
        if size < 5 {
            // Of these only the empty board and that of one square have a solution.
            found = u64::from(size < 2);
            return ControlFlow::Continue(());
        }
        if size.is_multiple_of(2) || size.is_multiple_of(3) {
            return ControlFlow::Continue(());
        }
        weight = 2 * size as u128;
        let wheel = Wheel { size: size as u32, full: (1 << size) - 1 };
        let first = wheel.below(Attacks::default(), 1);
        let left = (1 << size.div_ceil(2)) - 1;
        wheel.fill(size - 1, first, left, &mut found, monitor)
    })?;
    report.solutions = u128::from(found) * weight;
    Ok(report)
}

/// The largest board; it would take years.
const MAX_SIZE: usize = 31;

struct Wheel {
    size: u32,
    /// All columns.
    full: u64,
}

/// The columns attacked in one row; bit *c* stands for column *c*.
#[derive(Clone, Copy, Default)]
struct Attacks {
    columns: u64,
    diagonals: u64,
    anti_diagonals: u64,
}

impl Wheel {
    /// With one more queen, and seen from the row below it.
    fn below(&self, attacks: Attacks, queen: u64) -> Attacks {
        let (right, left) = (attacks.diagonals | queen, attacks.anti_diagonals | queen);
        Attacks {
            columns: attacks.columns | queen,
            diagonals: (right << 1 | right >> (self.size - 1)) & self.full,
            anti_diagonals: (left >> 1 | left << (self.size - 1)) & self.full,
        }
    }

    /// Fills the last `rows` rows; the first of them only within `squares`. Calls itself once for each.
    fn fill(
        &self,
        rows: usize,
        attacks: Attacks,
        squares: u64,
        found: &mut u64,
        monitor: &mut Monitor<'_>,
    ) -> ControlFlow<Stop> {
        monitor.node()?;
        let mut free = squares & !(attacks.columns | attacks.diagonals | attacks.anti_diagonals);
        if rows == 1 {
            *found += u64::from(free.count_ones());
            return ControlFlow::Continue(());
        }
        while free != 0 {
            let queen = free & free.wrapping_neg();
            free ^= queen;
            self.fill(rows - 1, self.below(attacks, queen), self.full, found, monitor)?;
        }
        ControlFlow::Continue(())
    }
}
