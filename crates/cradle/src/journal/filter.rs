//! Which tables a command is about.

use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, ValueEnum};
use server::{StoredTable, TableStatus};

use crate::time_span;

/// Filters for tables.
#[derive(Debug, Default, Args)]
pub(super) struct TableFilter {
    /// Only tables of this game, as mnk or mnk:6,5,4
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// Only tables that are waiting, playing or idle
    #[arg(long, value_enum, hide_possible_values = true)]
    status: Option<StatusName>,

    /// Only tables untouched for as long as 90d, 36h or 90m
    #[arg(long, value_name = "TIME", value_parser = older_than)]
    pub(super) older_than: Option<u64>,
}

/// A status in the directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StatusName {
    /// It waits for players
    Waiting,
    /// All seats are taken
    Playing,
    /// Nobody is connected
    Idle,
}

/// The milliseconds of a length of time.
fn older_than(text: &str) -> Result<u64, String> {
    let span = time_span::parse(text).map_err(|error| error.to_string())?;
    u64::try_from(span.as_millis()).map_err(|error| error.to_string())
}

impl TableFilter {
    /// Whether a table passes, at a time in milliseconds since 1970.
    pub(super) fn admits(&self, table: &StoredTable, now: u64) -> bool {
        let record = table.record.as_ref();
        let has_game = |wanted: &String| {
            record.is_some_and(|record| {
                let family = record.game.split(':').next();
                record.game == *wanted || family == Some(wanted)
            })
        };
        let has_status =
            |wanted| record.is_some_and(|record| StatusName::of(record.status) == wanted);
        let is_older = |age| table.log.touched_at.is_some_and(|at| at < now.saturating_sub(age));
        self.game.as_ref().is_none_or(has_game)
            && self.status.is_none_or(has_status)
            && self.older_than.is_none_or(is_older)
    }
}

impl StatusName {
    const fn of(status: TableStatus) -> Self {
        match status {
            TableStatus::Waiting => Self::Waiting,
            TableStatus::Playing => Self::Playing,
            TableStatus::Idle => Self::Idle,
        }
    }
}

/// The status in a word.
pub(super) const fn status_word(status: TableStatus) -> &'static str {
    match status {
        TableStatus::Waiting => "waiting",
        TableStatus::Playing => "playing",
        TableStatus::Idle => "idle",
    }
}

/// Milliseconds since 1970.
pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use server::{LogSummary, OpenTable, TableId};

    use super::*;

    fn table(game: &str, touched_at: Option<u64>) -> StoredTable {
        let id = TableId::new([1; 16]);
        let record = OpenTable {
            id,
            code: String::new(),
            code_until: 0,
            game: game.to_owned(),
            is_listed: false,
            created_at: 0,
            free_seats: 0,
            status: TableStatus::Idle,
        };
        StoredTable {
            log: LogSummary { id, version: 1, touched_at },
            bytes: 0,
            record: Some(record),
        }
    }

    #[test]
    fn a_table_passes_if_it_is_all_that_is_asked_for() {
        let filter = |game: &str, age| TableFilter {
            game: Some(game.to_owned()),
            status: Some(StatusName::Idle),
            older_than: Some(age),
        };
        let old = table("mnk:6,5,4", Some(1_000));
        for game in ["mnk", "mnk:6,5,4"] {
            assert!(filter(game, 500).admits(&old, 2_000));
        }
        for game in ["mnk:6", "mn", "pig"] {
            assert!(!filter(game, 500).admits(&old, 2_000), "{game}");
        }
        assert!(!filter("mnk", 1_000).admits(&old, 2_000), "it is not older, but as old");
        assert!(!filter("mnk", 500).admits(&table("mnk", None), 2_000), "its time is unknown");
        let busy = TableFilter { status: Some(StatusName::Playing), ..TableFilter::default() };
        assert!(!busy.admits(&old, 2_000));
        assert!(TableFilter::default().admits(&StoredTable { record: None, ..old }, 0));
    }
}
