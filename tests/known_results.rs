//! Published results, found again: counts and optima of classical problems, each from a model as a textbook
//! states it. The results and where they come from are in `data/known_results.csv`.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Instant;

use csp_core::prelude::*;

const RESULTS: &str = include_str!("data/known_results.csv");

/// What a row that is marked must take to find.
const MANY_NODES: u64 = 10_000;

#[test]
fn published_results_are_found_again() {
    let mut lines = RESULTS.lines().map(fields);
    assert_eq!(lines.next().expect("a heading").join(","), "problem,size,what,value,source,model,search");
    let (mut rows, mut large, mut problems, mut faults) = (0, 0, BTreeSet::new(), Vec::new());
    for line in lines {
        let [problem, size, what, value, _, model, search] = line.try_into().expect("seven fields");
        let start = Instant::now();
        let Answer { value: found, nodes } = answer(&model, &size);
        println!("{model} {size}: {found}, {nodes} nodes, {:.2} s", start.elapsed().as_secs_f64());
        let is_large = search == "over 10^4 nodes";
        assert!(is_large || search.is_empty(), "{search}");
        if value.parse() != Ok(found) {
            faults.push(format!("{problem}, {size}, {what}: {found} instead of {value}"));
        }
        if is_large && nodes <= MANY_NODES {
            faults.push(format!("{problem}, {size}: only {nodes} nodes"));
        }
        rows += 1;
        large += usize::from(is_large);
        problems.insert(problem);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(rows >= 45 && problems.len() >= 13 && large >= 17, "{rows}, {}, {large}", problems.len());
}

/// The fields of a line in which commas may stand between quotation marks.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().expect("a first field").push(c),
        }
    }
    fields
}

/// What was found, in how many nodes.
struct Answer {
    value: i64,
    nodes: u64,
}

fn answer(model: &str, size: &str) -> Answer {
    let n = size.parse().unwrap_or(0);
    match model {
        "golomb_ruler" => golomb_ruler(n),
        "langford_pairs" => langford(2, n),
        "langford_triples" => langford(3, n),
        "skolem" => skolem(n),
        "magic_square" => magic_square(n),
        "latin_square" => latin_square(n),
        "sudoku" => sudoku(n),
        "costas_array" => costas_array(n),
        "all_interval_series" => all_interval_series(n),
        "all_interval_row" => all_interval_row(n),
        "still_life" => still_life(n),
        "golfers" => {
            let (groups, of) = size.split_once('x').expect("groups x size");
            golfers(groups.parse().expect("groups"), of.parse().expect("a size"))
        }
        "peaceable_queens" => peaceable_queens(n),
        "queen_domination" => queen_domination(n),
        "sparse_ruler" => sparse_ruler(n),
        "one_factorization" => one_factorization(n),
        "schur" => schur(n),
        "van_der_waerden" => van_der_waerden(n),
        "no_three_in_line" => no_three_in_line(n),
        "kings" => kings(n),
        "complete_mapping" => complete_mapping(n),
        "number_partition" => number_partition(n),
        "water_buckets" => water_buckets(),
        "traffic_lights" => traffic_lights(),
        "magic_sequence" => magic_sequence(n),
        other => panic!("no model `{other}`"),
    }
}

/// How many solutions there are, each checked against every constraint.
fn count(model: &Model, search: impl Brancher + 'static) -> Answer {
    let mut solver = model.solver().expect("the model is right");
    solver.set_search(search);
    let mut value = 0;
    let outcome = solver.for_each(|_| {
        value += 1;
        ControlFlow::Continue(())
    });
    assert!(outcome.is_complete(), "{outcome}");
    Answer { value, nodes: solver.statistics().nodes }
}

/// Half as many: solutions come in pairs of which one is enough.
fn count_pairs(model: &Model, search: impl Brancher + 'static) -> Answer {
    let all = count(model, search);
    assert_eq!(all.value % 2, 0);
    Answer { value: all.value / 2, ..all }
}

enum Best {
    Smallest,
    Largest,
}
use Best::{Largest, Smallest};

fn optimum(model: &Model, best: Best, objective: IntVar, search: impl Brancher + 'static) -> Answer {
    let mut solver = model.solver().expect("the model is right");
    solver.set_search(search);
    let optimum = match best {
        Smallest => solver.minimise(objective),
        Largest => solver.maximise(objective),
    };
    match optimum.expect("the objective is right") {
        Optimum::Best { value, .. } => Answer { value, nodes: solver.statistics().nodes },
        other => panic!("{other}"),
    }
}

/// The first size for which there is a solution, or for which there is none.
fn first_size(mut sizes: impl Iterator<Item = i64>, feasible: bool, model: impl Fn(i64) -> Model) -> Answer {
    let mut nodes = 0;
    let is_first = |&size: &i64| {
        let mut solver = model(size).solver().expect("the model is right");
        let first = solver.first();
        assert!(!matches!(first, First::Stopped(_)));
        nodes += solver.statistics().nodes;
        first.solution().is_some() == feasible
    };
    let value = sizes.find(is_first).expect("there is one");
    Answer { value, nodes }
}

/// The smallest length of a ruler whose marks are all different distances apart.
fn golomb_ruler(n: i64) -> Answer {
    let mut model = Model::new();
    let marks = model.ints(n as usize, 0..=n * n);
    model.post(rule!(marks[0] = 0));
    for pair in marks.windows(2) {
        model.post(rule!(pair[0] < pair[1]));
    }
    let pairs = (0..marks.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    model.post(all_different(pairs.map(|(i, j)| marks[j] - marks[i])));
    if n > 2 {
        let last = marks.len() - 1;
        model.post(rule!(marks[1] - marks[0] < marks[last] - marks[last - 1]));
    }
    optimum(&model, Smallest, marks[marks.len() - 1], branch(&marks))
}

/// Sequences of `copies` of each of 1, …, n such that there are k numbers between one k and the next.
fn langford(copies: i64, n: i64) -> Answer {
    let mut model = Model::new();
    let mut places: Vec<Affine> = Vec::new();
    for k in 1..=n {
        let first = model.int(0..copies * n - (copies - 1) * (k + 1));
        places.extend((0..copies).map(|copy| first + copy * (k + 1)));
    }
    model.post(all_different(&places));
    count_pairs(&model, branch(&places).smallest_domain())
}

/// Sequences of two of each of 1, …, n such that one k is k places from the other.
fn skolem(n: i64) -> Answer {
    let mut model = Model::new();
    let mut places: Vec<Affine> = Vec::new();
    for k in 1..=n {
        let first = model.int(0..2 * n - k);
        places.extend([first + 0, first + k]);
    }
    model.post(all_different(&places));
    count(&model, branch(&places).smallest_domain())
}

/// Squares of 1, …, n² whose rows, columns and diagonals add up to the same.
fn magic_square(n: i64) -> Answer {
    let mut model = Model::new();
    let (size, magic) = (n as usize, n * (n * n + 1) / 2);
    let square: Vec<Vec<IntVar>> = (0..n).map(|_| model.ints(size, 1..=n * n)).collect();
    model.post(all_different(square.iter().flatten()));
    for i in 0..size {
        model.post(rule!(sum(&square[i]) = magic));
        model.post(rule!(sum(square.iter().map(|row| row[i])) = magic));
    }
    model.post(rule!(sum((0..size).map(|i| square[i][i])) = magic));
    model.post(rule!(sum((0..size).map(|i| square[i][size - 1 - i])) = magic));
    // Of eight squares that are the same turned or reflected, one.
    let (end, corner) = (size - 1, square[0][0]);
    model.post(rule!(corner < square[0][end] < square[end][0] & corner < square[end][end]));
    count(&model, branch(square.iter().flatten()).smallest_domain())
}

/// Squares with each of n values once in each row and column.
fn latin_square(n: i64) -> Answer {
    let mut model = Model::new();
    let square: Vec<Vec<IntVar>> = (0..n).map(|_| model.ints(n as usize, 0..n)).collect();
    for i in 0..n as usize {
        model.post(all_different(&square[i]));
        model.post(all_different(square.iter().map(|row| row[i])));
    }
    count(&model, branch(square.iter().flatten()))
}

/// Latin squares of order n² with each value once in each of the n × n boxes.
fn sudoku(n: i64) -> Answer {
    let mut model = Model::new();
    let (n, size) = (n as usize, (n * n) as usize);
    let grid: Vec<Vec<IntVar>> = (0..size).map(|_| model.ints(size, 0..size as i64)).collect();
    for i in 0..size {
        let (top, left) = (i / n * n, i % n * n);
        model.post(all_different(&grid[i]));
        model.post(all_different(grid.iter().map(|row| row[i])));
        model.post(all_different((0..size).map(|j| grid[top + j / n][left + j % n])));
    }
    count(&model, branch(grid.iter().flatten()))
}

/// Permutations in which no two pairs of points are apart by the same vector.
fn costas_array(n: i64) -> Answer {
    let mut model = Model::new();
    let rows = model.ints(n as usize, 0..n);
    model.post(all_different(&rows));
    for apart in 1..rows.len() {
        model.post(all_different((apart..rows.len()).map(|i| rows[i] - rows[i - apart])));
    }
    count(&model, branch(&rows))
}

/// Permutations whose neighbours are all different distances apart.
fn all_interval_series(n: i64) -> Answer {
    let mut model = Model::new();
    let series = model.ints(n as usize, 0..n);
    model.post(all_different(&series));
    model.post(all_different(series.windows(2).map(|pair| (pair[1] - pair[0]).abs())));
    count(&model, branch(&series).smallest_domain())
}

/// `x + offset` modulo `modulus`, for an x in `0..modulus` and an offset greater than `-modulus` and less.
fn modulo(model: &mut Model, x: impl Into<IntExpr>, modulus: i64) -> IntVar {
    let (x, rest, turns) = (x.into(), model.int(0..modulus), model.int(-1..=1));
    model.post(rule!(rest = x - modulus * turns));
    rest
}

/// Permutations of the 2n notes, the first fixed, with each interval (upwards, modulo 2n) once.
fn all_interval_row(n: i64) -> Answer {
    let mut model = Model::new();
    let row = model.ints(2 * n as usize, 0..2 * n);
    model.post(rule!(row[0] = 0));
    model.post(all_different(&row));
    let intervals: Vec<IntVar> =
        row.windows(2).map(|pair| modulo(&mut model, pair[1] - pair[0], 2 * n)).collect();
    model.post(all_different(&intervals));
    count(&model, branch(&row))
}

/// The most living cells of a pattern in an n × n square that Conway's game of life leaves as it is.
fn still_life(n: i64) -> Answer {
    let mut model = Model::new();
    let size = n as usize;
    let cells: Vec<Vec<BoolVar>> = (0..n).map(|_| model.bools(size)).collect();
    let cell = |i: usize, j: usize| cells.get(i).and_then(|row| row.get(j)).copied().unwrap_or(false.into());
    // Places are counted from one row above and one column to the left; outside, all cells are dead.
    for (i, j) in (0..size + 2).flat_map(|i| (0..size + 2).map(move |j| (i, j))) {
        let around =
            (0..9).map(|k| (i.wrapping_add(k / 3).wrapping_sub(2), j.wrapping_add(k % 3).wrapping_sub(2)));
        let here = (i.wrapping_sub(1), j.wrapping_sub(1));
        let neighbours: IntExpr = sum(around.filter(|&k| k != here).map(|(i, j)| cell(i, j)));
        let alive = cell(here.0, here.1);
        model.post(rule!(alive -> 2 <= neighbours.clone() <= 3));
        model.post(rule!(!alive -> neighbours != 3));
    }
    let living = model.int(0..=n * n);
    model.post(rule!(living = sum(cells.iter().flatten())));
    optimum(&model, Largest, living, branch(cells.iter().flatten()).max_value())
}

/// The most rounds in which golfers can play in so many groups of so many, no two of them twice together.
fn golfers(groups: i64, of: i64) -> Answer {
    let most = |rounds: i64| {
        let mut model = Model::new();
        let golfers = (groups * of) as usize;
        let group: Vec<Vec<IntVar>> = (0..rounds).map(|_| model.ints(golfers, 0..groups)).collect();
        for round in &group {
            for g in 0..groups {
                model.post(exactly(of, round.iter().map(|x| (*x).eq(g))));
            }
        }
        for (p, q) in (0..golfers).flat_map(|q| (0..q).map(move |p| (p, q))) {
            model.post(at_most(1, group.iter().map(|round| round[p].eq(round[q]))));
        }
        // Groups have no order: those of the first round can be given, and those of later rounds can be
        // numbered by the golfers of the first group, who do not meet again.
        for (golfer, &x) in (0..).zip(&group[0]) {
            model.post(rule!(x = golfer / of));
        }
        for round in &group[1..] {
            for golfer in 0..of {
                model.post(rule!(round[golfer as usize] = golfer));
            }
        }
        model
    };
    let none = first_size(1.., false, most);
    Answer { value: none.value - 1, ..none }
}

/// The squares that a queen attacks on a board, and the one it stands on, both counted row by row.
fn attacked(n: i64, square: usize) -> Vec<usize> {
    let place = |square: usize| (square as i64 / n, square as i64 % n);
    let (i, j) = place(square);
    let attacks = |&other: &usize| {
        let (k, l) = place(other);
        i == k || j == l || i + j == k + l || i - j == k - l
    };
    (0..(n * n) as usize).filter(attacks).collect()
}

/// The size of the largest two equal armies of queens of which none attacks one of the other.
fn peaceable_queens(n: i64) -> Answer {
    let mut model = Model::new();
    let (white, black) = (model.bools((n * n) as usize), model.bools((n * n) as usize));
    for (square, &queen) in white.iter().enumerate() {
        for other in attacked(n, square) {
            model.post(rule!(!queen | !black[other]));
        }
    }
    let army = model.int(0..=n * n);
    model.post(rule!(army = sum(&white)));
    model.post(rule!(army = sum(&black)));
    optimum(&model, Largest, army, branch(white.iter().chain(&black)).max_value())
}

/// The fewest queens that attack or stand on every square.
fn queen_domination(n: i64) -> Answer {
    let mut model = Model::new();
    let queens = model.bools((n * n) as usize);
    for square in 0..queens.len() {
        model.post(clause(attacked(n, square).into_iter().map(|other| queens[other])));
    }
    let number = model.int(0..=n * n);
    model.post(rule!(number = sum(&queens)));
    optimum(&model, Smallest, number, branch(&queens).max_value())
}

/// The fewest marks on a ruler of length n of which for each distance up to n two are that far apart.
fn sparse_ruler(n: i64) -> Answer {
    let mut model = Model::new();
    let marks = model.bools(n as usize + 1);
    for apart in 1..marks.len() {
        model.post(clause((apart..marks.len()).map(|i| marks[i] & marks[i - apart])));
    }
    model.post(rule!(marks[0]));
    let number = model.int(0..=n + 1);
    model.post(rule!(number = sum(&marks)));
    optimum(&model, Smallest, number, branch(&marks))
}

/// Divisions of the pairs of 2n players into rounds in which everyone plays. Rounds have no order, so that the
/// one of player 0 and player k is called k.
fn one_factorization(n: i64) -> Answer {
    let mut model = Model::new();
    let players = 2 * n as usize;
    let mut round = vec![vec![IntExpr::from(0); players]; players];
    let mut matches = Vec::new();
    for (p, q) in (0..players).flat_map(|q| (0..q).map(move |p| (p, q))) {
        let this = model.int(1..2 * n);
        (round[p][q], round[q][p]) = (this.into(), this.into());
        matches.push(this);
        if p == 0 {
            model.post(rule!(this = q as i64));
        }
    }
    for (p, rounds) in round.iter().enumerate() {
        let others = (0..players).filter(|&q| q != p);
        model.post(all_different(others.map(|q| &rounds[q])));
    }
    count(&model, branch(&matches))
}

/// The most numbers 1, 2, … that can be given n colours such that no sum of two has the colour of both.
fn schur(n: i64) -> Answer {
    let model = |numbers: i64| {
        let mut model = Model::new();
        let colour = model.ints(numbers as usize + 1, 0..n);
        for total in 1..colour.len() {
            for part in 1..=total / 2 {
                let other = total - part;
                model.post(rule!(colour[part] != colour[other] | colour[other] != colour[total]));
            }
        }
        // Number 0 is none of them. The first k numbers need no more than k colours.
        for (number, &colour) in (0..n).zip(&colour) {
            model.post(rule!(colour <= 0.max(number - 1)));
        }
        model
    };
    let none = first_size(1.., false, model);
    Answer { value: none.value - 1, ..none }
}

/// The first size at which numbers 1, 2, … of two colours cannot but have n at equal distances of one colour.
fn van_der_waerden(n: i64) -> Answer {
    first_size(1.., false, |numbers| {
        let mut model = Model::new();
        let colour = model.bools(numbers as usize);
        for (start, step) in (0..numbers).flat_map(|i| (1..=numbers).map(move |step| (i, step))) {
            if start + (n - 1) * step < numbers {
                let progression = || (0..n).map(|i| colour[(start + i * step) as usize]);
                model.post(clause(progression()));
                model.post(clause(progression().map(|b| !b)));
            }
        }
        model
    })
}

/// Ways of putting 2n points on an n × n grid, no three of them in a line.
fn no_three_in_line(n: i64) -> Answer {
    let mut model = Model::new();
    let points = model.bools((n * n) as usize);
    let point = |x: i64, y: i64| points[(x * n + y) as usize];
    for i in 0..n {
        model.post(exactly(2, (0..n).map(|j| point(i, j))));
        model.post(exactly(2, (0..n).map(|j| point(j, i))));
    }
    // A line through two points: where it enters the grid, and its direction.
    let on_grid = |x: i64, y: i64| (0..n).contains(&x) && (0..n).contains(&y);
    for (x, y) in (0..n * n).map(|i| (i / n, i % n)) {
        for (dx, dy) in (1..n).flat_map(|dx| (1 - n..n).map(move |dy| (dx, dy))) {
            let is_entry = !on_grid(x - dx, y - dy) && on_grid(x + 2 * dx, y + 2 * dy);
            if is_entry && (2..=dx).all(|d| dx % d != 0 || dy % d != 0) && dy != 0 {
                let line = (0..n).map(|i| (x + i * dx, y + i * dy)).take_while(|&(x, y)| on_grid(x, y));
                model.post(at_most(2, line.map(|(x, y)| point(x, y))));
            }
        }
    }
    count(&model, branch(&points))
}

/// Permutations in which no neighbours are consecutive numbers.
fn kings(n: i64) -> Answer {
    let mut model = Model::new();
    let rows = model.ints(n as usize, 0..n);
    model.post(all_different(&rows));
    for pair in rows.windows(2) {
        model.post(rule!((pair[1] - pair[0]).abs() != 1));
    }
    count(&model, branch(&rows))
}

/// Permutations p of the integers modulo 2n + 1 with p(0) = 0 such that p(i) + i is a permutation too.
fn complete_mapping(n: i64) -> Answer {
    let mut model = Model::new();
    let order = 2 * n + 1;
    let p = model.ints(order as usize, 0..order);
    model.post(rule!(p[0] = 0));
    let sums: Vec<IntVar> = (0..).zip(&p).map(|(i, &p)| modulo(&mut model, p + i, order)).collect();
    model.post(all_different(&p));
    model.post(all_different(&sums));
    count(&model, branch(&p))
}

/// Ways to part 1, …, n into two sets alike in their numbers, sums and sums of squares; sets have no order.
fn number_partition(n: i64) -> Answer {
    let mut model = Model::new();
    let first = model.bools(n as usize);
    model.post(rule!(first[0]));
    for power in 0..=2 {
        let all: i64 = (1..=n).map(|i| i.pow(power)).sum();
        let part = weighted_sum((1..=n).zip(&first).map(|(i, b)| (2 * i.pow(power), b)));
        model.post(rule!(part = all));
    }
    let from_large: Vec<BoolVar> = first.iter().rev().copied().collect();
    count(&model, branch(from_large))
}

/// The fewest pourings that part 8 litres in half between buckets of 8, 5 and 3.
fn water_buckets() -> Answer {
    const SIZES: [i64; 3] = [8, 5, 3];
    let states = (0..=8).flat_map(|a| (0..=5).map(move |b| [a, b, 8 - a - b]));
    let mut pourings = Vec::new();
    for state in states.filter(|s| (0..=3).contains(&s[2])) {
        for (from, to) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
            let amount = state[from].min(SIZES[to] - state[to]);
            let mut next = state;
            next[from] -= amount;
            next[to] += amount;
            pourings.push([state, next].concat());
        }
    }
    first_size(0.., true, |steps| {
        let mut model = Model::new();
        let states: Vec<Vec<IntVar>> = (0..=steps).map(|_| model.ints(3, 0..=8)).collect();
        for pair in states.windows(2) {
            model.post(table(pair.iter().flatten(), &pourings));
        }
        model.post(table(&states[0], [[8, 0, 0]]));
        model.post(table(&states[states.len() - 1], [[4, 4, 0]]));
        model
    })
}

/// The states of the lights at four junctions: those for cars and those for pedestrians.
fn traffic_lights() -> Answer {
    let [red, red_yellow, green, yellow] = [0, 1, 2, 3];
    let mut model = Model::new();
    let (cars, pedestrians) = (model.ints(4, 0..4), model.ints(4, [red, green]));
    for (i, next) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
        let allowed = [
            [red, red, green, green],
            [red_yellow, red, yellow, red],
            [green, green, red, red],
            [yellow, red, red_yellow, red],
        ];
        model.post(table([cars[i], pedestrians[i], cars[next], pedestrians[next]], allowed));
    }
    count(&model, branch(&cars))
}

/// Sequences s(0), …, s(n − 1) such that each i stands in it s(i) times.
fn magic_sequence(n: i64) -> Answer {
    let mut model = Model::new();
    let sequence = model.ints(n as usize, 0..n);
    for (i, &number) in (0..).zip(&sequence) {
        model.post(rule!(number = sum(sequence.iter().map(|x| (*x).eq(i)))));
    }
    count(&model, branch(&sequence))
}
