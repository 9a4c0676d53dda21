//! `cradle fmt`: texts in one form.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use crate::console;
use crate::exit_reason::{DeviceFailure, ExitReason};
use crate::text_file::{TextFile, is_standard_input};

/// Write games and programs in files in one form
///
/// Indents blocks by two spaces, puts one space between words and the meanings
/// of events in one column. Comments stay. A file with mistakes is not changed.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
#[command(after_help = "Exit codes: 0 fine, 1 mistakes, or --check found files to change, \
                        2 wrong usage, 3 cut short.")]
pub(crate) struct FormatText {
    /// The files, which end in .cradle; - writes standard input to standard output
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Change nothing; say which files would change
    #[arg(long)]
    check: bool,
}

impl FormatText {
    /// Formats every file, or says which ones are not in form.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub(crate) fn run(&self) -> anyhow::Result<ExitReason> {
        let mut reason = ExitReason::Fine;
        for path in &self.files {
            if !self.format(path)? {
                reason = ExitReason::No;
            }
        }
        Ok(reason)
    }

    /// Formats a file, and says whether it is fine.
    fn format(&self, path: &Path) -> anyhow::Result<bool> {
        let file = TextFile::read(path)?;
        let formatted = match file.document.format() {
            Ok(formatted) => formatted,
            Err(mistakes) => {
                let refusal = file.refusal(&mistakes);
                console::mention(&format!("{refusal}\n{} was not changed", file.name))?;
                return Ok(false);
            }
        };
        let is_in_form = formatted == file.document.text() && !file.is_marked;
        if is_standard_input(path) && !self.check {
            console::print(&formatted)?;
            return Ok(true);
        }
        if is_in_form {
            return Ok(true);
        }
        if self.check {
            console::print(&format!("{} is not in form\n", file.name))?;
            return Ok(false);
        }
        replace(path, &formatted)?;
        console::print(&format!("{} was changed\n", file.name))?;
        Ok(true)
    }
}

/// Replaces a file by a text as a whole, so that a full disk leaves the old one.
fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    let failed = || DeviceFailure::new(format!("{} cannot be written", path.display()));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    let beside = folder.join(format!(".{}.cradle-fmt", std::process::id()));
    let written = std::fs::File::create(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::set_permissions(&beside, std::fs::metadata(path)?.permissions())?;
        std::fs::rename(&beside, path)
    });
    if written.is_err() {
        // What was written is of no use; the error says what happened.
        drop(std::fs::remove_file(&beside));
    }
    written.with_context(failed)
}
