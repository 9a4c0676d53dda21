//! The lobby.

use serde_json::json;

use crate::running::{Running, text};
use crate::socket::Socket;

#[tokio::test]
async fn the_lobby_is_told_which_tables_wait_and_when_they_do_no_longer() {
    let server = Running::usual().await;
    let first = server.create(&json!({"game": "pig", "name": "Ada", "listed": true})).await;
    let mut socket = Socket::open(&server).await;
    let welcome = socket.join("lobby", json!({})).await.unwrap();
    assert_eq!(welcome["tables"].as_array().unwrap().len(), 1);
    assert_eq!(welcome["tables"][0]["id"], first["id"]);
    let second = json!({"game": "connect-four", "name": "Bob", "listed": true});
    let second = server.create(&second).await;
    let opened = socket.hear("opened").await;
    assert_eq!((&opened["id"], &opened["code"]), (&second["id"], &second["code"]));
    server.join(&text(&first["id"]), &json!({"name": "Eve"})).await.of(200);
    assert_eq!(socket.hear("closed").await, json!({"id": first["id"]}));
}

#[tokio::test]
async fn nothing_can_be_done_in_the_lobby() {
    let server = Running::usual().await;
    let mut socket = Socket::open(&server).await;
    let (lobby, _) = socket.try_join("lobby", json!({})).await.unwrap();
    let refusal = socket.push(lobby, "act", &server.move_at(0, "a1")).await.unwrap_err();
    assert_eq!(refusal["code"], "bad_request");
    socket.leave(lobby).await;
    server.create(&json!({"game": "pig", "listed": true})).await;
    socket.catch_up().await;
    assert!(!socket.has_heard("opened"), "who has left is told nothing");
}

#[tokio::test]
async fn a_table_that_is_not_listed_is_not_betrayed_when_it_fills() {
    let server = Running::usual().await;
    let mut socket = Socket::open(&server).await;
    socket.join("lobby", json!({})).await.unwrap();
    let private = server.table("tic-tac-toe").await;
    let listed = json!({"game": "pig", "listed": true});
    let listed = server.table_as(listed).await;
    assert_eq!(socket.hear("closed").await, json!({"id": listed.id}));
    assert!(!socket.heard.concat().contains(&private.id), "who knows an id may watch");
}
