//! The log of a table, read and folded.

use std::path::{Path, PathBuf};

use anyhow::bail;
use game::AnyGame;
use games::catalog;
use server::TableId;
use table::{Entry, EntryBody, TableState};

use super::source::JournalSource;
use crate::serve::kept_rules;

/// The log of a table, up to the first entry that cannot be read.
#[derive(Debug)]
pub(super) struct TableLog {
    pub(super) entries: Vec<Entry>,
    /// Why there is no further entry, as the end of a sentence.
    pub(super) problem: Option<String>,
    /// The folder of the journal, which keeps the rules of games that are written as text.
    pub(super) journal: Option<PathBuf>,
}

impl TableLog {
    /// Reads the log of a table; it is empty if there is no such table.
    pub(super) async fn read(source: &JournalSource, id: TableId) -> anyhow::Result<Self> {
        let mut entries: Vec<Entry> = Vec::new();
        let journal = source.place().map(Path::to_owned);
        loop {
            let after = entries.last().map_or(0, |entry| entry.version);
            let page = source.log(id, after).await?;
            let is_end = page.entries.is_empty();
            entries.extend(page.entries);
            if page.problem.is_some() || is_end {
                return Ok(Self { entries, problem: page.problem, journal });
            }
            if entries.last().is_some_and(|entry| entry.version >= page.last_version) {
                return Ok(Self { entries, problem: None, journal });
            }
        }
    }

    /// The same, or a refusal if there is no such table or it cannot be read.
    pub(super) async fn read_whole(source: &JournalSource, id: TableId) -> anyhow::Result<Self> {
        let log = Self::read(source, id).await?;
        if let Some(problem) = &log.problem {
            bail!("table {id} cannot be read: {problem}. `cradle journal verify` says more");
        }
        if log.entries.is_empty() {
            bail!("there is no table {id}");
        }
        Ok(log)
    }

    /// The bytes of all entries.
    pub(super) fn bytes(&self) -> u64 {
        self.entries.iter().map(|entry| entry.write().len() as u64).sum()
    }

    /// The game of the table.
    pub(super) fn game(&self) -> Result<AnyGame, String> {
        let Some(EntryBody::Created { game, .. }) = self.entries.first().map(|entry| &entry.body)
        else {
            return Err("its log does not begin with the creation of the table".to_owned());
        };
        catalog::game(game).or_else(|error| {
            let kept = self.journal.as_deref().and_then(|folder| kept_rules::game(folder, game));
            kept.ok_or_else(|| error.to_string())
        })
    }

    /// Folds the log with the rules of its game. `before` sees each entry and the state before it; the
    /// first entry has none.
    pub(super) fn fold(
        &self,
        mut before: impl FnMut(Option<&TableState>, &Entry),
    ) -> Result<TableState, String> {
        let game = self.game()?;
        let (first, rest) = self.entries.split_first().ok_or("its log is empty")?;
        before(None, first);
        let mut state = TableState::begin(game, first).map_err(|error| error.to_string())?;
        for entry in rest {
            before(Some(&state), entry);
            state.fold(entry).map_err(|error| error.to_string())?;
        }
        Ok(state)
    }
}
