//! Doing something at a table.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use game::{Reason, Refusal};
use table::Action;
use table::codes::NO_SEAT;
use table::wire::Accepted;

use super::bearer::{Bearer, SameSite};
use super::named::Named;
use super::said::Said;
use super::seats::submit;
use crate::app::App;
use crate::problem::Problem;

/// Does something at a table: plays, forfeits, ties, goes on to the next round, leaves.
///
/// The same action may be sent again as often as one likes: it is done once and answered the same.
#[utoipa::path(post, path = "/api/tables/{id}/actions", tag = "tables",
    params(("id" = String, Path, description = "The id of the table")),
    request_body(content = Object, description = "An action, as in docs/protocol.md",
        example = json!({"id": "curl:1", "action": "play", "round": 1, "ply": 0, "move": "b2"})),
    responses((status = 200, description = "Where it is in the log", body = Object,
            example = json!({"version": 4})),
        (status = "4XX", description = "Why not", body = crate::problem::Document)))]
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
