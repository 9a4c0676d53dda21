//! What operators do with the journal of a running server.

use std::time::Duration;

use serde_json::{Value, json};

use crate::faulty_journal::FaultyJournal;
use crate::http::TestResponse;
use crate::socket::{Socket, topic};
use crate::test_server::{ADMIN_TOKEN, Setup, Table, TestServer, eventually, pass};

async fn admin(server: &TestServer, method: &'static str, path: &str) -> TestResponse {
    server.admin_ask(method, &format!("/journal/{path}")).bearer(ADMIN_TOKEN).send().await
}

async fn delete(server: &TestServer, table: &Table) -> Value {
    admin(server, "DELETE", &format!("tables/{}", table.id)).await.of(200)
}

#[tokio::test]
async fn the_journal_is_for_operators_alone() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let path = format!("tables/{}", table.id);
    for (method, path) in [
        ("GET", "tables"),
        ("GET", "key"),
        ("POST", "compact"),
        ("GET", "records"),
        ("DELETE", &path),
    ] {
        let asked = server.admin_ask(method, &format!("/journal/{path}")).send().await;
        assert_eq!(asked.problem(401), "bad_token", "{method} {path}");
        let public = server.get(&format!("/journal/{path}")).bearer(ADMIN_TOKEN).send().await;
        assert_ne!(public.status, 200, "{path}");
    }
    assert_eq!(server.log(&table.id).await.len(), 3);
}

#[tokio::test]
async fn players_at_a_deleted_table_learn_that_it_is_gone() {
    let server = TestServer::usual().await;
    let (table, other) = (server.table("tic-tac-toe").await, server.table("tic-tac-toe").await);
    let (mut ada, mut eve) = (Socket::open(&server).await, Socket::open(&server).await);
    let (mine, _) = ada.join_seat(&table, 0).await;
    let (theirs, _) = eve.join_as_spectator(&table).await;
    let (kept, _) = ada.join_seat(&other, 0).await;
    assert_eq!(delete(&server, &table).await, json!("deleted"));
    ada.failed(mine).await;
    eve.failed(theirs).await;
    let refusal = ada.join(&topic(&table), json!({"token": table.tokens[0]})).await;
    assert_eq!(refusal.unwrap_err()["code"], "no_table");
    let late = server.act(&table, 0, &server.move_at(0, "b2")).await;
    assert_eq!(late.problem(404), "no_table");
    assert_eq!(delete(&server, &table).await, json!("no_table"));
    let answer = ada.push(kept, "act", &server.move_at(0, "b2")).await;
    assert_eq!(answer, Ok(json!({"version": 4})), "the other table goes on");
    assert_eq!(server.metric("deleted_tables_total").await, 1);
}

#[tokio::test]
async fn a_table_that_cannot_be_deleted_goes_on() {
    let journal = FaultyJournal::new();
    let server = Setup::on(&journal).start().await;
    let table = server.table("tic-tac-toe").await;
    let mut ada = Socket::open(&server).await;
    let (mine, _) = ada.join_seat(&table, 0).await;
    let path = format!("tables/{}", table.id);
    let stale = admin(&server, "DELETE", &format!("{path}?last=2")).await.of(200);
    assert_eq!(stale, json!("touched"));
    journal.fail_reads();
    assert_eq!(admin(&server, "DELETE", &path).await.problem(503), "unavailable");
    journal.heal();
    let answer = ada.push(mine, "act", &server.move_at(0, "b2")).await;
    assert_eq!(answer, Ok(json!({"version": 4})));
    assert_eq!(delete(&server, &table).await, json!("deleted"));
}

#[tokio::test]
async fn a_server_deletes_tables_that_nobody_touched_for_long_enough() {
    let server = Setup::new().keep(Duration::from_hours(24)).start().await;
    let (old, touched) = (server.table("tic-tac-toe").await, server.table("tic-tac-toe").await);
    pass(Duration::from_hours(23)).await;
    server.play(&touched, 0, 0, "b2").await;
    assert_eq!(server.log(&old.id).await.len(), 3);
    pass(Duration::from_hours(2)).await;
    eventually("the table is gone", async || {
        server.get(&format!("/api/tables/{}", old.id)).send().await.status == 404
    })
    .await;
    assert_eq!(server.log(&touched.id).await.len(), 4);
    assert_eq!(server.metric("deleted_tables_total").await, 1);
}
