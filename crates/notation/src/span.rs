//! Where something stands in a text.

use serde::Serialize;

/// A part of a text, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    pub(crate) fn new(start: usize, end: usize) -> Self {
        let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { start: byte(start), end: byte(end) }
    }

    /// From the beginning of this part to the end of another one.
    pub(crate) fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A line and a column, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct LineColumn {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// The place of a byte of a text.
pub(crate) fn line_column(text: &str, byte: u32) -> LineColumn {
    let before = text.get(..byte as usize).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let line = count(before.bytes().filter(|byte| *byte == b'\n').count() + 1);
    let column = count(before.get(start..).map_or(0, |line| line.chars().count()) + 1);
    LineColumn { line, column }
}

/// Counts the lines of a text up to places that come one after the other.
pub(crate) struct LineCounter<'t> {
    text: &'t str,
    counted: usize,
    line: u32,
}

impl<'t> LineCounter<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, counted: 0, line: 1 }
    }

    /// The line of a byte, counted from 1. No byte that was asked for before comes after it.
    pub(crate) fn line(&mut self, byte: u32) -> u32 {
        let to = (byte as usize).min(self.text.len());
        let passed = self.text.as_bytes().get(self.counted..to).unwrap_or(&[]);
        let newlines = passed.split(|byte| *byte == b'\n').count() - 1;
        self.line += u32::try_from(newlines).unwrap_or(u32::MAX);
        self.counted = self.counted.max(to);
        self.line
    }
}

/// The line of a text that holds a byte, without its end.
pub(crate) fn line_of(text: &str, byte: u32) -> &str {
    let byte = (byte as usize).min(text.len());
    let start = text.get(..byte).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let rest = text.get(start..).unwrap_or("");
    rest.split('\n').next().unwrap_or("").trim_end_matches('\r')
}
