//! Taking a seat.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use game::{Refusal, Seat};
use serde::Deserialize;
use table::wire::{Accepted, TakenSeat, codes};
use table::{Action, ActionBody, ActionId, PlayerName, Token};
use tokio::sync::oneshot;
use utoipa::ToSchema;

use super::bearer::{OfferedToken, SameOrigin};
use super::json_body::{JsonBody, RequestBody};
use super::table_path::TablePath;
use super::tables::fetch;
use crate::TableId;
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::problem::Problem;
use crate::refusals::refusal;
use crate::table_request::TableRequest;
use crate::tables::Tables;
use crate::work_pool::Payer;

impl RequestBody for JoinSeat {}

/// A player who wants a seat.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Ada"}))]
pub(crate) struct JoinSeat {
    /// The name of the player: 1 to 24 visible characters.
    pub(crate) name: PlayerName,
    /// The seat, counted from 0; without it, the first free seat.
    #[serde(default)]
    pub(crate) seat: Option<Seat>,
    /// The token for the seat: 32 random hexadecimal digits. A client that makes its own token can send
    /// the request again if the response is lost. It can be in the header `Authorization` as well.
    /// Without it, the server makes one.
    #[serde(default)]
    pub(crate) token: Option<Token>,
}

/// Takes a seat at a table, or comes back to it with its token.
#[utoipa::path(post, path = "/api/tables/{id}/seats", operation_id = "take_seat", tag = "tables", security((), ("token" = [])), request_body = JoinSeat,
    params(("id" = String, Path, description = "The id of the table")),
    responses((status = 200, description = "The seat", body = TakenSeat)))]
pub(crate) async fn join(
    State(app): State<Arc<App>>,
    TablePath(id): TablePath,
    ClientAddress(address): ClientAddress,
    _: SameOrigin,
    offered: OfferedToken,
    body: Result<JsonBody<JoinSeat>, Problem>,
) -> Result<Json<TakenSeat>, Problem> {
    let JsonBody(mut request) = body?;
    request.token = offered.or_in(request.token)?;
    Ok(Json(take(&app.tables, Payer::at(address), id, request).await?))
}

/// Takes a seat for a player.
pub(crate) async fn take(
    tables: &Arc<Tables>,
    payer: Payer,
    id: TableId,
    request: JoinSeat,
) -> Result<TakenSeat, Problem> {
    let JoinSeat { name, seat, token } = request;
    let token = token.map_or_else(random_token, Ok)?;
    let digest = token.digest();
    let taken = |seat| TakenSeat { id: id.to_string(), seat, token: token.clone() };
    // A client that repeats its request holds the seat already. One that has left comes back.
    let (version, back) = match fetch(tables, payer, id, Some(digest)).await {
        Ok(welcome) => match welcome.seat {
            Some(held) if seat.is_none_or(|wanted| wanted == held) => {
                if welcome.view.seats.get(held.index()).is_none_or(|seat| seat.is_here) {
                    return Ok(taken(held));
                }
                (welcome.version, Some(held))
            }
            // A player who asks for a second seat is refused by the table, which says why.
            _ => (welcome.version, None),
        },
        Err(_) => (fetch(tables, payer, id, None).await?.version, None),
    };
    let client = random_token()?.reveal();
    let action = Action {
        id: ActionId::new(&client, 1).expect("32 hexadecimal digits are a valid client name"),
        body: ActionBody::Join { seat, name, token: digest, version },
    };
    let submitted = submit(tables, payer, id, Some(digest), action).await?;
    if let Some(held) = back {
        // Another request may have brought the player back: the seat is theirs in any case.
        return Ok(taken(held));
    }
    submitted?;
    let welcome = fetch(tables, payer, id, Some(digest)).await?;
    Ok(taken(welcome.seat.ok_or_else(Problem::unavailable)?))
}

/// Sends an action to a table, and waits for the answer.
pub(crate) async fn submit(
    tables: &Arc<Tables>,
    payer: Payer,
    id: TableId,
    token: Option<table::Digest>,
    action: Action,
) -> Result<Result<Accepted, Refusal>, Problem> {
    let (answer, answered) = oneshot::channel();
    tables.send(payer, id, TableRequest::Submit { token, action, answer });
    answered.await.map_err(|_gone| Problem::unavailable())
}

fn random_token() -> Result<Token, Problem> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(|_error| {
        let why = "The server has no source of randomness. Nothing has changed: try again";
        Problem::from(refusal(codes::UNAVAILABLE, why))
    })?;
    Ok(Token::new(bits))
}
