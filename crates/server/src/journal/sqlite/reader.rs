//! The threads that read.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::Shared;
use super::database::{Database, QUIET};

/// Something that is done with a connection, or with the reason why there is none.
pub(super) type Question = Box<dyn FnOnce(rusqlite::Result<&Database>) + Send>;

/// Answers questions until the queue is closed. It never waits for the writer.
pub(super) fn answer(shared: &Arc<Shared>, path: &Path) {
    let mut open: Option<(u64, Database)> = None;
    loop {
        let Some(question) = shared.questions.take(1).pop() else { return };
        // The file is another one when what was read of it before no longer counts.
        let files = shared.files.load(Ordering::Acquire);
        open = open.filter(|(seen, _)| *seen == files);
        let database = match &open {
            Some((_, database)) => Ok(database),
            None => Database::to_read(path).map(|database| &open.insert((files, database)).1),
        };
        question(database);
        if shared.questions.rests(QUIET)
            && let Some((_, database)) = &open
        {
            database.forget_pages();
        }
    }
}
