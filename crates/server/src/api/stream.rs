//! New entries as lines of JSON.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use table::wire::Entries;
use table::{Entry, TableView};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{sleep, timeout};
use utoipa::ToSchema;

use super::bearer::Bearer;
use super::log::{log, version};
use super::query::Query;
use super::table_path::TablePath;
use crate::TableId;
use crate::app::App;
use crate::broadcast::{lines, view_line};
use crate::client_address::{ClientAddress, normalized};
use crate::connection::{CountedChannel, CountedSocket};
use crate::problem::Problem;
use crate::subscriber::LineContent;
use crate::table_request::TableRequest;
use crate::work_pool::Payer;

/// After this long without an entry, an empty line is sent to keep the connection alive.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// The query of a client that wants to follow a table.
#[derive(Debug, Deserialize)]
pub(crate) struct StreamQuery {
    /// The last version that the client has.
    #[serde(default, deserialize_with = "version")]
    from: u64,
    /// What each line has.
    #[serde(default = "without_view", deserialize_with = "with_view")]
    with: LineContent,
}

const fn without_view() -> LineContent {
    LineContent::Entry
}

fn with_view<'de, D: Deserializer<'de>>(from: D) -> Result<LineContent, D::Error> {
    match String::deserialize(from)?.as_str() {
        "view" => Ok(LineContent::View),
        _ => Err(D::Error::custom("write with=view, or leave it out")),
    }
}

/// A line of a stream.
#[derive(ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "it describes the lines, which are written one by one")]
pub(crate) enum StreamLine {
    /// An entry, without `with`.
    Entry(Entry),
    /// Entries and the table after them, with `with=view`.
    View(Entries),
}

/// Streams the entries after a version, and then each new entry, as lines of JSON.
///
/// With `with=view`, a line has all entries that were recorded together (`entries`) and the table after
/// them as the holder of the token may see it (`view`), with the turn and the legal moves. The first line
/// comes at once, even if there are no entries after the version. Where more than 100 entries follow, only
/// the last line about them has a view.
///
/// A client that names a later version than the log has knows another log, and is refused with 409 and the
/// code `early`: nothing that it has is certain, so it asks again without `from`.
///
/// An empty line keeps the connection alive. A client that reads too slowly is disconnected, and asks
/// again from the last version that it has.
#[utoipa::path(get, path = "/api/tables/{id}/stream", operation_id = "stream_entries", tag = "tables", security((), ("token" = [])),
    params(("id" = String, Path, description = "The id of the table"),
        ("from" = Option<u64>, Query, nullable = false, description = "The last version that the client has"),
        ("with" = Option<String>, Query, nullable = false, pattern = "^view$", description = "`view`: each line has the table after its entries")),
    responses((status = 200, description = "One entry per line or, with `with=view`, entries and the table after them; the schema is that of one line",
            content_type = "application/x-ndjson", body = StreamLine),
        (status = 404, description = "There is no such table"),
        (status = 409, description = "The log has no such version yet")))]
pub(crate) async fn stream(
    State(app): State<Arc<App>>,
    TablePath(id): TablePath,
    ClientAddress(address): ClientAddress,
    Query(StreamQuery { from, with }): Query<StreamQuery>,
    Bearer(token): Bearer,
) -> Result<Response, Problem> {
    // A stream keeps its table in memory, as a socket does, and HTTP/2 has many on one connection.
    let counted = app.may_connect(address)?;
    let channel = CountedChannel::new(&app.tables, address)?;
    let (sender, receiver) = mpsc::channel(app.tables.limits().outbox.max(1) as usize);
    let (answer, answered) = oneshot::channel();
    let (address, payer) = (normalized(address), Payer::at(address));
    let request =
        TableRequest::Stream { token, from, address, lines: sender, content: with, answer };
    app.tables.send(payer, id, request);
    let welcome = answered.await.map_err(|_gone| Problem::unavailable())??;
    let view = (with == LineContent::View).then(|| Box::new(welcome.view));
    let (seat, until) = (welcome.seat, welcome.version);
    let entries = EntryStream {
        app,
        payer,
        id,
        seat,
        known: from,
        until,
        content: with,
        view,
        receiver,
        counted,
        _channel: channel,
    };
    let stream = stream::unfold(entries, EntryStream::next);
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    Ok((kind, Body::from_stream(stream)).into_response())
}

/// The entries of the log up to `until`, and then new ones.
struct EntryStream {
    app: Arc<App>,
    payer: Payer,
    id: TableId,
    seat: Option<game::Seat>,
    known: u64,
    until: u64,
    content: LineContent,
    /// The table at `until`, as long as it must be sent.
    view: Option<Box<TableView>>,
    receiver: mpsc::Receiver<Bytes>,
    counted: CountedSocket,
    _channel: CountedChannel,
}

impl EntryStream {
    async fn next(mut self) -> Option<(Result<Bytes, std::io::Error>, Self)> {
        if self.known < self.until || self.view.is_some() {
            let line = self.catch_up().await?;
            return Some((Ok(line), self));
        }
        let line = tokio::select! {
            line = timeout(KEEP_ALIVE, self.receiver.recv()) => match line {
                Ok(line) => line?,
                Err(_) => Bytes::from_static(b"\n"),
            },
            () = self.app.phase.stopping() => return None,
        };
        if let Some(rest) = self.app.count_messages(self.counted.address(), 1) {
            sleep(rest).await;
        }
        Some((Ok(line), self))
    }

    /// The next entries up to `until`; the last ones with the table after them, if it is wanted.
    async fn catch_up(&mut self) -> Option<Bytes> {
        let mut entries = Vec::new();
        if self.known < self.until {
            let page =
                log(&self.app.tables, self.payer, self.id, self.seat, self.known).await.ok()?;
            entries = page.entries;
            entries.retain(|entry| entry.version <= self.until);
            self.known = entries.last()?.version;
        }
        let is_last = self.known >= self.until;
        Some(match self.content {
            LineContent::Entry => lines(&entries),
            LineContent::View => {
                view_line(entries, self.view.take_if(|_| is_last).map(|view| *view))
            }
        })
    }
}
