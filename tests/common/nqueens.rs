//! What the tests of the program `nqueens` share.

#![allow(dead_code)] // Few of them use all of it.

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use csp_nqueens::Method;

/// The program, with these arguments and nothing to read.
pub(crate) fn command(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nqueens"));
    command.args(arguments.split_whitespace());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Exit code, standard output and standard error of a run.
pub(crate) fn run(arguments: &str) -> (i32, String, String) {
    read(command(arguments).output().unwrap())
}

pub(crate) fn read(output: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Runs what must succeed without a word on the standard error.
pub(crate) fn stdout(arguments: &str) -> String {
    let (code, out, err) = run(arguments);
    assert_eq!((code, err.as_str()), (0, ""), "nqueens {arguments}");
    out
}

/// Runs what must be refused, within a moment and with these words.
pub(crate) fn refusal(arguments: &str, words: &[&str]) {
    refusal_of(&arguments.split_whitespace().collect::<Vec<_>>(), words);
}

/// The same for arguments that may be empty or have spaces.
pub(crate) fn refusal_of(arguments: &[&str], words: &[&str]) {
    let start = Instant::now();
    let (code, out, err) = read(command("").args(arguments).output().unwrap());
    assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {err}");
    assert!(err.starts_with("error: "), "{arguments:?}: {err}");
    for word in words {
        assert!(err.contains(word), "{arguments:?} should say {word:?}: {err}");
    }
    assert!(start.elapsed() < Duration::from_secs(5), "{arguments:?}");
}

/// The methods that count.
pub(crate) fn counting() -> impl Iterator<Item = Method> {
    Method::ALL.into_iter().filter(|method| !method.finds_one())
}

pub(crate) fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}
