//! For who runs the server.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;

use crate::app::App;

/// Says that the process is alive.
#[utoipa::path(get, path = "/healthz", tag = "operations", responses((status = 200, description = "It is so", body = String)))]
pub(crate) async fn health() -> &'static str {
    "ok\n"
}

/// Says whether moves can be made: whether the journal can write and the server does not stop.
#[utoipa::path(get, path = "/readyz", tag = "operations",
    responses((status = 200, description = "It is so", body = String), (status = 503, description = "Not now, and why", body = String)))]
pub(crate) async fn ready(State(app): State<Arc<App>>) -> (StatusCode, String) {
    if *app.shutdown.borrow() {
        return (StatusCode::SERVICE_UNAVAILABLE, "The server stops\n".to_owned());
    }
    match app.house.journal.is_ready().await {
        Ok(()) => (StatusCode::OK, "ready\n".to_owned()),
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")),
    }
}

/// What is counted and measured, for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "operations", responses((status = 200, description = "It is so", body = String)))]
pub(crate) async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], app.house.metrics.text())
}
