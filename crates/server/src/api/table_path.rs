//! The table in the path of a request.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

use crate::TableId;
use crate::app::App;
use crate::problem::Problem;

/// The id of the table in the path of a request. A malformed id is answered like an unknown one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TablePath(pub(crate) TableId);

impl FromRequestParts<Arc<App>> for TablePath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let id = Path::<String>::from_request_parts(parts, app).await.ok();
        let id = id.and_then(|Path(id)| id.parse().ok());
        id.map(Self).ok_or_else(Problem::no_table)
    }
}
