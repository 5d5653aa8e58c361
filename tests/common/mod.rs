//! What the tests of whole programs share.

use std::env;
use std::process::Command;

/// An example, which `cargo test` builds beside the tests (and `cargo build --examples` too).
pub(crate) fn example(name: &str) -> Command {
    let tests = env::current_exe().expect("the path of this test");
    let target = tests.parent().and_then(|deps| deps.parent()).expect("a folder above");
    Command::new(target.join("examples").join(format!("{name}{}", env::consts::EXE_SUFFIX)))
}
