//! A server inside the test.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use game::DeclaredGame;
use games::catalog;
use serde_json::{Value, json};
use server::{
    AdminToken, Catalog, Config, Directory, GameDescription, Journal, JournalError, Listener,
    Listeners, LiveConfig, MemoryJournal, Page, Services, Tls, WallClock,
};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use crate::http::{TestRequest, TestResponse};

/// The setup of a server.
pub(crate) struct Setup {
    config: Config,
    services: Services,
    tls: Option<Arc<Tls>>,
    has_admin: bool,
}

/// The token of every admin listener of a test.
pub(crate) const ADMIN_TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// A running server; it ends with the test.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    /// The address of the admin listener, if it has one.
    pub(crate) admin: Option<SocketAddr>,
    pub(crate) config: Arc<LiveConfig>,
    stop: Option<mpsc::Sender<&'static str>>,
    task: JoinHandle<Result<(), JournalError>>,
    actions: AtomicU64,
}

/// A table with two players.
pub(crate) struct Table {
    pub(crate) id: String,
    pub(crate) tokens: [String; 2],
}

/// All games of Cat's Cradle.
#[derive(Debug)]
struct AllGames;

impl Catalog for AllGames {
    fn declared(&self, name: &str) -> Result<DeclaredGame, String> {
        catalog::declared(name).map_err(|error| error.to_string())
    }

    fn names(&self) -> Vec<String> {
        catalog::CATALOG.iter().map(|listed| listed.example.to_owned()).collect()
    }

    fn description(&self, name: &str) -> Option<GameDescription> {
        let listed = catalog::CATALOG.iter().find(|listed| name.starts_with(listed.name))?;
        Some(GameDescription { title: catalog::title(name), summary: listed.summary.to_owned() })
    }
}

/// Waits for a future that must complete soon.
pub(crate) async fn soon<T>(what: impl Future<Output = T>) -> T {
    timeout(Duration::from_secs(10), what).await.expect("the future completes in time")
}

/// Advances the clock of the test.
pub(crate) async fn pass(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

/// The time of day, which [`pass`] advances, too.
fn clock_of_the_test(later: Duration) -> WallClock {
    let (day, start) = (SystemTime::now() + later, Instant::now());
    WallClock::new(move || day + start.elapsed())
}

impl Setup {
    /// A journal in memory, all games, and rate limits that no test exceeds by accident.
    pub(crate) fn new() -> Self {
        Self::on(&Arc::new(MemoryJournal::new().expect("the system has random bytes")))
    }

    /// The same on the journal of the test.
    pub(crate) fn on<J: Journal + Directory + 'static>(journal: &Arc<J>) -> Self {
        let directory: Arc<dyn Directory> = Arc::<J>::clone(journal);
        let journal: Arc<dyn Journal> = Arc::<J>::clone(journal);
        let services = Services { journal, directory, catalog: Arc::new(AllGames), page: None };
        let mut config = Config::new();
        config.clock = clock_of_the_test(Duration::ZERO);
        config.limits.requests_at_once = 1_000_000;
        config.limits.tables_at_once = 1_000_000;
        config.limits.drain = 0;
        config.admin_token = AdminToken::new(ADMIN_TOKEN);
        Self { config, services, tls: None, has_admin: true }
    }

    /// The same at a later time of day.
    pub(crate) fn later(mut self, later: Duration) -> Self {
        self.config.clock = clock_of_the_test(later);
        self
    }

    pub(crate) fn limit(mut self, name: &str, value: u32) -> Self {
        self.config.limits.set(name, value).expect("the limit exists");
        self
    }

    pub(crate) fn name(mut self, name: &str) -> Self {
        self.config.names.push(name.to_owned());
        self
    }

    pub(crate) fn origin(mut self, origin: &str) -> Self {
        self.config.origins.push(origin.to_owned());
        self
    }

    pub(crate) fn keep(mut self, keep: Duration) -> Self {
        self.config.keep = Some(keep);
        self
    }

    pub(crate) fn behind_proxy(mut self) -> Self {
        self.config.is_behind_proxy = true;
        self
    }

    pub(crate) fn catalog(mut self, catalog: impl Catalog + 'static) -> Self {
        self.services.catalog = Arc::new(catalog);
        self
    }

    pub(crate) fn page(mut self, page: Page) -> Self {
        self.services.page = Some(Arc::new(page));
        self
    }

    pub(crate) fn tls(mut self, tls: Arc<Tls>) -> Self {
        self.tls = Some(tls);
        self
    }

    pub(crate) fn without_admin(mut self) -> Self {
        self.has_admin = false;
        self
    }

    pub(crate) async fn start(self) -> TestServer {
        let Self { config, services, tls, has_admin } = self;
        let (address, public) = listener(tls).await;
        let (admin_address, admin) =
            if has_admin { Some(listener(None).await) } else { None }.unzip();
        let (stop, stopped) = mpsc::channel(2);
        let config = Arc::new(LiveConfig::new(config));
        let listeners = Listeners { public, admin };
        let serving = server::serve(listeners, services, Arc::clone(&config), stopped);
        TestServer {
            address,
            admin: admin_address,
            config,
            stop: Some(stop),
            task: tokio::spawn(serving),
            actions: AtomicU64::new(1),
        }
    }
}

async fn listener(tls: Option<Arc<Tls>>) -> (SocketAddr, Listener) {
    let socket = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = socket.local_addr().expect("the listener has an address");
    (address, Listener { socket, tls })
}

impl TestServer {
    /// A server with the default setup.
    pub(crate) async fn usual() -> Self {
        Setup::new().start().await
    }

    pub(crate) fn get(&self, path: &str) -> TestRequest {
        TestRequest::new(self.address, "GET", path)
    }

    /// A request to the admin listener, without a token.
    pub(crate) fn admin_get(&self, path: &str) -> TestRequest {
        self.admin_ask("GET", path)
    }

    /// The same with another method.
    pub(crate) fn admin_ask(&self, method: &'static str, path: &str) -> TestRequest {
        TestRequest::new(self.admin.expect("the server has an admin listener"), method, path)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> TestRequest {
        TestRequest::new(self.address, "POST", path).json(body)
    }

    /// Creates a table; returns the response.
    pub(crate) async fn create(&self, wanted: &Value) -> Value {
        self.post("/api/tables", wanted).send().await.of(201)
    }

    /// A table of a game with two players.
    pub(crate) async fn table(&self, game: &str) -> Table {
        self.table_as(json!({"game": game})).await
    }

    /// A table with these options and two players.
    pub(crate) async fn table_as(&self, mut wanted: Value) -> Table {
        wanted["name"] = json!("Ada");
        let created = self.create(&wanted).await;
        let id = text(&created["id"]);
        let second = self.join(&id, &json!({"name": "Bob"})).await.of(200);
        Table { id, tokens: [text(&created["token"]), text(&second["token"])] }
    }

    pub(crate) async fn join(&self, id: &str, wanted: &Value) -> TestResponse {
        self.post(&format!("/api/tables/{id}/seats"), wanted).send().await
    }

    /// An id that no other action of this test has.
    pub(crate) fn action_id(&self) -> String {
        format!("test:{}", self.actions.fetch_add(1, Ordering::Relaxed))
    }

    /// A move in the first round.
    pub(crate) fn move_at(&self, ply: u32, chosen: &str) -> Value {
        let id = self.action_id();
        json!({"id": id, "action": "play", "round": 1, "ply": ply, "move": chosen})
    }

    pub(crate) async fn act(&self, table: &Table, seat: usize, action: &Value) -> TestResponse {
        let path = format!("/api/tables/{}/actions", table.id);
        self.post(&path, action).bearer(&table.tokens[seat]).send().await
    }

    /// Plays a move in the first round; returns the version of its entry.
    pub(crate) async fn play(&self, table: &Table, seat: usize, ply: u32, chosen: &str) -> u64 {
        let answer = self.act(table, seat, &self.move_at(ply, chosen)).await.of(200);
        answer["version"].as_u64().expect("a version is a number")
    }

    /// The log of a table, as a spectator sees it.
    pub(crate) async fn log(&self, id: &str) -> Vec<Value> {
        let log = self.get(&format!("/api/tables/{id}/log")).send().await.of(200);
        log["entries"].as_array().expect("entries are a list").clone()
    }

    /// A metric, by its name without the prefix; 0 if it is missing.
    pub(crate) async fn metric(&self, name: &str) -> u64 {
        let text = self.admin_get("/metrics").bearer(ADMIN_TOKEN).send().await.text;
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("cradle_{name} ")));
        line.map_or(0, |value| value.parse().expect("the value is a number"))
    }

    /// How often this limit was exceeded.
    pub(crate) async fn limited(&self, limit: &str) -> u64 {
        self.metric(&format!("limited_total{{code=\"{limit}\"}}")).await
    }

    /// Waits until a metric has this value.
    pub(crate) async fn until_metric(&self, name: &str, value: u64) {
        let end = Instant::now() + Duration::from_secs(10);
        loop {
            let found = self.metric(name).await;
            if found == value {
                return;
            }
            assert!(Instant::now() < end, "{name} stays at {found}");
            sleep(Duration::from_millis(5)).await;
        }
    }

    /// Tells the server to stop.
    pub(crate) fn stop(&mut self) {
        self.stop.take();
    }

    /// Tells the server to stop; the second time, to end at once.
    pub(crate) async fn ask_to_stop(&self) {
        let stop = self.stop.as_ref().expect("the server was not told to stop");
        stop.send("the test is over").await.expect("the server runs");
    }

    /// Waits until the server has stopped.
    pub(crate) async fn stopped(mut self) -> Result<(), JournalError> {
        self.stop();
        soon(&mut self.task).await.expect("the server does not fail")
    }
}

/// A text in JSON.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().expect("the value is a string").to_owned()
}

/// Waits until a condition holds.
pub(crate) async fn eventually(what: &str, is_so: impl AsyncFn() -> bool) {
    let end = Instant::now() + Duration::from_secs(10);
    while !is_so().await {
        assert!(Instant::now() < end, "this never happens: {what}");
        sleep(Duration::from_millis(5)).await;
    }
}
