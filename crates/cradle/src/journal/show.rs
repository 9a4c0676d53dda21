//! `cradle journal show`.

use clap::Args;
use game::{Game, Viewer, all_seats, seat_name};
use serde::Serialize;
use server::{OpenTable, TableId};
use table::{Entry, EntryBody, TableState, TableView};

use super::filter::{now, status_word};
use super::log_text::{player, sentence};
use super::source::JournalSource;
use super::table_argument::table_id;
use super::table_log::TableLog;
use super::utc::utc;
use crate::console;
use crate::exit_reason::ExitReason;
use crate::quantity::{count, counted};

/// Show one table: its players, its board and its log
///
/// Hidden information (cards, moves that are not revealed yet) is left out, as for
/// somebody who looks on.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ShowTable {
    /// The id of the table
    #[arg(value_parser = table_id)]
    id: TableId,

    /// Show what players hide from each other, too
    #[arg(long)]
    reveal: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The code of a table if it is valid at a time in milliseconds since 1970, or why it is not.
fn code(record: &OpenTable, now: u64) -> String {
    if record.free_seats == 0 {
        "no code, because all seats are taken".to_owned()
    } else if record.code_until <= now {
        "code expired".to_owned()
    } else {
        format!("code {}", record.code)
    }
}

/// A table as JSON.
#[derive(Serialize)]
struct ShownTable<'a> {
    id: TableId,
    record: Option<OpenTable>,
    /// Whether the code in the record leads to the table.
    code_is_valid: bool,
    bytes: u64,
    /// The table as somebody sees it who looks on; with --reveal, as each seat sees it.
    views: Vec<TableView>,
    entries: &'a [Entry],
}

impl ShowTable {
    pub(super) async fn run(&self, source: &JournalSource) -> anyhow::Result<ExitReason> {
        let log = TableLog::read_whole(source, self.id).await?;
        let record = source.record(self.id).await?;
        let (mut shown, mut lines) = (Vec::new(), Vec::new());
        let state = log.fold(|before, entry| {
            let entry = self.visible(before, entry);
            let text = before.map_or_else(
                || "The table was created.".to_owned(),
                |state| sentence(state, &entry),
            );
            lines.push(format!("{:>6}  {}  {text}\n", entry.version, utc(entry.at)));
            shown.push(entry);
        });
        let state = state.map_err(|why| {
            anyhow::anyhow!(
                "table {} cannot be shown: {why}. `cradle journal verify` says more",
                self.id
            )
        })?;
        if self.reveal && state.game().hides() {
            console::mention("Warning: this shows what the players hide from each other.")?;
        }
        if self.json {
            let views = self.viewers(&state).into_iter().map(|viewer| state.view(viewer)).collect();
            let bytes = log.bytes();
            let code_is_valid = record.as_ref().is_some_and(|record| record.has_valid_code(now()));
            let entries = &shown;
            let table = ShownTable { id: self.id, record, code_is_valid, bytes, views, entries };
            console::print(&(serde_json::to_string_pretty(&table)? + "\n"))?;
        } else {
            let head = self.head(&log, &state, record.as_ref());
            let board = self.boards(&state);
            console::print(&format!("{head}\n{board}\nLog (UTC):\n{}", lines.concat()))?;
        }
        Ok(ExitReason::Fine)
    }

    /// An entry as it is shown. Tokens are never shown.
    fn visible(&self, before: Option<&TableState>, entry: &Entry) -> Entry {
        let mut visible = match before {
            Some(state) if !self.reveal => state.visible_entry(entry, Viewer::Spectator),
            _ => entry.clone(),
        };
        match &mut visible.body {
            EntryBody::Joined { token, .. } | EntryBody::SeatMoved { token, .. } => *token = None,
            EntryBody::SeatOffered { secret, .. } => *secret = None,
            _ => {}
        }
        visible
    }

    fn viewers(&self, state: &TableState) -> Vec<Viewer> {
        if self.reveal && state.game().hides() {
            return all_seats(state.game()).iter().map(Viewer::Seat).collect();
        }
        vec![Viewer::Spectator]
    }

    fn head(&self, log: &TableLog, state: &TableState, record: Option<&OpenTable>) -> String {
        let created = log.entries.first().map_or(0, |entry| entry.at);
        let entries = counted(log.entries.len() as u64, "entry", "entries");
        let bytes = count(log.bytes());
        let mut head = format!(
            "Table {} of {}\nCreated {}, last entry {} (UTC); {entries}, {bytes} bytes\n",
            self.id,
            state.game().name(),
            utc(created),
            utc(state.at())
        );
        match record {
            Some(record) => {
                let listed = if record.is_listed { "listed publicly" } else { "not listed" };
                let status = status_word(record.status);
                head.extend(["Status ", status, ", ", listed, ", ", &code(record, now()), "\n"]);
            }
            None => head.push_str("It is not in the directory: it has no code.\n"),
        }
        head.extend(all_seats(state.game()).iter().map(|seat| {
            let wins = counted(state.wins(seat) as u64, "win", "wins");
            let name = if state.is_free(seat) { "free".to_owned() } else { player(state, seat) };
            format!("Seat {}: {name}, {wins}\n", seat_name(state.game(), seat))
        }));
        let turn = state.turn().iter().map(|seat| player(state, seat)).collect::<Vec<_>>();
        let now = match (state.is_full(), state.outcome().is_some()) {
            (false, _) => "it waits for players".to_owned(),
            (true, true) => "it is decided".to_owned(),
            (true, false) if turn.is_empty() => "chance is to draw".to_owned(),
            (true, false) => format!("{} to move", turn.join(", ")),
        };
        head + &format!(
            "Round {}, {}: {now}\n",
            state.round(),
            counted(state.ply().into(), "move", "moves")
        )
    }

    fn boards(&self, state: &TableState) -> String {
        let board = |viewer| {
            let picture = state.view(viewer).picture;
            match viewer {
                Viewer::Seat(seat) => format!("{} sees:\n{picture}\n", player(state, seat)),
                Viewer::Spectator => format!("{picture}\n"),
            }
        };
        self.viewers(state).into_iter().map(board).collect()
    }
}
