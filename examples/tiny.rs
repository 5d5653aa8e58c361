//! A constraint solver in one file, to be read from top to bottom: `cargo run --example tiny`.
//!
//! It finds all ways to place six queens on a 6 × 6 board so that none attacks another. Everything a
//! constraint solver consists of is here in its simplest form, and nothing of it is about queens but
//! `main`. The framework `csp-core` is the same idea grown up; this file does not use it.

use std::collections::VecDeque;

/// A *variable* is something to be decided: here, the column of the queen in one row.
/// It is the number of its domain in the store.
type Variable = usize;

/// A *domain* is the set of values a variable can still take, as bits: bit `v` stands for the value `v`.
/// Solving is nothing but making domains smaller, until each holds one value.
type Domain = u64;

/// A *conflict*: some domain has become empty, so under the decisions made there is no solution.
/// It travels upwards with `?` to the search, which takes the last decision back.
struct Conflict;

/// The *store* holds all domains, and what is needed to restore them.
/// There is one way to change a domain, `keep`, so nothing can be forgotten.
#[derive(Default)]
struct Store {
    domains: Vec<Domain>,
    /// The *trail*: each changed variable with its domain before the change, the newest last.
    /// Undoing copies the old domains back, so it costs as much as was changed, not as much as there is.
    trail: Vec<(Variable, Domain)>,
    /// Variables that changed since the propagators were last told.
    changed: Vec<Variable>,
}

impl Store {
    fn size(&self, x: Variable) -> u32 {
        self.domains[x].count_ones()
    }

    /// The value of a variable that has only one left.
    fn value(&self, x: Variable) -> Option<u32> {
        (self.size(x) == 1).then(|| self.domains[x].trailing_zeros())
    }

    /// Takes away all values but those of `set`.
    fn keep(&mut self, x: Variable, set: Domain) -> Result<(), Conflict> {
        let (old, new) = (self.domains[x], self.domains[x] & set);
        if new != old {
            self.trail.push((x, old));
            self.domains[x] = new;
            self.changed.push(x);
        }
        if new == 0 { Err(Conflict) } else { Ok(()) }
    }

    /// Takes changes back until the trail has its former length.
    fn undo_to(&mut self, length: usize) {
        for (x, old) in self.trail.drain(length..).rev() {
            self.domains[x] = old;
        }
    }
}

/// A *propagator* stands for one constraint. It removes values that can be in no solution of that
/// constraint, and knows of nothing else: all it says to others, it says by making domains smaller.
trait Propagator {
    /// The variables whose changes it wants to hear of.
    fn scope(&self) -> Vec<Variable>;

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict>;
}

/// The constraint `x + gap ≠ y`. As long as both variables have several values, nothing can be said;
/// once one of them is fixed, the other loses one value.
struct NotEqual {
    x: Variable,
    gap: i64,
    y: Variable,
}

impl Propagator for NotEqual {
    fn scope(&self) -> Vec<Variable> {
        vec![self.x, self.y]
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        for (from, gap, to) in [(self.x, self.gap, self.y), (self.y, -self.gap, self.x)] {
            if let Some(value) = store.value(from) {
                let taken = i64::from(value) + gap;
                if (0..64).contains(&taken) {
                    store.keep(to, !(1 << taken))?;
                }
            }
        }
        Ok(())
    }
}

/// The solver joins the two: a *queue* of propagators that have something to do, and for each variable
/// the propagators that watch it.
#[derive(Default)]
struct Solver {
    store: Store,
    propagators: Vec<Box<dyn Propagator>>,
    watchers: Vec<Vec<usize>>,
    queue: VecDeque<usize>,
    /// Nodes of the search tree that were visited.
    nodes: u64,
}

impl Solver {
    /// A new variable with the values from 0 to `size - 1`; `size` is from 1 to 64.
    fn variable(&mut self, size: u32) -> Variable {
        self.store.domains.push(u64::MAX >> (64 - size));
        self.watchers.push(Vec::new());
        self.store.domains.len() - 1
    }

    fn post(&mut self, propagator: impl Propagator + 'static) {
        let number = self.propagators.len();
        for x in propagator.scope() {
            self.watchers[x].push(number);
        }
        self.propagators.push(Box::new(propagator));
        self.queue.push_back(number);
    }

    /// *Propagation*: one removal may allow another elsewhere, so propagators are called until none has
    /// anything to do. That is the *fixpoint*, and it is the same in whatever order they are called.
    fn propagate(&mut self) -> Result<(), Conflict> {
        loop {
            while let Some(x) = self.store.changed.pop() {
                for &number in &self.watchers[x] {
                    if !self.queue.contains(&number) {
                        self.queue.push_back(number);
                    }
                }
            }
            let Some(number) = self.queue.pop_front() else { return Ok(()) };
            self.propagators[number].propagate(&mut self.store)?;
        }
    }

    /// *Branching*: which variable to decide next. One with few values left is the likeliest to fail,
    /// and a failure that must come is cheapest when it comes early.
    fn choose(&self) -> Option<Variable> {
        let open = (0..self.store.domains.len()).filter(|&x| self.store.size(x) > 1);
        open.min_by_key(|&x| self.store.size(x))
    }

    /// *Search*: propagation alone seldom finds a solution, so choose a variable, explore each of its
    /// values in turn, and undo. What is left when nothing is open any more is a solution.
    fn search(&mut self, on_solution: &mut impl FnMut(&Store)) {
        self.nodes += 1;
        if self.propagate().is_err() {
            self.queue.clear();
            self.store.changed.clear();
            return;
        }
        let Some(x) = self.choose() else { return on_solution(&self.store) };
        let mut untried = self.store.domains[x];
        while untried != 0 {
            let value = untried & untried.wrapping_neg();
            untried &= !value;
            let mark = self.store.trail.len();
            if self.store.keep(x, value).is_ok() {
                self.search(on_solution);
            }
            self.store.undo_to(mark);
        }
    }
}

/// The *model*: one variable for the queen of each row, which says her column. For each two queens, their
/// columns differ, and so do the diagonals they stand on.
fn main() {
    const N: u32 = 6;
    let mut solver = Solver::default();
    let queens: Vec<Variable> = (0..N).map(|_| solver.variable(N)).collect();
    for (i, &x) in queens.iter().enumerate() {
        for (distance, &y) in (1..).zip(&queens[i + 1..]) {
            for gap in [0, distance, -distance] {
                solver.post(NotEqual { x, gap, y });
            }
        }
    }

    let mut boards = Vec::new();
    solver.search(&mut |store| boards.push(store.domains.clone()));
    println!("{N}-Queens: {} solutions, {} nodes", boards.len(), solver.nodes);
    for board in &boards {
        println!();
        for row in board {
            let squares: Vec<&str> = (0..N).map(|v| if row >> v & 1 == 1 { "Q" } else { "." }).collect();
            println!("{}", squares.join(" "));
        }
    }
}
