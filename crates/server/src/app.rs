//! What all requests share, and which requests there are.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{any, get, post};
use tokio::sync::{OnceCell, watch};
use tokio_util::task::TaskTracker;

use crate::api::{self, games::Known};
use crate::around::around;
use crate::buckets::{AddressBuckets, Rate};
use crate::config::Config;
use crate::house::House;
use crate::page::{self, Page, built_in};
use crate::pairing::Pairing;
use crate::problem::Problem;
use crate::socket::longpoll::{self, Sessions};
use crate::socket::websocket;

/// What all requests share.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) house: Arc<House>,
    pub(crate) origins: Vec<String>,
    pub(crate) is_behind_proxy: bool,
    /// `WebSockets` and long polls that are open.
    pub(crate) sockets: TaskTracker,
    /// Changes when the server stops.
    pub(crate) shutdown: watch::Receiver<bool>,
    pub(crate) sessions: Sessions,
    pub(crate) pairing: Pairing,
    pub(crate) requests: AddressBuckets,
    creations: AddressBuckets,
    /// What can be played here, once somebody has asked.
    pub(crate) games: OnceCell<Vec<Known>>,
    /// The page for players, if there is one.
    pub(crate) page: Option<Arc<Page>>,
    answered: AtomicU64,
}

impl App {
    pub(crate) fn new(
        house: Arc<House>,
        page: Option<Arc<Page>>,
        config: &Config,
        shutdown: watch::Receiver<bool>,
    ) -> Self {
        let limits = &house.limits;
        let requests = Rate::per_second(limits.requests_per_second, limits.requests_at_once);
        let creations = Rate::per_minute(limits.tables_per_minute, limits.tables_at_once);
        Self {
            origins: config.origins.clone(),
            is_behind_proxy: config.is_behind_proxy,
            sockets: TaskTracker::new(),
            shutdown,
            sessions: Sessions::default(),
            pairing: Pairing::default(),
            requests: AddressBuckets::new(requests, limits.addresses),
            creations: AddressBuckets::new(creations, limits.addresses),
            games: OnceCell::new(),
            page,
            answered: AtomicU64::new(0),
            house,
        }
    }

    /// Whether somebody at this address may create one more table.
    pub(crate) fn may_create(&self, address: IpAddr) -> Result<(), Problem> {
        self.creations.take(address, self.house.monotonic()).map_err(|not_yet| {
            self.house.metrics.limited("tables_per_minute");
            Problem::too_many("Too many tables are created from your address", not_yet)
        })
    }

    /// A number that no other request has.
    pub(crate) fn next_request(&self) -> u64 {
        self.answered.fetch_add(1, Ordering::Relaxed)
    }
}

/// All routes.
pub(crate) fn router(app: Arc<App>) -> Router {
    let most = app.house.limits.frame_bytes as usize;
    // The body of a long poll holds several frames.
    let polls = Router::new()
        .route("/socket/longpoll", get(longpoll::get).post(longpoll::post))
        .layer(DefaultBodyLimit::max(channels::FrameLimits::DEFAULT.body_bytes as usize));
    let rest = Router::new()
        .route("/", get(page::home))
        .route("/assets/{*name}", get(page::asset))
        .route("/style.css", get(built_in::style))
        .route("/api/games", get(api::games::list))
        .route("/api/tables", get(api::tables::list).post(api::tables::create))
        .route("/api/tables/{id}", get(api::tables::look))
        .route("/api/tables/{id}/seats", post(api::seats::join))
        .route("/api/tables/{id}/actions", post(api::actions::act))
        .route("/api/tables/{id}/log", get(api::log::read))
        .route("/api/tables/{id}/stream", get(api::stream::watch))
        .route("/api/pair", post(api::pair::pair))
        .route("/api/codes/{code}", get(api::codes::find))
        .route("/api/openapi.json", get(api::docs::openapi))
        .route("/api/docs", get(api::docs::page))
        .route("/healthz", get(api::operations::health))
        .route("/readyz", get(api::operations::ready))
        .route("/metrics", get(api::operations::metrics))
        .route("/socket/websocket", any(websocket::upgrade))
        .fallback(built_in::nowhere)
        .merge(rooms())
        .layer(DefaultBodyLimit::max(most));
    let around = axum::middleware::from_fn_with_state(Arc::clone(&app), around);
    // Around the router, not within: which methods a path has is only known when it has answered.
    let routes = rest.merge(polls).with_state(app);
    Router::new().fallback_service(routes).layer(around)
}

/// What the page shows, at its own paths.
fn rooms() -> Router<Arc<App>> {
    let mut rooms = Router::new();
    for room in page::ROOMS {
        for below in ["", "/", "/{*rest}"] {
            rooms = rooms.route(&format!("{room}{below}"), get(page::room));
        }
    }
    rooms
}
