//! One step of `cargo xtask test`.

use std::path::Path;
use std::process::ExitStatus;

use crate::last_lines::LastLines;
use crate::{Workspace, WorkspaceError};

/// One step: its name, what it does in one line, and the function that does it.
#[derive(Debug, Clone, Copy)]
pub struct TestStep {
    /// One word, unique in its list.
    pub name: &'static str,
    /// What the step does, shown before it starts.
    pub does: &'static str,
    /// The step itself.
    pub run: fn(&Workspace) -> Result<StepOutcome, TaskFailure>,
}

/// The result of a step that did not fail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepOutcome {
    /// Everything was done.
    Passed,
    /// Everything was done except for what the sentence says, which not every machine can do.
    PassedWithout(String),
    /// Nothing could be done here; the sentence says why. In continuous integration this is a failure.
    CannotRun(String),
}

/// Why a command of `cargo xtask`, or a step of it, failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TaskFailure {
    /// A program could not be started.
    #[error("`{command}` could not be started ({source}); install it and run again")]
    NotStarted {
        /// The command line.
        command: String,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A program ended with a failure.
    #[error("`{command}` failed ({status}); its messages are above{last_lines}")]
    Failed {
        /// The command line.
        command: String,
        /// How it ended.
        status: ExitStatus,
        /// The end of its messages.
        last_lines: LastLines,
    },
    /// A build was stopped because another one beside it failed.
    #[error("it was stopped because something else failed")]
    Stopped,
    /// A part of the toolchain is missing, and installing it failed.
    #[error("{what} is missing and could not be installed: {source}")]
    NotInstalled {
        /// What is missing.
        what: &'static str,
        /// Why it could not be installed.
        source: Box<Self>,
    },
    /// A program is missing; the sentence says which.
    #[error("{0}")]
    Missing(String),
    /// A file could not be read or written.
    #[error("{path} could not be read or written ({source}); nothing was changed")]
    File {
        /// The path.
        path: String,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The time of these tasks grows faster with their size than it should.
    #[error(
        "the time of these tasks grows faster than expected: {0}; if the machine was busy, measure again"
    )]
    Growth(String),
    /// The workspace is not what it should be.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
}

impl TaskFailure {
    /// A file could not be read or written.
    pub(crate) fn file(path: &Path, source: std::io::Error) -> Self {
        Self::File { path: path.display().to_string(), source }
    }
}
