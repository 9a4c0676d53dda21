//! Quick pairing.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use game::Game;
use serde::Deserialize;
use table::wire::Welcome;
use table::{PlayerName, Token};
use utoipa::ToSchema;

use super::bearer::SameSite;
use super::said::Said;
use super::seats::{JoinSeat, TakenSeat, take};
use super::tables::{CreateTable, open, see};
use crate::TableId;
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::house::House;
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
    /// What shall hold the seat: 32 hexadecimal digits that nobody can guess, made for this wish. Who
    /// makes them itself may ask again: it has the same seat while it waits, and for a minute after it
    /// has met somebody. Otherwise the server makes them.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    token: Option<Token>,
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
    let Said(wish) = body?;
    // Who hangs up meanwhile must not take somebody who waits with it.
    let paired = tokio::spawn(async move { find(&app, address, wish).await }).await;
    paired.map_err(|_failed| Problem::unavailable())?.map(Json)
}

/// Finds a seat for somebody.
async fn find(app: &App, address: IpAddr, wish: Pair) -> Result<TakenSeat, Problem> {
    let Pair { game, name, token } = wish;
    let game = app.house.game(&game).map_err(Problem::bad_request)?.name();
    let digest = token.as_ref().map(Token::digest);
    let mut met = app.pairing.hold().await;
    if let Some(token) = &token
        && let Some(table) = met.again(&app.house, &game, token.digest()).await
        && let Some(taken) = held(&app.house, table, token).await
    {
        return Ok(taken);
    }
    let wanted = JoinSeat { name, seat: None, token };
    if let Some(partner) = met.partner(&app.house, &game).await
        && let Ok(taken) = take(&app.house, partner.table, wanted.clone()).await
    {
        met.meet(&app.house, &game, partner, digest);
        return Ok(taken);
    }
    app.may_create(address)?;
    let table = open(&app.house, new_table(game.clone())).await?.id;
    let taken = take(&app.house, table, wanted).await?;
    met.wait(&app.house, game, table, digest);
    Ok(taken)
}

/// The seat of who asks again, unless it has left it.
async fn held(house: &Arc<House>, table: TableId, token: &Token) -> Option<TakenSeat> {
    let Welcome { seat, view, .. } = see(house, table, Some(token.digest())).await.ok()?;
    let seat = seat?;
    let is_here = view.seats.get(seat.index()).is_some_and(|view| view.is_here);
    is_here.then(|| TakenSeat { id: table.to_string(), seat, token: token.reveal() })
}

/// A table at which the next one will come.
const fn new_table(game: String) -> CreateTable {
    CreateTable {
        game,
        computers: Vec::new(),
        // Who plays with anybody may be watched by anybody.
        listed: true,
        alternate: true,
        clock: None,
        name: None,
        seat: None,
    }
}
