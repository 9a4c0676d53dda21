//! `cradle journal delete`.

use std::io::{IsTerminal as _, stdin};

use anyhow::{Context, bail};
use clap::Args;
use serde::Serialize;
use server::{DeleteOutcome, TableId};

use super::filter::{TableFilter, now};
use super::progress::Progress;
use super::source::JournalSource;
use super::table_argument::table_id;
use crate::console;
use crate::exit_reason::{DeviceFailure, ExitReason};
use crate::quantity::counted;

/// Delete tables for good: log, code and all
///
/// Players who are at a table are told that there is no such table. Exits with 1 if
/// a table does not exist.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct DeleteTables {
    /// The ids of the tables
    #[arg(required_unless_present = "older_than", conflicts_with_all = ["older_than", "game", "status"], value_parser = table_id)]
    ids: Vec<TableId>,

    #[command(flatten)]
    filter: TableFilter,

    /// Do not ask whether to delete
    #[arg(long)]
    yes: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A table to delete.
struct Doomed {
    id: TableId,
    /// Only if nothing happened since it was found.
    last: Option<u64>,
}

/// The result as JSON.
#[derive(Default, Serialize)]
struct DeletedTables {
    deleted: u64,
    /// Tables that do not exist.
    missing: Vec<TableId>,
    /// Tables at which something happened meanwhile; they are kept.
    touched: Vec<TableId>,
}

impl DeleteTables {
    pub(super) async fn run(&self, source: &JournalSource) -> anyhow::Result<ExitReason> {
        let doomed = if self.ids.is_empty() {
            self.found(source).await?
        } else {
            self.ids.iter().map(|id| Doomed { id: *id, last: None }).collect()
        };
        if doomed.is_empty() {
            return self.report(&DeletedTables::default());
        }
        if !self.yes && !is_confirmed(doomed.len() as u64)? {
            console::mention("Nothing was deleted.")?;
            return Ok(ExitReason::No);
        }
        let mut result = DeletedTables::default();
        let mut progress = Progress::new("tables deleted");
        for Doomed { id, last } in doomed {
            match source.delete(id, last).await? {
                DeleteOutcome::Deleted => result.deleted += 1,
                DeleteOutcome::NoTable => result.missing.push(id),
                DeleteOutcome::Touched => result.touched.push(id),
            }
            progress.add(1);
        }
        self.report(&result)
    }

    /// The tables that pass the filter.
    async fn found(&self, source: &JournalSource) -> anyhow::Result<Vec<Doomed>> {
        let (now, mut after, mut found) = (now(), None, Vec::new());
        loop {
            let page = source.tables(after).await?;
            let Some(last) = page.last() else { return Ok(found) };
            after = Some(last.log.id);
            let admitted = page.iter().filter(|table| self.filter.admits(table, now));
            found.extend(
                admitted.map(|table| Doomed { id: table.log.id, last: Some(table.log.version) }),
            );
        }
    }

    fn report(&self, result: &DeletedTables) -> anyhow::Result<ExitReason> {
        if self.json {
            console::print(&(serde_json::to_string(result)? + "\n"))?;
        } else {
            let deleted = counted(result.deleted, "table was", "tables were");
            let missing = result.missing.iter().map(|id| format!("There is no table {id}.\n"));
            let touched = result.touched.iter().map(|id| {
                format!("Somebody has played at table {id} meanwhile: it was not deleted.\n")
            });
            let notes: String = missing.chain(touched).collect();
            console::print(&format!("{notes}{deleted} deleted.\n"))?;
        }
        let is_complete = result.missing.is_empty() && result.touched.is_empty();
        Ok(if is_complete { ExitReason::Fine } else { ExitReason::No })
    }
}

/// Asks on the terminal.
fn is_confirmed(tables: u64) -> anyhow::Result<bool> {
    let tables = counted(tables, "table", "tables");
    if !stdin().is_terminal() {
        bail!("{tables} would be deleted for good: say --yes. Nothing was deleted");
    }
    console::mention(&format!("Delete {tables} for good? Type yes:"))?;
    let mut answer = String::new();
    let read = stdin().read_line(&mut answer);
    read.context(DeviceFailure::new("standard input cannot be read"))?;
    Ok(answer.trim() == "yes")
}
