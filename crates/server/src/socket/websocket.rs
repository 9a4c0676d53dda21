//! Channels over a WebSocket.

use std::error::Error;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use futures_util::{FutureExt as _, SinkExt as _, StreamExt as _};
use table::Token;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::auth_token::{PROTOCOL, auth_token};
use super::traffic::SocketTraffic;
use table::wire::codes;

use crate::app::App;
use crate::client_address::ClientAddress;
use crate::connection::{Connection, CountedSocket, EncodedFrames, InvalidFrame};
use crate::outbox::{Outbox, OutboxItem, OutboxReceiver};
use crate::problem::Problem;
use crate::refusals::refusal;
use crate::tables::Tables;

/// The size of the read and write buffers: one message fits, and they grow when needed. The default of
/// 128 KiB each would be most of the memory of an idle connection.
const BUFFER: usize = 1_024;

/// The largest number of bytes that may wait to be written to one socket.
const MAX_UNWRITTEN: usize = 4 * 1_024 * 1_024;

/// How long a connection with unread input stays open after the close frame.
const LINGER: Duration = Duration::from_secs(1);

/// Upgrades a request to a WebSocket.
pub(crate) async fn upgrade(
    State(app): State<Arc<App>>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    uri: Uri,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let upgrade = upgrade.map_err(|rejection| {
        let why = "This is a WebSocket for Phoenix Channels: connect with a Phoenix client";
        Problem::bad_request(why).with_status(rejection.status())
    })?;
    app.check_site(&headers, &uri)?;
    let token = auth_token(&headers).map_err(|_error| {
        let problem = Problem::from(refusal(
            codes::BAD_TOKEN,
            "The authToken is not a token: it has 32 hexadecimal digits",
        ));
        problem.with_status(StatusCode::FORBIDDEN)
    })?;
    let counted = app.may_connect(address)?;
    let limits = app.tables.limits();
    let frame_bytes = limits.frame_bytes as usize;
    let idle = idle_timeout(&uri, limits.idle_timeout.into());
    Ok(upgrade
        .protocols([PROTOCOL])
        .read_buffer_size(BUFFER)
        .write_buffer_size(BUFFER)
        .max_write_buffer_size(MAX_UNWRITTEN)
        .max_message_size(frame_bytes)
        .max_frame_size(frame_bytes)
        .on_upgrade(move |socket| serve(app, socket, counted, token, idle)))
}

/// How long a client may be silent, in milliseconds. If it names the interval of its heartbeat, as our
/// page does with `heartbeat=5000`, three missed heartbeats are enough: then the others learn soon that
/// it is away.
fn idle_timeout(uri: &Uri, longest: u64) -> u64 {
    let mut pairs = uri.query().unwrap_or_default().split('&');
    let heartbeat = pairs.find_map(|pair| pair.strip_prefix("heartbeat=")?.parse::<u64>().ok());
    heartbeat
        .map_or(longest, |interval| interval.saturating_mul(3).clamp(1_000.min(longest), longest))
}

async fn serve(
    app: Arc<App>,
    mut socket: WebSocket,
    counted: CountedSocket,
    token: Option<Token>,
    idle: u64,
) {
    let _open = app.sockets.token();
    let tables = &app.tables;
    let (outbox, mut receiver) = Outbox::new(tables.limits().outbox, &tables.metrics.outgoing);
    let address = counted.address();
    let connection = Connection::new(Arc::clone(tables), outbox, Some(idle), address);
    let mut connection = connection.with_token(token);
    let mut traffic = SocketTraffic::opened(address);
    let reason = exchange(&app, &mut socket, &mut connection, &mut receiver, &mut traffic).await;
    connection.end();
    traffic.closed(reason.as_str());
    let (code, text) = match reason {
        CloseReason::Disconnected => return,
        CloseReason::InvalidFrame => {
            (close_code::POLICY, "This is not a frame of Phoenix Channels")
        }
        CloseReason::TooLong => {
            tables.metrics.limited("frame_bytes");
            (close_code::SIZE, "This frame is too long")
        }
        CloseReason::Silent => (close_code::AWAY, "No message or heartbeat came for too long"),
        CloseReason::Shutdown => (close_code::RESTART, "The server restarts: connect again"),
    };
    let frame = CloseFrame { code, reason: Utf8Bytes::from_static(text) };
    drop(timeout(Duration::from_secs(2), socket.send(Message::Close(Some(frame)))).await);
    if matches!(reason, CloseReason::TooLong) {
        // Closing a connection with unread input resets it, and the reset may overtake the close frame:
        // the client gets some time to read that.
        sleep(LINGER).await;
    }
    drop(counted);
}

/// Why the server closes a socket.
enum CloseReason {
    /// The client has disconnected.
    Disconnected,
    /// The client sent something that is not a frame.
    InvalidFrame,
    /// The client sent a message that is longer than the limit.
    TooLong,
    /// The client was silent for too long.
    Silent,
    /// The server shuts down.
    Shutdown,
}

impl CloseReason {
    const fn as_str(&self) -> &'static str {
        match self {
            Self::Disconnected => "disconnected",
            Self::InvalidFrame => "invalid frame",
            Self::TooLong => "too long",
            Self::Silent => "silent",
            Self::Shutdown => "shutdown",
        }
    }
}

impl From<InvalidFrame> for CloseReason {
    fn from(_: InvalidFrame) -> Self {
        Self::InvalidFrame
    }
}

/// Exchanges messages until the socket must be closed.
async fn exchange(
    app: &App,
    socket: &mut WebSocket,
    connection: &mut Connection,
    receiver: &mut OutboxReceiver,
    traffic: &mut SocketTraffic,
) -> CloseReason {
    let tables = &app.tables;
    // Both are made once and not for each message: the alarm is only reset when it fires.
    let (alarm, stopped) = (sleep_until(deadline(tables, connection)), app.phase.stopping());
    tokio::pin!(alarm, stopped);
    let mut first = EventSource::Outbox;
    loop {
        let event = poll_fn(|context| {
            // After a wake, the outbox is asked first: that costs less than asking the socket.
            let asked = std::mem::replace(&mut first, EventSource::Outbox);
            poll_first(asked, receiver, socket, context)
                .or_else(|| alarm.as_mut().poll(context).is_ready().then_some(ExchangeEvent::Alarm))
                .or_else(|| {
                    stopped.as_mut().poll(context).is_ready().then_some(ExchangeEvent::Stop)
                })
                .map_or(Poll::Pending, Poll::Ready)
        });
        let mut messages = 0;
        let frames = match event.await {
            ExchangeEvent::Received(received) => match receive(connection, received, traffic) {
                Ok(frames) => {
                    messages += 1;
                    frames
                }
                Err(reason) => return reason,
            },
            ExchangeEvent::Outgoing(item) => {
                // A full outbox does not keep the socket from being read.
                first = EventSource::Socket;
                let mut frames = connection.deliver(item);
                // All waiting items are sent with one flush.
                while let Some(item) = receiver.try_next() {
                    frames.extend(connection.deliver(item));
                }
                frames
            }
            ExchangeEvent::Alarm => {
                let deadline = deadline(tables, connection);
                if deadline <= Instant::now() {
                    return CloseReason::Silent;
                }
                alarm.as_mut().reset(deadline);
                continue;
            }
            ExchangeEvent::Stop => return CloseReason::Shutdown,
        };
        for text in &frames {
            traffic.sent(text.len());
        }
        messages += frames.len();
        if !frames.is_empty() && !send(tables, socket, frames).await {
            return CloseReason::Disconnected;
        }
        if let Some(rest) = app.count_messages(traffic.client(), messages) {
            // What comes meanwhile waits in the buffers of the system, and at last at the client.
            tokio::select! {
                () = sleep(rest) => {}
                () = &mut stopped => return CloseReason::Shutdown,
            }
        }
    }
}

/// What happens next on a socket.
enum ExchangeEvent {
    Received(Option<Result<Message, axum::Error>>),
    Outgoing(OutboxItem),
    Alarm,
    Stop,
}

/// Where messages come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EventSource {
    Outbox,
    Socket,
}

/// Asks the outbox and the socket for a message, beginning with one of them.
fn poll_first(
    first: EventSource,
    receiver: &mut OutboxReceiver,
    socket: &mut WebSocket,
    context: &mut Context<'_>,
) -> Option<ExchangeEvent> {
    let mut ask = |source| match source {
        EventSource::Outbox => receiver.poll_next(context).map(ExchangeEvent::Outgoing),
        EventSource::Socket => socket.poll_next_unpin(context).map(ExchangeEvent::Received),
    };
    let second = match first {
        EventSource::Outbox => EventSource::Socket,
        EventSource::Socket => EventSource::Outbox,
    };
    match ask(first) {
        Poll::Ready(event) => Some(event),
        Poll::Pending => match ask(second) {
            Poll::Ready(event) => Some(event),
            Poll::Pending => None,
        },
    }
}

fn receive(
    connection: &mut Connection,
    received: Option<Result<Message, axum::Error>>,
    traffic: &mut SocketTraffic,
) -> Result<EncodedFrames, CloseReason> {
    match received {
        Some(Ok(Message::Text(text))) => {
            traffic.received(text.len());
            Ok(connection.receive_text(&text)?)
        }
        Some(Ok(Message::Binary(bytes))) => {
            traffic.received(bytes.len());
            Ok(connection.receive_bytes(&bytes)?)
        }
        // axum answers pings.
        Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(EncodedFrames::new()),
        Some(Err(error)) if is_too_long(&error) => Err(CloseReason::TooLong),
        Some(Ok(Message::Close(_)) | Err(_)) | None => Err(CloseReason::Disconnected),
    }
}

/// Whether a message was not read because it exceeds the limit.
fn is_too_long(error: &axum::Error) -> bool {
    let cause = error.source().and_then(|error| error.downcast_ref());
    matches!(cause, Some(tokio_tungstenite::tungstenite::Error::Capacity(_)))
}

/// Sends frames; returns false if the client is gone or does not read them in time.
async fn send(tables: &Tables, socket: &mut WebSocket, frames: EncodedFrames) -> bool {
    let limit = Duration::from_millis(tables.limits().write_timeout.into());
    let mut writing = pin!(async {
        for text in frames {
            socket.feed(Message::Text(text)).await?;
        }
        socket.flush().await
    });
    // Most writes need no timer.
    if let Some(written) = writing.as_mut().now_or_never() {
        return written.is_ok();
    }
    if let Ok(written) = timeout(limit, writing).await {
        written.is_ok()
    } else {
        tables.metrics.limited("write_timeout");
        false
    }
}

fn deadline(tables: &Tables, connection: &Connection) -> Instant {
    let left = connection.deadline().map(|end| end.saturating_sub(tables.monotonic()));
    Instant::now() + left.map_or(Duration::from_hours(1), Duration::from_millis)
}
