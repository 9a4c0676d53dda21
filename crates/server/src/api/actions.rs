//! Actions at a table.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;

use game::{Reason, Refusal};
use table::Action;
use table::wire::Accepted;
use table::wire::codes::NO_SEAT;

use super::bearer::{Bearer, SameOrigin};
use super::json_body::{JsonBody, RequestBody};
use super::seats::submit;
use super::table_path::TablePath;
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::problem::Problem;
use crate::work_pool::Payer;

impl RequestBody for Action {}

/// Acts at a table: plays a move, takes one back, forfeits, ties, claims the round of an absent player,
/// begins the next round, moves the seat to another device, leaves, or ends the table.
///
/// The same action can be sent again safely: it is applied once and answered the same.
#[utoipa::path(post, path = "/api/tables/{id}/actions", operation_id = "act", tag = "tables", security((), ("token" = [])),
    params(("id" = String, Path, description = "The id of the table")),
    request_body(content = Action, examples(
        ("play" = (value = json!({"id": "curl:1", "action": "play", "round": 1, "ply": 0, "move": "b2"}))),
        ("forfeit" = (value = json!({"id": "curl:2", "action": "forfeit", "round": 1, "ply": 5}))),
        ("tie" = (value = json!({"id": "curl:3", "action": "tie", "round": 2, "ply": 9}))),
        ("next_round" = (value = json!({"id": "curl:4", "action": "next_round", "round": 3, "ply": 9}))),
        ("leave" = (value = json!({"id": "curl:5", "action": "leave", "version": 12}))),
        ("claim" = (value = json!({"id": "curl:7", "action": "claim", "seat": 1, "round": 3, "ply": 4}))),
        ("ask_takeback" = (value = json!({"id": "curl:8", "action": "ask_takeback", "round": 3, "ply": 4}))),
        ("grant_takeback" = (value = json!({"id": "curl:9", "action": "grant_takeback", "round": 3, "ply": 4}))),
        ("decline_takeback" = (value = json!({"id": "curl:10", "action": "decline_takeback", "round": 3, "ply": 4}))),
        ("offer_seat" = (value = json!({"id": "curl:11", "action": "offer_seat", "version": 12,
            "secret": "3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3"}))),
        ("take_over" = (value = json!({"id": "curl:12", "action": "take_over",
            "secret": "0f0e0d0c0b0a09080706050403020100",
            "token": "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"}))),
        ("end" = (value = json!({"id": "curl:13", "action": "end", "version": 12}))),
        ("join" = (value = json!({"id": "curl:6", "action": "join", "name": "Ada", "version": 1,
            "token": "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"}))))),
    responses((status = 200, description = "The action is in the log", body = Accepted, example = json!({"version": 4})),
        (status = 403, description = "The token holds no seat at this table"),
        (status = 404, description = "There is no such table"),
        (status = 409, description = "The table or the rules of the game refuse the action, and nothing has changed; `refusal` has every reason")))]
pub(crate) async fn act(
    State(app): State<Arc<App>>,
    TablePath(id): TablePath,
    ClientAddress(address): ClientAddress,
    _: SameOrigin,
    Bearer(token): Bearer,
    body: Result<JsonBody<Action>, Problem>,
) -> Result<Json<Accepted>, Problem> {
    let JsonBody(action) = body?;
    let outcome = submit(&app.tables, Payer::at(address), id, token, action).await?;
    Ok(Json(outcome.map_err(|refusal| if token.is_none() { with_hint(refusal) } else { refusal })?))
}

/// Tells a client without a token how to send one.
fn with_hint(refused: Refusal) -> Refusal {
    if *refused.code() != NO_SEAT {
        return refused;
    }
    let message = refused.message();
    let why =
        format!("{message}: send the token of your seat in the header Authorization: Bearer TOKEN");
    let reasons = std::iter::once(Reason::new(NO_SEAT, why));
    let reasons = reasons.chain(refused.reasons().skip(1).cloned());
    Refusal::if_any(reasons).expect_err("there is a reason")
}
