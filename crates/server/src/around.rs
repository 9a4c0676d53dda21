//! What happens around every request.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::{Instant, timeout};
use tracing::Instrument;

use crate::app::App;
use crate::client_address::ClientAddress;
use crate::problem::Problem;
use crate::request::{codes, refusal};

/// What a page may load and do: what comes from here, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; manifest-src 'self'; \
                      worker-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// Numbers a request, holds it to its limits, and sets the headers that every answer has.
pub(crate) async fn around(
    State(app): State<Arc<App>>,
    ClientAddress(address): ClientAddress,
    request: Request,
    next: Next,
) -> Response {
    let number = app.next_request();
    // The query is left out: Phoenix puts the token of a long poll into it.
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let span = tracing::info_span!("request", number, %method, path = redacted(&path));
    let begun = Instant::now();
    let taken = app.requests.take(address, app.house.monotonic());
    let mut response = if let Err(not_yet) = taken {
        app.house.metrics.limited("requests_per_second");
        refused(&path, Problem::too_many("Too many requests come from your address", not_yet))
    } else {
        let patience = Duration::from_millis(app.house.limits.request_timeout.into());
        if let Ok(response) = timeout(patience, next.run(request)).instrument(span.clone()).await {
            allowed(&path, response)
        } else {
            app.house.metrics.limited("request_timeout");
            let why = "The server took too long; it is not known what came of this: ask again";
            refused(&path, refusal(codes::UNAVAILABLE, why))
        }
    };
    let status = response.status().as_u16();
    app.house.metrics.answered(status);
    let micros = begun.elapsed().as_micros();
    span.in_scope(|| tracing::debug!(status, micros, "answered"));
    finish(&mut response, number);
    response
}

/// The router says with what methods a path can be asked for, but not in words.
fn allowed(path: &str, response: Response) -> Response {
    if response.status() != StatusCode::METHOD_NOT_ALLOWED {
        return response;
    }
    let Some(allow) = response.headers().get(header::ALLOW) else { return response };
    let methods = allow.to_str().unwrap_or_default().replace(',', " or ");
    let why = format!("This cannot be asked for in this way: use {methods}");
    let mut problem = refused(path, refusal(codes::NOT_ALLOWED, why));
    problem.headers_mut().insert(header::ALLOW, allow.clone());
    problem
}

/// A problem; for a long poll it has no body. The phoenix client takes the number in a body for that of
/// a poll, does not know this one and never asks again; without a body it tries again by itself.
fn refused(path: &str, why: impl Into<Problem>) -> Response {
    let mut response = why.into().into_response();
    if path == "/socket/longpoll" {
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(header::CONTENT_TYPE);
        response.headers_mut().remove(header::CONTENT_LENGTH);
    }
    response
}

/// The ids of tables are secrets of a kind: who knows one may watch.
fn redacted(path: &str) -> String {
    let parts = path.split('/').map(|part| if part.len() == 22 { "…" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

fn finish(response: &mut Response, number: u64) {
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("x-request-id", HeaderValue::from(number));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}
