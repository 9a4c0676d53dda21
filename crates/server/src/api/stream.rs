//! New entries as lines of JSON.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::bearer::Bearer;
use super::log::{FromVersion, log};
use super::query::Query;
use super::table_path::TablePath;
use crate::TableId;
use crate::app::App;
use crate::broadcast::lines;
use crate::client_address::{ClientAddress, normalized};
use crate::connection::CountedSocket;
use crate::problem::Problem;
use crate::table_request::TableRequest;

/// After this long without an entry, an empty line is sent to keep the connection alive.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// Streams the entries after a version, and then each new entry, as lines of JSON.
///
/// An empty line keeps the connection alive. A client that reads too slowly is disconnected, and asks
/// again from the last version that it has.
#[utoipa::path(get, path = "/api/tables/{id}/stream", tag = "tables", security((), ("token" = [])),
    params(("id" = String, Path, description = "The id of the table"),
        ("from" = Option<u64>, Query, description = "The last version that the client has")),
    responses((status = 200, description = "One entry per line, as in the log",
            content_type = "application/x-ndjson", body = String),
        (status = 404, description = "There is no such table", body = crate::problem::ProblemBody, content_type = "application/problem+json")))]
pub(crate) async fn stream(
    State(app): State<Arc<App>>,
    TablePath(id): TablePath,
    ClientAddress(address): ClientAddress,
    Query(FromVersion { from }): Query<FromVersion>,
    Bearer(token): Bearer,
) -> Result<Response, Problem> {
    // A stream keeps its table in memory, as a socket does, and HTTP/2 has many on one connection.
    let counted = app.may_connect(address)?;
    let (sender, receiver) = mpsc::channel(app.tables.limits().outbox.max(1) as usize);
    let (answer, answered) = oneshot::channel();
    let address = normalized(address);
    app.tables.send(id, TableRequest::Stream { token, address, lines: sender, answer });
    let welcome = answered.await.map_err(|_gone| Problem::unavailable())??;
    let (seat, version) = (welcome.seat, welcome.version);
    let entries =
        EntryStream { app, id, seat, known: from, until: version, receiver, _counted: counted };
    let stream = stream::unfold(entries, EntryStream::next);
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    Ok((kind, Body::from_stream(stream)).into_response())
}

/// The entries of the log up to `until`, and then new ones.
struct EntryStream {
    app: Arc<App>,
    id: TableId,
    seat: Option<game::Seat>,
    known: u64,
    until: u64,
    receiver: mpsc::Receiver<Bytes>,
    _counted: CountedSocket,
}

impl EntryStream {
    async fn next(mut self) -> Option<(Result<Bytes, std::io::Error>, Self)> {
        if self.known < self.until {
            let page = log(&self.app.tables, self.id, self.seat, self.known).await.ok()?;
            let entries = page.entries.into_iter().filter(|entry| entry.version <= self.until);
            let entries: Vec<_> = entries.collect();
            self.known = entries.last()?.version;
            return Some((Ok(lines(&entries)), self));
        }
        let line = tokio::select! {
            line = timeout(KEEP_ALIVE, self.receiver.recv()) => match line {
                Ok(line) => line?,
                Err(_) => Bytes::from_static(b"\n"),
            },
            () = self.app.phase.stopping() => return None,
        };
        Some((Ok(line), self))
    }
}
