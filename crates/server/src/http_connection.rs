//! One connection, from its first request to its last.

use std::net::SocketAddr;
use std::sync::Arc;
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
use crate::connection_activity::ConnectionActivity;
use crate::guarded_stream::{GuardedStream, SharedLines};

/// How long a client may take to close a connection once it was asked to, as long as nothing happens on
/// it. HTTP/2 asks, and a client may ignore that.
const CLOSING: Duration = Duration::from_secs(5);

/// The headers of a request of HTTP/2 that reach us, in bytes. Longer ones are refused by hyper, without the
/// number of the request.
const HTTP2_HEADERS: u32 = 64 * 1_024;

/// Answers the requests of one connection.
pub(crate) async fn serve_connection<S>(acceptor: Acceptor, stream: S, address: SocketAddr)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let Acceptor { app, router, phase, .. } = acceptor;
    let activity = ConnectionActivity::new(Arc::clone(&app.tables));
    let requests = activity.clone();
    let lines = SharedLines::default();
    let stream = GuardedStream::new(stream, Arc::clone(&app), lines.clone(), activity.clone());
    let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        let (mut router, lines, requests) = (router.clone(), lines.clone(), requests.clone());
        let in_progress = requests.begin();
        async move {
            let _in_progress = in_progress;
            let mut request: Request = request.map(axum::body::Body::new);
            request.extensions_mut().insert(ConnectInfo(address));
            let ambiguity = lines.lock().ambiguity();
            if let Some(ambiguity) = ambiguity {
                request.extensions_mut().insert(ambiguity);
            }
            let response = router.call(request).await;
            let is_upgraded =
                |response: &Response| response.status() == StatusCode::SWITCHING_PROTOCOLS;
            if response.as_ref().is_ok_and(is_upgraded) {
                lines.lock().stop();
            }
            response.map(|response| response.map(|body| requests.watch(body)))
        }
    });
    let header_timeout = Duration::from_millis(app.tables.limits().header_timeout.into());
    let mut builder = Builder::new(TokioExecutor::new());
    // hyper ignores timeouts unless it is given a timer.
    let mut http1 = builder.http1();
    http1.timer(TokioTimer::new()).header_read_timeout(header_timeout).max_buf_size(16 * 1_024);
    let mut http2 = builder.http2();
    http2.timer(TokioTimer::new()).max_concurrent_streams(64).keep_alive_interval(None);
    http2.max_header_list_size(HTTP2_HEADERS);
    let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service);
    let mut is_ending = false;
    // hyper waits for ever for the first bytes, which contain the version of HTTP, and with HTTP/2 for
    // further requests.
    let (alarm, stopping) = (sleep(header_timeout), phase.stopping());
    tokio::pin!(connection, alarm, stopping);
    loop {
        tokio::select! {
            _ended = connection.as_mut() => return,
            () = &mut alarm => {
                let idle = Duration::from_millis(app.tables.limits().idle_timeout.into());
                match activity.time_left(if is_ending { CLOSING } else { idle }) {
                    None => return,
                    Some(left) if left.is_zero() && is_ending => return,
                    Some(left) if left.is_zero() => {
                        is_ending = true;
                        connection.as_mut().graceful_shutdown();
                        alarm.as_mut().reset(Instant::now() + CLOSING);
                    }
                    Some(left) => alarm.as_mut().reset(Instant::now() + left),
                }
            }
            () = &mut stopping, if !is_ending => {
                is_ending = true;
                connection.as_mut().graceful_shutdown();
                alarm.as_mut().reset(Instant::now() + CLOSING);
            }
        }
    }
}
