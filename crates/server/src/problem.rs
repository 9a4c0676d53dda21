//! Errors as problem documents (RFC 9457).

use std::error::Error;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use game::{Code, Refusal};
use serde::Serialize;

use table::wire::codes;

use crate::journal::JournalError;
use crate::rate_limits::RetryAfter;
use crate::refusals::{refusal, too_many};

/// An error response: a refusal with its HTTP status.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    refusal: Refusal,
    /// The value of `Retry-After`, for statuses that have it.
    retry_after: u64,
}

/// A problem document.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemBody {
    /// Always `about:blank`: the `code` tells problems apart.
    r#type: &'static str,
    /// The name of the HTTP status.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// One sentence for people: what happened and what to do.
    detail: String,
    /// A code for programs. Of requests: `bad_request`, `bad_token`, `no_table`, `not_found`,
    /// `not_allowed`, `foreign`, `unknown_host`, `too_many`, `unavailable`, `set_aside`, `no_own_rules` and
    /// `bad_rules`. Of tables:
    /// `table_full`, `no_such_seat`, `seat_taken`, `not_joined`, `no_seat`, `stale`, `early`, `busy`, `already_here`, `already_away`,
    /// `not_over`, `no_takeback`, `already_asked`, `not_asked`, `not_absent`, `not_offered`, `ended`,
    /// `id_taken` and `worn_out`. Of games: `game_over`, `not_your_turn`, `already_taken`,
    /// `out_of_bounds`, `incorrect_player_symbol`, `incomplete`, `illegal_move`, `broken_rules`, and
    /// those of particular games. `early`, `busy`, `unavailable`, `too_many` and `set_aside` decide
    /// nothing: the same action may be sent again.
    code: String,
    /// All reasons, with the b-threads behind them.
    refusal: Refusal,
}

impl Problem {
    pub(crate) fn bad_request(why: impl Into<String>) -> Self {
        Self::from(refusal(codes::BAD_REQUEST, why))
    }

    pub(crate) fn no_table() -> Self {
        Self::from(refusal(codes::NO_TABLE, "There is no such table"))
    }

    pub(crate) fn unavailable() -> Self {
        let why = "The server does not know yet what came of this: send it again";
        Self::from(refusal(codes::UNAVAILABLE, why))
    }

    /// The client exceeds a rate.
    pub(crate) fn too_many(why: &str, retry: RetryAfter) -> Self {
        Self { retry_after: retry.seconds(), ..Self::from(too_many(why, retry)) }
    }

    /// The same problem with another HTTP status.
    pub(crate) fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }
}

/// The HTTP status of a refusal.
fn status(code: &Code) -> StatusCode {
    let known = [
        (codes::NO_TABLE, StatusCode::NOT_FOUND),
        (codes::NOT_FOUND, StatusCode::NOT_FOUND),
        (codes::BAD_TOKEN, StatusCode::UNAUTHORIZED),
        (codes::NO_SEAT, StatusCode::FORBIDDEN),
        (codes::NO_OWN_RULES, StatusCode::FORBIDDEN),
        (codes::BAD_RULES, StatusCode::UNPROCESSABLE_ENTITY),
        (codes::BAD_REQUEST, StatusCode::BAD_REQUEST),
        (codes::NO_SUCH_SEAT, StatusCode::BAD_REQUEST),
        (codes::NOT_ALLOWED, StatusCode::METHOD_NOT_ALLOWED),
        (codes::FOREIGN, StatusCode::FORBIDDEN),
        (codes::UNKNOWN_HOST, StatusCode::MISDIRECTED_REQUEST),
        (codes::TOO_MANY, StatusCode::TOO_MANY_REQUESTS),
        (codes::UNAVAILABLE, StatusCode::SERVICE_UNAVAILABLE),
        (codes::SET_ASIDE, StatusCode::SERVICE_UNAVAILABLE),
        (codes::BUSY, StatusCode::SERVICE_UNAVAILABLE),
    ];
    let found = known.into_iter().find(|(known, _)| known == code);
    found.map_or(StatusCode::CONFLICT, |(_, status)| status)
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self { status: status(refusal.code()), refusal, retry_after: 1 }
    }
}

impl From<JournalError> for Problem {
    fn from(error: JournalError) -> Self {
        tracing::warn!(%error, "the journal failed");
        Self::from(refusal(
            codes::UNAVAILABLE,
            "The server cannot read or write its journal. Nothing has changed: try again",
        ))
    }
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Self {
        let why = match &rejection {
            JsonRejection::JsonDataError(error) => without_position(&cause(error)),
            JsonRejection::JsonSyntaxError(error) => {
                format!("The body is not JSON: {}", cause(error))
            }
            JsonRejection::MissingJsonContentType(_) => {
                "Send JSON, with the header Content-Type: application/json".to_owned()
            }
            _ => "The body did not arrive: send it again".to_owned(),
        };
        Self::bad_request(why).with_status(rejection.status())
    }
}

/// The cause of an error of axum, without axum's own prefix.
pub(crate) fn cause(error: &dyn Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

/// The error without its line and column: it names the field, which is easier to find.
fn without_position(error: &str) -> String {
    let error = error.rsplit_once(" at line ").map_or(error, |(error, _)| error);
    let missing = |(before, name): (&str, &str)| {
        let name = name.strip_suffix('`')?;
        Some(format!("{before}{name}: this field is missing"))
    };
    let unknown = |(_, rest): (&str, &str)| {
        let (name, expected) = rest.split_once("`, expected ")?;
        let known = expected.trim_start_matches("one of ").replace('`', "");
        Some(format!("{name}: there is no such field. The fields are {known}"))
    };
    let missing = || error.split_once("missing field `").and_then(missing);
    let unknown = || error.split_once("unknown field `").and_then(unknown);
    missing().or_else(unknown).unwrap_or_else(|| error.to_owned())
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let Self { status, refusal, retry_after } = self;
        let document = ProblemBody {
            r#type: "about:blank",
            title: status.canonical_reason().unwrap_or("Refused"),
            status: status.as_u16(),
            detail: refusal.message().to_owned(),
            code: refusal.code().as_str().to_owned(),
            refusal,
        };
        let mut response = (status, Json(document)).into_response();
        let kind = header::HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        if status == StatusCode::TOO_MANY_REQUESTS || status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, retry_after.into());
        }
        response
    }
}
