//! Explanations of computers' moves, and what positions are worth.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use game::{Game, MoveExplanation};
use serde::{Deserialize, Serialize};
use table::wire::codes;
use table::{Entry, EntryBody, TableState, explain};
use utoipa::ToSchema;

use super::analyzed_position::{AnalyzedPosition, RoundPly, analyze_position};
use super::log::not_begun;
use super::query::Query;
use super::table_path::TablePath;
use crate::TableId;
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::journal::MAX_ENTRIES;
use crate::journaled_table::{begin, folded, restore};
use crate::problem::Problem;
use crate::refusals::refusal;
use crate::tables::Tables;
use crate::work_pool::Payer;

/// The query of an analysis: a version, or a round and a ply.
#[derive(Debug, Deserialize)]
pub(crate) struct AnalysisQuery {
    version: Option<u64>,
    round: Option<u32>,
    ply: Option<u32>,
}

/// The explanation of a computer's move, or what a position is worth.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum AnalysisAnswer {
    Move(ExplainedMove),
    Position(AnalyzedPosition),
}

/// The explanation of a computer's move.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"version": 4, "explanation": {"sentence": "AddThirdO wanted O c3", "wanted_by": ["AddThirdO"]}}))]
pub(crate) struct ExplainedMove {
    /// The version of the entry of the move.
    version: u64,
    /// Why the computer chose the move.
    explanation: MoveExplanation,
}

/// Explains a computer's move, or tells what a position is worth.
///
/// With `version` it explains the move of that entry. Entries of computers carry their explanation. For
/// older entries, which have none, the computer chooses once more.
///
/// With `round` and `ply` it tells what the position after that many moves and draws of the round was
/// worth, and each of its moves, as `cradle analyze` does. The round must be over. An address may cause
/// a bounded amount of this work; positions that were analyzed before cost nothing.
///
/// Games with hidden information have neither.
#[utoipa::path(get, path = "/api/tables/{id}/analysis", operation_id = "explain_move", tag = "tables",
    params(("id" = String, Path, description = "The id of the table"),
        ("version" = Option<u64>, Query, description = "The version of the entry of the move"),
        ("round" = Option<u32>, Query, description = "The round of the position, counted from 1"),
        ("ply" = Option<u32>, Query, description = "The number of moves and draws before the position")),
    responses((status = 200, description = "The explanation, or the value of the position", body = AnalysisAnswer),
        (status = 404, description = "There is no such table, the version is not a computer's move that can be explained, or there is no such position"),
        (status = 409, description = "The round is still being played")))]
pub(crate) async fn analyze(
    State(app): State<Arc<App>>,
    TablePath(id): TablePath,
    ClientAddress(address): ClientAddress,
    Query(query): Query<AnalysisQuery>,
) -> Result<Json<AnalysisAnswer>, Problem> {
    let (tables, payer) = (&app.tables, Payer::at(address));
    let answer = match query {
        AnalysisQuery { version: Some(version), round: None, ply: None } => {
            app.may_analyze(address)?;
            AnalysisAnswer::Move(explained(tables, payer, id, version).await?)
        }
        AnalysisQuery { round: Some(0), .. } => {
            return Err(Problem::bad_request("Rounds are counted from 1: write round=1"));
        }
        AnalysisQuery { version: None, round: Some(round), ply: Some(ply) } => {
            app.may_analyze(address)?;
            let wanted = RoundPly { round, ply };
            AnalysisAnswer::Position(analyze_position(tables, payer, id, wanted).await?)
        }
        _ => {
            let why =
                "Name the version of a computer's move, or the round and the ply of a position";
            return Err(Problem::bad_request(why));
        }
    };
    Ok(Json(answer))
}

async fn explained(
    tables: &Arc<Tables>,
    payer: Payer,
    id: TableId,
    version: u64,
) -> Result<ExplainedMove, Problem> {
    let (state, entry) = before(tables, payer, id, version).await?;
    let (secret, work) = (tables.secret(id), work_to_choose(tables, &state));
    let explained =
        tables.analyze(payer, work, move |stop| explain(stop, &state, &secret, &entry)).await?;
    let explanation = explained.ok_or_else(not_a_move)?;
    Ok(ExplainedMove { version, explanation })
}

/// The entry of a computer's move, and the state before it.
async fn before(
    tables: &Arc<Tables>,
    payer: Payer,
    id: TableId,
    version: u64,
) -> Result<(TableState, Entry), Problem> {
    let first = tables.journal.read(id, 0, 1).await?.entries;
    let first = first.into_iter().next().ok_or_else(Problem::no_table)?;
    let entry = tables.journal.read(id, version.saturating_sub(1), 1).await?.entries;
    let entry = entry.into_iter().find(|entry| entry.version == version).ok_or_else(not_a_move)?;
    let EntryBody::Played { .. } = &entry.body else { return Err(not_a_move()) };
    let restored = match tables.journal.snapshot(id).await? {
        Some(snapshot) => restore(tables, payer, &snapshot).await.map_err(not_begun)?,
        None => None,
    };
    let mut state = match restored.filter(|state| state.version() < version) {
        Some(state) => state,
        None => begin(tables, payer, &first).await.map_err(not_begun)?,
    };
    if state.game().hides() {
        return Err(not_a_move());
    }
    while state.version() + 1 < version {
        let count = usize::try_from(version - 1 - state.version()).unwrap_or(MAX_ENTRIES);
        let tail = tables.journal.read(id, state.version(), count.min(MAX_ENTRIES)).await?;
        if tail.entries.is_empty() {
            return Err(Problem::unavailable());
        }
        let folded = folded(tables, payer, tail.entries, state).await?;
        state = folded.map_err(|_error| Problem::unavailable())?;
    }
    Ok((state, entry))
}

/// The work to choose a move again, in microseconds, about: strategies are compiled together with the
/// rules.
fn work_to_choose(tables: &Tables, state: &TableState) -> u64 {
    let declared = tables.catalog.declared(&state.game().name());
    // The rules of a player are not in the catalog.
    declared.map_or(20_000, |declared| declared.work())
}

fn not_a_move() -> Problem {
    let why =
        "This version has no explanation: name a move of a computer player that explains itself";
    Problem::from(refusal(codes::NOT_FOUND, why))
}
