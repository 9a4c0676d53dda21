//! The exit codes of the command.

use std::fmt;
use std::process::ExitCode;

/// The exit code for arguments that make no sense.
pub(crate) const WRONG_USAGE: u8 = 2;

/// The exit code for a command that something stopped early.
pub(crate) const CUT_SHORT: u8 = 3;

/// Why the command ends, if its arguments made sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitReason {
    /// It did what it was asked to do.
    Fine,
    /// The answer is no.
    No,
    /// Something stopped it early: a limit, Ctrl-C, a player, a disk or a terminal.
    CutShort,
}

impl From<ExitReason> for ExitCode {
    fn from(reason: ExitReason) -> Self {
        Self::from(match reason {
            ExitReason::Fine => 0,
            ExitReason::No => 1,
            ExitReason::CutShort => CUT_SHORT,
        })
    }
}

impl ExitReason {
    /// The exit code after an error. A failed device is not the fault of the arguments.
    pub(crate) fn code_after(error: &anyhow::Error) -> ExitCode {
        if error.is::<DeviceFailure>() {
            return Self::CutShort.into();
        }
        ExitCode::from(WRONG_USAGE)
    }
}

/// A disk, a pipe or a terminal failed. The context of the error that the system reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeviceFailure(String);

impl DeviceFailure {
    /// The failure in a few words, as in `standard output cannot be written`.
    pub(crate) fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }
}

impl fmt::Display for DeviceFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn a_failed_device_is_not_wrong_usage() {
        let full = || Err::<(), _>(std::io::Error::from(std::io::ErrorKind::StorageFull));
        let failed = full().context(DeviceFailure::new("the drawing cannot be written"));
        let failed = ExitReason::code_after(&failed.unwrap_err());
        assert_eq!(failed, ExitReason::CutShort.into());
        let wrong = full().context("the drawing cannot be written").unwrap_err();
        assert_eq!(ExitReason::code_after(&wrong), ExitCode::from(WRONG_USAGE));
    }
}
