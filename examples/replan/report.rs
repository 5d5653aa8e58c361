//! Writing what came of a change.

use std::fmt::Write;
use std::time::Duration;

use serde_json::{Value, json};

use super::common::gantt::{self, Bar};
use super::common::say;
use super::input::Event;
use super::shop::Shop;
use super::{Answer, Arguments, Weights};

/// What came of a change, or of the first plan if there was none.
pub(crate) struct Report<'a> {
    pub(crate) event: Option<&'a Event>,
    pub(crate) old: &'a Shop,
    /// With the new plan, if there is one.
    pub(crate) new: &'a Shop,
    /// Or the words why there was nothing to change.
    pub(crate) answer: &'a Result<Answer, String>,
    pub(crate) time: Duration,
}

/// What a plan costs.
struct Cost {
    ends: i64,
    late: i64,
    moved: i64,
    total: i64,
}

/// A task of both plans, and its starts.
struct Move<'a> {
    task: &'a str,
    from: i64,
    to: i64,
}

impl Report<'_> {
    pub(crate) fn write(&self, arguments: &Arguments) {
        match arguments.format.as_str() {
            "json" => say(self.json(arguments.weights())),
            _ => say(self.text(arguments.weights())),
        }
    }

    fn text(&self, weights: Weights) -> String {
        let title = match self.event {
            None => "the first plan".to_owned(),
            Some(event) => format!("line {}: {}", event.line, event.words),
        };
        let mut out = format!("{title}\n  ");
        let answer = match self.answer {
            Ok(answer) => answer,
            Err(wrong) => {
                let _ = writeln!(out, "nothing to change: {wrong}");
                return out;
            }
        };
        let seconds = self.time.as_secs_f64();
        let _ = match answer {
            Answer::Plan { bound, .. } => {
                let Cost { ends, late, moved, total } = self.cost(weights);
                let best = if *bound >= total { "the best".to_owned() } else { format!("at least {bound}") };
                writeln!(
                    out,
                    "planned in {seconds:.3} s, cost {total} ({best}): {ends} for the ends of jobs + {} x {late} late + {} x {moved} moved",
                    weights.late, weights.moved
                )
            }
            Answer::Impossible { names, is_minimal } => {
                let _ = writeln!(out, "refused after {seconds:.3} s: {}", sentence(names));
                if *is_minimal {
                    Ok(())
                } else {
                    writeln!(out, "  (the time was up before the least that cannot hold together was known)")
                }
            }
            Answer::Open(why) => writeln!(out, "given up after {seconds:.3} s without a plan: {why}"),
        };
        if let Answer::Plan { .. } = answer {
            for Move { task, from, to } in self.moves().filter(|moved| moved.from != moved.to) {
                let _ = writeln!(out, "  {task}: {from} → {to}");
            }
            for task in self.new.tasks().filter(|task| !self.is_planned(&task.name)) {
                let (machine, start) = (&self.new.machines[task.machine], task.start.unwrap_or(0));
                let _ = writeln!(out, "  {}: {start} to {} on {machine}", task.name, start + task.duration);
            }
        }
        out
    }

    fn json(&self, weights: Weights) -> Value {
        let mut object = json!({
            "line": self.event.map(|event| event.line),
            "change": self.event.map(|event| &event.words),
            "seconds": self.time.as_secs_f64(),
        });
        let more = match self.answer {
            Ok(Answer::Plan { bound, .. }) => {
                let Cost { ends, late, moved, total } = self.cost(weights);
                let task = |task: &super::shop::Task| {
                    json!({
                        "task": task.name, "machine": self.new.machines[task.machine],
                        "start": task.start, "end": task.end(),
                    })
                };
                let moves = self.moves().filter(|moved| moved.from != moved.to);
                json!({
                    "outcome": "planned", "is_best": *bound >= total,
                    "cost": {"total": total, "ends": ends, "late": late, "moved": moved, "at_least": bound},
                    "moved": moves.map(|m| json!({"task": m.task, "from": m.from, "to": m.to})).collect::<Vec<_>>(),
                    "plan": self.new.tasks().map(task).collect::<Vec<_>>(),
                })
            }
            Ok(Answer::Impossible { names, is_minimal }) => {
                json!({"outcome": "impossible", "conflict": names, "is_minimal": is_minimal})
            }
            Ok(Answer::Open(why)) => json!({"outcome": "open", "why": why.to_string()}),
            Err(wrong) => json!({"outcome": "void", "why": wrong}),
        };
        if let (Value::Object(object), Value::Object(mut more)) = (&mut object, more) {
            object.append(&mut more);
        }
        object
    }

    /// By definition, without a look at what the search says.
    fn cost(&self, weights: Weights) -> Cost {
        let ends = self.new.jobs.iter().filter_map(|job| Some((job.tasks.last()?.end()?, job.due)));
        let (mut sum, mut late) = (0, 0);
        for (end, due) in ends {
            sum += end;
            late += due.map_or(0, |due| (end - due).max(0));
        }
        let moved = self.moves().map(|Move { from, to, .. }| (to - from).abs()).sum::<i64>();
        Cost { ends: sum, late, moved, total: sum + weights.late * late + weights.moved * moved }
    }

    /// The tasks of both plans.
    fn moves(&self) -> impl Iterator<Item = Move<'_>> {
        self.old.tasks().filter_map(|old| {
            let new = self.new.tasks().find(|task| task.name == old.name)?;
            Some(Move { task: &new.name, from: old.start?, to: new.start? })
        })
    }

    fn is_planned(&self, name: &str) -> bool {
        self.old.tasks().any(|task| task.name == name && task.start.is_some())
    }
}

/// `'a', 'b' and 'c' cannot all hold`
fn sentence(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    match &*quoted {
        [] => "it is impossible".to_owned(),
        [name] => format!("{name} cannot hold"),
        [a, b] => format!("{a} and {b} cannot both hold"),
        [most @ .., last] => format!("{} and {last} cannot all hold", most.join(", ")),
    }
}

/// The plan as text: a row for each machine.
pub(crate) fn picture(shop: &Shop) -> String {
    let mut bars = Vec::new();
    for (job, tasks) in shop.jobs.iter().enumerate() {
        for task in &tasks.tasks {
            let Some(start) = task.start else { continue };
            bars.push(Bar { machine: task.machine, job, start, duration: task.duration });
        }
    }
    let end = bars.iter().map(|bar| bar.start + bar.duration).max().unwrap_or(0);
    for down in shop.downs.iter().filter(|down| down.from < end) {
        let duration = down.to.min(end) - down.from;
        bars.push(Bar { machine: down.machine, job: gantt::NO_JOB, start: down.from, duration });
    }
    let mut out = gantt::text(&bars, &shop.machines, end);
    if !shop.downs.is_empty() {
        let _ = write!(out, ", # is down");
    }
    for (number, job) in shop.jobs.iter().enumerate() {
        let ends = job.tasks.last().and_then(|task| task.end()).unwrap_or(0);
        let due = match job.due {
            Some(due) if ends > due => format!(", late by {}", ends - due),
            Some(due) => format!(", due at {due}"),
            None => String::new(),
        };
        let _ = write!(out, "\n{} is {}, which ends at {ends}{due}", gantt::label(number), job.name);
    }
    out
}
