//! HTTP requests, one connection each.

use std::net::SocketAddr;

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper::header::HeaderMap;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use crate::openapi;
use crate::test_server::soon;

/// A request.
pub(crate) struct TestRequest {
    address: SocketAddr,
    method: &'static str,
    path: String,
    headers: Vec<(String, String)>,
    body: String,
}

/// A response.
#[derive(Debug)]
pub(crate) struct TestResponse {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

/// A streaming response, line by line.
pub(crate) struct Lines {
    body: Incoming,
    read: Vec<u8>,
    /// All bytes so far.
    pub(crate) all: Vec<u8>,
}

impl TestRequest {
    pub(crate) fn new(address: SocketAddr, method: &'static str, path: &str) -> Self {
        let headers = vec![("host".to_owned(), address.to_string())];
        Self { address, method, path: path.to_owned(), headers, body: String::new() }
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.header("content-type", "application/json").body(body.to_string())
    }

    pub(crate) fn body(mut self, body: impl Into<String>) -> Self {
        self.body = body.into();
        self
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn bearer(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    /// The request as hyper wants it.
    pub(crate) fn request(self) -> Request<Full<Bytes>> {
        let mut request = Request::builder().method(self.method).uri(self.path);
        for (name, value) in self.headers {
            request = request.header(name, value);
        }
        request.body(Full::from(self.body)).expect("the request is valid")
    }

    async fn begin(self) -> Response<Incoming> {
        let stream = TcpStream::connect(self.address).await.expect("the server is running");
        exchange(stream, self.request()).await
    }

    /// The method, the path and the body.
    pub(crate) fn text(&self) -> (&'static str, String, String) {
        (self.method, self.path.clone(), self.body.clone())
    }

    pub(crate) async fn send(self) -> TestResponse {
        let (method, path, _) = self.text();
        let response = soon(async { TestResponse::read(self.begin().await).await }).await;
        openapi::check(method, &path, &response);
        response
    }

    /// Sends a request whose response is a stream.
    pub(crate) async fn lines(self) -> Lines {
        let response = soon(self.begin()).await;
        assert_eq!(response.status(), 200);
        Lines { body: response.into_body(), read: Vec::new(), all: Vec::new() }
    }
}

/// Sends a request over a stream.
pub(crate) async fn exchange<S>(stream: S, request: Request<Full<Bytes>>) -> Response<Incoming>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (mut sender, connection) =
        http1::handshake(TokioIo::new(stream)).await.expect("the server is running");
    tokio::spawn(connection);
    sender.send_request(request).await.expect("the server answers")
}

impl TestResponse {
    pub(crate) async fn read(response: Response<Incoming>) -> Self {
        let (head, body) = response.into_parts();
        let bytes = body.collect().await.expect("the body arrives").to_bytes();
        // A picture is no text; nobody compares its bytes.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Self { status: head.status.as_u16(), headers: head.headers, text }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).expect("the body is JSON")
    }

    /// The JSON of a response that must have this status.
    pub(crate) fn of(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.json()
    }

    /// The code of a problem that must have this status.
    pub(crate) fn problem(&self, status: u16) -> String {
        let problem = self.of(status);
        assert_eq!(self.header("content-type"), "application/problem+json");
        assert_eq!(problem["status"], status);
        assert_eq!(problem["detail"], problem["refusal"]["message"]);
        assert_eq!(problem["code"], problem["refusal"]["code"]);
        crate::test_server::text(&problem["code"])
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("the bytes are UTF-8"))
    }
}

impl Lines {
    /// Waits for more bytes; returns none at the end.
    pub(crate) async fn more(&mut self) -> Option<()> {
        let frame = soon(self.body.frame()).await?.ok()?;
        let data = frame.into_data().expect("there are no trailers");
        self.read.extend_from_slice(&data);
        self.all.extend_from_slice(&data);
        Some(())
    }

    /// Waits for the next line; returns none at the end.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some(end) = self.read.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.read.drain(..=end).collect();
                if line.len() > 1 {
                    let line = serde_json::from_slice(&line).expect("a line is JSON");
                    openapi::check_line(&line);
                    return Some(line);
                }
                continue;
            }
            self.more().await?;
        }
    }
}
