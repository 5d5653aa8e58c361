//! The program `nqueens`: draws, lists and counts solutions, compares the approaches and tells how they search.

mod arguments;
mod compare;
mod count;
mod ending;
mod merge;
mod placement;
mod regions;
mod session;
mod solve;
mod trace;
mod variant;
mod watch;

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
        Ok(Command::Watch(arguments)) => watch::run(&arguments),
        Ok(Command::Variant(arguments)) => variant::run(&arguments),
        Ok(Command::Dominate(arguments)) => placement::dominate(&arguments),
        Ok(Command::Peaceable(arguments)) => placement::peaceable(&arguments),
        Ok(Command::Largest(arguments)) => placement::largest(&arguments),
        Ok(Command::Regions(arguments)) => regions::run(&arguments),
        Err(failure) => Err(failure),
    };
    result.unwrap_or_else(Ending::from_failure).into()
}
