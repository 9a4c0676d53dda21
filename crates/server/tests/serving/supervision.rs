//! Tables that fail, and tables that are evicted.

use std::time::Duration;

use crate::fragile_game::FragileGames;
use crate::socket::Socket;
use crate::test_server::{Setup, Table, TestServer, pass};

async fn fragile() -> TestServer {
    Setup::new().catalog(FragileGames).limit("table_failures", 2).start().await
}

async fn break_it(server: &TestServer, table: &Table, ply: u32) {
    let seat = usize::try_from(ply % 2).expect("the number is 0 or 1");
    let answer = server.act(table, seat, &server.move_at(ply, "break")).await;
    assert_eq!(answer.problem(503), "unavailable");
}

#[tokio::test]
async fn a_table_that_fails_is_loaded_again_and_its_subscribers_stay() {
    let server = fragile().await;
    let table = server.table("fragile").await;
    let mut socket = Socket::open(&server).await;
    socket.join_as_spectator(&table).await;
    server.play(&table, 0, 0, "step").await;
    assert_eq!(socket.entries().await, [(4, "played".to_owned())]);
    break_it(&server, &table, 1).await;
    server.play(&table, 1, 1, "step").await;
    assert_eq!(socket.entries().await, [(5, "played".to_owned())], "the channel stays open");
    assert_eq!(server.metric("table_restarts_total").await, 1);
    assert_eq!(server.metric("tables_set_aside_total").await, 0);
    assert_eq!(server.log(&table.id).await.len(), 5);
}

#[tokio::test]
async fn the_client_whose_action_made_the_table_fail_gets_a_reply() {
    let server = fragile().await;
    let table = server.table("fragile").await;
    let mut socket = Socket::open(&server).await;
    let (channel, _) = socket.join_seat(&table, 0).await;
    let refusal = socket.push(channel, "act", &server.move_at(0, "break")).await.unwrap_err();
    assert_eq!(refusal["code"], "unavailable");
    let accepted = socket.push(channel, "act", &server.move_at(0, "step")).await.unwrap();
    assert_eq!(accepted["version"], 4);
}

#[tokio::test]
pub(crate) async fn a_table_that_keeps_failing_is_set_aside_and_others_are_not() {
    let server = fragile().await;
    let (table, other) = (server.table("fragile").await, server.table("fragile").await);
    let mut socket = Socket::open(&server).await;
    let (channel, _) = socket.join_as_spectator(&table).await;
    for _ in 0..3 {
        break_it(&server, &table, 0).await;
    }
    let answer = server.act(&table, 0, &server.move_at(0, "step")).await;
    assert_eq!(answer.problem(503), "set_aside");
    let answer = server.get(&format!("/api/tables/{}", table.id)).send().await;
    assert_eq!(answer.problem(503), "set_aside");
    socket.failed(channel).await;
    assert_eq!(server.play(&other, 0, 0, "step").await, 4, "the other table still works");
    assert_eq!(server.metric("tables_set_aside_total").await, 1);
    assert_eq!(server.metric("table_restarts_total").await, 3);
}

#[tokio::test]
pub(crate) async fn a_table_that_was_set_aside_comes_back_after_a_while() {
    let setup = Setup::new().catalog(FragileGames).limit("table_failures", 0);
    let server = setup.limit("set_aside", 60_000).start().await;
    let table = server.table("fragile").await;
    break_it(&server, &table, 0).await;
    for seconds in [0, 50] {
        pass(Duration::from_secs(seconds)).await;
        let answer = server.act(&table, 0, &server.move_at(0, "step")).await;
        assert_eq!(answer.problem(503), "set_aside");
    }
    pass(Duration::from_secs(11)).await;
    server.until_metric("live_tables", 0).await;
    assert_eq!(server.play(&table, 0, 0, "step").await, 4);
}

#[tokio::test]
async fn a_move_on_which_the_rules_fail_is_not_recorded() {
    let server = fragile().await;
    let table = server.table("fragile").await;
    let answer = server.act(&table, 0, &server.move_at(0, "poison")).await;
    assert_eq!(answer.problem(503), "unavailable");
    assert_eq!(server.play(&table, 0, 0, "step").await, 4, "the table still works");
    assert_eq!(server.log(&table.id).await.len(), 4);
}

#[tokio::test]
async fn old_failures_do_not_count() {
    let server = fragile().await;
    let table = server.table("fragile").await;
    for _ in 0..5 {
        break_it(&server, &table, 0).await;
        pass(Duration::from_secs(31)).await;
    }
    assert_eq!(server.play(&table, 0, 0, "step").await, 4);
    assert_eq!(server.metric("table_restarts_total").await, 5);
}

#[tokio::test]
async fn a_table_to_which_no_player_has_connected_leaves_memory_sooner() {
    let server = Setup::new().limit("table_idle", 60_000).start().await;
    let (lonely, left) = (server.table("tic-tac-toe").await, server.table("tic-tac-toe").await);
    let mut socket = Socket::open(&server).await;
    let (channel, _) = socket.join_seat(&left, 0).await;
    let (watched, _) = socket.join_as_spectator(&lonely).await;
    socket.leave(watched).await;
    socket.leave(channel).await;
    pass(Duration::from_secs(16)).await;
    server.until_metric("live_tables", 1).await;
    assert_eq!(server.play(&left, 0, 0, "b2").await, 4, "its player comes back in time");
    pass(Duration::from_secs(46)).await;
    server.get("/healthz").send().await;
    assert_eq!(server.metric("live_tables").await, 1, "this one had a player");
    pass(Duration::from_secs(16)).await;
    server.until_metric("live_tables", 0).await;
}

#[tokio::test]
pub(crate) async fn a_table_without_clients_is_evicted_and_loaded_on_demand() {
    let server = Setup::new().limit("table_idle", 50).start().await;
    let table = server.table("tic-tac-toe").await;
    server.play(&table, 0, 0, "b2").await;
    let mut socket = Socket::open(&server).await;
    let (channel, _) = socket.join_as_spectator(&table).await;
    pass(Duration::from_secs(1)).await;
    socket.catch_up().await;
    assert_eq!(server.metric("live_tables").await, 1, "a client is connected");
    socket.leave(channel).await;
    server.until_metric("live_tables", 0).await;
    assert_eq!(server.play(&table, 1, 1, "a1").await, 5);
    assert_eq!(server.metric("live_tables").await, 1);
}
