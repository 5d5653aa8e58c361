use csp_core::engine::Relation;
use csp_core::observe::{Cause, Literal, Observer, TracedConstraint, TracedVariable};
use csp_core::prelude::*;

use super::{ReadError, read, write};

fn lines(trace: &Trace) -> String {
    let mut file = Vec::new();
    write(trace, &mut file).unwrap();
    String::from_utf8(file).unwrap()
}

/// A trace with every kind of event, cause and relation, and the largest values.
fn everything() -> Trace {
    let x = |relation, value| Literal { variable: 0, relation, value };
    let causes = [
        Cause::Decision,
        Cause::Refutation,
        Cause::Constraint(1),
        Cause::Clause,
        Cause::Objective,
        Cause::Assumption,
        Cause::Domain,
    ];
    let mut trace = Trace {
        variables: vec![
            TracedVariable {
                name: "x\n\"".into(),
                initial: vec![(i64::MIN, -1), (1, i64::MAX)],
                is_hidden: false,
            },
            TracedVariable { name: String::new(), initial: vec![], is_hidden: true },
        ],
        constraints: vec![
            TracedConstraint { name: Some("named".into()), description: "x ≤ y".into(), scope: vec![0, 1] },
            TracedConstraint { name: None, description: String::new(), scope: vec![] },
        ],
        ..Trace::default()
    };
    trace.event(&TraceEvent::Node { node: u64::MAX, parent: 0, depth: 3, alternative: 1 });
    for relation in [Relation::Eq, Relation::Ne, Relation::Le, Relation::Ge] {
        trace.event(&TraceEvent::Decision { node: 1, literal: x(relation, i64::MIN) });
    }
    for cause in causes {
        trace.event(&TraceEvent::Change {
            variable: 1,
            removed: vec![(-3, 4), (6, 6)],
            cause,
            blame: vec![],
        });
        trace.event(&TraceEvent::Failure { cause, blame: vec![x(Relation::Le, 7), x(Relation::Ne, 8)] });
    }
    trace.event(&TraceEvent::Fixpoint);
    trace.event(&TraceEvent::Solution { values: vec![i64::MAX, 0] });
    trace.event(&TraceEvent::Undo { to_depth: 2, changes: 5 });
    trace.event(&TraceEvent::Restart);
    trace.counts.changes += 1000;
    (trace.is_optimising, trace.is_assuming, trace.is_complete) = (true, true, true);
    trace
}

#[test]
fn what_was_written_is_read_again() {
    for trace in [everything(), Trace::default()] {
        assert_eq!(read(lines(&trace).as_bytes()).unwrap(), trace);
    }
    assert_eq!(read(lines(&everything()).as_bytes()).unwrap().unrecorded(), 1000);
}

#[test]
fn a_real_trace_is_read_again() {
    let mut model = Model::new();
    let queens = model.ints(5, 0..=4);
    for (i, &a) in queens.iter().enumerate() {
        for (j, &b) in queens.iter().enumerate().skip(i + 1) {
            let away = (j - i) as i64;
            model.post(rule!(a != b));
            model.post(rule!(a + away != b));
            model.post(rule!(a - away != b));
        }
    }
    let mut solver = model.solver().unwrap();
    for limit in [100, 10_000] {
        solver.set_trace(Tracing::new().events(limit));
        assert_eq!(solver.count().solutions, 10);
        let trace = solver.take_trace().unwrap();
        assert_eq!(read(lines(&trace).as_bytes()).unwrap(), trace);
    }
}

#[test]
fn a_lost_line_is_noticed() {
    let file = lines(&everything());
    let all: Vec<&str> = file.lines().collect();
    for lost in 0..all.len() {
        let rest: Vec<&str> =
            all.iter().enumerate().filter(|(number, _)| *number != lost).map(|(_, line)| *line).collect();
        assert!(read(rest.join("\n").as_bytes()).is_err(), "line {lost}: {}", all[lost]);
    }
    for end in 0..file.len() - 2 {
        assert!(read(&file.as_bytes()[..end]).is_err(), "cut off at {end}");
    }
}

#[test]
fn what_is_no_trace_is_an_error() {
    let line = |text: &str| read(format!("{{\"format\":\"csp-trace\",\"version\":1}}\n{text}\n").as_bytes());
    assert!(matches!(read(&b""[..]), Err(ReadError::NotATrace)));
    assert!(matches!(read(&b"{}\n"[..]), Err(ReadError::NotATrace)));
    assert!(matches!(read(&b"{\"format\":\"other\",\"version\":1}\n"[..]), Err(ReadError::NotATrace)));
    assert!(matches!(read(&b"{\"format\":\"csp-trace\",\"version\":2}\n"[..]), Err(ReadError::Version(2))));
    assert!(matches!(read(&b"\xff\n"[..]), Err(ReadError::Io(_))));
    assert!(matches!(line(""), Err(ReadError::Line { line: 2, .. })));
    for text in [
        r#"{"kind":"decision","node":1,"literal":[0,"=",2]}"#,
        r#"{"kind":"change","variable":0,"removed":[],"cause":"domain"}"#,
        r#"{"kind":"failure","cause":{"constraint":0}}"#,
        r#"{"kind":"failure","cause":"nobody"}"#,
        r#"{"kind":"constraint","description":"","scope":[0]}"#,
        r#"{"kind":"surprise"}"#,
        r#"{"kind":"solution","values":[9223372036854775808]}"#,
        "{\"kind\":\"fixpoint\"}\n{\"kind\":\"variable\",\"name\":\"x\",\"initial\":[]}",
        "{\"kind\":\"fixpoint\"}\n{\"kind\":\"constraint\",\"description\":\"\",\"scope\":[]}",
    ] {
        assert!(matches!(line(text), Err(ReadError::Line { .. })), "{text}");
    }
    // What a later writer may add is no error.
    let more =
        r#"{"kind":"end","variables":0,"constraints":0,"events":0,"counts":{"surprises":1},"seconds":3}"#;
    assert_eq!(line(more).unwrap(), Trace::default());
    assert!(matches!(line(&format!("{more}\n{more}")), Err(ReadError::Line { line: 3, .. })));
}
