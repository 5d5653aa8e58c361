//! An expression in words.

use super::{BoolExpr, IntExpr, Node};
use crate::model::Names;

/// Text longer than this is cut: nobody reads a sum of a million terms.
const LONG: usize = 600;

/// How tightly a text holds together; what binds less is put in parentheses.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Tie {
    Implication,
    Or,
    Xor,
    And,
    Comparison,
    Sum,
    Product,
    Atom,
}

struct Text {
    words: String,
    tie: Tie,
}

impl Text {
    /// In parentheses if it binds less than `tie`.
    fn within(&self, tie: Tie) -> String {
        if self.tie < tie { format!("({})", self.words) } else { self.words.clone() }
    }
}

impl IntExpr {
    /// As text, with the names of the model.
    pub fn describe(&self, names: &Names<'_>) -> String {
        describe(&self.nodes, names)
    }
}

impl BoolExpr {
    pub(crate) fn words(&self, names: &Names<'_>) -> String {
        describe(&self.nodes, names)
    }
}

fn describe(nodes: &[Node], names: &Names<'_>) -> String {
    let mut stack: Vec<Text> = Vec::new();
    for node in nodes {
        let operands = stack.split_off(stack.len() - node.arity());
        let mut text = apply(node, &operands, names);
        if text.words.len() > LONG {
            let end = (0..=LONG).rev().find(|&i| text.words.is_char_boundary(i)).unwrap_or(0);
            text.words.truncate(end);
            text.words.push('…');
        }
        stack.push(text);
    }
    stack.pop().map(|text| text.words).unwrap_or_default()
}

fn apply(node: &Node, operands: &[Text], names: &Names<'_>) -> Text {
    let text = |words: String, tie: Tie| Text { words, tie };
    let call = |name: &str, operands: &[Text]| {
        text(format!("{name}({})", join(operands, ", ", Tie::Implication)), Tie::Atom)
    };
    match node {
        Node::View(x) => {
            let words = names.of(*x);
            let tie = if words.contains([' ', '-']) { Tie::Sum } else { Tie::Atom };
            let tie =
                if x.var().is_some() && x.offset == 0 && words.contains(" * ") { Tie::Product } else { tie };
            text(words, tie)
        }
        Node::Fact(x, operator, value) => {
            text(format!("{} {} {value}", names.of(*x), operator.sign()), Tie::Comparison)
        }
        Node::Literal(b) => text(names.of_bool(*b), Tie::Atom),
        Node::Holds(constraint) => text(constraint.describe(names), Tie::Atom),
        Node::Sum(_) => {
            let mut words = String::new();
            for operand in operands {
                if words.len() > LONG {
                    break;
                }
                let next = operand.within(Tie::Sum);
                match (words.is_empty(), next.strip_prefix('-')) {
                    (true, _) => words += &next,
                    (false, Some(rest)) => words += &format!(" - {}", rest.trim_start()),
                    (false, None) => words += &format!(" + {next}"),
                }
            }
            text(if words.is_empty() { "0".into() } else { words }, Tie::Sum)
        }
        Node::Times(-1) => text(format!("-{}", operands[0].within(Tie::Product)), Tie::Product),
        Node::Times(c) => text(format!("{c} * {}", operands[0].within(Tie::Product)), Tie::Product),
        Node::Abs => text(format!("|{}|", operands[0].words), Tie::Atom),
        Node::Min(_) => call("min", operands),
        Node::Max(_) => call("max", operands),
        Node::Element(array) => {
            let entries: Vec<String> = array.iter().take(LONG / 2).map(i64::to_string).collect();
            text(format!("[{}][{}]", entries.join(", "), operands[0].words), Tie::Atom)
        }
        Node::ElementOf(_) => {
            let entries = join(&operands[1..], ", ", Tie::Implication);
            text(format!("[{entries}][{}]", operands[0].words), Tie::Atom)
        }
        Node::Compare(operator) => {
            let (left, right) = (operands[0].within(Tie::Sum), operands[1].within(Tie::Sum));
            text(format!("{left} {} {right}", operator.sign()), Tie::Comparison)
        }
        Node::Not => text(format!("!{}", operands[0].within(Tie::Atom)), Tie::Atom),
        Node::And(0) => text("true".into(), Tie::Atom),
        Node::Or(0) => text("false (an empty clause)".into(), Tie::Atom),
        Node::Xor(0) => text("false".into(), Tie::Atom),
        Node::And(_) => text(join(operands, " and ", Tie::And), Tie::And),
        Node::Or(2) if operands[0].words.starts_with('!') && operands[0].tie == Tie::Atom => {
            let (condition, then) = (&operands[0].words[1..], operands[1].within(Tie::Or));
            text(format!("{condition} -> {then}"), Tie::Implication)
        }
        Node::Or(_) => text(join(operands, " or ", Tie::Or), Tie::Or),
        Node::Xor(_) => text(join(operands, " xor ", Tie::Xor), Tie::Xor),
    }
}

fn join(operands: &[Text], between: &str, tie: Tie) -> String {
    let mut words = String::new();
    for (i, operand) in operands.iter().enumerate() {
        if words.len() > LONG {
            break;
        }
        if i > 0 {
            words += between;
        }
        words += &operand.within(tie);
    }
    words
}
