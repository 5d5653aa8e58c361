//! The variants of the program `nqueens`, run as a user runs them.

#[path = "common/nqueens.rs"]
mod program;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use csp_nqueens::{Domination, Format, Queens, Regions, Square, Variant};

use program::*;

#[test]
fn variants_are_solved_listed_and_counted() {
    for (variant, size, count) in [
        (Variant::Toroidal, 7, 28),
        (Variant::PointSymmetric, 8, 4),
        (Variant::QuarterTurn, 5, 2),
        (Variant::Kings, 5, 14),
    ] {
        assert_eq!(stdout(&format!("variant {variant} {size} --count")), format!("{count}\n"));
        let all = stdout(&format!("variant {variant} {size} --all --format columns"));
        let all = Format::Columns.parse_all(&all).unwrap();
        assert_eq!(all.len(), count);
        assert!(all.iter().all(|columns| variant.is_solution(&Queens::new(size), columns)));
        let first = stdout(&format!("variant {variant} {size} --format columns"));
        assert_eq!(Format::Columns.parse_all(&first).unwrap(), all[..1]);
        let result = json(&stdout(&format!("variant {variant} {size} --count --format json")));
        assert_eq!((&result["solutions"], &result["complete"]), (&count.into(), &true.into()));
    }
    assert_eq!(stdout("variant toroidal 11 --count --engine"), "88\n");
    assert_eq!(stdout("variant toroidal 7 --count --place 0,0"), "4\n");
    let (code, out, err) = run("variant toroidal 8");
    assert_eq!((code, out.as_str(), err.as_str()), (1, "", "no solution: toroidal, size 8\n"));
}

#[test]
fn diagonals_are_excluded() {
    assert_eq!(stdout("count 8 --exclude d0 --exclude d13 --exclude d6 --exclude s2 --exclude d12"), "1\n");
    assert_eq!(run("8 --exclude d0 --exclude d13 --exclude d6 --exclude s2 --exclude d12").0, 0);
    for (diagonal, words) in [
        ("d15", "--exclude d15: there is no diagonal 15 on a board of size 8"),
        ("7", "a diagonal is d or s and its number"),
        ("sx", "the number of a diagonal is a whole number"),
    ] {
        let (code, out, err) = run(&format!("count 8 --exclude {diagonal}"));
        assert_eq!((code, out.as_str()), (2, ""));
        assert!(err.contains(words), "{err}");
    }
}

#[test]
fn best_sets_are_drawn_and_told() {
    let out = stdout("dominate 6");
    assert!(out.ends_with("3 queens\n") && out.matches('Q').count() == 3, "{out}");
    let result = json(&stdout("dominate 8 --format json"));
    assert_eq!((&result["best"], &result["bound"], &result["proved"]), (&5.into(), &5.into(), &true.into()));
    let queens: Vec<Square> = serde_json::from_value(result["solution"]["queens"].clone()).unwrap();
    assert!(queens.len() == 5 && Domination::new(8).is_dominated_by(&queens));

    let out = stdout("peaceable 5");
    assert!(out.ends_with("4 queens of each colour\n"), "{out}");
    assert_eq!((out.matches('W').count(), out.matches('B').count()), (4, 4));

    let holes = "largest 3 --block 0,1 --block 1,0 --block 1,1 --block 1,2 --block 2,1";
    assert_eq!(stdout(&format!("{holes} --holes-stop-attacks")), "Q#Q\n###\nQ#Q\n4 queens\n");
    assert!(stdout(holes).ends_with("1 queens\n"));
    assert!(stdout(&format!("{holes} --holes-stop-attacks --at-most 2")).ends_with("2 queens\n"));
    let (code, out, err) = run("largest 3 --place 0,0 --place 1,1");
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.starts_with("no solution"), "{err}");
}

#[test]
fn a_time_limit_gives_the_best_so_far_with_its_bound() {
    let start = Instant::now();
    let (code, out, _) = run("peaceable 20 --time-limit 1");
    assert_eq!(code, 3, "{out}");
    assert!(
        out.contains("of each colour, bound ") && out.contains("incomplete: stopped by --time-limit"),
        "{out}"
    );
    let (code, out, _) = run("dominate 16 --time-limit 1 --format json");
    assert_eq!((code, &json(&out)["proved"]), (3, &false.into()), "{out}");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[cfg(unix)]
#[test]
fn ctrl_c_gives_the_best_so_far_with_its_bound() {
    let mut program = command("peaceable 20");
    let program = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Time to start, on a busy machine too.
    thread::sleep(Duration::from_millis(1500));
    assert!(Command::new("kill").args(["-INT", &program.id().to_string()]).status().unwrap().success());
    let (code, out, err) = read(program.wait_with_output().unwrap());
    assert_eq!(code, 130, "{out}{err}");
    assert!(out.contains("bound ") && out.contains("incomplete: interrupted"), "{out}");
}

#[test]
fn regions_are_made_read_and_solved() {
    let board = stdout("regions --generate 7 --seed 5");
    assert_eq!(board, stdout("regions --generate 7 --seed 5"));
    assert_ne!(board, stdout("regions --generate 7 --seed 6"));
    let file = env::temp_dir().join(format!("nqueens-regions-{}.txt", std::process::id()));
    let name = file.display().to_string();
    fs::write(&file, &board).unwrap();
    assert_eq!(stdout(&format!("regions {name} --unique")), "exactly one solution\n");
    assert_eq!(stdout(&format!("regions {name} --count")), "1\n");
    let solution = Format::Columns.parse(&stdout(&format!("regions {name} --format columns"))).unwrap();
    assert!(board.parse::<Regions>().unwrap().is_solution(&solution));

    fs::write(&file, "AAAAA\nBBBBB\nCCCCC\nDDDDD\nEEEEE\n").unwrap();
    let (code, out, _) = run(&format!("regions {name} --unique"));
    assert_eq!((code, out.as_str()), (1, "more than one solution\n"));
    assert_eq!(stdout(&format!("regions {name} --count")), "14\n");
    fs::write(&file, "AB\nB\n").unwrap();
    let (code, out, err) = run(&format!("regions {name}"));
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("row 1 has 1 squares, but there are 2 rows"), "{err}");
    fs::remove_file(&file).unwrap();
    assert_eq!(run(&format!("regions {name}")).0, 2);
    assert_eq!(run("regions --generate 3").0, 1);
}

#[test]
fn what_is_malformed_is_refused_in_words() {
    for (arguments, words) in [
        ("variant knights 8", "knights"),
        ("variant toroidal", "<N>"),
        ("variant toroidal 8 --count --all", "--count"),
        ("variant toroidal 32 --count", "`toroidal` goes up to 31"),
        ("variant kings 1001", "goes up to 1000"),
        ("dominate 61", "size 61 is too large"),
        ("peaceable 1000000000000", "too large"),
        ("largest 101", "too large"),
        ("largest 8 --at-most few", "whole number, 0 or more"),
        ("regions", "<FILE>"),
        ("regions --generate 21", "goes up to 20"),
        ("1000000000000 --exclude d999999999999", "too large"),
    ] {
        let (code, out, err) = run(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments}: {err}");
        assert!(err.starts_with("error: ") && err.contains(words), "{arguments}: {err}");
    }
}
