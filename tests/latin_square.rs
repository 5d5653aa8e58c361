//! Latin-square completion: domain-consistent `all_different` solves, without branching, whatever domain
//! consistency of the rows and columns can solve — by the judgement of a slow oracle that shares nothing
//! with the library.

use csp_core::prelude::*;

/// Sizes, and how many percent of the cells to open where that is possible; 30 at least. The larger the
/// square, the sooner domain consistency gives out.
const SIZES: [(usize, usize); 4] = [(9, 50), (20, 40), (30, 34), (49, 30)];
const EACH: u64 = 25;

/// A square, row by row.
type Square = Vec<usize>;

#[test]
fn domain_consistency_alone_completes_latin_squares() {
    let (mut solved, mut beyond_singles, mut open_cells, mut cells) = (0, 0, 0, 0);
    for (n, percent) in SIZES {
        for seed in 0..EACH {
            let mut rng = fastrand::Rng::with_seed(1000 * n as u64 + seed);
            let square = random_square(n, &mut rng);
            let open = remove_cells(n, &square, (n * n * percent).div_ceil(100), &mut rng);
            let mut known = without(n, &square, &open);
            make_consistent(n, &mut known, &mut vec![true; 2 * n]);
            assert!(is_solved(&known), "the oracle contradicts itself");
            assert!(10 * open.len() >= 3 * n * n, "{n}: only {} open cells", open.len());
            beyond_singles += usize::from(!is_solved(&by_singles(n, without(n, &square, &open))));
            open_cells += open.len();
            cells += n * n;
            solved += usize::from(engine_solves(n, &square, &open));
        }
    }
    println!(
        "{solved} squares completed at the root, {}% of their cells open; value propagation and hidden \
         singles do not complete {beyond_singles} of them",
        100 * open_cells / cells
    );
    assert_eq!(solved as u64, SIZES.len() as u64 * EACH);
    assert!(beyond_singles >= 10, "the squares are too easy to show anything");
}

/// Whether the engine fixes every cell at the root, rightly, and a search has one node.
fn engine_solves(n: usize, square: &Square, open: &[usize]) -> bool {
    let mut model = Model::new();
    let mut domains: Vec<std::ops::Range<i64>> = square.iter().map(|&v| v as i64..v as i64 + 1).collect();
    for &cell in open {
        domains[cell] = 0..n as i64;
    }
    let cells: Vec<IntVar> = domains.into_iter().map(|d| model.int(d)).collect();
    for i in 0..n {
        model.post(all_different((0..n).map(|j| cells[n * i + j])).domain());
        model.post(all_different((0..n).map(|j| cells[n * j + i])).domain());
    }
    let mut solver = model.solver().expect("the model is right");
    let fixed = solver.propagate()
        && cells
            .iter()
            .zip(square)
            .all(|(&cell, &v)| solver.domain(cell) == Some(Domain::from(v as i64..=v as i64)));
    fixed && solver.first().solution().is_some() && solver.statistics().nodes == 1
}

/// A square as it may be anywhere: a cyclic one, shuffled, and two rows or two columns at a time swapped along
/// a cycle of theirs.
fn random_square(n: usize, rng: &mut fastrand::Rng) -> Square {
    let mut permutation = || {
        let mut p: Vec<usize> = (0..n).collect();
        rng.shuffle(&mut p);
        p
    };
    let (rows, columns, symbols) = (permutation(), permutation(), permutation());
    let mut square: Square =
        (0..n * n).map(|cell| symbols[(rows[cell / n] + columns[cell % n]) % n]).collect();
    for _ in 0..10 * n {
        let (a, b) = (rng.usize(0..n), rng.usize(0..n));
        if a == b {
            continue;
        }
        let by_rows = rng.bool();
        let at = |line: usize, k: usize| if by_rows { n * line + k } else { n * k + line };
        let start = rng.usize(0..n);
        let mut k = start;
        loop {
            square.swap(at(a, k), at(b, k));
            let doubled = square[at(a, k)];
            match (0..n).find(|&j| j != k && square[at(a, j)] == doubled) {
                Some(j) => k = j,
                None => break,
            }
        }
    }
    for i in 0..n {
        assert_eq!((0..n).fold(0, |set, j| set | 1u64 << square[n * i + j]).count_ones() as usize, n);
        assert_eq!((0..n).fold(0, |set, j| set | 1u64 << square[n * j + i]).count_ones() as usize, n);
    }
    square
}

/// Removes up to `count` cells, as long as domain consistency completes the square: as many at random, of
/// which some are put back, and then one by one.
fn remove_cells(n: usize, square: &Square, count: usize, rng: &mut fastrand::Rng) -> Vec<usize> {
    let mut open: Vec<usize> = (0..n * n).collect();
    rng.shuffle(&mut open);
    let mut rest = open.split_off(count);
    let mut domains = without(n, square, &open);
    let mut todo = vec![true; 2 * n];
    loop {
        make_consistent(n, &mut domains, &mut todo);
        // What is known from more givens is known from what was known before and one given more.
        let Some(k) = open.iter().position(|&cell| !domains[cell].is_power_of_two()) else { break };
        let cell = open.swap_remove(k);
        domains[cell] = 1 << square[cell];
        todo[cell / n] = true;
        todo[n + cell % n] = true;
    }
    // Those first of which most is known from their row and column.
    let lines = lines(n);
    let known = without(n, square, &open);
    rest.sort_by_cached_key(|&cell| {
        let both = lines[cell / n].iter().chain(&lines[n + cell % n]).filter(|&&other| other != cell);
        let given = both.map(|&other| known[other]).filter(|d| d.is_power_of_two());
        std::cmp::Reverse(given.fold(0, |set, d| set | d).count_ones())
    });
    for cell in rest {
        if open.len() == count {
            break;
        }
        open.push(cell);
        // What singles find, domain consistency finds too; they are quicker at it.
        let mut domains = by_singles(n, without(n, square, &open));
        if !is_solved(&domains) {
            make_consistent(n, &mut domains, &mut vec![true; 2 * n]);
        }
        if !is_solved(&domains) {
            open.pop();
        }
    }
    open
}

/// Domains as bits, cell by cell, with some of the cells open; those have what no given takes from them.
fn without(n: usize, square: &Square, open: &[usize]) -> Vec<u64> {
    let mut domains: Vec<u64> = square.iter().map(|&v| 1 << v).collect();
    open.iter().for_each(|&cell| domains[cell] = 0);
    let given = |line: &Vec<usize>| line.iter().fold(0, |set, &cell| set | domains[cell]);
    let given: Vec<u64> = lines(n).iter().map(given).collect();
    for &cell in open {
        domains[cell] = u64::MAX >> (64 - n) & !given[cell / n] & !given[n + cell % n];
    }
    domains
}

fn is_solved(domains: &[u64]) -> bool {
    domains.iter().all(|d| d.is_power_of_two())
}

/// The cells of each row and each column.
fn lines(n: usize) -> Vec<Vec<usize>> {
    let row = |i: usize| (0..n).map(|j| n * i + j).collect();
    let column = |i: usize| (0..n).map(|j| n * j + i).collect();
    (0..n).map(row).chain((0..n).map(column)).collect()
}

/// The oracle: takes from each cell what no matching of its row, or of its column, has, until nothing
/// changes. Looks at the lines `todo`, and at those in which something changed.
fn make_consistent(n: usize, domains: &mut [u64], todo: &mut [bool]) {
    let lines = lines(n);
    while todo.contains(&true) {
        for (k, cells) in lines.iter().enumerate() {
            if !std::mem::replace(&mut todo[k], false) {
                continue;
            }
            let line: Vec<u64> = cells.iter().map(|&cell| domains[cell]).collect();
            for (&cell, supported) in cells.iter().zip(supported(&line)) {
                if domains[cell] != supported {
                    domains[cell] = supported;
                    todo[if k < n { n + cell % n } else { cell / n }] = true;
                }
            }
        }
    }
}

const NOBODY: u8 = u8::MAX;

/// The values with which the cells of a line can take different values.
fn supported(line: &[u64]) -> Vec<u64> {
    /// Gives cell `i` a value, moving others as needed.
    fn place(i: u8, line: &[u64], owner: &mut [u8; 64], seen: &mut u64) -> bool {
        while line[usize::from(i)] & !*seen != 0 {
            let v = (line[usize::from(i)] & !*seen).trailing_zeros() as usize;
            *seen |= 1 << v;
            if owner[v] == NOBODY || place(owner[v], line, owner, seen) {
                owner[v] = i;
                return true;
            }
        }
        false
    }
    // What is given is out of the others' reach; this only saves time.
    let given = line.iter().filter(|d| d.is_power_of_two()).fold(0, |set, d| set | d);
    let mut owner = [NOBODY; 64];
    let is_open = |i: &u8| !line[usize::from(*i)].is_power_of_two();
    let givens = line.iter().filter(|d| d.is_power_of_two()).count() as u32;
    let all_placed =
        (0..line.len() as u8).filter(is_open).all(|i| place(i, line, &mut owner, &mut { given }));
    if given.count_ones() != givens || !all_placed {
        return vec![0; line.len()];
    }
    let mut supported = line.to_vec();
    for domain in supported.iter_mut().filter(|d| !d.is_power_of_two()) {
        *domain = 0;
    }
    for (mate, &i) in owner.iter().enumerate().filter(|o| *o.1 != NOBODY) {
        supported[usize::from(i)] |= 1 << mate;
        for v in (0..64).filter(|&v| v != mate && (line[usize::from(i)] & !given) >> v & 1 == 1) {
            // Cell `i` takes `v` and gives its own value up; the cell that had `v` looks for another.
            let mut owner = owner;
            owner[mate] = NOBODY;
            let other = std::mem::replace(&mut owner[v], i);
            if other == NOBODY || place(other, line, &mut owner, &mut (given | 1 << v)) {
                supported[usize::from(i)] |= 1 << v;
            }
        }
    }
    supported
}

/// What value propagation and hidden singles make of it.
fn by_singles(n: usize, mut domains: Vec<u64>) -> Vec<u64> {
    let lines = lines(n);
    loop {
        let before = domains.clone();
        for line in &lines {
            let fixed = line.iter().map(|&cell| domains[cell]).filter(|d| d.is_power_of_two());
            let fixed = fixed.fold(0, |set, d| set | d);
            let (mut once, mut twice) = (0, 0);
            for &cell in line {
                if !domains[cell].is_power_of_two() {
                    domains[cell] &= !fixed;
                }
                twice |= once & domains[cell];
                once |= domains[cell];
            }
            for &cell in line {
                // Of two values that have no other place the cell keeps the first; then nothing fits anyway.
                let hidden = domains[cell] & once & !twice;
                if hidden != 0 {
                    domains[cell] = hidden & hidden.wrapping_neg();
                }
            }
        }
        if domains == before {
            return domains;
        }
    }
}
