//! Counts in parts: threads, checkpoints, kills and shards, run as a user runs them.

#[path = "common/nqueens.rs"]
mod program;

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use csp_nqueens::{Control, Counting, Merged, Method, Outcome, Queens, Shard};

use program::*;

/// A directory of its own for a test, gone at its end.
struct Directory(PathBuf);

impl Directory {
    fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("nqueens-parts-{}-{number}", std::process::id()));
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

fn threads(number: usize) -> NonZeroUsize {
    NonZeroUsize::new(number).unwrap()
}

/// The whole lines of a checkpoint below its header.
fn parts_in(file: &str) -> usize {
    let text = fs::read(file).unwrap_or_default();
    text.iter().filter(|&&byte| byte == b'\n').count().saturating_sub(1)
}

#[test]
fn every_method_counts_the_same_on_any_number_of_threads() {
    let counts = [1, 1, 0, 0, 2, 10, 4, 40, 92];
    for method in counting() {
        for (size, count) in counts.into_iter().enumerate() {
            let puzzle = Queens::new(size);
            for number in 1..=3 {
                let report = method.count_with(&puzzle, &Control::new(), threads(number)).unwrap();
                assert_eq!(report.solutions, count, "{method} on {size} with {number} threads");
                assert_eq!(report.outcome, Outcome::Complete);
            }
        }
    }
    assert_eq!(stdout("count 10 --threads 3"), "724\n");
    assert_eq!(stdout("count 10 --threads 1000"), "724\n");
    refusal("count 8 --threads 0", &["number of threads", "1 or more"]);
    refusal("count 8 --threads -1", &["number of threads", "1 or more"]);
    refusal("count 8 --threads all", &["number of threads", "1 or more"]);
    refusal("count 8 --threads 99999999999999999999999", &["far too large"]);
}

#[test]
fn conditions_hold_in_parts_too() {
    let mut puzzles = vec![
        Queens::new(8).place(3, 1).unwrap().place(4, 3).unwrap(),
        Queens::new(8).block(0, 0).unwrap().block(7, 3).unwrap().block(2, 2).unwrap(),
        Queens::new(5).place(0, 0).unwrap().place(4, 4).unwrap(),
        Queens::new(5).place(2, 0).unwrap().place(2, 3).unwrap(),
        Queens::new(5).place(0, 0).unwrap().block(0, 0).unwrap(),
    ];
    // A solution that stands already.
    let columns = [0, 4, 7, 5, 2, 6, 1, 3];
    puzzles.push((0..8).fold(Queens::new(8), |puzzle, row| puzzle.place(row, columns[row]).unwrap()));
    for puzzle in &puzzles {
        let count = puzzle.solver().unwrap().count();
        for method in counting().filter(|&method| method != Method::LookAhead) {
            let report = method.count_with(puzzle, &Control::new(), threads(2)).unwrap();
            assert_eq!(report.solutions, count.into(), "{method} on {puzzle:?}");
        }
    }
}

#[test]
fn threads_stop_at_once() {
    for method in counting() {
        let size = method.max_size().min(20);
        let (code, out, _) = run(&format!("count {size} --time-limit 0.1 --threads 2 --method {method}"));
        assert_eq!(code, 3, "{method}: {out}");
        assert!(out.starts_with("at least ") && out.contains("incomplete"), "{method}: {out}");

        let puzzle = Queens::new(size);
        let control = Control::new();
        let report = thread::scope(|scope| {
            let count = scope.spawn(|| method.count_with(&puzzle, &control, threads(2)).unwrap());
            thread::sleep(Duration::from_millis(50));
            control.stop();
            count.join().unwrap()
        });
        assert_eq!(report.outcome, Outcome::Interrupted, "{method}");
        assert!(report.time < Duration::from_secs(1), "{method}: {:?}", report.time);
    }
}

#[test]
fn a_finished_checkpoint_is_the_answer() {
    let directory = Directory::new();
    let file = directory.file("count");
    for method in ["bit-masks", "engine"] {
        let count =
            format!("count 9 --method {method} --format json --threads 2 --checkpoint {file}-{method}");
        let result = |text: String| -> serde_json::Value { serde_json::from_str(&text).unwrap() };
        let (first, again) = (result(stdout(&count)), result(stdout(&count)));
        for key in ["size", "method", "solutions", "complete", "nodes"] {
            assert_eq!(first[key], again[key], "{key}");
        }
        assert_eq!((&first["solutions"], &first["complete"]), (&352.into(), &true.into()));
    }
    // No parts, one part, and a file that is there but empty.
    for (size, count) in [(0, "1\n"), (1, "1\n"), (3, "0\n")] {
        let file = directory.file(&format!("small-{size}"));
        fs::write(&file, "").unwrap();
        for _ in 0..2 {
            assert_eq!(stdout(&format!("count {size} --checkpoint {file}")), count);
        }
    }
}

#[test]
fn a_run_that_was_stopped_goes_on() {
    let directory = Directory::new();
    let file = directory.file("count");
    let count = format!("count 13 --method column-scan --threads 2 --checkpoint {file}");
    let mut stops = 0;
    let out = loop {
        // Longer each time, so that it comes to an end on a busy machine too.
        let limit = 0.05 * f64::from(stops + 1);
        let (code, out, _) = run(&format!("{count} --time-limit {limit}"));
        match code {
            0 => break out,
            _ => assert_eq!(code, 3, "{out}"),
        }
        stops += 1;
    };
    assert_eq!(out, "73712\n");
    assert!(stops > 0, "the board is too small for this test");
}

/// Kills a count again and again with SIGKILL, each time after `shortest` to fifty times that, and
/// starts it anew: no part that was kept is lost, and none is counted twice.
fn kill_and_resume(size: usize, method: &str, kills: usize, number: usize, shortest: Duration) -> String {
    let directory = Directory::new();
    let file = directory.file("count");
    let count = format!("count {size} --method {method} --threads {number} --checkpoint {file}");
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut kept = 0;
    let mut done = 0;
    for _ in 0..10 * kills {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let mut program = command(&count).spawn().unwrap();
        thread::sleep(shortest.mul_f64(1.0 + (random % 1000) as f64 / 20.0));
        if program.try_wait().unwrap().is_some() {
            break;
        }
        program.kill().unwrap();
        program.wait().unwrap();
        let now = parts_in(&file);
        assert!(now >= kept, "{now} parts after {kept}");
        kept = now;
        done += 1;
        if done == kills {
            break;
        }
    }
    assert_eq!(done, kills, "the board is too small for so many kills");
    let out = stdout(&count);
    let text = fs::read_to_string(&file).unwrap();
    let numbers: BTreeSet<&str> = text.lines().skip(1).map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(numbers.len(), text.lines().count() - 1);
    out
}

#[test]
fn a_run_that_is_killed_goes_on() {
    let count = kill_and_resume(14, "bool-arrays", 6, 2, Duration::from_millis(2));
    assert_eq!(count, "365596\n");
}

/// `NQUEENS_KILL="18 join 50 2 2 666090624" cargo test --release -p csp-nqueens --test nqueens_parts -- --ignored`:
/// size, method, kills, threads, the shortest time between kills in milliseconds, and the count.
#[test]
#[ignore = "takes minutes, and is told by NQUEENS_KILL what to kill"]
fn a_long_run_is_killed_many_times() {
    let told = std::env::var("NQUEENS_KILL").unwrap_or("15 bit-masks 20 2 2 2279184".to_owned());
    let [size, method, kills, threads, shortest, count] = told.split_whitespace().collect::<Vec<_>>()[..]
    else {
        panic!("NQUEENS_KILL: size, method, kills, threads, milliseconds and count");
    };
    let (size, kills, threads) = (size.parse().unwrap(), kills.parse().unwrap(), threads.parse().unwrap());
    let out = kill_and_resume(size, method, kills, threads, Duration::from_millis(shortest.parse().unwrap()));
    assert_eq!(out.trim(), count);
}

/// Makes a file anew; to write over what is there would wait for the disk.
fn put(file: &str, text: impl AsRef<[u8]>) {
    let _ = fs::remove_file(file);
    fs::write(file, text).unwrap();
}

/// A small checkpoint: its text, and what to count with it.
fn small(directory: &Directory) -> (Vec<u8>, String, Counting<'static>) {
    static PUZZLE: std::sync::OnceLock<Queens> = std::sync::OnceLock::new();
    let puzzle = PUZZLE.get_or_init(|| Queens::new(6).block(0, 1).unwrap());
    let file = directory.file("small");
    let counting = Counting::new(Method::BitMasks, puzzle).checkpoint(&file);
    assert_eq!(counting.run(&Control::new()).unwrap().solutions, 3);
    (fs::read(&file).unwrap(), file, counting)
}

#[test]
fn a_checkpoint_cut_short_anywhere_goes_on() {
    let directory = Directory::new();
    let (whole, file, counting) = small(&directory);
    let first_line = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for length in 0..whole.len() {
        put(&file, &whole[..length]);
        // A file that is not finished is never added up.
        assert!(Merged::from_files(&[file.clone().into()]).is_err(), "{length}");
        assert_eq!(counting.run(&Control::new()).unwrap().solutions, 3, "{length}");
        let now = fs::read(&file).unwrap();
        assert_eq!(&now[..first_line], &whole[..first_line]);
        assert_eq!(now.len(), whole.len(), "{length}");
    }
}

#[test]
fn a_checkpoint_with_any_byte_changed_is_refused_or_counted_right() {
    let directory = Directory::new();
    let (whole, file, counting) = small(&directory);
    let mut refused = 0;
    for place in 0..whole.len() {
        for change in [1, 0x20, 0x80, whole[place] ^ b'\n', whole[place] ^ b' '] {
            if change == 0 {
                continue;
            }
            let mut damaged = whole.clone();
            damaged[place] ^= change;
            put(&file, &damaged);
            match counting.run(&Control::new()) {
                Ok(report) => assert_eq!(report.solutions, 3, "{place}"),
                Err(_) => {
                    refused += 1;
                    assert_eq!(fs::read(&file).unwrap(), damaged, "what is refused is left as it is");
                }
            }
            put(&file, &damaged);
            assert!(Merged::from_files(&[file.clone().into()]).is_err(), "{place}");
        }
    }
    // Only a change of the last line break looks like a line that was cut short.
    assert!(refused >= 3 * (whole.len() - 1), "{refused}");

    // Whole lines that are doubled, gone or of another count.
    let lines: Vec<&[u8]> = whole.split_inclusive(|&byte| byte == b'\n').collect();
    put(&file, [&whole[..], lines[2]].concat());
    refusal(
        &format!("count 6 --method bit-masks --block 0,1 --checkpoint {file}"),
        &["damaged in line", "there twice"],
    );
    put(&file, [&lines[..2], &lines[3..]].concat().concat());
    assert_eq!(counting.run(&Control::new()).unwrap().solutions, 3);
    let other = directory.file("other");
    stdout(&format!("count 6 --method bit-masks --checkpoint {other}"));
    let other = fs::read(&other).unwrap();
    let foreign_line = other.split_inclusive(|&byte| byte == b'\n').nth(1).unwrap();
    put(&file, [lines[0], foreign_line].concat());
    refusal(
        &format!("count 6 --method bit-masks --block 0,1 --checkpoint {file}"),
        &["damaged in line 2", "checksum"],
    );
}

#[test]
fn a_foreign_checkpoint_is_refused_and_left_as_it_is() {
    let directory = Directory::new();
    let file = directory.file("file");
    for text in
        ["notes of mine", "notes of mine\n", "\n", "\0\0\0\0", "nqueens-count 2 size=8", "nqueens-count 1 \n"]
    {
        put(&file, text);
        refusal(&format!("count 8 --checkpoint {file}"), &[&file]);
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
    refusal(&format!("count 8 --checkpoint {}", directory.file("no/such/directory")), &["no/such/directory"]);
    refusal(&format!("count 8 --checkpoint {}", directory.0.display()), &[&directory.file("")[..10]]);

    fs::remove_file(&file).unwrap();
    stdout(&format!("count 8 --method bit-masks --checkpoint {file}"));
    let before = fs::read(&file).unwrap();
    let others = [
        ("9 --method bit-masks", "the size is 8 there, not 9"),
        ("8 --method engine", "the method is bit-masks there, not engine"),
        ("8 --method bit-masks --block 7,0", "what is blocked is none there, not 7,0"),
        ("8 --method bit-masks --place 0,0", "what is placed is none there, not 0,0"),
        ("8 --method bit-masks --shard 1/2", "the shard is 1/1 there, not 1/2"),
    ];
    for (other, words) in others {
        refusal(&format!("count {other} --checkpoint {file}"), &[&file, "another count", words]);
        assert_eq!(fs::read(&file).unwrap(), before);
    }
}

#[test]
fn two_processes_do_not_share_a_checkpoint() {
    let directory = Directory::new();
    let file = directory.file("count");
    let count = format!("count 16 --method column-scan --checkpoint {file}");
    let mut first: Child = command(&count).spawn().unwrap();
    while !Path::new(&file).metadata().is_ok_and(|data| data.len() > 0) {
        thread::sleep(Duration::from_millis(5));
    }
    refusal(&count, &[&file, "another process"]);
    first.kill().unwrap();
    first.wait().unwrap();
    // The lock goes with the process.
    assert_eq!(run(&format!("{count} --time-limit 0.1")).0, 3);
}

#[cfg(target_os = "linux")]
#[test]
fn a_checkpoint_that_cannot_be_written_is_said() {
    refusal("count 8 --checkpoint /dev/full", &["/dev/full"]);
}

#[test]
fn shards_of_any_split_add_up() {
    let directory = Directory::new();
    for of in [1, 3, 7] {
        let shards = (1..=of).map(|index| {
            let file = directory.file(&format!("{index}-of-{of}"));
            let counting = Counting::new(Method::BitMasks, TEN.get_or_init(|| Queens::new(10)));
            let counting = counting.shard(Shard::new(index, of).unwrap()).checkpoint(&file);
            (counting.run(&Control::new()).unwrap().solutions, file)
        });
        let (counts, files): (Vec<u128>, Vec<String>) = shards.unzip();
        assert_eq!(counts.iter().sum::<u128>(), 724, "{of}");
        assert_eq!(stdout(&format!("merge {}", files.join(" "))), "724\n", "{of}");
    }
    // More shards than parts: the last ones have nothing to do.
    let file = directory.file("nothing");
    assert_eq!(stdout(&format!("count 4 --shard 9/9 --checkpoint {file}")), "0 in shard 9/9\n");

    // Of different splits: every second part, and the others in two files.
    let file = |name: &str| directory.file(name);
    for shard in ["1/2", "2/4", "4/4"] {
        let name = file(&shard.replace('/', "-"));
        let out =
            stdout(&format!("count 10 --threads 2 --method bit-masks --shard {shard} --checkpoint {name}"));
        assert!(out.ends_with(&format!(" in shard {shard}\n")), "{out}");
    }
    let merge = format!("merge {} {} {}", file("4-4"), file("1-2"), file("2-4"));
    assert_eq!(stdout(&merge), "724\n");
    let result: serde_json::Value = serde_json::from_str(&stdout(&format!("{merge} --format json"))).unwrap();
    assert_eq!((&result["solutions"], &result["complete"]), (&724.into(), &true.into()));
    assert_eq!((&result["size"], &result["method"]), (&10.into(), &"bit-masks".into()));
    assert_eq!(result["files"], 3);

    let (one, two, four) = (file("1-2"), file("2-4"), file("4-4"));
    refusal(&format!("merge {one} {two}"), &["parts are missing", "3, 7, 11", "more"]);
    let whole = file("1-of-1");
    refusal(&format!("merge {whole} {four}"), &["part 3 is there twice", &whole, &four]);
}

static TEN: std::sync::OnceLock<Queens> = std::sync::OnceLock::new();

#[test]
fn shards_that_do_not_fit_are_refused_by_name() {
    let directory = Directory::new();
    let shard = |options: &str, index: usize, name: &str| {
        let file = directory.file(name);
        stdout(&format!("count {options} --shard {index}/3 --checkpoint {file}"));
        file
    };
    let [one, two, three] =
        [1, 2, 3].map(|index| shard("8 --method bit-masks", index, &format!("shard-{index}")));
    assert_eq!(stdout(&format!("merge {one} {two} {three}")), "92\n");
    refusal(&format!("merge {one} {two}"), &["shards are missing", "3/3"]);
    refusal(&format!("merge {two}"), &["shards are missing", "1/3, 3/3"]);
    refusal(&format!("merge {one} {two} {three} {two}"), &["shard 2/3 is there twice", &two]);
    let copy = directory.file("copy");
    fs::copy(&two, &copy).unwrap();
    refusal(&format!("merge {one} {two} {copy}"), &["shard 2/3 is there twice", &two, &copy]);

    let others = [
        ("9 --method bit-masks", "the size is 9 there, not 8"),
        ("8 --method engine", "the method is engine there, not bit-masks"),
        ("8 --method bit-masks --block 0,0", "what is blocked is 0,0 there, not none"),
    ];
    for (number, (options, words)) in others.into_iter().enumerate() {
        let other = shard(options, 3, &format!("other-{number}"));
        refusal(&format!("merge {one} {two} {other}"), &[&other, "another count", words]);
    }

    let text = fs::read_to_string(&three).unwrap();
    let last_line = text.trim_end().rfind('\n').unwrap() + 1;
    fs::write(&three, &text[..last_line]).unwrap();
    refusal(&format!("merge {one} {two} {three}"), &[&three, "not finished, 1 of its"]);
    fs::write(&three, text.replace("nodes=", "nodes=1")).unwrap();
    refusal(&format!("merge {one} {two} {three}"), &[&three, "damaged in line 2"]);
    let none = directory.file("none");
    refusal(&format!("merge {one} {two} {none}"), &[&none]);
    fs::write(&none, "something else\n").unwrap();
    refusal(&format!("merge {one} {two} {none}"), &[&none, "no checkpoint"]);

    refusal("merge", &["FILE"]);
    refusal("count 8 --shard 1/3", &["--checkpoint"]);
    for shard in ["0/3", "4/3", "1", "a/b", "1/0"] {
        refusal(&format!("count 8 --shard {shard} --checkpoint {none}"), &["is no shard"]);
    }
}

#[test]
fn a_checkpoint_that_is_no_file_is_refused() {
    let directory = Directory::new();
    refusal(&format!("count 8 --checkpoint {}", directory.file("")), &["no regular file"]);
    #[cfg(unix)]
    refusal("count 8 --checkpoint /dev/null", &["/dev/null", "no regular file"]);
}

#[test]
fn boards_with_conditions_are_counted_by_what_sees_them() {
    let placed = "--place 0,0 --place 1,4 --place 2,12 --place 3,20 --place 4,15 --place 5,10 --place 6,5";
    assert_eq!(stdout(&format!("count 23 {placed} --place 7,3 --place 8,1")), "1108\n");
    assert_eq!(stdout("count 23 --place 0,0 --place 22,22"), "0\n");
    let row: String = (0..23).map(|column| format!(" --block 22,{column}")).collect();
    assert_eq!(stdout(&format!("count 23{row}")), "0\n");
    assert_eq!(stdout(&format!("count 23 --method join{row}")), "0\n");
}
