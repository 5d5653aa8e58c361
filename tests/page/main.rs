//! The page of a story, in a real browser: every step shows what the story says, every key and button does
//! what it promises, going back is exact, nothing leaves the page and nothing complains.
//!
//! The browser tests want `chromium`; without it they say that they are skipped, or fail where
//! `REQUIRE_BROWSER` is set, as in `.ci/run`.

#[cfg(unix)]
mod browser;
#[cfg(unix)]
mod chromium;
#[cfg(unix)]
mod controls;
#[cfg(unix)]
mod expected;
#[cfg(unix)]
mod reading;
mod stories;

use csp_trace::{CellChange, Kind, Step, Story};
use stories::{Method, queens};

#[test]
fn whatever_the_texts_contain_they_stay_data() {
    let story = stories::hostile();
    story.check().unwrap();
    let page = story.to_html();
    let plain = Story::default().to_html();
    for markup in ["<script", "</script", "<b>", "<!--", "<img"] {
        assert_eq!(page.matches(markup).count(), plain.matches(markup).count(), "{markup}");
    }
    let (_, after) = page.split_once(r#"<script type="application/json" id="story">"#).unwrap();
    let (json, _) = after.split_once("</script>").unwrap();
    assert_eq!(serde_json::from_str::<Story>(json).unwrap(), story);
}

#[test]
fn a_page_is_small_and_stands_alone() {
    let mut page = String::new();
    for (name, story) in stories::searches() {
        page = story.to_html();
        assert!(page.len() < 1_000_000, "{name}: {} bytes", page.len());
    }
    for outside in ["http:", "https:", "//cdn", "@import", "url(", "src="] {
        let own = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!own.contains(outside), "{outside}");
    }
}

#[test]
fn a_story_that_lost_a_step_is_found_out() {
    let searches = stories::searches().into_iter().filter(|(name, _)| name.contains("-4-"));
    for story in searches.map(|(_, story)| story).chain([stories::puzzle(), stories::sudoku()]) {
        assert_eq!(story.check(), Ok(()));
        for lost in 0..story.steps.len() {
            let mut cut = story.clone();
            let step = cut.steps.remove(lost);
            // What did nothing, or nothing that matters later, is not missed; a dead end above others is
            // a remark.
            let is_leaf = story.nodes.iter().all(|node| node.parent != Some(step.node));
            let matters = match step.kind {
                Kind::Fixpoint => false,
                Kind::DeadEnd => is_leaf,
                Kind::Removal | Kind::Undo => {
                    step.changes.iter().any(|change| touched(&cut.steps[lost..], step.board, change))
                }
                _ => true,
            };
            if matters {
                assert!(cut.check().is_err(), "{}: step {lost}, {step:?}", story.title);
            }
        }
    }
}

fn touched(steps: &[Step], board: usize, change: &CellChange) -> bool {
    let place = (change.row, change.cell);
    let steps = steps.iter().filter(|step| step.board == board);
    steps.flat_map(|step| &step.changes).any(|later| (later.row, later.cell) == place)
}

#[test]
fn side_by_side_keeps_both_stories_whole() {
    let (left, right) = (queens(Method::Plain, 4, false), queens(Method::Engine, 5, false));
    let both = Story::beside("Two boards", left.clone(), right.clone());
    both.check().unwrap();
    assert_eq!(both.constraints, left.constraints);
    assert_eq!(both.steps.len(), left.steps.len() + right.steps.len());
    let told: Vec<_> = both.steps.iter().filter(|step| step.board == 1).map(|step| &step.words).collect();
    assert_eq!(told, right.steps.iter().map(|step| &step.words).collect::<Vec<_>>());
}
