//! Doing something at a table.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use game::{Reason, Refusal};
use table::Action;
use table::wire::Accepted;
use table::wire::codes::NO_SEAT;
use utoipa::ToSchema;

use super::bearer::{Bearer, SameSite};
use super::named::Named;
use super::said::Said;
use super::seats::submit;
use crate::app::App;
use crate::problem::Problem;

/// An action, as it is described to those who send one; what is read is [`Action`].
///
/// Each has an `id` of its own: a name that the client has made up, a colon and a counter.
#[derive(ToSchema)]
#[schema(as = Action)]
#[serde(tag = "action", rename_all = "snake_case")]
#[expect(dead_code, reason = "it is only described")]
enum Described {
    /// Makes a move.
    #[schema(example = json!({"id": "curl:1", "action": "play", "round": 1, "ply": 0, "move": "b2"}))]
    Play {
        /// What the client calls this action, as in `curl:1`.
        id: String,
        /// The round that it is meant for, counted from 1.
        round: u32,
        /// How many moves and draws came before it in the round.
        ply: u32,
        /// The move, as one of the `legal_moves` of the table.
        r#move: String,
    },
    /// Gives the round up, or acknowledges that it is lost.
    #[schema(example = json!({"id": "curl:2", "action": "forfeit", "round": 1, "ply": 5}))]
    Forfeit {
        /// What the client calls this action.
        id: String,
        /// The round that it is meant for.
        round: u32,
        /// How many moves and draws came before it in the round.
        ply: u32,
    },
    /// Agrees that nobody has won the round.
    #[schema(example = json!({"id": "curl:3", "action": "tie", "round": 2, "ply": 9}))]
    Tie {
        /// What the client calls this action.
        id: String,
        /// The round that it is meant for.
        round: u32,
        /// How many moves and draws came before it in the round.
        ply: u32,
    },
    /// Goes on once the round is decided or drawn: anybody at the table may.
    #[schema(example = json!({"id": "curl:4", "action": "next_round", "round": 3, "ply": 9}))]
    NextRound {
        /// What the client calls this action.
        id: String,
        /// The round that is over.
        round: u32,
        /// How many moves and draws there were in it.
        ply: u32,
    },
    /// Leaves the table; the seat is kept.
    #[schema(example = json!({"id": "curl:5", "action": "leave", "version": 12}))]
    Leave {
        /// What the client calls this action.
        id: String,
        /// The last version of the table that is known.
        version: u64,
    },
    /// Takes a seat, or comes back to it. `POST /api/tables/{id}/seats` does the same with less.
    #[schema(example = json!({"id": "curl:6", "action": "join", "name": "Ada", "version": 1,
        "token": "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"}))]
    Join {
        /// What the client calls this action.
        id: String,
        /// Which seat, counted from 0; the first free one if it does not matter.
        seat: Option<u8>,
        /// What the player is called: 1 to 24 visible characters.
        name: String,
        /// The SHA-256 of the token that shall hold the seat, in hexadecimal digits.
        token: String,
        /// The last version of the table that is known.
        version: u64,
    },
}

/// Does something at a table: plays, forfeits, ties, goes on to the next round, leaves.
///
/// The same action may be sent again as often as one likes: it is done once and answered the same.
#[utoipa::path(post, path = "/api/tables/{id}/actions", tag = "tables", security((), ("token" = [])),
    params(("id" = String, Path, description = "The id of the table")),
    request_body(content = Described, description = "An action"),
    responses((status = 200, description = "Where it is in the log", body = Object,
            example = json!({"version": 4})),
        (status = "4XX", description = "Why not", body = crate::problem::Document, content_type = "application/problem+json")))]
pub(crate) async fn act(
    State(app): State<Arc<App>>,
    Named(id): Named,
    _: SameSite,
    Bearer(token): Bearer,
    body: Result<Said<Action>, Problem>,
) -> Result<Json<Accepted>, Problem> {
    let Said(action) = body?;
    let outcome = submit(&app.house, id, token, action).await?;
    Ok(Json(outcome.map_err(|refusal| if token.is_none() { hinted(refusal) } else { refusal })?))
}

/// Who shows no token may have forgotten it.
fn hinted(refused: Refusal) -> Refusal {
    if *refused.code() != NO_SEAT {
        return refused;
    }
    let message = refused.message();
    let why = format!("{message}: send its token in the header Authorization: Bearer TOKEN");
    let reasons = std::iter::once(Reason::new(NO_SEAT, why));
    let reasons = reasons.chain(refused.reasons().skip(1).cloned());
    Refusal::unless_none(reasons).expect_err("there is a reason")
}
