//! SEND + MORE = MONEY: each letter is a digit, different letters are different digits, and no number begins
//! with 0 (Dudeney 1924). Or any other sum of words.

mod common;

use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::Parser;
use csp_core::prelude::*;

/// Solves a sum of words in which each letter stands for a digit of its own, and prints every solution.
#[derive(Parser)]
#[command(name = "send_more_money")]
struct Arguments {
    /// The words that are added up, and after them their sum
    #[arg(value_name = "WORD", num_args = 2.., default_values = ["SEND", "MORE", "MONEY"])]
    words: Vec<String>,
    #[command(flatten)]
    common: common::Common,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let words = &arguments.words;
    let mut model = Model::new();
    let mut letters: BTreeMap<char, IntVar> = BTreeMap::new();
    for letter in words.iter().flat_map(|word| word.chars()) {
        letters.entry(letter).or_insert_with(|| model.int_named(letter.to_string(), 0..=9));
    }
    model.post(all_different(letters.values()));
    for first in words.iter().filter(|word| word.len() > 1).filter_map(|word| word.chars().next()) {
        model.post(rule!(letters[&first] >= 1));
    }
    // A word is its first letter, times ten plus the second, times ten plus the third, …
    let number = |word: &String| word.chars().fold(IntExpr::from(0), |number, c| 10 * number + letters[&c]);
    let Some((total, addends)) = words.split_last() else { common::fail("there is no word") };
    model.post(rule!(addends.iter().map(number).sum::<IntExpr>() = number(total)));

    let mut solver = arguments.common.solver(&model);
    let mut found = 0;
    let width = words.iter().map(String::len).max().unwrap_or(0) + 2;
    for solution in solver.solutions() {
        found += 1;
        let digits =
            |word: &String| -> String { word.chars().map(|c| solution[letters[&c]].to_string()).collect() };
        println!();
        for (i, word) in words.iter().enumerate() {
            if i + 1 == words.len() {
                println!("{}", "-".repeat(2 * width + 3));
            }
            let sign = if i + 2 == words.len() { "+" } else { "" };
            println!("{:>width$}   {:>width$}", format!("{sign} {word}"), format!("{sign} {}", digits(word)));
        }
    }
    println!("\n{found} solution{}", if found == 1 { "" } else { "s" });
    arguments.common.end(&solver, found > 0)
}
