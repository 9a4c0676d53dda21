//! Errors as problem documents (RFC 9457).

use std::error::Error;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use game::{Code, Refusal};
use serde::Serialize;

use crate::buckets::NotYet;
use crate::journal::JournalError;
use crate::request::{codes, refusal, too_many};

/// Why a request was not granted: the refusal, and what HTTP calls it.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    refusal: Refusal,
    /// After how many seconds it is worth trying again, where it is.
    again: u64,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct Document {
    /// Always `about:blank`: the code says what it is.
    r#type: &'static str,
    /// What HTTP calls it.
    title: &'static str,
    /// The number of HTTP.
    status: u16,
    /// One sentence.
    detail: String,
    /// A word for it.
    code: String,
    /// All reasons, with the b-threads behind them.
    #[schema(value_type = Object)]
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
        let why = "The server does not know yet what came of this: ask again";
        Self::from(refusal(codes::UNAVAILABLE, why))
    }

    /// Somebody wants something too often.
    pub(crate) fn too_many(why: &str, not_yet: NotYet) -> Self {
        Self { again: not_yet.seconds(), ..Self::from(too_many(why, not_yet)) }
    }

    /// The same, where HTTP has another number for it.
    pub(crate) fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }
}

/// What HTTP calls a refusal.
fn status(code: &Code) -> StatusCode {
    let known = [
        (codes::NO_TABLE, StatusCode::NOT_FOUND),
        (codes::NOT_FOUND, StatusCode::NOT_FOUND),
        (codes::BAD_TOKEN, StatusCode::UNAUTHORIZED),
        (table::wire::codes::NO_SEAT, StatusCode::FORBIDDEN),
        (codes::BAD_REQUEST, StatusCode::BAD_REQUEST),
        (codes::NOT_ALLOWED, StatusCode::METHOD_NOT_ALLOWED),
        (codes::FOREIGN, StatusCode::FORBIDDEN),
        (codes::TOO_MANY, StatusCode::TOO_MANY_REQUESTS),
        (codes::UNAVAILABLE, StatusCode::SERVICE_UNAVAILABLE),
        (codes::SET_ASIDE, StatusCode::SERVICE_UNAVAILABLE),
        (table::wire::codes::BUSY, StatusCode::SERVICE_UNAVAILABLE),
    ];
    let found = known.into_iter().find(|(known, _)| known == code);
    found.map_or(StatusCode::CONFLICT, |(_, status)| status)
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self { status: status(refusal.code()), refusal, again: 1 }
    }
}

impl From<JournalError> for Problem {
    fn from(error: JournalError) -> Self {
        tracing::warn!(%error, "the journal did not answer");
        Self::from(refusal(codes::UNAVAILABLE, "The server cannot read or write now: try again"))
    }
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Self {
        let why = match &rejection {
            JsonRejection::JsonDataError(error) => field(&beneath(error)),
            JsonRejection::JsonSyntaxError(error) => {
                format!("The body is no JSON: {}", beneath(error))
            }
            JsonRejection::MissingJsonContentType(_) => {
                "Send JSON, with the header Content-Type: application/json".to_owned()
            }
            _ => "The body did not arrive: send it again".to_owned(),
        };
        Self::bad_request(why).with_status(rejection.status())
    }
}

/// What an error of the library is about, without what the library says of itself.
pub(crate) fn beneath(error: &dyn Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

/// What is wrong with a field: its name says where that is, better than a line and a column.
fn field(error: &str) -> String {
    let error = error.rsplit_once(" at line ").map_or(error, |(error, _)| error);
    let missing = |(before, name): (&str, &str)| {
        let name = name.strip_suffix('`')?;
        Some(format!("{before}{name}: this field is missing"))
    };
    error.split_once("missing field `").and_then(missing).unwrap_or_else(|| error.to_owned())
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let Self { status, refusal, again } = self;
        let document = Document {
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
            response.headers_mut().insert(header::RETRY_AFTER, again.into());
        }
        response
    }
}
