//! Middleware for every HTTP request.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Request, State};
use axum::http::{HeaderValue, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::{Instant, timeout};
use tracing::Instrument;

use table::wire::codes;

use crate::access_log::{AccessLine, RouteTemplate, known_method};
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::cors::CorsRequest;
use crate::metrics::RequestLabels;
use crate::problem::Problem;
use crate::refusals::refusal;
use crate::request_form::check_form;
use crate::socket::origin::Site;

/// The content security policy: a page loads and contacts nothing but this server.
macro_rules! policy {
    ($ancestors:literal) => {
        concat!(
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; ",
            "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; ",
            "worker-src 'self'; base-uri 'none'; form-action 'none'; ",
            "frame-ancestors ",
            $ancestors
        )
    };
}

const POLICY: &str = policy!("'none'");

/// The policy of the only paths that pages of other sites may show in a frame. Nothing can be played
/// there, so that nobody can be made to play by a page that lies over it.
pub(crate) const EMBEDDED_POLICY: &str = policy!("*");

/// Browsers that have seen the server encrypted connect to it no other way for half a year.
const STRICT_TRANSPORT: &str = "max-age=15552000";

/// Numbers a request, enforces rate and time limits, and sets the headers that every response has.
pub(crate) async fn handle_request(
    State(app): State<Arc<App>>,
    ClientAddress(address): ClientAddress,
    request: Request,
    next: Next,
) -> Response {
    let allowed = if is_probe(request.uri().path()) { Ok(()) } else { app.may_request(address) };
    let limit = Duration::from_millis(app.tables.limits().request_timeout.into());
    // HTTP/2 has no such header.
    let can_close = request.version() < Version::HTTP_2;
    let must_close = allowed.is_err() && !app.delay_refusal(address).await && can_close;
    let mut response = respond(&app, address, request, next, allowed, limit).await;
    if must_close {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// The time for a request of an operator: compacting a large journal takes minutes.
const OPERATOR_TIME: Duration = Duration::from_hours(1);

/// The same for a request of an operator, whose rate has no limit.
pub(crate) async fn handle_admin_request(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    respond(&app, peer.ip(), request, next, Ok(()), OPERATOR_TIME).await
}

/// Whether a path is that of a probe. Probes of a load balancer come from one address that others may
/// share, and a server that refuses them is taken out of service.
fn is_probe(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz")
}

async fn respond(
    app: &App,
    client: IpAddr,
    mut request: Request,
    next: Next,
    allowed: Result<(), Problem>,
    limit: Duration,
) -> Response {
    let (number, started, limits) = (app.next_request(), Instant::now(), app.tables.limits());
    let (method, route) = (known_method(request.method()), RouteTemplate::default());
    request.extensions_mut().insert(route.clone());
    DefaultBodyLimit::max(limits.frame_bytes as usize).apply(&mut request);
    let path = request.uri().path().to_owned();
    // Neither the path nor the query is logged, because they may hold a secret.
    let span = tracing::info_span!("request", number, method, route = tracing::field::Empty);
    let cors = CorsRequest::of(&request, Site::of(&app.config()));
    let preflight = cors.as_ref().and_then(CorsRequest::preflight);
    let mut response = match (allowed.and_then(|()| check_form(&request)), preflight) {
        (Err(problem), _) => refused(&path, problem),
        (Ok(()), Some(answer)) => answer,
        (Ok(()), None) => {
            if let Ok(response) = timeout(limit, next.run(request)).instrument(span).await {
                explain_method(&path, response)
            } else {
                app.tables.metrics.limited("request_timeout");
                let why = "The server took too long, and the outcome is not known: send it again";
                refused(&path, refusal(codes::UNAVAILABLE, why))
            }
        }
    };
    set_headers(&mut response, number);
    if let Some(cors) = cors {
        cors.set_headers(response.headers_mut());
    }
    if app.has_tls {
        let value = HeaderValue::from_static(STRICT_TRANSPORT);
        response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, value);
    }
    let (status, seconds) = (response.status().as_u16(), started.elapsed().as_secs_f64());
    let class = status_class(status);
    let labels = RequestLabels { method, route: route.as_str().to_owned(), status: class };
    app.tables.metrics.answered(status, &labels, seconds);
    let milliseconds = seconds * 1_000.0;
    AccessLine { number, client, method, route, status, milliseconds }.log(response)
}

const fn status_class(status: u16) -> &'static str {
    match status {
        ..200 => "1xx",
        200..300 => "2xx",
        300..400 => "3xx",
        400..500 => "4xx",
        500.. => "5xx",
    }
}

/// Adds a problem document to the router's answer to a wrong method.
fn explain_method(path: &str, response: Response) -> Response {
    if response.status() != StatusCode::METHOD_NOT_ALLOWED {
        return response;
    }
    let Some(allow) = response.headers().get(header::ALLOW) else { return response };
    let methods = allow.to_str().unwrap_or_default().replace(',', " or ");
    let why = format!("This resource does not support this method: use {methods}");
    let mut problem = refused(path, refusal(codes::NOT_ALLOWED, why));
    problem.headers_mut().insert(header::ALLOW, allow.clone());
    problem
}

/// A problem; for a long poll it has no body. The phoenix client takes the `status` in a body for that
/// of a poll, and never polls again if it does not know it; without a body it retries.
fn refused(path: &str, problem: impl Into<Problem>) -> Response {
    let mut response = problem.into().into_response();
    if path == "/socket/longpoll" {
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(header::CONTENT_TYPE);
        response.headers_mut().remove(header::CONTENT_LENGTH);
    }
    response
}

fn set_headers(response: &mut Response, number: u64) {
    let headers = response.headers_mut();
    let fixed =
        [(header::X_CONTENT_TYPE_OPTIONS, "nosniff"), (header::REFERRER_POLICY, "no-referrer")];
    let framing = [(header::CONTENT_SECURITY_POLICY, POLICY), (header::X_FRAME_OPTIONS, "DENY")];
    let is_embedded = headers.contains_key(header::CONTENT_SECURITY_POLICY);
    for (name, value) in fixed.into_iter().chain(framing.into_iter().filter(|_| !is_embedded)) {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("x-request-id", HeaderValue::from(number));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}
