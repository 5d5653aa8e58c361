//! Boards as pictures: SVG, written and never read.
//!
//! A picture is one board with its rows and columns numbered, or a strip of boards with a caption
//! each. Queens are drawn paths, so that no font is asked for a glyph. Colours follow the reader's
//! choice of light or dark. All lengths are in a square's fortieths.

use std::{
    collections::BTreeSet,
    fmt::{self, Display, Formatter, Write},
};

use crate::{Format, QueensError};

/// The side of a square.
const SQUARE: usize = 40;
/// Between boards of a strip, and around all.
const GAP: usize = 40;
/// Under a board of a strip, for its caption.
const CAPTION: usize = 56;
/// A single board is shown at most this wide, in pixels.
const WIDEST: usize = 960;

/// How a picture of boards is drawn.
///
/// ```
/// use csp_nqueens::Picture;
///
/// let svg = Picture::new().board(&[1, 3, 0, 2])?;
/// assert!(svg.starts_with("<svg ") && svg.contains("<title>4 queens: [1, 3, 0, 2]</title>"));
/// # Ok::<(), csp_nqueens::QueensError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Picture {
    attacks: bool,
}

impl Picture {
    /// The squares a picture has at most, all boards together.
    pub const MAX_SQUARES: usize = 200_000;

    /// Queens on a board.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether each empty square shows from where it is attacked: a stroke for each row, column,
    /// diagonal and anti-diagonal that a queen stands on.
    pub fn attacks(self, attacks: bool) -> Self {
        Self { attacks }
    }

    /// How many boards of this size find room in one picture.
    pub fn room(size: usize) -> usize {
        Self::MAX_SQUARES / size.saturating_mul(size).max(1)
    }

    /// A picture of one board, given by the column of each row's queen.
    ///
    /// # Errors
    /// If the board has more squares than a picture [may have](Self::MAX_SQUARES).
    pub fn board(self, columns: &[usize]) -> Result<String, QueensError> {
        check_room(columns.len(), 1)?;
        let size = columns.len();
        let side = SQUARE * size;
        let mut svg = String::new();
        let title = format!("{}: {}", queens(size), Format::Columns.show(columns));
        let (width, height) = (side + 2 * GAP, side + 2 * GAP);
        let percent = (100 * WIDEST / width).clamp(1, 100);
        let written = head(&mut svg, &title, size, (width, height), percent).and_then(|()| {
            for line in 0..size {
                let middle = GAP + SQUARE * line + SQUARE / 2;
                label(&mut svg, middle, GAP - 14, &line)?;
                label(&mut svg, GAP / 2, middle + 6, &line)?;
            }
            self.place(&mut svg, columns, (GAP, GAP))?;
            svg.write_str("</svg>\n")
        });
        // Writing to a string does not fail.
        debug_assert!(written.is_ok());
        Ok(svg)
    }

    /// A picture of several boards of one size, numbered from 1 and captioned.
    ///
    /// # Errors
    /// If the boards have more squares than a picture [may have](Self::MAX_SQUARES).
    pub fn strip(self, boards: &[Vec<usize>]) -> Result<String, QueensError> {
        let size = boards.iter().map(Vec::len).max().unwrap_or(0);
        check_room(size, boards.len())?;
        let mut svg = String::new();
        let title = format!("{}: {} {}", queens(size), boards.len(), plural(boards.len(), "solution"));
        // Wider than high, as screens are, and with full rows if that does not take much.
        let wide = (1..=boards.len()).find(|&k| 2 * k * k >= 3 * boards.len()).unwrap_or(1);
        let across = (wide..wide + 3).find(|&k| boards.len().is_multiple_of(k)).unwrap_or(wide);
        let down = boards.len().div_ceil(across);
        // Room for a caption under the smallest boards.
        let (step, side) = ((SQUARE * size).max(3 * SQUARE) + GAP, SQUARE * size);
        let (width, height) = (across * step + GAP, down * (side + CAPTION) + GAP);
        let written = head(&mut svg, &title, size, (width, height), 50).and_then(|()| {
            for (index, columns) in boards.iter().enumerate() {
                let middle = GAP / 2 + index % across * step + step / 2;
                let top = GAP + index / across * (side + CAPTION);
                self.place(&mut svg, columns, (middle - side / 2, top))?;
                let caption = format!("{}. {}", index + 1, Format::Columns.show(columns));
                label(&mut svg, middle, top + side + 26, &caption)?;
            }
            svg.write_str("</svg>\n")
        });
        debug_assert!(written.is_ok());
        Ok(svg)
    }

    /// A board whose upper left corner is there.
    fn place(self, svg: &mut String, columns: &[usize], (x, y): (usize, usize)) -> fmt::Result {
        let size = columns.len();
        writeln!(svg, r##"<g transform="translate({x} {y})"><use href="#board-{size}"/>"##)?;
        if self.attacks {
            attacks(svg, columns)?;
        }
        for (row, &column) in columns.iter().enumerate().filter(|&(_, &column)| column < size) {
            write!(svg, r##"<use href="#queen" x="{}" y="{}"/>"##, SQUARE * column, SQUARE * row)?;
        }
        svg.write_str("</g>\n")
    }
}

fn check_room(size: usize, boards: usize) -> Result<(), QueensError> {
    match boards <= Picture::room(size) {
        true => Ok(()),
        false => Err(QueensError::TooMuchToDraw { size, boards }),
    }
}

/// What comes before the boards: colours, and the shapes that are used again and again.
fn head(
    svg: &mut String,
    title: &str,
    size: usize,
    (width, height): (usize, usize),
    percent: usize,
) -> fmt::Result {
    let pixels = |length: usize| (length * percent).div_ceil(100);
    writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{}" height="{}" role="img">"#,
        pixels(width),
        pixels(height)
    )?;
    writeln!(svg, "<title>{title}</title>\n{STYLE}")?;
    let side = SQUARE * size;
    write!(svg, r#"<defs><g id="board-{size}"><rect class="light" width="{side}" height="{side}"/>"#)?;
    write!(svg, r#"<path class="dark" d=""#)?;
    for row in 0..size {
        for column in (0..size).filter(|column| (row + column) % 2 == 1) {
            write!(svg, "M{} {}h{SQUARE}v{SQUARE}h-{SQUARE}z", SQUARE * column, SQUARE * row)?;
        }
    }
    writeln!(svg, r#""/><rect class="frame" width="{side}" height="{side}"/></g>"#)?;
    writeln!(svg, "{QUEEN}</defs>\n<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>")
}

fn label(svg: &mut String, x: usize, y: usize, text: &dyn Display) -> fmt::Result {
    writeln!(svg, r#"<text x="{x}" y="{y}">{text}</text>"#)
}

/// A stroke on each empty square for each line on which a queen stands.
fn attacks(svg: &mut String, columns: &[usize]) -> fmt::Result {
    let size = columns.len();
    let taken: BTreeSet<usize> = columns.iter().copied().collect();
    let queens = || columns.iter().copied().enumerate();
    let diagonals: BTreeSet<isize> = queens().map(|(row, column)| diagonal(row, column)).collect();
    let anti_diagonals: BTreeSet<usize> = queens().map(|(row, column)| column.saturating_add(row)).collect();
    let strokes = |stroke: &'static str, attacked: &dyn Fn(usize, usize) -> bool| {
        let mut path = String::new();
        for (row, queen) in queens() {
            for column in (0..size).filter(|&column| column != queen && attacked(row, column)) {
                let (x, y) = (SQUARE * column + SQUARE / 2, SQUARE * row + SQUARE / 2);
                write!(path, "M{x} {y}{stroke}")?;
            }
        }
        Ok::<String, fmt::Error>(path)
    };
    let rows = strokes("m-8 0h16", &|_, _| true)?;
    let columns = strokes("m0-8v16", &|_, column| taken.contains(&column))?;
    write!(svg, r#"<path class="lines" d="{rows}{columns}"/>"#)?;
    let down = strokes("m-6-6l12 12", &|row, column| diagonals.contains(&diagonal(row, column)))?;
    write!(svg, r#"<path class="diagonals" d="{down}"/>"#)?;
    let up = strokes("m-6 6l12-12", &|row, column| anti_diagonals.contains(&(column + row)))?;
    writeln!(svg, r#"<path class="anti-diagonals" d="{up}"/>"#)
}

fn diagonal(row: usize, column: usize) -> isize {
    (column as isize).wrapping_sub(row as isize)
}

fn queens(size: usize) -> impl Display {
    struct Queens(usize);
    impl Display for Queens {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            write!(f, "{} {}", self.0, plural(self.0, "queen"))
        }
    }
    Queens(size)
}

fn plural(count: usize, word: &str) -> String {
    format!("{word}{}", if count == 1 { "" } else { "s" })
}

/// A crown of five points over a foot of two bands, on a square.
const QUEEN: &str = r#"<g id="queen" class="queen">
<path d="M10 27.5L6.5 14.5L13 21L13.5 10.5L18 19.5L20 8.5L22 19.5L26.5 10.5L27 21L33.5 14.5L30 27.5Q20 25 10 27.5z"/>
<path d="M10.5 29.5Q20 27 29.5 29.5L30.5 32.5Q20 30 9.5 32.5z M8.5 34.5Q20 32 31.5 34.5L32 36.5H8z"/>
<path d="M6.5 11a2 2 0 1 0 .01 0z M13.5 7a2 2 0 1 0 .01 0z M20 5a2 2 0 1 0 .01 0z M26.5 7a2 2 0 1 0 .01 0z M33.5 11a2 2 0 1 0 .01 0z"/>
</g>"#;

const STYLE: &str = "<style>
.paper{fill:#fff}
.light{fill:#f3ead9}
.dark{fill:#d3b58d}
.frame{fill:none;stroke:#6f5637;stroke-width:2}
.queen{fill:#1f1a17}
.lines,.diagonals,.anti-diagonals{fill:none;stroke-width:2;stroke-linecap:round}
.lines{stroke:#8a7a66}
.diagonals{stroke:#b3261e}
.anti-diagonals{stroke:#0b57a4}
text{font:20px system-ui,sans-serif;fill:#333;text-anchor:middle}
@media (prefers-color-scheme:dark){
.paper{fill:#161412}
.light{fill:#5d5348}
.dark{fill:#40382f}
.frame{stroke:#8f8070}
.queen{fill:#fff3da}
.lines{stroke:#94877a}
.diagonals{stroke:#ff9e8f}
.anti-diagonals{stroke:#8fc1ff}
text{fill:#d8d2ca}
}
</style>";

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares of the queens, read off the picture board by board.
    fn squares(svg: &str) -> Vec<Vec<(usize, usize)>> {
        let boards = svg.split(r##"href="#board-"##).skip(1);
        let number = |text: &str, name: &str| -> usize {
            let start = text.find(name).unwrap() + name.len();
            text[start..].split('"').next().unwrap().parse().unwrap()
        };
        let queens = |board: &str| {
            let uses = board.split(r##"href="#queen""##).skip(1);
            uses.map(|text| (number(text, " y=\"") / SQUARE, number(text, " x=\"") / SQUARE)).collect()
        };
        boards.map(queens).collect()
    }

    #[test]
    fn the_queens_stand_where_the_solution_says() {
        let columns = vec![0, 4, 7, 5, 2, 6, 1, 3];
        let expected: Vec<_> = columns.iter().copied().enumerate().collect();
        assert_eq!(squares(&Picture::new().board(&columns).unwrap())[0], expected);
        let other = vec![3, 1, 6, 2, 5, 7, 4, 0];
        let reversed = other.iter().copied().enumerate().collect();
        let strip = Picture::new().strip(&[columns, other]).unwrap();
        assert_eq!(squares(&strip), [expected, reversed]);
        assert!(strip.contains(">2. [3, 1, 6, 2, 5, 7, 4, 0]</text>"), "{strip}");
    }

    #[test]
    fn a_stroke_stands_for_each_line_with_a_queen() {
        let columns = [1, 3, 0, 2];
        let svg = Picture::new().attacks(true).board(&columns).unwrap();
        let path = |class: &str| {
            let start = svg.split(&format!("class=\"{class}\" d=\"")).nth(1).unwrap();
            start.split('"').next().unwrap().to_owned()
        };
        let count = |along: fn((usize, usize), (usize, usize)) -> bool| {
            let queens = || columns.iter().copied().enumerate();
            let empty = (0..4).flat_map(|row| (0..4).map(move |column| (row, column)));
            empty
                .filter(|&square| queens().all(|queen| queen != square))
                .filter(|&square| queens().any(|queen| along(queen, square)))
                .count()
        };
        assert_eq!(path("lines").matches('M').count(), 24);
        let down = count(|a, b| a.0 + b.1 == b.0 + a.1);
        let up = count(|a, b| a.0 + a.1 == b.0 + b.1);
        assert_eq!(path("diagonals").matches('M').count(), down);
        assert_eq!(path("anti-diagonals").matches('M').count(), up);
        assert!(down > 0 && up > 0);
    }

    #[test]
    fn what_is_too_large_is_refused_in_words() {
        let error = Picture::new().board(&vec![0; 448]).unwrap_err().to_string();
        assert_eq!(
            error,
            "a picture of 1 board of size 448 is too large: it may have 200000 squares, and a board has 200704"
        );
        let error = Picture::new().strip(&vec![vec![0; 100]; 21]).unwrap_err().to_string();
        assert!(error.contains("21 boards of size 100 is too large"), "{error}");
        assert!(Picture::new().strip(&vec![vec![0; 100]; 20]).is_ok());
        assert_eq!(Picture::room(usize::MAX), 0);
    }

    #[test]
    fn nothing_panics_on_what_is_no_board() {
        let picture = Picture::new().attacks(true);
        for columns in [vec![], vec![usize::MAX], vec![0, 0, 7]] {
            assert!(picture.board(&columns).unwrap().ends_with("</svg>\n"));
        }
        assert!(picture.strip(&[]).is_ok());
        assert!(picture.strip(&[vec![], vec![0], vec![0, 1]]).is_ok());
    }
}
