//! What strangers can make the server compute and keep in memory. Addresses are those that a proxy
//! names.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::gated_games::GatedGames;
use crate::http::{TestRequest, TestResponse};
use crate::test_server::{ADMIN_TOKEN, Setup, Table, TestServer, eventually, pass, text};

/// The address of the attacker, and that of an honest player.
const EVE: &str = "10.0.0.66";
const ADA: &str = "10.0.0.1";

/// The builds that can run at the same time: one worker is left to computers' moves.
fn builds_at_once() -> usize {
    (thread::available_parallelism().map_or(1, usize::from) - 1).max(1)
}

async fn gated() -> (TestServer, GatedGames) {
    let games = GatedGames::default();
    // The games take next to nothing, but declare a lot.
    let setup = Setup::new().catalog(games.clone()).limit("game_cache_kilobytes", 4_000_000);
    (setup.behind_proxy().start().await, games)
}

impl TestServer {
    fn post_from(&self, address: &str, path: &str, body: &Value) -> TestRequest {
        self.post(path, body).header("x-forwarded-for", address)
    }

    async fn pair_from(&self, address: &str, game: &str) -> TestResponse {
        let wanted = json!({"game": game, "name": "Eve"});
        self.post_from(address, "/api/pair", &wanted).send().await
    }

    /// Sends a request without waiting for the answer, which comes when the gate is opened.
    fn begin_pairing(&self, address: &str, game: &str) {
        let wanted = json!({"game": game, "name": "Eve"});
        tokio::spawn(self.post_from(address, "/api/pair", &wanted).send());
    }

    /// A table of tic-tac-toe with two players at the address.
    async fn table_from(&self, address: &str) -> Table {
        let wanted = json!({"game": "tic-tac-toe", "name": "Ada"});
        let created = self.post_from(address, "/api/tables", &wanted).send().await.of(201);
        let id = text(&created["id"]);
        let path = format!("/api/tables/{id}/seats");
        let second = self.post_from(address, &path, &json!({"name": "Bob"})).send().await.of(200);
        Table { id, tokens: [text(&created["token"]), text(&second["token"])] }
    }
}

#[tokio::test]
async fn refused_perfect_players_leave_nothing_behind() {
    let server = Setup::new().start().await;
    let boards = [(4, 3, 3), (3, 4, 3), (4, 4, 3), (5, 3, 3), (19, 19, 5)];
    // Of the usual game, boards of 13 to 36 squares have a solver of their own.
    let usual = [(4, 3, 3), (3, 4, 3), (7, 6, 4), (15, 15, 5), (19, 19, 5)];
    for (variant, boards) in [("wild", boards), ("misere", boards), ("mnk", usual)] {
        for (columns, rows, length) in boards {
            let game = format!("{variant}:{columns},{rows},{length}");
            let wanted = json!({"game": game, "computers": ["perfect", null]});
            let refused = server.post("/api/tables", &wanted).send().await;
            assert_eq!(refused.problem(400), "bad_request");
            let why = "it may have more than 20000 positions";
            assert!(text(&refused.json()["detail"]).ends_with(why), "{}", refused.text);
        }
    }
    assert_eq!(server.metric("game_cache_bytes").await, 0);
    assert_eq!(server.metric("cached_games").await, 0);
}

#[tokio::test]
async fn the_list_of_games_builds_none() {
    let server = Setup::new().start().await;
    let listed = server.get("/api/games").send().await.of(200);
    assert_eq!(listed["games"].as_array().map(Vec::len), Some(10));
    assert_eq!(server.metric("cached_games").await, 0);
    server.table("tic-tac-toe").await;
    assert_eq!(server.metric("cached_games").await, 1, "the metric counts games");
}

#[tokio::test]
async fn an_honest_player_is_served_while_an_attacker_fills_the_workers() {
    let (server, games) = gated().await;
    let table = server.table_from(ADA).await;
    for number in 0..4 + builds_at_once() {
        // Each from an address of its own, so that budgets do not end the attack.
        server.begin_pairing(&format!("10.0.1.{number}"), &format!("gated:{number}"));
    }
    server.until_metric("work_queue_length", 4).await;
    assert_eq!(server.get("/healthz").send().await.status, 200);
    server.play(&table, 0, 0, "b2").await;
    server.play(&table, 1, 1, "a1").await;
    assert_eq!(server.pair_from(ADA, "tic-tac-toe").await.status, 200, "the game is in memory");
    assert_eq!(server.metric("work_queue_length").await, 4, "the workers are still occupied");
    games.open();
    server.until_metric("work_queue_length", 0).await;
}

#[tokio::test]
async fn a_computer_moves_while_an_attacker_fills_the_workers() {
    let (server, games) = gated().await;
    let wanted = json!({"game": "tic-tac-toe", "name": "Ada", "computers": [null, "bthreads"]});
    let created = server.post_from(ADA, "/api/tables", &wanted).send().await.of(201);
    for number in 0..4 + builds_at_once() {
        server.begin_pairing(&format!("10.0.1.{number}"), &format!("gated:{number}"));
    }
    // A single worker serves both lanes, and then has to finish a build first.
    let waiting = 4;
    server.until_metric("work_queue_length", waiting).await;
    if thread::available_parallelism().map_or(1, usize::from) == 1 {
        games.open();
    }
    let path = format!("/api/tables/{}/actions", text(&created["id"]));
    let token = text(&created["token"]);
    server.post(&path, &server.move_at(0, "b2")).bearer(&token).send().await.of(200);
    let id = text(&created["id"]);
    eventually("the computer moves", async || server.log(&id).await.len() == 4).await;
    games.open();
    server.until_metric("work_queue_length", 0).await;
}

#[tokio::test]
async fn addresses_are_served_in_turn() {
    let (server, games) = gated().await;
    for number in 0..builds_at_once() {
        server.begin_pairing(&format!("10.0.1.{number}"), &format!("gated:first {number}"));
    }
    server.until_metric("work_busy_workers", builds_at_once() as u64).await;
    for number in 0..4 {
        server.begin_pairing(EVE, &format!("gated:eve {number}"));
        server.until_metric("work_queue_length", number + 1).await;
    }
    server.begin_pairing(ADA, "gated:ada");
    server.until_metric("work_queue_length", 5).await;
    games.open();
    eventually("all are built", async || games.begun().len() == builds_at_once() + 5).await;
    let begun = games.begun();
    let place = begun.iter().position(|name| name == "gated:ada");
    // After one build of the attacker, and perhaps one more that began at the same moment.
    assert!(place <= Some(builds_at_once() + 2), "{begun:?}");
}

#[tokio::test]
pub(crate) async fn an_address_pays_for_the_work_that_it_causes_before_it_is_done() {
    let (server, games) = gated().await;
    games.open();
    let mut answers = Vec::new();
    for number in 0..8 {
        answers.push(server.pair_from(EVE, &format!("gated:{number}")).await);
    }
    let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 429, 429, 429]);
    let refused = answers.last().expect("there are answers");
    assert_eq!(refused.problem(429), "too_many");
    assert!(refused.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 1));
    let why = text(&refused.json()["detail"]);
    assert!(
        why.starts_with("Your address makes the server compute too much: try again in"),
        "{why}"
    );
    assert_eq!(games.begun().len(), 5, "what is refused is not built");
    assert_eq!(server.limited("work_per_second").await, 3);
    assert_eq!(
        server.pair_from(ADA, "gated:ada").await.status,
        200,
        "others have their own budget"
    );
}

/// A server with these queues whose workers are occupied by one address.
async fn occupied(limits: &[(&str, u32)]) -> (TestServer, GatedGames) {
    let games = GatedGames::default();
    let setup = Setup::new().catalog(games.clone()).limit("game_cache_kilobytes", 4_000_000);
    let setup = limits.iter().fold(setup, |setup, (name, value)| setup.limit(name, *value));
    let server = setup.behind_proxy().start().await;
    for number in 0..builds_at_once() {
        server.begin_pairing(&format!("10.0.1.{number}"), &format!("gated:runs {number}"));
    }
    server.until_metric("work_busy_workers", builds_at_once() as u64).await;
    (server, games)
}

#[tokio::test]
pub(crate) async fn the_queue_of_an_address_is_bounded() {
    let (server, games) = occupied(&[("work_queue_per_address", 3)]).await;
    for number in 0..3 {
        server.begin_pairing(EVE, &format!("gated:waits {number}"));
    }
    server.until_metric("work_queue_length", 3).await;
    let refused = server.pair_from(EVE, "gated:refused").await;
    assert_eq!(refused.problem(429), "too_many");
    assert_eq!(refused.header("retry-after"), "1");
    assert_eq!(server.limited("work_queue_per_address").await, 1);
    server.begin_pairing(ADA, "gated:ada");
    server.until_metric("work_queue_length", 4).await;
    games.open();
    server.until_metric("work_queue_length", 0).await;
}

#[tokio::test]
pub(crate) async fn the_queue_of_all_addresses_is_bounded() {
    let (server, games) = occupied(&[("work_queue", 3)]).await;
    for number in 0..3 {
        server.begin_pairing(&format!("10.0.3.{number}"), &format!("gated:waits {number}"));
    }
    server.until_metric("work_queue_length", 3).await;
    assert_eq!(server.pair_from(EVE, "gated:refused").await.problem(503), "busy");
    assert_eq!(server.limited("work_queue").await, 1);
    games.open();
    server.until_metric("work_queue_length", 0).await;
}

#[tokio::test]
async fn two_who_want_a_game_at_once_wait_for_one_build() {
    let (server, games) = gated().await;
    server.begin_pairing(EVE, "gated:same");
    eventually("the build begins", async || games.begun().len() == 1).await;
    server.begin_pairing(ADA, "gated:same");
    let other = server.get("/healthz").send().await;
    assert_eq!(other.status, 200);
    games.open();
    eventually("both sit at a table", async || server.metric("actions_accepted_total").await == 2)
        .await;
    assert_eq!(games.begun(), ["gated:same"]);
}

#[tokio::test]
pub(crate) async fn boards_in_memory_are_bounded_in_bytes_and_small_games_always_fit() {
    let kilobytes = 4_096;
    let setup = Setup::new().behind_proxy().limit("game_cache_kilobytes", kilobytes);
    let server = setup.limit("game_table_kilobytes", 64).start().await;
    let mut refused = 0;
    for number in 0..24 {
        let game = format!("mnk:{},{},{}", 9 + number % 4, 8 + number / 8, 4 + number / 4 % 2);
        let answer = server.pair_from(&format!("10.0.2.{number}"), &game).await;
        if answer.status != 200 {
            assert_eq!(answer.problem(503), "busy");
            refused += 1;
        }
        assert!(server.metric("game_cache_bytes").await <= u64::from(kilobytes) << 10);
    }
    assert!(refused > 0, "the boards would take more");
    assert_eq!(server.limited("game_cache_kilobytes").await, refused);
    assert_eq!(server.pair_from(ADA, "tic-tac-toe").await.status, 200);
}

#[tokio::test]
pub(crate) async fn games_that_nobody_uses_leave_memory() {
    let setup = Setup::new().limit("table_idle", 10).limit("game_idle", 10);
    let server = setup.start().await;
    server.table("mnk:9,9,5").await;
    assert!(server.metric("game_cache_bytes").await > 100_000);
    eventually("the table leaves memory", async || server.metric("live_tables").await == 0).await;
    eventually("the game leaves memory", async || server.metric("game_cache_bytes").await == 0)
        .await;
}

/// The memory of tic-tac-toe after many games between computers.
async fn bytes_after_many_games(table_kilobytes: u32) -> u64 {
    let setup = Setup::new().limit("game_table_kilobytes", table_kilobytes);
    let server = setup.limit("game_idle", 600_000).start().await;
    let first = server.metric("game_cache_bytes").await;
    for _ in 0..40 {
        let computers = json!({"game": "tic-tac-toe", "computers": ["random", "random"]});
        let created = server.create(&computers).await;
        let id = text(&created["id"]);
        eventually("the game ends", async || server.log(&id).await.len() > 5).await;
    }
    let built = server.metric("game_cache_bytes").await;
    assert!(built > first);
    // The memory is measured again every few seconds.
    pass(Duration::from_secs(6)).await;
    eventually("it has grown", async || server.metric("game_cache_bytes").await > built).await;
    server.metric("game_cache_bytes").await
}

#[tokio::test]
pub(crate) async fn the_table_of_states_of_a_game_is_bounded() {
    let (small, large) = (bytes_after_many_games(48).await, bytes_after_many_games(4_096).await);
    assert!(small + 50_000 < large, "{small} and {large} bytes");
}

/// A search that nobody stops ends after five seconds.
const LONG_BEFORE_THE_SEARCH_ENDS: Duration = Duration::from_secs(4);

/// A table at which a computer thinks.
struct ThinkingTable {
    server: TestServer,
    table: Table,
    since: Instant,
}

impl ThinkingTable {
    async fn begin(setup: Setup) -> Self {
        let server = setup.catalog(GatedGames::default()).start().await;
        let wanted = json!({"game": "long", "name": "Ada", "computers": [null, "perfect"]});
        let created = server.create(&wanted).await;
        let tokens = [text(&created["token"]), String::new()];
        let table = Table { id: text(&created["id"]), tokens };
        let since = Instant::now();
        server.play(&table, 0, 0, "step").await;
        server.until_metric("work_busy_workers", 1).await;
        Self { server, table, since }
    }

    async fn stops_at_once(&self) {
        self.server.until_metric("work_busy_workers", 0).await;
        let taken = self.since.elapsed();
        assert!(taken < LONG_BEFORE_THE_SEARCH_ENDS, "it went on for {taken:?}");
    }
}

#[tokio::test]
async fn a_table_that_leaves_memory_stops_its_computer() {
    let setup = Setup::new().limit("table_idle", 400);
    let thinking = ThinkingTable::begin(setup).await;
    let path = format!("/api/tables/{}", thinking.table.id);
    let view = thinking.server.get(&path).send().await.of(200);
    assert_eq!(view["version"], 3, "the table answers while its computer thinks");
    thinking.server.until_metric("live_tables", 0).await;
    thinking.stops_at_once().await;
}

#[tokio::test]
async fn a_player_who_resigns_stops_the_computer() {
    let thinking = ThinkingTable::begin(Setup::new()).await;
    let ThinkingTable { server, table, .. } = &thinking;
    let resign = json!({"id": server.action_id(), "action": "forfeit", "round": 1, "ply": 1});
    server.act(table, 0, &resign).await.of(200);
    thinking.stops_at_once().await;
    assert_eq!(server.log(&table.id).await.last().unwrap()["kind"], "forfeited");
}

#[tokio::test]
async fn a_table_that_is_deleted_stops_its_computer() {
    let thinking = ThinkingTable::begin(Setup::new()).await;
    let path = format!("/journal/tables/{}", thinking.table.id);
    let deleted = thinking.server.admin_ask("DELETE", &path).bearer(ADMIN_TOKEN).send().await;
    assert_eq!(deleted.of(200), json!("deleted"));
    thinking.stops_at_once().await;
}
