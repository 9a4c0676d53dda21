//! Channels over a WebSocket.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use futures_util::SinkExt;
use table::Token;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::auth_token::{PROTOCOL, auth_token};
use super::origin;
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::connection::{Connection, Counted, Garbage, Sent};
use crate::guest::{Inlet, Outbox};
use crate::house::House;
use crate::problem::Problem;
use crate::request::{codes, refusal};

/// What a socket needs for reading and writing: one message fits, and more is taken when it is needed.
/// The library's own buffers of 128 KiB each would be most of what an idle connection costs.
const BUFFER: usize = 1_024;

/// How much may wait to be written to one socket.
const MOST_WAITING: usize = 4 * 1_024 * 1_024;

/// How long a connection of which not everything was read stays open after the last word.
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
        let why = "This is a WebSocket for Phoenix Channels: connect with a client for those";
        Problem::bad_request(why).with_status(rejection.status())
    })?;
    if !origin::is_welcome(&headers, &uri, &app.origins) {
        return Err(refusal(codes::FOREIGN, "Pages of other sites may not connect").into());
    }
    let token = auth_token(&headers).map_err(|_error| {
        let problem = Problem::from(refusal(codes::BAD_TOKEN, "What is shown is no token"));
        problem.with_status(StatusCode::FORBIDDEN)
    })?;
    let counted = Counted::new(&app.house, address).map_err(|limit| {
        app.house.metrics.limited(limit);
        let problem = Problem::from(refusal(codes::TOO_MANY, "Too many connections: try later"));
        problem.with_status(StatusCode::SERVICE_UNAVAILABLE)
    })?;
    let most = app.house.limits.frame_bytes as usize;
    let idle = patience(&uri, app.house.limits.idle_timeout.into());
    Ok(upgrade
        .protocols([PROTOCOL])
        .read_buffer_size(BUFFER)
        .write_buffer_size(BUFFER)
        .max_write_buffer_size(MOST_WAITING)
        .max_message_size(most)
        .max_frame_size(most)
        .on_upgrade(move |socket| serve(app, socket, counted, token, idle)))
}

/// How long a client may be silent. One that says how often it sends a heartbeat, as our page does
/// with `heartbeat=5000`, is missed after three: so the others learn soon that it is away.
fn patience(uri: &Uri, longest: u64) -> u64 {
    let mut said = uri.query().unwrap_or_default().split('&');
    let heartbeat = said.find_map(|pair| pair.strip_prefix("heartbeat=")?.parse::<u64>().ok());
    heartbeat.map_or(longest, |often| often.saturating_mul(3).clamp(1_000.min(longest), longest))
}

async fn serve(
    app: Arc<App>,
    mut socket: WebSocket,
    counted: Counted,
    token: Option<Token>,
    idle: u64,
) {
    let _open = app.sockets.token();
    let house = &app.house;
    let (outbox, mut inlet) = Outbox::new(house.limits.outbox);
    let household = counted.household();
    let connection = Connection::new(Arc::clone(house), outbox, Some(idle), household);
    let mut connection = connection.with_token(token);
    let goodbye = speak(&app, &mut socket, &mut connection, &mut inlet).await;
    connection.end();
    let (code, reason) = match goodbye {
        Goodbye::Gone => return,
        Goodbye::Garbage => (close_code::POLICY, "This is not a frame"),
        Goodbye::TooLong => {
            house.metrics.limited("frame_bytes");
            (close_code::SIZE, "This frame is too long")
        }
        Goodbye::Silent => (close_code::AWAY, "Nothing was heard for too long"),
        Goodbye::Shutdown => (close_code::RESTART, "The server restarts: come back"),
    };
    let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
    let patience = Duration::from_secs(2);
    drop(timeout(patience, socket.send(Message::Close(Some(frame)))).await);
    if matches!(goodbye, Goodbye::TooLong) {
        // What was not read turns the end of a connection into a reset, which may overtake what was
        // said before it: the client is given the time to read that.
        sleep(LINGER).await;
    }
    drop(counted);
}

/// Why nothing more is said.
enum Goodbye {
    /// The client is gone.
    Gone,
    /// What it sends is not understood.
    Garbage,
    /// It sends more at once than is read.
    TooLong,
    /// Nothing was heard of it for too long.
    Silent,
    /// The server stops.
    Shutdown,
}

impl From<Garbage> for Goodbye {
    fn from(_: Garbage) -> Self {
        Self::Garbage
    }
}

async fn speak(
    app: &App,
    socket: &mut WebSocket,
    connection: &mut Connection,
    inlet: &mut Inlet,
) -> Goodbye {
    let house = &app.house;
    // Both stay as they are from message to message: the alarm is only set anew when it rings.
    let mut shutdown = app.shutdown.clone();
    let (alarm, stopped) = (sleep_until(deadline(house, connection)), shutdown.changed());
    tokio::pin!(alarm, stopped);
    loop {
        let sent = tokio::select! {
            heard = socket.recv() => match hear(connection, heard) {
                Ok(sent) => sent,
                Err(goodbye) => return goodbye,
            },
            drawn = inlet.next() => {
                let mut sent = connection.draw(drawn);
                // What belongs together goes out together.
                while let Some(drawn) = inlet.try_next() {
                    sent.extend(connection.draw(drawn));
                }
                sent
            }
            () = &mut alarm => {
                let deadline = deadline(house, connection);
                if deadline <= Instant::now() {
                    return Goodbye::Silent;
                }
                alarm.as_mut().reset(deadline);
                continue;
            }
            _ = &mut stopped => return Goodbye::Shutdown,
        };
        if !sent.is_empty() && !send(house, socket, sent).await {
            return Goodbye::Gone;
        }
    }
}

fn hear(
    connection: &mut Connection,
    heard: Option<Result<Message, axum::Error>>,
) -> Result<Sent, Goodbye> {
    match heard {
        Some(Ok(Message::Text(text))) => Ok(connection.receive_text(&text)?),
        Some(Ok(Message::Binary(bytes))) => Ok(connection.receive_bytes(&bytes)?),
        // Pings are answered by the library.
        Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(Sent::new()),
        Some(Err(error)) if is_too_long(&error) => Err(Goodbye::TooLong),
        Some(Ok(Message::Close(_)) | Err(_)) | None => Err(Goodbye::Gone),
    }
}

/// Whether a message was not read because it is longer than any may be.
fn is_too_long(error: &axum::Error) -> bool {
    let beneath = error.source().and_then(|error| error.downcast_ref());
    matches!(beneath, Some(tokio_tungstenite::tungstenite::Error::Capacity(_)))
}

/// Sends messages; gives whether the client is there: who does not read them in time is not.
async fn send(house: &House, socket: &mut WebSocket, sent: Sent) -> bool {
    let patience = Duration::from_millis(house.limits.write_timeout.into());
    let writing = async {
        for text in sent {
            socket.feed(Message::Text(text)).await?;
        }
        socket.flush().await
    };
    if let Ok(written) = timeout(patience, writing).await {
        written.is_ok()
    } else {
        house.metrics.limited("write_timeout");
        false
    }
}

fn deadline(house: &House, connection: &Connection) -> Instant {
    let left = connection.deadline().map(|end| end.saturating_sub(house.monotonic()));
    Instant::now() + left.map_or(Duration::from_hours(1), Duration::from_millis)
}
