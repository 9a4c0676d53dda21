//! Quick pairing.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use table::wire::{TakenSeat, Welcome};
use table::{Clock, PlayerName, Token};
use utoipa::ToSchema;

use super::bearer::SameOrigin;
use super::json_body::JsonBody;
use super::seats::{JoinSeat, take};
use super::tables::{CreateTable, fetch, open};
use crate::TableId;
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::problem::Problem;
use crate::tables::Tables;
use crate::work_pool::Payer;

/// A player who wants to play with anybody.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"game": "tic-tac-toe", "name": "Ada"}))]
pub(crate) struct PairRequest {
    /// The game, with its parameters.
    game: String,
    /// The name of the player: 1 to 24 visible characters.
    name: PlayerName,
    /// The token for the seat: 32 random hexadecimal digits, new for each game. A client that makes its
    /// own token can send the request again: it gets the same seat while it waits, and for a minute
    /// after it was paired. Without it, the server makes one.
    #[serde(default)]
    token: Option<Token>,
}

/// Takes a seat opposite a player who waits for this game, or at a new table that waits for the next
/// player.
#[utoipa::path(post, path = "/api/pair", operation_id = "pair", tag = "tables", request_body = PairRequest,
    responses((status = 200, description = "The seat", body = TakenSeat)))]
pub(crate) async fn pair(
    State(app): State<Arc<App>>,
    ClientAddress(address): ClientAddress,
    _: SameOrigin,
    body: Result<JsonBody<PairRequest>, Problem>,
) -> Result<Json<TakenSeat>, Problem> {
    let JsonBody(request) = body?;
    // In a task, so that a client that disconnects does not interrupt the pairing of another player.
    let paired = tokio::spawn(async move { find(&app, address, request).await }).await;
    paired.map_err(|_failed| Problem::unavailable())?.map(Json)
}

/// Finds a seat for a player.
async fn find(app: &App, address: IpAddr, request: PairRequest) -> Result<TakenSeat, Problem> {
    let PairRequest { game, name, token } = request;
    let (tables, payer) = (&app.tables, Payer::at(address));
    let declared = tables.catalog.declared(&game).map_err(Problem::bad_request)?;
    let game = declared.name().to_owned();
    // It is built before other players of the game have to wait, and kept until the table has it.
    let _built = tables.game(payer, declared).await?;
    let digest = token.as_ref().map(Token::digest);
    let mut pairing = app.pairing.lock(&game).await;
    if let Some(token) = &token
        && let Some(table) = pairing.find_again(tables, token.digest()).await
        && let Some(taken) = held(tables, payer, table, token).await
    {
        return Ok(taken);
    }
    let request = JoinSeat { name, seat: None, token };
    if let Some(opponent) = pairing.take_opponent(tables).await
        && let Ok(taken) = take(tables, payer, opponent.table, request.clone()).await
    {
        pairing.pair(tables, opponent, digest);
        return Ok(taken);
    }
    app.may_create(address)?;
    let move_time = tables.limits().pairing_move_time;
    let table = open(tables, payer, new_table(game, move_time)).await?.id;
    let taken = take(tables, payer, table, request).await?;
    pairing.wait(tables, table, digest);
    Ok(taken)
}

/// The seat that a token holds, unless the player has left it.
async fn held(
    tables: &Arc<Tables>,
    payer: Payer,
    table: TableId,
    token: &Token,
) -> Option<TakenSeat> {
    let Welcome { seat, view, .. } =
        fetch(tables, payer, table, Some(token.digest())).await.ok()?;
    let seat = seat?;
    let is_here = view.seats.get(seat.index()).is_some_and(|view| view.is_here);
    is_here.then(|| TakenSeat { id: table.to_string(), seat, token: token.clone() })
}

/// A new table that waits for an opponent. It has a clock, so that nobody waits for ever for a player who
/// has left.
fn new_table(game: String, move_time: u32) -> CreateTable {
    CreateTable {
        game,
        computers: Vec::new(),
        // Games between strangers may be watched by strangers.
        listed: true,
        alternate: true,
        clock: (move_time > 0).then(|| Clock::PerMove(move_time.max(1_000).into())),
        prompt: true,
        name: None,
        seat: None,
    }
}
