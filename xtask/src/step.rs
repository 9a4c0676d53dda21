//! A step of a list such as that of `cargo xtask test`.

use std::process::ExitStatus;

use crate::{Workspace, WorkspaceError};

/// One thing to do: its name, what it does in one line, and the function that does it.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// One word, unique in its list.
    pub name: &'static str,
    /// What the step does, said before it starts.
    pub does: &'static str,
    /// Does it.
    pub run: fn(&Workspace) -> Result<Outcome, Failure>,
}

/// How a step ended that did not fail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Everything was done.
    Passed,
    /// Everything was done that can be asked of any machine; the sentence says what was left out.
    PassedWithout(String),
    /// Nothing could be done here; the sentence says why. Continuous integration counts it as a failure.
    CannotRun(String),
}

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// A program could not be started.
    #[error("`{command}` could not be started ({source}); install it and run again")]
    NotStarted {
        /// The command line.
        command: String,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A program ended with a failure of its own.
    #[error("`{command}` failed ({status}); its own words are above")]
    Failed {
        /// The command line.
        command: String,
        /// How it ended.
        status: ExitStatus,
    },
    /// A build was stopped because another one beside it failed.
    #[error("it was stopped because something else failed")]
    Stopped,
    /// Something that the tests need is missing, and installing it failed.
    #[error("{what} is missing and could not be installed: {source}")]
    NotInstalled {
        /// What is missing.
        what: &'static str,
        /// Why it could not be installed.
        source: Box<Self>,
    },
    /// Something is missing that is no part of Rust; the sentence says what.
    #[error("{0}")]
    Missing(String),
    /// The workspace is not what it should be.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
}
