//! Reading a shop and what happens to it. The format is told in the help of the program.

use super::common::text::{Line, Text};
use super::shop::{Change, Down, Job, Shop, Task};

/// A change, and where it is from.
pub(crate) struct Event {
    pub(crate) line: usize,
    pub(crate) words: String,
    pub(crate) change: Change,
}

/// Times and durations beyond are refused.
const LONGEST: i64 = 1_000_000;
const LONGEST_NAME: usize = 40;

/// The shop as it is at first, and the changes. Ends the program if something in the file is wrong.
pub(crate) fn read(file: &str) -> (Shop, Vec<Event>) {
    let text = Text::read(file);
    let (mut shop, mut events) = (Shop::default(), Vec::new());
    // As it would be if all changes were possible: to find names that never were.
    let mut later = Shop::default();
    for mut line in text.lines().filter(|line| !line.words[0].starts_with('#')) {
        let said = line.words.join(" ");
        line.words = line.words.into_iter().flat_map(split).collect();
        let mut words = Words { line: &line, next: 1 };
        let change = match line.words[0] {
            "machines" if shop.machines.is_empty() => {
                while words.next < line.words.len() {
                    let name = words.name("a machine");
                    if shop.machines.contains(&name) {
                        line.fail(&format!("machine {name} is there twice"));
                    }
                    shop.machines.push(name);
                }
                later.machines.clone_from(&shop.machines);
                continue;
            }
            "machines" => line.fail("the machines were told before"),
            "job" => Change::Add(words.job(&shop.machines)),
            "add" => {
                words.keyword("job");
                Change::Add(words.job(&shop.machines))
            }
            "drop" => Change::Drop(words.word("a job").to_owned()),
            "down" => {
                let machine = words.machine(&shop.machines);
                let (from, to) = (words.time("the begin"), words.time("the end"));
                if from >= to {
                    line.fail(&format!("from {from} to {to} is no time"));
                }
                Change::Down(Down { machine, from, to })
            }
            "fix" => {
                let task = words.word("a task").to_owned();
                words.keyword("at");
                Change::Fix(task, words.time("the start"))
            }
            "free" => Change::Free(words.word("a task").to_owned()),
            "deadline" => Change::Deadline(words.word("a job").to_owned(), words.time("the deadline")),
            "now" => Change::Now(words.time("the time")),
            _ => line.fail("expected machines, job, add job, drop, down, fix, free, deadline or now"),
        };
        words.end();
        later.apply(&change).unwrap_or_else(|wrong| line.fail(&wrong));
        if line.words[0] != "job" {
            events.push(Event { line: line.number, words: said, change });
        } else if events.is_empty() {
            shop.apply(&change).unwrap_or_else(|wrong| line.fail(&wrong));
        } else {
            line.fail("after the first change, a job is added by 'add job'");
        }
    }
    if shop.machines.is_empty() {
        text.fail("there are no machines");
    }
    (shop, events)
}

/// Colons and commas are words of their own.
fn split(word: &str) -> impl Iterator<Item = &str> {
    let parts = word.split_inclusive([':', ',']).flat_map(|part| {
        let name = part.trim_end_matches([':', ',']);
        [name, &part[name.len()..]]
    });
    parts.filter(|part| !part.is_empty())
}

/// The words of a line, one after the other.
struct Words<'a> {
    line: &'a Line<'a>,
    next: usize,
}

impl<'a> Words<'a> {
    fn word(&mut self, what: &str) -> &'a str {
        let word = self.line.words.get(self.next);
        self.next += 1;
        word.unwrap_or_else(|| self.line.fail(&format!("{what} is missing")))
    }

    fn keyword(&mut self, keyword: &str) {
        let word = self.word(&format!("'{keyword}'"));
        if word != keyword {
            self.line.fail(&format!("expected '{keyword}', not '{word}'"));
        }
    }

    fn is_next(&mut self, word: &str) -> bool {
        let is_next = self.line.words.get(self.next) == Some(&word);
        self.next += usize::from(is_next);
        is_next
    }

    fn time(&mut self, what: &str) -> i64 {
        let time = self.line.number(self.next, what);
        self.next += 1;
        if time > LONGEST {
            self.line.fail(&format!("{what} is {time}, more than {LONGEST}"));
        }
        time
    }

    fn name(&mut self, what: &str) -> String {
        let name = self.word(what);
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
        if !is_name || name.len() > LONGEST_NAME {
            self.line.fail(&format!("the name of {what} is at most {LONGEST_NAME} letters, digits, - and _"));
        }
        name.to_owned()
    }

    fn machine(&mut self, machines: &[String]) -> usize {
        let name = self.name("a machine");
        let place = machines.iter().position(|machine| *machine == name);
        place.unwrap_or_else(|| self.line.fail(&format!("there is no machine {name}")))
    }

    /// `NAME [release TIME] [due TIME] : TASK MACHINE DURATION , TASK MACHINE DURATION …`
    fn job(&mut self, machines: &[String]) -> Job {
        let job = self.name("a job");
        let release = if self.is_next("release") { self.time("the release") } else { 0 };
        let due = self.is_next("due").then(|| self.time("when it is due"));
        self.keyword(":");
        let mut tasks: Vec<Task> = Vec::new();
        loop {
            let name = format!("{job}.{}", self.name("a task"));
            if tasks.iter().any(|task| task.name == name) {
                self.line.fail(&format!("task {name} is there twice"));
            }
            let (machine, duration) = (self.machine(machines), self.time("the duration"));
            if duration == 0 {
                self.line.fail(&format!("task {name} takes no time"));
            }
            tasks.push(Task { name, machine, duration, fixed: None, start: None });
            if !self.is_next(",") {
                return Job { name: job, release, due, deadline: None, tasks };
            }
        }
    }

    fn end(&self) {
        if let Some(word) = self.line.words.get(self.next) {
            let start: String = word.chars().take(LONGEST_NAME).collect();
            self.line.fail(&format!("'{}' is too much", start.escape_debug()));
        }
    }
}
