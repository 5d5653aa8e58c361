//! Random parameters of a constraint.

use std::ops::RangeInclusive;

/// Where the closure of a test draws what a constraint needs beside its views: coefficients, bounds,
/// tables.
///
/// The numbers belong to the case: the closure is called several times for it, on different variables,
/// and must draw the same each time. In a case that is made smaller they go towards 0 and to the first
/// choice.
#[derive(Clone, Debug)]
pub struct Params<'a> {
    draws: std::slice::Iter<'a, u32>,
    witness: &'a [i64],
}

impl<'a> Params<'a> {
    pub(super) fn new(draws: &'a [u32], witness: &'a [i64]) -> Params<'a> {
        Params { draws: draws.iter(), witness }
    }

    /// Drawn numbers, one after the other; 0 when there are no more.
    fn draw(&mut self) -> u32 {
        self.draws.next().copied().unwrap_or(0)
    }

    /// A number of the range; 0 if the range is empty.
    pub fn int(&mut self, range: RangeInclusive<i64>) -> i64 {
        let (low, high) = range.into_inner();
        if low > high {
            return 0;
        }
        let draw = i128::from(self.draw());
        let (low, high) = (i128::from(low), i128::from(high));
        // A draw of 0 gives the number next to 0.
        let first = 0.clamp(low, high) - low;
        let value = low + (first + draw) % (high - low + 1);
        i64::try_from(value).unwrap_or(0)
    }

    /// A value of the view at this place of the scope; all places together are one assignment of the
    /// variables. Serves to choose numbers for which the constraint is neither impossible nor trivial.
    pub fn witness(&self, place: usize) -> i64 {
        self.witness.get(place).copied().unwrap_or(0)
    }

    /// Yes or no.
    pub fn bool(&mut self) -> bool {
        self.draw() % 2 == 1
    }

    /// One of the choices.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.draw() as usize % choices.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_of_the_range_and_smallest_when_nothing_is_drawn() {
        let draws: Vec<u32> = (0..100).collect();
        let mut params = Params::new(&draws, &[]);
        let drawn: std::collections::BTreeSet<i64> = (0..100).map(|_| params.int(-3..=4)).collect();
        assert!(drawn.into_iter().eq(-3..=4));
        assert_eq!((params.int(-3..=4), params.int(2..=4), params.int(-9..=-5)), (0, 2, -5));
        assert_eq!(params.int(i64::MIN..=i64::MAX), 0);
    }
}
