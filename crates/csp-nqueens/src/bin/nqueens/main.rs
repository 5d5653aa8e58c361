//! The program `nqueens`: draws, lists and counts solutions, compares the approaches and tells how they search.

mod arguments;
mod compare;
mod count;
mod ending;
mod merge;
mod session;
mod solve;
mod trace;

use std::process::ExitCode;

use arguments::Command;
use ending::Ending;

fn main() -> ExitCode {
    let result = match arguments::read() {
        Ok(Command::Solve(arguments)) => solve::run(&arguments),
        Ok(Command::Count(arguments)) => count::run(&arguments),
        Ok(Command::Merge(arguments)) => merge::run(&arguments),
        Ok(Command::Compare(arguments)) => compare::run(&arguments),
        Ok(Command::Trace(arguments)) => trace::run(&arguments),
        Err(failure) => Err(failure),
    };
    result.unwrap_or_else(Ending::from_failure).into()
}
