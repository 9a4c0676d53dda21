//! Streams with views, for bots.

use serde_json::{Value, json};

use crate::http::Lines;
use crate::test_server::{Setup, Table, TestServer, text};

async fn stream(server: &TestServer, table: &Table, seat: Option<usize>, query: &str) -> Lines {
    let request = server.get(&format!("/api/tables/{}/stream?with=view{query}", table.id));
    match seat {
        Some(seat) => request.bearer(&table.tokens[seat]).lines().await,
        None => request.lines().await,
    }
}

/// The versions of the entries of the next line, and its view.
async fn next(lines: &mut Lines) -> (Vec<u64>, Value) {
    let line = lines.next().await.expect("a line comes");
    let entries = line["entries"].as_array().expect("entries are a list");
    let versions = entries.iter().filter_map(|entry| entry["version"].as_u64());
    (versions.collect(), line["view"].clone())
}

/// The state of the table as a seat may see it.
async fn view(server: &TestServer, table: &Table, seat: Option<usize>) -> Value {
    let request = server.get(&format!("/api/tables/{}", table.id));
    let request = match seat {
        Some(seat) => request.bearer(&table.tokens[seat]),
        None => request,
    };
    request.send().await.of(200)["view"].clone()
}

#[tokio::test]
async fn every_line_has_the_view_the_turn_and_the_legal_moves_of_its_seat_alone() {
    let server = TestServer::usual().await;
    for game in ["tic-tac-toe", "kuhn-poker", "odds-and-evens"] {
        let table = server.table(game).await;
        let seats = [Some(0), Some(1), None];
        let mut streams = Vec::new();
        for seat in seats {
            streams.push(stream(&server, &table, seat, "").await);
        }
        for ply in 0..2 {
            let mut chosen = Vec::new();
            for (seat, lines) in seats.iter().zip(&mut streams) {
                let (versions, shown) = next(lines).await;
                let expected = view(&server, &table, *seat).await;
                assert_eq!(shown, expected, "{game}, {seat:?}");
                assert_eq!(versions.last(), shown["version"].as_u64().as_ref());
                if let Some(first) = shown["legal_moves"].as_array().unwrap().first() {
                    assert!(shown["turn"].as_array().unwrap().contains(&json!(seat.unwrap())));
                    chosen.push((seat.unwrap(), text(first), shown["ply"].as_u64().unwrap()));
                }
            }
            assert!(!chosen.is_empty(), "{game}: ply {ply}");
            let (seat, first, at) = &chosen[0];
            server.play(&table, *seat, u32::try_from(*at).unwrap(), first).await;
        }
    }
}

#[tokio::test]
async fn a_reader_that_knows_everything_gets_the_view_at_once() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let version = server.play(&table, 0, 0, "b2").await;
    let mut lines = stream(&server, &table, Some(1), &format!("&from={version}")).await;
    let (entries, shown) = next(&mut lines).await;
    assert_eq!((entries, &shown["turn"]), (Vec::new(), &json!([1])));
    assert_eq!(shown["legal_moves"].as_array().unwrap().len(), 8);
}

#[tokio::test]
async fn a_reader_that_is_ahead_of_the_log_is_refused_and_takes_no_place() {
    let server = Setup::new().limit("spectators_per_table", 1).start().await;
    let table = server.table("tic-tac-toe").await;
    let version = server.play(&table, 0, 0, "b2").await;
    for with in ["", "with=view&"] {
        for from in [version + 1, u64::MAX] {
            let path = format!("/api/tables/{}/stream?{with}from={from}", table.id);
            let answer = server.get(&path).send().await;
            assert_eq!(answer.problem(409), "early", "{with}{from}");
            let end = format!("This log ends with version {version}: ask again without from");
            assert!(answer.text.contains(&end), "{}", answer.text);
        }
    }
    let mut lines = stream(&server, &table, None, &format!("&from={version}")).await;
    assert!(next(&mut lines).await.0.is_empty(), "the place of a spectator is free");
}

#[tokio::test]
async fn of_a_long_log_only_the_last_line_has_a_view() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    for round in 1..=120 {
        let forfeit =
            json!({"id": server.action_id(), "action": "forfeit", "round": round, "ply": 0});
        server.act(&table, 0, &forfeit).await.of(200);
    }
    let mut lines = stream(&server, &table, None, "").await;
    let (first, none) = next(&mut lines).await;
    assert_eq!((first.len(), none), (100, Value::Null));
    let (rest, shown) = next(&mut lines).await;
    assert_eq!((rest.len(), &shown["version"]), (23, &json!(123)));
}

#[tokio::test]
async fn a_computers_answer_comes_with_a_view() {
    let server = TestServer::usual().await;
    let wanted = json!({"game": "tic-tac-toe", "computers": [null, "bthreads"], "name": "Ada"});
    let created = server.create(&wanted).await;
    let tokens = [text(&created["token"]), String::new()];
    let table = Table { id: text(&created["id"]), tokens };
    let mut lines = stream(&server, &table, Some(0), "").await;
    let (_, shown) = next(&mut lines).await;
    assert_eq!(shown["ply"], 0);
    server.play(&table, 0, 0, "b2").await;
    let mut plies = Vec::new();
    while plies.last() != Some(&json!(2)) {
        plies.push(next(&mut lines).await.1["ply"].clone());
    }
    assert!(plies.len() <= 2, "one line for each move, or one for both: {plies:?}");
}

#[tokio::test]
async fn only_a_view_can_be_added_to_lines() {
    let server = TestServer::usual().await;
    let table = server.table("pig").await;
    for query in ["with=moon", "with=", "with"] {
        let answer = server.get(&format!("/api/tables/{}/stream?{query}", table.id)).send().await;
        assert_eq!(answer.problem(400), "bad_request", "{query}");
        assert!(answer.text.contains("write with=view, or leave it out"), "{}", answer.text);
    }
}
