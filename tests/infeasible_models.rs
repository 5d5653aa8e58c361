//! Why a model has no solution, for a job shop, a timetable and two colourings. The set of names that
//! `explain_infeasibility` gives is checked on models that are built anew: with these names alone there is no solution
//! either, and without any one of them there is one. Run with `--nocapture` to see sizes and times.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use csp_core::model::ConstraintId;
use csp_core::prelude::*;

/// A model of which only some of the named constraints are posted.
struct Part<'a> {
    model: Model,
    is_wanted: &'a dyn Fn(&str) -> bool,
    named: Vec<(ConstraintId, String)>,
}

impl<'a> Part<'a> {
    fn new(is_wanted: &'a dyn Fn(&str) -> bool) -> Part<'a> {
        Part { model: Model::new(), is_wanted, named: Vec::new() }
    }

    fn demand(&mut self, name: &str, constraint: impl Constraint) {
        if (self.is_wanted)(name) {
            self.named.push((self.model.post_named(name, constraint), name.to_owned()));
        }
    }
}

type Names = BTreeSet<String>;

/// Explains why there is no solution, and checks the explanation. Returns all names and those of the conflict.
fn explained(title: &str, build: impl Fn(&mut Part<'_>)) -> (Names, Names) {
    let part = |is_wanted: &dyn Fn(&str) -> bool| {
        let mut part = Part::new(is_wanted);
        build(&mut part);
        (part.model, part.named)
    };
    let (whole, named) = part(&|_| true);
    let before = Instant::now();
    let explanation = whole.solver().unwrap().explain_infeasibility().unwrap();
    let time = before.elapsed();
    let Infeasibility::Conflict { constraints, is_minimal } = explanation else {
        panic!("{title}: {explanation:?}")
    };
    assert!(is_minimal, "{title}");
    let conflict: Names = constraints
        .iter()
        .map(|&id| whole.constraint_name(id).expect("only what has a name is blamed").to_owned())
        .collect();
    // All constraints of a name are in it, in order.
    let blamed = named.iter().filter(|(_, name)| conflict.contains(name)).map(|&(id, _)| id);
    assert_eq!(constraints, blamed.collect::<Vec<_>>(), "{title}");
    let all: Names = named.into_iter().map(|(_, name)| name).collect();
    println!("{title}: {} of {} names in {time:?}", conflict.len(), all.len());

    let (together, _) = part(&|name| conflict.contains(name));
    assert_eq!(together.solver().unwrap().first(), First::Infeasible, "{title}");
    for left_out in &conflict {
        let (rest, _) = part(&|name| conflict.contains(name) && name != left_out);
        let solution = rest.solver().unwrap().first().solution();
        let solution = solution.unwrap_or_else(|| panic!("{title}: '{left_out}' is not needed"));
        assert_eq!(rest.check(&solution), Ok(()), "{title}");
    }
    (all, conflict)
}

fn data(file: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    fs::read_to_string(folder.join(file)).expect(file)
}

/// The shortest schedule of ft06 takes 55.
fn ft06(part: &mut Part<'_>, deadline: i64) {
    let text = data("jobshop/ft06.txt");
    let numbers = |line: &str| line.split_whitespace().map(|n| n.parse().unwrap()).collect::<Vec<i64>>();
    let jobs: Vec<Vec<i64>> = text.lines().skip(1).map(numbers).collect();
    let horizon = jobs.iter().flat_map(|job| job.chunks(2)).map(|task| task[1]).sum::<i64>();
    let mut on_machine = vec![Vec::new(); 6];
    for (j, job) in jobs.iter().enumerate() {
        let starts = part.model.ints(6, 0..=horizon);
        for (task, (i, &start)) in job.chunks(2).zip(starts.iter().enumerate()) {
            on_machine[task[0] as usize].push((start, task[1]));
            match starts.get(i + 1) {
                Some(&next) => part.demand(&format!("order of job {j}"), rule!(start + task[1] <= next)),
                None => part.demand(&format!("deadline of job {j}"), rule!(start + task[1] <= deadline)),
            }
        }
    }
    for (m, tasks) in on_machine.into_iter().enumerate() {
        part.demand(&format!("one task at a time on machine {m}"), no_overlap(tasks).with_precedences());
    }
}

#[test]
fn a_job_shop_with_a_deadline_below_its_optimum() {
    let (all, conflict) = explained("ft06 until 54", |part| ft06(part, 54));
    assert_eq!(all.len(), 18);
    assert!(conflict.iter().any(|name| name.starts_with("deadline")), "{conflict:?}");
    assert!(conflict.iter().any(|name| name.starts_with("one task")), "{conflict:?}");
    let mut possible = Part::new(&|_| true);
    ft06(&mut possible, 55);
    let answer = possible.model.solver().unwrap().explain_infeasibility().unwrap();
    let Infeasibility::Feasible(schedule) = answer else { panic!("{answer:?}") };
    assert_eq!(possible.model.check(&schedule), Ok(()));
}

/// Two days of five hours, from 0; the last two of a day are the afternoon.
const HOURS: i64 = 10;
const ROOMS: [&str; 4] = ["the hall", "the laboratory", "room 1", "room 2"];

/// Subject, class, teacher, and how many lessons.
const LESSONS: [(&str, &str, &str, usize); 14] = [
    ("chemistry", "1a", "Avogadro", 2),
    ("chemistry", "1b", "Avogadro", 2),
    ("physics", "1a", "Boltzmann", 2),
    ("physics", "1c", "Boltzmann", 3),
    ("mathematics", "1a", "Cantor", 2),
    ("mathematics", "1b", "Cantor", 2),
    ("mathematics", "1c", "Cantor", 2),
    ("sports", "1a", "Didon", 1),
    ("sports", "1b", "Didon", 1),
    ("sports", "1c", "Didon", 1),
    ("history", "1b", "Eusebius", 2),
    ("history", "1c", "Eusebius", 1),
    ("music", "1a", "Farinelli", 1),
    ("music", "1b", "Farinelli", 1),
];

/// Every single wish can be met; all of them cannot.
fn timetable(part: &mut Part<'_>) {
    let mut lessons = Vec::new();
    for (subject, class, teacher, count) in LESSONS {
        for _ in 0..count {
            let (hour, room) = (part.model.int(0..HOURS), part.model.int(0..ROOMS.len() as i64));
            lessons.push((subject, class, teacher, hour, room));
        }
    }
    // Nobody is at two places, and no room has two lessons. That is not in doubt.
    for (i, a) in lessons.iter().enumerate() {
        for b in &lessons[..i] {
            if a.1 == b.1 || a.2 == b.2 {
                part.model.post(rule!(a.3 != b.3));
            } else {
                part.model.post(rule!(a.3 != b.3 | a.4 != b.4));
            }
        }
    }
    let afternoon = |hour: IntVar| clause([3, 4, 8, 9].map(|h| hour.eq(h)));
    let monday = |hour: IntVar| hour.lt(5);
    for &(subject, class, teacher, hour, room) in &lessons {
        match subject {
            "chemistry" => part.demand("chemistry is in the laboratory", room.eq(1)),
            "physics" => part.demand("physics is in the laboratory", room.eq(1)),
            "sports" => part.demand("sports are in the hall", room.eq(0)),
            "music" => part.demand("music is in the hall", room.eq(0)),
            "mathematics" => part.demand("no mathematics in the hall", room.ne(0)),
            _ => {}
        }
        if subject == "mathematics" {
            part.demand(&format!("mathematics of {class} in the morning"), !afternoon(hour));
        }
        match teacher {
            "Avogadro" => part.demand("Avogadro comes on Monday only", monday(hour)),
            "Boltzmann" => {
                part.demand("Boltzmann is not there in the first hours", rule!(hour != 0 & hour != 5))
            }
            "Didon" => {
                part.demand("Didon comes for the third hour", clause([2, 3, 4, 7, 8, 9].map(|h| hour.eq(h))))
            }
            "Eusebius" => part.demand("Eusebius is away on Tuesday morning", rule!(hour < 5 | hour > 7)),
            "Farinelli" => part.demand("Farinelli leaves after Monday", monday(hour)),
            _ => {}
        }
        part.demand("the laboratory is cleaned on Monday at noon", rule!(room != 1 | hour != 2));
        part.demand("the laboratory is closed in the last hour of Tuesday", rule!(room != 1 | hour != 9));
        part.demand("the hall is booked on Tuesday", rule!(room != 0 | hour < 5));
        part.demand("the painters are in room 2 on Tuesday", rule!(room != 3 | hour < 5));
        if class == "1c" {
            part.demand("1c is away on Tuesday afternoon", rule!(hour < 8));
        }
        if class == "1b" {
            part.demand("1b begins with the second hour", rule!(hour != 0 & hour != 5));
        }
    }
    for class in ["1a", "1b", "1c"] {
        let of = |subject: &'static str| {
            lessons.iter().filter(move |l| l.0 == subject && l.1 == class).map(|lesson| lesson.3).collect()
        };
        let [mathematics, sports]: [Vec<IntVar>; 2] = [of("mathematics"), of("sports")];
        part.demand(
            &format!("mathematics of {class} on both days"),
            rule!(mathematics[0] < 5 & mathematics[1] >= 5),
        );
        for &hour in &mathematics {
            part.demand(&format!("no mathematics after sports for {class}"), rule!(sports[0] + 1 != hour));
        }
    }
}

#[test]
fn a_timetable_with_too_many_wishes() {
    let (all, conflict) = explained("timetable", timetable);
    assert!(all.len() >= 20 && conflict.len() >= 3, "{conflict:#?} of {all:#?}");
    println!("{conflict:#?}");
}

/// The edges of a graph in DIMACS format, each with a name.
fn colouring(part: &mut Part<'_>, file: &str, colours: i64) {
    let text = data(file);
    let words: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
    let vertices = words.iter().find(|words| words[0] == "p").expect("a graph")[2].parse().unwrap();
    let colour_of = part.model.ints(vertices, 0..colours);
    for edge in words.iter().filter(|words| words[0] == "e") {
        let [u, v] = [1, 2].map(|i| colour_of[edge[i].parse::<usize>().unwrap() - 1]);
        part.demand(&format!("{} beside {}", edge[1], edge[2]), u.ne(v));
    }
}

#[test]
fn a_colouring_with_too_few_colours() {
    let (all, conflict) =
        explained("myciel4 in 3 colours", |part| colouring(part, "colouring/myciel4.col", 3));
    assert_eq!(all.len(), 71);
    // It has no triangles, and the smallest graph without them that takes four colours has 20 edges.
    assert!((20..71).contains(&conflict.len()), "{conflict:?}");
    // Mycielski's graphs are critical: without any one of its edges, a colour less is enough.
    let (all, conflict) =
        explained("myciel4 in 4 colours", |part| colouring(part, "colouring/myciel4.col", 4));
    assert_eq!(all, conflict);
    let (_, conflict) = explained("queens in 4 colours", |part| colouring(part, "colouring/queen5_5.col", 4));
    assert!(conflict.len() >= 10, "{conflict:?}");
}
