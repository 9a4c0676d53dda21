//! Deleting a table.

use std::sync::Arc;

use tokio::sync::oneshot;

use crate::TableId;
use crate::journal::{DeleteOutcome, JournalError, delete_at_any_version};
use crate::tables::Tables;

/// A request to delete a table. Requests to one table are handled one after the other, so that nothing
/// else happens at the table meanwhile.
#[derive(Debug)]
pub(crate) struct Deletion {
    /// Delete the table only if its log ends with this version; otherwise in any case.
    pub(crate) last: Option<u64>,
    pub(crate) answer: oneshot::Sender<Result<DeleteOutcome, JournalError>>,
}

impl Deletion {
    /// Deletes the table from the journal, and answers; returns whether there is no such table any more.
    pub(crate) async fn perform(self, tables: &Arc<Tables>, id: TableId) -> bool {
        let deleted = match self.last {
            Some(last) => tables.journal.delete(id, last).await,
            None => delete_at_any_version(&*tables.journal, id).await,
        };
        if deleted == Ok(DeleteOutcome::Deleted) {
            tables.metrics.deleted_tables.inc();
        }
        let is_gone = matches!(deleted, Ok(DeleteOutcome::Deleted | DeleteOutcome::NoTable));
        if is_gone {
            tables.lobby.mark_idle(id);
            tables.lobby.closed(id);
        }
        drop(self.answer.send(deleted));
        is_gone
    }
}
