//! Matching and strongly connected components where the values fit a few words.
//!
//! A set of values is a [`Set`] of `64·W` bits, so "the values not yet seen that this view can take" is
//! one operation on words, whatever the number of edges. Cost: `O(views · W)` per augmenting path and
//! as much for all components together.
//!
//! The graph looked at has the views for vertices, and an edge from a view to the owner of each value
//! it can take. (Contracting matched edges in this way keeps Régin's components.) Its components are found
//! by the path-based algorithm (Purdom, Munro 1970; Gabow 2000): the search keeps a path of components,
//! each as the set of its values and the set of values its views can take, and merges the end of the path
//! whenever an edge leads back into it.

/// Rounds in which values are found from which a free one can be reached.
const ROUNDS: usize = 3;

/// A set of numbers below `64·W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Set<const W: usize>(pub(super) [u64; W]);

/// So many words stay in registers as long as none of them is named by a number that is not known beforehand.
const FEW: usize = 4;

impl<const W: usize> Set<W> {
    pub(super) const EMPTY: Set<W> = Set([0; W]);

    #[inline(always)]
    pub(super) fn single(v: u32) -> Set<W> {
        if W <= FEW {
            return Set(std::array::from_fn(|i| u64::from(v as usize / 64 == i) << (v % 64)));
        }
        let mut set = Set::EMPTY;
        set.0[v as usize / 64 % W] = 1 << (v % 64);
        set
    }

    #[inline(always)]
    fn zip(self, other: Set<W>, f: impl Fn(u64, u64) -> u64) -> Set<W> {
        Set(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    #[inline(always)]
    pub(super) fn and(self, other: Set<W>) -> Set<W> {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    pub(super) fn or(self, other: Set<W>) -> Set<W> {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    pub(super) fn minus(self, other: Set<W>) -> Set<W> {
        self.zip(other, |a, b| a & !b)
    }

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |a, b| a | b) == 0
    }

    #[inline(always)]
    pub(super) fn contains(self, v: u32) -> bool {
        if W <= FEW {
            return !self.and(Set::single(v)).is_empty();
        }
        self.0[v as usize / 64 % W] >> (v % 64) & 1 == 1
    }

    /// The smallest element.
    #[inline(always)]
    pub(super) fn first(self) -> Option<u32> {
        let i = self.0.iter().position(|&word| word != 0)?;
        Some(64 * i as u32 + self.0[i].trailing_zeros())
    }

    /// The elements in ascending order.
    #[inline(always)]
    pub(super) fn iter(self) -> impl Iterator<Item = u32> {
        self.0.into_iter().zip(0..).flat_map(|(word, i)| ones(word).map(move |bit| 64 * i + bit))
    }
}

/// The positions of the set bits of a word.
#[inline(always)]
pub(super) fn ones(mut word: u64) -> impl Iterator<Item = u32> + Clone {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// Some views that can reach each other.
#[derive(Clone, Copy, Debug)]
struct Part<const W: usize> {
    /// The values its views are matched with.
    values: Set<W>,
    /// The values its views can take.
    reach: Set<W>,
}

/// What a component has to lose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut<const W: usize> {
    /// The component, by the values its views are matched with: see [`Matching::owner`].
    pub(super) values: Set<W>,
    /// What its views can take in no solution.
    pub(super) gone: Set<W>,
}

/// A matching of views to values, and what follows from it.
#[derive(Debug)]
pub(super) struct Matching<const W: usize> {
    /// Scratch: what each view can take; filled by the caller.
    pub(super) rows: Vec<Set<W>>,
    /// Advice: the value each view was matched with last.
    mate: Vec<u32>,
    /// Scratch: whom each matched value is matched with.
    owner: Vec<u32>,
    /// Scratch: views to be matched.
    unmatched: Vec<u32>,
    /// Scratch: the view from which a value was first seen.
    seen_from: Vec<u32>,
    /// Scratch: the views of one search for an augmenting path.
    queue: Vec<u32>,
    path: Vec<Part<W>>,
    /// Components that take all the values they can reach, each after those it can reach.
    tight: Vec<Set<W>>,
    /// What the last [`run`](Self::run) found out.
    pub(super) cuts: Vec<Cut<W>>,
}

/// More views than values.
#[derive(Debug)]
pub(super) struct Violation<const W: usize> {
    pub(super) values: Set<W>,
}

impl<const W: usize> Matching<W> {
    pub(super) fn new(views: usize) -> Matching<W> {
        Matching {
            rows: vec![Set::EMPTY; views],
            mate: vec![0; views],
            owner: vec![0; 64 * W],
            unmatched: Vec::with_capacity(views),
            seen_from: vec![0; 64 * W],
            queue: Vec::with_capacity(views + 1),
            path: Vec::with_capacity(views),
            tight: Vec::with_capacity(views),
            cuts: Vec::with_capacity(views),
        }
    }

    /// Whom a value is matched with.
    #[inline]
    pub(super) fn owner(&self, value: u32) -> u32 {
        self.owner[value as usize]
    }

    /// Whether a component is one view, which keeps the one value it is matched with.
    #[inline]
    pub(super) fn fixes(&self, cut: &Cut<W>) -> bool {
        let first = cut.values.first().unwrap_or(0);
        self.rows[self.owner(first) as usize].minus(cut.gone) == Set::single(first)
    }

    /// Matches the given views, whose rows are filled, and puts what can be cut off into `cuts`.
    ///
    /// # Errors
    /// If there are more views than values for them; [`violators`](Self::violators) are the views.
    #[inline]
    pub(super) fn run(&mut self, members: impl Iterator<Item = u32>) -> Result<(), Violation<W>> {
        let (mut taken, mut all) = (Set::EMPTY, Set::EMPTY);
        self.unmatched.clear();
        for i in members {
            let (row, mate) = (self.rows[i as usize], self.mate[i as usize]);
            all = all.or(row);
            if row.minus(taken).contains(mate) {
                taken = taken.or(Set::single(mate));
                self.owner[mate as usize] = i;
            } else {
                self.unmatched.push(i);
            }
        }
        for k in 0..self.unmatched.len() {
            taken = self.augment(self.unmatched[k], taken)?;
        }
        self.split(taken, all.minus(taken));
        Ok(())
    }

    /// Matches one more view, by breadth-first search for a path to a free value.
    fn augment(&mut self, root: u32, taken: Set<W>) -> Result<Set<W>, Violation<W>> {
        let mut seen = Set::EMPTY;
        self.queue.clear();
        self.queue.push(root);
        let mut next = 0;
        while let Some(&view) = self.queue.get(next) {
            next += 1;
            let row = self.rows[view as usize];
            if let Some(free) = row.minus(taken).first() {
                let (mut view, mut value) = (view, free);
                loop {
                    self.owner[value as usize] = view;
                    value = std::mem::replace(&mut self.mate[view as usize], value);
                    if view == root {
                        break;
                    }
                    view = self.seen_from[value as usize];
                }
                return Ok(taken.or(Set::single(free)));
            }
            for value in row.minus(seen).iter() {
                self.seen_from[value as usize] = view;
                self.queue.push(self.owner[value as usize]);
            }
            seen = seen.or(row);
        }
        Err(Violation { values: seen })
    }

    /// The views of a violation.
    pub(super) fn violators(&self) -> &[u32] {
        &self.queue
    }

    /// Finds the components, and what each of them has to lose.
    #[inline]
    fn split(&mut self, taken: Set<W>, free: Set<W>) {
        self.path.clear();
        self.tight.clear();
        self.cuts.clear();
        // Values of tight components, and values from which a free one can be reached.
        let (mut closed, mut loose) = (Set::EMPTY, free);
        let reach = if free.is_empty() { Set::EMPTY } else { self.loosen(taken, &mut loose) };
        let loosened = loose.minus(free);
        // Values not yet met, and values whose component is not complete.
        let mut unseen = taken.minus(loose);
        let mut live = unseen;
        while let Some(mut value) = unseen.first() {
            loop {
                unseen = unseen.minus(Set::single(value));
                let reach = self.rows[self.owner[value as usize] as usize];
                let mut top = Part { values: Set::single(value), reach };
                let mut next = reach.and(unseen).first();
                while next.is_none() {
                    // Nothing new from here: the end of the path either leads back or is a component.
                    if !top.reach.and(live).minus(top.values).is_empty()
                        && let Some(below) = self.path.pop()
                    {
                        top = Part { values: top.values.or(below.values), reach: top.reach.or(below.reach) };
                    } else {
                        live = live.minus(top.values);
                        let gone = if top.reach.and(loose).is_empty() {
                            closed = closed.or(top.values);
                            self.tight.push(top.values);
                            top.reach.minus(top.values)
                        } else {
                            loose = loose.or(top.values);
                            top.reach.and(closed)
                        };
                        if !gone.is_empty() {
                            self.cuts.push(Cut { values: top.values, gone });
                        }
                        match self.path.pop() {
                            Some(below) => top = below,
                            None => break,
                        }
                    }
                    next = top.reach.and(unseen).first();
                }
                let Some(v) = next else { break };
                self.path.push(top);
                value = v;
            }
        }
        let gone = reach.and(closed);
        if !gone.is_empty() {
            self.cuts.push(Cut { values: loosened, gone });
        }
    }

    /// Adds values to `loose` from whose owners one of them can be reached, and returns all that these owners can
    /// take. Mostly that is all there are, in two rounds, and then there is nothing to lose and no component to
    /// look for; a few rounds do, since what they miss is found with the components.
    #[inline]
    fn loosen(&self, taken: Set<W>, loose: &mut Set<W>) -> Set<W> {
        let mut reach = Set::EMPTY;
        for _ in 0..ROUNDS {
            let before = *loose;
            for v in taken.minus(before).iter() {
                let row = self.rows[self.owner[v as usize] as usize];
                if !row.and(*loose).is_empty() {
                    *loose = loose.or(Set::single(v));
                    reach = reach.or(row);
                }
            }
            if *loose == before {
                break;
            }
        }
        reach
    }

    /// Takes from `rest` some values that a Hall set has: as many values as views that have no others.
    /// Returns the taken values and all values of the Hall set; its views are their owners.
    pub(super) fn next_hall_set(&self, rest: &mut Set<W>) -> Option<(Set<W>, Set<W>)> {
        let first = rest.first()?;
        let part = self.tight.iter().find(|part| part.contains(first))?;
        let (mut values, mut todo) = (*part, *part);
        while let Some(v) = todo.first() {
            let reach = self.rows[self.owner(v) as usize];
            todo = todo.or(reach.minus(values)).minus(Set::single(v));
            values = values.or(reach);
        }
        let taken = rest.and(*part);
        *rest = rest.minus(*part);
        Some((taken, values))
    }
}
