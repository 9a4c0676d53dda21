//! Settings that change while the server runs.

use serde_json::json;
use server::{AdminToken, Config};

use crate::test_server::{ADMIN_TOKEN, TestServer};

/// Changes the settings of a running server.
fn change(server: &TestServer, change: impl FnOnce(&mut Config)) {
    let mut config = Config::clone(&server.config.get());
    change(&mut config);
    server.config.replace(config);
}

#[tokio::test]
async fn new_limits_count_at_once() {
    let server = TestServer::usual().await;
    let table = json!({"game": "tic-tac-toe", "name": "Ada"});
    server.create(&table).await;
    change(&server, |config| config.limits.frame_bytes = 20);
    assert_eq!(server.post("/api/tables", &table).send().await.status, 413);
    change(&server, |config| {
        config.limits.frame_bytes = 1_000;
        config.limits.tables_at_once = 0;
    });
    assert_eq!(server.post("/api/tables", &table).send().await.problem(429), "too_many");
    change(&server, |config| config.limits.requests_at_once = 0);
    assert_eq!(server.get("/api/tables").send().await.problem(429), "too_many");
}

#[tokio::test]
async fn new_origins_count_at_once() {
    let server = TestServer::usual().await;
    let ask = async |origin: &str| {
        let ask = server.post("/api/tables", &json!({"game": "pig"})).header("origin", origin);
        ask.send().await.status
    };
    assert_eq!(ask("https://play.example").await, 403);
    change(&server, |config| config.origins = vec!["https://play.example".to_owned()]);
    assert_eq!(ask("https://play.example").await, 201);
    change(&server, |config| config.origins.clear());
    assert_eq!(ask("https://play.example").await, 403);
}

#[tokio::test]
async fn a_new_admin_token_counts_at_once() {
    let server = TestServer::usual().await;
    let ask = async |token: &str| server.admin_get("/metrics").bearer(token).send().await.status;
    let new = "fedcba9876543210fedcba9876543210";
    assert_eq!([ask(ADMIN_TOKEN).await, ask(new).await], [200, 401]);
    change(&server, |config| config.admin_token = AdminToken::new(new));
    assert_eq!([ask(ADMIN_TOKEN).await, ask(new).await], [401, 200]);
}
