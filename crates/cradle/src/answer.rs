//! What the command answers with its exit code.

use std::process::ExitCode;

/// The exit code of whoever was called in a way that it does not understand.
pub(crate) const WRONG_USAGE: u8 = 2;

/// What the command answers with its exit code, if it was used as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// All is well.
    Fine,
    /// The answer is no.
    No,
    /// A bound was met before the answer was clear.
    CutShort,
}

impl From<Answer> for ExitCode {
    fn from(answer: Answer) -> Self {
        Self::from(match answer {
            Answer::Fine => 0,
            Answer::No => 1,
            Answer::CutShort => 3,
        })
    }
}
