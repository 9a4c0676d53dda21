//! Clients that send more than the server handles for one address.

use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;

use crate::socket::{Socket, request};
use crate::test_server::Setup;

#[tokio::test]
async fn an_address_that_opens_many_connections_waits_for_each_further_one() {
    let server = Setup::new().limit("connections_per_address", 3).start().await;
    let ask = async || {
        let asked = Instant::now();
        assert_eq!(server.get("/healthz").send().await.status, 200);
        asked.elapsed() >= Duration::from_secs(1)
    };
    let mut prompt = 0;
    while !ask().await {
        prompt += 1;
        assert!(prompt < 100, "all of {prompt} connections are served at once");
    }
    assert!(prompt >= 6, "only {prompt} connections are served at once");
    assert_eq!(server.limited("connections_per_address").await, 1);
    let setup = Setup::new().behind_proxy().limit("connections_per_address", 1);
    let proxied = setup.start().await;
    let asked = Instant::now();
    for _ in 0..5 {
        proxied.get("/healthz").send().await;
    }
    assert!(asked.elapsed() < Duration::from_secs(1), "all clients of a proxy have its address");
}

#[tokio::test]
pub(crate) async fn an_address_that_sends_too_many_messages_is_read_slowly() {
    let setup = Setup::new().behind_proxy().limit("messages_per_second", 1);
    let server = setup.limit("messages_at_once", 20).start().await;
    let open = async |address: &str| {
        let mut asked = request(server.address);
        asked.headers_mut().insert("x-forwarded-for", address.parse().unwrap());
        Socket::try_open(&server, asked).await.unwrap_or_else(|status| unreachable!("{status}"))
    };
    let (mut ada, mut eve) = (open("10.0.0.1").await, open("10.0.0.2").await);
    let beat = json!([null, "beat", "phoenix", "heartbeat", {}]).to_string();
    for _ in 0..12 {
        eve.send_text(beat.clone()).await;
    }
    let asked = Instant::now();
    ada.catch_up().await;
    assert!(asked.elapsed() < Duration::from_secs(1), "other addresses do not wait");
    eve.join("lobby", json!({})).await.expect("every client may join the lobby");
    assert!(asked.elapsed() >= Duration::from_secs(1), "each message has an answer");
    assert!(server.limited("messages_per_second").await >= 1);
    // Posted frames count as well, in their session of long polls.
    let asked = Instant::now();
    let gone = server.post("/socket/longpoll?token=0", &json!({}));
    let gone = gone.header("x-forwarded-for", "10.0.0.2").body(vec![beat; 12].join("\n"));
    assert_eq!(gone.send().await.of(200)["status"], 410);
    assert!(asked.elapsed() >= Duration::from_secs(1));
}
