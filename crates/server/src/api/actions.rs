//! Actions at a table.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;

use game::{Reason, Refusal};
use table::Action;
use table::wire::Accepted;
use table::wire::codes::NO_SEAT;
use utoipa::ToSchema;

use super::bearer::{Bearer, SameOrigin};
use super::json_body::JsonBody;
use super::seats::submit;
use super::table_path::TablePath;
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::problem::Problem;
use crate::work_pool::Payer;

/// An action. Each has a unique `id`: a name that the client has chosen, a colon and a counter.
#[derive(ToSchema)]
#[schema(as = Action)]
#[serde(tag = "action", rename_all = "snake_case")]
#[expect(dead_code, reason = "it describes `table::Action`, which is what is parsed")]
enum ActionSchema {
    /// Plays a move.
    #[schema(example = json!({"id": "curl:1", "action": "play", "round": 1, "ply": 0, "move": "b2"}))]
    Play {
        /// The id of the action, as in `curl:1`.
        id: String,
        /// The round that the action is meant for, counted from 1.
        round: u32,
        /// The number of moves and draws of chance before it in the round.
        ply: u32,
        /// The move: one of the `legal_moves` of the table.
        r#move: String,
    },
    /// Resigns the round, or acknowledges that it is lost.
    #[schema(example = json!({"id": "curl:2", "action": "forfeit", "round": 1, "ply": 5}))]
    Forfeit {
        /// The id of the action.
        id: String,
        /// The round that the action is meant for.
        round: u32,
        /// The number of moves and draws of chance before it in the round.
        ply: u32,
    },
    /// Acknowledges that nobody has won the round.
    #[schema(example = json!({"id": "curl:3", "action": "tie", "round": 2, "ply": 9}))]
    Tie {
        /// The id of the action.
        id: String,
        /// The round that the action is meant for.
        round: u32,
        /// The number of moves and draws of chance before it in the round.
        ply: u32,
    },
    /// Begins the next round once this one is decided or drawn. Every seat holder may.
    #[schema(example = json!({"id": "curl:4", "action": "next_round", "round": 3, "ply": 9}))]
    NextRound {
        /// The id of the action.
        id: String,
        /// The round that is over.
        round: u32,
        /// The number of moves and draws of chance in that round.
        ply: u32,
    },
    /// Leaves the table. The seat is kept.
    #[schema(example = json!({"id": "curl:5", "action": "leave", "version": 12}))]
    Leave {
        /// The id of the action.
        id: String,
        /// The last version of the table that the client has.
        version: u64,
    },
    /// Takes a seat, or comes back to it. `POST /api/tables/{id}/seats` does the same in a simpler way.
    #[schema(example = json!({"id": "curl:6", "action": "join", "name": "Ada", "version": 1,
        "token": "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"}))]
    Join {
        /// The id of the action.
        id: String,
        /// The seat, counted from 0; without it, the first free seat.
        seat: Option<u8>,
        /// The name of the player: 1 to 24 visible characters.
        name: String,
        /// The SHA-256 of the token for the seat, in hexadecimal digits.
        token: String,
        /// The last version of the table that the client has.
        version: u64,
    },
}

/// Acts at a table: plays a move, forfeits, ties, begins the next round, or leaves.
///
/// The same action can be sent again safely: it is applied once and answered the same.
#[utoipa::path(post, path = "/api/tables/{id}/actions", tag = "tables", security((), ("token" = [])),
    params(("id" = String, Path, description = "The id of the table")),
    request_body(content = ActionSchema, description = "An action"),
    responses((status = 200, description = "The version of the entry in the log", body = Object,
            example = json!({"version": 4})),
        (status = "4XX", description = "The refusal", body = crate::problem::ProblemBody, content_type = "application/problem+json")))]
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
