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

/// The digest of the token of a request, if it has one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bearer(pub(crate) Option<Digest>);

impl FromRequestParts<Arc<App>> for Bearer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let OfferedToken(token) = OfferedToken::from_request_parts(parts, app).await?;
        Ok(Self(token.as_ref().map(Token::digest)))
    }
}

/// The token of a request, if it has one: `Authorization: Bearer` and 32 hexadecimal digits. A client that
/// takes a seat offers it for that seat.
#[derive(Clone, Debug)]
pub(crate) struct OfferedToken(pub(crate) Option<Token>);

impl FromRequestParts<Arc<App>> for OfferedToken {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Self, Problem> {
        let Some(header) = parts.headers.get(header::AUTHORIZATION) else { return Ok(Self(None)) };
        match header.to_str().ok().and_then(bearer_token).map(str::parse::<Token>) {
            Some(Ok(token)) => Ok(Self(Some(token))),
            _ => Err(bad_token()),
        }
    }
}

impl OfferedToken {
    /// The token for a seat: that of the body or that of the header.
    pub(crate) fn or_in(self, body: Option<Token>) -> Result<Option<Token>, Problem> {
        match (self.0, body) {
            (Some(header), Some(body)) if header.digest() != body.digest() => {
                let why =
                    "The body has another token than the header Authorization: send one of them";
                Err(Problem::bad_request(why))
            }
            (header, body) => Ok(body.or(header)),
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
