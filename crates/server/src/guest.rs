//! Who is told what happens at a table.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use channels::{JoinAnswer, Json, ReplyStatus, ReplyTo, ServerChannel, ShortText};
use game::Seat;
use tokio::sync::mpsc;

/// One join of one channel of one connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GuestId {
    pub(crate) connection: u64,
    pub(crate) channel: ServerChannel,
}

/// What a connection must do because a table or the lobby says so.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// Send a frame that is the same for many.
    Frame(Utf8Bytes),
    /// Answer a push.
    Reply(Box<(ReplyTo, ReplyStatus, Json)>),
    /// Let a client into a channel, or do not; then send these frames.
    Answer(Box<(ServerChannel, JoinAnswer, Vec<Utf8Bytes>)>),
    /// The channel cannot go on: the client must join again.
    Fail(ServerChannel),
}

/// The way to a connection. It is bounded: who does not read loses what was to be sent, and is told to
/// ask again.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    sender: mpsc::Sender<Outgoing>,
    is_lagging: Arc<AtomicBool>,
}

/// The other end of an [`Outbox`].
#[derive(Debug)]
pub(crate) struct Inlet {
    receiver: mpsc::Receiver<Outgoing>,
    is_lagging: Arc<AtomicBool>,
}

/// What comes out of an [`Inlet`].
#[derive(Debug)]
pub(crate) enum Drawn {
    /// Something to be done.
    Outgoing(Outgoing),
    /// Something was lost: all channels must begin again.
    FellBehind,
}

impl Outbox {
    pub(crate) fn new(most: u32) -> (Self, Inlet) {
        let (sender, receiver) = mpsc::channel(most.max(1) as usize);
        let is_lagging = Arc::new(AtomicBool::new(false));
        (Self { sender, is_lagging: Arc::clone(&is_lagging) }, Inlet { receiver, is_lagging })
    }

    /// Sends something; gives whether the connection is still there.
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
}

impl Inlet {
    /// Waits for the next thing to be done.
    pub(crate) async fn next(&mut self) -> Drawn {
        match self.receiver.recv().await {
            Some(outgoing) => self.unless_behind(outgoing),
            // The connection holds one end itself, so this does not happen while it goes on.
            None => std::future::pending().await,
        }
    }

    /// The next thing to be done, if there is one now.
    pub(crate) fn try_next(&mut self) -> Option<Drawn> {
        let outgoing = self.receiver.try_recv().ok()?;
        Some(self.unless_behind(outgoing))
    }

    fn unless_behind(&mut self, outgoing: Outgoing) -> Drawn {
        if !self.is_lagging.swap(false, Ordering::AcqRel) {
            return Drawn::Outgoing(outgoing);
        }
        while self.receiver.try_recv().is_ok() {}
        Drawn::FellBehind
    }
}

/// Somebody who is told what happens at a table.
#[derive(Debug)]
pub(crate) struct Guest {
    pub(crate) seat: Option<Seat>,
    /// What stands for all addresses of where it comes from.
    pub(crate) household: IpAddr,
    pub(crate) way: Way,
}

/// How somebody is told.
#[derive(Debug)]
pub(crate) enum Way {
    /// On a channel.
    Channel { id: GuestId, outbox: Outbox, phx_ref: String },
    /// As lines of JSON.
    Lines(mpsc::Sender<Bytes>),
}

impl Guest {
    /// Whether nobody is at the other end any more.
    pub(crate) fn is_gone(&self) -> bool {
        match &self.way {
            Way::Channel { outbox, .. } => outbox.sender.is_closed(),
            Way::Lines(lines) => lines.is_closed(),
        }
    }

    pub(crate) fn is(&self, guest: GuestId) -> bool {
        matches!(&self.way, Way::Channel { id, .. } if *id == guest)
    }
}

/// The topic of a table.
pub(crate) fn topic(table: crate::TableId) -> ShortText {
    ShortText::new(&format!("table:{table}")).expect("an id is short")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &'static str) -> Outgoing {
        Outgoing::Frame(Utf8Bytes::from_static(text))
    }

    #[test]
    fn who_reads_gets_everything_in_order() {
        let (outbox, mut inlet) = Outbox::new(2);
        assert!(outbox.send(frame("1")) && outbox.send(frame("2")));
        for expected in ["1", "2"] {
            let drawn = inlet.try_next();
            let is_it = matches!(drawn, Some(Drawn::Outgoing(Outgoing::Frame(text))) if text.as_str() == expected);
            assert!(is_it, "{expected}");
        }
        assert!(inlet.try_next().is_none());
    }

    #[test]
    fn who_does_not_read_is_told_to_ask_again() {
        let (outbox, mut inlet) = Outbox::new(2);
        for text in ["1", "2", "3"] {
            assert!(outbox.send(frame(text)), "the connection is still there");
        }
        assert!(matches!(inlet.try_next(), Some(Drawn::FellBehind)));
        assert!(inlet.try_next().is_none(), "what was there is gone, too");
        assert!(outbox.send(frame("4")));
        assert!(matches!(inlet.try_next(), Some(Drawn::Outgoing(_))), "it goes on");
        drop(inlet);
        assert!(!outbox.send(frame("5")), "nobody is there");
    }
}
