//! Reads the lines of a transcript.

use std::io::{BufRead, Read};

use anyhow::{Context, ensure};

use super::line::TranscriptLine;
use super::short_form;
use crate::exit_reason::DeviceFailure;

/// The longest line, in bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// The most lines of a transcript.
const MOST_LINES: usize = 1_000_000;

/// The lines of a transcript, each with its number.
pub(super) fn lines(mut from: impl BufRead) -> anyhow::Result<Vec<(usize, TranscriptLine)>> {
    let mut lines = Vec::new();
    for number in 1.. {
        ensure!(number <= MOST_LINES, "the transcript has more than {MOST_LINES} lines");
        let mut text = Vec::new();
        let read = from.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut text);
        let read = read.context(DeviceFailure::new("reading failed"))?;
        if read == 0 {
            break;
        }
        ensure!(text.len() as u64 != LONGEST_LINE, "line {number} is too long");
        let text = String::from_utf8(text).with_context(|| format!("line {number} is not text"))?;
        let text = text.trim_start_matches('\u{feff}').trim_end_matches(['\n', '\r']);
        if !text.is_empty() {
            lines.push((
                number,
                line(text).with_context(|| format!("line {number} cannot be read"))?,
            ));
        }
    }
    Ok(lines)
}

fn line(text: &str) -> anyhow::Result<TranscriptLine> {
    match short_form::read(text) {
        Some(line) => Ok(line?),
        None => Ok(serde_json::from_str(text)?),
    }
}
