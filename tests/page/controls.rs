//! Keys, buttons and clicks.

use std::time::{Duration, Instant};

use csp_trace::{CellState, Kind, Story};

use crate::browser::{position, text, with_browser, write};
use crate::chromium::Browser;
use crate::stories::{Method, queens};

/// The step each command leads to from a step of the story, and whether it is there at all.
pub(crate) fn target(story: &Story, command: &str, at: usize) -> usize {
    let last = story.steps.len() - 1;
    let next = |kind| (at + 1..=last).find(|&step| story.steps[step].kind == kind).unwrap_or(at);
    let previous = |kind| (0..at).rev().find(|&step| story.steps[step].kind == kind).unwrap_or(at);
    match command {
        "restart" => 0,
        "finish" => last,
        "back" => at.saturating_sub(1),
        "forward" => (at + 1).min(last),
        "previous-decision" => previous(Kind::Choice),
        "next-decision" => next(Kind::Choice),
        "previous-solution" => previous(Kind::Solution),
        "next-solution" => next(Kind::Solution),
        "next-backtrack" => (at + 1..=last).find(|&step| goes_back(story, step)).unwrap_or(at),
        _ => at,
    }
}

/// Whether the search goes back there: at an undo, or at a dead end that no undo follows.
fn goes_back(story: &Story, at: usize) -> bool {
    let step = &story.steps[at];
    let after = story.steps[at + 1..].iter().find(|after| after.board == step.board);
    match step.kind {
        Kind::Undo => true,
        Kind::DeadEnd => after.is_none_or(|after| after.kind != Kind::Undo),
        _ => false,
    }
}

pub(crate) const MOVES: [(&str, &str, bool); 9] = [
    ("restart", "Home", false),
    ("finish", "End", false),
    ("back", "ArrowLeft", false),
    ("forward", "ArrowRight", false),
    ("previous-decision", "ArrowLeft", true),
    ("next-decision", "ArrowRight", true),
    ("previous-solution", "p", false),
    ("next-solution", "n", false),
    ("next-backtrack", "b", false),
];

pub(crate) fn button(command: &str) -> String {
    format!("[data-command={command}]")
}

#[test]
fn every_key_and_button_moves_as_it_says() {
    with_browser("moves", |browser| {
        for (method, n, all) in [
            (Method::Plain, 4, true),
            (Method::Engine, 4, true),
            (Method::Both, 8, false),
            (Method::Engine, 8, true),
        ] {
            let story = queens(method, n, all);
            browser.open(&write("moves", &story));
            let last = story.steps.len() - 1;
            let mut random = fastrand::Rng::with_seed(n as u64);
            for (command, key, shift) in MOVES {
                let places = (0..6).map(|_| random.usize(0..=last)).chain([0, last]);
                for at in places.collect::<Vec<_>>() {
                    for by_key in [true, false] {
                        go(browser, at);
                        if by_key {
                            browser.press(key, shift);
                        } else {
                            browser.click(&button(command));
                        }
                        let wanted = target(&story, command, at);
                        assert_eq!(position(browser), wanted, "{command} from {at}, by key: {by_key}");
                        let silent =
                            wanted != at || matches!(command, "restart" | "finish" | "back" | "forward");
                        assert_eq!(text(browser, "notice").is_empty(), silent, "{command} from {at}");
                    }
                }
            }
            // Every button is in the table above or has its own test below.
            let known = MOVES
                .map(|(command, ..)| command)
                .into_iter()
                .chain(["play", "slower", "faster", "ask", "predict", "unfold", "help"]);
            let buttons = browser.evaluate("document.querySelectorAll('[data-command]').length");
            assert_eq!(buttons, known.count());
        }
    });
}

/// To a step, as somebody does who drags the slider.
pub(crate) fn go(browser: &mut Browser, step: usize) {
    browser.evaluate(&format!(
        "(() => {{ const s = document.getElementById('slider'); s.value = {step}; s.dispatchEvent(new Event('input')); }})()"
    ));
    assert_eq!(position(browser), step);
}

fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn play_speed_and_help() {
    with_browser("play", |browser| {
        let story = queens(Method::Plain, 4, false);
        browser.open(&write("play", &story));
        let label = "document.querySelector('[data-command=play] span').textContent";
        let toggle = |browser: &mut Browser, by_key: bool| {
            if by_key { browser.press(" ", false) } else { browser.click(&button("play")) }
        };
        for by_key in [true, false] {
            go(browser, 0);
            toggle(browser, by_key);
            assert_eq!(browser.evaluate(label), "Pause");
            wait_until("it plays", || position(browser) > 1);
            toggle(browser, by_key);
            assert_eq!(browser.evaluate(label), "Play");
            let stopped = position(browser);
            std::thread::sleep(Duration::from_millis(1200));
            assert_eq!(position(browser), stopped, "it pauses");
        }
        for (command, key, wanted) in
            [("faster", "+", ["4 steps", "8 steps"]), ("slower", "-", ["4 steps", "2 steps"])]
        {
            browser.press(key, false);
            assert_eq!(text(browser, "notice"), format!("{} a second.", wanted[0]));
            browser.click(&button(command));
            assert_eq!(text(browser, "notice"), format!("{} a second.", wanted[1]));
        }
        for _ in 0..9 {
            browser.press("+", false);
        }
        browser.press(" ", false);
        wait_until("it plays to its end", || position(browser) == story.steps.len() - 1);
        assert_eq!(browser.evaluate(label), "Play");
        for _ in 0..9 {
            browser.press("-", false);
        }
        browser.press(" ", false);
        wait_until("it begins again", || position(browser) < story.steps.len() - 1);
        browser.press(" ", false);

        let open = "document.getElementById('help').open";
        let at = position(browser);
        browser.press("?", true);
        assert_eq!(browser.evaluate(open), true);
        browser.press("ArrowRight", false);
        assert_eq!(position(browser), at, "keys rest while the help is open");
        browser.press("?", true);
        assert_eq!(browser.evaluate(open), false);
        browser.click(&button("help"));
        assert_eq!(browser.evaluate(open), true);
        let keys = browser.evaluate("document.querySelectorAll('#help-keys tr').length");
        assert_eq!(keys, browser.evaluate("document.querySelectorAll('[data-command]').length"));
        browser.click("#help-close");
        assert_eq!(browser.evaluate(open), false);
        browser.click(&button("help"));
        browser.press("Escape", false);
        assert_eq!(browser.evaluate(open), false);
    });
}

/// What the last step that spoke of a square, and left it as it is now, said of it.
fn reason(story: &Story, at: usize, (row, cell): (usize, usize)) -> Option<&str> {
    let mut state = CellState::Free;
    let mut said = vec![];
    for step in &story.steps[..=at] {
        for change in &step.changes {
            if (change.row, change.cell) == (row, cell) {
                state = change.to;
            }
        }
        let mine = step.why.iter().filter(|why| (why.row, why.cell) == (row, cell));
        said.extend(mine.map(|why| (state, why.words.as_str())));
    }
    let standard = match state {
        CellState::Free => Some("nothing rules it out so far."),
        CellState::Chosen => Some("it is taken."),
        CellState::Given => Some("it was given."),
        CellState::Forced => Some("it is taken: nothing else was left."),
        CellState::Out { .. } => None,
    };
    said.into_iter().rev().find(|said| said.0 == state).map(|said| said.1).or(standard)
}

#[test]
fn squares_tell_why_and_nodes_lead_to_their_step() {
    with_browser("clicks", |browser| {
        for (method, n) in [(Method::Plain, 4), (Method::Engine, 4), (Method::Engine, 6)] {
            let story = queens(method, n, false);
            browser.open(&write("clicks", &story));
            let solution = story.steps.iter().position(|step| step.kind == Kind::Solution).unwrap();
            for at in [solution / 2, solution] {
                go(browser, at);
                for square in 0..n * n {
                    let (row, cell) = (square / n, square % n);
                    browser.click(&format!(".square[data-row='{row}'][data-cell='{cell}']"));
                    let words =
                        reason(&story, at, (row, cell)).expect("every square that is out has a reason");
                    let shown = text(browser, "why");
                    let name = format!("row {row}, column {cell}");
                    let named =
                        if words.starts_with(&name) { words.into() } else { format!("{name}: {words}") };
                    assert!(shown.ends_with(&named), "step {at}: {shown} for {named}");
                    assert_eq!(position(browser), at);
                }
            }
            browser.press("ArrowLeft", false);
            assert_eq!(text(browser, "why"), "", "an answer does not outlive its step");

            browser.press("End", false);
            let folded = browser.evaluate("document.querySelectorAll('#tree li').length");
            browser.click(&button("unfold"));
            let shown = browser.evaluate("document.querySelectorAll('#tree li').length");
            assert_eq!(shown, story.nodes.len(), "unfolded, every node is there");
            browser.press("u", false);
            assert_eq!(browser.evaluate("document.querySelectorAll('#tree li').length"), folded);
            if method == Method::Plain {
                assert!(folded.as_u64() < shown.as_u64());
            }
            browser.press("u", false);
            for node in 0..story.nodes.len() {
                browser.press("End", false);
                browser.click(&format!("#tree [data-node='{node}']"));
                let first = story.steps.iter().position(|step| step.node == node).unwrap();
                assert_eq!(position(browser), first, "node {node}");
            }
        }
    });
}

#[test]
fn predictions_are_asked_for_and_counted() {
    with_browser("predict", |browser| {
        let story = queens(Method::Plain, 4, false);
        browser.open(&write("predict", &story));
        browser.press("g", false);
        let (mut right, mut wrong) = (0, 0);
        for at in 1..story.steps.len() {
            browser.press("ArrowRight", false);
            let queen = story.steps[at].changes.iter().find(|change| change.to == CellState::Chosen);
            let Some(queen) = queen.filter(|_| story.steps[at].kind == Kind::Choice) else {
                assert_eq!(position(browser), at);
                continue;
            };
            assert_eq!(position(browser), at - 1, "a choice is not given away");
            let honest = at % 3 != 0;
            let column = if honest { queen.cell } else { (queen.cell + 1) % 4 };
            if at % 2 == 0 {
                browser.click(&format!(".square[data-row='{}'][data-cell='{column}']", queen.row));
            } else {
                answer_by_keyboard(browser, queen.row, column);
            }
            *(if honest { &mut right } else { &mut wrong }) += 1;
            assert_eq!(position(browser), at);
            assert_eq!(text(browser, "notice") == "Right.", honest);
            assert_eq!(text(browser, "score"), format!("Predicted: {right} right, {wrong} wrong."));
        }
        assert!(right > 1 && wrong > 1);
        // Stepping on instead of answering shows the choice and counts nothing.
        browser.press("Home", false);
        browser.press("ArrowRight", false);
        assert_eq!(position(browser), 0);
        browser.press("ArrowRight", false);
        assert_eq!(position(browser), 1);
        assert_eq!(text(browser, "score"), format!("Predicted: {right} right, {wrong} wrong."));
        // Jumps and playing stop to ask, at the first choice on their way; what was asked for may be shown.
        let is_asked = |browser: &mut Browser| text(browser, "notice").starts_with("Which square");
        let choices: Vec<usize> =
            (0..story.steps.len()).filter(|&step| story.steps[step].kind == Kind::Choice).collect();
        for (command, key, shift) in MOVES {
            if !matches!(command, "next-decision" | "next-solution" | "next-backtrack") {
                continue;
            }
            for by_key in [true, false] {
                go(browser, choices[1]);
                for asked in [choices[2], choices[3]] {
                    if by_key {
                        browser.press(key, shift)
                    } else {
                        browser.click(&button(command))
                    }
                    if command == "next-decision" && asked == choices[3] {
                        // It led to the choice that was asked for.
                        assert_eq!((position(browser), is_asked(browser)), (choices[2], false));
                    } else if target(&story, command, choices[1]) >= asked {
                        assert_eq!((position(browser), is_asked(browser)), (asked - 1, true), "{command}");
                    }
                }
            }
        }
        browser.press("Home", false);
        browser.press(" ", false);
        wait_until("playing stops to ask", || is_asked(browser));
        assert_eq!(position(browser), 0);
        browser.press(" ", false);
        std::thread::sleep(Duration::from_millis(1200));
        assert_eq!((position(browser), is_asked(browser)), (0, true), "playing on is no answer");
        browser.press("End", false);
        assert_eq!(position(browser), story.steps.len() - 1);
        browser.click(&button("predict"));
        browser.press("Home", false);
        browser.press("ArrowRight", false);
        assert_eq!(position(browser), 1, "nobody is asked any more");
    });
}

/// Enter leads to the board, the arrow keys to the square, Enter answers and Escape leaves.
fn answer_by_keyboard(browser: &mut Browser, row: usize, column: usize) {
    browser.press("Enter", false);
    for (key, count) in [("ArrowUp", 4), ("ArrowLeft", 4), ("ArrowDown", row), ("ArrowRight", column)] {
        for _ in 0..count {
            browser.press(key, false);
        }
    }
    browser.press("Enter", false);
    browser.press("Escape", false);
}

/// The keyboard alone reaches everything, and shows where it is: buttons, board and tree.
#[test]
fn the_keyboard_reaches_board_and_tree() {
    with_browser("keyboard", |browser| {
        let story = queens(Method::Plain, 4, false);
        browser.open(&write("keyboard", &story));
        go(browser, 4);
        let mut reached = vec![];
        for _ in 0..60 {
            browser.press("Tab", false);
            let role = browser.evaluate(
                "document.activeElement.getAttribute('role') || document.activeElement.dataset.command || document.activeElement.id",
            );
            let role = role.as_str().unwrap_or_default().to_string();
            let ring = "getComputedStyle(document.activeElement).outline";
            if !role.is_empty() {
                let ring = browser.evaluate(ring);
                assert!(ring.as_str().is_some_and(|ring| ring.ends_with("solid 3px")), "{role}: {ring}");
            }
            match role.as_str() {
                known if reached.iter().any(|role| role == known) => {}
                "gridcell" => {
                    browser.press("ArrowDown", false);
                    browser.press("ArrowRight", false);
                    assert_eq!(position(browser), 4, "in the board the arrows walk about in it");
                    browser.press("Enter", false);
                    assert!(text(browser, "why").contains("row 1, column 1"), "{}", text(browser, "why"));
                }
                "treeitem" => {
                    let node = "Number(document.activeElement.dataset.node)";
                    let mut walk = |key: &str| {
                        browser.press(key, false);
                        browser.evaluate(node).as_u64().unwrap() as usize
                    };
                    let here = story.steps[4].node;
                    let above = story.nodes[here].parent.unwrap();
                    assert_eq!(walk("ArrowLeft"), above, "left leads to the node above");
                    let below = walk("ArrowRight");
                    assert_eq!(story.nodes[below].parent, Some(above), "right leads to one below");
                    walk("ArrowLeft");
                    while walk("ArrowUp") != 0 {}
                    browser.press("Enter", false);
                    assert_eq!(position(browser), 0, "to the first step of the root");
                    browser.press("Escape", false);
                    go(browser, 4);
                }
                "finish" => {
                    browser.press(" ", false);
                    assert_eq!(position(browser), story.steps.len() - 1, "Space presses a focused button");
                    go(browser, 4);
                }
                "ask" => {
                    browser.press("Enter", false);
                    assert_eq!(browser.evaluate("document.activeElement.getAttribute('role')"), "gridcell");
                    browser.evaluate("document.querySelector('[data-command=ask]').focus()");
                }
                _ => {}
            }
            reached.push(role);
        }
        for wanted in
            ["gridcell", "treeitem", "slider", "restart", "play", "predict", "help", "finish", "ask"]
        {
            assert!(reached.iter().any(|role| role == wanted), "{wanted} in {reached:?}");
        }
    });
}
