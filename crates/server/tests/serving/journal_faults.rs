//! What players see when the journal fails.

use std::time::Duration;

use serde_json::json;
use server::Loss;

use crate::faulty_journal::{Fault, FaultyJournal};
use crate::socket::Socket;
use crate::test_server::{Setup, Table, pass};

#[tokio::test]
async fn an_action_that_was_not_written_can_be_sent_again() {
    let journal = FaultyJournal::new();
    let server = Setup::on(&journal).start().await;
    let table = server.table("tic-tac-toe").await;
    let mut socket = Socket::open(&server).await;
    let (channel, _) = socket.join_seat(&table, 0).await;
    let action = server.move_at(0, "b2");
    journal.fail(Fault::NotWritten);
    let answer = server.act(&table, 0, &action).await;
    assert_eq!(answer.problem(503), "unavailable");
    assert_eq!(answer.header("retry-after"), "1");
    journal.fail(Fault::NotWritten);
    let refusal = socket.push(channel, "act", &action).await.unwrap_err();
    assert_eq!(refusal["code"], "unavailable");
    assert_eq!(server.log(&table.id).await.len(), 3);
    assert!(!socket.has_received("entries"), "a failed action is not broadcast");
    assert_eq!(server.act(&table, 0, &action).await.of(200), json!({"version": 4}));
    assert_eq!(socket.entries().await, [(4, "played".to_owned())]);
}

#[tokio::test]
async fn an_action_with_an_unknown_outcome_is_looked_up() {
    for fault in [Fault::Lost, Fault::Vanished] {
        let journal = FaultyJournal::new();
        let server = Setup::on(&journal).start().await;
        let table = server.table("tic-tac-toe").await;
        let mut socket = Socket::open(&server).await;
        socket.join_as_spectator(&table).await;
        journal.fail(fault);
        assert_eq!(server.play(&table, 0, 0, "b2").await, 4, "{fault:?}");
        assert_eq!(socket.entries().await, [(4, "played".to_owned())]);
        assert_eq!(server.log(&table.id).await.len(), 4, "the entry is in the log once: {fault:?}");
    }
}

#[tokio::test]
async fn a_disk_that_keeps_failing_is_not_reported_as_a_conflict() {
    let journal = FaultyJournal::new();
    let server = Setup::on(&journal).start().await;
    let table = server.table("tic-tac-toe").await;
    let mut socket = Socket::open(&server).await;
    let (channel, _) = socket.join_seat(&table, 0).await;
    let action = server.move_at(0, "b2");
    for _ in 0..100 {
        journal.fail(Fault::Vanished);
    }
    let answer = server.act(&table, 0, &action).await;
    assert_eq!(answer.problem(503), "unavailable");
    assert!(answer.text.contains("could not be recorded"), "{}", answer.text);
    let refusal = socket.push(channel, "act", &action).await.unwrap_err();
    assert_eq!(refusal["code"], "unavailable");
    let version = loop {
        let answer = server.act(&table, 0, &action).await;
        if answer.status == 200 {
            break answer.json()["version"].clone();
        }
        assert_eq!(answer.problem(503), "unavailable");
    };
    assert_eq!(
        (version, server.log(&table.id).await.len()),
        (json!(4), 4),
        "the entry is in the log once"
    );
}

#[tokio::test]
async fn an_action_that_cannot_be_looked_up_is_not_acknowledged_and_is_found_later() {
    for (fault, length) in [(Fault::Lost, 4), (Fault::Vanished, 3)] {
        let journal = FaultyJournal::new();
        let server = Setup::on(&journal).start().await;
        let table = server.table("tic-tac-toe").await;
        let action = server.move_at(0, "b2");
        journal.fail(fault);
        journal.fail_reads();
        assert_eq!(server.act(&table, 0, &action).await.problem(503), "unavailable");
        let look = server.get(&format!("/api/tables/{}", table.id)).send().await;
        assert_eq!(look.problem(503), "unavailable");
        journal.heal();
        pass(Duration::from_secs(2)).await;
        server.until_metric("live_tables", 0).await;
        assert_eq!(server.log(&table.id).await.len(), length, "{fault:?}");
        assert_eq!(server.act(&table, 0, &action).await.of(200), json!({"version": 4}));
        assert_eq!(server.log(&table.id).await.len(), 4);
    }
}

#[tokio::test]
async fn subscribers_of_an_unreadable_table_join_again_when_it_is_readable() {
    let journal = FaultyJournal::new();
    let server = Setup::on(&journal).start().await;
    let table = server.table("tic-tac-toe").await;
    let mut socket = Socket::open(&server).await;
    let (channel, welcome) = socket.join_as_spectator(&table).await;
    socket.rejoin_with(channel, &json!({"from": 3, "epoch": welcome["epoch"]}));
    journal.fail(Fault::Lost);
    journal.fail_reads();
    server.act(&table, 0, &server.move_at(0, "b2")).await.problem(503);
    socket.failed(channel).await;
    journal.heal();
    let welcome = socket.rejoined(channel).await;
    assert_eq!(welcome["entries"][0]["version"], 4, "the client gets the missed entries");
}

#[tokio::test]
async fn a_table_that_is_loaded_again_sends_what_subscribers_have_missed() {
    let journal = FaultyJournal::new();
    let server = Setup::on(&journal).start().await;
    let table = server.table("tic-tac-toe").await;
    let mut socket = Socket::open(&server).await;
    socket.join_as_spectator(&table).await;
    let mut lines = server.get(&format!("/api/tables/{}/stream?from=3", table.id)).lines().await;
    journal.fail(Fault::Lost);
    journal.fail_next_read();
    server.act(&table, 0, &server.move_at(0, "b2")).await.problem(503);
    assert_eq!(socket.entries().await, [(4, "played".to_owned())]);
    assert_eq!(lines.next().await.unwrap()["version"], 4);
    server.play(&table, 1, 1, "a1").await;
    assert_eq!(socket.entries().await, [(5, "played".to_owned())]);
    assert_eq!(lines.next().await.unwrap()["version"], 5);
}

#[tokio::test]
async fn a_subscriber_that_missed_the_start_of_a_round_joins_again_and_is_present_once() {
    let journal = FaultyJournal::new();
    let server = Setup::on(&journal).start().await;
    let table = server.table("tic-tac-toe").await;
    let mut socket = Socket::open(&server).await;
    let (channel, _) = socket.join_as_spectator(&table).await;
    let mut lines = server.get(&format!("/api/tables/{}/stream?from=3", table.id)).lines().await;
    journal.fail(Fault::Lost);
    journal.fail_next_read();
    let action = json!({"id": "ada:1", "action": "forfeit", "round": 1, "ply": 0});
    server.act(&table, 0, &action).await.problem(503);
    socket.failed(channel).await;
    let welcome = socket.rejoined(channel).await;
    assert_eq!((&welcome["version"], &welcome["view"]["round"]), (&json!(4), &json!(2)));
    socket.receive("presence_state").await;
    let state = socket.receive("presence_state").await;
    assert_eq!(state["watching"]["metas"].as_array().unwrap().len(), 1, "{state}");
    assert_eq!(lines.next().await, None, "the stream ends, and its reader asks again");
}

#[tokio::test]
async fn under_all_faults_each_move_is_in_the_log_once_and_in_order() {
    let journal = FaultyJournal::new();
    let server = Setup::on(&journal).start().await;
    let table = server.table("tic-tac-toe").await;
    let mut socket = Socket::open(&server).await;
    socket.join_as_spectator(&table).await;
    let faults = [Fault::NotWritten, Fault::Lost, Fault::Vanished];
    let moves = ["a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3"];
    for (ply, chosen) in moves.into_iter().enumerate() {
        let action = server.move_at(u32::try_from(ply).unwrap(), chosen);
        for number in 0..ply % 4 {
            journal.fail(faults[(ply + number) % 3]);
        }
        let version = loop {
            let answer = server.act(&table, ply % 2, &action).await;
            if answer.status == 200 {
                break answer.json()["version"].clone();
            }
            assert_eq!(answer.problem(503), "unavailable");
        };
        assert_eq!(version, 4 + ply);
        let log = server.log(&table.id).await;
        assert_eq!(log.last().unwrap()["move"], chosen, "the acknowledged move is in the log");
        assert_eq!(socket.entries().await, [(4 + ply as u64, "played".to_owned())]);
    }
    assert_eq!(server.log(&table.id).await.len(), 12);
}

#[tokio::test]
async fn a_table_is_not_created_if_it_cannot_be_recorded() {
    let journal = FaultyJournal::new();
    let server = Setup::on(&journal).start().await;
    journal.fail(Fault::NotWritten);
    let answer = server.post("/api/tables", &json!({"game": "pig", "listed": true})).send().await;
    assert_eq!(answer.problem(503), "unavailable");
    assert_eq!(server.get("/api/tables").send().await.of(200)["tables"], json!([]));
    server.create(&json!({"game": "pig", "listed": true})).await;
}

#[tokio::test]
async fn a_computer_retries_a_move_that_could_not_be_written() {
    let journal = FaultyJournal::new();
    let server = Setup::on(&journal).start().await;
    let wanted = json!({"game": "tic-tac-toe", "computers": ["random", null]});
    let id = crate::test_server::text(&server.create(&wanted).await["id"]);
    let mut socket = Socket::open(&server).await;
    socket.join(&format!("table:{id}"), json!({})).await.unwrap();
    journal.fail_after(1, Fault::NotWritten);
    server.join(&id, &json!({"name": "Ada"})).await.of(200);
    assert_eq!(socket.entries().await, [(2, "joined".to_owned())]);
    pass(Duration::from_secs(1)).await;
    assert_eq!(socket.entries().await, [(3, "played".to_owned())]);
}

#[tokio::test]
async fn the_server_is_ready_as_long_as_its_journal_is() {
    let journal = FaultyJournal::new();
    let server = Setup::on(&journal).start().await;
    assert_eq!(server.get("/readyz").send().await.status, 200);
    journal.fail_reads();
    let answer = server.get("/readyz").send().await;
    assert!(answer.status == 503 && answer.text.contains("reads fail"), "{answer:?}");
    assert_eq!(server.get("/healthz").send().await.status, 200, "the process is alive");
    journal.heal();
    assert_eq!(server.get("/readyz").send().await.status, 200);
}

#[tokio::test]
async fn all_tables_in_memory_are_loaded_again_after_a_salvage() {
    let journal = FaultyJournal::new();
    let server = Setup::on(&journal).start().await;
    let mut seated = Vec::new();
    for _ in 0..3 {
        let table = server.table("tic-tac-toe").await;
        let mut socket = Socket::open(&server).await;
        let (channel, welcome) = socket.join_seat(&table, 0).await;
        seated.push((socket, channel, welcome));
    }
    journal.salvage(Loss::AnyTable);
    for (mut socket, channel, before) in seated {
        socket.failed(channel).await;
        assert_ne!(socket.rejoined(channel).await["epoch"], before["epoch"], "clients start over");
    }
}

#[tokio::test]
async fn only_the_table_whose_log_was_cut_is_loaded_again() {
    let journal = FaultyJournal::new();
    let server = Setup::on(&journal).start().await;
    let (cut, whole) = (server.table("tic-tac-toe").await, server.table("tic-tac-toe").await);
    let epoch = async |table: &Table| {
        server.get(&format!("/api/tables/{}", table.id)).send().await.of(200)["epoch"].clone()
    };
    let (before, other) = (epoch(&cut).await, epoch(&whole).await);
    let restarts = server.metric("table_restarts_total").await;
    journal.salvage(Loss::Table(cut.id.parse().expect("the id is valid")));
    server.until_metric("table_restarts_total", restarts + 1).await;
    assert_ne!(epoch(&cut).await, before);
    assert_eq!(epoch(&whole).await, other);
}
