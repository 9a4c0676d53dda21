//! A relay that only forwards frames, to measure the cost of sockets alone.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use anyhow::Context;
use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_tungstenite::accept_async_with_config;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use crate::socket::small;

/// The connections, grouped by their first message.
type Groups = Rc<RefCell<BTreeMap<Utf8Bytes, Vec<mpsc::UnboundedSender<Utf8Bytes>>>>>;

/// Forwards each frame to all connections with the same first message, for ever.
pub(crate) async fn relay() -> anyhow::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("The relay is at ws://{}", listener.local_addr()?);
    let groups = Groups::default();
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let groups = Rc::clone(&groups);
        // A client that disconnects ends only its own task.
        tokio::task::spawn_local(async move { drop(forward(stream, groups).await) });
    }
}

async fn forward(stream: TcpStream, groups: Groups) -> anyhow::Result<()> {
    let mut socket = accept_async_with_config(stream, Some(small())).await?;
    let first = socket.next().await.context("the client disconnected")??;
    let name = Utf8Bytes::from(first.to_text()?);
    socket.send(Message::Text(name.clone())).await?;
    let (sender, mut receiver) = mpsc::unbounded_channel();
    groups.borrow_mut().entry(name.clone()).or_default().push(sender);
    loop {
        tokio::select! {
            received = socket.next() => {
                let Message::Text(text) = received.context("the client disconnected")?? else { return Ok(()) };
                let groups = groups.borrow();
                for member in groups.get(&name).into_iter().flatten() {
                    member.send(text.clone())?;
                }
            }
            Some(text) = receiver.recv() => socket.send(Message::Text(text)).await?,
        }
    }
}
