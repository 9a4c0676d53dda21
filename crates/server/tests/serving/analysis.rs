//! Explanations of computers' moves.

use serde_json::{Value, json};

use crate::faulty_journal::FaultyJournal;
use crate::http::TestResponse;
use crate::test_server::{Setup, TestServer, text};

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
