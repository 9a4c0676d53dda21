//! Health, readiness and metrics, for operators.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;

use crate::app::App;

/// Answers as long as the process is alive.
#[utoipa::path(get, path = "/healthz", tag = "operations", responses((status = 200, description = "The process is alive", body = String)))]
pub(crate) async fn health() -> &'static str {
    "ok\n"
}

/// Answers whether moves can be made: the journal can write, there is room for another table, and the
/// server is not shutting down.
#[utoipa::path(get, path = "/readyz", tag = "operations",
    responses((status = 200, description = "Moves can be made", body = String), (status = 503, description = "Moves cannot be made, and why", body = String)))]
pub(crate) async fn ready(State(app): State<Arc<App>>) -> (StatusCode, String) {
    if *app.shutdown.borrow() {
        return (StatusCode::SERVICE_UNAVAILABLE, "The server is shutting down\n".to_owned());
    }
    if app.tables.are_full() {
        let limit = app.tables.limits.live_tables;
        let why = format!("No more tables fit into memory: the limit live_tables is {limit}\n");
        return (StatusCode::SERVICE_UNAVAILABLE, why);
    }
    match app.tables.journal.is_ready().await {
        Ok(()) => (StatusCode::OK, "ready\n".to_owned()),
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")),
    }
}

/// Metrics, for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "operations", responses((status = 200, description = "Metrics in the OpenMetrics text format", body = String)))]
pub(crate) async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], app.tables.metrics.text())
}
