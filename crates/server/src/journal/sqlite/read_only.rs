//! What stands in for the thread that writes while a file is only read.

use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::sync::oneshot;

use super::folder::Folder;
use super::journal_threads::JournalThreads;
use crate::journal::{JournalError, NotWritten};

/// Refuses all writes, and ends the readers when the journal is closed.
#[derive(Debug)]
pub(super) struct ReadOnlyWriter {
    pub(super) threads: Arc<JournalThreads>,
    pub(super) folder: Folder,
    pub(super) readers: Vec<JoinHandle<()>>,
    pub(super) ended: oneshot::Sender<Result<(), JournalError>>,
}

impl ReadOnlyWriter {
    pub(super) fn run(self) {
        let Self { threads, folder, readers, ended } = self;
        loop {
            let writes = threads.writes.take(usize::MAX);
            if writes.is_empty() {
                break;
            }
            for pending in writes {
                let why = "it was opened to be read only".to_owned();
                // The caller may have given up.
                drop(pending.result.send(Err(NotWritten::Failed { why }.into())));
            }
        }
        threads.end();
        for reader in readers {
            drop(reader.join());
        }
        // The folder is unlocked before the caller learns that the journal is closed.
        drop(folder);
        drop(ended.send(Ok(())));
    }
}
