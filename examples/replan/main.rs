//! Keeping a plan while things change: a job comes in, a machine is down, a person wants a task at a certain time.
//! After each change the plan is mended, moving as little as possible; what cannot be is refused, with the reason.
//!
//! The model is [`Plan::new`], what is wanted of it [`Plan::cost`]. Both are made anew of the [`Shop`] for each change, so that a
//! change is refused by going on with the shop as it was. The last plan is where the search begins: [`solve`].

#[path = "../common/mod.rs"]
mod common;
mod input;
mod report;
mod shop;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use common::note;
use csp_core::prelude::*;
use report::Report;
use shop::Shop;

/// The shop as a model.
struct Plan {
    model: Model,
    /// The start of each task of each job.
    starts: Vec<Vec<IntVar>>,
}

impl Plan {
    /// What must hold. Each constraint has a name that a planner understands: if all of it cannot be, these tell why.
    fn new(shop: &Shop) -> Plan {
        let mut model = Model::new();
        let horizon = shop.horizon();
        let mut on_machine = vec![Vec::new(); shop.machines.len()];
        let mut starts = Vec::new();
        for job in &shop.jobs {
            let name = &job.name;
            let of_job = model.ints(job.tasks.len(), 0..=horizon);
            model
                .post_named(format!("release of {name} at {}", job.release), rule!(of_job[0] >= job.release));
            for (task, pair) in job.tasks.iter().zip(of_job.windows(2)) {
                model.post_named(format!("order of {name}"), rule!(pair[0] + task.duration <= pair[1]));
            }
            for (task, &start) in job.tasks.iter().zip(&of_job) {
                let name = &task.name;
                on_machine[task.machine].push((start, task.duration));
                if let Some(time) = task.fixed {
                    model.post_named(format!("fix {name} at {time}"), rule!(start = time));
                }
                match task.start {
                    Some(time) if shop.has_begun(task) => {
                        model.post_named(format!("{name} has begun at {time}"), rule!(start = time));
                    }
                    _ => {
                        let now = shop.now;
                        model.post_named(format!("nothing else begins before {now}"), rule!(start >= now));
                    }
                }
            }
            if let (Some(deadline), Some(task), Some(&start)) =
                (job.deadline, job.tasks.last(), of_job.last())
            {
                let name = format!("deadline of {name} at {deadline}");
                model.post_named(name, rule!(start + task.duration <= deadline));
            }
            starts.push(of_job);
        }
        for (machine, tasks) in shop.machines.iter().zip(&on_machine) {
            let constraint = no_overlap(tasks.iter().copied()).with_precedences();
            model.post_named(format!("one task at a time on {machine}"), constraint);
        }
        for down in &shop.downs {
            let name = format!("{} down from {} to {}", shop.machines[down.machine], down.from, down.to);
            for &(start, duration) in &on_machine[down.machine] {
                model.post_named(&name, rule!(start + duration <= down.from | start >= down.to));
            }
        }
        Plan { model, starts }
    }

    /// The order of the tasks of each machine is as in the last plan.
    fn order(&self, shop: &Shop) -> Vec<BoolExpr> {
        let mut order = Vec::new();
        for machine in 0..shop.machines.len() {
            let tasks = shop.tasks().zip(self.starts.iter().flatten());
            let on_it = tasks.filter(|(task, _)| task.machine == machine && task.start.is_some());
            let mut on_it: Vec<_> = on_it.collect();
            on_it.sort_by_key(|(task, _)| task.start);
            order.extend(on_it.windows(2).map(|pair| {
                let [(task, &start), (_, &next)] = [pair[0], pair[1]];
                rule!(start + task.duration <= next)
            }));
        }
        order
    }

    /// What is to be small: the ends of all jobs; how late they are; and how far tasks move that are in the plan already.
    fn cost(&self, shop: &Shop, weights: Weights) -> IntExpr {
        let (mut ends, mut late, mut moved) = (Vec::new(), Vec::new(), Vec::new());
        for (job, starts) in shop.jobs.iter().zip(&self.starts) {
            let (Some(task), Some(&start)) = (job.tasks.last(), starts.last()) else { continue };
            ends.push(start + task.duration);
            late.extend(job.due.map(|due| maximum([IntExpr::from(start + task.duration - due), 0.into()])));
            for (task, &start) in job.tasks.iter().zip(starts) {
                moved.extend(task.start.map(|old| IntExpr::from(start - old).abs()));
            }
        }
        sum(ends) + weights.late * sum(late) + weights.moved * sum(moved)
    }
}

/// What a unit of time counts, where one of the end of a job counts 1.
#[derive(Clone, Copy)]
struct Weights {
    late: i64,
    moved: i64,
}

/// What came of an attempt to plan.
enum Answer {
    /// The starts of all tasks, and the least that any plan costs.
    Plan { starts: Vec<Vec<i64>>, bound: i64 },
    /// These names cannot hold together; all of them are needed for that if it is minimal. None of them if the
    /// time was up before that was known.
    Impossible { names: Vec<String>, is_minimal: bool },
    /// Neither was found in time.
    Open(Stop),
}

/// Plans, beginning with the last plan, until the best plan is found, the time is up, or the handle is used.
fn solve(shop: &Shop, arguments: &Arguments, handle: &StopHandle) -> Result<Answer, ModelError> {
    let begin = Instant::now();
    let plan = Plan::new(shop);
    let mut solver = plan.model.solver()?;
    solver.set_stop_handle(handle);
    let cost = plan.cost(shop, arguments.weights());
    let starts = || plan.starts.iter().flatten().copied();

    // First with the order of tasks on the machines as it was. That is quickly decided, but it may not be possible, and
    // another order may be better: it is only assumed.
    solver.set_hints(early_first(starts().zip(shop.tasks().map(|task| task.start))));
    let order = plan.order(shop);
    let mut mended = None;
    if !order.is_empty() {
        solver.set_assumptions(order)?;
        solver.set_limits(Limits::new().time(arguments.budget / 4));
        let (back, found) = search(solver, cost.clone(), arguments)?;
        (solver, mended) = (back, found.into_solution());
        solver.set_assumptions::<BoolExpr>([])?;
    }

    // Then from there on, with any order.
    if let Some(mended) = &mended {
        solver.set_hints(early_first(starts().map(|start| (start, Some(mended[start])))));
    }
    solver.set_limits(Limits::new().time(arguments.budget.saturating_sub(begin.elapsed())));
    let (mut solver, best) = search(solver, cost, arguments)?;

    // The first search may have found a plan that the second one had no time to find again.
    if let Some(solution) = best.solution().or(mended.as_ref()) {
        let starts = plan.starts.iter().map(|starts| solution.values(starts)).collect();
        return Ok(Answer::Plan { starts, bound: best.bound().unwrap_or(0) });
    }
    if let Optimum::Stopped { why, .. } = best {
        return Ok(Answer::Open(why));
    }
    solver.set_limits(Limits::new().time(arguments.budget));
    let Infeasibility::Conflict { constraints, is_minimal } = solver.explain_infeasibility()? else {
        return Ok(Answer::Impossible { names: Vec::new(), is_minimal: false });
    };
    let mut names = Vec::new();
    for name in constraints.iter().filter_map(|&id| plan.model.constraint_name(id)) {
        // It may be that of several constraints.
        if !names.iter().any(|other| other == name) {
            names.push(name.to_owned());
        }
    }
    Ok(Answer::Impossible { names, is_minimal })
}

/// Searches for a cheapest plan on a thread of its own. A program with more to do would look now and then for what
/// it has found.
fn search(solver: Solver, cost: IntExpr, arguments: &Arguments) -> Result<(Solver, Optimum), ModelError> {
    let mut search = solver.minimise_in_background(cost)?;
    for (_, cost) in &mut search {
        if arguments.verbose {
            note(format!("a plan that costs {cost}"));
        }
    }
    Ok(search.join())
}

/// Starts as hints. What is early is decided first, so that what has to move makes room for itself among what is later.
fn early_first(starts: impl Iterator<Item = (IntVar, Option<i64>)>) -> Vec<(IntVar, i64)> {
    let mut hints: Vec<(IntVar, i64)> = starts.filter_map(|(start, time)| Some((start, time?))).collect();
    hints.sort_by_key(|&(_, time)| time);
    hints
}

/// Makes a plan for a workshop, and mends it after each change, moving as little as possible.
///
/// The file is read line by line; lines that begin with # are comments. First come the machines and the jobs, whose
/// tasks are done one after the other, each on its machine for a time:
///
///   machines saw press
///   job shelf: cut saw 4, weld press 3
///   job table release 2 due 20: cut saw 5, weld press 4
///
/// A job starts at its release or later. It should end when it is due; it costs if it is late. Then follow changes:
///
///   add job chair due 12: cut saw 1, weld press 1
///   drop job chair
///   down press 6 9             the machine does nothing from 6 to 9
///   fix table.weld at 12       the task starts at 12
///   free table.weld            … or when it may
///   deadline table 18          the job must end by 18
///   now 5                      what was to start before has started, all else starts at 5 or later
///
/// The best plan costs least: the sum of the ends of all jobs, and 10 for each unit of time that a job is late, and
/// 2 for each that a task starts before or after it did in the last plan. A change that is impossible is refused,
/// with those of the rules that cannot hold together, and the plan stays as it was.
///
/// Exit codes: 0 all changes were made, 1 something was impossible, 2 bad input, 3 the time was up, or Ctrl-C was pressed,
/// before a plan was found for each change.
#[derive(Parser)]
#[command(name = "replan", verbatim_doc_comment)]
struct Arguments {
    /// The workshop and the changes, or - for the standard input
    file: String,
    /// Take the best plan so far after so many seconds for each change
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = common::seconds)]
    budget: Duration,
    /// What a unit of time counts that a job is late
    #[arg(long, value_name = "COST", default_value = "10", value_parser = clap::value_parser!(i64).range(0..=1000))]
    late: i64,
    /// What a unit of time counts by which a task moves
    #[arg(long, value_name = "COST", default_value = "2", value_parser = clap::value_parser!(i64).range(0..=1000))]
    moved: i64,
    /// How to write answers; json is one object in a line for the first plan and for each change
    #[arg(long, default_value = "text", value_parser = ["text", "json"])]
    format: String,
    /// Tell of each better plan on the standard error
    #[arg(long)]
    verbose: bool,
}

impl Arguments {
    fn weights(&self) -> Weights {
        Weights { late: self.late, moved: self.moved }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let (mut shop, events) = input::read(&arguments.file);
    let handle = common::stop_on_ctrl_c(StopHandle::new());
    let (mut is_planned, mut exit) = (false, 0);
    for event in std::iter::once(None).chain(events.iter().map(Some)) {
        let before = Instant::now();
        let mut changed = shop.clone();
        let applied = event.map_or(Ok(()), |event| changed.apply(&event.change));
        let answer = applied.map(|()| {
            solve(&changed, &arguments, &handle).unwrap_or_else(|mistake| common::fail(&mistake.to_string()))
        });
        if let Ok(Answer::Plan { starts, .. }) = &answer {
            let tasks = changed.jobs.iter_mut().flat_map(|job| &mut job.tasks);
            tasks.zip(starts.iter().flatten()).for_each(|(task, &start)| task.start = Some(start));
        }
        let report = Report { event, old: &shop, new: &changed, answer: &answer, time: before.elapsed() };
        report.write(&arguments);
        match answer {
            Ok(Answer::Plan { .. }) => (shop, is_planned) = (changed, true),
            Ok(Answer::Open(_)) => exit = 3,
            _ => exit = exit.max(1),
        }
        if !is_planned {
            break;
        }
        if handle.is_stopped() {
            let open =
                events.iter().filter(|other| event.is_none_or(|event| other.line > event.line)).count();
            if open > 0 {
                note(format!("told to stop: {open} changes were not looked at"));
                exit = 3;
            }
            break;
        }
    }
    if is_planned && arguments.format == "text" {
        common::say(report::picture(&shop));
    }
    ExitCode::from(exit)
}
