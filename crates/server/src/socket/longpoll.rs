//! Channels over long polls, for clients without WebSocket.

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
use tokio::time::{Instant, sleep, sleep_until};

use super::auth_token::auth_token;
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::connection::{Connection, CountedSocket, EncodedFrames, frame_limits};
use crate::journal::{Questions, ServerQuestion};
use crate::outbox::{Outbox, OutboxReceiver};

/// The open sessions of this server, by token. If several servers share a journal, a request for a session of
/// another one is passed on to it: a balancer may choose any server for each request.
#[derive(Debug, Default)]
pub(crate) struct PollSessions(Mutex<HashMap<String, mpsc::Sender<PollRequest>>>);

/// A request of a client to its session.
#[derive(Debug)]
pub(crate) enum PollRequest {
    /// The client waits for messages.
    Get(oneshot::Sender<PollAnswer>),
    /// The client sends frames.
    Post(Vec<ClientMessage>),
}

/// The query of the phoenix client. The token names the session and opens nothing else.
#[derive(Deserialize)]
pub(crate) struct PollQuery {
    #[serde(default)]
    token: Option<String>,
}

impl PollSessions {
    fn find(&self, token: Option<&String>) -> Option<mpsc::Sender<PollRequest>> {
        self.all().get(token?).cloned()
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, mpsc::Sender<PollRequest>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for messages, or begins a session.
pub(crate) async fn get(
    State(app): State<Arc<App>>,
    ClientAddress(address): ClientAddress,
    Query(query): Query<PollQuery>,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    if app.check_site(&headers, &uri).is_err() {
        return answer(&PollAnswer::forbidden());
    }
    let Some(session) = app.sessions.find(query.token.as_ref()) else {
        let Ok(token) = auth_token(&headers) else { return answer(&PollAnswer::forbidden()) };
        if let Some(answer) = ask_others(&app, query.token.as_ref(), String::new()).await {
            return encoded(answer);
        }
        return match CountedSocket::new(&app.tables, address) {
            Ok(socket) => begin(&app, socket, token).await,
            Err(limit) => {
                app.tables.metrics.limited(limit);
                StatusCode::SERVICE_UNAVAILABLE.into_response()
            }
        };
    };
    answer(&wait(&session).await)
}

/// Waits for messages of a session.
async fn wait(session: &mpsc::Sender<PollRequest>) -> PollAnswer {
    let (sender, receiver) = oneshot::channel();
    if session.send(PollRequest::Get(sender)).await.is_err() {
        return PollAnswer::gone();
    }
    // When a newer poll replaces this one, this one is answered as if its session were gone.
    receiver.await.unwrap_or_else(|_| PollAnswer::gone())
}

/// How much longer than a poll waits its answer may take from another server.
const PASSED_ON: Duration = Duration::from_secs(2);

/// Asks the other servers about a session: for its messages, or with frames for it.
async fn ask_others(app: &App, token: Option<&String>, frames: String) -> Option<String> {
    let is_token =
        |token: &&String| token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    let token = token.filter(is_token)?;
    let window = Duration::from_millis(app.tables.limits().poll_window.into());
    app.tables.journal.ask(token, frames, window + PASSED_ON).await
}

/// Answers other servers about a session, as long as it is open.
async fn answer_others(
    app: Arc<App>,
    mut questions: Questions,
    session: mpsc::Sender<PollRequest>,
) {
    loop {
        let question = tokio::select! {
            question = questions.recv() => question,
            () = session.closed() => None,
        };
        let Some(ServerQuestion { text, answer }) = question else { return };
        if text.is_empty() {
            let session = session.clone();
            // Frames may come while it waits.
            tokio::spawn(async move { answer.send(wait(&session).await.encode()) });
            continue;
        }
        let answered = match decode_post(&text, &frame_limits(&app.tables.limits())) {
            Ok(messages) => give(&session, messages).await,
            Err(_) => PollAnswer::gone(),
        };
        // The other server may have given up.
        drop(answer.send(answered.encode()));
    }
}

/// Gives frames of a client to its session.
async fn give(session: &mpsc::Sender<PollRequest>, frames: Vec<ClientMessage>) -> PollAnswer {
    match session.send(PollRequest::Post(frames)).await {
        Ok(()) => PollAnswer::accepted(),
        Err(_) => PollAnswer::gone(),
    }
}

/// Receives frames of a client.
pub(crate) async fn post(
    State(app): State<Arc<App>>,
    ClientAddress(address): ClientAddress,
    Query(query): Query<PollQuery>,
    headers: HeaderMap,
    uri: Uri,
    body: String,
) -> Response {
    if app.check_site(&headers, &uri).is_err() {
        return answer(&PollAnswer::forbidden());
    }
    let session = app.sessions.find(query.token.as_ref());
    let messages = decode_post(&body, &frame_limits(&app.tables.limits()));
    if let Ok(messages) = &messages
        && let Some(rest) = app.count_messages(address, messages.len())
    {
        sleep(rest).await;
    }
    match (messages, session) {
        (Ok(messages), Some(session)) => answer(&give(&session, messages).await),
        (Ok(messages), None) if !messages.is_empty() => {
            let answered = ask_others(&app, query.token.as_ref(), body).await;
            answered.map_or_else(|| answer(&PollAnswer::gone()), encoded)
        }
        (_, None) => answer(&PollAnswer::gone()),
        (Err(error), Some(_)) => (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    }
}

fn answer(answer: &PollAnswer) -> Response {
    encoded(answer.encode())
}

fn encoded(answer: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], answer).into_response()
}

/// Begins a session.
async fn begin(app: &Arc<App>, socket: CountedSocket, auth_token: Option<Token>) -> Response {
    let mut bits = [0; 16];
    if getrandom::fill(&mut bits).is_err() {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let token = format!("{:032x}", u128::from_be_bytes(bits));
    // Before the client learns the token: its next request may reach another server.
    let questions = app.tables.journal.answer_questions(&token).await;
    let limits = app.tables.limits();
    let settings = PollSettings {
        window: limits.poll_window.into(),
        outbox: limits.outbox,
        ..PollSettings::default()
    };
    let now = app.tables.monotonic();
    let (session, opened) = PollSession::open(settings, PollToken::new(&token), now);
    let (sender, polls) = mpsc::channel(16);
    {
        let mut sessions = app.sessions.all();
        if sessions.len() >= limits.poll_sessions as usize {
            app.tables.metrics.limited("poll_sessions");
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
        sessions.insert(token.clone(), sender.clone());
    }
    if let Some(questions) = questions {
        tokio::spawn(answer_others(Arc::clone(app), questions, sender));
    }
    let app = Arc::clone(app);
    tokio::spawn(async move {
        let _open = app.sockets.token();
        serve(&app, session, polls, (auth_token, socket.address())).await;
        app.sessions.all().remove(&token);
        drop(socket);
    });
    answer(&opened)
}

/// Serves one session as long as its client keeps polling.
async fn serve(
    app: &App,
    mut session: PollSession,
    mut polls: mpsc::Receiver<PollRequest>,
    (token, address): (Option<Token>, IpAddr),
) {
    let tables = &app.tables;
    let (outbox, mut receiver) = Outbox::new(tables.limits().outbox, &tables.metrics.outgoing);
    let connection = Connection::new(Arc::clone(tables), outbox, None, address);
    let mut connection = connection.with_token(token);
    let mut waiting: Option<oneshot::Sender<PollAnswer>> = None;
    let stopping = app.phase.stopping();
    tokio::pin!(stopping);
    loop {
        let frames = tokio::select! {
            poll = polls.recv() => match poll {
                Some(PollRequest::Get(sender)) => {
                    session.poll(tables.monotonic());
                    waiting = Some(sender);
                    EncodedFrames::new()
                }
                Some(PollRequest::Post(messages)) => {
                    messages.into_iter().flat_map(|message| connection.receive(message)).collect()
                }
                None => break,
            },
            frames = next(&mut connection, &mut receiver) => frames,
            () = sleep_until(wake(app, &session)) => EncodedFrames::new(),
            () = &mut stopping => break,
        };
        let is_lost = frames.into_iter().any(|text| session.send(text.to_string()).is_err());
        let now = tables.monotonic();
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

/// Waits for the outbox; returns the frames of all its items.
async fn next(connection: &mut Connection, receiver: &mut OutboxReceiver) -> EncodedFrames {
    let item = receiver.next().await;
    let mut frames = connection.deliver(item);
    while let Some(item) = receiver.try_next() {
        frames.extend(connection.deliver(item));
    }
    frames
}

/// When the session needs attention: a poll has waited long enough, or the client may be gone.
fn wake(app: &App, session: &PollSession) -> Instant {
    let window = u64::from(app.tables.limits().poll_window);
    let left = session.deadline().map(|end| end.saturating_sub(app.tables.monotonic()));
    Instant::now() + Duration::from_millis(left.unwrap_or(window))
}
