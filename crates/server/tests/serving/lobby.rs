//! The lobby.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use server::{Directory as _, Listing, Settings, SqliteJournal, TableStatus};

use crate::socket::Socket;
use crate::test_server::{Setup, Table, TestServer, eventually, text};

#[tokio::test]
async fn the_lobby_announces_tables_that_open_and_fill() {
    let server = TestServer::usual().await;
    let first = server.create(&json!({"game": "pig", "name": "Ada", "listed": true})).await;
    let mut socket = Socket::open(&server).await;
    let welcome = socket.join("lobby", json!({})).await.unwrap();
    assert_eq!(welcome["tables"].as_array().unwrap().len(), 1);
    assert_eq!(welcome["tables"][0]["id"], first["id"]);
    let second = json!({"game": "connect-four", "name": "Bob", "listed": true});
    let second = server.create(&second).await;
    let opened = socket.receive("opened").await;
    assert_eq!((&opened["id"], &opened["code"]), (&second["id"], &Value::Null));
    server.join(&text(&first["id"]), &json!({"name": "Eve"})).await.of(200);
    assert_eq!(socket.receive("closed").await, json!({"id": first["id"]}));
}

#[tokio::test]
async fn the_lobby_refuses_messages() {
    let server = TestServer::usual().await;
    let mut socket = Socket::open(&server).await;
    let (lobby, _) = socket.try_join("lobby", json!({})).await.unwrap();
    let refusal = socket.push(lobby, "act", &server.move_at(0, "a1")).await.unwrap_err();
    assert_eq!(refusal["code"], "bad_request");
    socket.leave(lobby).await;
    server.create(&json!({"game": "pig", "listed": true})).await;
    socket.catch_up().await;
    assert!(!socket.has_received("opened"), "a client that has left gets no messages");
}

#[tokio::test]
async fn a_private_table_is_not_revealed_when_it_fills() {
    let server = TestServer::usual().await;
    let mut socket = Socket::open(&server).await;
    socket.join("lobby", json!({})).await.unwrap();
    let private = server.table("tic-tac-toe").await;
    let listed = json!({"game": "pig", "listed": true});
    let listed = server.table_as(listed).await;
    assert_eq!(socket.receive("closed").await, json!({"id": listed.id}));
    assert!(
        !socket.received.concat().contains(&private.id),
        "the id of a private table is a secret"
    );
}

/// The ids of the listed tables.
async fn shown(server: &TestServer, status: &str) -> Vec<Value> {
    let answer = server.get(&format!("/api/tables?status={status}")).send().await.of(200);
    let tables = answer["tables"].as_array().expect("the value is a list");
    tables.iter().map(|table| table["id"].clone()).collect()
}

#[tokio::test]
async fn a_table_without_players_is_not_listed_for_ever() {
    let server = Setup::new().limit("table_idle", 4_000).start().await;
    let lonely = server.create(&json!({"game": "pig", "listed": true})).await;
    assert_eq!(shown(&server, "waiting").await, [lonely["id"].clone()]);
    eventually("it is given up", async || shown(&server, "waiting").await.is_empty()).await;
}

fn journal(folder: &Path) -> Arc<SqliteJournal> {
    Arc::new(SqliteJournal::open(folder, &Settings::default()).expect("the journal opens").0)
}

#[tokio::test]
async fn after_a_restart_only_tables_with_clients_are_listed() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let first = journal(folder.path());
    let server = Setup::on(&first).start().await;
    let waiting = server.create(&json!({"game": "pig", "name": "Ada", "listed": true})).await;
    let playing = server.table_as(json!({"game": "pig", "listed": true})).await;
    eventually("both are shown", async || {
        shown(&server, "waiting").await == [waiting["id"].clone()]
            && shown(&server, "playing").await == [json!(playing.id)]
    })
    .await;
    server.stopped().await.expect("the server stops without an error");
    drop(first);

    let again = journal(folder.path());
    let server = Setup::on(&again).limit("table_idle", 100).start().await;
    for status in ["waiting", "playing"] {
        assert!(shown(&server, status).await.is_empty(), "{status}");
    }
    let mut socket = Socket::open(&server).await;
    assert_eq!(socket.join("lobby", json!({})).await.unwrap(), json!({"tables": []}));
    let token = text(&waiting["token"]);
    let table = Table { id: text(&waiting["id"]), tokens: [token.clone(), token] };
    socket.join_seat(&table, 0).await;
    eventually("a table is listed again when its player comes back", async || {
        shown(&server, "waiting").await == [waiting["id"].clone()]
    })
    .await;
    // The out-of-date record is corrected.
    let listing = Listing { status: Some(TableStatus::Playing), after: None, limit: 100 };
    eventually("the other table is known to be idle", async || {
        again.listed(listing).await.expect("the journal can be read").is_empty()
    })
    .await;
}
