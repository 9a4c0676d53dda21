//! The guard of the admin listener: requests must show the token.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use table::wire::codes;

use crate::app::App;
use crate::problem::Problem;
use crate::refusals::refusal;

/// Refuses a request that does not show the admin token.
pub(super) async fn require_token(
    State(app): State<Arc<App>>,
    request: Request,
    next: Next,
) -> Response {
    let config = app.config();
    let shown = bearer(request.headers());
    let is_known =
        config.admin_token.as_ref().zip(shown).is_some_and(|(token, shown)| token.is(shown));
    if is_known { next.run(request).await } else { unauthorized() }
}

/// The token in `Authorization: Bearer`. The name of the scheme may be in any case.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn unauthorized() -> Response {
    let why = "Send the admin token as Authorization: Bearer and the line in the token's file";
    let mut response = Problem::from(refusal(codes::BAD_TOKEN, why)).into_response();
    let scheme = HeaderValue::from_static("Bearer");
    response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
    response
}
