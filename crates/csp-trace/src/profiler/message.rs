//! The messages of cp-profiler's protocol, version 3, as bytes.
//!
//! A frame is the length of its payload (4 bytes, *little*-endian) and the payload, whose numbers are *big*-endian, in two's
//! complement: one byte says which message it is (node 0, done 1, start 2, restart 3). A node goes on with its own name, its
//! parent's, its place among the siblings, the number of its children (4 bytes each number) and its status (one byte). Then
//! there are fields, each of them one byte that says which (label 0, nogood 1, info 2, version 3) and its value: 4 bytes for the
//! version, for the others the length of a text (4 bytes) and the text in UTF-8.
//!
//! The format is that of the profiler in the [MiniZinc IDE](https://docs.minizinc.dev/en/stable/cpprofiler.html) and of the
//! integration libraries for solvers. Its description differs in two points: it leaves out the version, and shows the length
//! of a frame with the highest byte first.
//!
//! What the profiler takes for granted, and breaks without: the start comes first; a parent comes before its children, and tells
//! how many it will have, of which some may never come; each node comes once; and there is one root, or one for each run if the
//! start said that there are restarts. A node whose parent is unknown is a root to it. It does nothing about the restart message
//! and the version.

/// The version of the protocol, which a start message tells.
pub const PROTOCOL: i32 = 3;

/// Longer texts are cut.
const LONGEST_TEXT: usize = 1 << 20;

/// The name of a node, unique in an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId {
    /// Its number.
    pub node: i32,
    /// In which run between restarts it is.
    pub restart: i32,
    /// Whose it is, of several that search.
    pub thread: i32,
}

impl NodeId {
    /// The parent of a root.
    pub const NONE: NodeId = NodeId { node: -1, restart: -1, thread: -1 };
}

/// What a node turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeStatus {
    /// A solution.
    Solved = 0,
    /// It has no solution.
    Failed = 1,
    /// An inner node, or one where the search was stopped.
    Branch = 2,
    /// Nothing that had to be searched.
    Skipped = 3,
}

/// A node as the profiler is told of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeMessage<'a> {
    /// Its name.
    pub id: NodeId,
    /// The name of its parent, which was told before.
    pub parent: NodeId,
    /// Which child of its parent it is, from 0; -1 for a root.
    pub alternative: i32,
    /// How many children it has or will have; places where none comes stay open.
    pub children: i32,
    /// What it turned out to be.
    pub status: NodeStatus,
    /// What is written at it; nothing if empty.
    pub label: &'a str,
    /// The clause learnt there; nothing if empty.
    pub nogood: &'a str,
    /// More about it, as JSON; nothing if empty.
    pub info: &'a str,
}

/// What is sent to a profiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message<'a> {
    /// A node of the search tree.
    Node(NodeMessage<'a>),
    /// No more nodes follow.
    Done,
    /// An execution begins; the text is JSON with its `name`, `has_restarts` and `execution_id`. It comes first.
    Start(&'a str),
    /// The search begins anew; the text is JSON with a `restart_id`.
    Restart(&'a str),
}

impl Message<'_> {
    /// Appends the message with its length.
    ///
    /// ```
    /// use csp_trace::profiler::Message;
    /// let mut frames = Vec::new();
    /// Message::Done.write_to(&mut frames);
    /// assert_eq!(frames, [1, 0, 0, 0, 1]);
    /// ```
    pub fn write_to(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend([0; 4]);
        match self {
            Message::Node(node) => {
                out.push(0);
                for NodeId { node, restart, thread } in [node.id, node.parent] {
                    [node, restart, thread].iter().for_each(|&number| integer(out, number));
                }
                integer(out, node.alternative);
                integer(out, node.children);
                out.push(node.status as u8);
                text(out, 0, node.label);
                text(out, 1, node.nogood);
                text(out, 2, node.info);
            }
            Message::Done => out.push(1),
            Message::Start(info) => {
                out.extend([2, 3]);
                integer(out, PROTOCOL);
                text(out, 2, info);
            }
            Message::Restart(info) => {
                out.push(3);
                text(out, 2, info);
            }
        }
        // Three texts at most, and each is cut.
        let length = (out.len() - start - 4) as u32;
        out[start..start + 4].copy_from_slice(&length.to_le_bytes());
    }
}

fn integer(out: &mut Vec<u8>, number: i32) {
    out.extend(number.to_be_bytes());
}

fn text(out: &mut Vec<u8>, field: u8, text: &str) {
    if !text.is_empty() {
        let mut end = text.len().min(LONGEST_TEXT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = &text[..end];
        out.push(field);
        integer(out, text.len() as i32);
        out.extend(text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(message: Message<'_>) -> Vec<u8> {
        // It is appended to what is there.
        let mut out = vec![99];
        message.write_to(&mut out);
        assert_eq!(out.remove(0), 99);
        out
    }

    /// The node of the protocol's description: a root with two children and a label.
    #[test]
    fn the_root_of_the_protocols_description() {
        let none = NodeId { node: 0, ..NodeId::NONE };
        let node = NodeMessage {
            id: none,
            parent: NodeId::NONE,
            alternative: -1,
            children: 2,
            status: NodeStatus::Branch,
            label: "Root",
            nogood: "",
            info: "",
        };
        #[rustfmt::skip]
        let frame = [
            0x2b, 0, 0, 0, // 43 bytes: 1 + 6 * 4 + 2 * 4 + 1 + (1 + 4 + 4)
            0,
            0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
            0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
            0xff, 0xff, 0xff, 0xff,
            0, 0, 0, 2,
            2,
            0, 0, 0, 0, 4, b'R', b'o', b'o', b't',
        ];
        assert_eq!(bytes(Message::Node(node)), frame);
    }

    #[test]
    fn a_node_with_all_there_is() {
        let node = NodeMessage {
            id: NodeId { node: 0x01020304, restart: 5, thread: 6 },
            parent: NodeId { node: 0x0a0b0c0d, restart: 0x100, thread: 7 },
            alternative: 1,
            children: 0,
            status: NodeStatus::Failed,
            label: "x ≠ 1",
            nogood: "n",
            info: "{}",
        };
        #[rustfmt::skip]
        let frame = [
            0x3b, 0, 0, 0, // 59 bytes: 34 + (5 + 7) + (5 + 1) + (5 + 2)
            0,
            1, 2, 3, 4, 0, 0, 0, 5, 0, 0, 0, 6,
            0xa, 0xb, 0xc, 0xd, 0, 0, 1, 0, 0, 0, 0, 7,
            0, 0, 0, 1,
            0, 0, 0, 0,
            1,
            0, 0, 0, 0, 7, b'x', b' ', 0xe2, 0x89, 0xa0, b' ', b'1',
            1, 0, 0, 0, 1, b'n',
            2, 0, 0, 0, 2, b'{', b'}',
        ];
        assert_eq!(bytes(Message::Node(node)), frame);
        for (status, byte) in [
            (NodeStatus::Solved, 0),
            (NodeStatus::Failed, 1),
            (NodeStatus::Branch, 2),
            (NodeStatus::Skipped, 3),
        ] {
            assert_eq!(bytes(Message::Node(NodeMessage { status, ..node }))[4 + 33], byte);
        }
    }

    /// The start of the protocol's description, and the version that it leaves out.
    #[test]
    fn the_start_of_the_protocols_description() {
        #[rustfmt::skip]
        let frame = [
            0x26, 0, 0, 0, // 38 bytes: 1 + (1 + 4) + (1 + 4 + 27)
            2,
            3, 0, 0, 0, 3,
            2, 0, 0, 0, 0x1b,
            0x7b, 0x22, 0x6e, 0x61, 0x6d, 0x65, 0x22, 0x3a, 0x20, 0x22, 0x6d, 0x69, 0x6e, 0x69, 0x6d, 0x61, 0x6c, 0x20,
            0x65, 0x78, 0x61, 0x6d, 0x70, 0x6c, 0x65, 0x22, 0x7d,
        ];
        assert_eq!(bytes(Message::Start(r#"{"name": "minimal example"}"#)), frame);
    }

    #[test]
    fn start_restart_and_done() {
        #[rustfmt::skip]
        let start = [0x0d, 0, 0, 0, 2, 3, 0, 0, 0, 3, 2, 0, 0, 0, 2, b'{', b'}'];
        assert_eq!(bytes(Message::Start("{}")), start);
        assert_eq!(bytes(Message::Restart("{\"\"}")), *b"\x0a\0\0\0\x03\x02\0\0\0\x04{\"\"}");
        assert_eq!(bytes(Message::Done), [1, 0, 0, 0, 1]);
    }

    #[test]
    fn the_length_comes_with_its_lowest_byte_first() {
        let text = "é".repeat(LONGEST_TEXT);
        let cut = bytes(Message::Restart(&text));
        assert_eq!(cut[..10], [6, 0, 0x10, 0, 3, 2, 0, 0x10, 0, 0]);
        assert_eq!(cut.len(), 10 + LONGEST_TEXT);
        let odd = format!("a{text}");
        assert_eq!(bytes(Message::Restart(&odd)).len(), 10 + LONGEST_TEXT - 1);
    }
}
