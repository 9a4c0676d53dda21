//! Quick pairing.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use table::wire::{TakenSeat, Welcome};
use table::{Clock, Digest, Options, PlayerName, Token};
use tokio::time::sleep;
use utoipa::ToSchema;

use super::bearer::{OfferedToken, SameOrigin};
use super::json_body::{JsonBody, RequestBody};
use super::seats::{JoinSeat, take};
use super::tables::{TableDraft, fetch, open};
use crate::TableId;
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::journal::{PairingOffer, PairingTurn};
use crate::pairing::PairingState;
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
    /// after it was paired. It can be in the header `Authorization` as well. Without it, the server makes one.
    #[serde(default)]
    token: Option<Token>,
}

impl RequestBody for PairRequest {}

/// Takes a seat opposite a player who waits for this game, or at a new table that waits for the next
/// player.
#[utoipa::path(post, path = "/api/pair", operation_id = "pair", tag = "tables", security((), ("token" = [])), request_body = PairRequest,
    responses((status = 200, description = "The seat", body = TakenSeat)))]
pub(crate) async fn pair(
    State(app): State<Arc<App>>,
    ClientAddress(address): ClientAddress,
    _: SameOrigin,
    offered: OfferedToken,
    body: Result<JsonBody<PairRequest>, Problem>,
) -> Result<Json<TakenSeat>, Problem> {
    let JsonBody(mut request) = body?;
    request.token = offered.or_in(request.token)?;
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
    let turn = pairing_turn(tables, &game).await?;
    let player =
        NewPlayer { address, payer, digest, request: JoinSeat { name, seat: None, token } };
    let mut offer = turn.offer;
    let taken = player.find(app, &mut pairing, &game, &mut offer).await;
    // If this fails, the turn ends a little later.
    if let Err(error) = tables.directory.end_pairing(&game, offer).await {
        tracing::warn!(%error, "the turn to pair players was not ended");
    }
    taken
}

/// How long a server may take to pair a player, in milliseconds. Then others take the turn: it may be dead.
const TURN: u64 = 5_000;

/// How often a server asks for the turn.
const PAUSE: Duration = Duration::from_millis(50);

/// Waits for the turn to pair players of a game, which one server has at a time.
async fn pairing_turn(tables: &Tables, game: &str) -> Result<PairingTurn, Problem> {
    for _ in 0..(2 * TURN / 50) {
        let now = tables.unix_time();
        if let Some(turn) = tables.directory.begin_pairing(game, now + TURN, now).await? {
            return Ok(turn);
        }
        sleep(PAUSE).await;
    }
    Err(Problem::unavailable())
}

/// A player who is being paired.
struct NewPlayer {
    address: IpAddr,
    payer: Payer,
    digest: Option<Digest>,
    request: JoinSeat,
}

impl NewPlayer {
    /// Finds a seat opposite a player who waits here or at another server, or at a new table, which is the
    /// new offer.
    async fn find(
        self,
        app: &App,
        pairing: &mut PairingState,
        game: &str,
        offer: &mut Option<PairingOffer>,
    ) -> Result<TakenSeat, Problem> {
        let (tables, Self { address, payer, digest, request }) = (&app.tables, self);
        if let Some(opponent) = pairing.take_opponent(tables).await
            && let Ok(taken) = take(tables, payer, opponent.table, request.clone()).await
        {
            *offer = offer.filter(|offer| offer.table != opponent.table);
            pairing.pair(tables, opponent, digest);
            return Ok(taken);
        }
        let offered = match offer.take() {
            Some(offered) => pairing.accept_offer(tables, offered).await.zip(Some(offered)),
            None => None,
        };
        if let Some((opponent, offered)) = offered {
            if let Some(token) = &request.token
                && let Some(taken) = held(tables, payer, opponent.table, token).await
            {
                // The player asks again, and through another server.
                *offer = Some(offered);
                return Ok(taken);
            }
            if let Ok(taken) = take(tables, payer, opponent.table, request.clone()).await {
                pairing.pair(tables, opponent, digest);
                return Ok(taken);
            }
        }
        app.may_create(address)?;
        let move_time = tables.limits().pairing_move_time;
        let declared = tables.catalog.declared(game).map_err(Problem::bad_request)?;
        let rules = tables.catalog.rules(game);
        let new = TableDraft::new(&declared, rules, options(move_time), true)?;
        let table = open(tables, payer, new).await?.id;
        let taken = take(tables, payer, table, request).await?;
        pairing.wait(tables, table, digest);
        *offer = Some(PairingOffer { table, since: tables.unix_time() });
        Ok(taken)
    }
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

/// The options of a new table that waits for an opponent. It has a clock, so that nobody waits for ever for a
/// player who has left. Games between strangers may be watched by strangers.
fn options(move_time: u32) -> Options {
    let clock = (move_time > 0).then(|| Clock::PerMove(move_time.max(1_000).into()));
    Options { alternate: true, clock, prompt: true, ..Options::default() }
}
