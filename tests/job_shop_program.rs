//! Whole-program tests of the job shop example. Schedules are checked here by rules of their own.

mod common;

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use common::Run;

fn run(arguments: &[&str], input: &str) -> Run {
    common::run("job_shop", arguments, input)
}

fn data(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/jobshop");
    fs::read_to_string(folder.join(format!("{name}.txt"))).expect(name)
}

/// Machine and duration of each task of each job.
fn jobs(text: &str) -> Vec<Vec<(usize, i64)>> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).skip(1);
    let numbers = lines.map(|line| line.split_whitespace().map(|n| n.parse().unwrap()).collect::<Vec<i64>>());
    numbers.map(|n| n.chunks(2).map(|task| (task[0] as usize, task[1])).collect()).collect()
}

/// The length of the schedule that was printed, which is found to be one.
fn length(text: &str, out: &str) -> i64 {
    let jobs = jobs(text);
    let mut starts = Vec::new();
    for line in out.lines() {
        if let Some((job, rest)) = line.strip_prefix("job ").and_then(|line| line.split_once(':')) {
            assert_eq!(job.parse(), Ok(starts.len()));
            starts.push(rest.split_whitespace().map(|n| n.parse::<i64>().unwrap()).collect::<Vec<i64>>());
        }
    }
    assert_eq!(starts.len(), jobs.len(), "{out}");
    let mut busy: Vec<Vec<(i64, i64)>> = Vec::new();
    let mut end = 0;
    for (tasks, starts) in jobs.iter().zip(&starts) {
        assert_eq!(tasks.len(), starts.len());
        let mut ready = 0;
        for (&(machine, duration), &start) in tasks.iter().zip(starts) {
            assert!(start >= ready, "a task of a job begins before the one before it ends: {out}");
            ready = start + duration;
            busy.resize(busy.len().max(machine + 1), Vec::new());
            if duration > 0 {
                busy[machine].push((start, ready));
            }
        }
        end = end.max(ready);
    }
    for times in &mut busy {
        times.sort_unstable();
        assert!(
            times.windows(2).all(|pair| pair[0].1 <= pair[1].0),
            "a machine does two tasks at a time: {out}"
        );
    }
    assert!(out.contains(&format!("length {end}")), "{out}");
    end
}

fn proved(text: &str, arguments: &[&str]) -> i64 {
    let run = run(&[&["-"], arguments].concat(), text);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("the shortest possible"), "{}", run.out);
    length(text, &run.out)
}

#[test]
fn job_shops_of_the_literature_are_solved_and_proved() {
    let known = [("ft06", 55), ("la01", 666), ("la02", 655), ("la03", 597), ("la04", 590), ("la05", 593)];
    for (name, shortest) in known {
        assert_eq!(proved(&data(name), &[]), shortest, "{name}");
    }
}

#[test]
fn learning_and_plain_search_find_the_same() {
    let mut rng = fastrand::Rng::with_seed(4);
    for _ in 0..25 {
        let (count, machines) = (rng.usize(1..4), rng.usize(1..4));
        let job = |rng: &mut fastrand::Rng| {
            let task = |rng: &mut fastrand::Rng| format!("{} {}", rng.usize(0..machines), rng.i64(0..6));
            (0..machines).map(|_| task(rng)).collect::<Vec<_>>().join(" ")
        };
        let lines: Vec<String> = (0..count).map(|_| job(&mut rng)).collect();
        let text = format!("# random\n{count} {machines}\n{}\n", lines.join("\n"));
        assert_eq!(proved(&text, &["--no-picture"]), proved(&text, &["--plain"]), "{text}");
    }
}

#[test]
fn it_stops_at_the_time_limit_with_the_best_so_far() {
    let mut rng = fastrand::Rng::with_seed(15);
    let lines: Vec<String> = (0..15)
        .map(|_| {
            let mut machines: Vec<usize> = (0..15).collect();
            rng.shuffle(&mut machines);
            machines.iter().map(|m| format!("{m} {}", rng.i64(1..100))).collect::<Vec<_>>().join(" ")
        })
        .collect();
    let text = format!("15 15\n{}\n", lines.join("\n"));
    let before = Instant::now();
    let run = run(&["-", "--time-limit", "0.3", "--plain", "--stats"], &text);
    assert!(before.elapsed() < Duration::from_secs(10));
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(length(&text, &run.out) > 0);
    assert!(run.err.contains("stopped early: the time limit was reached"), "{}", run.err);
}

#[test]
fn a_picture_is_written() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("ft06.svg");
    let run = run(&["-", "--svg", file.to_str().unwrap(), "--no-picture"], &data("ft06"));
    assert_eq!(run.code, Some(0), "{}", run.err);
    let picture = fs::read_to_string(file).unwrap();
    assert!(picture.starts_with("<svg xmlns=") && picture.ends_with("</svg>\n"));
    assert_eq!(picture.matches("<g><title>job").count(), 36);
    assert_eq!(picture.matches("<g>").count(), picture.matches("</g>").count());
    assert!(!run.out.contains("machine"), "{}", run.out);
}

#[test]
fn nothing_to_do_takes_no_time() {
    assert_eq!(proved("0 0\n", &[]), 0);
    assert_eq!(proved("1 1\n0 0\n", &[]), 0);
    assert_eq!(proved("2 2\n1 3 0 4\n0 0 1 5\n", &[]), 8);
}

#[test]
fn bad_input_is_refused_with_its_line() {
    for (text, words) in [
        ("", "-: no job shop"),
        ("# only words\n", "-: no job shop"),
        ("2", "-:1: the number of machines is missing"),
        ("2 x", "-:1: the number of machines is 'x'"),
        ("2 2 2", "-:1: expected two numbers"),
        ("1000000 2", "-:1: the number of jobs is 1000000, more than 1000"),
        ("1 1\n0", "-:2: the duration of the last task is missing"),
        ("1 1\n1 4", "-:2: there is no machine 1, only 0 to 0"),
        ("1 1\n0 -4", "-:2: a duration is '-4'"),
        ("1 1\n0 4000000000", "-:2: a task takes 4000000000"),
        ("2 1\n0 4", "-: 2 jobs are announced, but there are 1"),
        ("1 1\n0 4\n0 4", "-:3: more than the 1 jobs announced"),
    ] {
        let run = run(&["-"], text);
        assert_eq!((&*run.out, run.code), ("", Some(2)), "{text:?}: {}", run.err);
        assert!(run.err.contains(words), "{text:?}: {}", run.err);
    }
}
