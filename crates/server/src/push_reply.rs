//! Replies to the pushes of a client.

use channels::{Json, ReplyStatus, ReplyTo};
use game::Refusal;
use serde::Serialize;

use table::wire::codes;

use crate::outbox::{Outbox, Outgoing};
use crate::refusals::refusal;

/// The reply that a push waits for, if the client wants one. If it is dropped because the table failed,
/// the client learns that the outcome is not known.
#[derive(Debug)]
pub(crate) struct PushReply {
    pub(crate) outbox: Outbox,
    pub(crate) to: Option<ReplyTo>,
}

impl PushReply {
    pub(crate) fn send<T: Serialize>(mut self, outcome: &Result<T, Refusal>) {
        self.reply(outcome);
    }

    fn reply<T: Serialize>(&mut self, outcome: &Result<T, Refusal>) {
        if let Some(to) = self.to.take() {
            let (status, payload) = reply(outcome);
            self.outbox.send(Outgoing::Reply(Box::new((to, status, payload))));
        }
    }
}

impl Drop for PushReply {
    fn drop(&mut self) {
        let why = "The server does not know yet what came of this: send it again";
        self.reply(&Err::<(), _>(refusal(codes::UNAVAILABLE, why)));
    }
}

/// The status and the payload of a reply.
pub(crate) fn reply<T: Serialize>(outcome: &Result<T, Refusal>) -> (ReplyStatus, Json) {
    match outcome {
        Ok(message) => (ReplyStatus::Ok, payload(message)),
        Err(refusal) => (ReplyStatus::Error, payload(refusal)),
    }
}

/// A message as a payload.
pub(crate) fn payload<T: Serialize>(message: &T) -> Json {
    Json::of(message).expect("a message serializes")
}
