//! The problems, each made from a seed, and job shops read from files.

use std::path::Path;

use csp_core::prelude::*;

/// A model, and what is to be as small as possible in it.
pub(crate) struct Problem {
    pub(crate) model: Model,
    pub(crate) objective: Option<IntVar>,
    /// Where both modes are to follow the same strategy, smallest domain first, instead of their own.
    pub(crate) strategy: Option<Vec<IntVar>>,
}

impl Problem {
    /// Searches for a best solution, or for any; its value, or that there is one.
    pub(crate) fn solve(&self, solver: &mut Solver) -> Option<i64> {
        if let Some(variables) = &self.strategy {
            solver.set_search(branch(variables).smallest_domain());
        }
        match self.objective {
            Some(objective) => solver.minimise(objective).expect("a valid objective").value(),
            None => solver.first().solution().map(|_| 1),
        }
    }
}

/// A Latin square to be completed: rows, columns and symbols of the cyclic one shuffled, and in each row and
/// column the same number of cells left open, by another shuffled cyclic square (a *balanced* pattern: Kautz et
/// al. 2001).
pub(crate) fn quasigroup(n: usize, holes: usize, seed: u64) -> Problem {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut shuffled = || {
        let mut order: Vec<usize> = (0..n).collect();
        rng.shuffle(&mut order);
        order
    };
    let [rows, columns, symbols, open_rows, open_columns] = [(); 5].map(|()| shuffled());
    let mut model = Model::new();
    let cells = model.ints(n * n, 0..n as i64);
    for i in 0..n {
        model.post(all_different(&cells[n * i..n * (i + 1)]));
        model.post(all_different((0..n).map(|j| cells[n * j + i])));
    }
    for i in 0..n {
        for j in 0..n {
            if (open_rows[i] + open_columns[j]) % n >= holes {
                model.post(cells[n * i + j].eq(symbols[(rows[i] + columns[j]) % n] as i64));
            }
        }
    }
    Problem { model, objective: None, strategy: None }
}

/// A graph of `n` vertices, any two of which are joined with the given chance, to be coloured with as few
/// colours as possible.
pub(crate) fn colouring(n: usize, percent: u32, seed: u64) -> Problem {
    let mut rng = fastrand::Rng::with_seed(seed);
    let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
    let edges: Vec<(usize, usize)> = pairs.filter(|_| rng.u32(0..100) < percent).collect();
    colour(n, &edges).0
}

/// Examinations of courses, in as few slots as possible so that nobody has two at a time: each student takes about four
/// courses, most of them among the eight of one programme. Both modes follow the same strategy.
pub(crate) fn examinations(courses: usize, students: usize, seed: u64) -> Problem {
    const PROGRAMME: usize = 8;
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut edges = Vec::new();
    for _ in 0..students {
        let first = PROGRAMME * rng.usize(0..courses / PROGRAMME);
        let mut taken: Vec<usize> = (0..4)
            .map(|_| match rng.u8(0..10) {
                0..8 => first + rng.usize(0..PROGRAMME),
                _ => rng.usize(0..courses),
            })
            .collect();
        taken.sort_unstable();
        taken.dedup();
        edges.extend(
            (0..taken.len()).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| (taken[i], taken[j])),
        );
    }
    let (problem, colours) = colour(courses, &edges);
    Problem { strategy: Some(colours), ..problem }
}

/// A graph to be coloured with as few colours as possible. The vertices of a clique found greedily have colours of their own.
fn colour(n: usize, edges: &[(usize, usize)]) -> (Problem, Vec<IntVar>) {
    let mut joined = vec![vec![false; n]; n];
    for &(i, j) in edges {
        joined[i][j] = true;
        joined[j][i] = true;
    }
    let degree = |v: usize| joined[v].iter().filter(|&&joined| joined).count();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&v| std::cmp::Reverse(degree(v)));
    let mut clique: Vec<usize> = Vec::new();
    for &v in &order {
        if clique.iter().all(|&u| joined[u][v]) {
            clique.push(v);
        }
    }
    let most = degree(order[0]) as i64 + 1;
    let mut model = Model::new();
    let colours = model.ints(n, 0..most);
    let count = model.int(clique.len() as i64..=most);
    for i in 0..n {
        model.post(colours[i].lt(count));
        for j in (0..i).filter(|&j| joined[i][j]) {
            model.post(colours[i].ne(colours[j]));
        }
    }
    for (colour, &v) in (0..).zip(&clique) {
        model.post(colours[v].eq(colour));
    }
    (Problem { model, objective: Some(count), strategy: None }, colours)
}

/// Products are made one after the other, and each customer has ordered some of them. From the first to the last
/// of his products a customer has a stack open: in which order is the largest number of stacks open at one time as
/// small as possible? (Yuen 1991; Smith, Gent 2005: constraint modelling challenge.)
///
/// A Boolean for each two products tells which comes first. A stack is open with a product that is the
/// customer's, or that comes after one of his and before another.
pub(crate) fn open_stacks(products: usize, customers: usize, percent: u32, seed: u64) -> Problem {
    let mut rng = fastrand::Rng::with_seed(seed);
    let orders: Vec<Vec<usize>> = (0..customers)
        .map(|_| {
            loop {
                let order: Vec<usize> = (0..products).filter(|_| rng.u32(0..100) < percent).collect();
                if !order.is_empty() {
                    break order;
                }
            }
        })
        .collect();
    let mut model = Model::new();
    let before: Vec<Vec<BoolVar>> = (0..products).map(|p| model.bools(p)).collect();
    // Whether product p comes before product q.
    let precedes =
        |p: usize, q: usize| -> BoolExpr { if p > q { before[p][q].into() } else { rule!(!before[q][p]) } };
    for p in 0..products {
        for q in (0..products).filter(|&q| q != p) {
            for r in (0..products).filter(|&r| r != p && r != q && (p < q || p < r)) {
                // Each circle of three is excluded once, beginning with its smallest.
                if p < q && p < r {
                    model.post(clause([precedes(q, p), precedes(r, q), precedes(p, r)]));
                }
            }
        }
    }
    let most = model.int(0..=customers as i64);
    for p in 0..products {
        let mut always = 0;
        let mut stacks = Vec::new();
        for order in &orders {
            if order.contains(&p) {
                always += 1;
            } else if order.len() > 1 {
                let [started, pending, open] = [(); 3].map(|()| model.bool());
                for &q in order {
                    model.post(clause([precedes(p, q), started.into()]));
                    model.post(clause([precedes(q, p), pending.into()]));
                }
                model.post(rule!(started & pending -> open));
                stacks.push(open);
            }
        }
        model.post(rule!(sum(&stacks) + always <= most));
    }
    Problem { model, objective: Some(most), strategy: None }
}

/// The shortest schedule of a job shop in JSPLIB's format, if the file can be read: modelled as in the example
/// `job_shop`.
#[cfg_attr(not(feature = "testing"), allow(dead_code, reason = "for comparing explanations"))]
pub(crate) fn job_shop(file: &Path) -> Option<Problem> {
    let text = std::fs::read_to_string(file).ok()?;
    let mut numbers = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .flat_map(str::split_whitespace)
        .map_while(|word| word.parse::<i64>().ok());
    let (jobs, machines) = (numbers.next()? as usize, numbers.next()? as usize);
    let tasks: Vec<(usize, i64)> = std::iter::from_fn(|| Some((numbers.next()? as usize, numbers.next()?)))
        .take(jobs * machines)
        .collect();
    let horizon = tasks.iter().map(|task| task.1).sum::<i64>();
    let mut model = Model::new();
    let end = model.int(0..=horizon);
    let starts = model.ints(tasks.len(), 0..=horizon);
    let mut on_machine = vec![Vec::new(); machines];
    for (i, &(machine, duration)) in tasks.iter().enumerate() {
        let next = if (i + 1) % machines == 0 { end } else { starts[i + 1] };
        model.post(rule!(starts[i] + duration <= next));
        on_machine.get_mut(machine)?.push((starts[i], duration));
    }
    for tasks in &on_machine {
        model.post(no_overlap(tasks.iter().copied()));
        for (i, &(a, a_takes)) in tasks.iter().enumerate() {
            for &(b, b_takes) in &tasks[..i] {
                let first = model.bool();
                model.post(rule!(first -> a + a_takes <= b));
                model.post(rule!(!first -> b + b_takes <= a));
            }
        }
    }
    Some(Problem { model, objective: Some(end), strategy: None })
}
