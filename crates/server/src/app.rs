//! The routes, and the shared state of their handlers.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::from_fn;
use axum::routing::{any, get, post};
use game::Refusal;
use table::wire::codes;
use tokio_util::task::TaskTracker;

use crate::access_log::record_route;
use crate::address_buckets::{AddressBuckets, AddressRate};
use crate::api;
use crate::code_guesses::{CodeGuesses, GuessCost};
use crate::config::Config;
use crate::connection::CountedSocket;
use crate::connection_counts::ConnectionLimits;
use crate::limits::Limits;
use crate::middleware::handle_request;
use crate::page::{self, Page};
use crate::pairing::Pairing;
use crate::phase::{CurrentPhase, ServingPhase};
use crate::problem::Problem;
use crate::rate_limits::{Bucket, Rate};
use crate::refusal_delay::RefusalDelay;
use crate::refusals::refusal;
use crate::serve::Listeners;
use crate::socket::longpoll::{self, PollSessions};
use crate::socket::origin::Site;
use crate::socket::websocket;
use crate::tables::Tables;

/// The shared state of all handlers.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) tables: Arc<Tables>,
    pub(crate) is_behind_proxy: bool,
    /// Whether operators have a listener of their own.
    pub(crate) has_admin: bool,
    /// Whether connections are encrypted.
    pub(crate) has_tls: bool,
    /// Open WebSockets and long polls.
    pub(crate) sockets: TaskTracker,
    pub(crate) phase: CurrentPhase,
    pub(crate) sessions: PollSessions,
    pub(crate) pairing: Pairing,
    requests: AddressBuckets,
    pub(crate) refusals: RefusalDelay,
    messages: AddressBuckets,
    creations: AddressBuckets,
    analyses: AddressBuckets,
    own_rules: AddressBuckets,
    all_own_rules: Mutex<Bucket>,
    pub(crate) code_guesses: CodeGuesses,
    /// The API for programs and for people, written at the first request.
    pub(crate) openapi: OnceLock<Bytes>,
    pub(crate) api_page: OnceLock<Bytes>,
    /// The page for players, if there is one.
    pub(crate) page: Option<Arc<Page>>,
    next_request: AtomicU64,
}

impl App {
    pub(crate) fn new(
        tables: Arc<Tables>,
        page: Option<Arc<Page>>,
        phase: CurrentPhase,
        listeners: &Listeners,
    ) -> Self {
        Self {
            is_behind_proxy: tables.config.get().is_behind_proxy,
            has_admin: listeners.admin.is_some(),
            has_tls: listeners.public.tls.is_some(),
            sockets: TaskTracker::new(),
            phase,
            sessions: PollSessions::default(),
            pairing: Pairing::default(),
            requests: AddressBuckets::default(),
            refusals: RefusalDelay::default(),
            messages: AddressBuckets::default(),
            creations: AddressBuckets::default(),
            analyses: AddressBuckets::default(),
            own_rules: AddressBuckets::default(),
            all_own_rules: Mutex::new(Bucket::full(
                all_own_rules(&tables.limits()),
                tables.monotonic(),
            )),
            code_guesses: CodeGuesses::new(&tables.limits(), tables.monotonic()),
            openapi: OnceLock::new(),
            api_page: OnceLock::new(),
            page,
            next_request: AtomicU64::new(0),
            tables,
        }
    }

    /// Checks that a request is meant for this server, and does not come from a page of another site.
    pub(crate) fn check_site(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), Refusal> {
        Site::of(&self.config()).check(headers, uri)
    }

    /// The configuration at this moment.
    pub(crate) fn config(&self) -> Arc<Config> {
        self.tables.config.get()
    }

    /// Counts a request of an address, or refuses it.
    pub(crate) fn may_request(&self, address: IpAddr) -> Result<(), Problem> {
        let limits = self.tables.limits();
        let rate = Rate::per_second(limits.requests_per_second, limits.requests_at_once);
        let rate = AddressRate { rate, addresses: limits.addresses };
        self.requests.take(address, rate, self.tables.monotonic()).map_err(|retry| {
            self.tables.metrics.limited("requests_per_second");
            Problem::too_many("Too many requests come from your address", retry)
        })
    }

    /// Waits before a request that exceeds the rate of its address is refused. Returns false if too many
    /// wait already: then the connection should end with the refusal, because a new one is looked at later.
    pub(crate) async fn delay_refusal(&self, address: IpAddr) -> bool {
        let Limits { connections, connections_per_address, .. } = self.tables.limits();
        let limits = ConnectionLimits { total: connections, per_address: connections_per_address };
        self.refusals.wait(address, limits).await
    }

    /// Counts messages that an address has sent or was sent; returns how long the connection must rest if
    /// they are too many.
    pub(crate) fn count_messages(&self, address: IpAddr, count: usize) -> Option<Duration> {
        let limits = self.tables.limits();
        let rate = Rate::per_second(limits.messages_per_second, limits.messages_at_once);
        let limit = AddressRate { rate, addresses: limits.addresses };
        let taken = self.messages.take_many(address, count as u64, limit, self.tables.monotonic());
        taken.err().map(|_| {
            self.tables.metrics.limited("messages_per_second");
            self.refusals.next()
        })
    }

    /// Counts a socket or a stream of an address, or refuses it.
    pub(crate) fn may_connect(&self, address: IpAddr) -> Result<CountedSocket, Problem> {
        CountedSocket::new(&self.tables, address).map_err(|limit| {
            self.tables.metrics.limited(limit);
            let why = "Too many connections are open: try again later";
            let problem = Problem::from(refusal(codes::TOO_MANY, why));
            problem.with_status(StatusCode::SERVICE_UNAVAILABLE)
        })
    }

    /// Counts a new table of an address, or refuses it.
    pub(crate) fn may_create(&self, address: IpAddr) -> Result<(), Problem> {
        if self.phase.now() != ServingPhase::Serving {
            let why = "The server is about to restart. No table was created: try again in a moment";
            return Err(refusal(codes::BUSY, why).into());
        }
        let limits = self.tables.limits();
        let rate = Rate::per_minute(limits.tables_per_minute, limits.tables_at_once);
        let rate = AddressRate { rate, addresses: limits.addresses };
        self.creations.take(address, rate, self.tables.monotonic()).map_err(|retry| {
            self.tables.metrics.limited("tables_per_minute");
            Problem::too_many("Too many tables are created from your address", retry)
        })
    }

    /// Counts a table with rules of its own for an address, or refuses it.
    pub(crate) fn may_bring_rules(&self, address: IpAddr) -> Result<(), Problem> {
        let (limits, now) = (self.tables.limits(), self.tables.monotonic());
        if limits.own_rules_per_minute == 0 {
            let why = "This server takes no rules from players: choose one of its games";
            return Err(refusal(codes::NO_OWN_RULES, why).into());
        }
        let rate = Rate::per_minute(limits.own_rules_per_minute, limits.own_rules_at_once);
        let rate = AddressRate { rate, addresses: limits.addresses };
        self.own_rules.take(address, rate, now).map_err(|retry| {
            self.tables.metrics.limited("own_rules_per_minute");
            let why = "Too many tables with rules of their own are created from your address";
            Problem::too_many(why, retry)
        })?;
        let mut all = self.all_own_rules.lock().unwrap_or_else(PoisonError::into_inner);
        all.take(all_own_rules(&limits), now).map_err(|retry| {
            self.tables.metrics.limited("all_own_rules_per_minute");
            Problem::too_many("Too many tables with rules of their own are created", retry)
        })
    }

    /// Counts an explanation for an address, or refuses it.
    pub(crate) fn may_analyze(&self, address: IpAddr) -> Result<(), Problem> {
        let limits = self.tables.limits();
        let rate = Rate::per_minute(limits.analyses_per_minute, limits.analyses_at_once);
        let rate = AddressRate { rate, addresses: limits.addresses };
        self.analyses.take(address, rate, self.tables.monotonic()).map_err(|retry| {
            self.tables.metrics.limited("analyses_per_minute");
            Problem::too_many("Too many explanations are requested from your address", retry)
        })
    }

    /// Counts a guess of a code for an address as if it were wrong, or refuses it.
    pub(crate) fn may_guess(&self, address: IpAddr) -> Result<GuessCost, Problem> {
        self.code_guesses.pay(&self.tables.limits(), address, self.tables.monotonic()).map_err(
            |retry| {
                self.tables.metrics.limited("code_misses_per_hour");
                let why = "Too many wrong codes were tried. Ask for the link of the table instead";
                Problem::too_many(why, retry)
            },
        )
    }

    /// A number that no other request has.
    pub(crate) fn next_request(&self) -> u64 {
        self.next_request.fetch_add(1, Ordering::Relaxed)
    }
}

/// The rate of tables with rules of their own, from all addresses together.
const fn all_own_rules(limits: &Limits) -> Rate {
    Rate::per_minute(limits.all_own_rules_per_minute, limits.all_own_rules_per_minute)
}

/// All routes.
pub(crate) fn router(app: Arc<App>) -> Router {
    // The body of a long poll holds several frames.
    let polls = Router::new()
        .route("/socket/longpoll", get(longpoll::get).post(longpoll::post))
        .layer(DefaultBodyLimit::max(channels::FrameLimits::DEFAULT.body_bytes as usize));
    let rest = Router::new()
        .route("/", get(page::home))
        .route("/assets/{*name}", get(page::asset))
        .route("/style.css", get(page::style))
        .route("/privacy", get(page::privacy))
        .route("/api/games", get(api::games::list))
        .route("/api/tables", get(api::tables::list).post(api::tables::create))
        .route("/api/tables/{id}", get(api::tables::view))
        .route("/api/tables/{id}/seats", post(api::seats::join))
        .route("/api/tables/{id}/actions", post(api::actions::act))
        .route("/api/tables/{id}/log", get(api::log::read))
        .route("/api/tables/{id}/stream", get(api::stream::stream))
        .route("/api/tables/{id}/rules", get(api::rules::read))
        .route("/api/tables/{id}/analysis", get(api::analysis::analyze))
        .route("/api/tables/{id}/b-threads", get(api::b_threads::read))
        .route("/api/pair", post(api::pair::pair))
        .route("/api/tables/{id}/code", post(api::codes::renew))
        .route("/api/codes/{code}", get(api::codes::find))
        .route("/api/openapi.json", get(api::docs::openapi))
        .route("/api/docs", get(api::docs::page))
        .route("/healthz", get(api::operations::health))
        .route("/readyz", get(api::operations::ready))
        .route("/metrics", get(api::operations::public_metrics))
        .route("/socket/websocket", any(websocket::upgrade))
        .fallback(page::not_found)
        .merge(page::document_routes());
    let middleware = axum::middleware::from_fn_with_state(Arc::clone(&app), handle_request);
    // Around the router and not inside, because it completes the router's answer to a wrong method.
    let routes = rest.merge(polls).route_layer(from_fn(record_route)).with_state(app);
    Router::new().fallback_service(routes).layer(middleware)
}
