//! The zebra puzzle (Life International 1962): who drinks water, and who owns the zebra?

mod common;

use std::process::ExitCode;

use clap::Parser;
use csp_core::prelude::*;

/// Solves the puzzle of the five houses and the zebra, and prints who lives in which house with what.
#[derive(Parser)]
#[command(name = "zebra")]
struct Arguments {
    #[command(flatten)]
    common: common::Common,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut model = Model::new();
    // There are five houses, and each variable is the house, from left to right, of a colour, a person, …
    let mut houses = |names: [&str; 5]| names.map(|name| model.int_named(name, 1..=5));
    let colours = houses(["red", "green", "ivory", "yellow", "blue"]);
    let people = houses(["Englishman", "Spaniard", "Ukrainian", "Norwegian", "Japanese"]);
    let animals = houses(["dog", "snails", "fox", "horse", "zebra"]);
    let drinks = houses(["coffee", "tea", "milk", "orange juice", "water"]);
    let smokes = houses(["Old Gold", "Kools", "Chesterfields", "Lucky Strike", "Parliaments"]);
    let all = [colours, people, animals, drinks, smokes];
    for kind in &all {
        model.post(all_different(kind));
    }
    let [red, green, ivory, yellow, blue] = colours;
    let [englishman, spaniard, ukrainian, norwegian, japanese] = people;
    let [dog, snails, fox, horse, zebra] = animals;
    let [coffee, tea, milk, orange_juice, water] = drinks;
    let [old_gold, kools, chesterfields, lucky_strike, parliaments] = smokes;

    // The Englishman lives in the red house.
    model.post(rule!(englishman = red));
    // The Spaniard owns the dog.
    model.post(rule!(spaniard = dog));
    // Coffee is drunk in the green house.
    model.post(rule!(coffee = green));
    // The Ukrainian drinks tea.
    model.post(rule!(ukrainian = tea));
    // The green house is immediately to the right of the ivory house.
    model.post(rule!(green = ivory + 1));
    // The Old Gold smoker owns snails.
    model.post(rule!(old_gold = snails));
    // Kools are smoked in the yellow house.
    model.post(rule!(kools = yellow));
    // Milk is drunk in the middle house.
    model.post(rule!(milk = 3));
    // The Norwegian lives in the first house.
    model.post(rule!(norwegian = 1));
    // The man who smokes Chesterfields lives in the house next to the man with the fox.
    model.post(rule!((chesterfields - fox).abs() = 1));
    // Kools are smoked in the house next to the house where the horse is kept.
    model.post(rule!((kools - horse).abs() = 1));
    // The Lucky Strike smoker drinks orange juice.
    model.post(rule!(lucky_strike = orange_juice));
    // The Japanese smokes Parliaments.
    model.post(rule!(japanese = parliaments));
    // The Norwegian lives next to the blue house.
    model.post(rule!((norwegian - blue).abs() = 1));

    let mut solver = arguments.common.solver(&model);
    let mut found = 0;
    for solution in solver.solutions() {
        found += 1;
        // Which of several variables is this house.
        let name = |kind: &[IntVar; 5], house: i64| {
            let there = kind.iter().find(|&&x| solution[x] == house);
            there.map(|&x| model.names().of(x)).unwrap_or_default()
        };
        for house in 1..=5 {
            let line: String = all.iter().map(|kind| format!("  {:13}", name(kind, house))).collect();
            println!("{house}{}", line.trim_end());
        }
        println!("\nThe {} drinks water.", name(&people, solution[water]));
        println!("The {} owns the zebra.", name(&people, solution[zebra]));
    }
    if found > 1 {
        println!("\nThere are {found} answers.");
    }
    arguments.common.end(&solver, found > 0)
}
