//! The shortest Golomb ruler: marks on a ruler such that no two pairs of them are the same distance apart.

mod common;

use std::ops::ControlFlow;
use std::process::ExitCode;

use clap::Parser;
use common::say;
use csp_core::prelude::*;

/// Finds the shortest ruler with so many marks on which all distances between two marks differ.
///
/// Exit codes: 0 a ruler was found, 2 bad input, 3 stopped before one was found.
#[derive(Parser)]
#[command(name = "golomb_ruler")]
struct Arguments {
    /// How many marks
    #[arg(default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=40))]
    marks: u8,
    /// How the distances are kept different: auto, value, bounds or domain
    #[arg(long, default_value = "domain")]
    strength: Strength,
    #[command(flatten)]
    common: common::Common,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // A ruler shorter than the square of the number of marks exists for each number up to 65 000
    // (Dimitromanolakis 2002).
    let m = i64::from(arguments.marks);
    let mut model = Model::new();
    let mut marks = vec![model.int(0..=0)];
    marks.extend(model.ints(m as usize - 1, 1..=m * m));
    let length = marks[marks.len() - 1];
    for pair in marks.windows(2) {
        model.post(rule!(pair[0] < pair[1]));
    }
    let pairs = (0..marks.len()).flat_map(|i| (i + 1..marks.len()).map(move |j| (i, j)));
    let distances: Vec<IntVar> = pairs
        .map(|(i, j)| {
            let distance = model.int(1..=m * m);
            model.post(rule!(distance = marks[j] - marks[i]));
            distance
        })
        .collect();
    model.post(all_different(&distances).strength(arguments.strength));
    // Of a ruler and its mirror image, one is enough.
    if m > 2 {
        model.post(rule!(distances[0] < distances[distances.len() - 1]));
    }

    let mut solver = arguments.common.solver(&model);
    solver.set_search(branch(&marks));
    let best = solver.minimise_with(length, |ruler, length| {
        let marks = ruler.values(&marks);
        say(format!("length {length}: {marks:?}"));
        ControlFlow::Continue(())
    });
    let best = best.unwrap_or_else(|mistake| common::fail(&mistake.to_string()));
    if let Some(ruler) = best.solution() {
        let mut line = vec![b'-'; ruler[length] as usize + 1];
        ruler.values(&marks).iter().for_each(|&mark| line[mark as usize] = b'|');
        say(format!("\n{}\n\n{best}", String::from_utf8_lossy(&line)));
    }
    arguments.common.end(&solver, best.solution().is_some())
}
