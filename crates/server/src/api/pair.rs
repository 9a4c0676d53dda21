//! Quick pairing.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use game::Game;
use serde::Deserialize;
use table::PlayerName;
use utoipa::ToSchema;

use super::bearer::SameSite;
use super::said::Said;
use super::seats::{JoinSeat, TakenSeat, take};
use super::tables::{CreateTable, open};
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::pairing::{partner, wait};
use crate::problem::Problem;

/// Who wants to play what with anybody.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"game": "tic-tac-toe", "name": "Ada"}))]
pub(crate) struct Pair {
    /// The game, with its parameters.
    game: String,
    /// What the player is called.
    #[schema(value_type = String)]
    name: PlayerName,
}

/// Takes a seat where somebody waits for this game, or at a new table where the next one will come.
#[utoipa::path(post, path = "/api/pair", tag = "tables", request_body = Pair,
    responses((status = 200, description = "It is so", body = TakenSeat), (status = "4XX", description = "Why not", body = crate::problem::Document, content_type = "application/problem+json")))]
pub(crate) async fn pair(
    State(app): State<Arc<App>>,
    ClientAddress(address): ClientAddress,
    _: SameSite,
    body: Result<Said<Pair>, Problem>,
) -> Result<Json<TakenSeat>, Problem> {
    let Said(Pair { game, name }) = body?;
    let game = app.house.game(&game).map_err(Problem::bad_request)?.name();
    let mut waiting = app.pairing.hold().await;
    if let Some(table) = partner(&app.house, &mut waiting, &game).await {
        let wanted = JoinSeat { name: name.clone(), seat: None, token: None };
        if let Ok(taken) = take(&app.house, table, wanted).await {
            return Ok(Json(taken));
        }
    }
    app.may_create(address)?;
    let wanted = CreateTable {
        game: game.clone(),
        computers: Vec::new(),
        // Who plays with anybody may be watched by anybody.
        listed: true,
        alternate: true,
        clock: None,
        name: None,
        seat: None,
    };
    let table = open(&app.house, wanted).await?.id;
    let taken = take(&app.house, table, JoinSeat { name, seat: None, token: None }).await?;
    wait(&app.house, &mut waiting, game, table);
    Ok(Json(taken))
}
