//! The admin listener of a running server, as a client sees it.

use std::time::Duration;

use anyhow::{Context, bail};
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{AUTHORIZATION, HOST};
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use serde::de::DeserializeOwned;
use serde_json::Value;
use server::AdminToken;
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::exit_reason::DeviceFailure;

/// A client of the admin listener. It keeps one connection open.
#[derive(Debug)]
pub(super) struct AdminClient {
    /// The host and the port.
    authority: String,
    token: AdminToken,
    connection: Mutex<Option<SendRequest<Empty<Bytes>>>>,
}

/// The time for one answer. Compacting a large journal takes minutes.
const ANSWER_TIME: Duration = Duration::from_hours(1);

/// The most bytes of one answer: a page of a log is shorter.
const MAX_ANSWER: usize = 16 << 20;

impl AdminClient {
    /// A client of the listener at an address, as in `http://127.0.0.1:4001`.
    pub(super) fn new(server: &str, token: AdminToken) -> anyhow::Result<Self> {
        let authority = server.strip_prefix("http://").map(|rest| rest.trim_end_matches('/'));
        match authority {
            Some(authority) if authority.contains(':') && !authority.contains('/') => {
                let connection = Mutex::default();
                Ok(Self { authority: authority.to_owned(), token, connection })
            }
            _ => bail!("{server:?} is not an admin listener, as in http://127.0.0.1:4001"),
        }
    }

    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        self.ask(Method::GET, path).await
    }

    pub(super) async fn post<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        self.ask(Method::POST, path).await
    }

    pub(super) async fn delete<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        self.ask(Method::DELETE, path).await
    }

    /// Sends a request below `/journal`, and reads the answer.
    async fn ask<T: DeserializeOwned>(&self, method: Method, path: &str) -> anyhow::Result<T> {
        let failed = || DeviceFailure::new(format!("the server at {} failed", self.authority));
        let asked = timeout(ANSWER_TIME, self.exchange(method, path)).await;
        let (status, body) = asked
            .context("it did not answer in time")
            .with_context(failed)?
            .with_context(failed)?;
        if status == 200 {
            return serde_json::from_slice(&body).with_context(failed);
        }
        let problem: Value = serde_json::from_slice(&body).unwrap_or_default();
        let detail = problem["detail"].as_str().unwrap_or("it is not an admin listener");
        match status {
            401 | 403 => bail!("the server refuses the token: {detail}"),
            _ => Err(anyhow::anyhow!("it answers {status}: {detail}").context(failed())),
        }
    }

    async fn exchange(&self, method: Method, path: &str) -> anyhow::Result<(u16, Bytes)> {
        let mut connection = self.connection.lock().await;
        let mut sender = match connection.take().filter(|sender| !sender.is_closed()) {
            Some(sender) => sender,
            None => self.connect().await?,
        };
        sender.ready().await?;
        let request = Request::builder()
            .method(method)
            .uri(format!("/journal/{path}"))
            .header(HOST, &self.authority)
            .header(AUTHORIZATION, format!("Bearer {}", self.token.reveal()))
            .body(Empty::new())?;
        let response = sender.send_request(request).await?;
        let status = response.status().as_u16();
        let body = Limited::new(response.into_body(), MAX_ANSWER).collect().await;
        let body = body.map_err(|error| anyhow::anyhow!("{error}"))?.to_bytes();
        *connection = Some(sender);
        Ok((status, body))
    }

    async fn connect(&self) -> anyhow::Result<SendRequest<Empty<Bytes>>> {
        let stream = TcpStream::connect(&self.authority).await?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        // It ends with the sender.
        drop(tokio::spawn(connection));
        Ok(sender)
    }
}
