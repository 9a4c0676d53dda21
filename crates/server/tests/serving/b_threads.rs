//! The b-threads behind positions.

use serde_json::{Value, json};

use crate::http::TestResponse;
use crate::test_server::{TestServer, text};

async fn b_threads(server: &TestServer, id: &str, query: &str) -> TestResponse {
    server.get(&format!("/api/tables/{id}/b-threads{query}")).send().await
}

/// The b-thread of this name, if it has not ended.
fn named<'a>(answer: &'a Value, name: &str) -> Option<&'a Value> {
    let threads = answer["threads"].as_array().expect("there is a list");
    threads.iter().find(|thread| thread["thread"] == name)
}

#[tokio::test]
async fn rules_that_refuse_moves_are_shown_with_what_they_block() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    server.play(&table, 0, 0, "b2").await;
    let after = b_threads(&server, &table.id, "?round=1&ply=1").await.of(200);
    assert_eq!((&after["round"], &after["ply"]), (&json!(1), &json!(1)));
    let taken = named(&after, "SquareTaken(b2)").expect("the square is taken");
    assert!(taken["blocks"].is_array(), "{taken}");
    let before = b_threads(&server, &table.id, "?round=1&ply=0").await.of(200);
    let free = named(&before, "SquareTaken(b2)").expect("it waits");
    assert!(free["waits"].is_array() && free["blocks"].is_null(), "{free}");
}

#[tokio::test]
async fn a_game_without_b_threads_has_none() {
    let server = TestServer::usual().await;
    let table = server.table("pig").await;
    let answer = b_threads(&server, &table.id, "?round=1&ply=0").await.of(200);
    assert_eq!(answer["threads"], json!([]));
}

#[tokio::test]
async fn the_strategies_of_a_computer_are_among_them() {
    let server = TestServer::usual().await;
    let wanted = json!({"game": "tic-tac-toe", "computers": [null, "bthreads"], "name": "Ada"});
    let id = text(&server.create(&wanted).await["id"]);
    let answer = b_threads(&server, &id, "?round=1&ply=0").await.of(200);
    let is_strategy = |thread: &Value| thread["is_strategy"] == true;
    assert!(answer["threads"].as_array().expect("a list").iter().any(is_strategy), "{answer}");
}

#[tokio::test]
async fn positions_that_do_not_exist_or_hide_something_are_not_found() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    for query in ["?round=1&ply=1", "?round=2&ply=0"] {
        assert_eq!(b_threads(&server, &table.id, query).await.problem(404), "not_found", "{query}");
    }
    for query in ["", "?round=1", "?round=moon&ply=0"] {
        let answer = b_threads(&server, &table.id, query).await;
        assert_eq!(answer.problem(400), "bad_request", "{query}");
    }
    let unknown = b_threads(&server, "AAAAAAAAAAAAAAAAAAAAAA", "?round=1&ply=0").await;
    assert_eq!(unknown.problem(404), "no_table");
    let hidden = server.table("kuhn-poker").await;
    let answer = b_threads(&server, &hidden.id, "?round=1&ply=0").await;
    assert_eq!(answer.problem(404), "not_found");
}
