//! Quick pairing.

use std::time::Duration;

use serde_json::{Value, json};

use crate::running::{Running, Table, pass, text};
use crate::socket::Socket;

async fn pair(server: &Running, game: &str) -> Value {
    server.post("/api/pair", &json!({"game": game, "name": "Ada"})).send().await.of(200)
}

#[tokio::test]
async fn two_meet_and_a_third_waits() {
    let server = Running::usual().await;
    let (first, second) = (pair(&server, "tic-tac-toe").await, pair(&server, "tic-tac-toe").await);
    assert_eq!(first["id"], second["id"]);
    assert_eq!((&first["seat"], &second["seat"]), (&json!(0), &json!(1)));
    let third = pair(&server, "tic-tac-toe").await;
    assert_ne!(third["id"], first["id"]);
    assert_eq!(third["seat"], 0);
    let other = pair(&server, "connect-four").await;
    assert_eq!(other["seat"], 0, "who wants another game meets nobody");
    let fourth = pair(&server, "tic-tac-toe").await;
    assert_eq!(fourth["id"], third["id"]);
    let unknown = server.post("/api/pair", &json!({"game": "chess", "name": "Ada"}));
    assert_eq!(unknown.send().await.problem(400), "bad_request");
    crate::running::eventually("who still waits is seen by everybody", async || {
        let open = server.get("/api/tables").send().await.of(200);
        let open = open["tables"].as_array().unwrap();
        open.len() == 1 && open[0]["id"] == other["id"]
    })
    .await;
}

#[tokio::test]
async fn who_is_joined_from_the_list_waits_no_longer() {
    let server = Running::usual().await;
    let first = pair(&server, "pig").await;
    server.join(&text(&first["id"]), &json!({"name": "Eve"})).await.of(200);
    let second = pair(&server, "pig").await;
    assert_ne!(second["id"], first["id"], "that table is full");
    assert_eq!(second["seat"], 0);
}

#[tokio::test]
async fn many_at_once_meet_in_twos() {
    let server = Running::usual().await;
    let all = futures_util::future::join_all((0..8).map(|_| pair(&server, "pig"))).await;
    let mut places: Vec<_> =
        all.iter().map(|taken| (text(&taken["id"]), taken["seat"].as_u64().unwrap())).collect();
    places.sort();
    places.dedup();
    assert_eq!(places.len(), 8, "no two have the same seat");
    places.dedup_by_key(|(id, _)| id.clone());
    assert_eq!(places.len(), 4);
}

#[tokio::test]
async fn a_partner_who_vanished_is_not_met_and_one_who_is_connected_is() {
    let server = Running::usual().await;
    let vanished = pair(&server, "tic-tac-toe").await;
    pass(Duration::from_secs(16)).await;
    let waiting = pair(&server, "tic-tac-toe").await;
    assert_ne!(waiting["id"], vanished["id"], "nobody waits there any more");
    let token = text(&waiting["token"]);
    let table = Table { id: text(&waiting["id"]), tokens: [token.clone(), token] };
    let mut socket = Socket::open(&server).await;
    socket.sit(&table, 0).await;
    pass(Duration::from_secs(16)).await;
    let met = pair(&server, "tic-tac-toe").await;
    assert_eq!(met["id"], waiting["id"], "who is connected waits");
}
