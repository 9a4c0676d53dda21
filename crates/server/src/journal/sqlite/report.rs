//! The report of opening a journal.

use std::fmt;
use std::path::PathBuf;

/// The state in which a journal was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenReport {
    /// How the journal was left.
    pub previous_stop: PreviousStop,
    /// The result of the salvage, if the file was malformed.
    pub salvaged: Option<Salvaged>,
    /// Whether the key of the installation is new: at the first start, or because it was lost.
    pub is_key_new: bool,
}

/// How a journal was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreviousStop {
    /// There was no journal.
    New,
    /// It was closed properly: nothing can have been lost.
    Clean,
    /// It was not closed, or was changed since, for example by restoring a backup. The logs may lack
    /// their last entries, and are in a new epoch.
    Unclean,
}

/// The result of salvaging a malformed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Salvaged {
    /// The problem of the file.
    pub why: String,
    /// Where the malformed file is now.
    pub aside: PathBuf,
    /// The number of logs that were saved, each up to its first unreadable entry.
    pub tables: u64,
    /// The number of entries that were saved.
    pub entries: u64,
    /// The number of readable entries that were not saved, because an entry before them is missing.
    pub lost: u64,
    /// Whether the key of the installation was saved.
    pub has_key: bool,
}

impl fmt::Display for OpenReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.previous_stop {
            PreviousStop::New => "The journal is new.",
            PreviousStop::Clean => "The journal was closed properly.",
            PreviousStop::Unclean => "The journal was not closed properly: a new epoch begins.",
        })?;
        if let Some(salvaged) = &self.salvaged {
            write!(f, " {salvaged}")?;
        }
        if self.is_key_new && self.previous_stop != PreviousStop::New {
            f.write_str(" Its key was lost, and a new one was made.")?;
        }
        Ok(())
    }
}

impl fmt::Display for Salvaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { why, aside, tables, entries, lost, .. } = self;
        write!(
            f,
            "Its file was malformed ({why}) and is now {}; {entries} entries of {tables} tables \
             were saved, and {lost} readable entries were not, because entries before them are \
             missing.",
            aside.display()
        )
    }
}
