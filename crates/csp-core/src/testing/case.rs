//! Random cases: domains, views, parameters and a walk, before they become a model.

use std::ops::RangeInclusive;

use proptest::collection::{btree_set, vec};
use proptest::prelude::{Just, Strategy, prop_oneof};
use proptest::sample::select;

use crate::engine::MAX_VALUE;

/// How many views a constraint is made of, and of which kind.
#[derive(Clone, Debug)]
pub struct Scope {
    bools: RangeInclusive<usize>,
    ints: RangeInclusive<usize>,
    values: RangeInclusive<i64>,
}

/// Small values, of which most domains are made so that they overlap.
const SMALL: RangeInclusive<i64> = -3..=4;

impl Scope {
    /// Integer views, as many as the range says.
    pub fn ints(count: RangeInclusive<usize>) -> Scope {
        Scope { bools: 0..=0, ints: count, values: i64::MIN..=i64::MAX }
    }

    /// Boolean views (see [`literals`](super::literals)), as many as the range says.
    pub fn bools(count: RangeInclusive<usize>) -> Scope {
        Scope { bools: count, ..Scope::ints(0..=0) }
    }

    /// The same Boolean views, and after them integer views.
    pub fn then_ints(self, count: RangeInclusive<usize>) -> Scope {
        Scope { ints: count, ..self }
    }

    /// The same with all values of views within a range (and then no view but the variables themselves),
    /// for constraints that take no others.
    pub fn within(self, values: RangeInclusive<i64>) -> Scope {
        Scope { values, ..self }
    }
}

impl From<usize> for Scope {
    fn from(count: usize) -> Scope {
        Scope::ints(count..=count)
    }
}

impl From<RangeInclusive<usize>> for Scope {
    fn from(count: RangeInclusive<usize>) -> Scope {
        Scope::ints(count)
    }
}

/// One case of a test.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) positions: Vec<Position>,
    /// For [`Params`](super::Params).
    pub(super) draws: Vec<u32>,
    /// Chooses a value of each view's variable.
    pub(super) witness: Vec<u16>,
    pub(super) steps: Vec<Step>,
    pub(super) far: Far,
}

/// One view of the scope.
#[derive(Clone, Debug)]
pub(super) struct Position {
    pub(super) boolean: bool,
    pub(super) role: Role,
    pub(super) scale: i64,
    pub(super) offset: i64,
    /// Values of the variable, if the view has its own.
    pub(super) domain: Vec<i64>,
}

#[derive(Clone, Debug)]
pub(super) enum Role {
    /// A view of its own variable.
    Own,
    /// A view of another view's variable, by any number.
    Again(usize),
    Constant(i64),
}

/// One step of the walk; the numbers choose among what is possible.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) action: u16,
    pub(super) variable: u16,
    pub(super) relation: u16,
    pub(super) value: u16,
}

/// Where the values lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Far {
    /// Near 0.
    No,
    /// Variables near the limit, views near 0.
    Variables(i64),
    /// Both near the limit.
    Views(i64),
}

const FAR: i64 = MAX_VALUE - 200_000;

impl Case {
    /// The same with all values near 0.
    pub(super) fn near(&self) -> Case {
        Case { far: Far::No, ..self.clone() }
    }
}

/// Random cases of a scope.
pub(super) fn cases(scope: &Scope) -> impl Strategy<Value = Case> + use<> {
    let bools = vec(boolean(), scope.bools.clone());
    let ints = vec(integer(&scope.values), scope.ints.clone());
    let draws = vec(0u32..1 << 16, 40);
    let witness = vec(0u16..1000, 16);
    let steps = vec(step(), 0..=32);
    let far = if scope.values == (i64::MIN..=i64::MAX) { far().boxed() } else { Just(Far::No).boxed() };
    (bools, ints, draws, witness, steps, far).prop_map(|(mut positions, ints, draws, witness, steps, far)| {
        positions.extend(ints);
        Case { positions, draws, witness, steps, far }
    })
}

fn far() -> impl Strategy<Value = Far> {
    prop_oneof![
        14 => Just(Far::No),
        1 => select(vec![Far::Variables(FAR), Far::Variables(-FAR)]),
        1 => select(vec![Far::Views(FAR), Far::Views(-FAR)]),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    (0u16..1000, 0u16..1000, 0u16..1000, 0u16..1000).prop_map(|(action, variable, relation, value)| Step {
        action,
        variable,
        relation,
        value,
    })
}

fn role(constants: RangeInclusive<i64>) -> impl Strategy<Value = Role> {
    prop_oneof![
        12 => Just(Role::Own),
        1 => constants.prop_map(Role::Constant),
        1 => (0usize..8).prop_map(Role::Again),
    ]
}

fn boolean() -> impl Strategy<Value = Position> {
    let domain = select(vec![vec![0, 1], vec![0, 1], vec![0, 1], vec![0, 1], vec![0], vec![1]]);
    (role(0..=1), proptest::bool::ANY, domain).prop_map(|(role, negated, domain)| {
        let (scale, offset) = if negated { (-1, 1) } else { (1, 0) };
        Position { boolean: true, role, scale, offset, domain }
    })
}

fn integer(values: &RangeInclusive<i64>) -> impl Strategy<Value = Position> + use<> {
    let (low, high) = (*values.start(), *values.end());
    let small =
        if low == i64::MIN && high == i64::MAX { SMALL } else { low..=high.min(low.saturating_add(7)) };
    // These make the domain too wide for one word, or for bits at all.
    let extremes = prop_oneof![
        12 => Just(&[][..]),
        2 => select(vec![&[250][..], &[-90], &[-90, 250], &[60]]),
        2 => select(vec![&[100_000][..], &[-70_000], &[-70_000, 100_000]]),
    ];
    let some = prop_oneof![1 => btree_set(small.clone(), 1), 14 => btree_set(small.clone(), 3..=7)];
    let domain = (some, extremes).prop_map(move |(mut set, extremes)| {
        set.extend(extremes.iter().filter(|v| (low..=high).contains(v)));
        set.into_iter().collect()
    });
    let domain = prop_oneof![90 => domain, 1 => Just(Vec::new())];
    let any = low == i64::MIN && high == i64::MAX;
    let scale = prop_oneof![4 => Just(1), 2 => Just(-1), 1 => select(vec![2, -2, 3, -3])];
    (role(small), scale, -2i64..=2, domain).prop_map(move |(role, scale, offset, domain)| {
        let (scale, offset) = if any { (scale, offset) } else { (1, 0) };
        Position { boolean: false, role, scale, offset, domain }
    })
}

#[cfg(test)]
mod tests {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    use super::*;

    #[test]
    fn views_are_within_the_range_asked_for() {
        let scope = Scope::bools(0..=1).then_ints(2..=4).within(0..=6);
        let mut runner = TestRunner::deterministic();
        for _ in 0..200 {
            let case = cases(&scope).new_tree(&mut runner).unwrap().current();
            let ints: Vec<&Position> = case.positions.iter().filter(|p| !p.boolean).collect();
            assert!((2..=4).contains(&ints.len()) && case.far == Far::No);
            for position in ints {
                assert_eq!((position.scale, position.offset), (1, 0));
                assert!(position.domain.iter().all(|v| (0..=6).contains(v)));
                assert!(!matches!(position.role, Role::Constant(v) if !(0..=6).contains(&v)));
            }
        }
    }
}
