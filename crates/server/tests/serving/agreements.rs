//! Takebacks, claims, other devices, and the end of a table, over real connections.

use std::time::Duration;

use serde_json::{Value, json};
use table::Token;

use crate::faulty_journal::{Fault, FaultyJournal};
use crate::socket::Socket;
use crate::test_server::{Setup, Table, TestServer, eventually, pass, soon};

/// An action for a round and ply, with an id of its own.
fn at(server: &TestServer, action: &str, ply: u32) -> Value {
    json!({"id": server.action_id(), "action": action, "round": 1, "ply": ply})
}

fn claim(server: &TestServer, seat: u8, ply: u32) -> Value {
    let id = server.action_id();
    json!({"id": id, "action": "claim", "seat": seat, "round": 1, "ply": ply})
}

async fn position(server: &TestServer, table: &Table) -> Value {
    server.get(&format!("/api/tables/{}", table.id)).send().await.of(200)["view"].clone()
}

#[tokio::test]
async fn a_move_is_taken_back_if_the_other_player_agrees() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    server.play(&table, 0, 0, "a1").await;
    let mut bob = Socket::open(&server).await;
    bob.join_seat(&table, 1).await;
    server.act(&table, 0, &at(&server, "ask_takeback", 1)).await.of(200);
    assert_eq!(bob.entries().await, [(5, "takeback_asked".to_owned())]);
    let view = position(&server, &table).await;
    assert_eq!((&view["takeback"], &view["ply"]), (&json!(0), &json!(1)));
    let own = server.act(&table, 0, &at(&server, "grant_takeback", 1)).await;
    assert_eq!(own.problem(409), "not_asked");
    server.act(&table, 1, &at(&server, "grant_takeback", 1)).await.of(200);
    assert_eq!(bob.entries().await, [(6, "takeback_granted".to_owned())]);
    let view = position(&server, &table).await;
    assert_eq!((&view["takeback"], &view["ply"]), (&Value::Null, &json!(2)));
    assert_eq!((&view["position"], &view["turn"]), (&json!("         "), &json!([0])));
    let late = server.act(&table, 0, &server.move_at(0, "a1")).await;
    assert_eq!(late.problem(409), "stale", "its ply never comes again");
    server.act(&table, 0, &server.move_at(2, "b2")).await.of(200);
}

#[tokio::test]
async fn a_computer_player_lets_a_move_be_taken_back() {
    let server = TestServer::usual().await;
    let wanted = json!({"game": "tic-tac-toe", "computers": [null, "bthreads"], "name": "Ada"});
    let created = server.create(&wanted).await;
    let (id, token) = (created["id"].as_str().unwrap(), created["token"].as_str().unwrap());
    let path = format!("/api/tables/{id}/actions");
    let act = async |action: Value| server.post(&path, &action).bearer(token).send().await;
    act(server.move_at(0, "a1")).await.of(200);
    let is_at = async |length: usize| server.log(id).await.len() == length;
    eventually("the computer answers", async || is_at(4).await).await;
    act(at(&server, "ask_takeback", 2)).await.of(200);
    eventually("the computer agrees", async || is_at(6).await).await;
    assert_eq!(server.log(id).await[5]["kind"], "takeback_granted");
    act(server.move_at(3, "b2")).await.of(200);
}

#[tokio::test]
pub(crate) async fn the_round_of_an_absent_player_is_claimed_after_a_while() {
    let server = Setup::new().limit("claim_after", 1).start().await;
    let table = server.table("tic-tac-toe").await;
    let (mut ada, mut bob) = (Socket::open(&server).await, Socket::open(&server).await);
    let (_, welcome) = ada.join_seat(&table, 0).await;
    assert_eq!(welcome["claim_after"], 1);
    bob.join_seat(&table, 1).await;
    server.play(&table, 0, 0, "b2").await;
    let refused = server.act(&table, 0, &claim(&server, 1, 1)).await;
    assert_eq!(refused.problem(409), "not_absent", "Bob is connected");
    drop(bob);
    let is_claimed = async || {
        let answer = server.act(&table, 0, &claim(&server, 1, 1)).await;
        answer.json()["version"] == 5
    };
    eventually("Bob has been away for a while", is_claimed).await;
    assert_eq!(server.log(&table.id).await[4]["kind"], "claimed");
    assert_eq!(position(&server, &table).await["wins"], json!([1, 0]));
}

#[tokio::test]
async fn the_round_of_a_player_who_may_come_back_is_not_claimed_and_that_of_one_who_left_is() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    server.play(&table, 0, 0, "b2").await;
    let refused = server.act(&table, 0, &claim(&server, 1, 1)).await;
    assert_eq!(refused.problem(409), "not_absent");
    let sentence = refused.json()["detail"].as_str().unwrap().to_owned();
    assert!(sentence.starts_with("The other player may come back: you can claim the round in "));
    let leave = json!({"id": server.action_id(), "action": "leave", "version": 4});
    server.act(&table, 1, &leave).await.of(200);
    let claim = claim(&server, 1, 1);
    let first = server.act(&table, 0, &claim).await.of(200);
    assert_eq!(server.act(&table, 0, &claim).await.of(200), first, "it is recorded once");
}

#[tokio::test]
async fn a_player_who_left_and_is_connected_again_is_not_absent() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    server.play(&table, 0, 0, "b2").await;
    let leave = json!({"id": server.action_id(), "action": "leave", "version": 4});
    server.act(&table, 1, &leave).await.of(200);
    let mut bob = Socket::open(&server).await;
    bob.join_seat(&table, 1).await;
    let refused = server.act(&table, 0, &claim(&server, 1, 1)).await;
    assert_eq!(refused.problem(409), "not_absent");
    assert!(refused.text.contains("The other player is connected"), "{}", refused.text);
    drop(bob);
    let is_claimed = async || server.act(&table, 0, &claim(&server, 1, 1)).await.status == 200;
    eventually("the connection ends", is_claimed).await;
}

#[tokio::test]
async fn a_player_who_left_and_takes_the_seat_again_is_back() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    server.play(&table, 0, 0, "b2").await;
    let leave = json!({"id": server.action_id(), "action": "leave", "version": 4});
    server.act(&table, 1, &leave).await.of(200);
    let back = json!({"name": "Bob", "token": table.tokens[1]});
    for _ in 0..2 {
        assert_eq!(server.join(&table.id, &back).await.of(200)["seat"], 1);
    }
    let log = server.log(&table.id).await;
    assert_eq!((log.len(), &log[5]["kind"]), (6, &json!("joined")), "it is recorded once");
    let refused = server.act(&table, 0, &claim(&server, 1, 1)).await;
    assert_eq!(refused.problem(409), "not_absent");
}

#[tokio::test]
async fn a_player_without_a_connection_has_the_whole_time_for_each_move() {
    let server = Setup::new().limit("table_idle", 600_000).start().await;
    let table = server.table("tic-tac-toe").await;
    pass(Duration::from_secs(31)).await;
    server.play(&table, 0, 0, "b2").await;
    let refused = server.act(&table, 0, &claim(&server, 1, 1)).await;
    assert_eq!(refused.problem(409), "not_absent", "the move was made just now");
    pass(Duration::from_secs(31)).await;
    server.act(&table, 0, &claim(&server, 1, 1)).await.of(200);
}

#[tokio::test]
async fn a_claim_for_a_later_position_is_not_recorded() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let early = server.act(&table, 0, &claim(&server, 1, 1)).await;
    assert_eq!(early.problem(409), "early");
    assert_eq!(server.log(&table.id).await.len(), 3);
}

#[tokio::test]
async fn the_old_device_is_disconnected_also_if_the_table_is_loaded_again() {
    let journal = FaultyJournal::new();
    let server = Setup::on(&journal).start().await;
    let table = server.table("tic-tac-toe").await;
    let mut old = Socket::open(&server).await;
    let (channel, _) = old.join_seat(&table, 0).await;
    let (secret, token) = (Token::new([5; 16]), Token::new([6; 16]).digest());
    let offer = json!({"id": server.action_id(), "action": "offer_seat", "version": 3,
        "secret": secret.digest()});
    server.act(&table, 0, &offer).await.of(200);
    journal.fail(Fault::Lost);
    journal.fail_next_read();
    let take_over =
        json!({"id": server.action_id(), "action": "take_over", "secret": secret, "token": token});
    let path = format!("/api/tables/{}/actions", table.id);
    assert_eq!(server.post(&path, &take_over).send().await.problem(503), "unavailable");
    soon(old.failed(channel)).await;
    server.post(&path, &take_over).send().await.of(200);
    assert_eq!(server.log(&table.id).await.len(), 5);
}

#[tokio::test]
async fn a_seat_moves_to_another_device_once_and_the_old_one_only_watches() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let mut old = Socket::open(&server).await;
    let (channel, _) = old.join_seat(&table, 0).await;
    let (secret, token) = (Token::new([5; 16]), Token::new([6; 16]));
    let offer = json!({"id": server.action_id(), "action": "offer_seat", "version": 3,
        "secret": secret.digest()});
    server.act(&table, 0, &offer).await.of(200);
    let path = format!("/api/tables/{}/actions", table.id);
    let take_over = |secret: &Token| {
        let id = server.action_id();
        let token = token.digest();
        json!({"id": id, "action": "take_over", "secret": secret, "token": token})
    };
    let wrong = server.post(&path, &take_over(&Token::new([9; 16]))).send().await;
    assert_eq!(wrong.problem(409), "not_offered");
    server.post(&path, &take_over(&secret)).send().await.of(200);
    old.failed(channel).await;
    let again = server.post(&path, &take_over(&secret)).send().await;
    assert_eq!(again.problem(409), "not_offered", "the secret works once");
    let play = server.move_at(0, "b2");
    let refused = server.act(&table, 0, &play).await;
    assert_eq!(refused.problem(403), "no_seat", "the old token ends");
    server.post(&path, &play).bearer(&token.reveal()).send().await.of(200);
    let log = server.log(&table.id).await;
    assert!(log.iter().all(|entry| entry["secret"].is_null() && entry["token"].is_null()));
}

#[tokio::test]
async fn an_ended_table_reveals_its_seed() {
    let server = TestServer::usual().await;
    let table = server.table("pig").await;
    server.play(&table, 0, 0, "roll").await;
    eventually("the die falls", async || server.log(&table.id).await.len() == 5).await;
    let end = |version: u64| json!({"id": server.action_id(), "action": "end", "version": version});
    assert_eq!(server.act(&table, 1, &end(5)).await.problem(409), "not_over");
    server.act(&table, 1, &at(&server, "forfeit", 2)).await.of(200);
    server.act(&table, 1, &end(6)).await.of(200);
    eventually("the seed is revealed", async || server.log(&table.id).await.len() == 8).await;
    let log = server.log(&table.id).await;
    let lines = (1..).zip(&log).map(|(version, entry)| {
        table::Entry::read(&entry.to_string(), version).expect("it is an entry")
    });
    let log: Vec<table::Entry> = lines.collect();
    let game = games::catalog::game("pig").unwrap();
    assert_eq!(table::check_draws(game, &log), Ok(1));
    let next =
        json!({"id": server.action_id(), "action": "play", "round": 2, "ply": 0, "move": "roll"});
    assert_eq!(server.act(&table, 1, &next).await.problem(409), "ended");
}
