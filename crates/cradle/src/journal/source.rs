//! Where the tables are: in a folder, or behind a running server.

use std::path::Path;

use anyhow::{Context, bail};
use server::{
    AdminToken, CompactedSize, DeleteOutcome, Directory, InspectedLog, Journal, OpenError,
    OpenTable, RulesDigest, Settings, SqliteJournal, StoredTable, TableId, delete_at_any_version,
};

use super::admin_client::AdminClient;
use crate::console;
use crate::exit_reason::DeviceFailure;

/// A journal that is read and changed: one in a folder, or one that a running server has open.
#[derive(Debug)]
pub(super) enum JournalSource {
    Folder(SqliteJournal),
    Server(AdminClient),
}

impl JournalSource {
    /// The journal in a folder that no server uses, which is not changed.
    pub(super) fn folder(folder: &Path) -> anyhow::Result<Self> {
        check_folder(folder)?;
        let journal = SqliteJournal::open_to_read(folder, &Settings::default());
        Ok(Self::Folder(journal.map_err(not_opened)?))
    }

    /// The same, which may be changed.
    pub(super) fn changed_folder(folder: &Path) -> anyhow::Result<Self> {
        check_folder(folder)?;
        let (journal, report) =
            SqliteJournal::open(folder, &Settings::default()).map_err(not_opened)?;
        if report.salvaged.is_some() {
            console::mention(&report.to_string())?;
        }
        Ok(Self::Folder(journal))
    }

    /// The journal of a running server.
    pub(super) fn server(server: &str, token_file: &Path) -> anyhow::Result<Self> {
        Ok(Self::Server(AdminClient::new(server, AdminToken::read(token_file)?)?))
    }

    /// A page of tables after the given one; an empty page is the end.
    pub(super) async fn tables(&self, after: Option<TableId>) -> anyhow::Result<Vec<StoredTable>> {
        match self {
            Self::Folder(journal) => failed(StoredTable::page(journal, journal, after).await),
            Self::Server(client) => client.get(&paged("tables", after)).await,
        }
    }

    /// The record of a table in the directory.
    pub(super) async fn record(&self, id: TableId) -> anyhow::Result<Option<OpenTable>> {
        match self {
            Self::Folder(journal) => failed(journal.by_id(id).await),
            Self::Server(client) => client.get(&format!("records/{id}")).await,
        }
    }

    /// A page of records after the given one; an empty page is the end.
    pub(super) async fn records(&self, after: Option<TableId>) -> anyhow::Result<Vec<OpenTable>> {
        match self {
            Self::Folder(journal) => failed(journal.records(after, usize::MAX).await),
            Self::Server(client) => client.get(&paged("records", after)).await,
        }
    }

    /// A page of a log after a version.
    pub(super) async fn log(&self, id: TableId, after: u64) -> anyhow::Result<InspectedLog> {
        match self {
            Self::Folder(journal) => Ok(InspectedLog::page(journal, id, after).await),
            Self::Server(client) => client.get(&format!("tables/{id}?after={after}")).await,
        }
    }

    /// The text of rules with this digest.
    pub(super) async fn rules(&self, digest: RulesDigest) -> anyhow::Result<Option<String>> {
        match self {
            Self::Folder(journal) => failed(journal.rules(digest).await),
            Self::Server(client) => client.get(&format!("rules/{digest}")).await,
        }
    }

    /// Deletes a table, if its log ends with the version `last` or if there is none.
    pub(super) async fn delete(
        &self,
        id: TableId,
        last: Option<u64>,
    ) -> anyhow::Result<DeleteOutcome> {
        match (self, last) {
            (Self::Folder(journal), Some(last)) => failed(journal.delete(id, last).await),
            (Self::Folder(journal), None) => failed(delete_at_any_version(journal, id).await),
            (Self::Server(client), Some(last)) => {
                client.delete(&format!("tables/{id}?last={last}")).await
            }
            (Self::Server(client), None) => client.delete(&format!("tables/{id}")).await,
        }
    }

    pub(super) async fn compact(&self) -> anyhow::Result<CompactedSize> {
        match self {
            Self::Folder(journal) => failed(journal.compact().await),
            Self::Server(client) => client.post("compact").await,
        }
    }

    /// The secret key of the installation.
    pub(super) async fn key(&self) -> anyhow::Result<[u8; 32]> {
        match self {
            Self::Folder(journal) => Ok(journal.key()),
            Self::Server(client) => client.get("key").await,
        }
    }

    /// Closes the journal of a folder, so that the next start of a server is no new epoch.
    pub(super) async fn close(self) -> anyhow::Result<()> {
        match self {
            Self::Folder(journal) => failed(journal.close().await),
            Self::Server(_) => Ok(()),
        }
    }
}

fn paged(what: &str, after: Option<TableId>) -> String {
    after.map_or_else(|| what.to_owned(), |after| format!("{what}?after={after}"))
}

/// Refuses a folder without a journal: opening it would create one.
pub(super) fn check_folder(folder: &Path) -> anyhow::Result<()> {
    if !SqliteJournal::is_in(folder) {
        bail!("there is no journal in {}: name its folder with --data", folder.display());
    }
    Ok(())
}

/// A failing disk is not the fault of the arguments.
pub(super) fn failed<T>(done: Result<T, server::JournalError>) -> anyhow::Result<T> {
    done.context(DeviceFailure::new("the journal failed"))
}

/// Says how to reach the journal of a running server.
pub(super) fn not_opened(error: OpenError) -> anyhow::Error {
    match error {
        OpenError::InUse { .. } => anyhow::Error::new(error).context(
            "a server runs on this folder: use --server and --token-file to go through its admin \
             listener, or stop it",
        ),
        other if other.is_wrong_folder() => other.into(),
        other => {
            anyhow::Error::new(other).context(DeviceFailure::new("the journal cannot be opened"))
        }
    }
}
