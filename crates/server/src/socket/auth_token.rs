//! The token that a client sends once for all its channels.

use axum::http::HeaderMap;
use axum::http::header::SEC_WEBSOCKET_PROTOCOL;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use table::Token;

/// The subprotocol that a client requests together with a token; browsers expect it in the response.
pub(crate) const PROTOCOL: &str = "phoenix";

/// The prefix of the subprotocol that carries the token.
const PREFIX: &str = "base64url.bearer.phx.";

/// The client sent something that is not a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InvalidToken;

/// The `authToken` of the phoenix client, if it sends one: as a subprotocol of a WebSocket, or in a
/// header of a long poll.
pub(crate) fn auth_token(headers: &HeaderMap) -> Result<Option<Token>, InvalidToken> {
    let header = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let protocols = header(SEC_WEBSOCKET_PROTOCOL.as_str()).unwrap_or_default();
    let encoded = protocols.split(',').find_map(|protocol| protocol.trim().strip_prefix(PREFIX));
    let text = match (encoded, header("x-phoenix-authtoken")) {
        (Some(encoded), _) => decoded(encoded).ok_or(InvalidToken)?,
        (None, Some(text)) => text.to_owned(),
        (None, None) => return Ok(None),
    };
    text.parse().map(Some).map_err(|_error| InvalidToken)
}

/// The phoenix client names base64url, but uses the standard alphabet.
fn decoded(encoded: &str) -> Option<String> {
    let bytes = URL_SAFE_NO_PAD.decode(encoded).or_else(|_| STANDARD_NO_PAD.decode(encoded));
    String::from_utf8(bytes.ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "0f0e0d0c0b0a09080706050403020100";

    fn check(name: &'static str, value: &str, expected: Result<Option<&str>, InvalidToken>) {
        let mut headers = HeaderMap::new();
        headers.insert(name, value.parse().unwrap());
        let found = auth_token(&headers).map(|token| token.map(|token| token.reveal()));
        assert_eq!(found, expected.map(|token| token.map(str::to_owned)), "{name}: {value}");
    }

    #[test]
    fn a_token_is_a_subprotocol_or_a_header() {
        let protocols = format!("phoenix, {PREFIX}{}", STANDARD_NO_PAD.encode(TOKEN));
        check("sec-websocket-protocol", &protocols, Ok(Some(TOKEN)));
        check("x-phoenix-authtoken", TOKEN, Ok(Some(TOKEN)));
        check("sec-websocket-protocol", "phoenix", Ok(None));
        check("accept", "text/html", Ok(None));
    }

    #[test]
    fn an_invalid_token_is_refused() {
        check("x-phoenix-authtoken", "moon", Err(InvalidToken));
        check("sec-websocket-protocol", &format!("phoenix, {PREFIX}!"), Err(InvalidToken));
        check("sec-websocket-protocol", &format!("phoenix, {PREFIX}bW9vbg"), Err(InvalidToken));
    }
}
