//! Standard output and standard error.

use std::io::{self, ErrorKind, IsTerminal, Write, stderr, stdout};

use anyhow::Context;

use crate::exit_reason::DeviceFailure;

/// Writes to standard output. A reader that leaves early is no failure.
///
/// # Errors
/// If the text cannot be written.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context(DeviceFailure::new("standard output cannot be written")),
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

/// Prints a note or a report on standard error.
pub(crate) fn mention(words: &str) {
    // There is no other place to report a failure.
    drop(writeln!(stderr(), "{words}"));
}

/// Prints an error on standard error, in one line.
pub(crate) fn complain(error: &anyhow::Error) {
    // There is no other place to report a failure.
    drop(writeln!(stderr(), "error: {error:#}"));
}
