//! Matching and strongly connected components by lists of edges, for any number of values.
//!
//! The same graph as in [`bits`](super::bits). Augmenting paths by breadth-first search, components by
//! Tarjan's algorithm with a stack of its own. Cost: linear in the edges, for each path and for all
//! components together.

/// No view.
const NONE: u32 = u32::MAX;
/// The component of views that can reach an unmatched value: for our purposes they are one.
pub(super) const LOOSE: u32 = u32::MAX - 1;

/// Views with the numbers of the values they can take; a matching, and what follows from it.
///
/// All of it is scratch: filled by [`clear`](Self::clear) and [`add`](Self::add), worked out by
/// [`run`](Self::run).
#[derive(Debug)]
pub(super) struct Lists {
    /// Where the edges of each view begin, and where those of the last end.
    starts: Vec<u32>,
    edges: Vec<u32>,
    mate: Vec<u32>,
    /// By value.
    owner: Vec<u32>,
    /// By value: the view from which it was seen; `NONE` outside of a search.
    seen_from: Vec<u32>,
    /// The views of a search, and the values seen in it.
    queue: Vec<u32>,
    seen: Vec<u32>,
    /// By view, for Tarjan's algorithm.
    nodes: Vec<Node>,
    open: Vec<u32>,
    calls: Vec<u32>,
    parts: u32,
    /// Views in the order in which their components were completed.
    complete: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// When it was reached, from 1 on; 0 before.
    index: u32,
    /// The earliest node on the stack that it is known to reach.
    low: u32,
    /// The next edge to follow.
    cursor: u32,
    /// Its component, or `NONE`.
    part: u32,
    /// Whether it is known to reach an unmatched value.
    loose: bool,
}

impl Lists {
    /// Room for so many views, values and edges; there may be more.
    pub(super) fn new(views: usize, values: usize, edges: usize) -> Lists {
        Lists {
            starts: Vec::with_capacity(views + 1),
            edges: Vec::with_capacity(edges),
            mate: Vec::with_capacity(views),
            owner: vec![NONE; values],
            seen_from: vec![NONE; values],
            queue: Vec::with_capacity(views),
            seen: Vec::with_capacity(views),
            nodes: Vec::with_capacity(views),
            open: Vec::with_capacity(views),
            calls: Vec::with_capacity(views),
            complete: Vec::with_capacity(views),
            parts: 0,
        }
    }

    /// Forgets everything, and makes room for so many values.
    pub(super) fn clear(&mut self, values: usize) {
        self.forget_search();
        for &value in &self.edges {
            self.owner[value as usize] = NONE;
        }
        self.starts.clear();
        self.starts.push(0);
        self.edges.clear();
        self.mate.clear();
        if self.owner.len() < values {
            self.owner.resize(values, NONE);
            self.seen_from.resize(values, NONE);
        }
    }

    /// Adds a view, with a value it can take and had better be matched with.
    pub(super) fn add(&mut self, values: impl Iterator<Item = u32>, mate: Option<u32>) {
        self.edges.extend(values);
        self.starts.push(self.edges.len() as u32);
        let view = self.mate.len() as u32;
        self.mate.push(match mate {
            Some(value) if self.owner[value as usize] == NONE => {
                self.owner[value as usize] = view;
                value
            }
            _ => NONE,
        });
    }

    fn range(&self, view: u32) -> std::ops::Range<usize> {
        self.starts[view as usize] as usize..self.starts[view as usize + 1] as usize
    }

    /// The values a view can take.
    pub(super) fn row(&self, view: u32) -> &[u32] {
        &self.edges[self.range(view)]
    }

    /// The value a view is matched with.
    pub(super) fn mate(&self, view: u32) -> u32 {
        self.mate[view as usize]
    }

    /// The component of a view, or [`LOOSE`].
    pub(super) fn part(&self, view: u32) -> u32 {
        self.nodes[view as usize].part
    }

    /// The component of the view that a value is matched with, unless that is loose or there is none.
    pub(super) fn part_of_value(&self, value: u32) -> Option<u32> {
        let owner = self.owner[value as usize];
        (owner != NONE).then(|| self.part(owner)).filter(|&part| part != LOOSE)
    }

    /// The views, those of each component side by side.
    pub(super) fn complete(&self) -> &[u32] {
        &self.complete
    }

    /// Matches all views and finds the components.
    ///
    /// # Errors
    /// If there are more views than values for them: [`group`](Self::group) tells which.
    pub(super) fn run(&mut self) -> Result<(), ()> {
        for view in 0..self.mate.len() as u32 {
            if self.mate(view) == NONE {
                self.forget_search();
                if !self.augment(view) {
                    return Err(());
                }
            }
        }
        self.find_parts();
        Ok(())
    }

    /// Matches one more view, if possible.
    fn augment(&mut self, root: u32) -> bool {
        self.queue.push(root);
        let mut next = 0;
        while let Some(&view) = self.queue.get(next) {
            next += 1;
            for e in self.range(view) {
                let value = self.edges[e];
                let owner = self.owner[value as usize];
                if owner == NONE {
                    self.turn(root, view, value);
                    return true;
                }
                if self.seen_from[value as usize] == NONE {
                    self.seen_from[value as usize] = view;
                    self.seen.push(value);
                    self.queue.push(owner);
                }
            }
        }
        false
    }

    /// Matches anew along the path from `root` to the free `value` of `view`.
    fn turn(&mut self, root: u32, mut view: u32, mut value: u32) {
        loop {
            self.owner[value as usize] = view;
            value = std::mem::replace(&mut self.mate[view as usize], value);
            if view == root {
                return;
            }
            view = self.seen_from[value as usize];
        }
    }

    fn forget_search(&mut self) {
        self.queue.clear();
        for value in self.seen.drain(..) {
            self.seen_from[value as usize] = NONE;
        }
    }

    /// After a failed [`run`](Self::run): more views than values, and no other values for them. After
    /// [`close`](Self::close): as many views as values.
    pub(super) fn group(&self) -> (&[u32], &[u32]) {
        (&self.queue, &self.seen)
    }

    /// Makes the Hall set of everything that can be reached from the view that `value` is matched with, which
    /// is not loose, the [`group`](Self::group).
    pub(super) fn close(&mut self, value: u32) {
        self.forget_search();
        let owner = self.owner[value as usize];
        self.seen_from[value as usize] = owner;
        self.seen.push(value);
        self.queue.push(owner);
        let mut next = 0;
        while let Some(&view) = self.queue.get(next) {
            next += 1;
            for e in self.range(view) {
                let value = self.edges[e];
                if self.seen_from[value as usize] == NONE {
                    self.seen_from[value as usize] = view;
                    self.seen.push(value);
                    self.queue.push(self.owner[value as usize]);
                }
            }
        }
    }

    fn find_parts(&mut self) {
        let views = self.mate.len() as u32;
        self.nodes.clear();
        let starts = &self.starts[..views as usize];
        let node = |&cursor| Node { index: 0, low: 0, cursor, part: NONE, loose: false };
        self.nodes.extend(starts.iter().map(node));
        self.parts = 0;
        self.open.clear();
        self.complete.clear();
        self.calls.clear();
        let mut time = 0;
        for root in 0..views {
            if self.nodes[root as usize].index == 0 {
                self.reach(root, &mut time);
            }
            while let Some(&view) = self.calls.last() {
                let node = self.nodes[view as usize];
                if node.cursor == self.starts[view as usize + 1] {
                    self.calls.pop();
                    self.leave(view);
                    continue;
                }
                self.nodes[view as usize].cursor += 1;
                let owner = self.owner[self.edges[node.cursor as usize] as usize];
                if owner == NONE {
                    self.nodes[view as usize].loose = true;
                    continue;
                }
                let to = self.nodes[owner as usize];
                let node = &mut self.nodes[view as usize];
                if to.index == 0 {
                    self.reach(owner, &mut time);
                } else if to.part == NONE {
                    node.low = node.low.min(to.index);
                } else if to.part == LOOSE {
                    node.loose = true;
                }
            }
        }
    }

    fn reach(&mut self, view: u32, time: &mut u32) {
        *time += 1;
        let node = &mut self.nodes[view as usize];
        (node.index, node.low) = (*time, *time);
        self.open.push(view);
        self.calls.push(view);
    }

    /// All edges of a view were followed.
    fn leave(&mut self, view: u32) {
        let Node { index, low, loose, .. } = self.nodes[view as usize];
        if let Some(&from) = self.calls.last() {
            let from = &mut self.nodes[from as usize];
            from.low = from.low.min(low);
            from.loose |= loose;
        }
        if low == index {
            let part = if loose { LOOSE } else { self.parts };
            self.parts += u32::from(!loose);
            while let Some(member) = self.open.pop() {
                self.nodes[member as usize].part = part;
                self.complete.push(member);
                if member == view {
                    break;
                }
            }
        }
    }
}
