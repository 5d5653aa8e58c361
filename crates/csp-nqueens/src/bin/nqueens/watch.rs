//! `nqueens watch`: a search walked through in the terminal.

use std::{
    env,
    io::{self, IsTerminal},
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use csp_trace::{
    Player,
    terminal::{self, Leaving},
};

use crate::{
    arguments::ResultFormat,
    ending::{Ending, Failure},
    trace::{self, Search},
};

/// A view that is not left by then waits for a terminal that is gone.
const PATIENCE: Duration = Duration::from_secs(1);

pub(crate) fn run(search: &Search) -> Result<Ending, Failure> {
    let story = search.story()?;
    if !has_screen() {
        trace::write_steps(&story, search, ResultFormat::Text)?;
        return Ok(Ending::Done);
    }
    let player = Player::new(story).map_err(io::Error::other)?;
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    // Where signals cannot be handled they end the program, as usual.
    let _ = ctrlc::set_handler(move || {
        asked.store(true, Ordering::Relaxed);
        thread::sleep(PATIENCE);
        process::exit(Ending::Interrupted as i32);
    });
    Ok(match terminal::watch(player, || stop.load(Ordering::Relaxed))? {
        Leaving::Asked => Ending::Done,
        Leaving::Interrupted => Ending::Interrupted,
    })
}

/// Whether somebody can see a view and press keys. A dumb terminal only writes line after line.
fn has_screen() -> bool {
    let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb
}
