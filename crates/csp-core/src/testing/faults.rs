//! Tests of the harness: it finds each of these planted faults, and says which it is.

use crate::engine::{
    Conflict, Context, Events, Explanation, Lazy, Poster, Priority, Propagator, Status, View,
};
use crate::model::{Affine, Assignment, Consistency, Constraint, Model, Names, sum, weighted_sum};
use crate::search::{Mode, Optimum, Outcome, Stop, branch};

use super::{FaultKind, Harness};

/// What is wrong with [`Less`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Planted {
    Nothing,
    RemovesSupported,
    KeepsStateUntrailed,
    AcceptsEqual,
    WeakerThanDeclared,
    ReasonTooWeak,
    ReasonDidNotHold,
    NoReason,
    FailureReasonTooWeak,
    FailureReasonDidNotHold,
    NotAtFixpoint,
    DependsOnTheLog,
    NamesOneVariable,
    Panics,
}

/// `x < y`, with a fault.
#[derive(Clone, Debug)]
struct Less {
    x: Affine,
    y: Affine,
    fault: Planted,
}

impl Constraint for Less {
    fn scope(&self) -> Vec<Affine> {
        vec![self.x, self.y]
    }

    fn is_satisfied(&self, a: &Assignment) -> bool {
        let odd = self.fault == Planted::NamesOneVariable && self.x.var() == self.y.var();
        a.value(self.x) < a.value(self.y) && !odd
    }

    fn describe(&self, names: &Names<'_>) -> String {
        format!("{} < {}", names.of(self.x), names.of(self.y))
    }

    fn consistency(&self) -> Consistency {
        // So that accepting a wrong assignment is all that is wrong.
        if self.fault == Planted::AcceptsEqual { Consistency::Check } else { Consistency::Domain }
    }

    fn post(&self, poster: &mut Poster<'_>) {
        let (x, y) = (poster.view(self.x), poster.view(self.y));
        let propagator = KeepLess { x, y, fault: self.fault, low: i64::MIN };
        poster.add(propagator, Priority::Unary, [(x, Events::BOUNDS), (y, Events::BOUNDS)]);
    }
}

#[derive(Debug)]
struct KeepLess {
    x: View,
    y: View,
    fault: Planted,
    /// The fault: neither trailed nor advice.
    low: i64,
}

impl Propagator for KeepLess {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let KeepLess { x, y, fault, .. } = *self;
        let (mut low, mut high) = (ctx.min(x), ctx.max(y));
        if low >= high && fault != Planted::AcceptsEqual {
            return Err(ctx.fail(|why: &mut Explanation| match fault {
                Planted::FailureReasonTooWeak => why.push(y.le(high)),
                Planted::FailureReasonDidNotHold => {
                    why.push(x.ge(high + 1));
                    why.push(y.le(high));
                }
                _ => {
                    why.push(x.ge(low));
                    why.push(y.le(low));
                }
            }));
        }
        match fault {
            Planted::RemovesSupported => high -= 1,
            Planted::AcceptsEqual => high += 1,
            Planted::WeakerThanDeclared if !ctx.is_fixed(x) => return Ok(Status::MayChange),
            Planted::KeepsStateUntrailed => {
                self.low = self.low.max(low);
                low = self.low;
            }
            Planted::NotAtFixpoint if !ctx.is_fresh() && !ctx.is_fixed(x) => return Ok(Status::AtFixpoint),
            Planted::DependsOnTheLog if ctx.explains() => high += 1,
            Planted::Panics if low > 0 => panic!("a low bound of {low}"),
            _ => {}
        }
        ctx.set_max(x, high - 1, |why: &mut Explanation| why.push(y.le(high)))?;
        ctx.set_min(
            y,
            low + i64::from(fault != Planted::AcceptsEqual),
            |why: &mut Explanation| match fault {
                Planted::ReasonTooWeak => why.push(x.ge(low - 1)),
                Planted::ReasonDidNotHold => why.push(x.ge(low + 1)),
                Planted::NoReason => {}
                _ => why.push(x.ge(low)),
            },
        )?;
        Ok(Status::MayChange)
    }
}

/// `x < y` for those who do not explain themselves.
#[derive(Clone, Debug)]
struct Unexplained(Affine, Affine);

impl Constraint for Unexplained {
    fn scope(&self) -> Vec<Affine> {
        vec![self.0, self.1]
    }

    fn is_satisfied(&self, a: &Assignment) -> bool {
        a.value(self.0) < a.value(self.1)
    }

    fn describe(&self, names: &Names<'_>) -> String {
        format!("{} < {}", names.of(self.0), names.of(self.1))
    }

    fn post(&self, poster: &mut Poster<'_>) {
        let (x, y) = (poster.view(self.0), poster.view(self.1));
        poster.add(KeepUnexplained(x, y), Priority::Unary, [(x, Events::BOUNDS), (y, Events::BOUNDS)]);
    }
}

#[derive(Debug)]
struct KeepUnexplained(View, View);

impl Propagator for KeepUnexplained {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        let KeepUnexplained(x, y) = *self;
        let (low, high) = (ctx.min(x), ctx.max(y));
        if low >= high {
            return Err(ctx.fail(Lazy(0)));
        }
        ctx.set_max(x, high - 1, Lazy(0))?;
        ctx.set_min(y, low + 1, Lazy(0))?;
        Ok(Status::MayChange)
    }
}

#[test]
fn a_propagator_need_not_explain_itself() {
    let report = crate::testing::check("x < y", 2, |xs, _| Unexplained(xs[0], xs[1]));
    assert!(report.reasons > 100, "{report}");
}

fn fault_found(fault: Planted) -> Option<FaultKind> {
    let harness = Harness::new("x < y", 2, move |xs, _| Less { x: xs[0], y: xs[1], fault });
    match harness.run() {
        Ok(report) => {
            assert!(report.pruned > 20 && report.infeasible > 20, "{report}");
            None
        }
        Err(fault) => {
            println!("{fault}");
            assert!(fault.to_string().contains("in the model:"), "{fault}");
            Some(fault.kind())
        }
    }
}

#[test]
fn nothing_wrong() {
    assert_eq!(fault_found(Planted::Nothing), None);
}

#[test]
fn a_filter_that_removes_a_supported_value() {
    assert_eq!(fault_found(Planted::RemovesSupported), Some(FaultKind::Unsound));
}

#[test]
fn a_filter_that_forgets_to_undo() {
    assert_eq!(fault_found(Planted::KeepsStateUntrailed), Some(FaultKind::Undo));
}

#[test]
fn a_filter_that_accepts_a_wrong_assignment() {
    assert_eq!(fault_found(Planted::AcceptsEqual), Some(FaultKind::Accepted));
}

#[test]
fn a_filter_weaker_than_declared() {
    assert_eq!(fault_found(Planted::WeakerThanDeclared), Some(FaultKind::Weak));
}

#[test]
fn a_wrong_reason() {
    assert_eq!(fault_found(Planted::ReasonTooWeak), Some(FaultKind::Reason));
    assert_eq!(fault_found(Planted::ReasonDidNotHold), Some(FaultKind::Reason));
    assert_eq!(fault_found(Planted::NoReason), Some(FaultKind::Reason));
}

#[test]
fn a_wrong_reason_of_a_failure() {
    assert_eq!(fault_found(Planted::FailureReasonTooWeak), Some(FaultKind::FailureReason));
    assert_eq!(fault_found(Planted::FailureReasonDidNotHold), Some(FaultKind::FailureReason));
}

#[test]
fn a_filter_that_stops_short_of_its_fixpoint() {
    // It is weaker than declared as well, which is seen first.
    assert_eq!(fault_found(Planted::NotAtFixpoint), Some(FaultKind::Weak));
}

#[test]
fn a_filter_that_depends_on_the_log() {
    assert_eq!(fault_found(Planted::DependsOnTheLog), Some(FaultKind::LogDiffers));
}

#[test]
fn a_meaning_that_depends_on_more_than_values() {
    assert_eq!(fault_found(Planted::NamesOneVariable), Some(FaultKind::Meaning));
}

#[test]
fn a_panic() {
    assert_eq!(fault_found(Planted::Panics), Some(FaultKind::Panicked));
}

/// A wrong reason makes a wrong clause, and a known solution shows it.
#[test]
fn a_wrong_lesson() {
    let wrong = |fault| {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut times = 0;
        for seed in 0..1000 {
            let mut model = Model::new();
            let xs = model.ints(8, 0..=5);
            for _ in 0..6 {
                let i = rng.usize(0..7);
                model.post(Less { x: xs[i].into(), y: xs[rng.usize(i + 1..8)].into(), fault });
                model.post(xs[rng.usize(0..8)].ne(xs[rng.usize(0..8)]));
                model.post((xs[rng.usize(0..8)] + xs[rng.usize(0..8)]).ne(rng.i64(2..=8)));
            }
            model.post(weighted_sum(xs.iter().map(|&x| (rng.i64(-3..=3), x))).eq(2));
            let mut solver = model.solver().unwrap();
            solver.set_mode(Mode::Plain);
            // A best one: what is learnt later speaks of better ones than were found.
            let Ok(Optimum::Best { solution: known, .. }) = solver.minimise(sum(&xs)) else { continue };
            solver.set_known_solution(Some(known));
            solver.set_mode(Mode::Learning);
            solver.set_search(branch(&xs).random_variable().random_value());
            solver.set_seed(seed);
            let stop = Some(Outcome::Stopped(Stop::WrongLesson));
            times += u32::from(solver.minimise(sum(&xs)).is_ok() && solver.outcome() == stop);
        }
        times
    };
    assert_eq!(wrong(Planted::Nothing), 0);
    for fault in [Planted::ReasonTooWeak, Planted::NoReason, Planted::FailureReasonTooWeak] {
        let times = wrong(fault);
        assert!(times > 5, "{fault:?}: {times}");
    }
}
