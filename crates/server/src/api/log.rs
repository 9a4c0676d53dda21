//! The log of a table.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use game::{Game, Seat, Viewer};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use table::wire::MAX_ENTRIES;
use table::{Entry, FoldEntries, TableState};
use utoipa::ToSchema;

use super::asked::Asked;
use super::bearer::Bearer;
use super::named::Named;
use super::tables::see;
use crate::TableId;
use crate::app::App;
use crate::house::House;
use crate::journal::Tail;
use crate::problem::Problem;

/// From where.
#[derive(Debug, Deserialize)]
pub(crate) struct From {
    /// The last version that is known.
    #[serde(default, deserialize_with = "version")]
    pub(crate) from: u64,
}

fn version<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let why = "this is the last version that you know, a number as in from=3";
    String::deserialize(from)?.parse().map_err(|_error| D::Error::custom(why))
}

/// Some entries of a log.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"version": 4, "entries": [{"format": 1, "version": 4, "at": 1000, "who": {"seat": 0},
    "kind": "played", "seat": 0, "round": 1, "ply": 0, "move": "b2"}]}))]
pub(crate) struct Log {
    /// How many entries there are in all.
    pub(crate) version: u64,
    /// The entries after the version that was asked for, at most 100.
    #[schema(value_type = Vec<Object>)]
    pub(crate) entries: Vec<Entry>,
}

/// Reads the log of a table from a version on, at most 100 entries at a time.
#[utoipa::path(get, path = "/api/tables/{id}/log", tag = "tables", security((), ("token" = [])),
    params(("id" = String, Path, description = "The id of the table"),
        ("from" = Option<u64>, Query, description = "The last version that is known")),
    responses((status = 200, description = "It is so", body = Log), (status = 404, description = "There is none", body = crate::problem::Document, content_type = "application/problem+json")))]
pub(crate) async fn read(
    State(app): State<Arc<App>>,
    Named(id): Named,
    Asked(From { from }): Asked<From>,
    Bearer(token): Bearer,
) -> Result<Json<Log>, Problem> {
    let seat = see(&app.house, id, token).await?.seat;
    Ok(Json(log(&app.house, id, seat, from).await?))
}

/// A log after a version, as who has this seat may see it; at most so many entries.
pub(crate) async fn log(
    house: &House,
    id: TableId,
    seat: Option<Seat>,
    from: u64,
) -> Result<Log, Problem> {
    let read = async |after, most| house.journal.read(id, after, most).await;
    let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
    let first = read(0, 1).await?.entries;
    let Some(first) = first.first() else { return Err(Problem::no_table()) };
    let mut state = begin(house, first)?;
    if !state.game().hides() {
        let Tail { entries, last_version: version, .. } = read(from, MAX_ENTRIES).await?;
        let entries = entries.iter().map(|entry| state.visible_entry(entry, viewer)).collect();
        return Ok(Log { version, entries });
    }
    // What somebody sees of a move depends on the position in which it was made.
    let mut shown = Vec::new();
    if from == 0 {
        shown.push(state.visible_entry(first, viewer));
    }
    loop {
        let tail = read(state.version(), MAX_ENTRIES).await?;
        for entry in &tail.entries {
            if entry.version > from && shown.len() < MAX_ENTRIES {
                shown.push(state.visible_entry(entry, viewer));
            }
            state
                .fold_all(std::slice::from_ref(entry))
                .map_err(|_broken| Problem::unavailable())?;
        }
        if tail.entries.is_empty() || shown.len() == MAX_ENTRIES {
            return Ok(Log { version: tail.last_version, entries: shown });
        }
    }
}

fn begin(house: &House, first: &Entry) -> Result<TableState, Problem> {
    let table::EntryBody::Created { game, .. } = &first.body else {
        return Err(Problem::no_table());
    };
    let game = house.game(game).map_err(Problem::bad_request)?;
    TableState::begin(game, first).map_err(|_broken| Problem::unavailable())
}
