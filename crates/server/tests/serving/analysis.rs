//! Explanations of computers' moves, and what positions are worth.

use game::{AnalysisBudget, Game as _, Seat, StopFlag};
use serde_json::{Value, json};

use crate::faulty_journal::FaultyJournal;
use crate::http::TestResponse;
use crate::test_server::{Setup, Table, TestServer, text};

async fn analysis(server: &TestServer, id: &str, query: &str) -> TestResponse {
    server.get(&format!("/api/tables/{id}/analysis{query}")).send().await
}

/// Ada plays tic-tac-toe against the computer, whose first move is entry 4; returns the id of the table
/// and the explanation that was broadcast.
async fn tic_tac_toe(server: &TestServer) -> (String, Value) {
    let wanted = json!({"game": "tic-tac-toe", "computers": [null, "bthreads"], "name": "Ada"});
    let created = server.create(&wanted).await;
    let (id, token) = (text(&created["id"]), text(&created["token"]));
    let path = format!("/api/tables/{id}");
    let mut lines = server.get(&format!("{path}/stream?from=2")).lines().await;
    let action = server.move_at(0, "a1");
    server.post(&format!("{path}/actions"), &action).bearer(&token).send().await.of(200);
    lines.next().await.expect("Ada moves");
    let entry = lines.next().await.expect("the computer moves");
    assert_eq!(entry["version"], 4);
    (id, entry["explanation"].clone())
}

#[tokio::test]
async fn a_computers_move_is_explained_as_in_its_entry() {
    let server = TestServer::usual().await;
    let (id, explanation) = tic_tac_toe(&server).await;
    assert!(explanation["sentence"].is_string(), "{explanation}");
    let answer = analysis(&server, &id, "?version=4").await.of(200);
    assert_eq!(answer, json!({"version": 4, "explanation": explanation}));
}

#[tokio::test]
async fn a_search_explains_its_move_in_the_entry() {
    let server = TestServer::usual().await;
    let wanted = json!({"game": "connect-four", "computers": ["mcts:50", null], "name": "Ada"});
    let id = text(&server.create(&wanted).await["id"]);
    let mut lines = server.get(&format!("/api/tables/{id}/stream")).lines().await;
    let sentence = loop {
        let entry = lines.next().await.expect("the computer moves");
        if entry["kind"] == "played" {
            break text(&entry["explanation"]["sentence"]);
        }
    };
    assert!(sentence.starts_with("mcts expects "), "{sentence}");
    assert!(sentence.contains(" after 50 simulations; "), "{sentence}");
    assert!(sentence.contains("; best line "), "{sentence}");
}

#[tokio::test]
async fn a_search_that_would_take_too_long_is_refused() {
    let server = TestServer::usual().await;
    for (game, computer) in [("connect-four", "mcts:10001"), ("kuhn-poker", "mcts:10")] {
        let wanted = json!({"game": game, "computers": [computer], "name": "Ada"});
        let answer = server.post("/api/tables", &wanted).send().await;
        assert!(answer.text.contains(computer), "{}", answer.text);
        assert!((400..500).contains(&answer.status), "{}", answer.text);
    }
}

#[tokio::test]
async fn an_entry_of_an_old_log_is_explained_when_it_is_requested() {
    let journal = FaultyJournal::new();
    let server = Setup::on(&journal).start().await;
    journal.drop_explanations();
    let (id, explanation) = tic_tac_toe(&server).await;
    assert_eq!(server.log(&id).await[3]["explanation"], Value::Null, "the log has no explanation");
    let answer = analysis(&server, &id, "?version=4").await.of(200);
    assert_eq!(answer["explanation"], explanation, "the same explanation was broadcast");
}

#[tokio::test]
async fn a_version_that_is_no_computers_move_is_not_found() {
    let server = TestServer::usual().await;
    let (id, _) = tic_tac_toe(&server).await;
    for version in [0, 1, 2, 3, 5, 1_000] {
        let answer = analysis(&server, &id, &format!("?version={version}")).await;
        assert_eq!(answer.problem(404), "not_found", "{version}");
        assert!(answer.text.contains("This version has no explanation"), "{}", answer.text);
    }
    for query in ["", "?version=moon"] {
        assert_eq!(analysis(&server, &id, query).await.problem(400), "bad_request", "{query}");
    }
    let unknown = analysis(&server, "AAAAAAAAAAAAAAAAAAAAAA", "?version=4").await;
    assert_eq!(unknown.problem(404), "no_table");
}

#[tokio::test]
async fn a_move_with_hidden_information_is_not_explained() {
    let server = TestServer::usual().await;
    let wanted = json!({"game": "kuhn-poker", "computers": ["random", null], "name": "Ada"});
    let id = text(&server.create(&wanted).await["id"]);
    let mut lines = server.get(&format!("/api/tables/{id}/stream")).lines().await;
    let played = loop {
        let entry = lines.next().await.expect("the computer moves");
        if entry["kind"] == "played" {
            break entry["version"].clone();
        }
    };
    let answer = analysis(&server, &id, &format!("?version={played}")).await;
    assert_eq!(answer.problem(404), "not_found");
}

#[tokio::test]
pub(crate) async fn a_client_that_requests_too_many_explanations_waits() {
    let setup = Setup::new().limit("analyses_per_minute", 1).limit("analyses_at_once", 2);
    let server = setup.start().await;
    let (id, _) = tic_tac_toe(&server).await;
    for _ in 0..2 {
        analysis(&server, &id, "?version=4").await.of(200);
    }
    assert_eq!(analysis(&server, &id, "?version=4").await.problem(429), "too_many");
    assert_eq!(server.limited("analyses_per_minute").await, 1);
    crate::test_server::pass(std::time::Duration::from_secs(61)).await;
    analysis(&server, &id, "?version=4").await.of(200);
}

/// Two people play these moves of a game, X first; then O gives up, unless the game is over.
async fn played_round(server: &TestServer, game: &str, moves: &[&str]) -> Table {
    let table = server.table(game).await;
    for (ply, chosen) in (0..).zip(moves) {
        server.act(&table, ply as usize % 2, &server.move_at(ply, chosen)).await.of(200);
    }
    table
}

async fn give_up(server: &TestServer, table: &Table, ply: usize) {
    let action = json!({"id": server.action_id(), "action": "forfeit", "round": 1, "ply": ply});
    server.act(table, ply % 2, &action).await.of(200);
}

#[tokio::test]
async fn a_position_of_a_round_that_is_over_has_the_value_that_the_library_finds() {
    let server = TestServer::usual().await;
    for (game, moves) in [
        ("tic-tac-toe", vec!["a1", "b1"]),
        ("connect-four", vec!["c", "c", "d", "d", "e"]),
        // Nobody solves it, so the values are estimates, which are equal as well.
        ("mnk:7,6,5", vec!["d3", "d4"]),
    ] {
        let table = played_round(&server, game, &moves).await;
        give_up(&server, &table, moves.len()).await;
        let query = format!("?round=1&ply={}", moves.len());
        let answer = analysis(&server, &table.id, &query).await.of(200);
        let any = games::catalog::game(game).unwrap();
        let mut position = any.start();
        for (ply, chosen) in moves.iter().enumerate() {
            let seat = if ply % 2 == 0 { Seat::FIRST } else { Seat::SECOND };
            any.advance(&mut position, seat, any.read_move(chosen).unwrap()).unwrap();
        }
        let found = any.analyze(&position, AnalysisBudget::default(), &StopFlag::default());
        // Read from text, as the answer is: the last digit of a number may differ otherwise.
        let written = serde_json::to_string(&found.unwrap()).unwrap();
        let mut expected: Value = serde_json::from_str(&written).unwrap();
        let seat = if moves.len() % 2 == 0 { "X" } else { "O" };
        for (field, value) in [
            ("round", json!(1)),
            ("ply", json!(moves.len())),
            ("position", json!(any.text(&position))),
            ("seat", json!(seat)),
        ] {
            expected[field] = value;
        }
        assert_eq!(answer, expected, "{game}");
    }
}

#[tokio::test]
async fn a_round_that_is_still_played_is_not_analyzed() {
    let server = TestServer::usual().await;
    let table = played_round(&server, "tic-tac-toe", &["a1", "b1", "a2"]).await;
    let answer = analysis(&server, &table.id, "?round=1&ply=1").await;
    assert_eq!(answer.problem(409), "not_over");
    assert_eq!(analysis(&server, &table.id, "?round=2&ply=0").await.problem(404), "not_found");
    server.act(&table, 1, &server.move_at(3, "b2")).await.of(200);
    server.act(&table, 0, &server.move_at(4, "a3")).await.of(200);
    let answer = analysis(&server, &table.id, "?round=1&ply=1").await.of(200);
    assert_eq!(answer["exact"], Value::Null, "the value of the position is an object");
    assert_eq!(answer["value"]["exact"], true);
    // The game is over after ply 5, and there is no ply 6.
    for (query, words) in
        [("?round=1&ply=5", "the game is over"), ("?round=1&ply=6", "fewer moves")]
    {
        let answer = analysis(&server, &table.id, query).await;
        assert_eq!(answer.problem(404), "not_found");
        assert!(answer.text.contains(words), "{}", answer.text);
    }
    for query in
        ["?round=0&ply=1", "?round=1", "?ply=1", "?version=4&round=1&ply=1", "?round=one&ply=1"]
    {
        let answer = analysis(&server, &table.id, query).await;
        assert_eq!(answer.problem(400), "bad_request", "{query}");
    }
}

#[tokio::test]
async fn a_game_that_hides_something_is_not_analyzed() {
    let server = TestServer::usual().await;
    let table = server.table("kuhn-poker").await;
    let answer = analysis(&server, &table.id, "?round=1&ply=1").await;
    assert_eq!(answer.problem(404), "not_found");
    assert!(answer.text.contains("hidden information"), "{}", answer.text);
}

#[tokio::test]
async fn an_address_pays_for_positions_and_not_for_those_that_are_known() {
    let setup = Setup::new().limit("work_per_second", 1).limit("work_at_once", 1_500);
    let server = setup.start().await;
    let table = played_round(&server, "tic-tac-toe", &["a1", "b1"]).await;
    give_up(&server, &table, 2).await;
    for _ in 0..3 {
        analysis(&server, &table.id, "?round=1&ply=2").await.of(200);
    }
    let answer = analysis(&server, &table.id, "?round=1&ply=1").await;
    assert_eq!(answer.problem(429), "too_many");
    assert_eq!(server.limited("work_per_second").await, 1);
    let same = played_round(&server, "tic-tac-toe", &["a1", "b1"]).await;
    give_up(&server, &same, 2).await;
    analysis(&server, &same.id, "?round=1&ply=2").await.of(200);
}

#[tokio::test]
async fn requests_for_one_position_at_once_share_a_search() {
    let setup = Setup::new().limit("work_per_second", 1).limit("work_at_once", 1_500);
    let server = setup.start().await;
    let table = played_round(&server, "mnk:7,6,5", &["d3", "d4"]).await;
    give_up(&server, &table, 2).await;
    let request = || analysis(&server, &table.id, "?round=1&ply=2");
    let (first, second) = tokio::join!(request(), request());
    assert_eq!(first.of(200), second.of(200), "the address pays for one search");
    assert_eq!(server.limited("work_per_second").await, 0);
}
