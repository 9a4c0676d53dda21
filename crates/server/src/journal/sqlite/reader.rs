//! The threads that read.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, JoinHandle};

use super::Settings;
use super::database::{Database, IDLE_TIME};
use super::journal_threads::JournalThreads;

/// A query, which is called with a connection or with the reason why there is none.
pub(super) type ReadJob = Box<dyn FnOnce(rusqlite::Result<&Database>) + Send>;

/// Starts the threads that read.
pub(super) fn spawn(
    threads: &Arc<JournalThreads>,
    path: &Path,
    settings: &Settings,
) -> io::Result<Vec<JoinHandle<()>>> {
    let reader = |_| {
        let (threads, path) = (Arc::clone(threads), path.to_owned());
        let reader = thread::Builder::new().name("journal-reader".to_owned());
        reader.spawn(move || run(&threads, &path))
    };
    (0..settings.readers.max(1)).map(reader).collect()
}

/// Runs queries until the queue is closed. A reader never waits for the writer.
fn run(threads: &Arc<JournalThreads>, path: &Path) {
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
