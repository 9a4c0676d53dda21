//! `cradle journal copy`.

use std::fs::{self, DirBuilder, File};
use std::io::{BufRead as _, BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use clap::Args;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde::Serialize;
use server::{
    Appended, Journal, MAX_ENTRIES, NatsJournal, NatsSettings, OpenTable, PutOutcome, Settings,
    SqliteJournal, TableId,
};
use table::{Entry, EntryBody};

use super::command::JournalPlace;
use super::export_format::{ExportLine, FORMATS};
use super::progress::Progress;
use super::source::{JournalSource, OpenedJournal, failed, not_opened, not_reached};
use super::table_log::TableLog;
use crate::console;
use crate::exit_reason::{DeviceFailure, ExitReason};
use crate::quantity::{count, counted};
use crate::serve::NatsOptions;

/// Copy a whole journal into NATS or a new folder that only you can read
///
/// Copies the journal of --data or --server, another folder, a journal in NATS that
/// no server uses (FROM begins with nats:), or an export with its key. Logs, codes
/// and the key are copied; the copy begins a new epoch, so clients of a server on it
/// load everything again. Until the copy is complete, it is in a folder that ends
/// with .copying. A copy that was interrupted continues when it is started again,
/// also into NATS (TO begins with nats:). Each log is read back and compared.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct CopyJournal {
    /// Where to copy from, and the new folder or the servers of NATS
    ///
    /// Without FROM, the journal of --data or --server is copied.
    #[arg(num_args = 1..=2, required = true, value_names = ["FROM", "TO"])]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    nats: NatsOptions,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The result as JSON.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct CopyCount {
    tables: u64,
    entries: u64,
}

/// A table to copy.
struct TableCopy {
    id: TableId,
    entries: Vec<Entry>,
    /// The text of its rules, if its game is written as text.
    rules: Option<String>,
    record: Option<OpenTable>,
}

/// The number of tables that are written at once, so that they share commits.
const AT_ONCE: usize = 64;

/// The number of entries in one append: together they fit into one message of NATS.
const ENTRIES_AT_ONCE: usize = 200;

impl CopyJournal {
    pub(super) async fn run(&self, place: &JournalPlace) -> anyhow::Result<ExitReason> {
        let (from, to) = match self.paths.as_slice() {
            [from, to] => (Some(from), to),
            [to] => (None, to),
            _ => bail!("name the new folder"),
        };
        if from.is_some() && (place.data.is_some() || place.server.is_some()) {
            bail!("name one source: FROM, --data or --server");
        }
        let target = match cluster_address(to) {
            Some(address) => CopyTarget::Cluster(Box::new(self.nats.of_command(address)?)),
            None => CopyTarget::Folder(TargetFolder::new(to)?),
        };
        let copied = match from {
            Some(file) if file.is_file() => copy_export(file, &target).await,
            Some(from) => match self.source(from, &target).await {
                Ok(source) => copy_journal(source, &target).await,
                Err(error) => Err(error),
            },
            None => copy_journal(place.open()?, &target).await,
        };
        let copied = match (copied, &target) {
            (Ok(copied), CopyTarget::Folder(folder)) => {
                folder.finish()?;
                copied
            }
            (Ok(copied), CopyTarget::Cluster(_)) => copied,
            (Err(error), CopyTarget::Folder(folder)) if !error.is::<DeviceFailure>() => {
                folder.give_up();
                return Err(error);
            }
            (Err(error), _) => {
                return Err(error.context("the copy is incomplete: start it again to continue"));
            }
        };
        console::print(&if self.json {
            serde_json::to_string(&copied)? + "\n"
        } else {
            let tables = counted(copied.tables, "table", "tables");
            format!(
                "{tables} with {} entries are in {} now.\n",
                count(copied.entries),
                to.display()
            )
        })?;
        Ok(ExitReason::Fine)
    }

    /// The journal in a folder, or one in NATS that no server uses.
    async fn source(&self, from: &Path, target: &CopyTarget) -> anyhow::Result<JournalSource> {
        let Some(address) = cluster_address(from) else { return JournalSource::folder(from) };
        if matches!(target, CopyTarget::Cluster(_)) {
            bail!("copy from NATS into a folder, and then from the folder into NATS");
        }
        JournalSource::cluster(&self.nats.of_command(address)?).await
    }
}

/// The address of a cluster, unless it is a path.
fn cluster_address(place: &Path) -> Option<&str> {
    place.to_str().filter(|place| place.contains("://"))
}

/// Copies a journal.
async fn copy_journal(source: JournalSource, target: &CopyTarget) -> anyhow::Result<CopyCount> {
    let copied = copy_tables(&source, target).await;
    let closed = source.close().await;
    let copied = copied?;
    closed?;
    Ok(copied)
}

async fn copy_tables(source: &JournalSource, target: &CopyTarget) -> anyhow::Result<CopyCount> {
    let journal = target.create(source.key().await?).await?;
    let (mut copied, mut after) = (CopyCount::default(), None);
    let mut progress = Progress::new("tables copied");
    loop {
        let page = source.tables(after).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.log.id);
        let tables = stream::iter(page).map(async |table| {
            let (id, record) = (table.log.id, table.record);
            let log = TableLog::read_whole(source, id).await?;
            let rules = log.rules.and_then(Result::ok);
            write(&journal, TableCopy { id, entries: log.entries, rules, record }).await
        });
        let entries: Vec<u64> = tables.buffer_unordered(AT_ONCE).try_collect().await?;
        copied.tables += entries.len() as u64;
        copied.entries += entries.iter().sum::<u64>();
        progress.add(entries.len() as u64);
    }
    check(&journal, copied.tables).await?;
    failed(journal.journal.close().await)?;
    Ok(copied)
}

/// Copies an export.
async fn copy_export(path: &Path, target: &CopyTarget) -> anyhow::Result<CopyCount> {
    let unreadable = || format!("the export in {} cannot be read", path.display());
    let mut lines = ExportReader::open(path).with_context(unreadable)?;
    let start = lines.next().with_context(unreadable)?;
    let Some(ExportLine::Start { key, .. }) = start.filter(is_known) else {
        bail!(
            "{} is not an export of `cradle journal export` that this version knows",
            path.display()
        );
    };
    let key = key.context(
        "the export has no key, without which chance cannot go on: export with --with-key",
    )?;
    let journal = target.create(key).await?;
    let mut copied = CopyCount::default();
    let mut progress = Progress::new("tables copied");
    loop {
        let (tables, end) = lines.tables().with_context(unreadable)?;
        let tables = stream::iter(tables).map(|table| write(&journal, table));
        let entries: Vec<u64> = tables.buffer_unordered(AT_ONCE).try_collect().await?;
        copied.tables += entries.len() as u64;
        copied.entries += entries.iter().sum::<u64>();
        progress.add(entries.len() as u64);
        let Some(CopyCount { tables, entries }) = end else { continue };
        if (tables, entries) != (copied.tables, copied.entries) {
            bail!(
                "{} is incomplete: it promises {tables} tables and {entries} entries",
                path.display()
            );
        }
        check(&journal, copied.tables).await?;
        failed(journal.journal.close().await)?;
        return Ok(copied);
    }
}

fn is_known(start: &ExportLine) -> bool {
    matches!(start, ExportLine::Start { format, .. } if FORMATS.contains(format))
}

/// Writes a table, or the rest of it, and reads it back; returns the number of its entries.
async fn write(target: &OpenedJournal, table: TableCopy) -> anyhow::Result<u64> {
    let OpenedJournal { journal, directory } = target;
    let TableCopy { id, entries, rules, record } = table;
    let deadline = deadline(&entries, rules.as_ref());
    if let Some(rules) = rules {
        failed(journal.keep_rules(rules).await)?;
    }
    let number = entries.len() as u64;
    let mut after = failed(journal.read(id, 0, 0).await)?.last_version.min(number);
    let start = usize::try_from(after)?;
    for some in entries[start..].chunks(ENTRIES_AT_ONCE) {
        if failed(journal.append(id, after, some.to_vec()).await)? != Appended::Committed {
            bail!("table {id} is there twice");
        }
        after += some.len() as u64;
    }
    compare(&**journal, id, &entries).await?;
    if let Some(record) = record {
        if failed(directory.put(record).await)? == PutOutcome::CodeTaken {
            bail!("table {id} has the code of another table");
        }
        if deadline.is_some() {
            failed(directory.set_deadline(id, deadline).await)?;
        }
    }
    Ok(number)
}

/// Reads a log back, and compares it with what was copied.
async fn compare(journal: &dyn Journal, id: TableId, entries: &[Entry]) -> anyhow::Result<()> {
    let mut found: Vec<Entry> = Vec::new();
    loop {
        let page = failed(journal.read(id, found.len() as u64, MAX_ENTRIES).await)?;
        found.extend(page.entries);
        if found.len() as u64 >= page.last_version {
            break;
        }
    }
    if found != entries {
        bail!(
            "the log of table {id} is another one in the copy: use a new folder, or another prefix"
        );
    }
    Ok(())
}

/// When a clock of the table runs out. The directory knows it, so that a server need not load the table.
fn deadline(entries: &[Entry], rules: Option<&String>) -> Option<u64> {
    let EntryBody::Created { options, .. } = &entries.first()?.body else { return None };
    options.clock?;
    let rules = rules.cloned().map(Ok);
    let log = TableLog { entries: entries.to_vec(), problem: None, rules };
    log.fold(|_, _| {}).ok()?.deadline().map(|(_, end)| end)
}

/// Checks that the new journal has as many tables.
async fn check(target: &OpenedJournal, expected: u64) -> anyhow::Result<()> {
    let (mut tables, mut after) = (0, None);
    loop {
        let page = failed(target.journal.tables(after, usize::MAX).await)?;
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        tables += page.len() as u64;
    }
    if tables != expected {
        bail!("{expected} tables were copied, and {tables} are there");
    }
    Ok(())
}

/// Where a copy is made.
enum CopyTarget {
    Folder(TargetFolder),
    Cluster(Box<NatsSettings>),
}

impl CopyTarget {
    /// Creates the new journal with a key.
    async fn create(&self, key: [u8; 32]) -> anyhow::Result<OpenedJournal> {
        match self {
            Self::Folder(folder) => Ok(OpenedJournal::new(folder.create(key)?)),
            Self::Cluster(settings) => {
                let created = NatsJournal::create(settings, key).await;
                Ok(OpenedJournal::new(created.map_err(not_reached)?))
            }
        }
    }
}

/// The folder in which a copy is made, beside its place.
struct TargetFolder {
    folder: PathBuf,
    to: PathBuf,
    /// Whether this process has the journal in the folder.
    is_own: AtomicBool,
}

impl TargetFolder {
    /// Refuses a folder with anything in it, and one into which another process copies.
    fn new(to: &Path) -> anyhow::Result<Self> {
        let mut name = to.file_name().context("name a new folder, as in backup/monday")?.to_owned();
        match fs::read_dir(to).map(|mut entries| entries.next().is_some()) {
            Ok(true) => {
                bail!("{} is not empty: name a new folder. Nothing was copied", to.display())
            }
            Ok(false) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| to.display().to_string()),
        }
        name.push(".copying");
        let folder = to.with_file_name(name);
        check_unlocked(&folder)?;
        Ok(Self { folder, to: to.to_owned(), is_own: AtomicBool::new(false) })
    }

    /// Creates the new journal, or opens what an interrupted copy with this key has left.
    fn create(&self, key: [u8; 32]) -> anyhow::Result<SqliteJournal> {
        let journal = self.open_or_create(key)?;
        self.is_own.store(true, Ordering::Relaxed);
        Ok(journal)
    }

    fn open_or_create(&self, key: [u8; 32]) -> anyhow::Result<SqliteJournal> {
        if let Some(begun) = self.begun().filter(|begun| begun.key() == key) {
            return Ok(begun);
        }
        remove_rest(&self.folder)?;
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        let created = builder.create(&self.folder);
        created.with_context(|| format!("{} cannot be created", self.folder.display()))?;
        SqliteJournal::create(&self.folder, &Settings::default(), key).map_err(not_opened)
    }

    /// What an interrupted copy has left, if it is whole.
    fn begun(&self) -> Option<SqliteJournal> {
        if !SqliteJournal::is_in(&self.folder) {
            return None;
        }
        let (journal, report) = SqliteJournal::open(&self.folder, &Settings::default()).ok()?;
        report.salvaged.is_none().then_some(journal)
    }

    /// Puts the copy in its place.
    fn finish(&self) -> anyhow::Result<()> {
        let parent = self.to.parent().filter(|parent| !parent.as_os_str().is_empty());
        let moved = fs::rename(&self.folder, &self.to).and_then(|()| {
            File::open(parent.unwrap_or_else(|| Path::new(".")))
                .and_then(|folder| folder.sync_all())
        });
        moved.with_context(|| {
            DeviceFailure::new(format!("the copy in {} cannot be moved", self.folder.display()))
        })
    }

    /// Removes the incomplete copy, unless another process makes it. If that fails, the next copy removes
    /// it.
    fn give_up(&self) {
        if self.is_own.load(Ordering::Relaxed) {
            drop(fs::remove_dir_all(&self.folder));
        }
    }
}

/// Refuses a folder into which another process copies.
fn check_unlocked(folder: &Path) -> anyhow::Result<()> {
    let lock = File::open(folder.join("journal.lock"));
    if lock.is_ok_and(|lock| lock.try_lock().is_err()) {
        bail!("another process is making this copy, in {}", folder.display());
    }
    Ok(())
}

/// Removes an incomplete copy, which another process may have begun a moment ago.
fn remove_rest(folder: &Path) -> anyhow::Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    check_unlocked(folder)?;
    fs::remove_dir_all(folder).with_context(|| {
        format!("{} is left from an earlier copy and cannot be removed", folder.display())
    })
}

/// Reads an export line by line.
struct ExportReader {
    lines: std::io::Lines<BufReader<File>>,
    number: u64,
    /// A line that was read and belongs to what comes next.
    next: Option<ExportLine>,
}

impl ExportReader {
    fn open(path: &Path) -> anyhow::Result<Self> {
        let lines = BufReader::new(File::open(path)?).lines();
        Ok(Self { lines, number: 0, next: None })
    }

    fn next(&mut self) -> anyhow::Result<Option<ExportLine>> {
        if let Some(line) = self.next.take() {
            return Ok(Some(line));
        }
        self.number += 1;
        let Some(line) = self.lines.next() else { return Ok(None) };
        let line = serde_json::from_str(&line?);
        Ok(Some(line.with_context(|| format!("line {} makes no sense", self.number))?))
    }

    /// Some tables; if they are the last ones, also what the export promises.
    fn tables(&mut self) -> anyhow::Result<(Vec<TableCopy>, Option<CopyCount>)> {
        let mut tables: Vec<TableCopy> = Vec::new();
        loop {
            match self.next()? {
                Some(ExportLine::Table { id, record, rules, .. }) => {
                    if tables.len() == AT_ONCE {
                        self.next = Some(ExportLine::Table { id, record, rules, entries: 0 });
                        return Ok((tables, None));
                    }
                    tables.push(TableCopy { id, entries: Vec::new(), rules, record });
                }
                Some(ExportLine::Entry { entry }) => {
                    let table = tables.last_mut();
                    let table = table
                        .with_context(|| format!("line {} is an entry of no table", self.number))?;
                    table.entries.push(entry);
                }
                Some(ExportLine::End { tables: number, entries }) => {
                    return Ok((tables, Some(CopyCount { tables: number, entries })));
                }
                Some(ExportLine::Start { .. }) => bail!("line {} is a second start", self.number),
                None => bail!("it ends too early: it is incomplete"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn a_copy_that_another_process_has_just_begun_is_left_alone() {
        let place = TempDir::new().unwrap();
        let to = place.path().join("copy");
        let (mine, theirs) = (TargetFolder::new(&to).unwrap(), TargetFolder::new(&to).unwrap());
        let journal = theirs.create([1; 32]).unwrap();
        let refused = mine.create([1; 32]).unwrap_err().to_string();
        assert!(refused.starts_with("another process is making this copy"), "{refused}");
        mine.give_up();
        assert!(SqliteJournal::is_in(&theirs.folder));
        drop(journal);
        theirs.give_up();
        assert!(!theirs.folder.exists());
    }
}
