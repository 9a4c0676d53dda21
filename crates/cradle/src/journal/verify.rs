//! `cradle journal verify`.

use clap::Args;
use serde::Serialize;
use server::{OpenTable, SqliteJournal, TableId, table_secret};
use table::{EntryBody, TableState};

use super::command::JournalPlace;
use super::progress::Progress;
use super::source::{JournalSource, check_folder, not_opened};
use super::table_log::TableLog;
use crate::console;
use crate::exit_reason::ExitReason;
use crate::quantity::{count, counted};

/// Check every log, and the directory against the logs
///
/// Reads each log, checks its chain of hashes, plays it again by the rules of its
/// game, and compares it with the directory. Nothing is changed. Exits with 1 if
/// there are findings.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct VerifyJournal {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Something that is wrong.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct JournalFinding {
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<TableId>,
    /// A sentence.
    what: String,
}

/// The result.
#[derive(Debug, Default, Serialize)]
struct JournalVerification {
    tables: u64,
    entries: u64,
    findings: Vec<JournalFinding>,
}

impl VerifyJournal {
    pub(super) async fn run(&self, place: &JournalPlace) -> anyhow::Result<ExitReason> {
        let mut result = JournalVerification::default();
        if place.server.is_none() {
            let folder = place.folder()?;
            check_folder(&folder)?;
            let problems = SqliteJournal::problems(&folder).map_err(not_opened)?;
            result.findings.extend(problems.into_iter().map(|what| JournalFinding {
                table: None,
                what: format!(
                    "The file is malformed: {what}. The next start of a server saves what can be read."
                ),
            }));
        }
        // Opening a malformed file would change it.
        if result.findings.is_empty() {
            let source = place.open()?;
            let done = result.check(&source).await;
            let closed = source.close().await;
            done?;
            closed?;
        }
        self.report(&result)
    }

    fn report(&self, result: &JournalVerification) -> anyhow::Result<ExitReason> {
        if self.json {
            console::print(&(serde_json::to_string_pretty(result)? + "\n"))?;
        } else {
            let sentence = |finding: &JournalFinding| match finding.table {
                Some(table) => format!("Table {table}: {}\n", finding.what),
                None => format!("{}\n", finding.what),
            };
            let findings: String = result.findings.iter().map(sentence).collect();
            let tables = counted(result.tables, "table", "tables");
            let entries = count(result.entries);
            let number = match result.findings.len() as u64 {
                0 => "nothing is wrong".to_owned(),
                number => counted(number, "finding", "findings"),
            };
            console::print(&format!("{findings}{tables} with {entries} entries: {number}.\n"))?;
        }
        Ok(if result.findings.is_empty() { ExitReason::Fine } else { ExitReason::No })
    }
}

impl JournalVerification {
    async fn check(&mut self, source: &JournalSource) -> anyhow::Result<()> {
        let key = source.key().await?;
        let mut progress = Progress::new("tables verified");
        let mut after = None;
        loop {
            let page = source.tables(after).await?;
            let Some(last) = page.last() else { break };
            after = Some(last.log.id);
            for table in page {
                let log = TableLog::read(source, table.log.id).await?;
                self.check_table(&key, table.log.id, &log, table.record.as_ref());
                progress.add(1);
            }
        }
        let mut after = None;
        loop {
            let page = source.records(after).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(last.id);
            for record in page {
                let log = source.log(record.id, 0).await?;
                if log.last_version == 0 && log.problem.is_none() {
                    self.find(record.id, "It is in the directory, but has no log.".to_owned());
                }
            }
        }
    }

    fn check_table(
        &mut self,
        key: &[u8; 32],
        id: TableId,
        log: &TableLog,
        record: Option<&OpenTable>,
    ) {
        self.tables += 1;
        self.entries += log.entries.len() as u64;
        if let Some(problem) = &log.problem {
            return self.find(id, format!("Its log is damaged: {problem}."));
        }
        let state = match log.fold(|_, _| {}) {
            Ok(state) => state,
            Err(why) => {
                return self.find(id, format!("Its log does not follow the rules: {why}."));
            }
        };
        if let Some(EntryBody::Created { commitment, .. }) =
            log.entries.first().map(|entry| &entry.body)
            && *commitment != table_secret(key, id).commitment()
        {
            let what =
                "It was created with another key: its chance cannot go on as it was committed to.";
            self.find(id, what.to_owned());
        }
        self.check_record(id, log, &state, record);
    }

    fn check_record(
        &mut self,
        id: TableId,
        log: &TableLog,
        state: &TableState,
        record: Option<&OpenTable>,
    ) {
        let game = game::Game::name(state.game());
        match record {
            Some(record) if record.game != game => {
                let what = format!(
                    "The directory says that its game is {}, and its log says {game}.",
                    record.game
                );
                self.find(id, what);
            }
            // A server that is killed while it creates a table leaves one entry: nobody knows the table.
            None if log.entries.len() > 1 => {
                self.find(id, "It is not in the directory: it has no code.".to_owned());
            }
            _ => {}
        }
    }

    fn find(&mut self, table: TableId, what: String) {
        self.findings.push(JournalFinding { table: Some(table), what });
    }
}
