//! Where a picture is written.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::Context;

use crate::console;
use crate::exit_reason::DeviceFailure;

/// Writes a picture to a file, or to standard output if there is none.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write(path: Option<&Path>, picture: &str) -> anyhow::Result<()> {
    let Some(path) = path else { return console::print(picture) };
    let failed = || format!("the picture cannot be written to {}", path.display());
    let mut file = File::create(path).with_context(failed)?;
    let written = file.write_all(picture.as_bytes()).and_then(|()| file.sync_all());
    written.with_context(|| DeviceFailure::new(failed()))
}
