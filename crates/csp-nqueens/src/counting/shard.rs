//! A share of the parts, for one of several machines.

use std::{fmt, str::FromStr};

use crate::QueensError;

/// Every *m*-th part, beginning with the *i*-th: shard *i/m*, with *i* from 1 to *m*.
///
/// The *m* shards of a count hold each of its parts once.
///
/// ```
/// use csp_nqueens::Shard;
///
/// let shard: Shard = "2/64".parse()?;
/// assert_eq!(shard.to_string(), "2/64");
/// assert!("0/64".parse::<Shard>().is_err());
/// # Ok::<(), csp_nqueens::QueensError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard {
    of: usize,
    index: usize,
}

impl Shard {
    /// All there is.
    pub const WHOLE: Self = Self { of: 1, index: 1 };

    /// The shard with this number, from 1, of so many.
    ///
    /// # Errors
    /// If there is no such shard.
    pub fn new(index: usize, of: usize) -> Result<Self, QueensError> {
        match (1..=of).contains(&index) {
            true => Ok(Self { of, index }),
            false => Err(QueensError::NoShard { text: format!("{index}/{of}") }),
        }
    }

    /// Its number, from 1.
    pub fn index(self) -> usize {
        self.index
    }

    /// The number of shards.
    pub fn of(self) -> usize {
        self.of
    }

    /// Whether it has the part with this number, from 0.
    pub(crate) fn contains(self, part: usize) -> bool {
        part % self.of == self.index - 1
    }

    /// How many parts it has, of so many.
    pub(crate) fn len(self, all: usize) -> usize {
        all.saturating_sub(self.index - 1).div_ceil(self.of)
    }

    /// The numbers of its parts, of so many.
    pub(crate) fn parts(self, all: usize) -> impl Iterator<Item = usize> {
        (self.index - 1..all).step_by(self.of)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = QueensError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text.split_once('/').and_then(|(i, m)| Some((i.parse().ok()?, m.parse().ok()?)));
        let (index, of) = numbers.ok_or_else(|| QueensError::NoShard { text: text.to_owned() })?;
        Self::new(index, of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shards_hold_each_part_once() {
        for of in 1..=7 {
            for part in 0..20 {
                let holds = |index| Shard::new(index, of).unwrap().contains(part);
                assert_eq!((1..=of).filter(|&index| holds(index)).count(), 1);
            }
            let parts = |index| Shard::new(index, of).unwrap().parts(5);
            assert!((1..=of).all(|index| Shard::new(index, of).unwrap().len(5) == parts(index).count()));
            let mut all: Vec<usize> = (1..=of).flat_map(parts).collect();
            all.sort();
            assert_eq!(all, [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn what_is_no_shard_is_refused() {
        for text in ["", "1", "/", "0/3", "4/3", "1/0", "-1/3", "1/3/5", "a/b", "1/99999999999999999999999"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
