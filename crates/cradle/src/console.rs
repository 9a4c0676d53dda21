//! Standard output and standard error.

use std::fmt::Write as _;
use std::io::{self, ErrorKind, IsTerminal, Write, stderr, stdout};

use anyhow::Context;

use crate::exit_reason::DeviceFailure;

/// Writes to standard output. A reader that leaves early is no failure.
///
/// # Errors
/// If the text cannot be written.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    write(stdout().lock(), text, "standard output cannot be written")
}

/// Prints a note or a report on standard error. A reader that leaves early is no failure.
///
/// # Errors
/// If the text cannot be written.
pub(crate) fn mention(words: &str) -> anyhow::Result<()> {
    write(stderr().lock(), &(visible(words) + "\n"), "standard error cannot be written")
}

fn write(mut out: impl Write, text: &str, failure: &str) -> anyhow::Result<()> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context(DeviceFailure::new(failure)),
    }
}

/// Writes to standard output and ignores failures.
pub(crate) fn announce(text: &str) {
    let mut out = stdout().lock();
    // A server keeps serving if nobody can read its announcements.
    drop(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// Standard error for a log. A line that cannot be written is lost; the writer never fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LossyStderr;

impl Write for LossyStderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        drop(stderr().write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether standard error is a terminal.
pub(crate) fn is_error_a_terminal() -> bool {
    stderr().is_terminal()
}

/// Prints an error on standard error, in one line.
pub(crate) fn complain(error: &anyhow::Error) {
    // There is no other place to report a failure.
    drop(writeln!(stderr(), "error: {}", visible(&format!("{error:#}"))));
}

/// The text with every character that could command a terminal written out, except line breaks:
/// files and arguments may hold any.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_command(character) {
            write!(shown, "{}", character.escape_unicode()).expect("a string can grow");
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Whether a terminal obeys the character instead of showing it: controls, and what turns the
/// direction of writing.
fn is_command(character: char) -> bool {
    let turns = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (character.is_control() && character != '\n') || turns
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn characters_that_command_a_terminal_are_written_out() {
        assert_eq!(visible("\u{1b}[31mred\u{7}\r"), "\\u{1b}[31mred\\u{7}\\u{d}");
        assert_eq!(visible("\u{9b}2J \u{202e}abc"), "\\u{9b}2J \\u{202e}abc");
    }

    #[test]
    fn other_text_stays_as_it_is() {
        assert_eq!(visible("Zürich, 日本\nX ▸ ×"), "Zürich, 日本\nX ▸ ×");
    }
}
