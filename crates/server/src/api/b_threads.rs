//! The b-threads behind a position, for clients that do not know the rules.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use game::{Game, PlayerKind, all_seats};
use serde::Deserialize;
use table::TableState;
use table::wire::TableBThreads;

use super::analyzed_position::{RoundExtent, RoundPly, find};
use super::query::Query;
use super::table_path::TablePath;
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::problem::Problem;
use crate::work_pool::Payer;

/// The query of a position: a round, and the number of moves and draws in it.
#[derive(Debug, Deserialize)]
pub(crate) struct PositionQuery {
    round: u32,
    ply: u32,
}

/// Returns the b-threads behind a position.
///
/// For each b-thread that has not ended: what it requests, waits for and blocks after that many moves and
/// draws of the round. An address may cause a bounded amount of this work, as for analyses.
///
/// Games with hidden information have none.
#[utoipa::path(get, path = "/api/tables/{id}/b-threads", operation_id = "read_b_threads", tag = "tables",
    params(("id" = String, Path, description = "The id of the table"),
        ("round" = u32, Query, description = "The round of the position, counted from 1"),
        ("ply" = u32, Query, description = "The number of moves and draws before the position")),
    responses((status = 200, description = "The b-threads", body = TableBThreads),
        (status = 404, description = "There is no such table or position, or its game hides something")))]
pub(crate) async fn read(
    State(app): State<Arc<App>>,
    TablePath(id): TablePath,
    ClientAddress(address): ClientAddress,
    Query(PositionQuery { round, ply }): Query<PositionQuery>,
) -> Result<Json<TableBThreads>, Problem> {
    let (tables, payer) = (&app.tables, Payer::at(address));
    app.may_analyze(address)?;
    let wanted = RoundPly { round, ply };
    let found = find(tables, payer, id, wanted, RoundExtent::UntilPosition).await?;
    let job = move |_: &_| {
        let strategies_of = strategist(&found.state);
        found.state.game().awake(&found.history, strategies_of)
    };
    let threads = tables.analyze(payer, WORK, job).await?;
    Ok(Json(TableBThreads { round, ply, threads }))
}

/// What it costs an address to replay a round, in microseconds, about.
const WORK: u64 = 20_000;

/// The seat of the game whose strategies play.
fn strategist(state: &TableState) -> Option<game::Seat> {
    let by_threads = |seat: &game::Seat| state.level(*seat) == Some(&PlayerKind::BThreads);
    all_seats(state.game()).iter().find(by_threads).map(|seat| state.in_game(seat))
}
