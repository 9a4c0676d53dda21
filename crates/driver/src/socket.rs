//! `WebSocket`s with small buffers.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context;
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

/// How long a connection may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// One end of a connection.
#[derive(Debug)]
pub(crate) struct Socket(WebSocketStream<TcpStream>);

/// Thousands of connections live in one process, and each message is short.
pub(crate) fn small() -> WebSocketConfig {
    WebSocketConfig::default().read_buffer_size(2_048).write_buffer_size(0)
}

impl Socket {
    /// Connects to a server of channels.
    pub(crate) async fn connect(server: SocketAddr) -> anyhow::Result<Self> {
        let connecting = async {
            let stream = TcpStream::connect(server).await?;
            stream.set_nodelay(true)?;
            let url = format!("ws://{server}/socket/websocket?vsn=2.0.0");
            let (socket, _) = client_async_with_config(url, stream, Some(small())).await?;
            Ok(Self(socket))
        };
        timeout(PATIENCE, connecting).await.context("the server takes too long to connect")?
    }

    /// Sends a text at once.
    pub(crate) async fn send(&mut self, text: impl Into<Utf8Bytes>) -> anyhow::Result<()> {
        Ok(self.0.send(Message::Text(text.into())).await?)
    }

    /// The next text.
    pub(crate) async fn next(&mut self) -> anyhow::Result<Utf8Bytes> {
        loop {
            match self.0.next().await.context("the connection is gone")?? {
                Message::Text(text) => return Ok(text),
                Message::Close(_) => anyhow::bail!("the server closes the connection"),
                _ => {}
            }
        }
    }

    /// The connection below, to do with it what no client does.
    pub(crate) fn into_stream(self) -> TcpStream {
        self.0.into_inner()
    }
}
