//! The arguments of `cradle journal`.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use futures_util::FutureExt as _;

use super::compact::CompactJournal;
use super::copy::CopyJournal;
use super::delete::DeleteTables;
use super::export::ExportTables;
use super::list::ListTables;
use super::show::ShowTable;
use super::source::JournalSource;
use super::verify::VerifyJournal;
use crate::exit_reason::{DeviceFailure, ExitReason};
use crate::serve;

/// Look after the tables that a server keeps
///
/// Works on the folder of a server that does not run, or with --server through
/// the admin listener of one that runs (cradle serve --admin 127.0.0.1:4001).
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct JournalCommand {
    #[command(flatten)]
    place: JournalPlace,

    #[command(subcommand)]
    task: JournalTask,
}

/// Where the journal is.
#[expect(clippy::doc_markdown, reason = "these comments are what --help prints")]
#[derive(Debug, Default, Args)]
pub(super) struct JournalPlace {
    /// The folder of the journal [env: CRADLE_DATA]
    ///
    /// [default: cats-cradle in your data folder]
    #[arg(long, global = true, value_name = "FOLDER")]
    pub(super) data: Option<PathBuf>,

    /// The admin listener of a running server
    ///
    /// As in `http://127.0.0.1:4001`.
    #[arg(long, global = true, value_name = "URL")]
    pub(super) server: Option<String>,

    /// The file of its token
    ///
    /// [default: admin-token in the folder of the journal]
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) token_file: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum JournalTask {
    List(ListTables),
    Show(ShowTable),
    Export(ExportTables),
    Delete(DeleteTables),
    Verify(VerifyJournal),
    Copy(CopyJournal),
    Compact(CompactJournal),
}

impl JournalCommand {
    pub(crate) fn run(&self) -> anyhow::Result<ExitReason> {
        let mut threads = tokio::runtime::Builder::new_multi_thread();
        let runtime = threads.worker_threads(2).enable_all().build();
        let failed = || DeviceFailure::new("the threads of the command cannot start");
        // Without a type of its own: the runtime would compile it once for each of its kinds.
        let done = self.task.run(&self.place).boxed_local();
        runtime.with_context(failed)?.block_on(done)
    }
}

impl JournalTask {
    async fn run(&self, place: &JournalPlace) -> anyhow::Result<ExitReason> {
        let source = match self {
            // These two look at the place themselves.
            Self::Verify(verify) => return verify.run(place).await,
            Self::Copy(copy) => return copy.run(place).await,
            Self::Delete(_) | Self::Compact(_) => place.open_to_change()?,
            Self::List(_) | Self::Show(_) | Self::Export(_) => place.open()?,
        };
        let done = match self {
            Self::List(list) => list.run(&source).await,
            Self::Show(show) => show.run(&source).await,
            Self::Export(export) => export.run(&source).await,
            Self::Delete(delete) => delete.run(&source).await,
            Self::Compact(compact) => compact.run(&source).await,
            Self::Verify(_) | Self::Copy(_) => Ok(ExitReason::Fine),
        };
        let closed = source.close().await;
        let done = done?;
        closed?;
        Ok(done)
    }
}

impl JournalPlace {
    /// Opens the journal of a folder, which is not changed, or the way to a running server.
    pub(super) fn open(&self) -> anyhow::Result<JournalSource> {
        self.open_with(JournalSource::folder)
    }

    /// The same, for a command that changes the journal.
    fn open_to_change(&self) -> anyhow::Result<JournalSource> {
        self.open_with(JournalSource::changed_folder)
    }

    fn open_with(
        &self,
        open: impl FnOnce(&Path) -> anyhow::Result<JournalSource>,
    ) -> anyhow::Result<JournalSource> {
        match (&self.server, &self.token_file) {
            (Some(server), Some(file)) => JournalSource::server(server, file),
            (Some(server), None) => {
                JournalSource::server(server, &self.folder()?.join("admin-token"))
            }
            (None, Some(_)) => bail!("--token-file needs --server, as in http://127.0.0.1:4001"),
            (None, None) => open(&self.folder()?),
        }
    }

    /// The folder of a server that does not run.
    pub(super) fn folder(&self) -> anyhow::Result<PathBuf> {
        serve::data_folder(self.data.clone())
    }
}
