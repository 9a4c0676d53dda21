//! One log line for each request.

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};

use axum::body::Body;
use axum::extract::{MatchedPath, Request};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use hyper::body::{Body as _, Bytes, Frame, SizeHint};

/// The name under which access lines are logged: `cradle serve` bounds how many there are.
pub(crate) const TARGET: &str = "access";

/// The template of a request's route, as in `/api/tables/{id}`: the path may hold a secret. It is known
/// once the router has found the route.
#[derive(Clone, Debug, Default)]
pub(crate) struct RouteTemplate(Arc<OnceLock<MatchedPath>>);

impl RouteTemplate {
    /// The template, or a name for all paths that have none.
    pub(crate) fn as_str(&self) -> &str {
        self.0.get().map_or("unmatched", MatchedPath::as_str)
    }
}

/// Notes which route the router has found.
pub(crate) async fn record_route(matched: MatchedPath, request: Request, next: Next) -> Response {
    tracing::Span::current().record("route", matched.as_str());
    if let Some(route) = request.extensions().get::<RouteTemplate>() {
        route.0.get_or_init(|| matched);
    }
    next.run(request).await
}

/// The method, if the server knows it: strangers can invent others.
pub(crate) fn known_method(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "POST" => "POST",
        "HEAD" => "HEAD",
        "OPTIONS" => "OPTIONS",
        "PUT" => "PUT",
        "DELETE" => "DELETE",
        _ => "other",
    }
}

/// What the log says about a request, except for the length of its response.
#[derive(Debug)]
pub(crate) struct AccessLine {
    pub(crate) number: u64,
    pub(crate) client: IpAddr,
    pub(crate) method: &'static str,
    pub(crate) route: RouteTemplate,
    pub(crate) status: u16,
    /// Milliseconds until the response began.
    pub(crate) milliseconds: f64,
}

impl AccessLine {
    /// Writes the line when the length of the response is known: at once, or at the end of a stream.
    pub(crate) fn log(self, response: Response) -> Response {
        if !tracing::enabled!(target: TARGET, tracing::Level::INFO) {
            return response;
        }
        if let Some(bytes) = response.body().size_hint().exact() {
            self.write(bytes);
            return response;
        }
        response.map(|body| Body::new(CountedBody { body, bytes: 0, line: self }))
    }

    fn write(&self, bytes: u64) {
        let Self { number, client, method, route, status, milliseconds } = self;
        let (route, ms) = (route.as_str(), (milliseconds * 1_000.0).round() / 1_000.0);
        tracing::info!(target: TARGET, request = number, %client, method, route, status, ms, bytes, "request");
    }
}

/// A body whose bytes are counted, and logged at its end.
#[derive(Debug)]
struct CountedBody {
    body: Body,
    bytes: u64,
    line: AccessLine,
}

impl hyper::body::Body for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if let Some(Ok(frame)) = &frame {
            self.bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for CountedBody {
    fn drop(&mut self) {
        self.line.write(self.bytes);
    }
}
