//! SEND + MORE = MONEY: each letter is a digit, different letters are different digits, and no number begins
//! with 0 (Dudeney 1924). Or any other sum of words.

mod common;

use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::Parser;
use common::say;
use csp_core::prelude::*;

/// Solves a sum of words in which each letter stands for a digit of its own, and prints every solution.
///
/// Capital and small letters are the same. Exit codes: 0 there is a solution, 1 there is none, 2 bad input, 3
/// stopped before one was found.
#[derive(Parser)]
#[command(name = "send_more_money")]
struct Arguments {
    /// The words that are added up, and after them their sum
    #[arg(value_name = "WORD", num_args = 2.., default_values = ["SEND", "MORE", "MONEY"])]
    words: Vec<String>,
    #[command(flatten)]
    common: common::Common,
}

/// Longer numbers, added up, may exceed 64 bits.
const LONGEST: usize = 16;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let words: Vec<String> = arguments.words.iter().map(|word| word.to_uppercase()).collect();
    for word in &words {
        if word.is_empty() || !word.chars().all(char::is_alphabetic) {
            common::fail(&format!("{word:?} is not a word of letters"));
        }
        if word.chars().count() > LONGEST {
            common::fail(&format!("{word} is longer than {LONGEST} letters"));
        }
    }
    let mut model = Model::new();
    let mut letters: BTreeMap<char, IntVar> = BTreeMap::new();
    for letter in words.iter().flat_map(|word| word.chars()) {
        letters.entry(letter).or_insert_with(|| model.int_named(letter.to_string(), 0..=9));
    }
    if letters.len() > 10 {
        common::fail(&format!("{} different letters cannot be ten different digits", letters.len()));
    }
    model.post(all_different(letters.values()));
    for first in words.iter().filter(|word| word.chars().count() > 1).filter_map(|word| word.chars().next()) {
        model.post(rule!(letters[&first] >= 1));
    }
    // A word is its first letter, times ten plus the second, times ten plus the third, …
    let number = |word: &String| word.chars().fold(IntExpr::from(0), |number, c| 10 * number + letters[&c]);
    let Some((total, addends)) = words.split_last() else { common::fail("there is no word") };
    model.post(rule!(addends.iter().map(number).sum::<IntExpr>() = number(total)));

    let mut solver = arguments.common.solver(&model);
    let mut found = 0;
    let width = words.iter().map(|word| word.chars().count()).max().unwrap_or(0) + 2;
    for solution in solver.solutions() {
        found += 1;
        let digits =
            |word: &String| -> String { word.chars().map(|c| solution[letters[&c]].to_string()).collect() };
        say("");
        for (i, word) in words.iter().enumerate() {
            if i + 1 == words.len() {
                say("-".repeat(2 * width + 3));
            }
            let sign = if i > 0 && i + 2 == words.len() { "+" } else { "" };
            let (word, digits) = (format!("{sign} {word}"), format!("{sign} {}", digits(word)));
            say(format!("{word:>width$}   {digits:>width$}"));
        }
    }
    say(format!("\n{found} solution{}", if found == 1 { "" } else { "s" }));
    arguments.common.end(&solver, found > 0)
}
