//! The rules of a table that are written as text.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use table::EntryBody;
use table::wire::{TableRules, codes};

use super::table_path::TablePath;
use crate::RulesDigest;
use crate::app::App;
use crate::problem::Problem;
use crate::refusals::refusal;

/// Returns the rules of a table that are written as text.
///
/// Everybody who knows the table may read them, also before sitting down.
#[utoipa::path(get, path = "/api/tables/{id}/rules", operation_id = "read_rules", tag = "tables",
    params(("id" = String, Path, description = "The id of the table")),
    responses((status = 200, description = "The rules", body = TableRules),
        (status = 404, description = "There is no such table, or its rules are not written as text")))]
pub(crate) async fn read(
    State(app): State<Arc<App>>,
    TablePath(id): TablePath,
) -> Result<Json<TableRules>, Problem> {
    let journal = &app.tables.journal;
    let first = journal.read(id, 0, 1).await?.entries.into_iter().next();
    let Some(EntryBody::Created { game, options, .. }) = first.map(|entry| entry.body) else {
        return Err(Problem::no_table());
    };
    let Some(digest) = RulesDigest::named_by(&game) else {
        let why = "The rules of this game are not written as text";
        return Err(refusal(codes::NOT_FOUND, why).into());
    };
    let text = journal.rules(digest).await?.ok_or_else(Problem::unavailable)?;
    Ok(Json(TableRules { game, own_rules: options.own_rules, text }))
}
