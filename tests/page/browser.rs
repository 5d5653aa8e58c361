//! The tests that drive a browser.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use csp_trace::{CellState, Kind, Story};
use serde_json::Value;

use crate::chromium::{Browser, scratch};
use crate::{expected, stories};

const FACTS: &str = include_str!("facts.js");

/// One browser at a time is enough for a small machine.
static TURN: Mutex<()> = Mutex::new(());

fn with_browser(name: &str, test: impl FnOnce(&mut Browser)) {
    let _turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(mut browser) = Browser::start(name) {
        test(&mut browser);
        browser.assert_quiet();
    }
}

fn write(name: &str, story: &Story) -> PathBuf {
    let file = scratch(&format!("{name}.html"));
    std::fs::write(&file, story.to_html()).unwrap();
    file
}

fn position(browser: &mut Browser) -> usize {
    let slider = browser.evaluate("document.getElementById('slider').value");
    slider.as_str().unwrap().parse().unwrap()
}

fn text(browser: &mut Browser, id: &str) -> String {
    browser.evaluate(&format!("document.getElementById('{id}').textContent")).as_str().unwrap().into()
}

/// The first step at which the page differs from the story, walking from the first to the last.
fn first_difference(browser: &mut Browser, story: &Story) -> Option<(usize, Value, Value)> {
    browser.press("Home", false);
    for at in 0..story.steps.len() {
        let (shown, wanted) = (browser.evaluate(FACTS), expected::facts(story, at));
        if shown != wanted {
            return Some((at, shown, wanted));
        }
        browser.press("ArrowRight", false);
    }
    None
}

#[test]
fn each_step_shows_what_the_story_says() {
    with_browser("agree", |browser| {
        let both = Story::beside("Beside", stories::queens(4, 1), stories::queens(5, 1));
        for (name, story) in [
            ("queens4", stories::queens(4, 1)),
            ("queens4-all", stories::queens(4, usize::MAX)),
            ("queens8", stories::queens(8, 1)),
            ("sudoku", stories::sudoku()),
            ("beside", both),
        ] {
            browser.open(&write(name, &story));
            if let Some((at, shown, wanted)) = first_difference(browser, &story) {
                panic!("{name}, step {at}:\n{shown}\n{wanted}");
            }
        }
    });
}

/// The test above can fail: it does for each event that is lost.
#[test]
fn a_page_that_lost_an_event_is_found_out() {
    with_browser("lost", |browser| {
        let story = stories::queens(4, 1);
        for lost in 0..story.steps.len() {
            let mut cut = story.clone();
            let step = cut.steps.remove(lost);
            browser.open(&write("lost", &cut));
            let found = first_difference(browser, &story);
            assert!(found.is_some_and(|(at, ..)| at <= lost), "step {lost} was lost: {step:?}");
            // Where the squares themselves no longer fit, the page says so to whoever looks at it.
            let alarm = text(browser, "alarm");
            assert_eq!(
                alarm.is_empty(),
                !matches!(cut.check(), Err(csp_trace::Incomplete::Broken(_))),
                "{alarm}"
            );
        }
    });
}

/// The step each command leads to from a step of the story, and whether it is there at all.
fn target(story: &Story, command: &str, at: usize) -> usize {
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
        "next-backtrack" => next(Kind::Undo),
        _ => at,
    }
}

const MOVES: [(&str, &str, bool); 9] = [
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

fn button(command: &str) -> String {
    format!("[data-command={command}]")
}

#[test]
fn every_key_and_button_moves_as_it_says() {
    with_browser("moves", |browser| {
        for (n, limit) in [(4, usize::MAX), (8, 3)] {
            let story = stories::queens(n, limit);
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
                .chain(["play", "slower", "faster", "predict", "unfold", "help"]);
            let buttons = browser.evaluate("document.querySelectorAll('[data-command]').length");
            assert_eq!(buttons, known.count());
        }
    });
}

/// To a step, as somebody does who drags the slider.
fn go(browser: &mut Browser, step: usize) {
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
        let story = stories::queens(4, 1);
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

#[test]
fn squares_tell_why_and_nodes_lead_to_their_step() {
    with_browser("clicks", |browser| {
        let story = stories::queens(4, 1);
        browser.open(&write("clicks", &story));
        // Whatever is out now was ruled out by the last step that spoke of it and is still in force.
        let solution = story.steps.iter().position(|step| step.kind == Kind::Solution).unwrap();
        for at in [solution / 2, solution] {
            go(browser, at);
            let mut said: HashMap<(usize, usize), Vec<&str>> = HashMap::new();
            for step in &story.steps[..=at] {
                for change in &step.changes {
                    let words = said.entry((change.row, change.cell)).or_default();
                    match change.to {
                        CellState::Out { .. } => {
                            let why =
                                step.why.iter().find(|why| (why.row, why.cell) == (change.row, change.cell));
                            words.push(&why.unwrap().words);
                        }
                        CellState::Free => {
                            words.clear();
                        }
                        _ => words.push("it is taken."),
                    }
                }
            }
            for row in 0..4 {
                for cell in 0..4 {
                    browser.click(&format!(".square[data-row='{row}'][data-cell='{cell}']"));
                    let words = said
                        .get(&(row, cell))
                        .and_then(|words| words.last())
                        .unwrap_or(&"nothing rules it out so far.");
                    let shown = text(browser, "why");
                    assert!(
                        shown.ends_with(&format!("row {row}, column {cell}: {words}")),
                        "step {at}: {shown}"
                    );
                    assert_eq!(position(browser), at);
                }
            }
        }
        browser.press("ArrowLeft", false);
        assert_eq!(text(browser, "why"), "", "an answer does not outlive its step");

        browser.press("End", false);
        browser.click(&button("unfold"));
        let shown = browser.evaluate("document.querySelectorAll('#tree li').length");
        assert_eq!(shown, story.nodes.len(), "unfolded, every node is there");
        browser.press("u", false);
        let folded = browser.evaluate("document.querySelectorAll('#tree li').length");
        assert!(folded.as_u64() < shown.as_u64());
        browser.press("u", false);
        for node in 0..story.nodes.len() {
            browser.press("End", false);
            browser.click(&format!("#tree [data-node='{node}']"));
            let first = story.steps.iter().position(|step| step.node == node).unwrap();
            assert_eq!(position(browser), first, "node {node}");
        }
    });
}

#[test]
fn predictions_are_asked_for_and_counted() {
    with_browser("predict", |browser| {
        let story = stories::queens(4, 1);
        browser.open(&write("predict", &story));
        browser.press("q", false);
        let (mut right, mut wrong) = (0, 0);
        for at in 1..story.steps.len() {
            let step = &story.steps[at];
            browser.press("ArrowRight", false);
            if step.kind != Kind::Choice {
                assert_eq!(position(browser), at);
                continue;
            }
            assert_eq!(position(browser), at - 1, "a choice is not given away");
            let queen = step.changes[0];
            let honest = at % 3 != 0;
            let column = if honest { queen.cell } else { (queen.cell + 1) % 4 };
            browser.click(&format!(".square[data-row='{}'][data-cell='{column}']", queen.row));
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
        browser.click(&button("predict"));
        browser.press("Home", false);
        browser.press("ArrowRight", false);
        assert_eq!(position(browser), 1, "nobody is asked any more");
    });
}

/// The lines in which two documents differ.
fn difference(first: &Value, second: &Value) -> String {
    let lines = |document: &Value| -> Vec<String> {
        document.as_str().unwrap_or_default().replace('>', ">\n").lines().map(String::from).collect()
    };
    let pairs = lines(first).into_iter().zip(lines(second));
    pairs.filter(|(a, b)| a != b).take(3).map(|(a, b)| format!("\n{a}\n{b}")).collect()
}

#[test]
fn two_hundred_steps_there_and_back_give_the_same_picture() {
    with_browser("walk", |browser| {
        for (n, limit) in [(4, usize::MAX), (8, 1)] {
            let story = stories::queens(n, limit);
            browser.open(&write("walk", &story));
            let last = story.steps.len() - 1;
            let mut random = fastrand::Rng::with_seed(42 + n as u64);
            let start = last / 3;
            go(browser, start);
            let document = "[...document.querySelectorAll('header, nav, main, dialog')].map((part) => part.outerHTML).join('\\n')";
            let (page, picture) = (browser.evaluate(document), browser.picture());
            let (mut seen, mut way) = (HashMap::from([(start, page.clone())]), vec![]);
            while way.len() < 200 {
                let before = position(browser);
                let (command, key, shift) = MOVES[random.usize(2..MOVES.len())];
                if random.bool() {
                    browser.press(key, shift)
                } else {
                    browser.click(&button(command))
                }
                way.push(before);
                let shown = browser.evaluate(document);
                let at = position(browser);
                assert_eq!(at, target(&story, command, before));
                if at != before {
                    let first = seen.entry(at).or_insert_with(|| shown.clone());
                    assert!(*first == shown, "step {at}: {}", difference(first, &shown));
                }
            }
            for to in way.into_iter().rev() {
                while position(browser) != to {
                    let key = if position(browser) < to { "ArrowRight" } else { "ArrowLeft" };
                    browser.press(key, false);
                }
            }
            browser.evaluate("scrollTo(0, 0)");
            let shown = browser.evaluate(document);
            assert!(shown == page, "{}", difference(&page, &shown));
            let again = browser.picture();
            if again != picture {
                std::fs::write(scratch("before.base64"), &picture).unwrap();
                std::fs::write(scratch("after.base64"), &again).unwrap();
                panic!("n = {n}: not the very same picture, see {}", scratch("*.base64").display());
            }
            browser.press("ArrowRight", false);
            assert!(browser.picture() != picture, "pictures of other steps differ");
        }
    });
}

#[test]
fn hostile_and_empty_stories_do_no_harm() {
    with_browser("hostile", |browser| {
        let story = stories::hostile();
        browser.open(&write("hostile", &story));
        assert_eq!(text(browser, "title"), story.title);
        for _ in 0..story.steps.len() {
            browser.press("ArrowRight", false);
        }
        browser.click(".square[data-row='0'][data-cell='1']");
        assert!(text(browser, "why").ends_with(&story.steps[0].why[0].words));
        assert_eq!(
            browser.evaluate("document.querySelectorAll('main img, main script, #title b').length"),
            0
        );

        browser.open(&write("empty", &Story::default()));
        for key in ["ArrowRight", "ArrowLeft", " ", "n", "b", "q", "u", "End", "Home"] {
            browser.press(key, false);
        }
        assert_eq!(text(browser, "position"), "Step 1 of 1");

        // A story that speaks of what is not there is shown as far as it goes, with a warning.
        let mut broken = stories::queens(4, 1);
        broken.steps[3].changes[0].row = 99;
        broken.steps[4].node = 99;
        broken.steps[5].board = 99;
        broken.steps[6].line = 99;
        broken.nodes[1].parent = Some(77);
        browser.open(&write("broken", &broken));
        assert_ne!(text(browser, "alarm"), "");
        browser.press("End", false);
        browser.press("Home", false);
    });
}

/// The keyboard alone reaches everything: buttons, board and tree.
#[test]
fn the_keyboard_reaches_board_and_tree() {
    with_browser("keyboard", |browser| {
        let story = stories::queens(4, 1);
        browser.open(&write("keyboard", &story));
        go(browser, 4);
        let mut reached = vec![];
        for _ in 0..60 {
            browser.press("Tab", false);
            let role = browser.evaluate(
                "document.activeElement.getAttribute('role') || document.activeElement.dataset.command || document.activeElement.id",
            );
            let role = role.as_str().unwrap_or_default().to_string();
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
                    browser.press("ArrowUp", false);
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
                _ => {}
            }
            reached.push(role);
        }
        for wanted in ["gridcell", "treeitem", "slider", "restart", "play", "predict", "help", "finish"] {
            assert!(reached.iter().any(|role| role == wanted), "{wanted} in {reached:?}");
        }
    });
}

/// Nothing is wider than the window, and what can be pressed is large enough for a finger.
#[test]
fn it_fits_a_phone() {
    with_browser("phone", |browser| {
        for (name, story) in [
            ("queens8", stories::queens(8, 1)),
            ("sudoku", stories::sudoku()),
            ("beside", Story::beside("Beside", stories::queens(4, 1), stories::queens(5, 1))),
        ] {
            let file = write(&format!("phone-{name}"), &story);
            for (width, height) in [(390, 844), (1280, 800)] {
                browser.resize(width, height);
                for scheme in ["light", "dark"] {
                    browser.colours(scheme);
                    browser.open(&file);
                    browser.press("End", false);
                    let wide = browser.evaluate("document.documentElement.scrollWidth");
                    assert!(wide.as_u64() <= Some(width.into()), "{name}: {wide} wide in {width}");
                }
                let small = browser.evaluate(
                    "[...document.querySelectorAll('button')].filter((b) => b.offsetParent && (b.offsetHeight < (innerWidth < 640 ? 44 : 36) || b.offsetWidth < 44)).map((b) => b.textContent).join()",
                );
                assert_eq!(small, "", "{name} at {width}");
            }
        }
    });
}
