//! Strangers who send more than the server handles.

use std::pin::pin;
use std::time::Duration;

use futures_util::future::{join, join_all, select};
use serde_json::json;
use tokio::io::{AsyncWriteExt, copy, sink};
use tokio::time::{Instant, sleep, timeout_at};

use super::stranger::Stranger;
use crate::socket::ClientSocket;

/// The connections that stay open, and those that are opened at once for one request each.
const KEPT: usize = 200;
const NEW: u64 = 300;

/// The requests that are written at once on a connection that stays open.
const PIPELINED: usize = 50;

/// The sockets of a flood of messages. Some of them belong to seat holders, the others look on.
const SOCKETS: usize = 200;
const SEATED: usize = 16;

/// The sessions of long polls at once, and the messages in each of their posts.
const SESSIONS: u64 = 200;
const POSTED: usize = 100;

/// The time before a connection that was refused is tried again.
const AGAIN: Duration = Duration::from_millis(20);

/// Sends requests as fast as they can be written, and others on connections of their own.
pub(super) async fn flood(stranger: &Stranger) {
    let kept = join_all((0..KEPT).map(|_| keep_asking(stranger)));
    let new = stranger.repeat(NEW, async |_| {
        stranger.get("/api/tables").await;
    });
    join(kept, new).await;
}

/// Sends requests on one connection after the other, without waiting for answers.
async fn keep_asking(stranger: &Stranger) {
    let request = format!("GET /api/games HTTP/1.1\r\nhost: {}\r\n\r\n", stranger.route.server);
    let requests = request.repeat(PIPELINED);
    while Instant::now() < stranger.end() {
        let Ok(stream) = stranger.connect().await else {
            sleep(AGAIN).await;
            continue;
        };
        let (mut answers, mut asked) = stream.into_split();
        let asking = pin!(async { while asked.write_all(requests.as_bytes()).await.is_ok() {} });
        let mut nowhere = sink();
        let reading = pin!(copy(&mut answers, &mut nowhere));
        // The server may close the connection at any time.
        drop(timeout_at(stranger.end(), select(asking, reading)).await);
    }
}

/// Opens sessions of long polls, and posts as many messages at once as one body may hold, again and again.
pub(super) async fn polls(stranger: &Stranger) {
    let beats = vec![r#"[null,"1","phoenix","heartbeat",{}]"#; POSTED].join("\n");
    stranger
        .repeat(SESSIONS, async |_| {
            let Some(opened) = stranger.get("/socket/longpoll?vsn=2.0.0").await else { return };
            let Some(token) = opened.body["token"].as_str() else { return };
            let path = format!("/socket/longpoll?vsn=2.0.0&token={token}");
            for _ in 0..20 {
                stranger.post_text(&path, &beats).await;
                stranger.get(&path).await;
            }
        })
        .await;
}

/// Sends messages at one table as fast as they can be written. What seat holders send goes to all.
pub(super) async fn frames(stranger: &Stranger) {
    let wanted = json!({"game": "tic-tac-toe", "name": "Mallory"});
    let Some(table) = stranger.post("/api/tables", None, &wanted).await else { return };
    let (Some(id), Some(token)) = (table.body["id"].as_str(), table.body["token"].as_str()) else {
        return stranger.find("no table could be opened".to_owned());
    };
    let topic = format!("table:{id}");
    let flooding = (0..SOCKETS).map(async |number| {
        let (hello, message) = if number < SEATED {
            (json!({"token": token}), json!(["1", "2", topic, "emote", {"emote": "hello"}]))
        } else {
            (json!({}), json!(["1", "2", topic, "resync", {}]))
        };
        let hello = json!(["1", "1", topic, "phx_join", hello]).to_string();
        while Instant::now() < stranger.end() {
            let Ok(mut socket) = ClientSocket::connect(stranger.route).await else {
                sleep(AGAIN).await;
                continue;
            };
            if socket.send(hello.clone()).await.is_ok() {
                drop(timeout_at(stranger.end(), socket.flood(&message.to_string())).await);
            }
        }
    });
    join_all(flooding).await;
}
