//! Quick pairing.

use std::time::Duration;

use serde_json::{Value, json};

use crate::faulty_journal::FaultyJournal;
use crate::socket::Socket;
use crate::test_server::{Setup, Table, TestServer, eventually, pass, text};

async fn pair(server: &TestServer, game: &str) -> Value {
    server.post("/api/pair", &json!({"game": game, "name": "Ada"})).send().await.of(200)
}

#[tokio::test]
async fn two_players_are_paired_and_a_third_waits() {
    let server = TestServer::usual().await;
    let (first, second) = (pair(&server, "tic-tac-toe").await, pair(&server, "tic-tac-toe").await);
    assert_eq!(first["id"], second["id"]);
    assert_eq!((&first["seat"], &second["seat"]), (&json!(0), &json!(1)));
    let third = pair(&server, "tic-tac-toe").await;
    assert_ne!(third["id"], first["id"]);
    assert_eq!(third["seat"], 0);
    let other = pair(&server, "connect-four").await;
    assert_eq!(other["seat"], 0, "a player of another game is not paired");
    let fourth = pair(&server, "tic-tac-toe").await;
    assert_eq!(fourth["id"], third["id"]);
    let unknown = server.post("/api/pair", &json!({"game": "chess", "name": "Ada"}));
    assert_eq!(unknown.send().await.problem(400), "bad_request");
    eventually("the waiting player is in the public list", async || {
        let open = server.get("/api/tables").send().await.of(200);
        let open = open["tables"].as_array().unwrap();
        open.len() == 1 && open[0]["id"] == other["id"]
    })
    .await;
}

#[tokio::test]
async fn a_player_who_was_joined_from_the_list_no_longer_waits() {
    let server = TestServer::usual().await;
    let first = pair(&server, "pig").await;
    server.join(&text(&first["id"]), &json!({"name": "Eve"})).await.of(200);
    let second = pair(&server, "pig").await;
    assert_ne!(second["id"], first["id"], "that table is full");
    assert_eq!(second["seat"], 0);
}

#[tokio::test]
async fn concurrent_requests_are_paired_in_twos() {
    let server = TestServer::usual().await;
    let all = futures_util::future::join_all((0..8).map(|_| pair(&server, "pig"))).await;
    let mut places: Vec<_> =
        all.iter().map(|taken| (text(&taken["id"]), taken["seat"].as_u64().unwrap())).collect();
    places.sort();
    places.dedup();
    assert_eq!(places.len(), 8, "all seats differ");
    places.dedup_by_key(|(id, _)| id.clone());
    assert_eq!(places.len(), 4);
}

#[tokio::test]
async fn only_a_connected_opponent_is_paired() {
    let server = TestServer::usual().await;
    let vanished = pair(&server, "tic-tac-toe").await;
    pass(Duration::from_secs(16)).await;
    let waiting = pair(&server, "tic-tac-toe").await;
    assert_ne!(waiting["id"], vanished["id"], "the other player no longer waits");
    let mut socket = Socket::open(&server).await;
    socket.join_seat(&table_of(&waiting), 0).await;
    pass(Duration::from_secs(16)).await;
    let met = pair(&server, "tic-tac-toe").await;
    assert_eq!(met["id"], waiting["id"], "a connected player waits");
}

/// The table of a paired player, with its token.
fn table_of(taken: &Value) -> Table {
    let token = text(&taken["token"]);
    Table { id: text(&taken["id"]), tokens: [token.clone(), token] }
}

#[tokio::test]
async fn a_player_who_disconnected_is_not_paired_not_even_with_itself() {
    let server = TestServer::usual().await;
    let mut socket = Socket::open(&server).await;
    let left = pair(&server, "tic-tac-toe").await;
    let (channel, _) = socket.join_seat(&table_of(&left), 0).await;
    socket.leave(channel).await;
    let again = pair(&server, "tic-tac-toe").await;
    assert_ne!(again["id"], left["id"], "a player is not paired with itself");
    let (channel, _) = socket.join_seat(&table_of(&again), 0).await;
    socket.leave(channel).await;
    socket.join_seat(&table_of(&again), 0).await;
    let met = pair(&server, "tic-tac-toe").await;
    assert_eq!(met["id"], again["id"], "a player who reconnected waits");
}

#[tokio::test]
async fn a_player_who_left_before_connecting_is_not_paired() {
    let server = TestServer::usual().await;
    let left = pair(&server, "tic-tac-toe").await;
    let goodbye = json!({"id": server.action_id(), "action": "leave", "version": 2});
    server.act(&table_of(&left), 0, &goodbye).await.of(200);
    assert_ne!(pair(&server, "tic-tac-toe").await["id"], left["id"]);
}

const ADA: &str = "0f0e0d0c0b0a09080706050403020100";
const BOB: &str = "1f1e1d1c1b1a19181716151413121110";

/// The request of a client with its own token.
fn wish(token: &str) -> Value {
    json!({"game": "tic-tac-toe", "name": "Ada", "token": token})
}

async fn pair_as(server: &TestServer, token: &str) -> Value {
    server.post("/api/pair", &wish(token)).send().await.of(200)
}

#[tokio::test]
async fn a_repeated_request_of_a_waiting_player_returns_the_same_seat() {
    let server = TestServer::usual().await;
    let first = pair_as(&server, ADA).await;
    assert_eq!((&first["seat"], &first["token"]), (&json!(0), &json!(ADA)));
    assert_eq!(pair_as(&server, ADA).await, first);
    pass(Duration::from_secs(16)).await;
    assert_eq!(pair_as(&server, ADA).await, first, "the player was connected a moment ago");
    let met = pair_as(&server, BOB).await;
    assert_eq!((&met["id"], &met["seat"]), (&first["id"], &json!(1)));
    let other = json!({"game": "pig", "name": "Ada", "token": ADA});
    let other = server.post("/api/pair", &other).send().await.of(200);
    assert_ne!(other["id"], first["id"], "a request for another game gets another table");
    let wrong = server.post("/api/pair", &wish("ada")).send().await;
    assert_eq!(wrong.problem(422), "bad_request");
}

#[tokio::test]
async fn a_repeated_request_of_a_paired_player_returns_the_same_seat() {
    let server = TestServer::usual().await;
    let (ada, bob) = (pair_as(&server, ADA).await, pair_as(&server, BOB).await);
    pass(Duration::from_secs(59)).await;
    assert_eq!(pair_as(&server, BOB).await, bob);
    assert_eq!(pair_as(&server, ADA).await, ada, "also for the player who waited");
    pass(Duration::from_secs(2)).await;
    let later = pair_as(&server, ADA).await;
    assert_ne!(later["id"], ada["id"], "a late request gets another table");
    assert_eq!(later["seat"], 0);
}

#[tokio::test]
async fn a_player_who_left_its_opponent_gets_another_one() {
    let server = TestServer::usual().await;
    let (ada, bob) = (pair_as(&server, ADA).await, pair_as(&server, BOB).await);
    let goodbye = json!({"id": server.action_id(), "action": "leave", "version": 3});
    server.act(&table_of(&bob), 1, &goodbye).await.of(200);
    assert_ne!(pair_as(&server, BOB).await["id"], ada["id"]);
    assert_eq!(pair_as(&server, ADA).await, ada, "the player who stayed still gets the same seat");
}

#[tokio::test]
async fn a_player_who_disconnected_gets_another_table() {
    let server = TestServer::usual().await;
    let mut socket = Socket::open(&server).await;
    let left = pair_as(&server, ADA).await;
    let (channel, _) = socket.join_seat(&table_of(&left), 0).await;
    assert_eq!(pair_as(&server, ADA).await, left, "two tabs are one player");
    socket.leave(channel).await;
    let again = pair_as(&server, ADA).await;
    assert_ne!(again["id"], left["id"]);
    assert_eq!(pair_as(&server, BOB).await["id"], again["id"]);
}

#[tokio::test]
async fn a_player_who_disconnects_before_the_response_finds_its_seat() {
    let journal = FaultyJournal::new();
    let server = Setup::on(&journal).start().await;
    let ada = pair_as(&server, ADA).await;
    journal.hold();
    let asking = tokio::spawn(server.post("/api/pair", &wish(BOB)).send());
    eventually("the seat is being taken", async || journal.held() == 1).await;
    asking.abort();
    drop(asking.await);
    journal.release();
    let bob = pair_as(&server, BOB).await;
    assert_eq!((&bob["id"], &bob["seat"]), (&ada["id"], &json!(1)));
}

#[tokio::test]
pub(crate) async fn a_paired_player_who_never_moves_runs_out_of_time() {
    let server = Setup::new().limit("pairing_move_time", 30_000).start().await;
    let first = pair(&server, "tic-tac-toe").await;
    let id = text(&first["id"]);
    assert_eq!(server.log(&id).await[0]["options"]["clock"], json!({"per_move": 30_000}));
    pass(Duration::from_secs(10)).await;
    pair(&server, "tic-tac-toe").await;
    pass(Duration::from_secs(29)).await;
    assert_eq!(server.log(&id).await.len(), 3, "the first player has one more second");
    pass(Duration::from_secs(2)).await;
    eventually("the first player loses the round", async || {
        let log = server.log(&id).await;
        let last = log.last().expect("the log is not empty").clone();
        (&last["kind"], &last["seat"], &last["why"])
            == (&json!("forfeited"), &json!(0), &json!("out_of_time"))
    })
    .await;
    pass(Duration::from_mins(10)).await;
    assert_eq!(server.log(&id).await.len(), 4, "the second round waits for its first move");
}

#[tokio::test]
async fn tables_of_quick_pairing_need_no_clock() {
    let server = Setup::new().limit("pairing_move_time", 0).start().await;
    let id = text(&pair(&server, "tic-tac-toe").await["id"]);
    assert_eq!(server.log(&id).await[0]["options"], json!({"alternate": true, "prompt": true}));
}
