//! A small story, walked through in every way.

use super::*;
use crate::{Board, CellChange, Look, OutlineLine, Row, Status, TreeNode, Why};

/// Two rows of two squares: 0 in row 0 fails, 1 is a solution.
fn story() -> Story {
    use CellState::{Chosen, Free, Out};
    let out = Out { rule: 0 };
    let node = |parent, label: &str, status| TreeNode { parent, label: label.into(), status };
    let step = |kind, node, changes| Step { node, changes, ..Step::new(kind, "…") };
    Story {
        title: "Small".into(),
        boards: vec![Board {
            look: Look::Queens,
            rows: vec![Row::numbered("row 0", 2), Row::numbered("row 1", 2)],
            ..Board::default()
        }],
        pseudocode: vec!["search".into()],
        constraints: vec![Rule { letter: 'c', name: "column".into(), colour: 0 }],
        nodes: vec![
            node(None, "start", Status::Branch),
            node(Some(0), "0,0", Status::Failed),
            node(Some(1), "1,1", Status::Failed),
            node(Some(0), "0,1", Status::Solved),
        ],
        steps: vec![
            step(Kind::Start, 0, vec![]),
            step(
                Kind::Choice,
                1,
                vec![CellChange::new(0, 0, Free, Chosen), CellChange::new(1, 0, Free, out)],
            ),
            step(Kind::Choice, 2, vec![CellChange::new(1, 1, Free, Chosen)]),
            step(Kind::DeadEnd, 2, vec![CellChange::new(1, 1, Chosen, out)]),
            step(
                Kind::Choice,
                3,
                vec![
                    CellChange::new(0, 0, Chosen, out),
                    CellChange::new(0, 1, Free, Chosen),
                    CellChange::new(1, 0, out, Chosen),
                ],
            ),
            step(Kind::Solution, 3, vec![]),
        ],
    }
}

/// What the boards are at each step, by going there from the start.
fn all_boards(story: &Story) -> Vec<Vec<Vec<Vec<CellState>>>> {
    (0..story.steps.len())
        .map(|at| {
            let mut player = Player::new(story.clone()).unwrap();
            player.go(at);
            player.boards
        })
        .collect()
}

#[test]
fn the_boards_depend_on_the_place_alone() {
    let boards = all_boards(&story());
    assert_eq!(
        boards[5],
        [[[CellState::Out { rule: 0 }, CellState::Chosen], [CellState::Chosen, CellState::Out { rule: 0 }]]]
    );
    let mut player = Player::new(story()).unwrap();
    let mut random = fastrand::Rng::with_seed(6);
    for _ in 0..500 {
        match random.u32(0..8) {
            0 => player.go(random.usize(0..9)),
            1 => drop(player.next(Kind::Choice)),
            2 => drop(player.previous(Kind::Choice)),
            3..6 => drop(player.forward()),
            _ => drop(player.back()),
        }
        assert_eq!(player.boards, boards[player.at()]);
    }
}

#[test]
fn moves_end_where_the_story_does() {
    let mut player = Player::new(story()).unwrap();
    assert!(!player.back());
    assert_eq!((player.at(), player.last()), (0, 5));
    player.go(usize::MAX);
    assert_eq!(player.at(), 5);
    assert!(!player.forward());
    assert!(!player.next(Kind::Solution));
    assert_eq!(player.at(), 5);
}

#[test]
fn jumps_find_the_nearest_step_of_a_kind() {
    let mut player = Player::new(story()).unwrap();
    let mut places = Vec::new();
    while player.next(Kind::Choice) {
        places.push(player.at());
    }
    assert_eq!(places, [1, 2, 4]);
    assert!(player.previous(Kind::Choice));
    assert_eq!(player.at(), 2);
    assert!(player.next(Kind::DeadEnd));
    assert_eq!(player.at(), 3);
}

#[test]
fn a_backtrack_is_one_step() {
    use Kind::{Choice, DeadEnd, Solution, Start, Undo};
    // After the first dead end a step goes back, after the second none; then it goes back from a solution.
    let kinds = [Start, Choice, DeadEnd, Undo, Choice, DeadEnd, Choice, Solution, Undo];
    let mut told = story();
    told.steps = kinds.map(|kind| Step::new(kind, "…")).into();
    let mut player = Player::new(told).unwrap();
    let mut places = Vec::new();
    while player.next_backtrack() {
        places.push(player.at());
    }
    assert_eq!(places, [3, 5, 8]);
}

#[test]
fn what_happened_is_counted() {
    let mut player = Player::new(story()).unwrap();
    assert_eq!(player.totals(0), Counts { steps: 6, nodes: 4, dead_ends: 1, solutions: 1 });
    player.go(2);
    assert_eq!(player.counts(0), Counts { steps: 3, nodes: 3, dead_ends: 0, solutions: 0 });
    assert_eq!(player.focus(), 1);
}

#[test]
fn failed_subtrees_are_folded_when_they_are_left() {
    let mut player = Player::new(story()).unwrap();
    let line = |node, depth, status, folded| OutlineLine { node, depth, status, folded };
    let open = Status::Open;
    let mut lines = |at, unfolded| {
        player.go(at);
        player.outline().lines(at, player.step().node, unfolded)
    };
    assert_eq!(lines(0, false), [line(0, 0, open, 0)]);
    assert_eq!(lines(2, false), [line(0, 0, open, 0), line(1, 1, open, 0), line(2, 2, open, 0)]);
    let failed = Status::Failed;
    assert_eq!(lines(3, false), [line(0, 0, open, 0), line(1, 1, failed, 0), line(2, 2, failed, 0)]);
    assert_eq!(lines(4, false), [line(0, 0, open, 0), line(1, 1, failed, 1), line(3, 1, open, 0)]);
    assert_eq!(lines(5, true).len(), 4);
    assert_eq!(lines(5, true)[3], line(3, 1, Status::Solved, 0));
    // The search is done with the root, and it had a solution below.
    assert_eq!(lines(5, true)[0], line(0, 0, Status::Branch, 0));
}

#[test]
fn a_node_leads_to_the_first_step_in_it() {
    let mut player = Player::new(story()).unwrap();
    let places = [3, 1, 2, 0].map(|node| (player.go_to_node(node), player.at()));
    assert_eq!(places, [(true, 4), (true, 1), (true, 2), (true, 0)]);
    assert!(!player.go_to_node(4));
    assert_eq!(player.at(), 0);
}

#[test]
fn a_square_tells_why_it_is_as_it_is() {
    let mut told = story();
    // What a step says of a square holds while the square is as that step left it, and again when it is so again.
    told.steps[1].why = vec![Why::new(1, 0, "the first time")];
    told.steps[2].why = vec![Why::new(1, 1, "row 1, column 1 is a guess")];
    told.steps[4].why = vec![Why::new(1, 0, "a queen"), Why::new(1, 0, "the second word")];
    let mut player = Player::new(told).unwrap();
    let mut why = |at, row, cell| {
        player.go(at);
        player.why(Square { board: 0, row, cell })
    };
    assert_eq!(why(0, 1, 0), "row 1, column 0: nothing rules it out so far.");
    assert_eq!(why(1, 1, 0), "row 1, column 0: the first time");
    assert_eq!(why(3, 1, 0), "row 1, column 0: the first time");
    assert_eq!(why(5, 1, 0), "row 1, column 0: the second word");
    assert_eq!(why(2, 1, 1), "row 1, column 1 is a guess");
    assert_eq!(why(3, 1, 1), "row 1, column 1: it is out because of column.");
    assert_eq!(why(1, 0, 0), "row 0, column 0: it is taken.");
    player.go(1);
    assert_eq!(player.why_row(0, 1), ["row 1: may still be 1.", "row 1, column 0: the first time"]);
}

#[test]
fn the_next_choice_is_known() {
    let mut player = Player::new(story()).unwrap();
    let mut next = |at| {
        player.go(at);
        player.next_choice().map(|Square { row, cell, .. }| (row, cell))
    };
    assert_eq!(
        [0, 1, 2, 3, 4, 5].map(&mut next),
        [Some((0, 0)), Some((1, 1)), None, Some((0, 1)), None, None]
    );
}

#[test]
fn a_story_that_does_not_fit_is_refused() {
    assert!(matches!(Player::new(Story::default()), Err(Incomplete::Missing(_))));
    let mut lost = story();
    lost.steps.remove(2);
    assert_eq!(Player::new(lost).unwrap_err(), Incomplete::Broken(2));
    let mut wild = story();
    wild.steps[2].changes[0].row = 9;
    assert!(matches!(Player::new(wild), Err(Incomplete::Missing(_))));
    let mut wild = story();
    wild.steps[2].node = 9;
    assert!(matches!(Player::new(wild), Err(Incomplete::Missing(_))));
}

#[test]
fn each_board_has_a_row_and_counts_of_its_own() {
    let mut player = Player::new(Story::beside("Two", story(), story())).unwrap();
    player.go(10);
    assert_eq!((player.step().board, player.step().kind), (0, Kind::Solution));
    assert_eq!(player.counts(0).solutions, 1);
    assert_eq!(player.counts(1), Counts { steps: 5, nodes: 4, dead_ends: 1, solutions: 0 });
    assert_eq!(player.totals(1).solutions, 1);
}
