//! Explanations of computers' moves.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use game::{Game, MoveExplanation};
use serde::{Deserialize, Serialize};
use table::wire::codes;
use table::{Entry, EntryBody, FoldEntries, TableState, explain};
use utoipa::ToSchema;

use super::query::Query;
use super::table_path::TablePath;
use crate::TableId;
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::journal::MAX_ENTRIES;
use crate::journaled_table::{begin, restore};
use crate::problem::Problem;
use crate::refusals::refusal;
use crate::tables::Tables;

/// The query for an explanation.
#[derive(Debug, Deserialize)]
pub(crate) struct AnalysisQuery {
    /// The version of the entry of the move.
    version: u64,
}

/// The explanation of a computer's move.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"version": 4, "explanation": {"sentence": "AddThirdO wanted O c3", "wanted_by": ["AddThirdO"]}}))]
pub(crate) struct Analysis {
    /// The version of the entry of the move.
    version: u64,
    /// Why the computer chose the move.
    explanation: MoveExplanation,
}

/// Explains a computer's move.
///
/// Entries of computers carry their explanation. For older entries, which have none, the computer
/// chooses once more. Games with hidden information are not explained.
#[utoipa::path(get, path = "/api/tables/{id}/analysis", operation_id = "explain_move", tag = "tables",
    params(("id" = String, Path, description = "The id of the table"),
        ("version" = u64, Query, description = "The version of the entry of the move")),
    responses((status = 200, description = "The explanation", body = Analysis),
        (status = 404, description = "There is no such table, or the version is not a computer's move that can be explained")))]
pub(crate) async fn analyze(
    State(app): State<Arc<App>>,
    TablePath(id): TablePath,
    ClientAddress(address): ClientAddress,
    Query(AnalysisQuery { version }): Query<AnalysisQuery>,
) -> Result<Json<Analysis>, Problem> {
    app.may_analyze(address)?;
    let (state, entry) = before(&app.tables, id, version).await?;
    let secret = app.tables.secret(id);
    // A computer player may think for long.
    let explained = tokio::task::spawn_blocking(move || explain(&state, &secret, &entry));
    let explanation = explained.await.map_err(|_panic| Problem::unavailable())?;
    let explanation = explanation.ok_or_else(not_a_move)?;
    Ok(Json(Analysis { version, explanation }))
}

/// The entry of a computer's move, and the state before it.
async fn before(
    tables: &Arc<Tables>,
    id: TableId,
    version: u64,
) -> Result<(TableState, Entry), Problem> {
    let first = tables.journal.read(id, 0, 1).await?.entries;
    let first = first.into_iter().next().ok_or_else(Problem::no_table)?;
    let entry = tables.journal.read(id, version.saturating_sub(1), 1).await?.entries;
    let entry = entry.into_iter().find(|entry| entry.version == version).ok_or_else(not_a_move)?;
    let EntryBody::Played { .. } = &entry.body else { return Err(not_a_move()) };
    let snapshot = tables.journal.snapshot(id).await?;
    let restored = snapshot.and_then(|snapshot| restore(tables, &snapshot));
    let mut state = match restored.filter(|state| state.version() < version) {
        Some(state) => state,
        None => begin(tables, &first).map_err(|_error| Problem::unavailable())?,
    };
    if state.game().hides() {
        return Err(not_a_move());
    }
    while state.version() + 1 < version {
        let count = usize::try_from(version - 1 - state.version()).unwrap_or(MAX_ENTRIES);
        let tail = tables.journal.read(id, state.version(), count.min(MAX_ENTRIES)).await?;
        // Folding a long log takes a while.
        let folded = tokio::task::spawn_blocking(move || {
            state.fold_all(&tail.entries).map(|()| (state, tail.entries.is_empty()))
        });
        let folded = folded.await.map_err(|_panic| Problem::unavailable())?;
        let (next, is_end) = folded.map_err(|_error| Problem::unavailable())?;
        if is_end {
            return Err(Problem::unavailable());
        }
        state = next;
    }
    Ok((state, entry))
}

fn not_a_move() -> Problem {
    let why =
        "This version has no explanation: name a move of a computer player that explains itself";
    Problem::from(refusal(codes::NOT_FOUND, why))
}
