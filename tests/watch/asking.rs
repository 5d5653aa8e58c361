//! Asking of squares, going to nodes, and guessing, as it is drawn.

use csp_trace::{CellState, Player, Square, terminal::View};
use ratatui::crossterm::event::KeyCode::{BackTab, Char, Down, End, Enter, Esc, Left, Right, Tab, Up};

use crate::{
    SIZES, press_all, screen,
    stories::{boxes, names, stories},
    terminal,
};

/// The letter under the terminal's cursor.
fn pointed(view: &View, size: (u16, u16)) -> String {
    let mut terminal = terminal(view, size);
    let position = terminal.get_cursor_position().unwrap();
    terminal.backend().buffer()[position].symbol().to_owned()
}

#[test]
fn walking_in_any_pane_is_drawn_at_every_size() {
    let queens = [1, 4, 8, 20].into_iter().flat_map(stories);
    for story in queens.chain([boxes(), names()]) {
        let mut view = View::new(Player::new(story).unwrap());
        press_all(&mut view, &[Char('b'), Char('n')]);
        for _ in 0..5 {
            press_all(&mut view, &[Tab]);
            for key in [Down, Right, Right, Up, Char('5'), Left, Char('.'), Down, Down, Down, Char(',')] {
                press_all(&mut view, &[key]);
                for size in SIZES {
                    screen(&view, size);
                }
            }
        }
    }
}

/// Every square of the board at every step, as the player tells it.
#[test]
fn a_square_tells_why_it_is_out() {
    for story in stories(4).into_iter().take(2) {
        let mut view = View::new(Player::new(story).unwrap());
        press_all(&mut view, &[Tab, Left, Left, Left, Left, Up, Up, Up, Up]);
        for at in 0..=view.player().last() {
            assert_eq!(view.player().at(), at);
            for (row, back) in [(0, Right), (1, Left), (2, Right), (3, Left)] {
                for place in 0..4 {
                    let cell = if back == Right { place } else { 3 - place };
                    let words = view.player().why(Square { board: 0, row, cell });
                    let shown = screen(&view, (100, 40));
                    assert!(shown.contains(&format!("\"{words} ")), "{words}\n{shown}");
                    let letter = match view.player().state(0, row, cell) {
                        CellState::Free => "·".to_owned(),
                        CellState::Out { .. } => {
                            let rule = view.player().rule(view.player().state(0, row, cell)).unwrap();
                            assert!(words.contains(&format!("column {cell} is out: ")), "{words}");
                            rule.letter.to_string()
                        }
                        CellState::Forced => "q".to_owned(),
                        CellState::Chosen | CellState::Given => "Q".to_owned(),
                    };
                    // On boards of each size.
                    for size in [(100, 40), (80, 24), (40, 15), (20, 12), (12, 8)] {
                        assert_eq!(pointed(&view, size), letter, "at {row}, {cell}\n{}", screen(&view, size));
                    }
                    press_all(&mut view, &[back]);
                }
                press_all(&mut view, &[Down]);
            }
            press_all(&mut view, &[Up, Up, Up, Left, Left, Left, Char('.')]);
        }
        press_all(&mut view, &[Esc]);
        assert!(!screen(&view, (100, 40)).contains('‹'));
    }
}

#[test]
fn the_square_is_seen_on_a_board_that_is_not() {
    let mut view = View::new(Player::new(stories(20)[0].clone()).unwrap());
    press_all(&mut view, &[Tab]);
    press_all(&mut view, &[Down; 19]);
    press_all(&mut view, &[Right; 19]);
    let shown = screen(&view, (20, 8));
    assert!(shown.contains("row 19, column 19"), "{shown}");
    assert_eq!(pointed(&view, (20, 8)), "·");
}

#[test]
fn a_box_tells_of_its_values_and_a_digit_of_one() {
    let mut view = View::new(Player::new(boxes()).unwrap());
    press_all(&mut view, &[Right, Right, Right, Tab, Down]);
    // The second step took a 2 beside the given 1.
    press_all(&mut view, &[Right]);
    let shown = screen(&view, (100, 50));
    assert!(shown.contains("row 1, column 3: may still be 1, 2, 3, 4, 5, 6, 7, 8, 9."), "{shown}");
    press_all(&mut view, &[Left, Left, Left]);
    let shown = screen(&view, (100, 50));
    assert!(shown.contains("row 1, column 0: may still be 2, 3, 4, 5, 6, 7, 8, 9."), "{shown}");
    assert!(shown.contains("row 1, column 0 = 1: row 0, column 0 has it"), "{shown}");
    press_all(&mut view, &[Char('1')]);
    let shown = screen(&view, (100, 50));
    assert!(shown.contains("\"row 1, column 0 = 1: row 0, column 0 has it"), "{shown}");
    assert_eq!(pointed(&view, (100, 50)), "c");
    press_all(&mut view, &[Char('7')]);
    assert_eq!(pointed(&view, (100, 50)), "7");
}

#[test]
fn every_box_is_under_the_cursor() {
    let story = boxes();
    let mut view = View::new(Player::new(story.clone()).unwrap());
    press_all(&mut view, &[End, Tab]);
    press_all(&mut view, &[Up, Left].repeat(9));
    for row in 0..81 {
        let taken = view.player().row(0, row).iter().position(|state| state.is_taken());
        let digit = &story.boards[0].rows[row].cells[taken.unwrap()];
        for size in [(200, 60), (120, 50), (120, 40), (40, 15), (12, 8)] {
            assert_eq!(pointed(&view, size), *digit, "box {row}\n{}", screen(&view, size));
        }
        press_all(&mut view, &[Right]);
        if row % 9 == 8 {
            press_all(&mut view, &[Down]);
            press_all(&mut view, &[Left; 9]);
        }
    }
}

#[test]
fn rows_without_squares_are_not_pointed_at() {
    let mut view = View::new(Player::new(names()).unwrap());
    press_all(&mut view, &[Tab]);
    assert!(screen(&view, (80, 24)).contains("colour = red: nothing rules it out so far."));
    press_all(&mut view, &[Char('.'), Up]);
    assert!(screen(&view, (80, 24)).contains("colour = red: it is out because of neighbours."));
    press_all(&mut view, &[Right, Right]);
    assert!(screen(&view, (80, 24)).contains("it is taken."));
    press_all(&mut view, &[Down]);
    assert!(screen(&view, (80, 24)).contains("pet = zebra: nothing rules it out so far."));
    press_all(&mut view, &[Down]);
    assert!(screen(&view, (80, 24)).contains("drink = tea"), "{}", screen(&view, (80, 24)));
    press_all(&mut view, &[Right, Right, Right, Right]);
    assert!(screen(&view, (80, 24)).contains("drink = coffee: coffee is not drunk there"));
}

#[test]
fn a_node_leads_to_its_first_step() {
    let story = stories(6)[0].clone();
    for size in [(100, 30), (20, 8)] {
        let mut view = View::new(Player::new(story.clone()).unwrap());
        press_all(&mut view, &[End, Char('u'), BackTab]);
        let first = |node: usize| story.steps.iter().position(|step| step.node == node).unwrap();
        let mut node = story.steps.last().unwrap().node;
        // Up the outline, line by line; with everything unfolded these are all nodes.
        press_all(&mut view, &[Down; 400]);
        for expected in
            (0..story.nodes.len()).rev().filter(|&node| story.steps.iter().any(|step| step.node == node))
        {
            let shown = screen(&view, size);
            let line = shown.lines().find(|line| line.contains('‹')).unwrap_or_else(|| panic!("{shown}"));
            assert!(line.contains(&story.nodes[expected].label), "{}\n{shown}", story.nodes[expected].label);
            node = expected;
            press_all(&mut view, &[Up]);
            if expected == story.nodes.len() / 2 {
                press_all(&mut view, &[Down, Enter]);
                assert_eq!(view.player().at(), first(expected));
                break;
            }
        }
        assert!(node > 0);
    }
}

#[test]
fn a_node_that_is_folded_away_is_left() {
    let mut view = View::new(Player::new(stories(6)[0].clone()).unwrap());
    press_all(&mut view, &[Char('n'), Char('u'), BackTab, Char('u')]);
    assert!(screen(&view, (100, 40)).contains("✓ 5,4 ‹"));
    // In the failed subtree under 2,0, up from there past 2,5.
    press_all(&mut view, &[Char('u'), Up, Up, Up, Up, Up]);
    let shown = screen(&view, (100, 40));
    assert!(shown.contains("✗ 3,2 ‹") || shown.contains("✗ 4,4 ‹"), "{shown}");
    press_all(&mut view, &[Char('u')]);
    assert!(screen(&view, (100, 40)).contains("✓ 5,4 ‹"));
}

/// The board beside the one the step is about shows what is left of its own rows.
#[test]
fn what_is_left_is_of_the_board_that_is_asked_about() {
    let mut view = View::new(Player::new(stories(4)[2].clone()).unwrap());
    press_all(&mut view, &[Right, Right, Right, Right]);
    assert_eq!(view.player().step().board, 0);
    for shown in ["row 2 !0 0c 1a 2d 3d", "row 2  4 0  1  2  3"] {
        press_all(&mut view, &[Tab]);
        assert!(screen(&view, (140, 40)).contains(shown), "{}", screen(&view, (140, 40)));
    }
}

#[test]
fn a_guess_is_answered_on_the_board() {
    let mut view = View::new(Player::new(stories(6)[0].clone()).unwrap());
    let size = (100, 30);
    press_all(&mut view, &[Char('g')]);
    assert!(screen(&view, size).contains("You will be asked"));
    press_all(&mut view, &[Right]);
    let shown = screen(&view, size);
    assert!(shown.contains("Which square comes next?") && shown.contains("step 1 of"), "{shown}");
    press_all(&mut view, &[Right, Enter]);
    let shown = screen(&view, size);
    assert!(shown.contains("No: it is row 0, column 0.") && shown.contains("step 2 of"), "{shown}");
    assert!(shown.contains("predicted: 0 right, 1 wrong"), "{shown}");
    press_all(&mut view, &[Right, Down, Right, Enter]);
    let shown = screen(&view, size);
    assert!(shown.contains("Right.") && shown.contains("predicted: 1 right, 1 wrong"), "{shown}");
    assert!(shown.contains("step 3 of"), "{shown}");
}
