//! Deleting tables that nobody has touched for a while.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::journal::{DeleteOutcome, JournalError, LogSummary, MAX_TABLES};
use crate::tables::Tables;

/// The result of a walk through all tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct SweepCount {
    /// The tables in the journal.
    seen: u64,
    deleted: u64,
}

/// Deletes tables as soon as their last entry is older than `keep`, for ever.
#[expect(clippy::infinite_loop, reason = "its task is aborted when the server stops")]
pub(crate) async fn keep_for(tables: Arc<Tables>, keep: Duration) {
    let now = || tables.unix_time();
    loop {
        match sweep(&tables, keep, now).await {
            Ok(SweepCount { deleted: 0, seen }) => {
                tracing::debug!(tables = seen, "no table is old enough to be deleted");
            }
            Ok(SweepCount { seen, deleted }) => {
                tracing::info!(deleted, kept = seen - deleted, "old tables were deleted");
            }
            Err(error) => tracing::warn!(%error, "old tables could not be deleted"),
        }
        sleep(pause(keep)).await;
    }
}

/// The time between two walks: a table is deleted at most a twenty-fourth too late.
fn pause(keep: Duration) -> Duration {
    (keep / 24).clamp(Duration::from_mins(1), Duration::from_hours(1))
}

/// Walks through all tables once and deletes the old ones, one after the other.
async fn sweep(
    tables: &Arc<Tables>,
    keep: Duration,
    now: impl Fn() -> u64,
) -> Result<SweepCount, JournalError> {
    let keep = u64::try_from(keep.as_millis()).unwrap_or(u64::MAX);
    let mut count = SweepCount::default();
    let mut after = None;
    loop {
        let page = tables.journal.tables(after, MAX_TABLES).await?;
        let Some(last) = page.last() else { return Ok(count) };
        after = Some(last.id);
        count.seen += page.len() as u64;
        let limit = now().saturating_sub(keep);
        // A table whose last entry is damaged has no time, and is kept.
        let is_old = |summary: &&LogSummary| summary.touched_at.is_some_and(|at| at < limit);
        for LogSummary { id, version, .. } in page.iter().filter(is_old) {
            let started = Instant::now();
            let deleted = tables.delete(*id, Some(*version)).await?;
            count.deleted += u64::from(deleted == DeleteOutcome::Deleted);
            // Others have the journal for half of the time.
            sleep(started.elapsed()).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use game::DeclaredGame;
    use table::{Author, Entry, EntryBody};

    use super::*;
    use crate::journal::{Directory, Journal, OpenTable, TableStatus};
    use crate::{Catalog, MemoryJournal, Settings, SqliteJournal, TableId};

    /// Deleting needs no game.
    #[derive(Debug)]
    struct NoGames;

    impl Catalog for NoGames {
        fn declared(&self, name: &str) -> Result<DeclaredGame, String> {
            Err(format!("there is no {name}"))
        }

        fn names(&self) -> Vec<String> {
            Vec::new()
        }
    }

    const HOUR: u64 = 3_600_000;
    const KEEP: Duration = Duration::from_hours(10);

    fn id(number: u64) -> TableId {
        let mut bits = [0; 16];
        // Neighbours in the list are not neighbours in time.
        bits[..8].copy_from_slice(&number.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes());
        TableId::new(bits)
    }

    fn entry(version: u64, at: u64) -> Entry {
        Entry::new(version, at, Author::Table, EntryBody::Tied { round: 1 })
    }

    fn server<J: Journal + Directory + 'static>(journal: &Arc<J>) -> Arc<Tables> {
        let directory: Arc<dyn Directory> = Arc::<J>::clone(journal);
        let journal: Arc<dyn Journal> = Arc::<J>::clone(journal);
        Arc::new(Tables::new(journal, directory, Arc::new(NoGames), Arc::default()))
    }

    /// 90 tables, one an hour, every third of them touched again at hour 90; then the hours pass.
    async fn check<J: Journal + Directory + 'static>(journal: Arc<J>) {
        let tables = server(&journal);
        for number in 0..90 {
            let mut entries = vec![entry(1, number * HOUR)];
            if number % 3 == 0 {
                entries.push(entry(2, 90 * HOUR));
            }
            journal.append(id(number), 0, entries).await.unwrap();
            let record = OpenTable {
                id: id(number),
                code: number.to_string(),
                code_until: 0,
                game: "chess".to_owned(),
                is_listed: false,
                created_at: number * HOUR,
                free_seats: 0,
                status: TableStatus::Idle,
            };
            journal.put(record).await.unwrap();
        }
        let hour = AtomicU64::new(0);
        let now = || hour.load(Ordering::Relaxed) * HOUR;
        for (at, left) in [(0, 90), (10, 90), (11, 90), (12, 89), (55, 60), (100, 30), (101, 0)] {
            hour.store(at, Ordering::Relaxed);
            let count = sweep(&tables, KEEP, now).await.unwrap();
            assert_eq!(count.seen - count.deleted, left, "at hour {at}");
            assert_eq!(journal.tables(None, 90).await.unwrap().len() as u64, left);
            // Table 1 was last touched in hour 1, and table 3 in hour 90.
            assert_eq!(journal.by_id(id(1)).await.unwrap().is_some(), at < 12);
            assert_eq!(journal.by_id(id(3)).await.unwrap().is_some(), at < 101);
        }
        assert_eq!(tables.metrics.deleted_tables.get(), 90);
    }

    #[tokio::test]
    async fn old_tables_are_deleted_from_memory() {
        check(Arc::new(MemoryJournal::new().unwrap())).await;
    }

    #[tokio::test]
    async fn old_tables_are_deleted_from_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let journal = SqliteJournal::open(folder.path(), &Settings::default()).unwrap().0;
        check(Arc::new(journal)).await;
    }

    #[tokio::test]
    async fn a_table_that_is_touched_meanwhile_is_kept() {
        let journal = Arc::new(MemoryJournal::new().unwrap());
        let tables = server(&journal);
        journal.append(id(1), 0, vec![entry(1, 0)]).await.unwrap();
        assert_eq!(tables.delete(id(1), Some(0)).await, Ok(DeleteOutcome::Touched));
        assert_eq!(tables.delete(id(1), Some(1)).await, Ok(DeleteOutcome::Deleted));
        assert_eq!(tables.delete(id(1), Some(1)).await, Ok(DeleteOutcome::NoTable));
    }

    #[test]
    fn walks_are_rare_but_not_too_rare() {
        assert_eq!(pause(Duration::from_hours(1)), Duration::from_secs(150));
        assert_eq!(pause(Duration::from_mins(1)), Duration::from_mins(1));
        assert_eq!(pause(Duration::from_hours(90 * 24)), Duration::from_hours(1));
    }
}
