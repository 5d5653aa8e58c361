//! Pictures of schedules: a row for each machine, with its tasks along the time.

use std::fmt::Write;

/// A task in a picture.
pub(crate) struct Bar {
    pub(crate) machine: usize,
    /// Tasks of one job have one colour.
    pub(crate) job: usize,
    pub(crate) start: i64,
    pub(crate) duration: i64,
}

/// Columns of a text picture.
const COLUMNS: i64 = 72;
const DIGITS: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// In a text, what is of no job, such as a time when a machine is down.
pub(crate) const NO_JOB: usize = usize::MAX;

/// The sign of a job in a text.
pub(crate) fn label(job: usize) -> char {
    char::from(DIGITS.get(job).copied().unwrap_or(b'#'))
}

/// As text: each column stands for as much time as it takes for all to fit, and shows the job at work.
/// The rows have the given names.
pub(crate) fn text(bars: &[Bar], machines: &[String], end: i64) -> String {
    let scale = (end + COLUMNS - 1).max(1) / COLUMNS;
    let scale = scale.max(1);
    let width = ((end + scale - 1) / scale).max(0) as usize;
    let mut rows = vec![vec![b'.'; width]; machines.len()];
    for bar in bars.iter().filter(|bar| bar.duration > 0) {
        let label = label(bar.job) as u8;
        let last = (bar.start + bar.duration - 1) / scale;
        for cell in &mut rows[bar.machine][(bar.start / scale) as usize..=last as usize] {
            *cell = label;
        }
    }
    let mut out = String::new();
    let longest = machines.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (name, row) in machines.iter().zip(&rows) {
        let _ = writeln!(out, "{name:longest$} |{}|", String::from_utf8_lossy(row));
    }
    let _ = write!(out, "each column is {scale} of the time 0 to {end}; a job is a digit or a letter");
    out
}

/// As a file for a browser or a report.
pub(crate) fn svg(bars: &[Bar], machines: usize, end: i64, title: &str) -> String {
    const LEFT: f64 = 96.0;
    const WIDTH: f64 = 1040.0;
    const ROW: f64 = 34.0;
    const TOP: f64 = 56.0;
    let x = |time: i64| LEFT + WIDTH * time as f64 / end.max(1) as f64;
    let bottom = TOP + ROW * machines as f64;
    let jobs = bars.iter().map(|bar| bar.job + 1).max().unwrap_or(0);
    let legend_rows = jobs.div_ceil(12);
    let height = bottom + 48.0 + 24.0 * legend_rows as f64;
    let mut out = String::new();
    let _ = writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {height}" font-family="sans-serif" font-size="13" role="img">"#,
        LEFT + WIDTH + 24.0
    );
    let _ = writeln!(out, "<title>{title}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>");
    let _ = writeln!(
        out,
        r##"<text x="{LEFT}" y="24" font-size="17" font-weight="bold" fill="#222">{title}</text>"##
    );
    // A grid of round numbers.
    let step = [1, 2, 5]
        .iter()
        .cycle()
        .zip([1i64, 1, 1, 10, 10, 10, 100, 100, 100, 1000, 1000, 1000, 10_000, 10_000, 10_000])
        .map(|(digit, power)| digit * power)
        .find(|step| end / step <= 12)
        .unwrap_or((end / 10).max(1));
    for time in (0..=end).step_by(step as usize) {
        let at = x(time);
        let _ = writeln!(
            out,
            r##"<line x1="{at:.1}" y1="{TOP}" x2="{at:.1}" y2="{bottom}" stroke="#ddd"/><text x="{at:.1}" y="{}" text-anchor="middle" fill="#555">{time}</text>"##,
            TOP - 8.0
        );
    }
    for machine in 0..machines {
        let y = TOP + ROW * (machine as f64 + 0.5) + 5.0;
        let _ = writeln!(
            out,
            r##"<text x="{}" y="{y}" text-anchor="end" fill="#222">machine {machine}</text>"##,
            LEFT - 10.0
        );
    }
    for bar in bars.iter().filter(|bar| bar.duration > 0) {
        let (left, right) = (x(bar.start), x(bar.start + bar.duration));
        let y = TOP + ROW * bar.machine as f64 + 3.0;
        let Bar { job, start, duration, .. } = bar;
        let _ = writeln!(
            out,
            r##"<g><title>job {job}: {start} to {}</title><rect x="{left:.1}" y="{y}" width="{:.1}" height="{}" rx="2" fill="{}" stroke="#333" stroke-width="0.6"/>"##,
            start + duration,
            right - left,
            ROW - 6.0,
            colour(*job)
        );
        if right - left > 14.0 {
            let _ = writeln!(
                out,
                r##"<text x="{:.1}" y="{}" text-anchor="middle" fill="#111">{job}</text>"##,
                (left + right) / 2.0,
                y + ROW / 2.0 + 2.0
            );
        }
        out.push_str("</g>\n");
    }
    let _ = writeln!(
        out,
        r##"<line x1="{0:.1}" y1="{1}" x2="{0:.1}" y2="{2}" stroke="#b00" stroke-width="1.5"/><text x="{0:.1}" y="{3}" text-anchor="end" fill="#b00">end {end}</text>"##,
        x(end),
        TOP,
        bottom + 4.0,
        bottom + 20.0
    );
    for job in 0..jobs {
        let (column, row) = ((job % 12) as f64, (job / 12) as f64);
        let (left, y) = (LEFT + column * 86.0, bottom + 34.0 + 24.0 * row);
        let _ = writeln!(
            out,
            r##"<rect x="{left}" y="{y}" width="14" height="14" rx="2" fill="{}" stroke="#333" stroke-width="0.6"/><text x="{}" y="{}" fill="#222">job {job}</text>"##,
            colour(job),
            left + 20.0,
            y + 12.0
        );
    }
    out.push_str("</svg>\n");
    out
}

/// Colours far apart for jobs that follow each other, all of them light enough for dark letters.
fn colour(job: usize) -> String {
    let hue = job as f64 * 137.508 % 360.0;
    let light = [72, 82, 64][job % 3];
    format!("hsl({hue:.0}, 62%, {light}%)")
}
