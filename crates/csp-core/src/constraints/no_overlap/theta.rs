//! A set of tasks on one machine in order of their earliest starts, and when it can be done (Vilím 2004, 2007).
//!
//! A [Θ-tree](Theta): a binary tree whose leaves are the tasks, in a fixed order. Each node knows the total duration of its
//! tasks in Θ and the earliest time they can all be completed; in a [Θ-Λ-tree](ThetaLambda) both with one *grey* task of
//! Λ more, too, whichever makes most of it. Cost: logarithmic per task put in or taken out.

/// Before everything, even when all tasks have been done since.
pub(super) const NEVER: i64 = i64::MIN + (1 << 61);

/// Total duration and earliest completion of some tasks.
#[derive(Clone, Copy, Debug)]
struct Block {
    duration: i64,
    completion: i64,
}

const EMPTY_BLOCK: Block = Block { duration: 0, completion: NEVER };

/// The tree of Θ, with the number of a leaf for each task.
#[derive(Debug, Default)]
pub(super) struct Theta {
    nodes: Vec<Block>,
    leaves: usize,
}

impl Theta {
    /// Empties it, for so many tasks.
    pub(super) fn clear(&mut self, tasks: usize) {
        self.leaves = tasks.next_power_of_two();
        self.nodes.clear();
        self.nodes.resize(2 * self.leaves, EMPTY_BLOCK);
    }

    /// Puts a task in.
    pub(super) fn insert(&mut self, leaf: usize, start: i64, duration: i64) {
        self.set(leaf, Block { duration, completion: start + duration });
    }

    /// Takes a task out.
    pub(super) fn remove(&mut self, leaf: usize) {
        self.set(leaf, EMPTY_BLOCK);
    }

    /// The earliest time at which all of it can be completed.
    pub(super) fn completion(&self) -> i64 {
        self.nodes[1].completion
    }

    fn set(&mut self, leaf: usize, block: Block) {
        let mut i = self.leaves + leaf;
        self.nodes[i] = block;
        while i > 1 {
            i /= 2;
            let (left, right) = (self.nodes[2 * i], self.nodes[2 * i + 1]);
            self.nodes[i] = Block {
                duration: left.duration + right.duration,
                completion: right.completion.max(left.completion + right.duration),
            };
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    duration: i64,
    completion: i64,
    /// With the best grey task.
    grey_duration: i64,
    grey_completion: i64,
    /// The grey tasks that make them so.
    by_duration: u32,
    by_completion: u32,
}

const NONE: u32 = u32::MAX;

const EMPTY: Node = Node {
    duration: 0,
    completion: NEVER,
    grey_duration: 0,
    grey_completion: NEVER,
    by_duration: NONE,
    by_completion: NONE,
};

/// The tree of Θ and Λ, with the number of a leaf for each task.
#[derive(Debug, Default)]
pub(super) struct ThetaLambda {
    nodes: Vec<Node>,
    leaves: usize,
}

impl ThetaLambda {
    /// Makes Θ of these tasks, given by start and duration in the order of the leaves, and empties Λ.
    pub(super) fn fill(&mut self, tasks: impl ExactSizeIterator<Item = (i64, i64)>) {
        self.leaves = tasks.len().next_power_of_two();
        self.nodes.clear();
        self.nodes.resize(2 * self.leaves, EMPTY);
        for (node, (start, duration)) in self.nodes[self.leaves..].iter_mut().zip(tasks) {
            let completion = start + duration;
            *node = Node {
                duration,
                completion,
                grey_duration: duration,
                grey_completion: completion,
                by_duration: NONE,
                by_completion: NONE,
            };
        }
        for i in (1..self.leaves).rev() {
            self.nodes[i] = join(&self.nodes[2 * i], &self.nodes[2 * i + 1]);
        }
    }

    /// Moves a task to Λ.
    pub(super) fn grey(&mut self, leaf: usize, start: i64, duration: i64, task: u32) {
        let node = Node {
            grey_duration: duration,
            grey_completion: start + duration,
            by_duration: task,
            by_completion: task,
            ..EMPTY
        };
        self.set(leaf, node);
    }

    /// Takes a task out.
    pub(super) fn remove(&mut self, leaf: usize) {
        self.set(leaf, EMPTY);
    }

    /// The earliest time at which all of Θ can be completed with the grey task that makes it latest, and that task, if
    /// there is one that makes it later.
    pub(super) fn grey_completion(&self) -> (i64, Option<u32>) {
        let root = &self.nodes[1];
        (root.grey_completion, Some(root.by_completion).filter(|&task| task != NONE))
    }

    fn set(&mut self, leaf: usize, node: Node) {
        let mut i = self.leaves + leaf;
        self.nodes[i] = node;
        while i > 1 {
            i /= 2;
            self.nodes[i] = join(&self.nodes[2 * i], &self.nodes[2 * i + 1]);
        }
    }
}

fn join(left: &Node, right: &Node) -> Node {
    let duration = left.duration + right.duration;
    let completion = right.completion.max(left.completion + right.duration);
    let (grey_duration, by_duration) =
        if left.grey_duration + right.duration >= left.duration + right.grey_duration {
            (left.grey_duration + right.duration, left.by_duration)
        } else {
            (left.duration + right.grey_duration, right.by_duration)
        };
    // The grey task stands to the right alone, or to the left, or to the right behind all that is left.
    let mut grey = (right.grey_completion, right.by_completion);
    for (completion, task) in [
        (left.grey_completion + right.duration, left.by_completion),
        (left.completion + right.grey_duration, right.by_duration),
    ] {
        if completion > grey.0 {
            grey = (completion, task);
        }
    }
    Node { duration, completion, grey_duration, grey_completion: grey.0, by_duration, by_completion: grey.1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The earliest completion of tasks given by start and duration.
    fn completion(tasks: &[(i64, i64)]) -> i64 {
        let mut sorted = tasks.to_vec();
        sorted.sort_unstable();
        sorted.iter().fold(NEVER, |end, &(start, duration)| end.max(start) + duration)
    }

    #[test]
    fn completions_are_those_of_the_tasks_one_after_the_other() {
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..2000 {
            let mut tasks: Vec<(i64, i64)> =
                (0..rng.usize(1..9)).map(|_| (rng.i64(-20..20), rng.i64(1..8))).collect();
            tasks.sort_unstable();
            let (mut theta, mut tree) = (Theta::default(), ThetaLambda::default());
            theta.clear(tasks.len());
            tree.fill(tasks.iter().copied());
            let (mut white, mut grey) = (Vec::new(), Vec::new());
            for (i, &(start, duration)) in tasks.iter().enumerate() {
                theta.insert(i, start, duration);
                match rng.u32(0..3) {
                    0 => white.push((start, duration)),
                    1 => {
                        theta.remove(i);
                        tree.grey(i, start, duration, i as u32);
                        grey.push((start, duration));
                    }
                    _ => {
                        theta.remove(i);
                        tree.remove(i);
                    }
                }
            }
            assert_eq!(theta.completion(), completion(&white));
            let with = |task: (i64, i64)| completion(&[&white[..], &[task]].concat());
            let expected = grey.iter().map(|&task| with(task)).max().unwrap_or(NEVER).max(completion(&white));
            let (latest, by) = tree.grey_completion();
            assert_eq!(latest, expected);
            if let Some(task) = by {
                assert_eq!(with(tasks[task as usize]), latest);
            } else {
                assert_eq!(latest, completion(&white));
            }
        }
    }
}
