//! The journal of the server, for `cradle journal`.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use table::wire::codes;

use crate::TableId;
use crate::api::query::Query;
use crate::api::table_path::TablePath;
use crate::app::App;
use crate::journal::{
    CompactedSize, DeleteOutcome, InspectedLog, JournalError, MAX_TABLES, OpenTable, RulesDigest,
    StoredTable,
};
use crate::problem::Problem;
use crate::refusals::refusal;

/// The routes below `/journal`.
pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/journal/tables", get(tables))
        .route("/journal/tables/{id}", get(log).delete(delete))
        .route("/journal/records", get(records))
        .route("/journal/records/{id}", get(record))
        .route("/journal/rules/{digest}", get(rules))
        .route("/journal/compact", post(compact))
        .route("/journal/key", get(key))
}

/// The query for a page that follows a table.
#[derive(Debug, Deserialize)]
struct AfterTable {
    after: Option<TableId>,
}

/// The query for a page of a log.
#[derive(Debug, Deserialize)]
struct AfterVersion {
    #[serde(default)]
    after: u64,
}

/// The query of a deletion.
#[derive(Debug, Deserialize)]
struct LastVersion {
    /// Only if the log ends with this version.
    last: Option<u64>,
}

async fn tables(
    State(app): State<Arc<App>>,
    Query(AfterTable { after }): Query<AfterTable>,
) -> Result<Json<Vec<StoredTable>>, Problem> {
    let (journal, directory) = (&*app.tables.journal, &*app.tables.directory);
    answer(StoredTable::page(journal, directory, after).await)
}

async fn log(
    State(app): State<Arc<App>>,
    TablePath(id): TablePath,
    Query(AfterVersion { after }): Query<AfterVersion>,
) -> Json<InspectedLog> {
    Json(InspectedLog::page(&*app.tables.journal, id, after).await)
}

async fn delete(
    State(app): State<Arc<App>>,
    TablePath(id): TablePath,
    Query(LastVersion { last }): Query<LastVersion>,
) -> Result<Json<DeleteOutcome>, Problem> {
    let deleted = app.tables.delete(id, last).await;
    if deleted == Ok(DeleteOutcome::Deleted) {
        tracing::info!(table = %id.short(), "an operator deleted a table");
    }
    answer(deleted)
}

async fn records(
    State(app): State<Arc<App>>,
    Query(AfterTable { after }): Query<AfterTable>,
) -> Result<Json<Vec<OpenTable>>, Problem> {
    answer(app.tables.directory.records(after, MAX_TABLES).await)
}

async fn record(
    State(app): State<Arc<App>>,
    TablePath(id): TablePath,
) -> Result<Json<Option<OpenTable>>, Problem> {
    answer(app.tables.directory.by_id(id).await)
}

/// The text of rules with this digest, if it is kept.
async fn rules(
    State(app): State<Arc<App>>,
    Path(digest): Path<String>,
) -> Result<Json<Option<String>>, Problem> {
    let Ok(digest) = digest.parse::<RulesDigest>() else {
        return Err(Problem::bad_request("The digest of rules has 32 hexadecimal digits"));
    };
    answer(app.tables.journal.rules(digest).await)
}

async fn compact(State(app): State<Arc<App>>) -> Result<Json<CompactedSize>, Problem> {
    let compacted = app.tables.journal.compact().await;
    if let Ok(CompactedSize { before, after }) = compacted {
        tracing::info!(before, after, "the journal was compacted");
    }
    answer(compacted)
}

/// The secret key, without which a copy of the journal is of little use.
async fn key(State(app): State<Arc<App>>) -> Json<[u8; 32]> {
    tracing::info!("an operator copies the key of the journal");
    Json(app.tables.journal.key())
}

/// The answer to an operator, who is told what is wrong with the journal.
fn answer<T>(done: Result<T, JournalError>) -> Result<Json<T>, Problem> {
    done.map(Json).map_err(|error| refusal(codes::UNAVAILABLE, error.to_string()).into())
}
