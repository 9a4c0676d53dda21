//! Which table a request is about.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

use crate::TableId;
use crate::app::App;
use crate::problem::Problem;

/// The table that the path names by its id. What is no id names none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named(pub(crate) TableId);

impl FromRequestParts<Arc<App>> for Named {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let id = Path::<String>::from_request_parts(parts, app).await.ok();
        let id = id.and_then(|Path(id)| id.parse().ok());
        id.map(Self).ok_or_else(Problem::no_table)
    }
}
