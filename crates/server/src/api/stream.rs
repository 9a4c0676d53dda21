//! Entries as they are written, a line of JSON each.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::asked::Asked;
use super::bearer::Bearer;
use super::log::{From, log};
use super::named::Named;
use crate::app::App;
use crate::buckets::household;
use crate::client_address::ClientAddress;
use crate::problem::Problem;
use crate::request::Request;
use crate::told::lines;

/// How long nothing is said at most: then an empty line says that there was nothing to say.
const SILENCE: Duration = Duration::from_secs(20);

/// Sends every entry after a version, and then each as it is written: a line of JSON for each.
///
/// An empty line means that nothing happened for a while. A reader that does not keep up is cut off
/// and asks again from where it was.
#[utoipa::path(get, path = "/api/tables/{id}/stream", tag = "tables", security((), ("token" = [])),
    params(("id" = String, Path, description = "The id of the table"),
        ("from" = Option<u64>, Query, description = "The last version that is known")),
    responses((status = 200, description = "Entries, as in the log",
            content_type = "application/x-ndjson", body = String),
        (status = 404, description = "There is none", body = crate::problem::Document, content_type = "application/problem+json")))]
pub(crate) async fn watch(
    State(app): State<Arc<App>>,
    Named(id): Named,
    ClientAddress(address): ClientAddress,
    Asked(From { from }): Asked<From>,
    Bearer(token): Bearer,
) -> Result<Response, Problem> {
    let (sender, receiver) = mpsc::channel(app.house.limits.outbox.max(1) as usize);
    let (answer, answered) = oneshot::channel();
    let household = household(address);
    app.house.ask(id, Request::Watch { token, household, lines: sender, answer });
    let welcome = answered.await.map_err(|_gone| Problem::unavailable())??;
    let (seat, version) = (welcome.seat, welcome.version);
    let watching = Watching { app, id, seat, known: from, until: version, receiver };
    let stream = stream::unfold(watching, Watching::next);
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    Ok((kind, Body::from_stream(stream)).into_response())
}

/// Somebody who reads: first what is in the log, then what comes.
struct Watching {
    app: Arc<App>,
    id: crate::TableId,
    seat: Option<game::Seat>,
    known: u64,
    until: u64,
    receiver: mpsc::Receiver<Bytes>,
}

impl Watching {
    async fn next(mut self) -> Option<(Result<Bytes, std::io::Error>, Self)> {
        if self.known < self.until {
            let some = log(&self.app.house, self.id, self.seat, self.known).await.ok()?;
            let some: Vec<_> =
                some.entries.into_iter().filter(|shown| shown.version <= self.until).collect();
            self.known = some.last()?.version;
            return Some((Ok(lines(&some)), self));
        }
        let mut shutdown = self.app.shutdown.clone();
        let line = tokio::select! {
            line = timeout(SILENCE, self.receiver.recv()) => match line {
                Ok(line) => line?,
                Err(_) => Bytes::from_static(b"\n"),
            },
            _ = shutdown.changed() => return None,
        };
        Some((Ok(line), self))
    }
}
