//! Whether people can read the page and get about in it: on a phone and on a desk, in light and in dark, with
//! a screen reader, and when the story is long.

use csp_trace::{Board, Kind, Story};
use serde_json::Value;

use crate::browser::{text, with_browser, write};
use crate::chromium::Browser;
use crate::controls::go;
use crate::stories::{self, Method, queens};

const PHONE: (u32, u32) = (390, 844);
const DESK: (u32, u32) = (1280, 800);

fn all_looks() -> Vec<(&'static str, Story)> {
    vec![
        ("queens8", queens(Method::Plain, 8, false)),
        ("both8", queens(Method::Both, 8, false)),
        ("engine20", queens(Method::Engine, 20, false)),
        ("puzzle", stories::puzzle()),
        ("sudoku", stories::sudoku()),
        ("tables", stories::tables()),
    ]
}

/// Opens each story in a window of each size and calls `look`.
fn on_each_page(name: &str, mut look: impl FnMut(&mut Browser, &Story, (u32, u32), &str)) {
    with_browser(name, |browser| {
        for (story_name, story) in all_looks() {
            let file = write(&format!("{name}-{story_name}"), &story);
            for size in [PHONE, DESK] {
                browser.resize(size.0, size.1);
                browser.open(&file);
                look(browser, &story, size, &format!("{story_name} at {}", size.0));
            }
        }
    });
}

/// Nothing is wider than the window, what can be pressed is large enough for a finger, and on a desk there
/// is nothing below the fold.
#[test]
fn it_fits_a_phone_and_a_desk() {
    on_each_page("fits", |browser, _, (width, height), what| {
        browser.press("End", false);
        let wide = browser.evaluate("document.documentElement.scrollWidth");
        assert!(wide.as_u64() <= Some(width.into()), "{what}: {wide} wide");
        let small = browser.evaluate(
            "[...document.querySelectorAll('button')].filter((b) => b.offsetParent && (b.offsetHeight < (innerWidth < 640 ? 44 : 36) || b.offsetWidth < 44)).map((b) => b.textContent).join()",
        );
        assert_eq!(small, "", "{what}");
        if width == DESK.0 {
            let high = browser.evaluate(
                "Math.max(document.documentElement.scrollHeight, ...[...document.querySelectorAll('section, #why')].map((part) => Math.ceil(part.getBoundingClientRect().bottom)))",
            );
            assert!(high.as_u64() <= Some(height.into()), "{what}: {high} high");
        }
    });
}

/// Buttons, boards and panes stay where they are, however much a step has to say; and what it changed is
/// in sight on its board.
#[test]
fn steps_do_not_move_the_page() {
    on_each_page("still", |browser, story, _, what| {
        let places = "JSON.stringify([...document.querySelectorAll('button, section, figure, .board')].map((part) => { const { x, y, width, height } = part.getBoundingClientRect(); return [x, y, width, height].map(Math.round); }))";
        let hidden = "[...document.querySelectorAll('.board .fresh.chosen')].filter((square) => { const s = square.getBoundingClientRect(), b = square.closest('.board').getBoundingClientRect(); return s.left < b.left - 1 || s.right > b.right + 1 || s.top < b.top - 1 || s.bottom > b.bottom + 1; }).length";
        let first = browser.evaluate(places);
        for at in (0..story.steps.len()).step_by(1 + story.steps.len() / 60) {
            go(browser, at);
            assert_eq!(browser.evaluate(places), first, "{what}, step {at}");
            let chosen =
                story.steps[at].changes.iter().filter(|change| change.to == csp_trace::CellState::Chosen);
            if chosen.count() == 1 {
                assert_eq!(browser.evaluate(hidden), 0, "{what}, step {at}");
            }
        }
    });
}

/// On a desk all reasons of a dead end on a board of eight are seen at once.
#[test]
fn the_reasons_of_a_dead_end_have_room() {
    with_browser("reasons", |browser| {
        browser.resize(DESK.0, DESK.1);
        for method in [Method::Plain, Method::Engine] {
            let story = queens(method, 8, false);
            browser.open(&write("reasons", &story));
            let dead = (0..story.steps.len()).filter(|&at| story.steps[at].kind == Kind::DeadEnd);
            for at in dead.take(20) {
                go(browser, at);
                let hidden = "(() => { const r = document.getElementById('reasons'); return r.children.length === 0 ? 99 : r.scrollHeight - r.clientHeight; })()";
                assert_eq!(browser.evaluate(hidden), 0, "{method:?}, step {at}");
            }
        }
    });
}

/// The squares of a table are under each other, whatever is taken off, and a name is beside the middle of
/// its row.
#[test]
fn tables_have_columns() {
    with_browser("columns", |browser| {
        let story = stories::tables();
        browser.open(&write("columns", &story));
        for size in [PHONE, DESK] {
            browser.resize(size.0, size.1);
            for at in [0, story.steps.len() / 2, story.steps.len() - 1] {
                go(browser, at);
                let widths = "new Set([...document.querySelectorAll('.plain .square')].map((square) => Math.round(square.getBoundingClientRect().width))).size";
                assert_eq!(browser.evaluate(widths), 1, "step {at}");
                let ragged = "[...document.querySelectorAll('.plain .line')].filter((line) => [...line.querySelectorAll('.square')].some((square, n) => { const first = document.querySelectorAll('.plain .line:last-of-type .square')[n]; return first && Math.abs(first.getBoundingClientRect().left - square.getBoundingClientRect().left) > 1; })).length";
                assert_eq!(browser.evaluate(ragged), 0, "step {at}");
                let off = "[...document.querySelectorAll('.plain .line')].filter((line) => { const [a, b] = [line, line.querySelector('.label')].map((part) => part.getBoundingClientRect()); return Math.abs(a.top + a.height / 2 - b.top - b.height / 2) > 1; }).length";
                assert_eq!(browser.evaluate(off), 0, "step {at}");
            }
        }
    });
}

/// The legend names what squares of this story show and nothing else, a row without a square is marked, a
/// board without rows says so, and of two methods each says which it is.
#[test]
fn what_is_shown_is_explained() {
    with_browser("explained", |browser| {
        let legend =
            "[...document.querySelectorAll('#rules li')].map((entry) => entry.lastChild.textContent).join()";
        browser.open(&write("explained", &queens(Method::Plain, 8, false)));
        assert_eq!(browser.evaluate(legend), "chosen,out by:,column,diagonal,anti-diagonal,tried");
        let dead =
            "[...document.querySelectorAll('.domain.none .size')].map((size) => size.textContent).join()";
        assert_eq!(browser.evaluate(dead), "");
        browser.press("b", false);
        assert_eq!(browser.evaluate(dead), "0,0,0");
        browser.open(&write("explained", &stories::sudoku()));
        let shown = browser.evaluate(legend);
        assert!(shown.as_str().unwrap().starts_with("chosen,forced: nothing else was left,given,out by:,"));
        // Without colour, too, a forced digit is none of the others.
        browser.press("n", false);
        for (state, style, weight) in
            [("chosen", "normal", "700"), ("forced", "italic", "300"), ("given", "normal", "800")]
        {
            let look = format!(
                "(() => {{ const {{ fontStyle, fontWeight }} = getComputedStyle(document.querySelector('.box.taken .candidate.{state}')); return fontStyle + fontWeight; }})()"
            );
            assert_eq!(browser.evaluate(&look), format!("{style}{weight}"), "{state}");
        }

        let both = queens(Method::Both, 6, false);
        browser.open(&write("explained", &both));
        assert_eq!(text(browser, "kind"), "Start · plain backtracking");
        browser.press("ArrowRight", false);
        assert_eq!(text(browser, "kind"), "Start · propagation");
        for title in ["plain backtracking", "propagation"] {
            assert!(both.pseudocode.contains(&format!("— {title} —")));
            assert!(both.nodes.iter().any(|node| node.parent.is_none() && node.label == title));
        }

        let wide = Story { boards: vec![Board::default()], ..Story::default() };
        browser.open(&write("explained", &wide));
        let words = browser.evaluate("document.querySelector('.board').textContent");
        assert_eq!(words, "No variable has few enough values to show.");
    });
}

#[test]
fn every_text_stands_out_from_its_ground() {
    on_each_page("contrast", |browser, story, _, what| {
        for scheme in ["light", "dark"] {
            browser.colours(scheme);
            for at in [0, story.steps.len() / 2, story.steps.len() - 1] {
                go(browser, at);
                browser.click(".square, .box");
                let faint = browser.evaluate(include_str!("contrast.js"));
                assert_eq!(faint, Value::Array(vec![]), "{what}, {scheme}, step {at}");
            }
        }
    });
}

/// The check above can fail.
#[test]
fn a_faint_text_is_found() {
    with_browser("faint", |browser| {
        browser.open(&write("faint", &queens(Method::Plain, 4, false)));
        browser.evaluate("document.getElementById('sentence').style.color = '#888'");
        let faint = browser.evaluate(include_str!("contrast.js"));
        assert_eq!(faint.as_array().map(Vec::len), Some(1), "{faint}");
    });
}

/// Each part has the role and name a screen reader needs, and nothing moves by itself.
#[test]
fn a_screen_reader_is_told_everything() {
    on_each_page("roles", |browser, story, _, what| {
        go(browser, story.steps.len() / 2);
        for (none, why) in [
            ("[data-command]:not([aria-keyshortcuts])", "buttons say their keys"),
            ("[role=gridcell]:not([aria-label])", "squares say what they are"),
            ("[role=gridcell]:not([role=grid] > [role=row] > *)", "squares are in rows of a grid"),
            ("#tree > :not([role=treeitem][aria-level][aria-label])", "nodes say where they are"),
            ("section:not([aria-label])", "panes have names"),
            ("[role=grid]:not([aria-label])", "boards have names"),
        ] {
            assert_eq!(
                browser.evaluate(&format!("document.querySelectorAll({none:?}).length")),
                0,
                "{what}: {why}"
            );
        }
        for one in
            ["#sentence[aria-live=polite]", "#tree[role=tree]", "#tree [aria-current=true]", "main", "h1"]
        {
            assert_eq!(
                browser.evaluate(&format!("document.querySelectorAll({one:?}).length")),
                1,
                "{what}: {one}"
            );
        }
        let stops = "[...document.querySelectorAll('[role=grid], [role=tree]')].map((part) => part.querySelectorAll('[tabindex=\"0\"]').length).join()";
        let stops = browser.evaluate(stops);
        assert_eq!(stops, vec!["1"; story.boards.len() + 1].join(","), "{what}: each is one stop of Tab");
        assert_eq!(browser.evaluate("document.getAnimations().length"), 0, "{what}");
        // Which nodes are folded is said, and only of those with nodes below.
        let wrong = "[...document.querySelectorAll('#tree li')].filter((item) => item.getAttribute('aria-expanded') !== (item.querySelector('.folded') ? 'false' : item.hasAttribute('aria-expanded') ? 'true' : null)).length";
        assert_eq!(browser.evaluate(wrong), 0, "{what}");
    });
}

/// Ten thousand steps: the page is there soon, and no step is waited for. The bounds are ten times what was
/// measured, since other programs may be running.
#[test]
fn a_long_story_is_quick_to_walk() {
    with_browser("long", |browser| {
        let story = queens(Method::Plain, 20, false);
        assert_eq!(story.steps.len(), 10_000);
        browser.open(&write("long", &story));
        let slowest = browser.evaluate(
            "(() => {
               const press = (key) => {
                 const start = performance.now();
                 document.dispatchEvent(new KeyboardEvent('keydown', { key }));
                 document.body.offsetHeight;
                 return performance.now() - start;
               };
               const median = (keys) => keys.map(press).sort((a, b) => a - b)[keys.length >> 1];
               const steps = median(Array(30).fill('ArrowLeft')), jumps = median(['End', 'Home', 'End', 'Home', 'End']);
               press('u');
               return { steps, jumps, unfolded: median(Array(30).fill('ArrowLeft')) };
             })()",
        );
        for (what, most) in [("steps", 100.0), ("jumps", 500.0), ("unfolded", 200.0)] {
            let took = slowest[what].as_f64().unwrap();
            assert!(took < most, "{what}: {took} ms");
        }
        eprintln!("{slowest}");
    });
}
