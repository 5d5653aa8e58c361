//! `nqueens watch`: a search walked through in the terminal.

use std::{
    io::{self, IsTerminal},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use csp_trace::{
    Player,
    terminal::{self, Leaving},
};

use crate::{
    ending::{Ending, Failure},
    trace,
};

pub(crate) fn run(arguments: &trace::Arguments) -> Result<Ending, Failure> {
    if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
        return trace::run(arguments);
    }
    let player = Player::new(trace::story(arguments)?).map_err(io::Error::other)?;
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    // Where signals cannot be handled they end the program, as usual.
    let _ = ctrlc::set_handler(move || asked.store(true, Ordering::Relaxed));
    Ok(match terminal::watch(player, || stop.load(Ordering::Relaxed))? {
        Leaving::Asked => Ending::Done,
        Leaving::Interrupted => Ending::Interrupted,
    })
}
