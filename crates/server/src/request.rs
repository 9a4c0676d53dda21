//! What can be asked of a table.

use std::net::IpAddr;

use axum::body::Bytes;
use channels::{Json, ReplyStatus, ReplyTo};
use game::{Code, Reason, Refusal};
use serde::Serialize;
use table::wire::{Accepted, Emote, Hello, Resync, Welcome};
use table::{Action, Digest};
use tokio::sync::{mpsc, oneshot};

use crate::buckets::NotYet;
use crate::guest::{GuestId, Outbox, Outgoing};

/// What came of something that was asked for.
pub(crate) type Outcome<T> = Result<T, Refusal>;

/// What can be asked of a table.
#[derive(Debug)]
pub(crate) enum Request {
    /// Somebody joins the channel.
    Join { guest: GuestId, household: IpAddr, outbox: Outbox, hello: Hello },
    /// Somebody is gone from the channel.
    Leave { guest: GuestId },
    /// Somebody in the channel wants something done.
    Act { guest: GuestId, action: Action, reply: Reply },
    /// Somebody in the channel wants to be told again.
    Resync { guest: GuestId, known: Resync, reply: Reply },
    /// Somebody in the channel says something.
    Emote { guest: GuestId, emote: Emote },
    /// Somebody without a channel wants something done.
    Submit { token: Option<Digest>, action: Action, answer: oneshot::Sender<Outcome<Accepted>> },
    /// Somebody without a channel wants to see the table.
    Look { token: Option<Digest>, known: Resync, answer: oneshot::Sender<Outcome<Welcome>> },
    /// Somebody wants every entry from now on, as a line of JSON; first how the table stands.
    Watch {
        token: Option<Digest>,
        household: IpAddr,
        lines: mpsc::Sender<Bytes>,
        answer: oneshot::Sender<Outcome<Welcome>>,
    },
    /// Whether somebody who holds a seat is connected.
    Attendance { answer: oneshot::Sender<Attendance> },
    /// The log may have lost entries: what is in memory may not follow from it any more.
    ReadAgain,
}

/// Whether somebody who holds a seat is connected to its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attendance {
    /// Nobody has been there since the table is in memory.
    NotYet,
    /// Somebody is there.
    Now,
    /// Somebody was there, and nobody is any more.
    Over,
}

/// Codes of what goes wrong around a table, beyond those that tables and games have.
pub(crate) mod codes {
    use game::Code;

    /// Nothing is known yet: the same action may be sent again.
    pub(crate) const UNAVAILABLE: Code = Code::new("unavailable");
    /// Somebody wants too much at once: the same action may be sent again.
    pub(crate) const TOO_MANY: Code = Code::new("too_many");
    /// There is no such table.
    pub(crate) const NO_TABLE: Code = Code::new("no_table");
    /// The token holds no seat here.
    pub(crate) const BAD_TOKEN: Code = Code::new("bad_token");
    /// The table keeps failing.
    pub(crate) const SET_ASIDE: Code = Code::new("set_aside");
    /// There is nothing of this name.
    pub(crate) const NOT_FOUND: Code = Code::new("not_found");
    /// A page of another site asks.
    pub(crate) const FOREIGN: Code = Code::new("foreign");
    /// What is asked for is there, but cannot be asked for in this way.
    pub(crate) const NOT_ALLOWED: Code = Code::new("not_allowed");
    /// What was sent is not understood.
    pub(crate) const BAD_REQUEST: Code = Code::new("bad_request");
}

pub(crate) fn refusal(code: Code, message: impl Into<String>) -> Refusal {
    Refusal::new(Reason::new(code, message.into()))
}

/// The refusal of what comes too often: why, and when it may come again.
pub(crate) fn too_many(why: &str, not_yet: NotYet) -> Refusal {
    let again = match not_yet.seconds() {
        1 => "in a second".to_owned(),
        seconds => format!("in {seconds} seconds"),
    };
    refusal(codes::TOO_MANY, format!("{why}: try again {again}"))
}

/// The payload that says this.
pub(crate) fn payload<T: Serialize>(message: &T) -> Json {
    Json::of(message).expect("a message holds texts and numbers")
}

/// Where the answer to a push goes, if the client wants one. Who is not answered because the table
/// failed is told that nothing is known.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) outbox: Outbox,
    pub(crate) to: Option<ReplyTo>,
}

impl Reply {
    pub(crate) fn send<T: Serialize>(mut self, outcome: &Outcome<T>) {
        self.answer(outcome);
    }

    fn answer<T: Serialize>(&mut self, outcome: &Outcome<T>) {
        if let Some(to) = self.to.take() {
            let (status, payload) = answer(outcome);
            self.outbox.send(Outgoing::Reply(Box::new((to, status, payload))));
        }
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        let why = "The server does not know yet what came of this: send it again";
        self.answer(&Outcome::<()>::Err(refusal(codes::UNAVAILABLE, why)));
    }
}

/// The answer to a push.
pub(crate) fn answer<T: Serialize>(outcome: &Outcome<T>) -> (ReplyStatus, Json) {
    match outcome {
        Ok(message) => (ReplyStatus::Ok, payload(message)),
        Err(refusal) => (ReplyStatus::Error, payload(refusal)),
    }
}

impl Request {
    /// Tells whoever asks that the table cannot answer.
    pub(crate) fn refuse(self, refusal: Refusal) {
        match self {
            Self::Join { guest, outbox, .. } => {
                let answer = channels::JoinAnswer::Refuse(payload(&refusal));
                outbox.send(Outgoing::Answer(Box::new((guest.channel, answer, Vec::new()))));
            }
            Self::Act { reply, .. } | Self::Resync { reply, .. } => {
                reply.send(&Outcome::<()>::Err(refusal));
            }
            Self::Emote { .. } | Self::Leave { .. } | Self::ReadAgain => {}
            Self::Submit { answer, .. } => drop(answer.send(Err(refusal))),
            Self::Look { answer, .. } | Self::Watch { answer, .. } => {
                drop(answer.send(Err(refusal)));
            }
            Self::Attendance { answer } => drop(answer.send(Attendance::Over)),
        }
    }
}
