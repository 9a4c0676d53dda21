//! A client that is sent what happens at a table.

use std::net::IpAddr;

use axum::body::Bytes;
use channels::{ServerChannel, ShortText};
use game::Seat;
use table::TableView;
use tokio::sync::mpsc;

use crate::TableId;
use crate::broadcast::Broadcast;
use crate::outbox::{Outbox, Outgoing};

/// One join of one channel of one connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SubscriberId {
    pub(crate) connection: u64,
    pub(crate) channel: ServerChannel,
}

/// A client that is sent what happens at a table: a seat holder, or a spectator without a seat.
#[derive(Debug)]
pub(crate) struct Subscriber {
    pub(crate) seat: Option<Seat>,
    /// The address of the client, as limits count it.
    pub(crate) address: IpAddr,
    pub(crate) delivery: Delivery,
}

/// How entries reach a subscriber.
#[derive(Debug)]
pub(crate) enum Delivery {
    /// As frames on a channel.
    Channel { id: SubscriberId, outbox: Outbox, phx_ref: String },
    /// As lines of JSON.
    Lines { lines: mpsc::Sender<Bytes>, content: LineContent },
}

/// What a line of JSON has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineContent {
    /// One entry.
    Entry,
    /// All entries that were recorded together, and the table after them.
    View,
}

impl Subscriber {
    /// Sends entries; returns false if the subscriber is gone or, for lines, does not keep up: a reader
    /// of lines asks again from the last version that it has.
    pub(crate) fn send<V: Fn() -> TableView>(&self, broadcast: &mut Broadcast<'_, V>) -> bool {
        match &self.delivery {
            Delivery::Channel { outbox, .. } => outbox.send(Outgoing::Frame(broadcast.frame())),
            Delivery::Lines { lines, content: LineContent::Entry } => {
                lines.try_send(broadcast.lines()).is_ok()
            }
            Delivery::Lines { lines, content: LineContent::View } => {
                lines.try_send(broadcast.view_line()).is_ok()
            }
        }
    }

    /// Ends the subscription with an error: the client must join again. Lines simply end.
    pub(crate) fn fail(&self) {
        if let Delivery::Channel { id, outbox, .. } = &self.delivery {
            outbox.send(Outgoing::Fail(id.channel));
        }
    }

    /// Whether the connection is gone.
    pub(crate) fn is_disconnected(&self) -> bool {
        match &self.delivery {
            Delivery::Channel { outbox, .. } => outbox.is_closed(),
            Delivery::Lines { lines, .. } => lines.is_closed(),
        }
    }

    pub(crate) fn is(&self, subscriber: SubscriberId) -> bool {
        matches!(&self.delivery, Delivery::Channel { id, .. } if *id == subscriber)
    }
}

/// The topic of a table.
pub(crate) fn topic(table: TableId) -> ShortText {
    ShortText::new(&format!("table:{table}")).expect("an id is short")
}
