//! The requests that a table answers.

use std::net::IpAddr;

use axum::body::Bytes;
use channels::JoinAnswer;
use game::Refusal;
use table::wire::{Accepted, Emote, Hello, Resync, Welcome};
use table::{Action, Digest};
use tokio::sync::{mpsc, oneshot};

use crate::journal::{ArrivedEntries, NotWritten, NoticeBody, ServerNotice};
use crate::outbox::{Outbox, Outgoing};
use crate::push_reply::{PushReply, payload};
use crate::subscriber::{LineContent, SubscriberId};
use crate::table_deletion::Deletion;

/// A request to the task of a table.
#[derive(Debug)]
pub(crate) enum TableRequest {
    /// A client joins the channel of the table.
    Join { subscriber: SubscriberId, address: IpAddr, outbox: Outbox, hello: Hello },
    /// A client has left the channel.
    Leave { subscriber: SubscriberId },
    /// A client on the channel sends an action.
    Act { subscriber: SubscriberId, action: Action, reply: PushReply },
    /// A client on the channel asks for missed entries.
    Resync { subscriber: SubscriberId, known: Resync, reply: PushReply },
    /// A client on the channel sends an emote.
    Emote { subscriber: SubscriberId, emote: Emote },
    /// An HTTP client sends an action.
    Submit {
        token: Option<Digest>,
        action: Action,
        answer: oneshot::Sender<Result<Accepted, Refusal>>,
    },
    /// An HTTP client asks for the state of the table.
    View { token: Option<Digest>, known: Resync, answer: oneshot::Sender<Result<Welcome, Refusal>> },
    /// An HTTP client subscribes to new entries as lines of JSON. The answer is the state before them.
    Stream {
        token: Option<Digest>,
        /// The last version that the client has.
        from: u64,
        address: IpAddr,
        lines: mpsc::Sender<Bytes>,
        content: LineContent,
        answer: oneshot::Sender<Result<Welcome, Refusal>>,
    },
    /// The server asks whether a seat holder is connected.
    Attendance { answer: oneshot::Sender<Attendance> },
    /// The deadline in the directory has passed: the table forfeits the round if the time is up, and
    /// records its next deadline.
    Deadline { answer: oneshot::Sender<Result<(), Refusal>> },
    /// The table is deleted.
    Delete(Deletion),
    /// A server has appended entries, perhaps this one.
    Arrived(ArrivedEntries),
    /// Another server tells something about the table.
    Heard(ServerNotice),
    /// Other servers were asked which clients are connected there.
    Asked,
    /// Other servers are told again which clients are connected here.
    TellAgain,
    /// Other servers may have appended entries, or may have asked who is here: the log must be read.
    CatchUp,
    /// The log may have lost entries: the table must be loaded again.
    Reload,
}

/// Whether a seat holder is connected to a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attendance {
    /// No seat holder has connected since the table was loaded.
    NotYet,
    /// A seat holder is connected.
    Present,
    /// A seat holder was connected, and none is any more.
    Over,
}

impl TableRequest {
    /// Whether the request is about other servers, so that it does not keep the table in memory.
    pub(crate) const fn is_about_others(&self) -> bool {
        matches!(
            self,
            Self::Arrived(_) | Self::Heard(_) | Self::Asked | Self::TellAgain | Self::CatchUp
        )
    }

    /// What a table with a full mailbox is told about other servers once there is room; none if this may be lost.
    pub(crate) fn when_there_is_room(self) -> Option<Self> {
        match self {
            Self::Reload => Some(Self::Reload),
            Self::Heard(notice) if notice.body != NoticeBody::WhoIsThere => None,
            Self::Asked | Self::TellAgain => None,
            _ => Some(Self::CatchUp),
        }
    }

    /// Answers the request with a refusal.
    pub(crate) fn refuse(self, refusal: Refusal) {
        match self {
            Self::Join { subscriber, outbox, .. } => {
                let answer = JoinAnswer::Refuse(payload(&refusal));
                outbox.send(Outgoing::Answer(Box::new((subscriber.channel, answer, Vec::new()))));
            }
            Self::Act { reply, .. } | Self::Resync { reply, .. } => {
                reply.send(&Err::<(), _>(refusal));
            }
            Self::Emote { .. }
            | Self::Leave { .. }
            | Self::Arrived(_)
            | Self::Heard(_)
            | Self::Asked
            | Self::TellAgain
            | Self::CatchUp
            | Self::Reload => {}
            Self::Submit { answer, .. } => drop(answer.send(Err(refusal))),
            Self::View { answer, .. } | Self::Stream { answer, .. } => {
                drop(answer.send(Err(refusal)));
            }
            Self::Deadline { answer } => drop(answer.send(Err(refusal))),
            Self::Delete(deletion) => {
                drop(deletion.answer.send(Err(NotWritten::Busy.into())));
            }
            Self::Attendance { answer } => drop(answer.send(Attendance::Over)),
        }
    }
}
