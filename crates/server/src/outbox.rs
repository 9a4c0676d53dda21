//! The queue of a connection's outgoing messages.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::ws::Utf8Bytes;
use channels::{JoinAnswer, Json, ReplyStatus, ReplyTo, ServerChannel};
use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::mpsc;

use crate::gauged_queue::{GaugedReceiver, GaugedSender, gauged_queue};

/// A task of a connection for a table or the lobby.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// Send a frame that many connections share.
    Frame(Utf8Bytes),
    /// Reply to a push.
    Reply(Box<(ReplyTo, ReplyStatus, Json)>),
    /// Answer a join; if the client is welcome, send these frames after the answer.
    Answer(Box<(ServerChannel, JoinAnswer, Vec<Utf8Bytes>)>),
    /// End a channel with an error: the client must join again.
    Fail(ServerChannel),
}

/// The sending end of a bounded queue to a connection. If the client reads too slowly, the queue is
/// dropped, and all channels of the client must join again.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    sender: GaugedSender<Outgoing>,
    is_lagging: Arc<AtomicBool>,
}

/// The receiving end of an [`Outbox`].
#[derive(Debug)]
pub(crate) struct OutboxReceiver {
    receiver: GaugedReceiver<Outgoing>,
    is_lagging: Arc<AtomicBool>,
}

/// An item from an [`OutboxReceiver`].
#[derive(Debug)]
pub(crate) enum OutboxItem {
    /// The next item.
    Outgoing(Outgoing),
    /// Items were lost: all channels must join again.
    Overflow,
}

impl Outbox {
    /// An outbox whose length is part of a gauge.
    pub(crate) fn new(capacity: u32, gauge: &Gauge) -> (Self, OutboxReceiver) {
        let (sender, receiver) = gauged_queue(capacity, gauge);
        let is_lagging = Arc::new(AtomicBool::new(false));
        let outbox = Self { sender, is_lagging: Arc::clone(&is_lagging) };
        (outbox, OutboxReceiver { receiver, is_lagging })
    }

    /// Queues an item; returns false if the connection is gone.
    pub(crate) fn send(&self, outgoing: Outgoing) -> bool {
        match self.sender.try_send(outgoing) {
            Ok(()) => true,
            Err(mpsc::error::TrySendError::Full(_)) => {
                self.is_lagging.store(true, Ordering::Release);
                true
            }
            Err(mpsc::error::TrySendError::Closed(_)) => false,
        }
    }

    /// Whether the connection is gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.sender.is_closed()
    }
}

impl OutboxReceiver {
    /// Waits for the next item.
    pub(crate) async fn next(&mut self) -> OutboxItem {
        match self.receiver.recv().await {
            Some(outgoing) => self.item(outgoing),
            // The connection holds a sender itself, so this does not happen while it is open.
            None => std::future::pending().await,
        }
    }

    /// The next item, if there is one already.
    pub(crate) fn try_next(&mut self) -> Option<OutboxItem> {
        let outgoing = self.receiver.try_recv()?;
        Some(self.item(outgoing))
    }

    fn item(&mut self, outgoing: Outgoing) -> OutboxItem {
        if !self.is_lagging.swap(false, Ordering::AcqRel) {
            return OutboxItem::Outgoing(outgoing);
        }
        while self.receiver.try_recv().is_some() {}
        OutboxItem::Overflow
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &'static str) -> Outgoing {
        Outgoing::Frame(Utf8Bytes::from_static(text))
    }

    #[test]
    fn items_are_received_in_order() {
        let (outbox, mut receiver) = Outbox::new(2, &Gauge::default());
        assert!(outbox.send(frame("1")) && outbox.send(frame("2")));
        for expected in ["1", "2"] {
            let item = receiver.try_next();
            let is_it = matches!(item, Some(OutboxItem::Outgoing(Outgoing::Frame(text))) if text.as_str() == expected);
            assert!(is_it, "{expected}");
        }
        assert!(receiver.try_next().is_none());
    }

    #[test]
    fn a_slow_reader_learns_that_items_were_lost() {
        let (outbox, mut receiver) = Outbox::new(2, &Gauge::default());
        for text in ["1", "2", "3"] {
            assert!(outbox.send(frame(text)), "the connection is still there");
        }
        assert!(matches!(receiver.try_next(), Some(OutboxItem::Overflow)));
        assert!(receiver.try_next().is_none(), "the items before it are gone, too");
        assert!(outbox.send(frame("4")));
        assert!(matches!(receiver.try_next(), Some(OutboxItem::Outgoing(_))), "it works again");
        drop(receiver);
        assert!(!outbox.send(frame("5")), "the connection is gone");
    }
}
