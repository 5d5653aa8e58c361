//! Where in a list of nodes the operands of each node are.

use crate::model::Node;

/// The tree behind nodes in postfix order.
#[derive(Debug)]
pub(super) struct Shape {
    /// For each node, the first node of its operands' operands.
    start: Vec<u32>,
    /// For each node, the node it is an operand of; for the last one, itself.
    parent: Vec<u32>,
}

impl Shape {
    pub(super) fn new(nodes: &[Node]) -> Shape {
        let mut start = Vec::with_capacity(nodes.len());
        let mut parent: Vec<u32> = (0..nodes.len() as u32).collect();
        let mut open: Vec<u32> = Vec::new();
        for (i, node) in (0..).zip(nodes) {
            let operands = open.split_off(open.len() - node.arity());
            start.push(operands.first().map_or(i, |&first| start[first as usize]));
            operands.iter().for_each(|&operand| parent[operand as usize] = i);
            open.push(i);
        }
        Shape { start, parent }
    }

    pub(super) fn start(&self, node: usize) -> usize {
        self.start[node] as usize
    }

    pub(super) fn parent(&self, node: usize) -> usize {
        self.parent[node] as usize
    }

    /// The operands of a node with so many of them, from the last to the first.
    pub(super) fn operands_reversed(
        &self,
        node: usize,
        arity: usize,
    ) -> impl Iterator<Item = usize> + use<'_> {
        let mut end = node;
        (0..arity).map(move |_| {
            let operand = end - 1;
            end = self.start(operand);
            operand
        })
    }
}
