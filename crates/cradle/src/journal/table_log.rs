//! The log of a table, read and folded.

use anyhow::bail;
use game::AnyGame;
use games::catalog;
use server::{RulesDigest, TableId};
use table::{Entry, EntryBody, TableState};

use super::source::JournalSource;
use crate::serve::text_games;

/// The log of a table, up to the first entry that cannot be read.
#[derive(Debug)]
pub(super) struct TableLog {
    pub(super) entries: Vec<Entry>,
    /// Why there is no further entry, as the end of a sentence.
    pub(super) problem: Option<String>,
    /// If the game is written as text: its rules, or why they cannot be read, as the end of a sentence.
    pub(super) rules: Option<Result<String, String>>,
}

impl TableLog {
    /// Reads the log of a table; it is empty if there is no such table.
    pub(super) async fn read(source: &JournalSource, id: TableId) -> anyhow::Result<Self> {
        let mut entries: Vec<Entry> = Vec::new();
        let problem = loop {
            let after = entries.last().map_or(0, |entry| entry.version);
            let page = source.log(id, after).await?;
            let is_end = page.entries.is_empty();
            entries.extend(page.entries);
            if page.problem.is_some() || is_end {
                break page.problem;
            }
            if entries.last().is_some_and(|entry| entry.version >= page.last_version) {
                break None;
            }
        };
        let mut log = Self { entries, problem, rules: None };
        if let Some(digest) = log.rules_digest() {
            log.rules = Some(match source.rules(digest).await {
                Ok(Some(text)) => Ok(text),
                Ok(None) => Err(format!("its rules {digest} are not in the journal")),
                Err(error) => Err(format!("its rules {digest} cannot be read: {error:#}")),
            });
        }
        Ok(log)
    }

    /// The digest of the rules, if the game is written as text.
    fn rules_digest(&self) -> Option<RulesDigest> {
        match &self.entries.first()?.body {
            EntryBody::Created { game, .. } => RulesDigest::named_by(game),
            _ => None,
        }
    }

    /// The same, or a refusal if there is no such table, or if it or its rules cannot be read.
    pub(super) async fn read_whole(source: &JournalSource, id: TableId) -> anyhow::Result<Self> {
        let log = Self::read(source, id).await?;
        if let Some(problem) = &log.problem {
            bail!("table {id} cannot be read: {problem}. `cradle journal verify` says more");
        }
        if log.entries.is_empty() {
            bail!("there is no table {id}");
        }
        if let Some(Err(problem)) = &log.rules {
            bail!("table {id} cannot be played: {problem}. `cradle journal verify` says more");
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
        match &self.rules {
            None => catalog::game(game).map_err(|error| error.to_string()),
            Some(Ok(text)) => text_games::game(text),
            Some(Err(why)) => Err(why.clone()),
        }
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
