//! Codes of tables.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use server::{Directory as _, MemoryJournal};

use crate::http::TestResponse;
use crate::test_server::{Setup, TestServer, eventually, pass, text};

async fn find(server: &TestServer, code: &str) -> TestResponse {
    server.get(&format!("/api/codes/{code}")).send().await
}

async fn find_from(server: &TestServer, address: &str, code: &str) -> TestResponse {
    let request = server.get(&format!("/api/codes/{code}"));
    request.header("x-forwarded-for", address).send().await
}

async fn renew(server: &TestServer, created: &Value) -> TestResponse {
    let path = format!("/api/tables/{}/code", text(&created["id"]));
    server.post(&path, &json!({})).bearer(&text(&created["token"])).send().await
}

#[tokio::test]
async fn a_table_is_found_by_its_code() {
    let server = TestServer::usual().await;
    let created = server.create(&json!({"game": "pig"})).await;
    let code = text(&created["code"]);
    assert_eq!(code.len(), 13, "{code}");
    assert_eq!(created["code_valid_for"], 900_000);
    for spelling in
        [code.clone(), code.to_uppercase(), code.replace('-', "%20"), code.replace('-', "")]
    {
        let found = find(&server, &spelling).await.of(200);
        assert_eq!((&found["id"], &found["game"]), (&created["id"], &json!("pig")));
    }
    for spelling in ["zzzzzz-zzzzzz", "x", "a%20b", "%ff", "bodaki-murosi1"] {
        assert_eq!(find(&server, spelling).await.problem(404), "not_found", "{spelling}");
    }
}

#[tokio::test]
pub(crate) async fn a_code_expires_and_its_player_renews_it() {
    let server = TestServer::usual().await;
    let created = server.create(&json!({"game": "tic-tac-toe", "name": "Ada"})).await;
    let code = text(&created["code"]);
    let fresh = renew(&server, &created).await.of(200);
    assert_eq!(fresh["code"], created["code"], "it is still new");
    pass(Duration::from_mins(10)).await;
    let extended = renew(&server, &created).await.of(200);
    assert_eq!(extended["code"], created["code"], "a friend may be typing it");
    assert_eq!(extended["valid_for"], 900_000);
    pass(Duration::from_mins(10)).await;
    find(&server, &code).await.of(200);
    pass(Duration::from_mins(6)).await;
    let expired = find(&server, &code).await;
    assert_eq!(expired.problem(404), "not_found");
    assert_eq!(expired.text, find(&server, "zzzzzz-zzzzzz").await.text, "like a wrong one");
    let replaced = renew(&server, &created).await.of(200);
    assert_ne!(replaced["code"], created["code"]);
    find(&server, &text(&replaced["code"])).await.of(200);
}

#[tokio::test]
async fn the_code_of_a_full_table_is_answered_like_a_wrong_one() {
    let server = TestServer::usual().await;
    let created = server.create(&json!({"game": "tic-tac-toe", "name": "Ada"})).await;
    let code = text(&created["code"]);
    find(&server, &code).await.of(200);
    server.join(&text(&created["id"]), &json!({"name": "Bob"})).await.of(200);
    eventually("the code ends", async || find(&server, &code).await.status == 404).await;
    let wrong = find(&server, "zzzzzz-zzzzzz").await;
    assert_eq!(find(&server, &code).await.text, wrong.text);
    assert_eq!(renew(&server, &created).await.problem(409), "table_full");
}

#[tokio::test]
async fn only_a_player_renews_a_code() {
    let server = TestServer::usual().await;
    let created = server.create(&json!({"game": "tic-tac-toe", "name": "Ada"})).await;
    let path = format!("/api/tables/{}/code", text(&created["id"]));
    assert_eq!(server.post(&path, &json!({})).send().await.problem(403), "no_seat");
    let nobody = server.post(&path, &json!({})).bearer(&"00".repeat(16)).send().await;
    assert_eq!(nobody.problem(401), "bad_token");
}

#[tokio::test]
pub(crate) async fn an_address_that_tries_too_many_wrong_codes_must_wait() {
    let server = Setup::new().limit("code_misses_at_once", 3).behind_proxy().start().await;
    let created = server.create(&json!({"game": "tic-tac-toe", "name": "Ada"})).await;
    let find = async |address: &str, code: &str| find_from(&server, address, code).await;
    for _ in 0..20 {
        find("10.0.0.1", &text(&created["code"])).await.of(200);
        assert_eq!(find("10.0.0.1", "bodaki").await.status, 404, "this cannot be a code");
    }
    for _ in 0..3 {
        assert_eq!(find("10.0.0.1", "zzzzzz-zzzzzz").await.problem(404), "not_found");
    }
    for code in ["zzzzzz-zzzzzz", &text(&created["code"])] {
        let refused = find("10.0.0.1", code).await;
        assert_eq!(refused.problem(429), "too_many");
        assert_eq!(refused.header("retry-after"), "600");
    }
    find("10.0.0.2", &text(&created["code"])).await.of(200);
    assert_eq!(server.limited("code_misses_per_hour").await, 2);
    pass(Duration::from_mins(10)).await;
    find("10.0.0.1", &text(&created["code"])).await.of(200);
}

#[tokio::test]
pub(crate) async fn many_addresses_that_guess_do_not_lock_out_a_newcomer() {
    let server = Setup::new().limit("all_code_misses_per_hour", 3).behind_proxy().start().await;
    let created = server.create(&json!({"game": "tic-tac-toe", "name": "Ada"})).await;
    let (right, wrong) = (text(&created["code"]), "zzzzzz-zzzzzz");
    for address in ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"] {
        assert_eq!(find_from(&server, address, wrong).await.problem(404), "not_found");
    }
    let guesser = find_from(&server, "10.0.0.1", &right).await;
    assert_eq!(guesser.problem(429), "too_many", "it has missed before");
    for _ in 0..3 {
        find_from(&server, "10.0.0.9", &right).await.of(200);
    }
    assert_eq!(find_from(&server, "10.0.0.9", wrong).await.problem(404), "not_found");
    assert_eq!(find_from(&server, "10.0.0.9", &right).await.problem(429), "too_many");
}

#[tokio::test]
async fn a_code_outlives_a_restart() {
    let journal = Arc::new(MemoryJournal::new().unwrap());
    let server = Setup::on(&journal).start().await;
    let created = server.create(&json!({"game": "tic-tac-toe", "name": "Ada"})).await;
    let id = text(&created["id"]).parse().unwrap();
    let kept = journal.by_id(id).await.unwrap().unwrap();
    assert_eq!(json!(kept.code), created["code"]);
    let second = Setup::on(&journal).start().await;
    find(&second, &kept.code).await.of(200);
}
