//! Channels over requests that wait, where there is no WebSocket.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use channels::{ClientMessage, PollAnswer, PollSession, PollSettings, PollToken, decode_post};
use serde::Deserialize;
use table::Token;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use super::auth_token::auth_token;
use super::origin;
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::connection::{Connection, Counted, Sent, frame_limits};
use crate::guest::{Inlet, Outbox};

/// The sessions that go on, by their tokens.
#[derive(Debug, Default)]
pub(crate) struct Sessions(Mutex<HashMap<String, mpsc::Sender<Poll>>>);

/// What a client asks of its session.
#[derive(Debug)]
pub(crate) enum Poll {
    /// Is there anything new?
    Get(oneshot::Sender<PollAnswer>),
    /// It says something.
    Post(Vec<ClientMessage>),
}

/// What Phoenix's client puts into the query. The token is that of the session, and of nothing else.
#[derive(Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    token: Option<String>,
}

impl Sessions {
    fn find(&self, token: Option<&String>) -> Option<mpsc::Sender<Poll>> {
        self.all().get(token?).cloned()
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, mpsc::Sender<Poll>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request for messages: it waits for some, or begins a session.
pub(crate) async fn get(
    State(app): State<Arc<App>>,
    ClientAddress(address): ClientAddress,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    if !origin::is_welcome(&headers, &uri, &app.origins) {
        return answer(&PollAnswer::forbidden());
    }
    let Some(session) = app.sessions.find(asked.token.as_ref()) else {
        let Ok(token) = auth_token(&headers) else { return answer(&PollAnswer::forbidden()) };
        return match Counted::new(&app.house, address) {
            Ok(counted) => begin(&app, counted, token),
            Err(limit) => {
                app.house.metrics.limited(limit);
                StatusCode::SERVICE_UNAVAILABLE.into_response()
            }
        };
    };
    let (sender, receiver) = oneshot::channel();
    if session.send(Poll::Get(sender)).await.is_err() {
        return answer(&PollAnswer::gone());
    }
    // A request that was overtaken by another one is answered as if its session were gone.
    answer(&receiver.await.unwrap_or_else(|_| PollAnswer::gone()))
}

/// A client says something.
pub(crate) async fn post(
    State(app): State<Arc<App>>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
    uri: Uri,
    body: String,
) -> Response {
    if !origin::is_welcome(&headers, &uri, &app.origins) {
        return answer(&PollAnswer::forbidden());
    }
    let Some(session) = app.sessions.find(asked.token.as_ref()) else {
        return answer(&PollAnswer::gone());
    };
    match decode_post(&body, &frame_limits(&app.house.limits)) {
        Ok(frames) => match session.send(Poll::Post(frames)).await {
            Ok(()) => answer(&PollAnswer::accepted()),
            Err(_) => answer(&PollAnswer::gone()),
        },
        Err(error) => (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    }
}

fn answer(answer: &PollAnswer) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], answer.encode()).into_response()
}

/// Begins a session.
fn begin(app: &Arc<App>, counted: Counted, shown: Option<Token>) -> Response {
    let mut bits = [0; 16];
    if getrandom::fill(&mut bits).is_err() {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let token = format!("{:032x}", u128::from_be_bytes(bits));
    let settings = PollSettings {
        window: app.house.limits.poll_window.into(),
        outbox: app.house.limits.outbox,
        ..PollSettings::default()
    };
    let now = app.house.monotonic();
    let (session, opened) = PollSession::open(settings, PollToken::new(&token), now);
    let (sender, polls) = mpsc::channel(16);
    {
        let mut sessions = app.sessions.all();
        if sessions.len() >= app.house.limits.poll_sessions as usize {
            app.house.metrics.limited("poll_sessions");
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
        sessions.insert(token.clone(), sender);
    }
    let app = Arc::clone(app);
    tokio::spawn(async move {
        let _open = app.sockets.token();
        serve(&app, session, polls, (shown, counted.household())).await;
        app.sessions.all().remove(&token);
        drop(counted);
    });
    answer(&opened)
}

/// One session, as long as its client comes back.
async fn serve(
    app: &App,
    mut session: PollSession,
    mut polls: mpsc::Receiver<Poll>,
    (token, household): (Option<Token>, IpAddr),
) {
    let house = &app.house;
    let (outbox, mut inlet) = Outbox::new(house.limits.outbox);
    let connection = Connection::new(Arc::clone(house), outbox, None, household);
    let mut connection = connection.with_token(token);
    let mut waiting: Option<oneshot::Sender<PollAnswer>> = None;
    let mut shutdown = app.shutdown.clone();
    loop {
        let sent = tokio::select! {
            poll = polls.recv() => match poll {
                Some(Poll::Get(sender)) => {
                    session.poll(house.monotonic());
                    waiting = Some(sender);
                    Sent::new()
                }
                Some(Poll::Post(frames)) => {
                    frames.into_iter().flat_map(|frame| connection.receive(frame)).collect()
                }
                None => break,
            },
            sent = next(&mut connection, &mut inlet) => sent,
            () = sleep_until(wake(app, &session)) => Sent::new(),
            _ = shutdown.changed() => break,
        };
        let is_lost = sent.into_iter().any(|text| session.send(text.to_string()).is_err());
        let now = house.monotonic();
        if is_lost || session.is_abandoned(now) {
            break;
        }
        if let Some(answer) = session.flush().or_else(|| session.tick(now))
            && let Some(waiting) = waiting.take()
        {
            drop(waiting.send(answer));
        }
    }
    connection.end();
}

async fn next(connection: &mut Connection, inlet: &mut Inlet) -> Sent {
    let drawn = inlet.next().await;
    let mut sent = connection.draw(drawn);
    while let Some(drawn) = inlet.try_next() {
        sent.extend(connection.draw(drawn));
    }
    sent
}

/// When something is to be done: a request has waited long enough, or the client may be gone.
fn wake(app: &App, session: &PollSession) -> Instant {
    let window = u64::from(app.house.limits.poll_window);
    let left = session.deadline().map(|end| end.saturating_sub(app.house.monotonic()));
    Instant::now() + Duration::from_millis(left.unwrap_or(window))
}
