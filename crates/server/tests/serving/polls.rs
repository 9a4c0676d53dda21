//! Channels over long polls.

use std::cell::Cell;
use std::time::Duration;

use serde_json::{Value, json};

use crate::faulty_journal::FaultyJournal;
use crate::http::TestRequest;
use crate::shared_journal::on_each_journal;
use crate::test_server::{Setup, Table, TestServer, pass};

/// A client of channels over long polls.
struct Poll<'a> {
    /// The servers that a balancer chooses from, one request after the other.
    servers: Vec<&'a TestServer>,
    requests: Cell<usize>,
    token: String,
    pushes: u32,
    received: Vec<Value>,
}

fn path(token: &str) -> String {
    format!("/socket/longpoll?vsn=2.0.0&token={token}")
}

impl<'a> Poll<'a> {
    async fn open(server: &'a TestServer) -> Self {
        Self::through(vec![server]).await
    }

    /// A client of several servers.
    async fn through(servers: Vec<&'a TestServer>) -> Self {
        let opened = servers[0].get("/socket/longpoll?vsn=2.0.0").send().await.of(200);
        assert_eq!(opened["status"], 410, "a new session is announced");
        let token = crate::test_server::text(&opened["token"]);
        Self { servers, requests: Cell::new(0), token, pushes: 0, received: Vec::new() }
    }

    /// The server of the next request.
    fn server(&self) -> &'a TestServer {
        self.requests.set(self.requests.get() + 1);
        self.servers[self.requests.get() % self.servers.len()]
    }

    /// Sends frames in one request.
    async fn post(&self, frames: &[Value]) -> Value {
        let lines: Vec<_> = frames.iter().map(Value::to_string).collect();
        let ask = TestRequest::new(self.server().address, "POST", &path(&self.token));
        ask.header("content-type", "application/x-ndjson")
            .body(lines.join("\n"))
            .send()
            .await
            .of(200)
    }

    /// Pushes an event to the channel of a table and waits for the reply.
    async fn push(&mut self, table: &Table, event: &str, message: Value) -> Value {
        self.pushes += 1;
        let reference = self.pushes.to_string();
        let frame = json!(["1", reference, format!("table:{}", table.id), event, message]);
        assert_eq!(self.post(&[frame]).await["status"], 200);
        let is_it = |frame: &Value| frame[1] == json!(reference) && frame[3] == "phx_reply";
        self.receive(is_it).await[4].clone()
    }

    async fn receive(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            if let Some(place) = self.received.iter().position(&is_it) {
                return self.received.remove(place);
            }
            let answer = self.server().get(&path(&self.token)).send().await.of(200);
            let messages = answer["messages"].as_array().expect("messages are a list");
            let frames = messages
                .iter()
                .map(|text| serde_json::from_str(text.as_str().expect("a message is text")));
            self.received.extend(frames.map(Result::unwrap));
        }
    }
}

#[tokio::test]
async fn a_balancer_may_send_each_long_poll_to_any_server() {
    on_each_journal(async |[first, second]: [TestServer; 2]| {
        let table = first.table("tic-tac-toe").await;
        let mut ada = Poll::through(vec![&first, &second]).await;
        let hello = json!({"token": table.tokens[0]});
        assert_eq!(ada.push(&table, "phx_join", hello).await["status"], "ok");
        for square in ["b2", "a1"] {
            let ply = u32::from(square == "a1");
            let action = first.move_at(ply, square);
            if ply == 0 {
                assert_eq!(ada.push(&table, "act", action).await["status"], "ok");
            } else {
                second.act(&table, 1, &action).await.of(200);
            }
            let entries = ada.receive(|frame| frame[3] == "entries").await;
            assert_eq!(entries[4]["entries"][0]["version"], 4 + ply);
        }
        // A session that no server has is gone.
        let unknown = Poll { token: "0".repeat(32), ..Poll::through(vec![&second, &first]).await };
        let frame = json!(["1", "1", "lobby", "phx_join", {}]);
        assert_eq!(unknown.post(&[frame]).await["status"], 410);
    })
    .await;
}

#[tokio::test]
async fn a_whole_game_is_played_over_long_polls() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let mut players = [Poll::open(&server).await, Poll::open(&server).await];
    for (seat, player) in players.iter_mut().enumerate() {
        let hello = json!({"token": table.tokens[seat]});
        let reply = player.push(&table, "phx_join", hello).await;
        assert_eq!((&reply["status"], &reply["response"]["seat"]), (&json!("ok"), &json!(seat)));
    }
    for (ply, chosen) in ["a1", "b1", "a2", "b2", "a3"].into_iter().enumerate() {
        let mover = &mut players[ply % 2];
        let action = server.move_at(u32::try_from(ply).unwrap(), chosen);
        let reply = mover.push(&table, "act", action).await;
        assert_eq!(reply["response"], json!({"version": 4 + ply}));
        for player in &mut players {
            let received = player.receive(|frame| frame[3] == "entries").await;
            assert_eq!(received[4]["entries"][0]["move"], chosen);
        }
    }
    let refused = players[1].push(&table, "act", server.move_at(5, "c3")).await;
    assert_eq!(
        (&refused["status"], &refused["response"]["code"]),
        (&json!("error"), &json!("game_over"))
    );
    let next = json!({"id": "test:99", "action": "next_round", "round": 1, "ply": 5});
    assert_eq!(players[0].push(&table, "act", next).await["status"], "ok");
}

#[tokio::test]
async fn a_long_poll_whose_server_is_gone_begins_again_and_goes_on() {
    // Servers on this journal do not answer each other.
    let journal = FaultyJournal::new();
    journal.share_silently();
    let servers = [Setup::on(&journal).start().await, Setup::on(&journal).start().await];
    let table = servers[0].table("tic-tac-toe").await;
    let mut poll = Poll::open(&servers[0]).await;
    let hello = || json!({"token": table.tokens[0]});
    assert_eq!(poll.push(&table, "phx_join", hello()).await["status"], "ok");
    let action = servers[0].move_at(0, "b2");
    assert_eq!(poll.push(&table, "act", action.clone()).await["response"]["version"], 4);
    // The client is told so at the other server, begins there and sends its action again.
    poll.servers = vec![&servers[1]];
    let beat = json!([null, "2", "phoenix", "heartbeat", {}]);
    assert_eq!(poll.post(&[beat]).await["status"], 410);
    let mut again = Poll::open(&servers[1]).await;
    let joined = again.push(&table, "phx_join", hello()).await;
    assert_eq!(joined["response"]["version"], 4);
    assert_eq!(again.push(&table, "act", action).await["response"]["version"], 4);
    assert_eq!(servers[1].log(&table.id).await.len(), 4, "the move was made once");
}

#[tokio::test]
async fn several_frames_come_in_one_request() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let mut poll = Poll::open(&server).await;
    let topic = format!("table:{}", table.id);
    let join = json!(["1", "1", topic, "phx_join", {"token": table.tokens[0]}]);
    let beat = json!([null, "2", "phoenix", "heartbeat", {}]);
    assert_eq!(poll.post(&[join, beat]).await["status"], 200);
    for reference in ["1", "2"] {
        poll.receive(|frame| frame[1] == reference && frame[4]["status"] == "ok").await;
    }
}

#[tokio::test]
async fn an_unknown_session_is_gone_and_garbage_is_refused() {
    let server = TestServer::usual().await;
    let ask = |token: &str| TestRequest::new(server.address, "POST", &path(token));
    let gone = ask(&"00".repeat(16)).body("[]").send().await.of(200);
    assert_eq!(gone["status"], 410);
    let begun = server.get(&path("moon")).send().await.of(200);
    assert_eq!(begun["status"], 410, "a new session begins");
    assert_ne!(begun["token"], "moon");
    let poll = Poll::open(&server).await;
    assert_eq!(ask(&poll.token).body("[garbage").send().await.status, 400);
    let beat = json!([null, "2", "phoenix", "heartbeat", {}]);
    assert_eq!(poll.post(&[beat]).await["status"], 200, "the session stays open");
}

#[tokio::test]
pub(crate) async fn a_poll_ends_after_its_window() {
    let server = Setup::new().limit("poll_window", 50).start().await;
    let poll = Poll::open(&server).await;
    let answer = server.get(&path(&poll.token)).send().await.of(200);
    assert_eq!((&answer["status"], &answer["messages"]), (&json!(204), &json!([])));
}

#[tokio::test]
async fn a_client_that_stops_polling_is_disconnected() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let mut poll = Poll::open(&server).await;
    poll.push(&table, "phx_join", json!({})).await;
    assert_eq!(server.metric("connections").await, 1);
    pass(Duration::from_secs(21)).await;
    server.until_metric("connections", 0).await;
    let beat = json!([null, "2", "phoenix", "heartbeat", {}]);
    assert_eq!(poll.post(&[beat]).await["status"], 410);
}

#[tokio::test]
pub(crate) async fn the_number_of_poll_sessions_is_limited() {
    let server = Setup::new().limit("poll_sessions", 1).start().await;
    let poll = Poll::open(&server).await;
    let refused = server.get("/socket/longpoll?vsn=2.0.0").send().await;
    assert_eq!(refused.status, 503);
    assert_eq!(server.limited("poll_sessions").await, 1);
    let beat = json!([null, "2", "phoenix", "heartbeat", {}]);
    assert_eq!(poll.post(&[beat]).await["status"], 200, "the open session stays open");
}

#[tokio::test]
async fn a_poll_that_exceeds_the_rate_is_refused_so_that_its_client_retries() {
    let setup = Setup::new().behind_proxy().limit("requests_per_second", 1);
    let server = setup.limit("requests_at_once", 1).start().await;
    let ask = |path: &str| server.get(path).header("x-forwarded-for", "10.0.0.1").send();
    assert_eq!(ask("/socket/longpoll").await.of(200)["status"], 410);
    let (refused, other) = tokio::join!(ask("/socket/longpoll"), ask("/api/games"));
    assert_eq!(
        (refused.status, refused.text.as_str()),
        (429, ""),
        "the client would read a number in the body"
    );
    assert_eq!(refused.header("retry-after"), "1");
    assert_eq!(other.problem(429), "too_many", "other clients get a reason");
}
