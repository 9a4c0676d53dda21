//! One connection, from its first request to its last.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use hyper::StatusCode;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, sleep};
use tower::Service as _;

use crate::accept::Acceptor;
use crate::guarded_stream::{GuardedStream, SharedLines};
use crate::request_form::BareLineFeed;
use crate::tables::Tables;

/// The time of the last request of a connection, in milliseconds; none before the first.
type LastRequest = Arc<Mutex<Option<u64>>>;

/// Answers the requests of one connection.
pub(crate) async fn serve_connection<S>(acceptor: Acceptor, stream: S, address: SocketAddr)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let Acceptor { app, router, phase, .. } = acceptor;
    let last_request = LastRequest::default();
    let (requests, tables) = (Arc::clone(&last_request), Arc::clone(&app.tables));
    let lines = SharedLines::default();
    let stream = GuardedStream::new(stream, Arc::clone(&app), lines.clone());
    let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        *requests.lock().unwrap_or_else(PoisonError::into_inner) = Some(tables.monotonic());
        let (mut router, lines) = (router.clone(), lines.clone());
        async move {
            let mut request: Request = request.map(axum::body::Body::new);
            request.extensions_mut().insert(ConnectInfo(address));
            if lines.lock().has_bare_line_feed() {
                request.extensions_mut().insert(BareLineFeed);
            }
            let response = router.call(request).await;
            let is_upgraded =
                |response: &Response| response.status() == StatusCode::SWITCHING_PROTOCOLS;
            if response.as_ref().is_ok_and(is_upgraded) {
                lines.lock().stop();
            }
            response
        }
    });
    let header_timeout = Duration::from_millis(app.tables.limits().header_timeout.into());
    let mut builder = Builder::new(TokioExecutor::new());
    // hyper ignores timeouts unless it is given a timer.
    let mut http1 = builder.http1();
    http1.timer(TokioTimer::new()).header_read_timeout(header_timeout).max_buf_size(16 * 1_024);
    builder.http2().timer(TokioTimer::new()).max_concurrent_streams(64).keep_alive_interval(None);
    let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service);
    let mut is_ending = false;
    // hyper waits for ever for the first bytes, which contain the version of HTTP, and with HTTP/2 for
    // further requests.
    let (alarm, stopping) = (sleep(header_timeout), phase.stopping());
    tokio::pin!(connection, alarm, stopping);
    loop {
        tokio::select! {
            _ended = connection.as_mut() => return,
            () = &mut alarm, if !is_ending => match idle_time_left(&app.tables, &last_request) {
                None => return,
                Some(left) if left.is_zero() => {
                    is_ending = true;
                    connection.as_mut().graceful_shutdown();
                }
                Some(left) => alarm.as_mut().reset(Instant::now() + left),
            },
            () = &mut stopping, if !is_ending => {
                is_ending = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}

/// How much longer a connection may be idle; none if it never sent a request.
fn idle_time_left(tables: &Tables, last_request: &LastRequest) -> Option<Duration> {
    let last = (*last_request.lock().unwrap_or_else(PoisonError::into_inner))?;
    let end = last.saturating_add(tables.limits().idle_timeout.into());
    Some(Duration::from_millis(end.saturating_sub(tables.monotonic())))
}
