//! What can be wrong with an expression: numbers too large, or a negation that does not exist.
//!
//! For each integer its range is worked out from the declared domains, and its *reach*: the largest absolute
//! value that any partial sum of its terms can take, views folded into their coefficients. Where reaches stay
//! within the engine's values, nothing that is added up at solving time can wrap.

use smallvec::{SmallVec, smallvec};

use super::{BoolExpr, IntExpr, Node};
use crate::engine::MAX_VALUE;
use crate::error::ModelErrorKind;
use crate::model::Affine;

type Range<'a> = &'a dyn Fn(Affine) -> (i64, i64);

impl IntExpr {
    /// Whether it can be worked with: for [`Constraint::validate`](crate::Constraint::validate) of a
    /// constraint over expressions.
    ///
    /// # Errors
    /// The mistake in it.
    pub fn validate(&self, range: Range<'_>) -> Result<(), ModelErrorKind> {
        if self.as_view().is_some() {
            return Ok(());
        }
        let Size { low, high, reach, plain } = check_sizes(&self.nodes, range)?;
        fits(low, high, ModelErrorKind::TooLarge)?;
        if !plain {
            half(reach)?;
        }
        // As a number, a Boolean matters both ways.
        check_negations(&self.nodes, (true, true))
    }

    /// The variables in it, as views.
    pub fn views(&self) -> impl Iterator<Item = Affine> + '_ {
        scope(&self.nodes)
    }

    /// Whether it may be undefined.
    pub(crate) fn is_partial(&self) -> bool {
        self.nodes.iter().any(Node::is_partial)
    }
}

impl BoolExpr {
    /// Whether it can be worked with: for [`Constraint::validate`](crate::Constraint::validate) of a
    /// constraint over expressions that are used both as they are and negated.
    ///
    /// # Errors
    /// The mistake in it.
    pub fn validate(&self, range: Range<'_>) -> Result<(), ModelErrorKind> {
        self.validate_posted(range)?;
        if self.clone().negated().has_negations() { Ok(()) } else { Err(ModelErrorKind::NoNegation) }
    }

    /// Whether each constraint that is needed negated has a negation.
    pub(crate) fn has_negations(&self) -> bool {
        check_negations(&self.nodes, (true, false)).is_ok()
    }

    /// Whether it can be posted as it is.
    pub(crate) fn validate_posted(&self, range: Range<'_>) -> Result<(), ModelErrorKind> {
        if let Some((_, _, value)) = self.as_fact() {
            return fits_one(value);
        }
        check_sizes(&self.nodes, range)?;
        check_negations(&self.nodes, (true, false))
    }

    /// The variables in it, as views.
    pub fn views(&self) -> impl Iterator<Item = Affine> + '_ {
        scope(&self.nodes)
    }
}

fn scope(nodes: &[Node]) -> impl Iterator<Item = Affine> + '_ {
    nodes.iter().flat_map(|node| -> SmallVec<[Affine; 1]> {
        match node {
            Node::View(x) => smallvec![*x],
            Node::Fact(x, ..) => smallvec![(*x).into()],
            Node::Literal(b) => smallvec![(*b).into()],
            Node::Holds(constraint) => constraint.scope().into(),
            _ => SmallVec::new(),
        }
    })
}

#[derive(Clone, Copy)]
struct Size {
    low: i128,
    high: i128,
    reach: i128,
    /// One variable, view or constant by itself, or a function of such.
    plain: bool,
}

fn fits(low: i128, high: i128, kind: ModelErrorKind) -> Result<(), ModelErrorKind> {
    let limit = i128::from(MAX_VALUE);
    if low < -limit || high > limit { Err(kind) } else { Ok(()) }
}

fn fits_one(value: i64) -> Result<(), ModelErrorKind> {
    fits(value.into(), value.into(), ModelErrorKind::TooLarge)
}

/// A sum that stands for a variable of its own: the variable is added to the equation.
fn half(reach: i128) -> Result<(), ModelErrorKind> {
    fits(0, reach.saturating_mul(2), ModelErrorKind::SumTooLarge)
}

fn check_sizes(nodes: &[Node], range: Range<'_>) -> Result<Size, ModelErrorKind> {
    let mut stack: Vec<Size> = Vec::new();
    for node in nodes {
        let below = stack.len() - node.arity();
        let operands = &stack[below..];
        let boolean = Size { low: 0, high: 1, reach: 1, plain: true };
        let of = |low: i128, high: i128| Size { low, high, reach: low.abs().max(high.abs()), plain: false };
        let (mut min, mut max) = (i128::MAX, i128::MIN);
        operands.iter().for_each(|o| (min, max) = (min.min(o.low), max.max(o.high)));
        let size = match node {
            Node::View(x) => {
                let (low, high) = range(*x);
                let size = of(i128::from(low), i128::from(high));
                // Of a view the offset is added up by itself.
                let offset = if x.var().is_some() { i128::from(x.offset).abs() } else { 0 };
                Size { reach: size.reach + offset, plain: true, ..size }
            }
            Node::Sum(_) => {
                let mut sum = Size { low: 0, high: 0, reach: 0, plain: false };
                for o in operands {
                    sum.low = sum.low.saturating_add(o.low);
                    sum.high = sum.high.saturating_add(o.high);
                    sum.reach = sum.reach.saturating_add(o.reach);
                }
                sum
            }
            Node::Times(c) => {
                let c = i128::from(*c);
                let (a, b) = (operands[0].low.saturating_mul(c), operands[0].high.saturating_mul(c));
                Size {
                    low: a.min(b),
                    high: a.max(b),
                    reach: operands[0].reach.saturating_mul(c.abs()),
                    plain: false,
                }
            }
            Node::Compare(_) => {
                // Two of these are compared without adding anything up.
                if !operands.iter().all(|o| o.plain) {
                    let reach = operands[0].reach.saturating_add(operands[1].reach);
                    fits(0, reach, ModelErrorKind::SumTooLarge)?;
                }
                boolean
            }
            Node::Fact(_, _, value) => {
                fits_one(*value)?;
                boolean
            }
            _ if node.is_boolean() => {
                if let Node::Holds(constraint) = node {
                    constraint.validate(range)?;
                }
                boolean
            }
            _ => {
                for o in operands {
                    fits(o.low, o.high, ModelErrorKind::TooLarge)?;
                    if !o.plain {
                        half(o.reach)?;
                    }
                }
                let function = match node {
                    Node::Abs => of(0.max(min).max(-max), max.max(-min)),
                    Node::Min(_) | Node::Max(_) if operands.is_empty() => of(0, 0),
                    Node::Element(array) => {
                        let ends = array.iter().min().zip(array.iter().max());
                        ends.map_or(of(0, 0), |(&low, &high)| of(i128::from(low), i128::from(high)))
                    }
                    _ => of(min, max),
                };
                fits(function.low, function.high, ModelErrorKind::TooLarge)?;
                // Some comparisons with a function compare its operands instead.
                let reach = operands.iter().fold(function.reach, |reach, o| reach.max(o.reach));
                Size { reach, plain: operands.iter().all(|o| o.plain), ..function }
            }
        };
        stack.truncate(below);
        stack.push(size);
    }
    Ok(stack.pop().unwrap_or(Size { low: 0, high: 0, reach: 0, plain: false }))
}

/// Whether each constraint that is needed negated, or as an integer, has a negation. The root itself is asked
/// for as it is, and negated, as `root` says.
fn check_negations(nodes: &[Node], root: (bool, bool)) -> Result<(), ModelErrorKind> {
    if !nodes.iter().any(|node| matches!(node, Node::Holds(_))) {
        return Ok(());
    }
    // From the root down, which is from the end to the front: what is asked of each operand still to come.
    let mut asked = vec![root];
    for node in nodes.iter().rev() {
        let (positive, negative) = asked.pop().unwrap_or((true, true));
        let of_operands = match node {
            Node::Holds(constraint) => {
                if negative && constraint.negation().is_none() {
                    return Err(ModelErrorKind::NoNegation);
                }
                continue;
            }
            Node::Not => (negative, positive),
            Node::And(_) | Node::Or(_) => (positive, negative),
            _ => (true, true),
        };
        asked.extend(std::iter::repeat_n(of_operands, node.arity()));
    }
    Ok(())
}
