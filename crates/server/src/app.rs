//! The routes, and the shared state of their handlers.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{any, get, post};
use tokio::sync::watch;
use tokio_util::task::TaskTracker;

use crate::api;
use crate::code_guesses::{CodeGuesses, GuessCost};
use crate::config::Config;
use crate::middleware::handle_request;
use crate::page::{self, Page};
use crate::pairing::Pairing;
use crate::problem::Problem;
use crate::rate_limits::{AddressBuckets, Rate};
use crate::socket::longpoll::{self, PollSessions};
use crate::socket::websocket;
use crate::tables::Tables;

/// The shared state of all handlers.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) tables: Arc<Tables>,
    pub(crate) origins: Vec<String>,
    pub(crate) is_behind_proxy: bool,
    /// Open WebSockets and long polls.
    pub(crate) sockets: TaskTracker,
    /// Becomes true when the server shuts down.
    pub(crate) shutdown: watch::Receiver<bool>,
    pub(crate) sessions: PollSessions,
    pub(crate) pairing: Pairing,
    pub(crate) requests: AddressBuckets,
    creations: AddressBuckets,
    analyses: AddressBuckets,
    pub(crate) code_guesses: CodeGuesses,
    /// The page for players, if there is one.
    pub(crate) page: Option<Arc<Page>>,
    next_request: AtomicU64,
}

impl App {
    pub(crate) fn new(
        tables: Arc<Tables>,
        page: Option<Arc<Page>>,
        config: &Config,
        shutdown: watch::Receiver<bool>,
    ) -> Self {
        let limits = &tables.limits;
        let requests = Rate::per_second(limits.requests_per_second, limits.requests_at_once);
        let creations = Rate::per_minute(limits.tables_per_minute, limits.tables_at_once);
        let analyses = Rate::per_minute(limits.analyses_per_minute, limits.analyses_at_once);
        Self {
            origins: config.origins.clone(),
            is_behind_proxy: config.is_behind_proxy,
            sockets: TaskTracker::new(),
            shutdown,
            sessions: PollSessions::default(),
            pairing: Pairing::default(),
            requests: AddressBuckets::new(requests, limits.addresses),
            creations: AddressBuckets::new(creations, limits.addresses),
            analyses: AddressBuckets::new(analyses, limits.addresses),
            code_guesses: CodeGuesses::new(limits, tables.monotonic()),
            page,
            next_request: AtomicU64::new(0),
            tables,
        }
    }

    /// Counts a new table of an address, or refuses it.
    pub(crate) fn may_create(&self, address: IpAddr) -> Result<(), Problem> {
        self.creations.take(address, self.tables.monotonic()).map_err(|retry| {
            self.tables.metrics.limited("tables_per_minute");
            Problem::too_many("Too many tables are created from your address", retry)
        })
    }

    /// Counts an explanation for an address, or refuses it.
    pub(crate) fn may_analyze(&self, address: IpAddr) -> Result<(), Problem> {
        self.analyses.take(address, self.tables.monotonic()).map_err(|retry| {
            self.tables.metrics.limited("analyses_per_minute");
            Problem::too_many("Too many explanations are requested from your address", retry)
        })
    }

    /// Counts a guess of a code for an address as if it were wrong, or refuses it.
    pub(crate) fn may_guess(&self, address: IpAddr) -> Result<GuessCost, Problem> {
        self.code_guesses.pay(address, self.tables.monotonic()).map_err(|retry| {
            self.tables.metrics.limited("code_misses_per_hour");
            let why = "Too many wrong codes were tried. Ask for the link of the table instead";
            Problem::too_many(why, retry)
        })
    }

    /// A number that no other request has.
    pub(crate) fn next_request(&self) -> u64 {
        self.next_request.fetch_add(1, Ordering::Relaxed)
    }
}

/// All routes.
pub(crate) fn router(app: Arc<App>) -> Router {
    let body_bytes = app.tables.limits.frame_bytes as usize;
    // The body of a long poll holds several frames.
    let polls = Router::new()
        .route("/socket/longpoll", get(longpoll::get).post(longpoll::post))
        .layer(DefaultBodyLimit::max(channels::FrameLimits::DEFAULT.body_bytes as usize));
    let rest = Router::new()
        .route("/", get(page::home))
        .route("/assets/{*name}", get(page::asset))
        .route("/style.css", get(page::style))
        .route("/api/games", get(api::games::list))
        .route("/api/tables", get(api::tables::list).post(api::tables::create))
        .route("/api/tables/{id}", get(api::tables::view))
        .route("/api/tables/{id}/seats", post(api::seats::join))
        .route("/api/tables/{id}/actions", post(api::actions::act))
        .route("/api/tables/{id}/log", get(api::log::read))
        .route("/api/tables/{id}/stream", get(api::stream::stream))
        .route("/api/tables/{id}/analysis", get(api::analysis::analyze))
        .route("/api/pair", post(api::pair::pair))
        .route("/api/tables/{id}/code", post(api::codes::renew))
        .route("/api/codes", post(api::codes::find))
        .route("/api/openapi.json", get(api::docs::openapi))
        .route("/api/docs", get(api::docs::page))
        .route("/healthz", get(api::operations::health))
        .route("/readyz", get(api::operations::ready))
        .route("/metrics", get(api::operations::metrics))
        .route("/socket/websocket", any(websocket::upgrade))
        .fallback(page::not_found)
        .merge(page::table_routes())
        .layer(DefaultBodyLimit::max(body_bytes));
    let middleware = axum::middleware::from_fn_with_state(Arc::clone(&app), handle_request);
    // Around the router and not inside, because it completes the router's answer to a wrong method.
    let routes = rest.merge(polls).with_state(app);
    Router::new().fallback_service(routes).layer(middleware)
}
