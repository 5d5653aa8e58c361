//! Lines of text in a rectangle: put there, wrapped, or a window of a long list.

use std::ops::Range;

use ratatui::{buffer::Buffer, layout::Rect, text::Line};

/// Puts lines into a rectangle. What does not fit is cut off, and sideways that is marked.
pub(super) fn put<'a>(buffer: &mut Buffer, area: Rect, lines: impl IntoIterator<Item = Line<'a>>) {
    let area = area.intersection(buffer.area);
    for (row, line) in area.rows().zip(lines) {
        buffer.set_line(row.x, row.y, &line, row.width);
        if line.width() > usize::from(row.width) && row.width > 1 {
            buffer[(row.right() - 1, row.y)].set_char('…');
        }
    }
}

/// The columns a text takes.
pub(super) fn width(text: &str) -> u16 {
    u16::try_from(Line::raw(text).width()).unwrap_or(u16::MAX)
}

/// The text in lines of a width, broken between words where that is possible.
pub(super) fn wrap(text: &str, columns: u16) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && width(&line).saturating_add(1).saturating_add(width(word)) > columns {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            if width(word) <= columns {
                line.push_str(word);
                continue;
            }
            for letter in word.chars() {
                if !line.is_empty() && width(&line) + width(letter.encode_utf8(&mut [0; 4])) > columns {
                    lines.push(std::mem::take(&mut line));
                }
                line.push(letter);
            }
        }
        lines.push(line);
    }
    lines
}

/// The first lines of a text; the last one says so if there are more.
pub(super) fn first(mut lines: Vec<String>, count: usize, columns: u16) -> Vec<String> {
    if lines.len() > count {
        lines.truncate(count);
        if let Some(last) = lines.last_mut() {
            while !last.is_empty() && width(last) >= columns {
                last.pop();
            }
            last.push('…');
        }
    }
    lines
}

/// Which items of a list are seen through a window of some lines, with one of them in its middle as far
/// as the ends of the list allow.
pub(super) fn window(items: usize, lines: usize, middle: usize) -> Range<usize> {
    let start = middle.saturating_sub(lines / 2).min(items.saturating_sub(lines));
    start..items.min(start + lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_wrapped_and_long_ones_broken() {
        assert_eq!(wrap("a queen on row 0", 8), ["a queen", "on row 0"]);
        assert_eq!(wrap("one\ntwo three", 20), ["one", "two three"]);
        assert_eq!(wrap("abcdefgh i", 3), ["abc", "def", "gh", "i"]);
        assert_eq!(wrap("", 5), Vec::<String>::new());
        assert_eq!(wrap("ab", 0), ["a", "b"]);
    }

    #[test]
    fn what_is_left_out_is_marked() {
        assert_eq!(first(wrap("one two three", 5), 2, 5), ["one", "two…"]);
        assert_eq!(first(wrap("abcde fg", 5), 1, 5), ["abcd…"]);
        assert_eq!(first(wrap("one", 5), 1, 5), ["one"]);
    }

    #[test]
    fn a_window_keeps_to_the_list() {
        assert_eq!(window(10, 4, 0), 0..4);
        assert_eq!(window(10, 4, 5), 3..7);
        assert_eq!(window(10, 4, 9), 6..10);
        assert_eq!(window(3, 4, 2), 0..3);
        assert_eq!(window(3, 0, 2), 2..2);
        assert_eq!(window(0, 3, 0), 0..0);
    }
}
