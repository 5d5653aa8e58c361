//! Whole-program tests of the example that keeps a plan. What it prints is checked here by rules of their own: plans,
//! costs, what moved, and by brute force that what is called best or impossible is.

mod common;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use common::Run;
use serde_json::Value;

fn run(arguments: &[&str], input: &str) -> Run {
    common::run("replan", arguments, input)
}

fn sample() -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/replan");
    fs::read_to_string(folder.join("workshop.txt")).expect("the sample")
}

#[derive(Clone, Debug)]
struct Task {
    name: String,
    job: String,
    machine: String,
    duration: i64,
}

type Starts = BTreeMap<String, i64>;

/// What the file says, up to some line, and the last plan.
#[derive(Clone, Debug, Default)]
struct Shop {
    /// In order of jobs.
    tasks: Vec<Task>,
    release: BTreeMap<String, i64>,
    due: BTreeMap<String, i64>,
    deadline: BTreeMap<String, i64>,
    fixed: BTreeMap<String, i64>,
    downs: Vec<(String, i64, i64)>,
    now: i64,
    plan: Starts,
}

fn number(word: &str) -> i64 {
    word.parse().expect("a number")
}

impl Shop {
    /// Does what a line says. Returns `false` if it is about what is not there.
    fn apply(&mut self, line: &str) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["add", "job", ..] => return self.apply(line.trim_start().strip_prefix("add").unwrap()),
            ["job", ..] => {
                let (head, tasks) = line.split_once(':').expect("tasks");
                let head: Vec<&str> = head.split_whitespace().skip(1).collect();
                let job = head[0].to_owned();
                for pair in head[1..].chunks(2) {
                    let times = if pair[0] == "due" { &mut self.due } else { &mut self.release };
                    times.insert(job.clone(), number(pair[1]));
                }
                for task in tasks.split(',') {
                    let words: Vec<&str> = task.split_whitespace().collect();
                    self.tasks.push(Task {
                        name: format!("{job}.{}", words[0]),
                        job: job.clone(),
                        machine: words[1].to_owned(),
                        duration: number(words[2]),
                    });
                }
            }
            ["drop", job] => {
                let before = self.tasks.len();
                self.tasks.retain(|task| task.job != job);
                for times in [&mut self.release, &mut self.due, &mut self.deadline] {
                    times.remove(job);
                }
                self.fixed.retain(|task, _| !task.starts_with(&format!("{job}.")));
                self.plan.retain(|task, _| !task.starts_with(&format!("{job}.")));
                return self.tasks.len() < before;
            }
            ["down", machine, from, to] => self.downs.push((machine.to_owned(), number(from), number(to))),
            ["fix", task, "at", time] => {
                self.fixed.insert(task.to_owned(), number(time));
                return self.tasks.iter().any(|other| other.name == task);
            }
            ["free", task] => {
                self.fixed.remove(task);
                return self.tasks.iter().any(|other| other.name == task);
            }
            ["deadline", job, time] => {
                self.deadline.insert(job.to_owned(), number(time));
                return self.tasks.iter().any(|task| task.job == job);
            }
            ["now", time] => self.now = number(time),
            _ => panic!("{line}"),
        }
        true
    }

    fn begun(&self, task: &str) -> Option<i64> {
        self.plan.get(task).copied().filter(|&start| start < self.now)
    }

    fn names(&self) -> Vec<String> {
        let mut names = vec![format!("nothing else begins before {}", self.now)];
        for task in &self.tasks {
            let Task { name, job, machine, .. } = task;
            names.push(format!("order of {job}"));
            names.push(format!("one task at a time on {machine}"));
            names.extend(self.release.get(job).map(|time| format!("release of {job} at {time}")));
            names.extend(self.deadline.get(job).map(|time| format!("deadline of {job} at {time}")));
            names.extend(self.fixed.get(name).map(|time| format!("fix {name} at {time}")));
            names.extend(self.begun(name).map(|time| format!("{name} has begun at {time}")));
        }
        names.extend(
            self.downs.iter().map(|(machine, from, to)| format!("{machine} down from {from} to {to}")),
        );
        names.sort();
        names.dedup();
        names
    }

    fn is_last(&self, task: &Task) -> bool {
        self.tasks.iter().rfind(|other| other.job == task.job).is_some_and(|last| last.name == task.name)
    }

    /// Whether what the names say allows a task to start at a time, as far as the starts of others are known.
    fn allows(&self, names: &[String], starts: &Starts, task: &Task, start: i64) -> bool {
        let end = start + task.duration;
        let place = |task: &Task| self.tasks.iter().position(|other| other.name == task.name);
        names.iter().all(|name| {
            let words: Vec<&str> = name.split(' ').collect();
            let mut others = self.tasks.iter().filter_map(|other| Some((other, *starts.get(&other.name)?)));
            match words[..] {
                ["order", "of", job] => others.all(|(other, from)| {
                    let is_in_order =
                        if place(other) < place(task) { from + other.duration <= start } else { end <= from };
                    task.job != job || other.job != job || is_in_order
                }),
                ["one", "task", "at", "a", "time", "on", machine] => others.all(|(other, from)| {
                    let is_elsewhere = task.machine != machine || other.machine != machine;
                    is_elsewhere || from + other.duration <= start || end <= from
                }),
                // If the first task is in time, so are the others, by the order.
                ["release", "of", job, "at", time] => {
                    let is_first = self.tasks.iter().find(|other| other.job == job).map(|first| &first.name);
                    is_first != Some(&task.name) || start >= number(time)
                }
                ["deadline", "of", job, "at", time] => {
                    task.job != job || !self.is_last(task) || end <= number(time)
                }
                ["fix", of, "at", time] | [of, "has", "begun", "at", time] => {
                    task.name != of || start == number(time)
                }
                ["nothing", "else", "begins", "before", time] => {
                    self.begun(&task.name).is_some() || start >= number(time)
                }
                [machine, "down", "from", from, "to", to] => {
                    task.machine != machine || end <= number(from) || start >= number(to)
                }
                _ => panic!("'{name}' says nothing to a planner"),
            }
        })
    }

    fn cost_of(&self, task: &Task, start: i64) -> i64 {
        let end = start + task.duration;
        let moved = self.plan.get(&task.name).map_or(0, |old| 2 * (start - old).abs());
        let late = self.due.get(&task.job).map_or(0, |due| 10 * (end - due).max(0));
        moved + if self.is_last(task) { end + late } else { 0 }
    }

    /// The least cost of starts of these tasks that the names allow.
    fn least(&self, names: &[String], tasks: &[&Task]) -> Option<i64> {
        let (mut best, mut starts) = (None, Starts::new());
        self.extend(names, tasks, 0, &mut starts, &mut best, false);
        best
    }

    fn is_possible(&self, names: &[String]) -> bool {
        // Tasks that no name joins do not matter to each other.
        let mut part: Vec<usize> = (0..self.tasks.len()).collect();
        for (i, a) in self.tasks.iter().enumerate() {
            for (j, b) in self.tasks.iter().enumerate() {
                let is_joined = (a.job == b.job && names.contains(&format!("order of {}", a.job)))
                    || (a.machine == b.machine
                        && names.contains(&format!("one task at a time on {}", a.machine)));
                if is_joined {
                    let (from, to) = (part[i], part[j]);
                    part.iter_mut().filter(|part| **part == from).for_each(|part| *part = to);
                }
            }
        }
        (0..self.tasks.len()).all(|number| {
            let tasks = self.tasks.iter().zip(&part).filter(|(_, part)| **part == number);
            let (mut best, mut starts) = (None, Starts::new());
            let tasks: Vec<&Task> = tasks.map(|(task, _)| task).collect();
            self.extend(names, &tasks, 0, &mut starts, &mut best, true);
            best.is_some()
        })
    }

    fn extend(
        &self,
        names: &[String],
        tasks: &[&Task],
        cost: i64,
        starts: &mut Starts,
        best: &mut Option<i64>,
        is_any_enough: bool,
    ) {
        let Some((task, rest)) = tasks.split_first() else {
            *best = Some(best.map_or(cost, |best| best.min(cost)));
            return;
        };
        for start in 0..=self.horizon() {
            let cost = cost + self.cost_of(task, start);
            let is_hopeless = best.is_some_and(|best| is_any_enough || cost >= best);
            if !is_hopeless && self.allows(names, starts, task, start) {
                starts.insert(task.name.clone(), start);
                self.extend(names, rest, cost, starts, best, is_any_enough);
                starts.remove(&task.name);
            }
        }
    }

    fn horizon(&self) -> i64 {
        let times = [&self.release, &self.fixed, &self.plan].map(|times| times.values().max().copied());
        let downs = self.downs.iter().map(|down| down.2).max();
        let last = times.into_iter().chain([downs, Some(self.now)]).flatten().max().unwrap_or(0);
        last + self.tasks.iter().map(|task| task.duration).sum::<i64>()
    }

    /// Checks a plan and what is said about it, and goes on with it.
    fn accept(&mut self, step: &Value) {
        let mut starts = Starts::new();
        let plan = step["plan"].as_array().expect("a plan");
        assert_eq!(plan.len(), self.tasks.len(), "{step}");
        let names = self.names();
        let (mut cost, mut ends, mut late, mut moved) = (0, 0, 0, 0);
        for (task, said) in self.tasks.iter().zip(plan) {
            let start = said["start"].as_i64().expect("a start");
            let end = start + task.duration;
            assert_eq!(
                (&said["task"], &said["machine"]),
                (&task.name.as_str().into(), &task.machine.as_str().into())
            );
            assert_eq!(said["end"], end);
            assert!(start >= 0 && self.allows(&names, &starts, task, start), "{said} in {step}\n{self:?}");
            starts.insert(task.name.clone(), start);
            cost += self.cost_of(task, start);
            moved += self.plan.get(&task.name).map_or(0, |old| (start - old).abs());
            if self.is_last(task) {
                ends += end;
                late += self.due.get(&task.job).map_or(0, |due| (end - due).max(0));
            }
        }
        for (what, value) in [("total", cost), ("ends", ends), ("late", late), ("moved", moved)] {
            assert_eq!(step["cost"][what], value, "{what} in {step}");
        }
        let bound = step["cost"]["at_least"].as_i64().expect("a bound");
        assert_eq!(step["is_best"], bound >= cost, "{step}");
        assert!(bound <= cost);
        let moves: Vec<(String, i64, i64)> = self
            .tasks
            .iter()
            .filter_map(|task| Some((task.name.clone(), *self.plan.get(&task.name)?, starts[&task.name])))
            .filter(|(_, from, to)| from != to)
            .collect();
        let said = step["moved"].as_array().expect("moves").iter().map(|m| {
            (m["task"].as_str().unwrap().to_owned(), m["from"].as_i64().unwrap(), m["to"].as_i64().unwrap())
        });
        assert_eq!(said.collect::<Vec<_>>(), moves, "{step}");
        self.plan = starts;
    }

    /// Checks that the names of a conflict cannot hold together, and all but one of them can. Returns how many there
    /// are.
    fn refuse(&self, step: &Value) -> usize {
        let said = step["conflict"].as_array().expect("names");
        let conflict: Vec<String> = said.iter().map(|name| name.as_str().unwrap().to_owned()).collect();
        let known = self.names();
        assert!(
            !conflict.is_empty() && conflict.iter().all(|name| known.contains(name)),
            "{step} of {known:?}"
        );
        assert_eq!(step["is_minimal"], true, "{step}");
        assert!(!self.is_possible(&conflict), "{step}\n{self:?}");
        for left_out in &conflict {
            let rest: Vec<String> = conflict.iter().filter(|name| *name != left_out).cloned().collect();
            assert!(self.is_possible(&rest), "'{left_out}' is not needed in {step}\n{self:?}");
        }
        conflict.len()
    }
}

/// What was seen in a run.
#[derive(Debug, Default)]
struct Seen {
    planned: usize,
    impossible: usize,
    void: usize,
    largest_conflict: usize,
}

/// Checks all that was printed for a file; that the best is the best only where that is asked for, as it takes long.
fn checked(text: &str, run: &Run, is_small: bool) -> (Seen, Shop) {
    let mut lines =
        text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'));
    let mut shop = Shop::default();
    let (mut change, mut seen) = (None, Seen::default());
    for (line, at) in lines.by_ref() {
        match line.split_whitespace().next() {
            Some("machines") => {}
            Some("job") => assert!(shop.apply(line)),
            _ => {
                change = Some((line, at));
                break;
            }
        }
    }
    let mut changes = change.into_iter().chain(lines);
    for (number, step) in run.out.lines().enumerate() {
        let step: Value = serde_json::from_str(step).expect("JSON");
        let mut changed = shop.clone();
        let mut is_there = true;
        if number > 0 {
            let (line, at) = changes.next().expect("a change for each line");
            assert_eq!(step["line"], at);
            is_there = changed.apply(line);
        }
        match step["outcome"].as_str().expect("an outcome") {
            "planned" => {
                assert!(is_there);
                if is_small {
                    let tasks: Vec<&Task> = changed.tasks.iter().collect();
                    assert_eq!(step["is_best"], true, "{step}");
                    assert_eq!(
                        step["cost"]["total"].as_i64(),
                        changed.least(&changed.names(), &tasks),
                        "{step}"
                    );
                }
                changed.accept(&step);
                shop = changed;
                seen.planned += 1;
            }
            "impossible" => {
                assert!(is_there);
                seen.largest_conflict = seen.largest_conflict.max(changed.refuse(&step));
                seen.impossible += 1;
            }
            "void" => {
                assert!(!is_there, "{step}");
                seen.void += 1;
            }
            outcome => panic!("{outcome}: {step}"),
        }
    }
    (seen, shop)
}

#[test]
fn the_sample_is_planned_and_its_impossible_changes_are_refused() {
    let text = sample();
    let json = run(&["-", "--format", "json"], &text);
    assert_eq!(json.code, Some(1), "{}", json.err);
    let (seen, _) = checked(&text, &json, false);
    assert!(seen.planned >= 8 && seen.impossible >= 2 && seen.largest_conflict >= 3, "{seen:?}");
    assert!(json.out.lines().all(|line| !line.contains(r#""is_best":false"#)), "{}", json.out);
    assert_eq!(json.out.lines().count(), seen.planned + seen.impossible);

    // The same in words.
    let words = run(&["-"], &text);
    assert_eq!(words.code, Some(1), "{}", words.err);
    for step in json.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        if let Some(change) = step["change"].as_str() {
            assert!(words.out.contains(&format!("line {}: {change}\n", step["line"])), "{}", words.out);
        }
        for m in step["moved"].as_array().into_iter().flatten() {
            let line = format!("  {}: {} → {}\n", m["task"].as_str().unwrap(), m["from"], m["to"]);
            assert!(words.out.contains(&line), "{line} in {}", words.out);
        }
        for name in step["conflict"].as_array().into_iter().flatten() {
            assert!(words.out.contains(&format!("'{}'", name.as_str().unwrap())), "{}", words.out);
        }
    }
    assert!(words.out.contains("cannot all hold") && words.out.contains("\npress |"), "{}", words.out);
}

#[test]
fn on_small_shops_best_plans_are_best_and_impossible_changes_are_impossible() {
    let mut rng = fastrand::Rng::with_seed(11);
    let mut all = Seen::default();
    for _ in 0..40 {
        let mut text = String::from("machines x y\n");
        let task = |rng: &mut fastrand::Rng, name: &str| {
            format!("{name} {} {}", ["x", "y"][rng.usize(0..2)], rng.i64(1..4))
        };
        let job = |rng: &mut fastrand::Rng, name: &str| {
            let release = if rng.bool() { format!(" release {}", rng.i64(0..5)) } else { String::new() };
            let due = if rng.bool() { format!(" due {}", rng.i64(2..9)) } else { String::new() };
            let second = if rng.bool() { format!(", {}", task(rng, "q")) } else { String::new() };
            format!("job {name}{release}{due}: {}{second}\n", task(rng, "p"))
        };
        let _ = write!(text, "{}{}", job(&mut rng, "a"), job(&mut rng, "b"));
        let (mut now, mut jobs, mut is_added) = (0, vec!["a", "b"], false);
        for _ in 0..5 {
            let name = jobs[rng.usize(0..jobs.len())];
            text += &match rng.u8(0..8) {
                0 if !is_added => {
                    is_added = true;
                    jobs.push("c");
                    format!("add {}", job(&mut rng, "c"))
                }
                1 if jobs.len() > 1 => {
                    jobs.retain(|other| *other != name);
                    format!("drop {name}\n")
                }
                2 | 3 => {
                    let from = rng.i64(now..now + 6);
                    format!("down {} {from} {}\n", ["x", "y"][rng.usize(0..2)], from + rng.i64(1..4))
                }
                4 | 5 => format!("fix {name}.p at {}\n", rng.i64(now..now + 6)),
                6 => format!("deadline {name} {}\n", rng.i64(now + 2..now + 10)),
                7 => {
                    now += rng.i64(0..3);
                    format!("now {now}\n")
                }
                _ => format!("free {name}.p\n"),
            };
        }
        let run = run(&["-", "--format", "json"], &text);
        let (seen, _) = checked(&text, &run, true);
        assert_eq!(seen.planned + seen.impossible + seen.void, 6, "{text}{}", run.out);
        assert_eq!(run.code, Some(i32::from(seen.impossible + seen.void > 0)), "{text}{}", run.err);
        all.planned += seen.planned;
        all.impossible += seen.impossible;
        all.void += seen.void;
        all.largest_conflict = all.largest_conflict.max(seen.largest_conflict);
    }
    println!("{all:?}");
    assert!(all.planned > 100 && all.impossible > 20 && all.largest_conflict > 2, "{all:?}");
}

/// Fifteen jobs on ten machines, too many for a proof in the time of a test.
fn large() -> String {
    let mut rng = fastrand::Rng::with_seed(15);
    let mut text = String::from("machines 0 1 2 3 4 5 6 7 8 9\n");
    for job in 0..15 {
        let mut machines: Vec<usize> = (0..10).collect();
        rng.shuffle(&mut machines);
        let tasks: Vec<String> = machines.iter().map(|m| format!("on{m} {m} {}", rng.i64(1..100))).collect();
        let _ = writeln!(text, "job j{job} due 900: {}", tasks.join(", "));
    }
    text + "down 3 100 250\nfix j4.on2 at 1200\nadd job more due 300: one 1 40, two 2 40\nnow 120\n"
}

#[test]
fn it_keeps_to_its_budget_with_the_best_plan_so_far() {
    let (text, before) = (large(), Instant::now());
    let run = run(&["-", "--format", "json", "--budget", "1", "--verbose"], &text);
    assert!(before.elapsed() < Duration::from_secs(40), "{:?}", before.elapsed());
    assert_eq!(run.code, Some(0), "{}{}", run.err, run.out);
    let (seen, _) = checked(&text, &run, false);
    assert_eq!((seen.planned, run.out.lines().count()), (5, 5));
    assert!(run.out.contains(r#""is_best":false"#) && run.err.contains("a plan that costs"));
}

#[test]
fn without_time_there_is_no_plan() {
    let run = run(&["-", "--budget", "0"], &large());
    assert_eq!(run.code, Some(3), "{}", run.err);
    assert!(run.out.contains("given up") && !run.out.contains('→'), "{}", run.out);
}

#[cfg(unix)]
#[test]
fn after_ctrl_c_it_ends_with_the_best_plan_so_far() {
    use std::io::{BufRead, BufReader, Write};
    let text = large();
    let mut child = common::start("replan", &["-", "--format", "json", "--budget", "1000", "--verbose"]);
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
    // When it has found something, it is told to stop.
    let mut err = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    err.read_line(&mut line).expect("it finds a plan");
    assert!(line.contains("a plan that costs"), "{line}");
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.is_ok_and(|status| status.success()));
    let before = Instant::now();
    let told: Vec<String> = err.lines().map_while(Result::ok).collect();
    let run = common::end(child);
    assert!(before.elapsed() < Duration::from_secs(10));
    assert_eq!(run.code, Some(3), "{told:?}");
    assert_eq!(told.last().map(String::as_str), Some("told to stop: 4 changes were not looked at"));
    let (seen, _) = checked(&text, &run, false);
    assert_eq!((seen.planned, run.out.lines().count()), (1, 1));
}

#[test]
fn an_impossible_shop_is_refused_at_once() {
    let text = "machines x\njob a: p x 3\ndeadline a 2\ndrop a\nfix a.p at 0\nadd job a: p x 1\n";
    // The drop of a job is a change; the lines after it speak of what is no more.
    let refused = run(&["-"], text);
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(refused.err.contains("-:5: there is no task a.p"), "{}", refused.err);
    let text = "machines x\njob a: p x 3\ndeadline a 2\n";
    let refused = run(&["-"], text);
    assert_eq!(refused.code, Some(1));
    assert!(refused.out.contains("'deadline of a at 2' cannot hold"), "{}", refused.out);
    let text = "machines x\njob a: p x 3\nfix a.p at 0\nnow 2\nadd job b: p x 1\ndeadline b 1\nfree b.p\ndown x 1 2\n";
    let refused = run(&["-", "--format", "json"], text);
    let (seen, _) = checked(text, &refused, true);
    assert_eq!((seen.planned, seen.impossible, refused.code), (5, 2, Some(1)), "{}", refused.out);
}

#[test]
fn nothing_to_plan_is_planned() {
    let none = run(&["-"], "machines x\nnow 3\nadd job a: p x 2\ndrop a\n");
    assert_eq!(none.code, Some(0), "{}{}", none.out, none.err);
}

#[test]
fn bad_input_is_refused_with_its_line() {
    let shop = "machines x y\njob a: p x 3, q y 2\n";
    for (text, words) in [
        ("", "-: there are no machines"),
        ("# nothing\n", "-: there are no machines"),
        ("machines\n", "-: there are no machines"),
        ("machines x x\n", "-:1: machine x is there twice"),
        ("machines x\nmachines y\n", "-:2: the machines were told before"),
        ("machines x, y\n", "-:1: the name of a machine"),
        ("machines \u{1b}[31m\n", "-:1: the name of a machine"),
        ("job a: p x 3\n", "-:1: there is no machine x"),
        ("machines x\njob\n", "-:2: a job is missing"),
        ("machines x\njob a\n", "-:2: ':' is missing"),
        ("machines x\njob a:\n", "-:2: a task is missing"),
        ("machines x\njob a: p\n", "-:2: a machine is missing"),
        ("machines x\njob a: p x\n", "-:2: the duration is missing"),
        ("machines x\njob a: p x 0\n", "-:2: task a.p takes no time"),
        ("machines x\njob a: p x -1\n", "-:2: the duration is '-1'"),
        ("machines x\njob a: p x 99999999999999999999\n", "-:2: the duration is '9999"),
        ("machines x\njob a: p x 1000001\n", "-:2: the duration is 1000001, more than 1000000"),
        ("machines x\njob a: p x 1,\n", "-:2: a task is missing"),
        ("machines x\njob a: p x 1, p x 2\n", "-:2: task a.p is there twice"),
        ("machines x\njob a: p x 1 2\n", "-:2: '2' is too much"),
        ("machines x\njob a.b: p x 1\n", "-:2: the name of a job"),
        ("machines x\njob a due: p x 1\n", "-:2: when it is due is ':'"),
        ("machines x\njob a release 2 4: p x 1\n", "-:2: expected ':'"),
        (&format!("{shop}job a: p x 3\n"), "-:3: there is a job a already"),
        (&format!("{shop}add a: p x 3\n"), "-:3: expected 'job'"),
        (&format!("{shop}add job a: p x 3\n"), "-:3: there is a job a already"),
        (&format!("{shop}now 3\njob b: p x 3\n"), "-:4: after the first change, a job is added by 'add job'"),
        (&format!("{shop}now 3\nnow 2\n"), "-:4: it is 3 already"),
        (&format!("{shop}down z 1 2\n"), "-:3: there is no machine z"),
        (&format!("{shop}down x 2 2\n"), "-:3: from 2 to 2 is no time"),
        (&format!("{shop}down x 2\n"), "-:3: the end is missing"),
        (&format!("{shop}fix a.r at 2\n"), "-:3: there is no task a.r"),
        (&format!("{shop}fix a.p 2\n"), "-:3: expected 'at'"),
        (&format!("{shop}fix a.p at soon\n"), "-:3: the start is 'soon'"),
        (&format!("{shop}free b.p\n"), "-:3: there is no task b.p"),
        (&format!("{shop}deadline b 4\n"), "-:3: there is no job b"),
        (&format!("{shop}drop b\n"), "-:3: there is no job b"),
        (&format!("{shop}pause\n"), "-:3: expected machines, job, add job"),
    ] {
        let run = run(&["-"], text);
        assert_eq!((&*run.out, run.code), ("", Some(2)), "{text:?}: {}", run.err);
        assert!(run.err.contains(words), "{text:?}: {}", run.err);
    }
    let many: String = (0..501).map(|i| format!("job j{i}: p x 1\n")).collect();
    let run = run(&["-"], &format!("machines x\n{many}"));
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("-:502: more than 500 tasks"), "{}", run.err);
}
