//! What stands in a checkpoint.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read},
    path::Path,
};

use super::{
    super::Part,
    CheckpointError, checksum,
    header::{Header, START},
};

/// A checkpoint that was read and found whole.
#[derive(Debug)]
pub(in super::super) struct Contents {
    pub(in super::super) header: Header,
    pub(in super::super) parts: BTreeMap<usize, Part>,
    /// The length of the file up to the end of its last whole line.
    pub(super) length: usize,
}

impl Contents {
    /// Reads a file that a run has written.
    pub(in super::super) fn read(file: &Path) -> Result<Self, CheckpointError> {
        let text = File::open(file).and_then(read_text);
        Self::parse(&text.map_err(|error| CheckpointError::file(file, &error))?, file)
    }

    /// Makes sense of the text of this file.
    pub(super) fn parse(text: &[u8], file: &Path) -> Result<Self, CheckpointError> {
        let foreign = || CheckpointError::Foreign { file: file.to_owned() };
        if !text.starts_with(START.as_bytes()) {
            return Err(foreign());
        }
        let damaged = |line, problem| CheckpointError::Damaged { file: file.to_owned(), line, problem };
        // What follows the last line break is a line that was cut short.
        let whole_lines = text.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
        let lines = whole_lines.clone().map(checked_line);
        let mut contents: Option<(Self, String)> = None;
        for (number, line) in (1..).zip(lines) {
            let (line, sum) = line.ok_or_else(|| damaged(number, "this is no line of a checkpoint"))?;
            let wrong_sum = || damaged(number, "its checksum is wrong");
            match &mut contents {
                None => {
                    let right = checksum(&[line]) == sum;
                    let header = Header::parse(line).filter(|_| right).ok_or_else(wrong_sum)?;
                    contents = Some((Self { header, parts: BTreeMap::new(), length: 0 }, line.to_owned()));
                }
                Some((contents, header)) => {
                    if Header::checksum(header, line) != sum {
                        return Err(wrong_sum());
                    }
                    contents.add(line).map_err(|problem| damaged(number, problem))?;
                }
            }
        }
        let (contents, _) = contents.ok_or_else(foreign)?;
        Ok(Self { length: whole_lines.map(<[u8]>::len).sum(), ..contents })
    }

    /// The sum of its parts; nothing if it is too large.
    pub(in super::super) fn sum(&self) -> Option<Part> {
        self.parts.values().try_fold(Part::default(), |sum, &part| sum.plus(part))
    }

    fn add(&mut self, line: &str) -> Result<(), &'static str> {
        let (number, part) = parse_part(line).ok_or("this is no line of a part")?;
        if number >= self.header.parts || !self.header.shard.contains(number) {
            return Err("this part is not of this shard");
        }
        match self.parts.insert(number, part) {
            None => Ok(()),
            Some(_) => Err("this part is there twice"),
        }
    }
}

/// The line of a part, without its checksum.
pub(super) fn part_line(number: usize, part: Part) -> String {
    format!("part={number} solutions={} nodes={}", part.solutions, part.nodes)
}

fn parse_part(line: &str) -> Option<(usize, Part)> {
    let mut fields = line.split(' ').map(|field| field.split_once('='));
    let mut next = || fields.next()?.map(|(_, value)| value);
    let number = next()?.parse().ok()?;
    let part = Part { solutions: next()?.parse().ok()?, nodes: next()?.parse().ok()? };
    Some((number, part)).filter(|_| part_line(number, part) == line)
}

/// A line with its checksum and a line break.
pub(super) fn with_checksum(line: &str, sum: u64) -> String {
    format!("{line} #{sum:016x}\n")
}

/// The line without its checksum and line break, and the checksum.
fn checked_line(bytes: &[u8]) -> Option<(&str, u64)> {
    let text = str::from_utf8(bytes).ok()?;
    let (line, sum) = text.strip_suffix('\n')?.rsplit_once(" #")?;
    let sum = u64::from_str_radix(sum, 16).ok()?;
    Some((line, sum)).filter(|_| with_checksum(line, sum) == text)
}

/// The text of a file, or no more than its start if it is no checkpoint.
pub(super) fn read_text(file: impl Read) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let mut start = file.take(START.len() as u64);
    start.read_to_end(&mut text)?;
    if text == START.as_bytes() {
        start.into_inner().read_to_end(&mut text)?;
    }
    Ok(text)
}
