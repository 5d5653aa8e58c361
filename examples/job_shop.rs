//! Job shop scheduling: each job visits machines in an order of its own, and a machine does one task at a time.
//! What is the shortest time in which all of it is done?

mod common;

use std::ops::ControlFlow;
use std::process::ExitCode;

use clap::Parser;
use common::gantt::{self, Bar};
use common::{Watch, note, say, text::Text};
use csp_core::prelude::*;

/// Finds the shortest schedule of a job shop, and proves that none is shorter.
///
/// The file begins with the numbers of jobs and of machines; then follows a line for each job: for each of its
/// tasks the machine, from 0, and the duration. Lines that begin with # are comments.
///
/// The answer is a line `job J: S S S …` for each job, with the start of each of its tasks. Better schedules
/// are told on the standard error as they are found. Ctrl-C, like a time limit, ends the search with the best so far.
///
/// Exit codes: 0 a schedule was found, 2 bad input, 3 stopped before one was found.
#[derive(Parser)]
#[command(name = "job_shop")]
struct Arguments {
    /// The job shop, or - for the standard input
    file: String,
    /// Write a picture of the schedule to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,
    /// Do not draw the schedule as text
    #[arg(long)]
    no_picture: bool,
    /// Search without learning from failures
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    common: common::Common,
}

/// A task of a job.
struct Task {
    machine: usize,
    duration: i64,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let (jobs, machines) = read(&arguments.file);
    // One task after the other is a schedule.
    let horizon = jobs.iter().flatten().map(|task| task.duration).sum::<i64>();

    let mut model = Model::new();
    let end = model.int(0..=horizon);
    let mut on_machine = vec![Vec::new(); machines];
    let starts: Vec<Vec<IntVar>> = jobs
        .iter()
        .map(|job| {
            let starts = model.ints(job.len(), 0..=horizon);
            for (task, pair) in job.iter().zip(starts.windows(2)) {
                model.post(rule!(pair[0] + task.duration <= pair[1]));
            }
            for (task, &start) in job.iter().zip(&starts) {
                on_machine[task.machine].push((start, task.duration));
            }
            if let (Some(task), Some(&start)) = (job.last(), starts.last()) {
                model.post(rule!(start + task.duration <= end));
            }
            starts
        })
        .collect();
    for tasks in &on_machine {
        // Which of two tasks comes first is what the search decides on.
        model.post(no_overlap(tasks.iter().copied()).with_precedences());
    }

    let mut solver = arguments.common.solver(&model);
    solver.set_mode(if arguments.plain { Mode::Plain } else { Mode::Learning });
    let (watch, progress) = (Watch::on(&solver), solver.progress());
    let best = solver.minimise_with(end, |_, length| {
        let bound = progress.bound().unwrap_or(0);
        watch.note(format!("a schedule of {length}, of at least {bound}"));
        ControlFlow::Continue(())
    });
    drop(watch);
    let best = best.unwrap_or_else(|mistake| common::fail(&mistake.to_string()));
    if let Some(schedule) = best.solution() {
        let length = schedule[end];
        for (j, starts) in starts.iter().enumerate() {
            let starts: Vec<String> = schedule.values(starts).iter().map(i64::to_string).collect();
            say(format!("job {j}: {}", starts.join(" ")));
        }
        let bars: Vec<Bar> = jobs
            .iter()
            .zip(&starts)
            .enumerate()
            .flat_map(|(job, (tasks, starts))| {
                let bar = move |(task, &start): (&Task, &IntVar)| Bar {
                    machine: task.machine,
                    job,
                    start: schedule[start],
                    duration: task.duration,
                };
                tasks.iter().zip(starts).map(bar)
            })
            .collect();
        if !arguments.no_picture {
            let rows: Vec<String> = (0..machines).map(|machine| format!("machine {machine:>2}")).collect();
            say(format!("\n{}\n", gantt::text(&bars, &rows, length)));
        }
        let verdict = match best.bound() {
            Some(bound) if bound < length => format!("length {length}, of at least {bound}"),
            _ => format!("length {length}, the shortest possible"),
        };
        if let Some(file) = &arguments.svg {
            let picture = gantt::svg(&bars, machines, length, &verdict);
            std::fs::write(file, picture).unwrap_or_else(|error| common::fail(&format!("{file}: {error}")));
        }
        say(verdict);
    } else if let Some(bound) = best.bound() {
        note(format!("every schedule takes at least {bound}"));
    }
    arguments.common.end(&solver, best.solution().is_some())
}

/// The tasks of each job, and the number of machines.
fn read(file: &str) -> (Vec<Vec<Task>>, usize) {
    const MOST: i64 = 1000;
    const LONGEST: i64 = 1_000_000_000;
    let text = Text::read(file);
    let mut lines = text.lines().filter(|line| !line.words[0].starts_with('#'));
    let Some(head) = lines.next() else { text.fail("no job shop: the file is empty") };
    let [count, machines] = [(0, "the number of jobs"), (1, "the number of machines")].map(|(word, what)| {
        let number = head.number(word, what);
        if number > MOST {
            head.fail(&format!("{what} is {number}, more than {MOST}"));
        }
        number as usize
    });
    if head.words.len() > 2 {
        head.fail("expected two numbers, of jobs and of machines");
    }
    let mut jobs = Vec::with_capacity(count);
    for line in lines {
        if jobs.len() == count {
            line.fail(&format!("more than the {count} jobs announced"));
        }
        if line.words.len() % 2 == 1 {
            line.fail("the duration of the last task is missing");
        }
        let task = |i: usize| {
            let (machine, duration) = (line.number(2 * i, "a machine"), line.number(2 * i + 1, "a duration"));
            if machine >= machines as i64 {
                line.fail(&format!("there is no machine {machine}, only 0 to {}", machines as i64 - 1));
            }
            if duration > LONGEST {
                line.fail(&format!("a task takes {duration}, more than {LONGEST}"));
            }
            Task { machine: machine as usize, duration }
        };
        jobs.push((0..line.words.len() / 2).map(task).collect());
    }
    if jobs.len() < count {
        text.fail(&format!("{count} jobs are announced, but there are {}", jobs.len()));
    }
    (jobs, machines)
}
