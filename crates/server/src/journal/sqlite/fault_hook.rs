//! A hook by which tests inject faults.

use std::fmt;
use std::sync::Arc;

use rusqlite::Connection;

/// A point at which a test may inject a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FaultPoint {
    /// Before a batch begins.
    Begin,
    /// Before a commit.
    Commit,
    /// After a commit, before its callers are answered.
    Committed,
    /// Before the file is written back after a failed commit.
    WriteBack,
    /// Before the file is opened again.
    Reopen,
}

/// The function that a test calls at a point, with the connection of the writer.
type FaultFn = dyn Fn(FaultPoint, Option<&Connection>) -> rusqlite::Result<()> + Send + Sync;

/// Calls the function of a test, if there is one.
#[derive(Clone, Default)]
pub(super) struct FaultHook(pub(super) Option<Arc<FaultFn>>);

impl FaultHook {
    pub(super) fn call(
        &self,
        point: FaultPoint,
        connection: Option<&Connection>,
    ) -> rusqlite::Result<()> {
        self.0.as_ref().map_or(Ok(()), |inject| inject(point, connection))
    }
}

impl fmt::Debug for FaultHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FaultHook").finish_non_exhaustive()
    }
}
