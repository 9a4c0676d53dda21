//! Health, readiness and metrics, for operators.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::IntoResponse;
use table::wire::codes;

use crate::app::App;
use crate::phase::ServingPhase;
use crate::problem::Problem;
use crate::refusals::refusal;

/// Answers as long as the process is alive.
#[utoipa::path(get, path = "/healthz", operation_id = "health", tag = "operations", responses((status = 200, description = "The process is alive", body = String)))]
pub(crate) async fn health() -> &'static str {
    "ok\n"
}

/// Answers whether moves can be made: the journal can write, there is room for another table, and the
/// server is not shutting down.
#[utoipa::path(get, path = "/readyz", operation_id = "ready", tag = "operations",
    responses((status = 200, description = "Moves can be made", body = String), (status = 503, description = "Moves cannot be made, and why", body = String)))]
pub(crate) async fn ready(State(app): State<Arc<App>>) -> (StatusCode, String) {
    if app.phase.now() != ServingPhase::Serving {
        return (StatusCode::SERVICE_UNAVAILABLE, "The server is shutting down\n".to_owned());
    }
    if app.tables.are_full() {
        let limit = app.tables.limits().live_tables;
        let why = format!("No more tables fit into memory: the limit live_tables is {limit}\n");
        return (StatusCode::SERVICE_UNAVAILABLE, why);
    }
    match app.tables.journal.is_ready().await {
        Ok(()) => (StatusCode::OK, "ready\n".to_owned()),
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")),
    }
}

/// Metrics, for Prometheus. Only programs on the same machine may read them here, and only if there is
/// no admin listener.
#[utoipa::path(get, path = "/metrics", operation_id = "metrics", tag = "operations",
    responses((status = 200, description = "Metrics in the OpenMetrics text format", content_type = "application/openmetrics-text", body = String),
        (status = "4XX", description = "They are read elsewhere, or the admin token is missing")))]
pub(crate) async fn public_metrics(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<impl IntoResponse, Problem> {
    // Behind a proxy every client has an address of this machine, also if nobody has told the server.
    let is_forwarded = app.is_behind_proxy
        || ["forwarded", "x-forwarded-for", "via"].iter().any(|name| headers.contains_key(*name));
    if app.has_admin {
        let why = "Metrics are read on the admin listener of this server: its address is the one in \
                   the option --admin or the setting admin";
        return Err(refusal(codes::NOT_FOUND, why).into());
    }
    if is_forwarded || !peer.ip().to_canonical().is_loopback() {
        let why = "Metrics are read on the admin listener: start the server with --admin";
        return Err(refusal(codes::NOT_FOUND, why).into());
    }
    // A browser on this machine may show a page whose name leads here.
    app.check_site(&headers, &uri)?;
    Ok(metrics(State(app)).await)
}

/// Metrics, for operators.
pub(crate) async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let tables = Arc::clone(&app.tables);
    let waiting = i64::try_from(tables.journal.waiting()).unwrap_or(i64::MAX);
    tables.metrics.journal_requests.set(waiting);
    // It reads what the system knows about the process.
    let text = tokio::task::spawn_blocking(move || tables.metrics.text()).await;
    let text = text.unwrap_or_default();
    ([(header::CONTENT_TYPE, kind)], text)
}
