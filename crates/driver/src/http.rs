//! HTTP requests, one connection each.

use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use crate::client_route::ClientRoute;

/// The time limit for a response.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A response: its status, and its body as JSON or, if it is not JSON, as a string.
#[derive(Debug)]
pub(crate) struct HttpAnswer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

/// A table and the tokens of its seats.
#[derive(Clone, Debug)]
pub(crate) struct NewTable {
    pub(crate) id: String,
    /// By seat.
    pub(crate) tokens: [String; 2],
}

/// Sends a GET request, with a token or without.
pub(crate) async fn get(
    route: impl Into<ClientRoute>,
    path: &str,
    token: Option<&str>,
) -> anyhow::Result<HttpAnswer> {
    send(route.into(), "GET", path, token, "").await
}

/// A metric of the server, by its name without the prefix.
pub(crate) async fn metric(route: impl Into<ClientRoute>, name: &str) -> anyhow::Result<u64> {
    let answer = get(route, "/metrics", None).await?;
    let lines = answer.body.as_str().context("the server has no metrics")?.lines();
    let mut numbers = lines.filter_map(|line| line.strip_prefix("cradle_")?.strip_prefix(name));
    let number = numbers.find_map(|number| number.strip_prefix(' '));
    Ok(number.with_context(|| format!("the server has no metric {name}"))?.parse()?)
}

/// Sends a POST request, with a token or without.
pub(crate) async fn post(
    route: impl Into<ClientRoute>,
    path: &str,
    token: Option<&str>,
    body: &Value,
) -> anyhow::Result<HttpAnswer> {
    send(route.into(), "POST", path, token, &body.to_string()).await
}

/// Sends a POST request whose body is a text.
pub(crate) async fn post_text(
    route: impl Into<ClientRoute>,
    path: &str,
    text: &str,
) -> anyhow::Result<HttpAnswer> {
    send(route.into(), "POST", path, None, text).await
}

async fn send(
    route: ClientRoute,
    method: &str,
    path: &str,
    token: Option<&str>,
    body: &str,
) -> anyhow::Result<HttpAnswer> {
    let token = token.map(|token| format!("authorization: Bearer {token}\r\n"));
    let server = route.server;
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {server}\r\nconnection: close\r\n{}\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        token.unwrap_or_default(),
        body.len()
    );
    let exchange = async {
        let mut stream = route.connect().await?;
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        Ok::<_, std::io::Error>(answer)
    };
    let answer =
        timeout(TIMEOUT, exchange).await.context("the server did not answer in time")??;
    read(&String::from_utf8(answer)?)
}

fn read(text: &str) -> anyhow::Result<HttpAnswer> {
    let (head, body) =
        text.split_once("\r\n\r\n").context("the response has no end of its header")?;
    let status = head.split(' ').nth(1).context("the response has no status")?.parse()?;
    Ok(HttpAnswer { status, body: serde_json::from_str(body).unwrap_or_else(|_| body.into()) })
}

/// Creates a table of tic-tac-toe and takes both seats.
pub(crate) async fn create_table(route: impl Into<ClientRoute>) -> anyhow::Result<NewTable> {
    let route = route.into();
    let wanted = serde_json::json!({"game": "tic-tac-toe", "name": "Ada"});
    let first = post(route, "/api/tables", None, &wanted).await?;
    let id = text(&first, "id")?;
    let path = format!("/api/tables/{id}/seats");
    let second = post(route, &path, None, &serde_json::json!({"name": "Bob"})).await?;
    let tokens = [text(&first, "token")?, text(&second, "token")?];
    Ok(NewTable { id, tokens })
}

fn text(answer: &HttpAnswer, field: &str) -> anyhow::Result<String> {
    match answer.body[field].as_str() {
        Some(text) => Ok(text.to_owned()),
        None => bail!("the server answered {} {}", answer.status, answer.body),
    }
}
