//! A stream that completes what hyper leaves open in HTTP/1.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::app::App;
use crate::connection_activity::ConnectionActivity;
use crate::request_lines::RequestLines;

/// A stream that notices malformed lines of requests, and adds the number of the request to answers that
/// hyper makes itself, as to a header that is too long.
#[derive(Debug)]
pub(crate) struct GuardedStream<S> {
    stream: S,
    app: Arc<App>,
    lines: SharedLines,
    activity: ConnectionActivity,
    /// The rest of an answer of hyper that was completed.
    completed: Option<Vec<u8>>,
}

/// The lines of a connection, for its stream and for the service that answers its requests.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedLines(Arc<Mutex<RequestLines>>);

impl SharedLines {
    pub(crate) fn lock(&self) -> MutexGuard<'_, RequestLines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S> GuardedStream<S> {
    pub(crate) const fn new(
        stream: S,
        app: Arc<App>,
        lines: SharedLines,
        activity: ConnectionActivity,
    ) -> Self {
        Self { stream, app, lines, activity, completed: None }
    }
}

/// An answer that hyper made itself, with the number of the request; none for other bytes.
fn completed(bytes: &[u8], number: impl FnOnce() -> u64) -> Option<Vec<u8>> {
    let head = bytes.strip_suffix(b"\r\n\r\n").filter(|head| head.starts_with(b"HTTP/1.1 4"))?;
    let head = str::from_utf8(head).ok().filter(|head| !head.contains("x-request-id"))?;
    Some(format!("{head}\r\nx-request-id: {}\r\n\r\n", number()).into_bytes())
}

impl<S: AsyncRead + Unpin> AsyncRead for GuardedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        self.lines.lock().follow(&buffer.filled()[before..]);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for GuardedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let Self { stream, app, completed: rest, activity, .. } = &mut *self;
        if rest.is_none() {
            *rest = completed(bytes, || app.next_request());
        }
        let Some(answer) = rest else {
            let written = ready!(Pin::new(stream).poll_write(context, bytes))?;
            activity.sent(written);
            return Poll::Ready(Ok(written));
        };
        while !answer.is_empty() {
            let written = ready!(Pin::new(&mut *stream).poll_write(context, answer))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            answer.drain(..written);
        }
        *rest = None;
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        // hyper writes its own answers alone.
        if let [only] = slices {
            return self.poll_write(context, only);
        }
        let written = ready!(Pin::new(&mut self.stream).poll_write_vectored(context, slices))?;
        self.activity.sent(written);
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &str, expected: Option<&str>) {
        let completed = completed(bytes.as_bytes(), || 7);
        assert_eq!(completed.as_deref(), expected.map(str::as_bytes), "{bytes:?}");
    }

    #[test]
    fn only_answers_that_hyper_made_are_completed() {
        check(
            "HTTP/1.1 431 Too Large\r\ncontent-length: 0\r\n\r\n",
            Some("HTTP/1.1 431 Too Large\r\ncontent-length: 0\r\nx-request-id: 7\r\n\r\n"),
        );
        check("HTTP/1.1 404 Not Found\r\nx-request-id: 3\r\n\r\n", None);
        check("HTTP/1.1 200 OK\r\n\r\n", None);
        check("HTTP/1.1 404 Not Found\r\n\r\n{}", None);
        check("[\"1\",\"HTTP/1.1 4", None);
    }
}
