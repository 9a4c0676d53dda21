//! `cradle journal list`.

use clap::Args;
use server::StoredTable;

use super::filter::{TableFilter, now, status_word};
use super::source::JournalSource;
use super::utc::utc;
use crate::console;
use crate::exit_reason::ExitReason;
use crate::quantity::{count, counted};

/// List the tables, in the order of their ids
///
/// Each line has the id, the last entry's time (UTC), the number of entries,
/// their bytes, the status and the game.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ListTables {
    #[command(flatten)]
    filter: TableFilter,

    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

impl ListTables {
    pub(super) async fn run(&self, source: &JournalSource) -> anyhow::Result<ExitReason> {
        let (now, mut after, mut tables, mut bytes) = (now(), None, 0, 0);
        loop {
            let page = source.tables(after).await?;
            let Some(last) = page.last() else { break };
            after = Some(last.log.id);
            let mut lines = String::new();
            for table in page.iter().filter(|table| self.filter.admits(table, now)) {
                lines += &if self.json { serde_json::to_string(table)? } else { line(table) };
                lines.push('\n');
                (tables, bytes) = (tables + 1, bytes + table.bytes);
            }
            console::print(&lines)?;
        }
        if !self.json {
            let tables = counted(tables, "table", "tables");
            console::mention(&format!("{tables}, {} bytes of entries", count(bytes)))?;
        }
        Ok(ExitReason::Fine)
    }
}

fn line(StoredTable { log, bytes, record }: &StoredTable) -> String {
    let touched = log.touched_at.map_or_else(|| "damaged            ".to_owned(), utc);
    let (status, game) = record
        .as_ref()
        .map_or(("-", "-"), |record| (status_word(record.status), record.game.as_str()));
    format!("{}  {touched}  {:>6}  {bytes:>9}  {status:7}  {game}", log.id, log.version)
}
