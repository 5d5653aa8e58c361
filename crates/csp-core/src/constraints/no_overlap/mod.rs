//! Tasks on one machine, which does one at a time.
//!
//! Filtering, all in `O(n log n)` for each pass by trees of tasks ([`theta`]), and `O(n)` more for each bound that is to
//! move and its reason; upwards for the earliest starts and, on the mirrored tasks, downwards for the latest ones, until
//! nothing changes:
//!
//! - *overload*: tasks that have to be done between two times and take longer than that;
//! - *detectable precedences*: a task that must come after certain others starts after all of them;
//! - *not last*: a task that cannot come after all of certain others ends before one of them starts;
//! - *edge finding*: a task that does not fit in before or among certain others comes after all of them.
//!
//! (Vilím 2004: O(n log n) filtering algorithms for unary resource constraint; 2007: thesis.) Each of them works with
//! sets of tasks that are named in the reason at once, with the widest bounds for which it holds (Vilím 2005:
//! computing explanations for the unary resource constraint). Nothing is promised but that fixed tasks that overlap are
//! refused.

mod theta;

use std::sync::Arc;

use crate::engine::{
    Conflict, Context, Events, Explanation, Poster, Priority, Propagator, Status, Store, View,
};
use crate::error::ModelErrorKind;
use crate::model::{Affine, Assignment, Constraint, IntExpr, Names};

use super::ROUNDS;
use super::comparison::post_at_most;
use theta::{NEVER, Theta, ThetaLambda};

/// The constraint that tasks do not overlap; made by [`no_overlap`].
#[must_use = "a constraint does nothing until it is posted"]
#[derive(Clone, Debug)]
pub struct NoOverlap {
    tasks: Arc<[(IntExpr, i64)]>,
    has_precedences: bool,
}

impl NoOverlap {
    /// Adds a hidden Boolean for each two tasks: which of them comes first. A search that decides for itself then
    /// decides on the order of tasks instead of their starts, and what it learns speaks of that: much better where
    /// schedules are to be short. There are as many Booleans as pairs, so with thousands of tasks they are too many.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// let mut model = Model::new();
    /// let (starts, end) = (model.ints(4, 0..=100), model.int(0..=100));
    /// model.post(no_overlap(starts.iter().map(|&start| (start, 10))).with_precedences());
    /// starts.iter().for_each(|&start| _ = model.post((start + 10).le(end)));
    /// assert_eq!(model.solver()?.minimise(end)?.value(), Some(40));
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn with_precedences(self) -> NoOverlap {
        NoOverlap { has_precedences: true, ..self }
    }
}

/// No two tasks, given by their starts and durations, are done at the same time: one ends before, or as, the other
/// starts. Tasks that take no time do not matter. Durations are constants; a model with a negative one is refused. Where
/// a schedule is to be short, use it [`with_precedences`](NoOverlap::with_precedences).
///
/// ```
/// use csp_core::prelude::*;
/// let mut model = Model::new();
/// let starts = model.ints(3, 0..=9);
/// model.post(no_overlap([(starts[0], 4), (starts[1], 3), (starts[2], 2)]));
/// model.post(starts[1].le(4));
/// model.post(starts[0].le(2));
/// let mut solver = model.solver()?;
/// assert_eq!(solver.minimise(starts[2] + 2)?.value(), Some(9));
/// # Ok::<(), ModelError>(())
/// ```
pub fn no_overlap<T: Into<IntExpr>>(tasks: impl IntoIterator<Item = (T, i64)>) -> NoOverlap {
    let tasks = tasks.into_iter().map(|(start, duration)| (start.into(), duration)).collect();
    NoOverlap { tasks, has_precedences: false }
}

impl Constraint for NoOverlap {
    fn scope(&self) -> Vec<Affine> {
        self.tasks.iter().flat_map(|(start, _)| start.views()).collect()
    }

    fn is_satisfied(&self, a: &Assignment) -> bool {
        let span = |(start, duration): &(IntExpr, i64)| {
            let start = i128::from(start.value(a)?);
            Some((start, start + i128::from(*duration)))
        };
        self.tasks.iter().enumerate().all(|(i, task)| {
            let Some((start, end)) = span(task) else { return false };
            self.tasks[..i].iter().all(|other| {
                span(other).is_some_and(|(from, to)| start == end || from == to || end <= from || to <= start)
            })
        })
    }

    fn describe(&self, names: &Names<'_>) -> String {
        let task = |(start, duration): &(IntExpr, i64)| format!("{} for {duration}", names.list([start]));
        format!("no_overlap({})", self.tasks.iter().map(task).collect::<Vec<_>>().join(", "))
    }

    fn post(&self, poster: &mut Poster<'_>) {
        let starts: Vec<View> = self.tasks.iter().map(|(start, _)| poster.view(start)).collect();
        let tasks = starts.into_iter().zip(self.tasks.iter().map(|task| task.1));
        let (starts, durations): (Vec<View>, Vec<i64>) = tasks.filter(|task| task.1 > 0).unzip();
        let subscriptions: Vec<_> = starts.iter().map(|&x| (x, Events::BOUNDS)).collect();
        let mirrored = starts.iter().zip(&durations).map(|(x, d)| {
            let View { var, scale, offset } = x.negated();
            View { var, scale, offset: offset - d }
        });
        let sides = [Side::new(mirrored.collect(), &durations), Side::new(starts.clone(), &durations)];
        poster.add(Machine { sides }, Priority::Quadratic, subscriptions);
        if self.has_precedences {
            post_precedences(poster, &starts, &durations);
        }
    }

    fn validate(&self, range: &dyn Fn(Affine) -> (i64, i64)) -> Result<(), ModelErrorKind> {
        let mut total = 0i64;
        for (start, duration) in self.tasks.iter() {
            start.validate(range)?;
            if *duration < 0 {
                return Err(ModelErrorKind::NegativeDuration { duration: *duration });
            }
            // The last task may end after the largest value by all durations.
            total =
                total.checked_add(*duration).filter(|&t| t <= LONGEST).ok_or(ModelErrorKind::SumTooLarge)?;
        }
        Ok(())
    }
}

/// Of each two tasks one is first, as a hidden Boolean says.
fn post_precedences(poster: &mut Poster<'_>, starts: &[View], durations: &[i64]) {
    for (i, (&x, &d)) in starts.iter().zip(durations).enumerate() {
        for (&y, &e) in starts[..i].iter().zip(durations) {
            let first = poster.auxiliary();
            poster.under(first, |poster| post_at_most(poster, x, d, y));
            poster.under(first.negated(), |poster| post_at_most(poster, y, e, x));
        }
    }
}

/// All durations together are at most this.
const LONGEST: i64 = 1 << 60;

/// The propagator: the tasks seen forwards, and backwards.
#[derive(Debug)]
struct Machine {
    sides: [Side; 2],
}

impl Propagator for Machine {
    fn propagate(&mut self, ctx: &mut Context<'_>) -> Result<Status, Conflict> {
        for _ in 0..ROUNDS {
            let mut changed = false;
            for side in &mut self.sides {
                changed |= side.filter(ctx)?;
            }
            if !changed {
                return Ok(Status::AtFixpoint);
            }
        }
        Ok(Status::MayChange)
    }

    fn is_disentailed(&self, store: &Store, why: &mut Explanation) -> bool {
        let side = &self.sides[1];
        for (i, (&x, &d)) in side.starts.iter().zip(&side.durations).enumerate() {
            for (&y, &e) in side.starts[..i].iter().zip(&side.durations) {
                let ((x_min, x_max), (y_min, y_max)) = (store.bounds(x), store.bounds(y));
                if x_min + d > y_max && y_min + e > x_max {
                    why.push(x.ge(x_min));
                    why.push(y.le(x_min + d - 1));
                    why.push(y.ge(y_min));
                    why.push(x.le(y_min + e - 1));
                    return true;
                }
            }
        }
        false
    }
}

/// A task as it stands now.
#[derive(Clone, Copy, Debug, Default)]
struct Task {
    /// Earliest and latest start.
    min: i64,
    max: i64,
    duration: i64,
    /// Its place among the tasks by earliest start, and by latest end.
    leaf: u32,
    last: u32,
}

impl Task {
    /// The earliest and the latest end.
    fn first_end(self) -> i64 {
        self.min + self.duration
    }

    fn last_end(self) -> i64 {
        self.max + self.duration
    }
}

/// The tasks in one direction of time.
#[derive(Debug)]
struct Side {
    starts: Vec<View>,
    durations: Vec<i64>,
    /// Advice: all tasks by earliest and latest start, earliest and latest end, as they were last time.
    orders: [Vec<u32>; 4],
    /// Scratch: all of the rest.
    tasks: Vec<Task>,
    /// Whether there is another task for some of the time when this one may be done. Of those for which there is none nothing
    /// follows, and the lists below leave them out.
    is_crowded: Vec<bool>,
    by_min: Vec<u32>,
    by_max: Vec<u32>,
    by_first_end: Vec<u32>,
    by_last_end: Vec<u32>,
    theta: Theta,
    edges: ThetaLambda,
    bounds: Vec<i64>,
}

impl Side {
    fn new(starts: Vec<View>, durations: &[i64]) -> Side {
        let count = starts.len();
        let all: Vec<u32> = (0..count as u32).collect();
        Side {
            starts,
            durations: durations.to_vec(),
            tasks: vec![Task::default(); count],
            is_crowded: Vec::with_capacity(count),
            by_min: Vec::with_capacity(count),
            by_max: Vec::with_capacity(count),
            by_first_end: Vec::with_capacity(count),
            by_last_end: Vec::with_capacity(count),
            orders: [(); 4].map(|()| all.clone()),
            theta: Theta::default(),
            edges: ThetaLambda::default(),
            bounds: Vec::with_capacity(count),
        }
    }

    /// Raises the earliest starts, and lowers the latest ones of tasks that are not last.
    fn filter(&mut self, ctx: &mut Context<'_>) -> Result<bool, Conflict> {
        self.read(ctx);
        if self.by_min.is_empty() {
            return Ok(false);
        }
        self.check_load(ctx)?;
        let mut changed = self.detect_precedences(ctx)?;
        if changed {
            self.read(ctx);
        }
        changed |= self.find_edges(ctx)?;
        if changed {
            self.read(ctx);
        }
        Ok(changed | self.exclude_last(ctx)?)
    }

    fn read(&mut self, ctx: &Context<'_>) {
        for ((task, &start), &duration) in self.tasks.iter_mut().zip(&self.starts).zip(&self.durations) {
            let (min, max) = ctx.bounds(start);
            *task = Task { min, max, duration, leaf: 0, last: 0 };
        }
        let tasks = &mut self.tasks;
        let [by_min, by_max, by_first_end, by_last_end] = &mut self.orders;
        by_min.sort_unstable_by_key(|&i| (tasks[i as usize].min, i));
        by_max.sort_unstable_by_key(|&i| (tasks[i as usize].max, i));
        by_first_end.sort_unstable_by_key(|&i| (tasks[i as usize].first_end(), i));
        by_last_end.sort_unstable_by_key(|&i| (tasks[i as usize].last_end(), i));
        self.is_crowded.clear();
        self.is_crowded.resize(tasks.len(), false);
        let (mut end, mut previous) = (i64::MIN, 0);
        for &i in by_min.iter() {
            let task = tasks[i as usize];
            if task.min < end {
                self.is_crowded[previous as usize] = true;
                self.is_crowded[i as usize] = true;
            }
            (end, previous) = (end.max(task.last_end()), i);
        }
        let lists = [&mut self.by_min, &mut self.by_max, &mut self.by_first_end, &mut self.by_last_end];
        for (list, order) in lists.into_iter().zip(&self.orders) {
            list.clear();
            list.extend(order.iter().copied().filter(|&i| self.is_crowded[i as usize]));
        }
        for (leaf, &i) in self.by_min.iter().enumerate() {
            tasks[i as usize].leaf = leaf as u32;
        }
        for (last, &i) in (0..).zip(&self.by_last_end) {
            tasks[i as usize].last = last;
        }
    }

    fn insert(&mut self, i: u32) {
        let task = self.tasks[i as usize];
        self.theta.insert(task.leaf as usize, task.min, task.duration);
    }

    /// Of the tasks of a set that start at some time at the earliest, or later, those that can be completed last:
    /// that time, and their total duration.
    fn latest(&self, mut is_in: impl FnMut(u32) -> bool) -> (i64, i64) {
        let (mut best, mut total) = ((NEVER, 0), 0);
        for &i in self.by_min.iter().rev().filter(|&&i| is_in(i)) {
            let task = self.tasks[i as usize];
            total += task.duration;
            if task.min + total > best.0 + best.1 {
                best = (task.min, total);
            }
        }
        best
    }

    /// Writes down that those of a set that start at `from` or later start by `most`.
    fn push_between(&self, from: i64, most: i64, is_in: impl Fn(u32) -> bool, out: &mut Explanation) {
        for (j, (x, task)) in (0..).zip(self.starts.iter().zip(&self.tasks)) {
            if task.min >= from && self.is_crowded[j as usize] && is_in(j) {
                out.push(x.ge(from));
                out.push(x.le(most));
            }
        }
    }

    /// Fails if some tasks take longer than there is time for them.
    fn check_load(&mut self, ctx: &mut Context<'_>) -> Result<(), Conflict> {
        self.theta.clear(self.by_min.len());
        for place in 0..self.by_last_end.len() {
            let last = self.by_last_end[place];
            self.insert(last);
            let end = self.tasks[last as usize].last_end();
            if self.theta.completion() > end {
                let members = &self.by_last_end[..=place];
                let (from, total) =
                    self.latest(|i| self.tasks[i as usize].last <= self.tasks[last as usize].last);
                return Err(ctx.fail(|out: &mut Explanation| {
                    for &i in members.iter().filter(|&&i| self.tasks[i as usize].min >= from) {
                        let (x, duration) = (self.starts[i as usize], self.durations[i as usize]);
                        out.push(x.ge(from));
                        out.push(x.le(from + total - 1 - duration));
                    }
                }));
            }
        }
        Ok(())
    }

    /// A task that cannot end before others must start comes after them.
    fn detect_precedences(&mut self, ctx: &mut Context<'_>) -> Result<bool, Conflict> {
        self.theta.clear(self.by_min.len());
        self.bounds.clear();
        self.bounds.resize(self.tasks.len(), i64::MIN);
        let mut next = 0;
        for &i in &self.by_first_end {
            let task = self.tasks[i as usize];
            while let Some(&j) =
                self.by_max.get(next).filter(|&&j| self.tasks[j as usize].max < task.first_end())
            {
                let other = self.tasks[j as usize];
                self.theta.insert(other.leaf as usize, other.min, other.duration);
                next += 1;
            }
            // Without the task itself, if it is among them.
            let is_in = task.max < task.first_end();
            if is_in {
                self.theta.remove(task.leaf as usize);
            }
            self.bounds[i as usize] = self.theta.completion();
            if is_in {
                self.theta.insert(task.leaf as usize, task.min, task.duration);
            }
        }
        let mut changed = false;
        for i in 0..self.tasks.len() {
            let (task, bound) = (self.tasks[i], self.bounds[i]);
            if !self.is_crowded[i] || bound <= task.min {
                continue;
            }
            let end = task.first_end();
            let comes_before = |j: u32| j as usize != i && self.tasks[j as usize].max < end;
            let (from, _) = self.latest(comes_before);
            changed = true;
            ctx.set_min(self.starts[i], bound, |out: &mut Explanation| {
                out.push(self.starts[i].ge(task.min));
                self.push_between(from, end - 1, comes_before, out);
            })?;
        }
        Ok(changed)
    }

    /// A task that cannot be done after all of certain others ends before the last of them starts.
    fn exclude_last(&mut self, ctx: &mut Context<'_>) -> Result<bool, Conflict> {
        self.theta.clear(self.by_min.len());
        self.bounds.clear();
        self.bounds.resize(self.tasks.len(), i64::MAX);
        let mut next = 0;
        for &i in &self.by_last_end {
            let task = self.tasks[i as usize];
            while let Some(&j) =
                self.by_max.get(next).filter(|&&j| self.tasks[j as usize].max < task.last_end())
            {
                let other = self.tasks[j as usize];
                self.theta.insert(other.leaf as usize, other.min, other.duration);
                next += 1;
            }
            // Its own latest start is before its latest end, so it is among them.
            self.theta.remove(task.leaf as usize);
            if self.theta.completion() > task.max {
                let last = self.by_max[..next].iter().rev().find(|&&j| j != i);
                if let Some(&j) = last {
                    self.bounds[i as usize] = self.tasks[j as usize].max;
                }
            }
            self.theta.insert(task.leaf as usize, task.min, task.duration);
        }
        let mut changed = false;
        for i in 0..self.tasks.len() {
            let (task, bound) = (self.tasks[i], self.bounds[i]);
            if !self.is_crowded[i] || bound >= task.last_end() {
                continue;
            }
            let end = task.last_end();
            let is_early = |j: u32| j as usize != i && self.tasks[j as usize].max < end;
            let (from, total) = self.latest(is_early);
            changed = true;
            ctx.set_max(self.starts[i], bound - task.duration, |out: &mut Explanation| {
                out.push(self.starts[i].le(from + total - 1));
                self.push_between(from, bound, is_early, out);
            })?;
        }
        Ok(changed)
    }

    /// A task that does not fit in before or among others comes after all of them.
    fn find_edges(&mut self, ctx: &mut Context<'_>) -> Result<bool, Conflict> {
        let of_task = |&i: &u32| (self.tasks[i as usize].min, self.tasks[i as usize].duration);
        self.edges.fill(self.by_min.iter().map(of_task));
        let mut changed = false;
        for place in (1..self.by_last_end.len()).rev() {
            let out = self.by_last_end[place];
            let task = self.tasks[out as usize];
            self.edges.grey(task.leaf as usize, task.min, task.duration, out);
            let end = self.tasks[self.by_last_end[place - 1] as usize].last_end();
            while let (completion, Some(i)) = self.edges.grey_completion()
                && completion > end
            {
                changed |= self.move_after(ctx, i as usize, place, end)?;
                self.edges.remove(self.tasks[i as usize].leaf as usize);
            }
        }
        Ok(changed)
    }

    /// Moves a task behind those of the first `place` tasks by latest end, which end by `end`, that it does not fit
    /// in before or among.
    fn move_after(&self, ctx: &mut Context<'_>, i: usize, place: usize, end: i64) -> Result<bool, Conflict> {
        let (task, x) = (self.tasks[i], self.starts[i]);
        let is_in = |j: u32| (self.tasks[j as usize].last as usize) < place;
        // The most tasks for which it is so, from some earliest start on.
        let (mut total, mut first) = (task.duration, None);
        for &j in self.by_min.iter().rev().filter(|&&j| is_in(j)) {
            let other = self.tasks[j as usize];
            total += other.duration;
            if other.min.min(task.min) + total > end {
                first = Some((other.min, total));
            }
        }
        let Some((from, total)) = first else { return Ok(false) };
        let is_before = |j: u32| is_in(j) && self.tasks[j as usize].min >= from;
        let (start, sum) = self.latest(is_before);
        let bound = start + sum;
        if bound <= task.min {
            return Ok(false);
        }
        let low = from.min(task.min);
        ctx.set_min(x, bound, |out: &mut Explanation| {
            out.push(x.ge(low));
            for j in self.by_last_end[..place].iter().copied().filter(|&j| is_before(j)) {
                let (y, other) = (self.starts[j as usize], self.tasks[j as usize]);
                out.push(y.ge(if other.min >= start { start } else { low }));
                out.push(y.le(low + total - 1 - other.duration));
            }
        })?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::no_overlap;
    use crate::model::Model;
    use crate::testing::check;

    #[test]
    fn harness() {
        let report = check("no_overlap", 0..=5, |xs, p| {
            no_overlap(xs.iter().map(|&x| (x, p.int(0..=3))).collect::<Vec<_>>())
        });
        assert!(report.pruned > 50 && report.infeasible > 10, "{report}");
        let report = check("no_overlap with precedences", 0..=4, |xs, p| {
            no_overlap(xs.iter().map(|&x| (x, p.int(0..=3))).collect::<Vec<_>>()).with_precedences()
        });
        assert!(report.pruned > 50 && report.infeasible > 10, "{report}");
    }

    #[test]
    fn negative_and_huge_durations_are_refused() {
        for duration in [-1, i64::MAX, 1 << 61] {
            let mut model = Model::new();
            let x = model.int(0..=9);
            model.post(no_overlap([(x, duration)]));
            assert!(model.solver().is_err(), "{duration}");
        }
    }
}
