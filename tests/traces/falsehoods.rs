//! That false sentences are found out: another value, another variable, another reason, another number.

use csp_core::constraints::Strength;
use csp_core::prelude::*;
use csp_core::search::Mode;
use csp_trace::{Step, Teller};

use super::case::{self, Case, Search, Task, Variable};
use super::formula::{Bool, Int, Sign};
use super::random::Run;
use super::sentences::{check, trace};

/// A case of integers with these values that is searched by the smallest domain and value, as it was posted.
fn case_of(values: &[&[i64]], constraints: Vec<Bool>, task: Task) -> Case {
    let variable = |values: &&[i64]| Variable { values: values.to_vec(), is_boolean: false };
    let search = Search {
        task,
        mode: Mode::Plain,
        assumptions: Vec::new(),
        hints: None,
        strategy: None,
        restarts: None,
        seed: 10,
        projection: None,
        limit: None,
        clauses: None,
    };
    Case {
        variables: values.iter().map(variable).collect(),
        constraints,
        steps: vec![case::Step::Search(search)],
    }
}

fn view(variable: usize) -> Int {
    Int::View { scale: 1, variable, offset: 0 }
}

/// Checks the story of a case as it is told, and that each of these sentences, told otherwise where it is told first, is
/// found out.
fn check_falsehoods(case: &Case, falsehoods: &[(&str, &str)]) {
    let [case::Step::Search(search)] = &case.steps[..] else { panic!("there is one search") };
    let run = Run { case, search, presolve: Presolve::Off, mode: Mode::Plain, at: (0, 0) };
    let trace = trace(&run);
    let story = Teller::new(&trace).story().unwrap();
    check(&story, &trace, &run).unwrap();
    for (truth, falsehood) in falsehoods {
        let mut story = story.clone();
        let says = |step: &&mut Step| {
            step.words.contains(truth) || step.why.iter().any(|why| why.words.contains(truth))
        };
        let step = story.steps.iter_mut().find(says).unwrap_or_else(|| panic!("{truth} is not told"));
        for words in step.why.iter_mut().map(|why| &mut why.words).chain([&mut step.words]) {
            *words = words.replacen(truth, falsehood, 1);
        }
        assert!(check(&story, &trace, &run).is_err(), "{falsehood} is believed");
    }
}

#[test]
fn what_is_false_of_a_search() {
    let different = Bool::AllDifferent(Strength::Domain, (0..4).map(view).collect());
    let order = Bool::Compare(view(2), Sign::Lt, Int::Sum(vec![view(3), view(4)]));
    let values: [&[i64]; 5] = [&[1, 2], &[1, 2], &[1, 2, 3, 4, 5], &[1, 2, 3, 4, 5], &[-1, 0, 2]];
    let by_first = "by all_different(v0, v1, v2, v3), since v0 is 1\n";
    check_falsehoods(
        &case_of(&values, vec![different, order], Task::Count),
        &[
            ("5 variables and 2", "6 variables and 2"),
            ("5 variables and 2", "5 variables and 3"),
            // Another value, another variable, another reason.
            ("v2 and v3 are not 1 or 2", "v2 and v3 are not 1 or 3"),
            ("v2 and v3 are not 1 or 2", "v2 and v3 are not 1 to 3"),
            ("v2 and v3 are not 1 or 2", "v1 and v3 are not 1 or 2"),
            ("since v0 is 1\nv1 is not 1", "since v0 is 1\nv1 is not 2"),
            ("since v0 is 1\nv1 is not 1", "since v0 is 2\nv1 is not 1"),
            ("since v0 is 1\nv1 is not 1", "since v0 is 1 or 2\nv1 is not 1"),
            ("since v0 is 1\nv1 is not 1", "since v0 ≥ 1\nv1 is not 1"),
            ("since v0 is 1\nv1 is not 1", "since v2 ≥ 3\nv1 is not 1"),
            ("since v0 is 1\nv1 is not 1", "since v4 is 0\nv1 is not 1"),
            (", since v0 is 1\nv1 is not 1", "\nv1 is not 1"),
            (
                "v1 is not 1, by all_different(v0, v1, v2, v3), since v0 is 1",
                "v1 is not 1: v0 = 1 was chosen",
            ),
            ("v1 is not 1, by all_different(v0, v1, v2, v3), since v0 is 1", "v1 is not 1 from the start"),
            (
                "v1 is not 1, by all_different(v0, v1, v2, v3), since v0 is 1",
                "v1 is not 2, by all_different(v0, v1, v2, v3), since v0 is 1",
            ),
            (
                "v1 is not 1, by all_different(v0, v1, v2, v3), since v0 is 1",
                "v1 is not 1, by v2 < v3 + v4, since v0 is 1",
            ),
            ("v0 is not 2: v0 = 1 was chosen", "v0 is not 2: v2 = 3 was chosen"),
            ("since v2 ≥ 3 and v3 ≤ 4", "since v2 ≥ 3 and v3 ≤ 5"),
            ("since v2 ≥ 3 and v3 ≤ 4", "since v3 ≤ 4"),
            // Somebody else.
            ("by v2 < v3 + v4, since v2 ≥ 3", "by all_different(v0, v1, v2, v3), since v2 ≥ 3"),
            (by_first, "by what the search learnt\n"),
            (by_first, "by the demand for a better solution\n"),
            (by_first, "by an assumption, since v0 is 1\n"),
            (by_first, "by what was known before the search\n"),
            (by_first, "by all_different(v0, v1), since v0 is 1\n"),
            (
                by_first,
                "by all_different(v0, v1, v2, v3), since v0 and v2 have only 1 and 3 left between them\n",
            ),
            (by_first, "with v0 = 1 there is no solution\n"),
            // What the board and the path say.
            ("v1 is 2: nothing else", "v1 is 1: nothing else"),
            ("nothing more follows", "v2 is 3: nothing else is left"),
            ("nothing more follows", "v2 has no value left"),
            ("nothing more follows", "the search begins anew"),
            ("nothing more follows", "a dead end by v2 < v3 + v4, since v2 ≥ 3"),
            ("nothing more follows", "nothing follows"),
            ("choose v0 = 1", "choose v0 = 2"),
            ("choose v0 = 1", "choose v0 ≠ 1"),
            ("choose v0 = 1", "choose v0 ≤ 2"),
            ("v4 = 0 is taken back", "v3 = 4 is taken back"),
            ("v4 = 0 is taken back, and", "v4 = 2 is taken back, and"),
            // Solutions.
            ("solution 1: ", "solution 2: "),
            ("v3 = 4, v4 = 0", "v3 = 4, v4 = 2"),
            ("v3 = 4, v4 = 0", "v3 = 4, v4 = -1"),
            ("v3 = 4, v4 = 0", "v4 = 0, v3 = 4"),
            ("with v4 = 0 there is 1 solution and no more", "with v4 = 0 there is no solution"),
            ("with v4 = 0 there is 1 solution and no more", "with v4 = 0 there are 2 solutions and no more"),
            ("with v3 = 4 there are 2 solutions", "with v3 = 4 there is 1 new solution"),
            ("with v3 = 4 there are 2 solutions", "with v3 = 4 there are 3 new solutions"),
            ("with v3 = 4 there are 2 solutions", "with v3 = 5 there are 2 solutions"),
            ("no more\nv3 is not 4\n", "no more\nv3 is not 5\n"),
            ("over, with 18 solutions", "over, with 17 solutions"),
            ("over, with 18 solutions", "over: there is no solution"),
            ("over, with 18 solutions", "over: none is better than solution 18"),
            (
                "the search is over, with 18 solutions",
                "the story ends here, after 104 steps: the search goes on",
            ),
        ],
    );
}

#[test]
fn what_is_false_of_the_best() {
    let below = Bool::Compare(view(1), Sign::Le, Int::View { scale: 1, variable: 0, offset: 1 });
    let sum = Bool::Compare(Int::Sum(vec![view(0), view(1)]), Sign::Le, Int::Const(4));
    let task = Task::Optimise { objective: view(1), maximise: true, enough: None };
    check_falsehoods(
        &case_of(&[&[0, 1, 2], &[0, 1, 2, 3]], vec![below, sum], task),
        &[
            ("solution\nv1 is not 0\n", "solution\nv1 is not 0 or 1\n"),
            ("v0 = 0 there is no solution better", "v0 = 1 there is no solution better"),
            ("with v0 = 0 there is no solution better than the last", "with v0 = 0 there is no solution"),
            (
                "with v0 = 0 there is no solution better than the last",
                "with v0 = 0 there are 3 solutions and no more",
            ),
            ("since v0 is 2 and v1 is 3", "since v0 is 2"),
            ("since v0 is 2 and v1 is 3", "since v1 is 3"),
            ("since v0 is 2 and v1 is 3", "since v0 is 1 and v1 is 3"),
            ("none is better than solution 3", "none is better than solution 2"),
            ("over: none is better than solution 3", "over, with 3 solutions"),
        ],
    );
}

#[test]
fn what_is_false_of_shared_values() {
    let mut constraints: Vec<Bool> =
        (0..2).map(|x| Bool::Compare(view(x), Sign::Ne, Int::Const(0))).collect();
    constraints.push(Bool::AllDifferent(Strength::Domain, (0..3).map(view).collect()));
    constraints.push(Bool::Compare(view(2), Sign::Le, view(0)));
    check_falsehoods(
        &case_of(&[&[0, 1, 2], &[0, 1, 2], &[0, 1, 2, 3]], constraints, Task::First),
        &[
            ("v0 and v1 have only 1 and 2 left", "v0 and v1 have only 1 and 3 left"),
            ("v0 and v1 have only 1 and 2 left", "v0 and v1 have only 1, 2 and 3 left"),
            ("v0 and v1 have only 1 and 2 left", "v0 and v2 have only 1 and 2 left"),
            ("v2 is not 1 or 2", "v2 is not 0, 1 or 2"),
            ("by all_different(v0, v1, v2), since v0 and v1 have", "by v2 <= v0, since v0 and v1 have"),
            ("with the first solution", "with solution 2"),
            ("the story ends here, with the first solution", "the search is over, with 1 solution"),
        ],
    );
}
