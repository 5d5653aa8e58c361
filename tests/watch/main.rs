//! `nqueens watch`: what it draws at every size, and how it treats a real terminal, under tmux.
//!
//! Without tmux the tests that need it are skipped, unless `REQUIRE_TMUX` is set.

mod tmux;

use std::process::{Command, Stdio};

use csp_nqueens::{Queens, Telling};
use csp_trace::{CellState, Player, Story, terminal::View};
use ratatui::{Terminal, backend::TestBackend, crossterm::event::KeyCode};
use tmux::Tmux;

const SIZES: [(u16, u16); 10] =
    [(1, 1), (10, 3), (3, 40), (40, 10), (60, 20), (80, 24), (100, 30), (30, 60), (200, 8), (200, 60)];

fn stories(size: usize) -> [Story; 3] {
    let (puzzle, telling) = (Queens::new(size), Telling::new().all(true).limit(300));
    [telling.plain(&puzzle).unwrap(), telling.engine(&puzzle).unwrap(), telling.both(&puzzle).unwrap()]
}

fn screen(view: &View, (columns, lines): (u16, u16)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(columns, lines)).unwrap();
    terminal.draw(|frame| view.draw(frame)).unwrap();
    terminal.backend().to_string()
}

fn press(view: &mut View, key: char) {
    assert!(view.key(KeyCode::Char(key).into()).is_continue());
}

#[test]
fn every_step_is_drawn_at_every_size() {
    for size in [4, 6] {
        for story in stories(size) {
            let mut view = View::new(Player::new(story).unwrap());
            loop {
                for size in SIZES {
                    screen(&view, size);
                }
                let step = view.player().at();
                let _ = view.key(KeyCode::Right.into());
                if view.player().at() == step {
                    break;
                }
            }
        }
    }
}

#[test]
fn boards_of_any_size_are_drawn() {
    for size in [0, 1, 2, 3, 12, 32] {
        let story = Telling::new().limit(40).both(&Queens::new(size)).unwrap();
        let mut view = View::new(Player::new(story).unwrap());
        for at in 0..=view.player().last() {
            for size in SIZES {
                screen(&view, size);
            }
            assert_eq!(view.player().at(), at);
            let _ = view.key(KeyCode::Right.into());
        }
    }
}

/// Every row of the board as letters: a queen, a dot, or the letter of the rule.
fn letters(player: &Player) -> Vec<String> {
    let letter = |&state: &CellState| match state {
        CellState::Free => '·',
        CellState::Chosen | CellState::Given => 'Q',
        CellState::Out { .. } => player.rule(state).unwrap().letter,
    };
    let rows = player.story().boards[0].rows.len();
    (0..rows).map(|row| player.row(0, row).iter().map(letter).collect()).collect()
}

#[test]
fn what_is_drawn_is_the_step() {
    for story in stories(6).into_iter().take(2) {
        let mut view = View::new(Player::new(story).unwrap());
        for _ in 0..=view.player().last() {
            let (player, shown) = (view.player(), screen(&view, (160, 60)));
            for (row, letters) in letters(player).iter().enumerate() {
                // The sentence may begin with the row, too.
                let name = format!("\"row {row} ");
                let drawn = shown.lines().filter_map(|line| line.strip_prefix(&name));
                let mut drawn = drawn.map(|line| line.split_whitespace().take(6).collect::<String>());
                assert!(drawn.any(|drawn| drawn == *letters), "row {row} is not {letters}\n{shown}");
            }
            let sentence = player.step().words.lines().next().unwrap();
            assert!(shown.contains(sentence), "{sentence}\n{shown}");
            let line = &player.story().pseudocode[player.step().line];
            assert!(shown.contains(&format!("▸ {line}")), "{line}\n{shown}");
            assert!(shown.contains(&player.story().nodes[player.step().node].label));
            let solutions = format!("solutions {}", player.counts(0).solutions);
            assert!(shown.contains(&solutions), "{solutions}\n{shown}");
            let _ = view.key(KeyCode::Right.into());
        }
    }
}

#[test]
fn walking_back_shows_the_same_pictures() {
    let mut view = View::new(Player::new(stories(4)[1].clone()).unwrap());
    let mut pictures = Vec::new();
    for _ in 0..=view.player().last() {
        pictures.push(screen(&view, (100, 40)));
        let _ = view.key(KeyCode::Right.into());
    }
    // What the last key had to say goes with the next.
    press(&mut view, 'u');
    press(&mut view, 'u');
    for picture in pictures.iter().rev() {
        assert_eq!(screen(&view, (100, 40)), *picture);
        let _ = view.key(KeyCode::Left.into());
    }
}

#[test]
fn a_small_terminal_keeps_what_matters_most() {
    let mut view = View::new(Player::new(stories(6)[0].clone()).unwrap());
    // The first dead end.
    press(&mut view, 'b');
    let shown = screen(&view, (30, 10));
    assert!(shown.contains("Dead end"), "{shown}");
    assert!(shown.contains("Q · · · · ·") && shown.contains("c a d d Q ·"), "{shown}");
    assert!(!shown.contains("Search tree"), "{shown}");
    assert!(screen(&view, (100, 40)).contains("Search tree"));
    assert!(screen(&view, (10, 3)).contains("Dead end"));
}

#[test]
fn help_lists_the_keys() {
    let mut view = View::new(Player::new(stories(4)[0].clone()).unwrap());
    press(&mut view, '?');
    let shown = screen(&view, (60, 20));
    for words in ["Shift → or d", "play and pause", "to the next solution", "leave"] {
        assert!(shown.contains(words), "{shown}");
    }
}

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
        "RUST_BACKTRACE=0 '{}' --ignored --exact --nocapture panics_while_watching",
        program.display()
    ));
    tmux.until("the report", |screen| screen.contains("as it was told to"));
    tmux.assert_restored(101);
}

/// Run by the test above, in a terminal.
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
