//! WebSockets of clients, with small buffers.

use std::pin::pin;
use std::time::Duration;

use anyhow::Context;
use futures_util::future::select;
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use crate::client_route::ClientRoute;

/// The time limit for connecting.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The WebSocket of a client.
#[derive(Debug)]
pub(crate) struct ClientSocket(WebSocketStream<TcpStream>);

/// Small buffers: one process holds thousands of connections, and messages are short.
pub(crate) fn small() -> WebSocketConfig {
    WebSocketConfig::default().read_buffer_size(2_048).write_buffer_size(0)
}

impl ClientSocket {
    /// Connects to the server.
    pub(crate) async fn connect(route: impl Into<ClientRoute>) -> anyhow::Result<Self> {
        let route = route.into();
        let connecting = async {
            let stream = route.connect().await?;
            stream.set_nodelay(true)?;
            let url = format!("ws://{}/socket/websocket?vsn=2.0.0", route.server);
            let (socket, _) = client_async_with_config(url, stream, Some(small())).await?;
            Ok(Self(socket))
        };
        timeout(TIMEOUT, connecting)
            .await
            .context("the server did not accept the connection in time")?
    }

    /// Sends a text message.
    pub(crate) async fn send(&mut self, text: impl Into<Utf8Bytes>) -> anyhow::Result<()> {
        Ok(self.0.send(Message::Text(text.into())).await?)
    }

    /// Waits for the next text message.
    pub(crate) async fn next(&mut self) -> anyhow::Result<Utf8Bytes> {
        loop {
            match self.0.next().await.context("the connection was lost")?? {
                Message::Text(text) => return Ok(text),
                Message::Close(_) => anyhow::bail!("the server closed the connection"),
                _ => {}
            }
        }
    }

    /// Sends a message again and again, and drops what comes, until the connection ends.
    pub(crate) async fn flood(self, text: &str) {
        let (mut sender, mut receiver) = self.0.split();
        let message = Utf8Bytes::from(text);
        let sending =
            pin!(async { while sender.send(Message::Text(message.clone())).await.is_ok() {} });
        let receiving = pin!(async { while let Some(Ok(_)) = receiver.next().await {} });
        select(sending, receiving).await;
    }

    /// The TCP stream below, to misuse it.
    pub(crate) fn into_stream(self) -> TcpStream {
        self.0.into_inner()
    }
}
