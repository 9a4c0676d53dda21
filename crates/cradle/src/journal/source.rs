//! Where the tables are: in a folder, in NATS, or behind a running server.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use server::{
    AdminToken, CompactedSize, DeleteOutcome, Directory, InspectedLog, Journal, NatsJournal,
    NatsOpenError, NatsSettings, OpenError, OpenTable, RulesDigest, Settings, SqliteJournal,
    StoredTable, TableId, delete_at_any_version,
};

use super::admin_client::AdminClient;
use crate::console;
use crate::exit_reason::DeviceFailure;

/// A journal that is read and changed: one that this process has open, or one that a running server has open.
#[derive(Debug)]
pub(super) enum JournalSource {
    Opened(OpenedJournal),
    Server(AdminClient),
}

/// A journal that this process has open.
#[derive(Debug)]
pub(super) struct OpenedJournal {
    pub(super) journal: Arc<dyn Journal>,
    pub(super) directory: Arc<dyn Directory>,
}

impl OpenedJournal {
    pub(super) fn new<J: Journal + Directory + 'static>(journal: J) -> Self {
        let journal = Arc::new(journal);
        Self { directory: Arc::<J>::clone(&journal), journal }
    }
}

impl JournalSource {
    /// The journal in a folder that no server uses, which is not changed.
    pub(super) fn folder(folder: &Path) -> anyhow::Result<Self> {
        check_folder(folder)?;
        let journal = SqliteJournal::open_to_read(folder, &Settings::default());
        Ok(Self::Opened(OpenedJournal::new(journal.map_err(not_opened)?)))
    }

    /// The journal in NATS that no server uses, which is not changed.
    pub(super) async fn cluster(settings: &NatsSettings) -> anyhow::Result<Self> {
        let opened = NatsJournal::open_to_read(settings).await.map_err(not_reached)?;
        Ok(Self::Opened(OpenedJournal::new(opened)))
    }

    /// The same, which may be changed.
    pub(super) fn changed_folder(folder: &Path) -> anyhow::Result<Self> {
        check_folder(folder)?;
        let (journal, report) =
            SqliteJournal::open(folder, &Settings::default()).map_err(not_opened)?;
        if report.salvaged.is_some() {
            console::mention(&report.to_string())?;
        }
        Ok(Self::Opened(OpenedJournal::new(journal)))
    }

    /// The journal of a running server.
    pub(super) fn server(server: &str, token_file: &Path) -> anyhow::Result<Self> {
        Ok(Self::Server(AdminClient::new(server, AdminToken::read(token_file)?)?))
    }

    /// A page of tables after the given one; an empty page is the end.
    pub(super) async fn tables(&self, after: Option<TableId>) -> anyhow::Result<Vec<StoredTable>> {
        match self {
            Self::Opened(OpenedJournal { journal, directory }) => {
                failed(StoredTable::page(&**journal, &**directory, after).await)
            }
            Self::Server(client) => client.get(&paged("tables", after)).await,
        }
    }

    /// The record of a table in the directory.
    pub(super) async fn record(&self, id: TableId) -> anyhow::Result<Option<OpenTable>> {
        match self {
            Self::Opened(opened) => failed(opened.directory.by_id(id).await),
            Self::Server(client) => client.get(&format!("records/{id}")).await,
        }
    }

    /// A page of records after the given one; an empty page is the end.
    pub(super) async fn records(&self, after: Option<TableId>) -> anyhow::Result<Vec<OpenTable>> {
        match self {
            Self::Opened(opened) => failed(opened.directory.records(after, usize::MAX).await),
            Self::Server(client) => client.get(&paged("records", after)).await,
        }
    }

    /// A page of a log after a version.
    pub(super) async fn log(&self, id: TableId, after: u64) -> anyhow::Result<InspectedLog> {
        match self {
            Self::Opened(opened) => Ok(InspectedLog::page(&*opened.journal, id, after).await),
            Self::Server(client) => client.get(&format!("tables/{id}?after={after}")).await,
        }
    }

    /// The text of rules with this digest.
    pub(super) async fn rules(&self, digest: RulesDigest) -> anyhow::Result<Option<String>> {
        match self {
            Self::Opened(opened) => failed(opened.journal.rules(digest).await),
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
            (Self::Opened(opened), Some(last)) => failed(opened.journal.delete(id, last).await),
            (Self::Opened(opened), None) => {
                failed(delete_at_any_version(&*opened.journal, id).await)
            }
            (Self::Server(client), Some(last)) => {
                client.delete(&format!("tables/{id}?last={last}")).await
            }
            (Self::Server(client), None) => client.delete(&format!("tables/{id}")).await,
        }
    }

    pub(super) async fn compact(&self) -> anyhow::Result<CompactedSize> {
        match self {
            Self::Opened(opened) => failed(opened.journal.compact().await),
            Self::Server(client) => client.post("compact").await,
        }
    }

    /// The secret key of the installation.
    pub(super) async fn key(&self) -> anyhow::Result<[u8; 32]> {
        match self {
            Self::Opened(opened) => Ok(opened.journal.key()),
            Self::Server(client) => client.get("key").await,
        }
    }

    /// Closes a journal that this process has open, so that the next start of a server is no new epoch.
    pub(super) async fn close(self) -> anyhow::Result<()> {
        match self {
            Self::Opened(opened) => failed(opened.journal.close().await),
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

/// Says whether the arguments are wrong or NATS failed.
pub(super) fn not_reached(error: NatsOpenError) -> anyhow::Error {
    let is_wrong = error.is_wrong_setting();
    let error = anyhow::Error::new(error);
    if is_wrong { error } else { error.context(DeviceFailure::new("nothing was copied")) }
}
