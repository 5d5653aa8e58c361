//! The propagators' own reasons beside the default ones.

use std::path::Path;
use std::time::Duration;

use csp_core::prelude::*;
use csp_core::testing::ReasonLengths;

use crate::models::{Problem, job_shop, open_stacks, quasigroup};

/// Long, for the default may need it, and short ones are of no account.
const LIMIT: Duration = Duration::from_secs(120);

/// Prints a line for each kind of propagator and problem.
pub(crate) fn report(filter: &str, data: Option<&Path>) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/jobshop");
    let given = data.map(|folder| folder.join("jobshop")).filter(|folder| folder.is_dir());
    let given = given.as_deref().or(data);
    let ft10 = job_shop(&here.join("ft10.txt"));
    let la20 = given.and_then(|folder| job_shop(&folder.join("la20.txt")));
    let stacks = Some(open_stacks(15, 20, 20, 1));
    let squares = Some(quasigroup(40, 17, 1));
    let cases: [(&str, &str, &[&str], &Option<Problem>); 6] = [
        ("linear", "open stacks", &["::linear::"], &stacks),
        ("all_different", "quasigroup", &["::all_different::"], &squares),
        ("no_overlap", "ft10", &["::no_overlap::"], &ft10),
        ("no_overlap", "la20", &["::no_overlap::"], &la20),
        ("precedences", "ft10", &["::comparison::", "::difference"], &ft10),
        ("precedences", "la20", &["::comparison::", "::difference"], &la20),
    ];
    println!(
        "{:<32} {:>9} {:>9} {:>9} {:>14} {:>18}",
        "explanations", "reasons", "own", "default", "failures own", "failures default"
    );
    for (kind, problem, parts, model) in cases {
        let name = format!("{kind}, {problem}");
        if !name.contains(filter) {
            continue;
        }
        let Some(model) = model else {
            println!("{name:<32} not found: give its folder with --data");
            continue;
        };
        let (failures, lengths, answer) = run(model, parts, &[]);
        let (by_default, _, other) = run(model, parts, parts);
        let is_cut = by_default.starts_with('>') || failures.starts_with('>');
        assert!(is_cut || answer == other, "{name}: {answer:?} or {other:?}");
        let mean = |atoms: u64| atoms as f64 / lengths.reasons.max(1) as f64;
        println!(
            "{name:<32} {:>9} {:>9.2} {:>9.2} {failures:>14} {by_default:>18}",
            lengths.reasons,
            mean(lengths.own),
            mean(lengths.default)
        );
    }
}

/// Solves a problem with the reasons of some propagators replaced by the default. Tells how many failures
/// that took, of the reasons of the propagators asked about how long they are, and the answer.
fn run(problem: &Problem, parts: &[&str], replaced: &[&str]) -> (String, ReasonLengths, Option<i64>) {
    let mut solver = problem.model.solver().expect("a valid model");
    solver.set_mode(Mode::Learning);
    solver.set_limits(Limits::new().time(LIMIT));
    solver.audit_reasons(replaced.iter().copied());
    let answer = problem.solve(&mut solver);
    let is_cut = matches!(solver.outcome(), Some(Outcome::Stopped(_)));
    let failures = solver.statistics().failures;
    let mut sum = ReasonLengths::default();
    for (kind, lengths) in solver.audited_reasons() {
        if parts.iter().any(|part| kind.contains(part)) {
            sum.reasons += lengths.reasons;
            sum.own += lengths.own;
            sum.default += lengths.default;
        }
    }
    (if is_cut { format!("> {failures}") } else { failures.to_string() }, sum, answer)
}
