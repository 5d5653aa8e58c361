//! What the tests of whole programs share.

#![allow(dead_code)] // Few of them use all of it.

use std::io::Write;
use std::process::{Child, Command, Output, Stdio};
use std::{env, thread};

/// An example, which `cargo test` builds beside the tests (and `cargo build --examples` too).
pub(crate) fn example(name: &str) -> Command {
    let tests = env::current_exe().expect("the path of this test");
    let target = tests.parent().and_then(|deps| deps.parent()).expect("a folder above");
    Command::new(target.join("examples").join(format!("{name}{}", env::consts::EXE_SUFFIX)))
}

pub(crate) fn start(name: &str, arguments: &[&str]) -> Child {
    let mut command = example(name);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("`cargo test` builds the examples, or `cargo build --examples`")
}

/// What a program wrote, and its exit code.
pub(crate) struct Run {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: Option<i32>,
}

pub(crate) fn end(child: Child) -> Run {
    let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
    let [out, err] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
    assert!(!err.contains("panicked"), "{err}");
    Run { out, err, code: status.code() }
}

/// Runs a program on a text as its standard input.
pub(crate) fn run(name: &str, arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
    let mut child = start(name, arguments);
    let (mut stdin, input) = (child.stdin.take().expect("a pipe"), input.as_ref().to_vec());
    // It may end without reading all, and must not be kept waiting.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let run = end(child);
    writer.join().expect("the writer does not panic");
    run
}
