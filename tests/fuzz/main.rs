//! A fuzzer that can be replayed: random models, solved by brute force and by the library, plain and learning.
//!
//! A seed stands for a model of 3 to 6 constraints over 4 to 8 variables and for all that is done with it on one
//! solver: searches with strategies, restarts, projections, assumptions, hints and limits, constraints posted between
//! them, `push` and `pop` ([`generate`]). Everything is plain data ([`case`], [`formula`]) whose meaning shares nothing with
//! the library. Each case runs three times, [plain](Mode::Plain), [learning](Mode::Learning) and with a mode for each search,
//! and every answer is held against brute force ([`run`]): that no solution is wrong, doubled or lost, and all claims of
//! optimality, infeasibility and bounds, also of searches that were stopped, and the cores of assumptions.
//!
//! There are two passes: searches of all kinds, and searches under pressure, which restart after almost every failure and
//! keep only a few clauses.
//!
//! A difference is printed with its seed, the model in words, what was done, and the same made
//! smaller ([`shrink`]). These environment variables say what is run:
//!
//! - `CSP_FUZZ_MODELS`: how many models, 1,000 if it is not set;
//! - `CSP_FUZZ_SEED`: the first seed, 0 if it is not set. With it alone, this one seed is run.
//!
//! ```sh
//! CSP_FUZZ_MODELS=100000 cargo test --release -p csp-core --test fuzz -- --nocapture
//! CSP_FUZZ_SEED=17 cargo test -p csp-core --test fuzz -- --nocapture
//! ```

mod case;
mod formula;
mod generate;
mod run;
mod shrink;
mod translate;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use csp_core::prelude::*;

use case::Case;
use generate::Pass;
use run::{Answers, NODES, brute_force, run};
use shrink::shrink;

/// Of a run; none where each search has its own.
const MODES: [Option<Mode>; 3] = [Some(Mode::Plain), Some(Mode::Learning), None];

/// After so many differences it ends.
const MANY: usize = 5;

/// How the models write what the library has.
const KINDS: [&str; 28] = [
    " = ",
    " != ",
    " <= ",
    " < ",
    " >= ",
    " > ",
    "(sum(",
    "weighted_sum(",
    "abs(",
    "minimum(",
    "maximum(",
    "element(",
    "truth(",
    "not(",
    "conjunction(",
    "clause(",
    "xor(",
    "when(",
    "iff(",
    "at_least(",
    "at_most(",
    "exactly(",
    "table(",
    "forbidden(",
    "by Value",
    "by Bounds",
    "by Domain",
    "no_overlap(",
];

#[test]
fn searches_of_all_kinds() {
    let tally = fuzz(Pass::Wide);
    if tally.models < ENOUGH {
        return;
    }
    let infeasible = tally.infeasible;
    assert!((tally.models / 20..tally.models / 2).contains(&infeasible), "{infeasible} are infeasible");
    for kind in KINDS {
        assert!(tally.kinds.get(kind).is_some_and(|&n| n > tally.models / 30), "{kind} is rare");
    }
    let [_, Counts { runs, learnt, jumped, .. }, _] = tally.counts;
    assert!(2 * jumped >= runs, "of {runs} learning runs {learnt} learnt and {jumped} jumped");
}

#[test]
fn tiny_limits() {
    let tally = fuzz(Pass::Tiny);
    if tally.models < ENOUGH {
        return;
    }
    let [plain, learning, _] = tally.counts;
    assert!(3 * plain.restarted >= plain.runs, "{plain:?}");
    assert!(3 * learning.restarted >= learning.runs, "{learning:?}");
    assert!(20 * learning.forgot >= learning.runs, "{learning:?}");
    assert!(20 * learning.minimised >= learning.runs, "{learning:?}");
}

/// Of fewer models nothing more is asked than that they show no difference.
const ENOUGH: usize = 500;

/// What was run, so that a trivial test shows.
#[derive(Debug, Default)]
struct Tally {
    models: usize,
    infeasible: usize,
    /// In how many models each kind occurs.
    kinds: BTreeMap<&'static str, usize>,
    /// For each of the modes.
    counts: [Counts; 3],
}

/// Of runs, each all that is done with one model on one solver, and of searches, by what they did.
#[derive(Debug, Default)]
struct Counts {
    runs: usize,
    failed: usize,
    /// Runs that learnt clauses; and of these, those that jumped back more than one level.
    learnt: usize,
    jumped: usize,
    restarted: usize,
    forgot: usize,
    minimised: usize,
    searches: usize,
    given_up: usize,
    searches_learnt: usize,
    searches_jumped: usize,
}

impl Counts {
    fn add(&mut self, run: &[Statistics]) {
        let did = |what: fn(&Statistics) -> u64| run.iter().filter(|s| what(s) > 0).count();
        let (learnt, jumped) = (did(|s| s.learnt), did(|s| s.jumped));
        self.runs += 1;
        self.failed += usize::from(did(|s| s.failures) > 0);
        self.learnt += usize::from(learnt > 0);
        self.jumped += usize::from(jumped > 0);
        self.restarted += usize::from(did(|s| s.restarts) > 0);
        self.forgot += usize::from(did(|s| s.forgotten) > 0);
        self.minimised += usize::from(did(|s| s.minimised) > 0);
        self.searches += run.len();
        self.given_up += run.iter().filter(|s| s.nodes >= NODES).count();
        self.searches_learnt += learnt;
        self.searches_jumped += jumped;
    }
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is a number, not {text}")))
}

/// Runs as many models as the environment says, and prints what was run.
fn fuzz(pass: Pass) -> Tally {
    let (first, models) = (number("CSP_FUZZ_SEED"), number("CSP_FUZZ_MODELS"));
    let models = models.unwrap_or(if first.is_some() { 1 } else { 1000 });
    let first = first.unwrap_or(0);
    let start = Instant::now();
    let (mut tally, mut differences) = (Tally::default(), 0);
    for seed in first..first.saturating_add(models) {
        let case = generate::case(seed, pass);
        let answers = brute_force(&case);
        tally.models += 1;
        tally.infeasible += usize::from(answers.is_empty());
        let words = case.to_string();
        for kind in KINDS.into_iter().filter(|kind| words.contains(kind)) {
            *tally.kinds.entry(kind).or_default() += 1;
        }
        if tally.models % 10_000 == 0 {
            println!("{pass:?}: {} models in {:.0} s", tally.models, start.elapsed().as_secs_f64());
        }
        for (mode, counts) in MODES.into_iter().zip(&mut tally.counts) {
            let mut seen = Vec::new();
            let checked = check(&case, mode, &answers, |statistics| seen.push(statistics));
            counts.add(&seen);
            if let Err(difference) = checked {
                report(seed, pass, &case, &difference);
                differences += 1;
                assert!(differences < MANY, "many differences: see above");
                break;
            }
        }
    }
    println!("{pass:?}, {:.1} s: {tally:#?}", start.elapsed().as_secs_f64());
    for Counts { searches, given_up, .. } in &tally.counts {
        assert!(500 * given_up <= *searches, "of {searches} searches {given_up} were given up");
    }
    assert_eq!(differences, 0, "see above");
    tally
}

/// Runs a case in one mode; tells in words what was done up to a difference, and the difference.
fn check(
    case: &Case,
    mode: Option<Mode>,
    answers: &Answers,
    seen: impl FnMut(Statistics),
) -> Result<(), String> {
    let (step, difference) = match catch_unwind(AssertUnwindSafe(|| run(case, mode, answers, seen))) {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(found)) => found,
        Err(_) => (Some(case.steps.len()), "it panics".into()),
    };
    let steps = case.steps.iter().take(step.map_or(0, |step| step + 1));
    let mode = mode.map_or("each search in its own mode".into(), |mode| format!("{mode:?}"));
    let steps: String = steps.map(|step| format!("  {step}\n")).collect();
    Err(format!("model:\n{case}done, {mode}:\n{steps}difference: {difference}"))
}

/// Prints a difference, and a smaller case that shows one.
fn report(seed: u64, pass: Pass, case: &Case, difference: &str) {
    let differs = |case: &Case| {
        let answers = brute_force(case);
        MODES.into_iter().find_map(|mode| check(case, mode, &answers, |_| {}).err())
    };
    let smaller = differs(&shrink(case.clone(), |case| differs(case).is_some())).unwrap_or_default();
    println!("SEED {seed}, {pass:?}\n{difference}\nmade smaller, {smaller}");
    println!("again: CSP_FUZZ_SEED={seed} cargo test -p csp-core --test fuzz -- --nocapture\n");
}
