//! scratch
use csp_core::prelude::*;
fn main() {
    let n: i64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let sum_ = std::env::args().nth(2).is_some();
    let mut model = Model::new();
    let queens = model.ints(n as usize, 0..n);
    model.post(all_different(&queens));
    model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q + row)));
    model.post(all_different(queens.iter().zip(0..).map(|(&q, row)| q - row)));
    if sum_ {
        model.post(sum(&queens).eq(n * (n - 1) / 2));
    }
    let mut solver = model.solver().unwrap();
    solver.set_search(branch(&queens).smallest_domain().min_value());
    let c = solver.count();
    println!("{c:?} {}", solver.statistics());
}
