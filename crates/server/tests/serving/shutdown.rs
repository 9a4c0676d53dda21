//! Stopping a server.

use std::time::Duration;

use serde_json::json;
use server::{Journal as _, PreviousStop, Settings, SqliteJournal};
use tokio::net::TcpStream;
use tokio::time::Instant;

use crate::faulty_journal::FaultyJournal;
use crate::fragile_game::FragileGames;
use crate::socket::{End, Socket};
use crate::test_server::{Setup, TestServer, eventually};

#[tokio::test]
async fn at_shutdown_sockets_are_asked_to_reconnect_and_streams_end() {
    let mut server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let mut socket = Socket::open(&server).await;
    socket.join_as_spectator(&table).await;
    let mut lines = server.get(&format!("/api/tables/{}/stream?from=3", table.id)).lines().await;
    let begun = server.get("/socket/longpoll?vsn=2.0.0").send().await.of(200);
    let poll = format!("/socket/longpoll?vsn=2.0.0&token={}", begun["token"].as_str().unwrap());
    let poll = tokio::spawn(server.get(&poll).send());
    // The server counts the poll once it waits, beside the socket and the stream.
    eventually("the poll waits", async || server.metric("connections").await == 3).await;
    server.stop();
    assert_eq!(socket.end().await, End::Closed(1012));
    assert_eq!(lines.next().await, None);
    assert_eq!(poll.await.unwrap().of(200)["status"], 410, "the client must open a new session");
    let address = server.address;
    server.stopped().await.unwrap();
    assert!(TcpStream::connect(address).await.is_err(), "the server no longer listens");
}

#[tokio::test]
async fn a_request_in_progress_is_finished() {
    let journal = FaultyJournal::new();
    let mut server = Setup::on(&journal).start().await;
    let table = server.table("tic-tac-toe").await;
    journal.hold();
    let path = format!("/api/tables/{}/actions", table.id);
    let ask = server.post(&path, &server.move_at(0, "b2")).bearer(&table.tokens[0]);
    let answer = tokio::spawn(ask.send());
    eventually("the move is being written", async || journal.held() == 1).await;
    server.stop();
    let stopped = tokio::spawn(server.stopped());
    journal.release();
    assert_eq!(answer.await.unwrap().of(200), json!({"version": 4}));
    stopped.await.unwrap().unwrap();
    let refused = journal.append(server::TableId::new([0; 16]), 0, Vec::new()).await;
    assert!(refused.is_err(), "the journal is closed");
}

#[tokio::test]
async fn acknowledged_entries_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, report) = SqliteJournal::open(folder.path(), &Settings::default()).unwrap();
    assert_eq!(report.previous_stop, PreviousStop::New);
    let server = Setup::on(&std::sync::Arc::new(journal)).start().await;
    let table = server.table("tic-tac-toe").await;
    for (ply, chosen) in [(0, "a1"), (1, "b1"), (2, "a2")] {
        server.play(&table, usize::try_from(ply).unwrap() % 2, ply, chosen).await;
    }
    let before = server.log(&table.id).await;
    let look = |server: &TestServer| server.get(&format!("/api/tables/{}", table.id)).send();
    let epoch = look(&server).await.of(200)["epoch"].clone();
    server.stopped().await.unwrap();

    let (journal, report) = SqliteJournal::open(folder.path(), &Settings::default()).unwrap();
    assert_eq!(report.previous_stop, PreviousStop::Clean);
    let server = Setup::on(&std::sync::Arc::new(journal)).start().await;
    assert_eq!(server.log(&table.id).await, before);
    assert_eq!(look(&server).await.of(200)["epoch"], epoch, "nothing can have been lost");
    let action = json!({"id": "later:1", "action": "play", "round": 1, "ply": 3, "move": "b2"});
    assert_eq!(server.act(&table, 1, &action).await.of(200), json!({"version": 7}));
    server.stopped().await.unwrap();
}

#[tokio::test]
pub(crate) async fn the_shutdown_does_not_wait_for_ever() {
    let journal = FaultyJournal::new();
    let mut server = Setup::on(&journal).limit("shutdown", 200).start().await;
    let table = server.table("tic-tac-toe").await;
    journal.hold();
    let path = format!("/api/tables/{}/actions", table.id);
    let ask = server.post(&path, &server.move_at(0, "b2")).bearer(&table.tokens[0]);
    let answer = tokio::spawn(ask.send());
    eventually("the move is being written", async || journal.held() == 1).await;
    let begun = Instant::now();
    server.stop();
    server.stopped().await.unwrap();
    assert!(begun.elapsed() >= Duration::from_millis(200), "the server waited for the request");
    answer.abort();
}

#[tokio::test]
async fn a_table_that_was_set_aside_does_not_delay_the_shutdown() {
    let setup = Setup::new().catalog(FragileGames).limit("table_failures", 0);
    let server = setup.limit("shutdown", 60_000).start().await;
    let table = server.table("fragile").await;
    server.act(&table, 0, &server.move_at(0, "break")).await.problem(503);
    server.until_metric("tables_set_aside_total", 1).await;
    server.stopped().await.unwrap();
}

#[tokio::test]
pub(crate) async fn while_it_drains_the_server_is_not_ready_and_creates_no_table_but_games_go_on() {
    let server = Setup::new().limit("drain", 60_000).start().await;
    let table = server.table("tic-tac-toe").await;
    let mut socket = Socket::open(&server).await;
    socket.join_as_spectator(&table).await;
    server.ask_to_stop().await;
    eventually("it is not ready", async || server.get("/readyz").send().await.status == 503).await;
    assert_eq!(server.admin_get("/readyz").send().await.status, 503);
    assert_eq!(server.get("/healthz").send().await.status, 200);
    for path in ["/api/tables", "/api/pair"] {
        let wanted = json!({"game": "tic-tac-toe", "name": "Ada"});
        let answer = server.post(path, &wanted).send().await;
        assert_eq!(answer.problem(503), "busy");
        assert!(answer.text.contains("No table was created"), "{}", answer.text);
        assert_eq!(answer.header("retry-after"), "1");
    }
    assert_eq!(server.play(&table, 0, 0, "b2").await, 4);
    // The second request ends the delay.
    server.ask_to_stop().await;
    assert_eq!(socket.end().await, End::Closed(1012));
    server.stopped().await.unwrap();
}

#[tokio::test]
async fn a_second_request_to_stop_waits_for_nobody_but_closes_the_journal() {
    let journal = FaultyJournal::new();
    let server = Setup::on(&journal).limit("shutdown", 60_000).start().await;
    let table = server.table("tic-tac-toe").await;
    journal.hold();
    let path = format!("/api/tables/{}/actions", table.id);
    let ask = server.post(&path, &server.move_at(0, "b2")).bearer(&table.tokens[0]);
    let answer = tokio::spawn(ask.send());
    eventually("the move is being written", async || journal.held() == 1).await;
    server.ask_to_stop().await;
    server.ask_to_stop().await;
    server.stopped().await.unwrap();
    journal.release();
    let refused = journal.append(server::TableId::new([0; 16]), 0, Vec::new()).await;
    assert!(refused.is_err(), "the journal is closed");
    answer.abort();
}
