//! Reads the lines of a transcript.

use std::io::{BufRead, Read};

use anyhow::{Context, anyhow, ensure};

use super::line::TranscriptLine;
use super::{short_form, unreadable_line};
use crate::exit_reason::DeviceFailure;

/// The longest line, in bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// The most lines of a transcript.
const MOST_LINES: usize = 1_000_000;

/// The lines of a transcript.
#[derive(Debug, Default)]
pub(super) struct TranscriptLines {
    /// Those that can be read, each with its number.
    pub(super) lines: Vec<(usize, TranscriptLine)>,
    /// What may be wrong with the last line.
    pub(super) last: LastLine,
}

/// How a transcript ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum LastLine {
    /// With a whole line.
    #[default]
    Whole,
    /// With a line in short form that has no line break: its end may be missing.
    Unbroken,
    /// In the middle of this line, which cannot be read.
    Cut(usize),
}

/// Reads all lines. A last line without a line break that cannot be read has been cut.
///
/// # Errors
/// If reading fails, or another line cannot be read.
pub(super) fn lines(mut from: impl BufRead) -> anyhow::Result<TranscriptLines> {
    let mut transcript = TranscriptLines::default();
    for number in 1.. {
        ensure!(number <= MOST_LINES, "the transcript has more than {MOST_LINES} lines");
        let mut bytes = Vec::new();
        let read = from.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        let read = read.context(DeviceFailure::new("reading failed"))?;
        if read == 0 {
            break;
        }
        ensure!(bytes.len() as u64 != LONGEST_LINE, "line {number} is too long");
        match line(&bytes) {
            Ok(Some(line)) => transcript.lines.push((number, line)),
            Ok(None) => {}
            Err(_) if !bytes.ends_with(b"\n") => transcript.last = LastLine::Cut(number),
            Err(error) => return Err(error.context(format!("line {number} cannot be read"))),
        }
        // Only a whole JSON object can be read as one.
        if !bytes.ends_with(b"\n") && bytes.starts_with(b"[") && transcript.last == LastLine::Whole
        {
            transcript.last = LastLine::Unbroken;
        }
    }
    Ok(transcript)
}

/// The line in these bytes; `None` if they are empty.
fn line(bytes: &[u8]) -> anyhow::Result<Option<TranscriptLine>> {
    let text = std::str::from_utf8(bytes).ok().context("it is not UTF-8 text")?;
    let text = text.trim_start_matches('\u{feff}').trim_end_matches(['\n', '\r']);
    if text.is_empty() {
        return Ok(None);
    }
    let read = short_form::read(text).unwrap_or_else(|| {
        serde_json::from_str(text).map_err(|error| unreadable_line::why(text, &error))
    });
    read.map(Some).map_err(|words| anyhow!(words))
}
