//! `nqueens watch`: what it draws at every size, and how it treats a real terminal, under tmux.
//!
//! Without tmux the tests that need it are skipped, unless `REQUIRE_TMUX` is set.

mod asking;
mod in_terminal;
mod stories;
mod tmux;

use csp_nqueens::{Queens, Telling};
use csp_trace::{Board, CellState, Kind, Player, Status, Step, Story, TreeNode, terminal::View};
use ratatui::{Terminal, backend::TestBackend, crossterm::event::KeyCode};
use stories::{boxes, names, stories};

const SIZES: [(u16, u16); 12] = [
    (1, 1),
    (10, 3),
    (20, 8),
    (3, 40),
    (40, 15),
    (60, 20),
    (80, 24),
    (100, 30),
    (30, 60),
    (120, 40),
    (200, 8),
    (200, 60),
];

fn terminal(view: &View, (columns, lines): (u16, u16)) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(columns, lines)).unwrap();
    terminal.draw(|frame| view.draw(frame)).unwrap();
    terminal
}

fn screen(view: &View, size: (u16, u16)) -> String {
    terminal(view, size).backend().to_string()
}

fn press(view: &mut View, key: char) {
    press_all(view, &[KeyCode::Char(key)]);
}

fn press_all(view: &mut View, keys: &[KeyCode]) {
    for &key in keys {
        assert!(view.key(key.into()).is_continue());
    }
}

#[test]
fn every_step_is_drawn_at_every_size() {
    let queens = [4, 6].into_iter().flat_map(stories);
    for story in queens.chain([boxes(), names()]) {
        let mut view = View::new(Player::new(story).unwrap());
        loop {
            for size in SIZES {
                screen(&view, size);
            }
            let step = view.player().at();
            press_all(&mut view, &[KeyCode::Right]);
            if view.player().at() == step {
                break;
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
        CellState::Forced => 'q',
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
    for words in ["Shift → or d", "play and pause", "to the next solution"] {
        assert!(shown.contains(words), "{shown}");
    }
    // What does not fit is reached, to the last line.
    assert!(!shown.contains("leave a pane"), "{shown}");
    press_all(&mut view, &[KeyCode::Down; 9]);
    assert!(screen(&view, (60, 20)).contains("Esc leaves a pane first"));
    press_all(&mut view, &[KeyCode::Up; 9]);
    assert_eq!(screen(&view, (60, 20)), shown);
    for size in [(60, 24), (108, 12)] {
        let all = screen(&view, size);
        assert!(all.contains("Shift → or d") && all.contains("Esc leaves a pane first"), "{all}");
    }
}

/// The line of the legend tells only of what squares of this story show.
#[test]
fn the_legend_tells_what_squares_show() {
    let [plain, engine, _] = stories(6).map(|story| View::new(Player::new(story).unwrap()));
    let size = (160, 60);
    let (plain, engine) = (screen(&plain, size), screen(&engine, size));
    assert!(plain.contains(" Q  chosen   c  column"), "{plain}");
    assert!(engine.contains(" q  forced: nothing else was left"), "{engine}");
    assert!(!plain.contains("forced") && !plain.contains("blocked") && !engine.contains("given"));
}

#[test]
fn a_row_without_a_square_is_marked() {
    let mut view = View::new(Player::new(stories(6)[0].clone()).unwrap());
    assert!(!screen(&view, (100, 60)).contains("!0"));
    press(&mut view, 'b');
    assert!(screen(&view, (100, 60)).contains("row 5 !0 "), "{}", screen(&view, (100, 60)));
}

/// The algorithm is there to its last word where the terminal has the lines for it.
#[test]
fn long_lines_of_the_algorithm_are_broken() {
    for story in stories(6) {
        let view = View::new(Player::new(story.clone()).unwrap());
        for columns in [70, 80, 100] {
            let shown = screen(&view, (columns, 60)).replace('"', " ");
            let (words, told): (Vec<&str>, Vec<&str>) = (
                story.pseudocode.iter().flat_map(|line| line.split_whitespace()).collect(),
                shown.split_whitespace().collect(),
            );
            // Two algorithms do not leave enough to the tree, and are seen around the line that is active.
            if story.boards.len() == 1 {
                let missing = words.iter().find(|word| !told.contains(word));
                assert_eq!(missing, None, "{shown}");
            }
            assert!(!shown.contains('…'), "{shown}");
        }
    }
}

#[test]
fn of_two_methods_each_says_which_it_is() {
    let mut view = View::new(Player::new(stories(6)[2].clone()).unwrap());
    for words in ["plain backtracking · start: ", "propagation · start: ", "plain backtracking · Choice: "]
    {
        let shown = screen(&view, (140, 60));
        assert!(shown.contains(words), "{shown}");
        for root in ["plain backtracking", "propagation"] {
            assert!(shown.contains(&format!("— {root} —")), "{shown}");
        }
        press_all(&mut view, &[KeyCode::Right]);
    }
    let shown = screen(&view, (140, 60));
    assert!(shown.contains("• plain backtracking") && shown.contains("• propagation"), "{shown}");
}

#[test]
fn what_became_of_a_node_is_seen_when_it_is_left() {
    let mut view = View::new(Player::new(stories(4)[0].clone()).unwrap());
    press(&mut view, 'n');
    assert!(!screen(&view, (100, 60)).contains("◆ 0,1"));
    press_all(&mut view, &[KeyCode::End]);
    let shown = screen(&view, (100, 60));
    for words in ["◆ 0,1", "◆ start", "◆ solutions below"] {
        assert!(shown.contains(words), "{shown}");
    }
}

#[test]
fn a_board_without_rows_says_so() {
    let story = Story {
        boards: vec![Board::default()],
        nodes: vec![TreeNode { parent: None, label: "start".into(), status: Status::Open }],
        steps: vec![Step::new(Kind::Start, "All is too wide."), Step::new(Kind::End, "That was all.")],
        ..Story::default()
    };
    let view = View::new(Player::new(story).unwrap());
    for size in SIZES {
        screen(&view, size);
    }
    let shown = screen(&view, (80, 24));
    assert!(shown.contains("No variable has few enough values to show."), "{shown}");
}
