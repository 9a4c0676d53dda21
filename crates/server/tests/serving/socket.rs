//! A client of channels over a WebSocket.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use channels::{
    Backoff, Client, ClientChannel, ClientEffect, ClientSettings, Frame, Json, ReplyStatus,
    ShortText,
};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::test_server::{Table, TestServer, soon};

/// The stream below a WebSocket.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// A client of channels over a WebSocket. It joins a failed channel again.
pub(crate) struct Socket {
    stream: WebSocketStream<Box<dyn Stream>>,
    client: Client,
    pending: VecDeque<ClientEffect>,
    began: Instant,
    /// All messages of the server.
    pub(crate) received: Vec<String>,
}

/// How a connection ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// By a close frame with this code.
    Closed(u16),
    /// Without a close frame.
    Cut,
}

/// The request that opens a WebSocket.
pub(crate) fn request(address: SocketAddr) -> Request {
    let url = format!("ws://{address}/socket/websocket?vsn=2.0.0");
    url.into_client_request().expect("the URL is valid")
}

/// The topic of a table.
pub(crate) fn topic(table: &Table) -> String {
    format!("table:{}", table.id)
}

impl Socket {
    pub(crate) async fn open(server: &TestServer) -> Self {
        Self::try_open(server, request(server.address)).await.expect("the server is running")
    }

    /// A connection, or the status with which it was refused.
    pub(crate) async fn try_open(server: &TestServer, request: Request) -> Result<Self, u16> {
        let stream = TcpStream::connect(server.address).await.expect("the server is running");
        Self::over(Box::new(stream), request).await
    }

    pub(crate) async fn over(stream: Box<dyn Stream>, request: Request) -> Result<Self, u16> {
        let opened = soon(tokio_tungstenite::client_async(request, stream)).await;
        let stream = match opened {
            Ok((stream, _)) => stream,
            Err(Error::Http(response)) => return Err(response.status().as_u16()),
            Err(error) => unreachable!("the server answers: {error}"),
        };
        let rejoin = Backoff::new([10], 10);
        let settings = ClientSettings { heartbeat: None, rejoin, ..ClientSettings::default() };
        let mut client = Client::new(settings);
        drop(client.connect());
        drop(client.opened(0));
        let (pending, began, received) = (VecDeque::new(), Instant::now(), Vec::new());
        Ok(Self { stream, client, pending, began, received })
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).expect("the test is short")
    }

    /// Joins a topic; returns the answer or the refusal.
    pub(crate) async fn join(&mut self, topic: &str, hello: Value) -> Result<Value, Value> {
        self.try_join(topic, hello).await.map(|(_, answer)| answer)
    }

    /// Joins the channel of a table as a seat holder.
    pub(crate) async fn join_seat(&mut self, table: &Table, seat: usize) -> (ClientChannel, Value) {
        let hello = json!({"token": table.tokens[seat]});
        self.try_join(&topic(table), hello).await.expect("the seat is held by this token")
    }

    /// Joins the channel of a table as a spectator.
    pub(crate) async fn join_as_spectator(&mut self, table: &Table) -> (ClientChannel, Value) {
        self.try_join(&topic(table), json!({})).await.expect("every client may watch")
    }

    pub(crate) async fn try_join(
        &mut self,
        topic: &str,
        hello: Value,
    ) -> Result<(ClientChannel, Value), Value> {
        let topic = ShortText::new(topic).expect("the text is short");
        let joined = self.client.join(topic, payload(&hello), self.now());
        let (channel, effects) = joined.expect("the client is below its limit of channels");
        self.perform(effects).await;
        let answer = self.find(|effect| match effect {
            ClientEffect::Joined { channel: joined, response } if *joined == channel => {
                Some(Ok((channel, value(response))))
            }
            ClientEffect::Refused { channel: refused, response } if *refused == channel => {
                Some(Err(value(response)))
            }
            _ => None,
        });
        let answer = answer.await;
        if answer.is_err() {
            // Otherwise the client would retry.
            let left = self.client.leave(channel, self.now());
            drop(left);
        }
        answer
    }

    pub(crate) async fn leave(&mut self, channel: ClientChannel) {
        let left = self.client.leave(channel, self.now()).expect("the channel is there");
        self.perform(left).await;
        let is_it = |effect: &ClientEffect| {
            matches!(effect, ClientEffect::Closed { channel: closed } if *closed == channel)
                .then_some(())
        };
        self.find(is_it).await;
    }

    /// Sets the payload for the next join of a channel.
    pub(crate) fn rejoin_with(&mut self, channel: ClientChannel, hello: &Value) {
        self.client.rejoin_with(channel, payload(hello)).expect("the channel is there");
    }

    /// Waits until a channel that failed has been joined again.
    pub(crate) async fn rejoined(&mut self, channel: ClientChannel) -> Value {
        self.find(|effect| match effect {
            ClientEffect::Joined { channel: joined, response } if *joined == channel => {
                Some(value(response))
            }
            _ => None,
        })
        .await
    }

    /// Waits until a channel fails.
    pub(crate) async fn failed(&mut self, channel: ClientChannel) {
        let is_it = |effect: &ClientEffect| {
            matches!(effect, ClientEffect::Failed { channel: failed } if *failed == channel)
                .then_some(())
        };
        self.find(is_it).await;
    }

    /// Pushes an event and waits for the reply.
    pub(crate) async fn push(
        &mut self,
        channel: ClientChannel,
        event: &str,
        message: &Value,
    ) -> Result<Value, Value> {
        let event = ShortText::new(event).expect("the text is short");
        let pushed = self.client.push(channel, event, payload(message), self.now());
        let (number, effects) = pushed.expect("the channel is there");
        self.perform(effects).await;
        self.find(|effect| match effect {
            ClientEffect::Replied { push, status: ReplyStatus::Ok, response }
                if *push == number =>
            {
                Some(Ok(value(response)))
            }
            ClientEffect::Replied { push, status: ReplyStatus::Error, response }
                if *push == number =>
            {
                Some(Err(value(response)))
            }
            _ => None,
        })
        .await
    }

    /// Pushes an event without waiting.
    pub(crate) async fn push_without_reply(
        &mut self,
        channel: ClientChannel,
        event: &str,
        message: &Value,
    ) {
        let event = ShortText::new(event).expect("the text is short");
        let pushed = self.client.push(channel, event, payload(message), self.now());
        let (_, effects) = pushed.expect("the channel is there");
        self.perform(effects).await;
    }

    /// Pushes the same event many times, in few packets.
    pub(crate) async fn burst(
        &mut self,
        channel: ClientChannel,
        event: &str,
        message: &Value,
        times: u32,
    ) {
        for _ in 0..times {
            let event = ShortText::new(event).expect("the text is short");
            let pushed = self.client.push(channel, event, payload(message), self.now());
            for effect in pushed.expect("the channel is there").1 {
                let ClientEffect::Send(frame) = effect else { continue };
                self.stream
                    .feed(Message::text(frame.encode()))
                    .await
                    .expect("the server is running");
            }
        }
        self.stream.flush().await.expect("the server is running");
    }

    /// Waits for an event, whatever came before it.
    pub(crate) async fn receive(&mut self, wanted: &str) -> Value {
        self.find(|effect| match effect {
            ClientEffect::Happened { event, payload, .. } if event.as_str() == wanted => {
                Some(value(payload))
            }
            _ => None,
        })
        .await
    }

    /// Waits for entries; returns their versions and kinds.
    pub(crate) async fn entries(&mut self) -> Vec<(u64, String)> {
        let received = self.receive("entries").await;
        let entries = received["entries"].as_array().expect("entries are a list");
        entries.iter().map(version_and_kind).collect()
    }

    /// Whether an event of this name was received.
    pub(crate) fn has_received(&self, wanted: &str) -> bool {
        self.pending.iter().any(
            |effect| matches!(effect, ClientEffect::Happened { event, .. } if event.as_str() == wanted),
        )
    }

    /// Sends a heartbeat and waits for the reply, so that all earlier messages have arrived.
    pub(crate) async fn catch_up(&mut self) {
        let beat = Frame::decode(
            r#"[null,"beat","phoenix","heartbeat",{}]"#,
            &channels::FrameLimits::DEFAULT,
        );
        self.send(&beat.expect("the frame is valid")).await;
        let before = self.received.len();
        while !self.received.iter().skip(before).any(|text| text.contains("\"beat\"")) {
            assert_eq!(soon(self.pump()).await, None, "the connection ended");
        }
    }

    /// Waits for the end of the connection.
    pub(crate) async fn end(&mut self) -> End {
        soon(async {
            loop {
                if let Some(end) = self.pump().await {
                    return end;
                }
            }
        })
        .await
    }

    /// Sends a text as it is.
    pub(crate) async fn send_text(&mut self, text: impl Into<String>) {
        // A closed connection is noticed by the next read.
        drop(self.stream.send(Message::text(text.into())).await);
    }

    async fn send(&mut self, frame: &Frame) {
        self.send_text(frame.encode()).await;
    }

    async fn find<T>(&mut self, mut is_it: impl FnMut(&ClientEffect) -> Option<T>) -> T {
        soon(async {
            loop {
                let found = self.pending.iter().enumerate();
                let mut found = found.filter_map(|(place, effect)| Some((place, is_it(effect)?)));
                if let Some((place, found)) = found.next() {
                    self.pending.remove(place);
                    return found;
                }
                let end = self.pump().await;
                assert_eq!(end, None, "the connection ended");
            }
        })
        .await
    }

    /// Handles the next message; returns how the connection ended, if it did.
    async fn pump(&mut self) -> Option<End> {
        let due = self.client.deadline().unwrap_or(u64::MAX / 2).min(3_600_000);
        let due = self.began + Duration::from_millis(due);
        let effects = tokio::select! {
            message = self.stream.next() => match message {
                Some(Ok(Message::Text(text))) => {
                    self.received.push(text.to_string());
                    let frame = Frame::decode(&text, &LIMITS).expect("the frame is valid");
                    self.client.receive(frame, self.now())
                }
                Some(Ok(Message::Close(Some(frame)))) => {
                    return Some(End::Closed(frame.code.into()));
                }
                Some(Ok(Message::Close(None)) | Err(_)) | None => return Some(End::Cut),
                Some(Ok(_)) => Vec::new(),
            },
            () = sleep_until(due) => self.client.tick(self.now()),
        };
        self.perform(effects).await;
        None
    }

    async fn perform(&mut self, effects: Vec<ClientEffect>) {
        for effect in effects {
            match effect {
                ClientEffect::Send(frame) => self.send(&frame).await,
                effect => self.pending.push_back(effect),
            }
        }
    }
}

/// Messages of the server may be long.
const LIMITS: channels::FrameLimits = channels::FrameLimits::DEFAULT.with_frame_bytes(u32::MAX);

/// The version and the kind of an entry.
pub(crate) fn version_and_kind(entry: &Value) -> (u64, String) {
    let version = entry["version"].as_u64().expect("a version is a number");
    (version, crate::test_server::text(&entry["kind"]))
}

fn payload(value: &Value) -> Json {
    Json::of(value).expect("the value is JSON")
}

fn value(payload: &Json) -> Value {
    payload.read().expect("the value is JSON")
}
