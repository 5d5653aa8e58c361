//! What is planned: jobs, machines, what was said about them, and the plan so far.

#[derive(Clone, Default)]
pub(crate) struct Shop {
    pub(crate) machines: Vec<String>,
    pub(crate) jobs: Vec<Job>,
    pub(crate) downs: Vec<Down>,
    /// What was to begin before has begun.
    pub(crate) now: i64,
}

#[derive(Clone)]
pub(crate) struct Job {
    pub(crate) name: String,
    pub(crate) release: i64,
    /// When it is to end; later costs.
    pub(crate) due: Option<i64>,
    /// When it must have ended.
    pub(crate) deadline: Option<i64>,
    /// Done one after the other; at least one.
    pub(crate) tasks: Vec<Task>,
}

#[derive(Clone)]
pub(crate) struct Task {
    /// With the name of the job before it.
    pub(crate) name: String,
    pub(crate) machine: usize,
    pub(crate) duration: i64,
    /// When it has to start, as a person wants it.
    pub(crate) fixed: Option<i64>,
    /// When it starts in the last plan.
    pub(crate) start: Option<i64>,
}

/// A time in which a machine does nothing.
#[derive(Clone)]
pub(crate) struct Down {
    pub(crate) machine: usize,
    pub(crate) from: i64,
    pub(crate) to: i64,
}

pub(crate) enum Change {
    Add(Job),
    Drop(String),
    Down(Down),
    Fix(String, i64),
    Free(String),
    Deadline(String, i64),
    Now(i64),
}

/// More tasks are refused: each two on a machine are a choice.
const MOST_TASKS: usize = 500;

impl Shop {
    /// Changes what is to be planned; the plan stays. Says what is wrong if there is nothing to change.
    pub(crate) fn apply(&mut self, change: &Change) -> Result<(), String> {
        match change {
            Change::Add(job) => {
                if self.jobs.iter().any(|other| other.name == job.name) {
                    return Err(format!("there is a job {} already", job.name));
                }
                if self.tasks().count() + job.tasks.len() > MOST_TASKS {
                    return Err(format!("more than {MOST_TASKS} tasks"));
                }
                self.jobs.push(job.clone());
            }
            Change::Drop(name) => {
                let job = self.job(name)?.name.clone();
                self.jobs.retain(|other| other.name != job);
            }
            Change::Down(down) => self.downs.push(down.clone()),
            Change::Fix(task, time) => self.task(task)?.fixed = Some(*time),
            Change::Free(task) => self.task(task)?.fixed = None,
            Change::Deadline(job, time) => self.job(job)?.deadline = Some(*time),
            Change::Now(time) if *time < self.now => {
                return Err(format!("it is {} already", self.now));
            }
            Change::Now(time) => self.now = *time,
        }
        Ok(())
    }

    fn job(&mut self, name: &str) -> Result<&mut Job, String> {
        self.jobs.iter_mut().find(|job| job.name == name).ok_or_else(|| format!("there is no job {name}"))
    }

    fn task(&mut self, name: &str) -> Result<&mut Task, String> {
        let mut tasks = self.jobs.iter_mut().flat_map(|job| &mut job.tasks);
        tasks.find(|task| task.name == name).ok_or_else(|| format!("there is no task {name}"))
    }

    pub(crate) fn tasks(&self) -> impl Iterator<Item = &Task> {
        self.jobs.iter().flat_map(|job| &job.tasks)
    }

    /// Whether a task has begun, so that it can no longer be moved.
    pub(crate) fn has_begun(&self, task: &Task) -> bool {
        task.start.is_some_and(|start| start < self.now)
    }

    /// No plan gets better by what starts later: from the last time that was named on, nothing is in the way of
    /// doing one task after the other.
    pub(crate) fn horizon(&self) -> i64 {
        let jobs = self.jobs.iter().map(|job| job.release);
        let tasks = self.tasks().flat_map(|task| [task.fixed, task.start]).flatten();
        let last = jobs.chain(tasks).chain(self.downs.iter().map(|down| down.to)).max();
        let work = self.tasks().map(|task| task.duration).sum::<i64>();
        last.unwrap_or(0).max(self.now) + work
    }
}

impl Task {
    /// When it ends in the last plan.
    pub(crate) fn end(&self) -> Option<i64> {
        Some(self.start? + self.duration)
    }
}
