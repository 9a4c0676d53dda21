//! The log of a table.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use game::{Game, Seat, Viewer};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use table::wire::MAX_ENTRIES;
use table::{Entry, FoldEntries, FoldError, TableState};
use utoipa::ToSchema;

use super::bearer::Bearer;
use super::query::Query;
use super::table_path::TablePath;
use super::tables::fetch;
use crate::TableId;
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::journal::Tail;
use crate::journaled_table::{LoadError, author, begin};
use crate::problem::Problem;
use crate::tables::Tables;
use crate::work_pool::Payer;

/// The query of a client that has a part of the log.
#[derive(Debug, Deserialize)]
pub(crate) struct FromVersion {
    /// The last version that the client has.
    #[serde(default, deserialize_with = "version")]
    pub(crate) from: u64,
}

pub(super) fn version<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let why = "this is the last version that you have, a number as in from=3";
    String::deserialize(from)?.parse().map_err(|_error| D::Error::custom(why))
}

/// A page of a log.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"version": 4, "entries": [{"format": 1, "version": 4, "at": 1000, "who": {"seat": 0},
    "kind": "played", "seat": 0, "round": 1, "ply": 0, "move": "b2"}]}))]
pub(crate) struct LogPage {
    /// The last version of the log, which is the number of its entries.
    pub(crate) version: u64,
    /// At most 100 entries after the given version.
    pub(crate) entries: Vec<Entry>,
}

/// Returns at most 100 entries of a log after a version.
#[utoipa::path(get, path = "/api/tables/{id}/log", operation_id = "read_log", tag = "tables", security((), ("token" = [])),
    params(("id" = String, Path, description = "The id of the table"),
        ("from" = Option<u64>, Query, nullable = false, description = "The last version that the client has")),
    responses((status = 200, description = "A page of the log", body = LogPage), (status = 404, description = "There is no such table")))]
pub(crate) async fn read(
    State(app): State<Arc<App>>,
    TablePath(id): TablePath,
    ClientAddress(address): ClientAddress,
    Query(FromVersion { from }): Query<FromVersion>,
    Bearer(token): Bearer,
) -> Result<Json<LogPage>, Problem> {
    let payer = Payer::at(address);
    let seat = fetch(&app.tables, payer, id, token).await?.seat;
    Ok(Json(log(&app.tables, payer, id, seat, from).await?))
}

/// The page of a log after a version, as a seat may see it.
pub(crate) async fn log(
    tables: &Arc<Tables>,
    payer: Payer,
    id: TableId,
    seat: Option<Seat>,
    from: u64,
) -> Result<LogPage, Problem> {
    let read = async |after, most| tables.journal.read(id, after, most).await;
    let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
    let first = read(0, 1).await?.entries;
    let Some(first) = first.first() else { return Err(Problem::no_table()) };
    let mut state = begin(tables, payer, first).await.map_err(not_begun)?;
    if !state.game().hides() {
        let Tail { entries, last_version: version, .. } = read(from, MAX_ENTRIES).await?;
        let entries = entries.iter().map(|entry| state.visible_entry(entry, viewer)).collect();
        return Ok(LogPage { version, entries });
    }
    // The visible part of a move depends on the position before it.
    let mut visible = Vec::new();
    if from == 0 {
        visible.push(state.visible_entry(first, viewer));
    }
    loop {
        let Tail { entries, last_version: version, .. } =
            read(state.version(), MAX_ENTRIES).await?;
        let is_end = entries.is_empty();
        let see = move |(mut state, mut visible): (TableState, Vec<Entry>), entries: &[Entry]| {
            for entry in entries {
                if entry.version > from && visible.len() < MAX_ENTRIES {
                    visible.push(state.visible_entry(entry, viewer));
                }
                state.fold_all(std::slice::from_ref(entry))?;
            }
            Ok::<_, FoldError>((state, visible))
        };
        let fold = move |seen: Result<_, FoldError>, entries: &[Entry]| see(seen?, entries);
        let author = author(&state);
        let folded = tables.fold(payer, author, entries, Ok((state, visible)), fold).await?;
        (state, visible) = folded.map_err(|_broken| Problem::unavailable())?;
        if is_end || visible.len() == MAX_ENTRIES {
            return Ok(LogPage { version, entries: visible });
        }
    }
}

/// The problem of a client that wants a table whose log cannot be read from its beginning.
pub(crate) fn not_begun(error: LoadError) -> Problem {
    match error {
        LoadError::Refused(refused) => refused.into(),
        LoadError::NoGame(why) => Problem::bad_request(why),
        LoadError::NoTable | LoadError::Journal(_) | LoadError::Inconsistent(_) => {
            Problem::unavailable()
        }
    }
}
