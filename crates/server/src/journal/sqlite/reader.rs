//! The threads that read.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::database::{Database, IDLE_TIME};
use super::journal_threads::JournalThreads;

/// A query, which is called with a connection or with the reason why there is none.
pub(super) type ReadJob = Box<dyn FnOnce(rusqlite::Result<&Database>) + Send>;

/// Runs queries until the queue is closed. A reader never waits for the writer.
pub(super) fn run(threads: &Arc<JournalThreads>, path: &Path) {
    let mut open: Option<(u64, Database)> = None;
    loop {
        let Some(job) = threads.reads.take(1).pop() else { return };
        // In a new generation, cached pages are out of date.
        let generation = threads.generation.load(Ordering::Acquire);
        open = open.filter(|(seen, _)| *seen == generation);
        let database = match &open {
            Some((_, database)) => Ok(database),
            None => Database::to_read(path).map(|database| &open.insert((generation, database)).1),
        };
        job(database);
        if threads.reads.is_idle_for(IDLE_TIME)
            && let Some((_, database)) = &open
        {
            database.free_pages();
        }
    }
}
