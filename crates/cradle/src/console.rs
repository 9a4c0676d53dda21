//! Standard output and standard error.

use std::io::{ErrorKind, IsTerminal, Write, stderr, stdout};

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
