//! A list of nodes that needs no allocation for one.

use std::ops::Deref;

use super::Node;

/// Nodes in postfix order. A single one, as most operands are, stands by itself.
#[derive(Clone, Debug)]
pub(crate) enum Nodes {
    One(Node),
    Many(Vec<Node>),
}

impl Nodes {
    pub(super) fn new() -> Nodes {
        Nodes::Many(Vec::new())
    }

    /// The list, to be added to.
    pub(super) fn many(&mut self) -> &mut Vec<Node> {
        if let Nodes::One(_) = self
            && let Nodes::One(node) = std::mem::replace(self, Nodes::new())
        {
            *self = Nodes::Many(vec![node]);
        }
        match self {
            Nodes::Many(nodes) => nodes,
            Nodes::One(_) => unreachable!("it was made a list above"),
        }
    }

    pub(super) fn push(&mut self, node: Node) {
        self.many().push(node);
    }

    /// Appends more nodes, and one after them.
    pub(super) fn join(&mut self, nodes: Nodes, last: Node) {
        // A single node moves into a list that is large enough for all.
        if let Nodes::One(_) = self {
            let mut all = Nodes::Many(Vec::with_capacity(2 + nodes.len()));
            all.extend(std::mem::replace(self, Nodes::new()));
            *self = all;
        }
        self.extend(nodes);
        self.push(last);
    }

    pub(super) fn extend(&mut self, nodes: Nodes) {
        match nodes {
            Nodes::One(node) => self.push(node),
            Nodes::Many(nodes) => self.many().extend(nodes),
        }
    }
}

impl Deref for Nodes {
    type Target = [Node];

    fn deref(&self) -> &[Node] {
        match self {
            Nodes::One(node) => std::slice::from_ref(node),
            Nodes::Many(nodes) => nodes,
        }
    }
}
