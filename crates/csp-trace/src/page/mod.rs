//! A page to step through a story: one file that needs no network, whatever its names contain.

use std::borrow::Cow;

use crate::Story;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = concat!(include_str!("layout.css"), include_str!("boards.css"));
const SCRIPT: &str = concat!(
    include_str!("player.js"),
    include_str!("boards.js"),
    include_str!("panes.js"),
    include_str!("tree.js"),
    include_str!("commands.js"),
    include_str!("main.js"),
);

impl Story {
    /// The story as a page: one HTML file with everything in it, to be stepped through forwards and
    /// back by keys, buttons and clicks.
    ///
    /// Titles, names and sentences are shown as they are, never read as markup. The page loads nothing
    /// and forbids itself to.
    ///
    /// ```
    /// use csp_trace::Story;
    /// let page = Story { title: "1 < 2".into(), ..Story::default() }.to_html();
    /// assert!(page.contains("<title>1 &lt; 2</title>"));
    /// ```
    pub fn to_html(&self) -> String {
        let story = serde_json::to_string(self).expect("strings, numbers and arrays are always JSON");
        fill(
            TEMPLATE,
            &[
                ("title", &escape(&self.title, html)),
                ("style", STYLE),
                ("script", SCRIPT),
                ("story", &escape(&story, json)),
            ],
        )
    }
}

/// The template with each `{{name}}` replaced, in one pass: what is filled in is not searched again.
fn fill(template: &str, parts: &[(&str, &str)]) -> String {
    let mut page =
        String::with_capacity(template.len() + parts.iter().map(|part| part.1.len()).sum::<usize>());
    let mut rest = template;
    while let Some((before, name, after)) = next_name(rest) {
        page.push_str(before);
        page.push_str(parts.iter().find(|part| part.0 == name).map_or("", |part| part.1));
        rest = after;
    }
    page.push_str(rest);
    page
}

fn next_name(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (name, after) = rest.split_once("}}")?;
    Some((before, name, after))
}

fn escape<'a>(text: &'a str, with: fn(char) -> Option<&'static str>) -> Cow<'a, str> {
    if text.chars().all(|letter| with(letter).is_none()) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    for letter in text.chars() {
        match with(letter) {
            Some(replacement) => escaped.push_str(replacement),
            None => escaped.push(letter),
        }
    }
    Cow::Owned(escaped)
}

fn html(letter: char) -> Option<&'static str> {
    match letter {
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '&' => Some("&amp;"),
        '"' => Some("&quot;"),
        _ => None,
    }
}

/// Inside a script element nothing may look like the end of it or like a comment; outside its strings
/// JSON has none of these letters.
fn json(letter: char) -> Option<&'static str> {
    match letter {
        '<' => Some("\\u003c"),
        '>' => Some("\\u003e"),
        '&' => Some("\\u0026"),
        _ => None,
    }
}
