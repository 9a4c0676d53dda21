//! The token and the origin of a request.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use table::{Digest, Token};

use table::wire::codes;

use crate::app::App;
use crate::problem::Problem;
use crate::refusals::refusal;

/// The digest of the token of a request, if it has one: `Authorization: Bearer` and 32 hexadecimal
/// digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bearer(pub(crate) Option<Digest>);

impl FromRequestParts<Arc<App>> for Bearer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Self, Problem> {
        let Some(header) = parts.headers.get(header::AUTHORIZATION) else { return Ok(Self(None)) };
        match header.to_str().ok().and_then(bearer_token).map(str::parse::<Token>) {
            Some(Ok(token)) => Ok(Self(Some(token.digest()))),
            _ => Err(bad_token()),
        }
    }
}

/// The token of a header; the name of a scheme may have any case.
fn bearer_token(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn bad_token() -> Problem {
    let why = "Send the token as Authorization: Bearer and 32 hexadecimal digits";
    Problem::from(refusal(codes::BAD_TOKEN, why))
}

/// A request that is meant for this server, and does not come from a page of another site.
pub(crate) struct SameOrigin;

impl FromRequestParts<Arc<App>> for SameOrigin {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        app.check_site(&parts.headers, &parts.uri)?;
        Ok(Self)
    }
}
