//! The search tree as an outline. What it shows depends on the step alone: the nodes reached so far,
//! failed subtrees folded once the search has left them.

use crate::{Kind, Status, Story};

/// When each node of a story's tree was reached, and when it was clear what became of it.
#[derive(Debug)]
pub struct Outline {
    parents: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
    depths: Vec<usize>,
    /// What became of each node in the end.
    fates: Vec<Status>,
    /// The first step at or below each node.
    reached: Vec<Option<usize>>,
    /// The step from which on it is seen what became of a node.
    decided: Vec<Option<usize>>,
    /// The nodes of each subtree.
    sizes: Vec<usize>,
}

/// A node as it is shown at some step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutlineLine {
    /// The index of the node.
    pub node: usize,
    /// How many nodes are above it.
    pub depth: usize,
    /// What is known of it: open until the search is done with it.
    pub status: Status,
    /// How many nodes below it are not shown.
    pub folded: usize,
}

impl Outline {
    /// Of a story whose nodes and steps speak of what is there, parents before children.
    pub(super) fn new(story: &Story) -> Outline {
        let count = story.nodes.len();
        let mut outline = Outline {
            children: vec![Vec::new(); count],
            depths: vec![0; count],
            fates: story.nodes.iter().map(|node| node.status).collect(),
            reached: vec![None; count],
            decided: vec![None; count],
            sizes: vec![1; count],
            parents: story.nodes.iter().map(|node| node.parent).collect(),
        };
        for node in 0..count {
            if let Some(parent) = outline.parents[node] {
                outline.children[parent].push(node);
                outline.depths[node] = outline.depths[parent] + 1;
            }
        }
        outline.set_times(story);
        outline
    }

    fn set_times(&mut self, story: &Story) {
        let mut latest = vec![None; story.nodes.len()];
        for (number, step) in story.steps.iter().enumerate() {
            self.reached[step.node].get_or_insert(number);
            latest[step.node] = Some(number);
            if matches!(step.kind, Kind::DeadEnd | Kind::Solution) {
                self.decided[step.node] = Some(number);
            }
        }
        for node in (0..latest.len()).rev() {
            let failed = |node: usize| self.fates[node] == Status::Failed;
            match self.fates[node] {
                Status::Failed if self.decided[node].is_none() => self.decided[node] = latest[node],
                // Another solution may lie below until the search has left it for the last time.
                Status::Branch => self.decided[node] = latest[node],
                _ => (),
            }
            let Some(parent) = self.parents[node] else { continue };
            self.sizes[parent] += self.sizes[node];
            latest[parent] = latest[parent].max(latest[node]);
            self.reached[parent] = [self.reached[parent], self.reached[node]].into_iter().flatten().min();
            if failed(parent) {
                self.decided[parent] = self.decided[parent].max(self.decided[node]);
            }
        }
    }

    /// The nodes reached by step `at`, each before the ones below it. Failed subtrees are folded, except
    /// along the path to `current` or where all are to be `unfolded`.
    pub fn lines(&self, at: usize, current: usize, unfolded: bool) -> Vec<OutlineLine> {
        let mut on_path = vec![false; self.parents.len()];
        let mut above = (current < on_path.len()).then_some(current);
        while let Some(node) = above {
            on_path[node] = true;
            above = self.parents[node];
        }
        let mut lines = Vec::new();
        let mut stack: Vec<usize> =
            (0..on_path.len()).rev().filter(|&node| self.parents[node].is_none()).collect();
        while let Some(node) = stack.pop() {
            if self.reached[node].is_none_or(|reached| reached > at) {
                continue;
            }
            let status = self.status(node, at);
            let folds = status == Status::Failed && !on_path[node] && !unfolded;
            let folded = if folds { self.sizes[node] - 1 } else { 0 };
            lines.push(OutlineLine { node, depth: self.depths[node], status, folded });
            if !folds {
                stack.extend(self.children[node].iter().rev());
            }
        }
        lines
    }

    /// The first step at or below a node, if the story reaches it.
    pub fn reached(&self, node: usize) -> Option<usize> {
        self.reached.get(node).copied().flatten()
    }

    /// What is known of a node at a step.
    fn status(&self, node: usize, at: usize) -> Status {
        match self.fates[node] {
            fate if self.decided[node].is_some_and(|step| step <= at) => fate,
            _ => Status::Open,
        }
    }
}
