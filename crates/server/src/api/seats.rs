//! Taking a seat.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use game::{Refusal, Seat};
use serde::{Deserialize, Serialize};
use table::wire::Accepted;
use table::{Action, ActionBody, ActionId, PlayerName, Token};
use tokio::sync::oneshot;
use utoipa::ToSchema;

use super::bearer::SameSite;
use super::named::Named;
use super::said::Said;
use super::tables::see;
use crate::TableId;
use crate::app::App;
use crate::house::House;
use crate::problem::Problem;
use crate::request::{Request, codes};

/// Who wants which seat.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(example = json!({"name": "Ada"}))]
pub(crate) struct JoinSeat {
    /// What the player is called: 1 to 24 visible characters.
    #[schema(value_type = String)]
    pub(crate) name: PlayerName,
    /// Which seat; the first free one if it does not matter.
    #[serde(default)]
    #[schema(value_type = Option<u8>)]
    pub(crate) seat: Option<Seat>,
    /// What shall hold the seat: 32 hexadecimal digits that nobody can guess. Who makes them itself may
    /// ask again if the answer is lost; otherwise the server makes them.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub(crate) token: Option<Token>,
}

/// A seat that was taken.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TakenSeat {
    /// The table.
    pub(crate) id: String,
    /// The seat, counted from 0.
    #[schema(value_type = u8)]
    pub(crate) seat: Seat,
    /// What holds it: keep it, and show it to nobody.
    pub(crate) token: String,
}

/// Takes a seat at a table, or comes back to it.
#[utoipa::path(post, path = "/api/tables/{id}/seats", tag = "tables", request_body = JoinSeat,
    params(("id" = String, Path, description = "The id of the table")),
    responses((status = 200, description = "It is so", body = TakenSeat), (status = "4XX", description = "Why not", body = crate::problem::Document, content_type = "application/problem+json")))]
pub(crate) async fn join(
    State(app): State<Arc<App>>,
    Named(id): Named,
    _: SameSite,
    body: Result<Said<JoinSeat>, Problem>,
) -> Result<Json<TakenSeat>, Problem> {
    let Said(wanted) = body?;
    Ok(Json(take(&app.house, id, wanted).await?))
}

pub(crate) async fn take(
    house: &Arc<House>,
    id: TableId,
    wanted: JoinSeat,
) -> Result<TakenSeat, Problem> {
    let JoinSeat { name, seat, token } = wanted;
    let token = token.map_or_else(random_token, Ok)?;
    let digest = token.digest();
    let taken = |seat| TakenSeat { id: id.to_string(), seat, token: token.reveal() };
    // Who asks again holds the seat already.
    let version = match see(house, id, Some(digest)).await {
        Ok(welcome) => match welcome.seat {
            Some(seat) => return Ok(taken(seat)),
            None => welcome.version,
        },
        Err(_) => see(house, id, None).await?.version,
    };
    let client = random_token()?.reveal();
    let action = Action {
        id: ActionId::new(&client, 1).expect("it is 32 digits"),
        body: ActionBody::Join { seat, name, token: digest, version },
    };
    submit(house, id, Some(digest), action).await??;
    let welcome = see(house, id, Some(digest)).await?;
    Ok(taken(welcome.seat.ok_or_else(Problem::unavailable)?))
}

/// Asks a table to do something.
pub(crate) async fn submit(
    house: &Arc<House>,
    id: TableId,
    token: Option<table::Digest>,
    action: Action,
) -> Result<Result<Accepted, Refusal>, Problem> {
    let (answer, answered) = oneshot::channel();
    house.ask(id, Request::Submit { token, action, answer });
    answered.await.map_err(|_gone| Problem::unavailable())
}

fn random_token() -> Result<Token, Problem> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(|_error| {
        Problem::from(crate::request::refusal(codes::UNAVAILABLE, "There is no randomness now"))
    })?;
    Ok(Token::new(bits))
}
