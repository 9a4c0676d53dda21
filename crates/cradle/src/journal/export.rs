//! `cradle journal export`.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use server::TableId;

use super::export_format::{ExportLine, FORMAT};
use super::progress::Progress;
use super::source::JournalSource;
use super::table_argument::table_id;
use super::table_log::TableLog;
use crate::console;
use crate::exit_reason::{DeviceFailure, ExitReason};

/// Write tables as lines of JSON, which cradle journal copy reads
///
/// The lines are described in docs/journal.md. They hold everything that the server
/// knows of a table, also what players hide from each other: keep them as you keep
/// the journal.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ExportTables {
    /// The ids of the tables
    #[arg(required_unless_present = "all", conflicts_with = "all", value_parser = table_id)]
    ids: Vec<TableId>,

    /// All tables
    #[arg(long)]
    all: bool,

    /// Write the key of the installation, too
    ///
    /// Without it, chance cannot go on.
    #[arg(long)]
    with_key: bool,

    /// A new file that only you can read
    ///
    /// [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ExportTables {
    pub(super) async fn run(&self, source: &JournalSource) -> anyhow::Result<ExitReason> {
        let mut out = ExportOutput::new(self.output.as_deref())?;
        let key = if self.with_key { Some(source.key().await?) } else { None };
        out.write(&ExportLine::Start { format: FORMAT, key }.write())?;
        let (mut tables, mut entries) = (Progress::new("tables exported"), 0);
        if self.all {
            let mut after = None;
            loop {
                let page = source.tables(after).await?;
                let Some(last) = page.last() else { break };
                after = Some(last.log.id);
                for table in &page {
                    entries += export(source, table.log.id, &mut out).await?;
                    tables.add(1);
                }
            }
        }
        for id in &self.ids {
            entries += export(source, *id, &mut out).await?;
            tables.add(1);
        }
        out.write(&ExportLine::End { tables: tables.done(), entries }.write())?;
        out.finish()?;
        Ok(ExitReason::Fine)
    }
}

/// Writes a table; returns the number of its entries.
async fn export(
    source: &JournalSource,
    id: TableId,
    out: &mut ExportOutput,
) -> anyhow::Result<u64> {
    let log = TableLog::read_whole(source, id).await?;
    let record = source.record(id).await?;
    let entries = log.entries.len() as u64;
    let rules = log.rules.and_then(Result::ok);
    let mut lines = ExportLine::Table { id, entries, rules, record }.write();
    for entry in log.entries {
        lines += &ExportLine::Entry { entry }.write();
    }
    out.write(&lines)?;
    Ok(entries)
}

/// Where an export goes.
enum ExportOutput {
    Standard,
    File(File, PathBuf),
}

impl ExportOutput {
    fn new(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else { return Ok(Self::Standard) };
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(path) {
            Ok(file) => Ok(Self::File(file, path.to_owned())),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                bail!("{} exists already: choose another file", path.display())
            }
            Err(error) => {
                Err(error).with_context(|| format!("{} cannot be created", path.display()))
            }
        }
    }

    fn write(&mut self, text: &str) -> anyhow::Result<()> {
        match self {
            Self::Standard => console::print(text),
            Self::File(file, path) => file.write_all(text.as_bytes()).with_context(|| {
                DeviceFailure::new(format!("{} cannot be written", path.display()))
            }),
        }
    }

    /// Makes a file durable.
    fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Standard => Ok(()),
            Self::File(file, path) => file.sync_all().with_context(|| {
                DeviceFailure::new(format!("{} cannot be written", path.display()))
            }),
        }
    }
}
