//! A server that only sends frames on: what sockets alone cost.

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

/// Who is connected, by the first message.
type Groups = Rc<RefCell<BTreeMap<Utf8Bytes, Vec<mpsc::UnboundedSender<Utf8Bytes>>>>>;

/// Sends each frame to all who began with the same message, for ever.
pub(crate) async fn relay() -> anyhow::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("The relay is at ws://{}", listener.local_addr()?);
    let groups = Groups::default();
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let groups = Rc::clone(&groups);
        // A connection that ends is the concern of who ended it.
        tokio::task::spawn_local(async move { drop(pass_on(stream, groups).await) });
    }
}

async fn pass_on(stream: TcpStream, groups: Groups) -> anyhow::Result<()> {
    let mut socket = accept_async_with_config(stream, Some(small())).await?;
    let first = socket.next().await.context("nobody is there")??;
    let name = Utf8Bytes::from(first.to_text()?);
    socket.send(Message::Text(name.clone())).await?;
    let (sender, mut receiver) = mpsc::unbounded_channel();
    groups.borrow_mut().entry(name.clone()).or_default().push(sender);
    loop {
        tokio::select! {
            heard = socket.next() => {
                let Message::Text(text) = heard.context("it is gone")?? else { return Ok(()) };
                let groups = groups.borrow();
                for member in groups.get(&name).into_iter().flatten() {
                    member.send(text.clone())?;
                }
            }
            Some(text) = receiver.recv() => socket.send(Message::Text(text)).await?,
        }
    }
}
