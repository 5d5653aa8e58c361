//! After its first failure a search allocates nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use csp_core::prelude::*;

/// The system's allocator, counting for each thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

fn allocations() -> u64 {
    ALLOCATIONS.with(Cell::get)
}

fn note_one() {
    // A thread that is being torn down has no counter any more.
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: every call is passed on to the system's allocator as it came.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note_one();
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note_one();
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Searches like `branch(variables).smallest_domain()`, and notes the count of allocations at the first
/// node after a failure: where fewer variables are fixed than at the node before.
fn noting(
    variables: Vec<IntVar>,
    note: Arc<AtomicU64>,
) -> impl FnMut(&Domains<'_>) -> Option<Decision> + Send {
    let mut fixed_before = 0;
    move |domains| {
        let fixed = variables.iter().filter(|&&x| domains.is_fixed(x)).count();
        if fixed < fixed_before && note.load(Ordering::Relaxed) == 0 {
            note.store(allocations(), Ordering::Relaxed);
        }
        fixed_before = fixed;
        let x =
            variables.iter().copied().filter(|&x| !domains.is_fixed(x)).min_by_key(|&x| domains.size(x))?;
        Some(Decision::Equal(x, domains.min(x)))
    }
}

fn assert_no_allocations(what: impl Debug, model: &Model, variables: &[IntVar], solutions: u64) {
    let note = Arc::new(AtomicU64::new(0));
    let mut solver = model.solver().unwrap();
    solver.set_search(noting(variables.to_vec(), Arc::clone(&note)));
    let count = solver.count();
    let after = allocations();
    assert_eq!(count.solutions, solutions);
    let before = note.load(Ordering::Relaxed);
    assert!(before > 0, "the search never failed, so nothing was shown, {what:?}");
    assert_eq!(after - before, 0, "allocations in count(), {what:?}");

    note.store(0, Ordering::Relaxed);
    let mut solver = model.solver().unwrap();
    solver.set_search(noting(variables.to_vec(), Arc::clone(&note)));
    let mut seen = 0;
    let outcome = solver.for_each(|_| {
        seen += 1;
        ControlFlow::Continue(())
    });
    let after = allocations();
    assert_eq!((seen, outcome), (solutions, Outcome::AllFound));
    assert_eq!(after - note.load(Ordering::Relaxed), 0, "allocations in for_each(), {what:?}");
}

#[test]
fn ten_queens() {
    for strength in [Strength::Value, Strength::Bounds, Strength::Domain] {
        let mut model = Model::new();
        let queens = model.ints(10, 0..10);
        model.post(all_different(&queens).strength(strength));
        model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q + row)).strength(strength));
        model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q - row)).strength(strength));
        model.post(sum(&queens).eq(45));
        assert_no_allocations(strength, &model, &queens, 724);
    }
}

#[test]
fn a_sudoku() {
    // One of the hardest: search is needed whatever the filtering.
    let clues = "800000000003600000070090200050007000000045700000100030001000068008500010090000400";
    for strength in [Strength::Value, Strength::Bounds, Strength::Domain] {
        let mut model = Model::new();
        let cells = model.ints(81, 1..=9);
        for i in 0..9 {
            model.post(all_different(cells[9 * i..9 * i + 9].iter()).strength(strength));
            model.post(all_different((0..9).map(|j| cells[9 * j + i])).strength(strength));
            let corner = 27 * (i / 3) + 3 * (i % 3);
            model.post(all_different((0..9).map(|j| cells[corner + 9 * (j / 3) + j % 3])).strength(strength));
        }
        let given = clues.bytes().enumerate().filter(|&(_, digit)| digit != b'0');
        for (i, digit) in given {
            model.post(cells[i].eq(i64::from(digit - b'0')));
        }
        let solutions = model.solver().unwrap().count().solutions;
        assert_no_allocations(strength, &model, &cells, solutions);
    }
}

#[test]
fn tables_and_counts() {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut model = Model::new();
    let xs = model.ints(8, 0..6);
    for first in 0..6 {
        let rows: Vec<[i64; 3]> = (0..100).map(|_| [0; 3].map(|_| rng.i64(0..6))).collect();
        model.post(table(&xs[first..first + 3], &rows));
        model.post(forbidden([xs[first + 2], xs[first], xs[first + 1]], &rows[..40]));
    }
    let solutions = model.solver().unwrap().count().solutions;
    assert_no_allocations("tables", &model, &xs, solutions);

    let mut model = Model::new();
    let cells: Vec<BoolVar> = (0..20).map(|_| model.bool()).collect();
    for row in cells.chunks(5) {
        model.post(exactly(2, row));
    }
    for column in 0..4 {
        model.post(xor(cells.iter().skip(column).step_by(5)));
    }
    let variables: Vec<IntVar> = model.variables().collect();
    let solutions = model.solver().unwrap().count().solutions;
    assert_no_allocations("counts", &model, &variables, solutions);
}
