//! What happens on a connection, to tell whether it is idle.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use hyper::body::{Frame, SizeHint};

use crate::tables::Tables;

/// What happens on a connection: its requests, and the answers to them. A connection is idle if the
/// server waits for its client, be it for a request or for room to send an answer.
#[derive(Clone, Debug)]
pub(crate) struct ConnectionActivity {
    tables: Arc<Tables>,
    state: Arc<Mutex<ActivityState>>,
}

#[derive(Debug, Default)]
struct ActivityState {
    /// The time when a request came or a part of an answer was ready, in milliseconds.
    last: Option<u64>,
    /// The requests and the parts of answers that the server is working on.
    in_progress: u32,
}

/// The smallest number of bytes at once that counts as a part of an answer. What a client can make
/// HTTP/2 send without any request is shorter.
const PART: usize = 1_024;

impl ConnectionActivity {
    pub(crate) fn new(tables: Arc<Tables>) -> Self {
        Self { tables, state: Arc::default() }
    }

    fn state(&self) -> MutexGuard<'_, ActivityState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn touch(&self) {
        self.state().last = Some(self.tables.monotonic());
    }

    /// Bytes were sent.
    pub(crate) fn sent(&self, bytes: usize) {
        if bytes >= PART {
            self.touch();
        }
    }

    /// The server works for the client until the value is dropped.
    pub(crate) fn begin(&self) -> WorkInProgress {
        self.touch();
        self.state().in_progress += 1;
        WorkInProgress(self.clone())
    }

    /// The body of an answer, which tells when it waits for the server.
    pub(crate) fn watch(&self, body: Body) -> Body {
        Body::new(WatchedBody { body, activity: self.clone(), waiting: None })
    }

    /// How much longer the connection may be idle; none if it never sent a request.
    pub(crate) fn time_left(&self, limit: Duration) -> Option<Duration> {
        let now = self.tables.monotonic();
        let state = self.state();
        let last = if state.in_progress > 0 { now } else { state.last? };
        drop(state);
        Some(limit.saturating_sub(Duration::from_millis(now.saturating_sub(last))))
    }
}

/// The server works for the client of a connection.
#[derive(Debug)]
pub(crate) struct WorkInProgress(ConnectionActivity);

impl Drop for WorkInProgress {
    fn drop(&mut self) {
        self.0.touch();
        self.0.state().in_progress -= 1;
    }
}

/// The body of an answer. hyper asks it for its next part only if the client has room for it.
#[derive(Debug)]
struct WatchedBody {
    body: Body,
    activity: ConnectionActivity,
    /// Set while hyper waits for the next part.
    waiting: Option<WorkInProgress>,
}

impl hyper::body::Body for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if frame.is_ready() {
            self.waiting = None;
            self.activity.touch();
        } else if self.waiting.is_none() {
            self.waiting = Some(self.activity.begin());
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
