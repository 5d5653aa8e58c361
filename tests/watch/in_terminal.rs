//! How the program treats a real terminal: keys, resizing, leaving; and what it does without one.

use std::{
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use csp_trace::Player;

use crate::{stories::stories, tmux::Tmux};

#[test]
fn without_a_terminal_the_steps_are_written() {
    let run = |command: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_nqueens"));
        program.args([command, "4"]).stdin(Stdio::null()).output().unwrap()
    };
    let (watched, traced) = (run("watch"), run("trace"));
    assert!(watched.status.success());
    assert!(!watched.stdout.is_empty());
    assert_eq!(watched.stdout, traced.stdout);
}

#[test]
fn keys_move_resizing_works_and_leaving_restores() {
    let Some(tmux) = Tmux::start("keys") else { return };
    tmux.start_watching();
    tmux.keys(&["Right", "Right"]);
    tmux.until("two steps on", |screen| screen.contains("step 3 of"));
    tmux.keys(&["Left"]);
    tmux.until("a step back", |screen| screen.contains("step 2 of"));
    tmux.keys(&["S-Right"]);
    tmux.until("the next decision", |screen| screen.contains("step 3 of"));
    tmux.keys(&["S-Left"]);
    tmux.until("the decision before", |screen| screen.contains("step 2 of"));
    tmux.keys(&["d", "d", "D"]);
    tmux.until("decisions by letters", |screen| screen.contains("step 3 of"));
    tmux.keys(&["-"]);
    tmux.until("slower", |screen| screen.contains("1 step a second"));
    tmux.keys(&["+"]);
    tmux.until("faster", |screen| screen.contains("2 steps a second"));
    tmux.keys(&["b"]);
    tmux.until("a dead end", |screen| screen.contains("Dead end:") && screen.contains("✗"));
    tmux.keys(&["n"]);
    tmux.until("a solution", |screen| screen.contains("olution 1: [1, 3, 5, 0, 2, 4]"));
    tmux.keys(&["Home", "+", "+", "+", "+", "Space"]);
    tmux.until("playing to the end", |screen| screen.contains("End: ") && screen.contains("paused"));
    tmux.keys(&["Home"]);
    tmux.until("the first step", |screen| screen.contains("step 1 of"));
    tmux.keys(&["End"]);
    tmux.until("the last step", |screen| screen.contains("End: "));
    tmux.keys(&["p"]);
    tmux.until("the solution before", |screen| screen.contains("olution 1:"));
    tmux.keys(&["?"]);
    tmux.until("help", |screen| screen.contains("play and pause"));
    tmux.keys(&["Escape"]);
    tmux.until("the view again", |screen| screen.contains("Search tree"));

    tmux.resize(30, 8);
    tmux.until("a small view", |screen| !screen.contains("Search tree") && screen.contains("olution"));
    tmux.resize(120, 40);
    tmux.until("a large view", |screen| screen.contains("Search tree") && screen.contains("row 5"));

    tmux.keys(&["q"]);
    tmux.assert_restored(0);
}

#[test]
fn keys_ask_of_squares_go_to_nodes_and_guess() {
    let Some(tmux) = Tmux::start("asking") else { return };
    tmux.start_watching();
    tmux.keys(&["b", "Tab"]);
    tmux.until("the board", |screen| screen.contains("Esc leave the board"));
    assert!(tmux.shows_a_cursor());
    tmux.keys(&["Left", "Left", "Left", "Left", "Left", "Down"]);
    let reason = "row 5, column 0 is out: the queen on row 0, column 0 attacks it along the column";
    let asked = |screen: &str| screen.contains("[c]") && screen.contains(reason);
    tmux.until("why it is out", asked);
    tmux.keys(&["."]);
    tmux.until("a step on, and the square still asked about", |screen| {
        screen.contains("step 8 of") && screen.contains("row 5, column 0")
    });
    tmux.keys(&[","]);
    tmux.until("a step back", |screen| screen.contains("step 7 of") && asked(screen));
    tmux.resize(30, 9);
    tmux.until("a small view", |screen| {
        screen.contains("row 5, column 0 is out") && !screen.contains("Tree")
    });
    tmux.resize(100, 30);
    tmux.until("a large view", |screen| asked(screen) && screen.contains("Search tree"));
    tmux.keys(&["Tab"]);
    tmux.until("the tree", |screen| screen.contains("✗ 4,3 ‹") && !screen.contains("[c]"));
    tmux.keys(&["Up", "Up", "Enter"]);
    tmux.until("a node above", |screen| screen.contains("• 2,4 ‹") && screen.contains("step 4 of"));
    tmux.keys(&["BTab"]);
    tmux.until("the board again", |screen| screen.contains("Esc leave the board"));
    tmux.keys(&["Escape"]);
    tmux.until("steps", |screen| !screen.contains('‹') && screen.contains("q leave"));
    tmux.keys(&["n"]);
    tmux.until("folded", |screen| screen.contains("0,0 +21"));
    tmux.keys(&["u"]);
    tmux.until("unfolded", |screen| !screen.contains(" +2"));
    tmux.keys(&["Home", "g", "Right"]);
    tmux.until("a question", |screen| screen.contains("Which square comes next?"));
    tmux.keys(&["Up", "Up", "Up", "Up", "Up", "Right", "Enter"]);
    tmux.until("an answer", |screen| {
        screen.contains("No: it is row 0, column 0.") && screen.contains("predicted: 0 right, 1 wrong")
    });
    tmux.keys(&["Right"]);
    tmux.until("the next question", |screen| screen.contains("step 2 of") && screen.contains("comes next?"));
    tmux.keys(&["Down", "Right", "Enter"]);
    tmux.until("a right one", |screen| screen.contains("predicted: 1 right, 1 wrong"));
    tmux.keys(&["g"]);
    tmux.until("no score", |screen| !screen.contains("predicted"));
    tmux.keys(&["Tab", "q"]);
    tmux.assert_restored(0);
}

#[test]
fn letters_are_there_without_colour() {
    let Some(tmux) = Tmux::start("colours") else { return };
    tmux.run("export NO_COLOR=1");
    tmux.start_watching();
    tmux.keys(&["b"]);
    tmux.until("a dead end", |screen| screen.contains("c   c   c   Q   d   d"));
    tmux.keys(&["Tab", "Left", "Left"]);
    tmux.until("a square", |screen| screen.contains("[c]  c   c   Q   d   d"));
    assert!(!tmux.has_colour());
    tmux.keys(&["q"]);
    tmux.assert_restored(0);
    tmux.run("unset NO_COLOR");
    tmux.start_watching();
    assert!(tmux.has_colour());
    tmux.keys(&["q"]);
    tmux.assert_restored(0);
}

#[test]
fn ctrl_c_restores_the_terminal() {
    let Some(tmux) = Tmux::start("ctrl-c") else { return };
    tmux.start_watching();
    tmux.keys(&["Right", "Space", "C-c"]);
    tmux.assert_restored(130);
}

#[test]
fn signals_restore_the_terminal() {
    for signal in ["TERM", "INT"] {
        let Some(tmux) = Tmux::start(signal) else { return };
        tmux.start_watching();
        tmux.signal(signal);
        tmux.assert_restored(130);
    }
}

#[test]
fn a_panic_restores_the_terminal_and_is_seen() {
    let Some(tmux) = Tmux::start("panic") else { return };
    let program = std::env::current_exe().unwrap();
    tmux.run(&format!(
        "RUST_BACKTRACE=0 '{}' --ignored --exact --nocapture in_terminal::panics_while_watching",
        program.display()
    ));
    tmux.until("the report", |screen| screen.contains("as it was told to"));
    tmux.assert_restored(101);
}

#[test]
fn a_terminal_that_is_closed_ends_the_program() {
    let Some(tmux) = Tmux::start("closed") else { return };
    tmux.start_watching();
    let process = tmux.watching();
    tmux.close();
    let start = Instant::now();
    while is_running(&process) {
        assert!(start.elapsed() < Duration::from_secs(60), "{process} still runs");
        thread::sleep(Duration::from_millis(50));
    }
}

fn is_running(process: &str) -> bool {
    let asked = Command::new("sh").args(["-c", &format!("kill -0 {process}")]).stderr(Stdio::null()).status();
    asked.unwrap().success()
}

/// In a terminal, but with an input or an output that is none, or with a terminal that can only write.
#[test]
fn what_is_no_terminal_gets_the_steps() {
    let Some(tmux) = Tmux::start("plain") else { return };
    let program = env!("CARGO_BIN_EXE_nqueens");
    for run in ["'P' watch 4 | cat", "'P' watch 4 < /dev/null", "'P' watch 4 <&-", "TERM=dumb 'P' watch 4"] {
        tmux.run("clear");
        tmux.until("a clear screen", |screen| !screen.contains("solution"));
        tmux.run(&run.replace('P', program));
        let last = "15 steps: 8 choices, 4 dead ends, 1 solution";
        tmux.until(run, |screen| screen.lines().any(|line| line.trim_end() == last));
        let flags = tmux.flags();
        assert_eq!(flags, "0 1", "{run}");
    }
}

/// Run by the test of a panic, in a terminal.
#[test]
#[ignore = "wants a terminal, and panics"]
fn panics_while_watching() {
    let mut asked = 0;
    let _ = csp_trace::terminal::watch(Player::new(stories(4)[0].clone()).unwrap(), || {
        asked += 1;
        assert!(asked < 5, "it panics as it was told to");
        false
    });
}
