//! Lists and numbers in sentences.

use csp_core::observe::Range;

/// Items as one reads them: `a, b and c`.
pub(super) fn list(items: &[impl AsRef<str>], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., end] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} {last} {}", first.join(", "), end.as_ref())
        }
    }
}

/// So many of a thing, in words.
pub(super) fn count(number: u64, thing: &str) -> String {
    match number {
        0 => format!("no {thing}"),
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}

/// That there are so many.
pub(super) fn are(number: u64, thing: &str) -> String {
    format!("{} {}", if number == 1 { "is" } else { "are" }, count(number, thing))
}

/// Intervals in order, those that meet as one.
pub(super) fn merge(mut ranges: Vec<Range>) -> Vec<Range> {
    ranges.sort_unstable();
    ranges.dedup_by(|next, last| {
        let is_adjacent = last.1.checked_add(1) == Some(next.0);
        if is_adjacent {
            last.1 = next.1;
        }
        is_adjacent
    });
    ranges
}
