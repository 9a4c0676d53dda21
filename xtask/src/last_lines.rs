//! The end of what a program printed.

use std::collections::VecDeque;
use std::fmt::{self, Display, Formatter};
use std::io::{BufRead as _, BufReader, Read, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// How many lines of each output are kept.
const LINES: usize = 12;

/// How many bytes of a line are kept.
const LINE_BYTES: usize = 300;

/// How long the rest of an output may take after its program has ended.
const REST: Duration = Duration::from_secs(2);

/// The last lines of what a program printed, so that a summary can show why it failed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LastLines {
    lines: VecDeque<String>,
}

impl LastLines {
    /// Begins to copy an output to another one as it comes.
    pub(crate) fn copying(
        from: impl Read + Send + 'static,
        mut to: impl Write + Send + 'static,
    ) -> Receiver<Self> {
        let (ended, copying) = mpsc::channel();
        // Nobody may wait for the end any more.
        thread::spawn(move || drop(ended.send(Self::copy(from, &mut to))));
        copying
    }

    /// The last lines of a program that has ended: nothing if another one still prints to the same place.
    #[expect(clippy::needless_pass_by_value, reason = "it is read once")]
    pub(crate) fn of_ended(copying: Receiver<Self>) -> Self {
        copying.recv_timeout(REST).unwrap_or_default()
    }

    /// Copies an output to another one, and returns its last lines.
    fn copy(from: impl Read, to: &mut impl Write) -> Self {
        let (mut from, mut last, mut line) = (BufReader::new(from), Self::default(), Vec::new());
        while from.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
            // Our own output may be closed; the program goes on.
            drop(to.write_all(&line).and_then(|()| to.flush()));
            last.push(&line);
            line.clear();
        }
        last
    }

    fn push(&mut self, line: &[u8]) {
        let line = line[..line.len().min(LINE_BYTES)].trim_ascii_end();
        if !line.is_empty() {
            self.lines.push_back(String::from_utf8_lossy(line).into_owned());
        }
        if self.lines.len() > LINES {
            self.lines.pop_front();
        }
    }

    /// These lines, and then those of another output.
    pub(crate) fn followed_by(mut self, other: Self) -> Self {
        self.lines.extend(other.lines);
        self
    }
}

impl Display for LastLines {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| write!(formatter, "\n    | {line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_copied_and_the_last_lines_are_kept() {
        let lines = |first: usize, between: &str| {
            (first..=20).map(|number| format!("line {number}")).collect::<Vec<_>>().join(between)
        };
        let text = lines(1, "\n\n");
        let mut copy = Vec::new();
        let last = LastLines::copy(text.as_bytes(), &mut copy);
        assert_eq!(copy, text.as_bytes());
        assert_eq!(last.to_string(), format!("\n    | {}", lines(9, "\n    | ")));
    }

    #[test]
    fn a_long_line_is_cut() {
        let last = LastLines::copy("x".repeat(10_000).as_bytes(), &mut Vec::new());
        assert_eq!(last.to_string().len(), "\n    | ".len() + LINE_BYTES);
    }
}
