//! What the page shows, in a browser.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;

use csp_trace::Story;
use serde_json::Value;

use crate::chromium::{Browser, scratch};
use crate::controls::{MOVES, button, go, target};
use crate::stories::{Method, queens};
use crate::{expected, stories};

const FACTS: &str = include_str!("facts.js");

/// One browser at a time is enough for a small machine.
static TURN: Mutex<()> = Mutex::new(());

pub(crate) fn with_browser(name: &str, test: impl FnOnce(&mut Browser)) {
    let _turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(mut browser) = Browser::start(name) {
        test(&mut browser);
        browser.assert_quiet();
    }
}

pub(crate) fn write(name: &str, story: &Story) -> PathBuf {
    let file = scratch(&format!("{name}.html"));
    std::fs::write(&file, story.to_html()).unwrap();
    file
}

pub(crate) fn position(browser: &mut Browser) -> usize {
    let slider = browser.evaluate("document.getElementById('slider').value");
    slider.as_str().unwrap().parse().unwrap()
}

pub(crate) fn text(browser: &mut Browser, id: &str) -> String {
    browser.evaluate(&format!("document.getElementById('{id}').textContent")).as_str().unwrap().into()
}

/// The first step at which the page differs from the story, walking from the first to the last.
fn first_difference(browser: &mut Browser, story: &Story) -> Option<(usize, String)> {
    browser.press("Home", false);
    for at in 0..story.steps.len() {
        let (shown, wanted) = (browser.evaluate(FACTS), expected::facts(story, at));
        if shown != wanted {
            let differs = |name: &&String| shown[name.as_str()] != wanted[name.as_str()];
            let parts = wanted.as_object().unwrap().keys().filter(differs);
            let parts: Vec<_> =
                parts.map(|part| format!("{part}: {}, not {}", shown[part], wanted[part])).collect();
            return Some((at, parts.join("\n")));
        }
        browser.press("ArrowRight", false);
    }
    None
}

#[test]
fn each_step_shows_what_the_story_says() {
    with_browser("agree", |browser| {
        let others =
            [("puzzle", stories::puzzle()), ("sudoku", stories::sudoku()), ("tables", stories::tables())];
        let others = others.map(|(name, story)| (name.to_owned(), story));
        for (name, story) in stories::searches().into_iter().chain(others) {
            browser.open(&write(&name, &story));
            if let Some((at, parts)) = first_difference(browser, &story) {
                panic!("{name}, step {at}:\n{parts}");
            }
        }
    });
}

/// The test above can fail: it does for each event that is lost.
#[test]
fn a_page_that_lost_an_event_is_found_out() {
    with_browser("lost", |browser| {
        for method in [Method::Plain, Method::Engine] {
            let story = queens(method, 4, false);
            for lost in 0..story.steps.len() {
                let mut cut = story.clone();
                let step = cut.steps.remove(lost);
                browser.open(&write("lost", &cut));
                let found = first_difference(browser, &story);
                assert!(found.is_some_and(|(at, ..)| at <= lost), "step {lost} was lost: {step:?}");
                // Where the squares themselves no longer fit, the page says so to whoever looks at it.
                assert_eq!(
                    text(browser, "alarm").is_empty(),
                    expected::fits(&cut),
                    "step {lost} was lost: {step:?}"
                );
            }
        }
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
        for (method, n, all) in [
            (Method::Plain, 4, true),
            (Method::Plain, 8, false),
            (Method::Both, 8, true),
            (Method::Engine, 20, false),
        ] {
            let story = queens(method, n, all);
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
        for key in ["ArrowRight", "ArrowLeft", " ", "n", "b", "g", "u", "End", "Home"] {
            browser.press(key, false);
        }
        assert_eq!(text(browser, "position"), "Step 1 of 1");

        // A story that speaks of what is not there is shown as far as it goes, with a warning.
        let mut broken = queens(Method::Engine, 4, true);
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

/// The browser does notice what no page may do.
#[test]
fn a_page_that_misbehaves_is_told_on() {
    with_browser("misbehaves", |browser| {
        for (script, word) in [
            ("console.error('no')", "consoleAPICalled"),
            ("throw new Error('no')", "exceptionThrown"),
            ("new Image().src = 'http://127.0.0.1:9/x'", "a request for http://127.0.0.1:9/x"),
            ("fetch('/etc/hostname').catch(() => {})", "a request for file:///etc/hostname"),
        ] {
            let file = scratch("misbehaves.html");
            std::fs::write(
                &file,
                format!("<!doctype html><link rel=icon href='data:,'><script>{script}</script>"),
            )
            .unwrap();
            browser.open(&file);
            let complaints = browser.take_complaints();
            assert!(complaints.iter().any(|complaint| complaint.contains(word)), "{script}: {complaints:?}");
        }
    });
}
