//! Files that are read as a whole.

use std::fs::File;
use std::io::{self, Read, stdin};
use std::path::Path;

use anyhow::{Context, Result, bail};

/// The text of a file; at most this many bytes are read. What waits for a writer, such as a named
/// pipe, is refused instead of being waited for.
///
/// # Errors
/// If it cannot be read, or is no regular file or no UTF-8 text.
pub(crate) fn text_of_file(path: &Path, most: u64) -> Result<String> {
    let shown = path.display();
    let failed = || format!("{shown} cannot be read");
    if !path.metadata().with_context(failed)?.is_file() {
        bail!("{shown} is no regular file, so it was not read");
    }
    File::open(path).and_then(|file| text(file, most)).with_context(failed)
}

/// The text of standard input; at most this many bytes are read.
///
/// # Errors
/// If it cannot be read, or is no UTF-8 text.
pub(crate) fn text_of_standard_input(most: u64) -> Result<String> {
    text(stdin().lock(), most).context("standard input cannot be read")
}

fn text(from: impl Read, most: u64) -> io::Result<String> {
    let mut text = String::new();
    from.take(most).read_to_string(&mut text)?;
    Ok(text)
}
