//! The channel of a table, over a WebSocket.

use std::time::Duration;

use serde_json::{Value, json};

use crate::socket::{Socket, topic};
use crate::test_server::{TestServer, pass, text};

#[tokio::test]
async fn players_and_spectators_get_the_state_when_they_join() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let mut socket = Socket::open(&server).await;
    let (channel, welcome) = socket.join_seat(&table, 1).await;
    assert_eq!((&welcome["seat"], &welcome["version"]), (&json!(1), &json!(3)));
    assert_eq!((&welcome["protocol"], &welcome["rules"]), (&json!(1), &json!(1)));
    assert!(!text(&welcome["epoch"]).is_empty());
    socket.leave(channel).await;
    let (_, welcome) = socket.join_as_spectator(&table).await;
    assert_eq!((&welcome["seat"], &welcome["version"]), (&Value::Null, &json!(3)));
    assert!(!socket.received.concat().contains("\"token\""));
}

#[tokio::test]
async fn a_join_with_a_bad_token_is_refused() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let mut socket = Socket::open(&server).await;
    let refusal = socket.join(&topic(&table), json!({"token": "00".repeat(16)})).await;
    assert_eq!(refusal.unwrap_err()["code"], "bad_token");
    for hello in [json!({"token": "moon"}), json!({"from": -1}), json!({"token": 7})] {
        let refusal = socket.join(&topic(&table), hello).await;
        assert_eq!(refusal.unwrap_err()["code"], "bad_request");
    }
    let nowhere = socket.join("table:AAAAAAAAAAAAAAAAAAAAAA", json!({})).await;
    assert_eq!(nowhere.unwrap_err()["code"], "no_table");
    for topic in ["moon", "table:moon", "table:"] {
        let refusal = socket.join(topic, json!({})).await.unwrap_err();
        assert_eq!(refusal, json!({"reason": "unmatched topic"}), "{topic}");
    }
    socket.join_as_spectator(&table).await;
}

#[tokio::test]
async fn a_move_is_acknowledged_and_broadcast_with_its_version() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let (mut ada, mut bob, mut eve) =
        (Socket::open(&server).await, Socket::open(&server).await, Socket::open(&server).await);
    let (mine, _) = ada.join_seat(&table, 0).await;
    bob.join_seat(&table, 1).await;
    let (theirs, _) = eve.join_as_spectator(&table).await;
    let action = server.move_at(0, "b2");
    assert_eq!(ada.push(mine, "act", &action).await, Ok(json!({"version": 4})));
    for (socket, sees_id) in [(&mut ada, true), (&mut bob, false), (&mut eve, false)] {
        let entry = &socket.receive("entries").await["entries"][0];
        assert_eq!((&entry["version"], &entry["move"]), (&json!(4), &json!("b2")));
        assert_eq!(entry["action"] == action["id"], sees_id, "only the author sees the id");
    }
    assert_eq!(ada.push(mine, "act", &action).await, Ok(json!({"version": 4})), "sent again");
    let refusal = eve.push(theirs, "act", &server.move_at(1, "a1")).await.unwrap_err();
    assert_eq!(refusal["code"], "no_seat");
    let refusal = ada.push(mine, "act", &server.move_at(1, "b2")).await.unwrap_err();
    assert_eq!(refusal["code"], "not_your_turn");
    let codes: Vec<_> = refusal["reasons"].as_array().unwrap().iter().collect();
    assert_eq!(codes[1]["because"][0]["thread"], "SquareTaken(b2)", "{refusal}");
    for socket in [&mut ada, &mut bob, &mut eve] {
        socket.catch_up().await;
        assert!(!socket.has_received("entries"), "nothing else happened");
    }
}

#[tokio::test]
async fn a_malformed_message_is_refused_and_the_channel_stays_open() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let mut socket = Socket::open(&server).await;
    let (channel, _) = socket.join_seat(&table, 0).await;
    for (event, message) in [
        ("act", json!({"action": "dance"})),
        ("dance", json!({})),
        ("resync", json!({"from": "moon"})),
        ("emote", json!({"emote": "rude"})),
    ] {
        let refusal = socket.push(channel, event, &message).await.unwrap_err();
        assert_eq!(refusal["code"], "bad_request", "{event}");
    }
    socket.push(channel, "act", &server.move_at(0, "b2")).await.unwrap();
}

#[tokio::test]
async fn resync_returns_the_entries_after_any_version() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let mut socket = Socket::open(&server).await;
    let (channel, welcome) = socket.join_seat(&table, 0).await;
    for (ply, chosen) in [(0, "a1"), (1, "b1"), (2, "a2")] {
        server.play(&table, usize::try_from(ply).unwrap() % 2, ply, chosen).await;
    }
    for from in 3..=6_u64 {
        let known = json!({"from": from, "epoch": welcome["epoch"]});
        let received = socket.push(channel, "resync", &known).await.unwrap();
        let entries = received["entries"].as_array().unwrap();
        let versions: Vec<_> = entries.iter().map(|entry| entry["version"].as_u64()).collect();
        assert_eq!(versions, (from + 1..=6).map(Some).collect::<Vec<_>>());
        assert_eq!((&received["version"], &received["start"]), (&json!(6), &Value::Null));
    }
    for known in [json!({}), json!({"from": 5, "epoch": "other"}), json!({"from": 1_000})] {
        let received = socket.push(channel, "resync", &known).await.unwrap();
        assert_eq!(received["start"]["version"], 3, "the client starts over: {known}");
        assert_eq!(received["entries"].as_array().unwrap().len(), 3);
    }
}

#[tokio::test]
async fn a_client_that_reconnects_gets_only_what_it_missed() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let mut socket = Socket::open(&server).await;
    let (channel, welcome) = socket.join_seat(&table, 0).await;
    socket.push(channel, "act", &server.move_at(0, "a1")).await.unwrap();
    drop(socket);
    server.play(&table, 1, 1, "b1").await;
    let mut socket = Socket::open(&server).await;
    let hello = json!({"token": table.tokens[0], "from": 4, "epoch": welcome["epoch"]});
    let (channel, received) = socket.try_join(&topic(&table), hello).await.unwrap();
    assert_eq!(received["start"], Value::Null);
    assert_eq!(received["entries"][0]["version"], 5);
    assert_eq!(received["entries"].as_array().unwrap().len(), 1);
    socket.push(channel, "act", &server.move_at(2, "a2")).await.unwrap();
    assert_eq!(socket.entries().await, [(6, "played".to_owned())]);
}

#[tokio::test]
async fn a_second_join_replaces_the_first_channel() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let mut socket = Socket::open(&server).await;
    socket.join_seat(&table, 0).await;
    let (channel, welcome) = socket.join_seat(&table, 0).await;
    assert_eq!(welcome["seat"], 0);
    socket.push(channel, "act", &server.move_at(0, "b2")).await.unwrap();
    assert_eq!(socket.entries().await, [(4, "played".to_owned())]);
    socket.catch_up().await;
    assert!(!socket.has_received("entries"), "the client gets each entry once");
}

#[tokio::test]
async fn a_computers_move_is_broadcast_with_its_explanation() {
    let server = TestServer::usual().await;
    let wanted = json!({"game": "tic-tac-toe", "computers": [null, "bthreads"], "name": "Ada"});
    let created = server.create(&wanted).await;
    let topic = format!("table:{}", text(&created["id"]));
    let mut socket = Socket::open(&server).await;
    let hello = json!({"token": created["token"]});
    let (channel, _) = socket.try_join(&topic, hello).await.unwrap();
    socket.push(channel, "act", &server.move_at(0, "a1")).await.unwrap();
    let own = socket.receive("entries").await;
    assert_eq!(
        own["entries"][0]["explanation"],
        Value::Null,
        "people keep their reasons to themselves"
    );
    let answer = socket.receive("entries").await;
    assert_eq!(answer["entries"][0]["seat"], 1);
    assert!(!answer["entries"][0]["explanation"].is_null(), "{answer}");
}

#[tokio::test]
async fn a_player_who_runs_out_of_time_forfeits() {
    let server = TestServer::usual().await;
    let wanted = json!({"game": "tic-tac-toe", "clock": {"per_move": 1_000}});
    let table = server.table_as(wanted).await;
    let mut socket = Socket::open(&server).await;
    socket.join_as_spectator(&table).await;
    server.play(&table, 0, 0, "b2").await;
    assert_eq!(socket.entries().await, [(4, "played".to_owned())]);
    let entries = socket.receive("entries").await;
    let entry = &entries["entries"][0];
    assert_eq!((&entry["kind"], &entry["seat"]), (&json!("forfeited"), &json!(1)));
    assert_eq!((&entry["why"], &entry["who"]), (&json!("out_of_time"), &json!("table")));
    let late = server.act(&table, 1, &server.move_at(1, "a1")).await;
    assert_eq!(late.problem(409), "stale");
}

#[tokio::test]
async fn a_clock_does_not_run_before_the_first_move() {
    let server = TestServer::usual().await;
    let wanted = json!({"game": "tic-tac-toe", "clock": {"per_move": 1_000}});
    let table = server.table_as(wanted).await;
    let mut socket = Socket::open(&server).await;
    socket.join_as_spectator(&table).await;
    pass(Duration::from_secs(5)).await;
    socket.catch_up().await;
    assert!(!socket.has_received("entries"), "no move was made yet");
    server.play(&table, 0, 0, "b2").await;
}

#[tokio::test]
async fn hidden_information_is_sent_to_its_owner_only() {
    let server = TestServer::usual().await;
    let table = server.table("kuhn-poker").await;
    let (mut ada, mut bob, mut eve) =
        (Socket::open(&server).await, Socket::open(&server).await, Socket::open(&server).await);
    ada.join_seat(&table, 0).await;
    bob.join_seat(&table, 1).await;
    eve.join_as_spectator(&table).await;
    server.play(&table, 0, 1, "bet").await;
    for socket in [&mut ada, &mut bob, &mut eve] {
        let received = socket.receive("entries").await;
        assert!(
            received["view"].is_object(),
            "a client needs the view, because it cannot fold hidden entries"
        );
    }
    // A random id may happen to contain the letters of two cards.
    let without_id = |socket: &Socket| socket.received.concat().replace(&table.id, "");
    let received = [&ada, &bob, &eve].map(without_id);
    server.play(&table, 1, 2, "bet").await;
    let shown = eve.receive("entries").await;
    let position = text(&shown["view"]["position"]);
    let (first, second) = position.split_at_checked(1).unwrap();
    let second = second.split_at_checked(1).unwrap().0;
    for (viewer, received) in received.iter().enumerate() {
        assert_eq!(received.contains(&format!("{first}?")), viewer == 0, "{viewer}: {received}");
        assert_eq!(received.contains(&format!("?{second}")), viewer == 1, "{viewer}: {received}");
        assert!(!received.contains(&format!("{first}{second}")), "{viewer}: {received}");
    }
}

#[tokio::test]
async fn simultaneous_choices_are_sealed_until_all_are_made() {
    let server = TestServer::usual().await;
    let table = server.table("odds-and-evens").await;
    let mut socket = Socket::open(&server).await;
    socket.join_seat(&table, 1).await;
    server.play(&table, 0, 0, "1").await;
    let received = socket.receive("entries").await;
    assert_eq!(
        (&received["entries"][0]["kind"], &received["entries"][0]["move"]),
        (&json!("sealed"), &Value::Null)
    );
    server.play(&table, 1, 0, "2").await;
    let received = socket.receive("entries").await;
    assert_eq!(received["entries"][1]["moves"], json!([[0, "1"], [1, "2"]]));
}
