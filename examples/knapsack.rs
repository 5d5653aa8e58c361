//! The 0-1 knapsack problem: of some items, each with a value and a weight, pack the most valuable ones that a
//! knapsack can carry.

mod common;

use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::process::ExitCode;

use clap::Parser;
use common::{note, say, text::Text};
use csp_core::prelude::*;

/// Packs the most valuable items that a knapsack can carry.
///
/// The first line of the file is the weight that the knapsack can carry. Each further line is an item: its
/// value, its weight and, if you like, its name. All numbers are whole. Lines that begin with # are comments.
///
/// Exit codes: 0 a packing was found, 2 bad input, 3 stopped before one was found.
#[derive(Parser)]
#[command(name = "knapsack")]
struct Arguments {
    /// The capacity and the items, or - for the standard input
    file: String,
    #[command(flatten)]
    common: common::Common,
}

struct Item {
    value: i64,
    weight: i64,
    name: String,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let (capacity, mut items) = read(&arguments.file);
    items.sort_by(by_density);
    let values: i64 = items.iter().map(|item| item.value).sum();
    let weights: i64 = items.iter().map(|item| item.weight).sum();

    let mut model = Model::new();
    let packed = model.bools(items.len());
    let value = model.int(0..=values);
    let weight = model.int(0..=capacity.min(weights));
    let all = || items.iter().zip(&packed);
    model.post(rule!(value = sum(all().map(|(item, &packed)| item.value * packed))));
    model.post(rule!(weight = sum(all().map(|(item, &packed)| item.weight * packed))));
    // This follows from the two, whatever p and q are. With p / q the value of one more unit of capacity it
    // tells the solver what Dantzig's bound does: how much the items left out, and those taken in, cost.
    let (p, q) = price(capacity, &items);
    let gain = |item: &Item| q * item.value - p * item.weight;
    model.post(rule!(q * value - p * weight = sum(all().map(|(item, &packed)| gain(item) * packed))));

    let mut solver = arguments.common.solver(&model);
    solver.set_search(branch(&packed).max_value());
    let best = solver.maximise_with(value, |packing, value| {
        note(format!("value {value}, weight {}", packing[weight]));
        ControlFlow::Continue(())
    });
    let best = best.unwrap_or_else(|mistake| common::fail(&mistake.to_string()));
    if let Some(packing) = best.solution() {
        say(format!("{:>20} {:>20}  name", "value", "weight"));
        for (item, _) in all().filter(|(_, packed)| packing.is_true(**packed)) {
            say(format!("{:>20} {:>20}  {}", item.value, item.weight, item.name));
        }
        say(format!("{:>20} {:>20}  in all, of {capacity}", packing[value], packing[weight]));
        note(&best);
    }
    arguments.common.end(&solver, best.solution().is_some())
}

/// The most valuable for their weight first, and before them those that weigh nothing.
fn by_density(a: &Item, b: &Item) -> Ordering {
    let product = |value: i64, weight: i64| i128::from(value) * i128::from(weight);
    let density = || product(b.value, a.weight).cmp(&product(a.value, b.weight));
    (a.weight > 0).cmp(&(b.weight > 0)).then_with(density)
}

/// The value of one more unit of capacity if items could be cut, as p / q: that of the item that would be cut.
/// Rounded, such that q times all values and p times all weights are no more than 2^60.
fn price(capacity: i64, items: &[Item]) -> (i64, i64) {
    let mut left = capacity;
    let cut = items.iter().find(|item| {
        left -= item.weight;
        left < 0
    });
    let Some(cut) = cut else { return (0, 1) };
    let density = cut.value as f64 / cut.weight as f64;
    let values: f64 = items.iter().map(|item| item.value as f64).sum();
    let weights: f64 = items.iter().map(|item| item.weight as f64).sum();
    let q = (LARGEST as f64 / 2.0 / (values + density * weights).max(1.0)).min(cut.weight as f64).floor();
    ((density * q).round() as i64, q as i64)
}

/// What values, or weights, may add up to.
const LARGEST: i64 = 1 << 60;

fn read(file: &str) -> (i64, Vec<Item>) {
    let text = Text::read(file);
    let mut lines = text.lines().filter(|line| !line.words[0].starts_with('#'));
    let Some(first) = lines.next() else { text.fail("there is no line with the capacity") };
    let capacity = first.number(0, "the capacity");
    if first.words.len() > 1 {
        first.fail("the first line is the capacity alone");
    }
    let (mut values, mut weights, mut items) = (0i64, 0i64, Vec::new());
    for line in lines {
        let (value, weight) = (line.number(0, "the value"), line.number(1, "the weight"));
        (values, weights) = (values.saturating_add(value), weights.saturating_add(weight));
        if values.max(weights) > LARGEST {
            line.fail("the values, or the weights, add up to more than 2^60");
        }
        let name = match line.words[2..].join(" ") {
            name if name.is_empty() => format!("line {}", line.number),
            name => name,
        };
        items.push(Item { value, weight, name });
    }
    (capacity, items)
}
