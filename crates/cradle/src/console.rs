//! Standard output and standard error.

use std::io::{self, ErrorKind, IsTerminal, Write, stderr, stdout};

use anyhow::Context;

/// Writes to standard output; it is no failure if nobody reads to the end.
///
/// # Errors
/// If the text cannot be written.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("standard output cannot be written"),
    }
}

/// Writes to standard output for what goes on whether or not anybody reads it.
pub(crate) fn announce(text: &str) {
    let mut out = stdout().lock();
    // There is nobody left to tell if it cannot be printed.
    drop(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// Standard error for a log: a line that cannot be written is lost, and nobody fails because of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LossyError;

impl Write for LossyError {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        drop(stderr().write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether somebody sees standard error on a terminal.
pub(crate) fn is_error_a_terminal() -> bool {
    stderr().is_terminal()
}

/// Says on standard error what may be good to know.
pub(crate) fn mention(words: &str) {
    // There is nobody left to tell if it cannot be printed.
    drop(writeln!(stderr(), "{words}"));
}

/// Says on standard error, in one sentence, what went wrong.
pub(crate) fn complain(error: &anyhow::Error) {
    // There is nobody left to tell if it cannot be printed.
    drop(writeln!(stderr(), "error: {error:#}"));
}
