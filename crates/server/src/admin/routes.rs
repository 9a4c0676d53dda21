//! The routes of the admin listener.

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use table::wire::codes;

use super::guard::require_token;
use super::journal;
use crate::access_log::record_route;
use crate::api::operations;
use crate::app::App;
use crate::middleware::handle_admin_request;
use crate::problem::Problem;
use crate::refusals::refusal;

/// The routes for operators. All of them need the token, except those that say whether the server is
/// alive and ready.
pub(crate) fn admin_router(app: Arc<App>) -> Router {
    let guarded = Router::new()
        .route("/metrics", get(operations::metrics))
        .merge(journal::routes())
        .fallback(async || {
            Problem::from(refusal(codes::NOT_FOUND, "There is nothing at this path"))
        })
        .layer(from_fn_with_state(Arc::clone(&app), require_token));
    let open = Router::new()
        .route("/healthz", get(operations::health))
        .route("/readyz", get(operations::ready));
    let middleware = from_fn_with_state(Arc::clone(&app), handle_admin_request);
    // Around the router and not inside, because it completes the router's answer to a wrong method.
    let routes = guarded.merge(open).route_layer(from_fn(record_route)).with_state(app);
    Router::new().fallback_service(routes).layer(middleware)
}
